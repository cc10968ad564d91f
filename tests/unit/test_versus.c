// What has changed between two fleets: what chance may do, by how much medians must differ, what few hosts
// allow, what is new or gone, where the time went, and that the order of inputs does not matter.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/sort/compare.h"
#include "stats/hosts/change_rule.h"
#include "stats/hosts/versus.h"

#define HOSTS 20
#define SECOND UINT64_C(1000000000)
#define MS UINT64_C(1000000)
#define TASKS 50

static uint32_t put_name(struct tp_totals *s, const char *text)
{
    uint32_t name = tp_intern_put(&s->names, tp_span_of_text(text));
    assert_int_not_equal(name, TP_INTERN_NONE);
    return name;
}

// Adds the row of an input of one second.
static struct tp_file_row *add_row(struct tp_totals *s, unsigned number)
{
    char path[32];
    snprintf(path, sizeof path, "host-%02u.trace", number);
    struct tp_file_row row = {.path = put_name(s, path),
                              .host = TP_INTERN_NONE,
                              .grouped_by = TP_INTERN_NONE,
                              .judgement = TP_JUDGEMENT_JUDGED};
    row.figures[TP_FILE_DURATION] = SECOND;
    s->file_count++;
    assert_true(TP_LIST_ADD(&s->files, row));
    return &s->files.items[s->files.count - 1];
}

static void add_top(struct tp_totals *s, struct tp_file_row *row, enum tp_top_kind kind, const char *name,
                    uint64_t ns)
{
    bool is_wait = kind == TP_TOP_WAIT;
    if (!is_wait)
        row->times[kind][row->top_counts[kind]] = (struct tp_file_times){.p50_ns = ns, .p99_ns = 3 * ns};
    row->tops[kind][row->top_counts[kind]++] = (struct tp_file_top){.name = put_name(s, name),
                                                                    .file = TP_INTERN_NONE,
                                                                    .count = is_wait ? 0 : TASKS,
                                                                    .total_ns = is_wait ? ns : TASKS * ns};
}

static void add_lock(struct tp_totals *s, unsigned number, uint64_t ppm, const char *culprit)
{
    struct tp_file_row *row = &s->files.items[number];
    const struct tp_found found = {.path = row->path,
                                   .kind = TP_FINDS_LOCK,
                                   .is_first = true,
                                   .value_ppm = ppm,
                                   .culprit = {put_name(s, culprit), TP_INTERN_NONE, 0},
                                   .victim = TP_SOURCE_PLACE_NONE,
                                   .other = TP_SOURCE_PLACE_NONE};
    row->values[TP_FINDS_LOCK] = ppm;
    assert_true(TP_LIST_ADD(&s->found, found));
}

// A fleet whose hosts have tasks of this median, each so much longer than those before.
static struct tp_totals fleet_of(unsigned count, const char *task, uint64_t p50_ns, uint64_t step_ns)
{
    struct tp_totals s = {0};
    for (unsigned i = 0; i < count; i++)
        add_top(&s, add_row(&s, i), TP_TOP_TASK, task, p50_ns + i * step_ns);
    return s;
}

static struct tp_versus compare(const struct tp_totals *before, const struct tp_totals *after)
{
    struct tp_versus v;
    struct tp_error err;
    assert_int_equal(tp_versus_make(before, after, &v, &err), 0);
    return v;
}

static void end(struct tp_versus *v, struct tp_totals *before, struct tp_totals *after)
{
    tp_versus_fini(v);
    tp_totals_fini(before);
    tp_totals_fini(after);
}

// Expects one change, or none: NULL.
static void expect(struct tp_totals before, struct tp_totals after, const struct tp_change *one)
{
    struct tp_versus v = compare(&before, &after);
    assert_true(v.is_compared);
    assert_int_equal(v.count, one != NULL);
    if (one != NULL) {
        assert_int_equal(v.items[0].verdict, one->verdict);
        assert_int_equal(v.items[0].measure, one->measure);
        assert_true(tp_span_compare(v.items[0].name, one->name) == 0);
        assert_int_equal(v.items[0].values[TP_VERSUS_BEFORE], one->values[TP_VERSUS_BEFORE]);
        assert_int_equal(v.items[0].values[TP_VERSUS_AFTER], one->values[TP_VERSUS_AFTER]);
        assert_int_equal(v.items[0].time, one->time);
    }
    end(&v, &before, &after);
}

