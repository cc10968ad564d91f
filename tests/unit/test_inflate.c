// Streams cut, stepped through and damaged in every way that a test can afford.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "inflate_samples.h"

static struct inflate_result inflate_at_once(enum tp_codec codec, struct bytes stored)
{
    return inflate_all(codec, tp_span_of(stored.ptr, stored.len_bytes), SIZE_MAX, TP_KIB(256),
                       ROOMY_BYTES);
}

static void test_inflate_any_cut_gives_the_same_bytes(void **state)
{
    (void)state;
    static const size_t pieces[][2] = {{1, 1},     {1, 4096}, {4096, 1},        {2, 3},
                                       {13, 4099}, {17, 1},   {SIZE_MAX, 1000}, {700, TP_MIB(1)}};
    struct bytes content = make_content(9000);
    for (enum sample_shape shape = 0; shape < SHAPE_COUNT; shape++) {
        struct bytes stored = make_sample(shape, content);
        struct tp_span span = tp_span_of(stored.ptr, stored.len_bytes);
        assert_int_equal(tp_codec_detect(span), codec_of(shape));
        for (size_t i = 0; i < TP_ARRAY_LEN(pieces); i++) {
            struct inflate_result r =
                inflate_all(codec_of(shape), span, pieces[i][0], pieces[i][1], ROOMY_BYTES);
            expect_content(&r, tp_span_of(content.ptr, content.len_bytes));
        }
        bytes_drop(&stored);
    }
    bytes_drop(&content);
}

static void test_inflate_large_content(void **state)
{
    (void)state;
    struct bytes content = make_content(3000000);
    for (enum sample_shape shape = 0; shape < SHAPE_COUNT; shape++) {
        struct bytes stored = make_sample(shape, content);
        struct tp_span span = tp_span_of(stored.ptr, stored.len_bytes);
        struct inflate_result r = inflate_all(codec_of(shape), span, 262144, 100000, ROOMY_BYTES);
        expect_content(&r, tp_span_of(content.ptr, content.len_bytes));
        bytes_drop(&stored);
    }
    bytes_drop(&content);
}

static bool is_prefix(struct bytes part, struct bytes whole)
{
    return part.len_bytes <= whole.len_bytes &&
           (part.len_bytes == 0 || memcmp(part.ptr, whole.ptr, part.len_bytes) == 0);
}

// A cut between two parts of a stream cannot be seen; every other one must be.
static void test_inflate_truncation_never_succeeds_inside_a_part(void **state)
{
    (void)state;
    struct bytes content = make_content(2500);
    for (enum sample_shape shape = 0; shape < SHAPE_COUNT; shape++) {
        struct bytes stored = make_sample(shape, content);
        size_t clean = 0;
        size_t best = 0;
        for (size_t len = 0; len < stored.len_bytes; len++) {
            struct tp_span cut = tp_span_of(stored.ptr, len);
            struct inflate_result r = inflate_all(codec_of(shape), cut, 100, 300, ROOMY_BYTES);
            assert_true(is_prefix(r.made, content));
            if (r.rc == 0) {
                clean++;
                assert_true(r.made.len_bytes == 0 || r.made.len_bytes == content.len_bytes ||
                            r.made.len_bytes == content.len_bytes / 2);
            } else {
                assert_int_equal(r.rc, TP_E_CODEC);
                assert_int_equal(r.err.code, TP_E_CODEC);
                assert_int_equal(r.err.offset, len);
            }
            // More input never gives less output.
            assert_true(r.made.len_bytes >= best);
            best = r.made.len_bytes;
            bytes_drop(&r.made);
        }
        size_t want_clean = shape == GZIP_PADDED ? 301 : shape == ZSTD_SKIPPABLE ? 4 : 1;
        assert_int_equal(clean, want_clean);
        bytes_drop(&stored);
    }
    bytes_drop(&content);
}

