// Which hosts differ from the others: by how much they must, whom noise, groups and grouping excuse, and that
// the order of inputs does not matter.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "stats/hosts/differ.h"

#define HOSTS 20
#define SECOND UINT64_C(1000000000)
#define MS UINT64_C(1000000)

static uint32_t put_name(struct tp_totals *s, const char *text)
{
    uint32_t name = tp_intern_put(&s->names, tp_span_of_text(text));
    assert_int_not_equal(name, TP_INTERN_NONE);
    return name;
}

// Adds the row of an input of one second with 50 tasks of one type.
static struct tp_file_row *add_row(struct tp_totals *s, unsigned number, uint64_t p50_ns)
{
    char path[32];
    snprintf(path, sizeof path, "host-%02u.trace", number);
    struct tp_file_row row = {.path = put_name(s, path),
                              .host = TP_INTERN_NONE,
                              .grouped_by = TP_INTERN_NONE,
                              .judgement = TP_JUDGEMENT_JUDGED,
                              .tops = {[TP_TOP_TASK] = {{.name = put_name(s, "checkout"),
                                                         .file = TP_INTERN_NONE,
                                                         .count = 50,
                                                         .total_ns = 50 * p50_ns}}},
                              .times = {[TP_TOP_TASK] = {{.p50_ns = p50_ns, .p99_ns = 3 * p50_ns}}},
                              .top_counts = {[TP_TOP_TASK] = 1}};
    row.figures[TP_FILE_DURATION] = SECOND;
    assert_true(TP_LIST_ADD(&s->files, row));
    return &s->files.items[s->files.count - 1];
}

static struct tp_path_group group_of(const char *pattern)
{
    struct tp_path_group g = {0};
    struct tp_error err;
    assert_int_equal(tp_path_group_set(&g, pattern, &err), 0);
    return g;
}

static struct tp_totals fleet_of(unsigned count, uint64_t p50_ns, uint64_t step_ns)
{
    struct tp_totals s = {0};
    for (unsigned i = 0; i < count; i++)
        add_row(&s, i, p50_ns + i * step_ns);
    return s;
}

static struct tp_differs compare(const struct tp_totals *s)
{
    struct tp_differs d;
    struct tp_error err;
    assert_int_equal(tp_differs_make(s, &d, &err), 0);
    return d;
}

static void expect_name(const struct tp_totals *s, uint32_t name, const char *text)
{
    assert_true(tp_span_is(tp_totals_text(s, name), text));
}

static void expect_none(struct tp_totals *s, bool is_compared)
{
    struct tp_differs d = compare(s);
    assert_int_equal(d.is_compared, is_compared);
    assert_int_equal(d.count, 0);
    assert_int_equal(d.groups.count, 0);
    tp_differs_fini(&d);
    tp_totals_fini(s);
}

static void test_alike_hosts_do_not_differ(void **state)
{
    (void)state;
    struct tp_totals s = fleet_of(HOSTS, 2 * MS, 0);
    expect_none(&s, true);
}

static void test_few_hosts_are_not_compared(void **state)
{
    (void)state;
    struct tp_totals s = fleet_of(TP_HOSTS_LEAST - 1, 2 * MS, 0);
    s.files.items[0].times[TP_TOP_TASK][0].p50_ns = SECOND;
    expect_none(&s, false);
}

static void add_wait(struct tp_totals *s, struct tp_file_row *row, const char *function, uint64_t total_ns)
{
    row->tops[TP_TOP_WAIT][row->top_counts[TP_TOP_WAIT]++] = (struct tp_file_top){
        .name = put_name(s, function), .file = TP_INTERN_NONE, .total_ns = total_ns};
}

// Hosts of different programs have nothing in common but main.main.
static void test_different_programs_are_not_compared(void **state)
{
    (void)state;
    struct tp_totals s = {0};
    for (unsigned i = 0; i < HOSTS; i++) {
        struct tp_file_row *row = add_row(&s, i, i == 7 ? SECOND : 2 * MS);
        char name[32];
        snprintf(name, sizeof name, i % 2 == 0 && i > 0 ? "shared" : "own-%u", i);
        row->tops[TP_TOP_TASK][0].name = put_name(&s, name);
        add_wait(&s, row, "main.main", SECOND);
    }
    expect_none(&s, false);
}

