// The table "blocked time by waker": its sums, which rows are one, and its forms.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "finding_lab.h"
#include "out_capture.h"
#include "sink/stats/forms.h"

// Records a wait. Without a waker's stack there is one without frames.
static void wait_for(struct tp_totals *s, uint32_t left, uint32_t right, const char *reason,
                     uint64_t ns)
{
    uint32_t number = tp_intern_put(&s->reasons, tp_span_of_text(reason));
    uint32_t pair = tp_totals_put_pair(s, left, right);
    assert_true(number != TP_INTERN_NONE && pair != TP_INTERN_NONE);
    assert_true(
        tp_totals_record_pair(s, TP_SPACE_WAKE, pair, TP_MEASURE_FIRST_BLOCK + number, ns, TP_NO_MOMENT));
}

static void blame(struct tp_totals *s, uint32_t left, uint32_t right, uint64_t ns)
{
    uint32_t pair = tp_totals_put_pair(s, left, right);
    assert_true(tp_totals_record_pair_sum(s, TP_SPACE_WAKE, pair, TP_WAKE_BLAMED, 1, ns));
}

// Waits of which one is ended by a timer, one idle, and one of a pair that is not kept.
static struct tp_totals some_waits(void)
{
    struct tp_totals s = {0};
    uint32_t none = FINDING_STACK(&s, NULL);
    uint32_t get = FINDING_STACK(&s, "sync.(*Mutex).Lock", "main.get");
    uint32_t get_slow = FINDING_STACK(&s, "sync.slow", "main.get");
    uint32_t put = FINDING_STACK(&s, "sync.(*Mutex).Unlock", "main.put");
    uint32_t put_slow = FINDING_STACK(&s, "sync.slow", "main.put");
    uint32_t idle = FINDING_STACK(&s, "runtime.chanrecv1", "os/signal.loop");
    wait_for(&s, get, put, "sync", 100);
    wait_for(&s, get, put, "select", 20);
    wait_for(&s, get_slow, put_slow, "sync", 3);
    wait_for(&s, get, FINDING_STACK(&s, "main.longer"), "sync", 1000);
    wait_for(&s, get, none, "chan send", 40000);
    wait_for(&s, idle, put, "chan receive", 6000000);
    blame(&s, get, put, 70);
    blame(&s, get_slow, put_slow, 2);
    blame(&s, get, none, 9);
    uint32_t reason = tp_intern_put(&s.reasons, tp_span_of_text("sync"));
    assert_true(tp_durations_record(&s.durations, TP_SPACE_WAKE, TP_TOTALS_OTHERS,
                                    TP_MEASURE_FIRST_BLOCK + reason, 70000000, TP_NO_MOMENT, false));
    return s;
}

static char *report(const struct tp_totals *s, int format, struct tp_stats_config config)
{
    static void (*const prints[])(struct tp_emit *, const struct tp_full_report *) = {
        [TP_STATS_FORMAT_TEXT] = tp_full_print_text,
        [TP_STATS_FORMAT_JSON] = tp_full_print_json,
        [TP_STATS_FORMAT_CSV] = tp_full_print_csv,
        [TP_STATS_FORMAT_FOLDED] = tp_full_print_folded,
        [TP_STATS_FORMAT_FLAMEGRAPH] = tp_full_print_flamegraph,
    };
    struct tp_full_report r;
    struct tp_error err;
    struct tp_emit e;
    static struct capture c;
    c = (struct capture){.out = {capture_write}};
    config.format = format;
    assert_int_equal(tp_full_report_make(&config, s, &r, &err), 0);
    tp_emit_init(&e, &c.out, &err);
    prints[format](&e, &r);
    assert_int_equal(tp_emit_end(&e), 0);
    tp_full_report_fini(&r);
    return c.text;
}

static const struct tp_stats_config by_waker = {.by = TP_STATS_BY_WAKER, .top = 10};

static void expect(const char *text, const char *want)
{
    if (strstr(text, want) == NULL)
        fail_msg("\"%s\" is not in \"%s\"", want, text);
}

