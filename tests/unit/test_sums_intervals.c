// Tasks, regions, ranges, logs and samples, from events written by hand. Each script is
// cut into sums everywhere.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "full_script.h"

// The goroutine that has begun and ended, and the rows that come of that, would be in the
// way: what follows happens to goroutine 5 of main.work, from 10 to 100.
static void begin_work(void)
{
    script_begin();
    SYNC(1);
    EV(10, 1, GoCreate, 5, STACK(WORK), 0);
    EV(20, -1, GoStart, 5);
}

#define WORK_ROWS                             \
    "goroutine main.work running 1 80 80\n"   \
    "goroutine main.work runnable 1 10 10\n" \
    "goroutine main.work lifetime 1 90 90\n"

static void end_work(void)
{
    EV(100, 5, GoDestroy);
}

// TASKS

static void test_tasks(void **state)
{
    (void)state;
    script_begin();
    SYNC(1);
    EV(10, 5, UserTaskBegin, 1, TP_NO_TASK, TEXT(ALPHA));
    EV(12, 5, UserTaskBegin, 2, 1, TEXT(BETA));
    EV(17, 6, UserTaskEnd, 1);
    EV(20, 5, UserTaskBegin, 3, 2, TEXT(ALPHA_AGAIN));
    EV(21, 5, UserTaskEnd, 3);
    // Its begin was not seen; that of 2 has no end.
    EV(25, 5, UserTaskEnd, 99, 0, 0, TEXT(BETA));
    EV(40, 5, HeapAlloc, 1);
    script_expect("task beta 0 0 0 cut 1 28\n"
                  "task alpha 2 8 7\n"
                  "task  0 0 0 cut 1 0\n");
}

static void test_a_task_that_begins_again_replaces_the_one_before(void **state)
{
    (void)state;
    script_begin();
    SYNC(1);
    EV(10, 5, UserTaskBegin, 1, TP_NO_TASK, TEXT(ALPHA));
    EV(20, 5, UserTaskBegin, 1, TP_NO_TASK, TEXT(BETA));
    EV(23, 5, UserTaskEnd, 1);
    EV(30, 5, UserTaskEnd, 1);
    EV(40, 5, HeapAlloc, 1);
    script_expect("task beta 1 3 3\n"
                  "task  0 0 0 cut 1 0\n");
}

// REGIONS

static void test_regions_nest(void **state)
{
    (void)state;
    begin_work();
    EV(30, 5, UserRegionBegin, 0, TEXT(ALPHA));
    EV(35, 5, UserRegionBegin, 0, TEXT(BETA));
    EV(36, 5, UserRegionBegin, 0, TEXT(ALPHA_AGAIN));
    EV(37, 5, UserRegionEnd, 0, TEXT(ALPHA));
    EV(45, 5, UserRegionEnd, 0, TEXT(BETA));
    EV(46, 5, UserRegionBegin, 0, TEXT(BETA));
    EV(48, 5, UserRegionEnd, 0, TEXT(BETA));
    EV(60, 5, UserRegionEnd, 0, TEXT(ALPHA));
    end_work();
    script_expect(WORK_ROWS "region alpha 2 31 30\n"
                            "region beta 2 12 10\n");
}

static void test_regions_that_overlap(void **state)
{
    (void)state;
    begin_work();
    EV(30, 5, UserRegionBegin, 0, TEXT(ALPHA));
    EV(35, 5, UserRegionBegin, 7, TEXT(ALPHA));
    EV(36, 5, UserRegionBegin, 0, TEXT(BETA));
    EV(40, 5, UserRegionEnd, 0, TEXT(ALPHA_AGAIN));
    EV(46, 5, UserRegionEnd, 7, TEXT(ALPHA));
    // One that ends nothing, as the order says.
    EV(47, 5, UserRegionEnd, 7, TEXT(ALPHA), 0, 1);
    EV(56, 5, UserRegionEnd, 0, TEXT(BETA));
    end_work();
    script_expect(WORK_ROWS "region alpha 2 21 11\n"
                            "region beta 1 20 20\n");
}

static void test_regions_of_several_goroutines(void **state)
{
    (void)state;
    begin_work();
    EV(30, 5, UserRegionBegin, 0, TEXT(ALPHA));
    EV(31, 6, UserRegionBegin, 0, TEXT(BETA));
    EV(32, -1, UserRegionBegin, 0, TEXT(BETA));
    EV(34, 5, UserRegionEnd, 0, TEXT(ALPHA));
    EV(36, 6, UserRegionEnd, 0, TEXT(BETA));
    end_work();
    // Nothing else is known of goroutine 6.
    script_expect("goroutine main.work running 1 80 80\n"
                  "goroutine main.work runnable 1 10 10\n"
                  "goroutine main.work lifetime 1 90 90\n"
                  "goroutine  lifetime 0 0 0 cut 1 0\n"
                  "region beta 1 5 5\n"
                  "region alpha 1 4 4\n");
}

