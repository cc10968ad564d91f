// The totals of `stats:level=full` as a file, which other runs read as an input and add up.
// docs/format/stats-state.md describes the bytes.
//
// Equal totals give equal bytes, however the totals were computed: unused names and stacks are left
// out, and everything else is sorted by its content. So a file is accepted only if the totals
// read from it would be written as the same bytes.
//
// Any thread may call these functions, with totals of its own.
#ifndef TP_STATS_STATE_STATE_H
#define TP_STATS_STATE_STATE_H

#include "base/writer.h"
#include "stats/totals.h"

// Writes the totals as a file; keeps neither argument. Fails with TP_E_MEMORY, or as `out`
// does; then a part may have been written. Needs little memory beside the totals.
int tp_totals_write(const struct tp_totals *s, struct tp_out *out,
                    struct tp_error *err) TP_MUST_USE;

// Reads the totals from `file`, the bytes of a whole file; the caller frees the totals with
// tp_totals_fini. They borrow nothing from the file. Fails with TP_E_STATE if the file is no such
// file, has another version, or is damaged, and with TP_E_MEMORY; *ret_totals is then unchanged.
// Uses memory in proportion to the bytes: mostly 16 bytes for a bucket of a histogram, which may
// take two bytes of the file, and 512 bytes for a bucket with a count beyond 2^52.
int tp_totals_read(struct tp_span file, struct tp_totals *ret_totals,
                   struct tp_error *err) TP_MUST_USE;
// Says whether the totals keep the PCs of the frames of a file.
enum tp_state_pcs {
    TP_STATE_PCS_KEPT,
    TP_STATE_PCS_REMOVED, // stacks that differ only in their PCs become one; coarse ones stay coarse
    TP_STATE_PCS_REQUIRED // TP_E_STATE if the file has stacks, and none of their frames has a PC
};
// Limits a reader, and says what it makes of the file.
struct tp_state_terms {
    // Limit of the memory of the totals and, with gives_back, of the bytes of the file that are not
    // given back yet. Reading fails with TP_E_LIMIT where it would be exceeded.
    uint64_t most_bytes;
    // The file is in a mapping (tp_map) that nobody reads afterwards: its pages are given back as
    // soon as they are read, so file and totals are not in memory at once.
    bool gives_back;
    enum tp_state_pcs pcs;
};
// Does the same as tp_totals_read, which keeps PCs and has no limit, by these terms.
int tp_totals_read_by(struct tp_span file, const struct tp_state_terms *terms,
                      struct tp_totals *ret_totals, struct tp_error *err) TP_MUST_USE;

#endif
