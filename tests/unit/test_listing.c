// The list of a trace through the C interface.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "reader_lab.h"
#include "scratch.h"
#include "tracepipe/listing.h"

#define TRACE(name) TP_TRACES "/" name

static struct tp_listing *list(const char *path, const char *options)
{
    struct tp_option list[LAB_OPTIONS_MAX];
    struct tp_listing *l = NULL;
    struct tp_error err;
    lab_options(options, list);
    if (tp_listing_open(path, list, &l, &err) != 0)
        fail_msg("%s: %s", path, err.text);
    return l;
}

static struct tp_listing_summary summary_of(const char *path, const char *options)
{
    struct tp_listing *l = list(path, options);
    struct tp_listing_summary s;
    tp_listing_summary(l, &s);
    tp_listing_close(l);
    return s;
}

static const char *const names[] = {
    TRACE("go122-gens.trace"),    TRACE("go123-files.trace"),   TRACE("go124-user.trace"),
    TRACE("go125-http.trace"),    TRACE("go126-gens.trace"),    TRACE("hand.trace"),
    TRACE("v1/go19-stw.trace"),   TRACE("v1/go111-gc.trace"),   TRACE("v1/go121-cpu.trace"),
    TRACE("go126-gens.trace.gz"), TRACE("go126-gens.trace.zst"), TRACE("hand.txt"),
};

// Batches lie one behind the other, each in its generation.
static void check_batches(struct tp_listing *l, const struct tp_listing_summary *all)
{
    struct tp_listed_batch b;
    struct tp_listed_generation g = {0};
    struct tp_error err;
    uint64_t end = 0, generation_idx = 0, sum_bytes = 0;
    for (uint64_t i = 0; i < all->batch_count; i++) {
        assert_int_equal(tp_listing_batch(l, i, &b, &err), 0);
        assert_true(b.offset >= end && b.len_bytes > 0);
        assert_true(b.has_ns);
        end = b.offset + b.len_bytes;
        sum_bytes += b.len_bytes;
        assert_true(end <= all->stream_bytes);
        if (all->generation_count == 0) {
            assert_int_equal(b.generation, 0);
            assert_true(b.kind == TP_LISTED_EVENTS || b.kind == TP_LISTED_TABLES);
            continue;
        }
        if (i == g.first_batch + g.batch_count)
            assert_int_equal(tp_listing_generation(l, generation_idx++, &g, &err), 0);
        assert_int_equal(b.generation, g.number);
        assert_true(g.is_complete && g.has_ns && g.first_ns >= 0 && g.last_ns <= all->span_ns);
        assert_true(b.ticks >= g.first_ticks && b.ns >= g.first_ns);
    }
    assert_int_equal(generation_idx, all->generation_count);
    assert_true(sum_bytes < all->stream_bytes && sum_bytes > all->stream_bytes * 9 / 10);
}

static void test_batches_follow_each_other(void **state)
{
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(names); i++) {
        struct tp_listing *l = list(names[i], i % 2 == 0 ? "jobs=1" : "jobs=3 chunk-size=4K");
        struct tp_listing_summary all;
        tp_listing_summary(l, &all);
        assert_true(all.has_ticks && all.has_span && all.ticks_per_second > 0);
        assert_true(all.string_count > 0 && all.stack_count > 0);
        assert_true(all.read_count > 0);
        assert_int_equal(all.damage_count + all.lost_bytes + all.undecoded_bytes, 0);
        assert_int_equal(all.error.code, 0);
        check_batches(l, &all);
        tp_listing_close(l);
    }
}

static void test_other_forms_are_listed_alike(void **state)
{
    (void)state;
    struct tp_listing_summary want = summary_of(TRACE("go126-gens.trace"), "");
    struct tp_listing_summary got = summary_of(TRACE("go126-gens.trace.zst"), "io=pread");
    assert_true(got.stored_bytes < want.stored_bytes);
    got.stored_bytes = want.stored_bytes;
    assert_memory_equal(&got, &want, offsetof(struct tp_listing_summary, error));
    assert_true(summary_of(TRACE("hand.txt"), "").is_text_form);
}

static void test_time_of_day(void **state)
{
    (void)state;
    struct tp_listing_summary s = summary_of(TRACE("go126-gens.trace"), "");
    assert_true(s.has_wall && s.wall_start_ns == 1795229931921419262);
    assert_true(s.wall_end_ns - s.wall_start_ns == s.span_ns);
    s = summary_of(TRACE("go122-chan.trace"), "");
    assert_true(!s.has_wall && s.wall_start_ns == 0 && s.wall_end_ns == 0);
}

static void test_index_that_is_none(void **state)
{
    (void)state;
    struct tp_listing *l = list(TRACE("v1/go111-gc.trace"), "");
    struct tp_listing_summary all;
    struct tp_listed_batch b;
    struct tp_listed_generation g;
    struct tp_error err;
    tp_listing_summary(l, &all);
    assert_int_equal(tp_listing_batch(l, all.batch_count, &b, &err), TP_E_USAGE);
    assert_int_equal(tp_listing_batch(l, UINT64_MAX, &b, NULL), TP_E_USAGE);
    assert_int_equal(tp_listing_generation(l, 0, &g, &err), TP_E_USAGE);
    tp_listing_close(l);
    tp_listing_close(NULL);
}

