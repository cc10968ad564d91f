// Where a time window lies in a trace, and in several.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "pipeline/commit/windows.h"
#include "pipeline/order/window.h"

#define SEC INT64_C(1000000000)
#define FREQUENCY 1000000000

// A trace whose first event is at 5 s of its clock, and half a second before 2026-11-21T05:15:00Z.
static const struct tp_generation first = {
    .begin_ticks = (uint64_t)(5 * SEC),
    .has_clock = true,
    .clock = {.trace_ticks = (uint64_t)(6 * SEC), .wall_sec = 1795238100, .wall_nsec = 500000000}};

static int load(struct tp_settings *s, const char *tz, const char *from, const char *to,
                struct tp_error *err)
{
    tp_settings_init(s);
    assert_int_equal(tp_settings_set(s, "from", from, err), 0);
    assert_int_equal(tp_settings_set(s, "to", to, err), 0);
    assert_int_equal(tp_settings_set(s, "tz", tz, err), 0);
    return tp_settings_load_zone(s, err);
}

static struct tp_window resolved(const char *from, const char *to,
                                 const struct tp_generation *generation)
{
    struct tp_settings s;
    struct tp_window w;
    struct tp_error err;
    assert_int_equal(load(&s, "UTC", from, to, &err), 0);
    assert_int_equal(tp_window_resolve(&s, generation, FREQUENCY, &w, &err), 0);
    tp_settings_fini(&s);
    return w;
}

static void assert_window(const char *from, const char *to, int64_t from_ns, int64_t to_ns)
{
    struct tp_window w = resolved(from, to, &first);
    assert_true(w.is_set);
    if (w.from_ns != from_ns || w.to_ns != to_ns)
        fail_msg("%s to %s: %lld, %lld", from, to, (long long)w.from_ns, (long long)w.to_ns);
}

static void test_all_forms_mean_the_same_moment(void **state)
{
    static const char *const texts[] = {
        "1.75s", "2026-11-21T05:15:01.25Z", "2026-11-21 05:15:01.25", "05:15:01.25",
        "2026-11-21 07:15:01.25+02:00",
    };
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(texts); i++) {
        assert_window(texts[i], "", 6750000000, INT64_MAX);
        assert_window("", texts[i], INT64_MIN, 6750000000);
    }
    assert_window("0", "05:15", 5 * SEC, 5500000000);
    assert_window("05:14", "05:16", 5500000000 - 60 * SEC, 5500000000 + 60 * SEC);
}

static void test_times_out_of_range_are_no_limit(void **state)
{
    (void)state;
    struct tp_window w = resolved("0001-01-01T00:00:00Z", "9999-12-31 23:59", &first);
    assert_true(w.from_ns < -200 * 365 * (86400 * SEC) && w.to_ns == INT64_MAX);
}

static void test_the_beginning_is_told_on_both_clocks(void **state)
{
    (void)state;
    struct tp_window w = resolved("05:15", "", &first);
    assert_true(w.begin.ns == 5 * SEC && w.begin.has_wall);
    assert_true(w.begin.wall.sec == 1795238099 && w.begin.wall.nsec == 500000000);
    assert_int_equal(w.from.kind, TP_TIME_ARG_WALL);
    assert_true(w.from.wall_sec == 1795238100);
    assert_int_equal(w.to.kind, TP_TIME_ARG_NONE);
}

static void test_a_snapshot_may_lie_before_the_beginning(void **state)
{
    struct tp_generation g = first;
    (void)state;
    g.clock.trace_ticks = (uint64_t)(5 * SEC) - 700000000;
    struct tp_window w = resolved("0", "", &g);
    assert_true(w.begin.wall.sec == 1795238101 && w.begin.wall.nsec == 200000000);
}

static void assert_no_clock(const struct tp_generation *g, const char *from)
{
    struct tp_settings s;
    struct tp_window w = {0};
    struct tp_error err;
    assert_int_equal(load(&s, "UTC", from, "", &err), 0);
    assert_int_equal(tp_window_resolve(&s, g, FREQUENCY, &w, &err), TP_E_ORDER);
    assert_false(w.is_set);
    tp_settings_fini(&s);
}

