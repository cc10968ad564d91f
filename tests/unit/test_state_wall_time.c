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
#define BUCKET "\1\2\3\4\5\6\x87\x80\x80\x80\x80\x80\x80\x80\x80\2\x8\x9\xa\xb\xc"
// The section of totals, of three files, with files that tell the time of day, the first bucket, and
// the width; and the section of buckets.
#define WALL(files_first_width, buckets)                                                           \
    {{TP_SECTION_totals, BYTES("\x3\x1\x2\x64\x64\x5\x9\x7" STATE_TEN STATE_TEN STATE_TEN "\0\0\0\0" \
                               files_first_width "\0\0\0\0\0\0\0")},                               \
     {TP_SECTION_wall_time, BYTES(buckets)}}

static int read_section(const struct state_section *sections, struct tp_totals *ret_totals,
                        struct tp_error *err)
{
    struct state_bytes b = state_of_sections(sections, 2);
    int rc = tp_totals_read(tp_span_of(b.ptr, b.len_bytes), ret_totals, err);
    tp_free(b.ptr);
    return rc;
}

static void test_buckets_are_read(void **state)
{
    const struct state_section wall[] = WALL("\2" "\x64" "\x10", "\1" BUCKET);
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
        struct state_section sections[2];
        const char *want;
    } rows[] = {
        {"no file", WALL("\0" "\x64" "\x10", "\1" BUCKET), "wall-clock traces"},
        {"no file and no bucket", WALL("\0" "\x64" "\0", "\0"), "wall-clock traces"},
        {"more than files", WALL("\4" "\x64" "\x10", "\1" BUCKET), "wall-clock traces"},
        {"too narrow", WALL("\1" "\x64" "\xf", "\1" BUCKET), "narrower"},
        {"too wide", WALL("\1" "\0" "\x3f", "\1" BUCKET), "no such width"},
        {"no buckets", WALL("\1" "\x64" "\0", "\0"), "wall-clock buckets outside"},
        {"a width of no buckets", WALL("\1" "\x64" "\x10", "\0"), "width of no buckets"},
        {"before all time", WALL("\1" BEFORE_ALL "\x3e", "\1" BUCKET), "wall-clock buckets outside"},
        {"after all time", WALL("\1" "\2" "\x3e", "\1" BUCKET), "wall-clock buckets outside"},
        {"up to after all time", WALL("\1" "\1" "\x3e", "\2" BUCKET BUCKET),
         "wall-clock buckets outside"},
        {"more buckets than bytes", WALL("\1" "\x64" "\x10", "\7\1\2"), "more items than bytes"},
    };
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(rows); i++) {
        struct tp_totals s;
        struct tp_error err;
        int rc = read_section(rows[i].sections, &s, &err);
        if (rc != TP_E_STATE || strstr(err.text, rows[i].want) == NULL)
            fail_msg("%s: code %d, \"%s\", not \"%s\"", rows[i].what, rc, rc != 0 ? err.text : "",
                     rows[i].want);
    }
}

static void test_more_buckets_than_there_can_be(void **state)
{
    enum { HEAD_BYTES = 2 };
    static const struct state_section wall[] = WALL("\1" "\x64" "\x10", "");
    char bytes[HEAD_BYTES + (TP_LEVELS_BUCKETS + 1) * TP_LEVEL_COUNT] = {(char)0x80, 2};
    struct state_section sections[] = {
        wall[0], {TP_SECTION_wall_time, bytes, sizeof bytes - TP_LEVEL_COUNT}};
    struct tp_totals s;
    struct tp_error err;
    (void)state;
    assert_int_equal(read_section(sections, &s, &err), 0);
    assert_int_equal(s.wall_timeline.buckets.count, TP_LEVELS_BUCKETS);
    tp_totals_fini(&s);
    bytes[0]++;
    sections[1].len_bytes = sizeof bytes;
    assert_int_equal(read_section(sections, &s, &err), TP_E_STATE);
    assert_non_null(strstr(err.text, "more than 256 rows of a section"));
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
