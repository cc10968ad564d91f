// Time zones and wall clocks: results of Go's time package for reasonable and absurd
// times, those of the C library where the two agree, and files that are damaged.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/time/wall.h"
#include "base/time/zone.h"

struct wall {
    int64_t sec, nsec;
    const char *text;
};

static void assert_wall(const struct tp_zone *z, const struct wall *w)
{
    char text[TP_WALL_MAX_BYTES + 1];
    *tp_put_wall((unsigned char *)text, (struct tp_wall){w->sec, w->nsec}, 0, z) = '\0';
    assert_string_equal(text, w->text);
}

// All of these were printed by Go.
static void test_utc_prints_as_in_go(void **state)
{
    static const struct wall walls[] = {
        {0, 0, "1970-01-01T00:00:00Z"},
        {-1, 1, "1969-12-31T23:59:59.000000001Z"},
        {1700000000, 120000000, "2023-11-14T22:13:20.12Z"},
        {951782400, 999999999, "2000-02-29T00:00:00.999999999Z"},
        {951868799, 1000000000, "2000-03-01T00:00:00Z"},
        {253402300799, -1, "9999-12-31T23:59:58.999999999Z"},
        {253402300800, INT64_MAX, "10292-04-10T23:47:16.854775807Z"},
        {-62135596800, INT64_MIN, "-0292-09-22T00:12:43.145224192Z"},
        {-62135596801, 0, "0000-12-31T23:59:59Z"},
        {-62167219201, 1, "-0001-12-31T23:59:59.000000001Z"},
        {INT64_MAX, 999999999, "292277026596-12-04T15:30:07.999999999Z"},
        {INT64_MIN, 1000000000, "292277026596-12-04T15:30:09Z"},
        {-9223371974719179008, -1, "-292277020688-01-27T08:29:51.999999999Z"},
        {32503680000, 1000000000, "3000-01-01T00:00:01Z"},
    };
    struct tp_zone utc;
    (void)state;
    assert_int_equal(tp_zone_load(&utc, "UTC", NULL), 0);
    for (size_t i = 0; i < TP_ARRAY_LEN(walls); i++) {
        assert_wall(NULL, &walls[i]);
        assert_wall(&utc, &walls[i]);
    }
    tp_zone_fini(&utc);
    tp_zone_fini(&utc);
}

static void test_digits_of_a_second(void **state)
{
    static const struct {
        struct tp_wall wall;
        int digits;
        const char *text;
    } rows[] = {
        {{0, 0}, 1, "1970-01-01T00:00:00.0Z"},
        {{0, 0}, 9, "1970-01-01T00:00:00.000000000Z"},
        {{1700000000, 120000000}, 3, "2023-11-14T22:13:20.120Z"},
        {{1700000000, 120000000}, 9, "2023-11-14T22:13:20.120000000Z"},
        {{951782400, 999999999}, 3, "2000-02-29T00:00:00.999Z"},
        {{-1, 1}, 9, "1969-12-31T23:59:59.000000001Z"},
    };
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(rows); i++) {
        char text[TP_WALL_MAX_BYTES + 1];
        *tp_put_wall((unsigned char *)text, rows[i].wall, rows[i].digits, NULL) = '\0';
        assert_string_equal(text, rows[i].text);
    }
}

static void assert_after(struct tp_wall w, int64_t ns, int64_t sec, int64_t nsec)
{
    struct tp_wall sum = tp_wall_after(w, ns);
    assert_true(sum.sec == sec && sum.nsec == nsec);
    assert_true(tp_wall_is_before(w, sum) == (ns > 0));
    assert_true(tp_wall_is_before(sum, w) == (ns < 0));
}

static void test_moments_after_and_before(void **state)
{
    (void)state;
    assert_after((struct tp_wall){5, 0}, 0, 5, 0);
    assert_after((struct tp_wall){5, 999999999}, 1, 6, 0);
    assert_after((struct tp_wall){5, 999999999}, 1999999999, 7, 999999998);
    assert_after((struct tp_wall){5, 0}, -1, 4, 999999999);
    assert_after((struct tp_wall){5, 1}, -2000000001, 3, 0);
    assert_after((struct tp_wall){0, 0}, INT64_MAX, 9223372036, 854775807);
    assert_after((struct tp_wall){0, 0}, INT64_MIN, -9223372037, 145224192);
}

