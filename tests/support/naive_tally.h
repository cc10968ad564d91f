// What tp_tally_events has to come to, counted event by event through
// tp_event_read.
#ifndef TP_TESTS_NAIVE_TALLY_H
#define TP_TESTS_NAIVE_TALLY_H

#include "decode/tally_v2.h"

// The same call; `t` is added to.
struct tp_tally_result naive_tally(struct tp_tally *t, struct tp_span bytes,
                                   const struct tp_arg_table *table, tp_ident_fn on_ident,
                                   void *ctx);

// Reads `bytes` both ways; NULL, or what is not the same.
const char *tally_difference(struct tp_span bytes, const struct tp_arg_table *table);

#endif
