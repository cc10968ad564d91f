// The pull interface: what comes, in which order, how it ends, and who waits for whom.
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "decode/format.h"
#include "order_lab.h"
#include "reader_lab.h"
#include "scratch.h"

#define TRACE(name) TP_TRACES "/" name

// WHAT COMES

// The order without files, threads and pipeline.
static struct reading ordered_alone(const struct lab_trace *t)
{
    static const struct order_way way = {.fill_capacity = 1000};
    struct tp_span bytes = tp_span_of(t->bytes, t->len_bytes);
    struct tp_format format;
    assert_int_equal(tp_format_detect(bytes, true, &format), TP_FORMAT_KNOWN);
    struct order_result r =
        order_trace(format.minor, tp_span_skip(bytes, format.header_bytes), false, &way);
    assert_int_equal(r.error_count, 0);
    struct reading want = {.end = TP_NEXT_END, .event_count = r.event_count,
                           .checksum = lab_checksum(0, r.events, r.event_count)};
    order_result_fini(&r);
    return want;
}

static void test_events_are_those_of_the_sequencer(void **state)
{
    (void)state;
    static const char *const names[] = {
        TRACE("go122-gc.trace"),   TRACE("go123-files.trace"), TRACE("go124-user.trace"),
        TRACE("go125-http.trace"), TRACE("go126-gens.trace"),  TRACE("go126-alloc-gens.trace"),
        TRACE("go126-many.trace"), TRACE("hand.trace"),
    };
    static const char *const options[] = {"jobs=1", "jobs=3", "io=pread chunk-size=4K",
                                          "strict=yes jobs=2"};
    for (size_t i = 0; i < TP_ARRAY_LEN(names); i++) {
        struct lab_trace t = lab_load(names[i]);
        struct reading want = ordered_alone(&t);
        for (size_t k = 0; k < TP_ARRAY_LEN(options); k++) {
            struct reading got = lab_read(names[i], options[k]);
            lab_assert_same(names[i], &got, &want);
            assert_int_equal(got.report.stored_bytes, t.len_bytes);
            assert_int_equal(got.report.event_count + got.report.damage_count, want.event_count);
            assert_int_equal(got.warning_count + got.error_message_count, 0);
        }
        lab_drop(&t);
    }
}

static void test_many_blocks_fit_through_few_units(void **state)
{
    (void)state;
    struct lab_trace t = lab_generate(5, 30000);
    lab_write("a.trace", t.bytes, t.len_bytes);
    struct reading want = ordered_alone(&t);
    assert_true(want.event_count > 100000);
    static const char *const options[] = {
        "jobs=1", "jobs=2", "jobs=1 chunk-size=4K", "jobs=1 max-memory=24M", "jobs=4 io=pread",
        "jobs=3 max-memory=32M chunk-size=64K",
    };
    for (size_t k = 0; k < TP_ARRAY_LEN(options); k++) {
        struct reading got = lab_read("a.trace", options[k]);
        lab_assert_same(options[k], &got, &want);
    }
    lab_drop(&t);
}

static void test_other_forms_give_the_same_events(void **state)
{
    (void)state;
    struct reading plain = lab_read(TRACE("go126-gens.trace"), "");
    struct reading gz = lab_read(TRACE("go126-gens.trace.gz"), "");
    struct reading zst = lab_read(TRACE("go126-gens.trace.zst"), "");
    lab_assert_same("gz", &gz, &plain);
    lab_assert_same("zst", &zst, &plain);
    assert_true(zst.report.stored_bytes < plain.report.stored_bytes);
    assert_int_equal(zst.report.stream_bytes, plain.report.stream_bytes);
    plain = lab_read(TRACE("hand.trace"), "");
    struct reading text = lab_read(TRACE("hand.txt"), "");
    lab_assert_same("text", &text, &plain);
}

