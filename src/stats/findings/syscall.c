// Slow system calls: goroutines wait in calls that a function makes, each of which takes long.
#include <string.h>

#include "base/alloc.h"
#include "base/sort/compare.h"
#include "stats/findings/judging.h"
#include "stats/idle_waits.h"

// Calls that take less on average, by stack, do not wait for a device: they copy.
#define SLOW_NS 100000
// Calls of os.(*File).Read that take as long on average wait for input, from a terminal or a pipe;
// C functions that wait by their name, for packets, messages or the events of a window. Package bufio
// reads some kB at a time, which a file has at once, because the system reads ahead.
#define INPUT_NS 100000000
#define BUFFERED_INPUT_NS 1000000

// Slow calls of one stack.
struct call {
    struct tp_source_place place; // none: the stack is not known, or was not kept
    uint32_t stack;               // TP_INTERN_NONE: only the function is known
    uint64_t count, max_ns;
    tp_wide total_ns;
    uint64_t longest_ns, longest_at; // of those that the trace does not cut, and when it began
};

struct calls {
    const struct tp_totals *s;
    TP_LIST(struct call);
};

static bool is_call(unsigned type)
{
    return type == TP_STACK_SYSCALL || type == TP_STACK_SYSCALL_OPEN;
}

// Whether the stack is that of a call of a C function with "wait" or "poll" in its name.
static bool waits_in_c(const struct tp_totals *s, uint32_t stack)
{
    const uint32_t *frames;
    if (stack == TP_INTERN_NONE || tp_totals_stack_frames(&s->stacks, stack, &frames) == 0)
        return false;
    struct tp_span name = tp_intern_text(&s->names, tp_totals_frames_get(&s->frames, frames[0]).function);
    const unsigned char *c = memmem(name.ptr, name.len_bytes, "._Cfunc_", 8);
    static const char *const words[] = {"wait", "Wait", "poll", "Poll"};
    for (size_t i = 0; i < TP_ARRAY_LEN(words) && c != NULL; i++) {
        if (memmem(c, (size_t)(name.ptr + name.len_bytes - c), words[i], 4) != NULL)
            return true;
    }
    return false;
}

// Returns whether calls with this stack are a way of life: those in which the runtime and the profiler
// sleep, reads of input, consoles of Windows, calls for sockets, which do not block, calls that
// began before the trace and end after it, whose stack is not known: mostly waits for signals; and in a
// damaged input those of which a name is lost, because they may be any of these.
static bool is_passed_over(const struct tp_totals *s, uint32_t stack, unsigned type, uint64_t mean_ns)
{
    return tp_stack_is_idle(s, stack, type) ||
           (s->damaged_count > 0 && tp_stack_lacks_names(s, stack)) ||
           tp_stack_has_prefix(s, stack, "net.(*netFD).") ||
           tp_stack_has_prefix(s, stack, "internal/poll.(*FD).readConsole") ||
           tp_stack_has_prefix(s, stack, "internal/poll.(*FD).writeConsole") ||
           (mean_ns >= INPUT_NS && waits_in_c(s, stack)) ||
           (tp_stack_has_prefix(s, stack, "os.(*File).Read") &&
            mean_ns >= (tp_stack_has_prefix(s, stack, "bufio.") ? BUFFERED_INPUT_NS : INPUT_NS)) ||
           (type == TP_STACK_SYSCALL_OPEN && !tp_stack_has_frames(s, stack));
}

static bool add_stacks(struct calls *calls)
{
    const struct tp_totals *s = calls->s;
    bool fits = true;
    for (uint32_t i = 0; i < s->by_stack.count && fits; i++) {
        const struct tp_stack_count *c = &s->by_stack.items[i];
        unsigned type = tp_stack_count_type(c);
        uint32_t stack = tp_stack_count_stack(c);
        uint64_t mean_ns = c->count > 0 ? tp_wide_limited(c->total_ns / c->count) : 0;
        if (!is_call(type) || mean_ns < SLOW_NS || is_passed_over(s, stack, type, mean_ns))
            continue;
        struct tp_dist one;
        const struct tp_dist *times = tp_stack_count_times(c, &one);
        fits = TP_LIST_ADD(calls, (struct call){tp_source_place_of(s, stack, type), stack, c->count, 0,
                                                c->total_ns, times != NULL ? times->max_ns : 0,
                                                times != NULL ? times->max_at : 0});
    }
    return fits;
}

