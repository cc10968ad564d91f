// Files that are read again when their events are put in order, and before that by headers
// alone: what comes is what comes of reading all and of memory. A file that somebody changes
// meanwhile, or that cannot be read at a place, loses events, which is told, and nothing else.
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

#include "decode/format.h"
#include "decode/scan_v2.h"
#include "reader_lab.h"
#include "wire_build_v1.h"

#define MINOR 21
#define TRACE_MAX_BYTES TP_MIB(4)
#define ROUNDS 150000
#define ROUNDS_OF_BATCH 5000
// Of both kinds of traces.
#define EVENTS 300000

// Reads that begin there fail: a place of a disk that is bad. In front of the C library's.
static _Atomic uint64_t bad_offset = UINT64_MAX;

ssize_t pread(int fd, void *to, size_t len_bytes, off_t offset)
{
    if ((uint64_t)offset == atomic_load(&bad_offset)) {
        errno = EIO;
        return -1;
    }
    return syscall(SYS_pread64, fd, to, len_bytes, offset);
}

// One generation, so that all of it was read when its first event comes.
static void make_new(const char *path)
{
    struct lab_trace t = lab_generate(1, EVENTS);
    lab_write(path, t.bytes, t.len_bytes);
    lab_drop(&t);
}

#define EV(type, ...) WIRE_V1_PUT(b, MINOR, TP_V1_##type, __VA_ARGS__)

// A goroutine that stops and starts.
static void make_old(const char *path)
{
    struct tp_buf buf, *b = &buf;
    assert_true(tp_buf_init(b, TRACE_MAX_BYTES));
    wire_v1_put_header(b, MINOR);
    wire_v1_put_beginning(b, MINOR);
    for (uint64_t round = 0; round < ROUNDS; round++) {
        if (round % ROUNDS_OF_BATCH == 0)
            wire_v1_put_batch(b, MINOR, 0, 101 + 2 * round);
        EV(GoSched, 1, 4);
        EV(GoStartLocal, 1, 1);
    }
    wire_v1_put_stacks(b, MINOR, 4);
    wire_v1_put_string(b, 1, "main.f");
    wire_v1_put_frequency(b, MINOR, 1000000000);
    lab_write(path, b->ptr, b->len_bytes);
    tp_buf_fini(b);
}

static const struct {
    void (*make)(const char *path);
} kinds[] = {{make_new}, {make_old}};

static uint64_t size_of(const char *path)
{
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    return (uint64_t)st.st_size;
}

// WHAT COMES

static void test_what_is_read_again_is_what_was_kept(void **state)
{
    (void)state;
    static const char *const options[] = {
        "reread=always jobs=1", "reread=always jobs=3 runs=decoded",
        "reread=always io=pread chunk-size=4K", "reread=always max-memory=24M",
        "reread=never max-memory=24M", "reread=never runs=decoded", "",
    };
    for (size_t i = 0; i < TP_ARRAY_LEN(kinds); i++) {
        kinds[i].make("a.trace");
        struct reading want = lab_read("a.trace", "reread=never max-memory=1G");
        assert_true(want.event_count >= EVENTS);
        for (size_t k = 0; k < TP_ARRAY_LEN(options); k++) {
            struct reading got = lab_read("a.trace", options[k]);
            lab_assert_same(options[k], &got, &want);
            assert_int_equal(got.report.stored_bytes, size_of("a.trace"));
        }
    }
}

// Where the walk by headers ends, and what is behind it, is as if all was read.
static void assert_same_report(const char *name, const struct reading *got,
                               const struct reading *want)
{
    lab_assert_same(name, got, want);
    assert_int_equal(got->report.stored_bytes, want->report.stored_bytes);
    assert_int_equal(got->report.stream_bytes, want->report.stream_bytes);
    assert_int_equal(got->report.damage_count, want->report.damage_count);
    assert_int_equal(got->report.lost_bytes, want->report.lost_bytes);
    assert_int_equal(got->report.incomplete_count, want->report.incomplete_count);
    assert_int_equal(got->report.unordered_bytes, want->report.unordered_bytes);
    assert_int_equal(got->warning_count, want->warning_count);
    assert_int_equal(got->error.code, want->error.code);
    assert_string_equal(got->error.text, want->error.text);
    assert_int_equal(got->error.offset, want->error.offset);
}

