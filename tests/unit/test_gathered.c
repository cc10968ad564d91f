// Older traces whose events are gathered by the worker that puts them in order, and folded
// by others: what comes of it is what comes of folding at once, wherever it is cut, ends or
// fails.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "pipeline/core/run.h"
#include "reader_lab.h"
#include "scratch.h"
#include "wire_build_v1.h"

#define HANGS_AFTER_MS 120000
#define MINOR 21
#define TRACE_MAX_BYTES TP_MIB(8)
#define ROUND_EVENTS 6
#define ROUNDS_OF_BATCH 100
// For several slots, and for some blocks of one.
#define MANY_ROUNDS 17000
#define FEW_ROUNDS 400
#define NEVER UINT64_MAX
// Less than a slot with room for many blocks takes.
#define LITTLE_MEMORY "18M"

// THE TRACE
//
// Goroutine 1 makes another one each round, which logs and ends. Events are a nanosecond
// apart, from 100 on.

struct script {
    uint64_t round_count;
    uint64_t log_count;    // distinct names of logs: each takes more of sums than 1 KiB
    uint64_t breaks_at;    // round before which Go's checks fail
    uint64_t event_count;  // of the order, before that; the Sync that begins it not among them
};

#define EV(type, ...) WIRE_V1_PUT(b, MINOR, TP_V1_##type, __VA_ARGS__)

static void put_round(struct tp_buf *b, const struct script *s, uint64_t round)
{
    uint64_t g = 2 + round;
    EV(GoCreate, 1, g, 2, 3);
    EV(GoSched, 1, 4);
    EV(GoStartLocal, 1, g);
    wire_v1_put_log(b, 1, 0, 10 + round % s->log_count, 1, "");
    EV(GoEnd, 1);
    EV(GoStartLocal, 1, 1);
}

static void put_tables(struct tp_buf *b, const struct script *s)
{
    char name[32];
    wire_v1_put_stacks(b, MINOR, 9);
    for (unsigned id = 1; id < 10; id++) {
        snprintf(name, sizeof name, "main.f%u", id);
        wire_v1_put_string(b, id, name);
    }
    for (uint64_t i = 0; i < s->log_count; i++) {
        snprintf(name, sizeof name, "log %llu", (unsigned long long)i);
        wire_v1_put_string(b, 10 + i, name);
    }
}

static void make_trace(const char *path, struct script *s)
{
    struct tp_buf buf, *b = &buf;
    assert_true(tp_buf_init(b, TRACE_MAX_BYTES));
    wire_v1_put_header(b, MINOR);
    wire_v1_put_beginning(b, MINOR);
    s->event_count = 3; // the first Gomaxprocs only ends what the runtime does by itself
    for (uint64_t round = 0; round < s->round_count; round++) {
        if (round % ROUNDS_OF_BATCH == 0)
            wire_v1_put_batch(b, MINOR, 0, 101 + round * ROUND_EVENTS);
        if (round == s->breaks_at)
            EV(ProcStart, 0, 5);
        s->event_count += round < s->breaks_at ? ROUND_EVENTS : 0;
        put_round(b, s, round);
    }
    put_tables(b, s);
    wire_v1_put_frequency(b, MINOR, 1000000000);
    lab_write(path, b->ptr, b->len_bytes);
    tp_buf_fini(b);
}

// THE RUN

struct outcome {
    struct tp_error err;   // of the run itself; code 0: none
    int status;
    size_t wide_count;     // slots in which was gathered
    struct lab_trace state;
    struct lab_trace json;
};

// Without sinks.
static struct tp_run *describe_run(const char *options, const char *const *paths)
{
    struct tp_option list[LAB_OPTIONS_MAX];
    struct tp_error err;
    struct tp_run *run;
    lab_options(options, list);
    assert_int_equal(tp_run_create(&run, &err), 0);
    assert_int_equal(tp_run_set(run, "force", "yes", &err), 0);
    for (const struct tp_option *o = list; o->name != NULL; o++)
        assert_int_equal(tp_run_set(run, o->name, o->value, &err), 0);
    for (; *paths != NULL; paths++)
        assert_int_equal(tp_run_add_path(run, *paths, &err), 0);
    return run;
}

