// Goroutines of summaries: every step of Go's Summarizer, its oddities, and what `fix`
// makes of them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "summary_lab.h"

// GOROUTINES

static void test_nothing_at_all(void **state)
{
    struct lab *l = *state;
    l->event_count = 0;
    lab_sum_up(l, LAB_AS_GO);
    assert_string_equal(l->output, "{\"trace\":{\"complete\":true,\"events\":0,\"firstTime\":0,"
                                "\"goroutines\":0,\"lastTime\":0,\"syncs\":0,\"tasks\":0}}\n");
}

static void test_a_life(void **state)
{
    struct lab *l = *state;
    lab_begin_usual(l);
    lab_at(l, 200, 0, 1);
    lab_create(l, 2, LAB_CHAN);
    lab_at(l, 230, 1, -1);
    lab_start(l, 2);
    lab_at(l, 300, 1, 2);
    lab_block(l, LAB_CHAN);
    lab_at(l, 450, 0, 1);
    lab_unblock(l, 2);
    lab_at(l, 460, 1, -1);
    lab_start(l, 2);
    lab_at(l, 500, 1, 2);
    lab_destroy(l);
    lab_at(l, 700, 0, 1);
    lab_add(l, TP_EV_GoLabel, LAB_MAIN, 0, 0, 0);
    lab_sum_up(l, LAB_AS_GO);
    expect_g(l, 2, "{\"goroutine\":{\"blockTimeByReason\":{\"chan receive\":150},"
                   "\"creationTime\":200,\"endTime\":500,\"execTime\":110,\"id\":2,"
                   "\"name\":\"chan receive\",\"nonOverlapping\":{"
                   "\"Block time (chan receive)\":150,\"Block time (syscall)\":0,"
                   "\"Execution time\":110,\"Sched wait time\":40,"
                   "\"Syscall execution time\":0,\"Unknown time\":0},\"parent\":1,"
                   "\"pc\":258,\"rangeTime\":{},\"regions\":[],\"schedWaitTime\":40,"
                   "\"startTime\":230,\"syscallBlockTime\":0,\"syscallTime\":0,"
                   "\"totalTime\":300}}");
    // From the Sync on: ten before it was told of, the rest since.
    expect_g(l, 1, "\"creationTime\":100,\"endTime\":0,\"execTime\":600,\"id\":1,\"name\":"
                   "\"main.work\"");
    expect_g(l, 1, "\"parent\":null");
    expect_g(l, 1, "\"startTime\":110,");
    const char *totals = "{\"trace\":{\"complete\":true,\"events\":9,\"firstTime\":100,"
                         "\"goroutines\":2,\"lastTime\":700,\"syncs\":1,\"tasks\":0}}\n";
    assert_non_null(strstr(l->output, totals));
}

static void test_what_a_generation_says(void **state)
{
    struct lab *l = *state;
    l->event_count = 0;
    lab_sync_at(l, 100);
    lab_at(l, 140, -1, -1);
    lab_status(l, 1, TP_STATE_UNDETERMINED, LAB_WAITING, 0);
    lab_status(l, 2, TP_STATE_UNDETERMINED, LAB_RUNNABLE, 0);
    lab_status(l, 3, TP_STATE_UNDETERMINED, LAB_IN_SYSCALL, 0);
    lab_at(l, 140, 3, -1);
    lab_status(l, 4, TP_STATE_UNDETERMINED, LAB_IN_SYSCALL, 0);
    lab_status(l, 5, TP_STATE_UNDETERMINED, LAB_RUNNING, 0);
    lab_sync_at(l, 300);
    // Known already: nothing new.
    lab_status(l, 1, TP_STATE_WAITING, LAB_WAITING, LAB_MAIN);
    lab_status(l, 5, TP_STATE_RUNNING, LAB_RUNNING, LAB_MAIN);
    lab_at(l, 400, 3, 5);
    lab_block(l, 0);
    lab_at(l, 500, 3, -1);
    lab_add(l, TP_EV_GCBegin, 0, 0, 0, 0);
    lab_sum_up(l, LAB_AS_GO);
    // All the time it waits, for no reason that was told.
    expect_g(l, 1, "{\"blockTimeByReason\":{\"\":400},\"creationTime\":100");
    expect_g(l, 1, "\"name\":\"\",\"nonOverlapping\":{\"Block time ()\":400,");
    expect_g(l, 2, "\"schedWaitTime\":400,");
    // Without a P it was blocked; what follows is time in the system call.
    expect_g(l, 3, "\"syscallBlockTime\":40,\"syscallTime\":360,");
    expect_g(l, 4, "\"syscallBlockTime\":0,\"syscallTime\":400,");
    expect_g(l, 5, "{\"blockTimeByReason\":{\"\":100},");
    expect_g(l, 5, "\"execTime\":300,");
}

