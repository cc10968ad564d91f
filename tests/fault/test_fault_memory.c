// Every allocation fails in its turn: the first, the second, ... of the same run,
// until one ends in which nothing failed; then seeded random ones with many
// workers. The run may do without (and then nothing is missing), or it fails for
// want of memory and says so.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "fault_lab.h"
#include "scratch.h"

#define RANDOM_RUNS 40

#define MANY_INPUTS                                                                             \
    {"a.trace", "b.txt", "hurt.trace", "a.gz", "missing", "cut.zst", "empty", "b.trace", NULL}

static const struct fault_run runs[] = {
    {.name = "text", .sinks = {"text", "out/t"}, .inputs = {"a.trace"}},
    {.name = "stats", .sinks = {"stats:level=counts,format=json", "out/s"}, .inputs = {"a.trace", "b.trace"}},
    {.name = "zstd", .sinks = {"zstd:level=1", "out/z"}, .inputs = {"a.trace"}},
    {.name = "perfetto", .sinks = {"perfetto:compress=yes,callstacks=yes", "out/p"}, .inputs = {"a.trace"}},
    {.name = "report", .sinks = {"report:detail=yes", "out/r"}, .inputs = {"a.trace"}},
    {.name = "checks",
     .options = {"junit", "out/junit.xml"},
     .sinks = {"text", "out/t"},
     .inputs = {"b.trace"},
     .check = "function(\"a b\").blocked.p99 < 1ms"},
    {.name = "baseline",
     .sinks = {"stats:format=json", "out/s", "stats:format=folded", "out/f"},
     .inputs = {"a.trace", "b.trace"},
     .check = "runnable.mean < +1000%",
     .baseline = "a.state"},
    {.name = "known",
     .options = {"known", "out/known"},
     .sinks = {"text", "out/t"},
     .inputs = {"a.trace", "b.trace"}},
    {.name = "pprof", .sinks = {"pprof:kind=sched", "out/p"}, .inputs = {"a.trace"}},
    {.name = "pprof with labels",
     .sinks = {"pprof:kind=running,labels=yes", "out/p"},
     .inputs = {"a.trace", "b.trace"}},
    {.name = "zstd of nothing", .sinks = {"zstd:level=1", "out/z"}, .inputs = {"empty"}},
    {.name = "raw of text",
     .options = {"manifest", "out/manifest.json"},
     .sinks = {"raw", "out/r"},
     .inputs = {"b.txt"}},
    {.name = "footprint of gzip", .sinks = {"footprint", "out/f"}, .inputs = {"a.gz"}},
    {.name = "footprint by goroutine",
     .sinks = {"footprint:by=goroutine,top=2", "out/g", "footprint:by=function", "out/f"},
     .inputs = {"a.trace", "hurt.trace"}},
    {.name = "raw of zstd", .sinks = {"raw", "out/r"}, .inputs = {"a.zst"}},
    {.name = "null", .sinks = {"null:until=scan", "/dev/null"}, .inputs = {"a.trace"}},
    {.name = "list",
     .sinks = {"list:batches=yes,format=json", "out/l"},
     .inputs = {"a.trace", "hurt.trace", "b.trace"}},
    {.name = "events", .sinks = {"events", "out/e"}, .inputs = {"b.trace"}},
    {.name = "events of damage",
     .sinks = {"events:tz=Asia/Tokyo", "out/e", "null:until=order", "/dev/null"},
     .inputs = {"hurt.trace"}},
    {.name = "events, strict",
     .options = {"strict", "yes"},
     .sinks = {"events", "out/e"},
     .inputs = {"hurt.trace", "b.txt"}},
    {.name = "selected events",
     .sinks = {"events:task=1,function=m.*,format=jsonl", "out/e"},
     .inputs = {"b.trace"}},
    {.name = "totals of states",
     .sinks = {"stats:level=full,format=state", "out/s"},
     .inputs = {"a.state", "a.trace", "cut.state"}},
    {.name = "flame graph",
     .sinks = {"stats:format=flamegraph", "out/s"},
     .inputs = {"a.state", "a.trace"}},
    {.name = "record",
     .options = {"resume", "out/record"},
     .sinks = {"zstd:level=1", "out/z", "stats", "out/s"},
     .inputs = {"a.trace", "hurt.trace", "empty"}},
    {.name = "strict",
     .options = {"strict", "yes"},
     .sinks = {"text", "out/t", "footprint", "out/f", "stats:level=counts,format=csv", "out/s"},
     .inputs = {"hurt.trace"}},
    {.name = "everything",
     .options = {"manifest", "out/manifest.json", "chunk-size", "4K"},
     .sinks = {"text", "out/text", "stats", "out/stats.txt", "zstd:level=1", "out/zstd", "raw",
               "out/raw", "footprint", "out/footprint"},
     .inputs = MANY_INPUTS},
};
#define RUN_COUNT (sizeof runs / sizeof runs[0])

