// One suite for every engine. Callbacks collect in tests/support/source_lab.c;
// only the test's own thread asserts.
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "io/source.h"
#include "source_lab.h"

static const struct {
    unsigned threads, reads_per_file;
} VARIANTS[] = {{1, 1}, {1, 4}, {3, 2}};

#define EACH_VARIANT(v) for (unsigned v = 0; v < TP_ARRAY_LEN(VARIANTS); v++)

static struct setup setup_for(void **state, unsigned variant, unsigned files, unsigned chunk_count)
{
    return (struct setup){.kind = *(const enum tp_io_kind *)*state,
                          .threads = VARIANTS[variant].threads,
                          .reads_per_file = VARIANTS[variant].reads_per_file,
                          .files = files,
                          .chunk_count = chunk_count};
}

static const size_t SIZES[] = {0,         1,         CHUNK - 1, CHUNK,
                               CHUNK + 1, 2 * CHUNK, 37 * CHUNK, 61 * CHUNK + 5};
#define SIZE_COUNT ((unsigned)TP_ARRAY_LEN(SIZES))

static void test_contents_arrive_in_no_more_chunks_than_needed(void **state)
{
    EACH_VARIANT(v) {
        struct setup s = setup_for(state, v, SIZE_COUNT, 40);
        unsigned fds_before = open_fds();
        lab_start(&s);
        for (unsigned i = 0; i < SIZE_COUNT; i++)
            make_file(&g_lab.readings[i], SIZES[i]);
        lab_add_all();
        lab_wait_ended(SIZE_COUNT);
        for (unsigned i = 0; i < SIZE_COUNT; i++) {
            const struct reading *rd = &g_lab.readings[i];
            assert_read(rd, SIZES[i]);
            assert_true(rd->file.seekable);
            assert_int_equal(rd->file.stat_bytes, SIZES[i]);
            assert_int_equal(rd->chunks_taken, (SIZES[i] + CHUNK - 1) / CHUNK);
        }
        lab_stop();
        assert_int_equal(open_fds(), fds_before);
    }
}

static void test_files_added_from_ended_are_read(void **state)
{
    EACH_VARIANT(v) {
        struct setup s = setup_for(state, v, READINGS_MAX, 16);
        s.max_files = 7;
        lab_start(&s);
        for (unsigned i = 0; i < READINGS_MAX; i++)
            make_file(&g_lab.readings[i], 17 * i);
        g_lab.feed_to = READINGS_MAX;
        g_lab.next = s.max_files;
        for (unsigned i = 0; i < s.max_files; i++)
            tp_source_add(g_lab.src, &g_lab.readings[i].file);
        lab_wait_ended(READINGS_MAX);
        for (unsigned i = 0; i < READINGS_MAX; i++)
            assert_read(&g_lab.readings[i], 17 * i);
        lab_stop();
    }
}

static void test_scarce_chunks_are_waited_for(void **state)
{
    EACH_VARIANT(v)
    for (unsigned chunk_count = 1; chunk_count <= 3; chunk_count++) {
        struct setup s = setup_for(state, v, 5, chunk_count);
        lab_start(&s);
        g_lab.defer = true;
        for (unsigned i = 0; i < 5; i++)
            make_file(&g_lab.readings[i], i * 9 * CHUNK + i);
        lab_add_all();
        lab_wait_ended(5);
        for (unsigned i = 0; i < 5; i++)
            assert_read(&g_lab.readings[i], i * 9 * CHUNK + i);
        lab_stop();
    }
}

static void test_lower_ranks_get_the_first_chunks(void **state)
{
    enum { N = 9 };
    struct setup s = setup_for(state, 0, N, 1);
    lab_start(&s);
    g_lab.defer = true;
    // As if the host had lent its only chunk to somebody else.
    g_lab.deferred = LAB_HOST.take(&g_lab, &g_lab.readings[0].file);
    g_lab.take_count = 0;
    for (unsigned i = 0; i < N; i++) {
        struct reading *rd = &g_lab.readings[i];
        rd->file.rank = (i * 5 + 3) % N;
        make_file(rd, 100);
    }
    lab_add_all();
    for (unsigned waiting = N; waiting > 0; waiting--)
        lab_release_when_refused(waiting);
    lab_wait_ended(N);
    assert_int_equal(g_lab.take_count, N);
    for (unsigned i = 0; i < N; i++)
        assert_int_equal(g_lab.take_order[i], i);
    lab_stop();
}

