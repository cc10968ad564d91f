// States of statistics (stats/state/state.h) in memory: built from totals, from traces, or by hand.
#ifndef TP_TESTS_STATE_LAB_H
#define TP_TESTS_STATE_LAB_H

#include "full_lab.h"
#include "stats/state/state.h"

// Bytes that the caller owns and frees with tp_free(ptr).
struct state_bytes {
    unsigned char *ptr;
    size_t len_bytes;
};

// Appends to `b`. All functions here end the program if memory is lacking.
void state_append(struct state_bytes *b, const void *bytes, size_t len_bytes);
// Returns the state file of totals.
struct state_bytes state_of(const struct tp_totals *s);
// Returns what `stats:level=full` prints: the CSV report and then the JSON report.
struct state_bytes state_report(const struct tp_totals *s);
bool state_is_same(const struct state_bytes *a, const struct state_bytes *b);

// Corrects length and checksum, so that a reader gets to the bytes between them. The state
// must have at least STATE_LEAST_BYTES.
#define STATE_LEAST_BYTES 28
void state_seal(struct state_bytes *b);
// A section by its number and bytes. The functions below return sealed states of sections.
struct state_section {
    unsigned number;
    const char *bytes;
    size_t len_bytes;
};
void state_set_version(struct state_bytes *b, unsigned char version); // and seals it
struct state_bytes state_of_sections(const struct state_section *sections, size_t count);

// Adds `count` random items of all kinds; they depend only on the seed.
void state_add_anything(struct tp_totals *s, uint64_t seed, unsigned count);

#endif
