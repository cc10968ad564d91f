// Mutator utilisation: what becomes of events in sums, of curves, and of inputs that are
// put together.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "full_tables.h"

#define MS INT64_C(1000000)
#define EVENTS_MAX 600

// EVENTS

struct list {
    struct full_tables *tables;
    struct tp_event events[EVENTS_MAX];
    size_t count;
};

static void add(struct list *l, uint8_t type, int64_t ms, int64_t p, int64_t g, uint64_t arg)
{
    assert_true(l->count < EVENTS_MAX);
    l->events[l->count++] = (struct tp_event){
        .time_ns = ms * MS, .m = 1, .p = p, .g = g, .type = type, .args = {arg}};
}

static void begin(struct list *l)
{
    *l = (struct list){.tables = full_tables_make(1)};
    add(l, TP_EVENT_SYNC, 1, -1, -1, 1);
    add(l, TP_EV_ProcsChange, 2, -1, -1, 2);
}

static size_t cut_at_each(void *ctx, size_t left)
{
    (void)ctx, (void)left;
    return 1;
}

// First after so many events, then at each.
static size_t cut_at_first(void *ctx, size_t left)
{
    size_t *first = ctx, count = *first;
    *first = 1;
    return count < left ? count : left;
}

// The speculative tracker follows one event of two; none in which the context of an active assist matters.
static size_t follow_one(void *ctx, const struct full_run *rest)
{
    (void)ctx;
    return rest->events[0].type != TP_EV_GCMarkAssistActive;
}

static struct tp_utilisation utilisation_by(const struct list *l, const struct full_cuts *cuts)
{
    const struct full_run run = {l->tables->tables, l->events, l->count};
    struct tp_totals totals;
    struct tp_error err;
    assert_int_equal(full_sum(&run, 1, cuts, &totals, &err), 0);
    struct tp_utilisation u = totals.utilisation;
    tp_totals_fini(&totals);
    return u;
}

// In one object of sums, in as many as there are events, and with speculative trackers for half of them.
static struct tp_utilisation utilisation_of(struct list *l)
{
    struct full_ahead ahead = {.cut = follow_one};
    struct tp_utilisation u = utilisation_by(l, &(struct full_cuts){0}), other;
    other = utilisation_by(l, &(struct full_cuts){.sums = cut_at_each});
    assert_memory_equal(&u, &other, sizeof u);
    for (size_t first = 1; first <= 2; first++) {
        other = utilisation_by(
            l, &(struct full_cuts){.sums = cut_at_first, .ctx = &(size_t){first}, .ahead = &ahead});
        assert_memory_equal(&u, &other, sizeof u);
    }
    assert_true(ahead.adopted_count > 0);
    full_tables_drop(l->tables);
    return u;
}

static void expect(const struct tp_utilisation *u, int64_t curve_ms, int64_t mutator_ms,
                   int64_t assist_ms)
{
    assert_int_equal(u->file_count, 1);
    assert_int_equal(u->left_out_count, 0);
    assert_int_equal(u->curve_ns, curve_ms * MS);
    assert_int_equal(u->mutator_ns, mutator_ms * MS);
    assert_int_equal(u->assist_ns, assist_ms * MS);
}

static void test_an_assist_counts_while_it_runs(void **state)
{
    static struct list l;
    (void)state;
    begin(&l);
    add(&l, TP_EV_GoStart, 10, 0, -1, 7);
    add(&l, TP_EV_GCMarkAssistBegin, 20, 0, 7, 0);
    add(&l, TP_EV_GoStop, 30, 0, 7, 0);
    add(&l, TP_EV_GoStart, 52, 1, -1, 7);
    add(&l, TP_EV_GCMarkAssistEnd, 56, 1, 7, 0);
    add(&l, TP_EV_GoStop, 82, 1, 7, 0);
    add(&l, TP_EV_GoStart, 102, 1, -1, 7);
    struct tp_utilisation u = utilisation_of(&l);
    // 14 ms of one P of two.
    expect(&u, 100, 93, 14);
    assert_int_equal(u.least_ppm[TP_UTIL_WINDOW_1MS][TP_UTIL_FIGURE_LEAST], 500000);
    assert_int_equal(u.least_ppm[TP_UTIL_WINDOW_10MS][TP_UTIL_FIGURE_LEAST], 500000);
    assert_int_equal(u.least_ppm[TP_UTIL_WINDOW_1S][TP_UTIL_FIGURE_LEAST], 930000);
    assert_int_equal(u.least_ppm[TP_UTIL_WINDOW_1S][TP_UTIL_FIGURE_P999], 930000);
}