static void test_large_files_in_large_chunks(void **state)
{
    enum { BIG = 9 << 20 };
    struct setup s = setup_for(state, 1, 2, 8);
    s.chunk_bytes = TP_KIB(256);
    lab_start(&s);
    make_file(&g_lab.readings[0], BIG + 77);
    make_file(&g_lab.readings[1], 3 * CHUNK);
    lab_add_all();
    lab_wait_ended(2);
    assert_read(&g_lab.readings[0], BIG + 77);
    assert_read(&g_lab.readings[1], 3 * CHUNK);
    unlink(g_lab.readings[0].path);
    lab_stop();
}

// ---- streams ----------------------------------------------------------------

struct writer {
    pthread_t thread;
    const char *path; // opened for writing; NULL: fd is given
    int fd;
    size_t piece_bytes, len_bytes;
    unsigned seed;
};

static void *writer_main(void *arg)
{
    struct writer *w = arg;
    int fd = w->path != NULL ? open(w->path, O_WRONLY | O_CLOEXEC) : w->fd;
    unsigned char piece[4 * CHUNK];
    for (size_t at = 0; at < w->len_bytes;) {
        size_t len = w->len_bytes - at < w->piece_bytes ? w->len_bytes - at : w->piece_bytes;
        for (size_t i = 0; i < len; i++)
            piece[i] = byte_at(w->seed, at + i);
        ssize_t n = write(fd, piece, len);
        if (n <= 0) {
            broke("the test cannot write into its pipe");
            break;
        }
        at += (size_t)n;
        nanosleep(&(struct timespec){.tv_nsec = 200 * 1000}, NULL);
    }
    close(fd);
    return NULL;
}

static void make_fifo(struct reading *rd, const char *name)
{
    name_file(rd, name);
    assert_int_equal(mkfifo(rd->path, 0600), 0);
}

static void test_slow_pipes_deliver_what_comes(void **state)
{
    static const struct {
        size_t piece_bytes, len_bytes;
    } cases[] = {{1, 150}, {777, 30 * CHUNK}, {4 * CHUNK, 64 * CHUNK + 3}};
    EACH_VARIANT(v)
    for (unsigned i = 0; i < TP_ARRAY_LEN(cases); i++) {
        struct setup s = setup_for(state, v, 2, 3);
        lab_start(&s);
        struct reading *rd = g_lab.readings;
        make_fifo(&rd[0], "slow");
        make_file(&rd[1], 10 * CHUNK);
        struct writer w = {.path = rd[0].path, .piece_bytes = cases[i].piece_bytes,
                           .len_bytes = cases[i].len_bytes};
        assert_int_equal(pthread_create(&w.thread, NULL, writer_main, &w), 0);
        lab_add_all();
        lab_wait_ended(2);
        pthread_join(w.thread, NULL);
        assert_read(&rd[0], cases[i].len_bytes);
        assert_read(&rd[1], 10 * CHUNK);
        assert_false(rd[0].file.seekable);
        assert_int_equal(rd[0].file.stat_bytes, 0);
        lab_stop();
    }
}

static void test_a_given_pipe_is_read_and_left_open(void **state)
{
    EACH_VARIANT(v) {
        struct setup s = setup_for(state, v, 1, 2);
        int fds[2];
        assert_int_equal(pipe(fds), 0);
        lab_start(&s);
        g_lab.defer = true;
        g_lab.readings[0].file.given_fd = fds[0];
        struct writer w = {.fd = fds[1], .piece_bytes = 3 * CHUNK, .len_bytes = 50 * CHUNK};
        assert_int_equal(pthread_create(&w.thread, NULL, writer_main, &w), 0);
        lab_add_all();
        lab_wait_ended(1);
        pthread_join(w.thread, NULL);
        assert_read(&g_lab.readings[0], 50 * CHUNK);
        lab_stop();
        assert_int_equal(close(fds[0]), 0);
    }
}

