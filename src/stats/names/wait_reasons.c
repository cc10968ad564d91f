#include "stats/names/wait_reasons.h"

static const struct {
    const char *function, *reason;
} rows[TP_INFERRED_COUNT] = {
#define TP_WAIT_FUNCTION(function, reason) {function, reason TP_INFERRED_MARK},
    {NULL, NULL},
#include "stats/names/wait_functions.def"
#undef TP_WAIT_FUNCTION
};

static unsigned row_of(struct tp_span function)
{
    unsigned row = TP_INFERRED_COUNT - 1;
    while (row != TP_NOT_INFERRED && !tp_span_is(function, rows[row].function))
        row--;
    return row;
}

unsigned tp_inferred_reason(size_t frame_count, tp_totals_function_fn function, const void *ctx,
                            size_t *ret_frame)
{
    for (size_t i = 0; i < frame_count; i++) {
        struct tp_span name = function(ctx, i);
        unsigned row = row_of(name);
        *ret_frame = i;
        if (row != TP_NOT_INFERRED)
            return row;
        if (!tp_span_begins_with(name, "runtime."))
            break;
    }
    return TP_NOT_INFERRED;
}

struct tp_span tp_inferred_text(unsigned row)
{
    return tp_span_of_text(rows[row].reason);
}

bool tp_is_inferred(struct tp_span reason)
{
    return tp_span_ends_with(reason, TP_INFERRED_MARK);
}

struct tp_span tp_unmarked(struct tp_span reason)
{
    return tp_span_of(reason.ptr, reason.len_bytes - (sizeof TP_INFERRED_MARK - 1));
}