static void test_blocks_go_with_their_tables(void **state)
{
    (void)state;
    struct tp_reader *reader = lab_open(TRACE("go126-gens.trace"), "jobs=2");
    struct tp_event_block block;
    struct tp_error err;
    uint64_t generation = 0, frames = 0, transitions = 0, syncs = 0;
    int64_t last_ns = INT64_MIN;
    while (tp_reader_next(reader, &block, &err) == TP_NEXT_BLOCK) {
        assert_true(block.generation == 0 || block.generation >= generation);
        generation = block.generation;
        for (size_t i = 0; i < block.event_count; i++) {
            const struct tp_event *e = &block.events[i];
            struct tp_transition transition;
            struct tp_stack stack;
            struct tp_sync sync;
            assert_true(e->time_ns > last_ns);
            last_ns = e->time_ns;
            if (tp_event_transition(e, block.tables, &transition))
                transitions++;
            if (tp_event_sync(e, block.tables, &sync))
                assert_int_equal(sync.number, ++syncs);
            if (!tp_event_stack(e, block.tables, &stack))
                continue;
            assert_true(stack.known);
            for (uint32_t k = 0; k < stack.frame_count; k++) {
                struct tp_frame f = tp_stack_frame(&stack, k);
                frames += f.pc != 0 && f.function.len_bytes > 0 && f.file.len_bytes > 0;
            }
        }
    }
    assert_true(frames > 0 && transitions > 0 && syncs > 1);
    tp_reader_close(reader);
}

// HOW IT ENDS

