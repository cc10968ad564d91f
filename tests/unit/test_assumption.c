// What a speculator takes for granted, the check, and the end state that is taken over.
//
// A case has four scripts of steps (order_walk.h), divided by semicolons. The order
// proper takes those of `before`, begins the next generation and takes those of `first`;
// there is the cut. The speculator takes `first` and `behind` only; its threads begin as
// `seeds` says ("thread P goroutine"). If the assumptions hold, the order proper must come to
// the same state by adopting the speculator's end as by taking `behind` itself; if they do
// not, its state must be as if nothing had been asked.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "merge/order/assumption.h"
#include "merge/order/doubt.h"
#include "merge/order/names.h"
#include "order_walk.h"

#define SCRIPT_BYTES 1024
#define STATE_BYTES 8192
#define GUESSES_MAX 64

enum outcome {
    RIGHT,
    WRONG,    // the check fails
    GIVES_UP, // the speculator meets what it cannot tell
};

static const struct guess_case {
    const char *before;
    const char *seeds;
    const char *first;
    const char *behind;
    enum outcome want;
} cases[] = {
#include "guess_cases.inc"
};

// WALKS

// False: a step is not taken.
static bool take_all(struct walk *w, const char *script)
{
    char steps[SCRIPT_BYTES], *rest = NULL;
    snprintf(steps, sizeof steps, "%s", script);
    for (char *text = strtok_r(steps, ";", &rest); text != NULL;
         text = strtok_r(NULL, ";", &rest)) {
        if (walk_step(w, text + strspn(text, " ")) != TP_ORDER_TAKE)
            return false;
    }
    return true;
}

static struct walk g_proper, g_speculator, g_whole;
// The mistakes that each has counted, and those from before the case.
static struct tp_doubts g_proper_doubts, g_speculator_doubts, g_whole_doubts;
static uint64_t g_doubts_before;

static void walk_properly(struct walk *w, const struct guess_case *c)
{
    struct tp_doubts *doubts = w == &g_whole ? &g_whole_doubts : &g_proper_doubts;
    *doubts = (struct tp_doubts){.count = g_doubts_before};
    walk_begin(w, TP_MIB(1));
    w->order.doubts = doubts;
    if (!take_all(w, c->before))
        fail_msg("%s: %s", c->before, w->err.text);
    assert_int_equal(walk_next_generation(w), 0);
    if (!take_all(w, c->first))
        fail_msg("%s; next; %s: %s", c->before, c->first, w->err.text);
}

static void seed(struct walk *w, const char *seeds)
{
    char list[SCRIPT_BYTES], *rest = NULL;
    snprintf(list, sizeof list, "%s", seeds);
    for (char *text = strtok_r(list, ";", &rest); text != NULL; text = strtok_r(NULL, ";", &rest)) {
        long long m, p, g;
        uint32_t slot;
        assert_int_equal(sscanf(text, "%lld %lld %lld", &m, &p, &g), 3);
        assert_true(tp_order_add_m(&w->order, m, &slot, &w->err));
        w->order.ms.items[slot].at.p = p;
        w->order.ms.items[slot].at.g = g;
    }
}

// A speculator of the generation that the order proper is in, at the cut.
static void begin_speculator(struct walk *w, struct tp_assumptions *assumptions,
                             const struct walk *proper, const struct guess_case *c)
{
    walk_begin(w, TP_MIB(1));
    w->order.doubts = &g_speculator_doubts;
    tp_tables_release(w->order.tables);
    w->order.tables = NULL;
    assert_int_equal(tp_order_begin(&w->order, proper->order.tables, &w->err), 0);
    *assumptions = (struct tp_assumptions){.room_bytes = GUESSES_MAX * sizeof *assumptions->items};
    w->order.assumptions = assumptions;
    w->order.first_generation = UINT64_MAX;
    seed(w, c->seeds);
    if (!take_all(w, c->first))
        fail_msg("assuming %s: %s", c->first, w->err.text);
    g_speculator_doubts = (struct tp_doubts){0};
    assumptions->is_kept = true;
}

