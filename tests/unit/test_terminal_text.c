// Text on its way to a terminal: what is escaped, and that pieces do not show.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/text/terminal_text.h"

static char shown[4096];

// Escapes the text in parts of `part_bytes`.
static const char *escape(const char *text, size_t part_bytes)
{
    struct tp_terminal_text t = {.begun_bytes = 0};
    size_t n = 0;
    for (struct tp_span rest = tp_span_of_text(text); rest.len_bytes > 0;) {
        struct tp_span part =
            tp_span_of(rest.ptr, part_bytes < rest.len_bytes ? part_bytes : rest.len_bytes);
        rest = tp_span_skip(rest, part.len_bytes);
        while (part.len_bytes > 0) {
            assert_true(n + TP_TERMINAL_PIECE_BYTES < sizeof shown);
            n += tp_terminal_text_piece(&t, &part, (unsigned char *)shown + n);
        }
    }
    n += tp_terminal_text_end(&t, (unsigned char *)shown + n);
    shown[n] = '\0';
    return shown;
}

static void test_what_is_escaped(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *want;
    } cases[] = {
        {"a b\tc\nd", "a b\tc\nd"},
        {"\x1b[31mred\r\x7f", "\\x1b[31mred\\x0d\\x7f"},
        {"\xe4\xb8\x96\xe7\x95\x8c \xf0\x9f\x98\x80 \xc3\xa9", "\xe4\xb8\x96\xe7\x95\x8c \xf0\x9f\x98\x80 \xc3\xa9"},
        {"\xc2\x9b" "31m", "\\u009b31m"},
        {"left\xe2\x80\xae" "right", "left\\u202eright"},
        // No UTF-8: a lone byte, a rune that breaks off, a rune in too many bytes, a surrogate.
        {"\x9b" "31m", "\\x9b31m"},
        {"\xe4\xb8" "ab", "\\xe4\\xb8ab"},
        {"\xe4\xb8", "\\xe4\\xb8"},
        {"\xc0\xaf", "\\xc0\\xaf"},
        {"\xed\xa0\x80", "\\xed\\xa0\\x80"},
        {"\xf0\x9f\xc3\xa9", "\\xf0\\x9f\xc3\xa9"},
        {"\xf0\x9f\x98\n", "\\xf0\\x9f\\x98\n"},
    };
    for (size_t i = 0; i < TP_ARRAY_LEN(cases); i++) {
        for (size_t part_bytes = 1; part_bytes <= 16; part_bytes++)
            assert_string_equal(escape(cases[i].text, part_bytes), cases[i].want);
    }
}

static void test_long_text_comes_in_pieces(void **state)
{
    (void)state;
    char text[401] = "", want[1601] = "";
    for (size_t i = 0; i < 400; i++) {
        text[i] = '\x1b';
        memcpy(want + 4 * i, "\\x1b", 5);
    }
    assert_string_equal(escape(text, sizeof text), want);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_escaped),
        cmocka_unit_test(test_long_text_comes_in_pieces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