static struct tp_change slower(enum tp_versus_verdict verdict, uint64_t before, uint64_t after, uint64_t time)
{
    return (struct tp_change){.verdict = verdict,
                              .measure = TP_HOST_TASK_P50,
                              .name = tp_span_of_text("checkout"),
                              .values = {before, after},
                              .time = time};
}

static void test_a_slower_task_is_worse_and_a_faster_one_better(void **state)
{
    (void)state;
    // 50 tasks a second that each take 2 ms more: a tenth of a goroutine.
    const struct tp_change worse = slower(TP_VERSUS_WORSE, 2 * MS, 4 * MS, 100);
    const struct tp_change better = slower(TP_VERSUS_BETTER, 4 * MS, 2 * MS, 100);
    expect(fleet_of(HOSTS, "checkout", 2 * MS, 0), fleet_of(HOSTS, "checkout", 4 * MS, 0), &worse);
    expect(fleet_of(HOSTS, "checkout", 4 * MS, 0), fleet_of(HOSTS, "checkout", 2 * MS, 0), &better);
    expect(fleet_of(HOSTS, "checkout", 2 * MS, 0), fleet_of(HOSTS, "checkout", 2 * MS, 0), NULL);
}

static void test_small_changes_and_noise_are_none(void **state)
{
    (void)state;
    // Beyond all noise, but less than 10 %, or less than 0.1 ms.
    expect(fleet_of(HOSTS, "checkout", 20 * MS, 0), fleet_of(HOSTS, "checkout", 219 * MS / 10, 0), NULL);
    expect(fleet_of(HOSTS, "checkout", 100000, 0), fleet_of(HOSTS, "checkout", 199000, 0), NULL);
    // A fifth more, and the hosts of each side as different as that.
    expect(fleet_of(HOSTS, "checkout", 10 * MS, MS / 5), fleet_of(HOSTS, "checkout", 12 * MS, MS / 5), NULL);
    // The rule does not look at the distance of the outermost hosts.
    struct tp_totals before = fleet_of(HOSTS, "checkout", 10 * MS, 0);
    struct tp_totals after = fleet_of(HOSTS, "checkout", 12 * MS, 0);
    after.files.items[3].times[TP_TOP_TASK][0].p50_ns = MS;
    before.files.items[5].times[TP_TOP_TASK][0].p50_ns = SECOND;
    const struct tp_change worse = slower(TP_VERSUS_WORSE, 10 * MS, 12 * MS, 100);
    expect(before, after, &worse);
}

static void test_few_hosts_need_a_factor(void **state)
{
    (void)state;
    const struct tp_change doubled = slower(TP_VERSUS_WORSE, 2 * MS, 4 * MS, 100);
    const struct tp_change tripled = slower(TP_VERSUS_WORSE, 2 * MS, 6 * MS, 200);
    struct tp_totals before = fleet_of(4, "checkout", 2 * MS, 0), after = fleet_of(4, "checkout", 4 * MS, 0);
    struct tp_versus v = compare(&before, &after);
    assert_true(v.are_few);
    end(&v, &before, &after);
    expect(fleet_of(4, "checkout", 2 * MS, 0), fleet_of(4, "checkout", 4 * MS - 1, 0), NULL);
    expect(fleet_of(4, "checkout", 2 * MS, 0), fleet_of(4, "checkout", 4 * MS, 0), &doubled);
    expect(fleet_of(1, "checkout", 2 * MS, 0), fleet_of(4, "checkout", 4 * MS, 0), NULL);
    expect(fleet_of(1, "checkout", 2 * MS, 0), fleet_of(1, "checkout", 6 * MS, 0), &tripled);
    // All of one side must lie beyond the other.
    after = fleet_of(4, "checkout", 6 * MS, 0);
    after.files.items[1].times[TP_TOP_TASK][0].p50_ns = 2 * MS;
    expect(fleet_of(4, "checkout", 2 * MS, 0), after, NULL);
    before = (struct tp_totals){0}, after = fleet_of(4, "checkout", MS, 0);
    v = compare(&before, &after);
    assert_false(v.is_compared);
    end(&v, &before, &after);
}

