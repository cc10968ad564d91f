// JSON strings of any bytes, out of which the bytes can be had back.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/text/json.h"
#include "base/text/quote.h"

#define LITERAL_BYTES(n) (6 * (n) + 2)

static struct tp_buf out;

static int set_up(void **state)
{
    (void)state;
    return tp_buf_init(&out, TP_KIB(64)) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    tp_buf_fini(&out);
    return 0;
}

static void put(const void *bytes, size_t len_bytes)
{
    tp_buf_reset(&out);
    assert_true(tp_json_max_bytes(len_bytes) + 2 <= tp_buf_room(&out));
    unsigned char *end = tp_json_put(out.ptr + 1, tp_span_of(bytes, len_bytes));
    out.ptr[0] = *end = '"';
    out.len_bytes = (size_t)(end + 1 - out.ptr);
}

struct row {
    const char *bytes;
    size_t len_bytes;
    const char *want;
};
#define ROW(text, want) {text, sizeof(text) - 1, want}

static void test_strings_are_escaped(void **state)
{
    (void)state;
    static const struct row rows[] = {
        ROW("", "\"\""),
        ROW("plain /path 'x'", "\"plain /path 'x'\""),
        ROW("a\"b\\c", "\"a\\\"b\\\\c\""),
        ROW("\n\t\r\b\f", "\"\\n\\t\\u000d\\u0008\\u000c\""),
        ROW("\0\x01\x1f\x7f", "\"\\u0000\\u0001\\u001f\\u007f\""),
        ROW("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\""),
        ROW("\xef\xbf\xbd", "\"\xef\xbf\xbd\""),       // U+FFFD itself is no mistake
        ROW("\xff", "\"\\udcff\""),
        // C1 controls, and marks that turn the direction of text.
        ROW("a\xc2\x9b" "2J", "\"a\\u009b2J\""),
        ROW("\xe2\x80\xae" "exe", "\"\\u202eexe\""),
        ROW("\xe2\x81\xa6" "x\xe2\x81\xa9", "\"\\u2066x\\u2069\""),
        ROW("a\x80z", "\"a\\udc80z\""),
        ROW("\xc3", "\"\\udcc3\""),                    // cut short
        ROW("\xe2\x82", "\"\\udce2\\udc82\""),
        ROW("\xc0\xaf", "\"\\udcc0\\udcaf\""),         // longer than needed
        ROW("\xed\xa0\x80", "\"\\udced\\udca0\\udc80\""), // a surrogate
        ROW("\xf4\x90\x80\x80", "\"\\udcf4\\udc90\\udc80\\udc80\""), // above U+10FFFF
    };
    for (size_t i = 0; i < TP_ARRAY_LEN(rows); i++) {
        put(rows[i].bytes, rows[i].len_bytes);
        assert_int_equal(out.len_bytes, strlen(rows[i].want));
        assert_memory_equal(out.ptr, rows[i].want, out.len_bytes);
    }
}

// As json.NewEncoder with SetEscapeHTML(false) writes them.
static void test_strings_as_go_writes_them(void **state)
{
    (void)state;
    static const struct row rows[] = {
        ROW("", ""),
        ROW("plain /path 'x' <&>", "plain /path 'x' <&>"),
        ROW("a\"b\\c", "a\\\"b\\\\c"),
        ROW("\n\t\r\b\f", "\\n\\t\\r\\b\\f"),
        ROW("\0\x01\x1f\x7f", "\\u0000\\u0001\\u001f\x7f"),
        ROW("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80",
            "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"),
        ROW("\xe2\x80\xa8\xe2\x80\xa9", "\\u2028\\u2029"),
        ROW("\xe2\x80\xa7\xe2\x80\xaa\xe2\x81\xa8",
            "\xe2\x80\xa7\xe2\x80\xaa\xe2\x81\xa8"),
    };
    for (size_t i = 0; i < TP_ARRAY_LEN(rows); i++) {
        unsigned char got[256];
        assert_true(tp_json_max_bytes(rows[i].len_bytes) <= sizeof got);
        unsigned char *end = tp_json_put_go(got, tp_span_of(rows[i].bytes, rows[i].len_bytes));
        assert_int_equal(end - got, strlen(rows[i].want));
        assert_memory_equal(got, rows[i].want, strlen(rows[i].want));
    }
}

// Reads a literal as Python's json does, with lone surrogates back to bytes.
static size_t unescape(const unsigned char *p, const unsigned char *end, unsigned char *to)
{
    unsigned char *start = to;
    assert_int_equal(*p++, '"');
    assert_int_equal(*--end, '"');
    while (p < end) {
        // Nothing that JSON forbids between the quotes.
        assert_true(*p >= 0x20 && *p != '"');
        if (*p != '\\') {
            *to++ = *p++;
            continue;
        }
        p++;
        unsigned value = 0;
        switch (*p++) {
        case '"': *to++ = '"'; break;
        case '\\': *to++ = '\\'; break;
        case 'n': *to++ = '\n'; break;
        case 't': *to++ = '\t'; break;
        case 'u':
            assert_int_equal(sscanf((const char *)p, "%4x", &value), 1);
            p += 4;
            if (value < 0x80 || (value >= 0xdc80 && value <= 0xdcff)) {
                *to++ = (unsigned char)value;
                break;
            }
            assert_false(value >= 0xd800 && value < 0xe000);
            if (value >= 0x800)
                *to++ = (unsigned char)(0xe0 | value >> 12);
            *to++ = (unsigned char)(value >= 0x800 ? 0x80 | (value >> 6 & 0x3f) : 0xc0 | value >> 6);
            *to++ = (unsigned char)(0x80 | (value & 0x3f));
            break;
        default: fail();
        }
    }
    return (size_t)(to - start);
}

static void test_any_bytes_come_back(void **state)
{
    (void)state;
    uint64_t random = 12345;
    for (unsigned round = 0; round < 20000; round++) {
        unsigned char bytes[40], back[sizeof bytes * 4];
        size_t len_bytes = round % sizeof bytes;
        for (size_t i = 0; i < len_bytes; i++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            bytes[i] = (unsigned char)(random >> 56);
            if (round % 2 == 0)
                bytes[i] |= 0xc0; // more bytes that look like the beginning of a rune
        }
        put(bytes, len_bytes);
        assert_true(out.len_bytes <= LITERAL_BYTES(len_bytes));
        assert_int_equal(unescape(out.ptr, out.ptr + out.len_bytes, back), len_bytes);
        assert_memory_equal(back, bytes, len_bytes);
    }
}

static void test_literals_are_utf8_throughout(void **state)
{
    (void)state;
    unsigned char bytes[2];
    for (unsigned pair = 0; pair < 65536; pair++) {
        bytes[0] = (unsigned char)(pair >> 8);
        bytes[1] = (unsigned char)pair;
        put(bytes, sizeof bytes);
        struct tp_span rest = tp_span_of(out.ptr, out.len_bytes);
        while (rest.len_bytes > 0) {
            size_t n;
            uint32_t rune = tp_rune_decode(rest, &n);
            assert_false(rune == 0xfffd && n == 1);
            rest = tp_span_skip(rest, n);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_strings_are_escaped),
        cmocka_unit_test(test_strings_as_go_writes_them),
        cmocka_unit_test(test_any_bytes_come_back),
        cmocka_unit_test(test_literals_are_utf8_throughout),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
