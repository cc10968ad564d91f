// Inputs that change, stall, trickle, break off or cannot be read. One bad input
// costs nothing but itself.
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "fault_lab.h"
#include "scratch.h"

static const char *const engines[] = {"pread", "auto"};
#define ENGINE_COUNT (sizeof engines / sizeof engines[0])

// ---- files that change --------------------------------------------------------------

// Reads what comes out of the FIFO `sink`.
struct drain {
    unsigned char *bytes;
    size_t len_bytes;
    int fd;
};

static void drain_open(struct drain *d)
{
    *d = (struct drain){.fd = open("sink", O_RDONLY | O_CLOEXEC)};
    assert_true(d->fd >= 0);
}

static void drain_some(struct drain *d)
{
    d->bytes = realloc(d->bytes, d->len_bytes + 65536);
    assert_non_null(d->bytes);
    ssize_t n = read(d->fd, d->bytes + d->len_bytes, 65536);
    assert_true(n >= 0);
    d->len_bytes += (size_t)n;
}

static void drain_rest(struct drain *d)
{
    size_t before;
    do {
        before = d->len_bytes;
        drain_some(d);
    } while (d->len_bytes > before);
    close(d->fd);
}

// Copies of a.trace, `count` of them in a row.
static size_t make_long(const char *path, size_t count)
{
    size_t len_bytes;
    unsigned char *one = fault_read("a.trace", &len_bytes);
    FILE *f = fopen(path, "wb");
    for (size_t i = 0; f != NULL && i < count; i++)
        assert_int_equal(fwrite(one, 1, len_bytes, f), len_bytes);
    assert_true(f != NULL && fclose(f) == 0);
    free(one);
    return count * len_bytes;
}

// Copies "long" through a pipe that nobody reads until `change` has been done to
// it: by then only its first few chunks can have been read.
static struct fault_result copy_while(const char *io, void (*change)(size_t len_bytes),
                                      struct drain *d)
{
    const struct fault_run run = {
        .options = {"io", io, "chunk-size", "16K", "max-memory", "24M", "jobs", "1"},
        .sinks = {"raw", "sink"},
        .inputs = {"long"}};
    size_t len_bytes = make_long("long", 40);
    struct fault_live live;
    fault_begin(&live, &run);
    drain_open(d);
    drain_some(d);
    change(len_bytes);
    drain_rest(d);
    return fault_end(&live);
}

static void cut(size_t len_bytes)
{
    assert_int_equal(truncate("long", (off_t)(len_bytes * 3 / 4 + 1)), 0);
}

static void grow(size_t len_bytes)
{
    (void)len_bytes;
    assert_int_equal(system("cat b.trace >> long"), 0);
}

static void expect_copy_of_long(struct drain *d)
{
    size_t len_bytes;
    unsigned char *want = fault_read("long", &len_bytes);
    assert_int_equal(d->len_bytes, len_bytes);
    assert_memory_equal(d->bytes, want, len_bytes);
    free(want);
    free(d->bytes);
}

static void test_file_that_is_cut_while_it_is_read(void **state)
{
    (void)state;
    fault_make_inputs();
    assert_int_equal(mkfifo("sink", 0666), 0);
    for (size_t e = 0; e < ENGINE_COUNT; e++) {
        struct drain d;
        struct fault_result got = copy_while(engines[e], cut, &d);
        assert_int_equal(got.err.code, 0);
        assert_int_equal(got.status, 1); // a batch was cut
        expect_copy_of_long(&d);
    }
}

static void test_file_that_grows_while_it_is_read(void **state)
{
    (void)state;
    fault_make_inputs();
    assert_int_equal(mkfifo("sink", 0666), 0);
    for (size_t e = 0; e < ENGINE_COUNT; e++) {
        struct drain d;
        struct fault_result got = copy_while(engines[e], grow, &d);
        assert_int_equal(got.err.code, 0);
        expect_copy_of_long(&d);
    }
}

// ---- pipes ----------------------------------------------------------------------------

struct feed {
    const char *from;
    size_t piece_bytes;
};

static void *feed_pieces(void *arg)
{
    const struct feed *feed = arg;
    FILE *f = fopen(feed->from, "rb");
    int fd = open("feed", O_WRONLY | O_CLOEXEC);
    unsigned char piece[256];
    size_t n;
    while (f != NULL && (n = fread(piece, 1, feed->piece_bytes, f)) > 0 &&
           write(fd, piece, n) == (ssize_t)n) {
    }
    close(fd);
    if (f != NULL)
        fclose(f);
    return NULL;
}

