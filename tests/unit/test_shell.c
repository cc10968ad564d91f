// Paths in commands are read by a shell as what they are, whatever bytes they have.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "out_capture.h"
#include "sink/print/shell.h"

static void put(const char *path, tp_shell_put_fn *to, struct capture *c)
{
    struct tp_error err;
    struct tp_emit e;
    *c = (struct capture){.out = {capture_write}};
    tp_emit_init(&e, &c->out, &err);
    tp_shell_put_path(&e, tp_span_of_text(path), to);
    assert_int_equal(tp_emit_end(&e), 0);
}

static const struct {
    const char *path, *shown, *in_json;
    unsigned columns;
} cases[] = {
    {"a/b-c_1.trace.zst", "a/b-c_1.trace.zst", "a/b-c_1.trace.zst", 17},
    {"-", "-", "-", 1},
    {"-x", "./-x", "./-x", 4},
    {"", "''", "''", 2},
    {"a b", "'a b'", "'a b'", 5},
    {"~/a", "'~/a'", "'~/a'", 5},
    {"a'b*", "'a'\\''b*'", "'a'\\\\''b*'", 9},
    {"$x\"\\", "'$x\"\\'", "'$x\\\"\\\\'", 6},
    {"\xc3\xa9", "'\xc3\xa9'", "'\xc3\xa9'", 3},
    {"a\n'\\\x1b\xff", "$'a\\012\\'\\\\\\033\\377'", "$'a\\\\012\\\\'\\\\\\\\\\\\033\\\\377'", 20},
};

static void test_words(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct capture c;
        put(cases[i].path, tp_emit_span, &c);
        assert_string_equal(c.text, cases[i].shown);
        assert_int_equal(tp_shell_path_columns(tp_span_of_text(cases[i].path)), cases[i].columns);
        put(cases[i].path, tp_shell_put_in_json, &c);
        assert_string_equal(c.text, cases[i].in_json);
    }
}

// Bash reads the path again from the quoted word.
static void test_a_shell_reads_the_path(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct capture c;
        char script[sizeof c.text + 64], read[256] = "";
        put(cases[i].path, tp_emit_span, &c);
        snprintf(script, sizeof script, "bash -s <<'EOF'\nprintf %%s %s\nEOF\n", c.text);
        FILE *from = popen(script, "r");
        assert_non_null(from);
        size_t len_bytes = fread(read, 1, sizeof read - 1, from);
        assert_int_equal(pclose(from), 0);
        read[len_bytes] = '\0';
        const char *shown = read;
        if (strcmp(cases[i].path, "-") != 0 && strncmp(read, "./-", 3) == 0)
            shown += 2;
        assert_string_equal(shown, cases[i].path);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_a_shell_reads_the_path),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
