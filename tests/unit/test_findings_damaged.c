// Findings of damaged inputs: what only looks like a fault, because something is lost, is none.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "finding_lab.h"

#define SECOND (1000 * FINDING_MS)

static void add_cut(struct tp_totals *s, const char *function, uint32_t measure, uint64_t ns)
{
    assert_true(tp_durations_record(&s->durations, TP_SPACE_GOROUTINE, finding_name(s, function),
                                    measure, ns, TP_NO_MOMENT, true));
}

// An input in which goroutines that others, or nobody, woke wait for a P.
static struct tp_totals queue(uint64_t ended_ns, uint64_t cut_ns)
{
    struct tp_totals s = finding_input(SECOND, 4, 0);
    uint32_t sleep = tp_intern_put(&s.reasons, tp_span_of_text("sleep"));
    finding_time(&s, TP_SPACE_GOROUTINE, "main.main", TP_MEASURE_FIRST_BLOCK + sleep, 1);
    finding_time(&s, TP_SPACE_GOROUTINE, "main.w", TP_MEASURE_SCHED, ended_ns);
    add_cut(&s, "main.w", TP_MEASURE_SCHED, cut_ns);
    finding_evidence(&s, TP_EVIDENCE_LATE, finding_stack(&s, (const char *const[]){NULL}), 1, SECOND);
    finding_evidence(&s, TP_EVIDENCE_LATE, FINDING_STACK(&s, "main.a"), 20, 50 * FINDING_MS);
    return s;
}

static void test_waits_for_a_p_that_nothing_ends(void **state)
{
    (void)state;
    for (uint64_t damaged = 0; damaged < 2; damaged++) {
        struct tp_totals s = queue(2 * SECOND, 2 * SECOND);
        s.damaged_count = damaged;
        finding_judge(&s);
        assert_true((finding_of(&s, TP_FINDS_FEW_PS) != NULL) == (damaged == 0));
        tp_totals_fini(&s);
    }
}

// One goroutine seems to be woken by nobody, and perhaps the stack of its waker is lost. Whether there is
// a finding or not, the late goroutines are none of their own.
static void test_nobody_knows_who_woke(void **state)
{
    (void)state;
    for (uint64_t lacks = 0; lacks < 2; lacks++) {
        struct tp_totals s = queue(4 * SECOND, 0);
        s.damaged_count = 1;
        const struct tp_judged_input input = {.lost_stack_count = lacks};
        const struct tp_file_row *row = finding_judge_input(&s, &input);
        assert_true((row->values[TP_FINDS_FEW_PS] == TP_VALUE_NONE) == (lacks != 0));
        assert_int_equal(s.found.count, 1 - lacks);
        tp_totals_fini(&s);
    }
}

static void test_a_collector_that_is_cut(void **state)
{
    (void)state;
    for (uint64_t damaged = 0; damaged < 2; damaged++) {
        struct tp_totals s = finding_input(SECOND, 4, 0);
        s.damaged_count = damaged;
        finding_time(&s, TP_SPACE_GOROUTINE, "runtime.gcBgMarkWorker", TP_MEASURE_RUN, SECOND / 5);
        add_cut(&s, "runtime.gcBgMarkWorker", TP_MEASURE_RUN, SECOND / 5);
        finding_time(&s, TP_SPACE_GOROUTINE, "main.w", TP_MEASURE_RUN, SECOND);
        finding_time(&s, TP_SPACE_MARK, "", 0, FINDING_MS);
        finding_judge(&s);
        assert_true((finding_of(&s, TP_FINDS_GC) != NULL) == (damaged == 0));
        tp_totals_fini(&s);
    }
}

// Ps may be in use by goroutines whose runs are lost.
static void test_ps_that_are_not_idle(void **state)
{
    (void)state;
    for (uint64_t less = 0; less < 2; less++) {
        struct tp_totals s = finding_input(SECOND, 4, 0);
        s.damaged_count = 1;
        s.timeline.buckets.items[0].totals[TP_LEVEL_PROCS] = 2 * SECOND + 4000 - less * 4000;
        finding_evidence(&s, TP_EVIDENCE_LATE, FINDING_STACK(&s, "main.a"), 20, 50 * FINDING_MS);
        finding_judge(&s);
        assert_true((finding_of(&s, TP_FINDS_SCHED_LATENCY) != NULL) == (less == 1));
        tp_totals_fini(&s);
    }
}

static void test_calls_of_which_a_name_is_lost(void **state)
{
    static const char *const outer[] = {"main.load", ""};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct tp_totals s = finding_input(SECOND, 4, 0);
        s.damaged_count = 1;
        assert_true(tp_totals_record_stack(&s, FINDING_STACK(&s, "syscall.read", "main.read", outer[i]),
                                           TP_STACK_SYSCALL, 1, SECOND));
        finding_judge(&s);
        assert_true((finding_of(&s, TP_FINDS_SYSCALL) != NULL) == (i == 0));
        tp_totals_fini(&s);
    }
}

static void test_a_culprit_whose_name_is_lost(void **state)
{
    (void)state;
    for (uint64_t damaged = 0; damaged < 2; damaged++) {
        struct tp_totals s = finding_input(SECOND, 4, 0);
        s.damaged_count = damaged;
        finding_evidence(&s, TP_EVIDENCE_LONG_RUN, FINDING_STACK(&s, ""), 1, 80 * FINDING_MS);
        finding_judge(&s);
        assert_true((finding_of(&s, TP_FINDS_P_HOG) != NULL) == (damaged == 0));
        tp_totals_fini(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_waits_for_a_p_that_nothing_ends),
        cmocka_unit_test(test_nobody_knows_who_woke),
        cmocka_unit_test(test_a_collector_that_is_cut),
        cmocka_unit_test(test_ps_that_are_not_idle),
        cmocka_unit_test(test_calls_of_which_a_name_is_lost),
        cmocka_unit_test(test_a_culprit_whose_name_is_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