static void test_traces_without_a_clock_know_durations_alone(void **state)
{
    static const char *const texts[] = {"05:15", "2026-11-21 05:15", "2026-11-21T05:15:00Z"};
    struct tp_generation none = first, absurd = first, late = first;
    none.has_clock = false;
    absurd.clock.wall_nsec = (uint64_t)SEC;
    late.clock.wall_sec = UINT64_MAX;
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(texts); i++) {
        assert_no_clock(NULL, texts[i]);
        assert_no_clock(&none, texts[i]);
        assert_no_clock(&absurd, texts[i]);
        assert_no_clock(&late, texts[i]);
    }
    struct tp_window w = resolved("1.5s", "", NULL);
    assert_true(w.from_ns == 1500000000 && !w.begin.has_wall);
    assert_false(resolved("1.5s", "", &absurd).begin.has_wall);
}

static void assert_refused(const char *tz, const char *from, const char *to, const char *word)
{
    struct tp_settings s;
    struct tp_error err;
    assert_int_equal(load(&s, tz, from, to, &err), TP_E_USAGE);
    if (strstr(err.text, word) == NULL)
        fail_msg("%s", err.text);
    tp_settings_fini(&s);
}

static void test_what_no_trace_can_fit_is_refused_at_once(void **state)
{
    (void)state;
    assert_refused("UTC", "2s", "1s", "ends before");
    assert_refused("UTC", "2026-11-21T05:15:00Z", "2026-11-21T05:14:59.9Z", "ends before");
    assert_refused("UTC", "2026-11-21T05:15:00Z", "2026-11-21 05:14", "ends before");
    assert_refused("Asia/Nowhere", "", "", "tz");
    assert_refused("", "", "", "tz");
    assert_refused("../UTC", "", "", "tz");
    // Midnight may lie between these.
    (void)resolved("23:55", "00:05", &first);
}

static void test_a_time_of_day_is_on_one_day(void **state)
{
    struct tp_windows all = {0};
    struct tp_order_report here = {.window.place = resolved("05:15", "05:16", &first)};
    struct tp_order_report dated = {.window.place = resolved("1s", "2s", &first)};
    struct tp_order_report none = {0};
    struct tp_generation next_day = first;
    struct tp_error err;
    (void)state;
    next_day.clock.wall_sec += 86400;
    struct tp_order_report there = {.window.place = resolved("05:15", "05:16", &next_day)};
    assert_int_equal(tp_windows_add(&all, &none, NULL, &err), 0);
    assert_int_equal(tp_windows_add(&all, &here, NULL, &err), 0);
    assert_int_equal(tp_windows_add(&all, &here, NULL, &err), 0);
    assert_int_equal(tp_windows_add(&all, &none, NULL, &err), 0);
    assert_true(all.input_count == 2);
    assert_int_equal(tp_windows_add(&all, &there, NULL, &err), TP_E_USAGE);
    assert_non_null(strstr(err.text, "2026-11-21T05:15:00Z"));
    assert_non_null(strstr(err.text, "2026-11-22T05:15:00Z"));
    // Durations count from the beginning of each.
    all = (struct tp_windows){0};
    assert_int_equal(tp_windows_add(&all, &dated, NULL, &err), 0);
    dated.window.place = resolved("1s", "2s", &next_day);
    assert_int_equal(tp_windows_add(&all, &dated, NULL, &err), 0);
}

// EMPTY WINDOWS

static struct tp_order_report report_of(const struct tp_generation *g, int64_t seen_end_ns,
                                        int64_t passed_end_ns, bool is_cut)
{
    struct tp_order_report r = {.window = {.place = resolved("1h", "", g),
                                           .seen_end_ns = seen_end_ns,
                                           .passed_end_ns = passed_end_ns,
                                           .is_cut = is_cut}};
    return r;
}

static void add(struct tp_windows *all, struct tp_order_report r)
{
    struct tp_error err;
    assert_int_equal(tp_windows_add(all, &r, NULL, &err), 0);
}

