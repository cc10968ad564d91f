// The first log lines of each of the slowest tasks, cut everywhere.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "full_script.h"

// THE BEGINNING OF A TEXT

static void test_how_much_of_a_text_is_kept(void **state)
{
    static const struct {
        const char *end; // of a text that begins with 196 letters
        size_t kept_bytes;
    } cases[] = {
        {"", 196},
        {"aaaa", 200},
        {"aaaaa", 200},
        {"aaa\xc3\xa4", 199},         // a rune of 2 bytes, of which 1 would fit
        {"aa\xc3\xa4" "a", 200},
        {"a\xf0\x9f\x98\x80", 197},   // a rune of 4 bytes
        {"\xf0\x9f\x98\x80" "a", 200},
        {"\x80\x80\x80\x80\x80", 200}, // no UTF-8
    };
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(cases); i++) {
        char text[256];
        memset(text, 'a', 196);
        strcpy(text + 196, cases[i].end);
        struct tp_span kept = tp_log_text_kept(tp_span_of_text(text));
        if (kept.len_bytes != cases[i].kept_bytes)
            fail_msg("case %zu: %zu bytes", i, kept.len_bytes);
    }
}

// SCRIPTS

// Goroutine 5 is created at 10 and runs from 20 on.
static void begin_work(void)
{
    script_begin();
    SYNC(1);
    EV(10, 1, GoCreate, 5, STACK(WORK), 0);
    EV(20, -1, GoStart, 5);
}

// The part of TEXT_LONG that is kept.
#define TWENTY FULL_TEN FULL_TEN
#define LONG_KEPT \
    TWENTY TWENTY TWENTY TWENTY TWENTY TWENTY TWENTY TWENTY TWENTY TWENTY

#define RUNNING(ns) ns " 0 0 0 0 0 0 0 0 0 0 0"

static void test_the_first_three_lines(void **state)
{
    (void)state;
    begin_work();
    script_contradicts(); // a task that has not begun has no lines
    EV(21, 5, UserLog, 1, TEXT(ALPHA), TEXT(SLEEP)); // before the task
    EV(22, 5, UserTaskBegin, 1, TP_NO_TASK, TEXT(ALPHA));
    EV(23, 5, UserLog, 1, TEXT(ALPHA), TEXT(BETA));
    EV(24, 5, UserLog, 0, TEXT(ALPHA), TEXT(SLEEP)); // of no task
    EV(25, 5, UserTaskBegin, 2, 1, TEXT(BETA));
    EV(26, 5, UserLog, 2, 0, 0);
    EV(27, 1, UserLog, 1, TEXT(BETA), TEXT(LONG));   // by another goroutine
    EV(28, 5, UserTaskEnd, 2);
    EV(29, 5, UserLog, 2, TEXT(ALPHA), TEXT(SLEEP)); // after the task
    EV(30, 5, UserLog, 1, TEXT(LONG), 7777);         // a string that is not there
    EV(31, 5, UserLog, 1, TEXT(ALPHA), TEXT(SLEEP)); // the fourth
    EV(32, 5, UserTaskEnd, 1);
    EV(33, 5, UserTaskBegin, 3, TP_NO_TASK, TEXT(ALPHA));
    EV(34, 5, UserLog, 3, TEXT(ALPHA), TEXT(SLEEP)); // of a task that does not end
    EV(40, 5, GoDestroy);
    script_expect_slow("slow 10 alpha 1 of 5 at 22 " RUNNING("10")
                       " log 1 alpha-0 beta-0,"
                       " log 5 beta-0 " LONG_KEPT "-10,"
                       " log 8 " LONG_KEPT "-10 -0\n"
                       "slow 3 beta 2 of 5 at 25 " RUNNING("3") " log 1 -0 -0\n");
}

// In damaged traces a task may begin again under an id that is in use. Lines belong to the task
// that began last.
static void test_a_task_that_begins_again(void **state)
{
    (void)state;
    begin_work();
    EV(22, 5, UserTaskBegin, 1, TP_NO_TASK, TEXT(ALPHA));
    EV(23, 5, UserLog, 1, TEXT(ALPHA), TEXT(SLEEP));
    EV(25, 5, UserTaskBegin, 1, TP_NO_TASK, TEXT(BETA));
    EV(26, 5, UserLog, 1, TEXT(ALPHA), TEXT(BETA));
    EV(28, 5, UserTaskEnd, 1);
    EV(29, 5, UserLog, 1, TEXT(ALPHA), TEXT(SLEEP));
    EV(31, 5, UserTaskEnd, 1);
    EV(32, 5, UserTaskBegin, 1, TP_NO_TASK, TEXT(SELECT));
    EV(33, 5, UserLog, 1, TEXT(BETA), TEXT(ALPHA));
    EV(37, 5, UserTaskEnd, 1);
    script_expect_slow("slow 3 beta 1 of 5 at 25 " RUNNING("3") " log 1 alpha-0 beta-0\n"
                       "slow 5 select 1 of 5 at 32 " RUNNING("5") " log 1 beta-0 alpha-0\n");
}

// The lines of a task may come in other blocks than its begin, its end, and what its goroutine did.
static void test_lines_while_the_goroutine_waits(void **state)
{
    (void)state;
    begin_work();
    EV(22, 5, UserTaskBegin, 1, TP_NO_TASK, TEXT(ALPHA));
    EV(23, 5, UserLog, 1, TEXT(ALPHA), TEXT(BETA));
    EV(25, 5, GoBlock, TEXT(SLEEP), STACK(WORK));
    EV(26, 1, UserLog, 1, TEXT(BETA), TEXT(ALPHA));
    EV(30, 1, GoUnblock, 5, 0, 0);
    EV(31, -1, GoStart, 5);
    EV(32, 5, UserTaskEnd, 1);
    script_expect_slow("slow 10 alpha 1 of 5 at 22 4 1 0 0 0 0 5 0 0 0 0 0"
                       " log 1 alpha-0 beta-0, log 4 beta-0 alpha-0\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_how_much_of_a_text_is_kept),
        cmocka_unit_test(test_the_first_three_lines),
        cmocka_unit_test(test_a_task_that_begins_again),
        cmocka_unit_test(test_lines_while_the_goroutine_waits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
