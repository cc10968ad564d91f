// The section of a state with levels by the wall clock: what it says, and what cannot be.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "full_lab.h"
#include "state_lab.h"
#include "stats/state/state.h"

#define BYTES(text) text, sizeof(text) - 1
// Three files; the numbers of section 1.
#define TOTALS {1, BYTES("\x3\x1\x2\x64\x64\x5\x9\x7")}
#define BUCKET "\1\0\2\0\3\0\4\0\5\0\6\0\7\1\x8\0\x9\0\xa\0\xb\0\xc\0"

static int read_section(struct state_section wall, struct tp_totals *ret_totals,
                        struct tp_error *err)
{
    const struct state_section sections[] = {TOTALS, wall};
    struct state_bytes b = state_of_sections(sections, TP_ARRAY_LEN(sections));
    int rc = tp_totals_read(tp_span_of(b.ptr, b.len_bytes), ret_totals, err);
    tp_free(b.ptr);
    return rc;
}

static void test_buckets_are_read(void **state)
{
    // Files, first bucket, width, buckets.
    const struct state_section wall = {20, BYTES("\2" "\x64" "\x10" BUCKET)};
    struct tp_totals s;
    struct tp_error err;
    (void)state;
    assert_int_equal(read_section(wall, &s, &err), 0);
    char *text = full_wall_time_text(&s.wall_timeline);
    assert_string_equal(text, "2 files by the wall clock, from 100\nwidth 65536\n"
                              "0: RUNNABLE 1 RUNNING 2 SYSCALL 3 BLOCKED 4 PROCS 5 GOMAXPROCS 6 "
                              "HEAP 1*2^64+7 GOAL 8 GOMAXPROCS_KNOWN 9 HEAP_KNOWN 10 "
                              "GOAL_KNOWN 11 COVERED 12\n");
    free(text);
    tp_totals_fini(&s);
}

#define BEFORE_ALL "\xfd\xff\xff\xff\xff\xff\xff\xff\xff\1" // -3

static void test_what_cannot_be_is_refused(void **state)
{
    static const struct {
        const char *what;
        struct state_section section;
        const char *want;
    } rows[] = {
        {"no file", {20, BYTES("\0" "\x64" "\x10" BUCKET)}, "wall-clock traces"},
        {"more than files", {20, BYTES("\4" "\x64" "\x10" BUCKET)}, "wall-clock traces"},
        {"too narrow", {20, BYTES("\1" "\x64" "\xf" BUCKET)}, "narrower"},
        {"too wide", {20, BYTES("\1" "\0" "\x3f" BUCKET)}, "no such width"},
        {"no buckets", {20, BYTES("\1" "\x64" "\x10")}, "wall-clock buckets outside"},
        {"before all time", {20, BYTES("\1" BEFORE_ALL "\x3e" BUCKET)}, "wall-clock buckets outside"},
        {"after all time", {20, BYTES("\1" "\2" "\x3e" BUCKET)}, "wall-clock buckets outside"},
        {"up to after all time", {20, BYTES("\1" "\1" "\x3e" BUCKET BUCKET)}, "wall-clock buckets outside"},
        {"half a bucket", {20, BYTES("\1" "\x64" "\x10" "\1\0\2")}, "ends early"},
    };
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(rows); i++) {
        struct tp_totals s;
        struct tp_error err;
        int rc = read_section(rows[i].section, &s, &err);
        if (rc != TP_E_STATE || strstr(err.text, rows[i].want) == NULL)
            fail_msg("%s: code %d, \"%s\", not \"%s\"", rows[i].what, rc, rc != 0 ? err.text : "",
                     rows[i].want);
    }
}

static void test_more_buckets_than_there_can_be(void **state)
{
    enum { HEAD_BYTES = 3, BUCKET_BYTES = 2 * TP_LEVEL_COUNT };
    char bytes[HEAD_BYTES + (TP_LEVELS_BUCKETS + 1) * BUCKET_BYTES] = {1, 100, 16};
    struct state_section wall = {20, bytes, sizeof bytes - BUCKET_BYTES};
    struct tp_totals s;
    struct tp_error err;
    (void)state;
    assert_int_equal(read_section(wall, &s, &err), 0);
    assert_int_equal(s.wall_timeline.buckets.count, TP_LEVELS_BUCKETS);
    tp_totals_fini(&s);
    wall.len_bytes = sizeof bytes;
    assert_int_equal(read_section(wall, &s, &err), TP_E_STATE);
    assert_non_null(strstr(err.text, "more buckets of time than the limit"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_buckets_are_read),
        cmocka_unit_test(test_what_cannot_be_is_refused),
        cmocka_unit_test(test_more_buckets_than_there_can_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
