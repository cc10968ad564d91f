// Annotations of programs in summaries: regions, tasks, logs, odd names.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "summary_lab.h"

// REGIONS, TASKS, LOGS

static void test_regions(void **state)
{
    struct lab *l = *state;
    lab_begin_usual(l);
    lab_at(l, 150, 0, 1);
    lab_region_end(l, 0, LAB_INNER);
    lab_at(l, 200, 0, 1);
    lab_region_begin(l, 5, LAB_REGION);
    lab_at(l, 220, 0, 1);
    lab_region_begin(l, 5, LAB_INNER);
    lab_at(l, 230, 0, 1);
    lab_block(l, LAB_CHAN);
    lab_at(l, 260, 1, -1);
    lab_unblock(l, 1);
    lab_at(l, 270, 0, -1);
    lab_start(l, 1);
    lab_at(l, 300, 0, 1);
    lab_region_end(l, 5, LAB_INNER);
    lab_at(l, 350, 0, 1);
    lab_block(l, LAB_CHAN);
    lab_sum_up(l, LAB_AS_GO);
    // First the region without a beginning, with all times of the goroutine up to its end. Then the
    // others by beginning; the outer one is still open.
    expect_g(l, 1, "\"regions\":[{\"blockTimeByReason\":{},\"end\":150,\"execTime\":50,\"name\":"
                   "\"inner\",");
    expect_g(l, 1, "\"start\":null,\"syscallBlockTime\":0,\"syscallTime\":0,\"task\":0,"
                   "\"totalTime\":50},{\"blockTimeByReason\":{\"chan receive\":30},\"end\":null,"
                   "\"execTime\":110,\"name\":\"region\",");
    expect_g(l, 1, "\"start\":200,\"syscallBlockTime\":0,\"syscallTime\":0,\"task\":5,"
                   "\"totalTime\":150},{\"blockTimeByReason\":{\"chan receive\":30},\"end\":300,"
                   "\"execTime\":40,\"name\":\"inner\",");
    expect_task(l, 5, "\"regions\":[{\"blockTimeByReason\":{\"chan receive\":30},\"end\":null,");
    expect_task(l, 0, "\"regions\":[{\"blockTimeByReason\":{},\"end\":150,");
}

// An end closes the innermost region with its task and name, and one that ends nothing closes none.
static void test_regions_that_overlap(void **state)
{
    struct lab *l = *state;
    lab_begin_usual(l);
    lab_at(l, 200, 0, 1);
    lab_region_begin(l, 5, LAB_REGION);
    lab_at(l, 220, 0, 1);
    lab_region_begin(l, 5, LAB_INNER);
    lab_at(l, 250, 0, 1);
    lab_region_end(l, 5, LAB_REGION);
    lab_at(l, 260, 0, 1);
    lab_region_end(l, 5, LAB_REGION);
    tp_arg(&l->events[l->event_count - 1], UserRegionEnd, is_stray) = 1;
    lab_at(l, 300, 0, 1);
    lab_region_end(l, 5, LAB_INNER);
    lab_sum_up(l, LAB_AS_GO);
    expect_g(l, 1, "\"regions\":[{\"blockTimeByReason\":{},\"end\":250,\"execTime\":50,\"name\":"
                   "\"region\",");
    expect_g(l, 1, "\"task\":5,\"totalTime\":50},{\"blockTimeByReason\":{},\"end\":300,"
                   "\"execTime\":80,\"name\":\"inner\",");
    expect_g(l, 1, "\"task\":5,\"totalTime\":80}],");
}

static void test_inherited_regions(void **state)
{
    struct lab *l = *state;
    lab_begin_usual(l);
    lab_at(l, 200, 0, 1);
    lab_region_begin(l, 5, LAB_REGION);
    lab_at(l, 210, 0, 1);
    lab_create(l, 2, LAB_MAIN);
    lab_create(l, 3, LAB_RUNTIME);
    lab_at(l, 220, 1, -1);
    lab_start(l, 2);
    lab_at(l, 250, 1, 2);
    lab_destroy(l);
    lab_sum_up(l, LAB_AS_GO);
    expect_g(l, 2, "\"regions\":[{\"blockTimeByReason\":{},\"end\":250,\"execTime\":30,"
                   "\"name\":\"\",");
    expect_g(l, 2, "\"start\":210,\"syscallBlockTime\":0,\"syscallTime\":0,\"task\":5,"
                   "\"totalTime\":40}],");
    // Goroutines of the runtime do not belong to who happened to start them.
    expect_g(l, 3, "\"regions\":[],");
    expect_task(l, 5, "\"goroutines\":[1],");
    lab_sum_up(l, LAB_FIXED);
    expect_g(l, 3, "\"regions\":[],");

    // One that is ended by an event is a region like others.
    l->event_count--;
    lab_at(l, 240, 1, 2);
    lab_region_end(l, 8, LAB_INNER);
    lab_at(l, 250, 1, 2);
    lab_destroy(l);
    lab_sum_up(l, LAB_AS_GO);
    expect_g(l, 2, "\"end\":240,\"execTime\":20,\"name\":\"\",");
    assert_null(lab_line(l, "task", 8));
}

