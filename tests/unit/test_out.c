// Outputs with a temporary file, and the file systems' ways to fail them. Four
// system calls are replaced below by doors that a test can make fail; where nothing
// is asked for they go straight to the kernel.
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "out_steps.h"
#include "scratch.h"

// errno values to answer with; 0: ask the kernel. Fsync counts down: the n-th call
// from now fails.
static struct {
    int renameat2_errno;
    int linkat_errno;
    int fsync_errno;
    int fsync_nth;
    size_t write_most_bytes; // short writes; 0: as long as they are
} doors;

int renameat2(int from_fd, const char *from, int to_fd, const char *to, unsigned flags)
{
    if (doors.renameat2_errno != 0) {
        errno = doors.renameat2_errno;
        return -1;
    }
    return (int)syscall(SYS_renameat2, from_fd, from, to_fd, to, flags);
}

int linkat(int from_fd, const char *from, int to_fd, const char *to, int flags)
{
    if (doors.linkat_errno != 0) {
        errno = doors.linkat_errno;
        return -1;
    }
    return (int)syscall(SYS_linkat, from_fd, from, to_fd, to, flags);
}

int fsync(int fd)
{
    if (doors.fsync_nth > 0 && --doors.fsync_nth == 0) {
        errno = doors.fsync_errno;
        return -1;
    }
    return (int)syscall(SYS_fsync, fd);
}

ssize_t write(int fd, const void *bytes, size_t len_bytes)
{
    size_t most = doors.write_most_bytes;
    return syscall(SYS_write, fd, bytes, most == 0 || len_bytes < most ? len_bytes : most);
}

static int set_up(void **state)
{
    memset(&doors, 0, sizeof doors);
    return scratch_set_up(state);
}

static int tear_down(void **state)
{
    memset(&doors, 0, sizeof doors);
    return scratch_tear_down(state);
}

static void test_out_appears_when_committed(void **state)
{
    (void)state;
    mode_t old_mask = umask(027);
    struct tp_outfile *out = must_start("result", TP_OUT_KEEP_EXISTING, "hello ");
    assert_int_equal(access("result", F_OK), -1);
    assert_int_equal(count_entries("."), 1);
    assert_int_equal(tp_out_write(out, "world", 5, NULL), 0);
    assert_int_equal(tp_out_write(out, NULL, 0, NULL), 0);
    assert_int_equal(tp_out_written_bytes(out), 11);
    expect_commit(out, 0, 0);
    umask(old_mask);
    expect_file("result", "hello world");
    assert_int_equal(count_entries("."), 1);
    struct stat st;
    assert_int_equal(stat("result", &st), 0);
    assert_int_equal(st.st_mode & 07777, 0640);
}

static void test_out_abandoned_leaves_nothing(void **state)
{
    (void)state;
    make_file("old", "old");
    tp_out_abandon(must_start("new", TP_OUT_KEEP_EXISTING, "x"));
    tp_out_abandon(must_start("old", TP_OUT_REPLACE, "x"));
    tp_out_abandon(NULL);
    expect_file("old", "old");
    assert_int_equal(count_entries("."), 1);
}

static void test_out_existing_file_is_kept_or_replaced(void **state)
{
    (void)state;
    make_file("result", "old");
    expect_refusal("result", TP_OUT_KEEP_EXISTING, TP_E_EXISTS, 0);
    expect_file("result", "old");
    struct tp_outfile *out = must_start("result", TP_OUT_REPLACE, "new");
    expect_file("result", "old");
    expect_commit(out, 0, 0);
    expect_file("result", "new");
    assert_int_equal(count_entries("."), 1);
}

// Another program takes the name while we write, on file systems that can rename
// without replacing, that can only link, and that can do neither.
static void test_out_name_taken_meanwhile_is_kept(void **state)
{
    (void)state;
    static const int errors[][2] = {{0, 0}, {EINVAL, 0}, {ENOSYS, 0}, {EINVAL, EPERM}};
    for (size_t i = 0; i < TP_ARRAY_LEN(errors); i++) {
        doors.renameat2_errno = errors[i][0];
        doors.linkat_errno = errors[i][1];
        struct tp_outfile *out = must_start("result", TP_OUT_KEEP_EXISTING, "ours");
        make_file("result", "theirs");
        expect_commit(out, TP_E_EXISTS, 0);
        expect_file("result", "theirs");
        assert_int_equal(count_entries("."), 1);
        assert_int_equal(unlink("result"), 0);

        expect_commit(must_start("result", TP_OUT_KEEP_EXISTING, "ours"), 0, 0);
        expect_file("result", "ours");
        assert_int_equal(count_entries("."), 1);
        assert_int_equal(unlink("result"), 0);
    }
    doors.renameat2_errno = EIO;
    expect_commit(must_start("result", TP_OUT_KEEP_EXISTING, "ours"), TP_E_WRITE, EIO);
    assert_int_equal(count_entries("."), 0);
}

