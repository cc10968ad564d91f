#include "state_lab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/digest.h"
#include "decode/format.h"
#include "sink/stats/forms.h"

#define LENGTH_AT (TP_FORMAT_STATE_MAGIC_BYTES + 4)
#define SECTIONS_AT (LENGTH_AT + 8)

static void need(bool is_there)
{
    if (!is_there)
        abort();
}

void state_append(struct state_bytes *b, const void *bytes, size_t len_bytes)
{
    b->ptr = tp_realloc(b->ptr, b->len_bytes + len_bytes + 1);
    need(b->ptr != NULL);
    memcpy(b->ptr + b->len_bytes, bytes, len_bytes);
    b->len_bytes += len_bytes;
}

bool state_is_same(const struct state_bytes *a, const struct state_bytes *b)
{
    return a->len_bytes == b->len_bytes && memcmp(a->ptr, b->ptr, a->len_bytes) == 0;
}

struct memory_out {
    struct tp_out out;
    struct state_bytes bytes;
};

static int write_memory(struct tp_out *out, struct tp_span bytes, struct tp_error *err)
{
    (void)err;
    state_append(&((struct memory_out *)out)->bytes, bytes.ptr, bytes.len_bytes);
    return 0;
}

struct state_bytes state_of(const struct tp_totals *s)
{
    struct memory_out m = {.out = {write_memory}};
    struct tp_error err;
    need(tp_totals_write(s, &m.out, &err) == 0);
    return m.bytes;
}

struct state_bytes state_report(const struct tp_totals *s)
{
    const struct tp_stats_config config = {.sort = TP_STATS_SORT_TOTAL};
    struct memory_out m = {.out = {write_memory}};
    struct tp_full_report report;
    struct tp_error err;
    struct tp_emit e;
    need(tp_full_report_make(&config, s, &report, &err) == 0);
    tp_emit_init(&e, &m.out, &err);
    tp_full_print_csv(&e, &report);
    tp_full_print_json(&e, &report);
    need(tp_emit_end(&e) == 0);
    tp_full_report_fini(&report);
    return m.bytes;
}

static void put_fixed(unsigned char *to, uint64_t value)
{
    for (unsigned i = 0; i < 8; i++)
        to[i] = (unsigned char)(value >> (8 * i));
}

void state_seal(struct state_bytes *b)
{
    need(b->len_bytes >= STATE_LEAST_BYTES);
    put_fixed(b->ptr + LENGTH_AT, b->len_bytes);
    put_fixed(b->ptr + b->len_bytes - 8, tp_digest_short(tp_span_of(b->ptr, b->len_bytes - 8)));
}

#define VERSION_AT TP_FORMAT_STATE_MAGIC_BYTES

void state_set_version(struct state_bytes *b, unsigned char version)
{
    b->ptr[VERSION_AT] = version;
    state_seal(b);
}

struct state_bytes state_of_sections(const struct state_section *sections, size_t count)
{
    static const unsigned char zeroes[8];
    static const struct state_section nothing = {TP_SECTION_totals, STATE_TOTALS("\0\0\0\0\0\0\0\0")};
    const unsigned char version_bytes[4] = {TP_FORMAT_STATE_VERSION};
    struct state_bytes b = {0};
    state_append(&b, TP_FORMAT_STATE_MAGIC, TP_FORMAT_STATE_MAGIC_BYTES);
    state_append(&b, version_bytes, sizeof version_bytes);
    state_append(&b, zeroes, 8);
    for (unsigned id = 0; id <= STATE_REST; id++) {
        struct state_section section = {id, (const char *)zeroes, 1};
        if (id == TP_SECTION_totals)
            section = nothing;
        for (size_t i = 0; i < count; i++) {
            if (sections[i].id == id)
                section = sections[i];
        }
        state_append(&b, section.bytes, section.len_bytes);
    }
    state_append(&b, zeroes, 8);
    state_seal(&b);
    return b;
}

// ANYTHING

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

static struct tp_span name_of(char text[static 32], const char *kind, unsigned number)
{
    return tp_span_of(text, (size_t)snprintf(text, 32, "%s%u", kind, number));
}