// Three events at three times: the other one runs, the switching one waits.
static void test_switch(void **state)
{
    struct lab *l = *state;
    lab_begin_usual(l);
    lab_at(l, 150, 0, 1);
    lab_create(l, 2, LAB_MAIN);
    lab_at(l, 160, 0, 1);
    lab_add(l, TP_EV_GoSwitch, 2, 1, 0, 0);
    lab_at(l, 161, 0, 1);
    lab_block(l, 0);
    lab_at(l, 162, 0, -1);
    lab_start(l, 2);
    lab_at(l, 262, 0, 2);
    lab_destroy(l);
    lab_sum_up(l, LAB_AS_GO);
    expect_g(l, 1, "{\"blockTimeByReason\":{\"\":101},");
    // Runnable from its creation to its start: that it never waited is no matter.
    expect_g(l, 2, "\"execTime\":100,");
    expect_g(l, 2, "\"schedWaitTime\":2,");
    expect_g(l, 2, "\"Unknown time\":10}");
}

static void test_forever(void **state)
{
    struct lab *l = *state;
    lab_begin_usual(l);
    lab_at(l, 200, 0, 1);
    lab_region_begin(l, 7, LAB_REGION);
    lab_at(l, 300, 0, 1);
    lab_block(l, LAB_FOREVER);
    lab_sum_up(l, LAB_AS_GO);
    // As if it had ended.
    expect_g(l, 1, "{\"blockTimeByReason\":{},\"creationTime\":100,\"endTime\":300,"
                   "\"execTime\":200,");
    expect_g(l, 1, "\"regions\":[{\"blockTimeByReason\":{},\"end\":300,\"execTime\":100,");

    // It lives on all the same, and a range on it is as any other.
    lab_at(l, 400, 0, 2);
    lab_unblock(l, 1);
    lab_at(l, 450, 0, -1);
    lab_start(l, 1);
    lab_at(l, 460, 0, 1);
    lab_add(l, TP_EV_GCMarkAssistBegin, 0, 0, 0, 0);
    lab_at(l, 470, 0, 1);
    lab_add(l, TP_EV_GCMarkAssistEnd, 0, 0, 0, 0);
    lab_at(l, 500, 0, 1);
    lab_destroy(l);
    lab_sum_up(l, LAB_AS_GO);
    expect_g(l, 1, "\"endTime\":500,\"execTime\":250,");
    expect_g(l, 1, "\"rangeTime\":{\"GC mark assist\":10},");
    expect_g(l, 1, "\"schedWaitTime\":50,");
    expect_g(l, 1, "\"totalTime\":200}}");
}

// The newest goroutine of an id is the one that counts.
static void test_ids_are_used_again(void **state)
{
    struct lab *l = *state;
    lab_begin_usual(l);
    for (int64_t from = 200; from < 500; from += 100) {
        lab_at(l, from, 0, 1);
        lab_create(l, 9, from == 400 ? LAB_CHAN : LAB_MAIN);
        lab_at(l, from + 10, 1, -1);
        lab_start(l, 9);
        lab_at(l, from + 20, 1, 9);
        lab_region_end(l, 3, LAB_REGION);
        lab_at(l, from + 50, 1, 9);
        lab_destroy(l);
    }
    lab_sum_up(l, LAB_AS_GO);
    expect_g(l, 9, "\"creationTime\":400,\"endTime\":450,");
    expect_g(l, 9, "\"name\":\"chan receive\"");
    char *line = lab_line(l, "goroutine", 9);
    assert_ptr_equal(strstr(line, "\"end\":"), strstr(line, "\"end\":420,"));
    assert_null(strstr(strstr(line, "\"end\":") + 1, "\"end\":"));
    free(line);
    assert_non_null(strstr(l->output, "\"goroutines\":2,"));
    // The task has all of them.
    expect_task(l, 3, "\"end\":220,");
    expect_task(l, 3, "\"end\":320,");
    expect_task(l, 3, "\"end\":420,");
    expect_task(l, 3, "\"goroutines\":[9],");
}

