// Goroutines that hold a P, or are late to get one, stops of the world, and which finding explains
// which.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "finding_lab.h"

#define SECOND (1000 * FINDING_MS)

// A GOROUTINE HOLDS A P

static void test_a_hog_at_the_threshold(void **state)
{
    (void)state;
    for (uint64_t less = 0; less < 2; less++) {
        struct tp_totals s = finding_input(SECOND, 4, 0);
        finding_evidence(&s, TP_EVIDENCE_LONG_RUN,
                         FINDING_STACK(&s, "time.Sleep", "main.train", "main.main"), 1,
                         45 * FINDING_MS - less);
        const struct tp_file_row *row = finding_judge(&s);
        assert_int_equal(row->values[TP_FINDS_P_HOG], 45000000 - less);
        const struct tp_found *found = finding_of(&s, TP_FINDS_P_HOG);
        assert_true((found != NULL) == (less == 0));
        if (found != NULL) {
            finding_expect_place(&s, &found->culprit, "main.train", 2);
            assert_true(found->count == 1 && found->lost == 45 * FINDING_MS);
        }
        tp_totals_fini(&s);
    }
}

static void test_who_is_long_only_sometimes_is_no_hog(void **state)
{
    (void)state;
    for (uint64_t less = 0; less < 2; less++) {
        struct tp_totals s = finding_input(SECOND, 4, 0);
        uint32_t stack = FINDING_STACK(&s, "time.Sleep", "main.train");
        // 2^24 ns begin a bucket of 2^18 ns; the middle counts.
        uint64_t middle = (1u << 24) + (1u << 17);
        finding_evidence(&s, TP_EVIDENCE_LONG_RUN, stack, 1, 1u << 24);
        finding_evidence(&s, TP_EVIDENCE_LONG_RUN, stack, 1, 10 * middle - (1u << 24) - less);
        const struct tp_file_row *row = finding_judge(&s);
        const struct tp_found *found = finding_of(&s, TP_FINDS_P_HOG);
        assert_true((found != NULL) == (less == 0));
        assert_true((row->values[TP_FINDS_P_HOG] == 0) == (less == 1));
        if (found != NULL)
            assert_true(found->count == 1 && found->lost == 9 * middle);
        tp_totals_fini(&s);
    }
}

static void expect_hog(const char *want, uint64_t line, bool was_preempted,
                       const char *const *functions)
{
    struct tp_totals s = finding_input(SECOND, 4, 0);
    finding_evidence(&s, was_preempted ? TP_EVIDENCE_LONG_RUN_PREEMPTED : TP_EVIDENCE_LONG_RUN,
                     finding_stack(&s, functions), 2, 100 * FINDING_MS);
    const struct tp_file_row *row = finding_judge(&s);
    const struct tp_found *found = finding_of(&s, TP_FINDS_P_HOG);
    assert_true((found != NULL) == (want != NULL));
    assert_true((row->values[TP_FINDS_P_HOG] > 0) == (want != NULL));
    if (found != NULL)
        finding_expect_place(&s, &found->culprit, want, line);
    tp_totals_fini(&s);
}
#define STACK(...) ((const char *const[]){__VA_ARGS__, NULL})

static void test_who_holds_the_p(void **state)
{
    (void)state;
    expect_hog("main.write", 1, false, STACK("main.write", "main.train", "main.main"));
    // It was about to enter main.write when it gave way.
    expect_hog("main.train", 2, true, STACK("main.write", "main.train", "main.main"));
    expect_hog("main.train", 3, true, STACK("runtime.chansend", "runtime.chansend1", "main.train"));
    expect_hog("main.write", 1, true, STACK("main.write"));
    // The runtime could interrupt it, so it held nothing.
    expect_hog(NULL, 0, true, STACK("runtime.asyncPreempt2", "runtime.asyncPreempt", "main.train"));
    expect_hog(NULL, 0, true, STACK("runtime.asyncPreempt", "main.train"));
    // Nobody of the program.
    expect_hog(NULL, 0, false, STACK("runtime.gopark", "runtime.gcBgMarkWorker"));
    expect_hog(NULL, 0, true, STACK(NULL));
}