static void assert_open_fails(const char *path, const char *options, int code, const char *words)
{
    struct tp_option list[LAB_OPTIONS_MAX];
    struct tp_reader *reader = NULL;
    struct tp_error err;
    lab_options(options, list);
    assert_int_equal(tp_reader_open(path, list, &reader, &err), code);
    assert_int_equal(err.code, code);
    assert_null(reader);
    if (strstr(err.text, words) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", err.text, words);
    assert_int_equal(tp_reader_open(path, list, &reader, NULL), code);
}

static void test_names_and_options_that_cannot_be_fail_at_once(void **state)
{
    (void)state;
    assert_int_equal(mkdir("folder", 0777), 0);
    make_file("folder/a.trace", "");
    assert_open_fails("none.trace", "", TP_E_OPEN, "No such file");
    assert_open_fails("folder", "", TP_E_OPEN, "Is a directory");
    assert_open_fails("folder", "recursive=yes", TP_E_OPEN, "Is a directory");
    assert_open_fails("a", "jobs=many", TP_E_USAGE, "jobs");
    assert_open_fails("a", "nonsense=1", TP_E_USAGE, "nonsense");
    assert_open_fails(TRACE("hand.trace"), "max-memory=1K", TP_E_USAGE, "max-memory");
    assert_open_fails(TRACE("hand.trace"), "binary=folder", TP_E_USAGE, "it is a folder");
    tp_reader_close(NULL);
}

static void assert_ends(const char *path, int code)
{
    struct reading r = lab_read(path, "");
    assert_int_equal(r.open_error.code, 0);
    assert_int_equal(r.end, TP_NEXT_FAILED);
    if (r.error.code != code)
        fail_msg("%s: code %d, not %d: %s", path, r.error.code, code, r.error.text);
    assert_int_equal(r.event_count, 0);
    assert_true(r.error.text[0] != '\0' && r.error_message_count > 0);
}

static void test_what_is_no_trace_is_refused(void **state)
{
    (void)state;
    make_file("empty", "");
    make_file("letter", "Dear reader, this is not a trace at all.");
    lab_write("old", "go 1.5 trace\0\0\0\0\0\0\0\0", 20);
    lab_write("oldest", "gotrace\0\1\2\3", 11);
    lab_write("new", "go 1.99 trace\0\0\0\1\1\1\1", 19);
    assert_ends("empty", TP_E_NOT_TRACE);
    assert_ends("letter", TP_E_NOT_TRACE);
    assert_ends("old", TP_E_EVENT);
    assert_ends("oldest", TP_E_EVENT);
    assert_ends("new", TP_E_NEW_TRACE);
}

static void test_error_names_the_file(void **state)
{
    (void)state;
    make_file("letter", "Dear reader, this is not a trace at all.");
    struct tp_reader *reader = lab_open("letter", "");
    struct tp_event_block block;
    struct tp_error err;
    struct tp_reader_report report;
    assert_false(tp_reader_report(reader, &report));
    assert_int_equal(tp_reader_next(reader, &block, &err), TP_NEXT_FAILED);
    assert_string_equal(err.path, "letter");
    assert_int_equal(tp_reader_next(reader, &block, NULL), TP_NEXT_FAILED);
    tp_reader_close(reader);

    // Of the program it is the caller's text: that of the reader is gone.
    const struct tp_option options[] = {{"binary", "none"}, {"binary", "letter"}, {NULL, NULL}};
    assert_int_equal(tp_reader_open(TRACE("hand.trace"), options, &reader, &err), TP_E_USAGE);
    assert_ptr_equal(err.path, options[1].value);
}

// Two thirds of a trace of several generations.
static void make_cut_trace(const char *path)
{
    struct lab_trace t = lab_load(TRACE("go126-gens.trace"));
    lab_write(path, t.bytes, t.len_bytes * 2 / 3);
    lab_drop(&t);
}

static void test_damage_is_told_and_no_failure(void **state)
{
    (void)state;
    make_cut_trace("cut.trace");
    struct reading whole = lab_read(TRACE("go126-gens.trace"), "");
    struct reading cut = lab_read("cut.trace", "jobs=2");
    assert_int_equal(cut.end, TP_NEXT_END);
    assert_true(cut.event_count > 0 && cut.event_count < whole.event_count);
    assert_true(cut.report.damage_count > 0 && cut.warning_count > 0);
    struct reading again = lab_read("cut.trace", "jobs=1 chunk-size=4K");
    lab_assert_same("again", &again, &cut);
}

static void test_strict_ends_where_the_reference_does(void **state)
{
    (void)state;
    make_cut_trace("cut.trace");
    struct reading salvaged = lab_read("cut.trace", "");
    struct reading strict = lab_read("cut.trace", "strict=yes jobs=2");
    assert_int_equal(strict.end, TP_NEXT_FAILED);
    assert_int_equal(tp_error_class_of(strict.error.code), TP_CLASS_INPUT);
    assert_true(strict.event_count > 0 && strict.event_count <= salvaged.event_count);
    assert_true(strict.error_message_count > 0);
}

static void test_cut_archive_fails_behind_its_events(void **state)
{
    (void)state;
    struct lab_trace t = lab_load(TRACE("go126-gens.trace.gz"));
    lab_write("cut.gz", t.bytes, t.len_bytes * 3 / 4);
    lab_drop(&t);
    struct reading r = lab_read("cut.gz", "");
    assert_int_equal(r.end, TP_NEXT_FAILED);
    assert_int_equal(r.error.code, TP_E_CODEC);
    assert_true(r.event_count > 0);
}

// What a window leaves out is counted: with "exact" all that is before it.
static void test_windows_tell_what_they_leave_out(void **state)
{
    (void)state;
    static const char *const paths[] = {
        TRACE("go122-gens.trace"),   TRACE("go126-gens.trace"),   TRACE("go126-gens.trace.zst"),
        TRACE("v1/go19-stw.trace"),  TRACE("v1/go111-gc.trace"),
    };
    static const char *const moments[] = {"0", "1us", "2ms", "20ms", "1h"};
    for (size_t i = 0; i < TP_ARRAY_LEN(paths); i++) {
        struct reading whole = lab_read(paths[i], "");
        assert_int_equal(whole.report.before_count + whole.report.behind_count, 0);
        assert_int_equal(whole.report.behind_bytes, 0);
        for (size_t k = 0; k < TP_ARRAY_LEN(moments); k++) {
            char first[40], second[40];
            snprintf(first, sizeof first, "jobs=1 to=%s", moments[k]);
            snprintf(second, sizeof second, "exact=yes from=%s", moments[k]);
            struct reading head = lab_read(paths[i], first), tail = lab_read(paths[i], second);
            assert_int_equal(head.event_count + tail.event_count, whole.event_count);
            assert_int_equal(head.report.event_count, head.event_count);
            assert_int_equal(head.report.before_count, 0);
            assert_int_equal(tail.report.before_count, head.event_count);
            assert_int_equal(tail.report.behind_count + tail.report.behind_bytes, 0);
            assert_true(head.report.behind_count <= tail.event_count);
        }
    }
}

// WHO WAITS FOR WHOM

static void test_closing_early_leaves_nothing(void **state)
{
    (void)state;
    struct lab_trace t = lab_generate(4, 30000);
    lab_write("a.trace", t.bytes, t.len_bytes);
    lab_drop(&t);
    static const char *const options[] = {"jobs=1", "jobs=3", "jobs=1 max-memory=24M"};
    static const size_t counts[] = {0, 1, 2, 9, 40, 100};
    for (size_t k = 0; k < TP_ARRAY_LEN(options); k++) {
        for (size_t i = 0; i < TP_ARRAY_LEN(counts); i++) {
            uint64_t before = tp_alloc_live_bytes();
            struct tp_reader *reader = lab_open("a.trace", options[k]);
            struct tp_event_block block;
            for (size_t n = 0; n < counts[i]; n++)
                assert_int_equal(tp_reader_next(reader, &block, NULL), TP_NEXT_BLOCK);
            tp_reader_close(reader);
            assert_int_equal(tp_alloc_live_bytes(), before);
        }
    }
}

// The pipeline runs into the wall that unread blocks are, again and again.
static void test_slow_program_gets_every_event(void **state)
{
    (void)state;
    struct lab_trace t = lab_generate(3, 20000);
    lab_write("a.trace", t.bytes, t.len_bytes);
    struct reading want = ordered_alone(&t), got = {.end = TP_NEXT_END};
    lab_drop(&t);
    struct tp_reader *reader = lab_open("a.trace", "jobs=2 max-memory=24M");
    struct tp_event_block block;
    struct tp_error err;
    while (tp_reader_next(reader, &block, &err) == TP_NEXT_BLOCK) {
        if (got.block_count++ % 4 == 0)
            usleep(2000);
        got.event_count += block.event_count;
        got.checksum = lab_checksum(got.checksum, block.events, block.event_count);
    }
    tp_reader_close(reader);
    lab_assert_same("slow", &got, &want);
}

static void test_readers_in_turn_do_not_mind_each_other(void **state)
{
    (void)state;
    static const char *const names[] = {TRACE("go126-gens.trace"), TRACE("go122-gens.trace"),
                                        TRACE("go126-many.trace")};
    struct tp_reader *readers[TP_ARRAY_LEN(names)];
    struct reading want[TP_ARRAY_LEN(names)], got[TP_ARRAY_LEN(names)] = {{.end = TP_NEXT_BLOCK}};
    for (size_t i = 0; i < TP_ARRAY_LEN(names); i++) {
        want[i] = lab_read(names[i], "jobs=1");
        readers[i] = lab_open(names[i], "jobs=1");
        got[i].end = TP_NEXT_BLOCK;
    }
    for (size_t open = TP_ARRAY_LEN(names); open > 0;) {
        for (size_t i = 0; i < TP_ARRAY_LEN(names); i++) {
            struct tp_event_block block;
            if (got[i].end != TP_NEXT_BLOCK)
                continue;
            got[i].end = tp_reader_next(readers[i], &block, NULL);
            if (got[i].end != TP_NEXT_BLOCK) {
                open--;
                continue;
            }
            got[i].event_count += block.event_count;
            got[i].checksum = lab_checksum(got[i].checksum, block.events, block.event_count);
        }
    }
    for (size_t i = 0; i < TP_ARRAY_LEN(names); i++) {
        lab_assert_same(names[i], &got[i], &want[i]);
        tp_reader_close(readers[i]);
    }
}

static void *read_in_thread(void *ctx)
{
    struct reading *r = ctx;
    struct tp_reader *reader;
    struct tp_event_block block;
    if (tp_reader_open("a.trace", NULL, &reader, &r->open_error) != 0)
        return NULL;
    while ((r->end = tp_reader_next(reader, &block, &r->error)) == TP_NEXT_BLOCK) {
        r->event_count += block.event_count;
        r->checksum = lab_checksum(r->checksum, block.events, block.event_count);
    }
    tp_reader_close(reader);
    return NULL;
}

static void test_readers_on_many_threads(void **state)
{
    (void)state;
    struct lab_trace t = lab_generate(3, 8000);
    lab_write("a.trace", t.bytes, t.len_bytes);
    struct reading want = ordered_alone(&t), got[4] = {{.end = TP_NEXT_BLOCK}};
    lab_drop(&t);
    pthread_t threads[TP_ARRAY_LEN(got)];
    for (size_t i = 0; i < TP_ARRAY_LEN(got); i++)
        assert_int_equal(pthread_create(&threads[i], NULL, read_in_thread, &got[i]), 0);
    for (size_t i = 0; i < TP_ARRAY_LEN(got); i++) {
        pthread_join(threads[i], NULL);
        lab_assert_same("thread", &got[i], &want);
    }
}

struct feeder {
    const struct lab_trace *trace;
    size_t first_bytes;
    pthread_mutex_t mu;
    pthread_cond_t cond;
    bool may_go_on;
};

static bool put_all(int fd, const unsigned char *bytes, size_t len_bytes)
{
    while (len_bytes > 0) {
        ssize_t n = write(fd, bytes, len_bytes);
        if (n <= 0)
            return false;
        bytes += n;
        len_bytes -= (size_t)n;
    }
    return true;
}

// Holds the rest back until the reader has seen events of the first part.
static void *feed(void *ctx)
{
    struct feeder *f = ctx;
    int fd = open("pipe", O_WRONLY | O_CLOEXEC);
    (void)put_all(fd, f->trace->bytes, f->first_bytes);
    pthread_mutex_lock(&f->mu);
    while (!f->may_go_on)
        pthread_cond_wait(&f->cond, &f->mu);
    pthread_mutex_unlock(&f->mu);
    (void)put_all(fd, f->trace->bytes + f->first_bytes, f->trace->len_bytes - f->first_bytes);
    close(fd);
    return NULL;
}

static void let_go_on(struct feeder *f)
{
    pthread_mutex_lock(&f->mu);
    f->may_go_on = true;
    pthread_cond_signal(&f->cond);
    pthread_mutex_unlock(&f->mu);
}

// Few blocks are handed out too when no more come for now.
static void test_events_come_while_the_writer_pauses(void **state)
{
    (void)state;
    struct lab_trace t = lab_generate(4, 1500);
    struct reading want = ordered_alone(&t), got = {.end = TP_NEXT_END};
    struct feeder f = {.trace = &t, .first_bytes = t.len_bytes * 2 / 3,
                       .mu = PTHREAD_MUTEX_INITIALIZER, .cond = PTHREAD_COND_INITIALIZER};
    pthread_t thread;
    assert_int_equal(mkfifo("pipe", 0600), 0);
    assert_int_equal(pthread_create(&thread, NULL, feed, &f), 0);
    struct tp_reader *reader = lab_open("pipe", "jobs=2");
    struct tp_event_block block;
    while (tp_reader_next(reader, &block, NULL) == TP_NEXT_BLOCK) {
        got.event_count += block.event_count;
        got.checksum = lab_checksum(got.checksum, block.events, block.event_count);
        if (got.event_count > 1500)
            let_go_on(&f);
    }
    tp_reader_close(reader);
    pthread_join(thread, NULL);
    lab_assert_same("pipe", &got, &want);
    lab_drop(&t);
}

// Each request for memory fails in its turn: the reader does without or says so.
static void test_lack_of_memory_is_told(void **state)
{
    (void)state;
    make_cut_trace("cut.trace");
    struct reading want = lab_read("cut.trace", "jobs=1");
    for (uint64_t nth = 1;; nth++) {
        uint64_t before = tp_alloc_live_bytes();
        tp_alloc_fail_at(nth, nth % 2 == 0);
        struct reading got = lab_read("cut.trace", "jobs=1");
        bool has_failed = tp_alloc_fail_left() <= 1;
        tp_alloc_fail_at(0, false);
        assert_int_equal(tp_alloc_live_bytes(), before);
        if (!has_failed)
            break;
        assert_true(nth < 100000);
        if (got.open_error.code != 0)
            assert_int_equal(got.open_error.code, TP_E_MEMORY);
        else if (got.end == TP_NEXT_FAILED)
            assert_int_equal(got.error.code, TP_E_MEMORY);
        else
            lab_assert_same("without", &got, &want);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, lab_set_up, lab_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_events_are_those_of_the_sequencer),
        TEST(test_many_blocks_fit_through_few_units),
        TEST(test_other_forms_give_the_same_events),
        TEST(test_blocks_go_with_their_tables),
        TEST(test_names_and_options_that_cannot_be_fail_at_once),
        TEST(test_what_is_no_trace_is_refused),
        TEST(test_error_names_the_file),
        TEST(test_damage_is_told_and_no_failure),
        TEST(test_strict_ends_where_the_reference_does),
        TEST(test_cut_archive_fails_behind_its_events),
        TEST(test_windows_tell_what_they_leave_out),
        TEST(test_closing_early_leaves_nothing),
        TEST(test_slow_program_gets_every_event),
        TEST(test_readers_in_turn_do_not_mind_each_other),
        TEST(test_readers_on_many_threads),
        TEST(test_events_come_while_the_writer_pauses),
        TEST(test_lack_of_memory_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
