// The totals of `stats:level=full` as a file, which other runs read as an
// input and add up. docs/format/stats-state.md has the bytes.
//
// Equal totals give equal bytes, however they came about: what is not used is left out, and
// all else is sorted by what it is. So a file is accepted only if what was read from it
// would be written as the same bytes.
//
// Thread-safe as far as the totals are.
#ifndef TP_STATS_STATE_STATE_H
#define TP_STATS_STATE_STATE_H

#include "base/writer.h"
#include "stats/totals.h"

// TP_E_MEMORY, or what `out` fails with.
int tp_totals_write(const struct tp_totals *s, struct tp_out *out,
                    struct tp_error *err) TP_MUST_USE;

// The totals in `file`, which is all of a file; the caller's to fini. TP_E_STATE: it is no
// such file, of another version, or damaged; TP_E_MEMORY. Memory is in proportion to the
// bytes: mostly 16 for a bucket of a histogram, which may take two, and 512 for one of a
// histogram with a count beyond 2^52.
int tp_totals_read(struct tp_span file, struct tp_totals *ret_totals,
                   struct tp_error *err) TP_MUST_USE;

#endif