// A preemption at a stack from this line on, and the stack at which the next run ended.
static void expect_hog_before(const char *want, uint64_t want_line, uint64_t line,
                              const char *const *functions, const char *const *next)
{
    struct tp_totals s = finding_input(SECOND, 4, 0);
    uint32_t left = finding_stack_at(&s, functions, line), right = finding_stack(&s, next);
    uint32_t pair = tp_totals_put_pair(&s, left, right);
    assert_true(tp_totals_record_pair(&s, TP_SPACE_EVIDENCE, pair, TP_EVIDENCE_LONG_RUN_PREEMPTED,
                                      100 * FINDING_MS, TP_NO_MOMENT));
    finding_judge(&s);
    const struct tp_found *found = finding_of(&s, TP_FINDS_P_HOG);
    assert_non_null(found);
    finding_expect_place(&s, &found->culprit, want, want_line);
    tp_totals_fini(&s);
}

static void test_who_held_the_p_before_go_1_25(void **state)
{
    (void)state;
    const char *const *next = STACK("time.Sleep", "main.train", "main.loop", "main.main");
    expect_hog_before("main.train", 2, 3, STACK("main.loop", "main.main"), next);
    // In another call, which train has not made.
    expect_hog_before("main.loop", 4, 4, STACK("main.loop", "main.main"), next);
    // No function of the program came after the loop.
    next = STACK("runtime.gopark", "runtime.chanrecv", "main.loop");
    expect_hog_before("main.loop", 3, 3, STACK("main.loop"), next);
    // The next stack is not known.
    expect_hog_before("main.loop", 1, 1, STACK("main.loop", "main.main"),
                      STACK("main.loop", "main.main"));
}

static void expect_hog_despite(const char *interrupted, uint64_t ns, bool is_found)
{
    struct tp_totals s = finding_input(SECOND, 4, 0);
    finding_evidence(&s, TP_EVIDENCE_LONG_RUN, FINDING_STACK(&s, "time.Sleep", "main.train"), 2,
                     100 * FINDING_MS);
    finding_evidence(&s, TP_EVIDENCE_LONG_RUN_PREEMPTED,
                     FINDING_STACK(&s, "runtime.asyncPreempt", interrupted), 1, ns);
    finding_judge(&s);
    assert_true((finding_of(&s, TP_FINDS_P_HOG) != NULL) == is_found);
    tp_totals_fini(&s);
}

static void test_a_late_machine_makes_no_hogs(void **state)
{
    (void)state;
    expect_hog_despite("main.train", 25 * FINDING_MS, false);
    expect_hog_despite("main.train", 25 * FINDING_MS - 1, true);
    expect_hog_despite("main.other", 25 * FINDING_MS, true);
    // The stack does not show the function.
    expect_hog_despite("time.Now", 25 * FINDING_MS, false);
    expect_hog_despite("time.Now", 25 * FINDING_MS - 1, true);
    expect_hog_despite("runtime.gcBgMarkWorker", 25 * FINDING_MS, true);
}

static void test_hogs_are_functions(void **state)
{
    (void)state;
    struct tp_totals s = finding_input(SECOND, 4, 0);
    finding_evidence(&s, TP_EVIDENCE_LONG_RUN, FINDING_STACK(&s, "time.Sleep", "main.a"), 2,
                     50 * FINDING_MS);
    finding_evidence(&s, TP_EVIDENCE_LONG_RUN_PREEMPTED,
                     FINDING_STACK(&s, "main.b", "runtime.x", "main.a"), 2, 60 * FINDING_MS);
    finding_evidence(&s, TP_EVIDENCE_LONG_RUN, FINDING_STACK(&s, "main.b"), 1, 80 * FINDING_MS);
    finding_judge(&s);
    assert_int_equal(s.found.count, 2);
    finding_expect_place(&s, &s.found.items[0].culprit, "main.b", 1);
    // The line in which most time went.
    finding_expect_place(&s, &s.found.items[1].culprit, "main.a", 3);
    assert_true(s.found.items[1].count == 4 && s.found.items[1].lost == 220 * FINDING_MS);
    assert_true(s.found.items[1].max_ns == 60 * FINDING_MS);
    tp_totals_fini(&s);
}