static void test_pipe_that_trickles(void **state)
{
    (void)state;
    fault_make_inputs();
    assert_int_equal(mkfifo("feed", 0666), 0);
    assert_int_equal(system("head -c 3000 b.trace > plain; head -c 3000 b.txt > t;"
                            "gzip -c plain > g; zstd -qc plain > z"),
                     0);
    static const char *const kinds[] = {"plain", "t", "g", "z", "empty"};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        struct fault_run run = {.sinks = {"text", "out/t", "raw", "out/r"}, .inputs = {kinds[i]}};
        const struct fault_result want = fault_go(&run);
        fault_keep_reference();
        for (size_t e = 0; e < ENGINE_COUNT; e++) {
            const char *const options[] = {"io", engines[e], NULL};
            memcpy(run.options, options, sizeof options);
            run.inputs[0] = "feed";
            struct feed feed = {kinds[i], 1};
            pthread_t writer;
            assert_int_equal(pthread_create(&writer, NULL, feed_pieces, &feed), 0);
            const struct fault_result got = fault_go(&run);
            pthread_join(writer, NULL);
            assert_int_equal(got.status, want.status);
            assert_int_equal(got.err.code, want.err.code);
            fault_check_outputs(kinds[i], true);
        }
        fault_drop_reference();
    }
}

// Bytes that a slow pipe has delivered are written before the next bytes arrive.
static void test_pipe_that_pauses_holds_nothing_back(void **state)
{
    (void)state;
    fault_make_inputs();
    assert_int_equal(mkfifo("feed", 0666), 0);
    assert_int_equal(mkfifo("sink", 0666), 0);
    size_t len_bytes;
    unsigned char *bytes = fault_read("b.trace", &len_bytes);
    for (size_t e = 0; e < ENGINE_COUNT; e++) {
        const struct fault_run run = {
            .options = {"io", engines[e]}, .sinks = {"raw", "sink"}, .inputs = {"feed"}};
        struct fault_live live;
        struct drain d;
        fault_begin(&live, &run);
        drain_open(&d);
        int fd = open("feed", O_WRONLY | O_CLOEXEC);
        assert_int_equal(write(fd, bytes, len_bytes / 2), len_bytes / 2);
        // The header is the least that is known to be whole.
        struct pollfd p = {.fd = d.fd, .events = POLLIN};
        assert_int_equal(poll(&p, 1, 60000), 1);
        assert_true(p.revents & POLLIN);
        drain_some(&d);
        assert_true(d.len_bytes >= 16);
        assert_int_equal(write(fd, bytes + len_bytes / 2, len_bytes - len_bytes / 2),
                         len_bytes - len_bytes / 2);
        close(fd);
        drain_rest(&d);
        assert_int_equal(fault_end(&live).status, 0);
        assert_int_equal(d.len_bytes, len_bytes);
        assert_memory_equal(d.bytes, bytes, len_bytes);
        free(d.bytes);
    }
    free(bytes);
}

// ---- unreadable -------------------------------------------------------------------------

static void test_read_error(void **state)
{
    (void)state;
    fault_make_inputs();
    // The first page of an address space is never mapped.
    const struct fault_run run = {.sinks = {"text", "out"},
                                  .inputs = {"a.trace", "/proc/self/mem", "b.trace"}};
    for (size_t e = 0; e < ENGINE_COUNT; e++) {
        struct fault_run by = run;
        by.options[0] = "io";
        by.options[1] = engines[e];
        const struct fault_result got = fault_go(&by);
        assert_int_equal(got.err.code, 0);
        assert_int_equal(got.status, 1);
        assert_int_equal(got.error_count, 1);
        assert_non_null(strstr(got.first_error, "/proc/self/mem: cannot read"));
        assert_int_equal(system("ls -A out | tr '\\n' ' ' | grep -qx 'a.trace.txt b.trace.txt ' &&"
                                "rm -r out"),
                         0);
    }
}

// A decoder gives up at the beginning of a file that the engine goes on reading;
// its place among the active inputs is soon another's.
static void test_decoders_that_give_up_early(void **state)
{
    (void)state;
    fault_make_inputs();
    make_long("long", 8);
    assert_int_equal(system("gzip -1c long > bad.gz; zstd -q1c long > bad.zst; cat b.txt > bad.txt;"
                            "for f in bad.gz bad.zst bad.txt; do"
                            "  printf '\\377\\377\\377 oops \\n' |"
                            "  dd of=$f bs=1 seek=600 conv=notrunc status=none; done;"
                            "for i in 1 2 3 4; do cat b.txt >> bad.txt; done"),
                     0);
    struct fault_run run = {
        .options = {"manifest", "out/manifest.json", "chunk-size", "4K"},
        .sinks = {"stats:level=counts,format=csv", "out/s", "text", "/dev/null"},
        .inputs = {"bad.gz", "b.trace", "bad.zst", "bad.txt", "b.trace"},
        .repeat_count = 30,
    };
    run.options[4] = "jobs";
    run.options[5] = "1";
    const struct fault_result want = fault_go(&run);
    assert_int_equal(want.status, 1);
    fault_keep_reference();
    run.options[5] = "8";
    for (size_t e = 0; e < ENGINE_COUNT; e++) {
        run.options[6] = "io";
        run.options[7] = engines[e];
        for (int i = 0; i < 3; i++) {
            const struct fault_result got = fault_go(&run);
            assert_int_equal(got.status, 1);
            assert_int_equal(got.error_count, want.error_count);
            fault_check_outputs("decoders that give up", true);
        }
    }
}

