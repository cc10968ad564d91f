#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "io/walk.h"
#include "scratch.h"

static void make_file_of(const char *path, const void *bytes, size_t len_bytes)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, bytes, len_bytes), len_bytes);
    close(fd);
}

static void make_folder(const char *path)
{
    assert_int_equal(mkdir(path, 0777), 0);
}

struct want {
    const char *path;
    const char *below;
    int defect_errno;
};

static void expect_items(const struct tp_input_list *list, const struct want *want, size_t count)
{
    for (size_t i = 0; i < list->count && i < count; i++) {
        const struct tp_input *item = &list->items[i];
        assert_string_equal(item->path, want[i].path);
        assert_string_equal(item->below, want[i].below);
        assert_true(item->below >= item->path &&
                    item->below <= item->path + strlen(item->path));
        assert_int_equal(item->defect_errno, want[i].defect_errno);
        assert_int_equal(item->is_stdin, strcmp(item->path, "-") == 0);
    }
    assert_int_equal(list->count, count);
}

#define EXPECT(list, ...)                                                                          \
    expect_items(list, (const struct want[]){__VA_ARGS__},                                         \
                 sizeof((const struct want[]){__VA_ARGS__}) / sizeof(struct want))

static void add(struct tp_input_list *list, const char *path, bool recursive)
{
    assert_int_equal(tp_walk_add(list, path, recursive, NULL), 0);
}

static void test_walk_words_keep_their_order(void **state)
{
    (void)state;
    make_file("b", "");
    make_file("a", "");
    make_folder("d");
    make_file("d/x", "");
    struct tp_input_list list = {0};
    add(&list, "b", false);
    add(&list, "./a", true);
    add(&list, "b", false);
    add(&list, "d/x", false);
    add(&list, "-", false);
    add(&list, "d//x", false);
    EXPECT(&list, {"b", "b", 0}, {"./a", "a", 0}, {"b", "b", 0}, {"d/x", "x", 0}, {"-", "-", 0},
           {"d//x", "x", 0});
    tp_input_list_fini(&list);
    tp_input_list_fini(&list);
}

static void test_walk_what_cannot_be_read_stays_in_its_place(void **state)
{
    (void)state;
    make_folder("d");
    make_file("f", "");
    assert_int_equal(symlink("nowhere", "dangling"), 0);
    assert_int_equal(symlink("loop", "loop"), 0);
    char long_name[301];
    memset(long_name, 'n', 300);
    long_name[300] = '\0';
    struct tp_input_list list = {0};
    add(&list, "missing", true);
    add(&list, "d", false);
    add(&list, "d/", false);
    add(&list, "f/x", false);
    add(&list, "", false);
    add(&list, "f", false);
    add(&list, "dangling", true);
    add(&list, "loop", true);
    add(&list, "/", false);
    add(&list, long_name, true);
    EXPECT(&list, {"missing", "missing", ENOENT}, {"d", "d", EISDIR}, {"d/", "d/", EISDIR},
           {"f/x", "x", ENOTDIR}, {"", "", ENOENT}, {"f", "f", 0},
           {"dangling", "dangling", ENOENT}, {"loop", "loop", ELOOP}, {"/", "/", EISDIR},
           {long_name, long_name, ENAMETOOLONG});
    tp_input_list_fini(&list);
}

static void make_tree(void)
{
    make_folder("r");
    make_folder("r/a");
    make_folder("r/a/deep");
    make_folder("r/empty");
    make_folder("r/.hidden");
    make_file("r/a/x", "");
    make_file("r/a/deep/y", "");
    make_file("r/a-b", "");
    make_file("r/a.b", "");
    make_file("r/a0", "");
    make_file("r/\xc3\xa9", "");
    make_file("r/Z", "");
    make_file("r/.dot", "");
    make_file("r/.hidden/h", "");
    make_file("r/line\nbreak", "");
    assert_int_equal(mkfifo("r/fifo", 0666), 0);
    make_file("outside", "");
    make_folder("elsewhere");
    make_file("elsewhere/e", "");
    assert_int_equal(symlink("../outside", "r/to-file"), 0);
    assert_int_equal(symlink("../elsewhere", "r/to-folder"), 0);
    assert_int_equal(symlink("..", "r/to-above"), 0);
    assert_int_equal(symlink("r", "link-to-r"), 0);
}

