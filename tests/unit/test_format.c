// File headers: what each is taken for, and that no cut of one is taken for
// something else.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "decode/decoder.h"
#include "wire_build.h"

struct row {
    const char *bytes;
    size_t len_bytes;
    const struct tp_decoder *decoder;
    uint32_t minor;
    size_t header_bytes;
};

#define ROW(text, format, ...)                                                                     \
    {                                                                                              \
        text, sizeof(text) - 1, &tp_decoder_##format, __VA_ARGS__                                  \
    }

static enum tp_format_verdict detect(const char *bytes, size_t len_bytes, bool at_end,
                                     struct tp_format *ret_format)
{
    unsigned char *copy = wire_copy(tp_span_of(bytes, len_bytes));
    enum tp_format_verdict v = tp_format_detect(tp_span_of(copy, len_bytes), at_end, ret_format);
    free(copy);
    return v;
}

static void assert_format(const struct tp_format *f, const struct row *want)
{
    if (f->decoder != want->decoder || f->minor != want->minor)
        fail_msg("\"%s\": kind %d minor %u, want %d %u", want->bytes, f->decoder->kind, f->minor,
                 want->decoder->kind, want->minor);
    if (tp_format_is_trace(f) && f->header_bytes != want->header_bytes)
        fail_msg("\"%s\": body at %zu, want %zu", want->bytes, f->header_bytes,
                 want->header_bytes);
}

// However much of the bytes is there, the verdict is the same or open; once told
// it stays, and with all that there is it is told.
static void assert_told_alike(const struct row *want)
{
    struct tp_format f;
    assert_int_equal(detect(want->bytes, want->len_bytes, true, &f), TP_FORMAT_KNOWN);
    assert_format(&f, want);
    bool was_told = false;
    for (size_t cut = 0; cut <= want->len_bytes; cut++) {
        bool is_told = detect(want->bytes, cut, false, &f) == TP_FORMAT_KNOWN;
        assert_true(is_told || !was_told);
        was_told = is_told;
        if (is_told)
            assert_format(&f, want);
        // At the end of the file a part of a trace's header is no header.
        assert_int_equal(detect(want->bytes, cut, true, &f), TP_FORMAT_KNOWN);
        if (!is_told && cut < want->header_bytes)
            assert_ptr_equal(f.decoder, &tp_decoder_none);
    }
}

static const struct row written[] = {
    ROW("gotrace\0", v0, 0, 8),
    ROW("tpstats\0", state, 0, 8),
    ROW("go 1.5 trace\0\0\0\0", v1, 5, 16),
    ROW("go 1.7 trace\0\0\0\0", v1, 7, 16),
    ROW("go 1.8 trace\0\0\0\0", v1, 8, 16),
    ROW("go 1.9 trace\0\0\0\0", v1, 9, 16),
    ROW("go 1.10 trace\0\0\0", v1, 10, 16),
    ROW("go 1.11 trace\0\0\0", v1, 11, 16),
    ROW("go 1.19 trace\0\0\0", v1, 19, 16),
    ROW("go 1.21 trace\0\0\0", v1, 21, 16),
    ROW("go 1.22 trace\0\0\0", v2, 22, 16),
    ROW("go 1.23 trace\0\0\0", v2, 23, 16),
    ROW("go 1.25 trace\0\0\0", v2, 25, 16),
    ROW("go 1.26 trace\0\0\0", v2, 26, 16),
};

static void test_headers_that_releases_write_are_recognised(void **state)
{
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(written); i++)
        assert_told_alike(&written[i]);
}

static void test_sixteen_bytes_are_enough(void **state)
{
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(written); i++) {
        struct tp_format f;
        assert_int_equal(detect(written[i].bytes, written[i].len_bytes, false, &f),
                         TP_FORMAT_KNOWN);
        assert_format(&f, &written[i]);
    }
}

static void test_what_follows_a_header_does_not_matter(void **state)
{
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(written); i++) {
        for (unsigned byte = 0; byte < 256; byte++) {
            char bytes[40];
            memset(bytes, (int)byte, sizeof bytes);
            memcpy(bytes, written[i].bytes, written[i].len_bytes);
            struct row want = written[i];
            want.bytes = bytes;
            want.len_bytes = sizeof bytes;
            assert_told_alike(&want);
        }
    }
}

static void test_loose_spellings_are_recognised(void **state)
{
    (void)state;
    static const struct row rows[] = {
        ROW("go  1.26 trace\0\0\0", v2, 26, 17),
        ROW("go\t1.26 trace\0\0\0", v2, 26, 16),
        ROW("go 1.26  trace\0\0\0", v2, 26, 17),
        ROW("go 1.26\t\ttrace\0\0\0", v2, 26, 17),
        ROW("go 1. 26 trace\0\0\0", v2, 26, 17),
        ROW("go 1.\t 26 trace\0\0\0", v2, 26, 18),
        ROW("go 1.026 trace\0\0\0", v2, 26, 17),
        ROW("go 1.00000000000000000000000026 trace\0\0\0", v2, 26, 40),
        ROW("go \xc2\xa0\x31.26 trace\0\0\0", v2, 26, 18),     // U+00A0
        ROW("go \xe2\x80\x83\x31.22 trace\0\0\0", v2, 22, 19), // U+2003
        ROW("go 1.23\xe3\x80\x80trace\0\0\0", v2, 23, 18),     // U+3000
        ROW("go   1.   25   trace\0\0\0", v2, 25, 23),
        ROW("go  1.5 trace\0\0\0\0", v1, 5, 17),
        ROW("go  1.21 trace\0\0\0", v1, 21, 17),
    };
    for (size_t i = 0; i < TP_ARRAY_LEN(rows); i++)
        assert_told_alike(&rows[i]);
}