static struct tp_run *begin_run(const char *options, const char *const *paths)
{
    struct tp_run *run = describe_run(options, paths);
    struct tp_error err;
    assert_int_equal(tp_run_add_sink(run, "stats:format=state", "out.state", &err), 0);
    assert_int_equal(tp_run_add_sink(run, "stats:format=json", "out.json", &err), 0);
    return run;
}

static size_t count_wide(const struct tp_run *run)
{
    size_t count = 0;
    for (const struct tp_slot *s = run->lanes[TP_LANE_BLOCKS].idle; s != NULL; s = s->next)
        count += s->is_wide;
    return count;
}

// The request for memory number `nth` from its start fails; 0: none.
struct fault {
    uint64_t nth;
    bool for_ever;         // and all later ones
    bool has_come;         // out: there were so many
};

// Of a run that was begun.
static struct outcome end_run(struct tp_run *run, struct fault *fault)
{
    struct outcome r = {0};
    tp_alloc_fail_at(fault->nth, fault->for_ever);
    bool is_started = tp_run_start(run, &r.err) == 0;
    if (is_started && !tp_run_wait(run, HANGS_AFTER_MS)) {
        fprintf(stderr, "the run hangs\n");
        abort();
    }
    fault->has_come = tp_alloc_fail_left() <= 1;
    tp_alloc_fail_at(0, false);
    if (is_started) {
        r.err.code = 0;
        if (tp_run_error(run) != NULL)
            r.err = *tp_run_error(run);
        r.status = tp_run_exit_status(run);
        r.wide_count = count_wide(run);
    }
    tp_run_destroy(run);
    if (is_started && r.err.code == 0) {
        r.state = lab_load("out.state");
        r.json = lab_load("out.json");
    }
    return r;
}

static struct outcome go(const char *options, const char *const *paths)
{
    return end_run(begin_run(options, paths), &(struct fault){0});
}

static void drop(struct outcome *r)
{
    lab_drop(&r->state);
    lab_drop(&r->json);
}

static void assert_same_bytes(const char *name, const struct lab_trace *got,
                              const struct lab_trace *want)
{
    if (got->len_bytes != want->len_bytes || memcmp(got->bytes, want->bytes, got->len_bytes) != 0)
        fail_msg("%s: other results", name);
}

// The count in the report.
static void assert_event_count(const struct outcome *r, uint64_t want)
{
    static const char key[] = "\"events\":";
    r->json.bytes[r->json.len_bytes] = '\0';
    const char *at = strstr((const char *)r->json.bytes, key);
    assert_non_null(at);
    assert_int_equal(strtoull(at + strlen(key), NULL, 10), want);
}

// One worker folds at once, several do not; `options` as for one, without jobs.
static struct outcome go_each(const char *options, const char *const *paths)
{
    static const char *const jobs[] = {"jobs=2", "jobs=4", "jobs=2 io=pread chunk-size=4K"};
    char words[160];
    snprintf(words, sizeof words, "jobs=1 %s", options);
    struct outcome want = go(words, paths);
    assert_int_equal(want.err.code, 0);
    assert_int_equal(want.wide_count, 0);
    for (size_t i = 0; i < TP_ARRAY_LEN(jobs); i++) {
        snprintf(words, sizeof words, "%s %s", jobs[i], options);
        struct outcome got = go(words, paths);
        if (got.err.code != 0)
            fail_msg("%s: %s", words, got.err.text);
        assert_int_equal(got.status, want.status);
        // Of several inputs one may be put in order on each worker.
        assert_true(got.wide_count > 0 || paths[1] != NULL);
        assert_same_bytes(words, &got.state, &want.state);
        assert_same_bytes(words, &got.json, &want.json);
        drop(&got);
    }
    return want;
}

// TESTS

static const char *const one[] = {"a.trace", NULL};

// The Syncs that the order adds at begin and end.
#define SYNCS 2

