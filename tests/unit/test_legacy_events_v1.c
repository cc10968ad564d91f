// The events of traces from before Go 1.22 as the parser of that time gave them: links, ties,
// futile wake-ups, words. What the texts say was compared with that parser.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "legacy_script_v1.h"

static int tear_down(void **state)
{
    (void)state;
    script_v1_fini();
    return 0;
}

static void test_the_life_of_a_goroutine(void **state)
{
    (void)state;
    script_v1_begin(11);
    P(0, 100);
    EV(GoCreate, 0, 7, 33, 1);
    EV(GoStartLocal, 1, 7);
    EV(GoSched, 1, 2);
    EV(GoStartLocal, 1, 7);
    EV(GoBlockNet, 1, 3);
    P(1, 110);
    EV(GoCreate, 0, 8, 34, 1);
    EV(GoStartLocal, 1, 8);
    EV(GoUnblock, 1, 7, 3, 4);
    EV(GoEnd, 1);
    EV(GoStart, 1, 7, 4);
    EV(GoSysCall, 1, 5);
    EV(GoSysBlock, 1);
    EV(GoSysExit, 9, 7, 5, 118);
    EV(GoStart, 1, 7, 6);
    EV(GoPreempt, 1, 6);
    assert_string_equal(script_v1_legacy_events_strictly(),
                        "9\t0\tGoCreate\t0\t0\t1\t7,33,0\t-\t15\t1\n"
                        "15\t1\tGoStart\t0\t7\t33\t7,0,0\t-\t18\t2\n"
                        "18\t2\tGoSched\t0\t7\t2\t0,0,0\t-\t21\t3\n"
                        "21\t3\tGoStart\t0\t7\t0\t7,0,0\t-\t24\t4\n"
                        "24\t4\tGoBlockNet\t0\t7\t3\t0,0,0\t-\t39\t12\n"
                        "30\t10\tGoCreate\t1\t0\t1\t8,34,0\t-\t36\t11\n"
                        "36\t11\tGoStart\t1\t8\t34\t8,0,0\t-\t45\t13\n"
                        "39\t12\tGoUnblock\t1000002\t8\t4\t7,3,0\t-\t47\t14\n"
                        "45\t13\tGoEnd\t1\t8\t0\t0,0,0\t-\t-\t-\n"
                        "47\t14\tGoStart\t1\t7\t0\t7,4,0\t-\t54\t16\n"
                        "51\t15\tGoSysCall\t1\t7\t5\t0,0,0\t-\t56\t18\n"
                        "54\t16\tGoSysBlock\t1\t7\t0\t0,0,0\t-\t-\t-\n"
                        "56\t18\tGoSysExit\t1000003\t7\t0\t7,5,118\t-\t62\t26\n"
                        "62\t26\tGoStart\t1\t7\t0\t7,6,0\t-\t66\t27\n"
                        "66\t27\tGoPreempt\t1\t7\t6\t0,0,0\t-\t-\t-\n");
}

// A system call that does not block is answered by nothing, one from before the trace neither.
static void test_system_calls(void **state)
{
    (void)state;
    script_v1_begin(11);
    P(0, 100);
    EV(GoCreate, 0, 6, 0, 1);
    EV(GoInSyscall, 0, 6);
    EV(GoCreate, 0, 7, 0, 1);
    EV(GoStartLocal, 1, 7);
    EV(GoSysCall, 1, 5);
    EV(GoSysCall, 1, 5);
    EV(GoStop, 1, 5);
    EV(GoSysExit, 1, 6, 2, 0);
    EV(GoStart, 1, 6, 3);
    assert_string_equal(script_v1_legacy_events_strictly(),
                        "9\t0\tGoCreate\t0\t0\t1\t6,0,0\t-\t-\t-\n"
                        "15\t0\tGoInSyscall\t0\t6\t0\t6,0,0\t-\t-\t-\n"
                        "18\t0\tGoCreate\t0\t0\t1\t7,0,0\t-\t24\t1\n"
                        "24\t1\tGoStart\t0\t7\t0\t7,0,0\t-\t33\t4\n"
                        "27\t2\tGoSysCall\t0\t7\t5\t0,0,0\t-\t-\t-\n"
                        "30\t3\tGoSysCall\t0\t7\t5\t0,0,0\t-\t-\t-\n"
                        "33\t4\tGoStop\t0\t7\t5\t0,0,0\t-\t-\t-\n"
                        "36\t5\tGoSysExit\t1000003\t6\t0\t6,2,0\t-\t42\t6\n"
                        "42\t6\tGoStart\t0\t6\t0\t6,3,0\t-\t-\t-\n");
}

