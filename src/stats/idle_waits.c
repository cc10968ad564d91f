#include "stats/idle_waits.h"

#include "stats/names/function_traits.h"

// With the lengths, because every frame of a stack is compared with all rows.
struct idle_wait {
    struct name {
        const char *text;
        size_t len_bytes;
    } function, called; // `called` by `function`; "": anything
};

static const struct idle_wait idle_waits[] = {
#define TP_IDLE_WAIT(function, called) \
    {{function, sizeof function - 1}, {called, sizeof called - 1}},
#include "stats/names/idle_waits.def"
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

static bool is_name(struct tp_span span, const struct name *name)
{
    return tp_span_equals(span, name->text, name->len_bytes);
}

static bool has_trait(const struct tp_totals *s, uint32_t frame, enum tp_function_trait trait)
{
    return (tp_totals_frame_traits(&s->frames, frame) & trait) != 0;
}

// Whether a row of the list has the function of frame `at`, and what it called.
static bool is_listed(const struct tp_totals *s, const uint32_t *frames, size_t at)
{
    if (tp_likely(!has_trait(s, frames[at], TP_FUNCTION_IDLES)))
        return false;
    struct tp_span function = function_of(s, frames[at]);
    for (size_t i = 0; i < TP_ARRAY_LEN(idle_waits); i++) {
        const struct idle_wait *w = &idle_waits[i];
        if (is_name(function, &w->function) &&
            (w->called.len_bytes == 0 ||
             (at > 0 && is_name(function_of(s, frames[at - 1]), &w->called))))
            return true;
    }
    return false;
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
        is_runtime = is_runtime && has_trait(s, frames[i], TP_FUNCTION_RUNTIME);
    }
    return is_wait(type) && (is_idle || is_runtime);
}

bool tp_stack_is_idle(const struct tp_totals *s, uint32_t stack, unsigned type)
{
    const uint32_t *frames;
    size_t count = tp_totals_stack_frames(&s->stacks, stack, &frames);
    return tp_frames_are_idle(s, frames, count, type);
}
