// Which waits are idle; and that reports have them in one row, or one by one, with the same sums.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "out_capture.h"
#include "sink/stats/forms.h"
#include "stats/idle_waits.h"

#define MOST_FRAMES 8
// Functions, innermost first.
#define STACK(...)                                                                                 \
    (const char *const[])                                                                          \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }

static uint32_t put(struct tp_totals *s, const char *const *functions)
{
    uint32_t frames[MOST_FRAMES], depth = 0;
    for (; functions[depth] != NULL; depth++) {
        uint32_t name = tp_intern_put(&s->names, tp_span_of_text(functions[depth]));
        struct tp_totals_frame frame = {.line = 1, .function = name, .file = name};
        frames[depth] = tp_totals_frames_put(&s->frames, &s->names, &frame);
    }
    uint32_t stack = tp_totals_add_stack(s, frames, depth);
    assert_int_not_equal(stack, TP_INTERN_NONE);
    return stack;
}

static bool is_idle(enum tp_stack_type type, const char *const *functions)
{
    struct tp_totals s = {0};
    bool is = tp_stack_is_idle(&s, put(&s, functions), type);
    tp_totals_fini(&s);
    return is;
}

static void test_listed_functions(void **state)
{
    (void)state;
    assert_true(is_idle(TP_STACK_NET, STACK("internal/poll.(*FD).Accept",
                                            "net.(*TCPListener).Accept", "main.serve",
                                            "main.main")));
    assert_true(is_idle(TP_STACK_SYNC, STACK("runtime.selectgo",
                                             "net/http.(*persistConn).writeLoop")));
    assert_true(is_idle(TP_STACK_SYNC_OPEN, STACK("runtime.selectgo", "os/signal.loop")));
    assert_false(is_idle(TP_STACK_NET, STACK("internal/poll.(*FD).Read", "net.(*conn).Read",
                                             "main.main")));
    assert_true(is_idle(TP_STACK_SYSCALL, STACK("internal/syscall/unix.Waitid", "os.(*Process).wait",
                                                "os/exec.(*Cmd).Wait", "main.run")));
    assert_true(is_idle(TP_STACK_SYNC, STACK("runtime.selectgo", "net/http/pprof.sleep")));
    // The name has to be the whole name.
    assert_false(is_idle(TP_STACK_SYNC, STACK("runtime.selectgo", "os/signal.loop.func1")));
    assert_false(is_idle(TP_STACK_SYNC, STACK("runtime.selectgo", "my/os/signal.loop")));
}

static void test_a_function_that_calls_another(void **state)
{
    (void)state;
    assert_true(is_idle(TP_STACK_NET, STACK("net.(*conn).Read", "bufio.(*Reader).fill",
                                            "bufio.(*Reader).Peek", "net/http.(*conn).serve")));
    // A handler reads, and peeks.
    assert_false(is_idle(TP_STACK_NET, STACK("net.(*conn).Read", "main.handle",
                                             "net/http.(*conn).serve")));
    assert_false(is_idle(TP_STACK_NET, STACK("bufio.(*Reader).Peek", "main.handle",
                                             "net/http.(*conn).serve")));
    assert_false(is_idle(TP_STACK_NET, STACK("net/http.(*conn).serve")));
}

static void test_the_runtime(void **state)
{
    (void)state;
    assert_true(is_idle(TP_STACK_SYNC, STACK("runtime.gopark", "runtime.bgsweep")));
    assert_true(is_idle(TP_STACK_SYSCALL, STACK("runtime.notetsleepg", "runtime.forcegchelper")));
    assert_false(is_idle(TP_STACK_SYNC, STACK("runtime.chanrecv1", "runtime.main")));
    assert_false(is_idle(TP_STACK_SYNC, STACK("runtime.chanrecv1", "main.final",
                                              "runtime.runFinalizers")));
    assert_false(is_idle(TP_STACK_SYNC, (const char *const[]){NULL}));
    // Being able to run, or running, is not idle.
    assert_false(is_idle(TP_STACK_SCHED, STACK("runtime.bgsweep")));
    assert_false(is_idle(TP_STACK_CPU, STACK("os/signal.loop")));
}

// REPORTS

static char *report(const struct tp_totals *s, int format, bool idle, const char *filter)
{
    struct tp_stats_config config = {
        .by = TP_STATS_BY_STACK, .format = format, .top = 1, .idle = idle};
    void (*print)(struct tp_emit *, const struct tp_full_report *) =
        format == TP_STATS_FORMAT_TEXT         ? tp_full_print_text
        : format == TP_STATS_FORMAT_FLAMEGRAPH ? tp_full_print_flamegraph
        : format == TP_STATS_FORMAT_JSON       ? tp_full_print_json
        : format == TP_STATS_FORMAT_CSV        ? tp_full_print_csv
                                               : tp_full_print_folded;
    struct tp_full_report r;
    struct tp_error err;
    struct tp_emit e;
    static struct capture c;
    c = (struct capture){.out = {capture_write}};
    snprintf(config.filter, sizeof config.filter, "%s", filter);
    assert_int_equal(tp_full_report_make(&config, s, &r, &err), 0);
    tp_emit_init(&e, &c.out, &err);
    print(&e, &r);
    assert_int_equal(tp_emit_end(&e), 0);
    tp_full_report_fini(&r);
    return c.text;
}

