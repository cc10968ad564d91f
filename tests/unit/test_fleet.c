// What was found in many inputs as rows: grouped by kind and culprit, the most important first, the
// same in any order of the inputs; and the nearest miss if there is nothing.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "finding_lab.h"
#include "stats/findings/fleet.h"
#include "stats/findings/place.h"

static struct tp_source_place place(struct tp_totals *s, const char *function, uint64_t line)
{
    return (struct tp_source_place){finding_name(s, function), finding_name(s, "x.go"), line};
}

static void add_file(struct tp_totals *s, const char *path, tp_wide duration_ns)
{
    struct tp_file_row row = {.path = finding_name(s, path), .judgement = TP_JUDGEMENT_JUDGED};
    row.figures[TP_FILE_BLOCKED] = duration_ns;
    row.figures[TP_FILE_DURATION] = duration_ns;
    memset(row.values, 0xff, sizeof row.values);
    assert_true(TP_LIST_ADD(&s->files, row));
}

struct given {
    const char *path;
    enum tp_finding_kind kind;
    uint64_t value_ppm;
    uint64_t lost;
    const char *culprit;
    uint64_t line;
    const char *victim;
    unsigned flags;
};
// The first finding of its culprit in the input, a further one, and those of damaged inputs.
#define FIRST 0
#define FURTHER 1
#define DAMAGED 2

static void add_found(struct tp_totals *s, const struct given *g)
{
    struct tp_found found = {.path = finding_name(s, g->path),
                             .kind = (uint32_t)g->kind,
                             .value_ppm = g->value_ppm,
                             .lost = g->lost,
                             .count = 2,
                             .max_ns = g->lost / 2,
                             .is_first = (g->flags & FURTHER) == 0,
                             .is_damaged = (g->flags & DAMAGED) != 0,
                             .also = g->line == 7 ? 1u << TP_FINDS_P_HOG : 0,
                             .culprit = place(s, g->culprit, g->line),
                             .victim = place(s, g->victim, 1),
                             .other = TP_SOURCE_PLACE_NONE};
    assert_true(TP_LIST_ADD(&s->found, found));
}

static struct tp_fleet fleet_of(const struct tp_totals *s)
{
    struct tp_fleet fleet;
    struct tp_error err;
    assert_int_equal(tp_fleet_make(s, &fleet, &err), 0);
    return fleet;
}

static const struct given givens[] = {
    {"a", TP_FINDS_LOCK, 40000, 100, "main.x", 5, "main.v", FIRST},
    {"b", TP_FINDS_LOCK, 50000, 300, "main.x", 7, "main.w", FIRST},
    {"b", TP_FINDS_LOCK, 45000, 200, "main.x", 6, "main.v", FURTHER},
    {"b", TP_FINDS_LOCK, 90000, 100, "main.y", 6, "main.v", FIRST},
    {"a", TP_FINDS_STOP_THE_WORLD, 9000000, 900, "main.x", 6, "main.v", FIRST},
    {"a", TP_FINDS_SYSCALL, 200000, 100, "main.z", 1, "main.a", FIRST},
    {"a", TP_FINDS_SYSCALL, 200000, 50, "main.z", 1, "main.b", FURTHER},
    {"a", TP_FINDS_SYSCALL, 200000, 40, "main.z", 1, "main.c", FURTHER},
    {"a", TP_FINDS_SYSCALL, 200000, 40, "main.z", 1, "main.d", FURTHER},
};

