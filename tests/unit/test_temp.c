// Temporary files: whom they belong to, and what becomes of those that belong to nobody.
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "out_steps.h"
#include "scratch.h"

// errno that flock answers with; 0: ask the kernel.
static int g_flock_errno;

int flock(int fd, int what)
{
    if (g_flock_errno != 0) {
        errno = g_flock_errno;
        return -1;
    }
    return (int)syscall(SYS_flock, fd, what);
}

// As a run that writes one output into the current folder.
static void run_writes(const char *path)
{
    struct tp_sweep sweep;
    tp_sweep_init(&sweep);
    struct tp_outfile *out = must_start(path, TP_OUT_REPLACE, "x");
    tp_out_sweep(out, &sweep);
    expect_commit(out, 0, 0);
    tp_sweep_fini(&sweep);
}

// A child that has begun an output; it ends by a signal, or commits when `go` is closed.
static pid_t start_writer(const char *path, int go[2])
{
    int begun[2];
    char byte;
    assert_int_equal(pipe(begun) | pipe(go), 0);
    pid_t child = fork();
    if (child == 0) {
        struct tp_outfile *out = NULL;
        close(go[1]);
        if (tp_out_open(path, 0, TP_OUT_REPLACE, &out, NULL) != 0 || write(begun[1], "", 1) != 1)
            _exit(1);
        (void)!read(go[0], &byte, 1);
        _exit(tp_out_commit(out, NULL) == 0 ? 0 : 2);
    }
    assert_int_equal(read(begun[0], &byte, 1), 1);
    close(begun[0]);
    close(begun[1]);
    close(go[0]);
    return child;
}

static void leave_by_kill(const char *path)
{
    int go[2];
    pid_t child = start_writer(path, go);
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    close(go[1]);
}

static void test_what_a_killed_process_left_is_removed(void **state)
{
    (void)state;
    leave_by_kill("a");
    leave_by_kill("b");
    assert_int_equal(count_entries("."), 2);
    run_writes("c");
    assert_int_equal(count_entries("."), 1);
    expect_file("c", "x");
}

