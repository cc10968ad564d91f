// Sums of inputs: merged in any order and grouping they are the same, names and stacks
// are known again by what they are.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "state_lab.h"

static uint64_t next_random(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

static unsigned below(uint64_t *seed, unsigned end)
{
    return (unsigned)((next_random(seed) >> 20) % end);
}

static uint32_t put_text(struct tp_intern *in, const char *kind, unsigned number)
{
    char text[32];
    snprintf(text, sizeof text, "%s%u", kind, number);
    uint32_t at = tp_intern_put(in, tp_span_of(text, strlen(text)));
    assert_int_not_equal(at, TP_INTERN_NONE);
    return at;
}

static void add_span(struct tp_totals *s, enum tp_durations_space space, unsigned name,
                     uint32_t measure, uint64_t ns, bool is_cut)
{
    uint32_t group = tp_durations_group_of(&s->durations, space, put_text(&s->names, "name", name));
    assert_int_not_equal(group, TP_DURATIONS_NONE);
    struct tp_dist *d = tp_durations_dist(&s->durations, group, measure);
    assert_true(d != NULL && tp_durations_add(&s->durations, d, ns, TP_NO_MOMENT, is_cut));
}

// Frames follow from the number of the stack.
static void add_stack(struct tp_totals *s, unsigned number, enum tp_stack_type type, uint64_t ns)
{
    uint32_t frames[4];
    unsigned depth = number % 5;
    for (unsigned i = 0; i < depth; i++) {
        struct tp_totals_frame frame = {.pc = 100 * number + i,
                                        .line = number,
                                        .function = put_text(&s->names, "name", number + i),
                                        .file = put_text(&s->names, "file", number / 3)};
        frames[i] = tp_totals_frames_put(&s->frames, &s->names, &frame);
        assert_int_not_equal(frames[i], TP_INTERN_NONE);
    }
    uint32_t stack = tp_totals_add_stack(s, frames, depth);
    assert_int_not_equal(stack, TP_INTERN_NONE);
    assert_true(tp_totals_record_stack(s, stack, type, 1, ns));
}

static void add_anything(struct tp_totals *s, uint64_t *seed)
{
    uint64_t ns = next_random(seed) >> (30 + below(seed, 30));
    bool is_cut = below(seed, 10) == 0;
    switch (below(seed, 4)) {
    case 0: add_span(s, TP_SPACE_GOROUTINE, below(seed, 20), below(seed, 4), ns, is_cut); break;
    case 1: {
        uint32_t reason = put_text(&s->reasons, "reason", below(seed, 9));
        add_span(s, TP_SPACE_GOROUTINE, below(seed, 20), TP_MEASURE_FIRST_BLOCK + reason, ns,
                 is_cut);
        break;
    }
    case 2: add_span(s, below(seed, 2) ? TP_SPACE_TASK : TP_SPACE_REGION, below(seed, 20), 0, ns,
                     is_cut);
        break;
    default:
        add_stack(s, below(seed, 30), (enum tp_stack_type)below(seed, TP_STACK_TYPE_COUNT), ns);
        break;
    }
    uint64_t value = next_random(seed);
    tp_gauge_add(&s->timeline.gauges[TP_GAUGE_HEAP], &(struct tp_gauge){1, 1, value, value});
    s->event_count += below(seed, 5);
    s->file_count = 1;
}

static void merge(struct tp_totals *into, const struct tp_totals *from)
{
    struct tp_error err;
    assert_int_equal(tp_totals_merge(into, from, &err), 0);
}

static void expect_same(const struct tp_totals *got, const struct tp_totals *want)
{
    char *a = full_text(got, true), *b = full_text(want, true);
    assert_string_equal(a, b);
    free(a);
    free(b);
}

enum { PARTS = 6 };

// Each part, and one with all of them, which no merge has touched.
static void make_parts(struct tp_totals parts[static PARTS], struct tp_totals *all)
{
    for (unsigned i = 0; i < PARTS; i++) {
        uint64_t seed = 100 + i, same_seed = 100 + i;
        parts[i] = (struct tp_totals){0};
        for (unsigned k = 0; k < 40 * i; k++) {
            add_anything(&parts[i], &seed);
            add_anything(all, &same_seed);
        }
    }
    all->file_count = PARTS - 1; // nothing is in the first
}

static void test_order_and_grouping_do_not_show(void **state)
{
    static const unsigned orders[][PARTS] = {
        {0, 1, 2, 3, 4, 5}, {5, 4, 3, 2, 1, 0}, {3, 0, 5, 1, 4, 2}, {2, 5, 0, 4, 1, 3},
    };
    struct tp_totals parts[PARTS], all = {0};
    (void)state;
    make_parts(parts, &all);
    for (unsigned i = 0; i < TP_ARRAY_LEN(orders); i++) {
        // One after the other.
        struct tp_totals total = {0};
        for (unsigned k = 0; k < PARTS; k++)
            merge(&total, &parts[orders[i][k]]);
        expect_same(&total, &all);
        tp_totals_fini(&total);
        // In two groups, and those together.
        for (unsigned split = 1; split < PARTS; split++) {
            struct tp_totals left = {0}, right = {0};
            for (unsigned k = 0; k < PARTS; k++)
                merge(k < split ? &left : &right, &parts[orders[i][k]]);
            merge(&right, &left);
            expect_same(&right, &all);
            tp_totals_fini(&left);
            tp_totals_fini(&right);
        }
    }
    for (unsigned i = 0; i < PARTS; i++)
        tp_totals_fini(&parts[i]);
    tp_totals_fini(&all);
}

static void expect_text(const struct tp_totals *s, const char *want)
{
    char *text = full_text(s, false);
    assert_string_equal(text, want);
    free(text);
}

static void test_rows_are_sorted_by_what_is_in_them(void **state)
{
    struct tp_totals s = {0};
    (void)state;
    add_span(&s, TP_SPACE_REGION, 1, 0, 5, false);
    add_span(&s, TP_SPACE_GOROUTINE, 1, TP_MEASURE_SCHED, 5, false);
    uint32_t b = TP_MEASURE_FIRST_BLOCK + put_text(&s.reasons, "b", 0);
    uint32_t a = TP_MEASURE_FIRST_BLOCK + put_text(&s.reasons, "a", 0);
    add_span(&s, TP_SPACE_GOROUTINE, 1, b, 7, false);
    add_span(&s, TP_SPACE_GOROUTINE, 1, a, 7, false);
    add_span(&s, TP_SPACE_GOROUTINE, 2, a, 3, false);
    add_span(&s, TP_SPACE_GOROUTINE, 2, a, 6, true);
    add_span(&s, TP_SPACE_GOROUTINE, 2, TP_MEASURE_RUN, 4, false);
    add_span(&s, TP_SPACE_GOROUTINE, 1, TP_MEASURE_RUN, 4, false);
    add_span(&s, TP_SPACE_GOROUTINE, 3, TP_MEASURE_RUN, 2, false);
    add_span(&s, TP_SPACE_GOROUTINE, 3, TP_MEASURE_RUN, 2, false);
    expect_text(&s, "goroutine name3 running 2 4 2\n"
                    "goroutine name1 running 1 4 4\n"
                    "goroutine name2 running 1 4 4\n"
                    "goroutine name1 runnable 1 5 5\n"
                    "goroutine name2 block:a0 1 3 3 cut 1 6\n"
                    "goroutine name1 block:a0 1 7 7\n"
                    "goroutine name1 block:b0 1 7 7\n"
                    "region name1 1 5 5\n");
    tp_totals_fini(&s);
}

static void test_stacks_are_known_by_their_frames(void **state)
{
    struct tp_totals a = {0}, b = {0};
    (void)state;
    // The numbers of names and stacks differ.
    add_stack(&a, 1, TP_STACK_SYNC, 10);
    add_stack(&a, 2, TP_STACK_SYNC, 20);
    add_stack(&b, 2, TP_STACK_SYNC, 3);
    add_stack(&b, 2, TP_STACK_NET, 4);
    add_stack(&b, 1, TP_STACK_SYNC, 5);
    add_stack(&b, 0, TP_STACK_CPU, 0);
    merge(&a, &b);
    expect_text(&a, "cpu  1 0\n"
                    "net name2:2;name3:2 1 4\n"
                    "sync name1:1 2 15\n"
                    "sync name2:2;name3:2 2 23\n");
    assert_int_equal(a.stacks.of.count, 3);
    tp_totals_fini(&a);
    tp_totals_fini(&b);
}

static void test_figures_add_up(void **state)
{
    struct tp_totals a = {.file_count = 1, .damaged_count = 2, .duration_ns = 30};
    const struct tp_totals b = {.file_count = 10, .lost_bytes = 7, .stored_bytes = 8,
                                .stream_bytes = 9, .refused_count = 4, .duration_ns = 12,
                                .event_count = 3};
    (void)state;
    merge(&a, &b);
    assert_int_equal(a.file_count, 11);
    assert_int_equal(a.damaged_count, 2);
    assert_int_equal(a.refused_count, 4);
    assert_int_equal(a.stored_bytes, 8);
    assert_int_equal(a.stream_bytes, 9);
    assert_int_equal(a.lost_bytes, 7);
    assert_int_equal(a.event_count, 3);
    assert_int_equal(a.duration_ns, 42);
    tp_totals_fini(&a);
}

static void test_moving_adds_to_what_is_there(void **state)
{
    struct tp_totals into = {.refused_count = 3}, from = {.refused_count = 1, .file_count = 2};
    struct tp_error err;
    (void)state;
    assert_int_equal(tp_totals_move(&into, &from, &err), 0);
    assert_int_equal(into.refused_count, 4);
    assert_int_equal(into.file_count, 2);
    tp_totals_fini(&into);
    tp_totals_fini(&from);
}

// What has no name and is in no count is something, too: a state may have nothing else.
static void test_moving_loses_nothing(void **state)
{
    struct tp_totals parts[7] = {{0}};
    struct tp_error err;
    (void)state;
    parts[0].timeline.gauges[TP_GAUGE_HEAP] = (struct tp_gauge){1, 0, 5, 5};
    parts[1].gs.others = (struct tp_totals_others){1, {5}};
    parts[2].gs.limit = 3;
    parts[3].duration_ns = 5;
    parts[4].utilisation.assist_ns = 5;
    uint32_t stack = tp_totals_put_stack(&parts[5], NULL, 0, 0);
    assert_true(tp_totals_record_stack(&parts[5], stack, TP_STACK_SYNC, 1, 5));
    assert_true(TP_LIST_ROOM(&parts[6].timeline.buckets));
    parts[6].timeline.buckets.items[0] = (struct tp_timeline_bucket){.totals = {5}};
    parts[6].timeline.buckets.count = 1;
    parts[6].timeline.shift = TP_LEVELS_SHIFT_MIN;
    for (unsigned i = 0; i < TP_ARRAY_LEN(parts); i++) {
        struct tp_totals into = {0}, first = {0}, last = {.file_count = 1}, want = {0};
        assert_int_equal(tp_totals_merge(&want, &parts[i], &err), 0);
        assert_int_equal(tp_totals_merge(&want, &last, &err), 0);
        assert_int_equal(tp_totals_merge(&first, &parts[i], &err), 0);
        assert_int_equal(tp_totals_move(&into, &first, &err), 0);
        assert_int_equal(tp_totals_move(&into, &last, &err), 0);
        struct state_bytes got_bytes = state_of(&into), want_bytes = state_of(&want);
        assert_true(state_is_same(&got_bytes, &want_bytes));
        tp_free(got_bytes.ptr);
        tp_free(want_bytes.ptr);
        tp_totals_fini(&into);
        tp_totals_fini(&first);
        tp_totals_fini(&last);
        tp_totals_fini(&want);
        tp_totals_fini(&parts[i]);
    }
}

static void test_memory_that_is_lacking_is_told(void **state)
{
    struct tp_totals from = {0};
    struct tp_error err;
    uint64_t seed = 9, before_bytes = tp_alloc_live_bytes();
    unsigned failure_count = 0;
    (void)state;
    for (unsigned i = 0; i < 150; i++)
        add_anything(&from, &seed);
    for (uint64_t nth = 1;; nth++) {
        struct tp_totals into = {0};
        tp_alloc_fail_at(nth, false);
        int rc = tp_totals_merge(&into, &from, &err);
        bool has_failed = tp_alloc_fail_left() == 0;
        tp_alloc_fail_at(0, false);
        assert_int_equal(rc, has_failed ? TP_E_MEMORY : 0);
        if (!has_failed)
            expect_same(&into, &from);
        tp_totals_fini(&into);
        if (rc == 0)
            break;
        failure_count++;
    }
    assert_true(failure_count > 100);
    tp_totals_fini(&from);
    assert_int_equal(tp_alloc_live_bytes(), before_bytes);
}

static void add_taken(struct tp_taken *into, int64_t first_sec, int64_t last_sec)
{
    const struct tp_taken one = {1, {first_sec, 5}, {last_sec, 5}};
    tp_taken_merge(into, &one);
}

static void test_the_time_they_were_taken_is_the_same_in_any_order(void **state)
{
    struct tp_taken a = {0}, b = {0}, c = {0};
    const struct tp_taken nothing = {0};
    (void)state;
    add_taken(&a, 10, 20);
    add_taken(&a, 5, 6);
    add_taken(&b, -3, 4);
    add_taken(&c, 7, 30);
    struct tp_taken left = a, right = c;
    tp_taken_merge(&left, &b);
    tp_taken_merge(&left, &nothing);
    tp_taken_merge(&left, &c);
    tp_taken_merge(&right, &a);
    tp_taken_merge(&right, &b);
    assert_memory_equal(&left, &right, sizeof left);
    assert_true(left.file_count == 4 && left.first.sec == -3 && left.last.sec == 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order_and_grouping_do_not_show),
        cmocka_unit_test(test_rows_are_sorted_by_what_is_in_them),
        cmocka_unit_test(test_stacks_are_known_by_their_frames),
        cmocka_unit_test(test_figures_add_up),
        cmocka_unit_test(test_moving_adds_to_what_is_there),
        cmocka_unit_test(test_moving_loses_nothing),
        cmocka_unit_test(test_memory_that_is_lacking_is_told),
        cmocka_unit_test(test_the_time_they_were_taken_is_the_same_in_any_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