static uint32_t put_text(struct tp_intern *in, const char *kind, unsigned number)
{
    char text[32];
    uint32_t at = tp_intern_put(in, name_of(text, kind, number));
    need(at != TP_INTERN_NONE);
    return at;
}

static void add_parts(struct tp_totals *s, enum tp_durations_space space, uint32_t name,
                      uint64_t ns)
{
    struct tp_interval_parts parts = {.delay_ns = {ns / 3, ns / 4}};
    parts.ns[ns % TP_CLASS_COUNT] = ns - ns / 4;
    parts.ns[ns / 7 % TP_CLASS_COUNT] += ns / 4;
    const struct tp_breakdown_sum sum = tp_breakdown_sum_of(&parts);
    struct tp_durations_row row;
    need(tp_durations_find_row(&s->durations, space, name, tp_hist_bucket(ns), &row));
    tp_breakdown_sum_join(tp_durations_row_sum(&row), &sum);
}

// By the wall clock, since the trace began, or not known.
static uint64_t any_moment(uint64_t *seed)
{
    uint64_t ns = next_random(seed) >> (2 + below(seed, 20));
    switch (below(seed, 3)) {
    case 0: return ns;
    case 1: return TP_MOMENT_OF_TRACE + ns;
    default: return TP_NO_MOMENT;
    }
}

static void add_span(struct tp_totals *s, enum tp_durations_space space, uint32_t measure,
                     uint64_t *seed)
{
    char text[32];
    uint32_t name;
    uint64_t ns = next_random(seed) >> (30 + below(seed, 30));
    need(tp_totals_name(s, space, name_of(text, "name", below(seed, 20)), &name));
    if (space != TP_SPACE_LOG) {
        bool is_cut = below(seed, 10) == 0;
        need(tp_durations_record(&s->durations, space, name, measure, ns, any_moment(seed),
                                 is_cut));
        if ((space == TP_SPACE_TASK || space == TP_SPACE_REGION) && !is_cut && ns % 5 != 0)
            add_parts(s, space, name, ns);
        return;
    }
    uint32_t group = tp_durations_group_of(&s->durations, space, name);
    need(group != TP_DURATIONS_NONE);
    struct tp_dist *d = tp_durations_dist(&s->durations, group, 0);
    need(d != NULL);
    d->count++;
}

static uint32_t any_frame(struct tp_totals *s, uint64_t *seed)
{
    struct tp_totals_frame frame = {.pc = next_random(seed) >> below(seed, 64),
                                    .line = below(seed, 3),
                                    .function = put_text(&s->names, "name", below(seed, 30)),
                                    .file = put_text(&s->names, "file", below(seed, 3))};
    uint32_t number = tp_totals_frames_put(&s->frames, &s->names, &frame);
    need(number != TP_INTERN_NONE);
    return number;
}

static uint32_t any_stack(struct tp_totals *s, uint64_t *seed)
{
    // Repeat frames, so that some stacks begin alike.
    uint64_t frame_seed = 1 + below(seed, 4);
    uint32_t frames[6];
    unsigned depth = below(seed, 7);
    for (unsigned i = 0; i < depth; i++)
        frames[i] = any_frame(s, &frame_seed);
    uint32_t stack = tp_totals_add_stack(s, frames, depth);
    need(stack != TP_INTERN_NONE);
    return stack;
}

static void add_stack(struct tp_totals *s, uint64_t *seed)
{
    uint64_t ns = next_random(seed) >> 40;
    uint32_t stack = any_stack(s, seed);
    unsigned type = below(seed, TP_STACK_TYPE_COUNT);
    need(tp_totals_record_stack(s, stack, type, 1, ns));
    if (tp_stack_type_is_timed(type) && below(seed, 3) > 0)
        need(tp_stack_counts_add_time(&s->by_stack, stack, type, ns, any_moment(seed)));
}