// Three silences: nobody ever opens the FIFO for writing; a writer is there; a
// descriptor without O_NONBLOCK was given. The fourth thread reads the others.
static void test_silent_pipes_hold_up_nobody_and_can_be_cancelled(void **state)
{
    int fds[2];
    assert_int_equal(pipe(fds), 0);
    struct setup s = setup_for(state, 0, 8, 4);
    s.threads = 4;
    lab_start(&s);
    struct reading *rd = g_lab.readings;
    make_fifo(&rd[0], "silent");
    make_fifo(&rd[1], "opened");
    int keep = open(rd[1].path, O_RDWR | O_CLOEXEC);
    assert_true(keep >= 0);
    rd[2].file.given_fd = fds[0];
    for (unsigned i = 3; i < 8; i++) {
        rd[i].file.rank = i * 5;
        make_file(&rd[i], i * 3 * CHUNK);
    }
    lab_add_all();
    lab_wait_ended(5);
    for (unsigned i = 3; i < 8; i++)
        assert_read(&rd[i], i * 3 * CHUNK);
    for (unsigned i = 0; i < 3; i++) {
        lab_cancel(&rd[i]);
        lab_wait_ended(6 + i);
        assert_true(rd[i].ended);
        assert_false(rd[i].failed);
        assert_int_equal(rd[i].chunks_taken, 0);
    }
    lab_stop();
    close(keep);
    close(fds[0]);
    close(fds[1]);
}

// The only thread waits for a pipe when a file comes that is more urgent.
static void test_an_urgent_file_need_not_wait_for_a_silent_pipe(void **state)
{
    struct setup s = setup_for(state, 0, 2, 4);
    lab_start(&s);
    struct reading *rd = g_lab.readings;
    make_fifo(&rd[0], "silent");
    rd[0].file.rank = 7;
    make_file(&rd[1], 3 * CHUNK);
    tp_source_add(g_lab.src, &rd[0].file);
    // Nothing tells from outside that the wait has begun.
    nanosleep(&(struct timespec){.tv_nsec = 50 * 1000 * 1000}, NULL);
    tp_source_add(g_lab.src, &rd[1].file);
    lab_wait_ended(1);
    assert_read(&rd[1], 3 * CHUNK);
    lab_cancel(&rd[0]);
    lab_wait_ended(2);
    lab_stop();
}

// ---- cancelling, damage, oddities ----------------------------------------------

static void test_cancelled_files_end_without_error(void **state)
{
    EACH_VARIANT(v) {
        struct setup s = setup_for(state, v, 3, 2);
        lab_start(&s);
        struct reading *rd = g_lab.readings;
        make_file(&rd[0], 300 * CHUNK);
        make_file(&rd[1], 300 * CHUNK);
        name_file(&rd[2], "never-opened");
        rd[0].cancel_at_bytes = 5 * CHUNK;
        atomic_store(&rd[2].file.cancelled, true);
        lab_add_all();
        lab_wait_ended(3);
        assert_read(&rd[0], 5 * CHUNK);
        assert_read(&rd[1], 300 * CHUNK);
        assert_read(&rd[2], 0);
        lab_stop();
    }
}

static void test_a_file_that_waits_for_a_chunk_can_be_cancelled(void **state)
{
    struct setup s = setup_for(state, 1, 2, 0);
    lab_start(&s);
    make_file(&g_lab.readings[0], CHUNK);
    make_file(&g_lab.readings[1], CHUNK);
    lab_add_all();
    lab_wait_refused(2);
    lab_cancel(&g_lab.readings[0]);
    lab_wait_ended(1);
    lab_cancel(&g_lab.readings[1]);
    lab_wait_ended(2);
    assert_read(&g_lab.readings[0], 0);
    assert_read(&g_lab.readings[1], 0);
    lab_stop();
}

