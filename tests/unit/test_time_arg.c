// Points in time as people write them: durations as of Go's time.ParseDuration, times as of RFC
// 3339 and shorter, and what those come to in a zone and on a day.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/time/time_arg.h"

static void test_durations(void **state)
{
    static const struct {
        const char *text;
        int64_t ns;
    } rows[] = {
        {"0", 0},
        {"0s", 0},
        {"1ns", 1},
        {"17us", 17000},
        {"17\xc2\xb5s", 17000},
        {"250ms", 250000000},
        {"1.5s", 1500000000},
        {"2m30s", 150000000000},
        {"1h0.25m", 3615000000000},
        {"1.0000000019s", 1000000001}, // what is below a nanosecond is cut off
        {"9223372036854775807ns", INT64_MAX},
    };
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(rows); i++) {
        struct tp_time_arg m;
        if (!tp_time_arg_parse(rows[i].text, &m))
            fail_msg("refused: %s", rows[i].text);
        assert_int_equal(m.kind, TP_TIME_ARG_SINCE);
        assert_true(m.since_ns == rows[i].ns);
    }
}

// A text of a kind that is not SINCE, and what it is parsed to.
struct row {
    const char *text;
    int64_t sec;
    int64_t nsec;
};

static struct tp_time_arg parsed(const char *text)
{
    struct tp_time_arg m = {0};
    if (!tp_time_arg_parse(text, &m))
        fail_msg("refused: %s", text);
    return m;
}

static void assert_rows(const struct row *rows, size_t count, enum tp_time_arg_kind kind)
{
    for (size_t i = 0; i < count; i++) {
        struct tp_time_arg m = parsed(rows[i].text);
        assert_int_equal(m.kind, kind);
        assert_true(m.wall_sec == rows[i].sec);
        assert_true(m.wall_nsec == rows[i].nsec);
    }
}

static void test_dates_with_an_offset(void **state)
{
    static const struct row rows[] = {
        {"1970-01-01T00:00:00Z", 0, 0},
        {"1969-12-31T23:59:59.5Z", -1, 500000000},
        {"2026-11-21T05:15:00Z", 1795238100, 0},
        {"2026-11-21 05:15:00z", 1795238100, 0},
        {"2026-11-21t06:45:00.25+01:30", 1795238100, 250000000},
        {"2026-11-20T21:15:00-08:00", 1795238100, 0},
        {"2000-02-29T12:00:00Z", 951825600, 0},
        {"2100-12-31T23:59:59Z", 4133980799, 0},
        {"0001-01-01T00:00:00Z", -62135596800, 0},
        {"2026-11-21T05:15:00.0000000019Z", 1795238100, 1},
        {"2026-11-21T05:15Z", 1795238100, 0},
        {"2026-11-21 06:15+01:00", 1795238100, 0},
    };
    (void)state;
    assert_rows(rows, TP_ARRAY_LEN(rows), TP_TIME_ARG_WALL);
}

static void test_dates_without_an_offset(void **state)
{
    static const struct row rows[] = {
        {"2026-11-21 05:15", 1795238100, 0},
        {"2026-11-21T05:15", 1795238100, 0},
        {"2026-11-21t05:15:01", 1795238101, 0},
        {"2026-11-21 05:15:00.25", 1795238100, 250000000},
        {"0001-01-01 00:00", -62135596800, 0},
        {"9999-12-31 23:59:59.999999999", 253402300799, 999999999},
    };
    (void)state;
    assert_rows(rows, TP_ARRAY_LEN(rows), TP_TIME_ARG_LOCAL);
}

static void test_times_of_day(void **state)
{
    static const struct row rows[] = {
        {"00:00", 0, 0},
        {"12:03", 43380, 0},
        {"12:03:05", 43385, 0},
        {"12:03:05.5", 43385, 500000000},
        {"23:59:59.9999999999", 86399, 999999999},
    };
    (void)state;
    assert_rows(rows, TP_ARRAY_LEN(rows), TP_TIME_ARG_CLOCK);
}

// ZONES AND DAYS

#define HOUR INT64_C(3600)

// Local time of Berlin: clocks are put forward at 2026-03-29T01:00:00Z and back at
// 2026-10-25T01:00:00Z.
static struct tp_zone_type types[] = {{.offset_sec = 3600}};
static const struct tp_zone berlin = {
    .types = types, .type_count = 1, .rule = "CET-1CEST,M3.5.0,M10.5.0/3"};