// HIGH SCHEDULING LATENCY

// Records `count` waits of 30 ms and one that lasts `last_ns`.
static void expect_late(unsigned count, uint64_t last_ns, uint64_t want_value, bool is_found)
{
    struct tp_totals s = finding_input(SECOND, 4, 0);
    uint32_t stack = FINDING_STACK(&s, "runtime.closechan", "main.announce", "main.main");
    finding_evidence(&s, TP_EVIDENCE_LATE, stack, count, 30 * FINDING_MS);
    finding_evidence(&s, TP_EVIDENCE_LATE, stack, 1, last_ns);
    finding_evidence(&s, TP_EVIDENCE_LATE, FINDING_STACK(&s, "runtime.ready"), 99, SECOND);
    finding_evidence(&s, TP_EVIDENCE_LATE, TP_INTERN_NONE, 99, SECOND);
    const struct tp_file_row *row = finding_judge(&s);
    const struct tp_found *found = finding_of(&s, TP_FINDS_SCHED_LATENCY);
    assert_int_equal(row->values[TP_FINDS_SCHED_LATENCY], want_value);
    assert_true((found != NULL) == is_found);
    if (found != NULL)
        finding_expect_place(&s, &found->culprit, "main.announce", 2);
    tp_totals_fini(&s);
}

static void test_late_goroutines(void **state)
{
    (void)state;
    expect_late(4, 30 * FINDING_MS, 30000000, true);
    // A millionth less than 15 % of the time, and four waits of five: parts of the threshold.
    expect_late(4, 30 * FINDING_MS - 1000, 17999874, false);
    expect_late(3, 99 * FINDING_MS, 18000000 / 5 * 4, false);
}

static void test_late_although_ps_are_idle(void **state)
{
    (void)state;
    for (uint64_t more = 0; more < 2; more++) {
        struct tp_totals s = finding_input(SECOND, 4, 0);
        // Half of the time of 4 Ps, or a little more; the time of idle mark workers does not count.
        finding_time(&s, TP_SPACE_GOROUTINE, "main.w", TP_MEASURE_RUN,
                     2 * SECOND - 1 + more * FINDING_MS);
        finding_time(&s, TP_SPACE_GOROUTINE, "runtime.gcBgMarkWorker", TP_MEASURE_RUN, SECOND);
        finding_evidence(&s, TP_EVIDENCE_IDLE_WORKER, TP_INTERN_NONE, 1, SECOND);
        finding_evidence(&s, TP_EVIDENCE_LATE, FINDING_STACK(&s, "main.a"), 20, 20 * FINDING_MS);
        finding_judge(&s);
        assert_true((finding_of(&s, TP_FINDS_SCHED_LATENCY) != NULL) == (more == 0));
        tp_totals_fini(&s);
    }
}

static void test_late_at_the_threshold(void **state)
{
    (void)state;
    for (uint64_t less = 0; less < 2; less++) {
        struct tp_totals s = finding_input(SECOND, 4, 0);
        finding_evidence(&s, TP_EVIDENCE_LATE, FINDING_STACK(&s, "main.a"), 20,
                         18 * FINDING_MS - less);
        assert_int_equal(finding_judge(&s)->values[TP_FINDS_SCHED_LATENCY], 18000000 - less);
        assert_int_equal(s.found.count, 1 - less);
        tp_totals_fini(&s);
    }
}

// STOPS OF THE WORLD