static void test_ends_without_begin_have_no_length(void **state)
{
    (void)state;
    begin_work();
    EV(30, 5, UserRegionEnd, 0, TEXT(BETA));
    EV(40, 5, UserRegionBegin, 0, TEXT(ALPHA));
    EV(50, 5, UserRegionEnd, 0, TEXT(ALPHA));
    EV(51, 5, UserRegionEnd, 0, TEXT(ALPHA));
    end_work();
    script_expect(WORK_ROWS "region alpha 1 10 10 cut 1 0\n"
                            "region beta 0 0 0 cut 1 0\n");
}

static void test_regions_end_with_their_goroutine(void **state)
{
    (void)state;
    begin_work();
    EV(30, 5, UserRegionBegin, 0, TEXT(ALPHA));
    EV(40, 5, UserRegionBegin, 0, TEXT(BETA));
    end_work();
    script_expect(WORK_ROWS "region alpha 1 70 70\n"
                            "region beta 1 60 60\n");
}

static void test_regions_are_cut_with_the_trace(void **state)
{
    (void)state;
    begin_work();
    EV(30, 5, UserRegionBegin, 0, TEXT(ALPHA));
    EV(50, 1, HeapAlloc, 1);
    script_expect("goroutine main.work running 0 0 0 cut 1 30\n"
                  "goroutine main.work runnable 1 10 10\n"
                  "goroutine main.work lifetime 0 0 0 cut 1 40\n"
                  "region alpha 0 0 0 cut 1 20\n");
}

static void test_open_regions_of_the_runtime_are_dropped(void **state)
{
    (void)state;
    script_begin();
    SYNC(1);
    EV(10, 1, GoCreate, 5, STACK(SWEEPER), 0);
    EV(20, -1, GoStart, 5);
    EV(25, 5, UserRegionBegin, 0, TEXT(BETA));
    EV(27, 5, UserRegionEnd, 0, TEXT(BETA));
    EV(30, 5, UserRegionBegin, 0, TEXT(ALPHA));
    EV(40, 5, GoDestroy);
    EV(50, 1, GoCreate, 6, STACK(MAIN), 0);
    EV(60, 6, UserRegionBegin, 0, TEXT(ALPHA));
    EV(65, 1, HeapAlloc, 1);
    script_expect("goroutine runtime.bgsweep running 1 20 20\n"
                  "goroutine runtime.main runnable 0 0 0 cut 1 15\n"
                  "goroutine runtime.bgsweep runnable 1 10 10\n"
                  "goroutine runtime.bgsweep lifetime 1 30 30\n"
                  "goroutine runtime.main lifetime 0 0 0 cut 1 15\n"
                  "region alpha 0 0 0 cut 1 5\n"
                  "region beta 1 2 2\n");
}

// A region may be all that is known of a goroutine before another one takes its id.
static void test_regions_of_one_that_is_replaced(void **state)
{
    (void)state;
    script_begin();
    SYNC(1);
    EV(5, 5, UserRegionBegin, 0, TEXT(BETA));
    EV(10, 1, GoCreate, 5, STACK(WORK), 0);
    EV(20, -1, GoStart, 5);
    EV(22, 5, UserRegionEnd, 0, TEXT(ALPHA));
    end_work();
    script_expect("goroutine main.work running 1 80 80\n"
                  "goroutine main.work runnable 1 10 10\n"
                  "goroutine main.work lifetime 1 90 90\n"
                  "goroutine  lifetime 0 0 0 cut 1 0\n"
                  "region alpha 0 0 0 cut 1 0\n");
}

// RANGES

static void test_pauses_by_goroutine_and_cause(void **state)
{
    (void)state;
    script_begin();
    SYNC(1);
    EV(10, 5, STWBegin, TEXT(ALPHA));
    EV(13, 5, STWEnd, TEXT(ALPHA));
    EV(20, 6, STWBegin, TEXT(BETA));
    EV(22, 5, STWBegin, TEXT(ALPHA));
    EV(29, 6, STWEnd, TEXT(ALPHA)); // the cause is that of the begin event
    EV(30, 7, STWEnd, TEXT(BETA));
    EV(32, 5, HeapAlloc, 1);
    script_expect("pause alpha 1 3 3 cut 1 10\n"
                  "pause beta 1 9 9 cut 1 0\n");
}

