// Symbols of programs: of Go, by the table of its runtime, and of C, by symbols and DWARF;
// files that have none.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "go_program.h"
#include "scratch.h"
#include "symbols/symbols.h"

static void write_file(const char *path, const void *bytes, size_t len_bytes)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, len_bytes, f), len_bytes);
    assert_int_equal(fclose(f), 0);
}

static void write_program(const char *path, const struct go_elf *elf)
{
    struct tp_buf b;
    assert_true(tp_buf_init(&b, TP_KIB(64)));
    go_program_put_elf(&b, &go_program_small, elf);
    write_file(path, b.ptr, b.len_bytes);
    tp_buf_fini(&b);
}

static struct tp_symbols *opened(const char *path)
{
    struct tp_symbols *s = NULL;
    struct tp_error err;
    if (tp_symbols_open(path, &s, &err) != 0)
        fail_msg("%s: %s", path, err.text);
    return s;
}

static void expect_refusal(const char *path, const char *why)
{
    struct tp_symbols *s = NULL;
    struct tp_error err;
    char text[200];
    snprintf(text, sizeof text, "cannot read its symbols: %s", why);
    assert_int_equal(tp_symbols_open(path, &s, &err), TP_E_USAGE);
    assert_string_equal(err.text, text);
    assert_ptr_equal(err.path, path);
    assert_null(s);
    assert_int_equal(tp_symbols_open(path, &s, NULL), TP_E_USAGE);
}

static void expect_small_program(const char *path)
{
    struct tp_symbols *s = opened(path);
    struct tp_symbol found;
    assert_true(tp_symbols_find(s, 0x401014, &found));
    assert_true(tp_span_equals(found.function, "main.main", 9));
    assert_true(tp_span_equals(found.file, "/src/app/util.go", 16));
    assert_int_equal(found.line, 30);
    assert_true(tp_symbols_find(s, 0x401040, &found));
    assert_true(tp_span_equals(found.function, "main.worker", 11));
    assert_false(tp_symbols_find(s, 0x401080, &found));
    assert_false(tp_symbols_find(s, 0, &found));
    tp_symbols_close(s);
}

static void test_go_programs(void **state)
{
    (void)state;
    write_program("exec", &(struct go_elf){.table_name = ".gopclntab"});
    expect_small_program("exec");
    write_program("pie", &(struct go_elf){.table_name = ".data.rel.ro.gopclntab",
                                          .type = ET_DYN});
    expect_small_program("pie");
}

// Since Go 1.18 PCs are counted from the symbol, in front of which code of others may stand.
static void test_where_the_text_of_go_begins(void **state)
{
    (void)state;
    struct go_program p = go_program_small;
    struct tp_buf b;
    p.form = GO_TABLE_20;
    assert_true(tp_buf_init(&b, TP_KIB(64)));
    go_program_put_elf(&b, &p, &(struct go_elf){.table_name = ".gopclntab",
                                                .runtime_text = 0x401000,
                                                .text_section = 0x400f00});
    write_file("with-symbol", b.ptr, b.len_bytes);
    expect_small_program("with-symbol");
    tp_buf_reset(&b);
    go_program_put_elf(&b, &p, &(struct go_elf){.table_name = ".gopclntab"});
    write_file("without", b.ptr, b.len_bytes);
    expect_small_program("without");
    tp_buf_fini(&b);
}

static void test_files_that_have_no_symbols(void **state)
{
    (void)state;
    expect_refusal("absent", "No such file or directory");
    expect_refusal(".", "it is a folder");
    assert_int_equal(mkfifo("fifo", 0600), 0);
    expect_refusal("fifo", "it is not a regular file");
    write_file("empty", "", 0);
    expect_refusal("empty", "it is not an ELF file");
    write_file("text", "#!/bin/sh\nexit 0\n", 17);
    expect_refusal("text", "it is not an ELF file");
    write_file("cut", "\177ELF\2\1\1", 7);
    expect_refusal("cut", "it is not an ELF file");
    write_program("object", &(struct go_elf){.table_name = ".gopclntab", .type = ET_REL});
    expect_refusal("object", "it is not linked");
    write_program("core", &(struct go_elf){.type = ET_CORE});
    expect_refusal("core", "it is a core dump, not the program");
    write_program("data", &(struct go_elf){.table_name = ".gopclntab", .has_no_code = true});
    expect_refusal("data", "it has no executable segments");
    write_program("bare", &(struct go_elf){.table_name = NULL});
    expect_refusal("bare", "it has neither .gopclntab nor a symbol table nor DWARF");
}

static void test_a_program_cut_anywhere(void **state)
{
    (void)state;
    struct tp_buf b;
    assert_true(tp_buf_init(&b, TP_KIB(64)));
    go_program_put_elf(&b, &go_program_small, &(struct go_elf){.table_name = ".gopclntab",
                                                               .runtime_text = 0x401000});
    for (size_t len_bytes = 0; len_bytes < b.len_bytes; len_bytes += 3) {
        struct tp_symbols *s = NULL;
        struct tp_symbol found;
        write_file("cut", b.ptr, len_bytes);
        if (tp_symbols_open("cut", &s, NULL) == 0)
            (void)tp_symbols_find(s, 0x401014, &found);
        tp_symbols_close(s);
    }
    tp_buf_fini(&b);
}

