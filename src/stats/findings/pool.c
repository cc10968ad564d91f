// Pools and semaphores that are too small: goroutines wait for a slot that others hold.
#include "stats/findings/pool.h"

#include "base/alloc.h"
#include "stats/findings/judging.h"
#include "stats/idle_waits.h"

#define LEAST_WAITS 10
// The part of the waits at a place, in hundredths, that stacks have to show to be for a slot. The
// others, which for example a reader of the network ended, are then for one as well.
#define SHOWN_PERCENT 10
// The part of the time of receivers, in hundredths, that senders elsewhere may end: in a chain of stages
// of one function, each ends the waits of the next, but the source those of the first.
#define FED_PERCENT 10

static const struct slot {
    const char *wait, *wake;
} slots[] = {
#define TP_SLOT(wait, wake) {wait, wake},
#include "stats/findings/slots.def"
#undef TP_SLOT
};

// WHAT IS A SLOT

static bool is_listed(const struct tp_totals *s, struct tp_span waiter, uint32_t wake_stack)
{
    for (size_t i = 0; i < TP_ARRAY_LEN(slots); i++) {
        if (tp_span_is(waiter, slots[i].wait))
            return tp_stack_has_prefix(s, wake_stack, slots[i].wake);
    }
    return false;
}

// Returns the package of a function: its name up to the first '.' after the last '/' that is not of
// type arguments, with this '.'.
static struct tp_span package_of(struct tp_span function)
{
    size_t len_bytes = 0;
    for (size_t i = 0; i < function.len_bytes && function.ptr[i] != '['; i++) {
        if (function.ptr[i] == '/')
            len_bytes = 0;
        else if (function.ptr[i] == '.' && len_bytes == 0)
            len_bytes = i + 1;
    }
    return tp_span_of(function.ptr, len_bytes);
}

// Whether a part of a name is "func1" or "1", and so on.
static bool is_of_closure(struct tp_span part)
{
    size_t word_bytes = tp_span_begins_with(part, "func") ? 4 : 0;
    return part.len_bytes > word_bytes && part.ptr[word_bytes] >= '0' && part.ptr[word_bytes] <= '9';
}

// Returns the type of a method, or of a closure in one: p.(*T) of p.(*T).m and p.(*T).m.func1, p.T of
// p.T.m; empty: there is none.
static struct tp_span receiver_of(struct tp_span function)
{
    size_t package_bytes = package_of(function).len_bytes, len_bytes, end_bytes = function.len_bytes;
    bool is_closure;
    do {
        len_bytes = end_bytes;
        while (len_bytes > package_bytes && function.ptr[len_bytes - 1] != '.')
            len_bytes--;
        is_closure = is_of_closure(tp_span_of(function.ptr + len_bytes, end_bytes - len_bytes));
        end_bytes = len_bytes > 0 ? len_bytes - 1 : 0;
    } while (is_closure && len_bytes > package_bytes);
    return tp_span_of(function.ptr, len_bytes > package_bytes ? end_bytes : 0);
}

// A closure has the name of its function, and ".func1" or, inside a closure, ".1". If the function was
// inlined, the name of the function around it comes first: p.outer.f.func1 of p.f.
static bool is_closure_of(struct tp_span closure, struct tp_span function)
{
    struct tp_span package = package_of(function);
    struct tp_span name = tp_span_skip(function, package.len_bytes);
    if (closure.len_bytes < package.len_bytes || name.len_bytes == 0 ||
        memcmp(closure.ptr, package.ptr, package.len_bytes) != 0)
        return false;
    struct tp_span rest = tp_span_skip(closure, package.len_bytes);
    bool is_first = true, is = false;
    for (size_t i = 0; i + name.len_bytes + 1 < rest.len_bytes && !is; i++) {
        is = is_first && memcmp(rest.ptr + i, name.ptr, name.len_bytes) == 0 &&
             rest.ptr[i + name.len_bytes] == '.' &&
             is_of_closure(tp_span_skip(rest, i + name.len_bytes + 1));
        is_first = rest.ptr[i] == '.';
    }
    return is;
}

