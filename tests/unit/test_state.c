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
#include "decode/format.h"
#include "decode/varint.h"
#include "hist_bytes.h"
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
        assert_int_equal(again.durations.hist_bytes, hist_bytes_of(&again.durations));
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
    assert_int_equal(tp_totals_frames_put(&littered.frames, &littered.names, &frame), 0);
    assert_int_equal(tp_totals_add_stack(&littered, &frame_number, 1), 0);
    assert_int_equal(tp_durations_group_of(&littered.durations, TP_SPACE_TASK, 0), 0);
    assert_true(tp_durations_record(&littered.durations, TP_SPACE_UNNAMED, 9, 0, 5, TP_NO_MOMENT, false));
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
                    tp_durations_record(&s->durations, TP_SPACE_TASK, name, 0, i, TP_NO_MOMENT, false));
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
    assert_int_equal(left.kept[TP_SPACE_TASK].count, TP_TOTALS_NAMES_MAX);
    assert_int_equal(right.kept[TP_SPACE_TASK].count, 4000);
    merge(&right, &left);
    expect_bytes(&right, &want);
    tp_totals_fini(&all);
    tp_totals_fini(&left);
    tp_totals_fini(&right);
    tp_free(want.ptr);
    tp_free(left_bytes.ptr);
    tp_free(right_bytes.ptr);
}

#define COLLECTOR "runtime.bgsweep"

static void record_run(struct tp_totals *s, const char *function)
{
    uint32_t name;
    assert_true(
        tp_totals_name(s, TP_SPACE_GOROUTINE, tp_span_of(function, strlen(function)), &name));
    assert_true(
        tp_durations_record(&s->durations, TP_SPACE_GOROUTINE, name, TP_MEASURE_RUN, 5, TP_NO_MOMENT, false));
}

// Those of the runtime's collector are kept beside as many names as may be, and a state that has
// them is read.
static void test_the_collector_is_kept_through_bytes(void **state)
{
    struct tp_totals s = {.file_count = 1};
    (void)state;
    // In the order of states they all come before it, so there is no room left when it is read.
    for (unsigned i = 0; i < TP_TOTALS_NAMES_MAX + 500; i++) {
        char text[16];
        snprintf(text, sizeof text, "main.f%u", i);
        record_run(&s, text);
    }
    record_run(&s, COLLECTOR);
    struct state_bytes bytes = state_of(&s);
    struct tp_totals again = read_state(&bytes);
    assert_int_equal(again.kept[TP_SPACE_GOROUTINE].count, TP_TOTALS_NAMES_MAX);
    expect_bytes(&again, &bytes);
    bool has_collector = false;
    for (uint32_t i = 0; i < again.durations.groups.count; i++) {
        struct tp_span name = tp_totals_group_name(&again, &again.durations.groups.items[i]);
        has_collector |= tp_span_equals(name, COLLECTOR, sizeof COLLECTOR - 1);
    }
    assert_true(has_collector);
    tp_free(bytes.ptr);
    tp_totals_fini(&again);
    tp_totals_fini(&s);
}

static void append_number(struct state_bytes *b, uint64_t number)
{
    unsigned char bytes[TP_VARINT_MAX_BYTES];
    state_append(b, bytes, (size_t)(tp_varint_put(bytes, number) - bytes));
}

static void test_more_names_than_are_kept_are_refused(void **state)
{
    struct state_bytes names = {0}, groups = {0};
    (void)state;
    append_number(&names, TP_TOTALS_NAMES_MAX + 1);
    append_number(&groups, TP_TOTALS_NAMES_MAX + 1);
    for (unsigned i = 0; i <= TP_TOTALS_NAMES_MAX; i++) {
        char text[8];
        size_t len_bytes = (size_t)snprintf(text, sizeof text, "%c%05u", 5, i);
        state_append(&names, text, len_bytes);
        // Of one log message each; names count from 1.
        unsigned number = i + 1;
        const char group[] = {TP_SPACE_LOG, (char)(number & 127) | (char)128, (char)(number >> 7),
                              0, 0, 1, 0, 0, 0, 0, 0};
        state_append(&groups, group, sizeof group);
    }
    const struct state_section sections[] = {
        {TP_SECTION_names, (char *)names.ptr, names.len_bytes},
        {TP_SECTION_durations, (char *)groups.ptr, groups.len_bytes}};
    struct state_bytes b = state_of_sections(sections, TP_ARRAY_LEN(sections));
    expect_refused(&b, "more names than are kept", 0, "4097 names");
    tp_free(b.ptr);
    tp_free(names.ptr);
    tp_free(groups.ptr);
}