static void test_a_slow_host_is_found(void **state)
{
    (void)state;
    struct tp_totals s = fleet_of(HOSTS, 2 * MS, MS / 100);
    s.files.items[7].times[TP_TOP_TASK][0].p50_ns = 16 * MS;
    struct tp_differs d = compare(&s);
    assert_int_equal(d.count, 1);
    expect_name(&s, d.hosts.items[d.items[0].host].name, "host-07.trace");
    assert_int_equal(d.items[0].count, 1);
    const struct tp_difference *of = &d.differences.items[d.items[0].first];
    assert_int_equal(of->measure, TP_HOST_TASK_P50);
    expect_name(&s, of->name, "checkout");
    assert_int_equal(of->value, 16 * MS);
    assert_int_equal(of->fleet_value, 2 * MS + 10 * MS / 100);
    assert_int_equal(of->severity_ppm, 13900000); // of 1 ms
    tp_differs_fini(&d);
    tp_totals_fini(&s);
}

// By less than the least effect; by less than half the median; within the noise of the fleet.
static void test_small_effects_and_noise_are_none(void **state)
{
    (void)state;
    struct tp_totals s = fleet_of(HOSTS, MS / 10, 0);
    s.files.items[7].times[TP_TOP_TASK][0].p50_ns = MS;
    expect_none(&s, true);
    s = fleet_of(HOSTS, 10 * MS, 0);
    s.files.items[7].times[TP_TOP_TASK][0].p50_ns = 14 * MS;
    expect_none(&s, true);
    s = fleet_of(HOSTS, 2 * MS, MS / 2);
    s.files.items[7].times[TP_TOP_TASK][0].p50_ns = 16 * MS;
    expect_none(&s, true);
}

// A quantile of few tasks is not compared, nor are inputs that were not judged.
static void test_who_cannot_be_compared(void **state)
{
    (void)state;
    struct tp_totals s = fleet_of(HOSTS, 2 * MS, 0);
    s.files.items[7].times[TP_TOP_TASK][0].p50_ns = 16 * MS;
    s.files.items[7].tops[TP_TOP_TASK][0].count = 19;
    s.files.items[8].times[TP_TOP_TASK][0].p50_ns = 16 * MS;
    s.files.items[8].judgement = TP_JUDGEMENT_SHORT;
    struct tp_differs d = compare(&s);
    assert_int_equal(d.hosts.count, HOSTS - 1);
    assert_int_equal(d.hosts.not_judged_count, 1);
    tp_differs_fini(&d);
    expect_none(&s, true);
}

// A host has 67 goroutines that wait where no other one has any; that names a place, so it comes before
// what the host has in all.
static void test_waits_that_others_do_not_have(void **state)
{
    (void)state;
    struct tp_totals s = fleet_of(HOSTS, 2 * MS, 0);
    for (unsigned i = 0; i < HOSTS; i++)
        add_wait(&s, &s.files.items[i], "main.idle", SECOND);
    add_wait(&s, &s.files.items[3], "main.checkout", 67 * SECOND);
    s.files.items[3].figures[TP_FILE_BLOCKED] = 68 * SECOND;
    struct tp_differs d = compare(&s);
    assert_int_equal(d.count, 1);
    assert_int_equal(d.items[0].count, 2);
    const struct tp_difference *of = &d.differences.items[d.items[0].first];
    assert_int_equal(of[0].measure, TP_HOST_WAIT);
    expect_name(&s, of[0].name, "main.checkout");
    assert_int_equal(of[0].value, 67000);
    assert_int_equal(of[0].fleet_value, 0);
    assert_int_equal(of[1].measure, TP_HOST_BLOCKED);
    assert_int_equal(of[1].value, 68000);
    tp_differs_fini(&d);
    tp_totals_fini(&s);
}