static void test_walk_a_root_gives_regular_files_in_byte_order(void **state)
{
    (void)state;
    make_tree();
    struct tp_input_list list = {0};
    add(&list, "r", true);
    EXPECT(&list, {"r/.dot", ".dot", 0}, {"r/.hidden/h", ".hidden/h", 0}, {"r/Z", "Z", 0},
           {"r/a-b", "a-b", 0}, {"r/a.b", "a.b", 0}, {"r/a/deep/y", "a/deep/y", 0},
           {"r/a/x", "a/x", 0}, {"r/a0", "a0", 0}, {"r/line\nbreak", "line\nbreak", 0},
           {"r/\xc3\xa9", "\xc3\xa9", 0});
    tp_input_list_fini(&list);
}

static void test_walk_roots_by_other_names(void **state)
{
    (void)state;
    make_folder("r");
    make_folder("r/s");
    make_file("r/s/f", "");
    assert_int_equal(symlink("r", "link"), 0);
    assert_int_equal(symlink("r/s/f", "file-link"), 0);
    struct tp_input_list list = {0};
    add(&list, "r/", true);
    add(&list, "r//", true);
    add(&list, "./r", true);
    add(&list, "link", true); // named by the user, so followed
    add(&list, "file-link", true);
    add(&list, "r/s", true);
    add(&list, "r/s/f", true);
    add(&list, "link", false);
    EXPECT(&list, {"r/s/f", "s/f", 0}, {"r//s/f", "s/f", 0}, {"./r/s/f", "s/f", 0},
           {"link/s/f", "s/f", 0}, {"file-link", "file-link", 0}, {"r/s/f", "f", 0},
           {"r/s/f", "f", 0}, {"link", "link", EISDIR});
    tp_input_list_fini(&list);
}

// Two roots are not mixed: each is sorted in itself.
static void test_walk_order_is_per_root(void **state)
{
    (void)state;
    make_folder("z");
    make_folder("a");
    make_file("z/1", "");
    make_file("z/2", "");
    make_file("a/3", "");
    struct tp_input_list list = {0};
    add(&list, "z", true);
    add(&list, "a", true);
    EXPECT(&list, {"z/1", "1", 0}, {"z/2", "2", 0}, {"a/3", "3", 0});
    tp_input_list_fini(&list);
}

static void test_walk_depth_ends_where_paths_end(void **state)
{
    (void)state;
    // Deeper than any path the kernel takes: 60 names of 99 bytes.
    char name[100];
    memset(name, 'd', 99);
    name[99] = '\0';
    const char *folder = scratch_path(*state);
    make_folder("r");
    assert_int_equal(chdir("r"), 0);
    for (int i = 0; i < 60; i++) {
        make_file("f", "");
        make_folder(name);
        assert_int_equal(chdir(name), 0);
    }
    assert_int_equal(chdir(folder), 0);
    struct tp_input_list list = {0};
    add(&list, "r", true);
    // 40 folders can be listed by name, the next one is reported.
    size_t defects = 0;
    for (size_t i = 0; i < list.count; i++) {
        if (list.items[i].defect_errno != 0) {
            assert_int_equal(list.items[i].defect_errno, ENAMETOOLONG);
            defects++;
        }
    }
    assert_int_equal(defects, 1);
    assert_in_range(list.count, 41, 43);
    tp_input_list_fini(&list);

    // nftw goes by path, so the tree has to be taken down from inside.
    assert_int_equal(chdir("r"), 0);
    for (int i = 0; i < 60; i++)
        assert_int_equal(chdir(name), 0);
    for (int i = 0; i < 60; i++) {
        assert_int_equal(chdir(".."), 0);
        assert_int_equal(rmdir(name), 0);
        assert_int_equal(unlink("f"), 0);
    }
    assert_int_equal(chdir(folder), 0);
}

