#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "base/text/quote.h"

// A literal that may hold NUL bytes, as a span.
#define BYTES(literal) {(const unsigned char *)(literal), sizeof(literal) - 1}

static void assert_span_equal(struct tp_span got, struct tp_span want)
{
    assert_int_equal(got.len_bytes, want.len_bytes);
    assert_memory_equal(got.ptr, want.ptr, want.len_bytes);
}

static void test_runes_have_the_classes_of_go_1_26(void **state)
{
    (void)state;
    // Digest over bit 0 = printable, bit 1 = space of every number up to one
    // past the last rune, and how many there are of each, recorded from Go.
    uint64_t digest = 14695981039346656037u;
    int print_count = 0;
    int space_count = 0;
    for (uint32_t rune = 0; rune <= 0x110000; rune++) {
        bool print = tp_rune_is_print(rune);
        bool space = tp_rune_is_space(rune);
        print_count += print;
        space_count += space;
        digest = (digest ^ (uint64_t)(print | space << 1)) * 1099511628211u;
    }
    assert_int_equal(print_count, 148998);
    assert_int_equal(space_count, 25);
    assert_int_equal(digest, 0x580368051db41eed);
}

static const struct {
    struct tp_span bytes, quoted;
} quotings[] = {
    {BYTES(""), BYTES("\"\"")},
    {BYTES("plain text"), BYTES("\"plain text\"")},
    {BYTES("\"\\'`"), BYTES("\"\\\"\\\\'`\"")},
    {BYTES("\a\b\f\n\r\t\v"), BYTES("\"\\a\\b\\f\\n\\r\\t\\v\"")},
    {BYTES("\0\x1b\x7f"), BYTES("\"\\x00\\x1b\\x7f\"")},
    {BYTES("\xff\x80"), BYTES("\"\\xff\\x80\"")},
    {BYTES("caf\xc3\xa9 \xe4\xb8\x96"), BYTES("\"caf\xc3\xa9 \xe4\xb8\x96\"")},
    {BYTES("\xc2\xa0"), BYTES("\"\\u00a0\"")},          // space, but not ' '
    {BYTES("\xc2\xad"), BYTES("\"\\u00ad\"")},          // soft hyphen
    {BYTES("\xef\xbb\xbf"), BYTES("\"\\ufeff\"")},      // byte order mark
    {BYTES("\xef\xbf\xbd"), BYTES("\"\xef\xbf\xbd\"")}, // a true U+FFFD
    {BYTES("\xf0\x9f\x98\x80"), BYTES("\"\xf0\x9f\x98\x80\"")},
    {BYTES("\xf3\xa0\x80\x81"), BYTES("\"\\U000e0001\"")},
    {BYTES("\xed\xa0\x80"), BYTES("\"\\xed\\xa0\\x80\"")}, // surrogate
    {BYTES("\xc0\x80"), BYTES("\"\\xc0\\x80\"")},          // too long for NUL
    {BYTES("\xe4\xb8"), BYTES("\"\\xe4\\xb8\"")},          // cut
};

static void test_bytes_are_quoted_as_go_does(void **state)
{
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(quotings); i++) {
        unsigned char got[128];
        unsigned char *end = tp_quote(got, quotings[i].bytes);
        assert_span_equal(tp_span_of(got, (size_t)(end - got)), quotings[i].quoted);
    }
}

static void test_what_was_quoted_is_unquoted(void **state)
{
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(quotings); i++) {
        unsigned char got[128];
        size_t got_bytes;
        assert_true(tp_unquote(quotings[i].quoted, got, &got_bytes));
        assert_span_equal(tp_span_of(got, got_bytes), quotings[i].bytes);
    }
}

static void test_quoting_stays_within_its_bound(void **state)
{
    (void)state;
    unsigned char bytes[64];
    memset(bytes, 0xff, sizeof bytes);
    unsigned char *room = malloc(tp_quote_max_bytes(sizeof bytes));
    assert_non_null(room);
    unsigned char *end = tp_quote(room, tp_span_of(bytes, sizeof bytes));
    assert_int_equal(end - room, tp_quote_max_bytes(sizeof bytes));
    free(room);
}

static const struct {
    struct tp_span literal, bytes;
} literals[] = {
    {BYTES("\"\\x41\\101\\u0041\\U00000041\""), BYTES("AAAA")},
    {BYTES("\"\\xff\\377\""), BYTES("\xff\xff")}, // bytes, not runes
    {BYTES("\"\\u00ff\""), BYTES("\xc3\xbf")},
    {BYTES("\"it's `\""), BYTES("it's `")},
    {BYTES("\"\xff\""), BYTES("\xef\xbf\xbd")}, // grows
    {BYTES("\"\xff\xfe\\n\""), BYTES("\xef\xbf\xbd\xef\xbf\xbd\n")},
    {BYTES("\"a\rb\""), BYTES("a\rb")},
    {BYTES("\"a\0b\""), BYTES("a\0b")},
    {BYTES("``"), BYTES("")},
    {BYTES("`\\n\"\n\xff`"), BYTES("\\n\"\n\xff")},
    {BYTES("`a\rb\r\r`"), BYTES("ab")},
    {BYTES("'x'"), BYTES("x")},
    {BYTES("'\"'"), BYTES("\"")},
    {BYTES("'\\''"), BYTES("'")},
    {BYTES("'\xe4\xb8\x96'"), BYTES("\xe4\xb8\x96")},
    {BYTES("'\xff'"), BYTES("\xef\xbf\xbd")},
    {BYTES("''"), BYTES("")}, // Go takes it
};

