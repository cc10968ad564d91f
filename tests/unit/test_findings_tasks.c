// Goroutine leaks, and slow tails of tasks.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "finding_lab.h"
#include "stats/evidence.h"

#define SECOND (1000 * FINDING_MS)

static void evidence(struct tp_totals *s, uint32_t left, uint32_t right, unsigned measure,
                     uint64_t count, uint64_t ns)
{
    uint32_t pair = tp_totals_put_pair(s, left, right);
    assert_true(pair != TP_INTERN_NONE);
    assert_true(
        tp_totals_record_pair_sum(s, TP_SPACE_EVIDENCE, pair, measure, count, ns));
}

// LEAKS

// Goroutines that main.wait blocks, made by main.make.
static void leave(struct tp_totals *s, const char *start, uint64_t early, uint64_t late)
{
    uint32_t made = FINDING_STACK(s, "main.make", "main.main");
    uint32_t wait = FINDING_STACK(s, "runtime.chanrecv1", "main.wait", start);
    evidence(s, made, wait, TP_EVIDENCE_LEFT_EARLY, early, 0);
    evidence(s, made, wait, TP_EVIDENCE_LEFT_LATE, late, 0);
}

static void expect_leak(uint64_t duration_ns, uint64_t early, uint64_t late, uint64_t want_value)
{
    struct tp_totals s = finding_input(duration_ns, 4, 0);
    leave(&s, "main.start", early, late);
    const struct tp_file_row *row = finding_judge(&s);
    assert_true(row->values[TP_FINDS_LEAK] == want_value);
    assert_true((finding_of(&s, TP_FINDS_LEAK) != NULL) ==
                (want_value != TP_VALUE_NONE && want_value >= 8000000));
    tp_totals_fini(&s);
}

static void test_a_leak_at_the_threshold(void **state)
{
    (void)state;
    expect_leak(2 * SECOND, 8, 30, 8000000);
    expect_leak(2 * SECOND + 1, 8, 8, 7999999);
    expect_leak(2 * SECOND, 30, 7, 7000000);
    expect_leak(SECOND, 5, 5, 10000000);
    expect_leak(SECOND, 4, 9, 6400000); // four of five
    expect_leak(SECOND / 2, 5, 5, 20000000);
    expect_leak(SECOND / 2 - 1, 5, 5, TP_VALUE_NONE);
}

static void test_who_leaks(void **state)
{
    (void)state;
    struct tp_totals s = finding_input(SECOND, 4, 0);
    leave(&s, "main.start", 10, 10);
    uint32_t made = FINDING_STACK(&s, "main.other", "main.main");
    uint32_t wait = FINDING_STACK(&s, "runtime.selectgo", "main.more", "main.start");
    evidence(&s, made, wait, TP_EVIDENCE_LEFT_LATE, 21, 0);
    // The runtime's own, and connections without work.
    leave(&s, "runtime.bgsweep", 50, 50);
    leave(&s, "net/http.(*persistConn).writeLoop", 50, 50);
    finding_judge(&s);
    const struct tp_found *found = finding_of(&s, TP_FINDS_LEAK);
    assert_non_null(found);
    assert_true(found->value_ppm == 20000000 && found->count == 41 && found->lost == 41);
    finding_expect_place(&s, &found->culprit, "main.more", 2);
    finding_expect_place(&s, &found->other, "main.other", 1);
    finding_expect_place(&s, &found->victim, "-", 0);
    tp_totals_fini(&s);
}

// Those that ended lived shorter than a quarter of the trace, or the others may live on as well.
static void test_how_long_those_lived_that_ended(void **state)
{
    (void)state;
    for (uint64_t more = 0; more < 2; more++) {
        struct tp_totals s = finding_input((uint64_t)4 << 28, 4, 0);
        leave(&s, "main.start", 10, 10);
        for (unsigned i = 0; i < 98; i++)
            finding_time(&s, TP_SPACE_GOROUTINE, "main.start", TP_MEASURE_LIFE, 1);
        // Two in a hundred lived longest: in the middle of their bucket of 2^21 ns.
        for (unsigned i = 0; i < 2; i++)
            finding_time(&s, TP_SPACE_GOROUTINE, "main.start", TP_MEASURE_LIFE,
                         ((uint64_t)1 << 28) - 1 + (more << 22));
        finding_judge(&s);
        assert_int_equal(s.found.count, 1 - more);
        tp_totals_fini(&s);
    }
}