static void add_lock(struct tp_totals *s, unsigned host, uint64_t value_ppm, const char *culprit)
{
    s->files.items[host].values[TP_FINDS_LOCK] = value_ppm;
    struct tp_found found = {.path = s->files.items[host].path,
                             .kind = TP_FINDS_LOCK,
                             .is_first = true,
                             .value_ppm = value_ppm,
                             .culprit = {put_name(s, culprit), TP_INTERN_NONE, 0},
                             .victim = TP_SOURCE_PLACE_NONE,
                             .other = TP_SOURCE_PLACE_NONE};
    assert_true(TP_LIST_ADD(&s->found, found));
}

// Findings come first, and hosts with one culprit share a line. A value that another finding explains,
// so that there is no finding of it, is none.
static void test_findings_come_first(void **state)
{
    (void)state;
    struct tp_totals s = fleet_of(HOSTS, 2 * MS, 0);
    s.files.items[2].times[TP_TOP_TASK][0].p50_ns = SECOND;
    add_lock(&s, 4, 500000, "main.hold");
    add_lock(&s, 5, 1400000, "main.hold");
    add_lock(&s, 6, 700000, "main.other");
    s.files.items[9].values[TP_FINDS_LOCK] = 900000;
    struct tp_differs d = compare(&s);
    static const char *const hosts[] = {"host-05.trace", "host-04.trace", "host-06.trace",
                                        "host-02.trace"};
    static const uint32_t lines[] = {0, 0, 1, 3};
    assert_int_equal(d.count, TP_ARRAY_LEN(hosts));
    for (size_t i = 0; i < TP_ARRAY_LEN(hosts); i++) {
        expect_name(&s, d.hosts.items[d.items[i].host].name, hosts[i]);
        assert_int_equal(d.items[i].line, lines[i]);
    }
    assert_int_equal(d.differences.items[d.items[0].first].severity_ppm, 40000000); // of 0.035
    tp_differs_fini(&d);
    tp_totals_fini(&s);
}

// A wait that is beyond the six of most hosts may be as long there as the sixth.
static void test_waits_that_rows_leave_away(void **state)
{
    (void)state;
    struct tp_totals s = fleet_of(HOSTS, 2 * MS, 0);
    for (unsigned i = 0; i < HOSTS; i++) {
        static const char *const pools[] = {"main.a", "main.b", "main.c", "main.d", "main.e", "main.f"};
        for (size_t k = 0; k < TP_ARRAY_LEN(pools); k++)
            add_wait(&s, &s.files.items[i], i == 7 && k == 5 ? "main.g" : pools[k], 20 * SECOND);
        s.files.items[i].more_tops[TP_TOP_WAIT] = 1;
    }
    expect_none(&s, true);
}

static void put_top(struct tp_totals *s, struct tp_file_row *row, enum tp_top_kind kind, struct tp_file_top top,
                    const char *name)
{
    top.name = put_name(s, name);
    top.file = TP_INTERN_NONE;
    row->tops[kind][row->top_counts[kind]++] = top;
}

static void expect_difference(const struct tp_totals *s, const struct tp_differs *d, enum tp_host_measure measure,
                              const char *name, uint64_t value)
{
    assert_int_equal(d->count, 1);
    const struct tp_difference *of = &d->differences.items[d->items[0].first];
    assert_int_equal(of->measure, measure);
    expect_name(s, of->name, name);
    assert_int_equal(of->value, value);
}

