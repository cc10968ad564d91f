// Sums as a file: equal totals give equal bytes, what is read is what was written, and what
// would not be written like that is refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "state_lab.h"
#include "stats/state/section.h"

static struct tp_totals read_state(const struct state_bytes *b)
{
    struct tp_totals s;
    struct tp_error err;
    if (tp_totals_read(tp_span_of(b->ptr, b->len_bytes), &s, &err) != 0)
        fail_msg("%s at %llu", err.text, (unsigned long long)err.offset);
    return s;
}

static void expect_refused(const struct state_bytes *b, const char *want, uint64_t offset,
                           const char *what)
{
    struct tp_totals s;
    struct tp_error err = {0};
    int rc = tp_totals_read(tp_span_of(b->ptr, b->len_bytes), &s, &err);
    if (rc != TP_E_STATE || (want != NULL && strstr(err.text, want) == NULL) ||
        (offset != 0 && offset != err.offset))
        fail_msg("%s: code %d, \"%s\" at %llu, not \"%s\" at %llu", what, rc, err.text,
                 (unsigned long long)err.offset, want != NULL ? want : "",
                 (unsigned long long)offset);
}

static void expect_bytes(const struct tp_totals *got, const struct state_bytes *want)
{
    struct state_bytes b = state_of(got);
    assert_true(state_is_same(&b, want));
    tp_free(b.ptr);
}

static void expect_text(const struct tp_totals *got, const struct tp_totals *want)
{
    char *a = full_text(got, true), *b = full_text(want, true);
    assert_string_equal(a, b);
    free(a);
    free(b);
}

static void merge(struct tp_totals *into, const struct tp_totals *from)
{
    struct tp_error err;
    assert_int_equal(tp_totals_merge(into, from, &err), 0);
}

static void test_what_is_read_is_what_was_written(void **state)
{
    static const unsigned counts[] = {0, 1, 2, 5, 20, 100, 1000, 10000};
    (void)state;
    for (unsigned i = 0; i < TP_ARRAY_LEN(counts); i++) {
        struct tp_totals s = {0};
        state_add_anything(&s, 70 + i, counts[i]);
        struct state_bytes b = state_of(&s);
        struct tp_totals again = read_state(&b);
        expect_bytes(&again, &b);
        expect_text(&again, &s);
        tp_totals_fini(&again);
        tp_totals_fini(&s);
        tp_free(b.ptr);
    }
}

static void test_nothing_is_a_state_too(void **state)
{
    const struct tp_totals nothing = {0};
    (void)state;
    struct state_bytes b = state_of(&nothing);
    struct tp_totals s = read_state(&b);
    assert_int_equal(s.names.count, 0);
    expect_bytes(&s, &b);
    tp_totals_fini(&s);
    tp_free(b.ptr);
}

enum { PARTS = 5 };

static void test_how_sums_came_about_does_not_show(void **state)
{
    static const unsigned orders[][PARTS] = {
        {0, 1, 2, 3, 4}, {4, 3, 2, 1, 0}, {3, 0, 4, 1, 2}, {2, 4, 1, 3, 0},
    };
    struct tp_totals parts[PARTS], all = {0};
    (void)state;
    for (unsigned i = 0; i < PARTS; i++) {
        parts[i] = (struct tp_totals){0};
        state_add_anything(&parts[i], 5 + i, 60 * i);
        state_add_anything(&all, 5 + i, 60 * i);
    }
    struct state_bytes want = state_of(&all);
    for (unsigned i = 0; i < TP_ARRAY_LEN(orders); i++) {
        struct tp_totals left = {0}, right = {0};
        for (unsigned k = 0; k < PARTS; k++)
            merge(k < 1 + i ? &left : &right, &parts[orders[i][k]]);
        // Through bytes on the way.
        struct state_bytes b = state_of(&left);
        tp_totals_fini(&left);
        left = read_state(&b);
        merge(&right, &left);
        expect_bytes(&right, &want);
        tp_free(b.ptr);
        tp_totals_fini(&left);
        tp_totals_fini(&right);
    }
    for (unsigned i = 0; i < PARTS; i++)
        tp_totals_fini(&parts[i]);
    tp_totals_fini(&all);
    tp_free(want.ptr);
}