static void test_text(void **state)
{
    struct tp_totals s = some_waits();
    (void)state;
    // Both stacks in main.put look alike, because only its line is shown.
    const char *text = report(&s, TP_STATS_FORMAT_TEXT, by_waker);
    expect(text,
           "blamed\n"
           "  main.longer (x.go:1)                           1.00 \xc2\xb5s            1   1.00 \xc2\xb5s"
           "   1.00 \xc2\xb5s         -\n"
           "    in main.get (x.go:2)                         1.00 \xc2\xb5s            1  sync\n"
           "  main.put (x.go:2)                               123 ns            3    100 ns"
           "    100 ns     72 ns\n"
           "    in main.get (x.go:2)                          103 ns            2  sync\n"
           "    in main.get (x.go:2)                           20 ns            1  select\n"
           "  (no stack)                                     40.0 \xc2\xb5s            1   40.0 \xc2\xb5s"
           "   40.0 \xc2\xb5s         -\n"
           "    in main.get (x.go:2)                         40.0 \xc2\xb5s            1  chan send\n"
           "  (idle waits)                                   6.00 ms            1   6.00 ms"
           "   6.00 ms         -\n"
           "    in os/signal.loop (x.go:2)                   6.00 ms            1  chan receive\n"
           "  (others)                                       70.0 ms            1   69.7 ms"
           "   70.0 ms         -\n");
    tp_totals_fini(&s);
}

static void test_rows_that_are_left_out(void **state)
{
    struct tp_totals s = some_waits();
    struct tp_stats_config config = by_waker;
    (void)state;
    wait_for(&s, FINDING_STACK(&s, "main.third"), FINDING_STACK(&s, "x", "main.longer"), "sync", 5);
    for (unsigned line = 0; line < 3; line++) {
        static const char *const functions[] = {"main.a", "main.b", "main.c"};
        wait_for(&s, FINDING_STACK(&s, functions[line]),
                 FINDING_STACK(&s, "sync.(*Mutex).Unlock", "main.put"), "sync", 1);
    }
    config.top = 1;
    const char *text = report(&s, TP_STATS_FORMAT_TEXT, config);
    expect(text, "  and 2 more\n  (no stack)");
    config.top = 10;
    expect(report(&s, TP_STATS_FORMAT_TEXT, config), "  select\n    in 3 more\n");
    config.top = 0;
    assert_null(strstr(report(&s, TP_STATS_FORMAT_TEXT, config), "more"));
    tp_totals_fini(&s);
}

static void test_sorts(void **state)
{
    struct tp_totals s = some_waits();
    struct tp_stats_config config = by_waker;
    (void)state;
    config.sort = TP_STATS_SORT_COUNT;
    const char *text = report(&s, TP_STATS_FORMAT_TEXT, config);
    assert_true(strstr(text, "main.put") < strstr(text, "main.longer"));
    assert_true(strstr(text, "main.longer") < strstr(text, "(no stack)"));
    tp_totals_fini(&s);
}

static void test_idle_waits_one_by_one(void **state)
{
    struct tp_totals s = some_waits();
    struct tp_stats_config config = by_waker;
    (void)state;
    config.idle = true;
    const char *text = report(&s, TP_STATS_FORMAT_TEXT, config);
    assert_null(strstr(text, "(idle waits)"));
    expect(text, "  main.put (x.go:2)                              6.00 ms            4 ");
    tp_totals_fini(&s);
}

static void test_json(void **state)
{
    struct tp_totals s = some_waits();
    (void)state;
    const char *text = report(&s, TP_STATS_FORMAT_JSON, by_waker);
    // All frames differ, so there are two rows in main.put; idle waits are in them, and told apart.
    expect(text, "{\"function\":\"main.put\",\"file\":\"x.go\",\"line\":2,\"count\":3,"
                 "\"total_ns\":6000120,\"max_ns\":6000000,");
    expect(text, "\"cut_count\":0,\"cut_ns\":0,\"max_begin_ns\":null,\"max_wall_start_ns\":null,"
                 "\"max_wall_start\":null,\"blamed_ns\":70,\"waiters\":["
                 "{\"function\":\"os/signal.loop\",\"file\":\"x.go\",\"line\":2,"
                 "\"reason\":\"chan receive\",\"idle\":true,\"count\":1,\"total_ns\":6000000},"
                 "{\"function\":\"main.get\",\"file\":\"x.go\",\"line\":2,"
                 "\"reason\":\"sync\",\"idle\":false,\"count\":1,\"total_ns\":100},"
                 "{\"function\":\"main.get\",\"file\":\"x.go\",\"line\":2,"
                 "\"reason\":\"select\",\"idle\":false,\"count\":1,\"total_ns\":20}],"
                 "\"frames\":[{\"function\":\"sync.(*Mutex).Unlock\",\"file\":\"x.go\",\"line\":1},"
                 "{\"function\":\"main.put\",\"file\":\"x.go\",\"line\":2}]}");
    expect(text, "\"blamed_ns\":2,");
    // A timer is not to blame.
    expect(text, "{\"function\":\"\",\"file\":\"\",\"line\":0,\"count\":1,\"total_ns\":40000,");
    expect(text, "\"cut_ns\":0,\"max_begin_ns\":null,\"max_wall_start_ns\":null,"
                 "\"max_wall_start\":null,\"blamed_ns\":0,\"waiters\":[{\"function\":\"main.get\",\"file\":"
                 "\"x.go\",\"line\":2,\"reason\":\"chan send\"");
    expect(text, "\"other_wakers\":{\"count\":1,\"total_ns\":70000000,");
    tp_totals_fini(&s);
}

