// The inline rules of usual events (merge/order/usual.h) against the rules of their types: two orders
// are given the same random events, and the one that asks the inline rules first must come to the
// same events, verdicts, states and counts.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "merge/order/step.h"
#include "merge/order/usual.h"
#include "table_build.h"

#define STEPS 200000
#define GENERATION_STEPS 500
#define THREADS 4 // and -1
#define IDS 6     // of goroutines and of Ps; -1 is one of them

// What is put to both orders, and how often the inline rule took it, or left it to the other.
struct pair {
    struct tp_order with;
    struct tp_order without;
    uint32_t with_slots[THREADS + 1];
    uint32_t without_slots[THREADS + 1];
    uint64_t taken[TP_USUALS];
    uint64_t left[TP_USUALS];      // by its rule waited for or refused
    uint64_t left_taken[TP_USUALS]; // by its rule taken
};

static uint64_t g_seed = 20;

static uint64_t below(uint64_t n)
{
    g_seed ^= g_seed << 13;
    g_seed ^= g_seed >> 7;
    g_seed ^= g_seed << 17;
    return (g_seed >> 20) % n;
}

static void begin_generation(struct pair *p, uint64_t number)
{
    struct tp_error err;
    struct tp_tables *t = table_create(26);
    t->generation = number;
    table_add_sync(t, 1, 1);
    assert_int_equal(tp_tables_finish(t, &err), 0);
    assert_int_equal(tp_order_begin(&p->with, t, &err), 0);
    assert_int_equal(tp_order_begin(&p->without, t, &err), 0);
    tp_tables_release(t);
    // The cursors of a generation have not met anybody.
    for (size_t i = 0; i <= THREADS; i++)
        p->with_slots[i] = p->without_slots[i] = TP_MAP_NONE;
}

static uint64_t any_id(void)
{
    return below(20) == 0 ? UINT64_MAX : below(IDS);
}

// Mostly the one that follows.
static uint64_t any_count(const struct tp_order *o, bool of_p, uint64_t id)
{
    uint32_t slot = of_p ? tp_order_p(o, (int64_t)id) : tp_order_g(o, (int64_t)id);
    if (slot == TP_MAP_NONE || below(8) == 0)
        return below(4);
    return 1 + (of_p ? o->ps.items[slot].seq.count : o->gs.items[slot].seq.count);
}

static struct tp_run_event any_event(const struct tp_order *o, int64_t m)
{
    static const struct {
        uint8_t type;
        uint8_t usual;
    } kinds[] = {
        {TP_EV_GoStart, TP_USUAL_GO_START},
        {TP_EV_GoStart, TP_USUAL_GO_START},
        {TP_EV_GoStop, TP_USUAL_GO_STOP},
        {TP_EV_GoBlock, TP_USUAL_GO_BLOCK},
        {TP_EV_GoUnblock, TP_USUAL_GO_UNBLOCK},
        {TP_EV_GoUnblock, TP_USUAL_GO_UNBLOCK},
        {TP_EV_GoSyscallBegin, TP_USUAL_SYSCALL_BEGIN},
        {TP_EV_GoSyscallEnd, TP_USUAL_SYSCALL_END},
        {TP_EV_HeapAlloc, TP_USUAL_HEAP_ALLOC},
        {TP_EV_ProcStart, 0},
        {TP_EV_ProcStart, 0},
        {TP_EV_ProcStop, 0},
        {TP_EV_ProcSteal, 0},
        {TP_EV_GoSyscallEndBlocked, 0},
        {TP_EV_GoCreate, 0},
        {TP_EV_GoDestroy, 0},
        {TP_EV_GoSwitch, 0},
        {TP_EV_GoStatus, 0},
        {TP_EV_ProcStatus, 0},
        {TP_EV_GoDestroySyscall, 0},
    };
    size_t k = below(TP_ARRAY_LEN(kinds));
    uint64_t id = any_id();
    struct tp_run_event e = {.time_ns = (int64_t)below(1000), .args = {id},
                             .type = kinds[k].type, .usual = kinds[k].usual};
    uint32_t slot = tp_order_m(o, m);
    switch (e.type) {
    case TP_EV_GoStart:
    case TP_EV_GoUnblock:
    case TP_EV_GoSwitch: tp_arg(&e, Named, seq) = any_count(o, false, id); break;
    case TP_EV_ProcStart: tp_arg(&e, ProcStart, p_seq) = any_count(o, true, id); break;
    case TP_EV_ProcSteal:
        tp_arg(&e, ProcSteal, p_seq) = any_count(o, true, id);
        tp_arg(&e, ProcSteal, m) = below(THREADS);
        break;
    case TP_EV_GoSyscallBegin:
        id = slot != TP_MAP_NONE ? (uint64_t)o->ms.items[slot].at.p : 0;
        tp_arg(&e, GoSyscallBegin, p_seq) = any_count(o, true, id);
        break;
    case TP_EV_GoStatus:
        tp_arg(&e, GoStatus, m) = (uint64_t)m;
        tp_arg(&e, GoStatus, gstatus) = 1 + below(4);
        break;
    case TP_EV_ProcStatus: tp_arg(&e, ProcStatus, pstatus) = 1 + below(3); break;
    default: e.args[0] = e.usual != 0 ? below(100) : id; break;
    }
    return e;
}

