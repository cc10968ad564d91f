// Names without number: which ones are kept, and what they have, does not depend on the
// order and grouping in which they come; nothing of the others is lost.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "full_lab.h"
#include "stats/totals.h"

#define NAMES (TP_TOTALS_NAMES_MAX + 1500)
#define PARTS 7

static uint64_t next_random(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

static void record_text(struct tp_totals *s, enum tp_durations_space space, const char *text,
                        uint64_t ns, bool is_cut)
{
    uint32_t name;
    assert_true(tp_totals_name(s, space, tp_span_of(text, strlen(text)), &name));
    uint32_t group = tp_durations_group_of(&s->durations, space, name);
    assert_int_not_equal(group, TP_DURATIONS_NONE);
    struct tp_dist *d = tp_durations_dist(&s->durations, group, 0);
    assert_true(d != NULL && tp_durations_add(&s->durations, d, ns, TP_NO_MOMENT, is_cut));
}

static void record(struct tp_totals *s, enum tp_durations_space space, unsigned number, uint64_t ns)
{
    char text[32];
    snprintf(text, sizeof text, "name %u", number);
    record_text(s, space, text, ns, number % 11 == 0);
}

static unsigned named_count(const struct tp_totals *s, enum tp_durations_space space,
                            uint64_t *ret_count, uint64_t *ret_ns)
{
    unsigned named = 0;
    *ret_count = *ret_ns = 0;
    for (uint32_t i = 0; i < s->durations.groups.count; i++) {
        const struct tp_durations_group *g = &s->durations.groups.items[i];
        if (g->space != space || g->dist_count == 0)
            continue;
        named += g->name != TP_TOTALS_OTHERS;
        *ret_count += (uint64_t)tp_dist_all_count(g->dists[0]);
        *ret_ns += (uint64_t)tp_dist_all_ns(g->dists[0]);
    }
    return named;
}

static void expect_same(const struct tp_totals *a, const struct tp_totals *b)
{
    char *left = full_text(a, true), *right = full_text(b, true);
    assert_string_equal(left, right);
    free(left);
    free(right);
}

// Every name comes three times, in any order.
static void record_all(struct tp_totals *whole, struct tp_totals parts[PARTS], uint64_t *seed)
{
    unsigned *numbers = calloc(3 * NAMES, sizeof *numbers);
    assert_non_null(numbers);
    for (unsigned i = 0; i < 3 * NAMES; i++)
        numbers[i] = i % NAMES;
    for (unsigned i = 3 * NAMES - 1; i > 0; i--) {
        unsigned k = (unsigned)(next_random(seed) % (i + 1)), moved = numbers[i];
        numbers[i] = numbers[k];
        numbers[k] = moved;
    }
    for (unsigned i = 0; i < 3 * NAMES; i++) {
        record(whole, TP_SPACE_TASK, numbers[i], 1000 + numbers[i]);
        record(&parts[next_random(seed) % PARTS], TP_SPACE_TASK, numbers[i], 1000 + numbers[i]);
    }
    free(numbers);
}

static void test_any_partition_keeps_the_same(void **state)
{
    uint64_t live_bytes = tp_alloc_live_bytes();
    (void)state;
    struct tp_totals first = {0};
    for (uint64_t seed = 1; seed <= 4; seed++) {
        struct tp_totals whole = {0}, parts[PARTS] = {{0}}, merged = {0};
        struct tp_error err;
        uint64_t random = seed * 77777, count, ns;
        record_all(&whole, parts, &random);
        for (unsigned i = 0; i < PARTS; i++)
            assert_int_equal(tp_totals_merge(&merged, &parts[(i * 3 + seed) % PARTS], &err), 0);
        expect_same(&merged, &whole);
        assert_int_equal(named_count(&whole, TP_SPACE_TASK, &count, &ns), TP_TOTALS_NAMES_MAX);
        assert_int_equal(count, 3 * NAMES);
        assert_int_equal(ns, UINT64_C(3) * (1000 * NAMES + (uint64_t)NAMES * (NAMES - 1) / 2));
        if (seed == 1) {
            first = whole;
        } else {
            expect_same(&first, &whole);
            tp_totals_fini(&whole);
        }
        for (unsigned i = 0; i < PARTS; i++)
            tp_totals_fini(&parts[i]);
        tp_totals_fini(&merged);
    }
    tp_totals_fini(&first);
    assert_int_equal(tp_alloc_live_bytes(), live_bytes);
}

// What is few is kept whole, and so are the runtime's own that collect garbage.
static void test_others_come_only_with_many(void **state)
{
    struct tp_totals s = {0};
    uint64_t count, ns;
    (void)state;
    for (unsigned i = 0; i < TP_TOTALS_NAMES_MAX; i++)
        record(&s, TP_SPACE_REGION, i, 1);
    assert_int_equal(named_count(&s, TP_SPACE_REGION, &count, &ns), TP_TOTALS_NAMES_MAX);
    for (unsigned i = 0; i < NAMES; i++)
        record(&s, TP_SPACE_GOROUTINE, i, 1);
    record_text(&s, TP_SPACE_GOROUTINE, "runtime.gcBgMarkWorker", 1, false);
    assert_int_equal(named_count(&s, TP_SPACE_GOROUTINE, &count, &ns), TP_TOTALS_NAMES_MAX + 1);
    assert_int_equal(count, NAMES + 1);
    tp_totals_fini(&s);
}

// Names that are not kept take no memory, however many there are.
static void test_names_in_passing_are_forgotten(void **state)
{
    struct tp_totals s = {0};
    (void)state;
    for (unsigned i = 0; i < 200000; i++)
        record(&s, TP_SPACE_LOG, i, 1);
    // The n-th is kept with probability TP_TOTALS_NAMES_MAX / n.
    assert_in_range(s.names.count, TP_TOTALS_NAMES_MAX, 6 * TP_TOTALS_NAMES_MAX);
    tp_totals_fini(&s);
}

static void test_memory_that_is_lacking_is_told(void **state)
{
    uint64_t live_bytes = tp_alloc_live_bytes();
    (void)state;
    for (uint64_t nth = 1;; nth++) {
        struct tp_totals s = {0};
        uint32_t name;
        bool fits = true;
        tp_alloc_fail_at(nth, false);
        for (unsigned i = 0; i < 40 && fits; i++)
            fits = tp_totals_name(&s, TP_SPACE_TASK, tp_span_of(&i, sizeof i), &name);
        bool has_failed = tp_alloc_fail_left() == 0;
        tp_alloc_fail_at(0, false);
        assert_int_equal(fits, !has_failed);
        tp_totals_fini(&s);
        if (fits)
            break;
    }
    assert_int_equal(tp_alloc_live_bytes(), live_bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_partition_keeps_the_same),
        cmocka_unit_test(test_others_come_only_with_many),
        cmocka_unit_test(test_names_in_passing_are_forgotten),
        cmocka_unit_test(test_memory_that_is_lacking_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