// A start function or a type of events that only one host has, or has in its rows.
static void test_start_functions_and_events(void **state)
{
    (void)state;
    for (unsigned is_left_away = 0; is_left_away < 2; is_left_away++) {
        struct tp_totals s = fleet_of(HOSTS, 2 * MS, 0);
        for (unsigned i = 0; i < HOSTS; i++) {
            struct tp_file_row *row = &s.files.items[i];
            put_top(&s, row, TP_TOP_START, (struct tp_file_top){.total_ns = SECOND / 10, .count = 1}, "main.serve");
            put_top(&s, row, TP_TOP_EVENT, (struct tp_file_top){.count = 60000}, "GoStart");
        }
        struct tp_file_row *row = &s.files.items[7];
        put_top(&s, row, TP_TOP_START, (struct tp_file_top){.total_ns = SECOND, .count = 1}, "main.spin");
        s.files.items[3].more_tops[TP_TOP_START] = is_left_away;
        struct tp_differs d = compare(&s);
        expect_difference(&s, &d, TP_HOST_START_RUNNING, "main.spin", 1000);
        assert_int_equal(d.differences.items[0].fleet_value, is_left_away ? 100 : 0);
        tp_differs_fini(&d);
        row->tops[TP_TOP_START][1].total_ns = 0;
        put_top(&s, row, TP_TOP_EVENT, (struct tp_file_top){.count = 50000}, "UserLog");
        s.files.items[3].more_tops[TP_TOP_EVENT] = is_left_away;
        d = compare(&s);
        // Host 3 may have 60,000 events of the type, too.
        assert_int_equal(d.count, !is_left_away);
        if (!is_left_away)
            expect_difference(&s, &d, TP_HOST_EVENT_RATE, "UserLog", 50000);
        tp_differs_fini(&d);
        // Lost events falsify both.
        row->is_damaged = true;
        row->tops[TP_TOP_START][1].total_ns = SECOND;
        expect_none(&s, true);
    }
}

// A damaged host has no value, not even 0, of what it lacks; and one without an input of a start function may have as
// much there as the last one that the input lists.
static void test_hosts_that_are_not_whole(void **state)
{
    (void)state;
    struct tp_totals s = fleet_of(HOSTS, 2 * MS, 0);
    for (unsigned i = 0; i < HOSTS; i++) {
        s.files.items[i].is_damaged = i >= HOSTS / 2;
        if (i < HOSTS / 2)
            put_top(&s, &s.files.items[i], TP_TOP_START, (struct tp_file_top){.total_ns = SECOND}, "main.serve");
    }
    expect_none(&s, true);
    s = (struct tp_totals){0};
    struct tp_path_group g = group_of("host-[0-9]+");
    for (unsigned i = 0; i < 2 * HOSTS; i++) {
        char path[32];
        snprintf(path, sizeof path, "host-%02u/%u", i / 2, i % 2);
        struct tp_file_row *row = add_row(&s, i, 2 * MS);
        bool is_left_away = i / 2 == 3 || i == 10;
        put_top(&s, row, TP_TOP_START, (struct tp_file_top){.total_ns = SECOND},
                is_left_away ? "main.other" : "main.serve");
        row->more_tops[TP_TOP_START] = is_left_away;
        assert_true(tp_hosts_name(&s, &g, path));
    }
    // The first input of host 3 has none, the second one a little.
    s.files.items[7].tops[TP_TOP_START][0] = (struct tp_file_top){
        .name = put_name(&s, "main.serve"), .file = TP_INTERN_NONE, .total_ns = SECOND / 10};
    expect_none(&s, true);
    tp_path_group_fini(&g);
}

// A value below the fleet's is held against the median, and not against what rows may leave away.
static void test_idle_start_function(void **state)
{
    (void)state;
    struct tp_totals s = fleet_of(HOSTS, 2 * MS, 0);
    for (unsigned i = 0; i < HOSTS; i++) {
        struct tp_file_top top = {.total_ns = (i == 3 ? 4 : 1) * SECOND / (i == 7 ? 5 : 1), .count = 1};
        put_top(&s, &s.files.items[i], TP_TOP_START, top, i == 3 ? "main.other" : "main.serve");
    }
    s.files.items[3].more_tops[TP_TOP_START] = 1;
    struct tp_differs d = compare(&s);
    expect_difference(&s, &d, TP_HOST_START_RUNNING, "main.serve", 200);
    assert_int_equal(d.differences.items[0].fleet_value, 1000);
    tp_differs_fini(&d);
    tp_totals_fini(&s);
}

