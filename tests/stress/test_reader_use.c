// A reader used as no example does it: closed at any block and at any moment, handed
// from thread to thread, left alone in the middle. The thread that asks for blocks puts
// them in order, while workers read on; what is tested is that neither is forgotten
// waiting for the other, and that nothing is left behind.
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "reader_lab.h"
#include "scratch.h"

static const char *const ways[] = {"jobs=1", "jobs=3", "jobs=2 io=pread chunk-size=4K",
                                   "jobs=3 runs=decoded", "jobs=2 strict=yes"};

static void make_trace(const char *path, uint64_t generations, uint64_t gen_events)
{
    struct lab_trace t = lab_generate(generations, gen_events);
    lab_write(path, t.bytes, t.len_bytes);
    lab_drop(&t);
}

// Without its last quarter.
static void make_cut_trace(const char *path)
{
    struct lab_trace t = lab_generate(4, 1500);
    lab_write(path, t.bytes, t.len_bytes * 3 / 4);
    lab_drop(&t);
}

// CLOSING

// False: there were fewer blocks.
static bool close_behind(const char *path, const char *options, size_t block_count,
                         unsigned pause_us)
{
    uint64_t before = tp_alloc_live_bytes();
    struct tp_reader *reader = lab_open(path, options);
    struct tp_event_block block;
    enum tp_next next = TP_NEXT_BLOCK;
    for (size_t i = 0; i < block_count && next == TP_NEXT_BLOCK; i++)
        next = tp_reader_next(reader, &block, NULL);
    if (pause_us > 0)
        usleep(pause_us);
    tp_reader_close(reader);
    assert_int_equal(tp_alloc_live_bytes(), before);
    return next == TP_NEXT_BLOCK;
}

static void close_behind_each(const char *path)
{
    for (size_t k = 0; k < TP_ARRAY_LEN(ways); k++) {
        size_t count = 0;
        while (close_behind(path, ways[k], count, count % 3 == 0 ? 50 * (unsigned)(count % 7) : 0))
            count++;
        assert_true(count > 8);
    }
}

static void test_closing_behind_any_block(void **state)
{
    (void)state;
    make_trace("a.trace", 5, 1500);
    close_behind_each("a.trace");
    make_cut_trace("cut.trace");
    close_behind_each("cut.trace");
}

// The stages of the first milliseconds are hit somewhere, each time somewhere else.
static void test_closing_at_any_moment(void **state)
{
    (void)state;
    make_trace("a.trace", 3, 4000);
    for (unsigned pause_us = 0; pause_us < 4000; pause_us += 37)
        (void)close_behind("a.trace", ways[pause_us % TP_ARRAY_LEN(ways)], 0, pause_us);
}

// Nothing comes, and the workers wait for the same.
static void test_closing_while_the_writer_pauses(void **state)
{
    (void)state;
    struct lab_trace t = lab_generate(2, 1500);
    assert_int_equal(mkfifo("pipe", 0600), 0);
    for (size_t k = 0; k < TP_ARRAY_LEN(ways); k++) {
        int fd = open("pipe", O_RDWR | O_CLOEXEC);
        assert_true(fd >= 0);
        size_t part_bytes = k * 5000;
        assert_true(part_bytes < t.len_bytes);
        assert_int_equal(write(fd, t.bytes, part_bytes), part_bytes);
        (void)close_behind("pipe", ways[k], 0, 1000);
        close(fd);
    }
    lab_drop(&t);
}

// FROM THREAD TO THREAD

struct relay {
    struct tp_reader *reader;
    struct reading got;
};

static void *read_one(void *ctx)
{
    struct relay *r = ctx;
    struct tp_event_block block;
    r->got.end = tp_reader_next(r->reader, &block, &r->got.error);
    if (r->got.end != TP_NEXT_BLOCK)
        return NULL;
    r->got.event_count += block.event_count;
    r->got.checksum = lab_checksum(r->got.checksum, block.events, block.event_count);
    return NULL;
}

static void *close_it(void *ctx)
{
    struct relay *r = ctx;
    tp_reader_close(r->reader);
    return NULL;
}

static void on_a_thread(void *(*body)(void *), void *ctx)
{
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, body, ctx), 0);
    pthread_join(thread, NULL);
}

static void test_every_call_on_another_thread(void **state)
{
    (void)state;
    make_trace("a.trace", 4, 4000);
    struct reading want = lab_read("a.trace", "");
    for (size_t k = 0; k < TP_ARRAY_LEN(ways); k++) {
        uint64_t before = tp_alloc_live_bytes();
        struct relay r = {.reader = lab_open("a.trace", ways[k])};
        do
            on_a_thread(read_one, &r);
        while (r.got.end == TP_NEXT_BLOCK);
        assert_int_equal(r.got.end, TP_NEXT_END);
        assert_int_equal(r.got.event_count, want.event_count);
        assert_int_equal(r.got.checksum, want.checksum);
        on_a_thread(close_it, &r);
        assert_int_equal(tp_alloc_live_bytes(), before);
    }
}

static void *read_later(void *ctx)
{
    unsigned *delay_us = ctx;
    struct tp_reader *reader;
    struct tp_event_block block;
    usleep(*delay_us);
    if (tp_reader_open("a.trace", NULL, &reader, NULL) != 0)
        return NULL;
    while (tp_reader_next(reader, &block, NULL) == TP_NEXT_BLOCK) {
    }
    tp_reader_close(reader);
    return NULL;
}

// The second is likely to be given memory and descriptors of the first. Nothing but the
// kernel puts the two in order, and the thread sanitizer must not take them for racers.
static void test_one_reader_after_another_on_strange_threads(void **state)
{
    (void)state;
    make_trace("a.trace", 1, 500);
    unsigned delays_us[] = {0, 100000, 200000, 300000};
    pthread_t threads[TP_ARRAY_LEN(delays_us)];
    for (size_t i = 0; i < TP_ARRAY_LEN(threads); i++)
        assert_int_equal(pthread_create(&threads[i], NULL, read_later, &delays_us[i]), 0);
    for (size_t i = 0; i < TP_ARRAY_LEN(threads); i++)
        pthread_join(threads[i], NULL);
}

// LEFT ALONE

static int64_t cpu_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

// A program that does not ask finds its reader asleep: after a while nothing moves.
static void test_who_does_not_ask_pays_nothing(void **state)
{
    (void)state;
    make_trace("a.trace", 12, 20000);
    struct tp_reader *reader = lab_open("a.trace", "jobs=3 max-memory=32M");
    struct tp_event_block block;
    for (size_t i = 0; i < 20; i++)
        assert_int_equal(tp_reader_next(reader, &block, NULL), TP_NEXT_BLOCK);
    int64_t spent_ns = INT64_MAX;
    for (unsigned tries = 0; tries < 100 && spent_ns > 5000000; tries++) {
        int64_t before_ns = cpu_ns();
        usleep(100000);
        spent_ns = cpu_ns() - before_ns;
    }
    assert_true(spent_ns <= 5000000);
    assert_true(tp_alloc_live_bytes() <= TP_MIB(32));
    tp_reader_close(reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH_TEST(test_closing_behind_any_block),
        SCRATCH_TEST(test_closing_at_any_moment),
        SCRATCH_TEST(test_closing_while_the_writer_pauses),
        SCRATCH_TEST(test_every_call_on_another_thread),
        SCRATCH_TEST(test_one_reader_after_another_on_strange_threads),
        SCRATCH_TEST(test_who_does_not_ask_pays_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