static void test_a_worker_counts_from_its_label_until_it_stops(void **state)
{
    static struct list l;
    (void)state;
    begin(&l);
    for (int64_t at_ms = 10; at_ms < 40; at_ms += 10) {
        add(&l, TP_EV_GoStart, at_ms, 0, -1, 7);
        add(&l, TP_EV_GoLabel, at_ms + 1, 0, 7,
            full_string(1, at_ms == 30 ? TEXT_IDLE : TEXT_WORKER));
        add(&l, TP_EV_GoStop, at_ms + 5, 0, 7, 0);
    }
    add(&l, TP_EV_GoStart, 102, 1, -1, 7);
    struct tp_utilisation u = utilisation_of(&l);
    expect(&u, 100, 96, 0);
}

// The label may be all that a speculative tracker sees of it.
static void test_a_worker_that_was_created_counts_too(void **state)
{
    static struct list l;
    (void)state;
    begin(&l);
    add(&l, TP_EV_GoCreate, 9, 1, 3, 7);
    add(&l, TP_EV_GoStart, 10, 0, -1, 7);
    add(&l, TP_EV_GoLabel, 11, 0, 7, full_string(1, TEXT_WORKER));
    add(&l, TP_EV_GoStop, 15, 0, 7, 0);
    add(&l, TP_EV_GoStart, 102, 1, -1, 7);
    struct tp_utilisation u = utilisation_of(&l);
    expect(&u, 100, 98, 0);
}

static void test_an_assist_without_end_is_over_after_many_steps(void **state)
{
    static struct list l;
    (void)state;
    begin(&l);
    add(&l, TP_EV_GoStart, 10, 0, -1, 7);
    add(&l, TP_EV_GCMarkAssistBegin, 11, 0, 7, 0);
    int64_t ms = 12;
    for (unsigned i = 0; i < TP_GC_ASSIST_STEPS + 50; i++, ms++)
        add(&l, i % 2 == 0 ? TP_EV_GoStop : TP_EV_GoStart, ms, 0, i % 2 == 0 ? 7 : -1, 7);
    struct tp_utilisation u = utilisation_of(&l);
    // 1 ms before the first stop, and 1 ms before each second step from there on; the last
    // step that counts is a start, after which the P stays taken.
    assert_int_equal(u.assist_ns, MS * (TP_GC_ASSIST_STEPS / 2));
    assert_int_equal(u.file_count, 1);
}

// A goroutine that gets the id of one in an assist is not in one.
static void test_ids_that_come_again(void **state)
{
    static struct list l;
    (void)state;
    begin(&l);
    add(&l, TP_EV_GoStart, 10, 0, -1, 7);
    add(&l, TP_EV_GCMarkAssistBegin, 12, 0, 7, 0);
    add(&l, TP_EV_GoDestroy, 14, 0, 7, 0);
    add(&l, TP_EV_GoCreate, 20, 1, 3, 7);
    add(&l, TP_EV_GoStart, 30, 0, -1, 7);
    add(&l, TP_EV_GoStop, 40, 0, 7, 0);
    add(&l, TP_EV_GoStart, 102, 1, -1, 7);
    struct tp_utilisation u = utilisation_of(&l);
    expect(&u, 100, 99, 2);
}

static void test_an_assist_that_is_active_lowers_what_was(void **state)
{
    static struct list l;
    (void)state;
    begin(&l);
    add(&l, TP_EV_GoStart, 10, 0, -1, 7);
    add(&l, TP_EV_GCMarkAssistActive, 12, 0, 7, 7);
    add(&l, TP_EV_GoStop, 22, 0, 7, 0);
    add(&l, TP_EV_GoStart, 32, 0, -1, 7);
    add(&l, TP_EV_GCMarkAssistEnd, 42, 0, 7, 0);
    add(&l, TP_EV_GoStop, 102, 0, 7, 0);
    struct tp_utilisation u = utilisation_of(&l);
    // Since when it ran in it is known from its second run on only.
    expect(&u, 100, 85, 10);
}

static void test_without_the_number_of_ps_there_is_nothing(void **state)
{
    static struct list l;
    (void)state;
    begin(&l);
    l.count = 1;
    add(&l, TP_EV_GoStart, 10, 0, -1, 7);
    add(&l, TP_EV_GCMarkAssistBegin, 12, 0, 7, 0);
    add(&l, TP_EV_GCMarkAssistEnd, 14, 0, 7, 0);
    struct tp_utilisation u = utilisation_of(&l);
    assert_int_equal(u.file_count + u.left_out_count, 0);
    assert_int_equal(u.assist_ns, 2 * MS);
}

// CURVES