// Stops of one evidence: `count` of `ns`, and one of `longest_ns`.
static void expect_stops(enum tp_evidence evidence, unsigned count, uint64_t ns,
                         uint64_t longest_ns, uint64_t want_value)
{
    struct tp_totals s = finding_input(SECOND, 4, 0);
    finding_evidence(&s, evidence, FINDING_STACK(&s, "runtime.stopTheWorld", "main.a"), count, ns);
    finding_evidence(&s, evidence, FINDING_STACK(&s, "runtime.stopTheWorld", "main.dump"), 1,
                     longest_ns);
    const struct tp_file_row *row = finding_judge(&s);
    const struct tp_found *found = finding_of(&s, TP_FINDS_STOP_THE_WORLD);
    assert_int_equal(row->values[TP_FINDS_STOP_THE_WORLD], want_value);
    assert_true((found != NULL) == (want_value >= 5000000));
    if (found != NULL) {
        finding_expect_place(&s, &found->culprit, "main.dump", 2);
        finding_expect_place(&s, &found->other, "-", 0);
        assert_true(found->max_ns == longest_ns && found->count == count + 1);
    }
    tp_totals_fini(&s);
}

static void test_stops_of_the_program(void **state)
{
    (void)state;
    // The longest counts half.
    expect_stops(TP_EVIDENCE_STOP, 1, 1, 10 * FINDING_MS, 5000000);
    expect_stops(TP_EVIDENCE_STOP, 1, 1, 10 * FINDING_MS - 1, 4999999);
    expect_stops(TP_EVIDENCE_STOP, 0, 0, 10 * FINDING_MS, 5000000);
    // The second longest counts whole, as the least of its bucket of 2^16 ns.
    expect_stops(TP_EVIDENCE_STOP, 1, 77 << 16, 6 * FINDING_MS, 77 << 16);
    expect_stops(TP_EVIDENCE_STOP, 1, (77 << 16) - 1, 6 * FINDING_MS, 76 << 16);
    // What each second loses, from ten stops and 2 % of the time on.
    expect_stops(TP_EVIDENCE_STOP, 9, 2 * FINDING_MS - 1, 2 * FINDING_MS + 9, 20000000);
    expect_stops(TP_EVIDENCE_STOP, 9, 2 * FINDING_MS - 1, 2 * FINDING_MS + 8, 122 << 14);
    expect_stops(TP_EVIDENCE_STOP, 8, 3 * FINDING_MS, 3 * FINDING_MS + 1, 91 << 15);
}

static void expect_delay(uint64_t run_ns, bool was_preempted, bool is_delayed,
                         const char *const *functions)
{
    struct tp_totals s = finding_input(SECOND, 4, 0);
    finding_evidence(&s, TP_EVIDENCE_STOP, FINDING_STACK(&s, "main.dump"), 2, 20 * FINDING_MS);
    finding_evidence(&s, was_preempted ? TP_EVIDENCE_LONG_RUN_PREEMPTED : TP_EVIDENCE_LONG_RUN,
                     finding_stack(&s, functions), 2, run_ns);
    finding_judge(&s);
    const struct tp_found *found = finding_of(&s, TP_FINDS_STOP_THE_WORLD);
    assert_non_null(found);
    finding_expect_place(&s, &found->culprit, is_delayed ? "main.loop" : "main.dump", 1 + is_delayed);
    finding_expect_place(&s, &found->other, is_delayed ? "main.dump" : "-", is_delayed);
    tp_totals_fini(&s);
}

static void test_who_delayed_a_stop(void **state)
{
    (void)state;
    expect_delay(15 * FINDING_MS, true, true, STACK("main.write", "main.loop"));
    expect_delay(15 * FINDING_MS - 1, true, false, STACK("main.write", "main.loop"));
    expect_delay(15 * FINDING_MS, false, false, STACK("main.write", "main.loop"));
    expect_delay(15 * FINDING_MS, true, false, STACK("main.write"));
    expect_delay(15 * FINDING_MS, true, false, STACK("runtime.asyncPreempt", "main.loop"));
    expect_delay(15 * FINDING_MS, true, false, STACK("runtime.x", "runtime.y"));
}