static void test_walk_folders_that_cannot_be_listed(void **state)
{
    (void)state;
    make_folder("r");
    make_folder("r/closed");
    make_file("r/closed/in", "");
    make_file("r/b", "");
    make_file("r/d", "");
    make_folder("shut");
    assert_int_equal(chmod("r/closed", 0), 0);
    assert_int_equal(chmod("shut", 0), 0);
    struct tp_input_list list = {0};
    // Root may list everything, so it becomes somebody else meanwhile.
    bool was_root = geteuid() == 0;
    assert_int_equal(chmod(".", 0755), 0);
    bool moot = was_root && seteuid(65534) != 0;
    if (!moot) {
        add(&list, "r", true);
        add(&list, "shut", true);
    }
    if (was_root)
        assert_int_equal(seteuid(0), 0);
    assert_int_equal(chmod("r/closed", 0777), 0);
    assert_int_equal(chmod("shut", 0777), 0);
    if (!moot)
        EXPECT(&list, {"r/b", "b", 0}, {"r/closed", "closed", EACCES}, {"r/d", "d", 0},
               {"shut", "shut", EACCES});
    tp_input_list_fini(&list);
    if (moot)
        skip();
}

static void test_walk_stdin_comes_once(void **state)
{
    (void)state;
    make_file("names", "x\n-\n");
    struct tp_input_list list = {0};
    struct tp_error err;
    add(&list, "-", true);
    assert_int_equal(tp_walk_add(&list, "-", false, &err), TP_E_USAGE);
    assert_int_equal(tp_walk_add_list(&list, "names", false, false, &err), TP_E_USAGE);
    assert_int_equal(tp_walk_add_list(&list, "-", false, false, &err), TP_E_USAGE);
    EXPECT(&list, {"-", "-", 0}, {"x", "x", ENOENT});
    tp_input_list_fini(&list);
}

static void test_walk_list_of_names(void **state)
{
    (void)state;
    make_folder("r");
    make_file("r/f", "");
    make_file("sp ace", "");
    make_file("cr\r", "");
    make_file("new\nline", "");
    make_file("lines", "r\n\nsp ace\ncr\r\n\nmissing");
    make_file_of("zeros", "\0r\0new\nline\0\0missing\0", 21);
    make_file("empty", "");
    struct tp_input_list list = {0};
    assert_int_equal(tp_walk_add_list(&list, "lines", false, true, NULL), 0);
    assert_int_equal(tp_walk_add_list(&list, "empty", false, true, NULL), 0);
    EXPECT(&list, {"r/f", "f", 0}, {"sp ace", "sp ace", 0}, {"cr\r", "cr\r", 0},
           {"missing", "missing", ENOENT});
    tp_input_list_fini(&list);
    assert_int_equal(tp_walk_add_list(&list, "zeros", true, false, NULL), 0);
    EXPECT(&list, {"r", "r", EISDIR}, {"new\nline", "new\nline", 0},
           {"missing", "missing", ENOENT});
    tp_input_list_fini(&list);
}

static void test_walk_list_from_stdin(void **state)
{
    (void)state;
    make_file("names", "a\nb\n");
    int saved = dup(STDIN_FILENO);
    int fd = open("names", O_RDONLY | O_CLOEXEC);
    assert_true(fd >= 0);
    dup2(fd, STDIN_FILENO);
    close(fd);
    struct tp_input_list list = {0};
    int rc = tp_walk_add_list(&list, "-", false, false, NULL);
    int again = tp_walk_add(&list, "-", false, NULL);
    if (saved >= 0) {
        dup2(saved, STDIN_FILENO);
        close(saved);
    }
    assert_int_equal(rc, 0);
    assert_int_equal(again, TP_E_USAGE);
    EXPECT(&list, {"a", "a", ENOENT}, {"b", "b", ENOENT});
    tp_input_list_fini(&list);
}

