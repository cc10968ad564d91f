// Files that are read again: which are opened, and what comes of files that change.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "io/reread_file.h"
#include "scratch.h"

static void assert_refused(const char *path, uint64_t least_bytes)
{
    struct tp_reread_file f;
    assert_false(tp_reread_file_open(&f, path, least_bytes));
    assert_int_equal(f.fd, -1);
    tp_reread_file_close(&f);
}

static void test_only_regular_files_of_enough_bytes_are_opened(void **state)
{
    (void)state;
    make_file("empty", "");
    make_file("some", "0123456789");
    assert_int_equal(mkfifo("fifo", 0600), 0);
    assert_int_equal(mkdir("folder", 0700), 0);
    assert_refused("missing", 0);
    assert_refused("empty", 0);
    assert_refused("fifo", 0); // and does not wait for a writer
    assert_refused("folder", 0);
    assert_refused("some", 11);
    struct tp_reread_file f;
    assert_true(tp_reread_file_open(&f, "some", 10));
    assert_int_equal(f.size_bytes, 10);
    tp_reread_file_close(&f);
}

// Makes a file of ten bytes and opens it.
static struct tp_reread_file open_ten_bytes(void)
{
    struct tp_reread_file f;
    make_file("some", "0123456789");
    assert_true(tp_reread_file_open(&f, "some", 0));
    return f;
}

static void test_any_range_is_read_in_any_order(void **state)
{
    (void)state;
    struct tp_reread_file f = open_ten_bytes();
    struct tp_error err;
    unsigned char bytes[4];
    tp_reread_file_expect_jumps(&f, true);
    assert_int_equal(tp_reread_file_read(&f, 6, bytes, 4, &err), 0);
    assert_memory_equal(bytes, "6789", 4);
    tp_reread_file_prefetch(&f, 0, 4);
    assert_int_equal(tp_reread_file_read(&f, 0, bytes, 4, &err), 0);
    assert_memory_equal(bytes, "0123", 4);
    assert_int_equal(tp_reread_file_read(&f, 10, bytes, 0, &err), 0);
    tp_reread_file_close(&f);
}

static void test_error_of_a_shorter_file_says_where_it_ends(void **state)
{
    (void)state;
    struct tp_reread_file f = open_ten_bytes();
    struct tp_error err;
    unsigned char bytes[4];
    assert_int_equal(truncate("some", 7), 0);
    assert_int_equal(tp_reread_file_read(&f, 5, bytes, 4, &err), TP_E_READ);
    assert_int_equal(err.offset, 7);
    assert_non_null(strstr(err.text, "truncated"));
    tp_reread_file_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH_TEST(test_only_regular_files_of_enough_bytes_are_opened),
        SCRATCH_TEST(test_any_range_is_read_in_any_order),
        SCRATCH_TEST(test_error_of_a_shorter_file_says_where_it_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