#define RACE_THREADS 8

struct racer {
    pthread_barrier_t *barrier;
    int rc;
    char text[2];
};

static void *race(void *arg)
{
    struct racer *r = arg;
    struct tp_outfile *out = NULL;
    r->rc = tp_out_open("result", 0, TP_OUT_KEEP_EXISTING, &out, NULL);
    if (r->rc == 0)
        r->rc = tp_out_write(out, r->text, 1, NULL);
    pthread_barrier_wait(r->barrier);
    if (r->rc == 0)
        r->rc = tp_out_commit(out, NULL);
    else
        tp_out_abandon(out);
    return NULL;
}

static void test_out_of_many_commits_one_wins(void **state)
{
    (void)state;
    for (int round = 0; round < 20; round++) {
        pthread_barrier_t barrier;
        pthread_barrier_init(&barrier, NULL, RACE_THREADS);
        struct racer racers[RACE_THREADS];
        pthread_t threads[RACE_THREADS];
        doors.renameat2_errno = round % 2 ? EINVAL : 0;
        for (int i = 0; i < RACE_THREADS; i++) {
            racers[i] = (struct racer){&barrier, 0, {(char)('a' + i), '\0'}};
            assert_int_equal(pthread_create(&threads[i], NULL, race, &racers[i]), 0);
        }
        for (int i = 0; i < RACE_THREADS; i++)
            pthread_join(threads[i], NULL);
        pthread_barrier_destroy(&barrier);
        int won = -1;
        for (int i = 0; i < RACE_THREADS; i++) {
            if (racers[i].rc == 0) {
                assert_int_equal(won, -1);
                won = i;
            } else {
                assert_int_equal(racers[i].rc, TP_E_EXISTS);
            }
        }
        assert_true(won >= 0);
        expect_file("result", racers[won].text);
        assert_int_equal(count_entries("."), 1);
        assert_int_equal(unlink("result"), 0);
    }
}

// As other programs do: a mistyped path makes no tree of folders.
static void test_out_makes_no_folders(void **state)
{
    (void)state;
    expect_refusal("a/result", TP_OUT_REPLACE, TP_E_WRITE, ENOENT);
    expect_refusal("./a//b/result", TP_OUT_REPLACE, TP_E_WRITE, ENOENT);
    make_file("file", "");
    expect_refusal("file/result", TP_OUT_REPLACE, TP_E_WRITE, ENOTDIR);
    assert_int_equal(symlink("nowhere", "dangling"), 0);
    expect_refusal("dangling/result", TP_OUT_REPLACE, TP_E_WRITE, ENOENT);
    assert_int_equal(count_entries("."), 2);
}

// A root and what is below it are made, but no folder above the root.
static void test_out_makes_its_root_and_folders_below(void **state)
{
    const char *folder = scratch_path(*state);
    char absolute[128];
    snprintf(absolute, sizeof absolute, "%s/x", folder);
    const char *const roots[] = {"a", "b/", "./d//", absolute, "a/deep", "a"};
    struct tp_error err;
    struct tp_outfile *out;
    for (size_t i = 0; i < TP_ARRAY_LEN(roots); i++) {
        char path[256];
        snprintf(path, sizeof path, "%s/y/z/result%zu", roots[i], i);
        assert_int_equal(tp_out_open(path, strlen(roots[i]), TP_OUT_KEEP_EXISTING, &out, &err), 0);
        assert_int_equal(tp_out_write(out, "x", 1, &err), 0);
        assert_int_equal(tp_out_commit(out, &err), 0);
        expect_file(path, "x");
    }
    assert_int_equal(tp_out_open("p/q/result", 3, TP_OUT_REPLACE, &out, &err), TP_E_WRITE);
    assert_int_equal(err.sys_errno, ENOENT);
    assert_int_equal(tp_out_open("/nowhere/q/result", 10, TP_OUT_REPLACE, &out, &err), TP_E_WRITE);
    assert_int_equal(count_entries("."), 4);
}