static void test_several_slots(void **state)
{
    (void)state;
    struct script s = {.round_count = MANY_ROUNDS, .log_count = 1, .breaks_at = NEVER};
    make_trace("a.trace", &s);
    assert_true(s.event_count > 3 * TP_WIDE_BLOCKS * TP_BLOCK_EVENTS);
    struct outcome r = go_each("", one);
    assert_int_equal(r.status, 0);
    assert_event_count(&r, s.event_count + SYNCS);
    drop(&r);
}

static void test_less_than_a_block(void **state)
{
    (void)state;
    struct script s = {.round_count = 3, .log_count = 1, .breaks_at = NEVER};
    make_trace("a.trace", &s);
    struct outcome r = go_each("", one);
    assert_event_count(&r, s.event_count + SYNCS);
    drop(&r);
}

// What fits into a slot and is too much for sums.
static void test_slots_of_many_names(void **state)
{
    (void)state;
    struct script s = {.round_count = MANY_ROUNDS, .log_count = 3000, .breaks_at = NEVER};
    make_trace("a.trace", &s);
    struct outcome r = go_each("", one);
    assert_event_count(&r, s.event_count + SYNCS);
    drop(&r);
}

static void test_several_inputs(void **state)
{
    (void)state;
    static const char *const paths[] = {"a.trace", "b.trace", "a.trace", "c.trace", NULL};
    struct script a = {.round_count = MANY_ROUNDS / 2, .log_count = 1, .breaks_at = NEVER};
    struct script b = {.round_count = FEW_ROUNDS, .log_count = 200, .breaks_at = NEVER};
    struct script c = {.round_count = MANY_ROUNDS / 3, .log_count = 9, .breaks_at = 4000};
    make_trace("a.trace", &a);
    make_trace("b.trace", &b);
    make_trace("c.trace", &c);
    struct outcome r = go_each("", paths);
    assert_int_equal(r.status, 1);
    drop(&r);
}

// In the first slot and in a later one, at the beginning and at the end of a block.
static void test_an_error_in_the_middle(void **state)
{
    (void)state;
    const uint64_t rounds[] = {0, 1, TP_BLOCK_EVENTS / ROUND_EVENTS, FEW_ROUNDS,
                               TP_WIDE_BLOCKS * TP_BLOCK_EVENTS / ROUND_EVENTS, MANY_ROUNDS - 1};
    for (size_t i = 0; i < TP_ARRAY_LEN(rounds); i++) {
        struct script s = {.round_count = MANY_ROUNDS, .log_count = 5, .breaks_at = rounds[i]};
        make_trace("a.trace", &s);
        struct outcome r = go_each("", one);
        assert_int_equal(r.status, 1);
        assert_event_count(&r, s.event_count + SYNCS);
        drop(&r);
        r = go_each("strict=yes", one);
        assert_int_equal(r.status, 1);
        drop(&r);
    }
}

static void test_windows(void **state)
{
    (void)state;
    static const char *const options[] = {
        "from=0ns to=1us", "from=3us to=3001ns", "from=0ns to=16us", "from=5us to=60us",
        "from=60us", "to=0ns", "from=1s",
    };
    struct script s = {.round_count = MANY_ROUNDS, .log_count = 5, .breaks_at = NEVER};
    make_trace("a.trace", &s);
    for (size_t i = 0; i < TP_ARRAY_LEN(options); i++) {
        struct outcome r = go_each(options[i], one);
        drop(&r);
    }
}

// Where there is no room for many blocks they are folded at once.
static void test_little_memory(void **state)
{
    (void)state;
    struct script s = {.round_count = MANY_ROUNDS, .log_count = 5, .breaks_at = NEVER};
    make_trace("a.trace", &s);
    struct outcome want = go("jobs=1", one);
    struct outcome got = go("jobs=2 max-memory=" LITTLE_MEMORY, one);
    assert_int_equal(got.err.code, 0);
    assert_int_equal(got.wide_count, 0);
    assert_same_bytes("little memory", &got.state, &want.state);
    drop(&got);
    drop(&want);
}