static void test_the_collector(void **state)
{
    (void)state;
    script_v1_begin(21);
    P(0, 100);
    EV(GoCreate, 0, 7, 0, 1);
    EV(GoStartLocal, 1, 7);
    EV(STWStart, 1, 2);
    EV(GCStart, 1, 0, 3);
    EV(STWDone, 1);
    EV(GCMarkAssistDone, 1);
    EV(GCMarkAssistStart, 1, 4);
    EV(GCSweepStart, 1, 5);
    EV(GCSweepDone, 1, 10, 11);
    EV(GCMarkAssistDone, 1);
    EV(GCDone, 1);
    EV(STWStart, 1, 0);
    EV(STWDone, 1);
    EV(STWStart, 1, 6);
    EV(STWDone, 1);
    EV(STWStart, 1, 16);
    EV(STWDone, 1);
    EV(STWStart, 1, 17);
    assert_string_equal(script_v1_legacy_events_strictly(),
                        "9\t0\tGoCreate\t0\t0\t1\t7,0,0\t-\t15\t1\n"
                        "15\t1\tGoStart\t0\t7\t0\t7,0,0\t-\t-\t-\n"
                        "18\t2\tSTWStart\t0\t0\t0\t2,0,0\t\"GC sweep termination\"\t25\t4\n"
                        "21\t3\tGCStart\t1000004\t0\t3\t0,0,0\t-\t41\t10\n"
                        "25\t4\tSTWDone\t0\t0\t0\t0,0,0\t-\t-\t-\n"
                        "27\t5\tGCMarkAssistDone\t0\t7\t0\t0,0,0\t-\t-\t-\n"
                        "29\t6\tGCMarkAssistStart\t0\t7\t4\t0,0,0\t-\t39\t9\n"
                        "32\t7\tGCSweepStart\t0\t7\t5\t0,0,0\t-\t35\t8\n"
                        "35\t8\tGCSweepDone\t0\t7\t0\t10,11,0\t-\t-\t-\n"
                        "39\t9\tGCMarkAssistDone\t0\t7\t0\t0,0,0\t-\t-\t-\n"
                        "41\t10\tGCDone\t0\t0\t0\t0,0,0\t-\t-\t-\n"
                        "43\t11\tSTWStart\t0\t0\t0\t0,0,0\t\"unknown\"\t46\t12\n"
                        "46\t12\tSTWDone\t0\t0\t0\t0,0,0\t-\t-\t-\n"
                        "48\t13\tSTWStart\t0\t0\t0\t6,0,0\t\"all goroutines stack trace\"\t51\t14\n"
                        "51\t14\tSTWDone\t0\t0\t0\t0,0,0\t-\t-\t-\n"
                        "53\t15\tSTWStart\t0\t0\t0\t16,0,0\t\"ResetDebugLog (test)\"\t56\t16\n"
                        "56\t16\tSTWDone\t0\t0\t0\t0,0,0\t-\t-\t-\n"
                        "58\t17\tSTWStart\t0\t0\t0\t17,0,0\t\"unknown\"\t-\t-\n");
}

// Before Go 1.10 each P stops the world for itself.
static void test_a_world_that_is_stopped_by_ps(void **state)
{
    (void)state;
    script_v1_begin(9);
    P(0, 100);
    EV(STWStart, 1);
    EV(STWDone, 9);
    P(1, 102);
    EV(STWStart, 1);
    EV(STWDone, 1);
    assert_string_equal(script_v1_legacy_events_strictly(),
                        "9\t0\tGCSTWStart\t0\t0\t0\t0,0,0\t\"mark termination\"\t11\t9\n"
                        "16\t2\tGCSTWStart\t1\t0\t0\t0,0,0\t\"mark termination\"\t18\t3\n"
                        "18\t3\tGCSTWDone\t1\t0\t0\t0,0,0\t-\t-\t-\n"
                        "11\t9\tGCSTWDone\t0\t0\t0\t0,0,0\t-\t-\t-\n");
}

