// The decoder's bound: never exceeded, reported in words, enough when it says so.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "inflate_samples.h"

// A window counts as it is filled, not as it is declared.
static void test_inflate_large_windows_cost_what_is_in_them(void **state)
{
    (void)state;
    // 2^28 is more than the library allows by default.
    const struct zstd_choice choice = {.level = 1, .window_log = 28};
    struct bytes content = make_content(TP_MIB(6));
    for (unsigned few = 0; few < 2; few++) {
        struct bytes stored = {0};
        size_t len_bytes = few ? 20000 : content.len_bytes;
        append_zstd(&stored, content.ptr, len_bytes, &choice);
        struct tp_span span = tp_span_of(stored.ptr, stored.len_bytes);
        struct tp_span whole = tp_span_of(content.ptr, len_bytes);
        struct inflate_result r = inflate_all(TP_CODEC_ZSTD, span, 1000, 1000, TP_MIB(300));
        expect_content(&r, whole);
        r = inflate_all(TP_CODEC_ZSTD, span, 1000, 1000, few ? TP_MIB(3) : TP_MIB(9));
        expect_content(&r, whole);
        bytes_drop(&stored);
    }
    bytes_drop(&content);
}

static void test_inflate_windows_that_fill_are_limited_by_memory(void **state)
{
    (void)state;
    const struct zstd_choice choice = {.level = 1, .window_log = 28};
    struct bytes content = make_content(TP_MIB(6));
    struct bytes stored = {0};
    append_zstd(&stored, content.ptr, content.len_bytes, &choice);
    struct tp_span span = tp_span_of(stored.ptr, stored.len_bytes);
    uint64_t before = tp_alloc_live_bytes();
    struct inflate_result r = inflate_all(TP_CODEC_ZSTD, span, 1000, 1000, TP_MIB(5));
    assert_int_equal(r.rc, TP_E_LIMIT);
    assert_non_null(strstr(r.err.text, "a window that needs 26"));
    assert_non_null(strstr(r.err.text, "may take 5120 KiB; increase --max-memory"));
    // No byte of the file is at fault.
    assert_true(r.err.offset == TP_NO_OFFSET);
    // What came before is right.
    assert_true(r.made.len_bytes > TP_MIB(2) && r.made.len_bytes < TP_MIB(5));
    assert_memory_equal(r.made.ptr, content.ptr, r.made.len_bytes);
    bytes_drop(&r.made);
    assert_int_equal(tp_alloc_live_bytes(), before);

    // 2^41 with the largest mantissa: beyond what the library can do at all.
    stored.ptr[5] = 0xff;
    r = inflate_all(TP_CODEC_ZSTD, span, 1, 1000, TP_MIB(256));
    assert_int_equal(r.rc, TP_E_TOO_LARGE);
    assert_string_equal(r.err.text, "zstd frame with a window of more than 2048 MiB");
    bytes_drop(&r.made);
    bytes_drop(&stored);
    bytes_drop(&content);
}

// What a step is said to take at most is what it takes at most.
static void test_inflate_says_ahead_what_a_step_may_take(void **state)
{
    (void)state;
    static unsigned char out[100000];
    const struct zstd_choice choices[] = {{.level = 1, .window_log = 27},
                                          {.level = 1, .window_log = 18},
                                          {.level = 1, .window_log = 22}};
    struct bytes content = make_content(TP_MIB(5)), stored = {0};
    for (size_t i = 0; i < TP_ARRAY_LEN(choices); i++)
        append_zstd(&stored, content.ptr, content.len_bytes, &choices[i]);
    struct tp_inflate *inf = NULL;
    struct tp_error err;
    assert_int_equal(tp_inflate_create(TP_CODEC_ZSTD, TP_MIB(16), &inf, &err), 0);
    struct tp_span in = tp_span_of(stored.ptr, stored.len_bytes);
    size_t most = 0, total = 0;
    bool done = false;
    while (!done) {
        size_t ahead = tp_inflate_ahead_bytes(inf, sizeof out);
        struct tp_buf made = {.ptr = out, .max_bytes = sizeof out};
        assert_int_equal(tp_inflate_step(inf, &in, true, &made, &done, &err), 0);
        // With no more to make it is what is held.
        assert_true(tp_inflate_ahead_bytes(inf, 0) <= ahead + TP_MIB(1));
        most = ahead > most ? ahead : most;
        total += made.len_bytes;
    }
    assert_int_equal(total, 3 * content.len_bytes);
    assert_in_range(most, TP_MIB(5), TP_MIB(9));
    tp_inflate_destroy(inf);
    bytes_drop(&stored);
    bytes_drop(&content);
}

// Content before a frame that is too large still comes out.
static void test_inflate_hands_out_what_precedes_a_large_frame(void **state)
{
    (void)state;
    const struct zstd_choice small = {.level = 1, .content_size = 1};
    const struct zstd_choice large = {.level = 1, .window_log = 27};
    struct bytes stored = {0};
    append_zstd(&stored, "small", 5, &small);
    append_zstd(&stored, "large", 5, &large);
    struct tp_span span = tp_span_of(stored.ptr, stored.len_bytes);
    struct inflate_result r = inflate_all(TP_CODEC_ZSTD, span, SIZE_MAX, 1000, TP_MIB(1));
    assert_int_equal(r.rc, TP_E_LIMIT);
    assert_int_equal(r.made.len_bytes, 5);
    bytes_drop(&r.made);
    bytes_drop(&stored);
}

