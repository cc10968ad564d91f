// Reference for tp_tally_events: counts the same things event by event with tp_event_read.
#ifndef TP_TESTS_NAIVE_TALLY_H
#define TP_TESTS_NAIVE_TALLY_H

#include "decode/tally_v2.h"

// Does the same as tp_tally_events; adds to `t`.
struct tp_tally_result naive_tally(struct tp_tally *t, struct tp_span bytes,
                                   const struct tp_arg_table *table, tp_ident_fn on_ident,
                                   void *ctx);

// Counts `bytes` both ways. Returns NULL, or the name of the difference, a constant.
const char *tally_difference(struct tp_span bytes, const struct tp_arg_table *table);

#endif