static void test_unknown_releases_are_told_from_no_trace(void **state)
{
    (void)state;
    static const struct row rows[] = {
        ROW("go 1.6 trace\0\0\0\0", unknown, 6, 16),
        ROW("go 1.12 trace\0\0\0", unknown, 12, 16),
        ROW("go 1.18 trace\0\0\0", unknown, 18, 16),
        ROW("go 1.20 trace\0\0\0", unknown, 20, 16),
        ROW("go 1.24 trace\0\0\0", unknown, 24, 16),
        ROW("go 1.27 trace\0\0\0", unknown, 27, 16),
        ROW("go 1.0 trace\0\0\0", unknown, 0, 15),
        ROW("go 1.4294967295 trace\0\0\0", unknown, UINT32_MAX, 24),
    };
    for (size_t i = 0; i < TP_ARRAY_LEN(rows); i++)
        assert_told_alike(&rows[i]);
}

static void test_other_bytes_are_no_trace(void **state)
{
    (void)state;
    static const struct row rows[] = {
        ROW("", none, 0, 0),
        ROW("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", none, 0, 0),
        ROW(" go 1.26 trace\0\0\0", none, 0, 0), // a blank in front
        ROW("go1.26 trace\0\0\0", none, 0, 0),
        ROW("go\n1.26 trace\0\0\0", none, 0, 0), // a newline is no blank here
        ROW("go 1.26\ntrace\0\0\0", none, 0, 0),
        ROW("go 1.\n26 trace\0\0\0", none, 0, 0),
        ROW("go 1.26trace\0\0\0", none, 0, 0),
        ROW("go 1.26 trace\0\0", none, 0, 0), // two zero bytes
        ROW("go 1.26 trace\0\0 \0", none, 0, 0),
        ROW("go 1.26 Trace\0\0\0", none, 0, 0),
        ROW("go 1.+26 trace\0\0\0", none, 0, 0),
        ROW("go 1.-26 trace\0\0\0", none, 0, 0),
        ROW("go 1.2_6 trace\0\0\0", none, 0, 0),
        ROW("go 1.0x1a trace\0\0\0", none, 0, 0),
        ROW("go 1.4294967296 trace\0\0\0", none, 0, 0),           // 2^32
        ROW("go 1.18446744073709551642 trace\0\0\0", none, 0, 0), // 26 modulo 2^64
        ROW("go 1. trace\0\0\0", none, 0, 0),
        ROW("go 2.26 trace\0\0\0", none, 0, 0),
        ROW("go 1 .26 trace\0\0\0", none, 0, 0),
        ROW("go 1.26\xc2trace\0\0\0", none, 0, 0), // half a rune
        ROW("gotrace1", none, 0, 0),
        ROW("Trace Go1.26\n", none, 0, 0), // the text form
        ROW("\x1f\x8b\x08", none, 0, 0),
    };
    for (size_t i = 0; i < TP_ARRAY_LEN(rows); i++)
        assert_told_alike(&rows[i]);
}

static void test_header_with_absurd_white_space_is_given_up(void **state)
{
    (void)state;
    char bytes[TP_FORMAT_HEADER_MAX_BYTES + 32];
    static const char tail[] = "1.26 trace\0\0";
    const size_t fixed_bytes = 2 + sizeof tail;
    for (size_t header_bytes = TP_FORMAT_HEADER_MAX_BYTES - 2;
         header_bytes <= TP_FORMAT_HEADER_MAX_BYTES + 2; header_bytes++) {
        memset(bytes, ' ', sizeof bytes);
        memcpy(bytes, "go", 2);
        memcpy(bytes + 2 + (header_bytes - fixed_bytes), tail, sizeof tail);
        bool fits = header_bytes <= TP_FORMAT_HEADER_MAX_BYTES;
        struct row want = {bytes, sizeof bytes, fits ? &tp_decoder_v2 : &tp_decoder_none,
                           fits ? 26 : 0, fits ? header_bytes : 0};
        assert_told_alike(&want);
    }
}

static void test_bytes_of_a_header_matter_one_by_one(void **state)
{
    (void)state;
    for (size_t at = 0; at < 16; at++) {
        for (unsigned byte = 0; byte < 256; byte++) {
            char bytes[17] = "go 1.26 trace\0\0\0";
            bytes[at] = (char)byte;
            struct tp_format f;
            assert_int_equal(detect(bytes, 16, true, &f), TP_FORMAT_KNOWN);
            bool is_digit = byte >= '0' && byte <= '9';
            bool is_blank = byte == '\t' || byte == '\v' || byte == '\f' || byte == '\r';
            bool is_same = bytes[at] == "go 1.26 trace\0\0\0"[at];
            bool is_other_release = is_digit && (at == 5 || at == 6);
            bool is_other_blank =
                (is_blank || byte == ' ') && (at == 2 || (at >= 5 && at <= 7));
            if (!is_same && !is_other_release && !is_other_blank)
                assert_ptr_equal(f.decoder, &tp_decoder_none);
            else if (is_same)
                assert_ptr_equal(f.decoder, &tp_decoder_v2);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_headers_that_releases_write_are_recognised),
        cmocka_unit_test(test_sixteen_bytes_are_enough),
        cmocka_unit_test(test_what_follows_a_header_does_not_matter),
        cmocka_unit_test(test_loose_spellings_are_recognised),
        cmocka_unit_test(test_unknown_releases_are_told_from_no_trace),
        cmocka_unit_test(test_other_bytes_are_no_trace),
        cmocka_unit_test(test_header_with_absurd_white_space_is_given_up),
        cmocka_unit_test(test_bytes_of_a_header_matter_one_by_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