// Goroutines that others wake again and again work; what a timer wakes may leak.
static void test_who_is_woken_is_at_work(void **state)
{
    (void)state;
    for (unsigned more = 0; more < 2; more++) {
        for (unsigned is_timer = 0; is_timer < 2; is_timer++) {
            struct tp_totals s = finding_input(SECOND, 4, 0);
            uint32_t wait = FINDING_STACK(&s, "runtime.chanrecv1", "main.wait", "main.start");
            uint32_t wake = is_timer != 0 ? finding_stack(&s, (const char *const[]){NULL})
                                          : FINDING_STACK(&s, "main.feed");
            leave(&s, "main.start", 10, 10);
            // Four for each of the 20 that are left, and one for one that ended.
            finding_time(&s, TP_SPACE_GOROUTINE, "main.start", TP_MEASURE_LIFE, 1);
            finding_wake(&s, wait, wake, "chan receive", 81 + more, 1000, 0);
            finding_judge(&s);
            assert_true((finding_of(&s, TP_FINDS_LEAK) != NULL) == (more == 0 || is_timer != 0));
            tp_totals_fini(&s);
        }
    }
}

// Connections of a client: one that waits for the next response is idle, one whose body is neither
// read nor closed is not.
static void test_forgotten_bodies(void **state)
{
    (void)state;
    for (unsigned is_forgotten = 0; is_forgotten < 2; is_forgotten++) {
        struct tp_totals s = finding_input(SECOND, 4, 0);
        uint32_t made = FINDING_STACK(&s, "net/http.(*Transport).dialConn");
        uint32_t wait = is_forgotten != 0
                            ? FINDING_STACK(&s, "runtime.selectgo", "net/http.(*persistConn).readLoop")
                            : FINDING_STACK(&s, "net.(*conn).Read", "bufio.(*Reader).Peek",
                                            "net/http.(*persistConn).readLoop");
        evidence(&s, made, wait, TP_EVIDENCE_LEFT_EARLY, 10, 0);
        evidence(&s, made, wait, TP_EVIDENCE_LEFT_LATE, 10, 0);
        finding_judge(&s);
        assert_true((finding_of(&s, TP_FINDS_LEAK) != NULL) == (is_forgotten != 0));
        tp_totals_fini(&s);
    }
}

// TASKS

static void add_tasks(struct tp_totals *s, const char *type, unsigned count, uint64_t ns)
{
    for (unsigned i = 0; i < count; i++)
        finding_time(s, TP_SPACE_TASK, type, 0, ns);
}

// Durations and octaves of tasks and causes are in units of UNIT nanoseconds, a power of two.
#define UNIT_SHIFT 14
#define UNIT (UINT64_C(1) << UNIT_SHIFT)

#define CAUSE(s, type, octave, count, units, ...)                                           \
    evidence((s), FINDING_STACK((s), __VA_ARGS__), FINDING_STACK((s), type),                \
             TP_EVIDENCE_SLOW + (octave) + UNIT_SHIFT, (count), (units) * UNIT)

// A type of tasks of which most take 25 units and the others `slow_units`; these lose 100 units each
// if they take 125. `is_found`: their value is that of a finding.
static void expect_slow(unsigned fast, unsigned slow, uint64_t slow_units, uint64_t cause_units,
                        bool has_value, bool is_found)
{
    struct tp_totals s = finding_input(SECOND, 4, 0);
    add_tasks(&s, "buy", fast, 25 * UNIT);
    add_tasks(&s, "buy", slow, slow_units * UNIT);
    CAUSE(&s, "buy", 6, slow, cause_units, "time.Sleep", "main.pay", "main.buy");
    const struct tp_file_row *row = finding_judge(&s);
    uint64_t value = row->values[TP_FINDS_SLOW_TASK];
    assert_true((value > 0) == has_value);
    if (has_value)
        assert_true(value > slow_units * 39600 && value < slow_units * 40400);
    assert_true((finding_of(&s, TP_FINDS_SLOW_TASK) != NULL) == is_found);
    tp_totals_fini(&s);
}

