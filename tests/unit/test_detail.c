// What the totals know of findings besides their figures: a stack of the culprit, and who waited.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "finding_lab.h"
#include "stats/findings/detail.h"

#define SECOND (1000 * FINDING_MS)
#define LOCKS(s, ...) FINDING_STACK(s, "sync.(*Mutex).Lock", __VA_ARGS__)
#define UNLOCKS(s, ...) FINDING_STACK(s, "sync.(*Mutex).Unlock", __VA_ARGS__)

struct made {
    struct tp_fleet fleet;
    struct tp_details details;
};

static struct made make(const struct tp_totals *s)
{
    struct made m;
    struct tp_error err;
    assert_int_equal(tp_fleet_make(s, &m.fleet, &err), 0);
    assert_int_equal(tp_details_make(s, &m.fleet, &m.details, &err), 0);
    assert_int_equal(m.details.count, m.fleet.count);
    return m;
}

static void made_fini(struct made *m)
{
    tp_details_fini(&m->details);
    tp_fleet_fini(&m->fleet);
}

static const struct tp_detail *detail_of(const struct made *m, enum tp_finding_kind kind)
{
    for (uint32_t i = 0; i < m->fleet.count; i++) {
        if (m->fleet.items[i].kind == kind)
            return &m->details.items[i];
    }
    fail_msg("no finding of kind %u", (unsigned)kind);
    return NULL;
}

static void count_stack(struct tp_totals *s, uint32_t stack, unsigned type, uint64_t ns)
{
    assert_true(tp_stack_counts_add(&s->by_stack, stack, type, 1, ns));
}

static void test_a_lock(void **state)
{
    (void)state;
    struct tp_totals s = finding_input(SECOND, 4, 0);
    uint32_t get = LOCKS(&s, "main.get", "main.a"), set = LOCKS(&s, "main.set", "main.b");
    uint32_t worst = UNLOCKS(&s, "main.refresh", "main.loop");
    finding_wake(&s, get, UNLOCKS(&s, "main.refresh", "main.main"), "sync", 20, 10 * FINDING_MS,
                 FINDING_MS);
    finding_wake(&s, set, worst, "sync", 5, 10 * FINDING_MS, 9 * FINDING_MS);
    finding_wake(&s, LOCKS(&s, "main.set", "main.c"), worst, "sync", 1, FINDING_MS, 1);
    // For the same lock, but not ended by the holder; for another lock; for none.
    finding_wake(&s, get, UNLOCKS(&s, "main.get", "main.a"), "sync", 9, FINDING_MS, 0);
    finding_wake(&s, LOCKS(&s, "main.else", "main.a"), UNLOCKS(&s, "main.else", "main.a"), "sync", 9, FINDING_MS, 0);
    finding_wake(&s, set, worst, "select", 9, SECOND, 0);
    finding_judge(&s);
    struct made m = make(&s);
    const struct tp_detail *d = detail_of(&m, TP_FINDS_LOCK);
    assert_int_equal(d->stack, worst);
    assert_int_equal(d->stack_type, TP_DETAIL_WAKER);
    assert_int_equal(d->waiters.count, 2);
    finding_expect_place(&s, &d->waiters.items[0].place, "main.get", 2);
    assert_int_equal(d->waiters.items[0].waits.count, 29);
    finding_expect_place(&s, &d->waiters.items[1].place, "main.set", 2);
    assert_true(d->waiters.items[1].waits.total_ns == 51 * FINDING_MS);
    made_fini(&m);
    tp_totals_fini(&s);
}

// A lock that is held shortly: the holder is named by what it is blamed for, and of those that wait the one that the
// first screen names comes first, although the holder did not end its waits.
static void test_the_first_waiter_is_the_victim(void **state)
{
    (void)state;
    struct tp_totals s = finding_input(SECOND, 4, 0);
    uint32_t read = LOCKS(&s, "main.get", "main.a"), write = LOCKS(&s, "main.update", "main.b");
    finding_wake(&s, write, UNLOCKS(&s, "main.list", "main.c"), "sync", 5, 10 * FINDING_MS, 10 * FINDING_MS);
    finding_wake(&s, read, UNLOCKS(&s, "main.update", "main.b"), "sync", 90, 10 * FINDING_MS, 0);
    finding_judge(&s);
    struct made m = make(&s);
    const struct tp_detail *d = detail_of(&m, TP_FINDS_LOCK);
    finding_expect_place(&s, &m.fleet.items[0].culprit, "main.list", 2);
    finding_expect_place(&s, &m.fleet.items[0].victims[0].place, "main.get", 2);
    assert_int_equal(d->waiters.count, 2);
    finding_expect_place(&s, &d->waiters.items[0].place, "main.get", 2);
    finding_expect_place(&s, &d->waiters.items[1].place, "main.update", 2);
    made_fini(&m);
    tp_totals_fini(&s);
}