// Where a slow task spends more time than those of the other hosts.
static void test_states_of_a_slow_task(void **state)
{
    (void)state;
    struct tp_totals s = fleet_of(HOSTS, 2 * MS, MS / 100);
    for (unsigned i = 0; i < HOSTS; i++) {
        struct tp_file_times *times = &s.files.items[i].times[TP_TOP_TASK][0];
        times->class_ns[TP_CLASS_RUNNING] = MS;
        times->class_ns[TP_CLASS_NETWORK] = MS;
    }
    struct tp_file_times *slow = &s.files.items[7].times[TP_TOP_TASK][0];
    slow->p50_ns = 16 * MS;
    slow->class_ns[TP_CLASS_RUNNING] = 4 * MS;
    slow->class_ns[TP_CLASS_RUNNABLE] = 11 * MS;
    struct tp_differs d = compare(&s);
    expect_difference(&s, &d, TP_HOST_TASK_P50, "checkout", 16 * MS);
    assert_int_equal(d.differences.items[0].class, TP_CLASS_RUNNABLE);
    assert_int_equal(d.differences.items[0].class_ns, 11 * MS);
    tp_differs_fini(&d);
    tp_totals_fini(&s);
}

// The values of hosts with a fault begin at its threshold, by less than the least effect above the others.
static void test_a_finding_makes_two_groups(void **state)
{
    (void)state;
    struct tp_totals s = fleet_of(HOSTS, 2 * MS, 0);
    uint64_t threshold = tp_finding_kinds[TP_FINDS_FEW_PS].threshold_ppm;
    for (unsigned i = 0; i < HOSTS; i++) {
        for (unsigned k = 0; k < TP_FINDS_COUNT; k++)
            s.files.items[i].values[k] = 0;
        s.files.items[i].values[TP_FINDS_FEW_PS] = i < 8 ? threshold / 100 * i : threshold + threshold / 4 * (i - 8);
    }
    // Other findings explain the values of most.
    const struct tp_found few = {.kind = TP_FINDS_FEW_PS,
                                 .culprit = TP_SOURCE_PLACE_NONE,
                                 .victim = TP_SOURCE_PLACE_NONE,
                                 .other = TP_SOURCE_PLACE_NONE};
    struct tp_differs d = compare(&s);
    assert_int_equal(d.groups.count, 0);
    tp_differs_fini(&d);
    for (unsigned i = 8; i < HOSTS; i++) {
        struct tp_found found = few;
        found.path = s.files.items[i].path;
        found.value_ppm = s.files.items[i].values[TP_FINDS_FEW_PS];
        assert_true(TP_LIST_ADD(&s.found, found));
    }
    d = compare(&s);
    assert_int_equal(d.count, 0);
    assert_int_equal(d.groups.count, 1);
    assert_int_equal(d.groups.items[0].measure, TP_FINDS_FEW_PS);
    assert_int_equal(d.groups.items[0].low_count, 8);
    assert_int_equal(d.groups.items[0].high_count, 12);
    tp_differs_fini(&d);
    tp_totals_fini(&s);
}

// Findings of inputs with one path are told by their values.
static void test_inputs_of_one_path(void **state)
{
    (void)state;
    struct tp_totals s = fleet_of(HOSTS, 2 * MS, 0);
    for (unsigned i = 0; i < HOSTS; i++)
        s.files.items[i].path = put_name(&s, "run.trace");
    add_lock(&s, 4, 500000, "main.one");
    add_lock(&s, 5, 700000, "main.two");
    struct tp_differs d = compare(&s);
    assert_int_equal(d.count, 2);
    for (unsigned i = 0; i < 2; i++) {
        const struct tp_difference *of = &d.differences.items[d.items[i].first];
        expect_name(&s, of->found->culprit.function, of->value == 500000 ? "main.one" : "main.two");
    }
    tp_differs_fini(&d);
    tp_totals_fini(&s);
}

// The values of a group with a fault vary, and it is a group all the same.
static void test_a_half_that_varies(void **state)
{
    (void)state;
    struct tp_totals s = fleet_of(HOSTS, 2 * MS, 0);
    for (unsigned i = 0; i < HOSTS; i += 2)
        s.files.items[i].times[TP_TOP_TASK][0].p50_ns = 10 * MS + i * 2 * MS;
    struct tp_differs d = compare(&s);
    assert_int_equal(d.groups.count, 1);
    assert_int_equal(d.groups.items[0].high_count, HOSTS / 2);
    tp_differs_fini(&d);
    tp_totals_fini(&s);
}