static void test_csv(void **state)
{
    struct tp_totals s = some_waits();
    (void)state;
    const char *text = report(&s, TP_STATS_FORMAT_CSV, by_waker);
    expect(text, "\nwaker,\"sync.slow;main.put\",blocked,\"x.go:2\",1,3,3,3,3,3,3,0,0\n"
                 "waker,\"sync.slow;main.put\",blamed,\"x.go:2\",,2,,,,,,,\n"
                 "waker,\"\",blocked,,1,40000,40000,");
    expect(text, "\nwaker,(others),blocked,,1,70000000,70000000,");
    tp_totals_fini(&s);
}

static void test_folded(void **state)
{
    struct tp_totals s = some_waits();
    struct tp_stats_config config = by_waker;
    (void)state;
    assert_string_equal(report(&s, TP_STATS_FORMAT_FOLDED, config),
                        "woken;main.longer 1000\n"
                        "woken;main.put;sync.(*Mutex).Unlock 120\n"
                        "woken;main.put;sync.slow 3\n"
                        "woken 40000\n"
                        "woken;(idle waits) 6000000\n"
                        "woken;(others) 70000000\n");
    const char *picture = report(&s, TP_STATS_FORMAT_FLAMEGRAPH, config);
    expect(picture, ">woken: blocked time by waker, 76.0 ms in 7 waits</text>");
    expect(picture, "(idle waits)");
    config.by = TP_STATS_BY_ALL;
    assert_string_equal(report(&s, TP_STATS_FORMAT_FOLDED, config), "");
    assert_null(strstr(report(&s, TP_STATS_FORMAT_FLAMEGRAPH, config), "woken"));
    tp_totals_fini(&s);
}

// A filter chooses among waits by who waited, for what, or who ended it.
static void test_filters(void **state)
{
    static const struct {
        const char *filter, *want;
    } cases[] = {
        {"main.put", "woken;main.put;sync.(*Mutex).Unlock 120\n"
                     "woken;main.put;sync.slow 3\n"
                     "woken;(idle waits) 6000000\n"},
        {"signal", "woken;(idle waits) 6000000\n"},
        {"select", "woken;main.put;sync.(*Mutex).Unlock 20\n"},
        {"chan send", "woken 40000\n"},
        {"nowhere", ""},
    };
    struct tp_totals s = some_waits();
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(cases); i++) {
        struct tp_stats_config config = by_waker;
        snprintf(config.filter, sizeof config.filter, "%s", cases[i].filter);
        assert_string_equal(report(&s, TP_STATS_FORMAT_FOLDED, config), cases[i].want);
    }
    tp_totals_fini(&s);
}

static void test_none(void **state)
{
    struct tp_totals s = {0};
    (void)state;
    assert_null(strstr(report(&s, TP_STATS_FORMAT_TEXT, by_waker), "time by waker"));
    expect(report(&s, TP_STATS_FORMAT_JSON, by_waker),
           "\"wakers\":[],\n\"other_wakers\":{\"count\":0,");
    tp_totals_fini(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_rows_that_are_left_out),
        cmocka_unit_test(test_sorts),
        cmocka_unit_test(test_idle_waits_one_by_one),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_csv),
        cmocka_unit_test(test_folded),
        cmocka_unit_test(test_filters),
        cmocka_unit_test(test_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
