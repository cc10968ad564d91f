// The table of Go programs in all its forms, and what is left of a damaged one.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "go_program.h"
#include "symbols/pclntab.h"

static struct tp_buf bytes;

static int set_up(void **state)
{
    (void)state;
    return tp_buf_init(&bytes, TP_KIB(64)) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    tp_buf_fini(&bytes);
    return 0;
}

static struct tp_span made(const struct go_program *p)
{
    tp_buf_reset(&bytes);
    go_program_put_table(&bytes, p);
    return tp_span_of(bytes.ptr, bytes.len_bytes);
}

// "function file:line", or "?".
static const char *answer(const struct tp_pclntab *t, uint64_t pc)
{
    static char text[200];
    struct tp_symbol s;
    if (!tp_pclntab_find(t, pc, &s))
        return "?";
    snprintf(text, sizeof text, "%.*s %.*s:%llu", (int)s.function.len_bytes, s.function.ptr,
             (int)s.file.len_bytes, s.file.ptr, (unsigned long long)s.line);
    return text;
}

static void expect_small_program(const struct tp_pclntab *t)
{
    assert_string_equal(answer(t, 0), "?");
    assert_string_equal(answer(t, 0x400fff), "?");
    assert_string_equal(answer(t, 0x401000), "main.main /src/app/main.go:5");
    assert_string_equal(answer(t, 0x40100f), "main.main /src/app/main.go:5");
    assert_string_equal(answer(t, 0x401010), "main.main /src/app/util.go:30");
    assert_string_equal(answer(t, 0x401018), "main.main /src/app/main.go:6");
    assert_string_equal(answer(t, 0x40102f), "main.main /src/app/main.go:6");
    // What stands between functions belongs to the one before.
    assert_string_equal(answer(t, 0x401030), "main.main :0");
    assert_string_equal(answer(t, 0x40103f), "main.main :0");
    assert_string_equal(answer(t, 0x401040), "main.worker /src/app/work.go:12");
    assert_string_equal(answer(t, 0x40107f), "main.worker :0");
    assert_string_equal(answer(t, 0x401080), "?");
    assert_string_equal(answer(t, UINT64_MAX), "?");
}

static void test_all_forms_answer_the_same(void **state)
{
    (void)state;
    static const enum go_table_form forms[] = {GO_TABLE_2, GO_TABLE_16, GO_TABLE_18, GO_TABLE_20};
    struct go_program p = go_program_small;
    for (unsigned way = 0; way < 4 * 2 * 2 * 3; way++) {
        struct tp_pclntab t;
        p.form = forms[way % 4];
        p.is_big_endian = way / 4 % 2 == 1;
        p.word_bytes = way / 8 % 2 == 1 ? 4 : 8;
        p.quantum = 1u << way / 16;
        assert_true(tp_pclntab_init(&t, made(&p), p.text_begin));
        expect_small_program(&t);
    }
}

static void test_pcs_of_large_addresses(void **state)
{
    (void)state;
    static const struct go_function f[] = {
        {"f", 0xffffffff80000000, {{0xffffffff80000010, "/k.go", 1}}},
    };
    struct go_program p = {.form = GO_TABLE_2, .word_bytes = 8, .quantum = 1,
                           .text_begin = f[0].begin, .text_end = UINT64_MAX, .functions = f,
                           .function_count = 1};
    struct tp_pclntab t;
    assert_true(tp_pclntab_init(&t, made(&p), p.text_begin));
    assert_string_equal(answer(&t, 0xffffffff8000000f), "f /k.go:1");
    assert_string_equal(answer(&t, UINT64_MAX - 1), "f :0");
    assert_string_equal(answer(&t, UINT64_MAX), "?");
}

static void test_functions_without_files_or_lines(void **state)
{
    (void)state;
    static const struct go_function f[] = {
        {"asm", 0x1000, {{0x1010, NULL, 3}, {0x1020, "/a.s", 0}, {0x1030, "/a.s", -5}}},
    };
    struct go_program p = {.word_bytes = 8, .quantum = 1, .text_begin = 0x1000,
                           .text_end = 0x1050, .functions = f, .function_count = 1};
    for (p.form = GO_TABLE_2; p.form <= GO_TABLE_20; p.form++) {
        struct tp_pclntab t;
        assert_true(tp_pclntab_init(&t, made(&p), p.text_begin));
        assert_string_equal(answer(&t, 0x1000), "asm :3");
        assert_string_equal(answer(&t, 0x1010), "asm /a.s:0");
        assert_string_equal(answer(&t, 0x1020), "asm /a.s:0");
    }
}

static void test_a_program_without_functions(void **state)
{
    (void)state;
    struct go_program p = {.word_bytes = 8, .quantum = 1, .text_begin = 0x1000,
                           .text_end = 0x1000};
    for (p.form = GO_TABLE_2; p.form <= GO_TABLE_20; p.form++) {
        struct tp_pclntab t;
        assert_true(tp_pclntab_init(&t, made(&p), p.text_begin));
        assert_string_equal(answer(&t, 0x1000), "?");
    }
}

static void test_what_is_no_table(void **state)
{
    (void)state;
    struct tp_pclntab t;
    unsigned char zeros[64] = {0};
    assert_false(tp_pclntab_init(&t, tp_span_of(zeros, sizeof zeros), 0));
    assert_false(tp_pclntab_init(&t, tp_span_of(NULL, 0), 0));
    // Magic number, what is always 0, smallest instruction, bytes of a PC.
    for (size_t at = 0; at < 8; at++) {
        struct tp_span table = made(&go_program_small);
        bytes.ptr[at] ^= 0x30;
        assert_false(tp_pclntab_init(&t, table, 0x401000));
    }
}

// In memory of its own, behind which nothing may be read.
static void look_at(struct tp_span table, uint64_t text_start)
{
    unsigned char *own = malloc(table.len_bytes + 1);
    struct tp_pclntab t;
    assert_non_null(own);
    memcpy(own, table.ptr, table.len_bytes);
    if (tp_pclntab_init(&t, tp_span_of(own, table.len_bytes), text_start)) {
        for (uint64_t pc = 0x400ff8; pc < 0x401088; pc += 8)
            (void)answer(&t, pc);
    }
    free(own);
}

static void test_a_table_cut_or_damaged_anywhere(void **state)
{
    (void)state;
    static const unsigned char flips[] = {0xff, 0x80, 0x01};
    struct go_program p = go_program_small;
    for (p.form = GO_TABLE_2; p.form <= GO_TABLE_20; p.form++) {
        struct tp_span table = made(&p);
        for (size_t len_bytes = 0; len_bytes < table.len_bytes; len_bytes++)
            look_at(tp_span_of(table.ptr, len_bytes), p.text_begin);
        for (size_t at = 0; at < table.len_bytes; at++) {
            for (size_t k = 0; k < sizeof flips; k++) {
                bytes.ptr[at] ^= flips[k];
                look_at(table, p.text_begin);
                bytes.ptr[at] ^= flips[k];
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_forms_answer_the_same),
        cmocka_unit_test(test_pcs_of_large_addresses),
        cmocka_unit_test(test_functions_without_files_or_lines),
        cmocka_unit_test(test_a_program_without_functions),
        cmocka_unit_test(test_what_is_no_table),
        cmocka_unit_test(test_a_table_cut_or_damaged_anywhere),
    };
    return cmocka_run_group_tests_name("pclntab", tests, set_up, tear_down);
}