// STATES IN WORDS

static char *say(char *to, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    int n = vsprintf(to, fmt, args);
    va_end(args);
    return to + n;
}

static char *say_ranges(char *to, const struct tp_order *o, uint32_t first)
{
    for (uint32_t at = first; at != 0; at = o->ranges.items[at].next)
        to = say(to, " {%u %llu}", o->ranges.items[at].key.type,
                 (unsigned long long)o->ranges.items[at].key.detail);
    return to;
}

static char *say_name(char *to, const struct tp_order *o, tp_name_ref name)
{
    struct tp_span bytes = tp_order_name(o, name);
    return say(to, " %.*s", (int)bytes.len_bytes, (const char *)bytes.ptr);
}

// By id: in which slot a state lies does not matter.
static void say_state(char *to, const struct tp_order *o)
{
    for (int64_t id = -1; id < 100; id++) {
        uint32_t g = tp_order_g(o, id), p = tp_order_p(o, id), m = tp_order_m(o, id);
        uint32_t task = tp_map_get(&o->tasks.by_id, (uint64_t)id);
        if (g != TP_MAP_NONE) {
            const struct tp_g_state *s = &o->gs.items[g];
            to = say(to, "G%lld %u %llu.%llu", (long long)id, s->status,
                     (unsigned long long)s->seq.generation, (unsigned long long)s->seq.count);
            to = say_ranges(to, o, s->range);
            for (uint32_t at = s->region; at != 0; at = o->regions.items[at].nest.next) {
                to = say(to, " %llu", (unsigned long long)tp_order_region_key(o, at).task);
                to = say_name(to, o, tp_order_region_key(o, at).name);
            }
            to = say(to, "\n");
        }
        if (p != TP_MAP_NONE) {
            const struct tp_p_state *s = &o->ps.items[p];
            to = say(to, "P%lld %u %llu.%llu", (long long)id, s->status,
                     (unsigned long long)s->seq.generation, (unsigned long long)s->seq.count);
            to = say(say_ranges(to, o, s->range), "\n");
        }
        const struct tp_binding *at = m != TP_MAP_NONE ? &o->ms.items[m].at : NULL;
        // A thread that has nothing may as well be unknown.
        if (at != NULL && (at->p != -1 || at->g != -1))
            to = say(to, "M%lld P%lld G%lld\n", (long long)id, (long long)at->p, (long long)at->g);
        if (task != TP_MAP_NONE) {
            to = say(to, "task %lld %llu", (long long)id,
                     (unsigned long long)o->tasks.items[task].parent);
            to = say(say_name(to, o, o->tasks.items[task].name), "\n");
        }
    }
    to = say(to, "GC %d %llu of %llu, first %llu\n", (int)o->gc_state,
             (unsigned long long)o->gc_seq, (unsigned long long)o->generation,
             (unsigned long long)o->first_generation);
    for (size_t i = 0; i < TP_RULES; i++) {
        if (o->hits[i] > 0)
            to = say(to, "%s %llu\n", tp_rule_names[i], (unsigned long long)o->hits[i]);
    }
}

static void assert_same_state(const struct guess_case *c, const struct tp_order *got,
                              const struct tp_order *want)
{
    static char a[STATE_BYTES], b[STATE_BYTES];
    say_state(a, got);
    say_state(b, want);
    if (strcmp(a, b) != 0)
        fail_msg("%s; next; %s | %s\nis\n%s\nnot\n%s", c->before, c->first, c->behind, a, b);
}

// CASES

// What the order proper comes to without a speculator; `behind` may fail there.
static void check_adopted(const struct guess_case *c)
{
    walk_properly(&g_whole, c);
    if (!take_all(&g_whole, c->behind))
        fail_msg("%s; next; %s | %s: %s", c->before, c->first, c->behind, g_whole.err.text);
    assert_same_state(c, &g_proper.order, &g_whole.order);
    tp_doubts_join(&g_proper_doubts, &g_speculator_doubts);
    assert_memory_equal(g_proper_doubts.by_kind, g_whole_doubts.by_kind,
                        sizeof g_whole_doubts.by_kind);
    // The states are good for a further generation, too.
    assert_int_equal(walk_next_generation(&g_whole), 0);
    assert_int_equal(walk_next_generation(&g_proper), 0);
    assert_same_state(c, &g_proper.order, &g_whole.order);
    walk_end(&g_whole);
}

