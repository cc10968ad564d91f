// Outputs in a folder, below which no symbolic link is followed.
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "out_steps.h"
#include "scratch.h"

static int open_below(const char *path, size_t root_bytes, enum tp_out_clash clash,
                      struct tp_error *err)
{
    struct tp_outfile *out = NULL;
    *err = (struct tp_error){0};
    int rc = tp_out_open(path, root_bytes, clash, &out, err);
    if (rc != 0)
        return rc;
    assert_int_equal(tp_out_write(out, "new", 3, NULL), 0);
    return tp_out_commit(out, err);
}

static void test_folders_are_made_and_a_linked_root_is_fine(void **state)
{
    (void)state;
    struct tp_error err;
    static const char *const paths[] = {"r/a", "r/s/t/b", "r//s//c", "r/./s/d", "link/e",
                                        "link/s/u/f"};
    assert_int_equal(mkdir("r", 0777), 0);
    assert_int_equal(symlink("r", "link"), 0);
    for (size_t i = 0; i < TP_ARRAY_LEN(paths); i++) {
        size_t root_bytes = strcspn(paths[i], "/");
        assert_int_equal(open_below(paths[i], root_bytes, TP_OUT_KEEP_EXISTING, &err), 0);
        expect_file(paths[i], "new");
    }
    assert_int_equal(open_below("made/new/a", 4, TP_OUT_KEEP_EXISTING, &err), 0);
    expect_file("made/new/a", "new");
    assert_int_equal(open_below("no/folder/a", 9, TP_OUT_KEEP_EXISTING, &err), TP_E_WRITE);
    assert_int_equal(err.sys_errno, ENOENT);
    assert_int_equal(count_entries("r/s"), 4);
}

static void test_a_link_on_the_way_is_named(void **state)
{
    (void)state;
    struct tp_error err;
    assert_int_equal(mkdir("r", 0777) | mkdir("r/s", 0777) | mkdir("elsewhere", 0777), 0);
    assert_int_equal(symlink("../elsewhere", "r/away"), 0);
    assert_int_equal(symlink("../s", "r/s/inside"), 0);
    assert_int_equal(symlink("nowhere", "r/s/dangling"), 0);
    static const struct {
        const char *path, *link;
    } rows[] = {
        {"r/away/a", "'r/away'"},
        {"r/away/deep/a", "'r/away'"},
        {"r//away//a", "'r//away'"},
        {"r/s/inside/a", "'r/s/inside'"},
        {"r/s/dangling/a", "'r/s/dangling'"},
    };
    for (size_t i = 0; i < 2 * TP_ARRAY_LEN(rows); i++) {
        enum tp_out_clash clash = i % 2 == 0 ? TP_OUT_KEEP_EXISTING : TP_OUT_REPLACE;
        assert_int_equal(open_below(rows[i / 2].path, 1, clash, &err), TP_E_LINK);
        assert_int_equal(tp_error_class_of(err.code), TP_CLASS_INPUT);
        if (strstr(err.text, rows[i / 2].link) == NULL)
            fail_msg("%s", err.text);
    }
    assert_int_equal(count_entries("elsewhere"), 0);
    assert_int_equal(count_entries("r/s"), 2);
}

static void test_a_file_on_the_way_is_no_link(void **state)
{
    (void)state;
    struct tp_error err;
    assert_int_equal(mkdir("r", 0777), 0);
    make_file("r/file", "x");
    assert_int_equal(open_below("r/file/a", 1, TP_OUT_REPLACE, &err), TP_E_WRITE);
    assert_int_equal(err.sys_errno, ENOTDIR);
    assert_int_equal(open_below("r/file/a/b", 1, TP_OUT_REPLACE, &err), TP_E_WRITE);
    expect_file("r/file", "x");
}

static void test_a_link_of_the_last_name_is_replaced_itself(void **state)
{
    (void)state;
    struct tp_error err;
    struct stat st;
    static const char *const targets[] = {"../precious", "../fifo", "/dev/null", "nowhere"};
    make_file("precious", "old");
    assert_int_equal(mkfifo("fifo", 0666) | mkdir("r", 0777), 0);
    for (size_t i = 0; i < TP_ARRAY_LEN(targets); i++) {
        assert_int_equal(symlink(targets[i], "r/a"), 0);
        assert_int_equal(open_below("r/a", 1, TP_OUT_KEEP_EXISTING, &err), TP_E_EXISTS);
        assert_int_equal(open_below("r/a", 1, TP_OUT_REPLACE, &err), 0);
        assert_true(lstat("r/a", &st) == 0 && S_ISREG(st.st_mode));
        expect_file("r/a", "new");
        assert_int_equal(unlink("r/a"), 0);
    }
    expect_file("precious", "old");
}

static void test_what_is_no_file_is_written_in_place(void **state)
{
    (void)state;
    struct tp_error err;
    char got[8];
    assert_int_equal(mkdir("r", 0777) | mkdir("r/d", 0777) | mkfifo("r/fifo", 0666), 0);
    int fd = open("r/fifo", O_RDONLY | O_NONBLOCK);
    assert_true(fd >= 0);
    assert_int_equal(open_below("r/fifo", 1, TP_OUT_KEEP_EXISTING, &err), 0);
    assert_int_equal(read(fd, got, sizeof got), 3);
    close(fd);
    assert_int_equal(open_below("r/d", 1, TP_OUT_REPLACE, &err), TP_E_WRITE);
    assert_int_equal(err.sys_errno, EISDIR);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH_TEST(test_folders_are_made_and_a_linked_root_is_fine),
        SCRATCH_TEST(test_a_link_on_the_way_is_named),
        SCRATCH_TEST(test_a_file_on_the_way_is_no_link),
        SCRATCH_TEST(test_a_link_of_the_last_name_is_replaced_itself),
        SCRATCH_TEST(test_what_is_no_file_is_written_in_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