static void test_the_collector(void **state)
{
    (void)state;
    script_begin();
    SYNC(1);
    EV(10, 5, GCBegin, 1);
    EV(12, 5, GCMarkAssistBegin);
    EV(13, 6, GCMarkAssistBegin);
    EV(17, 5, GCMarkAssistEnd);
    EV(21, 6, GCMarkAssistEnd);
    EV(40, 5, GCEnd, 2);
    EV(50, 5, GCSweepBegin);
    EV(51, 5, GCSweepEnd, 100, 50);
    EV(60, 5, GCSweepBegin);
    EV(90, 5, GCBegin, 3);
    EV(95, 5, HeapAlloc, 1);
    script_expect("mark  1 30 30 cut 1 5\n"
                  "assist  2 13 8\n"
                  "sweep  1 1 1 cut 1 35\n");
}

static void test_what_goes_on_at_the_start_is_cut(void **state)
{
    (void)state;
    script_begin();
    SYNC(1);
    EV(10, -1, GCActive, 1);
    EV(11, -1, GCSweepActive, SCRIPT_P);
    EV(12, -1, GCMarkAssistActive, 5);
    EV(15, 5, GCSweepEnd, 0, 0);
    EV(20, 5, GCMarkAssistEnd);
    EV(25, 5, GCSweepBegin);
    EV(26, 5, GCSweepEnd, 0, 0);
    EV(30, 5, GCEnd, 2);
    EV(31, 5, GCMarkAssistEnd);
    script_expect("mark  0 0 0 cut 1 20\n"
                  "assist  0 0 0 cut 2 8\n"
                  "sweep  1 1 1 cut 1 4\n");
}

// At the beginning of a later generation Active events report the open intervals again.
static void test_active_ones_that_are_known_have_begun_before(void **state)
{
    (void)state;
    script_begin();
    SYNC(1);
    EV(10, 5, GCBegin, 1);
    EV(12, 5, GCMarkAssistBegin);
    SYNC(20);
    EV(21, -1, GCActive, 1);
    EV(22, -1, GCMarkAssistActive, 5);
    EV(25, 5, GCMarkAssistEnd);
    EV(30, 5, GCEnd, 2);
    EV(40, -1, GCActive, 3);
    EV(45, 5, GCEnd, 4);
    script_expect("mark  1 20 20 cut 1 5\n"
                  "assist  1 13 13\n");
}

// OTHERS

static void test_logs_are_counted_by_category(void **state)
{
    (void)state;
    script_begin();
    SYNC(1);
    EV(10, 5, UserLog, 0, TEXT(ALPHA), TEXT(BETA));
    EV(11, 5, UserLog, 7, TEXT(ALPHA_AGAIN), TEXT(ALPHA));
    EV(12, -1, UserLog, 0, TEXT(BETA), TEXT(ALPHA));
    script_expect("log alpha 2 0 0\n"
                  "log beta 1 0 0\n");
}

static void test_samples_are_counted_by_stack(void **state)
{
    (void)state;
    script_begin();
    SYNC(1);
    EV(10, 5, CPUSample, STACK(WORK));
    EV(11, 6, CPUSample, STACK(WORK));
    EV(12, 6, CPUSample, STACK(NO_FRAMES));
    EV(13, -1, CPUSample, 0);
    EV(14, -1, CPUSample, 99999);
    script_expect("samples 5 4\n"
                  "cpu  3 0\n"
                  "cpu main.leaf:7;main.work:9 2 0\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tasks),
        cmocka_unit_test(test_a_task_that_begins_again_replaces_the_one_before),
        cmocka_unit_test(test_regions_nest),
        cmocka_unit_test(test_regions_that_overlap),
        cmocka_unit_test(test_regions_of_several_goroutines),
        cmocka_unit_test(test_ends_without_begin_have_no_length),
        cmocka_unit_test(test_regions_end_with_their_goroutine),
        cmocka_unit_test(test_regions_are_cut_with_the_trace),
        cmocka_unit_test(test_open_regions_of_the_runtime_are_dropped),
        cmocka_unit_test(test_regions_of_one_that_is_replaced),
        cmocka_unit_test(test_pauses_by_goroutine_and_cause),
        cmocka_unit_test(test_the_collector),
        cmocka_unit_test(test_what_goes_on_at_the_start_is_cut),
        cmocka_unit_test(test_active_ones_that_are_known_have_begun_before),
        cmocka_unit_test(test_logs_are_counted_by_category),
        cmocka_unit_test(test_samples_are_counted_by_stack),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