static void add_wake(struct tp_totals *s, uint64_t *seed)
{
    uint32_t left = below(seed, 9) > 0 ? any_stack(s, seed) : TP_INTERN_NONE;
    uint32_t right = any_stack(s, seed);
    uint32_t pair = tp_totals_put_pair(s, left, right);
    uint32_t measure = TP_MEASURE_FIRST_BLOCK + put_text(&s->reasons, "reason", below(seed, 9));
    uint64_t ns = next_random(seed) >> 20;
    need(pair != TP_INTERN_NONE && tp_totals_record_pair(s, TP_SPACE_WAKE, pair, measure, ns,
                                                        any_moment(seed)));
    need(below(seed, 2) == 0 || tp_totals_record_pair_sum(s, TP_SPACE_WAKE, pair, TP_WAKE_BLAMED, 1,
                                                          ns >> below(seed, 2)));
}

static struct tp_file_top any_top(struct tp_totals *s, uint64_t *seed, enum tp_top_kind kind)
{
    struct tp_file_top top = {.name = put_text(&s->names, "name", below(seed, 20)), .file = TP_INTERN_NONE};
    if (kind != TP_TOP_EVENT)
        top.total_ns = next_random(seed) >> 10;
    if (kind != TP_TOP_WAIT)
        top.count = below(seed, 100);
    else if (below(seed, 2) == 0) {
        top.file = put_text(&s->names, "name", below(seed, 20));
        top.line = below(seed, 100);
    }
    return top;
}

static void add_tops(struct tp_totals *s, uint64_t *seed, struct tp_file_row *f)
{
    for (unsigned kind = 0; kind < TP_TOP_KINDS; kind++) {
        f->top_counts[kind] = below(seed, TP_TOPS_PER_KIND + 1);
        for (uint32_t i = 0; i < f->top_counts[kind]; i++)
            f->tops[kind][i] = any_top(s, seed, (enum tp_top_kind)kind);
        for (uint32_t i = 0; i < f->top_counts[kind] && kind < TP_TOP_TIMED; i++) {
            struct tp_file_times *times = &f->times[kind][i];
            times->mean_ns = next_random(seed) >> 20;
            times->p50_ns = next_random(seed) >> 20;
            times->p99_ns = next_random(seed) >> 20;
            for (unsigned class = 0; class < TP_CLASS_COUNT; class++)
                times->class_ns[class] = next_random(seed) >> 30;
        }
        f->more_tops[kind] = below(seed, 3);
    }
}

static void add_file(struct tp_totals *s, uint64_t *seed, bool is_damaged)
{
    bool is_grouped = below(seed, 2) == 0;
    struct tp_file_row f = {.path = put_text(&s->names, "name", below(seed, 20)),
                            .host = is_grouped ? put_text(&s->names, "name", below(seed, 20)) : TP_INTERN_NONE,
                            .grouped_by = is_grouped ? put_text(&s->names, "pattern", 0) : TP_INTERN_NONE,
                            .is_damaged = is_damaged,
                            .begin = any_moment(seed)};
    add_tops(s, seed, &f);
    for (unsigned k = 0; k < TP_FILE_FIGURE_COUNT; k++)
        f.figures[k] = next_random(seed) >> 30;
    f.taken.file_count = below(seed, 2);
    if (f.taken.file_count > 0) {
        f.taken.first = tp_wall_after((struct tp_wall){0}, (int64_t)(next_random(seed) >> 20));
        f.taken.last = tp_wall_after(f.taken.first, (int64_t)(next_random(seed) >> 20));
    }
    f.judgement = below(seed, 2) == 0 ? TP_JUDGEMENT_JUDGED : TP_JUDGEMENT_SHORT;
    for (unsigned k = 0; k < TP_FINDS_COUNT; k++) {
        bool has_value = f.judgement == TP_JUDGEMENT_JUDGED && below(seed, 2) == 0;
        f.values[k] = has_value ? next_random(seed) >> 44 : TP_VALUE_NONE;
    }
    need(TP_LIST_ADD(&s->files, f));
}

static struct tp_source_place any_place(struct tp_totals *s, uint64_t *seed)
{
    struct tp_source_place place = TP_SOURCE_PLACE_NONE;
    if (below(seed, 4) > 0)
        place.function = put_text(&s->names, "name", below(seed, 20));
    if (place.function != TP_INTERN_NONE && below(seed, 4) > 0) {
        place.file = put_text(&s->names, "name", below(seed, 20));
        place.line = below(seed, 100);
    }
    return place;
}

