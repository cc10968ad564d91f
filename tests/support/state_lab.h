// States of statistics (stats/state/state.h) in memory: built from totals, from traces, or by hand.
#ifndef TP_TESTS_STATE_LAB_H
#define TP_TESTS_STATE_LAB_H

#include "full_lab.h"
#include "stats/state/section.h"

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
// Where the sections begin.
#define STATE_SECTIONS_AT 20
void state_seal(struct state_bytes *b);
void state_set_version(struct state_bytes *b, unsigned char version); // and seals it
// A section, and its bytes: but for that of totals the number of its rows, and these.
struct state_section {
    unsigned id; // enum tp_section_id, or STATE_REST
    const char *bytes;
    size_t len_bytes;
};
// In place of a section: what follows the sections.
#define STATE_REST TP_SECTION_COUNT
// The bytes of the section of totals: its first eight numbers, and zeros for all others.
#define STATE_TEN "\0\0\0\0\0\0\0\0\0\0"
#define STATE_TOTALS(eight)                                                                        \
    eight STATE_TEN STATE_TEN STATE_TEN STATE_TEN "\0\0\0\0",                                      \
        sizeof(eight STATE_TEN STATE_TEN STATE_TEN STATE_TEN "\0\0\0\0") - 1
// Returns a sealed state of these sections, and of empty ones in place of those that are missing.
struct state_bytes state_of_sections(const struct state_section *sections, size_t count);

// Adds `count` random items of all kinds; they depend only on the seed.
void state_add_anything(struct tp_totals *s, uint64_t seed, unsigned count);

#endif
