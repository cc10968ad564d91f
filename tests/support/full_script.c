#include "full_script.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define EVENTS_MAX 200

static struct full_tables *tables;
static struct tp_event events[EVENTS_MAX];
static size_t event_count;
static bool is_contradictory;

void script_begin(void)
{
    script_begin_of(26);
}

void script_begin_of(uint32_t minor)
{
    if (tables != NULL) // left by a test that failed
        full_tables_drop(tables);
    tables = full_tables_make_of(SCRIPT_GENERATION, minor);
    event_count = 0;
    is_contradictory = false;
}

void script_contradicts(void)
{
    is_contradictory = true;
}

void script_event(int64_t time_ns, int64_t g, uint8_t type, const uint64_t args[static 4])
{
    assert_true(event_count < EVENTS_MAX);
    assert_true(event_count == 0 || events[event_count - 1].time_ns < time_ns);
    struct tp_event *e = &events[event_count++];
    *e = (struct tp_event){.time_ns = time_ns, .m = 1, .p = SCRIPT_P, .g = g, .type = type};
    memcpy(e->args, args, sizeof e->args);
}

static size_t one(void *ctx, size_t left)
{
    (void)ctx, (void)left;
    return 1;
}

typedef char *(*text_fn)(const struct tp_totals *totals);

static void put_name(FILE *f, const struct tp_totals *totals, uint32_t name)
{
    struct tp_span text = tp_intern_text(&totals->names, name);
    fwrite(text.len_bytes > 0 ? (const void *)text.ptr : "", 1, text.len_bytes, f);
}

// Returns names of goroutines, one a line: the names of the groups of durations (once if equal ones
// follow each other), then the function of the first of the single goroutines in totals->gs.
static char *names_text(const struct tp_totals *totals)
{
    char *text = NULL;
    size_t text_bytes;
    FILE *f = open_memstream(&text, &text_bytes);
    if (f == NULL)
        abort();
    uint32_t last = TP_DURATIONS_NONE;
    for (uint32_t i = 0; i < totals->durations.groups.count; i++) {
        const struct tp_durations_group *g = &totals->durations.groups.items[i];
        if (g->dist_count == 0 || g->name == last ||
            (g->space != TP_SPACE_GOROUTINE && g->space != TP_SPACE_UNNAMED))
            continue;
        put_name(f, totals, g->name);
        fputc('\n', f);
        last = g->name;
    }
    if (totals->gs.heap.count > 0)
        put_name(f, totals, totals->gs.heap.items[0].function);
    if (fclose(f) != 0)
        abort();
    return text;
}

static char *wrapped_text(const struct tp_totals *totals)
{
    char *text = NULL;
    size_t text_bytes;
    FILE *f = open_memstream(&text, &text_bytes);
    if (f == NULL)
        abort();
    for (uint32_t i = 0; i < totals->durations.groups.count; i++) {
        const struct tp_durations_group *g = &totals->durations.groups.items[i];
        if (g->dist_count == 0 || g->space != TP_SPACE_WRAPPED)
            continue;
        struct tp_span name = tp_intern_text(&totals->names, g->name);
        for (size_t k = 0; k < name.len_bytes; k++)
            fputc(name.ptr[k] != '\0' ? name.ptr[k] : '>', f);
        fprintf(f, " %s\n", tp_wide_text(tp_dist_all_ns(g->dists[TP_MEASURE_LIFE])).text);
    }
    if (fclose(f) != 0)
        abort();
    return text;
}

static char *short_text(const struct tp_totals *totals)
{
    return full_text(totals, false);
}

static char *evidence_text(const struct tp_totals *totals)
{
    char *text = full_pairs_text(totals);
    char *end = strstr(text, "woken ");
    if (end != NULL)
        *end = '\0';
    return text;
}

static char *time_text(const struct tp_totals *totals)
{
    return full_time_text(&totals->timeline);
}

static void expect_runs(const struct full_run *runs, size_t run_count, full_cut_fn cut,
                        text_fn text_of, const char *want)
{
    struct tp_totals totals;
    struct tp_error err;
    assert_int_equal(full_sum(runs, run_count, &(struct full_cuts){.sums = cut}, &totals, &err),
                     0);
    char *text = text_of(&totals);
    assert_string_equal(text, want);
    assert_true(full_wakes_add_up(&totals));
    assert_true(full_breakdowns_add_up(&totals));
    free(text);
    tp_totals_fini(&totals);
}

// A part of the events that a speculative tracker follows.
struct part {
    size_t begin, count;
    bool is_over;
};

static size_t cut_before_part(void *ctx, size_t left)
{
    const struct part *part = ctx;
    return part->is_over ? left : part->begin;
}

static size_t cut_part(void *ctx, const struct full_run *rest)
{
    struct part *part = ctx;
    (void)rest;
    part->is_over = true;
    return part->count;
}

// Whether the tracker could be adopted.
static bool expect_part(struct part part, text_fn text_of, const char *want)
{
    const struct full_run all = {tables->tables, events, event_count};
    struct full_ahead ahead = {.cut = cut_part, .ctx = &part};
    const struct full_cuts cuts = {.sums = cut_before_part, .ctx = &part, .ahead = &ahead};
    struct tp_totals totals;
    struct tp_error err;
    assert_int_equal(full_sum(&all, 1, &cuts, &totals, &err), 0);
    char *text = text_of(&totals);
    if (strcmp(text, want) != 0)
        fail_msg("%zu events from event %zu on were followed ahead:\n%s\ninstead of\n%s", part.count,
                 part.begin, text, want);
    free(text);
    tp_totals_fini(&totals);
    return ahead.adopted_count > 0;
}

// Speculative trackers follow all parts of the events, of which none may begin a generation; of a long
// script those that are short, or last to the end.
static void expect_parts(text_fn text_of, const char *want)
{
    size_t adopted_count = 0;
    for (size_t begin = 1; begin < event_count; begin++) {
        for (size_t end = begin; end < event_count && events[end].type != TP_EVENT_SYNC;) {
            struct part part = {.begin = begin, .count = ++end - begin};
            if (event_count <= 40 || part.count <= 3 || end == event_count)
                adopted_count += expect_part(part, text_of, want);
        }
    }
    assert_true(adopted_count > 0);
}

static void expect(text_fn text_of, const char *want)
{
    const struct full_run all = {tables->tables, events, event_count};
    expect_runs(&all, 1, NULL, text_of, want);
    for (size_t i = 1; i < event_count; i++) {
        const struct full_run halves[] = {{tables->tables, events, i},
                                          {tables->tables, events + i, event_count - i}};
        expect_runs(halves, 2, NULL, text_of, want);
    }
    expect_runs(&all, 1, one, text_of, want);
    if (!is_contradictory)
        expect_parts(text_of, want);
    full_tables_drop(tables);
    tables = NULL;
}

void script_expect(const char *want)
{
    expect(short_text, want);
}

void script_expect_evidence(const char *want)
{
    expect(evidence_text, want);
}

void script_expect_one_name(const char *name)
{
    // The name in the rows, and the name of the goroutine itself.
    char want[100];
    snprintf(want, sizeof want, "%s\n%s", name, name);
    expect(names_text, want);
}

void script_expect_wrapped(const char *want)
{
    expect(wrapped_text, want);
}

void script_expect_pairs(const char *want)
{
    expect(full_pairs_text, want);
}

void script_expect_time(const char *want)
{
    expect(time_text, want);
}

void script_expect_breakdown(const char *want)
{
    expect(full_breakdown_text, want);
}

void script_expect_slow(const char *want)
{
    expect(full_slow_text, want);
}
