// Pairs of stacks without number: which ones are kept, and what they have, does not depend on the
// order and grouping in which they come; the others add up in one group, and no data is lost.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "stats/evidence.h"
#include "stats/pack.h"
#include "state_lab.h"

#define SIDE 150 // stacks on each side
#define PAIRS (SIDE * SIDE)
#define PARTS 5

static uint32_t put_stack(struct tp_totals *s, char side, unsigned number)
{
    char text[40];
    snprintf(text, sizeof text, "%c%u", side, number);
    uint32_t name = tp_intern_put(&s->names, tp_span_of(text, strlen(text)));
    const struct tp_totals_frame f = {.line = 1, .function = name, .file = name};
    uint32_t frame = tp_totals_frames_put(&s->frames, &s->names, &f);
    assert_true(name != TP_INTERN_NONE && frame != TP_INTERN_NONE);
    uint32_t stack = tp_totals_add_stack(s, &frame, 1);
    assert_int_not_equal(stack, TP_INTERN_NONE);
    return stack;
}

static void add_pair(struct tp_totals *s, unsigned number)
{
    uint32_t left = put_stack(s, 'l', number / SIDE), right = put_stack(s, 'r', number % SIDE);
    uint32_t pair = tp_totals_put_pair(s, left, right);
    uint32_t reason = tp_intern_put(&s->reasons, tp_span_of("sync", 4));
    assert_true(pair != TP_INTERN_NONE && reason != TP_INTERN_NONE);
    assert_true(tp_totals_record_pair(s, TP_SPACE_WAKE, pair, TP_MEASURE_FIRST_BLOCK + reason,
                                      1000 + number, TP_NO_MOMENT));
}

static void expect_same(const struct tp_totals *got, const char *want)
{
    char *text = full_pairs_text(got);
    assert_string_equal(text, want);
    free(text);
}

static uint64_t count_all(const struct tp_totals *s)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < s->durations.groups.count; i++) {
        struct tp_durations_walk walk = {.group = &s->durations.groups.items[i]};
        while (tp_durations_walk_next(&walk))
            count += walk.dist->count;
    }
    return count;
}

static void test_any_order_and_grouping(void **state)
{
    struct tp_totals whole = {0}, backwards = {0}, merged = {0}, parts[PARTS] = {{0}};
    (void)state;
    assert_true(PAIRS > TP_TOTALS_PAIRS_MAX + 5000);
    for (unsigned i = 0; i < PAIRS; i++) {
        add_pair(&whole, i);
        add_pair(&backwards, PAIRS - 1 - i);
        add_pair(&parts[i % 7 % PARTS], i);
    }
    assert_int_equal(whole.pairs.heaps[TP_PAIR_WAKE].count, TP_TOTALS_PAIRS_MAX);
    assert_int_equal(count_all(&whole), PAIRS);
    char *want = full_pairs_text(&whole);
    assert_non_null(strstr(want, "woken sync (others) "));
    expect_same(&backwards, want);
    for (unsigned i = 0; i < PARTS; i++) {
        assert_int_equal(tp_totals_merge(&merged, &parts[i], NULL), 0);
        tp_totals_fini(&parts[i]);
    }
    expect_same(&merged, want);
    free(want);
    tp_totals_fini(&whole);
    tp_totals_fini(&backwards);
    tp_totals_fini(&merged);
}

static void test_packing_changes_numbers_only(void **state)
{
    struct tp_totals s = {0};
    (void)state;
    for (unsigned i = 0; i < PAIRS; i++)
        add_pair(&s, i);
    char *want = full_pairs_text(&s);
    assert_true(tp_totals_is_loose(&s));
    assert_true(tp_totals_pack(&s));
    assert_int_equal(s.pairs.of.count, TP_TOTALS_PAIRS_MAX);
    expect_same(&s, want);
    for (unsigned i = 0; i < PAIRS; i++)
        assert_true(tp_totals_put_pair(&s, put_stack(&s, 'l', i / SIDE),
                                       put_stack(&s, 'r', i % SIDE)) != TP_INTERN_NONE);
    assert_int_equal(s.pairs.of.count, PAIRS); // those that were kept are found
    free(want);
    tp_totals_fini(&s);
}