// Each stack is a frame of its own; frames differ by their lines.
static void test_more_stacks_than_are_kept_are_refused(void **state)
{
    struct state_bytes frames = {0}, stacks = {0};
    (void)state;
    enum { MOST = TP_TOTALS_STACKS_MAX + 2 * TP_TOTALS_PAIRS_MAX };
    append_number(&frames, MOST + 1);
    append_number(&stacks, MOST + 1);
    for (unsigned i = 0; i <= MOST; i++) {
        state_append(&frames, "\0", 2);
        append_number(&frames, i);
        state_append(&frames, "", 1);
        append_number(&stacks, 1);
        append_number(&stacks, i);
    }
    const struct state_section sections[] = {
        {TP_SECTION_names, "\1\1a", 3},
        {TP_SECTION_frames, (char *)frames.ptr, frames.len_bytes},
        {TP_SECTION_stacks, (char *)stacks.ptr, stacks.len_bytes}};
    struct state_bytes b = state_of_sections(sections, TP_ARRAY_LEN(sections));
    expect_refused(&b, "more than 73728 rows", 0, "too many stacks");
    tp_free(b.ptr);
    tp_free(frames.ptr);
    tp_free(stacks.ptr);
}

// DAMAGE

#define BYTES(text) text, sizeof(text) - 1
// The section of totals: files, damaged, refused, stored, stream, lost bytes, events, duration; then
// what the macros say.
#define COUNTS "\x3\x1\x2\x64\x64\x5\x9\x7"
#define UNORDERED "\6"
#define DOUBTS "\4"
#define SAMPLES "\2\3" // how many, and over which time
#define TAKEN_ALL "\2" "\1\5" "\2\6" // files, earliest beginning, latest end
#define GC "\2\1\x64\x50\7" "\1\2\3\4\5\6\7"
#define GAUGES "\3\1\2\4" "\0\0\0\0" "\1\0\5\5" // told, changes, least, greatest
#define WIDTHS "\x10" "\0\0\0" // of buckets of time; files, first and width by the wall clock
#define LIMITS "\2" "\1\2\3\4\5" "\2" // of goroutines, and others; of tasks and regions
#define TOTALS_OF(counts, unordered, taken, gc, gauges, widths, limits)                            \
    {TP_SECTION_totals, BYTES(counts unordered DOUBTS SAMPLES taken gc gauges widths limits)}
// Path, host and pattern, figures from 1 on, what was judged, when it was taken, its beginning, whether it is
// damaged, and what took most time.
#define FIGURES                                                                                    \
    "\1\2\3\4\5\6\7\x8\x9\xa\xb\xc\xd\xe\xf\x10\x11\x12\x13\x14\x15\x16\x17"                \
    "\x18\x19\x1a\x1b"
// No task; a region b, of which the trace has three, and two more; waits in c (a:9); two goroutines of c;
// eight events named b.
#define CLASSES "\1\2\3\0\0\0\0\7\0\0"
#define TOPS "\0\0" "\1\1\3\6\4\5\6" CLASSES "\2" "\1\2\1\x9\7\0" "\1\2\2\7\0" "\1\1\x8\0"
#define NO_VALUES "\0\0\0\0\0\0\0\0\0\0"
#define JUDGED_ROW(path, judged, taken, damaged) path "\3\1" FIGURES judged taken "\6" damaged TOPS
#define FILE_ROW(path, taken) JUDGED_ROW(path, "\1" NO_VALUES, taken, "\0")
#define FILES(rows) {TP_SECTION_files, BYTES(rows)}
#define TAKEN "\1" "\1\5" "\2\6"
#define NOT_TAKEN "\0\0\0\0\0"
// All kinds but lock, which no row has. A finding up to its culprit, of kind gc, which explains gc,
// and a place without a function. Flags stand behind the places: first of its input, and damaged.
#define KINDS                                                                                      \
    "\7channel\6few_ps\2gc\4leak\5p_hog\4pool\xdsched_latency\x9slow_task\xestop_the_world\7syscall"