// The collector's stops, of 7 ms and 8 ms, with runs of one function of these durations, each `count`
// times. 0: nothing is found, because nobody delays the stops.
static void expect_delayed(unsigned count, uint64_t run_ns, uint64_t short_ns,
                           const char *const *functions, uint64_t want_value)
{
    struct tp_totals s = finding_input(SECOND, 4, 0);
    uint32_t stop = FINDING_STACK(&s, "main.dump"), run = finding_stack(&s, functions);
    finding_evidence(&s, TP_EVIDENCE_STOP_GC, stop, 1, 130 << 16);
    finding_evidence(&s, TP_EVIDENCE_STOP_GC, stop, 1, 9 * FINDING_MS);
    finding_evidence(&s, TP_EVIDENCE_LONG_RUN_PREEMPTED, run, count, run_ns);
    if (short_ns > 0)
        finding_evidence(&s, TP_EVIDENCE_LONG_RUN_PREEMPTED, run, count, short_ns);
    assert_true(finding_judge(&s)->values[TP_FINDS_STOP_THE_WORLD] == want_value);
    const struct tp_found *found = finding_of(&s, TP_FINDS_STOP_THE_WORLD);
    assert_true((found != NULL) == (want_value > 0));
    if (found != NULL) {
        // Whoever happened to allocate when a cycle began is innocent.
        finding_expect_place(&s, &found->culprit, "main.loop", 2);
        finding_expect_place(&s, &found->other, "main.loop", 2);
    }
    tp_totals_fini(&s);
}

static void test_stops_of_the_collector_that_a_function_delays(void **state)
{
    (void)state;
    const uint64_t second = 130 << 16, little = second / 8 * 5;
    const char *const *loop = STACK("main.write", "main.loop");
    expect_delayed(2, 7 * FINDING_MS, 0, loop, second);
    expect_delayed(1, 7 * FINDING_MS, 0, loop, little);
    expect_delayed(2, 6 * FINDING_MS, 0, loop, 0);
    expect_delayed(2, 20 * FINDING_MS, 1 * FINDING_MS, loop, second);
    expect_delayed(2, 20 * FINDING_MS, 3 * FINDING_MS, loop, little);
    // A function that was interrupted does not delay stops; if late, nothing but the machine does.
    const char *const *interrupted = STACK("runtime.asyncPreempt", "main.loop");
    expect_delayed(2, 24 * FINDING_MS, 0, interrupted, 0);
    expect_delayed(2, 25 * FINDING_MS, 0, interrupted, 0);
}

// WHO EXPLAINS WHOM

#define BIT(kind) (1u << TP_FINDS_##kind)

static void add_late(struct tp_totals *s, const char *function)
{
    finding_evidence(s, TP_EVIDENCE_LATE, FINDING_STACK(s, function), 20, 50 * FINDING_MS);
}

static void add_hog(struct tp_totals *s, const char *function, uint64_t ns)
{
    finding_evidence(s, TP_EVIDENCE_LONG_RUN, FINDING_STACK(s, function), 1, ns);
}

static void add_gc(struct tp_totals *s)
{
    finding_time(s, TP_SPACE_GOROUTINE, "runtime.gcBgMarkWorker", TP_MEASURE_RUN, SECOND);
    finding_time(s, TP_SPACE_MARK, "", 0, FINDING_MS);
    finding_evidence(s, TP_EVIDENCE_ASSIST, FINDING_STACK(s, "main.churn"), 1, 0);
}

// Judges the input, and fails if the first finding is not this one with these explained kinds, or
// if there are more or fewer findings.
static void expect_first(struct tp_totals *s, unsigned count, enum tp_finding_kind kind,
                         uint32_t also)
{
    finding_judge(s);
    assert_int_equal(s->found.count, count);
    const struct tp_found *found = NULL;
    for (uint32_t i = 0; i < s->found.count; i++) {
        if (s->found.items[i].kind == (uint32_t)kind)
            found = &s->found.items[i];
    }
    assert_non_null(found);
    assert_int_equal(found->also, also);
    tp_totals_fini(s);
}