// Ended when it began: Go tells its time from the end of the trace.
static void test_no_time_at_all(void **state)
{
    struct lab *l = *state;
    lab_begin_usual(l);
    lab_at(l, 200, 0, 1);
    lab_create(l, 2, LAB_MAIN);
    lab_at(l, 200, 0, 2);
    lab_destroy(l);
    lab_at(l, 900, 0, 1);
    lab_add(l, TP_EV_GoLabel, LAB_MAIN, 0, 0, 0);
    lab_sum_up(l, LAB_AS_GO);
    expect_g(l, 2, "\"endTime\":200,\"execTime\":200,");
    expect_g(l, 2, "\"totalTime\":700}}");
}

// What a damaged trace does not tell is taken to have been so since the Sync.
static void test_lost_beginnings(void **state)
{
    struct lab *l = *state;
    l->event_count = 0;
    lab_sync_at(l, 100);
    lab_at(l, 150, 0, 1);
    lab_unblock(l, 2);
    lab_at(l, 170, 0, 1);
    lab_syscall_end(l);
    lab_at(l, 180, 0, 7);
    lab_region_begin(l, 1, LAB_REGION);
    lab_at(l, 190, 0, 7);
    lab_region_end(l, 1, LAB_REGION);
    lab_sum_up(l, LAB_AS_GO);
    expect_g(l, 2, "{\"blockTimeByReason\":{\"\":50},\"creationTime\":100,");
    expect_g(l, 2, "\"schedWaitTime\":40,");
    expect_g(l, 1, "\"execTime\":20,");
    expect_g(l, 1, "\"syscallTime\":70,");
    // Goroutine 7 is not known, so its region is nobody's.
    assert_null(lab_line(l, "goroutine", 7));
    assert_null(lab_line(l, "task", 1));
}

// SYSCALLS

static void test_blocked_syscall(void **state)
{
    struct lab *l = *state;
    lab_begin_usual(l);
    lab_at(l, 200, 0, 1);
    lab_syscall_begin(l);
    lab_at(l, 230, 1, -1);
    lab_steal(l, 0);
    lab_sum_up(l, LAB_AS_GO);
    expect_g(l, 1, "\"schedWaitTime\":0,");
    lab_at(l, 300, 1, -1);
    lab_add(l, TP_EV_GCBegin, 0, 0, 0, 0);
    // At the end Go counts 70 ns twice, and not as what they are.
    lab_sum_up(l, LAB_AS_GO);
    expect_g(l, 1, "\"schedWaitTime\":70,");
    expect_g(l, 1, "\"syscallBlockTime\":0,\"syscallTime\":100,");
    lab_sum_up(l, LAB_FIXED);
    expect_g(l, 1, "\"schedWaitTime\":0,");
    expect_g(l, 1, "\"syscallBlockTime\":70,\"syscallTime\":30,");
    // When it returns both have it right.
    lab_at(l, 310, 1, 1);
    lab_add(l, TP_EV_GoSyscallEndBlocked, 0, 0, 0, 0);
    for (size_t i = 0; i < 2; i++) {
        lab_sum_up(l, i == 0 ? LAB_AS_GO : LAB_FIXED);
        expect_g(l, 1, "\"syscallBlockTime\":80,\"syscallTime\":30,");
        expect_g(l, 1, "\"execTime\":100,");
    }
}

// Goroutine 1's P is taken, and 2 begins a system call on it before 1 is back.
static void test_two_syscalls_on_a_p(void **state)
{
    struct lab *l = *state;
    lab_begin_usual(l);
    lab_status(l, 2, TP_STATE_UNDETERMINED, LAB_RUNNABLE, LAB_MAIN);
    lab_at(l, 200, 0, 1);
    lab_syscall_begin(l);
    lab_at(l, 210, 1, -1);
    lab_steal(l, 0);
    lab_at(l, 220, 0, -1);
    lab_start(l, 2);
    lab_at(l, 230, 0, 2);
    lab_syscall_begin(l);
    lab_at(l, 240, 1, 1);
    lab_syscall_end(l);
    lab_at(l, 250, 1, 1);
    lab_steal(l, 0);
    lab_at(l, 300, 0, 2);
    lab_syscall_end(l);
    lab_sum_up(l, LAB_AS_GO);
    expect_g(l, 1, "\"syscallBlockTime\":30,\"syscallTime\":10,");
    expect_g(l, 2, "\"syscallBlockTime\":0,\"syscallTime\":70,");
    lab_sum_up(l, LAB_FIXED);
    expect_g(l, 1, "\"syscallBlockTime\":30,\"syscallTime\":10,");
    expect_g(l, 2, "\"syscallBlockTime\":50,\"syscallTime\":20,");
}