// Names that are not there are empty, even where a later string has taken their number.
static void test_tasks_regions_logs_and_labels(void **state)
{
    (void)state;
    script_v1_begin(11);
    STRING(1, "a\"name");
    STRING(2, "other");
    P(0, 100);
    EV(GoCreate, 0, 7, 0, 1);
    EV(GoStartLabel, 1, 7, 1, 1);
    EV(UserTaskCreate, 1, 5, 0, 1, 2);
    EV(UserTaskCreate, 1, 6, 5, 3, 2);
    EV(UserRegion, 1, 5, 1, 9, 0);
    EV(UserRegion, 1, 5, 0, 1, 0);
    EV(UserRegion, 1, 5, 0, 2, 0);
    EV(UserRegion, 1, 5, 1, 2, 0);
    EV(UserRegion, 1, 5, 0, 2, 0);
    LOG(1, 5, 2, 0, "message\n");
    LOG(1, 5, 4, 0, "");
    EV(UserTaskEnd, 1, 5, 0);
    EV(UserTaskEnd, 1, 5, 0);
    EV(UserTaskCreate, 1, 5, 0, 3, 2);
    EV(GoEnd, 1);
    assert_string_equal(script_v1_legacy_events_strictly(),
                        "26\t0\tGoCreate\t0\t0\t1\t7,0,0\t-\t32\t1\n"
                        "32\t1\tGoStartLabel\t0\t7\t0\t7,1,1\t\"a\\\"name\"\t124\t14\n"
                        "38\t2\tUserTaskCreate\t0\t7\t2\t5,0,1\t\"a\\\"name\"\t109\t11\n"
                        "45\t3\tUserTaskCreate\t0\t7\t2\t6,5,3\t\"\"\t-\t-\n"
                        "52\t4\tUserRegion\t0\t7\t0\t5,1,9\t\"\"\t-\t-\n"
                        "59\t5\tUserRegion\t0\t7\t0\t5,0,1\t\"a\\\"name\"\t124\t14\n"
                        "66\t6\tUserRegion\t0\t7\t0\t5,0,2\t\"other\"\t73\t7\n"
                        "73\t7\tUserRegion\t0\t7\t0\t5,1,2\t\"other\"\t-\t-\n"
                        "80\t8\tUserRegion\t0\t7\t0\t5,0,2\t\"other\"\t124\t14\n"
                        "87\t9\tUserLog\t0\t7\t0\t5,2,0\t\"other\",\"message\\n\"\t-\t-\n"
                        "102\t10\tUserLog\t0\t7\t0\t5,4,0\t\"\",\"\"\t-\t-\n"
                        "109\t11\tUserTaskEnd\t0\t7\t0\t5,0,0\t-\t-\t-\n"
                        "113\t12\tUserTaskEnd\t0\t7\t0\t5,0,0\t-\t-\t-\n"
                        "117\t13\tUserTaskCreate\t0\t7\t2\t5,0,3\t\"\"\t-\t-\n"
                        "124\t14\tGoEnd\t0\t7\t0\t0,0,0\t-\t-\t-\n");
}

// Timers unblock nobody through the network, and samples keep the order of the file.
static void test_other_ps(void **state)
{
    (void)state;
    script_v1_begin(19);
    wire_v1_put_timer_goroutine(&script_v1.wire, 19, 8);
    P(0, 100);
    EV(GoCreate, 0, 7, 0, 1);
    EV(GoCreate, 0, 8, 0, 1);
    EV(GoStartLocal, 1, 7);
    EV(GoBlockNet, 1, 3);
    EV(GoStartLocal, 1, 8);
    EV(GoUnblockLocal, 1, 7, 4);
    P(1, 100);
    EV(CPUSample, 1, 104, UINT64_MAX, 3, 2);
    EV(CPUSample, 1, 104, 0, 7, 1);
    EV(CPUSample, 1, 101, 2, 0, 1);
    assert_string_equal(script_v1_legacy_events_strictly(),
                        "11\t0\tGoCreate\t0\t0\t1\t7,0,0\t-\t23\t1\n"
                        "17\t0\tGoCreate\t0\t0\t1\t8,0,0\t-\t29\t3\n"
                        "62\t1\tCPUSample\t2\t0\t1\t0,2,0\t-\t-\t-\n"
                        "23\t1\tGoStart\t0\t7\t0\t7,0,0\t-\t26\t2\n"
                        "26\t2\tGoBlockNet\t0\t7\t3\t0,0,0\t-\t32\t4\n"
                        "29\t3\tGoStart\t0\t8\t0\t8,0,0\t-\t-\t-\n"
                        "39\t4\tCPUSample\t-1\t3\t2\t0,18446744073709551615,3\t-\t-\t-\n"
                        "32\t4\tGoUnblock\t1000001\t8\t4\t7,0,0\t-\t-\t-\n"
                        "55\t4\tCPUSample\t0\t7\t1\t0,0,7\t-\t-\t-\n");
}