static bool is_same_seq(const struct tp_seq *a, const struct tp_seq *b)
{
    return a->generation == b->generation && a->count == b->count;
}

static void assert_same_states(const struct tp_order *a, const struct tp_order *b)
{
    assert_int_equal(a->gs.count, b->gs.count);
    assert_int_equal(a->ps.count, b->ps.count);
    assert_int_equal(a->ms.count, b->ms.count);
    for (uint32_t i = 1; i <= a->gs.count; i++) {
        const struct tp_g_state *g = &a->gs.items[i], *h = &b->gs.items[i];
        assert_true(g->id == h->id && g->status == h->status && g->is_live == h->is_live &&
                    is_same_seq(&g->seq, &h->seq));
    }
    for (uint32_t i = 1; i <= a->ps.count; i++) {
        const struct tp_p_state *p = &a->ps.items[i], *q = &b->ps.items[i];
        assert_true(p->id == q->id && p->status == q->status && is_same_seq(&p->seq, &q->seq));
    }
    for (uint32_t i = 1; i <= a->ms.count; i++) {
        assert_int_equal(a->ms.items[i].id, b->ms.items[i].id);
        assert_memory_equal(&a->ms.items[i].at, &b->ms.items[i].at, sizeof a->ms.items[i].at);
    }
    assert_memory_equal(a->hits, b->hits, sizeof a->hits);
}

static void assert_same_event(const struct tp_event *a, const struct tp_event *b)
{
    assert_true(a->time_ns == b->time_ns && a->m == b->m && a->p == b->p && a->g == b->g &&
                a->type == b->type && memcmp(a->args, b->args, sizeof a->args) == 0);
}

static enum tp_verdict step_with(struct pair *p, const struct tp_run_event *e, int64_t m,
                                 struct tp_event *out, bool *ret_is_usual, struct tp_error *err)
{
    uint32_t *slot = &p->with_slots[m + 1];
    *ret_is_usual = false;
    if (*slot != TP_MAP_NONE && m != -1) {
        struct tp_binding *at = &p->with.ms.items[*slot].at;
        set_event(out, e, m, at);
        *ret_is_usual = tp_order_usual_step(&p->with, e, at);
    }
    return *ret_is_usual ? TP_ORDER_TAKE : tp_order_step(&p->with, e, m, slot, out, err);
}

static void step(struct pair *p)
{
    struct tp_event with[TP_ORDER_STEP_EVENTS], without[TP_ORDER_STEP_EVENTS];
    struct tp_error with_err = {0}, without_err = {0};
    int64_t m = (int64_t)below(THREADS + 1) - 1;
    struct tp_run_event e = any_event(&p->with, m);
    bool is_usual;
    enum tp_verdict verdict = step_with(p, &e, m, with, &is_usual, &with_err);
    enum tp_verdict want = tp_order_step(&p->without, &e, m, &p->without_slots[m + 1], without,
                                         &without_err);
    assert_int_equal(verdict, want);
    assert_string_equal(with_err.text, without_err.text);
    assert_same_states(&p->with, &p->without);
    if (is_usual) {
        assert_int_equal(p->without.made_count, 1);
        assert_same_event(&with[0], &without[0]);
        p->taken[e.usual]++;
    } else if (want == TP_ORDER_TAKE) {
        p->left_taken[e.usual]++;
    } else {
        p->left[e.usual]++;
    }
}

static void test_usual_rules_are_those_of_the_types(void **state)
{
    struct pair p = {0};
    (void)state;
    for (uint64_t i = 0; i < STEPS; i++) {
        // A trace of its own from time to time: what is refused may have spoiled the states.
        if (i % (4 * GENERATION_STEPS) == 0) {
            tp_order_fini(&p.with);
            tp_order_fini(&p.without);
            tp_order_init(&p.with, TP_MIB(1));
            tp_order_init(&p.without, TP_MIB(1));
        }
        if (i % GENERATION_STEPS == 0)
            begin_generation(&p, 1 + i / GENERATION_STEPS);
        step(&p);
    }
    for (size_t usual = TP_USUAL_NONE + 1; usual < TP_USUALS; usual++) {
        assert_true(p.taken[usual] > 50);
        assert_true(p.left[usual] > 50);
    }
    assert_int_equal(p.taken[TP_USUAL_NONE], 0);
    // Threads that nobody has met, and -1, unblock goroutines.
    assert_true(p.left_taken[TP_USUAL_GO_UNBLOCK] > 50);
    tp_order_fini(&p.with);
    tp_order_fini(&p.without);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_usual_rules_are_those_of_the_types),
    };
    return cmocka_run_group_tests_name("order_usual", tests, NULL, NULL);
}