static void test_slow_tasks_at_the_threshold(void **state)
{
    (void)state;
    expect_slow(95, 5, 126, 505, true, true);
    expect_slow(95, 5, 124, 500, true, false);
    // At least 50 tasks, of which 5 are slow, and one cause of half of what they lost.
    expect_slow(45, 5, 126, 505, true, true);
    expect_slow(44, 5, 126, 505, false, false);
    expect_slow(96, 4, 126, 404, false, false);
    expect_slow(95, 5, 126, 254, true, true);
    expect_slow(95, 5, 126, 251, false, false);
    expect_slow(100, 0, 126, 300, false, false);
}

// Judges tasks of 25 units and slow ones of 126, with one cause, and one that takes very long.
static bool is_slow_tail(unsigned fast, unsigned slow, uint64_t long_units)
{
    struct tp_totals s = finding_input(SECOND, 4, 0);
    add_tasks(&s, "buy", fast, 25 * UNIT);
    add_tasks(&s, "buy", slow, 126 * UNIT);
    add_tasks(&s, "buy", 1, long_units * UNIT);
    CAUSE(&s, "buy", 6, slow, slow * 101, "time.Sleep", "main.pay", "main.buy");
    finding_judge(&s);
    bool is = finding_of(&s, TP_FINDS_SLOW_TASK) != NULL;
    tp_totals_fini(&s);
    return is;
}

static void test_slow_tasks_are_few_and_cost_much(void **state)
{
    (void)state;
    // At most a tenth of all are slow; the last one is not.
    assert_true(is_slow_tail(179, 20, 25));
    assert_false(is_slow_tail(179, 21, 25));
    // 10 slow ones lose 1,010 units of some 26,000, or of 22,010.
    assert_false(is_slow_tail(989, 10, 25));
    assert_true(is_slow_tail(489, 10, 25));
}

// A run to the end of a task says where the task ends, and not where it was slow.
static void test_a_run_to_the_end_of_a_task_is_no_cause(void **state)
{
    (void)state;
    struct tp_totals s = finding_input(SECOND, 4, 0);
    add_tasks(&s, "buy", 95, 25 * UNIT);
    add_tasks(&s, "buy", 5, 126 * UNIT);
    CAUSE(&s, "buy", 6, 5, 505, "runtime/trace.(*Task).End", "otel.example/trace.(*span).End", "main.buy");
    finding_judge(&s);
    assert_null(finding_of(&s, TP_FINDS_SLOW_TASK));
    tp_totals_fini(&s);
}

static void test_slow_tasks_take_a_millisecond(void **state)
{
    static const uint64_t slow_ns[] = {980000, 1020000};
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(slow_ns); i++) {
        struct tp_totals s = finding_input(SECOND, 4, 0);
        add_tasks(&s, "buy", 95, slow_ns[i] / 8);
        add_tasks(&s, "buy", 5, slow_ns[i]);
        CAUSE(&s, "buy", 5, 5, 5 * slow_ns[i] / UNIT, "time.Sleep", "main.pay", "main.buy");
        finding_judge(&s);
        assert_true((finding_of(&s, TP_FINDS_SLOW_TASK) != NULL) == (i == 1));
        tp_totals_fini(&s);
    }
}

// Tasks of which `count` of `slow` slow ones have one cause, with nearly all of the time, and the
// others another one.
static void expect_most(unsigned slow, unsigned count, bool is_found)
{
    struct tp_totals s = finding_input(SECOND, 4, 0);
    add_tasks(&s, "buy", 200, 25 * UNIT);
    add_tasks(&s, "buy", slow, 126 * UNIT);
    CAUSE(&s, "buy", 6, count, (uint64_t)slow * 100, "time.Sleep", "main.pay", "main.buy");
    CAUSE(&s, "buy", 6, slow - count, 1, "time.Sleep", "main.ship", "main.buy");
    finding_judge(&s);
    assert_true((finding_of(&s, TP_FINDS_SLOW_TASK) != NULL) == is_found);
    tp_totals_fini(&s);
}

static void test_one_cause_is_that_of_most(void **state)
{
    (void)state;
    // For a fair coin: 1/32; 7/64; 9/256, 37/256; 56/1024; 21,700/2^20, 60,460/2^20.
    expect_most(5, 5, true);
    expect_most(6, 5, false);
    expect_most(8, 7, true);
    expect_most(8, 6, false);
    expect_most(10, 8, false);
    expect_most(20, 15, true);
    expect_most(20, 14, false);
}