// ---- scarcity -----------------------------------------------------------------------------

static void set_file_limit(rlim_t count)
{
    struct rlimit files;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &files), 0);
    files.rlim_cur = count;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &files), 0);
}

// Few descriptors make the run slower, and no input unreadable.
static void test_few_descriptors(void **state)
{
    (void)state;
    fault_make_inputs();
    assert_int_equal(system("mkdir in; for i in $(seq 150); do cp b.trace in/$i; done"), 0);
    const struct fault_run run = {.options = {"recursive", "yes"},
                                  .sinks = {"text", "out/t", "raw", "out/r", "footprint", "out/f"},
                                  .inputs = {"in"}};
    struct rlimit before;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    set_file_limit(48);
    const struct fault_result got = fault_go(&run);
    set_file_limit(before.rlim_cur);
    assert_int_equal(got.err.code, 0);
    assert_int_equal(got.status, 0);
    assert_int_equal(system("[ $(find out -type f | wc -l) = 450 ]"), 0);
}

// Lacking even one is a failure of the run, not of the inputs.
static void test_no_descriptors(void **state)
{
    (void)state;
    fault_make_inputs();
    assert_int_equal(mkfifo("feed", 0666), 0);
    for (size_t e = 0; e < ENGINE_COUNT; e++) {
        // More than are ever active at a time, the first of which keeps its turn
        // until the limit is down.
        struct fault_run run = {.options = {"io", engines[e]},
                                .sinks = {"text", "/dev/null"},
                                .inputs = {"feed"},
                                .repeat_count = 5};
        for (size_t i = 1; i < FAULT_WORDS_MAX - 1; i++)
            run.inputs[i] = "b.trace";
        struct fault_live live;
        fault_begin(&live, &run);
        int fd = open("feed", O_WRONLY | O_CLOEXEC);
        assert_true(fd >= 0);
        struct rlimit before;
        assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
        usleep(100000);
        set_file_limit(3);
        close(fd);
        const struct fault_result got = fault_end(&live);
        set_file_limit(before.rlim_cur);
        assert_int_equal(got.err.code, TP_E_KERNEL);
        assert_int_equal(got.err.sys_errno, EMFILE);
        assert_int_equal(got.status, 3);
    }
}

// The least memory that is accepted is enough for any order of things.
static void test_least_memory(void **state)
{
    (void)state;
    fault_make_inputs();
    make_long("long", 12);
    assert_int_equal(system("zstd -q1c --long=20 long > window.zst; gzip -1c long > other.gz"), 0);
    struct fault_run run = {
        .options = {"jobs", "1", "chunk-size", "4K", "max-memory", "1G"},
        .sinks = {"text", "/dev/null", "stats", "/dev/null", "raw", "out"},
        .inputs = {"long", "window.zst", "b.txt", "other.gz", "hurt.trace", "a.gz", "empty"},
    };
    const struct fault_result want = fault_go(&run);
    assert_int_equal(want.status, 1);
    fault_keep_reference();
    static const char *const jobs[] = {"1", "2", "8"};
    for (size_t j = 0; j < 3; j++) {
        run.options[1] = jobs[j];
        for (size_t e = 0; e < ENGINE_COUNT; e++) {
            run.options[6] = "io";
            run.options[7] = engines[e];
            char bound[16];
            run.options[5] = bound;
            struct fault_result got = {.status = 2};
            for (int mib = 4; got.status == 2; mib++) {
                snprintf(bound, sizeof bound, "%dM", mib);
                got = fault_go(&run);
            }
            // A window that does not fit leaves that input's outputs out.
            bool all_fit = got.error_count == want.error_count;
            assert_int_equal(got.err.code, 0);
            assert_int_equal(got.status, all_fit ? 1 : 3);
            fault_check_outputs(bound, all_fit);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH_TEST(test_file_that_is_cut_while_it_is_read),
        SCRATCH_TEST(test_file_that_grows_while_it_is_read),
        SCRATCH_TEST(test_pipe_that_trickles),
        SCRATCH_TEST(test_pipe_that_pauses_holds_nothing_back),
        SCRATCH_TEST(test_read_error),
        SCRATCH_TEST(test_decoders_that_give_up_early),
        SCRATCH_TEST(test_few_descriptors),
        SCRATCH_TEST(test_no_descriptors),
        SCRATCH_TEST(test_least_memory),
    };
    fault_set_up();
    return cmocka_run_group_tests_name("inputs", tests, NULL, NULL);
}