static void check_fails(const char *path, const char *options, int code)
{
    struct tp_option list[LAB_OPTIONS_MAX];
    struct tp_listing *l = NULL;
    struct tp_error err = {0};
    lab_options(options, list);
    assert_int_equal(tp_listing_open(path, list, &l, &err), code);
    assert_int_equal(err.code, code);
    assert_null(l);
    if (tp_error_class_of(code) == TP_CLASS_INPUT)
        assert_string_equal(err.path, path);
    assert_int_equal(tp_listing_open(path, list, &l, NULL), code);
}

static void test_what_cannot_be_listed(void **state)
{
    (void)state;
    assert_int_equal(mkdir("folder", 0777), 0);
    make_file("empty", "");
    make_file("letter", "Dear reader, this is not a trace at all.");
    lab_write("new", "go 1.99 trace\0\0\0\1\1\1\1", 19);
    struct lab_trace t = lab_load(TRACE("go126-gens.trace.gz"));
    lab_write("cut.gz", t.bytes, 9);
    lab_drop(&t);
    check_fails("none.trace", "", TP_E_OPEN);
    check_fails("folder", "", TP_E_OPEN);
    check_fails("folder", "recursive=yes", TP_E_OPEN);
    check_fails("empty", "", TP_E_NOT_TRACE);
    check_fails("letter", "", TP_E_NOT_TRACE);
    check_fails("new", "", TP_E_NEW_TRACE);
    check_fails("cut.gz", "", TP_E_CODEC);
    check_fails(TRACE("hand.trace"), "nonsense=1", TP_E_USAGE);
    check_fails(TRACE("hand.trace"), "max-memory=1K", TP_E_USAGE);
}

// Of damaged traces, what is left; no times, where nobody knows them.
// The path is the caller's text: that of the run is gone.
static void test_an_option_that_is_refused_is_named(void **state)
{
    (void)state;
    const struct tp_option options[] = {{"binary", "/dev/null"}, {NULL, NULL}};
    struct tp_listing *l;
    struct tp_error err;
    assert_int_equal(tp_listing_open(TRACE("hand.trace"), options, &l, &err), TP_E_USAGE);
    assert_ptr_equal(err.path, options[0].value);
}

static void test_what_is_left_is_listed(void **state)
{
    (void)state;
    struct lab_trace t = lab_load(TRACE("v1/go111-gc.trace"));
    struct tp_listing_summary whole = summary_of(TRACE("v1/go111-gc.trace"), "");
    lab_write("cut.trace", t.bytes, 5000);
    struct tp_listing_summary s = summary_of("cut.trace", "");
    assert_true(s.batch_count == 2 && s.event_count > 0 && s.event_count < whole.event_count);
    assert_true(s.damage_count == 1 && s.lost_bytes == 1);
    assert_true(s.has_ticks && s.first_ticks == whole.first_ticks);
    assert_false(s.has_span);
    assert_int_equal(s.ticks_per_second, 0);
    s = summary_of("cut.trace", "frequency=1000");
    assert_true(s.has_span && s.span_ns > 0);
    lab_drop(&t);
    t = lab_load(TRACE("go126-gens.trace.gz"));
    lab_write("cut.gz", t.bytes, t.len_bytes * 3 / 4);
    lab_drop(&t);
    s = summary_of("cut.gz", "");
    assert_int_equal(s.error.code, TP_E_CODEC);
    assert_null(s.error.path);
    assert_true(s.has_span && s.generation_count > 1 && s.batch_count > 10);
    lab_write("oldest", "gotrace\0\101\0\5\5\1\6\2\101\3\132\5\4\2\144", 22);
    s = summary_of("oldest", "");
    assert_true(s.go_minor == 0 && s.batch_count == 2 && s.span_ns == 880000000);
}

// Each request for memory fails in its turn: the list is whole, or is none.
static void test_lack_of_memory_is_told(void **state)
{
    (void)state;
    struct tp_listing_summary want = summary_of(TRACE("go126-gens.trace"), "jobs=1"), got;
    static const struct tp_option options[] = {{"jobs", "1"}, {NULL, NULL}};
    for (uint64_t nth = 1;; nth++) {
        struct tp_listing *l = NULL;
        struct tp_error err;
        uint64_t before = tp_alloc_live_bytes();
        tp_alloc_fail_at(nth, nth % 2 == 0);
        int rc = tp_listing_open(TRACE("go126-gens.trace"), options, &l, &err);
        bool has_failed = tp_alloc_fail_left() <= 1;
        tp_alloc_fail_at(0, false);
        assert_true(rc == 0 || (rc == TP_E_MEMORY && has_failed));
        if (rc == 0) {
            tp_listing_summary(l, &got);
            assert_memory_equal(&got, &want, offsetof(struct tp_listing_summary, error));
            tp_listing_close(l);
        }
        assert_int_equal(tp_alloc_live_bytes(), before);
        assert_true(nth < 100000);
        if (!has_failed)
            break;
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, lab_set_up, lab_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_batches_follow_each_other),
        TEST(test_other_forms_are_listed_alike),
        TEST(test_time_of_day),
        TEST(test_index_that_is_none),
        TEST(test_what_cannot_be_listed),
        TEST(test_an_option_that_is_refused_is_named),
        TEST(test_what_is_left_is_listed),
        TEST(test_lack_of_memory_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