// The entry that stood last in the frontier takes the place of the one that was taken.
static void test_equal_times(void **state)
{
    (void)state;
    script_v1_begin(11);
    for (unsigned p = 0; p < 5; p++) {
        P(4 - p, 100);
        EV(HeapAlloc, p == 3 ? 0 : 1, p);
        EV(HeapAlloc, p % 2, 10 + p);
        EV(HeapAlloc, 0, 20 + p);
    }
    assert_string_equal(script_v1_legacy_events_strictly(),
                        "45\t0\tHeapAlloc\t1\t0\t0\t3,0,0\t-\t-\t-\n"
                        "9\t1\tHeapAlloc\t4\t0\t0\t0,0,0\t-\t-\t-\n"
                        "48\t1\tHeapAlloc\t1\t0\t0\t13,0,0\t-\t-\t-\n"
                        "12\t1\tHeapAlloc\t4\t0\t0\t10,0,0\t-\t-\t-\n"
                        "51\t1\tHeapAlloc\t1\t0\t0\t23,0,0\t-\t-\t-\n"
                        "15\t1\tHeapAlloc\t4\t0\t0\t20,0,0\t-\t-\t-\n"
                        "21\t1\tHeapAlloc\t3\t0\t0\t1,0,0\t-\t-\t-\n"
                        "33\t1\tHeapAlloc\t2\t0\t0\t2,0,0\t-\t-\t-\n"
                        "57\t1\tHeapAlloc\t0\t0\t0\t4,0,0\t-\t-\t-\n"
                        "36\t1\tHeapAlloc\t2\t0\t0\t12,0,0\t-\t-\t-\n"
                        "60\t1\tHeapAlloc\t0\t0\t0\t14,0,0\t-\t-\t-\n"
                        "39\t1\tHeapAlloc\t2\t0\t0\t22,0,0\t-\t-\t-\n"
                        "63\t1\tHeapAlloc\t0\t0\t0\t24,0,0\t-\t-\t-\n"
                        "24\t2\tHeapAlloc\t3\t0\t0\t11,0,0\t-\t-\t-\n"
                        "27\t2\tHeapAlloc\t3\t0\t0\t21,0,0\t-\t-\t-\n");
}

static void test_equal_times_of_many_ps(void **state)
{
    (void)state;
    script_v1_begin(11);
    for (unsigned p = 0; p < 14; p++) {
        P(p, 100);
        EV(HeapAlloc, p % 3, p);
    }
    assert_string_equal(script_v1_legacy_events_strictly(),
                        "45\t0\tHeapAlloc\t6\t0\t0\t6,0,0\t-\t-\t-\n"
                        "9\t0\tHeapAlloc\t0\t0\t0\t0,0,0\t-\t-\t-\n"
                        "81\t0\tHeapAlloc\t12\t0\t0\t12,0,0\t-\t-\t-\n"
                        "63\t0\tHeapAlloc\t9\t0\t0\t9,0,0\t-\t-\t-\n"
                        "27\t0\tHeapAlloc\t3\t0\t0\t3,0,0\t-\t-\t-\n"
                        "15\t1\tHeapAlloc\t1\t0\t0\t1,0,0\t-\t-\t-\n"
                        "33\t1\tHeapAlloc\t4\t0\t0\t4,0,0\t-\t-\t-\n"
                        "69\t1\tHeapAlloc\t10\t0\t0\t10,0,0\t-\t-\t-\n"
                        "51\t1\tHeapAlloc\t7\t0\t0\t7,0,0\t-\t-\t-\n"
                        "87\t1\tHeapAlloc\t13\t0\t0\t13,0,0\t-\t-\t-\n"
                        "21\t2\tHeapAlloc\t2\t0\t0\t2,0,0\t-\t-\t-\n"
                        "39\t2\tHeapAlloc\t5\t0\t0\t5,0,0\t-\t-\t-\n"
                        "57\t2\tHeapAlloc\t8\t0\t0\t8,0,0\t-\t-\t-\n"
                        "75\t2\tHeapAlloc\t11\t0\t0\t11,0,0\t-\t-\t-\n");
}