static void test_two_groups(void **state)
{
    (void)state;
    struct tp_totals s = fleet_of(HOSTS, 2 * MS, 0);
    for (unsigned i = 0; i < HOSTS; i += 2)
        s.files.items[i].times[TP_TOP_TASK][0].p50_ns = 16 * MS;
    struct tp_differs d = compare(&s);
    assert_int_equal(d.count, 0);
    assert_int_equal(d.groups.count, 1);
    assert_int_equal(d.groups.items[0].measure, TP_HOST_TASK_P50);
    assert_int_equal(d.groups.items[0].low_count, HOSTS / 2);
    assert_int_equal(d.groups.items[0].low, 2 * MS);
    assert_int_equal(d.groups.items[0].high_count, HOSTS / 2);
    assert_int_equal(d.groups.items[0].high, 16 * MS);
    tp_differs_fini(&d);
    tp_totals_fini(&s);
}

// The order of the rows does not matter.
static void test_any_order(void **state)
{
    (void)state;
    struct tp_totals a = {0}, b = {0};
    for (unsigned i = 0; i < HOSTS; i++) {
        add_row(&a, i, i == 3 ? SECOND : 2 * MS);
        add_row(&b, HOSTS - 1 - i, HOSTS - 1 - i == 3 ? SECOND : 2 * MS);
    }
    struct tp_differs of_a = compare(&a), of_b = compare(&b);
    assert_int_equal(of_a.count, 1);
    assert_int_equal(of_b.count, 1);
    assert_int_equal(of_a.items[0].host, of_b.items[0].host);
    assert_int_equal(of_a.differences.items[0].value, of_b.differences.items[0].value);
    tp_differs_fini(&of_a);
    tp_differs_fini(&of_b);
    tp_totals_fini(&a);
    tp_totals_fini(&b);
}

// GROUPS

// Two inputs of a host count as one: quantiles by the number of tasks.
static void test_inputs_of_one_host(void **state)
{
    (void)state;
    struct tp_path_group g = group_of("host-([0-9])");
    struct tp_totals s = {0};
    for (unsigned i = 0; i < 100; i++) {
        char path[32];
        snprintf(path, sizeof path, i == 99 ? "elsewhere" : "host-%02u.trace", i);
        add_row(&s, i, i == 70 ? 92 * MS : 2 * MS);
        assert_true(tp_hosts_name(&s, &g, path));
    }
    struct tp_differs d = compare(&s);
    assert_int_equal(d.hosts.count, 11);
    assert_int_equal(d.hosts.items[7].row_count, 10);
    expect_name(&s, d.hosts.items[7].name, "7");
    expect_name(&s, d.hosts.items[10].name, "host-99.trace"); // the pattern does not match
    assert_int_equal(d.count, 1);
    assert_int_equal(d.items[0].host, 7);
    assert_int_equal(d.differences.items[0].value, 11 * MS);
    tp_differs_fini(&d);
    // An input that the pattern does not match may have the name of a group.
    s.files.items[99].path = put_name(&s, "7");
    d = compare(&s);
    assert_int_equal(d.hosts.count, 11);
    tp_differs_fini(&d);
    tp_totals_fini(&s);
    tp_path_group_fini(&g);
}

static struct tp_host_watch watch(const char *host, unsigned measure, const char *name)
{
    return (struct tp_host_watch){
        .host_name = tp_span_of_text(host), .measure = (enum tp_host_measure)measure, .name = tp_span_of_text(name)};
}

