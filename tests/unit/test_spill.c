// The file for what does not fit into memory: bytes come back, it has no name, and
// disks that are full, not there or not writable say so.
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/spill/spill.h"
#include "scratch.h"

#define PIECES 300
#define PIECE_MAX_BYTES 5000

static unsigned char byte_of(size_t piece, size_t i)
{
    return (unsigned char)(piece * 7 + i * 31 + i / 256);
}

static void fill(unsigned char *to, size_t piece, size_t len_bytes)
{
    for (size_t i = 0; i < len_bytes; i++)
        to[i] = byte_of(piece, i);
}

static size_t len_of(size_t piece)
{
    return piece * 997 % PIECE_MAX_BYTES;
}

static void test_bytes_come_back(void **state)
{
    struct tp_spill s = {0};
    struct tp_error err;
    uint64_t offsets[PIECES], sum_bytes = 0;
    unsigned char bytes[PIECE_MAX_BYTES], got[PIECE_MAX_BYTES];
    (void)state;
    assert_int_equal(setenv("TMPDIR", ".", 1), 0);
    for (size_t i = 0; i < PIECES; i++) {
        fill(bytes, i, len_of(i));
        assert_int_equal(tp_spill_append(&s, tp_span_of(bytes, len_of(i)), &offsets[i], &err), 0);
        assert_int_equal(offsets[i], sum_bytes);
        sum_bytes += len_of(i);
    }
    assert_int_equal(s.len_bytes, sum_bytes);
    // Nobody else sees it, and nothing is left behind.
    assert_int_equal(count_entries("."), 0);
    for (size_t n = 0; n < PIECES; n++) {
        size_t i = n * 7919 % PIECES, skip = len_of(i) / 3;
        fill(bytes, i, len_of(i));
        assert_int_equal(tp_spill_read(&s, offsets[i] + skip, got, len_of(i) - skip, &err), 0);
        assert_memory_equal(got, bytes + skip, len_of(i) - skip);
    }
    tp_spill_fini(&s);
    tp_spill_fini(&s);
    assert_int_equal(count_entries("."), 0);
}

static void test_nothing_takes_no_file(void **state)
{
    struct tp_spill s = {0};
    (void)state;
    tp_spill_fini(&s);
    assert_int_equal(s.has_file, 0);
}

static void test_reading_what_was_not_written(void **state)
{
    struct tp_spill s = {0};
    struct tp_error err = {0};
    uint64_t offset;
    unsigned char got[10];
    (void)state;
    assert_int_equal(setenv("TMPDIR", ".", 1), 0);
    assert_int_equal(tp_spill_append(&s, tp_span_of("four", 4), &offset, &err), 0);
    assert_int_equal(tp_spill_read(&s, 0, got, 5, &err), TP_E_KERNEL);
    assert_int_equal(err.sys_errno, EIO);
    tp_spill_fini(&s);
}

static void check_no_file(const char *folder, int sys_errno, const char *said)
{
    struct tp_spill s = {0};
    struct tp_error err = {0};
    uint64_t offset = 77;
    assert_int_equal(setenv("TMPDIR", folder, 1), 0);
    assert_int_equal(tp_spill_append(&s, tp_span_of("x", 1), &offset, &err), TP_E_WRITE);
    assert_int_equal(err.sys_errno, sys_errno);
    assert_non_null(strstr(err.text, said));
    assert_int_equal(offset, 77);
    assert_int_equal(s.len_bytes, 0);
    tp_spill_fini(&s);
}

static void test_folder_that_is_not_there(void **state)
{
    (void)state;
    check_no_file("missing", ENOENT, "cannot create a temporary file in missing");
    make_file("file", "");
    check_no_file("file", ENOTDIR, "cannot create a temporary file in file");
}

// Without TMPDIR, or with one that is no name, it is /tmp.
static void test_default_folder(void **state)
{
    static const char *const names[] = {NULL, ""};
    struct tp_error err;
    uint64_t offset;
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct tp_spill s = {0};
        struct stat spilled, tmp;
        assert_int_equal(names[i] == NULL ? unsetenv("TMPDIR") : setenv("TMPDIR", names[i], 1), 0);
        assert_int_equal(tp_spill_append(&s, tp_span_of("x", 1), &offset, &err), 0);
        assert_int_equal(fstat(s.fd, &spilled), 0);
        assert_int_equal(stat("/tmp", &tmp), 0);
        assert_int_equal(spilled.st_dev, tmp.st_dev);
        assert_int_equal(fcntl(s.fd, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
        tp_spill_fini(&s);
    }
}

// A short write first, then the failure; what was there before can still be read.
static void test_full_disk(void **state)
{
    struct tp_spill s = {0};
    struct tp_error err = {0};
    struct rlimit before, small;
    uint64_t offset;
    unsigned char bytes[PIECE_MAX_BYTES], got[PIECE_MAX_BYTES];
    (void)state;
    assert_int_equal(setenv("TMPDIR", ".", 1), 0);
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = PIECE_MAX_BYTES + 1000;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    fill(bytes, 1, sizeof bytes);
    int first = tp_spill_append(&s, tp_span_of(bytes, sizeof bytes), &offset, &err);
    int second = tp_spill_append(&s, tp_span_of(bytes, sizeof bytes), &offset, &err);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(first, 0);
    assert_int_equal(second, TP_E_WRITE);
    assert_int_equal(err.sys_errno, EFBIG);
    assert_non_null(strstr(err.text, "cannot write a temporary file in ."));
    assert_int_equal(tp_spill_read(&s, 0, got, sizeof got, &err), 0);
    assert_memory_equal(got, bytes, sizeof bytes);
    tp_spill_fini(&s);
}

// The folder of tests themselves lies where TMPDIR says.
static const char *g_tmpdir;

static int tear_down(void **state)
{
    if (g_tmpdir != NULL)
        setenv("TMPDIR", g_tmpdir, 1);
    else
        unsetenv("TMPDIR");
    return scratch_tear_down(state);
}

#define SPILL_TEST(name) cmocka_unit_test_setup_teardown(name, scratch_set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SPILL_TEST(test_bytes_come_back),
        SPILL_TEST(test_nothing_takes_no_file),
        SPILL_TEST(test_reading_what_was_not_written),
        SPILL_TEST(test_folder_that_is_not_there),
        SPILL_TEST(test_default_folder),
        SPILL_TEST(test_full_disk),
    };
    char *before = getenv("TMPDIR") != NULL ? strdup(getenv("TMPDIR")) : NULL;
    g_tmpdir = before;
    int rc = cmocka_run_group_tests_name("spill", tests, NULL, NULL);
    free(before);
    return rc;
}
