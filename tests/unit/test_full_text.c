// The report of `stats:level=full` for people: texts of traces and of states cannot get at the
// terminal.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "full_lab.h"
#include "out_capture.h"
#include "sink/stats/forms.h"

static void print(const struct tp_totals *s, enum tp_stats_by by, struct capture *c)
{
    const struct tp_stats_config config = {.sort = TP_STATS_SORT_TOTAL, .by = (int)by, .top = -1};
    struct tp_full_report report;
    struct tp_error err;
    struct tp_emit e;
    *c = (struct capture){.out = {capture_write}};
    assert_int_equal(tp_full_report_make(&config, s, &report, &err), 0);
    tp_emit_init(&e, &c->out, &err);
    tp_full_print_text(&e, &report);
    assert_int_equal(tp_emit_end(&e), 0);
    tp_full_report_fini(&report);
}

// ESC, C1 in UTF-8 and as a bare byte, a mark that turns the direction of writing.
#define ODD "a\033[2Jb\xc2\x9b" "c\x9b" "d\xe2\x80\xae" "e\n"
#define SHOWN "a?[2Jb?c?d?e?"

static void test_odd_texts_do_not_reach_the_terminal(void **state)
{
    static const struct tp_error why = {.code = TP_E_NOT_TRACE, .text = "why " ODD};
    struct tp_totals s = {.file_count = 1};
    struct capture c;
    uint32_t name;
    (void)state;
    assert_true(tp_totals_name(&s, TP_SPACE_GOROUTINE, tp_span_of("f " ODD, sizeof "f " ODD - 1),
                               &name));
    uint32_t reason = tp_intern_put(&s.reasons, tp_span_of("for " ODD, sizeof "for " ODD - 1));
    assert_true(tp_durations_record(&s.durations, TP_SPACE_GOROUTINE, name,
                                    TP_MEASURE_FIRST_BLOCK + reason, 5, TP_NO_MOMENT, false));
    assert_true(tp_totals_add_refused(&s, "path " ODD, &why));
    print(&s, TP_STATS_BY_ALL, &c);
    assert_non_null(strstr(c.text, "f " SHOWN));
    // As what goroutines did, and behind the function.
    const char *first = strstr(c.text, "for " SHOWN);
    assert_non_null(first);
    assert_non_null(strstr(first + 1, "for " SHOWN));
    assert_null(strpbrk(c.text, "\033\x9b"));
    print(&s, TP_STATS_BY_FILE, &c);
    assert_non_null(strstr(c.text, "path " SHOWN));
    assert_non_null(strstr(c.text, "why " SHOWN));
    assert_null(strpbrk(c.text, "\033\x9b"));
    tp_totals_fini(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_odd_texts_do_not_reach_the_terminal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