static void test_what_is_not_used_is_left_out(void **state)
{
    struct tp_totals s = {0}, littered = {0};
    uint32_t frame_number = 0;
    (void)state;
    state_add_anything(&s, 3, 200);
    // First, so that every number is another.
    assert_int_equal(tp_intern_put(&littered.names, tp_span_of("litter", 6)), 0);
    assert_int_equal(tp_intern_put(&littered.reasons, tp_span_of("litter", 6)), 0);
    struct tp_totals_frame frame = {.pc = 1};
    assert_int_equal(tp_totals_frames_put(&littered.frames, &frame), 0);
    assert_int_equal(tp_totals_add_stack(&littered, &frame_number, 1), 0);
    assert_int_equal(tp_durations_group_of(&littered.durations, TP_SPACE_TASK, 0), 0);
    assert_true(tp_durations_record(&littered.durations, TP_SPACE_UNNAMED, 9, 0, 5, false));
    state_add_anything(&littered, 3, 200);
    struct state_bytes want = state_of(&s);
    expect_bytes(&littered, &want);
    tp_totals_fini(&s);
    tp_totals_fini(&littered);
    tp_free(want.ptr);
}

// NAMES THAT ARE KEPT

static void add_tasks(struct tp_totals *s, unsigned first, unsigned end)
{
    for (unsigned i = first; i < end; i++) {
        char text[32];
        uint32_t name;
        size_t len_bytes = (size_t)snprintf(text, sizeof text, "task %u", i);
        assert_true(tp_totals_name(s, TP_SPACE_TASK, tp_span_of(text, len_bytes), &name) &&
                    tp_durations_record(&s->durations, TP_SPACE_TASK, name, 0, i, false));
    }
}

static void test_the_same_names_are_kept_through_bytes(void **state)
{
    struct tp_totals all = {0}, left = {0}, right = {0};
    (void)state;
    add_tasks(&all, 0, 9000);
    add_tasks(&left, 0, 5000);
    add_tasks(&right, 5000, 9000);
    struct state_bytes want = state_of(&all), left_bytes = state_of(&left);
    struct state_bytes right_bytes = state_of(&right);
    tp_totals_fini(&left);
    tp_totals_fini(&right);
    left = read_state(&left_bytes);
    right = read_state(&right_bytes);
    assert_int_equal(left.kept[TP_SPACE_TASK].heap.count, TP_TOTALS_NAMES_MAX);
    assert_int_equal(right.kept[TP_SPACE_TASK].heap.count, 4000);
    merge(&right, &left);
    expect_bytes(&right, &want);
    tp_totals_fini(&all);
    tp_totals_fini(&left);
    tp_totals_fini(&right);
    tp_free(want.ptr);
    tp_free(left_bytes.ptr);
    tp_free(right_bytes.ptr);
}

static void test_more_names_than_are_kept_are_refused(void **state)
{
    struct state_bytes names = {0}, groups = {0};
    (void)state;
    for (unsigned i = 0; i <= TP_TOTALS_NAMES_MAX; i++) {
        char text[8];
        size_t len_bytes = (size_t)snprintf(text, sizeof text, "%c%05u", 5, i);
        state_append(&names, text, len_bytes);
        // Of one log message each; names count from 1.
        unsigned number = i + 1;
        const char group[] = {TP_SPACE_LOG, (char)(number & 127) | (char)128, (char)(number >> 7),
                              1, 0, 1, 0, 0, 0, 0, 0};
        state_append(&groups, group, sizeof group);
    }
    const struct state_section sections[] = {{1, "\0\0\0\0\0\0\0\0", 8},
                                             {2, (char *)names.ptr, names.len_bytes},
                                             {4, (char *)groups.ptr, groups.len_bytes}};
    struct state_bytes b = state_of_sections(sections, TP_ARRAY_LEN(sections));
    expect_refused(&b, "more names than are kept", 0, "4097 names");
    tp_free(b.ptr);
    tp_free(names.ptr);
    tp_free(groups.ptr);
}

// DAMAGE

#define BYTES(text) text, sizeof(text) - 1
// Path, figures from 1 to 18, and places.
#define FILE_ROW(path, places)                                                          \
    path "\1\2\3\4\5\6\7\x8\x9\xa\xb\xc\xd\xe\xf\x10\x11\x12" places