static void assert_text(const struct tp_windows *all, const struct tp_zone *z, const char *wanted)
{
    char text[TP_WINDOWS_TEXT_BYTES];
    assert_true(tp_windows_are_empty(all, z, text));
    assert_string_equal(text, wanted);
}

static void test_one_input_out_of_the_window(void **state)
{
    static struct tp_zone_type type = {.offset_sec = 9 * 3600};
    struct tp_zone tokyo = {.types = &type, .type_count = 1};
    struct tp_windows all = {0};
    (void)state;
    add(&all, report_of(&first, 5 * SEC + 100, 6 * SEC, false));
    assert_text(&all, NULL, "no events in the time window: the input lasts from "
                            "2026-11-21T05:14:59.5Z to 2026-11-21T05:15:00.5Z (1.00 s)");
    assert_text(&all, &tokyo, "no events in the time window: the input lasts from "
                              "2026-11-21T14:14:59.5+09:00 to 2026-11-21T14:15:00.5+09:00 (1.00 s)");
    all = (struct tp_windows){0};
    add(&all, report_of(&first, 0, 0, true));
    assert_text(&all, NULL, "no events in the time window: the input lasts from "
                            "2026-11-21T05:14:59.5Z on");
    all = (struct tp_windows){0};
    add(&all, report_of(NULL, 3 * SEC, 0, false));
    assert_text(&all, NULL, "no events in the time window: the input lasts 3.00 s");
    all = (struct tp_windows){0};
    add(&all, report_of(NULL, 0, 0, true));
    assert_text(&all, NULL, "no events in the time window");
}

static void test_several_inputs_out_of_the_window(void **state)
{
    struct tp_generation later = first;
    struct tp_windows all = {0};
    (void)state;
    later.clock.wall_sec += 60;
    add(&all, report_of(&later, 6 * SEC, 0, true));
    add(&all, report_of(&first, 7 * SEC, 0, false));
    assert_text(&all, NULL, "no events in the time window: the inputs last from "
                            "2026-11-21T05:14:59.5Z to 2026-11-21T05:16:00.5Z or later "
                            "(the longest 2.00 s or more)");
    // One of them does not know the time of day.
    add(&all, report_of(NULL, 3 * SEC, 0, false));
    assert_text(&all, NULL, "no events in the time window: the inputs last up to 3.00 s or more");
}

static void test_nothing_is_said_of_windows_with_events_or_of_none(void **state)
{
    struct tp_order_report some = report_of(&first, 6 * SEC, 0, false);
    struct tp_windows all = {0};
    char text[TP_WINDOWS_TEXT_BYTES];
    (void)state;
    assert_false(tp_windows_are_empty(&all, NULL, text));
    some.event_count = 1;
    add(&all, report_of(&first, 6 * SEC, 0, false));
    add(&all, some);
    assert_false(tp_windows_are_empty(&all, NULL, text));
}

static void test_absurd_ends_make_no_length(void **state)
{
    struct tp_windows all = {0};
    (void)state;
    add(&all, report_of(&first, 1, INT64_MIN, false));
    assert_true(all.longest_ns == 0);
    add(&all, report_of(&first, INT64_MAX, 0, false));
    assert_true(all.longest_ns == INT64_MAX - 5 * SEC);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_forms_mean_the_same_moment),
        cmocka_unit_test(test_times_out_of_range_are_no_limit),
        cmocka_unit_test(test_the_beginning_is_told_on_both_clocks),
        cmocka_unit_test(test_a_snapshot_may_lie_before_the_beginning),
        cmocka_unit_test(test_traces_without_a_clock_know_durations_alone),
        cmocka_unit_test(test_what_no_trace_can_fit_is_refused_at_once),
        cmocka_unit_test(test_a_time_of_day_is_on_one_day),
        cmocka_unit_test(test_one_input_out_of_the_window),
        cmocka_unit_test(test_several_inputs_out_of_the_window),
        cmocka_unit_test(test_nothing_is_said_of_windows_with_events_or_of_none),
        cmocka_unit_test(test_absurd_ends_make_no_length),
    };
    return cmocka_run_group_tests_name("window", tests, NULL, NULL);
}
