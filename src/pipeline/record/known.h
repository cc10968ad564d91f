// Finds what a record says of each input: its last lines, and whether the sums have it. One thread, before
// a run starts.
#ifndef TP_PIPELINE_RECORD_KNOWN_H
#define TP_PIPELINE_RECORD_KNOWN_H

#include "base/list.h"
#include "base/map.h"
#include "pipeline/record/record.h"

// The last lines on one input, or on one output of all inputs.
struct tp_known_input {
    uint64_t check; // a second digest of the path
    struct tp_record_place done;
    struct tp_record_place intent; // only if it is behind `done`
    uint32_t sums;    // number of the sums that have it; 0: none
    bool is_named;    // the run names it
};

// The index of a record's lines. Starts zeroed.
struct tp_known {
    struct tp_record_reader reader; // of the record, which is borrowed
    struct tp_map by_path;          // digest of a path to index + 1
    struct tp_map outputs;          // digests of outputs with their bytes, and of whose they are
    TP_LIST(struct tp_known_input);
    // The sums that the states have; each `run` line that begins new ones counts.
    uint32_t sums;                  // 0: none
    uint64_t summed_count;          // inputs in them
    bool are_sums_torn;             // lines on their inputs are missing or out of order
    uint64_t state_number;          // of the last `sums` line of all; 0: none
    struct tp_record_place sums_line; // the last one of these sums
};

// Reads all lines. TP_E_LIMIT: they are about more inputs than fit into `most_bytes`. TP_E_KERNEL,
// TP_E_MEMORY; tp_known_fini is due in any case.
int tp_known_read(struct tp_known *k, const struct tp_record *record, uint64_t most_bytes,
                  struct tp_error *err) TP_MUST_USE;
void tp_known_fini(struct tp_known *k);

// Returns what is known of an input, which is nothing if it is new; NULL: out of memory. Valid until
// the next call.
struct tp_known_input *tp_known_get(struct tp_known *k, const char *path);
// The same of an output of all inputs.
struct tp_known_input *tp_known_get_shared(struct tp_known *k, const char *path);
// The same of the input or output that a line is about; NULL: out of memory.
struct tp_known_input *tp_known_of_line(struct tp_known *k, const struct tp_record_line *line);
// Whose an output is. ONE: of the input `path`. ALL: of all inputs. ANY: of whatever the record has.
enum tp_known_owner { TP_KNOWN_ONE, TP_KNOWN_ALL, TP_KNOWN_ANY };
// Returns whether a line of the record, however old, says that the output `output` had these bytes.
bool tp_known_owns(const struct tp_known *k, enum tp_known_owner owner, const char *path,
                   const char *output, const char *digest);
// Reads a line, which is valid until the next call. False: there is none.
TP_INLINE bool tp_known_line(struct tp_known *k, struct tp_record_place place,
                             struct tp_record_line *ret_line)
{
    return tp_record_line_at(&k->reader, place, ret_line);
}

#endif