static void test_walk_list_with_many_and_long_names(void **state)
{
    (void)state;
    // Longer than the reading buffer in all, and names longer than any path.
    FILE *file = fopen("names", "we");
    assert_non_null(file);
    for (int i = 0; i < 5000; i++)
        fprintf(file, "name-%d\n", i);
    for (int i = 0; i < 5000; i++)
        fputc('l', file);
    fputc('\n', file);
    fclose(file);
    struct tp_input_list list = {0};
    assert_int_equal(tp_walk_add_list(&list, "names", false, false, NULL), 0);
    assert_int_equal(list.count, 5001);
    assert_string_equal(list.items[4999].path, "name-4999");
    assert_int_equal(strlen(list.items[5000].path), 5000);
    assert_int_equal(list.items[5000].defect_errno, ENAMETOOLONG);
    tp_input_list_fini(&list);
}

static void test_walk_list_that_is_none(void **state)
{
    (void)state;
    struct tp_input_list list = {0};
    struct tp_error err;
    assert_int_equal(tp_walk_add_list(&list, "missing", false, false, &err), TP_E_OPEN);
    assert_int_equal(err.sys_errno, ENOENT);
    assert_string_equal(err.path, "missing");
    make_folder("d");
    assert_int_equal(tp_walk_add_list(&list, "d", false, false, &err), TP_E_READ);
    assert_int_equal(err.sys_errno, EISDIR);

    make_file_of("with-nul", "good\nba\0d\n", 10);
    assert_int_equal(tp_walk_add_list(&list, "with-nul", false, false, &err), TP_E_READ);
    assert_int_equal(err.offset, 7);
    assert_string_equal(err.path, "with-nul");

    char *endless = malloc(TP_KIB(64) + 1);
    assert_non_null(endless);
    memset(endless, 'x', TP_KIB(64) + 1);
    make_file_of("endless", endless, TP_KIB(64) + 1);
    free(endless);
    assert_int_equal(tp_walk_add_list(&list, "endless", true, false, &err), TP_E_READ);
    assert_int_equal(err.offset, TP_KIB(64));
    EXPECT(&list, {"good", "good", ENOENT});
    tp_input_list_fini(&list);
}

static void test_walk_without_memory(void **state)
{
    (void)state;
    make_tree();
    make_file("names", "r\nx\n-\n");
    bool worked = false;
    for (uint64_t nth = 1; !worked; nth++) {
        assert_true(nth < 200);
        uint64_t before = tp_alloc_live_bytes();
        struct tp_input_list list = {0};
        tp_alloc_fail_at(nth, false);
        int rc = tp_walk_add(&list, "r", true, NULL);
        if (rc == 0)
            rc = tp_walk_add_list(&list, "names", false, true, NULL);
        tp_alloc_fail_at(0, false);
        worked = rc == 0;
        assert_true(worked || rc == TP_E_MEMORY);
        tp_input_list_fini(&list);
        assert_int_equal(tp_alloc_live_bytes(), before);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH_TEST(test_walk_words_keep_their_order),
        SCRATCH_TEST(test_walk_what_cannot_be_read_stays_in_its_place),
        SCRATCH_TEST(test_walk_a_root_gives_regular_files_in_byte_order),
        SCRATCH_TEST(test_walk_roots_by_other_names),
        SCRATCH_TEST(test_walk_order_is_per_root),
        SCRATCH_TEST(test_walk_depth_ends_where_paths_end),
        SCRATCH_TEST(test_walk_folders_that_cannot_be_listed),
        SCRATCH_TEST(test_walk_stdin_comes_once),
        SCRATCH_TEST(test_walk_list_of_names),
        SCRATCH_TEST(test_walk_list_from_stdin),
        SCRATCH_TEST(test_walk_list_with_many_and_long_names),
        SCRATCH_TEST(test_walk_list_that_is_none),
        SCRATCH_TEST(test_walk_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