static void test_moments_in_nanoseconds(void **state)
{
    static const struct {
        struct tp_wall wall;
        bool fits;
        int64_t ns;
    } rows[] = {
        {{0, 0}, true, 0},
        {{5, 999999999}, true, 5999999999},
        {{-1, 0}, true, -1000000000},
        {{-1, 999999999}, true, -1},
        {{9223372036, 854775807}, true, INT64_MAX},
        {{9223372036, 854775808}, false, 0},
        {{-9223372037, 145224192}, true, INT64_MIN},
        {{-9223372037, 145224191}, false, 0},
        {{INT64_MAX, 0}, false, 0},
        {{INT64_MIN, 1}, false, 0},
    };
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(rows); i++) {
        int64_t ns = 0;
        assert_int_equal(tp_wall_ns(rows[i].wall, &ns), rows[i].fits);
        assert_true(!rows[i].fits || ns == rows[i].ns);
    }
}

// A FILE BY HAND

struct file {
    unsigned char bytes[512];
    size_t len_bytes;
};

static void put(struct file *f, const void *bytes, size_t len_bytes)
{
    assert_true(len_bytes <= sizeof f->bytes - f->len_bytes);
    memcpy(f->bytes + f->len_bytes, bytes, len_bytes);
    f->len_bytes += len_bytes;
}

static void put_big_endian(struct file *f, uint64_t value, unsigned len_bytes)
{
    while (len_bytes-- > 0)
        put(f, &(unsigned char){(unsigned char)(value >> 8 * len_bytes)}, 1);
}

static void put_header(struct file *f, char version, uint32_t transition_count,
                       uint32_t type_count)
{
    put(f, "TZif", 4);
    put(f, &version, 1);
    put_big_endian(f, 0, 8);
    put_big_endian(f, 0, 7);
    const uint32_t counts[] = {0, 0, 0, transition_count, type_count, 4};
    for (size_t i = 0; i < TP_ARRAY_LEN(counts); i++)
        put_big_endian(f, counts[i], 4);
}

struct type {
    int32_t offset_sec;
    bool is_dst;
};

static void put_data(struct file *f, unsigned time_bytes, const int64_t *times,
                     const char *indices, size_t transition_count, const struct type *types,
                     size_t type_count)
{
    for (size_t i = 0; i < transition_count; i++)
        put_big_endian(f, (uint64_t)times[i], time_bytes);
    put(f, indices, transition_count);
    for (size_t i = 0; i < type_count; i++) {
        put_big_endian(f, (uint32_t)types[i].offset_sec, 4);
        put_big_endian(f, types[i].is_dst, 1);
        put_big_endian(f, 0, 1);
    }
    put(f, "ABC", 4);
}

static const struct type types[] = {{3208, false}, {3600, false}, {7200, true}};
static const int64_t times[] = {-2422054408, 1711846800, 1729990800};

// As Berlin, with two transitions of 2024 and the rule behind them.
static void make_file(struct file *f, const char *rule)
{
    f->len_bytes = 0;
    put_header(f, '2', 1, 1);
    put_data(f, 4, times + 1, "\0", 1, types, 1);
    put_header(f, '2', 3, 3);
    put_data(f, 8, times, "\1\2\1", 3, types, 3);
    put(f, rule, strlen(rule));
}

static bool parse(struct tp_zone *z, const struct file *f)
{
    // A copy of just that size, so that a sanitizer sees what is read too far.
    unsigned char *copy = malloc(f->len_bytes + (f->len_bytes == 0));
    memcpy(copy, f->bytes, f->len_bytes);
    bool is_good = tp_zone_parse(z, tp_span_of(copy, f->len_bytes));
    free(copy);
    return is_good;
}

static void test_file_with_transitions_and_rule(void **state)
{
    static const struct wall walls[] = {
        {-2422054409, 0, "1893-03-31T23:59:59+00:53"},
        {-2422054408, 0, "1893-04-01T00:06:32+01:00"},
        {1711846799, 0, "2024-03-31T01:59:59+01:00"},
        {1711846800, 0, "2024-03-31T03:00:00+02:00"},
        {1729990799, 1, "2024-10-27T02:59:59.000000001+02:00"},
        {1729990800, 0, "2024-10-27T02:00:00+01:00"},
        {4078429199, 0, "2099-03-29T01:59:59+01:00"},
        {4078429200, 0, "2099-03-29T03:00:00+02:00"},
        {4096573200, 0, "2099-10-25T02:00:00+01:00"},
    };
    struct file f;
    struct tp_zone z;
    (void)state;
    make_file(&f, "\nCET-1CEST,M3.5.0,M10.5.0/3\n");
    assert_true(parse(&z, &f));
    for (size_t i = 0; i < TP_ARRAY_LEN(walls); i++)
        assert_wall(&z, &walls[i]);
    tp_zone_fini(&z);
}