static void add_found(struct tp_totals *s, uint64_t *seed)
{
    for (unsigned i = below(seed, 3); i > 0; i--) {
        struct tp_found found = {.path = put_text(&s->names, "name", below(seed, 20)),
                                 .kind = below(seed, TP_FINDS_COUNT),
                                 .also = below(seed, 1 << TP_FINDS_COUNT),
                                 .is_first = true,
                                 .is_damaged = below(seed, 2) > 0,
                                 .value_ppm = next_random(seed) >> 44,
                                 .count = below(seed, 100),
                                 .max_ns = below(seed, 100),
                                 .p99_ns = below(seed, 100),
                                 .worst = TP_WORST_NONE,
                                 .lost = next_random(seed)};
        if (below(seed, 2) > 0)
            found.worst = (struct tp_worst){below(seed, 100), below(seed, 100), below(seed, 100)};
        found.peak = found.worst.since_ns != TP_NO_MOMENT ? below(seed, 100) : 0;
        found.culprit = any_place(s, seed);
        found.victim = any_place(s, seed);
        found.other = any_place(s, seed);
        need(TP_LIST_ADD(&s->found, found));
    }
}

static void add_refused(struct tp_totals *s, uint64_t *seed)
{
    char path[32], words[32];
    struct tp_error why = {.code = -1 - (int)below(seed, 40)};
    for (unsigned i = below(seed, 4); i > 0; i--) {
        name_of(path, "name", below(seed, 20));
        name_of(words, "words", below(seed, 3));
        memcpy(why.text, words, sizeof words);
        need(tp_totals_add_refused(s, path, &why));
    }
}

static void add_time(struct tp_totals *s, uint64_t *seed)
{
    struct tp_timeline more = {.shift = TP_LEVELS_SHIFT_MIN + below(seed, 5)};
    for (unsigned i = 0; i < TP_GAUGE_COUNT; i++) {
        if (below(seed, 2) > 0)
            more.gauges[i] = (struct tp_gauge){.count = 1 + below(seed, 9),
                                               .least = below(seed, 50),
                                               .greatest = 50 + below(seed, 50)};
    }
    for (unsigned i = below(seed, 20); i > 0; i--) {
        if (!TP_LIST_ROOM(&more.buckets))
            abort();
        struct tp_timeline_bucket *b = &more.buckets.items[more.buckets.count++];
        for (unsigned k = 0; k < TP_LEVEL_COUNT; k++)
            b->totals[k] = (unsigned __int128)next_random(seed) << below(seed, 30);
    }
    if (!tp_timeline_merge(&s->timeline, &more))
        abort();
    tp_free(more.buckets.items);
}

// A trace that tells the time of day, with levels by the wall clock.
static void add_wall(struct tp_totals *s, uint64_t *seed)
{
    struct tp_timeline_bucket buckets[5] = {0};
    struct tp_timeline t = {.buckets = {{buckets, 1 + below(seed, 5), 5}},
                            .shift = TP_LEVELS_SHIFT_MIN + below(seed, 5)};
    struct tp_wall_timeline more = {0};
    int64_t wall_ns = (int64_t)(next_random(seed) >> 20);
    struct tp_wall_place place = {.first_ns = 7, .wall_ns = wall_ns};
    place.last_ns = (int64_t)(t.buckets.count << t.shift) - 1;
    for (uint32_t i = 0; i < t.buckets.count; i++) {
        for (unsigned k = 0; k < TP_LEVEL_COUNT; k++)
            buckets[i].totals[k] = (unsigned __int128)next_random(seed) << below(seed, 30);
    }
    const struct tp_taken taken = {1, tp_wall_after((struct tp_wall){0}, wall_ns),
                                   tp_wall_after((struct tp_wall){0}, wall_ns + place.last_ns)};
    tp_taken_merge(&s->taken, &taken);
    need(tp_wall_timeline_lay(&more, &t, &place) &&
         tp_wall_timeline_merge(&s->wall_timeline, &more));
    tp_free(more.buckets.items);
}

