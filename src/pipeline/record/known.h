// Finds what a record says of each input: its last lines, and whether the sums have it. Made of a
// record's text, and valid as long as that is. One thread, before a run starts.
#ifndef TP_PIPELINE_RECORD_KNOWN_H
#define TP_PIPELINE_RECORD_KNOWN_H

#include "base/list.h"
#include "base/map.h"
#include "pipeline/record/record.h"

// The lines on one input, or on one output of all inputs. Their places are counted from 1; 0: there is none.
struct tp_known_input {
    uint64_t check; // a second digest of the path
    size_t done_at;
    size_t intent_at; // only if it is behind the line at done_at
    uint32_t sums;    // number of the sums that have it; 0: none
    bool is_named;    // the run names it
};

// What a record knows. Starts zeroed.
struct tp_known {
    const struct tp_record *record; // borrowed
    struct tp_map by_path;          // digest of a path to index + 1
    TP_LIST(struct tp_known_input);
    uint64_t skipped_count;         // damaged lines
    // The sums that the states have; each `run` line that begins new ones counts.
    uint32_t sums;                  // 0: none
    uint32_t summed_count;          // inputs in them
    uint64_t state_number;          // of the last `sums` line of all; 0: none
    size_t sums_at;                 // of the last `sums` line of these sums, from 1; 0: none
};

// Reads all lines. TP_E_MEMORY; tp_known_fini is due in any case.
int tp_known_read(struct tp_known *k, const struct tp_record *record, struct tp_error *err) TP_MUST_USE;
void tp_known_fini(struct tp_known *k);

// Returns what is known of an input, which is nothing if it is new; NULL: out of memory. Valid until
// the next call.
struct tp_known_input *tp_known_get(struct tp_known *k, const char *path);
// The same of an output of all inputs.
struct tp_known_input *tp_known_get_shared(struct tp_known *k, const char *path);
// The same of the input or output that a line is about; NULL: out of memory.
struct tp_known_input *tp_known_of_line(struct tp_known *k, const struct tp_record_line *line);
// Sets *ret_line to a line. False: `at` is 0.
bool tp_known_line(const struct tp_known *k, size_t at, struct tp_record_line *ret_line);

#endif