static void test_rules(void **state)
{
    static const struct {
        const char *rule;
        int64_t sec;
        int32_t offset_sec;
    } cases[] = {
        {"\nXYZ5\n", 1800000000, -18000},
        {"\n<+0330>-3:30\n", 1800000000, 12600},
        {"\n<-01>1:02:03\n", 1800000000, -3723},
        {"\nEST5EDT,M3.2.0,M11.1.0\n", 1772953199, -18000},
        {"\nEST5EDT,M3.2.0,M11.1.0\n", 1772953200, -14400},
        {"\nEST5EDT\n", 1772953200, -14400},
        // The southern summer is over the new year.
        {"\nAEST-10AEDT,M10.1.0,M4.1.0/3\n", 1800000000, 39600},
        {"\nAEST-10AEDT,M10.1.0,M4.1.0/3\n", 1814400000, 36000},
        {"\nAAA1BBB0,J60,J300\n", 1772330399 + 3600, -3600},
        {"\nAAA1BBB0,J60/0,J300\n", 1772326800, 0},
        {"\nAAA1BBB0,59/0,300\n", 1772326800, 0},
        {"\nAAA1BBB0;59/0,300\n", 1772326799, -3600},
        // A negative time of day belongs to the day before.
        {"\nAAA0BBB-1,M3.5.0/-1,M10.5.0/-1\n", 1774738799, 0},
        {"\nAAA0BBB-1,M3.5.0/-1,M10.5.0/-1\n", 1774738800, 3600},
        // No rule: the last transition holds.
        {"\nC\n", 1800000000, 3600},
        {"\nCET\n", 1800000000, 3600},
        {"\nCET-1CEST,M3.5.0\n", 1800000000, 3600},
        {"\nCET-1CEST,M13.5.0,M10.5.0\n", 1800000000, 3600},
        {"\nCET-1CEST,M3.6.0,M10.5.0\n", 1800000000, 3600},
        {"\nCET-1CEST,J0,J300\n", 1800000000, 3600},
        {"\nCET-1CEST,M3.5.0,M10.5.0x\n", 1800000000, 3600},
        {"\nCET-200CEST,M3.5.0,M10.5.0\n", 1800000000, 3600},
        {"\n<CET-1\n", 1800000000, 3600},
        {"\nCET-1CEST.M3.5.0,M10.5.0\n", 1800000000, 3600},
        {"\nCET-1:60\n", 1800000000, 3600},
        {"no lines", 1800000000, 3600},
    };
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(cases); i++) {
        struct file f;
        struct tp_zone z;
        make_file(&f, cases[i].rule);
        assert_true(parse(&z, &f));
        assert_int_equal(tp_zone_offset_sec(&z, cases[i].sec), cases[i].offset_sec);
        tp_zone_fini(&z);
    }
}

static void test_a_zone_without_transitions(void **state)
{
    struct file f = {.len_bytes = 0};
    struct tp_zone z;
    (void)state;
    put_header(&f, '\0', 0, 1);
    put_data(&f, 4, NULL, "", 0, types, 1);
    assert_true(parse(&z, &f));
    assert_int_equal(tp_zone_offset_sec(&z, 0), 3208);
    assert_int_equal(tp_zone_offset_sec(&z, INT64_MIN), 3208);
    tp_zone_fini(&z);
}

// What held before the first transition is not in a file. Go takes the first type
// if no transition has it, else the last standard time before a summer time, else
// any standard time.
static void test_before_the_first_transition(void **state)
{
    static const struct {
        const char *indices;
        struct type types[3];
        int32_t offset_sec;
    } cases[] = {
        {"\1\2", {{1, true}, {2, false}, {3, false}}, 1},
        {"\2\0", {{1, false}, {2, false}, {3, true}}, 2},
        {"\1\0", {{1, true}, {2, false}, {3, false}}, 2},
        {"\0\1", {{1, true}, {2, true}, {3, true}}, 1},
    };
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(cases); i++) {
        struct file f = {.len_bytes = 0};
        struct tp_zone z;
        put_header(&f, '\0', 2, 3);
        put_data(&f, 4, (int64_t[]){100, 200}, cases[i].indices, 2, cases[i].types, 3);
        assert_true(parse(&z, &f));
        assert_int_equal(tp_zone_offset_sec(&z, 99), cases[i].offset_sec);
        tp_zone_fini(&z);
    }
}

