// Counts the events of traces from before Go 1.22 without building them, as tally_v2.h does
// those of later ones: how many of each type, how many bytes in their shortest encoding, and
// how far they move the clock of their batch.
#ifndef TP_DECODE_TALLY_V1_H
#define TP_DECODE_TALLY_V1_H

#include "decode/event_v1.h"
#include "decode/extent.h"
#include "decode/tally.h"

// Adds the events of a run (scan_v1.h), or of any part of a batch, behind TP_TALLY_V1. `on_ident`
// may be NULL; it gets goroutines, threads (from Go 1.5 on) and the frequency.
struct tp_tally_result tp_v1_tally_events(struct tp_tally *t, struct tp_span bytes,
                                          const struct tp_v1_table *table, tp_ident_fn on_ident,
                                          void *ctx);

// The same of an extent; every event of a run decodes. `on_ident` gets its P, too.
struct tp_tally_result tp_v1_tally_extent(struct tp_tally *t, const struct tp_extent *x,
                                          const unsigned char *bytes,
                                          const struct tp_v1_table *table, tp_ident_fn on_ident,
                                          void *ctx);

#endif
