// Channels on which goroutines wait for the other side: senders for a slow receiver, or receivers
// for a slow sender. Workers without work wait, too, and nobody is to blame for that: so receivers
// count only with the time for which the waker is to blame, and only if they wait again and again. A
// goroutine that receives once in its life gets its job, or the signal to stop: the watcher of a
// context waits as long as the call that it guards.

#include "base/alloc.h"
#include "stats/findings/judging.h"
#include "stats/findings/pool.h"

#define LEAST_WAITS 10
// Waits of each receiving goroutine, on average.
#define LEAST_WAITS_EACH 2

// Waits of one pair of places, or of one pair of stacks before these are joined.
struct flow {
    bool is_sender;
    uint32_t start; // function in which the waiting goroutine started
    struct tp_source_place waiter, waker;
    tp_wide ns;
    const struct tp_dist *blocked;
};

struct flows {
    const struct tp_totals *s;
    TP_LIST(struct flow);
    struct tp_shares open; // of the time for which senders were blocked when the trace ended
};

// Whether the waits are of a sender, or of a receiver. False: neither is known.
static bool side_of(const struct tp_totals *s, const struct tp_wake *wake, bool *ret_is_sender)
{
    bool is_receiver = wake->reason == TP_WAKE_RECEIVE;
    *ret_is_sender = wake->reason == TP_WAKE_SEND;
    if (wake->reason == TP_WAKE_SELECT) {
        *ret_is_sender = tp_stack_is_inner(s, wake->pair->right, "runtime.chanrecv");
        is_receiver = tp_stack_is_inner(s, wake->pair->right, "runtime.chansend");
    }
    return *ret_is_sender != is_receiver;
}

static bool add_wake(struct flows *f, const struct tp_wake *wake)
{
    struct flow flow = {.blocked = wake->blocked};
    if (!side_of(f->s, wake, &flow.is_sender) || !tp_stack_has_program(f->s, wake->pair->right) ||
        !tp_stack_has_program(f->s, wake->pair->left) || tp_wake_is_for_slot(f->s, wake))
        return true;
    flow.start = tp_stack_start_function(f->s, wake->pair->left);
    flow.waiter = tp_source_place_of(f->s, wake->pair->left, TP_STACK_SYNC);
    flow.waker = tp_source_place_of(f->s, wake->pair->right, TP_STACK_SYNC);
    flow.ns = flow.is_sender ? wake->blocked->total_ns : wake->blamed_ns;
    return TP_LIST_ADD(f, flow);
}

static bool collect_open(struct flows *f)
{
    bool fits = true;
    for (uint32_t i = 0; i < f->s->by_stack.count && fits; i++) {
        const struct tp_stack_count *c = &f->s->by_stack.items[i];
        uint32_t stack = tp_stack_count_stack(c);
        if (tp_stack_count_type(c) != TP_STACK_SYNC_OPEN ||
            !tp_stack_is_inner(f->s, stack, "runtime.chansend"))
            continue;
        struct tp_source_place place = tp_source_place_of(f->s, stack, TP_STACK_SYNC_OPEN);
        fits = tp_shares_add(&f->open, &place, c->total_ns);
    }
    tp_shares_sort(&f->open, f->s);
    return fits;
}

static bool collect(struct flows *f)
{
    struct tp_wakes wakes = {.s = f->s};
    struct tp_wake wake;
    bool fits = collect_open(f);
    while (fits && tp_wakes_next(&wakes, &wake))
        fits = add_wake(f, &wake);
    return fits;
}

// Groups come together; within a group all that differs decides, so that the first flow of a group
// does not depend on numbers.
static int compare_groups(const struct tp_totals *s, const struct flow *a, const struct flow *b)
{
    return (int)b->is_sender - (int)a->is_sender
        ?: tp_source_place_compare_functions(s, &a->waiter, &b->waiter)
        ?: tp_source_place_compare_functions(s, &a->waker, &b->waker);
}

static int compare_flows(const void *left, const void *right, void *ctx)
{
    const struct flow *a = left, *b = right;
    return compare_groups(ctx, a, b)
        ?: tp_compare_wide(b->ns, a->ns)
        ?: tp_source_place_compare(ctx, &a->waiter, &b->waiter)
        ?: tp_source_place_compare(ctx, &a->waker, &b->waker);
}