static void test_damage_is_the_same_for_who_hops(void **state)
{
    (void)state;
    static const char *const names[] = {"go122-gens.trace", "go125-http.trace",
                                        "go126-gens.trace", "go126-alloc-gens.trace"};
    static const char *const how[][2] = {{"jobs=2 reread=always", "jobs=2 io=pread"},
                                         {"reread=always strict=yes", "strict=yes io=pread"}};
    unsigned seed = 1;
    for (size_t i = 0; i < TP_ARRAY_LEN(names); i++) {
        char path[256];
        snprintf(path, sizeof path, TP_TRACES "/%s", names[i]);
        struct lab_trace t = lab_load(path);
        for (size_t n = 0; n < 60; n++) {
            seed = seed * 1103515245 + 12345;
            size_t at = (seed >> 4) % t.len_bytes;
            unsigned char was = t.bytes[at];
            bool is_cut = n % 3 == 0;
            t.bytes[at] = (unsigned char)(seed >> 24);
            lab_write("hurt.trace", t.bytes, is_cut ? at : t.len_bytes);
            t.bytes[at] = was;
            for (size_t k = 0; k < TP_ARRAY_LEN(how); k++) {
                struct reading got = lab_read("hurt.trace", how[k][0]);
                struct reading want = lab_read("hurt.trace", how[k][1]);
                assert_same_report(names[i], &got, &want);
            }
        }
        lab_drop(&t);
    }
}

// Of a sound trace nothing but headers and tables is read before its events are wanted, and the
// bytes count as read.
static void test_who_hops_reads_little_at_a_time(void **state)
{
    (void)state;
    make_new("a.trace");
    struct reading hops = lab_read("a.trace", "reread=always");
    struct reading reads = lab_read("a.trace", "io=pread");
    assert_same_report("hops", &hops, &reads);
    assert_int_equal(hops.report.stored_bytes, size_of("a.trace"));
    assert_true(hops.report.read_count > reads.report.read_count);
}

// WHO WRITES TO IT MEANWHILE

typedef void (*change_fn)(const char *path, unsigned seed);

// The file is changed when its first events are there.
static struct reading read_and_change(const char *options, change_fn change, unsigned seed)
{
    struct tp_reader *reader = lab_open("a.trace", options);
    struct tp_event_block block;
    assert_int_equal(tp_reader_next(reader, &block, NULL), TP_NEXT_BLOCK);
    change("a.trace", seed);
    return lab_drain(reader);
}

static void shorten(const char *path, unsigned seed)
{
    assert_int_equal(truncate(path, (off_t)seed), 0);
}

static void write_over(const char *path, unsigned seed)
{
    uint64_t bytes = size_of(path);
    unsigned char *junk = malloc(bytes);
    assert_non_null(junk);
    for (uint64_t i = 0; i < bytes; i++) {
        seed = seed * 1103515245 + 12345;
        // Of single bytes many are events, of which most are known.
        junk[i] = (unsigned char)(seed >> 24) & (i % 7 == 0 ? 0xff : 0x3f);
    }
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, junk, bytes), bytes);
    close(fd);
    free(junk);
}

static void test_a_file_that_becomes_shorter(void **state)
{
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(kinds); i++) {
        kinds[i].make("a.trace");
        uint64_t bytes = size_of("a.trace");
        struct reading whole = lab_read("a.trace", "");
        for (unsigned part = 0; part < 4; part++) {
            kinds[i].make("a.trace");
            struct reading got =
                read_and_change("jobs=2 reread=always", shorten, (unsigned)(bytes * part / 5));
            assert_int_equal(got.end, TP_NEXT_END);
            assert_true(got.event_count < whole.event_count);
            assert_int_equal(got.report.incomplete_count, 1);
            assert_true(got.report.unordered_bytes > 0);
            assert_true(got.report.unordered_bytes < bytes);
            assert_true(got.error_message_count + got.warning_count > 0);
            assert_int_equal(got.report.stored_bytes, bytes);
        }
        kinds[i].make("a.trace");
        struct reading strict = read_and_change("reread=always strict=yes", shorten, 0);
        assert_int_equal(strict.end, TP_NEXT_FAILED);
        assert_int_equal(strict.error.code, TP_E_READ);
        assert_non_null(strstr(strict.error.text, "truncated"));
        kinds[i].make("a.trace");
        struct reading kept = read_and_change("jobs=2 reread=never", shorten, 0);
        assert_int_equal(kept.end, TP_NEXT_END);
        assert_int_equal(kept.report.event_count, whole.event_count);
    }
}

static void test_a_file_that_is_written_over(void **state)
{
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(kinds); i++) {
        for (unsigned seed = 1; seed < 6; seed++) {
            kinds[i].make("a.trace");
            struct reading got = read_and_change("jobs=2 reread=always", write_over, seed);
            assert_int_equal(got.end, TP_NEXT_END);
            assert_true(got.report.incomplete_count == 1);
            assert_true(got.error_message_count + got.warning_count > 0);
        }
    }
}

// WHAT CANNOT BE READ