static int64_t utc(const char *text)
{
    struct tp_time_arg m = parsed(text);
    assert_int_equal(m.kind, TP_TIME_ARG_WALL);
    return m.wall_sec;
}

static void test_dates_in_a_zone(void **state)
{
    static const struct {
        const char *local, *wall;
    } rows[] = {
        {"2026-01-15 12:00", "2026-01-15T11:00:00Z"},
        {"2026-07-15 12:00", "2026-07-15T10:00:00Z"},
        // Put forward: what is skipped is the moment of the skip.
        {"2026-03-29 01:59:59", "2026-03-29T00:59:59Z"},
        {"2026-03-29 02:00", "2026-03-29T01:00:00Z"},
        {"2026-03-29 02:30", "2026-03-29T01:00:00Z"},
        {"2026-03-29 02:59:59", "2026-03-29T01:00:00Z"},
        {"2026-03-29 03:00", "2026-03-29T01:00:00Z"},
        {"2026-03-29 03:00:01", "2026-03-29T01:00:01Z"},
        // Put back: the first of two.
        {"2026-10-25 01:59:59", "2026-10-24T23:59:59Z"},
        {"2026-10-25 02:00", "2026-10-25T00:00:00Z"},
        {"2026-10-25 02:59:59", "2026-10-25T00:59:59Z"},
        {"2026-10-25 03:00", "2026-10-25T02:00:00Z"},
    };
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(rows); i++) {
        struct tp_time_arg m = parsed(rows[i].local);
        tp_time_arg_set_zone(&m, &berlin);
        assert_int_equal(m.kind, TP_TIME_ARG_WALL);
        if (m.wall_sec != utc(rows[i].wall))
            fail_msg("%s is %lld, not %s", rows[i].local, (long long)m.wall_sec, rows[i].wall);
    }
    struct tp_time_arg utc_arg = parsed("2026-11-21 05:15");
    tp_time_arg_set_zone(&utc_arg, NULL);
    assert_true(utc_arg.wall_sec == 1795238100);
}

static void test_a_zone_changes_nothing_else(void **state)
{
    static const char *const texts[] = {"1.5s", "12:03", "2026-11-21T05:15:00Z"};
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(texts); i++) {
        struct tp_time_arg before = parsed(texts[i]), after = before;
        tp_time_arg_set_zone(&after, &berlin);
        assert_memory_equal(&after, &before, sizeof after);
    }
}

static void test_times_of_the_day_of_a_trace(void **state)
{
    static const struct {
        const char *begin, *clock, *wall;
    } rows[] = {
        {"2026-11-21T12:05:00Z", "13:10", "2026-11-21T12:10:00Z"},
        {"2026-11-21T12:05:00Z", "13:05", "2026-11-21T12:05:00Z"},
        // Before the trace, on its day.
        {"2026-11-21T12:05:00Z", "13:00", "2026-11-21T12:00:00Z"},
        {"2026-11-21T12:05:00Z", "00:00", "2026-11-20T23:00:00Z"},
        // The day is that of the zone.
        {"2026-11-20T23:30:00Z", "00:40", "2026-11-20T23:40:00Z"},
        // Past midnight.
        {"2026-11-21T22:58:00Z", "00:01", "2026-11-21T23:01:00Z"},
        {"2026-11-21T18:00:00Z", "01:00", "2026-11-22T00:00:00Z"},
        {"2026-11-21T18:00:00Z", "01:01", "2026-11-21T00:01:00Z"},
        // Within the hour that comes twice: the first time, whenever the trace begins.
        {"2026-10-25T00:10:00Z", "02:30", "2026-10-25T00:30:00Z"},
        {"2026-10-25T00:40:00Z", "02:30", "2026-10-25T00:30:00Z"},
        {"2026-10-25T01:10:00Z", "02:30", "2026-10-25T00:30:00Z"},
        {"2026-10-25T01:40:00Z", "02:30", "2026-10-25T00:30:00Z"},
        // Within the hour that is skipped.
        {"2026-03-29T00:50:00Z", "02:30", "2026-03-29T01:00:00Z"},
        {"2026-03-29T01:10:00Z", "02:30", "2026-03-29T01:00:00Z"},
    };
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(rows); i++) {
        struct tp_time_arg m = parsed(rows[i].clock);
        tp_time_arg_set_day(&m, &berlin, utc(rows[i].begin));
        assert_int_equal(m.kind, TP_TIME_ARG_WALL);
        if (m.wall_sec != utc(rows[i].wall))
            fail_msg("%s from %s on is %lld, not %s", rows[i].clock, rows[i].begin,
                     (long long)m.wall_sec, rows[i].wall);
    }
}