static void add_few_ps(struct tp_totals *s)
{
    uint32_t sleep = tp_intern_put(&s->reasons, tp_span_of_text("sleep"));
    finding_time(s, TP_SPACE_GOROUTINE, "main.main", TP_MEASURE_FIRST_BLOCK + sleep, 1);
    finding_time(s, TP_SPACE_GOROUTINE, "main.w", TP_MEASURE_SCHED, 9 * SECOND);
    finding_evidence(s, TP_EVIDENCE_LATE, finding_stack(s, (const char *const[]){NULL}), 1, SECOND);
}

// Two lines of one function queue half of what waits, or a little less.
static void test_who_queues_for_a_p(void **state)
{
    (void)state;
    for (uint64_t less = 0; less < 2; less++) {
        struct tp_totals s = finding_input(SECOND, 4, 2);
        add_few_ps(&s);
        finding_evidence(&s, TP_EVIDENCE_LATE, FINDING_STACK(&s, "main.burst", "main.main"), 1,
                         4 * SECOND - less);
        finding_evidence(&s, TP_EVIDENCE_LATE,
                         FINDING_STACK(&s, "sync.(*WaitGroup).Go", "main.burst", "main.x"), 1, SECOND / 2);
        finding_evidence(&s, TP_EVIDENCE_LATE, FINDING_STACK(&s, "runtime.goready"), 9, 9 * SECOND);
        finding_judge(&s);
        const struct tp_found *found = finding_of(&s, TP_FINDS_FEW_PS);
        assert_non_null(found);
        assert_true((found->other.function == TP_INTERN_NONE) == (less == 1));
        if (less == 0)
            finding_expect_place(&s, &found->other, "main.burst", 1);
        tp_totals_fini(&s);
    }
}

static void test_what_explains_late_goroutines(void **state)
{
    (void)state;
    struct tp_totals s = finding_input(SECOND, 4, 2);
    add_few_ps(&s);
    add_late(&s, "main.a");
    add_late(&s, "main.b");
    expect_first(&s, 1, TP_FINDS_FEW_PS, BIT(SCHED_LATENCY));
    // Pressure alone lets nobody wait for long.
    s = finding_input(SECOND, 4, 0);
    add_gc(&s);
    add_late(&s, "main.a");
    expect_first(&s, 2, TP_FINDS_GC, 0);
    // A wait may be twice as long as what explains it.
    for (uint64_t less = 0; less < 2; less++) {
        s = finding_input(SECOND, 4, 0);
        add_hog(&s, "main.h", 50 * FINDING_MS);
        finding_evidence(&s, TP_EVIDENCE_LATE, FINDING_STACK(&s, "main.a"), 20, 100 * FINDING_MS - less);
        expect_first(&s, 2 - (unsigned)less, TP_FINDS_P_HOG, less > 0 ? BIT(SCHED_LATENCY) : 0);
    }
    s = finding_input(SECOND, 4, 0);
    finding_evidence(&s, TP_EVIDENCE_STOP, FINDING_STACK(&s, "main.a"), 9, 11 * FINDING_MS);
    add_late(&s, "main.a");
    expect_first(&s, 1, TP_FINDS_STOP_THE_WORLD, BIT(SCHED_LATENCY));
}

static void test_what_explains_few_ps(void **state)
{
    (void)state;
    for (uint64_t less = 0; less < 2; less++) {
        struct tp_totals s = finding_input(SECOND, 4, 2);
        add_few_ps(&s);
        finding_evidence(&s, TP_EVIDENCE_STOP, FINDING_STACK(&s, "main.dump"), 2,
                         50 * FINDING_MS - less);
        expect_first(&s, 1 + (unsigned)less, TP_FINDS_STOP_THE_WORLD, less == 0 ? BIT(FEW_PS) : 0);
    }
    // Mark workers run for a second, goroutines for as long or a little longer.
    for (uint64_t more = 0; more < 2; more++) {
        struct tp_totals s = finding_input(SECOND, 4, 2);
        add_few_ps(&s);
        add_gc(&s);
        finding_time(&s, TP_SPACE_GOROUTINE, "main.w", TP_MEASURE_RUN, SECOND - 1 + more * 5000);
        expect_first(&s, 1 + (unsigned)more, TP_FINDS_GC, more == 0 ? BIT(FEW_PS) : 0);
    }
}

