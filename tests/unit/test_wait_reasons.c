// Reasons of waits, inferred from the functions of stacks.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "stats/names/wait_reasons.h"

// Functions, innermost first.
#define STACK(...)                                                                                 \
    (const char *const[])                                                                          \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }

static struct tp_span function_of(const void *ctx, size_t frame)
{
    return tp_span_of_text(((const char *const *)ctx)[frame]);
}

static unsigned infer(const char *const *functions, size_t *ret_frame)
{
    size_t count = 0;
    while (functions[count] != NULL)
        count++;
    return tp_inferred_reason(count, function_of, functions, ret_frame);
}

static void test_the_innermost_listed_function_tells_the_reason(void **state)
{
    size_t frame;
    (void)state;
    unsigned row = infer(STACK("runtime.gopark", "runtime.goparkunlock", "runtime.semacquire1",
                               "sync.runtime_SemacquireMutex", "main.main"),
                         &frame);
    assert_int_not_equal(row, TP_NOT_INFERRED);
    assert_int_equal(frame, 2);
    assert_true(tp_is_inferred(tp_inferred_text(row)));
    assert_true(tp_span_is(tp_unmarked(tp_inferred_text(row)), "sync"));
    row = infer(STACK("runtime.gopark", "time.Sleep", "runtime.chanrecv"), &frame);
    assert_true(tp_span_is(tp_inferred_text(row), "sleep" TP_INFERRED_MARK));
    assert_false(tp_is_inferred(tp_span_of_text("sleep")));
}

static void test_no_reason_is_inferred_below_other_packages(void **state)
{
    size_t frame;
    (void)state;
    assert_int_equal(infer(STACK("runtime.coroswitch", "main.pull", "runtime.selectgo"), &frame),
                     TP_NOT_INFERRED);
    assert_int_equal(infer(STACK("runtime.gopark", "runtime.unknown"), &frame), TP_NOT_INFERRED);
    assert_int_equal(infer(STACK("runtime.chanrecv1"), &frame), TP_NOT_INFERRED);
    assert_int_equal(infer((const char *const[]){NULL}, &frame), TP_NOT_INFERRED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_innermost_listed_function_tells_the_reason),
        cmocka_unit_test(test_no_reason_is_inferred_below_other_packages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
