// Infers why a goroutine waits from the functions on top of its stack (wait_functions.def), for waits
// that began before the trace. Constant data; any thread may call the functions, which cannot fail.
#ifndef TP_STATS_NAMES_WAIT_REASONS_H
#define TP_STATS_NAMES_WAIT_REASONS_H

#include "stats/names/stack_places.h"

// Ends the text of an inferred reason, so that it differs from a reason of the trace.
#define TP_INFERRED_MARK " (inferred)"

// Numbers of the rows of wait_functions.def, from 1 on.
enum {
    TP_NOT_INFERRED, // no row has a function of the stack
#define TP_WAIT_FUNCTION(function, reason) +1
    TP_INFERRED_COUNT = 1
#include "stats/names/wait_functions.def"
#undef TP_WAIT_FUNCTION
};

// Returns the number of the row by which a goroutine with this stack waits: that of the innermost
// function in the list. All functions inside of it must be of package runtime. `function` is called with
// `ctx` for the names of the functions (stack_places.h), at most once for each frame, the innermost first.
// Sets *ret_frame to the index of the function.
unsigned tp_inferred_reason(size_t frame_count, tp_totals_function_fn function, const void *ctx,
                            size_t *ret_frame);

// Returns the reason of a row, with the mark.
struct tp_span tp_inferred_text(unsigned row);
// Whether a reason has the mark. tp_unmarked returns the reason without it.
bool tp_is_inferred(struct tp_span reason);
struct tp_span tp_unmarked(struct tp_span reason);

#endif