static void add_utilisation(struct tp_totals *s, uint64_t *seed)
{
    struct tp_utilisation more = {.file_count = below(seed, 2), .assist_ns = below(seed, 100)};
    more.left_out_count = 1 - more.file_count;
    for (unsigned i = 0; i < TP_UTIL_WINDOW_COUNT && more.file_count > 0; i++) {
        for (unsigned k = 0; k < tp_util_windows[i].figure_count; k++)
            more.least_ppm[i][k] = below(seed, 1000001);
    }
    more.curve_ns = more.file_count * below(seed, 1000);
    more.mutator_ns = more.curve_ns / 2;
    tp_utilisation_merge(&s->utilisation, &more);
}

static void add_gs(struct tp_totals *s, uint64_t *seed)
{
    tp_totals_limit_gs(s, 3);
    tp_totals_limit_slow(s, 3);
    for (unsigned i = below(seed, 6); i > 0; i--) {
        struct tp_top_goroutine g = {.id = (int64_t)below(seed, 9) - 1,
                                     .begin_ns = (int64_t)below(seed, 9) - 2,
                                     .spent_ns = {below(seed, 9), below(seed, 9)},
                                     .function = put_text(&s->names, "name", below(seed, 20)),
                                     .path = put_text(&s->names, "name", below(seed, 20))};
        if (!tp_totals_add_g(s, &g))
            abort();
        struct tp_slow_interval task = {.ns = 9,
                                    .begin_ns = g.begin_ns,
                                    .wall_ns = g.id < 3 ? TP_NO_WALL_NS : g.id,
                                    .id = g.spent_ns[0],
                                    .g = g.id,
                                    .name = g.function,
                                    .path = g.path,
                                    .parts = {.ns = {g.spent_ns[1], 9 - g.spent_ns[1]}}};
        task.logs.count = below(seed, TP_LOG_LINES_MAX + 1);
        for (uint32_t k = 0; k < task.logs.count; k++)
            task.logs.items[k] =
                (struct tp_log_line){below(seed, 10),
                                     {put_text(&s->names, "name", below(seed, 20)), 0},
                                     {put_text(&s->names, "name", below(seed, 20)), below(seed, 3)}};
        need(tp_totals_add_slow(s, TP_SLOW_TASK, &task));
        task.id = task.logs.count = 0;
        need(tp_totals_add_slow(s, TP_SLOW_REGION, &task));
    }
}

static void add_sound(struct tp_totals *s, uint64_t seed, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        unsigned what = below(&seed, 3 + TP_SPACE_COARSE);
        if (what < TP_SPACE_COARSE)
            add_span(s, (enum tp_durations_space)what,
                     what == TP_SPACE_GOROUTINE ? below(&seed, TP_MEASURE_FIRST_BLOCK) : 0, &seed);
        else if (what == TP_SPACE_COARSE)
            add_span(s, TP_SPACE_GOROUTINE,
                     TP_MEASURE_FIRST_BLOCK + put_text(&s->reasons, "reason", below(&seed, 9)),
                     &seed);
        else
            add_stack(s, &seed);
        if (below(&seed, 3) == 0)
            add_wake(s, &seed);
        s->event_count += below(&seed, 5);
    }
    s->file_count++;
    bool is_damaged = below(&seed, 2) > 0;
    add_file(s, &seed, is_damaged);
    add_found(s, &seed);
    add_time(s, &seed);
    add_utilisation(s, &seed);
    add_gs(s, &seed);
    s->damaged_count += is_damaged;
    s->duration_ns += next_random(&seed) >> 34;
    s->stored_bytes += 1000;
    s->stream_bytes += 2000;
    uint64_t lost_bytes = below(&seed, 2000);
    s->lost_bytes += lost_bytes;
    s->unordered_bytes += below(&seed, 2) * (2000 - lost_bytes);
    add_refused(s, &seed);
    s->doubt_count += below(&seed, 3) / 2;
    if (below(&seed, 3) > 0)
        add_wall(s, &seed);
}

// For odd seeds also adds files whose clock is in doubt.
void state_add_anything(struct tp_totals *s, uint64_t seed, unsigned count)
{
    add_sound(s, seed, count);
    if (seed % 2 == 0)
        return;
    if (s->doubtful == NULL)
        s->doubtful = tp_alloc_zero(sizeof *s->doubtful);
    need(s->doubtful != NULL);
    add_sound(s->doubtful, seed + 1, count / 2);
}