// Where the first long batch of stacks of the last generation is.
static struct tp_extent find_stacks(const struct lab_trace *t)
{
    struct tp_format format;
    struct tp_span all = tp_span_of(t->bytes, t->len_bytes);
    assert_int_equal(tp_format_detect(all, true, &format), TP_FORMAT_KNOWN);
    struct tp_scan_v2 scan;
    tp_scan_v2_init(&scan, format.minor, format.header_bytes);
    struct tp_extent x, found = {0};
    for (;;) {
        all = tp_span_of(t->bytes + scan.offset, t->len_bytes - scan.offset);
        if (!tp_scan_v2_next(&scan, all, true, &x))
            break;
        if (x.kind == TP_EXTENT_BATCH && x.batch_kind == TP_BATCH_STACKS &&
            x.len_bytes > TP_SCAN_HEAD_BYTES && x.generation != found.generation)
            found = x;
    }
    assert_true(found.generation > 1);
    return found;
}

// Events of a generation are there without some of its stacks, as they are if these are damaged.
static void test_stacks_that_cannot_be_read(void **state)
{
    (void)state;
    static const char *const names[] = {"go122-gens.trace", "go126-gens.trace"};
    for (size_t i = 0; i < TP_ARRAY_LEN(names); i++) {
        char path[256];
        snprintf(path, sizeof path, TP_TRACES "/%s", names[i]);
        struct lab_trace t = lab_load(path);
        struct tp_extent bad = find_stacks(&t);
        struct reading whole = lab_read(path, "reread=always");
        atomic_store(&bad_offset, bad.offset + bad.header_bytes);
        struct reading got = lab_read(path, "reread=always jobs=2");
        struct reading strict = lab_read(path, "reread=always strict=yes");
        atomic_store(&bad_offset, UINT64_MAX);
        assert_int_equal(got.end, TP_NEXT_END);
        assert_int_equal(got.event_count, whole.event_count);
        assert_int_equal(got.checksum, whole.checksum);
        assert_int_equal(got.report.incomplete_count, 1);
        assert_int_equal(got.warning_count, 1);
        assert_true(got.has_read_warning);
        assert_int_equal(strict.end, TP_NEXT_FAILED);
        assert_int_equal(strict.error.code, TP_E_READ);
        assert_int_equal(strict.error.offset, bad.offset + bad.header_bytes);
        assert_true(strict.event_count > 0 && strict.event_count < whole.event_count);
        // It is told of a generation that is torn, too.
        lab_write("torn.trace", t.bytes, t.len_bytes - 3);
        struct reading torn = lab_read("torn.trace", "reread=always");
        atomic_store(&bad_offset, bad.offset + bad.header_bytes);
        struct reading both = lab_read("torn.trace", "reread=always");
        atomic_store(&bad_offset, UINT64_MAX);
        assert_false(torn.has_read_warning);
        assert_true(both.has_read_warning);
        lab_assert_same(names[i], &both, &torn);
        lab_drop(&t);
    }
}

// WHAT CANNOT BE READ AGAIN

static void *feed(void *ctx)
{
    bool *is_fed = ctx;
    struct lab_trace t = lab_load("a.trace");
    int fd = open("pipe", O_WRONLY | O_CLOEXEC);
    size_t done = 0;
    while (fd >= 0 && done < t.len_bytes) {
        ssize_t n = write(fd, t.bytes + done, t.len_bytes - done);
        if (n <= 0)
            break;
        done += (size_t)n;
    }
    *is_fed = done == t.len_bytes;
    close(fd);
    lab_drop(&t);
    return NULL;
}

// Who writes to a pipe sees one reader, to its end.
static void test_a_pipe_is_opened_once(void **state)
{
    (void)state;
    static const char *const options[] = {"jobs=2", "jobs=2 to=1h"};
    make_new("a.trace");
    assert_int_equal(mkfifo("pipe", 0666), 0);
    struct reading want = lab_read("a.trace", "");
    for (size_t k = 0; k < TP_ARRAY_LEN(options); k++) {
        pthread_t thread;
        bool is_fed = false;
        assert_int_equal(pthread_create(&thread, NULL, feed, &is_fed), 0);
        struct reading got = lab_read("pipe", options[k]);
        pthread_join(thread, NULL);
        assert_true(is_fed);
        lab_assert_same(options[k], &got, &want);
    }
}

#define LAB_TEST(name) cmocka_unit_test_setup_teardown(name, lab_set_up, lab_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAB_TEST(test_what_is_read_again_is_what_was_kept),
        LAB_TEST(test_damage_is_the_same_for_who_hops),
        LAB_TEST(test_who_hops_reads_little_at_a_time),
        LAB_TEST(test_a_file_that_becomes_shorter),
        LAB_TEST(test_a_file_that_is_written_over),
        LAB_TEST(test_stacks_that_cannot_be_read),
        LAB_TEST(test_a_pipe_is_opened_once),
    };
    return cmocka_run_group_tests_name("origin", tests, NULL, NULL);
}
