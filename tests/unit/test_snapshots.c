// Inputs that have generations in common.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "pipeline/commit/snapshots.h"

static struct tp_order_report report;

// Adds an input with `count` generations whose keys begin with `first`.
static int add(struct tp_snapshots *s, size_t input_index, uint64_t first, uint32_t count)
{
    struct tp_error err;
    report = (struct tp_order_report){.generation_keys = {.count = count}};
    for (uint32_t i = 0; i < count; i++)
        report.generation_keys.items[i] = first + i;
    return tp_snapshots_add(s, input_index, &report, &err);
}

static void expect_shared(uint32_t count, size_t input_index)
{
    assert_int_equal(report.shared.count, count);
    assert_int_equal(report.shared.input_index, input_index);
}

static void test_what_an_earlier_input_has_is_found(void **state)
{
    (void)state;
    struct tp_snapshots s = {0};
    assert_int_equal(add(&s, 0, 10, 3), 0);
    expect_shared(0, 0);
    assert_int_equal(add(&s, 1, 12, 5), 0); // 12 is in the first
    expect_shared(1, 0);
    assert_int_equal(add(&s, 2, 14, 2), 0); // in the second
    expect_shared(2, 1);
    assert_int_equal(add(&s, 3, 11, 4), 0); // 11 and 12 are in the first, 13 and 14 in the second
    expect_shared(4, 0);
    assert_int_equal(add(&s, 4, 90, 1), 0);
    expect_shared(0, 0);
    tp_snapshots_fini(&s);
}

// A damaged trace may have a generation twice.
static void test_an_input_does_not_overlap_itself(void **state)
{
    (void)state;
    struct tp_snapshots s = {0};
    report = (struct tp_order_report){.generation_keys = {.count = 2, .items = {7, 7}}};
    struct tp_error err;
    assert_int_equal(tp_snapshots_add(&s, 0, &report, &err), 0);
    expect_shared(0, 0);
    tp_snapshots_fini(&s);
}

static void test_the_number_kept_is_bounded(void **state)
{
    (void)state;
    struct tp_snapshots s = {0};
    size_t input = 0;
    for (uint64_t first = 1; first < TP_SNAPSHOTS_MAX; first += TP_GENERATION_KEYS_MAX)
        assert_int_equal(add(&s, input++, first, TP_GENERATION_KEYS_MAX), 0);
    assert_int_equal(s.inputs.count, TP_SNAPSHOTS_MAX);
    assert_int_equal(add(&s, input++, TP_SNAPSHOTS_MAX, 2), 0);
    expect_shared(1, TP_SNAPSHOTS_MAX / TP_GENERATION_KEYS_MAX - 1);
    assert_int_equal(s.inputs.count, TP_SNAPSHOTS_MAX);
    tp_snapshots_fini(&s);
}

static void test_lack_of_memory_is_reported(void **state)
{
    (void)state;
    struct tp_snapshots s = {0};
    uint64_t live_bytes = tp_alloc_live_bytes();
    tp_alloc_fail_at(1, false);
    assert_int_equal(add(&s, 0, 1, 1), TP_E_MEMORY);
    tp_alloc_fail_at(0, false);
    tp_snapshots_fini(&s);
    assert_int_equal(tp_alloc_live_bytes(), live_bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_an_earlier_input_has_is_found),
        cmocka_unit_test(test_an_input_does_not_overlap_itself),
        cmocka_unit_test(test_the_number_kept_is_bounded),
        cmocka_unit_test(test_lack_of_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
