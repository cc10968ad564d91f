// Paragraphs in lines that are no wider than they may be: nothing is cut, and nothing that a terminal
// would act on gets there.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "out_capture.h"
#include "sink/print/wrap.h"

static void test_lines(void **state)
{
    (void)state;
    static const struct {
        unsigned columns, before, indent;
        const char *label, *text, *shown;
    } cases[] = {
        {20, 0, 3, "1.", "one two three four", "1. one two three\n   four\n"},
        // A line may be full, and spaces are where words are parted.
        {16, 0, 3, "1.", "one two three  four ", "1. one two three\n   four\n"},
        {20, 3, 8, "as", "x", "   as   x\n"},
        // A label that is longer than its room.
        {20, 3, 8, "label", "x y", "   label x y\n"},
        {12, 3, 5, "label", "xyz", "   label xyz\n"},
        // A longer word begins a line, and goes on in the next ones.
        {10, 0, 2, "", "ab abcdefghijklmnopqrstuv x", "  ab\n  abcdefgh\n  ijklmnop\n  qrstuv x\n"},
        // Lines that have no room for a single column.
        {3, 2, 4, "ab", "cd", "  ab \n    c\n    d\n"},
        {20, 0, 2, "", "h\xc3\xa9h\xc3\xa9 \x1b[2J \xff", "  h\xc3\xa9h\xc3\xa9 ?[2J ?\n"},
        {20, 0, 2, "", "", "  \n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct capture c = {.out = {capture_write}};
        struct tp_error err;
        struct tp_emit e;
        tp_emit_init(&e, &c.out, &err);
        struct tp_wrap w = tp_wrap_begin(&e, cases[i].columns, cases[i].before, cases[i].label,
                                         cases[i].indent);
        tp_wrap_text(&w, tp_span_of_text(cases[i].text));
        tp_wrap_end(&w);
        assert_int_equal(tp_emit_end(&e), 0);
        assert_string_equal(c.text, cases[i].shown);
    }
}

static void test_words_with_spaces_and_lines(void **state)
{
    (void)state;
    struct capture c = {.out = {capture_write}};
    struct tp_error err;
    struct tp_emit e;
    tp_emit_init(&e, &c.out, &err);
    struct tp_wrap w = tp_wrap_begin(&e, 12, 0, "", 1);
    tp_wrap_line(&w);
    tp_wrap_word(&w, tp_span_of_text("a b"));
    tp_wrap_word(&w, tp_span_of_text("cd ef gh"));
    tp_wrap_line(&w);
    tp_wrap_printf(&w, "%d of %d", 1, 2);
    tp_wrap_joined(&w, tp_span_of_text("x.go"), tp_span_of_text(":7"));
    tp_wrap_end(&w);
    assert_int_equal(tp_emit_end(&e), 0);
    assert_string_equal(c.text, " a b\n cd ef gh\n 1 of 2\n x.go:7\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_words_with_spaces_and_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