// Whether the place is in a method of the same type as one with this receiver.
static bool is_method_of(const struct tp_totals *s, const struct tp_source_place *place,
                         struct tp_span receiver)
{
    return receiver.len_bytes > 0 && place->function != TP_INTERN_NONE &&
           tp_span_compare(receiver, receiver_of(tp_totals_text(s, place->function))) == 0;
}

// Returns the name of the function that called the one that waits, or wakes, without the wrapper of a
// deferred call.
static struct tp_span caller_of(const struct tp_totals *s, uint32_t stack)
{
    struct tp_source_place caller = tp_source_place_calling_wait(s, stack);
    if (caller.function == TP_INTERN_NONE)
        return tp_span_of("", 0);
    struct tp_span name = tp_totals_text(s, caller.function);
    const unsigned char *wrapper = memmem(name.ptr, name.len_bytes, ".deferwrap", 10);
    return wrapper != NULL ? tp_span_of(name.ptr, (size_t)(wrapper - name.ptr)) : name;
}

// Whether two functions of one package, one of which waits and the other wakes, are called by the same
// function, like acquire and release.
static bool are_beside(const struct tp_totals *s, const struct tp_wake *wake, struct tp_span waiter,
                       struct tp_span waker)
{
    struct tp_span caller = caller_of(s, wake->pair->left);
    return caller.len_bytes > 0 && tp_span_compare(package_of(waiter), package_of(waker)) == 0 &&
           tp_span_compare(caller, caller_of(s, wake->pair->right)) == 0;
}

// Whether the waiter takes a slot by sending. If it selects, the waker shows that.
static bool is_sent(const struct tp_totals *s, const struct tp_wake *wake)
{
    return wake->reason == TP_WAKE_SEND ||
           (wake->reason == TP_WAKE_SELECT &&
            tp_stack_is_inner(s, wake->pair->right, "runtime.chanrecv"));
}

bool tp_wake_is_for_slot(const struct tp_totals *s, const struct tp_wake *wake)
{
    uint32_t left = wake->pair->left, right = wake->pair->right;
    struct tp_source_place waits = tp_source_place_of_wait(s, left);
    struct tp_source_place wakes = tp_source_place_of_wait(s, right);
    if (wake->reason == TP_WAKE_SYNC || waits.function == TP_INTERN_NONE ||
        wakes.function == TP_INTERN_NONE)
        return false;
    struct tp_span waiter = tp_totals_text(s, waits.function);
    struct tp_span waker = tp_totals_text(s, wakes.function), receiver = receiver_of(waiter);
    // The names of a damaged trace may be lost, and are then all the same.
    if (waiter.len_bytes == 0 || waker.len_bytes == 0)
        return false;
    if (is_listed(s, waiter, right))
        return true;
    bool is_one = tp_span_compare(waiter, waker) == 0 || is_closure_of(waker, waiter) ||
                  is_closure_of(waiter, waker);
    // A method that gives a slot back may leave the waking to a type for those who wait.
    struct tp_source_place caller = tp_source_place_calling_wait(s, right);
    bool is_of_type = is_method_of(s, &wakes, receiver) || is_method_of(s, &caller, receiver);
    bool are_called_by_one = are_beside(s, wake, waiter, waker);
    return ((is_one || are_called_by_one) && is_sent(s, wake)) ||
           ((is_one || is_of_type || are_called_by_one) && tp_stacks_share_program(s, left, right));
}

// PLACES

// Waits at one place, of one pair of stacks.
struct wait {
    struct tp_source_place slot;   // where goroutines wait for a slot
    struct tp_source_place waiter; // the function of the program
    bool is_shown;                 // the stacks show that the waits are for a slot
    bool is_fed;                   // they show that what is received is none
    const struct tp_dist *blocked;
};