// A generator of the test: the same numbers everywhere.
static uint64_t next(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *seed >> 33;
}

// Halves of one fleet differ by chance seldom, whatever the distribution is: here two groups, a long tail, and
// mostly zeroes.
static void test_chance_makes_few_changes(void **state)
{
    (void)state;
    static const size_t sizes[][2] = {{12, 12}, {20, 20}, {30, 30}, {50, 50}, {10, 60}, {100, 200}};
    const struct tp_change_size any = {0, UINT64_C(1) << 40, 1, 1};
    const uint64_t tests = 5;
    uint64_t seed = 2611;
    unsigned change_count = 0, count = 0;
    for (size_t i = 0; i < TP_ARRAY_LEN(sizes); i++) {
        for (unsigned round = 0; round < 20000; round++, count++) {
            uint64_t values[2][200];
            struct tp_two_samples v = {{values[0], values[1]}, {sizes[i][0], sizes[i][1]}};
            for (unsigned side = 0; side < 2; side++) {
                for (size_t k = 0; k < v.counts[side]; k++) {
                    uint64_t x = next(&seed) % 1000;
                    values[side][k] = round % 3 == 0 ? (x < 500 ? x : 100000 + x)
                                      : round % 3 == 1 ? 1000000 / (x + 1)
                                                       : (x < 400 ? 0 : x);
                }
                qsort(values[side], v.counts[side], sizeof values[side][0], tp_compare_u64_at);
            }
            assert_true(tp_is_noise_known(sizes[i][0], sizes[i][1], tests));
            change_count += tp_is_change(&v, 0, &any, tests) || tp_is_change(&v, 1, &any, tests);
        }
    }
    // One in 100 of all tests together.
    if (change_count > count / (100 * tests))
        fail_msg("%u changes in %u comparisons", change_count, count);
    assert_true(change_count > 0);
}

static void test_presence_is_chance_or_not(void **state)
{
    (void)state;
    // 18 of 20: one in 600 millions; 11 of 20: one in 14,000; all hosts; half of them.
    assert_true(tp_is_no_chance(18, 20, 20, 1000));
    assert_false(tp_is_no_chance(11, 20, 20, 1000));
    assert_true(tp_is_no_chance(2, 2, 2, 1000));
    assert_false(tp_is_no_chance(50, 100, 100, 1000));
    assert_true(tp_is_no_chance(51, 100, 100, 1000));
}

static void test_new_and_gone_tasks(void **state)
{
    (void)state;
    struct tp_totals before = fleet_of(HOSTS, "checkout", 2 * MS, 0), after = fleet_of(HOSTS, "refund", 3 * MS, 0);
    struct tp_versus v = compare(&before, &after);
    assert_int_equal(v.count, 2);
    assert_int_equal(v.items[0].verdict, TP_VERSUS_NEW);
    assert_true(tp_span_is(v.items[0].name, "refund"));
    assert_int_equal(v.items[0].host_counts[TP_VERSUS_AFTER], HOSTS);
    assert_int_equal(v.items[0].host_counts[TP_VERSUS_BEFORE], 0);
    assert_int_equal(v.items[1].verdict, TP_VERSUS_GONE);
    assert_int_equal(v.items[1].values[TP_VERSUS_BEFORE], 2 * MS);
    tp_versus_fini(&v);
    // The other side has such tasks, but others are longer.
    uint32_t name;
    assert_true(tp_totals_name(&after, TP_SPACE_TASK, tp_span_of_text("checkout"), &name));
    assert_true(tp_durations_record(&after.durations, TP_SPACE_TASK, name, 0, MS, 0, false));
    v = compare(&before, &after);
    assert_int_equal(v.count, 1);
    assert_int_equal(v.items[0].verdict, TP_VERSUS_NEW);
    end(&v, &before, &after);
}

