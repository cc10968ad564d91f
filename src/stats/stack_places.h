// Where in a program a stack is, for people: the function that called what waits or enters the
// system.
#ifndef TP_STATS_STACK_PLACES_H
#define TP_STATS_STACK_PLACES_H

#include "base/span.h"

struct tp_stack_place {
    size_t frame; // its index, from the innermost one on; 0 if there are none
    bool is_lock; // it waits for one
};

// The function of a frame.
typedef struct tp_span (*tp_totals_function_fn)(const void *ctx, size_t frame);

// By enum tp_stack_type: of system calls the function that called the packages made for these,
// of others that which called the runtime or sync. Of a stack of nothing else its outermost.
struct tp_stack_place tp_stack_place_of(unsigned type, size_t frame_count,
                                        tp_totals_function_fn function, const void *ctx);

#endif