static void test_a_curve_that_is_too_long_is_left_out(void **state)
{
    enum { EVENTS = 4096 };
    static struct tp_event events[EVENTS];
    struct full_tables *tables = full_tables_make(1);
    struct tp_sums *s = tp_alloc_zero(sizeof *s);
    struct tp_stats_input c = {.parts = TP_PARTS_ALL};
    struct tp_facts facts = {.event_count = 0};
    struct tp_tracker tracker;
    struct tp_error err;
    int64_t now_ns = 1;
    (void)state;
    assert_non_null(s);
    s->parts = TP_PARTS_ALL;
    tp_tracker_init(&tracker, TP_TRACK_FOR_STATS, UINT64_MAX);
    uint64_t live_bytes = tp_alloc_live_bytes();
    for (size_t done = 0; done < TP_UTIL_POINTS_MAX + EVENTS; done += EVENTS) {
        tp_sums_clear(s);
        for (size_t i = 0; i < EVENTS; i++)
            events[i] = (struct tp_event){
                .time_ns = now_ns++, .m = 1, .p = 0, .g = 7,
                .type = i % 2 != 0 ? TP_EV_GCMarkAssistBegin : TP_EV_GCMarkAssistEnd};
        if (done == 0)
            events[0] = (struct tp_event){.time_ns = events[0].time_ns, .m = 1, .p = -1, .g = -1,
                                          .type = TP_EV_ProcsChange, .args = {1}};
        for (size_t i = 0; i < EVENTS; i += TP_BLOCK_EVENTS) {
            const struct tp_block block = {.tables = tables->tables,
                                           .events = events + i,
                                           .event_count = TP_BLOCK_EVENTS,
                                           .facts = &facts};
            assert_int_equal(tp_tracker_block(&tracker, &block, &facts, &err), 0);
            assert_int_equal(tp_sums_add(s, &block, &err), 0);
            tp_facts_clear(&facts);
        }
        assert_int_equal(tp_stats_input_add(&c, s, &err), 0);
        assert_true(tp_alloc_live_bytes() < live_bytes + (size_t)16 * 1024 * 1024);
    }
    assert_true(c.gc.is_left_out);
    assert_int_equal(tp_stats_input_end(&c, &err), 0);
    assert_int_equal(c.totals.utilisation.file_count, 0);
    assert_int_equal(c.totals.utilisation.left_out_count, 1);
    assert_int_equal(c.totals.utilisation.curve_ns, 0);
    tp_stats_input_fini(&c);
    tp_sums_fini(s);
    tp_free(s);
    tp_tracker_fini(&tracker);
    tp_facts_fini(&facts);
    full_tables_drop(tables);
}

// INPUTS PUT TOGETHER

static struct tp_utilisation part_of(unsigned number)
{
    struct tp_utilisation u = {.assist_ns = 3 * number};
    if (number % 3 == 0) {
        u.left_out_count = number % 2;
        return u;
    }
    u.file_count = 1;
    u.curve_ns = 100 * number;
    u.mutator_ns = 70 * number;
    for (unsigned w = 0; w < TP_UTIL_WINDOW_COUNT; w++) {
        for (unsigned f = 0; f < TP_UTIL_FIGURE_COUNT; f++)
            u.least_ppm[w][f] = (number * 7919 + w * 104729 + f * 31) % 1000001;
    }
    return u;
}

static void test_any_grouping_gives_the_same(void **state)
{
    enum { PARTS = 9 };
    struct tp_utilisation want = {0};
    (void)state;
    for (unsigned i = 0; i < PARTS; i++) {
        struct tp_utilisation part = part_of(i);
        tp_utilisation_merge(&want, &part);
    }
    assert_int_equal(want.file_count, 6);
    assert_int_equal(want.left_out_count, 1);
    assert_int_equal(want.least_ppm[0][0], part_of(1).least_ppm[0][0]);
    for (unsigned split = 0; split <= PARTS; split++) {
        for (unsigned step = 1; step < PARTS; step += step == 2 ? 2 : 1) {
            struct tp_utilisation left = {0}, right = {0};
            if (step % 3 == 0)
                continue; // not all parts would be met
            for (unsigned i = 0; i < PARTS; i++) {
                struct tp_utilisation part = part_of(i * step % PARTS);
                tp_utilisation_merge(i < split ? &left : &right, &part);
            }
            tp_utilisation_merge(&right, &left);
            assert_memory_equal(&right, &want, sizeof want);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_assist_counts_while_it_runs),
        cmocka_unit_test(test_a_worker_counts_from_its_label_until_it_stops),
        cmocka_unit_test(test_a_worker_that_was_created_counts_too),
        cmocka_unit_test(test_an_assist_without_end_is_over_after_many_steps),
        cmocka_unit_test(test_ids_that_come_again),
        cmocka_unit_test(test_an_assist_that_is_active_lowers_what_was),
        cmocka_unit_test(test_without_the_number_of_ps_there_is_nothing),
        cmocka_unit_test(test_a_curve_that_is_too_long_is_left_out),
        cmocka_unit_test(test_any_grouping_gives_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
