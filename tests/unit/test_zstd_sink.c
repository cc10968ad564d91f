// The zstd sink: frames that give the bytes back, alone and together, a seek
// table that says where they are, and memory within what the budget is told.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#define ZSTD_STATIC_LINKING_ONLY
#include <zstd.h>

#include "base/alloc.h"
#include "sink_drive.h"

extern const struct tp_sink_def tp_sink_zstd;

#define SKIPPABLE_MAGIC 0x184D2A5EU
#define FOOTER_MAGIC 0x8F92EAB1U
#define FOOTER_BYTES 9
#define ENTRY_BYTES 8
#define SKIPPABLE_HEAD_BYTES 8
// What malloc may add to the few blocks of a context.
#define MALLOC_SLACK_BYTES TP_KIB(16)

struct config {
    int64_t level;
};

static struct sink_drive drive;

static int set_up(void **state)
{
    (void)state;
    return sink_drive_init(&drive, &tp_sink_zstd) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    sink_drive_fini(&drive);
    return 0;
}

static void run_well(struct tp_span input, const char *options, size_t unit_bytes)
{
    struct tp_error err = {0};
    drive.options = options;
    drive.unit_bytes = unit_bytes;
    if (sink_drive_run(&drive, input, &err) != 0)
        fail_msg("%s", err.text);
}

// Bytes that compress about as traces do.
static unsigned char *make_bytes(size_t len_bytes, uint64_t seed)
{
    unsigned char *bytes = malloc(len_bytes + 1);
    assert_non_null(bytes);
    uint64_t x = seed | 1;
    for (size_t i = 0; i < len_bytes; i++) {
        x = x * 6364136223846793005 + 1442695040888963407;
        bytes[i] = (unsigned char)(x >> 61 == 0 ? x >> 40 : i % 5 * 7);
    }
    return bytes;
}

