// Finds the place of a stack: the function of the program that human readers look for, because it
// called the library code that waits or makes a system call.
#ifndef TP_STATS_NAMES_STACK_PLACES_H
#define TP_STATS_NAMES_STACK_PLACES_H

#include "base/span.h"

// The place of a stack; a plain value.
struct tp_stack_place {
    size_t frame; // index of the place's frame, from 0, the innermost; 0 if there are no frames
    bool is_lock; // the stack waits for a lock
};

// Returns the name of the function of frame number `frame`, 0 being the innermost. The name must
// stay valid until tp_stack_place_of returns.
typedef struct tp_span (*tp_totals_function_fn)(const void *ctx, size_t frame);

// Returns the place of a stack; calls `function` with `ctx` for the names of its functions. Keeps
// nothing, cannot fail, and any thread may call it. `type` is an enum tp_stack_type. For system
// calls the place is the function that called the packages for system calls; for other types, the
// function that called the packages runtime and sync. If the stack has only functions of these
// packages, the place is the outermost one.
struct tp_stack_place tp_stack_place_of(unsigned type, size_t frame_count,
                                        tp_totals_function_fn function, const void *ctx);

#endif