static void test_what_explains_a_hog(void **state)
{
    (void)state;
    // The one that a stop waits for, and those that wait meanwhile.
    struct tp_totals s = finding_input(SECOND, 4, 0);
    finding_evidence(&s, TP_EVIDENCE_STOP, FINDING_STACK(&s, "main.dump"), 2, 40 * FINDING_MS);
    add_hog(&s, "main.h", 79 * FINDING_MS);
    add_late(&s, "main.a");
    expect_first(&s, 1, TP_FINDS_STOP_THE_WORLD, BIT(P_HOG) | BIT(SCHED_LATENCY));
    s = finding_input(SECOND, 4, 0);
    finding_evidence(&s, TP_EVIDENCE_STOP, FINDING_STACK(&s, "main.dump"), 2, 40 * FINDING_MS);
    add_hog(&s, "main.h", 80 * FINDING_MS);
    expect_first(&s, 2, TP_FINDS_STOP_THE_WORLD, 0);
    // The one that assists; another one is a finding of its own.
    s = finding_input(SECOND, 4, 0);
    add_gc(&s);
    add_hog(&s, "main.churn", 80 * FINDING_MS);
    expect_first(&s, 1, TP_FINDS_GC, BIT(P_HOG));
    s = finding_input(SECOND, 4, 0);
    add_gc(&s);
    finding_evidence(&s, TP_EVIDENCE_LONG_RUN, FINDING_STACK(&s, "main.h", "main.churn"), 1,
                     80 * FINDING_MS);
    expect_first(&s, 1, TP_FINDS_GC, BIT(P_HOG));
    s = finding_input(SECOND, 4, 0);
    add_gc(&s);
    add_hog(&s, "main.h", 80 * FINDING_MS);
    expect_first(&s, 2, TP_FINDS_GC, 0);
}

// Stops of the collector are explained by pressure if who allocates delays them.
static void test_what_explains_stops(void **state)
{
    static const char *const delays[] = {"main.churn", "main.loop"};
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(delays); i++) {
        struct tp_totals s = finding_input(SECOND, 4, 0);
        add_gc(&s);
        finding_evidence(&s, TP_EVIDENCE_STOP_GC, FINDING_STACK(&s, "main.x"), 2, 20 * FINDING_MS);
        finding_evidence(&s, TP_EVIDENCE_LONG_RUN_PREEMPTED,
                         FINDING_STACK(&s, "main.write", delays[i]), 2, 20 * FINDING_MS);
        expect_first(&s, 1 + (unsigned)i, TP_FINDS_GC, i == 0 ? BIT(STOP_THE_WORLD) : 0);
    }
    struct tp_totals s = finding_input(SECOND, 4, 0);
    add_gc(&s);
    finding_evidence(&s, TP_EVIDENCE_STOP, FINDING_STACK(&s, "main.dump"), 2, 40 * FINDING_MS);
    expect_first(&s, 2, TP_FINDS_GC, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_hog_at_the_threshold),
        cmocka_unit_test(test_who_is_long_only_sometimes_is_no_hog),
        cmocka_unit_test(test_who_holds_the_p),
        cmocka_unit_test(test_who_held_the_p_before_go_1_25),
        cmocka_unit_test(test_a_late_machine_makes_no_hogs),
        cmocka_unit_test(test_hogs_are_functions),
        cmocka_unit_test(test_late_goroutines),
        cmocka_unit_test(test_late_although_ps_are_idle),
        cmocka_unit_test(test_late_at_the_threshold),
        cmocka_unit_test(test_stops_of_the_program),
        cmocka_unit_test(test_who_delayed_a_stop),
        cmocka_unit_test(test_stops_of_the_collector_that_a_function_delays),
        cmocka_unit_test(test_who_queues_for_a_p),
        cmocka_unit_test(test_what_explains_late_goroutines),
        cmocka_unit_test(test_what_explains_few_ps),
        cmocka_unit_test(test_what_explains_a_hog),
        cmocka_unit_test(test_what_explains_stops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