static void test_findings_name_the_cause(void **state)
{
    (void)state;
    struct tp_totals before = fleet_of(HOSTS, "checkout", 2 * MS, 0), after = fleet_of(HOSTS, "checkout", 9 * MS, 0);
    for (unsigned i = 0; i < HOSTS; i++) {
        add_lock(&after, i, 900000, i < 15 ? "main.hold" : "main.other");
        add_top(&after, &after.files.items[i], TP_TOP_WAIT, "main.wait", SECOND);
        add_top(&after, &after.files.items[i], TP_TOP_REGION, "charge", 5 * MS);
        add_top(&before, &before.files.items[i], TP_TOP_REGION, "charge", MS);
    }
    struct tp_versus v = compare(&before, &after);
    assert_int_equal(v.count, 4);
    assert_int_equal(v.items[0].verdict, TP_VERSUS_NEW);
    assert_int_equal(v.items[0].measure, TP_FINDS_LOCK);
    assert_true(tp_span_is(tp_totals_text(&after, v.items[0].found->culprit.function), "main.hold"));
    assert_int_equal(v.items[1].measure, TP_HOST_WAIT);
    assert_int_equal(v.items[1].time, 1000);
    assert_int_equal(v.items[2].measure, TP_HOST_TASK_P50);
    assert_ptr_equal(tp_versus_beside(&v, &v.items[2]), &v.items[1]);
    assert_null(tp_versus_beside(&v, &v.items[0]));
    tp_versus_fini(&v);
    // Where the baseline has it, too, it is worse.
    add_lock(&before, 7, 40000, "main.hold");
    v = compare(&before, &after);
    assert_int_equal(v.items[0].verdict, TP_VERSUS_WORSE);
    end(&v, &before, &after);
}

// A wait that is not among the longest of a host may be as long as the last of these.
static void test_waits_beyond_the_limit_are_not_zero(void **state)
{
    (void)state;
    struct tp_totals before = fleet_of(HOSTS, "checkout", MS, 0), after = fleet_of(HOSTS, "checkout", MS, 0);
    for (unsigned i = 0; i < HOSTS; i++) {
        add_top(&after, &after.files.items[i], TP_TOP_WAIT, "main.wait", 2 * SECOND);
        for (unsigned k = 0; k < TP_TOPS_PER_KIND; k++) {
            char name[16];
            snprintf(name, sizeof name, "main.f%u", k);
            add_top(&before, &before.files.items[i], TP_TOP_WAIT, name, 2 * SECOND);
            if (k + 1 < TP_TOPS_PER_KIND)
                add_top(&after, &after.files.items[i], TP_TOP_WAIT, name, 2 * SECOND);
        }
        before.files.items[i].more_tops[TP_TOP_WAIT] = after.files.items[i].more_tops[TP_TOP_WAIT] = 1;
    }
    expect(before, after, NULL);
}

// A mean is a change if no quantile is; where the time goes is part of the median's change.
static void test_means_and_states(void **state)
{
    (void)state;
    for (unsigned is_median_slow = 0; is_median_slow < 2; is_median_slow++) {
        struct tp_totals before = fleet_of(HOSTS, "checkout", MS, 0);
        struct tp_totals after = fleet_of(HOSTS, "checkout", is_median_slow ? 4 * MS : MS, 0);
        for (unsigned i = 0; i < HOSTS; i++) {
            before.files.items[i].times[TP_TOP_TASK][0].mean_ns = 2 * MS;
            struct tp_file_times *times = &after.files.items[i].times[TP_TOP_TASK][0];
            times->mean_ns = 5 * MS;
            times->class_ns[TP_CLASS_RUNNABLE] = MS;
            times->class_ns[TP_CLASS_NETWORK] = 2 * MS;
        }
        struct tp_versus v = compare(&before, &after);
        assert_int_equal(v.items[0].measure, is_median_slow ? TP_HOST_TASK_P50 : TP_HOST_TASK_MEAN);
        assert_int_equal(v.items[0].class_ns, is_median_slow ? 2 * MS : 0);
        assert_int_equal(v.items[0].class, is_median_slow ? TP_CLASS_NETWORK : TP_CLASS_RUNNING);
        for (uint32_t i = 1; i < v.count; i++)
            assert_int_equal(v.items[i].measure, TP_HOST_TASK_P99);
        tp_versus_fini(&v);
        // The other way round it is better, and the time that it saves is named.
        v = compare(&after, &before);
        assert_int_equal(v.items[0].verdict, TP_VERSUS_BETTER);
        assert_int_equal(v.items[0].class_ns, is_median_slow ? 2 * MS : 0);
        end(&v, &before, &after);
    }
}

