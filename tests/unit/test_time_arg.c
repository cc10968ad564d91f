// Points in time as people write them: durations as of Go's time.ParseDuration, times
// of day as of RFC 3339.
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

static void test_times_of_day(void **state)
{
    static const struct {
        const char *text;
        int64_t sec;
        int64_t nsec;
    } rows[] = {
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
    };
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(rows); i++) {
        struct tp_time_arg m;
        if (!tp_time_arg_parse(rows[i].text, &m))
            fail_msg("refused: %s", rows[i].text);
        assert_int_equal(m.kind, TP_TIME_ARG_WALL);
        assert_true(m.wall_sec == rows[i].sec);
        assert_true(m.wall_nsec == rows[i].nsec);
    }
}

static void test_what_is_neither(void **state)
{
    static const char *const texts[] = {
        "", "5", "s", "-1s", "1x", "1s ", " 1s", "1.2.3s", ".", ".5s", "1s5", "1e3s",
        "9223372036854775808ns", "9223372037s", "99999999999999999999h", "2562048h", "2026",
        "2026-", "2026-11-21", "2026-11-21T", "2026-11-21T05:15Z", "2026-11-21T05:15:00",
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
        cmocka_unit_test(test_times_of_day),
        cmocka_unit_test(test_what_is_neither),
    };
    return cmocka_run_group_tests_name("moment", tests, NULL, NULL);
}
