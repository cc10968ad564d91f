// Sizes of terminals.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/text/screen.h"

static void test_parse(void **state)
{
    (void)state;
    struct tp_screen s = {0};
    assert_true(tp_screen_parse("80x24", &s));
    assert_int_equal(s.columns, 80);
    assert_int_equal(s.rows, 24);
    assert_true(tp_screen_parse("1x1", &s));
    assert_int_equal(s.columns, TP_SCREEN_COLUMNS_LEAST);
    assert_int_equal(s.rows, TP_SCREEN_ROWS_LEAST);
    assert_true(tp_screen_parse("99999x99999", &s));
    assert_int_equal(s.columns, TP_SCREEN_COLUMNS_MOST);
    assert_int_equal(s.rows, TP_SCREEN_ROWS_MOST);
    static const char *const bad[] = {"",      "80",     "x24",    "80x",    "80x24 ", "0x24",
                                      "80x0",  "80X24",  "-80x24", "80x24x", "80 x24", "4294967296x24"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(tp_screen_parse(bad[i], &s));
}

static void test_environment(void **state)
{
    (void)state;
    int fds[2]; // no terminal
    assert_int_equal(pipe(fds), 0);
    unsetenv("COLUMNS");
    setenv("LINES", "x", 1);
    struct tp_screen s = tp_screen_of_terminal(fds[1]);
    assert_int_equal(s.columns, 80);
    assert_int_equal(s.rows, 24);
    setenv("COLUMNS", "132", 1);
    setenv("LINES", "50", 1);
    s = tp_screen_of_terminal(fds[1]);
    assert_int_equal(s.columns, 132);
    assert_int_equal(s.rows, 50);
    close(fds[0]);
    close(fds[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parse),
        cmocka_unit_test(test_environment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
