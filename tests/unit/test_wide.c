// Totals of 128 bits: sums that do not wrap, decimals, ratios.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/wide.h"
#include "sink/print/human.h"

#define TWO_TO(bits) ((tp_wide)1 << (bits))

static void expect_text(tp_wide value, const char *want)
{
    assert_string_equal(tp_wide_text(value).text, want);
}

static void test_decimals(void **state)
{
    (void)state;
    expect_text(0, "0");
    expect_text(9, "9");
    expect_text(10, "10");
    expect_text(UINT64_MAX, "18446744073709551615");
    expect_text(TWO_TO(64), "18446744073709551616");
    expect_text(TWO_TO(127), "170141183460469231731687303715884105728");
    expect_text(TP_WIDE_MAX, "340282366920938463463374607431768211455");
}

static void test_a_sum_ends_at_the_greatest(void **state)
{
    (void)state;
    assert_true(tp_wide_add(UINT64_MAX, 1) == TWO_TO(64));
    assert_true(tp_wide_add(TP_WIDE_MAX - 1, 1) == TP_WIDE_MAX);
    assert_true(tp_wide_add(TP_WIDE_MAX, 1) == TP_WIDE_MAX);
    assert_true(tp_wide_add(TWO_TO(127), TWO_TO(127)) == TP_WIDE_MAX);
    assert_int_equal(tp_wide_limited(UINT64_MAX), UINT64_MAX);
    assert_int_equal(tp_wide_limited(TWO_TO(64)), UINT64_MAX);
}

static void test_order(void **state)
{
    (void)state;
    assert_int_equal(tp_compare_wide(TWO_TO(64), 1), 1);
    assert_int_equal(tp_compare_wide(1, TWO_TO(64)), -1);
    assert_int_equal(tp_compare_wide(TWO_TO(64), TWO_TO(64)), 0);
}

static void test_ratios_are_rounded_to_the_nearest(void **state)
{
    static const struct {
        tp_wide part;
        unsigned scale;
        tp_wide whole;
        uint64_t want;
    } cases[] = {
        {1, 1000, 3, 333},
        {2, 1000, 3, 667},
        {1, 1, 2, 1},
        {5, 10, 0, 0},
        {0, 10, 0, 0},
        {TWO_TO(64), 1000, TWO_TO(65), 500},
        {UINT64_MAX, 1000, UINT64_MAX, 1000},
        // 18,558,904,670 s of 20,000,000,000 s.
        {(tp_wide)18558904670 * 1000000000, 1000, (tp_wide)20000000000 * 1000000000, 928},
        {TP_WIDE_MAX, 1000, TP_WIDE_MAX, 1000},
        {TP_WIDE_MAX / 2, 1000, TP_WIDE_MAX, 500},
        {TP_WIDE_MAX, 1000, 1, UINT64_MAX},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(tp_wide_ratio(cases[i].part, cases[i].scale, cases[i].whole), cases[i].want);
}

static void test_people_read_them(void **state)
{
    (void)state;
    assert_string_equal(tp_human_ns(UINT64_C(999999499999999)).text, "999,999 s");
    assert_string_equal(tp_human_ns(UINT64_C(999999500000000)).text, "11.6 d");
    assert_string_equal(tp_human_ns((tp_wide)100 * 86400 * 1000000000).text, "100 d");
    assert_string_equal(tp_human_ns((tp_wide)18558904670 * 1000000000).text, "214,802 d");
    assert_string_equal(tp_human_ns(TP_WIDE_MAX).text, "3,938,453,320,844,195,178,974,243 d");
    assert_string_equal(tp_human_count(TP_WIDE_MAX).text,
                        "340,282,366,920,938,463,463,374,607,431,768,211,455");
    assert_string_equal(tp_human_share(TWO_TO(70), TWO_TO(71)).text, "50.0%");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_decimals),
        cmocka_unit_test(test_a_sum_ends_at_the_greatest),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_ratios_are_rounded_to_the_nearest),
        cmocka_unit_test(test_people_read_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
