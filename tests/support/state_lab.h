// State files (stats/state/state.h) in memory, made from totals or by hand.
#ifndef TP_TESTS_STATE_LAB_H
#define TP_TESTS_STATE_LAB_H

#include "full_lab.h"
#include "stats/state/state.h"

// Owned; tp_free(ptr).
struct state_bytes {
    unsigned char *ptr;
    size_t len_bytes;
};

// Lack of memory ends the program.
void state_append(struct state_bytes *b, const void *bytes, size_t len_bytes);
// The state file of totals.
struct state_bytes state_of(const struct tp_totals *s);
// The report of `stats:level=full`: CSV, then JSON.
struct state_bytes state_report(const struct tp_totals *s);
bool state_is_same(const struct state_bytes *a, const struct state_bytes *b);

// Corrects length and checksum, so that readers look at the bytes between them. The file must
// have at least STATE_LEAST_BYTES.
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
// As state_of_sections, for an older version.
struct state_bytes state_of_version(unsigned char version, const struct state_section *sections,
                                    size_t count);

// Adds `count` entries of each kind to the totals; they depend on the seed only.
void state_add_anything(struct tp_totals *s, uint64_t seed, unsigned count);

#endif
