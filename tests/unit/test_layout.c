// How the lines of a screen are divided, and how names are shortened to columns.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "sink/print/layout.h"
#include "sink/print/shorten.h"

static unsigned lines_of(const struct tp_layout_part *p, unsigned rows)
{
    return rows > 0 ? p->head + rows * p->row_lines + (p->has_more && rows < p->count) : 0;
}

static void test_parts_in_order(void **state)
{
    (void)state;
    const struct tp_layout_part parts[] = {{0, 2, 9, 1, 4, 4, true},
                                           {2, 1, 20, 2, 4, 12, false},
                                           {2, 1, 8, 5, 0, 10, false}};
    static const struct {
        unsigned lines, rows[3];
    } cases[] = {
        {0, {0, 0, 0}},  {2, {0, 0, 0}},  {3, {1, 0, 0}},   {9, {4, 0, 0}},   {11, {4, 0, 0}},
        {12, {4, 0, 0}}, {13, {4, 2, 0}}, {15, {4, 4, 0}},  {23, {4, 12, 0}}, {29, {4, 12, 0}},
        {30, {4, 12, 5}}, {33, {4, 12, 8}}, {99, {4, 12, 8}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        unsigned rows[3];
        tp_layout(cases[i].lines, parts, 3, rows);
        assert_memory_equal(rows, cases[i].rows, sizeof rows);
    }
}

// Whatever the parts are, they do not pass the end of the screen.
static void test_never_too_long(void **state)
{
    (void)state;
    uint32_t random = 1;
    for (unsigned n = 0; n < 20000; n++) {
        struct tp_layout_part parts[3];
        unsigned rows[3], lines = 0;
        for (unsigned i = 0; i < 3; i++) {
            random = random * 1664525 + 1013904223;
            unsigned least = random >> 28;
            parts[i] = (struct tp_layout_part){random >> 8 & 3,  1 + (random >> 10 & 1),
                                               random >> 11 & 15, random >> 15 & 3,
                                               least,             least + (random >> 17 & 7),
                                               (random >> 20 & 1) != 0};
        }
        tp_layout(n % 41, parts, 3, rows);
        for (unsigned i = 0; i < 3; i++) {
            assert_true(rows[i] <= parts[i].count && rows[i] <= parts[i].most);
            lines += lines_of(&parts[i], rows[i]);
        }
        assert_true(lines <= n % 41);
    }
}

static void check_short(struct tp_short s, const char *expected)
{
    char text[128];
    snprintf(text, sizeof text, "%.*s%s%.*s", (int)s.head.len_bytes, (const char *)s.head.ptr,
             s.tail.len_bytes > 0 ? "..." : "", (int)s.tail.len_bytes, (const char *)s.tail.ptr);
    assert_string_equal(text, expected);
}

static void test_functions(void **state)
{
    (void)state;
    static const char name[] = "example.org/shop/internal/quotes.(*reader[a/b.T]).apply";
    struct tp_span span = tp_span_of_text(name);
    check_short(tp_shorten_function(span, 55), name);
    check_short(tp_shorten_function(span, 54), ".../quotes.(*reader[a/b.T]).apply");
    check_short(tp_shorten_function(span, 33), ".../quotes.(*reader[a/b.T]).apply");
    check_short(tp_shorten_function(span, 32), "...quotes.(*reader[a/b.T]).apply");
    check_short(tp_shorten_function(span, 12), "...T]).apply");
    check_short(tp_shorten_function(span, 0), "...apply");
    check_short(tp_shorten_function(tp_span_of_text("main.f"), 6), "main.f");
    check_short(tp_shorten_function(tp_span_of_text("main.\xc3\xa4\xc3\xb6\xc3\xbcxyz_0"), 8),
                "...xyz_0");
}

static void test_paths(void **state)
{
    (void)state;
    struct tp_span span = tp_span_of_text("fleet/2026-11-21/host-012/trace.out");
    check_short(tp_shorten_path(span, 35), "fleet/2026-11-21/host-012/trace.out");
    check_short(tp_shorten_path(span, 34), "fleet/2026...21/host-012/trace.out");
    check_short(tp_shorten_path(span, 20), "fleet...12/trace.out");
    assert_int_equal(tp_shorten_path(span, 20).columns, 20);
    check_short(tp_shorten_path(span, 1), "f....out");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts_in_order),
        cmocka_unit_test(test_never_too_long),
        cmocka_unit_test(test_functions),
        cmocka_unit_test(test_paths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