static void test_wake_ups_for_nothing(void **state)
{
    (void)state;
    script_v1_begin(11);
    P(0, 100);
    EV(GoCreate, 0, 7, 0, 1);
    EV(GoCreate, 0, 8, 0, 1);
    EV(GoStartLocal, 1, 7);
    EV(GoBlockSync, 1, 2);
    EV(GoStartLocal, 1, 8);
    EV(GoUnblockLocal, 1, 7, 2);
    EV(GoSched, 1, 2);
    EV(GoStartLocal, 1, 7);
    EV(GoPreempt, 1, 1);
    EV(GoStartLocal, 1, 7);
    EV(FutileWakeup, 1);
    EV(GoBlockSync, 1, 2);
    // The next one was of use.
    EV(GoStartLocal, 1, 8);
    EV(GoUnblockLocal, 1, 7, 2);
    EV(GoBlock, 1, 2);
    EV(GoStartLocal, 1, 7);
    EV(GoBlockRecv, 1, 2);
    assert_string_equal(script_v1_legacy_events_strictly(),
                        "9\t0\tGoCreate\t0\t0\t1\t7,0,0\t-\t21\t1\n"
                        "15\t0\tGoCreate\t0\t0\t1\t8,0,0\t-\t27\t3\n"
                        "21\t1\tGoStart\t0\t7\t0\t7,0,0\t-\t24\t2\n"
                        "24\t2\tGoBlockSync\t0\t7\t2\t0,0,0\t-\t54\t12\n"
                        "27\t3\tGoStart\t0\t8\t0\t8,0,0\t-\t34\t5\n"
                        "34\t5\tGoSched\t0\t8\t2\t0,0,0\t-\t51\t11\n"
                        "51\t11\tGoStart\t0\t8\t0\t8,0,0\t-\t58\t13\n"
                        "54\t12\tGoUnblock\t0\t8\t2\t7,0,0\t-\t61\t14\n"
                        "58\t13\tGoBlock\t0\t8\t2\t0,0,0\t-\t-\t-\n"
                        "61\t14\tGoStart\t0\t7\t0\t7,0,0\t-\t64\t15\n"
                        "64\t15\tGoBlockRecv\t0\t7\t2\t0,0,0\t-\t-\t-\n");
    // Of one that does not end before the trace does all is shown.
    script_v1_begin(11);
    P(0, 100);
    EV(GoCreate, 0, 7, 0, 1);
    EV(GoStartLocal, 1, 7);
    EV(FutileWakeup, 1);
    EV(GoSleep, 1, 1);
    assert_string_equal(script_v1_legacy_events_strictly(),
                        "9\t0\tGoCreate\t0\t0\t1\t7,0,0\t-\t15\t1\n"
                        "15\t1\tGoStart\t0\t7\t0\t7,0,0\t-\t20\t3\n"
                        "18\t2\tFutileWakeup\t0\t7\t0\t0,0,0\t-\t-\t-\n"
                        "20\t3\tGoSleep\t0\t7\t1\t0,0,0\t-\t-\t-\n");
    // Marked, and woken anew before it blocks: the second one is left out.
    script_v1_begin(11);
    P(0, 100);
    EV(GoCreate, 0, 7, 0, 1);
    EV(GoStartLocal, 1, 7);
    EV(FutileWakeup, 1);
    EV(GoSleep, 1, 1);
    EV(GoCreate, 0, 8, 0, 1);
    EV(GoStartLocal, 1, 8);
    EV(GoUnblockLocal, 1, 7, 2);
    EV(GoSched, 1, 2);
    EV(GoStartLocal, 1, 7);
    EV(GoBlockCond, 1, 2);
    assert_string_equal(script_v1_legacy_events_strictly(),
                        "9\t0\tGoCreate\t0\t0\t1\t7,0,0\t-\t15\t1\n"
                        "15\t1\tGoStart\t0\t7\t0\t7,0,0\t-\t20\t3\n"
                        "18\t2\tFutileWakeup\t0\t7\t0\t0,0,0\t-\t-\t-\n"
                        "20\t3\tGoSleep\t0\t7\t1\t0,0,0\t-\t-\t-\n"
                        "23\t3\tGoCreate\t0\t0\t1\t8,0,0\t-\t29\t4\n"
                        "29\t4\tGoStart\t0\t8\t0\t8,0,0\t-\t36\t6\n"
                        "36\t6\tGoSched\t0\t8\t2\t0,0,0\t-\t-\t-\n");
}