#define FIGURES_FOUND "\0\0\1\0\0\0\0\0\0\0" "\3\4\5\6" "\1\x9\2\3\4" "\7\x8\x9"
#define FOUND(path) path "\2" FIGURES_FOUND
#define NOWHERE "\0\0\0"
// Of one goroutine: running and what follows, its function b, and file.
#define G_ROW(running, path) running "\1\2\3\4\5\6\1" path
// A bucket of time is the first level, and the others.
#define TIME_BUCKET(level) level "\2\3\4\5\6\x87\x80\x80\x80\x80\x80\x80\x80\x80\2\x8\x9\xa\xb\xc"
// Rows of durations are kind, name, reason, measure; then count, total, longest, its moment if that is
// not 0, cut, cut ns, and the histogram. One duration of 5 ns:
#define ONE "\1\5\5\0\0\0\1\5\1"
#define DURATIONS(rows) {TP_SECTION_durations, BYTES(rows)}
// Two waits of a pair for r.
#define WAKE(pair) "\x9" pair "\1\0" "\2\xa\5\7\0\0\1\5\2"
// Where the time of one task went: running, sync; assists and stops. Nine classes of no time.
#define SUM "\1" "\2\0\0\3\0\0\0\0\0\0" "\4\2"
#define ZEROS9 "\0\0\0\0\0\0\0\0\0"
#define SUMS(rows) {TP_SECTION_breakdown, BYTES(rows)}
// A slow task c of file a, by goroutine 3, with its time running and in system calls.
#define SLOW(running, lines) "\7\x9\5\3\2\0" running "\0\4\0\0\0\0\0\0\0" "\1\0" lines
#define SLOW_REGION(running) "\7\x9\0\3\2\0" running "\0\4\0\0\0\0\0\0\0" "\1\0\0"
// Two log lines: when, category and message with what is left out of them.
#define LINES "\2" "\0\1\0\2\7" "\5\0\0\1\0"
// Waits by type and stack: count, time, and of those with a distribution count, time, longest, its moment,
// and the histogram.
#define ONE_WAIT "\0\0\1\x5" "\0"
#define TIMED_WAIT "\1\0\2\x5" "\1\3\3\7\1\3\1"
#define LAST_WAIT "\1\1\3\4" "\0"
#define WAITS(rows) {TP_SECTION_waits, BYTES(rows)}
static const struct state_section sound[] = {
    TOTALS_OF(COUNTS, UNORDERED, TAKEN_ALL, GC, GAUGES, WIDTHS, LIMITS),
    {TP_SECTION_names, BYTES("\3\1a\1b\1c")},
    {TP_SECTION_reasons, BYTES("\2\1r\1s")},
    {TP_SECTION_kinds, BYTES("\xa" KINDS)},
    {TP_SECTION_frames, BYTES("\2\0\1\7\x64\0\1\7\x65")},
    {TP_SECTION_stacks, BYTES("\2\1\0\2\1\0")},
    {TP_SECTION_pairs, BYTES("\2\1\2\2\1")},
    DURATIONS("\x8"
              // Goroutines of a: running, blocked for r and s.
              "\0\1\0\0" "\2\xe\x9\xb\0\0\2\5\1\4\1" "\0\1\1\0" "\1\5\5\0\2\3\1\5\1"
              "\0\1\2\0" "\0\0\0\1\0\0"
              // Task b, log messages of c, and waits of pairs, with the time blamed on a waker.
              "\1\2\0\0" ONE "\7\3\0\0" "\4\0\0\0\0\0"
              "\x9\1\0\0" "\1\4\0\0\0\0" WAKE("\1") WAKE("\2")),
    SUMS("\1" "\1\2\5" SUM),
    WAITS("\3" ONE_WAIT TIMED_WAIT LAST_WAIT),
    FILES("\2" JUDGED_ROW("\1", "\1" NO_VALUES, TAKEN, "\1")
          JUDGED_ROW("\2", "\0\7\3\1\4\5\xa\6\x9\x8\2", NOT_TAKEN, "\0")),
    {TP_SECTION_refused, BYTES("\2\0\xc\1\2\xa\0")}, // path, code and words
    {TP_SECTION_found, BYTES("\2" FOUND("\0") "\2\3\x9" "\1\0\0" NOWHERE "\1\1"
                             FOUND("\1") NOWHERE NOWHERE NOWHERE "\1\0")},
    {TP_SECTION_gs, BYTES("\2" G_ROW("\6", "\2") G_ROW("\7", "\0"))},
    {TP_SECTION_slow_tasks, BYTES("\2" SLOW("\1", "\0") SLOW("\2", LINES))},
    {TP_SECTION_slow_regions, BYTES("\2" SLOW_REGION("\1") SLOW_REGION("\2"))},
    {TP_SECTION_time, BYTES("\1" TIME_BUCKET("\1"))},
    {TP_SECTION_wall_time, BYTES("\0")},
    {STATE_REST, BYTES("\0")},
};

