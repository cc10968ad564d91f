// The place of a stack in a program, for human readers: the function that called the code that
// waits or enters the system.
#ifndef TP_STATS_STACK_PLACES_H
#define TP_STATS_STACK_PLACES_H

#include "base/span.h"

// The place of a stack; a plain value.
struct tp_stack_place {
    size_t frame; // index of its frame, 0 is the innermost; 0 also without any frames
    bool is_lock; // the stack waits for a lock
};

// Returns the name of the function of a frame; the name is borrowed while tp_stack_place_of runs.
typedef struct tp_span (*tp_totals_function_fn)(const void *ctx, size_t frame);

// Finds the place of a stack, whose frames `function` names. Cannot fail, keeps nothing, and any
// thread may call it. `type` is an enum tp_stack_type. For system calls the place is
// the function that called the packages for system calls; for other types, the function that
// called the runtime or sync. If the stack has only such functions, it is the outermost one.
struct tp_stack_place tp_stack_place_of(unsigned type, size_t frame_count,
                                        tp_totals_function_fn function, const void *ctx);

#endif