// Go 1.5 has sequence numbers, PCs where goroutines begin, and no stack of that.
static void test_go_1_5(void **state)
{
    (void)state;
    script_v1_begin(5);
    STACK(1, 2);
    EV(Batch, 0, 0, 100);
    EV(GoCreate, 1, 1, 7, 0x1000, 1);
    EV(GoStart, 1, 1, 7);
    EV(GoSysCall, 1, 1, 1);
    EV(GoSysBlock, 1, 1);
    EV(GoSysExit, 5, 9, 7, 5, 105);
    EV(GoStart, 1, 1, 7);
    EV(GoSysCall, 1, 1, 1);
    EV(GoSysBlock, 1, 1);
    EV(GoSysExit, 2, 1, 7, 13, 0);
    assert_string_equal(script_v1_legacy_events_strictly(),
                        "19\t0\tGoCreate\t0\t0\t1\t7,4096,0\t-\t27\t1\n"
                        "27\t1\tGoStart\t0\t7\t0\t7,0,0\t-\t35\t3\n"
                        "31\t2\tGoSysCall\t0\t7\t1\t0,0,0\t-\t38\t4\n"
                        "35\t3\tGoSysBlock\t0\t7\t0\t0,0,0\t-\t-\t-\n"
                        "38\t4\tGoSysExit\t1000003\t7\t0\t7,5,105\t-\t45\t13\n"
                        "45\t13\tGoStart\t0\t7\t0\t7,0,0\t-\t53\t15\n"
                        "49\t14\tGoSysCall\t0\t7\t1\t0,0,0\t-\t56\t16\n"
                        "53\t15\tGoSysBlock\t0\t7\t0\t0,0,0\t-\t-\t-\n"
                        "56\t16\tGoSysExit\t1000003\t7\t0\t7,13,0\t-\t-\t-\n");
}

// All events are sorted by their numbers, where equal ones end up as they do in Go.
static void test_numbers_of_go_1_5_that_do_not_rise(void **state)
{
    (void)state;
    script_v1_begin(5);
    EV(Batch, 0, 20, 100);
    EV(HeapAlloc, 1, 5, 1);
    EV(Batch, 0, 10, 50);
    EV(HeapAlloc, 1, 5, 2);
    EV(Batch, 1, 14, 70);
    EV(HeapAlloc, 1, 5, 3);
    assert_string_equal(script_v1_legacy_events_strictly(),
                        "19\t0\tHeapAlloc\t0\t0\t0\t2,0,0\t-\t-\t-\n"
                        "27\t20\tHeapAlloc\t1\t0\t0\t3,0,0\t-\t-\t-\n"
                        "11\t50\tHeapAlloc\t0\t0\t0\t1,0,0\t-\t-\t-\n");
    script_v1_begin(5);
    for (unsigned p = 0; p < 5; p++) {
        EV(Batch, p, 10, 50);
        for (unsigned i = 0; i < 4; i++)
            EV(HeapAlloc, i % 2, 0, 10 * p + i);
    }
    assert_string_equal(script_v1_legacy_events_strictly(),
                        "51\t0\tHeapAlloc\t2\t0\t0\t20,0,0\t-\t-\t-\n"
                        "91\t0\tHeapAlloc\t4\t0\t0\t40,0,0\t-\t-\t-\n"
                        "71\t0\tHeapAlloc\t3\t0\t0\t30,0,0\t-\t-\t-\n"
                        "11\t0\tHeapAlloc\t0\t0\t0\t0,0,0\t-\t-\t-\n"
                        "31\t0\tHeapAlloc\t1\t0\t0\t10,0,0\t-\t-\t-\n"
                        "59\t0\tHeapAlloc\t2\t0\t0\t22,0,0\t-\t-\t-\n"
                        "19\t0\tHeapAlloc\t0\t0\t0\t2,0,0\t-\t-\t-\n"
                        "99\t0\tHeapAlloc\t4\t0\t0\t42,0,0\t-\t-\t-\n"
                        "35\t0\tHeapAlloc\t1\t0\t0\t11,0,0\t-\t-\t-\n"
                        "55\t0\tHeapAlloc\t2\t0\t0\t21,0,0\t-\t-\t-\n"
                        "95\t0\tHeapAlloc\t4\t0\t0\t41,0,0\t-\t-\t-\n"
                        "15\t0\tHeapAlloc\t0\t0\t0\t1,0,0\t-\t-\t-\n"
                        "39\t0\tHeapAlloc\t1\t0\t0\t12,0,0\t-\t-\t-\n"
                        "75\t0\tHeapAlloc\t3\t0\t0\t31,0,0\t-\t-\t-\n"
                        "79\t0\tHeapAlloc\t3\t0\t0\t32,0,0\t-\t-\t-\n"
                        "83\t0\tHeapAlloc\t3\t0\t0\t33,0,0\t-\t-\t-\n"
                        "63\t0\tHeapAlloc\t2\t0\t0\t23,0,0\t-\t-\t-\n"
                        "23\t0\tHeapAlloc\t0\t0\t0\t3,0,0\t-\t-\t-\n"
                        "43\t0\tHeapAlloc\t1\t0\t0\t13,0,0\t-\t-\t-\n"
                        "103\t0\tHeapAlloc\t4\t0\t0\t43,0,0\t-\t-\t-\n");
    // In this order it is a sound trace, and its wake-up for nothing is left out.
    script_v1_begin(5);
    EV(Batch, 0, 50, 500);
    EV(GoStart, 1, 1, 7);
    EV(FutileWakeup, 1, 1);
    EV(GoBlockSync, 1, 1, 1);
    EV(Batch, 0, 10, 100);
    EV(GoCreate, 1, 1, 7, 0x1000, 1);
    assert_string_equal(script_v1_legacy_events_strictly(),
                        "27\t0\tGoCreate\t0\t0\t1\t7,4096,0\t-\t-\t-\n");
    // The numbers rise, the times do not.
    script_v1_begin(5);
    EV(Batch, 0, 10, 100);
    EV(GoStart, 1, 1, 7);
    EV(Batch, 0, 20, 50);
    EV(HeapAlloc, 1, 5, 2);
    assert_string_equal(script_v1_legacy_events_strictly(), "! time stamps out of order\n");
    script_v1_begin(5);
    EV(Batch, 0, 20, 50);
    EV(HeapAlloc, 1, 5, 2);
    EV(Batch, 0, 10, 100);
    EV(GoStart, 1, 1, 7);
    assert_string_equal(script_v1_legacy_events_strictly(), "! time stamps out of order\n");
}

