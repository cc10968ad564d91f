// Tables in the width that there is: names give way first, then columns by rank, and figures never.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "out_capture.h"
#include "sink/print/table.h"

static const struct tp_column columns[] = {TP_FIGURES("total"), TP_RANKED("low", 2),
                                           TP_RANKED("high", 1), {"bar", 4, 2, true}};
static const struct tp_table named = TP_TABLE_OF_NAMES(columns, "text", 8);

// Begins to print for so many columns; 0: any.
static void begin(struct capture *c, struct tp_emit *e, unsigned width)
{
    static struct tp_error err;
    *c = (struct capture){.out = {capture_write}};
    tp_emit_init(e, &c->out, &err);
    e->columns = width;
}

static void test_what_gives_way(void **state)
{
    (void)state;
    // The whole table takes 2 + 44 + 3 * 10 + 5 + 2 + 8 columns.
    static const struct {
        unsigned width, names, shown; // bit i: column i
    } cases[] = {
        {0, 44, 15}, {91, 44, 15}, {200, 44, 15}, {90, 43, 15}, {79, 32, 15},
        // Without the bar, of two columns of one rank the last, names have its columns.
        {78, 36, 7}, {74, 32, 7}, {73, 41, 5}, {64, 32, 5}, {63, 41, 1}, {54, 32, 1},
        {53, 31, 1}, {40, 18, 1}, {34, 12, 1}, {20, 12, 1},
    };
    for (size_t i = 0; i < TP_ARRAY_LEN(cases); i++) {
        struct capture c;
        struct tp_emit e;
        unsigned shown = 0;
        begin(&c, &e, cases[i].width);
        for (unsigned k = 0; k < TP_ARRAY_LEN(columns); k++)
            shown |= (unsigned)tp_table_shows(&e, &named, k) << k;
        assert_int_equal(tp_table_name_columns(&e, &named), cases[i].names);
        assert_int_equal(shown, cases[i].shown);
        tp_table_heads(&e, &named);
        assert_true(e.leaves_out == (cases[i].shown != 15));
    }
}

static void test_rows(void **state)
{
    (void)state;
    const struct tp_human cells[] = {tp_human_count(1), tp_human_count(2), tp_human_count(3),
                                     tp_human_printf("##")};
    struct capture c;
    struct tp_emit e;
    begin(&c, &e, 54);
    e.has_colour = true;
    tp_table_begin(&e, &named, "a title");
    tp_table_row(&e, &named, tp_span_of_text("0123456789012345678901234567890123456789"), "", cells);
    tp_table_last(&e, &named, named.count, tp_span_of_text("abcdefghijklm"));
    // A row with fewer figures has more room for its text.
    tp_table_name(&e, &named, tp_span_of_text(""), "(none)");
    tp_table_last(&e, &named, 0, tp_span_of_text("abcdefghijklmnopqrst"));
    tp_table_begin(&e, &named, "a title that is longer than names are");
    assert_int_equal(tp_emit_end(&e), 0);
    assert_string_equal(c.text,
                        "\n\033[1ma title                           \033[0m     total  text\n"
                        "  ...12345678901234567890123456789         1  a...jklm\n"
                        "  (none)                            abcde...klmnopqrst\n"
                        "\n\033[1ma title that is longer than names are\033[0m\n"
                        "                                       total  text\n");
    begin(&c, &e, 100);
    e.has_colour = true;
    tp_table_cells(&e, &named, cells, 4);
    assert_int_equal(tp_emit_end(&e), 0);
    assert_string_equal(c.text, "         1         2         3 \033[35m  ##\033[0m");
}

// Names that are known to be short leave room for figures, but not less than twelve columns.
static void test_short_names(void **state)
{
    (void)state;
    struct tp_table t = named;
    struct capture c;
    struct tp_emit e;
    begin(&c, &e, 0);
    tp_table_expect_name(&t, tp_span_of_text(""), "(none)");
    tp_table_expect_name(&t, tp_span_of_text("main.worker1234"), "");
    tp_table_expect_name(&t, tp_span_of_text("main"), "");
    assert_int_equal(t.longest_name, 15);
    unsigned columns_of_all = 0;
    for (e.columns = 200; tp_table_shows(&e, &named, 2); e.columns--)
        columns_of_all = e.columns;
    for (e.columns = columns_of_all; tp_table_shows(&e, &t, 2); e.columns--)
        ;
    assert_int_equal(columns_of_all - (e.columns + 1), TP_NAME_COLUMNS_LEAST - 15);
    t.longest_name = 1;
    e.columns = columns_of_all - (TP_NAME_COLUMNS_LEAST - 12);
    assert_true(tp_table_shows(&e, &t, 2));
    e.columns--;
    assert_false(tp_table_shows(&e, &t, 2));
    assert_int_equal(tp_emit_end(&e), 0);
}

// Without names the room before the figures is fixed.
static void test_a_table_without_names(void **state)
{
    (void)state;
    static const struct tp_table plain = {
        .columns = columns, .count = 2, .title_columns = 10, .indent_columns = 1, .gap_columns = 1};
    struct capture c;
    struct tp_emit e;
    begin(&c, &e, 30);
    assert_true(tp_table_shows(&e, &plain, 1));
    e.columns = 29;
    assert_false(tp_table_shows(&e, &plain, 1));
    tp_table_begin(&e, &plain, "title");
    assert_int_equal(tp_emit_end(&e), 0);
    assert_string_equal(c.text, "\ntitle          total\n");
}

static void test_lines_of_titles(void **state)
{
    (void)state;
    // Names of 32 columns, and of 12, behind an indent of 2.
    assert_int_equal(tp_table_begin_lines(&named, "a title of 34 columns, which fits..", 79), 3);
    assert_int_equal(tp_table_begin_lines(&named, "a title of 34 columns, which fits.", 79), 2);
    assert_int_equal(tp_table_begin_lines(&named, "a title of 34 columns, which fits.", 34), 3);
    assert_int_equal(tp_table_begin_lines(&named, "14 columns....", 34), 2);
}

static void test_bars(void **state)
{
    (void)state;
    struct capture c;
    struct tp_emit e;
    begin(&c, &e, 80);
    tp_cell_bar(&e, 1, 2, 10);
    tp_emit_text(&e, "|");
    tp_cell_bar(&e, 3, 2, 4);
    tp_emit_text(&e, "|");
    tp_cell_bar(&e, 0, 0, 4);
    tp_cell_bar(&e, 1, 2, 0); // a screen that is too narrow for a bar
    assert_int_equal(tp_emit_end(&e), 0);
    assert_string_equal(c.text, "#####|####|");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_gives_way),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_short_names),
        cmocka_unit_test(test_a_table_without_names),
        cmocka_unit_test(test_lines_of_titles),
        cmocka_unit_test(test_bars),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