static void test_out_folders_are_no_outputs(void **state)
{
    (void)state;
    assert_int_equal(mkdir("d", 0777), 0);
    assert_int_equal(symlink("d", "link"), 0);
    static const char *const paths[] = {"d", "d/", "link", ".", "/", "missing/"};
    for (size_t i = 0; i < TP_ARRAY_LEN(paths); i++)
        expect_refusal(paths[i], TP_OUT_REPLACE, TP_E_WRITE, EISDIR);
    assert_int_equal(count_entries("d"), 0);
}

static void test_out_long_names(void **state)
{
    (void)state;
    char name[NAME_MAX + 2];
    memset(name, 'n', sizeof name);
    name[NAME_MAX] = '\0';
    struct tp_outfile *out = must_start(name, TP_OUT_KEEP_EXISTING, "long");
    assert_int_equal(count_entries("."), 1);
    expect_commit(out, 0, 0);
    expect_file(name, "long");
    // Two bytes per letter, so that the cut would fall inside of one.
    for (size_t i = 1; i + 1 < NAME_MAX; i += 2)
        memcpy(name + i, "\xc3\xa9", 2);
    expect_commit(must_start(name, TP_OUT_KEEP_EXISTING, "umlaut"), 0, 0);
    expect_file(name, "umlaut");
    assert_int_equal(count_entries("."), 2);
    memset(name, 'n', NAME_MAX + 1);
    name[NAME_MAX + 1] = '\0';
    expect_refusal(name, TP_OUT_REPLACE, TP_E_WRITE, ENAMETOOLONG);
}

static void test_out_survives_a_change_of_folder(void **state)
{
    (void)state;
    struct tp_outfile *out = must_start("result", TP_OUT_REPLACE, "x");
    assert_int_equal(mkdir("elsewhere", 0777), 0);
    assert_int_equal(chdir("elsewhere"), 0);
    expect_commit(out, 0, 0);
    assert_int_equal(count_entries("."), 0);
    assert_int_equal(chdir(".."), 0);
    expect_file("result", "x");
}

static void test_out_symbolic_link_is_replaced_itself(void **state)
{
    (void)state;
    make_file("target", "old");
    assert_int_equal(symlink("target", "link"), 0);
    assert_int_equal(symlink("nowhere", "dangling"), 0);
    assert_false(tp_out_is_in_place("link"));
    assert_false(tp_out_is_in_place("dangling"));
    expect_refusal("link", TP_OUT_KEEP_EXISTING, TP_E_EXISTS, 0);
    expect_refusal("dangling", TP_OUT_KEEP_EXISTING, TP_E_EXISTS, 0);
    expect_commit(must_start("link", TP_OUT_REPLACE, "new"), 0, 0);
    expect_commit(must_start("dangling", TP_OUT_REPLACE, "new"), 0, 0);
    expect_file("target", "old");
    expect_file("link", "new");
    expect_file("dangling", "new");
    assert_int_equal(count_entries("."), 3);
}

static void test_out_closed_folder(void **state)
{
    (void)state;
    // Root may write everywhere, so it becomes somebody else meanwhile.
    bool was_root = geteuid() == 0;
    assert_int_equal(chmod(".", 0755), 0);
    assert_int_equal(mkdir("closed", 0555), 0);
    assert_int_equal(mkdir("drop", 0777), 0);
    assert_int_equal(chmod("drop", 0333), 0); // may be written, not read
    if (was_root && seteuid(65534) != 0)
        skip();
    struct tp_outfile *out = NULL;
    struct tp_error err = {0}, sub_err = {0};
    int rc = tp_out_open("closed/result", 0, TP_OUT_KEEP_EXISTING, &out, &err);
    int sub_rc =
        tp_out_open("closed/sub/result", strlen("closed"), TP_OUT_KEEP_EXISTING, &out, &sub_err);
    int drop_rc = tp_out_open("drop/result", 0, TP_OUT_KEEP_EXISTING, &out, NULL);
    if (drop_rc == 0)
        drop_rc = tp_out_commit(out, NULL);
    if (was_root)
        assert_int_equal(seteuid(0), 0);
    assert_int_equal(chmod("closed", 0777), 0);
    assert_int_equal(chmod("drop", 0777), 0);
    assert_int_equal(rc, TP_E_WRITE);
    assert_int_equal(err.sys_errno, EACCES);
    assert_int_equal(sub_rc, TP_E_WRITE);
    assert_int_equal(sub_err.sys_errno, EACCES);
    assert_int_equal(drop_rc, 0);
    assert_int_equal(count_entries("closed"), 0);
    assert_int_equal(count_entries("drop"), 1);
}