static void assert_open_fails(const struct reading *rd, int sys_errno)
{
    assert_true(rd->failed);
    assert_int_equal(rd->err.code, TP_E_OPEN);
    assert_int_equal(rd->err.sys_errno, sys_errno);
    assert_ptr_equal(rd->err.path, rd->path);
    assert_non_null(strstr(rd->err.text, "cannot open: "));
    assert_int_equal(rd->chunks_taken, 0);
}

static void test_what_cannot_be_opened_says_why(void **state)
{
    unsigned fds_before = open_fds();
    EACH_VARIANT(v) {
        struct setup s = setup_for(state, v, 5, 2);
        lab_start(&s);
        struct reading *rd = g_lab.readings;
        name_file(&rd[0], "missing");
        snprintf(rd[1].path, PATH_BYTES, "%s", g_lab_dir);
        make_file(&rd[2], 10);
        chmod(rd[2].path, 0);
        int dir_fd = open(g_lab_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        rd[3].file.given_fd = dir_fd;
        make_file(&rd[4], 10);
        lab_add_all();
        lab_wait_ended(5);
        assert_open_fails(&rd[0], ENOENT);
        assert_open_fails(&rd[1], EISDIR);
        if (geteuid() != 0)
            assert_open_fails(&rd[2], EACCES);
        assert_open_fails(&rd[3], EISDIR);
        assert_read(&rd[4], 10);
        lab_stop();
        close(dir_fd);
    }
    assert_int_equal(open_fds(), fds_before);
}

static void test_a_failing_read_names_its_offset(void **state)
{
    struct setup s = setup_for(state, 0, 2, 2);
    lab_start(&s);
    struct reading *rd = g_lab.readings;
    // The first page of a process is never mapped.
    snprintf(rd[0].path, PATH_BYTES, "/proc/self/mem");
    snprintf(rd[1].path, PATH_BYTES, "/proc/self/status");
    lab_add_all();
    lab_wait_ended(2);
    assert_true(rd[0].failed);
    assert_int_equal(rd[0].err.code, TP_E_READ);
    assert_int_equal(rd[0].err.sys_errno, EIO);
    assert_int_equal(rd[0].err.offset, 0);
    // A regular file of size 0 that has contents all the same.
    assert_false(rd[1].failed);
    assert_true(rd[1].len_bytes > 5 && memcmp(rd[1].bytes, "Name:", 5) == 0);
    lab_stop();
}

static void grow(struct reading *rd)
{
    append_bytes(rd->path, (unsigned)rd->file.rank, 2 * CHUNK, 5 * CHUNK / 2);
}

static void shrink(struct reading *rd)
{
    if (truncate(rd->path, 3 * CHUNK / 2) != 0)
        broke("the test cannot truncate its file");
}

static void test_files_may_grow_and_shrink_while_read(void **state)
{
    EACH_VARIANT(v) {
        struct setup s = setup_for(state, v, 2, 12);
        lab_start(&s);
        struct reading *rd = g_lab.readings;
        make_file(&rd[0], 2 * CHUNK);
        rd[0].on_first = grow;
        make_file(&rd[1], 100 * CHUNK);
        rd[1].on_first = shrink;
        lab_add_all();
        lab_wait_ended(2);
        assert_read(&rd[0], 9 * CHUNK / 2);
        assert_int_equal(rd[0].file.stat_bytes, 2 * CHUNK);
        // What was in flight when it shrank may have seen the old contents.
        assert_true(rd[1].len_bytes >= 3 * CHUNK / 2 && rd[1].len_bytes <= 5 * CHUNK);
        assert_read(&rd[1], rd[1].len_bytes);
        lab_stop();
    }
}

static void test_a_given_file_is_read_from_where_it_stands(void **state)
{
    // From, and how much of it: 0 is all.
    static const size_t rows[][2] = {{0, 0}, {1000, 0}, {5 * CHUNK, 0}, {9 * CHUNK, 0},
                                     {0, 1}, {1000, CHUNK}, {7, 2 * CHUNK + 9},
                                     {CHUNK, 4 * CHUNK}, {1000, 9 * CHUNK}};
    EACH_VARIANT(v)
    for (unsigned i = 0; i < TP_ARRAY_LEN(rows); i++) {
        size_t from = rows[i][0], end = rows[i][1], left = from < 5 * CHUNK ? 5 * CHUNK - from : 0;
        struct setup s = setup_for(state, v, 1, 3);
        lab_start(&s);
        struct reading *rd = g_lab.readings;
        make_file(rd, 5 * CHUNK);
        int fd = open(rd->path, O_RDONLY | O_CLOEXEC);
        assert_int_equal(lseek(fd, (off_t)from, SEEK_SET), from);
        rd->file.given_fd = fd;
        rd->file.end_bytes = end;
        lab_add_all();
        lab_wait_ended(1);
        assert_false(rd->failed);
        assert_bytes(rd, 0, from, end != 0 && end < left ? end : left);
        assert_true(rd->file.seekable);
        assert_int_equal(rd->file.stat_bytes, 5 * CHUNK);
        lab_stop();
        assert_int_equal(close(fd), 0);
    }
}

static void test_create_survives_lack_of_memory(void **state)
{
    const struct tp_source_config cfg = {
        .chunk_bytes = CHUNK, .reads_per_file = 2, .max_files = 4, .threads = 2};
    unsigned fds_before = open_fds();
    uint64_t live_before = tp_alloc_live_bytes();
    char why[TP_SOURCE_WHY_BYTES];
    int rc = TP_E_MEMORY;
    for (unsigned nth = 1; rc != 0 && nth < 50; nth++) {
        struct tp_source *src = NULL;
        struct tp_error err = {0};
        tp_alloc_fail_at(nth, false);
        rc = lab_open(*(enum tp_io_kind *)*state, &cfg, &src, why, &err);
        tp_alloc_fail_at(0, false);
        assert_true(rc == 0 || (rc == TP_E_MEMORY && err.code == TP_E_MEMORY));
        tp_source_destroy(src);
        assert_int_equal(tp_alloc_live_bytes(), live_before);
        assert_int_equal(open_fds(), fds_before);
    }
    assert_int_equal(rc, 0);
}

static int run_suite(const char *name, enum tp_io_kind kind)
{
#define ON_ENGINE(test) cmocka_unit_test_prestate(test, &kind)
    const struct CMUnitTest tests[] = {
        ON_ENGINE(test_contents_arrive_in_no_more_chunks_than_needed),
        ON_ENGINE(test_files_added_from_ended_are_read),
        ON_ENGINE(test_scarce_chunks_are_waited_for),
        ON_ENGINE(test_lower_ranks_get_the_first_chunks),
        ON_ENGINE(test_large_files_in_large_chunks),
        ON_ENGINE(test_slow_pipes_deliver_what_comes),
        ON_ENGINE(test_a_given_pipe_is_read_and_left_open),
        ON_ENGINE(test_silent_pipes_hold_up_nobody_and_can_be_cancelled),
        ON_ENGINE(test_an_urgent_file_need_not_wait_for_a_silent_pipe),
        ON_ENGINE(test_cancelled_files_end_without_error),
        ON_ENGINE(test_a_file_that_waits_for_a_chunk_can_be_cancelled),
        ON_ENGINE(test_what_cannot_be_opened_says_why),
        ON_ENGINE(test_a_failing_read_names_its_offset),
        ON_ENGINE(test_files_may_grow_and_shrink_while_read),
        ON_ENGINE(test_a_given_file_is_read_from_where_it_stands),
        ON_ENGINE(test_create_survives_lack_of_memory),
    };
    return _cmocka_run_group_tests(name, tests, TP_ARRAY_LEN(tests), NULL, NULL);
}

int main(void)
{
    if (mkdtemp(g_lab_dir) == NULL)
        return 1;
    int failed = run_suite("source, pread", TP_IO_PREAD);
#ifdef TP_WITH_URING
    struct tp_error err;
    if (try_uring(&err) == 0)
        failed += run_suite("source, io_uring", TP_IO_URING);
    else
        print_message("source, io_uring: skipped: %s\n", err.text);
#endif
    char command[PATH_BYTES];
    snprintf(command, sizeof command, "rm -rf %s", g_lab_dir);
    return system(command) != 0 || failed != 0;
}