static void expect(const char *text, const char *want)
{
    if (strstr(text, want) == NULL)
        fail_msg("\"%s\" is not in \"%s\"", want, text);
}

static struct tp_totals some_waits(void)
{
    struct tp_totals s = {0};
    assert_true(tp_totals_record_stack(&s, put(&s, STACK("runtime.park", "runtime.bgsweep")),
                                       TP_STACK_SYNC, 2, 100));
    assert_true(tp_totals_record_stack(&s, put(&s, STACK("runtime.park", "os/signal.loop")),
                                       TP_STACK_SYNC, 3, 1000));
    assert_true(tp_totals_record_stack(&s, put(&s, STACK("runtime.park", "main.f")), TP_STACK_SYNC,
                                       1, 30));
    assert_true(tp_totals_record_stack(&s, put(&s, STACK("runtime.park", "main.g")), TP_STACK_SYNC,
                                       1, 20));
    assert_true(tp_totals_record_stack(&s, put(&s, STACK("net.(*TCPListener).Accept", "main.g")),
                                       TP_STACK_NET, 1, 7));
    return s;
}

static void test_one_row_or_one_by_one(void **state)
{
    struct tp_totals s = some_waits();
    (void)state;
    const char *text = report(&s, TP_STATS_FORMAT_TEXT, false, "");
    expect(text, "main.f (main.f:1)\n  and 1 more\n    1.10 \xc2\xb5s            5  (idle waits)\n");
    expect(text, "by stack: time, count\n       7 ns            1  (idle waits)\n");
    text = report(&s, TP_STATS_FORMAT_TEXT, true, "");
    expect(text, "os/signal.loop (signal.loop:1)\n  and 3 more\n");
    assert_null(strstr(text, "(idle waits)"));
    assert_string_equal(report(&s, TP_STATS_FORMAT_FOLDED, false, ""),
                        "sync;main.f;runtime.park 30\n"
                        "sync;main.g;runtime.park 20\n"
                        "net;(idle waits) 7\n"
                        "sync;(idle waits) 1100\n");
    assert_string_equal(report(&s, TP_STATS_FORMAT_FOLDED, true, ""),
                        "net;main.g;net.(*TCPListener).Accept 7\n"
                        "sync;os/signal.loop;runtime.park 1000\n"
                        "sync;runtime.bgsweep;runtime.park 100\n"
                        "sync;main.f;runtime.park 30\n"
                        "sync;main.g;runtime.park 20\n");
    expect(report(&s, TP_STATS_FORMAT_FLAMEGRAPH, false, ""), "(idle waits)");
    assert_null(strstr(report(&s, TP_STATS_FORMAT_FLAMEGRAPH, true, ""), "(idle waits)"));
    tp_totals_fini(&s);
}

static void test_json_and_csv_have_all(void **state)
{
    struct tp_totals s = some_waits();
    (void)state;
    const char *text = report(&s, TP_STATS_FORMAT_JSON, false, "");
    expect(text, "\"count\":3,\"total_ns\":1000,\"max_ns\":");
    expect(text, "\"function\":\"os/signal.loop\",\"file\":\"os/signal.loop\",\"line\":1,\"idle\":true,");
    expect(text, "\"function\":\"main.f\",\"file\":\"main.f\",\"line\":1,\"idle\":false,");
    expect(report(&s, TP_STATS_FORMAT_CSV, false, ""), "stack,\"runtime.park;os/signal.loop\",");
    tp_totals_fini(&s);
}

static void test_a_filter_chooses_among_idle_waits(void **state)
{
    struct tp_totals s = some_waits();
    (void)state;
    assert_string_equal(report(&s, TP_STATS_FORMAT_FOLDED, false, "signal"),
                        "sync;(idle waits) 1000\n");
    expect(report(&s, TP_STATS_FORMAT_TEXT, false, "signal"), "      3  (idle waits)\n");
    tp_totals_fini(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_listed_functions),
        cmocka_unit_test(test_a_function_that_calls_another),
        cmocka_unit_test(test_the_runtime),
        cmocka_unit_test(test_one_row_or_one_by_one),
        cmocka_unit_test(test_json_and_csv_have_all),
        cmocka_unit_test(test_a_filter_chooses_among_idle_waits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