// The run with `jobs` and `io` added to its options.
static struct fault_run with(const struct fault_run *run, const char *jobs, const char *io)
{
    const char *const more[] = {"jobs", jobs, "io", io, "max-memory", "64M"};
    struct fault_run r = *run;
    size_t n = 0;
    while (r.options[n] != NULL)
        n++;
    memcpy(r.options + n, more, sizeof more);
    return r;
}

static struct fault_result make_reference(const struct fault_run *run)
{
    struct fault_result want = fault_go(run);
    assert_int_equal(want.err.code, 0);
    fault_keep_reference();
    return want;
}

static void check(const struct fault_run *run, const struct fault_result *got,
                  const struct fault_result *want, uint64_t nth, bool for_ever)
{
    char name[96];
    snprintf(name, sizeof name, "%s, request %llu%s", run->name, (unsigned long long)nth,
             for_ever ? " and all later" : "");
    bool did_without = got->err.code == 0;
    if (!did_without && (got->err.code != TP_E_MEMORY || got->status != 3))
        fail_msg("%s: code %d, status %d: %s", name, got->err.code, got->status, got->err.text);
    if (did_without && (got->status != want->status || got->error_count != want->error_count))
        fail_msg("%s: status %d with %zu errors, not %d with %zu: %s", name, got->status,
                 got->error_count, want->status, want->error_count, got->first_error);
    fault_check_outputs(name, did_without);
}

// How many requests were there before all was well, about. Fails each of the first, then
// ever fewer: ordering asks by the hundred for the same things.
static uint64_t fail_each(const struct fault_run *run, bool for_ever)
{
    struct fault_result want = make_reference(run);
    for (uint64_t nth = 1;; nth += 1 + nth / 24) {
        struct fault_live live;
        tp_alloc_fail_at(nth, for_ever);
        fault_begin(&live, run);
        // Wait for the run's end first: the requests of fault_end are not those of the run.
        if (live.result.err.code == 0)
            (void)tp_run_wait(live.run, -1);
        bool fired = tp_alloc_fail_left() <= 1;
        tp_alloc_fail_at(0, false);
        struct fault_result got = fault_end(&live);
        check(run, &got, &want, nth, for_ever);
        if (!fired) {
            fault_drop_reference();
            return nth;
        }
    }
}

static void fail_each_of(const struct fault_run *run, const char *io)
{
    struct fault_run one = with(run, "1", io);
    uint64_t once = fail_each(&one, false), ever = fail_each(&one, true);
    print_message("%s by %s: %llu and %llu requests\n", run->name, io, (unsigned long long)once,
                  (unsigned long long)ever);
    // A run asks for far more than this; fewer means that nothing was tested.
    assert_true(once > 15 && ever > 15);
}

static void make_states(void)
{
    static const struct fault_run sum = {.name = "state",
                                         .sinks = {"stats:level=full,format=state", "a.state"},
                                         .inputs = {"a.trace", "b.trace"}};
    size_t len_bytes;
    struct fault_result r = fault_go(&sum);
    assert_int_equal(r.err.code, 0);
    unsigned char *bytes = fault_read("a.state", &len_bytes);
    fault_write("cut.state", bytes, len_bytes / 2);
    free(bytes);
}

static void test_each_failing_allocation(void **state)
{
    (void)state;
    fault_make_inputs();
    make_states();
    for (size_t i = 0; i < RUN_COUNT; i++)
        fail_each_of(&runs[i], "pread");
    fail_each_of(&runs[RUN_COUNT - 1], "auto");
}

static uint64_t next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

static void test_random_allocations_fail_with_many_workers(void **state)
{
    (void)state;
    fault_make_inputs();
    struct fault_run many = with(&runs[RUN_COUNT - 1], "8", "auto");
    many.repeat_count = 9;
    // Outputs of the same name would clash in a folder.
    const char *const shared[] = {"stats:level=counts,format=csv", "out/s", "text", "/dev/null", NULL};
    memcpy(many.sinks, shared, sizeof shared);
    struct fault_result want = make_reference(&many);
    uint64_t seed = 20, fired_count = 0;
    for (unsigned i = 0; i < RANDOM_RUNS; i++) {
        uint64_t nth = 1 + next_random(&seed) % (40u << i % 6);
        bool for_ever = i % 2 == 1;
        struct fault_live live;
        tp_alloc_fail_at(nth, for_ever);
        fault_begin(&live, &many);
        if (live.result.err.code == 0)
            (void)tp_run_wait(live.run, -1);
        fired_count += tp_alloc_fail_left() <= 1;
        tp_alloc_fail_at(0, false);
        struct fault_result got = fault_end(&live);
        check(&many, &got, &want, nth, for_ever);
    }
    print_message("%llu of %d runs lacked memory\n", (unsigned long long)fired_count, RANDOM_RUNS);
    assert_true(fired_count > RANDOM_RUNS / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH_TEST(test_each_failing_allocation),
        SCRATCH_TEST(test_random_allocations_fail_with_many_workers),
    };
    fault_set_up();
    return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