static void add_start(struct tp_totals *s, unsigned number, const char *name, uint64_t ns, uint64_t count)
{
    struct tp_file_row *row = &s->files.items[number];
    row->tops[TP_TOP_START][row->top_counts[TP_TOP_START]++] = (struct tp_file_top){
        .name = put_name(s, name), .file = TP_INTERN_NONE, .count = count, .total_ns = ns};
}

// The run time and the number of goroutines of a start function are neither good nor bad.
static void test_start_functions(void **state)
{
    (void)state;
    struct tp_totals before = fleet_of(HOSTS, "checkout", MS, 0), after = fleet_of(HOSTS, "checkout", MS, 0);
    for (unsigned i = 0; i < HOSTS; i++) {
        add_start(&before, i, "main.serve", SECOND, 4);
        add_start(&after, i, "main.serve", SECOND, 400);
        add_start(&after, i, "main.poll", SECOND / 2, 1);
    }
    struct tp_versus v = compare(&before, &after);
    assert_int_equal(v.count, 2);
    assert_int_equal(v.items[0].measure, TP_HOST_START_RUNNING);
    assert_int_equal(v.items[0].verdict, TP_VERSUS_MORE);
    assert_true(tp_span_is(v.items[0].name, "main.poll"));
    assert_int_equal(v.items[0].values[TP_VERSUS_AFTER], 500);
    assert_int_equal(v.items[0].time, 500);
    assert_int_equal(v.items[1].measure, TP_HOST_START_RATE);
    assert_int_equal(v.items[1].values[TP_VERSUS_AFTER], 400);
    tp_versus_fini(&v);
    // A damaged host has no value of what lost events falsify.
    for (unsigned i = 0; i < HOSTS; i++)
        after.files.items[i].is_damaged = true;
    v = compare(&before, &after);
    assert_int_equal(v.count, 0);
    end(&v, &before, &after);
}

// A name that a row leaves away may have anything up to the last one: neither more nor less than on the other side.
static void test_bounds_are_no_values(void **state)
{
    (void)state;
    for (unsigned side = 0; side < 2; side++) {
        struct tp_totals both[2] = {fleet_of(HOSTS, "checkout", MS, 0), fleet_of(HOSTS, "checkout", MS, 0)};
        for (unsigned i = 0; i < HOSTS; i++) {
            add_top(&both[side], &both[side].files.items[i], TP_TOP_WAIT, "main.rare", 2 * SECOND);
            for (unsigned k = 0; k < TP_TOPS_PER_KIND; k++) {
                char name[16];
                snprintf(name, sizeof name, "main.f%u", k);
                add_top(&both[1 - side], &both[1 - side].files.items[i], TP_TOP_WAIT, name, 30 * SECOND);
                if (k + 1 < TP_TOPS_PER_KIND)
                    add_top(&both[side], &both[side].files.items[i], TP_TOP_WAIT, name, 30 * SECOND);
            }
            both[1 - side].files.items[i].more_tops[TP_TOP_WAIT] = 1;
        }
        struct tp_versus v = compare(&both[0], &both[1]);
        // One of the six is gone on that side, for it has less to leave away than 2 s.
        assert_int_equal(v.count, 1);
        assert_true(tp_span_is(v.items[0].name, "main.f5"));
        assert_int_equal(v.items[0].of, 1 - side);
        assert_non_null(v.items[0].top);
        end(&v, &both[0], &both[1]);
    }
}

