// The kind of a file that is no trace is named.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/text/quote.h"
#include "decode/decoder.h"
#include "wire_build.h"

// By an exact copy, so that a sanitizer sees reads beyond it.
static struct tp_foreign foreign_of(const void *bytes, size_t len_bytes)
{
    unsigned char *copy = wire_copy(tp_span_of(bytes, len_bytes));
    struct tp_foreign f = tp_foreign_of(tp_span_of(copy, len_bytes));
    free(copy);
    return f;
}

#define assert_what(bytes, want, want_words)                                                      \
    do {                                                                                          \
        struct tp_foreign f_ = foreign_of(bytes, sizeof(bytes) - 1);                              \
        assert_non_null(f_.what);                                                                 \
        assert_string_equal(f_.what, want);                                                       \
        assert_string_equal(f_.words, want_words);                                                \
    } while (0)

static void test_magic_numbers(void **state)
{
    (void)state;
    assert_what("\177ELF\2\1\1", "an ELF file (program, library or core)", "");
    assert_what("PK\3\4\x14\0", "a zip archive", "");
    assert_what("go1.7 heap dump\n\1", "a Go heap dump", "");
    assert_what("SQLite format 3\0", "an SQLite database", "");
    // A beginning alone is none.
    assert_null(foreign_of("\177EL", 3).what);
    assert_null(foreign_of("", 0).what);
}

static void test_tar_has_its_magic_number_behind_a_name(void **state)
{
    (void)state;
    unsigned char head[TP_FOREIGN_HEAD_BYTES] = "traces/a.trace";
    memcpy(head + 257, "ustar\00000", 8);
    assert_string_equal(foreign_of(head, sizeof head).what, "a tar archive");
    assert_string_equal(foreign_of(head, 262).what, "a tar archive");
    assert_null(foreign_of(head, 261).what);
}

// The first bytes of profiles, without their compression.
static void test_pprof_profile(void **state)
{
    (void)state;
    // The library of pprof: types of values, then a sample.
    assert_what("\x0a\x04\x08\x01\x10\x02\x0a\x04\x08\x03\x10\x04\x12", "a pprof profile", "");
    // Go 1.26: CPU.
    assert_what("\x48\xd6\xed\xa4\xd1\xb5\xf9\x8e\xf6\x18\x0a\x04\x08\x01\x10\x02"
                "\x0a\x04\x08\x03\x10\x04\x50\xf7", "a pprof profile", "");
    // Heap; allocs; goroutine, block, mutex; threadcreate of Go 1.22; heap without a sample.
    assert_what("\x5a\x04\x08\x01\x10\x02\x60\x80\x08\x0a\x04\x08\x03\x10\x04"
                "\x0a\x04\x08\x05\x10\x02\x22", "a pprof profile", "");
    assert_what("\x5a\x04\x08\x01\x10\x02\x60\x80\x04\x0a\x04\x08\x07\x10\x02\x70\x05",
                "a pprof profile", "");
    assert_what("\x5a\x04\x08\x01\x10\x02\x60\x01\x0a\x04\x08\x01\x10\x02\x22\x10",
                "a pprof profile", "");
    assert_what("\x5a\x04\x08\x01\x10\x02\x60\x01\x0a\x04\x08\x01\x10\x02\x12\x02",
                "a pprof profile", "");
    assert_what("\x5a\x04\x08\x01\x10\x02\x0a\x04\x08\x03\x10\x04\x48\xd6",
                "a pprof profile", "");
    // Cut in each place, and with another field behind.
    static const char cut[] = "\x48\xd6\x01\x5a\x04\x08\x01\x10\x02\x60\x80\x08\x0a\x04\x08\x03"
                              "\x10\x04\x7b";
    for (size_t n = 2; n < sizeof cut; n++)
        assert_null(foreign_of(cut, n).what);
}

// Up to Go 1.8, on machines of 64 and of 32 bits.
static void test_old_cpu_profile(void **state)
{
    (void)state;
    assert_what("\0\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x10", "a pprof profile", "");
    assert_what("\0\0\0\0\3\0\0\0\0\0\0\0\x10", "a pprof profile", "");
    assert_null(foreign_of("\0\0\0\0\3\0\0\0\0\0\0\0", 12).what);
}

static void test_text_profile(void **state)
{
    (void)state;
    assert_what("heap profile: 1: 8 [2: 16] @ heap/1024\n", "a pprof profile",
                "heap profile: 1: 8 [2: 16] @ heap/1024");
    assert_what("goroutine profile: total 9\n", "a pprof profile", "goroutine profile: total 9");
    assert_what("threadcreate profile: total 4\n", "a pprof profile",
                "threadcreate profile: total 4");
    assert_what("--- contention:\n", "a pprof profile", "--- contention:");
    assert_what("--- mutex:\n", "a pprof profile", "--- mutex:");
    assert_what("a heap profile: none\n", "text", "a heap profile: none");
}