// Sums a group, whose first flow has the most time. Sets *ret_found without the open waits.
static bool sum_group(const struct flow *flows, size_t count, struct tp_found *ret_found)
{
    struct tp_dist all = {0};
    tp_wide ns = 0;
    bool fits = true;
    for (size_t i = 0; i < count && fits; i++) {
        ns = tp_wide_add(ns, flows[i].ns);
        fits = tp_dist_merge(&all, flows[i].blocked);
    }
    *ret_found = tp_found_of(TP_FINDS_CHANNEL);
    tp_found_set_times(ret_found, &all);
    ret_found->lost = ns;
    ret_found->culprit = flows[0].waker;
    ret_found->victim = flows[0].waiter;
    tp_dist_fini(&all);
    return fits;
}

static uint64_t goroutines_of(const struct tp_totals *s, uint32_t start)
{
    const struct tp_dist *lives =
        start != TP_INTERN_NONE
            ? tp_durations_find(&s->durations, TP_SPACE_GOROUTINE, start, TP_MEASURE_LIFE)
            : NULL;
    return lives != NULL ? lives->count + tp_dist_cut_count(lives) : 0;
}

// Returns how nearly the goroutines of a waiting function wait again and again, if they receive.
static uint64_t nearness_of_again(const struct tp_totals *s, const struct flow *flows, size_t count)
{
    uint64_t waits = 0, goroutines = 0;
    for (size_t i = 0; i < count && !flows->is_sender; i++) {
        waits += flows[i].blocked->count;
        goroutines = tp_greater(goroutines, goroutines_of(s, flows[i].start));
    }
    return tp_nearness(waits, (tp_wide)goroutines * LEAST_WAITS_EACH);
}

// Judges the groups of one waiting function and direction. Open waits belong to the waker for which
// the function waited longest, because nobody has ended them.
static bool judge_waiter(struct tp_judging *j, const struct flows *f, size_t first_flow, size_t count)
{
    const struct flow *flows = f->items + first_flow;
    tp_wide open = flows->is_sender ? tp_shares_of(&f->open, f->s, &flows->waiter) : 0, most = 0;
    struct tp_found first = tp_found_of(TP_FINDS_CHANNEL), found;
    uint64_t again = nearness_of_again(j->s, flows, count);
    bool fits = true;
    for (size_t i = 0, end; i < count && fits; i = end) {
        for (end = i + 1; end < count && compare_groups(j->s, &flows[i], &flows[end]) == 0;)
            end++;
        fits = sum_group(flows + i, end - i, &found);
        bool is_most = found.lost > most;
        struct tp_found other = is_most ? first : found;
        if (is_most) {
            most = found.lost;
            first = found;
        }
        if (fits && other.count > 0) {
            other.value_ppm = tp_ppm_of(other.lost, j->row->figures[TP_FILE_DURATION]);
            fits = tp_judging_add(j, &other,
                                  tp_lesser(tp_nearness(other.count, LEAST_WAITS), again));
        }
    }
    if (!fits || first.count == 0)
        return fits;
    first.lost = tp_wide_add(first.lost, open);
    first.value_ppm = tp_ppm_of(first.lost, j->row->figures[TP_FILE_DURATION]);
    return tp_judging_add(j, &first, tp_lesser(tp_nearness(first.count, LEAST_WAITS), again));
}

static bool is_same_waiter(const struct tp_totals *s, const struct flow *a, const struct flow *b)
{
    return a->is_sender == b->is_sender &&
           tp_source_place_compare_functions(s, &a->waiter, &b->waiter) == 0;
}

bool tp_judge_channel(struct tp_judging *j)
{
    struct flows f = {.s = j->s};
    bool fits = collect(&f);
    tp_judging_note(j, TP_FINDS_CHANNEL);
    TP_LIST_SORT_BY(&f, compare_flows, j->s);
    for (uint32_t first = 0, end; fits && first < f.count; first = end) {
        for (end = first + 1; end < f.count && is_same_waiter(j->s, &f.items[first], &f.items[end]);)
            end++;
        fits = judge_waiter(j, &f, first, end - first);
    }
    tp_free(f.items);
    tp_free(f.open.items);
    return fits;
}