static struct state_bytes sound_state(void)
{
    return state_of_sections(sound, TP_ARRAY_LEN(sound));
}

#define TOPS_TEXT " host c by a region b 3 6 4 5 6 1 2 3 0 0 0 0 7 0 0 more 2 wait c a:9 7 start c 2 7 event b 8 0"

static void test_a_state_by_hand_says_what_it_should(void **state)
{
    struct state_bytes b = sound_state();
    struct tp_totals s = read_state(&b);
    (void)state;
    expect_bytes(&s, &b);
    char *text = full_text(&s, true);
    assert_string_equal(text, "trace_count 3\ndamaged_count 1\nrefused_count 2\n"
                              "stored_bytes 100\n"
                              "stream_bytes 100\nlost_bytes 5\nevents 9\nduration_ns 7\n"
                              "unordered_bytes 6\ndoubts 4\nsamples 2 3\ntaken 2 1.000000005 2.000000006\nutilisation trace_count 2\n"
                              "utilisation excluded_trace_count 1\n"
                              "utilisation curve_ns 100\nutilisation mutator_ns 80\n"
                              "utilisation assist_running_ns 7\n"
                              "utilisation window 0: 1 0\nutilisation window 1: 2 3\n"
                              "utilisation window 2: 4 5\nutilisation window 3: 6 7\n"
                              "goroutine a running 2 14 9 at 11 5:1 9:1\n"
                              "goroutine a block:r 1 5 5 at 0 cut 2 3 5:1\n"
                              "goroutine a block:s 0 0 0 cut 1 0\n"
                              "task b 1 5 5 at 0 5:1\n"
                              "of task b 5: 1 RUNNING 2 SYNC 3 assists 4 stopped 2\n"
                              "log c 4 0 0\n"
                              "file b 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 not judged: 1 damaged taken 1.000000005 2.000000006"
                              TOPS_TEXT "\n"
                              "file c 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 judged - 0 1 2 3 4 5 6 7 8 9" TOPS_TEXT "\n"
                              "found a 1 2 3 4 5 6 worst 9 2 at 3 4 7 8 9: b c 9, a - 0, - - 0 first damaged\n"
                              "found b 1 2 3 4 5 6 worst 9 2 at 3 4 7 8 9: - - 0, - - 0, - - 0 first\n"
                              "refused a -12 b\nrefused c -10 a\n"
                              "g 6 b 4 5 7 1 2 3 a\ng 6 b 4 5 6 1 2 3 c\n"
                              "other gs 1 2 3 4 5\n"
                              "slow 5 c 5 of 3 at 7 wall 9 in a 1 0 4 0 0 0 0 0 0 0 1 0\n"
                              "slow 6 c 5 of 3 at 7 wall 9 in a 2 0 4 0 0 0 0 0 0 0 1 0"
                              " log 0 b-0 c-7, log 5 a-0 b-0\n"
                              "slow region 5 c 0 of 3 at 7 wall 9 in a 1 0 4 0 0 0 0 0 0 0 1 0\n"
                              "slow region 6 c 0 of 3 at 7 wall 9 in a 2 0 4 0 0 0 0 0 0 0 1 0\n"
                              "net a:7@64@b 1 5\n"
                              "sync a:7@64@b 2 5 1 3 3 at 7 3:1\n"
                              "sync a:7@65@b;a:7@64@b 3 4\n"
                              "BLAMED [a:7] [a:7;a:7] 1 4 0\n"
                              "woken r [a:7;a:7] [a:7] 2 10 5 at 7 5:2\n"
                              "woken r [a:7] [a:7;a:7] 2 10 5 at 7 5:2\n"
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
    expect_refused(&b, "bytes instead of", 0, "longer");
    tp_free(b.ptr);
}

static void test_other_versions_are_refused(void **state)
{
    static const unsigned char versions[] = {0, TP_FORMAT_STATE_VERSION + 1, 6, 255};
    struct state_bytes b = sound_state();
    (void)state;
    for (unsigned i = 0; i < TP_ARRAY_LEN(versions); i++) {
        char want[128];
        state_set_version(&b, versions[i]);
        snprintf(want, sizeof want,
                 "of version %d, not %d: written by another version of tracepipe; make it again "
                 "from the traces", versions[i], TP_FORMAT_STATE_VERSION);
        expect_refused(&b, want, 0, "version");
    }
    tp_free(b.ptr);
}

// A section of the sound state as it cannot be.
struct damage {
    const char *what;
    struct state_section section;
    const char *want;
    unsigned at; // byte of the section; 0: not asked
};

#define OVERFLOWING "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"
// The section of totals with other bytes for one of these macros.
#define TOTALS_BUT(part, bytes) TOTALS_BUT_##part(bytes)
#define TOTALS_BUT_COUNTS(bytes) TOTALS_OF(bytes, UNORDERED, TAKEN_ALL, GC, GAUGES, WIDTHS, LIMITS)
#define TOTALS_BUT_UNORDERED(bytes) TOTALS_OF(COUNTS, bytes, TAKEN_ALL, GC, GAUGES, WIDTHS, LIMITS)
#define TOTALS_BUT_TAKEN_ALL(bytes) TOTALS_OF(COUNTS, UNORDERED, bytes, GC, GAUGES, WIDTHS, LIMITS)
#define TOTALS_BUT_GC(bytes) TOTALS_OF(COUNTS, UNORDERED, TAKEN_ALL, bytes, GAUGES, WIDTHS, LIMITS)
#define TOTALS_BUT_GAUGES(bytes) TOTALS_OF(COUNTS, UNORDERED, TAKEN_ALL, GC, bytes, WIDTHS, LIMITS)
#define TOTALS_BUT_WIDTHS(bytes) TOTALS_OF(COUNTS, UNORDERED, TAKEN_ALL, GC, GAUGES, bytes, LIMITS)
#define TOTALS_BUT_LIMITS(bytes) TOTALS_OF(COUNTS, UNORDERED, TAKEN_ALL, GC, GAUGES, WIDTHS, bytes)
static const struct damage damages[] = {
#include "state_damages.inc"
};

// Where the bytes of the section begin.
static uint64_t offset_of(unsigned id)
{
    uint64_t at = STATE_SECTIONS_AT;
    for (size_t i = 0; sound[i].id != id; i++)
        at += sound[i].len_bytes;
    return at;
}

static void test_what_cannot_be_is_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(damages); i++) {
        struct state_section sections[TP_ARRAY_LEN(sound)];
        unsigned id = damages[i].section.id;
        size_t count = 0;
        for (size_t k = 0; k < TP_ARRAY_LEN(sound); k++) {
            // Damages of the durations take the task away of which the breakdown has the time.
            if (id != TP_SECTION_durations || sound[k].id != TP_SECTION_breakdown)
                sections[count++] = sound[k].id == id ? damages[i].section : sound[k];
        }
        struct state_bytes b = state_of_sections(sections, count);
        uint64_t offset = damages[i].at > 0 ? offset_of(id) + damages[i].at : 0;
        expect_refused(&b, damages[i].want, offset, damages[i].what);
        tp_free(b.ptr);
    }
}