static void test_why_tasks_are_slow(void **state)
{
    (void)state;
    struct tp_totals s = finding_input(SECOND, 4, 0);
    add_tasks(&s, "buy", 180, 25 * UNIT);
    add_tasks(&s, "buy", 15, 100 * UNIT);
    add_tasks(&s, "buy", 5, 300 * UNIT);
    // The usual cause loses more than the one of the slowest, but not among the slowest.
    CAUSE(&s, "buy", 4, 180, 4500, "time.Sleep", "main.price", "main.buy");
    CAUSE(&s, "buy", 6, 15, 1500, "time.Sleep", "main.price", "main.buy");
    CAUSE(&s, "buy", 8, 1, 200, "time.Sleep", "main.price", "main.buy");
    CAUSE(&s, "buy", 8, 3, 900, "time.Sleep", "main.audit", "main.buy");
    CAUSE(&s, "buy", 8, 1, 2000, "runtime.gopark");
    CAUSE(&s, "sell", 8, 1, 9000, "main.sell");
    finding_judge(&s);
    const struct tp_found *found = finding_of(&s, TP_FINDS_SLOW_TASK);
    assert_non_null(found);
    assert_int_equal(found->count, 20);
    assert_true(found->max_ns == 300 * UNIT);
    assert_true(found->p99_ns >= 298 * UNIT && found->p99_ns <= 302 * UNIT);
    assert_true(found->lost >= (15 * 74 + 5 * 272) * UNIT);
    assert_true(found->lost <= (15 * 76 + 5 * 278) * UNIT);
    finding_expect_place(&s, &found->culprit, "main.audit", 2);
    finding_expect_place(&s, &found->victim, "buy", 0);
    tp_totals_fini(&s);
}

// An input has two findings with one culprit, which count once.
static void test_two_types_of_tasks_with_one_cause_are_one_input(void **state)
{
    static const char *const types[] = {"buy", "sell"};
    struct tp_totals s = finding_input(SECOND, 4, 0);
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(types); i++) {
        add_tasks(&s, types[i], 95, 25 * UNIT);
        add_tasks(&s, types[i], 5, 126 * UNIT);
        CAUSE(&s, types[i], 6, 5, 500, "main.pay", "main.buy");
    }
    finding_judge(&s);
    assert_int_equal(s.found.count, 2);
    finding_expect_place(&s, &s.found.items[1].culprit, "main.pay", 1);
    assert_true(s.found.items[0].is_first && !s.found.items[1].is_first);
    tp_totals_fini(&s);
}

// MEMORY

static void test_no_memory(void **state)
{
    (void)state;
    bool has_failed = true;
    for (uint64_t nth = 1; has_failed; nth++) {
        struct tp_totals s = finding_input(SECOND, 4, 0);
        leave(&s, "main.start", 10, 10);
        add_tasks(&s, "buy", 95, 25 * UNIT);
        add_tasks(&s, "buy", 5, 126 * UNIT);
        CAUSE(&s, "buy", 6, 5, 500, "main.pay", "main.buy");
        assert_true(tp_totals_add_file(&s, "t.trace"));
        tp_alloc_fail_at(nth, false);
        bool fits = tp_findings_judge(&s, &(struct tp_judged_input){0});
        has_failed = tp_alloc_fail_left() == 0;
        tp_alloc_fail_at(0, false);
        assert_true(fits != has_failed);
        assert_true(has_failed || s.found.count == 2);
        tp_totals_fini(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_leak_at_the_threshold),
        cmocka_unit_test(test_who_leaks),
        cmocka_unit_test(test_how_long_those_lived_that_ended),
        cmocka_unit_test(test_who_is_woken_is_at_work),
        cmocka_unit_test(test_forgotten_bodies),
        cmocka_unit_test(test_slow_tasks_at_the_threshold),
        cmocka_unit_test(test_slow_tasks_are_few_and_cost_much),
        cmocka_unit_test(test_a_run_to_the_end_of_a_task_is_no_cause),
        cmocka_unit_test(test_slow_tasks_take_a_millisecond),
        cmocka_unit_test(test_one_cause_is_that_of_most),
        cmocka_unit_test(test_why_tasks_are_slow),
        cmocka_unit_test(test_two_types_of_tasks_with_one_cause_are_one_input),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