// Adds the calls of stacks that were not kept: only the function of their place is known.
static bool add_coarse(struct calls *calls)
{
    const struct tp_totals *s = calls->s;
    bool fits = true;
    for (uint32_t i = 0; i < s->durations.groups.count; i++) {
        const struct tp_durations_group *g = &s->durations.groups.items[i];
        struct tp_durations_walk walk = {.group = g};
        struct tp_source_place place = {g->name, TP_INTERN_NONE, 0};
        if (g->space != TP_SPACE_COARSE)
            continue;
        if (g->name == TP_TOTALS_OTHERS)
            place.function = TP_INTERN_NONE;
        while (fits && tp_durations_walk_next(&walk)) {
            const struct tp_dist *d = walk.dist;
            if (is_call(tp_coarse_type(walk.measure)) && d->total_ns / SLOW_NS >= d->count)
                fits = TP_LIST_ADD(calls, (struct call){place, TP_INTERN_NONE, d->count, d->max_ns,
                                                        d->total_ns, 0, 0});
        }
    }
    return fits;
}

// Puts the calls of a function together, those of the stack with the most time first.
static int compare_calls(const void *left, const void *right, void *ctx)
{
    const struct call *a = left, *b = right;
    int order = tp_source_place_compare_functions(ctx, &a->place, &b->place)
        ?: tp_compare_wide(b->total_ns, a->total_ns)
        ?: tp_compare_u64(b->count, a->count);
    if (order != 0 || a->stack == b->stack)
        return order;
    if (a->stack == TP_INTERN_NONE || b->stack == TP_INTERN_NONE)
        return a->stack == TP_INTERN_NONE ? 1 : -1;
    return tp_totals_compare_stacks(ctx, a->stack, b->stack);
}

// Judges the calls that one function makes.
static bool judge_function(struct tp_judging *j, const struct call *calls, size_t count)
{
    struct tp_found found = tp_found_of(TP_FINDS_SYSCALL);
    struct tp_shares lines = {0};
    struct tp_dist worst = {.max_ns = 0};
    bool fits = true;
    // Nobody is to blame for calls whose stack is not known.
    if (calls[0].place.function == TP_INTERN_NONE)
        return true;
    for (size_t i = 0; i < count && fits; i++) {
        found.count = tp_wide_limited((tp_wide)found.count + calls[i].count);
        found.max_ns = calls[i].max_ns > found.max_ns ? calls[i].max_ns : found.max_ns;
        found.lost = tp_wide_add(found.lost, calls[i].total_ns);
        tp_dist_raise(&worst, calls[i].longest_ns, calls[i].longest_at);
        fits = tp_shares_add(&lines, &calls[i].place, calls[i].total_ns);
    }
    if (fits) {
        tp_found_set_worst(&found, &worst);
        found.value_ppm = tp_ppm_of(found.lost, j->row->figures[TP_FILE_DURATION]);
        found.culprit = found.victim = tp_shares_greatest(&lines, j->s);
        found.other = tp_source_place_called(j->s, calls[0].stack, TP_STACK_SYSCALL);
        uint32_t before = j->found.count;
        fits = tp_judging_add(j, &found, TP_HOLDS);
        if (j->found.count > before)
            j->found.items[before].stack = calls[0].stack;
    }
    tp_free(lines.items);
    return fits;
}

bool tp_judge_syscall(struct tp_judging *j)
{
    struct calls calls = {.s = j->s};
    bool fits = add_stacks(&calls) && add_coarse(&calls);
    tp_judging_note(j, TP_FINDS_SYSCALL);
    TP_LIST_SORT_BY(&calls, compare_calls, j->s);
    for (uint32_t first = 0, end; fits && first < calls.count; first = end) {
        for (end = first + 1;
             end < calls.count &&
             tp_source_place_compare_functions(j->s, &calls.items[first].place,
                                               &calls.items[end].place) == 0;)
            end++;
        fits = judge_function(j, calls.items + first, end - first);
    }
    tp_free(calls.items);
    return fits;
}