static void expect_rows(const struct tp_totals *s)
{
    struct tp_fleet fleet = fleet_of(s);
    assert_int_equal(fleet.count, 4);
    assert_int_equal(fleet.judgements[TP_JUDGEMENT_JUDGED], 2);
    assert_int_equal(fleet.judgements[TP_JUDGEMENT_SHORT], 1);
    assert_int_equal(fleet.nearest, TP_FINDS_NONE);
    // 600 of 2,000 ns of waiting; 900 of 2,000 ns of time.
    const struct tp_fleet_row *row = &fleet.items[0];
    assert_int_equal(row->kind, TP_FINDS_STOP_THE_WORLD);
    assert_int_equal(row->importance_ppm, 450000);
    row = &fleet.items[1];
    assert_int_equal(row->kind, TP_FINDS_LOCK);
    assert_int_equal(row->importance_ppm, 300000);
    assert_int_equal(row->value_ppm, 50000);
    assert_int_equal(row->file_count, 2);
    assert_true(tp_span_is(tp_intern_text(&s->names, row->worst_path), "b"));
    assert_true(row->count == 6 && row->lost == 600 && row->max_ns == 150);
    assert_int_equal(row->also, 1u << TP_FINDS_P_HOG);
    finding_expect_place(s, &row->culprit, "main.x", 7);
    finding_expect_place(s, &row->other, "-", 0);
    // Equal shares: by name.
    assert_true(row->victim_count == 2 && row->more_victims == 0);
    finding_expect_place(s, &row->victims[0].place, "main.v", 1);
    assert_int_equal(row->victims[0].share_ppm, 500000);
    row = &fleet.items[2];
    assert_int_equal(row->kind, TP_FINDS_SYSCALL);
    assert_int_equal(row->file_count, 1);
    assert_true(row->victim_count == 3 && row->more_victims == 1);
    finding_expect_place(s, &row->victims[2].place, "main.c", 1);
    row = &fleet.items[3];
    finding_expect_place(s, &row->culprit, "main.y", 6);
    tp_fleet_fini(&fleet);
}

// Each row has its findings, the greatest value first.
static void expect_found(const struct tp_totals *s)
{
    struct tp_fleet fleet = fleet_of(s);
    const struct tp_fleet_row *row = &fleet.items[1]; // the lock that main.x holds
    assert_int_equal(row->found_count, 3);
    assert_int_equal(row->found[0]->value_ppm, 50000);
    assert_int_equal(row->found[1]->value_ppm, 45000);
    assert_int_equal(row->found[2]->value_ppm, 40000);
    assert_true(tp_span_is(tp_intern_text(&s->names, row->found[2]->path), "a"));
    assert_int_equal(fleet.items[3].found_count, 1);
    tp_fleet_fini(&fleet);
}

static void test_groups_in_any_order(void **state)
{
    (void)state;
    for (size_t first = 0; first < TP_ARRAY_LEN(givens); first++) {
        struct tp_totals s = {.file_count = 3};
        for (size_t i = 0; i < TP_ARRAY_LEN(givens); i++)
            add_found(&s, &givens[(i * 4 + first) % TP_ARRAY_LEN(givens)]);
        add_file(&s, "a", 1000);
        add_file(&s, "b", 1000);
        add_file(&s, "short", 1000);
        s.files.items[2].judgement = TP_JUDGEMENT_SHORT;
        expect_rows(&s);
        expect_found(&s);
        tp_totals_fini(&s);
    }
}

// Inputs with equal paths are two, and damaged ones are counted once, however many findings they have.
static void test_counts_inputs_and_damaged_ones(void **state)
{
    static const struct given twice[] = {
        {"a", TP_FINDS_LOCK, 50000, 300, "main.x", 5, "main.v", DAMAGED},
        {"a", TP_FINDS_LOCK, 45000, 200, "main.x", 6, "main.w", FURTHER | DAMAGED},
        {"a", TP_FINDS_LOCK, 40000, 100, "main.x", 5, "main.v", FIRST},
        {"b", TP_FINDS_LOCK, 40000, 100, "main.x", 5, "main.v", DAMAGED},
    };
    (void)state;
    for (size_t first = 0; first < TP_ARRAY_LEN(twice); first++) {
        struct tp_totals s = {.file_count = 3};
        for (size_t i = 0; i < TP_ARRAY_LEN(twice); i++)
            add_found(&s, &twice[(i + first) % TP_ARRAY_LEN(twice)]);
        add_file(&s, "a", 1000);
        add_file(&s, "a", 1000);
        add_file(&s, "b", 1000);
        struct tp_fleet fleet = fleet_of(&s);
        assert_int_equal(fleet.count, 1);
        assert_int_equal(fleet.items[0].file_count, 3);
        assert_int_equal(fleet.items[0].path_count, 2);
        assert_int_equal(fleet.items[0].damaged_count, 2);
        // If values are equal, the sound input comes first.
        assert_false(fleet.items[0].found[2]->is_damaged);
        tp_fleet_fini(&fleet);
        tp_totals_fini(&s);
    }
}

static void test_importance_is_at_most_all(void **state)
{
    (void)state;
    struct tp_totals s = {.file_count = 1};
    add_found(&s, &givens[0]);
    add_file(&s, "a", 50);
    struct tp_fleet fleet = fleet_of(&s);
    assert_int_equal(fleet.items[0].importance_ppm, 1000000);
    tp_fleet_fini(&fleet);
    tp_totals_fini(&s);
}

