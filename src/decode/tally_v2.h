// Counts the events of a trace without building them: the number of events of each type, their
// bytes in the shortest encoding (which Go's footprint counts), the last clock reading of a batch,
// and the goroutines and Ps that events introduce. `stats` and `footprint` need these counts for
// every trace, so the code is written for speed. Counting cannot fail; it stops at the first event
// that cannot be decoded (used_bytes). One thread at a time uses a tally.
#ifndef TP_DECODE_TALLY_V2_H
#define TP_DECODE_TALLY_V2_H

#include "decode/event_v2.h"
#include "decode/extent.h"
#include "decode/tally.h"

// Counts the events in `bytes`. `on_ident` may be NULL; it receives goroutines and Ps.
struct tp_tally_result tp_tally_events(struct tp_tally *t, struct tp_span bytes,
                                       const struct tp_arg_table *table, tp_ident_fn on_ident,
                                       void *ctx);

// Counts the header of a batch, which is an event as well. An experimental batch is one event with
// its body.
void tp_tally_header(struct tp_tally *t, const struct tp_extent *x, const unsigned char *bytes);

// Counts an extent of a trace of this minor release: a batch with its header, which is an event as
// well, or the mark that ends a generation. used_bytes ends before the first event that cannot be
// decoded.
struct tp_tally_result tp_tally_extent(struct tp_tally *t, const struct tp_extent *x,
                                       const unsigned char *bytes, uint32_t minor,
                                       tp_ident_fn on_ident, void *ctx);

#endif