// A P has 64 bits, and so has the number of a stack.
static void test_large_numbers(void **state)
{
    (void)state;
    // Of where a goroutine begins no stack is made, which would have the next number.
    script_v1_begin(5);
    STACK(UINT32_MAX, 1);
    EV(Batch, 0, 0, 100);
    EV(GoCreate, 1, 1, 7, 0x1000, UINT32_MAX);
    assert_string_equal(script_v1_legacy_events_strictly(),
                        "24\t0\tGoCreate\t0\t0\t4294967295\t7,4096,0\t-\t-\t-\n");
    script_v1_begin(11);
    P(0x1000000000001, 100);
    EV(ProcStart, 1, 5);
    EV(Gomaxprocs, 1, 5, UINT64_MAX);
    P(1, 100);
    EV(ProcStart, 1, 5);
    assert_string_equal(script_v1_legacy_events_strictly(),
                        "34\t0\tProcStart\t1\t0\t0\t5,0,0\t-\t-\t-\n"
                        "15\t0\tProcStart\t281474976710657\t0\t0\t5,0,0\t-\t-\t-\n"
                        "18\t1\tGomaxprocs\t281474976710657\t0\t18446744073709551615\t5,0,0\t-"
                        "\t-\t-\n");
}

// Each is refused in the words of the parser of that time.
static void test_words(void **state)
{
    (void)state;
    script_v1_begin(11);
    STRING(1, "name");
    P(0, 100);
    EV(UserTaskCreate, 1, 5, 0, 1, 2);
    EV(UserTaskCreate, 1, 5, 3, 2, 2);
    assert_string_equal(script_v1_legacy_events_strictly(),
                        "! task id conflicts (id:5), \"1 UserTaskCreate p=0 g=0 off=23 taskid=5 "
                        "pid=3 typeid=2 name=\" vs \"0 UserTaskCreate p=0 g=0 off=16 taskid=5 "
                        "pid=0 typeid=1 name=name\"\n");
    script_v1_begin(11);
    STRING(1, "a\"b");
    P(0, 100);
    EV(UserRegion, 1, 5, 0, 1, 2);
    EV(UserRegion, 1, 6, 1, 1, 2);
    assert_string_equal(script_v1_legacy_events_strictly(),
                        "! misuse of region in goroutine 0: span end \"1 UserRegion p=0 g=0 off=22 "
                        "taskid=6 mode=1 typeid=1 name=a\\\"b\" when the inner-most active span "
                        "start event is \"0 UserRegion p=0 g=0 off=15 taskid=5 mode=0 typeid=1 "
                        "name=a\\\"b\"\n");
    script_v1_begin(11);
    P(0, 100);
    EV(UserRegion, 1, 5, 2, 1, 2);
    assert_string_equal(script_v1_legacy_events_strictly(),
                        "! invalid user region mode: \"0 UserRegion p=0 g=0 off=9 taskid=5 mode=2 "
                        "typeid=1 name=\"\n");
    script_v1_begin(10);
    P(0, 100);
    EV(STWStart, 1, 2);
    assert_string_equal(script_v1_legacy_events_strictly(), "! unknown STW kind 2\n");
    script_v1_begin(10);
    P(3, 100);
    EV(ProcStart, 1, 2);
    EV(ProcStart, 1, 2);
    assert_string_equal(script_v1_legacy_events_strictly(),
                        "! p 3 is running before start (offset 12, time 1)\n");
    script_v1_begin(10);
    P(3, 100);
    EV(GoCreate, 1, 2, 0, 0);
    EV(GoStartLocal, 1, 2);
    P(4, 100);
    EV(GoCreate, 1, 9, 0, 0);
    EV(GoStartLocal, 1, 9);
    EV(GoStartLocal, 1, 9);
    assert_string_equal(script_v1_legacy_events_strictly(),
                        "! no consistent ordering of events possible\n");
    // A sample is enough for a goroutine to be there.
    script_v1_begin(19);
    P(0, 100);
    EV(HeapAlloc, 0, 1);
    EV(GoCreate, 5, 7, 0, 1);
    EV(CPUSample, 1, 101, 0, 7, 1);
    assert_string_equal(script_v1_legacy_events_strictly(),
                        "! g 7 already exists (offset 12, time 5)\n");
    // Two Ps start the same goroutine.
    script_v1_begin(11);
    P(0, 100);
    EV(GoCreate, 0, 7, 0, 0);
    EV(GoStart, 5, 7, 1);
    P(1, 101);
    EV(GoStart, 5, 7, 1);
    assert_string_equal(script_v1_legacy_events_strictly(), "! event sequences are broken\n");
    script_v1_begin(11);
    P(0, 100);
    assert_string_equal(script_v1_legacy_events_strictly(), "! trace is empty\n");
}

