// Summaries where memory or disk does not suffice.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "summary_lab.h"

// Many goroutines with regions and tasks, round by round.
static void make_many(struct lab *l, size_t round_count)
{
    lab_begin_usual(l);
    for (size_t i = 0; i < round_count; i++) {
        int64_t from = 1000 * (int64_t)(i + 1);
        uint64_t g = 2 + i * 7919 % round_count;
        lab_at(l, from, 0, 1);
        lab_task_begin(l, g, i % 3 == 0 ? TP_NO_TASK : g / 2, LAB_REGION);
        lab_create(l, g, LAB_MAIN);
        lab_at(l, from + 10, 1, -1);
        lab_start(l, g);
        lab_at(l, from + 20, 1, (int64_t)g);
        lab_region_begin(l, g, LAB_REGION);
        lab_at(l, from + 30, 1, (int64_t)g);
        lab_region_end(l, g, LAB_REGION);
        lab_log(l, g, LAB_CHAN, LAB_ODD);
        lab_at(l, from + 40, 1, (int64_t)g);
        lab_destroy(l);
    }
}

// What is sorted in files comes out as what is sorted in memory.
static void test_little_memory(void **state)
{
    struct lab *l = *state;
    struct tp_error err;
    make_many(l, 400);
    l->repeats = 12;
    lab_sum_up(l, LAB_AS_GO);
    char *wanted = strdup(l->output);
    assert_non_null(strstr(wanted, "\"goroutines\":401,"));
    assert_int_equal(lab_sum_up_with(l, LAB_AS_GO, &lab_little, &err), 0);
    assert_string_equal(l->output, wanted);
    free(wanted);
}

static void test_no_folder_for_what_is_sorted(void **state)
{
    struct lab *l = *state;
    struct tp_error err;
    char *before = getenv("TMPDIR") != NULL ? strdup(getenv("TMPDIR")) : NULL;
    make_many(l, 400);
    l->repeats = 12;
    setenv("TMPDIR", "/missing", 1);
    int rc = lab_sum_up_with(l, LAB_AS_GO, &lab_little, &err);
    if (before != NULL)
        setenv("TMPDIR", before, 1);
    else
        unsetenv("TMPDIR");
    free(before);
    assert_int_equal(rc, TP_E_WRITE);
}

static void test_failing_allocations(void **state)
{
    struct lab *l = *state;
    struct tp_error err;
    int rc = TP_E_MEMORY;
    make_many(l, 40);
    lab_sum_up(l, LAB_AS_GO); // resolves the frames of the tables
    uint64_t live_bytes = tp_alloc_live_bytes(), nth = 0;
    while (rc != 0) {
        nth++;
        tp_alloc_fail_at(nth, nth % 2 == 0);
        rc = lab_sum_up_with(l, LAB_AS_GO, &lab_plenty, &err);
        tp_alloc_fail_at(0, false);
        assert_true(rc == 0 || rc == TP_E_MEMORY);
        assert_int_equal(tp_alloc_live_bytes(), live_bytes);
    }
    assert_true(nth > 20);
}

static struct tp_block block_of(const struct lab *l, size_t first, size_t count)
{
    return (struct tp_block){
        .events = l->events + first, .event_count = count, .tables = l->tables};
}

// What is open is counted, so that other inputs can wait, and is not more than it has to be.
static void test_open_regions_are_counted(void **state)
{
    enum { REGIONS = 3000 };
    struct lab *l = *state;
    static struct tp_summary s;
    struct tp_error err;
    lab_begin_usual(l);
    size_t begin_count = l->event_count;
    for (int64_t i = 0; i < REGIONS; i++) {
        lab_at(l, 1000 + i, 0, 1);
        lab_region_begin(l, 0, LAB_REGION);
    }
    assert_int_equal(tp_summary_init(&s, LAB_AS_GO, &lab_plenty, &err), 0);
    struct tp_block block = block_of(l, 0, begin_count);
    assert_int_equal(tp_summary_add(&s, &block, &err), 0);
    size_t before_bytes = tp_summary_bytes(&s);
    uint64_t before_live_bytes = tp_alloc_live_bytes();
    block = block_of(l, begin_count, REGIONS);
    assert_int_equal(tp_summary_add(&s, &block, &err), 0);
    size_t counted_bytes = tp_summary_bytes(&s) - before_bytes;
    uint64_t live_bytes = tp_alloc_live_bytes() - before_live_bytes;
    assert_in_range(live_bytes, counted_bytes, counted_bytes + counted_bytes / 4);
    assert_in_range(counted_bytes / REGIONS, sizeof(struct tp_summary_region), 120);
    tp_summary_fini(&s);
}

// A goroutine cannot wait for ever more reasons.
static void test_too_many_reasons(void **state)
{
    (void)state;
    struct tp_error err;
    struct tp_time_list list = {0};
    struct tp_summary_status st = {.max_bytes = TP_MIB(1), .err = &err};
    uint64_t n = 0;
    for (; st.code == 0; n++)
        tp_time_list_add(&list, n, 1, &st);
    assert_int_equal(st.code, TP_E_TOO_LARGE);
    assert_int_equal(n, TP_TIME_LIST_MAX + 1);
    assert_int_equal(st.used_bytes, TP_TIME_LIST_MAX * sizeof *list.items);
    tp_free(list.items);
    list = (struct tp_time_list){0};
    st = (struct tp_summary_status){.max_bytes = 100, .err = &err};
    tp_time_list_add(&list, 1, 1, &st);
    assert_int_equal(st.code, 0);
    for (n = 2; st.code == 0; n++)
        tp_time_list_add(&list, n, 1, &st);
    assert_int_equal(st.code, TP_E_TOO_LARGE);
    tp_free(list.items);
}

#define LAB_TEST(name) cmocka_unit_test_setup_teardown(name, lab_set_up, lab_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAB_TEST(test_little_memory),
        LAB_TEST(test_no_folder_for_what_is_sorted),
        LAB_TEST(test_failing_allocations),
        LAB_TEST(test_open_regions_are_counted),
        LAB_TEST(test_too_many_reasons),
    };
    return cmocka_run_group_tests_name("summary_memory", tests, NULL, NULL);
}