// Numbers below 128 are bytes. Totals are files, damaged, refused, stored, stream, lost
// bytes, events, duration; a distribution is measure, count, total, max, cut, cut ns and
// the histogram.
// Of one goroutine: running and what follows, its function b, and file.
#define G_ROW(running, path) running "\1\2\3\4\5\6\1" path
// Of gauges: told, changes, least, greatest; a bucket is the first level, and the others.
#define GAUGES "\3\1\2\4" "\0\0\0\0" "\1\0\5\5"
#define TIME_BUCKET(level) \
    level "\2\0\3\0\4\0\5\0\6\0\7\1\x8\0\x9\0\xa\0\xb\0\xc\0"
static const struct state_section sound[] = {
    {1, BYTES("\x3\x1\x2\x64\x64\x5\x9\x7")},
    {2, BYTES("\1a\1b\1c")},
    {3, BYTES("\1r\1s")},
    {4, BYTES("\0\1\3"             // goroutines of a: running, blocked for r and s
              "\0\2\xe\x9\0\0\2\5\1\4\1"
              "\1\1\5\5\2\3\1\5\1"
              "\3\0\0\0\1\0\0"
              "\1\2\1\0\1\5\5\0\0\1\5\1" // task b
              "\7\3\1\0\4\0\0\0\0\0")},  // log messages of c
    {5, BYTES("\0\1\7\x64\0\1\7\x65")},
    {6, BYTES("\1\0\2\1\0")},
    {7, BYTES("\0\0\1\x5\1\0\2\x5\1\1\3\4")},
    {8, BYTES(FILE_ROW("\1", "\0\1\3\2") FILE_ROW("\2", "\0\0\0\0"))},
    {9, BYTES(GAUGES "\x10" TIME_BUCKET("\1\0"))},
    {10, BYTES("\2\1\x64\x50\7" "\1\2\3\4\5\6\7")},
    {11, BYTES("\2" "\1\2\3\4\5" G_ROW("\7", "\0") G_ROW("\6", "\2"))},
    {12, BYTES("\0\xc\1" "\2\xa\0")}, // path, code and words
    {13, BYTES("\4")},
    {15, BYTES("\2" "\1\5" "\2\6")}, // files, earliest beginning, latest end
};

static struct state_bytes sound_state(void)
{
    return state_of_sections(sound, TP_ARRAY_LEN(sound));
}

static void test_a_state_by_hand_says_what_it_should(void **state)
{
    struct state_bytes b = sound_state();
    struct tp_totals s = read_state(&b);
    (void)state;
    expect_bytes(&s, &b);
    char *text = full_text(&s, true);
    assert_string_equal(text, "files 3\ndamaged 1\nrefused 2\nstored_bytes 100\n"
                              "stream_bytes 100\nlost_bytes 5\nevents 9\nduration_ns 7\n"
                              "doubts 4\ntaken 2 1.000000005 2.000000006\nutilisation files 2\nutilisation left_out 1\n"
                              "utilisation curve_ns 100\nutilisation mutator_ns 80\n"
                              "utilisation assist_running_ns 7\n"
                              "utilisation window 0: 1 0\nutilisation window 1: 2 3\n"
                              "utilisation window 2: 4 5\nutilisation window 3: 6 7\n"
                              "goroutine a running 2 14 9 5:1 9:1\n"
                              "goroutine a block:r 1 5 5 cut 2 3 5:1\n"
                              "goroutine a block:s 0 0 0 cut 1 0\n"
                              "task b 1 5 5 5:1\n"
                              "log c 4 0 0\n"
                              "file b 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18  a c b\n"
                              "file c 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18    \n"
                              "refused a -12 b\nrefused c -10 a\n"
                              "g 6 b 4 5 7 1 2 3 a\ng 6 b 4 5 6 1 2 3 c\n"
                              "other gs 1 2 3 4 5\n"
                              "net a:7@64@b 1 5\n"
                              "sync a:7@64@b 2 5\n"
                              "sync a:7@65@b;a:7@64@b 3 4\n"
                              "GOMAXPROCS 3 times 1 changes 2 to 4\n"
                              "GOAL 1 times 0 changes 5 to 5\n"
                              "width 65536\n"
                              "0: RUNNABLE 1 RUNNING 2 SYSCALL 3 BLOCKED 4 PROCS 5 GOMAXPROCS 6 "
                              "HEAP 1*2^64+7 GOAL 8 GOMAXPROCS_KNOWN 9 HEAP_KNOWN 10 "
                              "GOAL_KNOWN 11 COVERED 12\n");
    free(text);
    tp_totals_fini(&s);
    tp_free(b.ptr);
}

