// States of other versions: what was written once is read for ever, what is to come is refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "state_lab.h"
#include "stats/state/section.h"

#define BYTES(text) text, sizeof(text) - 1
// Two refused inputs: totals, names, and who they are (path, code, words).
static const struct state_section refused[] = {
    {1, BYTES("\0\0\2\0\0\0\0\0")},
    {2, BYTES("\1a\1b\1c")},
    {12, BYTES("\0\xc\1" "\2\xa\0")},
};
// What version 1 knows of them.
static const struct state_section counted[] = {
    {1, BYTES("\0\0\2\0\0\0\0\0")},
};

static void expect_refused(unsigned char version, const char *want)
{
    struct state_bytes b = state_of_version(version, refused, TP_ARRAY_LEN(refused));
    struct tp_totals s;
    struct tp_error err = {0};
    assert_int_equal(tp_totals_read(tp_span_of(b.ptr, b.len_bytes), &s, &err), TP_E_STATE);
    if (strstr(err.text, want) == NULL)
        fail_msg("version %d: \"%s\", not \"%s\"", version, err.text, want);
    tp_free(b.ptr);
}

static struct tp_totals read_version(unsigned char version, const struct state_section *sections,
                                     size_t count)
{
    struct state_bytes b = state_of_version(version, sections, count);
    struct tp_totals s;
    struct tp_error err;
    if (tp_totals_read(tp_span_of(b.ptr, b.len_bytes), &s, &err) != 0)
        fail_msg("version %d: %s", version, err.text);
    tp_free(b.ptr);
    return s;
}

static void test_versions_that_are_not_known(void **state)
{
    (void)state;
    expect_refused(0, "version 0: only versions 1 to 5 are known");
    expect_refused(TP_STATE_VERSION + 1, "version 6: only versions 1 to 5 are known");
    expect_refused(UINT8_MAX, "version 255: only versions 1 to 5 are known");
}

static void test_an_old_version_has_no_new_sections(void **state)
{
    (void)state;
    expect_refused(1, "a section that this version does not know");
}

// Who read versions 1 and 2 did not know when a trace was taken.
static void test_when_traces_were_taken_is_new_in_version_3(void **state)
{
    static const struct state_section taken[] = {
        {1, BYTES("\2\0\0\0\0\0\0\0")},
        {15, BYTES("\1" "\1\5" "\2\6")},
    };
    struct tp_error err = {0};
    struct tp_totals s;
    (void)state;
    struct state_bytes b = state_of_version(2, taken, TP_ARRAY_LEN(taken));
    assert_int_equal(tp_totals_read(tp_span_of(b.ptr, b.len_bytes), &s, &err), TP_E_STATE);
    tp_free(b.ptr);
    s = read_version(3, taken, TP_ARRAY_LEN(taken));
    assert_true(s.taken.file_count == 1 && s.taken.first.sec == 1 && s.taken.last.nsec == 6);
    tp_totals_fini(&s);
    // The other sections are those of version 2.
    struct tp_totals old = read_version(2, refused, TP_ARRAY_LEN(refused));
    struct state_bytes got = state_of(&old);
    struct state_bytes want = state_of_version(TP_STATE_VERSION, refused, TP_ARRAY_LEN(refused));
    assert_true(old.taken.file_count == 0 && state_is_same(&got, &want));
    tp_totals_fini(&old);
    tp_free(got.ptr);
    tp_free(want.ptr);
}

// Rows of files and findings of version 3; rows of version 4 end with whether the file is damaged.
// The figures are all 2, but for the lost bytes.
#define ZEROS_5 "\0\0\0\0\0"
#define FIGURES_21 "\2\2\2\2\2\2\2\2\2\2\2\2\2\2\2\2\2\2\2\2\2"
#define FILE_ROW(path, lost) path "\2" lost FIGURES_21 "\0" ZEROS_5 ZEROS_5 ZEROS_5
#define FOUND(path, value) path "\1\0" value "\4\5\6\7" "\3\0\0" "\0\0\0" "\0\0\0"

static void expect_row(const struct tp_totals *s, uint32_t idx, bool is_damaged)
{
    assert_int_equal(s->files.items[idx].is_damaged, is_damaged);
}

static void expect_found(const struct tp_totals *s, uint32_t idx, bool is_first, bool is_damaged)
{
    assert_int_equal(s->found.items[idx].is_first, is_first);
    assert_int_equal(s->found.items[idx].is_damaged, is_damaged);
}

