// What a program's guard finds: which paths are named, and that nothing has been read or started.
#include <dirent.h>
#include <errno.h>
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
#include "scratch.h"
#include "tracepipe/tracepipe.h"

static struct tp_error err;

// What the guard saw.
struct sight {
    int code;          // of the guard itself; 0: the run goes on
    char paths[1024];  // "USE PATH\n" of each path
    size_t threads;
    bool had_folder;
};

static int note(void *ctx, enum tp_path_use use, const char *path, struct tp_error *ret_err)
{
    static const char *const words[TP_PATH_USES] = {"read", "write", "create", "tree"};
    struct sight *s = ctx;
    size_t n = strlen(s->paths);
    (void)ret_err;
    snprintf(s->paths + n, sizeof s->paths - n, "%s %s\n", words[use], path);
    return 0;
}

static int guard(void *ctx, struct tp_run *run, struct tp_error *ret_err)
{
    struct sight *s = ctx;
    struct stat st;
    s->threads = count_entries("/proc/self/task");
    s->had_folder = stat("out", &st) == 0 && S_ISDIR(st.st_mode);
    int rc = tp_run_visit_paths(run, note, s, ret_err);
    return rc != 0 ? rc : s->code != 0 ? tp_error_set(ret_err, s->code, "no further") : 0;
}

static struct tp_run *run_with(struct sight *s)
{
    struct tp_run *run = NULL;
    assert_int_equal(tp_run_create(&run, &err), 0);
    tp_run_on_guard(run, guard, s);
    return run;
}

static void test_every_path_is_named_with_its_use(void **state)
{
    (void)state;
    struct sight s = {.code = TP_E_KERNEL};
    setenv("TMPDIR", "for-spills", 1);
    setenv("TZ", ":/zone", 1);
    assert_int_equal(mkdir("in", 0777), 0);
    make_file("in/below", "no trace");
    make_file("a", "no trace");
    make_file("there", "no trace");
    assert_int_equal(symlink("nowhere", "link"), 0);
    struct tp_run *run = run_with(&s);
    size_t threads = count_entries("/proc/self/task");
    assert_int_equal(tp_run_set(run, "recursive", "yes", &err), 0);
    assert_int_equal(tp_run_set(run, "manifest", "run.json", &err), 0);
    assert_int_equal(tp_run_set(run, "binary", "prog", &err), 0);
    assert_int_equal(tp_run_add_path(run, "in", &err), 0);
    assert_int_equal(tp_run_add_path(run, "a", &err), 0);
    assert_int_equal(tp_run_add_path(run, "missing", &err), 0);
    assert_int_equal(tp_run_add_path(run, "-", &err), 0);
    assert_int_equal(tp_run_add_sink(run, "text", "out", &err), 0);
    assert_int_equal(tp_run_add_sink(run, "stats", "there", &err), 0);
    assert_int_equal(tp_run_add_sink(run, "stats", "/dev/null", &err), 0);
    assert_int_equal(tp_run_add_sink(run, "stats", "link", &err), 0);
    assert_int_equal(tp_run_add_sink(run, "list", "-", &err), 0);
    int rc = tp_run_start(run, &err);
    if (rc != TP_E_KERNEL)
        fail_msg("%s", err.text);
    assert_string_equal(err.text, "no further");
    assert_string_equal(s.paths, "read in\nread a\n"
                                 "read /usr/share/zoneinfo\nread /usr/share/lib/zoneinfo\n"
                                 "read /usr/lib/locale/TZ\nread /etc/zoneinfo\nread /zone\n"
                                 "read prog\ntree out\ncreate .\nread there\n"
                                 "write /dev/null\ncreate .\ncreate .\ntree for-spills\n");
    assert_int_equal(s.threads, threads);
    assert_true(s.had_folder);
    assert_int_equal(count_entries("out"), 0);
    assert_int_equal(tp_run_exit_status(run), 3);
    tp_run_destroy(run);
    unsetenv("TMPDIR");
    unsetenv("TZ");
}

// An output that is a trace is looked into after the guard; so is a program that is none.
static void test_nothing_is_read_before(void **state)
{
    (void)state;
    struct sight s = {0};
    make_file("a", "go 1.26 trace");
    make_file("prog", "no program");
    struct tp_run *run = run_with(&s);
    assert_int_equal(tp_run_set(run, "binary", "prog", &err), 0);
    assert_int_equal(tp_run_add_path(run, "b", &err), 0);
    assert_int_equal(tp_run_add_sink(run, "stats", "a", &err), 0);
    assert_int_equal(tp_run_start(run, &err), TP_E_USAGE);
    assert_non_null(strstr(s.paths, "create .\nread a\n"));
    s.paths[0] = '\0';
    assert_int_equal(tp_run_set(run, "binary", "", &err), 0);
    assert_int_equal(tp_run_start(run, &err), TP_E_EXISTS);
    assert_non_null(strstr(s.paths, "create .\nread a\n"));
    tp_run_destroy(run);
}

static void test_a_folder_that_cannot_be_made_is_told(void **state)
{
    (void)state;
    struct sight s = {0};
    char name[300] = "";
    memset(name, 'x', sizeof name - 1);
    struct tp_run *run = run_with(&s);
    assert_int_equal(tp_run_add_path(run, "a", &err), 0);
    assert_int_equal(tp_run_add_path(run, "b", &err), 0);
    assert_int_equal(tp_run_add_sink(run, "text", name, &err), 0);
    assert_int_equal(tp_run_start(run, &err), TP_E_WRITE);
    assert_int_equal(err.sys_errno, ENAMETOOLONG);
    assert_non_null(strstr(err.text, "cannot create the folder 'xxx"));
    assert_string_equal(s.paths, "");
    tp_run_destroy(run);
}

static void test_lack_of_memory_in_a_visit_is_reported(void **state)
{
    (void)state;
    struct sight s = {0};
    int rc = TP_E_MEMORY;
    for (uint64_t nth = 1; rc == TP_E_MEMORY && nth < 1000; nth++) {
        uint64_t live_bytes = tp_alloc_live_bytes();
        s.code = TP_E_KERNEL;
        s.paths[0] = '\0';
        struct tp_run *run = run_with(&s);
        assert_int_equal(tp_run_add_path(run, "a", &err), 0);
        assert_int_equal(tp_run_add_sink(run, "stats", "out/a", &err), 0);
        tp_alloc_fail_at(nth, false);
        rc = tp_run_start(run, &err);
        tp_alloc_fail_at(0, false);
        tp_run_destroy(run);
        assert_int_equal(tp_alloc_live_bytes(), live_bytes);
    }
    assert_int_equal(rc, TP_E_KERNEL);
    assert_non_null(strstr(s.paths, "create out/\n"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH_TEST(test_every_path_is_named_with_its_use),
        SCRATCH_TEST(test_nothing_is_read_before),
        SCRATCH_TEST(test_a_folder_that_cannot_be_made_is_told),
        SCRATCH_TEST(test_lack_of_memory_in_a_visit_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