static uint32_t le32(const unsigned char *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

// Reads the seek table from the end, as a seeking reader does.
static const unsigned char *find_entries(uint32_t *ret_frame_count)
{
    const unsigned char *end = drive.out.ptr + drive.out.len_bytes;
    assert_true(drive.out.len_bytes >= SKIPPABLE_HEAD_BYTES + FOOTER_BYTES);
    assert_int_equal(le32(end - 4), FOOTER_MAGIC);
    assert_int_equal(end[-5], 0);
    *ret_frame_count = le32(end - FOOTER_BYTES);
    size_t content_bytes = (size_t)*ret_frame_count * ENTRY_BYTES + FOOTER_BYTES;
    assert_true(drive.out.len_bytes >= content_bytes + SKIPPABLE_HEAD_BYTES);
    const unsigned char *head = end - content_bytes - SKIPPABLE_HEAD_BYTES;
    assert_int_equal(le32(head), SKIPPABLE_MAGIC);
    assert_int_equal(le32(head + 4), content_bytes);
    return head + SKIPPABLE_HEAD_BYTES;
}

static void check_frame(struct tp_span frame, struct tp_span want)
{
    ZSTD_frameHeader h;
    assert_int_equal(ZSTD_findFrameCompressedSize(frame.ptr, frame.len_bytes), frame.len_bytes);
    assert_int_equal(ZSTD_getFrameHeader(&h, frame.ptr, frame.len_bytes), 0);
    assert_int_equal(h.frameType, ZSTD_frame);
    assert_int_equal(h.frameContentSize, want.len_bytes);
    assert_int_equal(h.checksumFlag, 1);
    unsigned char *got = malloc(want.len_bytes + 1);
    assert_non_null(got);
    assert_int_equal(ZSTD_decompress(got, want.len_bytes + 1, frame.ptr, frame.len_bytes),
                     want.len_bytes);
    assert_memory_equal(got, want.ptr, want.len_bytes);
    free(got);
}

static void check_output(struct tp_span input, size_t unit_bytes)
{
    uint32_t frame_count;
    const unsigned char *entry = find_entries(&frame_count);
    size_t whole_units = (input.len_bytes + unit_bytes - 1) / unit_bytes;
    assert_int_equal(frame_count, whole_units > 0 ? whole_units : 1);
    struct tp_span rest = input, file = tp_span_of(drive.out.ptr, drive.out.len_bytes);
    for (uint32_t i = 0; i < frame_count; i++, entry += ENTRY_BYTES) {
        size_t compressed_bytes = le32(entry), decompressed_bytes = le32(entry + 4);
        assert_true(compressed_bytes <= file.len_bytes && decompressed_bytes <= rest.len_bytes);
        check_frame(tp_span_of(file.ptr, compressed_bytes),
                    tp_span_of(rest.ptr, decompressed_bytes));
        file = tp_span_skip(file, compressed_bytes);
        rest = tp_span_skip(rest, decompressed_bytes);
    }
    assert_int_equal(rest.len_bytes, 0);
    assert_int_equal(file.len_bytes,
                     SKIPPABLE_HEAD_BYTES + frame_count * ENTRY_BYTES + FOOTER_BYTES);
    // An ordinary reader passes over the table.
    unsigned char *got = malloc(input.len_bytes + 1);
    assert_non_null(got);
    assert_int_equal(ZSTD_decompress(got, input.len_bytes + 1, drive.out.ptr, drive.out.len_bytes),
                     input.len_bytes);
    assert_memory_equal(got, input.ptr, input.len_bytes);
    free(got);
}

static void test_frames_and_table_give_the_bytes_back(void **state)
{
    (void)state;
    static const struct {
        size_t len_bytes, unit_bytes;
    } rows[] = {
        {0, TP_MIB(8)},           {1, TP_MIB(8)},         {TP_MIB(2), TP_MIB(8)},
        {TP_MIB(9), TP_MIB(2)},   {TP_MIB(8), TP_MIB(8)}, {TP_MIB(8) + 1, TP_MIB(8)},
        {TP_KIB(300), TP_KIB(5)}, {3000, 1}, // tables of one and of many writes
    };
    for (size_t i = 0; i < TP_ARRAY_LEN(rows); i++) {
        unsigned char *bytes = make_bytes(rows[i].len_bytes, i);
        struct tp_span input = tp_span_of(bytes, rows[i].len_bytes);
        run_well(input, "level=1", rows[i].unit_bytes);
        check_output(input, rows[i].unit_bytes);
        free(bytes);
    }
}

static void test_incompressible_bytes_fit_the_buffer(void **state)
{
    (void)state;
    unsigned char *bytes = make_bytes(TP_FRAME_MAX_BYTES, 1);
    uint64_t x = 7;
    for (size_t i = 0; i < TP_FRAME_MAX_BYTES; i++) {
        x = x * 6364136223846793005 + 1442695040888963407;
        bytes[i] = (unsigned char)(x >> 56);
    }
    struct tp_span input = tp_span_of(bytes, TP_FRAME_MAX_BYTES);
    run_well(input, NULL, TP_FRAME_MAX_BYTES);
    check_output(input, TP_FRAME_MAX_BYTES);
    free(bytes);
}

// Reusing a context must not show.
static void test_a_frame_depends_on_its_bytes_only(void **state)
{
    (void)state;
    unsigned char *bytes = make_bytes(TP_MIB(5), 3);
    run_well(tp_span_of(bytes + TP_MIB(3), TP_MIB(2)), NULL, TP_MIB(8));
    uint32_t frame_count;
    const unsigned char *entry = find_entries(&frame_count);
    size_t alone_bytes = le32(entry);
    unsigned char *alone = malloc(alone_bytes);
    assert_non_null(alone);
    memcpy(alone, drive.out.ptr, alone_bytes);
    run_well(tp_span_of(bytes, TP_MIB(5)), NULL, TP_MIB(3));
    entry = find_entries(&frame_count);
    assert_int_equal(frame_count, 2);
    assert_int_equal(le32(entry + ENTRY_BYTES), alone_bytes);
    assert_memory_equal(drive.out.ptr + le32(entry), alone, alone_bytes);
    free(alone);
    free(bytes);
}

// What unit_extra_bytes promises, measured at the heap, for every level and every
// class of frame sizes the library tells apart.
static void test_contexts_stay_within_what_the_budget_is_told(void **state)
{
    (void)state;
    static const size_t frame_bytes[] = {TP_KIB(10), TP_KIB(100), TP_KIB(250), TP_MIB(2),
                                         TP_MIB(5), TP_MIB(8)};
    unsigned char *bytes = calloc(1, TP_FRAME_MAX_BYTES);
    assert_non_null(bytes);
    for (int level = 1; level <= 19; level++) {
        struct config config = {level};
        struct tp_sink_plan plan;
        tp_sink_zstd.plan(&config, &plan);
        size_t promised_bytes = plan.unit_extra_bytes;
        uint64_t most_bytes = 0;
        char options[32];
        snprintf(options, sizeof(options), "level=%d", level);
        for (size_t i = 0; i < TP_ARRAY_LEN(frame_bytes); i++) {
            run_well(tp_span_of(bytes, frame_bytes[i]), options, TP_FRAME_MAX_BYTES);
            if (drive.most_live_bytes > most_bytes)
                most_bytes = drive.most_live_bytes;
        }
        assert_in_range(most_bytes, 1, promised_bytes + MALLOC_SLACK_BYTES);
        // And not far more is taken out of the budget than is needed.
        assert_true(promised_bytes < 2 * most_bytes);
    }
    free(bytes);
}

static void test_level_is_an_option(void **state)
{
    (void)state;
    unsigned char *bytes = make_bytes(TP_MIB(1), 5);
    struct tp_span input = tp_span_of(bytes, TP_MIB(1));
    size_t sizes[3];
    static const char *const levels[] = {"level=1", NULL, "level=19"};
    for (size_t i = 0; i < TP_ARRAY_LEN(levels); i++) {
        run_well(input, levels[i], TP_FRAME_MAX_BYTES);
        sizes[i] = drive.out.len_bytes;
    }
    assert_true(sizes[2] < sizes[0]);
    run_well(input, "level=3", TP_FRAME_MAX_BYTES);
    assert_int_equal(drive.out.len_bytes, sizes[1]);
    static const char *const bad[] = {"level=0", "level=20", "level=x"};
    for (size_t i = 0; i < TP_ARRAY_LEN(bad); i++) {
        struct tp_error err = {0};
        drive.options = bad[i];
        assert_int_equal(sink_drive_run(&drive, input, &err), TP_E_USAGE);
    }
    free(bytes);
}

static void test_no_memory_is_reported(void **state)
{
    (void)state;
    unsigned char *bytes = make_bytes(TP_KIB(100), 5);
    uint64_t live_bytes = tp_alloc_live_bytes();
    for (size_t len_bytes = 0; len_bytes <= TP_KIB(100); len_bytes += TP_KIB(100)) {
        for (uint64_t nth = 1;; nth++) {
            struct tp_error err = {0};
            drive.options = NULL;
            drive.unit_bytes = TP_KIB(1);
            tp_alloc_fail_at(nth, false);
            int rc = sink_drive_run(&drive, tp_span_of(bytes, len_bytes), &err);
            tp_alloc_fail_at(0, false);
            assert_int_equal(tp_alloc_live_bytes(), live_bytes);
            if (rc == 0)
                break;
            assert_int_equal(rc, TP_E_MEMORY);
            assert_in_range(nth, 1, 1000);
        }
    }
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frames_and_table_give_the_bytes_back),
        cmocka_unit_test(test_incompressible_bytes_fit_the_buffer),
        cmocka_unit_test(test_a_frame_depends_on_its_bytes_only),
        cmocka_unit_test(test_contexts_stay_within_what_the_budget_is_told),
        cmocka_unit_test(test_level_is_an_option),
        cmocka_unit_test(test_no_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