static void test_every_truncation_and_every_flipped_bit_is_refused(void **state)
{
    struct state_bytes b = sound_state();
    (void)state;
    for (size_t len_bytes = 0; len_bytes < b.len_bytes; len_bytes++) {
        // A block of its own lets the sanitizer see a byte too many.
        struct state_bytes cut = {0};
        state_append(&cut, b.ptr, len_bytes);
        expect_refused(&cut, NULL, 0, "cut");
        tp_free(cut.ptr);
    }
    for (size_t bit = 0; bit < 8 * b.len_bytes; bit++) {
        b.ptr[bit / 8] ^= (unsigned char)(1 << bit % 8);
        expect_refused(&b, NULL, 0, "flipped");
        b.ptr[bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
    state_append(&b, "", 1);
    expect_refused(&b, "of which it says", 0, "longer");
    tp_free(b.ptr);
}

// VERSION 1

static void test_version_1_is_read(void **state)
{
    // It has all sections but the last three.
    struct state_bytes now = state_of_sections(sound, TP_ARRAY_LEN(sound) - 3);
    struct state_bytes old = state_of_version(1, sound, TP_ARRAY_LEN(sound) - 3);
    struct tp_totals s = read_state(&old);
    (void)state;
    assert_false(state_is_same(&old, &now));
    expect_bytes(&s, &now);
    tp_totals_fini(&s);
    tp_free(old.ptr);
    tp_free(now.ptr);
}

// A section of the sound state as it cannot be.
struct damage {
    const char *what;
    struct state_section section;
    const char *want;
    unsigned at; // byte of the section; 0: not asked
};

#define OVERFLOWING "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"
#define ONE_DIST(dist) {4, BYTES("\0\1\1" dist)}
static const struct damage damages[] = {
    {"empty totals", {1, BYTES("")}, "ends early", 0},
    {"more totals", {1, BYTES("\x3\x1\x2\x64\x64\x5\x9\x7\1")}, "goes on", 8},
    {"fewer totals", {1, BYTES("\x3\x1\x2\x64\x64\x5\x9")}, "ends early", 7},
    {"coarse stacks and too few others", {4, BYTES("\x8\1\1\4\1\5\0\0\0\0")}, "fewer than are", 0},
    {"a coarse stack with a longest wait", {4, BYTES("\x8\1\1\4\1\5\5\0\0\1\5\1")},
     "single durations", 0},
    {"a coarse stack of no type", {4, BYTES("\x8\1\1\x10\1\5\0\0\0\0")}, "no such measure", 3},
    {"a number cut", {1, BYTES("\x3\x1\x2\x64\x64\x5\x9\x80")}, "ends early", 7},
    {"a number too long",
     {1, BYTES("\x3\x1\x2\x64\x64\x5\xff\xff\xff\xff\xff\xff\xff\xff\xff\x2\x7")},
     "64 bits", 6},
    {"a total too long", {1, BYTES("\x3\x1\x2\x64\x64\x5\x9\xff\xff\xff\xff\xff\xff\xff\xff\xff"
                                   "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x4")},
     "128 bits", 0},
    {"a total that goes on", {1, BYTES("\x3\x1\x2\x64\x64\x5\x9\xff\xff\xff\xff\xff\xff\xff\xff"
                                       "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x83\0")},
     "128 bits", 0},
    {"a total beyond 64 bits cut", {1, BYTES("\x3\x1\x2\x64\x64\x5\x9" "\xff\xff\xff\xff\xff"
                                             "\xff\xff\xff\xff\xff\xff")},
     "ends early", 0},
    {"a number in more bytes than it needs", {1, BYTES("\x3\x1\x2\x64\x64\x5\x9\x87\0")},
     "form", 0},
    {"damaged files", {1, BYTES("\x3\x4\x2\x64\x64\x5\x9\x7")}, "damaged files", 0},
    {"lost bytes", {1, BYTES("\x3\x1\x2\x64\x64\x65\x9\x7")}, "bytes lost", 0},
    {"an unknown section", {99, BYTES("\1")}, "does not know", 0},
    {"section 0", {0, BYTES("\1")}, "does not know", 0},
    {"names out of order", {2, BYTES("\1b\1a\1c")}, "form", 0},
    {"a name twice", {2, BYTES("\1a\1b\1b\1c")}, "twice", 6},
    {"a name too long", {2, BYTES("\1a\1b\2c")}, "longer", 4},
    {"a name longer than all", {2, BYTES("\1a\1b" OVERFLOWING "c")}, "longer", 4},
    {"a name too few", {2, BYTES("\1a\1b")}, "no such name", 0},
    {"a name too many", {2, BYTES("\1a\1b\1c\1d")}, "form", 0},
    {"a reason twice", {3, BYTES("\1r\1r")}, "twice", 4},
    {"reasons out of order", {3, BYTES("\1s\1r")}, "form", 0},
    {"a reason too few", {3, BYTES("\1r")}, "no such measure", 0},
    {"a reason too many", {3, BYTES("\1r\1s\1t")}, "form", 0},
    {"a group of no kind", {4, BYTES("\x9\1\1\0\1\5\5\0\0\1\5\1")}, "no such kind", 0},
    {"a group without a name", {4, BYTES("\0\4\1\0\1\5\5\0\0\1\5\1")}, "no such name", 1},
    {"others of goroutines", {4, BYTES("\0\0\1\0\1\5\5\0\0\1\5\1")},
     "fewer names than are kept", 0},
    {"others of few tasks", {4, BYTES("\1\0\1\0\1\5\5\0\0\1\5\1")}, "fewer names", 0},
    {"an empty group", {4, BYTES("\0\1\0\1\2\1\0\1\5\5\0\0\1\5\1")}, "form", 0},
    {"more distributions than bytes", {4, BYTES("\0\1\2\0\1\5\5\0\0\1\5\1")}, "more items", 2},
    {"2^64 - 1 distributions", {4, BYTES("\0\1" OVERFLOWING "\0\1\5\5\0\0\1\5\1")}, "more items",
     2},
    {"no such measure", ONE_DIST("\x8\1\5\5\0\0\1\5\1"), "no such measure", 3},
    {"no such reason", ONE_DIST("\x5\1\5\5\0\0\1\5\1"), "no such measure", 4},
    {"a measure of a task", {4, BYTES("\1\2\1\1\1\5\5\0\0\1\5\1")}, "no such measure", 3},
    {"a measure twice", {4, BYTES("\0\1\2\0\1\5\5\0\0\1\5\1\0\1\5\5\0\0\1\5\1")}, "twice", 0},
    {"measures out of order", {4, BYTES("\0\1\2\2\1\5\5\0\0\1\5\1\0\1\5\5\0\0\1\5\1")}, "form",
     0},
    {"a group twice", {4, BYTES("\0\1\1\0\1\5\5\0\0\1\5\1\0\1\1\2\1\5\5\0\0\1\5\1")}, "form", 0},
    {"groups out of order", {4, BYTES("\0\2\1\0\1\5\5\0\0\1\5\1\0\1\1\0\1\5\5\0\0\1\5\1")},
     "form", 0},
    {"fewer by size", ONE_DIST("\0\2\xa\5\0\0\1\5\1"), "not as many", 0},
    {"more by size", ONE_DIST("\0\1\5\5\0\0\1\5\2"), "not as many", 0},
    {"more by size than 64 bits hold",
     ONE_DIST("\0\1\5\5\0\0\3\3" OVERFLOWING "\1\1\1\1"), "not as many", 0},
    {"a size without durations", ONE_DIST("\0\1\5\5\0\0\2\3\0\2\1"), "form", 0},
    {"a size twice", ONE_DIST("\0\2\xa\5\0\0\2\5\1\0\1"), "form", 0},
    {"a size beyond all", ONE_DIST("\0\1\5\5\0\0\1\xc0\x1d\1"), "no such size", 0},
    {"more sizes than bytes", ONE_DIST("\0\1\5\5\0\0\2\5\1"), "more items", 0},
    {"the longest too short", ONE_DIST("\0\1\5\4\0\0\1\5\1"), "longest", 0},
    {"the longest too long", ONE_DIST("\0\1\5\6\0\0\1\5\1"), "longest", 0},
    {"the longest of none", ONE_DIST("\0\0\0\1\1\0\0"), "longest", 0},
    {"a sum too small", ONE_DIST("\0\2\x9\5\0\0\1\5\2"), "add up", 0},
    {"a sum too large", ONE_DIST("\0\2\xb\5\0\0\1\5\2"), "add up", 0},
    {"a sum of none", ONE_DIST("\0\0\1\0\1\0\0"), "add up", 0},
    {"time of none that was cut", ONE_DIST("\0\1\5\5\0\1\1\5\1"), "none of them", 0},
    {"nothing at all", ONE_DIST("\0\0\0\0\0\0\0"), "none of them", 0},
    {"log messages with durations", {4, BYTES("\7\3\1\0\1\5\5\0\0\1\5\1")}, "log messages", 0},
    {"log messages that were cut", {4, BYTES("\7\3\1\0\1\0\0\1\0\0")}, "log messages", 0},
    {"no log messages", {4, BYTES("\7\3\1\0\0\0\0\0\0\0")}, "log messages", 0},
    {"a frame without function", {5, BYTES("\3\1\7\x64\0\1\7\x65")}, "no such name", 0},
    {"a frame without file", {5, BYTES("\0\3\7\x64\0\1\7\x65")}, "no such name", 1},
    {"a frame cut", {5, BYTES("\0\1\7\x64\0\1\7")}, "ends early", 7},
    {"a frame twice", {5, BYTES("\0\1\7\x64\0\1\7\x64")}, "twice", 0},
    {"frames out of order", {5, BYTES("\0\1\7\x65\0\1\7\x64")}, "form", 0},
    {"a frame too few", {5, BYTES("\0\1\7\x64")}, "no such frame", 0},
    {"a frame too many", {5, BYTES("\0\1\7\x64\0\1\7\x65\0\1\7\x66")}, "form", 0},
    {"a stack too deep", {6, BYTES("\x81\1\0")}, "no such depth", 0},
    {"a stack of more frames than are there", {6, BYTES("\1\0\3\1\0")}, "ends early", 0},
    {"a stack twice", {6, BYTES("\1\0\1\0")}, "twice", 0},
    {"stacks out of order", {6, BYTES("\2\1\0\1\0")}, "form", 0},
    {"a stack too few", {6, BYTES("\1\0")}, "no such stack", 0},
    {"a stack too many", {6, BYTES("\1\0\1\1\2\1\0")}, "form", 0},
    {"no such type", {7, BYTES("\x8\0\1\x5\1\0\2\x5\1\1\3\4")}, "no such type", 0},
    {"recorded under no stack", {7, BYTES("\0\2\1\x5\1\0\2\x5\1\1\3\4")}, "no such stack", 1},
    {"nothing recorded", {7, BYTES("\0\0\0\x5\1\0\2\x5\1\1\3\4")}, "nothing was recorded", 0},
    {"recorded twice", {7, BYTES("\0\0\1\x5\0\0\1\5\1\0\2\x5\1\1\3\4")}, "form", 0},
    {"a file without a path", {8, BYTES(FILE_ROW("\3", "\0\0\0\0"))}, "no such name", 0},
    {"a place that is nowhere", {8, BYTES(FILE_ROW("\1", "\0\0\4\0"))}, "no such name", 0},
    {"files out of order",
     {8, BYTES(FILE_ROW("\2", "\0\0\0\0") FILE_ROW("\1", "\0\1\3\2"))}, "form", 0},
    {"places out of order",
     {8, BYTES(FILE_ROW("\1", "\0\1\3\2") FILE_ROW("\1", "\0\1\2\2"))}, "form", 0},
    {"half a file", {8, BYTES(FILE_ROW("\1", "\0\1\3"))}, "ends early", 0},
    {"more files than there are",
     {8, BYTES(FILE_ROW("\0", "\0\0\0\0") FILE_ROW("\1", "\0\0\0\0")
                   FILE_ROW("\2", "\0\0\0\0") FILE_ROW("\2", "\0\0\0\0"))},
     "more rows of files", 0},
    {"more changes than tellings",
     {9, BYTES("\3\3\2\4\0\0\0\0\1\0\5\5\x10" TIME_BUCKET("\1\0"))}, "cannot be", 0},
    {"the least above the greatest",
     {9, BYTES("\3\1\4\2\0\0\0\0\1\0\5\5\x10" TIME_BUCKET("\1\0"))}, "cannot be", 0},
    {"a number never told",
     {9, BYTES("\3\1\2\4\0\0\0\1\1\0\5\5\x10" TIME_BUCKET("\1\0"))}, "cannot be", 0},
    {"half of the numbers told", {9, BYTES("\3\1\2\4\0\0")}, "ends early", 0},
    {"too narrow buckets", {9, BYTES(GAUGES "\xf" TIME_BUCKET("\1\0"))}, "narrower", 0},
    {"too wide buckets", {9, BYTES(GAUGES "\x3f" TIME_BUCKET("\1\0"))}, "no such width", 0},
    {"buckets that begin beyond 64 bits",
     {9, BYTES(GAUGES "\x3e" TIME_BUCKET("\1\0") TIME_BUCKET("\1\0") TIME_BUCKET("\1\0")
                   TIME_BUCKET("\1\0") TIME_BUCKET("\1\0"))}, "more buckets", 0},
    {"a width of nothing", {9, BYTES(GAUGES "\x10")}, "form", 0},
    {"half a bucket", {9, BYTES(GAUGES "\x10" "\1\0\2")}, "ends early", 0},
    {"nothing over time", {9, BYTES("\0\0\0\0\0\0\0\0\0\0\0\0")}, "form", 0},
    {"more shares than there are",
     {10, BYTES("\2\1\x64\x50\7" "\1\2\xc1\x84\x3d\4\5\6\7")}, "no such share", 0},
    {"shares of too many files", {10, BYTES("\2\2\x64\x50\7" "\1\2\3\4\5\6\7")},
     "more files", 0},
    {"shares of no files", {10, BYTES("\0\1\0\0\7" "\1\2\3\4\5\6\7")}, "goes on", 0},
    {"a share too few", {10, BYTES("\2\1\x64\x50\7" "\1\2\3\4\5\6")}, "ends early", 0},
    {"no files and no time", {10, BYTES("\0\0\0\0\0")}, "form", 0},
    {"more goroutines than kept",
     {11, BYTES("\1" "\1\2\3\4\5" G_ROW("\7", "\0") G_ROW("\6", "\2"))},
     "more goroutines", 0},
    {"goroutines out of order",
     {11, BYTES("\2" "\1\2\3\4\5" G_ROW("\6", "\2") G_ROW("\7", "\0"))}, "form", 0},
    {"a goroutine of no file", {11, BYTES("\2" "\1\2\3\4\5" G_ROW("\7", "\3"))},
     "no such name", 0},
    {"half a goroutine", {11, BYTES("\2" "\1\2\3\4\5" "\7\1\2")}, "ends early", 0},
    {"no limit, no goroutines", {11, BYTES("\0" "\0\0\0\0\0")}, "form", 0},
    {"a refused input without a path", {12, BYTES("\3\xc\1")}, "no such name", 0},
    {"a refused input without words", {12, BYTES("\0\xc\3")}, "no such name", 2},
    {"a refused input without a reason", {12, BYTES("\0\0\1")}, "no reason", 0},
    {"an error of no code", {12, BYTES("\0\xe8\7\1")}, "no such error code", 1},
    {"half a refused input", {12, BYTES("\0\xc")}, "ends early", 2},
    {"refused inputs out of order", {12, BYTES("\2\xa\0" "\0\xc\1")}, "form", 0},
    {"errors out of order", {12, BYTES("\0\xc\1" "\0\xa\1")}, "form", 0},
    {"words out of order", {12, BYTES("\0\xc\2" "\0\xc\1")}, "form", 0},
    {"more refused inputs than there are",
     {12, BYTES("\0\xa\1" "\0\xc\1" "\2\xa\0")}, "more rows of refused", 0},
    {"no doubt", {13, BYTES("\0")}, "form", 0},
    {"more than doubts", {13, BYTES("\1\1")}, "goes on", 1},
    {"no file with a time of day", {15, BYTES("\0" "\0\0" "\0\0")}, "form", 0},
    {"more of these than files", {15, BYTES("\4" "\1\5" "\2\6")}, "more files with a time", 0},
    {"an end before the beginning", {15, BYTES("\2" "\2\5" "\1\6")}, "before they begin", 0},
    {"an end a nanosecond before", {15, BYTES("\2" "\2\6" "\2\5")}, "before they begin", 0},
    {"a second of nanoseconds", {15, BYTES("\2" "\1\x80\x94\xeb\xdc\3" "\2\6")},
     "no such nanosecond", 0},
    {"half a time of day", {15, BYTES("\2" "\1\5" "\2")}, "ends early", 0},
    {"waits out of order", {7, BYTES("\1\0\2\x5\0\0\1\x5\1\1\3\4")}, "form", 0},
};

// Where the section with this number begins to have bytes.
static uint64_t offset_of(unsigned number)
{
    uint64_t at = 20;
    for (size_t i = 0; sound[i].number != number; i++)
        at += 2 + sound[i].len_bytes;
    return at + 2;
}

static void test_what_cannot_be_is_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(damages); i++) {
        struct state_section sections[TP_ARRAY_LEN(sound) + 1];
        size_t count = TP_ARRAY_LEN(sound), put = 0;
        unsigned number = damages[i].section.number;
        if (number == 0)
            sections[put++] = damages[i].section;
        for (size_t k = 0; k < count; k++)
            sections[put++] = sound[k].number == number ? damages[i].section : sound[k];
        if (number > sound[count - 1].number)
            sections[put++] = damages[i].section;
        struct state_bytes b = state_of_sections(sections, put);
        uint64_t offset = damages[i].at > 0 ? offset_of(number) + damages[i].at : 0;
        expect_refused(&b, damages[i].want, offset, damages[i].what);
        tp_free(b.ptr);
    }
}

