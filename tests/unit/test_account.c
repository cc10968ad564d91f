// What is held by several owners together, and when it is too much.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/account.h"

static void test_account_is_the_sum_of_its_shares(void **state)
{
    (void)state;
    struct tp_account a;
    struct tp_account_share x = {0}, y = {0};
    tp_account_init(&a, 1000);
    assert_false(tp_account_passes(&a, 1));
    tp_account_set(&a, &x, 300);
    tp_account_set(&a, &y, 200);
    assert_int_equal(a.used_bytes, 500);
    assert_false(tp_account_passes(&a, 2)); // just as much is not more
    tp_account_set(&a, &y, 201);
    assert_true(tp_account_passes(&a, 2));
    assert_false(tp_account_passes(&a, 1));
    // Less, the same, nothing.
    tp_account_set(&a, &x, 100);
    tp_account_set(&a, &x, 100);
    assert_int_equal(a.used_bytes, 301);
    tp_account_set(&a, &x, 0);
    tp_account_set(&a, &y, 0);
    assert_int_equal(a.used_bytes, 0);
}

static void test_what_is_kept_leaves_less_for_others(void **state)
{
    (void)state;
    struct tp_account a;
    struct tp_account_share x = {0}, run = {0};
    tp_account_init(&a, 1000);
    tp_account_set(&a, &x, 100);
    tp_account_keep(&a, &run, 200);
    assert_false(tp_account_passes(&a, 4)); // 100 of 400
    tp_account_keep(&a, &run, 201);
    assert_true(tp_account_passes(&a, 4));
    tp_account_keep(&a, &run, 333);
    assert_true(tp_account_passes(&a, 1));
    tp_account_keep(&a, &run, UINT64_MAX);
    assert_true(tp_account_passes(&a, 1));
    tp_account_set(&a, &x, 0);
    assert_true(tp_account_passes(&a, 1));
    tp_account_keep(&a, &run, 332);
    assert_false(tp_account_passes(&a, 1));
}

static void test_what_is_left_for_one_input(void **state)
{
    (void)state;
    struct tp_account a;
    struct tp_account_share run = {0}, x = {0};
    tp_account_init(&a, 3200);
    assert_int_equal(tp_account_left(&a), 3000);
    tp_account_keep(&a, &run, 2900);
    tp_account_set(&a, &x, 500); // another input gives its memory back
    assert_int_equal(tp_account_left(&a), 100);
    tp_account_keep(&a, &run, 3000);
    assert_int_equal(tp_account_left(&a), 0);
    tp_account_keep(&a, &run, UINT64_MAX);
    assert_int_equal(tp_account_left(&a), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_kept_leaves_less_for_others),
        cmocka_unit_test(test_account_is_the_sum_of_its_shares),
        cmocka_unit_test(test_what_is_left_for_one_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