// RANGES

static void test_ranges(void **state)
{
    struct lab *l = *state;
    l->event_count = 0;
    lab_sync_at(l, 100);
    lab_at(l, 110, 0, -1);
    lab_status(l, 1, TP_STATE_UNDETERMINED, LAB_RUNNING, LAB_MAIN);
    lab_add(l, TP_EV_GCMarkAssistActive, 1, 0, 0, 0);
    lab_at(l, 120, 0, 1);
    lab_add(l, TP_EV_STWBegin, LAB_KIND, 0, 0, 0);
    lab_at(l, 130, 0, 1);
    lab_add(l, TP_EV_STWEnd, LAB_KIND, 0, 0, 0);
    lab_at(l, 140, 0, 1);
    lab_add(l, TP_EV_GCBegin, 1, 0, 0, 0);
    lab_at(l, 145, 0, 1);
    lab_add(l, TP_EV_GCSweepEnd, 1, 1, 0, 0); // begun by nobody
    lab_at(l, 150, 0, 1);
    lab_block(l, LAB_CHAN);
    lab_sync_at(l, 200);
    // Begun at the Sync before, and still going on.
    lab_add(l, TP_EV_GCMarkAssistActive, 1, 0, 0, 0);
    lab_at(l, 210, 0, 2);
    lab_unblock(l, 1);
    lab_at(l, 220, 0, -1);
    lab_start(l, 1);
    lab_at(l, 250, 0, 1);
    lab_add(l, TP_EV_GCMarkAssistEnd, 1, 0, 0, 0);
    lab_add(l, TP_EV_GCMarkAssistEnd, 1, 0, 0, 0);
    lab_at(l, 260, 0, 1);
    lab_add(l, TP_EV_GCSweepBegin, 0, 0, 0, 0);
    lab_at(l, 300, 0, 1);
    lab_add(l, TP_EV_GoLabel, LAB_MAIN, 0, 0, 0);
    lab_sum_up(l, LAB_AS_GO);
    expect_g(l, 1, "\"rangeTime\":{\"GC incremental sweep\":40,\"GC mark assist\":150,"
                   "\"stop-the-world (GC mark)\":10},");
}

static void test_sweep_that_another_ends(void **state)
{
    struct lab *l = *state;
    lab_begin_usual(l);
    lab_status(l, 2, TP_STATE_UNDETERMINED, LAB_RUNNABLE, LAB_MAIN);
    lab_at(l, 200, 0, 1);
    lab_add(l, TP_EV_GCSweepBegin, 0, 0, 0, 0);
    lab_at(l, 220, 0, 1);
    lab_block(l, LAB_CHAN);
    lab_at(l, 230, 0, -1);
    lab_start(l, 2);
    lab_at(l, 240, 0, 2);
    lab_add(l, TP_EV_GCSweepEnd, 1, 1, 0, 0);
    lab_at(l, 400, 0, 2);
    lab_add(l, TP_EV_GoLabel, LAB_MAIN, 0, 0, 0);
    lab_sum_up(l, LAB_AS_GO);
    expect_g(l, 1, "\"rangeTime\":{\"GC incremental sweep\":200},");
    expect_g(l, 2, "\"rangeTime\":{},");
    lab_sum_up(l, LAB_FIXED);
    expect_g(l, 1, "\"rangeTime\":{\"GC incremental sweep\":40},");
    expect_g(l, 2, "\"rangeTime\":{},");
}

#define LAB_TEST(name) cmocka_unit_test_setup_teardown(name, lab_set_up, lab_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAB_TEST(test_nothing_at_all),
        LAB_TEST(test_a_life),
        LAB_TEST(test_what_a_generation_says),
        LAB_TEST(test_switch),
        LAB_TEST(test_forever),
        LAB_TEST(test_ids_are_used_again),
        LAB_TEST(test_no_time_at_all),
        LAB_TEST(test_lost_beginnings),
        LAB_TEST(test_blocked_syscall),
        LAB_TEST(test_two_syscalls_on_a_p),
        LAB_TEST(test_ranges),
        LAB_TEST(test_sweep_that_another_ends),
    };
    return cmocka_run_group_tests_name("summary", tests, NULL, NULL);
}