static void test_sections_come_once_and_in_order(void **state)
{
    const struct state_section twice[] = {sound[0], sound[0]};
    const struct state_section swapped[] = {sound[1], sound[0]};
    const struct state_section empty[] = {sound[0], {2, "", 0}};
    struct state_bytes b;
    (void)state;
    b = state_of_sections(twice, 2);
    expect_refused(&b, "not in order", 0, "twice");
    tp_free(b.ptr);
    b = state_of_sections(swapped, 2);
    expect_refused(&b, "not in order", 0, "swapped");
    tp_free(b.ptr);
    b = state_of_sections(empty, 2);
    expect_refused(&b, "form", 0, "empty");
    tp_free(b.ptr);
    b = state_of_sections(NULL, 0);
    expect_refused(&b, "form", 0, "none");
    tp_free(b.ptr);
}

// Sums over long times go beyond 64 bits without harm, as they do in memory.
// MEMORY

static int forget(struct tp_out *out, struct tp_span bytes, struct tp_error *err)
{
    (void)out, (void)bytes, (void)err;
    return 0;
}

static void test_memory_that_is_lacking_is_told(void **state)
{
    struct tp_totals s = {0};
    struct tp_out out = {forget};
    unsigned failure_count = 0;
    (void)state;
    state_add_anything(&s, 8, 150);
    struct state_bytes b = state_of(&s);
    uint64_t before_bytes = tp_alloc_live_bytes();
    for (unsigned is_read = 0; is_read < 2; is_read++) {
        for (uint64_t nth = 1;; nth++) {
            struct tp_totals again = {0};
            struct tp_error err;
            tp_alloc_fail_at(nth, false);
            int rc = is_read ? tp_totals_read(tp_span_of(b.ptr, b.len_bytes), &again, &err)
                             : tp_totals_write(&s, &out, &err);
            bool has_failed = tp_alloc_fail_left() == 0;
            tp_alloc_fail_at(0, false);
            assert_int_equal(rc, has_failed ? TP_E_MEMORY : 0);
            tp_totals_fini(&again);
            if (rc == 0)
                break;
            failure_count++;
        }
        assert_int_equal(tp_alloc_live_bytes(), before_bytes);
    }
    assert_true(failure_count > 100);
    tp_totals_fini(&s);
    tp_free(b.ptr);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_read_is_what_was_written),
        cmocka_unit_test(test_nothing_is_a_state_too),
        cmocka_unit_test(test_how_sums_came_about_does_not_show),
        cmocka_unit_test(test_what_is_not_used_is_left_out),
        cmocka_unit_test(test_the_same_names_are_kept_through_bytes),
        cmocka_unit_test(test_more_names_than_are_kept_are_refused),
        cmocka_unit_test(test_a_state_by_hand_says_what_it_should),
        cmocka_unit_test(test_every_truncation_and_every_flipped_bit_is_refused),
        cmocka_unit_test(test_version_1_is_read),
        cmocka_unit_test(test_what_cannot_be_is_refused),
        cmocka_unit_test(test_sections_come_once_and_in_order),
        cmocka_unit_test(test_memory_that_is_lacking_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