// What is watched has a value and a bound, whether the host differs or not, unless it was not compared.
static void test_watched_hosts(void **state)
{
    (void)state;
    struct tp_totals s = fleet_of(HOSTS, 2 * MS, 0);
    struct tp_host_watch w[] = {
        watch("host-07.trace", TP_HOST_TASK_P50, "checkout"), watch("host-08.trace", TP_HOST_TASK_P50, "checkout"),
        watch("host-07.trace", TP_HOST_TASK_P50, "login"),    watch("host-77.trace", TP_HOST_TASK_P50, "checkout"),
        watch("host-07.trace", TP_HOST_WAIT, "main.wait"),    watch("host-07.trace", TP_HOST_PS_USED, ""),
        watch("host-07.trace", TP_FINDS_LOCK, ""),            watch("host-08.trace", TP_FINDS_LOCK, ""),
    };
    static const struct {
        bool is_compared;
        uint64_t value, fleet_value, least_distance;
    } expected[TP_ARRAY_LEN(w)] = {
        {true, 16 * MS, 2 * MS, MS}, {true, 2 * MS, 2 * MS, MS}, {false, 0, 0, 0}, {false, 0, 0, 0},
        {true, 0, 0, 5000},          {true, 100, 1000, 750},     {false, 0, 0, 0}, {true, 0, 0, 35000},
    };
    struct tp_differs d;
    struct tp_error err;
    for (unsigned i = 0; i < HOSTS; i++)
        s.files.items[i].figures[TP_FILE_PROCS_USED] = SECOND;
    s.files.items[7].figures[TP_FILE_PROCS_USED] = SECOND / 10;
    s.files.items[7].times[TP_TOP_TASK][0].p50_ns = 16 * MS;
    s.files.items[7].values[TP_FINDS_LOCK] = TP_VALUE_NONE;
    w[5].is_below = true;
    assert_int_equal(tp_differs_make_watching(&s, w, TP_ARRAY_LEN(w), &d, &err), 0);
    for (unsigned i = 0; i < TP_ARRAY_LEN(w); i++) {
        assert_int_equal(w[i].host, i == 3 ? HOSTS : i == 1 || i == 7 ? 8 : 7);
        assert_int_equal(w[i].is_compared, expected[i].is_compared);
        if (!w[i].is_compared)
            continue;
        assert_int_equal(w[i].value, expected[i].value);
        assert_int_equal(w[i].fleet_value, expected[i].fleet_value);
        assert_int_equal(w[i].least_distance, expected[i].least_distance);
    }
    tp_differs_fini(&d);
    // Two groups are no hosts that differ.
    for (unsigned i = 0; i < HOSTS / 2; i++)
        s.files.items[i].times[TP_TOP_TASK][0].p50_ns = 16 * MS;
    assert_int_equal(tp_differs_make_watching(&s, w, 1, &d, &err), 0);
    assert_false(w[0].is_compared);
    tp_differs_fini(&d);
    // Nor are hosts of different programs.
    for (unsigned i = 0; i < HOSTS; i++)
        s.files.items[i].top_counts[TP_TOP_TASK] = 0;
    assert_int_equal(tp_differs_make_watching(&s, &w[4], 1, &d, &err), 0);
    assert_int_equal(w[4].host, 7);
    assert_false(w[4].is_compared);
    tp_differs_fini(&d);
    tp_totals_fini(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_alike_hosts_do_not_differ),
        cmocka_unit_test(test_few_hosts_are_not_compared),
        cmocka_unit_test(test_different_programs_are_not_compared),
        cmocka_unit_test(test_a_slow_host_is_found),
        cmocka_unit_test(test_small_effects_and_noise_are_none),
        cmocka_unit_test(test_who_cannot_be_compared),
        cmocka_unit_test(test_waits_that_others_do_not_have),
        cmocka_unit_test(test_findings_come_first),
        cmocka_unit_test(test_waits_that_rows_leave_away),
        cmocka_unit_test(test_start_functions_and_events),
        cmocka_unit_test(test_hosts_that_are_not_whole),
        cmocka_unit_test(test_idle_start_function),
        cmocka_unit_test(test_states_of_a_slow_task),
        cmocka_unit_test(test_a_finding_makes_two_groups),
        cmocka_unit_test(test_inputs_of_one_path),
        cmocka_unit_test(test_a_half_that_varies),
        cmocka_unit_test(test_two_groups),
        cmocka_unit_test(test_any_order),
        cmocka_unit_test(test_inputs_of_one_host),
        cmocka_unit_test(test_watched_hosts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
