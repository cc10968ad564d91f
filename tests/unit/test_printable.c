// Text of others in a form that a terminal can be given.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tracepipe/error.h"

static void expect(const char *text, const char *printable)
{
    char to[128];
    const char *end = tp_printable(to, sizeof to, text);
    assert_string_equal(to, printable);
    assert_ptr_equal(end, to + strlen(printable));
}

static void test_what_shows_stays(void **state)
{
    (void)state;
    expect("", "");
    expect("a \"b\" \\ 'c'~", "a \"b\" \\ 'c'~");
    expect("\xc3\xa4 \xe4\xb8\xad \xf0\x9f\x98\x80 \xef\xbf\xbd", "\xc3\xa4 \xe4\xb8\xad \xf0\x9f\x98\x80 \xef\xbf\xbd");
}

static void test_controls_are_escaped(void **state)
{
    (void)state;
    for (unsigned byte = 1; byte < 0x20; byte++) {
        char text[2] = {(char)byte}, escape[8];
        snprintf(escape, sizeof escape, "\\x%02x", byte);
        expect(text, escape);
    }
    expect("\x7f", "\\x7f");
    for (unsigned rune = 0x80; rune < 0xa0; rune++) {
        char text[3] = {(char)0xc2, (char)rune}, escape[8];
        snprintf(escape, sizeof escape, "\\u%04x", rune);
        expect(text, escape);
    }
}

// Separators of lines, marks that turn text around, what has no width.
static void test_marks_are_escaped(void **state)
{
    static const unsigned runes[] = {0x61c,  0x200b, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a,
                                     0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068,
                                     0x2069, 0xfeff};
    (void)state;
    for (size_t i = 0; i < sizeof runes / sizeof runes[0]; i++) {
        unsigned rune = runes[i];
        char text[4] = {(char)(0xe0 | rune >> 12), (char)(0x80 | (rune >> 6 & 0x3f)),
                        (char)(0x80 | (rune & 0x3f))};
        char escape[8];
        if (rune < 0x800)
            memcpy(text, (char[4]){(char)(0xc0 | rune >> 6), (char)(0x80 | (rune & 0x3f))}, 4);
        snprintf(escape, sizeof escape, "\\u%04x", rune);
        expect(text, escape);
    }
    expect("\xf3\xa0\x80\x81", "\\U000e0001");
}

static void test_bytes_that_are_no_utf8_are_escaped(void **state)
{
    (void)state;
    expect("\xff", "\\xff");
    expect("a\x9b" "31m", "a\\x9b31m");
    expect("\xc2", "\\xc2");
    expect("\xe2\x80", "\\xe2\\x80");
    expect("\xc0\x9b", "\\xc0\\x9b");         // longer than it need be
    expect("\xed\xa0\x80", "\\xed\\xa0\\x80"); // a surrogate
    expect("\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80");
}

// Whatever the room, what is there is the beginning of it, with no half of an escape.
static void test_what_does_not_fit_is_left_out(void **state)
{
    static const char text[] = "a\xc2\x9b" "b\xff\xc3\xa4";
    static const size_t ends[] = {0, 1, 7, 8, 12, 14};
    (void)state;
    for (size_t room = 1; room <= 16; room++) {
        char to[17];
        memset(to, '!', sizeof to);
        const char *end = tp_printable(to, room, text);
        size_t len_bytes = (size_t)(end - to), wanted = 0;
        for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
            wanted = ends[i] < room ? ends[i] : wanted;
        assert_int_equal(len_bytes, wanted);
        assert_int_equal(*end, '\0');
        assert_memory_equal(to, "a\\u009bb\\xff\xc3\xa4", len_bytes);
        assert_int_equal(to[room], '!');
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_shows_stays),
        cmocka_unit_test(test_controls_are_escaped),
        cmocka_unit_test(test_marks_are_escaped),
        cmocka_unit_test(test_bytes_that_are_no_utf8_are_escaped),
        cmocka_unit_test(test_what_does_not_fit_is_left_out),
    };
    return cmocka_run_group_tests_name("printable", tests, NULL, NULL);
}
