// Counts the events of traces from before Go 1.22 without building them, as tally_v2.h does for
// later traces: the number of events of each type, their bytes in the shortest encoding, and the
// ticks by which they advance the clock of their batch. Counting cannot fail; it stops at the first
// event that cannot be decoded (used_bytes). One thread at a time uses a tally.
#ifndef TP_DECODE_TALLY_V1_H
#define TP_DECODE_TALLY_V1_H

#include "decode/event_v1.h"
#include "decode/extent.h"
#include "decode/tally.h"

// Adds the events of a run (scan_v1.h), or of any part of a batch, to the codes from TP_TALLY_V1
// on. `on_ident` may be NULL; it receives goroutines, threads (from Go 1.5 on) and the frequency.
struct tp_tally_result tp_v1_tally_events(struct tp_tally *t, struct tp_span bytes,
                                          const struct tp_v1_table *table, tp_ident_fn on_ident,
                                          void *ctx);

// Adds the events of an extent of a trace of this minor release, as tp_v1_tally_events does. All
// events of the extent must be decodable. `on_ident` also receives the extent's P.
struct tp_tally_result tp_v1_tally_extent(struct tp_tally *t, const struct tp_extent *x,
                                          const unsigned char *bytes, uint32_t minor,
                                          tp_ident_fn on_ident, void *ctx);

#endif
