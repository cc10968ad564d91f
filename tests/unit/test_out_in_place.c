// Outputs that are written where they are: stdout, devices, FIFOs, descriptors.
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/attr.h"
#include "out_steps.h"
#include "scratch.h"

static void test_out_full_device(void **state)
{
    (void)state;
    assert_true(tp_out_is_in_place("/dev/full"));
    struct tp_outfile *out = must_open("/dev/full", TP_OUT_KEEP_EXISTING);
    struct tp_error err = {0};
    assert_int_equal(tp_out_write(out, "x", 1, &err), TP_E_WRITE);
    assert_int_equal(err.sys_errno, ENOSPC);
    // Once failed, it can neither go on nor be completed.
    assert_int_equal(tp_out_write(out, "x", 1, NULL), TP_E_WRITE);
    assert_int_equal(tp_out_written_bytes(out), 0);
    expect_commit(out, TP_E_WRITE, ENOSPC);
}

static void test_out_null_device_stays(void **state)
{
    (void)state;
    assert_true(tp_out_is_in_place("/dev/null"));
    expect_commit(must_start("/dev/null", TP_OUT_REPLACE, "x"), 0, 0);
    struct stat st;
    assert_int_equal(stat("/dev/null", &st), 0);
    assert_true(S_ISCHR(st.st_mode));
    assert_int_equal(symlink("/dev/null", "to-null"), 0);
    assert_true(tp_out_is_in_place("to-null"));
    expect_commit(must_start("to-null", TP_OUT_KEEP_EXISTING, "x"), 0, 0);
    assert_int_equal(lstat("to-null", &st), 0);
    assert_true(S_ISLNK(st.st_mode));
}

static void *read_fifo(void *arg)
{
    char *got = arg;
    int fd = open("fifo", O_RDONLY | O_CLOEXEC);
    ssize_t n = 0, part;
    while (fd >= 0 && (part = read(fd, got + n, 63 - (size_t)n)) > 0)
        n += part;
    close(fd);
    return NULL;
}

static void test_out_fifo_is_written_in_place(void **state)
{
    (void)state;
    assert_int_equal(mkfifo("fifo", 0666), 0);
    assert_true(tp_out_is_in_place("fifo"));
    char got[64] = {0};
    pthread_t reader;
    assert_int_equal(pthread_create(&reader, NULL, read_fifo, got), 0);
    struct tp_outfile *out = must_start("fifo", TP_OUT_KEEP_EXISTING, "through");
    expect_commit(out, 0, 0);
    pthread_join(reader, NULL);
    assert_string_equal(got, "through");
    struct stat st;
    assert_int_equal(lstat("fifo", &st), 0);
    assert_true(S_ISFIFO(st.st_mode));
    assert_int_equal(count_entries("."), 1);
}

// Puts fd 1 elsewhere while a test writes to it.
static int divert_stdout(int fd)
{
    fflush(stdout);
    int saved = dup(STDOUT_FILENO);
    dup2(fd, STDOUT_FILENO);
    return saved;
}

static void restore_stdout(int saved)
{
    dup2(saved, STDOUT_FILENO);
    close(saved);
}