static void test_out_failed_write_is_never_committed(void **state)
{
    (void)state;
    // A file size limit makes a regular file fail.
    pid_t child = fork();
    if (child == 0) {
        struct tp_outfile *out = NULL;
        const struct rlimit limit = {10, 10};
        signal(SIGXFSZ, SIG_IGN);
        int bad = tp_out_open("result", 0, TP_OUT_REPLACE, &out, NULL) != 0;
        bad |= setrlimit(RLIMIT_FSIZE, &limit) != 0;
        bad |= tp_out_write(out, "0123456789abcdef", 16, NULL) != TP_E_WRITE;
        bad |= tp_out_written_bytes(out) != 10;
        struct tp_error err = {0};
        bad |= tp_out_commit(out, &err) != TP_E_WRITE || err.sys_errno != EFBIG;
        _exit(bad);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(count_entries("."), 0);
}

static void test_out_short_writes(void **state)
{
    (void)state;
    static const size_t most[] = {0, 1, 7};
    static const char text[] = "abcdefghijklmnopqrstuvwxyz";
    for (size_t m = 0; m < TP_ARRAY_LEN(most); m++) {
        char got[sizeof text] = "";
        struct tp_outfile *out = must_open("result", TP_OUT_REPLACE);
        doors.write_most_bytes = most[m];
        assert_int_equal(tp_out_write(out, text, sizeof text - 1, NULL), 0);
        assert_int_equal(tp_out_write(out, NULL, 0, NULL), 0);
        doors.write_most_bytes = 0;
        assert_int_equal(tp_out_written_bytes(out), sizeof text - 1);
        expect_commit(out, 0, 0);
        FILE *file = fopen("result", "re");
        assert_non_null(file);
        assert_int_equal(fread(got, 1, sizeof got, file), sizeof text - 1);
        assert_string_equal(got, text);
        fclose(file);
    }
}

static void test_out_failing_sync(void **state)
{
    (void)state;
    // 1: of the file, 2: of the folder.
    for (int nth = 1; nth <= 2; nth++) {
        doors.fsync_nth = nth;
        doors.fsync_errno = EIO;
        expect_commit(must_start("result", TP_OUT_KEEP_EXISTING, "x"), TP_E_WRITE, EIO);
        assert_int_equal(doors.fsync_nth, 0);
        assert_int_equal(count_entries("."), 0);
        // A file system that cannot sync is no failure.
        doors.fsync_nth = nth;
        doors.fsync_errno = EINVAL;
        expect_commit(must_start("result", TP_OUT_KEEP_EXISTING, "x"), 0, 0);
        assert_int_equal(doors.fsync_nth, 0);
        assert_int_equal(unlink("result"), 0);
    }
    // Of a folder that was made for the output.
    doors.fsync_nth = 1;
    doors.fsync_errno = EIO;
    struct tp_outfile *out = NULL;
    struct tp_error err;
    assert_int_equal(tp_out_open("sub/result", strlen("sub"), TP_OUT_REPLACE, &out, &err),
                     TP_E_WRITE);
    assert_int_equal(err.sys_errno, EIO);
}

static void test_out_without_memory(void **state)
{
    (void)state;
    for (uint64_t nth = 1; nth <= 2; nth++) {
        uint64_t before = tp_alloc_live_bytes();
        tp_alloc_fail_at(nth, false);
        expect_refusal("result", TP_OUT_REPLACE, TP_E_MEMORY, 0);
        tp_alloc_fail_at(0, false);
        assert_int_equal(tp_alloc_live_bytes(), before);
    }
    assert_int_equal(count_entries("."), 0);
}

static void test_out_messages_keep_the_end_of_a_long_path(void **state)
{
    (void)state;
    char path[3000];
    memset(path, 0, sizeof path);
    for (int i = 0; i < 400; i++)
        strcat(path, "d/");
    strcat(path, "end/");
    struct tp_outfile *out = NULL;
    struct tp_error err = {0};
    assert_int_equal(tp_out_open(path, 0, TP_OUT_REPLACE, &out, &err), TP_E_WRITE);
    assert_non_null(strstr(err.text, "/end/'"));
    assert_non_null(strstr(err.text, strerror(EISDIR)));
}

// tp_out_unlink_all is for ever, so it gets a process of its own. Returns what is
// wrong as bits, because a child cannot assert.
static int stop_and_look(void)
{
    struct tp_outfile *outs[3] = {NULL, NULL, NULL};
    struct tp_outfile *late = NULL;
    int bad = 0;
    bad |= tp_out_open("a", 0, TP_OUT_REPLACE, &outs[0], NULL) != 0;
    bad |= tp_out_open("old", 0, TP_OUT_REPLACE, &outs[1], NULL) != 0;
    bad |= tp_out_open("c", 0, TP_OUT_KEEP_EXISTING, &outs[2], NULL) != 0;
    if (bad != 0)
        return 1;
    tp_out_unlink_all();
    tp_out_unlink_all();
    struct tp_error err = {0};
    bad |= tp_out_open("late", 0, TP_OUT_REPLACE, &late, &err) == TP_E_STOPPED ? 0 : 2;
    bad |= err.code == TP_E_STOPPED ? 0 : 4;
    // Who is still writing may go on, to no effect.
    bad |= tp_out_write(outs[0], "x", 1, NULL) == 0 ? 0 : 8;
    bad |= tp_out_commit(outs[0], &err) == TP_E_STOPPED ? 0 : 16;
    bad |= tp_out_commit(outs[1], &err) == TP_E_STOPPED ? 0 : 32;
    tp_out_abandon(outs[2]);
    return bad;
}

static void test_out_unlink_all_leaves_no_temporary_file(void **state)
{
    (void)state;
    make_file("old", "old");
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        _exit(stop_and_look());
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    expect_file("old", "old");
    assert_int_equal(count_entries("."), 1);
}

static void *keep_opening(void *arg)
{
    const char *name = arg;
    for (;;) {
        struct tp_outfile *out = NULL;
        if (tp_out_open(name, 0, TP_OUT_REPLACE, &out, NULL) != 0)
            return NULL;
        if (tp_out_write(out, name, 2, NULL) != 0 || tp_out_commit(out, NULL) != 0)
            return NULL;
    }
}

// The process ends right after tp_out_unlink_all, with outputs at all stages: only
// final names, with all their bytes, may be left.
static void test_out_unlink_all_beside_writers(void **state)
{
    (void)state;
    for (int round = 0; round < 10; round++) {
        fflush(NULL);
        pid_t child = fork();
        if (child == 0) {
            static char names[4][3] = {"r0", "r1", "r2", "r3"};
            pthread_t threads[4];
            for (int i = 0; i < 4; i++)
                if (pthread_create(&threads[i], NULL, keep_opening, names[i]) != 0)
                    _exit(1);
            usleep((useconds_t)(1000 * (round + 1)));
            tp_out_unlink_all();
            // Not _exit, at which sanitizers ask for threads that were not joined.
            syscall(SYS_exit_group, 0);
        }
        int status = -1;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(status, 0);
        size_t found = 0;
        for (int i = 0; i < 4; i++) {
            const char name[] = {'r', (char)('0' + i), '\0'};
            if (access(name, F_OK) == 0) {
                found++;
                expect_file(name, name);
            }
        }
        assert_int_equal(count_entries("."), found);
    }
}

#define OUT_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        OUT_TEST(test_out_appears_when_committed),
        OUT_TEST(test_out_abandoned_leaves_nothing),
        OUT_TEST(test_out_existing_file_is_kept_or_replaced),
        OUT_TEST(test_out_name_taken_meanwhile_is_kept),
        OUT_TEST(test_out_of_many_commits_one_wins),
        OUT_TEST(test_out_makes_no_folders),
        OUT_TEST(test_out_makes_its_root_and_folders_below),
        OUT_TEST(test_out_folders_are_no_outputs),
        OUT_TEST(test_out_long_names),
        OUT_TEST(test_out_survives_a_change_of_folder),
        OUT_TEST(test_out_symbolic_link_is_replaced_itself),
        OUT_TEST(test_out_closed_folder),
        OUT_TEST(test_out_failed_write_is_never_committed),
        OUT_TEST(test_out_short_writes),
        OUT_TEST(test_out_failing_sync),
        OUT_TEST(test_out_without_memory),
        OUT_TEST(test_out_messages_keep_the_end_of_a_long_path),
        OUT_TEST(test_out_unlink_all_leaves_no_temporary_file),
        OUT_TEST(test_out_unlink_all_beside_writers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