// Windows of up to 32 MiB, of which little is filled.
static void test_inflate_takes_what_it_fills_and_a_little(void **state)
{
    (void)state;
    const struct zstd_choice choices[] = {
        {.level = 1, .content_size = 1}, {.level = 1},
        {.level = 3},                    {.level = 3, .checksum = 1, .content_size = 1},
        {.level = 19},                   {.level = 19, .window_log = 25, .content_size = 1},
        {.level = 3, .window_log = 10},
    };
    struct bytes content = make_content(400000);
    for (size_t i = 0; i <= TP_ARRAY_LEN(choices); i++) {
        enum tp_codec codec = i < TP_ARRAY_LEN(choices) ? TP_CODEC_ZSTD : TP_CODEC_GZIP;
        for (int skippable = 0; skippable < 2; skippable++) {
            struct bytes stored = {0};
            if (codec == TP_CODEC_GZIP)
                append_gzip(&stored, content.ptr, content.len_bytes);
            else {
                if (skippable)
                    append_skippable(&stored, "pzst");
                append_zstd(&stored, content.ptr, content.len_bytes, &choices[i]);
            }
            struct tp_span span = tp_span_of(stored.ptr, stored.len_bytes);
            struct inflate_result r = inflate_all(codec, span, 5000, 9000, TP_MIB(3));
            expect_content(&r, tp_span_of(content.ptr, content.len_bytes));
            bytes_drop(&stored);
        }
    }
    bytes_drop(&content);
}

static void test_inflate_bound_holds_for_the_whole_program(void **state)
{
    (void)state;
    // A window that is no mapping, which counts in full.
    const struct zstd_choice choice = {.level = 3, .window_log = 19};
    struct bytes content = make_content(400000);
    for (enum tp_codec codec = TP_CODEC_GZIP; codec <= TP_CODEC_ZSTD; codec++) {
        struct bytes stored = {0};
        if (codec == TP_CODEC_GZIP)
            append_gzip(&stored, content.ptr, content.len_bytes);
        else
            append_zstd(&stored, content.ptr, content.len_bytes, &choice);
        bool worked = false;
        for (size_t max = 0; max < TP_MIB(4) && !worked; max = max * 2 + 1) {
            struct tp_inflate *inf = NULL;
            struct tp_error err;
            uint64_t before = tp_alloc_live_bytes();
            int rc = tp_inflate_create(codec, max, &inf, &err);
            struct tp_span in = tp_span_of(stored.ptr, stored.len_bytes);
            static unsigned char out[500000];
            bool done = false;
            while (rc == 0 && !done) {
                struct tp_buf made = {.ptr = out, .max_bytes = sizeof out};
                rc = tp_inflate_step(inf, &in, true, &made, &done, &err);
                // The heap rounds requests up a little.
                assert_true(tp_alloc_live_bytes() - before <= max + 256);
            }
            worked = rc == 0;
            assert_true(worked || rc == TP_E_LIMIT);
            tp_inflate_destroy(inf);
            assert_int_equal(tp_alloc_live_bytes(), before);
        }
        assert_true(worked);
        bytes_drop(&stored);
    }
    bytes_drop(&content);
}

static void test_inflate_lack_of_memory_is_told_apart(void **state)
{
    (void)state;
    struct bytes content = make_content(100000);
    for (enum sample_shape shape = 0; shape < SHAPE_COUNT; shape++) {
        struct bytes stored = make_sample(shape, content);
        bool worked = false;
        for (uint64_t nth = 1; !worked; nth++) {
            assert_true(nth < 100);
            uint64_t before = tp_alloc_live_bytes();
            static unsigned char out[200000];
            struct tp_span in = tp_span_of(stored.ptr, stored.len_bytes);
            struct tp_inflate *inf = NULL;
            bool done = false;
            tp_alloc_fail_at(nth, false);
            int rc = tp_inflate_create(codec_of(shape), ROOMY_BYTES, &inf, NULL);
            while (rc == 0 && !done) {
                struct tp_buf made = {.ptr = out, .max_bytes = sizeof out};
                rc = tp_inflate_step(inf, &in, true, &made, &done, NULL);
            }
            tp_alloc_fail_at(0, false);
            worked = rc == 0;
            assert_true(worked || rc == TP_E_MEMORY);
            tp_inflate_destroy(inf);
            assert_int_equal(tp_alloc_live_bytes(), before);
        }
        bytes_drop(&stored);
    }
    bytes_drop(&content);
}

static void test_inflate_of_a_long_skippable_frame_needs_no_memory(void **state)
{
    (void)state;
    const struct zstd_choice choice = {.level = 1, .content_size = 1};
    struct bytes stored = {0};
    const unsigned char head[8] = {0x50, 0x2a, 0x4d, 0x18, 0, 0, 0x20, 0};
    bytes_append(&stored, head, sizeof head);
    struct bytes content = make_content(TP_MIB(2));
    bytes_append(&stored, content.ptr, content.len_bytes);
    append_zstd(&stored, "after", 5, &choice);
    struct tp_span span = tp_span_of(stored.ptr, stored.len_bytes);
    struct inflate_result r = inflate_all(TP_CODEC_ZSTD, span, 65536, 100, TP_KIB(512));
    expect_content(&r, tp_span_of("after", 5));
    bytes_drop(&content);
    bytes_drop(&stored);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_inflate_large_windows_cost_what_is_in_them),
        cmocka_unit_test(test_inflate_windows_that_fill_are_limited_by_memory),
        cmocka_unit_test(test_inflate_says_ahead_what_a_step_may_take),
        cmocka_unit_test(test_inflate_hands_out_what_precedes_a_large_frame),
        cmocka_unit_test(test_inflate_takes_what_it_fills_and_a_little),
        cmocka_unit_test(test_inflate_bound_holds_for_the_whole_program),
        cmocka_unit_test(test_inflate_lack_of_memory_is_told_apart),
        cmocka_unit_test(test_inflate_of_a_long_skippable_frame_needs_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
