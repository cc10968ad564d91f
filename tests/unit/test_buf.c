// Output memory with a maximum: what fits is there, what does not leaves no trace.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/buf.h"

static void assert_holds(const struct tp_buf *b, const char *want)
{
    assert_int_equal(b->len_bytes, strlen(want));
    assert_memory_equal(b->ptr, want, strlen(want));
}

static void test_bytes_are_put_one_behind_the_other(void **state)
{
    (void)state;
    struct tp_buf b;
    assert_true(tp_buf_init(&b, 100));
    assert_int_equal(b.len_bytes, 0);
    assert_int_equal(tp_buf_room(&b), 100);
    assert_true(tp_buf_put(&b, "ab", 2));
    assert_true(tp_buf_put(&b, NULL, 0));
    assert_true(tp_buf_printf(&b, "%d%s", 12, "c"));
    assert_holds(&b, "ab12c");
    assert_int_equal(tp_buf_room(&b), 95);
    tp_buf_reset(&b);
    assert_holds(&b, "");
    assert_int_equal(tp_buf_room(&b), 100);
    tp_buf_fini(&b);
}

static void test_put_fills_to_the_last_byte_and_no_further(void **state)
{
    (void)state;
    struct tp_buf b;
    assert_true(tp_buf_init(&b, 4));
    assert_true(tp_buf_put(&b, "abc", 3));
    assert_false(tp_buf_put(&b, "de", 2));
    assert_holds(&b, "abc");
    assert_true(tp_buf_put(&b, "d", 1));
    assert_int_equal(tp_buf_room(&b), 0);
    assert_false(tp_buf_put(&b, "e", 1));
    assert_false(tp_buf_put(&b, "e", SIZE_MAX)); // no sum may wrap
    assert_true(tp_buf_put(&b, "", 0));
    assert_holds(&b, "abcd");
    tp_buf_fini(&b);
}

// The NUL of vsnprintf needs a byte that does not count.
static void test_printf_that_does_not_fit_leaves_the_length(void **state)
{
    (void)state;
    struct tp_buf b;
    assert_true(tp_buf_init(&b, 4));
    assert_false(tp_buf_printf(&b, "%s", "abcd"));
    assert_holds(&b, "");
    assert_true(tp_buf_printf(&b, "%s", "abc"));
    assert_holds(&b, "abc");
    assert_false(tp_buf_printf(&b, "%d", 7));
    assert_holds(&b, "abc");
    assert_true(tp_buf_printf(&b, "%s", ""));
    assert_true(tp_buf_put(&b, "d", 1));
    assert_false(tp_buf_printf(&b, "%s", ""));
    assert_holds(&b, "abcd");
    tp_buf_fini(&b);
}

static void test_no_memory_is_said_and_nothing_is_kept(void **state)
{
    (void)state;
    uint64_t live_bytes = tp_alloc_live_bytes();
    struct tp_buf b;
    tp_alloc_fail_at(1, false);
    assert_false(tp_buf_init(&b, 100));
    tp_alloc_fail_at(0, false);
    assert_int_equal(tp_buf_room(&b), 0);
    assert_false(tp_buf_put(&b, "a", 1));
    tp_buf_fini(&b);
    assert_int_equal(tp_alloc_live_bytes(), live_bytes);
}

static void test_fini_accepts_what_was_never_made(void **state)
{
    (void)state;
    uint64_t live_bytes = tp_alloc_live_bytes();
    struct tp_buf b = {0};
    tp_buf_fini(&b);
    assert_true(tp_buf_init(&b, TP_MIB(64)));
    tp_buf_fini(&b);
    tp_buf_fini(&b);
    assert_int_equal(tp_alloc_live_bytes(), live_bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bytes_are_put_one_behind_the_other),
        cmocka_unit_test(test_put_fills_to_the_last_byte_and_no_further),
        cmocka_unit_test(test_printf_that_does_not_fit_leaves_the_length),
        cmocka_unit_test(test_no_memory_is_said_and_nothing_is_kept),
        cmocka_unit_test(test_fini_accepts_what_was_never_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