static void run_case(const struct guess_case *c)
{
    struct tp_assumptions assumptions;
    struct tp_order cut;
    struct tp_error err;
    walk_properly(&g_proper, c);
    begin_speculator(&g_speculator, &assumptions, &g_proper, c);
    assert_int_equal(tp_order_copy(&g_speculator.order, &cut, &err), 0);
    bool goes_on = take_all(&g_speculator, c->behind);
    if (goes_on != (c->want != GIVES_UP))
        fail_msg("%s | %s: %s", c->first, c->behind, goes_on ? "goes on" : g_speculator.err.text);
    bool is_right = goes_on && tp_assumptions_hold(&g_proper.order, &cut, &g_speculator.order);
    if (goes_on && is_right != (c->want == RIGHT))
        fail_msg("%s; next; %s | %s: %s", c->before, c->first, c->behind,
                 is_right ? "holds" : "does not hold");
    if (is_right) {
        assert_int_equal(tp_assumptions_adopt(&g_proper.order, &cut, &g_speculator.order, &err), 0);
        check_adopted(c);
    } else {
        walk_properly(&g_whole, c);
        assert_same_state(c, &g_proper.order, &g_whole.order);
        walk_end(&g_whole);
    }
    walk_end(&g_proper);
    walk_end(&g_speculator);
    tp_order_fini(&cut);
    tp_free(assumptions.items);
}

static void test_every_case(void **state)
{
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(cases); i++)
        run_case(&cases[i]);
}

static void test_hidden_mistakes_count_once_details_are_full(void **state)
{
    (void)state;
    struct guess_case c = {
        .before = RUNS "; 1 UserRegionBegin 3 11 0; 1 UserRegionBegin 4 12 0", .seeds = HAS,
        .first = RUNS, .behind = "1 UserRegionBegin 5 23 0; 1 GoDestroy", .want = WRONG};
    g_doubts_before = TP_DOUBTS_KEPT - 1;
    run_case(&c);
    g_doubts_before = TP_DOUBTS_KEPT;
    c.want = RIGHT;
    run_case(&c);
    assert_int_equal(g_proper_doubts.by_kind[TP_DOUBT_REGION_NOT_ENDED], 3);
    g_doubts_before = 0;
}

static void test_guesses_are_bounded(void **state)
{
    (void)state;
    static const struct guess_case c = {.before = RUNS, .seeds = "1 0 5", .first = RUNS,
                                        .behind = ""};
    struct tp_assumptions assumptions;
    walk_properly(&g_proper, &c);
    begin_speculator(&g_speculator, &assumptions, &g_proper, &c);
    enum tp_verdict verdict = TP_ORDER_TAKE;
    size_t taken = 0;
    while (verdict == TP_ORDER_TAKE && taken <= GUESSES_MAX) {
        char text[40];
        snprintf(text, sizeof text, "1 GoCreate %zu 0 0", 10 + taken);
        verdict = walk_step(&g_speculator, text);
        taken += verdict == TP_ORDER_TAKE;
    }
    assert_int_equal(taken, GUESSES_MAX);
    assert_int_equal(g_speculator.err.code, TP_E_TOO_LARGE);
    walk_end(&g_proper);
    walk_end(&g_speculator);
    tp_free(assumptions.items);
}

static uint64_t live_bytes; // before each test

static int set_up(void **state)
{
    (void)state;
    live_bytes = tp_alloc_live_bytes();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    assert_int_equal(tp_alloc_live_bytes(), live_bytes);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_every_case, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_hidden_mistakes_count_once_details_are_full, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_guesses_are_bounded, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