static void test_regions_of_unnamed(void **state)
{
    struct lab *l = *state;
    l->event_count = 0;
    lab_sync_at(l, 100);
    lab_at(l, 110, 0, -1);
    lab_status(l, 1, TP_STATE_UNDETERMINED, LAB_RUNNING, 0);
    lab_at(l, 150, 0, 1);
    lab_region_begin(l, 5, LAB_REGION);
    lab_at(l, 200, 0, 1);
    lab_destroy(l);
    // The region has no end, and the times that the goroutine had spent before the region.
    lab_sum_up(l, LAB_AS_GO);
    expect_g(l, 1, "\"regions\":[],");
    expect_task(l, 5, "\"regions\":[{\"blockTimeByReason\":{},\"end\":null,\"execTime\":50,");
    expect_task(l, 5, "\"totalTime\":50}]");
    lab_sum_up(l, LAB_FIXED);
    expect_g(l, 1, "\"regions\":[{\"blockTimeByReason\":{},\"end\":200,\"execTime\":50,");
    expect_task(l, 5, "\"regions\":[{\"blockTimeByReason\":{},\"end\":200,\"execTime\":50,");
}

static void test_tasks(void **state)
{
    struct lab *l = *state;
    lab_begin_usual(l);
    lab_at(l, 200, 0, 1);
    lab_task_begin(l, 7, TP_NO_TASK, LAB_REGION);
    lab_at(l, 210, 0, 1);
    lab_task_begin(l, 9, 7, LAB_INNER);
    lab_at(l, 220, 0, -1);
    lab_task_begin(l, 8, 7, LAB_INNER);
    lab_at(l, 230, 0, 1);
    lab_task_begin(l, 9, 8, LAB_MAIN); // has a parent already
    lab_at(l, 240, 0, 1);
    lab_task_end(l, 9);
    lab_at(l, 250, 0, 1);
    lab_task_end(l, 9);
    lab_at(l, 260, 0, 1);
    lab_log(l, 7, LAB_CHAN, LAB_ODD);
    lab_at(l, 270, 0, 33);
    lab_log(l, 7, 0, LAB_BAD);
    lab_at(l, 280, 0, 1);
    lab_task_begin(l, 3, 77, LAB_INNER); // a parent that nobody else knows
    lab_sum_up(l, LAB_AS_GO);
    expect_task(l, 7, "{\"task\":{\"children\":[8,9],\"complete\":false,\"end\":null,"
                      "\"goroutines\":[1,33],\"id\":7,\"logs\":[{\"category\":\"chan receive\","
                      "\"goroutine\":1,\"message\":\"a\\\"\\\\\\b\\f\x7f\\u2028<\",\"time\":260},"
                      "{\"category\":\"\",\"goroutine\":33,\"message\":{\"hex\":\"626164ff\"},"
                      "\"time\":270}],\"name\":\"region\",\"parent\":null,\"regions\":[],"
                      "\"start\":200}}");
    // The last beginning and end, and the name in the event of the end: none.
    expect_task(l, 9, "\"complete\":true,\"end\":250,");
    expect_task(l, 9, "\"name\":\"\",\"parent\":7,");
    expect_task(l, 9, "\"start\":230}}");
    expect_task(l, 8, "\"children\":[],");
    expect_task(l, 8, "\"goroutines\":[-1],");
    expect_task(l, 77, "{\"task\":{\"children\":[3],\"complete\":false,\"end\":null,"
                       "\"goroutines\":[],\"id\":77,\"logs\":[],\"name\":\"\","
                       "\"parent\":null,\"regions\":[],\"start\":null}}");
    assert_non_null(strstr(l->output, "\"tasks\":5}}"));
}

// NAMES

static void test_odd_names(void **state)
{
    struct lab *l = *state;
    lab_begin_usual(l);
    static const uint64_t reasons[] = {LAB_ODD, LAB_BAD, LAB_SYSCALL, LAB_CHAN};
    for (size_t i = 0; i < TP_ARRAY_LEN(reasons); i++) {
        lab_at(l, 200 + 30 * (int64_t)i, 0, 1);
        lab_block(l, reasons[i]);
        lab_at(l, 210 + 30 * (int64_t)i, 1, -1);
        lab_unblock(l, 1);
        lab_at(l, 211 + 30 * (int64_t)i, 0, -1);
        lab_start(l, 1);
    }
    lab_create(l, 2, LAB_BAD);
    lab_sum_up(l, LAB_AS_GO);
    // By their bytes, before they are escaped; those that are no UTF-8 as digits, which
    // is where these stand.
    expect_g(l, 1, "{\"blockTimeByReason\":{\"a\\\"\\\\\\b\\f\x7f\\u2028<\":10,\"chan receive\":10,"
                   "\"hex:626164ff\":10,\"syscall\":10},");
    // A wait for "syscall" is added to blocked system calls.
    expect_g(l, 1, "{\"Block time (a\\\"\\\\\\b\\f\x7f\\u2028<)\":10,"
                   "\"Block time (chan receive)\":10,\"Block time (syscall)\":10,"
                   "\"Execution time\":157,\"Sched wait time\":4,"
                   "\"Syscall execution time\":0,\"Unknown time\":0,"
                   "\"hex:426c6f636b2074696d652028626164ff29\":10}");
    expect_g(l, 2, "\"name\":{\"hex\":\"626164ff\"},");
}

#define LAB_TEST(name) cmocka_unit_test_setup_teardown(name, lab_set_up, lab_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAB_TEST(test_regions),
        LAB_TEST(test_regions_that_overlap),
        LAB_TEST(test_inherited_regions),
        LAB_TEST(test_regions_of_unnamed),
        LAB_TEST(test_tasks),
        LAB_TEST(test_odd_names),
    };
    return cmocka_run_group_tests_name("summary_user", tests, NULL, NULL);
}
