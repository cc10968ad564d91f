// A file that is a trace is not replaced by what is none.
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "inflate_samples.h"
#include "pipeline/commit/trace_file.h"
#include "scratch.h"

// Reads fail with this errno once so many succeeded; 0: never.
static int read_errno;
static unsigned reads_left;

ssize_t read(int fd, void *to, size_t most_bytes)
{
    if (read_errno != 0 && reads_left-- == 0) {
        int failed = read_errno;
        read_errno = 0;
        errno = failed;
        return -1;
    }
    return (ssize_t)syscall(SYS_read, fd, to, most_bytes);
}

static void fail_read(int sys_errno, unsigned after)
{
    read_errno = sys_errno;
    reads_left = after;
}

static void put_bytes(const char *path, const void *bytes, size_t len_bytes)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, bytes, len_bytes), (ssize_t)len_bytes);
    close(fd);
}

static int refuse(const char *path, struct tp_error *err)
{
    uint64_t live_bytes = tp_alloc_live_bytes();
    int rc = tp_trace_file_refuse(path, ROOMY_BYTES, err);
    assert_int_equal(tp_alloc_live_bytes(), live_bytes);
    return rc;
}

#define PUT(path, text) put_bytes(path, text, sizeof(text) - 1)

static void assert_trace(const char *path)
{
    struct tp_error err;
    assert_int_equal(refuse(path, &err), TP_E_EXISTS);
    assert_non_null(strstr(err.text, "is a trace, which only raw and zstd replace"));
    assert_non_null(strstr(err.text, path));
}

static void assert_none(const char *path)
{
    struct tp_error err;
    assert_int_equal(refuse(path, &err), 0);
}

static void test_headers_of_every_release_are_traces(void **state)
{
    (void)state;
    PUT("a", "go 1.26 trace\0\0\0");
    assert_trace("a");
    PUT("a", "go 1.11 trace\0\0\0\0more");
    assert_trace("a");
    PUT("a", "go 1.5 trace\0\0\0\0");
    assert_trace("a");
    put_bytes("a", "gotrace", 8);
    assert_trace("a");
    PUT("a", "go 1.99 trace\0\0\0");
    assert_trace("a");
}

static void test_other_files_are_none(void **state)
{
    (void)state;
    PUT("a", "");
    assert_none("a");
    PUT("a", "Trace Go1.26\n");
    assert_none("a");
    put_bytes("a", "tpstats", 8);
    assert_none("a");
    PUT("a", "go 1.26 trac");
    assert_none("a");
    PUT("a", "{\"schema\":1}");
    assert_none("a");
    PUT("a", "\x1f\x8b is damaged");
    assert_none("a");
    PUT("a", "\x28\xb5\x2f\xfd");
    assert_none("a");
}

// A block of zstd is decoded as a whole, so the first bytes may need many pieces of the file.
static void test_compressed_files_are_looked_into(void **state)
{
    (void)state;
    struct bytes content = make_content(300000);
    for (unsigned is_trace = 0; is_trace < 2; is_trace++) {
        if (is_trace)
            memcpy(content.ptr, "go 1.26 trace\0\0\0", 16);
        for (unsigned shape = 0; shape < SHAPE_COUNT; shape++) {
            struct bytes sample = make_sample((enum sample_shape)shape, content);
            put_bytes("a", sample.ptr, sample.len_bytes);
            if (is_trace)
                assert_trace("a");
            else
                assert_none("a");
            bytes_drop(&sample);
        }
    }
    bytes_drop(&content);
}

static void test_a_window_beyond_the_bound_is_none(void **state)
{
    (void)state;
    struct bytes sample = {0};
    append_gzip(&sample, "go 1.26 trace\0\0\0", 16);
    put_bytes("a", sample.ptr, sample.len_bytes);
    struct tp_error err;
    assert_int_equal(tp_trace_file_refuse("a", 1, &err), 0);
    bytes_drop(&sample);
}

static void test_a_file_that_cannot_be_read_may_be_a_trace(void **state)
{
    (void)state;
    struct tp_error err;
    struct bytes content = make_content(300000), sample = make_sample(ZSTD_PLAIN, content);
    put_bytes("a", sample.ptr, sample.len_bytes);
    for (unsigned after = 0; after < 2; after++) {
        fail_read(EIO, after);
        assert_int_equal(refuse("a", &err), TP_E_EXISTS);
        assert_int_equal(err.sys_errno, EIO);
        assert_non_null(strstr(err.text, "'a' exists and may be a trace"));
        fail_read(EINTR, after);
        assert_int_equal(refuse("a", &err), 0);
    }
    assert_int_equal(refuse("missing", &err), TP_E_EXISTS);
    assert_int_equal(err.sys_errno, ENOENT);
    bytes_drop(&sample);
    bytes_drop(&content);
}

static void test_each_lack_of_memory_is_reported(void **state)
{
    (void)state;
    struct bytes sample = {0};
    append_gzip(&sample, "go 1.26 trace\0\0\0", 16);
    put_bytes("a", sample.ptr, sample.len_bytes);
    unsigned failures = 0;
    for (uint64_t nth = 1; nth < 8; nth++) {
        struct tp_error err;
        tp_alloc_fail_at(nth, false);
        int rc = refuse("a", &err);
        tp_alloc_fail_at(0, false);
        assert_true(rc == TP_E_MEMORY || rc == TP_E_EXISTS);
        failures += rc == TP_E_MEMORY;
    }
    assert_in_range(failures, 2, 7);
    bytes_drop(&sample);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH_TEST(test_headers_of_every_release_are_traces),
        SCRATCH_TEST(test_other_files_are_none),
        SCRATCH_TEST(test_compressed_files_are_looked_into),
        SCRATCH_TEST(test_a_window_beyond_the_bound_is_none),
        SCRATCH_TEST(test_a_file_that_cannot_be_read_may_be_a_trace),
        SCRATCH_TEST(test_each_lack_of_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