static void expect_nearest(const struct tp_totals *s, enum tp_finding_kind kind, uint64_t value,
                           const char *path)
{
    struct tp_fleet fleet = fleet_of(s);
    assert_int_equal(fleet.count, 0);
    assert_int_equal(fleet.nearest, kind);
    if (kind != TP_FINDS_NONE) {
        assert_int_equal(fleet.nearest_ppm, value);
        assert_true(tp_span_is(tp_intern_text(&s->names, fleet.nearest_path), path));
    }
    tp_fleet_fini(&fleet);
}

static void test_nearest_miss(void **state)
{
    (void)state;
    struct tp_totals s = {.file_count = 3};
    expect_nearest(&s, TP_FINDS_NONE, 0, NULL);
    add_file(&s, "c", 1000);
    add_file(&s, "b", 1000);
    add_file(&s, "a", 1000);
    s.files.items[0].values[TP_FINDS_LOCK] = 0;
    expect_nearest(&s, TP_FINDS_NONE, 0, NULL);
    s.files.items[0].values[TP_FINDS_LOCK] = 1;
    expect_nearest(&s, TP_FINDS_LOCK, 28, "c");
    s.files.items[1].values[TP_FINDS_GC] = 125000;
    s.files.items[2].values[TP_FINDS_SYSCALL] = 60001;
    expect_nearest(&s, TP_FINDS_SYSCALL, 500008, "a");
    // Equally near: by kind, then by path.
    s.files.items[2].values[TP_FINDS_SYSCALL] = 60000;
    expect_nearest(&s, TP_FINDS_GC, 500000, "b");
    s.files.items[0].values[TP_FINDS_GC] = 125000;
    expect_nearest(&s, TP_FINDS_GC, 500000, "b");
    tp_totals_fini(&s);
}

// What the sentence of a kind needs beside the figures is that of the worst input.
static void test_details_of_the_worst_input(void **state)
{
    (void)state;
    struct tp_totals s = {.file_count = 2};
    add_found(&s, &(struct given){"a", TP_FINDS_FEW_PS, 1000000, 0, "main.x", 5, "main.v", FIRST});
    add_found(&s, &(struct given){"b", TP_FINDS_FEW_PS, 2000000, 0, "main.x", 5, "main.v", FIRST});
    s.found.items[0].detail[0] = 4000;
    s.found.items[1].detail[0] = 2000;
    s.found.items[1].detail[1] = 990000;
    add_file(&s, "a", 500000000);
    add_file(&s, "b", 500000000);
    struct tp_fleet fleet = fleet_of(&s);
    assert_true(fleet.items[0].detail[0] == 2000 && fleet.items[0].detail[1] == 990000);
    tp_fleet_fini(&fleet);
    tp_totals_fini(&s);
}

static void test_kinds_that_were_not_judged(void **state)
{
    (void)state;
    struct tp_totals s = {.file_count = 2};
    add_file(&s, "a", 1000);
    add_file(&s, "b", 1000);
    add_file(&s, "c", 1000);
    for (unsigned k = 0; k < TP_FINDS_COUNT; k++)
        s.files.items[0].values[k] = s.files.items[1].values[k] = 0;
    s.files.items[0].values[TP_FINDS_LEAK] = TP_VALUE_NONE;
    // An input that was not judged at all has no value either, and is counted by its judgement.
    s.files.items[2].judgement = TP_JUDGEMENT_SHORT;
    struct tp_fleet fleet = fleet_of(&s);
    assert_int_equal(fleet.not_judged[TP_FINDS_LEAK], 1);
    assert_int_equal(fleet.not_judged[TP_FINDS_LOCK], 0);
    assert_int_equal(fleet.judgements[TP_JUDGEMENT_SHORT], 1);
    tp_fleet_fini(&fleet);
    tp_totals_fini(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_groups_in_any_order),
        cmocka_unit_test(test_counts_inputs_and_damaged_ones),
        cmocka_unit_test(test_importance_is_at_most_all),
        cmocka_unit_test(test_nearest_miss),
        cmocka_unit_test(test_details_of_the_worst_input),
        cmocka_unit_test(test_kinds_that_were_not_judged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