static void test_every_section_may_be_cut(void **state)
{
    (void)state;
    for (size_t cut = 0; cut < TP_ARRAY_LEN(sound); cut++) {
        for (size_t len_bytes = 0; len_bytes < sound[cut].len_bytes; len_bytes++) {
            struct state_section sections[TP_ARRAY_LEN(sound)];
            // Nothing follows what is cut.
            for (size_t k = 0; k < TP_ARRAY_LEN(sound); k++)
                sections[k] = (struct state_section){sound[k].id, sound[k].bytes,
                                                     k < cut ? sound[k].len_bytes : 0};
            sections[cut].len_bytes = len_bytes;
            struct state_bytes b = state_of_sections(sections, TP_ARRAY_LEN(sections));
            expect_refused(&b, NULL, 0, "cut");
            tp_free(b.ptr);
        }
    }
}

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
        cmocka_unit_test(test_the_collector_is_kept_through_bytes),
        cmocka_unit_test(test_more_names_than_are_kept_are_refused),
        cmocka_unit_test(test_more_stacks_than_are_kept_are_refused),
        cmocka_unit_test(test_a_state_by_hand_says_what_it_should),
        cmocka_unit_test(test_every_truncation_and_every_flipped_bit_is_refused),
        cmocka_unit_test(test_other_versions_are_refused),
        cmocka_unit_test(test_what_cannot_be_is_refused),
        cmocka_unit_test(test_every_section_may_be_cut),
        cmocka_unit_test(test_memory_that_is_lacking_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
