#include "stats/idle_waits.h"

#include <string.h>

struct idle_wait {
    const char *function;
    const char *called; // by `function`; "": anything
};

static const struct idle_wait idle_waits[] = {
#define TP_IDLE_WAIT(function, called) {function, called},
#include "stats/idle_waits.def"
#undef TP_IDLE_WAIT
};

static bool is_wait(unsigned type)
{
    switch ((enum tp_stack_type)type) {
    case TP_STACK_SCHED:
    case TP_STACK_CPU: return false;
    default: return true;
    }
}

static struct tp_span function_of(const struct tp_totals *s, uint32_t frame)
{
    return tp_intern_text(&s->names, tp_totals_frames_get(&s->frames, frame).function);
}

static bool is_text(struct tp_span span, const char *text)
{
    return span.len_bytes == strlen(text) && tp_span_begins_with(span, text);
}

// Whether the frame's function is listed. `frames` ends with this frame.
static bool is_listed(const struct tp_totals *s, const uint32_t *frames, size_t at)
{
    struct tp_span function = function_of(s, frames[at]);
    for (size_t i = 0; i < TP_ARRAY_LEN(idle_waits); i++) {
        const struct idle_wait *w = &idle_waits[i];
        if (is_text(function, w->function) &&
            (w->called[0] == '\0' || (at > 0 && is_text(function_of(s, frames[at - 1]), w->called))))
            return true;
    }
    return false;
}

static bool is_of_runtime(struct tp_span function)
{
    return tp_span_begins_with(function, "runtime.") && !is_text(function, "runtime.main");
}

bool tp_stack_is_listed_idle(const struct tp_totals *s, uint32_t stack, unsigned type)
{
    const uint32_t *frames;
    size_t count = tp_totals_stack_frames(&s->stacks, stack, &frames);
    for (size_t i = 0; i < count && is_wait(type); i++) {
        if (is_listed(s, frames, i))
            return true;
    }
    return false;
}

bool tp_frames_are_idle(const struct tp_totals *s, const uint32_t *frames, size_t count,
                        unsigned type)
{
    bool is_idle = false, is_runtime = count > 0;
    for (size_t i = 0; i < count && is_wait(type) && !is_idle; i++) {
        is_idle = is_listed(s, frames, i);
        is_runtime = is_runtime && is_of_runtime(function_of(s, frames[i]));
    }
    return is_wait(type) && (is_idle || is_runtime);
}

bool tp_stack_is_idle(const struct tp_totals *s, uint32_t stack, unsigned type)
{
    const uint32_t *frames;
    size_t count = tp_totals_stack_frames(&s->stacks, stack, &frames);
    return tp_frames_are_idle(s, frames, count, type);
}