static void test_what_a_living_process_writes_stays(void **state)
{
    (void)state;
    int go[2], status;
    pid_t child = start_writer("theirs", go);
    run_writes("ours");
    assert_int_equal(count_entries("."), 2);
    close(go[1]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    expect_file("theirs", "");
    // Nor does a second run of the same process.
    struct tp_outfile *out = must_start("mine", TP_OUT_REPLACE, "y");
    run_writes("ours");
    expect_commit(out, 0, 0);
    expect_file("mine", "y");
    assert_int_equal(count_entries("."), 3);
}

static void test_other_files_stay(void **state)
{
    (void)state;
    static const char *const names[] = {
        ".tracepipe-abcdef.tmp", "a.tracepipe-abcdef.tmp", ".a.tracepipe-ABCDEF.tmp",
        ".a.tracepipe-abcde.tmp", ".a.tracepipe-abcdefg.tmp", ".a.tracepipe-abcdef.tmp~",
        ".a.tracepipe_abcdef.tmp", ".notes.backup.tmp", ".a.abcdef.tmp", "a",
    };
    for (size_t i = 0; i < TP_ARRAY_LEN(names); i++)
        make_file(names[i], "precious");
    assert_int_equal(mkdir(".d.tracepipe-abcdef.tmp", 0777), 0);
    assert_int_equal(mkfifo(".p.tracepipe-abcdef.tmp", 0666), 0);
    assert_int_equal(symlink("a", ".s.tracepipe-abcdef.tmp"), 0);
    make_file(".locked.tracepipe-abcdef.tmp", "");
    make_file(".stale.tracepipe-abcdef.tmp", "");
    int fd = open(".locked.tracepipe-abcdef.tmp", O_RDONLY);
    assert_int_equal(flock(fd, LOCK_SH), 0);
    run_writes("out");
    assert_int_equal(access(".stale.tracepipe-abcdef.tmp", F_OK), -1);
    assert_int_equal(count_entries("."), TP_ARRAY_LEN(names) + 5);
    close(fd);
    run_writes("out");
    assert_int_equal(count_entries("."), TP_ARRAY_LEN(names) + 4);
    for (size_t i = 0; i < TP_ARRAY_LEN(names); i++)
        expect_file(names[i], "precious");
}

static void test_a_folder_is_read_once_a_run(void **state)
{
    (void)state;
    static const char stale[] = ".a.tracepipe-abcdef.tmp", deep[] = "d/.a.tracepipe-abcdef.tmp";
    struct tp_sweep sweep;
    tp_sweep_init(&sweep);
    assert_int_equal(mkdir("d", 0777), 0);
    struct tp_outfile *out = must_open("o", TP_OUT_REPLACE);
    tp_out_sweep(out, &sweep);
    make_file(stale, "");
    make_file(deep, "");
    tp_out_sweep(out, &sweep);
    assert_int_equal(access(stale, F_OK), 0);
    tp_out_abandon(out);
    out = must_open("d/o", TP_OUT_REPLACE);
    tp_out_sweep(out, &sweep);
    assert_int_equal(access(deep, F_OK), -1);
    tp_out_abandon(out);
    tp_sweep_fini(&sweep);
    assert_int_equal(access(stale, F_OK), 0);
}

static void test_in_place_outputs_have_nothing_to_sweep(void **state)
{
    (void)state;
    struct tp_sweep sweep;
    tp_sweep_init(&sweep);
    make_file(".a.tracepipe-abcdef.tmp", "");
    struct tp_outfile *out = must_open("/dev/null", TP_OUT_REPLACE);
    tp_out_sweep(out, &sweep);
    tp_out_abandon(out);
    tp_sweep_fini(&sweep);
    assert_int_equal(count_entries("."), 1);
}

static void test_without_locks_nothing_is_recognised(void **state)
{
    (void)state;
    static const int errnos[] = {ENOLCK, EOPNOTSUPP, ENOSYS, EINVAL};
    for (size_t i = 0; i < TP_ARRAY_LEN(errnos); i++) {
        g_flock_errno = errnos[i];
        struct tp_outfile *out = must_start("theirs", TP_OUT_REPLACE, "y");
        g_flock_errno = 0;
        run_writes("ours");
        assert_int_equal(count_entries("."), 2 + (i > 0));
        expect_commit(out, 0, 0);
        expect_file("theirs", "y");
        make_file(".a.tracepipe-abcdef.tmp", "");
        g_flock_errno = errnos[i];
        run_writes("ours");
        g_flock_errno = 0;
        assert_int_equal(unlink(".a.tracepipe-abcdef.tmp"), 0);
    }
}

// Many processes that make, sweep and complete in one folder at once.
static void test_processes_that_sweep_lose_nothing(void **state)
{
    (void)state;
    enum { PROCESSES = 4, OUTPUTS = 300 };
    pid_t children[PROCESSES];
    for (unsigned p = 0; p < PROCESSES; p++) {
        children[p] = fork();
        if (children[p] != 0)
            continue;
        int bad = 0;
        for (unsigned i = 0; i < OUTPUTS && !bad; i++) {
            char name[32];
            struct tp_outfile *out = NULL;
            struct tp_sweep sweep;
            tp_sweep_init(&sweep);
            snprintf(name, sizeof name, "p%u-%u", p, i);
            bad = tp_out_open(name, 0, TP_OUT_KEEP_EXISTING, &out, NULL) != 0;
            if (bad)
                break;
            tp_out_sweep(out, &sweep);
            bad = tp_out_commit(out, NULL) != 0;
            tp_sweep_fini(&sweep);
        }
        _exit(bad);
    }
    for (unsigned p = 0; p < PROCESSES; p++) {
        int status;
        assert_int_equal(waitpid(children[p], &status, 0), children[p]);
        assert_int_equal(status, 0);
    }
    assert_int_equal(count_entries("."), PROCESSES * OUTPUTS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH_TEST(test_what_a_killed_process_left_is_removed),
        SCRATCH_TEST(test_what_a_living_process_writes_stays),
        SCRATCH_TEST(test_other_files_stay),
        SCRATCH_TEST(test_a_folder_is_read_once_a_run),
        SCRATCH_TEST(test_in_place_outputs_have_nothing_to_sweep),
        SCRATCH_TEST(test_without_locks_nothing_is_recognised),
        SCRATCH_TEST(test_processes_that_sweep_lose_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