static void test_out_stdout(void **state)
{
    (void)state;
    int fd = open("captured", O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    int saved = divert_stdout(fd);
    bool in_place = tp_out_is_in_place("-");
    bool terminal = tp_out_is_terminal("-");
    struct tp_outfile *out = NULL, *again = NULL;
    int rc = tp_out_open("-", 0, TP_OUT_KEEP_EXISTING, &out, NULL);
    int write_rc = rc == 0 ? tp_out_write(out, "one ", 4, NULL) : -1;
    int commit_rc = rc == 0 ? tp_out_commit(out, NULL) : -1;
    int again_rc = tp_out_open("-", 0, TP_OUT_KEEP_EXISTING, &again, NULL);
    if (again_rc == 0) {
        again_rc = tp_out_write(again, "two", 3, NULL);
        tp_out_abandon(again);
    }
    bool still_open = fcntl(STDOUT_FILENO, F_GETFD) >= 0;
    restore_stdout(saved);
    close(fd);
    assert_true(in_place);
    assert_false(terminal);
    assert_int_equal(rc, 0);
    assert_int_equal(write_rc, 0);
    assert_int_equal(commit_rc, 0);
    assert_int_equal(again_rc, 0);
    assert_true(still_open);
    expect_file("captured", "one two");
    assert_int_equal(count_entries("."), 1);
}

static void test_out_stdout_that_is_closed(void **state)
{
    (void)state;
    fflush(stdout);
    int saved = dup(STDOUT_FILENO);
    close(STDOUT_FILENO);
    struct tp_outfile *out = NULL;
    struct tp_error err = {0};
    int rc = tp_out_open("-", 0, TP_OUT_REPLACE, &out, &err);
    restore_stdout(saved);
    assert_int_equal(rc, TP_E_WRITE);
    assert_int_equal(err.sys_errno, EBADF);
}

// A regular file behind the name of a descriptor: nothing may be renamed over the
// name, and what the file holds already stays.
static void test_out_descriptor_by_name_is_appended_to(void **state)
{
    (void)state;
    make_file("captured", "before ");
    int fd = open("captured", O_WRONLY | O_CLOEXEC);
    assert_true(fd >= 0);
    char names[5][64];
    snprintf(names[0], sizeof names[0], "/dev/fd/%d", fd);
    snprintf(names[1], sizeof names[1], "/proc/self/fd/%d", fd);
    snprintf(names[2], sizeof names[2], "link");
    assert_int_equal(symlink(names[1], "link"), 0);
    // As in a root where /dev/stdout is fd/1, and /dev/fd is /proc/self/fd.
    char in_folder[64];
    snprintf(in_folder, sizeof in_folder, "fd/%d", fd);
    assert_int_equal(symlink("/proc/self/fd", "fd"), 0);
    assert_int_equal(symlink(in_folder, "stdout"), 0);
    assert_int_equal(symlink("stdout", "output"), 0);
    snprintf(names[3], sizeof names[3], "./stdout");
    snprintf(names[4], sizeof names[4], "output");
    for (size_t i = 0; i < TP_ARRAY_LEN(names); i++) {
        assert_true(tp_out_is_in_place(names[i]));
        expect_commit(must_start(names[i], TP_OUT_KEEP_EXISTING, "x"), 0, 0);
    }
    close(fd);
    expect_file("captured", "before xxxxx");
    for (size_t i = 2; i < TP_ARRAY_LEN(names); i++) {
        struct stat st;
        assert_int_equal(lstat(names[i], &st), 0);
        assert_true(S_ISLNK(st.st_mode));
    }
    assert_int_equal(count_entries("."), 5);
}

static void test_out_closed_pipe(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    close(ends[0]);
    int saved = divert_stdout(ends[1]);
    struct tp_outfile *out = NULL;
    struct tp_error err = {0};
    int rc = tp_out_open("-", 0, TP_OUT_REPLACE, &out, NULL);
    int write_rc = rc == 0 ? tp_out_write(out, "x", 1, &err) : 0;
    int commit_rc = rc == 0 ? tp_out_commit(out, NULL) : 0;
    restore_stdout(saved);
    close(ends[1]);
    assert_int_equal(rc, 0);
    assert_int_equal(write_rc, TP_E_PIPE);
    assert_int_equal(err.sys_errno, EPIPE);
    assert_int_equal(commit_rc, TP_E_PIPE);
}

struct drain {
    int fd;
    size_t total_bytes;
};

static void *drain(void *arg)
{
    struct drain *d = arg;
    char bytes[5000];
    ssize_t n;
    while ((n = read(d->fd, bytes, sizeof bytes)) > 0)
        d->total_bytes += (size_t)n;
    return NULL;
}

static void test_out_non_blocking_pipe_is_waited_for(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    assert_int_equal(fcntl(ends[1], F_SETFL, O_NONBLOCK), 0);
    struct drain d = {.fd = ends[0]};
    pthread_t reader;
    assert_int_equal(pthread_create(&reader, NULL, drain, &d), 0);
    size_t len = 1000000;
    char *bytes = calloc(1, len);
    int saved = divert_stdout(ends[1]);
    close(ends[1]);
    struct tp_outfile *out = NULL;
    int rc = tp_out_open("-", 0, TP_OUT_REPLACE, &out, NULL);
    if (rc == 0)
        rc = tp_out_write(out, bytes, len, NULL);
    if (rc == 0)
        rc = tp_out_commit(out, NULL);
    restore_stdout(saved);
    free(bytes);
    pthread_join(reader, NULL);
    close(ends[0]);
    assert_int_equal(rc, 0);
    assert_int_equal(d.total_bytes, len);
}

static void test_out_terminals(void **state)
{
    (void)state;
    assert_false(tp_out_is_terminal("/dev/null"));
    assert_false(tp_out_is_terminal("missing"));
    make_file("file", "");
    assert_false(tp_out_is_terminal("file"));
    assert_false(tp_out_is_in_place("file"));
    assert_false(tp_out_is_in_place("missing"));
    int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (terminal < 0 || grantpt(terminal) != 0 || unlockpt(terminal) != 0)
        skip();
    char name[64];
    assert_int_equal(ptsname_r(terminal, name, sizeof name), 0);
    assert_true(tp_out_is_terminal(name));
    assert_true(tp_out_is_in_place(name));
    close(terminal);
}

int main(void)
{
    signal(SIGPIPE, SIG_IGN);
    const struct CMUnitTest tests[] = {
        SCRATCH_TEST(test_out_full_device),
        SCRATCH_TEST(test_out_null_device_stays),
        SCRATCH_TEST(test_out_fifo_is_written_in_place),
        SCRATCH_TEST(test_out_stdout),
        SCRATCH_TEST(test_out_stdout_that_is_closed),
        SCRATCH_TEST(test_out_descriptor_by_name_is_appended_to),
        SCRATCH_TEST(test_out_closed_pipe),
        SCRATCH_TEST(test_out_non_blocking_pipe_is_waited_for),
        SCRATCH_TEST(test_out_terminals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