static void test_a_channel(void **state)
{
    (void)state;
    struct tp_totals s = finding_input(SECOND, 4, 0);
    uint32_t sends = FINDING_STACK(&s, "runtime.chansend1", "main.feed");
    uint32_t receives = FINDING_STACK(&s, "runtime.chanrecv1", "main.slow");
    finding_wake(&s, sends, receives, "chan send", 30, 100 * FINDING_MS, FINDING_MS);
    // The receiver of its results waits for longer, but nobody is to blame for that.
    finding_wake(&s, FINDING_STACK(&s, "runtime.chanrecv1", "main.idle"),
                 FINDING_STACK(&s, "runtime.chansend1", "main.slow"), "chan receive", 30, SECOND, 0);
    finding_judge(&s);
    struct made m = make(&s);
    const struct tp_detail *d = detail_of(&m, TP_FINDS_CHANNEL);
    assert_int_equal(d->stack, receives);
    assert_int_equal(d->waiters.count, 1);
    finding_expect_place(&s, &d->waiters.items[0].place, "main.feed", 2);
    made_fini(&m);
    tp_totals_fini(&s);
}

// The stack of a system call is one of which the culprit is the place; only if there is none, one
// that has it elsewhere. Of equal ones the longest.
static void test_a_stack_of_the_kind(void **state)
{
    (void)state;
    struct tp_totals s = finding_input(SECOND, 4, 0);
    uint32_t calls = FINDING_STACK(&s, "syscall.read", "main.load", "main.a");
    uint32_t longer = FINDING_STACK(&s, "syscall.read", "main.load", "main.b");
    s.files.count = 0;
    finding_time(&s, TP_SPACE_GOROUTINE, "main.a", TP_MEASURE_SYSCALL, SECOND);
    count_stack(&s, calls, TP_STACK_SYSCALL, 300 * FINDING_MS);
    count_stack(&s, longer, TP_STACK_SYSCALL, 700 * FINDING_MS);
    count_stack(&s, calls, TP_STACK_SCHED, 5 * SECOND);
    finding_judge(&s);
    struct made m = make(&s);
    const struct tp_detail *d = detail_of(&m, TP_FINDS_SYSCALL);
    assert_int_equal(d->stack, longer);
    assert_int_equal(d->stack_type, TP_STACK_SYSCALL);
    assert_int_equal(d->waiters.count, 0);
    made_fini(&m);
    s.by_stack.count = 0;
    tp_stack_counts_fini(&s.by_stack);
    count_stack(&s, calls, TP_STACK_SCHED, 1);
    m = make(&s);
    d = detail_of(&m, TP_FINDS_SYSCALL);
    assert_int_equal(d->stack, calls);
    assert_int_equal(d->stack_type, TP_STACK_SCHED);
    made_fini(&m);
    tp_stack_counts_fini(&s.by_stack);
    m = make(&s);
    assert_int_equal(detail_of(&m, TP_FINDS_SYSCALL)->stack, TP_INTERN_NONE);
    made_fini(&m);
    tp_totals_fini(&s);
}

// A culprit that is not known is not confused with a wait that nobody ended.
static void test_no_culprit(void **state)
{
    (void)state;
    struct tp_totals s = finding_input(SECOND, 1, 4);
    finding_time(&s, TP_SPACE_GOROUTINE, "main.a", TP_MEASURE_SCHED, 4 * SECOND);
    finding_evidence(&s, TP_EVIDENCE_LATE, finding_stack(&s, (const char *const[]){NULL}), 1, SECOND);
    uint32_t sleep = tp_intern_put(&s.reasons, tp_span_of_text("sleep"));
    finding_time(&s, TP_SPACE_GOROUTINE, "main.a", TP_MEASURE_FIRST_BLOCK + sleep, 1);
    finding_wake(&s, LOCKS(&s, "main.get"), TP_INTERN_NONE, "sync", 1, FINDING_MS, 0);
    finding_judge(&s);
    struct made m = make(&s);
    const struct tp_detail *d = detail_of(&m, TP_FINDS_FEW_PS);
    assert_true(d->stack == TP_INTERN_NONE && d->waiters.count == 0);
    made_fini(&m);
    tp_totals_fini(&s);
}

// Each failing allocation is reported, and leaves nothing behind.
static void test_out_of_memory(void **state)
{
    (void)state;
    struct tp_totals s = finding_input(SECOND, 4, 0);
    uint64_t nth = 1;
    bool fired = true;
    finding_wake(&s, LOCKS(&s, "main.get"), UNLOCKS(&s, "main.put"), "sync", 20, 10 * FINDING_MS, 5);
    finding_wake(&s, LOCKS(&s, "main.set"), UNLOCKS(&s, "main.put"), "sync", 20, 10 * FINDING_MS, 5);
    count_stack(&s, UNLOCKS(&s, "main.put"), TP_STACK_SCHED, SECOND);
    finding_judge(&s);
    struct tp_fleet fleet;
    struct tp_error err;
    assert_int_equal(tp_fleet_make(&s, &fleet, &err), 0);
    assert_true(fleet.count > 0);
    for (; fired; nth++) {
        struct tp_details details;
        tp_alloc_fail_at(nth, false);
        int rc = tp_details_make(&s, &fleet, &details, &err);
        fired = tp_alloc_fail_left() == 0;
        tp_alloc_fail_at(0, false);
        assert_int_equal(rc, fired ? TP_E_MEMORY : 0);
        assert_int_equal(details.count, fired ? 0 : fleet.count);
        tp_details_fini(&details);
    }
    assert_true(nth > 5);
    tp_fleet_fini(&fleet);
    tp_totals_fini(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_lock),
        cmocka_unit_test(test_the_first_waiter_is_the_victim),
        cmocka_unit_test(test_a_channel),
        cmocka_unit_test(test_a_stack_of_the_kind),
        cmocka_unit_test(test_no_culprit),
        cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
