// However traces are divided and put together again, their states are the same bytes, and
// so are the reports made of them.
//
//   state-partitions FIRST LAST TRACE...
//
// The program makes one state of each trace, some given and some generated. Each round merges the
// states in a random tree and in random order, each step through bytes; the number of the round is
// the seed. Then a twentieth of the rounds runs once more with more names than are kept, which
// takes longer.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "decode/decoder.h"
#include "order_lab.h"
#include "state_lab.h"
#include "synth.h"

#define FILES 60
#define GENERATED_AT_LEAST 12
#define MERGED_MOST 7
#define GOROUTINES 30 // told one by one
#define NAMES 500 // of each generated trace

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "%s: %s\n", what, why);
    exit(1);
}

static uint64_t next_random(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

static size_t below(uint64_t *seed, size_t end)
{
    return (size_t)((next_random(seed) >> 11) % end);
}

// TRACES

static struct state_bytes load(const char *path)
{
    unsigned char part[65536];
    struct state_bytes b = {0};
    FILE *f = fopen(path, "rb");
    if (f == NULL)
        fail(path, "cannot be opened");
    for (size_t got; (got = fread(part, 1, sizeof part, f)) > 0;)
        state_append(&b, part, got);
    fclose(f);
    return b;
}

static int append(void *ctx, const unsigned char *bytes, size_t len_bytes)
{
    state_append(ctx, bytes, len_bytes);
    return 0;
}

static struct state_bytes generate(uint64_t seed)
{
    static const uint64_t versions[] = {22, 23, 25, 26};
    struct synth_config c;
    struct synth_totals totals;
    struct tp_error err;
    struct state_bytes b = {0};
    synth_config_init(&c);
    c.seed = seed;
    c.version = versions[seed % TP_ARRAY_LEN(versions)];
    c.gen_events = 1000 + 300 * (seed % 5);
    c.stacks = 30;
    c.truncate_at = seed % 3 == 0 ? 50000 : c.truncate_at;
    if (synth_generate(&c, append, &b, &totals, &err) != 0)
        fail("synth", err.text);
    return b;
}

// False: it is no trace that can be read.
static bool sum_trace(const char *path, const struct state_bytes *trace,
                      struct tp_totals *ret_totals)
{
    const struct order_way way = {.fill_capacity = 512, .keeps_tables = true};
    struct tp_span all = tp_span_of(trace->ptr, trace->len_bytes);
    struct tp_format format;
    struct tp_error err;
    if (tp_format_detect(all, true, &format) != TP_FORMAT_KNOWN || format.decoder != &tp_decoder_v2)
        return false;
    struct order_result r =
        order_trace(format.minor, tp_span_skip(all, format.header_bytes), true, &way);
    struct full_run *runs = tp_alloc_array(r.run_count, sizeof *runs);
    for (size_t i = 0; i < r.run_count; i++) {
        size_t first = r.runs[i].first_event;
        size_t end = i + 1 < r.run_count ? r.runs[i + 1].first_event : r.event_count;
        runs[i] = (struct full_run){r.runs[i].tables, r.events + first, end - first};
    }
    if (full_sum(runs, r.run_count, &(struct full_cuts){0}, ret_totals, &err) != 0)
        fail("sum", err.text);
    ret_totals->file_count = 1;
    ret_totals->damaged_count = r.error_count > 0;
    ret_totals->stored_bytes = ret_totals->stream_bytes = trace->len_bytes;
    tp_totals_limit_gs(ret_totals, GOROUTINES);
    if (!tp_totals_add_file(ret_totals, path))
        fail(path, "out of memory");
    const uint32_t path_name = ret_totals->files.items[0].path;
    const struct tp_trace_zero zero = {.has_wall = trace->len_bytes % 2 == 0,
                                        .wall = {.sec = (int64_t)trace->len_bytes}};
    tp_totals_place_gs(ret_totals, path_name, 0);
    tp_totals_limit_slow(ret_totals, GOROUTINES);
    tp_totals_place_slow(ret_totals, path_name, &zero);
    tp_totals_place_moments(ret_totals, &zero);
    tp_free(runs);
    order_result_fini(&r);
    return true;
}

// STATES

// Adds the names of a program that gives each request a name of its own.
static void add_names(struct tp_totals *s, size_t file)
{
    for (size_t i = 0; i < NAMES; i++) {
        char text[48];
        size_t len_bytes = (size_t)snprintf(text, sizeof text, "request %zu of %zu", i, file);
        uint32_t name;
        if (!tp_totals_name(s, TP_SPACE_REGION, tp_span_of(text, len_bytes), &name) ||
            !tp_durations_record(&s->durations, TP_SPACE_REGION, name, 0, 1000 * file + i, TP_NO_MOMENT,
                                 i % 9 == 0))
            fail(text, "out of memory");
    }
}

static void merge(struct tp_totals *into, struct tp_totals *from, bool by_move)
{
    struct tp_error err;
    int rc = by_move ? tp_totals_move(into, from, &err) : tp_totals_merge(into, from, &err);
    if (rc != 0)
        fail("merge", err.text);
}

static void merge_state(struct tp_totals *into, const struct state_bytes *b, bool by_move)
{
    struct tp_totals s;
    struct tp_error err;
    if (tp_totals_read(tp_span_of(b->ptr, b->len_bytes), &s, &err) != 0)
        fail("read", err.text);
    merge(into, &s, by_move);
    tp_totals_fini(&s);
}

// Makes states of given files, evenly spread over `paths`, and then of generated traces. `all`
// becomes the sum of all states.
static void make_states(char **paths, size_t path_count, bool has_names,
                        struct state_bytes states[static FILES], struct tp_totals *all)
{
    size_t given = path_count < FILES - GENERATED_AT_LEAST ? path_count
                                                           : FILES - GENERATED_AT_LEAST;
    size_t event_count = 0;
    for (size_t i = 0; i < FILES; i++) {
        struct state_bytes trace =
            i < given ? load(paths[i * path_count / given]) : generate(i);
        struct tp_totals s = {0};
        char made[24];
        snprintf(made, sizeof made, "made-%zu.trace", i);
        const char *path = i < given ? paths[i * path_count / given] : made;
        if (!sum_trace(path, &trace, &s))
            fail(path, "no trace");
        if (has_names && i >= given)
            add_names(&s, i);
        event_count += s.event_count;
        states[i] = state_of(&s);
        merge(all, &s, false);
        tp_totals_fini(&s);
        tp_free(trace.ptr);
    }
    printf("%zu traces, %zu generated, %zu events\n", given, FILES - given, event_count);
    if (has_names && all->kept[TP_SPACE_REGION].count < TP_TOTALS_NAMES_MAX)
        fail("generated traces", "too few names to show which are kept");
}

// One state in the place of some others. Those of traces stay the caller's.
struct node {
    struct state_bytes state;
    bool is_owned;
};

static struct tp_totals merge_some(struct node nodes[static FILES], size_t *count,
                                   uint64_t *seed)
{
    size_t merged = 2 + below(seed, MERGED_MOST - 1);
    struct tp_totals s = {0};
    for (; merged > 0 && *count > 0; merged--) {
        size_t at = below(seed, *count);
        merge_state(&s, &nodes[at].state, below(seed, 2) == 0);
        if (nodes[at].is_owned)
            tp_free(nodes[at].state.ptr);
        nodes[at] = nodes[--*count];
    }
    return s;
}

static struct tp_totals merge_anyhow(const struct state_bytes states[static FILES], uint64_t seed)
{
    struct node nodes[FILES];
    size_t count = FILES;
    for (size_t i = 0; i < FILES; i++)
        nodes[i] = (struct node){states[i], false};
    for (;;) {
        struct tp_totals s = merge_some(nodes, &count, &seed);
        if (count == 0)
            return s;
        nodes[count++] = (struct node){state_of(&s), true};
        tp_totals_fini(&s);
    }
}

static void expect_same(const struct state_bytes *got, const struct state_bytes *want,
                        const char *what, unsigned long round)
{
    if (state_is_same(got, want))
        return;
    fprintf(stderr, "round %lu: another %s\n", round, what);
    exit(1);
}

static void check(char **paths, size_t path_count, unsigned long first,
                  unsigned long last, bool has_names)
{
    struct state_bytes states[FILES];
    struct tp_totals all = {0};
    make_states(paths, path_count, has_names, states, &all);
    struct state_bytes want = state_of(&all), want_report = state_report(&all);
    tp_totals_fini(&all);
    for (unsigned long round = first; round <= last; round++) {
        struct tp_totals s = merge_anyhow(states, round * 7919);
        struct state_bytes got = state_of(&s), report = state_report(&s);
        expect_same(&got, &want, "state", round);
        expect_same(&report, &want_report, "report", round);
        tp_totals_fini(&s);
        tp_free(report.ptr);
        tp_free(got.ptr);
    }
    printf("partitions %lu to %lu: one state of %zu bytes, one report of %zu\n", first, last,
           want.len_bytes, want_report.len_bytes);
    for (size_t i = 0; i < FILES; i++)
        tp_free(states[i].ptr);
    tp_free(want.ptr);
    tp_free(want_report.ptr);
}

int main(int argc, char **argv)
{
    unsigned long first = argc > 2 ? strtoul(argv[1], NULL, 10) : 0;
    unsigned long last = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
    if (first == 0 || last < first)
        fail("state-partitions", "FIRST LAST TRACE...");
    check(argv + 3, (size_t)argc - 3, first, last, false);
    check(argv + 3, (size_t)argc - 3, first, first + (last - first) / 20, true);
    return 0;
}