struct waits {
    const struct tp_totals *s;
    TP_LIST(struct wait);
};

static bool collect(struct waits *w)
{
    struct tp_wakes wakes = {.s = w->s};
    struct tp_wake wake;
    bool fits = true;
    while (fits && tp_wakes_next(&wakes, &wake)) {
        uint32_t left = wake.pair->left;
        struct wait wait = {.blocked = wake.blocked};
        if (wake.reason == TP_WAKE_SYNC || tp_stack_is_idle(w->s, left, TP_STACK_SYNC))
            continue;
        wait.slot = tp_source_place_of_wait(w->s, left);
        wait.waiter = tp_source_place_of(w->s, left, TP_STACK_SYNC);
        wait.is_shown = tp_wake_is_for_slot(w->s, &wake);
        wait.is_fed = !wait.is_shown && tp_stack_is_inner(w->s, wake.pair->right, "runtime.chansend") &&
                      tp_stack_has_program(w->s, wake.pair->right);
        fits = wait.slot.function == TP_INTERN_NONE || TP_LIST_ADD(w, wait);
    }
    return fits;
}

// Puts the waits of a function at a line together.
static int compare_waits(const void *left, const void *right, void *ctx)
{
    const struct wait *a = left, *b = right;
    return tp_source_place_compare(ctx, &a->slot, &b->slot)
        ?: tp_source_place_compare_functions(ctx, &a->waiter, &b->waiter);
}

// Judges the waits of one function of the program for the slots of one place.
static bool judge_place(struct tp_judging *j, const struct wait *waits, size_t count)
{
    struct tp_found found = tp_found_of(TP_FINDS_POOL);
    struct tp_dist all = {0};
    struct tp_shares lines = {0};
    tp_wide shown_ns = 0, fed_ns = 0;
    bool fits = true;
    for (size_t i = 0; i < count && fits; i++) {
        shown_ns = tp_wide_add(shown_ns, waits[i].is_shown ? waits[i].blocked->total_ns : 0);
        fed_ns = tp_wide_add(fed_ns, waits[i].is_fed ? waits[i].blocked->total_ns : 0);
        fits = tp_dist_merge(&all, waits[i].blocked) &&
               tp_shares_add(&lines, &waits[i].waiter, waits[i].blocked->total_ns);
    }
    bool is_for_slot = shown_ns > 0 && shown_ns >= all.total_ns / 100 * SHOWN_PERCENT &&
                       fed_ns <= all.total_ns / 100 * FED_PERCENT;
    if (fits && is_for_slot) {
        tp_found_set_times(&found, &all);
        found.value_ppm = tp_ppm_of(found.lost, j->row->figures[TP_FILE_DURATION]);
        found.culprit = tp_shares_greatest(&lines, j->s);
        if (tp_source_place_compare_functions(j->s, &waits[0].slot, &found.culprit) != 0)
            found.other = waits[0].slot;
        fits = tp_judging_add(j, &found, tp_lesser(tp_nearness(found.count, LEAST_WAITS),
                                                      tp_nearness_of_idle_ps(j)));
    }
    tp_dist_fini(&all);
    tp_free(lines.items);
    return fits;
}

bool tp_judge_pool(struct tp_judging *j)
{
    struct waits w = {.s = j->s};
    if (!tp_judging_knows_procs(j))
        return true;
    bool fits = collect(&w);
    tp_judging_note(j, TP_FINDS_POOL);
    TP_LIST_SORT_BY(&w, compare_waits, j->s);
    for (uint32_t first = 0, end; fits && first < w.count; first = end) {
        for (end = first + 1;
             end < w.count && compare_waits(&w.items[first], &w.items[end], j->s) == 0;)
            end++;
        fits = judge_place(j, w.items + first, end - first);
    }
    tp_free(w.items);
    return fits;
}