// Version 3 did not know which files are damaged, nor which findings are of one file.
static void test_damage_of_files_is_new_in_version_4(void **state)
{
    static const struct state_section few[] = {
        {1, BYTES("\3\1\0\x9\x9\1\0\0")},
        {2, BYTES("\1a\1b\1c")},
        {8, BYTES(FILE_ROW("\0", "\0") FILE_ROW("\0", "\1") FILE_ROW("\1", "\0"))},
        {17, BYTES(FOUND("\0", "\1") FOUND("\0", "\2") FOUND("\1", "\1"))},
    };
    (void)state;
    struct tp_totals s = read_version(3, few, TP_ARRAY_LEN(few));
    // The file that has lost bytes, and, because they have its path, both findings of a. Findings of
    // one path count as one file, for which the greatest value stands.
    expect_row(&s, 0, false);
    expect_row(&s, 1, true);
    expect_row(&s, 2, false);
    expect_found(&s, 0, false, true);
    expect_found(&s, 1, true, true);
    expect_found(&s, 2, true, false);
    tp_totals_fini(&s);
    // All are damaged, if as many are as there are files.
    struct state_section all[TP_ARRAY_LEN(few)];
    memcpy(all, few, sizeof all);
    all[0] = (struct state_section){1, BYTES("\3\3\0\x9\x9\1\0\0")};
    s = read_version(3, all, TP_ARRAY_LEN(all));
    expect_row(&s, 0, true);
    expect_row(&s, 2, true);
    expect_found(&s, 2, true, true);
    tp_totals_fini(&s);
    // None is, if the number of damaged files is less than what has lost bytes.
    all[0] = (struct state_section){1, BYTES("\3\0\0\x9\x9\1\0\0")};
    s = read_version(3, all, TP_ARRAY_LEN(all));
    expect_row(&s, 1, false);
    expect_found(&s, 1, true, false);
    tp_totals_fini(&s);
}

// Version 4 did not know which bytes were not put in order.
static void test_unordered_bytes_are_new_in_version_5(void **state)
{
    static const struct state_section row[] = {
        {1, BYTES("\1\1\0\x9\x9\1\0\0")},
        {2, BYTES("\1a")},
        {8, BYTES(FILE_ROW("\0", "\1") "\1")},
    };
    static const struct state_section with_total[] = {{1, BYTES("\1\1\0\x9\x9\1\0\0")},
                                                      {24, BYTES("\3")}};
    struct tp_error err = {0};
    struct tp_totals s = read_version(4, row, TP_ARRAY_LEN(row));
    (void)state;
    expect_row(&s, 0, true);
    assert_true(s.unordered_bytes == 0 && s.files.items[0].figures[TP_FILE_UNORDERED_BYTES] == 0);
    tp_totals_fini(&s);
    struct state_bytes b = state_of_version(4, with_total, TP_ARRAY_LEN(with_total));
    assert_int_equal(tp_totals_read(tp_span_of(b.ptr, b.len_bytes), &s, &err), TP_E_STATE);
    tp_free(b.ptr);
    s = read_version(5, with_total, TP_ARRAY_LEN(with_total));
    assert_int_equal(s.unordered_bytes, 3);
    tp_totals_fini(&s);
}

static void test_old_ones_are_written_as_new_ones(void **state)
{
    struct tp_totals s = read_version(1, counted, TP_ARRAY_LEN(counted));
    struct state_bytes got = state_of(&s), want;
    (void)state;
    assert_int_equal(s.refused_count, 2);
    assert_int_equal(s.refused.count, 0);
    want = state_of_version(TP_STATE_VERSION, counted, TP_ARRAY_LEN(counted));
    assert_true(state_is_same(&got, &want));
    tp_totals_fini(&s);
    tp_free(got.ptr);
    tp_free(want.ptr);
}

static void test_old_and_new_ones_add_up(void **state)
{
    struct tp_totals old = read_version(1, counted, TP_ARRAY_LEN(counted));
    struct tp_totals new = read_version(TP_STATE_VERSION, refused, TP_ARRAY_LEN(refused));
    struct tp_error err;
    (void)state;
    assert_int_equal(tp_totals_merge(&old, &new, &err), 0);
    assert_int_equal(old.refused_count, 4);
    assert_int_equal(old.refused.count, 2);
    struct state_bytes got = state_of(&old);
    const struct state_section sections[] = {
        {1, BYTES("\0\0\4\0\0\0\0\0")}, refused[1], refused[2]};
    struct state_bytes want = state_of_version(TP_STATE_VERSION, sections, TP_ARRAY_LEN(sections));
    assert_true(state_is_same(&got, &want));
    tp_totals_fini(&old);
    tp_totals_fini(&new);
    tp_free(got.ptr);
    tp_free(want.ptr);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_versions_that_are_not_known),
        cmocka_unit_test(test_an_old_version_has_no_new_sections),
        cmocka_unit_test(test_when_traces_were_taken_is_new_in_version_3),
        cmocka_unit_test(test_damage_of_files_is_new_in_version_4),
        cmocka_unit_test(test_unordered_bytes_are_new_in_version_5),
        cmocka_unit_test(test_old_ones_are_written_as_new_ones),
        cmocka_unit_test(test_old_and_new_ones_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