static void test_every_form_of_literal_is_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(literals); i++) {
        unsigned char got[64];
        size_t got_bytes;
        size_t need_bytes;
        assert_true(tp_unquote(literals[i].literal, NULL, &need_bytes));
        assert_true(tp_unquote(literals[i].literal, got, &got_bytes));
        assert_int_equal(need_bytes, got_bytes);
        assert_span_equal(tp_span_of(got, got_bytes), literals[i].bytes);
    }
}

static const struct tp_span bad_literals[] = {
    BYTES(""),
    BYTES("\""),
    BYTES("abc"),
    BYTES("\"abc"),
    BYTES("\"abc'"),
    BYTES("\"abc\"x"),
    BYTES("\"abc\" "),
    BYTES("\"a\nb\""),
    BYTES("\"\\\""),
    BYTES("\"\\'\""),      // only the quote in use may be escaped
    BYTES("\"\\q\""),
    BYTES("\"\\x4\""),
    BYTES("\"\\x4g\""),
    BYTES("\"\\u12\""),
    BYTES("\"\\ud800\""),
    BYTES("\"\\U00110000\""),
    BYTES("\"\\Uffffffff\""),
    BYTES("\"\\400\""),
    BYTES("\"\\08\""),
    BYTES("\"\\12\""),
    BYTES("`a`b`"),
    BYTES("`a"),
    BYTES("'ab'"),
    BYTES("'\\\"'"),
    BYTES("'\n'"),
    BYTES("'''"),
    BYTES("'a"),
    BYTES("'\xe4\xb8'"),
};

static void test_bad_literals_are_rejected(void **state)
{
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(bad_literals); i++) {
        unsigned char got[64];
        size_t got_bytes = 77;
        assert_false(tp_unquote(bad_literals[i], got, &got_bytes));
        assert_int_equal(got_bytes, 77);
    }
}

static const struct {
    struct tp_span bytes;
    uint32_t rune;
    size_t len_bytes;
} decodings[] = {
    {BYTES("A"), 'A', 1},
    {BYTES("\x7f\x80"), 0x7f, 1},
    {BYTES("\xc2\x80"), 0x80, 2},
    {BYTES("\xdf\xbf"), 0x7ff, 2},
    {BYTES("\xe0\xa0\x80"), 0x800, 3},
    {BYTES("\xed\x9f\xbf"), 0xd7ff, 3},
    {BYTES("\xee\x80\x80"), 0xe000, 3},
    {BYTES("\xef\xbf\xbf"), 0xffff, 3},
    {BYTES("\xf0\x90\x80\x80"), 0x10000, 4},
    {BYTES("\xf4\x8f\xbf\xbf"), 0x10ffff, 4},
    {BYTES("\x80"), 0xfffd, 1},
    {BYTES("\xc1\xbf"), 0xfffd, 1},
    {BYTES("\xc2"), 0xfffd, 1},
    {BYTES("\xc2\x41"), 0xfffd, 1},
    {BYTES("\xe0\x9f\xbf"), 0xfffd, 1},
    {BYTES("\xed\xa0\x80"), 0xfffd, 1},
    {BYTES("\xe4\xb8"), 0xfffd, 1},
    {BYTES("\xf0\x8f\xbf\xbf"), 0xfffd, 1},
    {BYTES("\xf4\x90\x80\x80"), 0xfffd, 1},
    {BYTES("\xf0\x90\x80"), 0xfffd, 1},
    {BYTES("\xf5\x80\x80\x80"), 0xfffd, 1},
};

static void test_only_shortest_utf8_is_decoded(void **state)
{
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(decodings); i++) {
        size_t len_bytes;
        assert_int_equal(tp_rune_decode(decodings[i].bytes, &len_bytes), decodings[i].rune);
        assert_int_equal(len_bytes, decodings[i].len_bytes);
    }
}

static void test_utf8_is_told(void **state)
{
    static const struct {
        const char *bytes;
        size_t len_bytes;
        bool is_valid;
    } rows[] = {
        {"", 0, true},
        {"a\0b\x7f", 4, true},
        {"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", 9, true},
        {"\xef\xbf\xbd", 3, true}, // U+FFFD itself
        {"a\xff", 2, false},
        {"\xc3", 1, false},
        {"\xc0\xaf", 2, false},
        {"\xed\xa0\x80", 3, false},
        {"\xf4\x90\x80\x80", 4, false},
    };
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(rows); i++)
        assert_int_equal(tp_utf8_is_valid(tp_span_of(rows[i].bytes, rows[i].len_bytes)),
                         rows[i].is_valid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_runes_have_the_classes_of_go_1_26),
        cmocka_unit_test(test_bytes_are_quoted_as_go_does),
        cmocka_unit_test(test_what_was_quoted_is_unquoted),
        cmocka_unit_test(test_quoting_stays_within_its_bound),
        cmocka_unit_test(test_every_form_of_literal_is_read),
        cmocka_unit_test(test_bad_literals_are_rejected),
        cmocka_unit_test(test_only_shortest_utf8_is_decoded),
        cmocka_unit_test(test_utf8_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
