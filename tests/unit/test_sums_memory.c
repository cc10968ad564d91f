// Every request for memory of following events, adding them up and ending fails once: it is told, nothing
// leaks, and what has come before can be thrown away.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "full_script.h"
#include "hist_bytes.h"

#define EVENTS_MAX 2000

static struct tp_event events[EVENTS_MAX];
static size_t event_count;

static void put(int64_t g, uint8_t type, uint64_t a, uint64_t b, uint64_t c)
{
    assert_true(event_count < EVENTS_MAX);
    struct tp_event *e = &events[event_count];
    *e = (struct tp_event){.time_ns = 10000 * (int64_t)++event_count, .m = 1, .p = g % 4, .g = g,
                           .args = {a, b, c}, .type = type};
}

// Enough of everything that the lists grow more than once.
static void make_events(void)
{
    event_count = 0;
    put(-1, TP_EVENT_SYNC, 1, 1, 0);
    for (int64_t g = 1; g <= 70; g++) {
        uint64_t id = (uint64_t)g;
        if (g % 3 == 0)
            put(-1, TP_EV_GoStatus, id, 1, g % 2 == 0 ? 4 : 1);
        else if (g % 3 == 1)
            put(1, TP_EV_GoCreate, id, g % 2 == 0 ? STACK(WORK) : 0, STACK(MAIN));
        if (g % 2 == 0 && g % 3 == 0)
            put(1, TP_EV_GoUnblock, id, 1, STACK(OTHER));
        for (unsigned i = 0; i < (g % 10 == 0 ? 12 : 1); i++) {
            put(-1, TP_EV_GoStart, id, 1, 0);
            put(g, TP_EV_GoStop, TEXT(SLEEP), 0, 0);
        }
        put(-1, TP_EV_GoStart, id, 1, 0);
        put(-1, TP_EV_ProcStart, id, 0, 0);
        put(-1, TP_EV_HeapAlloc, 100 + id, 0, 0);
        put(g, TP_EV_UserRegionBegin, 0, TEXT(ALPHA), 0);
        put(g, TP_EV_UserRegionEnd, 0, TEXT(ALPHA), 0);
        put(g, g % 4 == 0 ? TP_EV_UserRegionEnd : TP_EV_UserRegionBegin, 0, TEXT(BETA), 0);
        put(g, TP_EV_UserTaskBegin, id, 0, TEXT(BETA));
        put(g, g % 4 == 0 ? TP_EV_GCMarkAssistEnd : TP_EV_GCMarkAssistBegin, 0, 0, 0);
        put(g, TP_EV_UserTaskEnd, g % 2 == 0 ? id : id + 1000, 0, 0);
        put(g, TP_EV_UserLog, 0, TEXT(ALPHA), TEXT(BETA));
        put(g, TP_EV_CPUSample, full_stack(SCRIPT_GENERATION,
                                           (enum full_stack)(g % FULL_STACK_COUNT)), 0, 0);
        put(g, TP_EV_GoBlock, full_string(SCRIPT_GENERATION,
                                          (enum full_text)(g % FULL_TEXT_COUNT)),
            g % 5 == 0 ? STACK(OTHER) : 0, 0);
        put(1, TP_EV_GoUnblock, id, 1, STACK(OTHER));
        put(-1, TP_EV_GoStart, id, 1, 0);
        if (g % 2 == 1)
            put(g, TP_EV_GoDestroy, 0, 0, 0);
    }
}

static size_t some(void *ctx, size_t left)
{
    size_t most = *(const size_t *)ctx;
    return left < most ? left : most;
}

static size_t some_ahead(void *ctx, const struct full_run *rest)
{
    return some(ctx, rest->event_count);
}

// After each sums a speculative tracker follows so many events; 0: there is none.
static void fail_each_request(size_t sums_events, size_t ahead_events)
{
    struct full_tables *tables = full_tables_make(SCRIPT_GENERATION);
    make_events();
    const struct full_run run = {tables->tables, events, event_count};
    struct full_ahead ahead = {.cut = some_ahead, .ctx = &ahead_events};
    const struct full_cuts cuts = {
        .sums = some, .ctx = &sums_events, .ahead = ahead_events > 0 ? &ahead : NULL};
    struct tp_totals whole;
    struct tp_error err;
    assert_int_equal(full_sum(&run, 1, &(struct full_cuts){0}, &whole, &err), 0);
    char *want = full_text(&whole, true);
    tp_totals_fini(&whole);
    uint64_t before_bytes = tp_alloc_live_bytes(), nth = 1;
    // Requests that are done without: for the cache of roots, which only saves time, and all of a
    // speculation, which is given up.
    unsigned spared_count = 0;
    for (bool has_failed = true; has_failed; nth++) {
        struct tp_totals totals;
        err.code = 0;
        tp_alloc_fail_at(nth, false);
        int rc = full_sum(&run, 1, &cuts, &totals, &err);
        has_failed = tp_alloc_fail_left() == 0;
        tp_alloc_fail_at(0, false);
        if (rc == 0) {
            char *got = full_text(&totals, true);
            assert_string_equal(got, want);
            free(got);
            spared_count += has_failed;
        } else {
            assert_true(has_failed);
            assert_int_equal(rc, TP_E_MEMORY);
            assert_int_equal(err.code, TP_E_MEMORY);
        }
        tp_totals_fini(&totals);
        assert_int_equal(tp_alloc_live_bytes(), before_bytes);
    }
    assert_true(nth > 200);
    if (ahead_events == 0)
        assert_int_equal(spared_count, 1);
    else
        assert_true(ahead.adopted_count > nth && spared_count < nth / 2);
    full_tables_drop(tables);
    free(want);
}

