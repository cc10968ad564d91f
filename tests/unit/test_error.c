// The classes of errors, and what is said of memory.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "tracepipe/tracepipe.h"

static void test_error_what_is_too_much_for_memory_names_the_option(void **state)
{
    (void)state;
    struct tp_error err;
    assert_int_equal(tp_error_set(&err, TP_E_LIMIT, "%d things", 7), TP_E_LIMIT);
    assert_string_equal(err.text, "7 things; increase --max-memory");
    assert_int_equal(tp_fail_at(&err, TP_E_LIMIT, 5, "it"), TP_E_LIMIT);
    assert_string_equal(err.text, "it; increase --max-memory");
    assert_int_equal(err.offset, 5);
    // What no bound helps against does not send anybody to raise it.
    tp_error_set(&err, TP_E_TOO_LARGE, "it");
    assert_string_equal(err.text, "it");
    // A text that is cut stays one.
    char longest[2 * TP_ERROR_TEXT_BYTES];
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    tp_error_set(&err, TP_E_LIMIT, "%s", longest);
    assert_int_equal(strlen(err.text), TP_ERROR_TEXT_BYTES - 1);
}

static void test_error_bound_spoils_an_input_only(void **state)
{
    (void)state;
    assert_int_equal(tp_error_class_of(TP_E_LIMIT), TP_CLASS_BOUND);
    assert_true(tp_error_is_of_input(TP_E_LIMIT));
    assert_true(tp_error_is_of_input(TP_E_TOO_LARGE));
    assert_false(tp_error_is_of_input(TP_E_MEMORY));
    assert_false(tp_error_is_of_input(0));
}

// One place decides, for generations, inputs and outputs alike.
static void test_error_says_what_is_kept_of_an_input(void **state)
{
    (void)state;
    static const int voids[] = {TP_E_TOO_LARGE, TP_E_LIMIT, TP_E_INTERNAL};
    for (size_t i = 0; i < TP_ARRAY_LEN(voids); i++) {
        assert_true(tp_error_voids_input(voids[i]));
        assert_false(tp_error_may_be_salvaged(voids[i]));
    }
    assert_false(tp_error_voids_input(TP_E_EVENT));
    assert_true(tp_error_may_be_salvaged(TP_E_EVENT));
    assert_true(tp_error_may_be_salvaged(TP_E_READ));
    assert_false(tp_error_may_be_salvaged(TP_E_MEMORY));
    assert_false(tp_error_may_be_salvaged(TP_E_USAGE));
    assert_false(tp_error_may_be_salvaged(0));
}

// Of a run that never began, as of one that ended.
static void test_error_of_a_start_is_the_run_s(void **state)
{
    (void)state;
    struct tp_error err;
    struct tp_run *run = NULL;
    assert_int_equal(tp_run_create(&run, &err), 0);
    assert_int_equal(tp_run_exit_status(run), 0);
    assert_int_equal(tp_run_set(run, "binary", "/dev/null", &err), 0);
    assert_int_equal(tp_run_add_sink(run, "null", NULL, &err), 0);
    int code = tp_run_start(run, &err);
    assert_int_not_equal(code, 0);
    assert_int_equal(tp_run_exit_status(run), 2);
    assert_int_equal(tp_run_error(run)->code, code);
    assert_string_equal(tp_run_error(run)->text, err.text);
    assert_true(tp_run_wait(run, -1));
    tp_run_destroy(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_error_what_is_too_much_for_memory_names_the_option),
        cmocka_unit_test(test_error_bound_spoils_an_input_only),
        cmocka_unit_test(test_error_says_what_is_kept_of_an_input),
        cmocka_unit_test(test_error_of_a_start_is_the_run_s),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