// Which sinks there are decides, too.
static void test_what_is_gathered_for(void **state)
{
    (void)state;
    static const struct {
        const char *sinks[2];
        bool is_gathered;
    } cases[] = {
        {{"stats"}, true},
        {{"null:until=order"}, false},
        {{"null:until=order,sum=yes", "stats"}, true},
        {{"stats", "stats:level=counts"}, true}, // which looks at segments
        {{"stats", "events"}, false},            // which is given single blocks
        {{"events:model=v1"}, false},
    };
    struct script s = {.round_count = MANY_ROUNDS, .log_count = 1, .breaks_at = NEVER};
    make_trace("a.trace", &s);
    for (size_t i = 0; i < TP_ARRAY_LEN(cases); i++) {
        struct tp_run *run = describe_run("jobs=2", one);
        struct tp_error err;
        for (size_t k = 0; k < 2 && cases[i].sinks[k] != NULL; k++)
            assert_int_equal(tp_run_add_sink(run, cases[i].sinks[k], "/dev/null", &err), 0);
        assert_int_equal(tp_run_start(run, &err), 0);
        assert_true(tp_run_wait(run, HANGS_AFTER_MS));
        assert_int_equal(tp_run_exit_status(run), 0);
        assert_int_equal(count_wide(run) > 0, cases[i].is_gathered);
        tp_run_destroy(run);
    }
}

struct fault_counts {
    size_t failed_runs;
    size_t at_once_runs;   // that did without room for many blocks
};

// Each of the first `dense_count` requests for memory fails, then ever fewer. The run does
// without, or ends for want of memory.
static struct fault_counts fail_allocations(struct script *s, uint64_t dense_count)
{
    struct fault_counts counts = {0};
    make_trace("a.trace", s);
    struct outcome want = go("jobs=1", one);
    struct fault fault = {.nth = 1, .has_come = true};
    for (size_t run = 0; fault.has_come; fault.nth += 1 + fault.nth / dense_count, run++) {
        fault.for_ever = fault.nth > dense_count && run % 2 == 0;
        struct outcome got = end_run(begin_run("jobs=2 io=pread", one), &fault);
        if (got.err.code == 0)
            assert_same_bytes("with all that is needed", &got.state, &want.state);
        else if (got.err.code != TP_E_MEMORY)
            fail_msg("request %llu: code %d: %s", (unsigned long long)fault.nth, got.err.code,
                     got.err.text);
        counts.failed_runs += got.err.code != 0;
        counts.at_once_runs += got.err.code == 0 && got.wide_count == 0;
        drop(&got);
    }
    drop(&want);
    return counts;
}

static void test_failing_allocations_while_folding(void **state)
{
    (void)state;
    struct script s = {.round_count = 4 * FEW_ROUNDS, .log_count = 700, .breaks_at = NEVER};
    assert_true(fail_allocations(&s, 24).failed_runs > 30);
}

static void test_failing_allocations_before_folding(void **state)
{
    (void)state;
    struct script s = {.round_count = 3, .log_count = 1, .breaks_at = NEVER};
    // Threads take turns in asking, so the one request may slip through all runs.
    size_t at_once_runs = 0;
    for (unsigned sweep = 0; sweep < 20 && at_once_runs == 0; sweep++)
        at_once_runs = fail_allocations(&s, 10000).at_once_runs;
    assert_true(at_once_runs > 0);
}

// At any moment; the test is that it ends and leaves nothing.
static void test_a_stopped_run(void **state)
{
    (void)state;
    struct script s = {.round_count = MANY_ROUNDS, .log_count = 3000, .breaks_at = NEVER};
    make_trace("a.trace", &s);
    for (int waited_ms = 0; waited_ms < 40; waited_ms += 3) {
        struct tp_run *run = begin_run("jobs=3", one);
        struct tp_error err;
        assert_int_equal(tp_run_start(run, &err), 0);
        (void)tp_run_wait(run, waited_ms);
        tp_run_destroy(run);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, lab_set_up, lab_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_several_slots),
        TEST(test_less_than_a_block),
        TEST(test_slots_of_many_names),
        TEST(test_several_inputs),
        TEST(test_an_error_in_the_middle),
        TEST(test_windows),
        TEST(test_little_memory),
        TEST(test_what_is_gathered_for),
        TEST(test_failing_allocations_while_folding),
        TEST(test_failing_allocations_before_folding),
        TEST(test_a_stopped_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