// Whatever a flipped byte does, the outcome, the bytes before it and the place do
// not depend on how the input was cut.
static void test_inflate_damage_is_reported_alike_for_any_cut(void **state)
{
    (void)state;
    static const size_t pieces[][2] = {{1, 1}, {7, 100}, {64, 1}, {SIZE_MAX, 4096}};
    struct bytes content = make_content(3000);
    for (enum sample_shape shape = 0; shape < SHAPE_COUNT; shape++) {
        struct bytes stored = make_sample(shape, content);
        size_t failed = 0;
        for (size_t at = 0; at < stored.len_bytes; at += 7) {
            stored.ptr[at] ^= (unsigned char)(1u << (at % 8));
            struct tp_span span = tp_span_of(stored.ptr, stored.len_bytes);
            struct inflate_result first =
                inflate_all(codec_of(shape), span, SIZE_MAX, 65536, ROOMY_BYTES);
            failed += first.rc != 0;
            for (size_t i = 0; i < TP_ARRAY_LEN(pieces); i++) {
                struct inflate_result r =
                    inflate_all(codec_of(shape), span, pieces[i][0], pieces[i][1], ROOMY_BYTES);
                assert_int_equal(r.rc, first.rc);
                assert_int_equal(r.made.len_bytes, first.made.len_bytes);
                assert_true(is_prefix(r.made, first.made));
                if (r.rc != 0) {
                    assert_int_equal(r.err.offset, first.err.offset);
                    assert_true(r.err.offset <= stored.len_bytes);
                    assert_string_equal(r.err.text, first.err.text);
                }
                bytes_drop(&r.made);
            }
            bytes_drop(&first.made);
            stored.ptr[at] ^= (unsigned char)(1u << (at % 8));
        }
        assert_true(failed > 0);
        bytes_drop(&stored);
    }
    bytes_drop(&content);
}

// zstd decodes several blocks in a call and, when the last of them fails, does
// not say how many bytes the others gave.
static void test_inflate_keeps_the_blocks_before_a_damaged_one(void **state)
{
    (void)state;
    const struct zstd_choice choice = {.level = 3, .flush_every_bytes = 1000};
    struct bytes content = make_content(10000);
    struct bytes stored = {0};
    append_zstd(&stored, content.ptr, 5000, &choice);
    // The last 3 bytes are the header of an empty last block: make it the reserved
    // type, which is an error of a header.
    stored.ptr[stored.len_bytes - 3] |= 6;
    struct inflate_result r = inflate_at_once(TP_CODEC_ZSTD, stored);
    assert_int_equal(r.rc, TP_E_CODEC);
    assert_int_equal(r.err.offset, stored.len_bytes - 3);
    assert_int_equal(r.made.len_bytes, 5000);
    assert_true(is_prefix(r.made, content));
    bytes_drop(&r.made);
    bytes_drop(&stored);

    // A wrong checksum: all content is out by then.
    append_gzip(&stored, content.ptr, content.len_bytes);
    stored.ptr[stored.len_bytes - 8] ^= 1;
    r = inflate_at_once(TP_CODEC_GZIP, stored);
    assert_int_equal(r.rc, TP_E_CODEC);
    assert_int_equal(r.err.offset, stored.len_bytes - 8);
    assert_int_equal(r.made.len_bytes, content.len_bytes);
    bytes_drop(&r.made);
    bytes_drop(&stored);
    bytes_drop(&content);
}

static void test_inflate_bytes_after_the_end(void **state)
{
    (void)state;
    const struct zstd_choice choice = {.level = 3, .content_size = 1};
    static const struct {
        enum tp_codec codec;
        const char *tail;
        size_t tail_bytes;
        size_t bad_idx; // in the tail; what the error's offset points at
        int rc;
    } cases[] = {
        {TP_CODEC_GZIP, "\0", 1, 0, 0},
        {TP_CODEC_GZIP, "\0\0\0\0\0", 5, 0, 0},
        {TP_CODEC_GZIP, "x", 1, 0, TP_E_CODEC},
        {TP_CODEC_GZIP, "\0\0x", 3, 2, TP_E_CODEC},
        {TP_CODEC_GZIP, "\0\x1f\x8b", 3, 1, TP_E_CODEC},  // no member after padding
        {TP_CODEC_GZIP, "\x1f", 1, 1, TP_E_CODEC},        // ends inside a header
        {TP_CODEC_GZIP, "\x1f\x8c....", 6, 0, TP_E_CODEC},
        {TP_CODEC_ZSTD, "\0", 1, 1, TP_E_CODEC},
        {TP_CODEC_ZSTD, "\0\0\0\0\0", 5, 0, TP_E_CODEC},
        {TP_CODEC_ZSTD, "junk and more", 13, 0, TP_E_CODEC},
        {TP_CODEC_ZSTD, "\x1f\x8b\x08\0", 4, 0, TP_E_CODEC},
        // A format from before zstd 1.0, which the library would take.
        {TP_CODEC_ZSTD, "\x27\xb5\x2f\xfd\0\0\0", 7, 0, TP_E_CODEC},
    };
    for (size_t i = 0; i < TP_ARRAY_LEN(cases); i++) {
        struct bytes stored = {0};
        if (cases[i].codec == TP_CODEC_GZIP)
            append_gzip(&stored, "content", 7);
        else
            append_zstd(&stored, "content", 7, &choice);
        size_t end = stored.len_bytes;
        bytes_append(&stored, cases[i].tail, cases[i].tail_bytes);
        for (size_t piece = 1; piece < 40; piece += 3) {
            struct tp_span span = tp_span_of(stored.ptr, stored.len_bytes);
            struct inflate_result r =
                inflate_all(cases[i].codec, span, piece, piece, ROOMY_BYTES);
            assert_int_equal(r.rc, cases[i].rc);
            if (r.rc != 0)
                assert_int_equal(r.err.offset, end + cases[i].bad_idx);
            assert_int_equal(r.made.len_bytes, 7);
            assert_memory_equal(r.made.ptr, "content", 7);
            bytes_drop(&r.made);
        }
        bytes_drop(&stored);
    }
}