static void test_damaged_files_are_refused(void **state)
{
    struct file good, f;
    struct tp_zone z;
    (void)state;
    make_file(&good, "");
    for (size_t len_bytes = 0; len_bytes < good.len_bytes; len_bytes++) {
        f = good;
        f.len_bytes = len_bytes;
        assert_false(parse(&z, &f));
    }
    for (size_t i = 0; i < good.len_bytes; i++) {
        f = good;
        f.bytes[i] ^= 0xff;
        if (parse(&z, &f))
            (void)tp_zone_offset_sec(&z, 1800000000);
        tp_zone_fini(&z);
    }
    f.len_bytes = 0;
    put_header(&f, '1', 0, 1);
    put_data(&f, 4, NULL, "", 0, types, 1);
    assert_false(parse(&z, &f)); // no such version
    f.len_bytes = 0;
    put_header(&f, '\0', 1, 1);
    put_data(&f, 4, times, "\1", 1, types, 1);
    assert_false(parse(&z, &f)); // no such type
    f.len_bytes = 0;
    put_header(&f, '\0', 0, 0);
    put_data(&f, 4, NULL, "", 0, types, 0);
    assert_false(parse(&z, &f)); // no type at all
    for (uint64_t nth = 1; nth <= 2; nth++) {
        tp_alloc_fail_at(nth, true);
        assert_false(parse(&z, &good));
        tp_alloc_fail_at(0, false);
    }
    assert_int_equal(tp_alloc_live_bytes(), 0);
}

static void test_names(void **state)
{
    static const char *const bad[] = {"", "Utc/../UTC", "/etc/localtime", "No/Such_Zone", "Europe",
                                      "../zoneinfo/UTC"};
    struct tp_zone z;
    struct tp_error err;
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(bad); i++)
        assert_int_equal(tp_zone_load(&z, bad[i], &err), TP_E_USAGE);
    assert_string_equal(err.text, "unknown time zone '../zoneinfo/UTC'");
    setenv("TZ", "", 1);
    assert_int_equal(tp_zone_load(&z, "local", &err), 0);
    assert_int_equal(z.type_count, 0);
    setenv("TZ", "No/Such_Zone", 1);
    assert_int_equal(tp_zone_load(&z, "local", &err), 0);
    assert_int_equal(z.type_count, 0);
    unsetenv("TZ");
    assert_int_equal(tp_zone_load(&z, "local", &err), 0);
    tp_zone_fini(&z);
    assert_int_equal(tp_alloc_live_bytes(), 0);
}

// The database of this machine, if it has one. The C library disagrees before the
// first transition only.
static void test_database_as_the_c_library_reads_it(void **state)
{
    static const char *const names[] = {
        "Europe/Berlin",    "America/New_York", "Australia/Sydney", "Africa/Casablanca",
        "Europe/Dublin",    "Pacific/Chatham",  "Asia/Kolkata",     "Etc/GMT+5",
        "Antarctica/Troll", "Asia/Gaza",        "Pacific/Apia",     "America/Nuuk",
    };
    (void)state;
    size_t known_count = 0;
    for (size_t i = 0; i < TP_ARRAY_LEN(names); i++) {
        struct tp_zone named, local;
        if (tp_zone_load(&named, names[i], NULL) != 0)
            continue;
        known_count++;
        setenv("TZ", names[i], 1);
        tzset();
        assert_int_equal(tp_zone_load(&local, "local", NULL), 0);
        // 1970 to 2200, at odd distances
        for (int64_t sec = 0; sec < 7258118400; sec += 1234567) {
            struct tm tm;
            time_t moment = (time_t)sec;
            assert_non_null(localtime_r(&moment, &tm));
            assert_int_equal(tp_zone_offset_sec(&named, sec), tm.tm_gmtoff);
            assert_int_equal(tp_zone_offset_sec(&local, sec), tm.tm_gmtoff);
        }
        tp_zone_fini(&named);
        tp_zone_fini(&local);
    }
    unsetenv("TZ");
    tzset();
    if (known_count == 0)
        skip();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_utc_prints_as_in_go),
        cmocka_unit_test(test_digits_of_a_second),
        cmocka_unit_test(test_moments_after_and_before),
        cmocka_unit_test(test_moments_in_nanoseconds),
        cmocka_unit_test(test_file_with_transitions_and_rule),
        cmocka_unit_test(test_rules),
        cmocka_unit_test(test_a_zone_without_transitions),
        cmocka_unit_test(test_before_the_first_transition),
        cmocka_unit_test(test_damaged_files_are_refused),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_database_as_the_c_library_reads_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