static void test_all_events_in_one(void **state)
{
    (void)state;
    fail_each_request(EVENTS_MAX, 0);
}

static void test_a_few_sums(void **state)
{
    (void)state;
    fail_each_request(150, 0);
}

static void test_many_sums(void **state)
{
    (void)state;
    fail_each_request(5, 0);
}

static void test_speculations(void **state)
{
    (void)state;
    fail_each_request(100, 20);
}

// Adds so many blocks of goroutines that run and wait for a P in turn, for times of all sizes.
static void add_runs(struct tp_sums *s, struct full_tables *tables, unsigned block_count)
{
    enum { GOROUTINES = 200 };
    static struct tp_event runs[TP_BLOCK_EVENTS];
    int64_t time_ns = 1;
    struct tp_facts facts = {.event_count = 0};
    struct tp_tracker tracker;
    struct tp_error err;
    tp_tracker_init(&tracker, TP_TRACK_FOR_STATS, UINT64_MAX);
    for (uint64_t n = 0; n < (uint64_t)block_count * TP_BLOCK_EVENTS;) {
        for (size_t i = 0; i < TP_BLOCK_EVENTS; i++, n++) {
            int64_t g = 1 + (int64_t)(n / 2 % GOROUTINES);
            bool is_start = n % 2 == 0;
            time_ns += INT64_C(1) << n * 7 % 24;
            runs[i] = (struct tp_event){.time_ns = time_ns, .m = 1, .g = is_start ? -1 : g,
                                        .type = is_start ? TP_EV_GoStart : TP_EV_GoStop,
                                        .args = {is_start ? (uint64_t)g : TEXT(SLEEP), 1}};
        }
        const struct tp_block block = {.tables = tables->tables,
                                       .events = runs,
                                       .event_count = TP_BLOCK_EVENTS,
                                       .facts = &facts};
        assert_int_equal(tp_tracker_block(&tracker, &block, &facts, &err), 0);
        assert_int_equal(tp_sums_add(s, &block, &err), 0);
        tp_facts_clear(&facts);
    }
    tp_tracker_fini(&tracker);
    tp_facts_fini(&facts);
}

// In sums of many events histograms take most of the memory, so their size has to know them.
static void test_histograms_count_in_the_size_of_sums(void **state)
{
    struct full_tables *tables = full_tables_make(SCRIPT_GENERATION);
    struct tp_sums *s = tp_alloc_zero(sizeof *s);
    uint64_t before_bytes = tp_alloc_live_bytes();
    (void)state;
    assert_non_null(s);
    s->parts = TP_PARTS_ALL;
    tp_sums_clear(s);
    add_runs(s, tables, 262144 / TP_BLOCK_EVENTS);
    size_t hist_bytes = hist_bytes_of(&s->durations);
    assert_in_range(hist_bytes, TP_KIB(256), TP_MIB(4));
    assert_int_equal(s->durations.hist_bytes, hist_bytes);
    size_t wait_bytes = s->long_waits.count * sizeof *s->long_waits.items;
    assert_in_range(tp_sums_bytes(s) - hist_bytes - wait_bytes, 1, TP_MIB(2));
    tp_sums_clear(s);
    assert_int_equal(s->durations.hist_bytes, 0);
    assert_in_range(tp_sums_bytes(s), 0, TP_KIB(1));
    // The cleared sums own the memory that they tell.
    uint64_t live_bytes = tp_alloc_live_bytes() - before_bytes;
    assert_in_range(live_bytes, tp_sums_kept_bytes(s), tp_sums_kept_bytes(s) + TP_KIB(32));
    tp_sums_fini(s);
    assert_int_equal(tp_sums_kept_bytes(s), 0);
    assert_int_equal(tp_alloc_live_bytes(), before_bytes);
    tp_free(s);
    full_tables_drop(tables);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_events_in_one),
        cmocka_unit_test(test_a_few_sums),
        cmocka_unit_test(test_many_sums),
        cmocka_unit_test(test_speculations),
        cmocka_unit_test(test_histograms_count_in_the_size_of_sums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
