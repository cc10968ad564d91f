// States of statistics (stats/state/state.h) in memory: made of totals, of traces, or by hand.
#ifndef TP_TESTS_STATE_LAB_H
#define TP_TESTS_STATE_LAB_H

#include "full_lab.h"
#include "stats/state/state.h"

// Owned; tp_free(ptr).
struct state_bytes {
    unsigned char *ptr;
    size_t len_bytes;
};

// Memory that is lacking ends the program.
void state_append(struct state_bytes *b, const void *bytes, size_t len_bytes);
struct state_bytes state_of(const struct tp_totals *s);
// What `stats:level=full` prints: CSV and JSON, one behind the other.
struct state_bytes state_report(const struct tp_totals *s);
bool state_is_same(const struct state_bytes *a, const struct state_bytes *b);

// Makes length and checksum right, so that what is between is looked at: of a file that is
// long enough to have them.
#define STATE_LEAST_BYTES 28
void state_seal(struct state_bytes *b);
// A file of these sections, each a number and its bytes; sealed.
struct state_section {
    unsigned number;
    const char *bytes;
    size_t len_bytes;
};
void state_set_version(struct state_bytes *b, unsigned char version); // and seals it
struct state_bytes state_of_sections(const struct state_section *sections, size_t count);
// The same of an older version.
struct state_bytes state_of_version(unsigned char version, const struct state_section *sections,
                                    size_t count);

// `count` things of all kinds, which follow from the seed.
void state_add_anything(struct tp_totals *s, uint64_t seed, unsigned count);

#endif