static void test_a_state_has_the_pairs(void **state)
{
    struct tp_totals s = {0}, again;
    struct tp_error err;
    (void)state;
    for (unsigned i = 0; i < PAIRS; i++)
        add_pair(&s, i);
    struct state_bytes file = state_of(&s);
    assert_int_equal(tp_totals_read(tp_span_of(file.ptr, file.len_bytes), &again, &err), 0);
    char *want = full_pairs_text(&s);
    expect_same(&again, want);
    free(want);
    tp_totals_fini(&s);
    tp_totals_fini(&again);
    tp_free(file.ptr);
}

static void test_evidence_is_dropped_alone(void **state)
{
    struct tp_totals s = {0};
    (void)state;
    add_pair(&s, 1);
    char *want = full_pairs_text(&s);
    for (unsigned way = 0; way < 2; way++) {
        assert_true(tp_totals_record_pair(&s, TP_SPACE_EVIDENCE, 0, TP_EVIDENCE_STOP, 5, TP_NO_MOMENT));
        char *more = full_pairs_text(&s);
        assert_string_not_equal(more, want);
        free(more);
        tp_totals_drop_evidence(&s);
        expect_same(&s, want);
    }
    free(want);
    tp_totals_fini(&s);
}

static void expect_refused(const struct state_section *sections, size_t count, const char *want)
{
    struct state_bytes file = state_of_sections(sections, count);
    struct tp_totals s;
    struct tp_error err;
    assert_int_equal(tp_totals_read(tp_span_of(file.ptr, file.len_bytes), &s, &err), TP_E_STATE);
    if (strstr(err.text, want) == NULL)
        fail_msg("%s, not: %s", err.text, want);
    tp_free(file.ptr);
}

#define BYTES(text) text, sizeof(text) - 1

#define PAIRS_OF(rows) {TP_SECTION_pairs, BYTES(rows)}
#define WAKES(rows) {TP_SECTION_durations, BYTES(rows)}
#define ROW(pair, reason) "\11" pair reason "\0" "\1\3\3\0\0\0\1\3\1"
#define BLAMED(pair, rest) "\11" pair "\0\0" rest

// Of one stack without frames.
static void test_damaged_states_are_refused(void **state)
{
    static const struct state_section reasons = {TP_SECTION_reasons, BYTES("\1\4sync")};
    static const struct state_section stacks = {TP_SECTION_stacks, BYTES("\1\0")};
    static const struct {
        struct state_section pairs, wakes;
        const char *want;
    } cases[] = {
        {PAIRS_OF("\1\1\2"), WAKES("\1" ROW("\1", "\1")), "no such stack"},
        {PAIRS_OF("\2\1\1\1\1"), WAKES("\1" ROW("\1", "\1")), "duplicate pair of stacks"},
        {PAIRS_OF("\1\1\1"), WAKES("\1" ROW("\2", "\1")), "no such pair of stacks"},
        {PAIRS_OF("\1\1\1"), WAKES("\1" ROW("\1", "\2")), "no such reason"},
        {PAIRS_OF("\1\1\1"), WAKES("\1\11\1\0\1\1\3\3\0\0\0\1\3\1"), "no such measure"},
        {PAIRS_OF("\1\1\1"), WAKES("\1" BLAMED("\1", "\1\3\3\0\0\0\1\3\1")), "only counted"},
        {PAIRS_OF("\1\1\1"), WAKES("\1" BLAMED("\1", "\0\0\0\0\0\0")), "only counted"},
        {PAIRS_OF("\1\1\1"), WAKES("\1" BLAMED("\1", "\1\3\0\0\0\0")), "more blame than"},
        {PAIRS_OF("\1\1\1"), WAKES("\2" BLAMED("\1", "\1\4\0\0\0\0") ROW("\1", "\1")),
         "more blame than"},
        {PAIRS_OF("\1\1\1"), WAKES("\2" BLAMED("\1", "\2\3\0\0\0\0") ROW("\1", "\1")),
         "more blame than"},
        {PAIRS_OF("\1\1\1"), WAKES("\1" ROW("\0", "\1")), "others although fewer pairs"},
        {PAIRS_OF("\2\1\1\0\1"), WAKES("\1" ROW("\1", "\1")), "not in canonical form"},
    };
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(cases); i++) {
        const struct state_section sections[] = {reasons, stacks, cases[i].pairs, cases[i].wakes};
        expect_refused(sections, TP_ARRAY_LEN(sections), cases[i].want);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_order_and_grouping),
        cmocka_unit_test(test_packing_changes_numbers_only),
        cmocka_unit_test(test_a_state_has_the_pairs),
        cmocka_unit_test(test_evidence_is_dropped_alone),
        cmocka_unit_test(test_damaged_states_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