// A task of which no host has enough for a median has no value to show.
static void test_rare_tasks_are_not_new(void **state)
{
    (void)state;
    struct tp_totals before = fleet_of(HOSTS, "checkout", MS, 0), after = fleet_of(HOSTS, "checkout", MS, 0);
    for (unsigned i = 0; i < HOSTS; i++) {
        struct tp_file_row *row = &after.files.items[i];
        add_top(&after, row, TP_TOP_TASK, "refund", MS);
        row->tops[TP_TOP_TASK][1].count = 19;
    }
    expect(before, after, NULL);
}

static void test_a_lack_of_memory(void **state)
{
    (void)state;
    struct tp_totals before = fleet_of(HOSTS, "checkout", MS, 0), after = fleet_of(HOSTS, "checkout", 4 * MS, 0);
    struct tp_versus v;
    struct tp_error err;
    uint64_t nth = 1;
    for (int rc = TP_E_MEMORY; rc != 0; nth++) {
        tp_alloc_fail_at(nth, false);
        rc = tp_versus_make(&before, &after, &v, &err);
        tp_alloc_fail_at(0, false);
        assert_true(rc == 0 || (rc == TP_E_MEMORY && v.count == 0));
    }
    assert_in_range(nth, 10, 1000);
    assert_int_equal(v.count, 1);
    end(&v, &before, &after);
}

static void test_any_order_and_grouping(void **state)
{
    (void)state;
    struct tp_totals before = fleet_of(HOSTS, "checkout", 2 * MS, 1000), after = fleet_of(HOSTS, "checkout", 5 * MS, 1000);
    struct tp_totals turned = {0};
    for (unsigned i = HOSTS; i-- > 0;)
        add_top(&turned, add_row(&turned, i), TP_TOP_TASK, "checkout", 5 * MS + i * 1000);
    struct tp_versus v = compare(&before, &after), w = compare(&before, &turned);
    assert_int_equal(v.count, 1);
    assert_int_equal(w.count, 1);
    assert_memory_equal(v.items[0].values, w.items[0].values, sizeof v.items[0].values);
    assert_int_equal(v.items[0].time, w.items[0].time);
    tp_versus_fini(&v);
    tp_versus_fini(&w);
    tp_totals_fini(&turned);
    tp_totals_fini(&after);
    // Two inputs of a host are one value.
    struct tp_totals grouped = {0};
    for (unsigned i = 0; i < 2 * HOSTS; i++) {
        struct tp_file_row *row = add_row(&grouped, i);
        char host[16];
        snprintf(host, sizeof host, "h%u", i / 2);
        add_top(&grouped, row, TP_TOP_TASK, "checkout", 4 * MS);
        row->host = put_name(&grouped, host);
        row->grouped_by = put_name(&grouped, "x");
    }
    v = compare(&before, &grouped);
    assert_int_equal(v.count, 1);
    assert_int_equal(v.items[0].host_counts[TP_VERSUS_AFTER], HOSTS);
    end(&v, &before, &grouped);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_slower_task_is_worse_and_a_faster_one_better),
        cmocka_unit_test(test_small_changes_and_noise_are_none),
        cmocka_unit_test(test_few_hosts_need_a_factor),
        cmocka_unit_test(test_chance_makes_few_changes),
        cmocka_unit_test(test_presence_is_chance_or_not),
        cmocka_unit_test(test_new_and_gone_tasks),
        cmocka_unit_test(test_findings_name_the_cause),
        cmocka_unit_test(test_waits_beyond_the_limit_are_not_zero),
        cmocka_unit_test(test_means_and_states),
        cmocka_unit_test(test_start_functions),
        cmocka_unit_test(test_bounds_are_no_values),
        cmocka_unit_test(test_rare_tasks_are_not_new),
        cmocka_unit_test(test_a_lack_of_memory),
        cmocka_unit_test(test_any_order_and_grouping),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