static void test_no_memory(void **state)
{
    (void)state;
    struct tp_symbols *s = NULL;
    struct tp_error err;
    write_program("exec", &(struct go_elf){.table_name = ".gopclntab"});
    tp_alloc_fail_at(1, false);
    assert_int_equal(tp_symbols_open("exec", &s, &err), TP_E_MEMORY);
    tp_alloc_fail_at(0, false);
    assert_null(s);
}

// A C PROGRAM

struct own_pc {
    uint64_t pc;
    char function[32];
    unsigned line;
};

// What the program says of itself.
static size_t ask_program(struct own_pc pcs[8])
{
    FILE *f = popen(TP_OWN_PCS, "r");
    size_t count = 0;
    unsigned long long pc;
    assert_non_null(f);
    while (count < 8 && fscanf(f, "%llx %31s %u", &pc, pcs[count].function, &pcs[count].line) == 3)
        pcs[count++].pc = pc;
    assert_int_equal(pclose(f), 0);
    assert_int_equal(count, 4);
    return count;
}

enum parts { FUNCTIONS = 1, LINES = 2 };

static void expect_own_pcs(const char *path, unsigned parts)
{
    struct own_pc pcs[8];
    size_t count = ask_program(pcs);
    struct tp_symbols *s = opened(path);
    struct tp_symbol found;
    for (size_t i = 0; i < count; i++) {
        assert_true(tp_symbols_find(s, pcs[i].pc, &found));
        size_t name_bytes = (parts & FUNCTIONS) != 0 ? strlen(pcs[i].function) : 0;
        assert_true(tp_span_equals(found.function, pcs[i].function, name_bytes));
        assert_int_equal(found.line, (parts & LINES) != 0 ? pcs[i].line : 0);
        static const char file[] = "tests/support/own_pcs_main.c";
        size_t file_bytes = (parts & LINES) != 0 ? sizeof file - 1 : 0;
        assert_true(found.file.len_bytes >= file_bytes);
        assert_memory_equal(found.file.ptr + found.file.len_bytes - file_bytes, file, file_bytes);
    }
    // Neither in front of the code nor in its data.
    assert_false(tp_symbols_find(s, 0, &found));
    assert_false(tp_symbols_find(s, UINT64_MAX, &found));
    tp_symbols_close(s);
}

static void strip(const char *option)
{
    char command[600];
    snprintf(command, sizeof command, "%s %s %s stripped", TP_OBJCOPY, option, TP_OWN_PCS);
    assert_int_equal(system(command), 0);
}

static void test_a_program_with_symbols_and_lines(void **state)
{
    (void)state;
    expect_own_pcs(TP_OWN_PCS, FUNCTIONS | LINES);
}

static void test_a_program_with_symbols_alone(void **state)
{
    (void)state;
    strip("--strip-debug");
    expect_own_pcs("stripped", FUNCTIONS);
}

static void test_a_program_with_lines_alone(void **state)
{
    (void)state;
    strip("--keep-symbol=sum --strip-unneeded --keep-section=.debug*");
    expect_own_pcs("stripped", LINES);
}

static void test_a_program_with_nothing(void **state)
{
    (void)state;
    strip("--strip-all");
    expect_refusal("stripped", "it has neither .gopclntab nor a symbol table nor DWARF");
}

static void *ask_often(void *arg)
{
    struct tp_symbols *s = arg;
    struct tp_symbol found;
    size_t known_count = 0;
    for (uint64_t pc = 0x400000; pc < 0x404000; pc += 3)
        known_count += tp_symbols_find(s, pc, &found);
    return (void *)known_count;
}

static void test_many_threads_ask(void **state)
{
    (void)state;
    struct tp_symbols *s = opened(TP_OWN_PCS);
    pthread_t threads[4];
    size_t want = (size_t)ask_often(s);
    for (size_t i = 0; i < TP_ARRAY_LEN(threads); i++)
        assert_int_equal(pthread_create(&threads[i], NULL, ask_often, s), 0);
    for (size_t i = 0; i < TP_ARRAY_LEN(threads); i++) {
        void *got = NULL;
        assert_int_equal(pthread_join(threads[i], &got), 0);
        assert_int_equal((size_t)got, want);
    }
    tp_symbols_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH_TEST(test_go_programs),
        SCRATCH_TEST(test_where_the_text_of_go_begins),
        SCRATCH_TEST(test_files_that_have_no_symbols),
        SCRATCH_TEST(test_a_program_cut_anywhere),
        SCRATCH_TEST(test_no_memory),
        SCRATCH_TEST(test_a_program_with_symbols_and_lines),
        SCRATCH_TEST(test_a_program_with_symbols_alone),
        SCRATCH_TEST(test_a_program_with_lines_alone),
        SCRATCH_TEST(test_a_program_with_nothing),
        SCRATCH_TEST(test_many_threads_ask),
    };
    return cmocka_run_group_tests_name("symbols", tests, NULL, NULL);
}