static void test_inflate_nothing_at_all_is_damage(void **state)
{
    (void)state;
    for (enum tp_codec codec = TP_CODEC_GZIP; codec <= TP_CODEC_ZSTD; codec++) {
        struct inflate_result r = inflate_at_once(codec, (struct bytes){0});
        assert_int_equal(r.rc, TP_E_CODEC);
        assert_int_equal(r.err.offset, 0);
        unsigned char plain[] = "go 1.26 trace";
        r = inflate_at_once(codec, (struct bytes){plain, sizeof plain - 1});
        assert_int_equal(r.rc, TP_E_CODEC);
        assert_int_equal(r.err.offset, 0);
    }
}

static void test_inflate_empty_content(void **state)
{
    (void)state;
    const struct zstd_choice choices[] = {{.level = 3, .content_size = 1, .checksum = 1},
                                          {.level = 3}};
    struct bytes stored = {0};
    append_gzip(&stored, "", 0);
    struct inflate_result r = inflate_at_once(TP_CODEC_GZIP, stored);
    expect_content(&r, tp_span_of("", 0));
    bytes_drop(&stored);
    for (size_t i = 0; i < TP_ARRAY_LEN(choices); i++) {
        append_zstd(&stored, "", 0, &choices[i]);
        append_skippable(&stored, "");
        r = inflate_at_once(TP_CODEC_ZSTD, stored);
        expect_content(&r, tp_span_of("", 0));
        bytes_drop(&stored);
    }
}

static void test_inflate_codec_by_first_bytes(void **state)
{
    (void)state;
    static const struct {
        const char *head;
        size_t head_bytes;
        enum tp_codec codec;
    } cases[] = {
        {"", 0, TP_CODEC_PLAIN},
        {"go 1.22 trace\0\0\0", 16, TP_CODEC_PLAIN},
        {"\x1f\x8b\x08\x00", 4, TP_CODEC_GZIP},
        {"\x1f\x8b", 2, TP_CODEC_GZIP},
        {"\x1f", 1, TP_CODEC_PLAIN},
        {"\x28\xb5\x2f\xfd", 4, TP_CODEC_ZSTD},
        {"\x28\xb5\x2f", 3, TP_CODEC_PLAIN},
        {"\x50\x2a\x4d\x18", 4, TP_CODEC_ZSTD},
        {"\x5f\x2a\x4d\x18", 4, TP_CODEC_ZSTD},
        {"\x60\x2a\x4d\x18", 4, TP_CODEC_PLAIN},
        {"\x27\xb5\x2f\xfd", 4, TP_CODEC_PLAIN},
    };
    for (size_t i = 0; i < TP_ARRAY_LEN(cases); i++)
        assert_int_equal(tp_codec_detect(tp_span_of(cases[i].head, cases[i].head_bytes)),
                         cases[i].codec);
    assert_string_equal(tp_codec_name(TP_CODEC_PLAIN), "none");
    assert_string_equal(tp_codec_name(TP_CODEC_GZIP), "gzip");
    assert_string_equal(tp_codec_name(TP_CODEC_ZSTD), "zstd");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_inflate_any_cut_gives_the_same_bytes),
        cmocka_unit_test(test_inflate_large_content),
        cmocka_unit_test(test_inflate_truncation_never_succeeds_inside_a_part),
        cmocka_unit_test(test_inflate_damage_is_reported_alike_for_any_cut),
        cmocka_unit_test(test_inflate_keeps_the_blocks_before_a_damaged_one),
        cmocka_unit_test(test_inflate_bytes_after_the_end),
        cmocka_unit_test(test_inflate_nothing_at_all_is_damage),
        cmocka_unit_test(test_inflate_empty_content),
        cmocka_unit_test(test_inflate_codec_by_first_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