static void test_days_before_1970(void **state)
{
    struct tp_time_arg m = parsed("00:30");
    (void)state;
    tp_time_arg_set_day(&m, NULL, -HOUR);
    assert_true(m.wall_sec == HOUR / 2);
    m = parsed("23:30");
    tp_time_arg_set_day(&m, NULL, -HOUR);
    assert_true(m.wall_sec == -HOUR / 2);
}

static void test_a_day_changes_nothing_else(void **state)
{
    static const char *const texts[] = {"1.5s", "2026-11-21T05:15:00Z"};
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(texts); i++) {
        struct tp_time_arg before = parsed(texts[i]), after = before;
        tp_time_arg_set_day(&after, &berlin, 0);
        assert_memory_equal(&after, &before, sizeof after);
    }
}

static void test_what_is_neither(void **state)
{
    static const char *const texts[] = {
        "", "5", "s", "-1s", "1x", "1s ", " 1s", "1.2.3s", ".", ".5s", "1s5", "1e3s",
        "9223372036854775808ns", "9223372037s", "99999999999999999999h", "2562048h", "2026",
        "2026-", "2026-11-21", "2026-11-21T", "2026-11-21 ", "2026-11-21  05:15",
        "2026-11-21_05:15", "2026-11-21 5:15", "2026-11-21 05", "2026-11-21 05:1",
        "2026-11-21 05:15:", "2026-11-21 05:15:0", "2026-11-21 05:15:00.", "2026-11-21 05:15 ",
        "2026-11-21 05:15:00.Z", "2026-11-21 05:15 Z", "2026-11-21 05:15.5", "2026-1-21 05:15",
        "2026/11/21 05:15", "21.11.2026 05:15", "0000-01-01 00:00", "2026-02-29 05:15",
        ":", "12", "12:", "12:3", "1:03", "012:03", "24:00", "12:60", "12:03:", "12:03:5",
        "12:03:60", "12:03:05.", "12:03.5", "12:03:05.5s", "12:03Z", "12:03+01:00", "12:03 ",
        " 12:03", "-12:03", "T12:03", "12:03pm", "12.03", "12:03:05:07",
        "2026-11-21T05:15:00X", "2026-11-21T05:15:00Zulu", "2026-11-21T05:15:00+1:00",
        "2026-11-21T05:15:00+01:60", "2026-11-21T24:00:00Z", "2026-11-21T05:60:00Z",
        "2026-11-21T05:15:60Z", "2026-00-21T05:15:00Z", "2026-13-01T05:15:00Z",
        "2026-11-00T05:15:00Z", "2026-11-31T05:15:00Z", "2026-02-29T05:15:00Z",
        "2100-02-29T05:15:00Z", "0000-01-01T00:00:00Z", "26-11-21T05:15:00Z",
    };
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(texts); i++) {
        struct tp_time_arg m = {.since_ns = 77};
        if (tp_time_arg_parse(texts[i], &m))
            fail_msg("taken: %s", texts[i]);
        assert_int_equal(m.since_ns, 77);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_durations),
        cmocka_unit_test(test_dates_with_an_offset),
        cmocka_unit_test(test_dates_without_an_offset),
        cmocka_unit_test(test_times_of_day),
        cmocka_unit_test(test_dates_in_a_zone),
        cmocka_unit_test(test_a_zone_changes_nothing_else),
        cmocka_unit_test(test_times_of_the_day_of_a_trace),
        cmocka_unit_test(test_days_before_1970),
        cmocka_unit_test(test_a_day_changes_nothing_else),
        cmocka_unit_test(test_what_is_neither),
    };
    return cmocka_run_group_tests_name("moment", tests, NULL, NULL);
}