static void test_text_shows_its_first_line(void **state)
{
    (void)state;
    assert_what("Could not enable tracing: tracing already enabled\n", "text",
                "Could not enable tracing: tracing already enabled");
    assert_what("\n \n  404 page not found\r\nsecond", "text", "404 page not found");
    assert_what("{\"error\":\"no\"}", "JSON", "{\"error\":\"no\"}");
    assert_what("\xef\xbb\xbf[ {\"a\": 1}]", "JSON", "[ {\"a\": 1}]");
    assert_what("[]", "JSON", "[]");
    assert_what("{not json", "text", "{not json");
    assert_what("[2026-11-21] INFO started", "text", "[2026-11-21] INFO started");
    assert_what("MZ and BZh are text", "text", "MZ and BZh are text");
    assert_what("<?xml version=\"1.0\"?>", "XML", "<?xml version=\"1.0\"?>");
    assert_what("gr\xc3\xbc\xc3\x9f dich", "text", "gr\xc3\xbc\xc3\x9f dich");
    assert_what(" \n", "text", "");
    assert_what("first\n\x1b[31m\xff", "text", "first");
    // The first line is not printable or no UTF-8, or a byte is zero.
    assert_null(foreign_of("esc\x1b[31m", 8).what);
    assert_null(foreign_of("abc\xff", 4).what);
    assert_null(foreign_of("abc\0", 4).what);
    assert_null(foreign_of("abc\ndef\0", 8).what);
}

static void test_html_shows_its_title(void **state)
{
    (void)state;
    assert_what("<!DOCTYPE html>\n<html><head><TITLE>502 Bad Gateway</title>", "an HTML page",
                "502 Bad Gateway");
    assert_what("<html><body>none", "an HTML page", "");
    assert_what("<!-- c -->\n<head><title>404\x1b</title>", "an HTML page", "404");
    assert_what("<a> is no page", "text", "<a> is no page");
}

// The head ends in the middle of a rune, and the words in front of one.
static void test_no_rune_is_shown_in_part(void **state)
{
    (void)state;
    unsigned char head[TP_FOREIGN_HEAD_BYTES];
    for (size_t shift = 0; shift < 2; shift++) {
        memset(head, 'a', sizeof head);
        for (size_t i = shift; i + 1 < sizeof head; i += 2)
            memcpy(head + i, "\xc3\xbc", 2);
        head[sizeof head - 1] = 0xc3;
        struct tp_foreign f = foreign_of(head, sizeof head);
        assert_string_equal(f.what, "text");
        assert_true(tp_utf8_is_valid(tp_span_of_text(f.words)));
        size_t words_bytes = strlen(f.words);
        assert_in_range(words_bytes, TP_FOREIGN_WORDS_BYTES - 2, TP_FOREIGN_WORDS_BYTES - 1);
        assert_string_equal(f.words + words_bytes - 3, "...");
    }
}

// The format says it as soon as the head is whole, and not before.
static void test_part_of_a_header_is_named(void **state)
{
    (void)state;
    static const char header[] = "go 1.26 trace\0\0";
    for (size_t n = 3; n < sizeof header; n++) {
        struct tp_format f;
        assert_int_equal(tp_format_detect(tp_span_of(header, n), true, &f), TP_FORMAT_KNOWN);
        assert_ptr_equal(f.decoder, &tp_decoder_none);
        assert_string_equal(f.foreign.what, "the beginning of a trace's header");
    }
}

static void test_format_waits_for_the_head(void **state)
{
    (void)state;
    unsigned char head[TP_FOREIGN_HEAD_BYTES];
    memset(head, 'x', sizeof head);
    struct tp_format f;
    for (size_t n = 0; n < sizeof head; n++) {
        assert_int_equal(tp_format_detect(tp_span_of(head, n), false, &f), TP_FORMAT_MORE);
        assert_int_equal(tp_format_detect(tp_span_of(head, n), true, &f), TP_FORMAT_KNOWN);
    }
    assert_int_equal(tp_format_detect(tp_span_of(head, sizeof head), false, &f), TP_FORMAT_KNOWN);
    struct tp_error err;
    assert_int_equal(tp_format_refuse(&f, &err), TP_E_NOT_TRACE);
    assert_memory_equal(err.text, "not a Go execution trace, but text: xxx", 39);
    assert_int_equal(tp_format_detect(tp_span_of("\0", 1), true, &f), TP_FORMAT_KNOWN);
    assert_int_equal(tp_format_refuse(&f, &err), TP_E_NOT_TRACE);
    assert_string_equal(err.text, "not a Go execution trace");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_magic_numbers),
        cmocka_unit_test(test_tar_has_its_magic_number_behind_a_name),
        cmocka_unit_test(test_pprof_profile),
        cmocka_unit_test(test_old_cpu_profile),
        cmocka_unit_test(test_text_profile),
        cmocka_unit_test(test_text_shows_its_first_line),
        cmocka_unit_test(test_html_shows_its_title),
        cmocka_unit_test(test_no_rune_is_shown_in_part),
        cmocka_unit_test(test_part_of_a_header_is_named),
        cmocka_unit_test(test_format_waits_for_the_head),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