// Without `strict` what comes before the error is shown, as far as it is linked there.
static void test_what_comes_before_an_error(void **state)
{
    (void)state;
    script_v1_begin(11);
    P(0, 100);
    EV(GoCreate, 0, 7, 33, 1);
    EV(GoStartLocal, 1, 7);
    EV(ProcStop, 1);
    EV(GoSched, 1, 2);
    assert_string_equal(script_v1_legacy_events(),
                        "9\t0\tGoCreate\t0\t0\t1\t7,33,0\t-\t15\t1\n"
                        "15\t1\tGoStart\t0\t7\t33\t7,0,0\t-\t-\t-\n"
                        "! p 0 is not running before stop (offset 18, time 2)\n");
    assert_string_equal(script_v1_legacy_events_strictly(),
                        "! p 0 is not running before stop (offset 18, time 2)\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_the_life_of_a_goroutine, tear_down),
        cmocka_unit_test_teardown(test_system_calls, tear_down),
        cmocka_unit_test_teardown(test_the_collector, tear_down),
        cmocka_unit_test_teardown(test_a_world_that_is_stopped_by_ps, tear_down),
        cmocka_unit_test_teardown(test_tasks_regions_logs_and_labels, tear_down),
        cmocka_unit_test_teardown(test_other_ps, tear_down),
        cmocka_unit_test_teardown(test_equal_times, tear_down),
        cmocka_unit_test_teardown(test_equal_times_of_many_ps, tear_down),
        cmocka_unit_test_teardown(test_wake_ups_for_nothing, tear_down),
        cmocka_unit_test_teardown(test_go_1_5, tear_down),
        cmocka_unit_test_teardown(test_numbers_of_go_1_5_that_do_not_rise, tear_down),
        cmocka_unit_test_teardown(test_large_numbers, tear_down),
        cmocka_unit_test_teardown(test_words, tear_down),
        cmocka_unit_test_teardown(test_what_comes_before_an_error, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
