#include "full_lab.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory_text.h"
#include "sink/stats/report/report.h"
#include "stats/evidence.h"

// TEXT

static const char *const space_names[] = {
#define TP_X(space, name) name,
    TP_DURATIONS_SPACES(TP_X)
#undef TP_X
};
static const char *const evidences[] = {
#define TP_X(evidence) #evidence,
    TP_EVIDENCES(TP_X)
#undef TP_X
};
static const char *const type_names[] = {
#define TP_X(type, name) name,
    TP_STACK_TYPES(TP_X)
#undef TP_X
};

static void put_dist(FILE *f, const struct tp_dist *d, bool all)
{
    fprintf(f, " %" PRIu64 " %s %" PRIu64, d->count, tp_wide_text(d->total_ns).text, d->max_ns);
    if (all && d->max_ns > 0)
        fprintf(f, " at %" PRIu64, d->max_at);
    if (d->cut != NULL)
        fprintf(f, " cut %" PRIu64 " %s", d->cut->count,
                tp_wide_text(d->cut->ns).text);
    struct tp_hist_walk walk = {.hist = &d->hist};
    while (all && tp_hist_walk_next(&walk))
        fprintf(f, " %u:%" PRIu64, walk.bucket, walk.count);
    putc('\n', f);
}

// Puts the sums of each bucket, which must have the durations that the histogram has.
static void put_breakdown(FILE *f, const struct tp_full_row *r)
{
    static const char *const classes[] = {
#define TP_X(class, key, word) #class,
        TP_CLASSES(TP_X)
#undef TP_X
    };
    for (uint32_t i = 0; r->breakdown != NULL && i < r->breakdown->order.count; i++) {
        unsigned bucket;
        const struct tp_breakdown_sum *sum = tp_breakdown_at(r->breakdown, i, &bucket);
        fprintf(f, "of %s ", space_names[r->space]);
        put_span(f, r->group);
        fprintf(f, " %u: %" PRIu64, bucket, sum->count);
        for (unsigned k = 0; k < TP_CLASS_COUNT; k++) {
            if (sum->ns[k] > 0)
                fprintf(f, " %s %s", classes[k], tp_wide_text(sum->ns[k]).text);
        }
        static const char *const delays[TP_DELAY_COUNT] = {"assists", "stopped"};
        for (unsigned k = 0; k < TP_DELAY_COUNT; k++) {
            if (sum->delay_ns[k] > 0)
                fprintf(f, " %s %s", delays[k], tp_wide_text(sum->delay_ns[k]).text);
        }
        putc('\n', f);
    }
}

char *full_breakdown_text(const struct tp_totals *totals)
{
    struct tp_full_report report;
    struct memory_text m;
    FILE *f = begin_text(&m);
    if (tp_full_report_make(&(struct tp_stats_config){.sort = 0}, totals, &report, NULL) != 0)
        abort();
    for (size_t i = 0; i < report.row_count; i++)
        put_breakdown(f, &report.rows[i]);
    tp_full_report_fini(&report);
    return end_text(&m);
}

bool full_breakdowns_add_up(const struct tp_totals *s)
{
    bool do_add_up = true;
    for (uint32_t i = 0; i < s->durations.groups.count; i++) {
        const struct tp_durations_group *g = &s->durations.groups.items[i];
        if (g->dist_count == 0 || (g->space != TP_SPACE_TASK && g->space != TP_SPACE_REGION))
            continue;
        struct tp_hist_walk walk = {.hist = &g->dists[0]->hist};
        tp_wide ns = 0;
        unsigned bucket;
        for (uint32_t k = 0; g->breakdown != NULL && k < g->breakdown->order.count; k++) {
            const struct tp_breakdown_sum *sum = tp_breakdown_at(g->breakdown, k, &bucket);
            do_add_up = do_add_up && tp_hist_walk_next(&walk) && walk.bucket == bucket &&
                        walk.count == sum->count;
            ns = tp_wide_add(ns, tp_breakdown_sum_ns(sum));
        }
        do_add_up = do_add_up && !tp_hist_walk_next(&walk) && ns == g->dists[0]->total_ns;
    }
    return do_add_up;
}

static void put_row(FILE *f, const struct tp_full_row *r, bool all)
{
    fprintf(f, "%s ", space_names[r->space]);
    put_span(f, r->group);
    fputs(r->space == TP_SPACE_GOROUTINE ? " " : "", f);
    fputs(r->measure >= TP_MEASURE_FIRST_BLOCK ? "block:" : "", f);
    put_span(f, r->measure_name);
    put_dist(f, r->dist, all);
    if (all)
        put_breakdown(f, r);
}

static void put_stack(FILE *f, const struct tp_totals *s, uint32_t stack, bool all)
{
    const uint32_t *frames;
    size_t count = tp_totals_stack_frames(&s->stacks, stack, &frames);
    for (size_t i = 0; i < count; i++) {
        fputs(i > 0 ? ";" : "", f);
        const struct tp_totals_frame frame = tp_totals_frames_get(&s->frames, frames[i]);
        put_span(f, tp_intern_text(&s->names, frame.function));
        fprintf(f, ":%" PRIu64, frame.line);
        if (all) {
            fprintf(f, "@%" PRIx64 "@", frame.pc);
            put_span(f, tp_intern_text(&s->names, frame.file));
        }
    }
}

static char *stack_line(const struct tp_totals *s, const struct tp_stack_count *c, bool all)
{
    struct memory_text m;
    FILE *f = begin_text(&m);
    fprintf(f, "%s ", type_names[tp_stack_count_type(c)]);
    put_stack(f, s, tp_stack_count_stack(c), all);
    fprintf(f, " %" PRIu64 " %s", c->count, tp_wide_text(c->total_ns).text);
    struct tp_dist one;
    const struct tp_dist *times = tp_stack_count_times(c, &one);
    if (all && times != NULL)
        put_dist(f, times, true);
    else
        putc('\n', f);
    return end_text(&m);
}

static void put_stacks(FILE *f, const struct tp_totals *s, bool all)
{
    uint32_t count = s->by_stack.count;
    char **lines = calloc(count + 1, sizeof *lines);
    if (lines == NULL)
        abort();
    for (uint32_t i = 0; i < count; i++)
        lines[i] = stack_line(s, &s->by_stack.items[i], all);
    put_sorted(f, lines, count);
}

// Returns the line of one measure of a pair of stacks.
static char *pair_line(const struct tp_totals *s, const struct tp_durations_walk *at)
{
    uint32_t space = at->group->space, name = at->group->name;
    struct memory_text m;
    FILE *f = begin_text(&m);
    if (space == TP_SPACE_WAKE && at->measure == TP_WAKE_BLAMED) {
        fputs("BLAMED", f);
    } else if (space == TP_SPACE_WAKE) {
        fputs("woken ", f);
        put_span(f, tp_intern_text(&s->reasons, at->measure - TP_MEASURE_FIRST_BLOCK));
    } else {
        unsigned octave = at->measure - TP_EVIDENCE_SLOW;
        fprintf(f, "%s", evidences[at->measure < TP_EVIDENCE_SLOW ? at->measure : TP_EVIDENCE_SLOW]);
        if (at->measure >= TP_EVIDENCE_SLOW)
            fprintf(f, " %u", octave);
    }
    if (name == TP_TOTALS_OTHERS) {
        fputs(" (others)", f);
    } else {
        const struct tp_totals_pair *p = &s->pairs.of.items[name];
        fputs(" [", f);
        if (p->left != TP_INTERN_NONE)
            put_stack(f, s, p->left, false);
        fputs("] [", f);
        if (p->right != TP_INTERN_NONE)
            put_stack(f, s, p->right, false);
        fputs("]", f);
    }
    put_dist(f, at->dist, true);
    return end_text(&m);
}

char *full_pairs_text(const struct tp_totals *s)
{
    size_t count = 0, capacity = 0;
    char **lines = calloc(1, sizeof *lines);
    struct memory_text m;
    FILE *f = begin_text(&m);
    if (lines == NULL)
        abort();
    for (uint32_t i = 0; i < s->durations.groups.count; i++) {
        const struct tp_durations_group *g = &s->durations.groups.items[i];
        struct tp_durations_walk walk = {.group = g};
        while (tp_is_space_of_pairs((enum tp_durations_space)g->space) &&
               tp_durations_walk_next(&walk)) {
            if (count == capacity)
                lines = realloc(lines, (capacity = 2 * capacity + 16) * sizeof *lines);
            if (lines == NULL)
                abort();
            lines[count++] = pair_line(s, &walk);
        }
    }
    put_sorted(f, lines, count);
    return end_text(&m);
}

bool full_wakes_add_up(const struct tp_totals *s)
{
    uint64_t counts[TP_SPACES] = {0};
    tp_wide totals_ns[TP_SPACES] = {0};
    for (uint32_t i = 0; i < s->durations.groups.count; i++) {
        struct tp_durations_walk walk = {.group = &s->durations.groups.items[i]};
        uint32_t space = walk.group->space;
        while ((space == TP_SPACE_GOROUTINE || space == TP_SPACE_WAKE) &&
               tp_durations_walk_next(&walk)) {
            if (walk.measure < TP_MEASURE_FIRST_BLOCK)
                continue;
            struct tp_span reason =
                tp_intern_text(&s->reasons, walk.measure - TP_MEASURE_FIRST_BLOCK);
            bool is_counted = (tp_wait_of_reason(reason) & TP_WAIT_FOR_OTHERS) != 0;
            counts[space] += is_counted ? walk.dist->count : 0;
            totals_ns[space] += is_counted ? walk.dist->total_ns : 0;
        }
    }
    return counts[TP_SPACE_GOROUTINE] == counts[TP_SPACE_WAKE] &&
           totals_ns[TP_SPACE_GOROUTINE] == totals_ns[TP_SPACE_WAKE];
}

static void put_refused(FILE *f, const struct tp_full_report *r)
{
    for (size_t i = 0; i < r->refused_count; i++) {
        fputs("refused ", f);
        put_span(f, tp_intern_text(&r->totals->names, r->refused[i]->path));
        fprintf(f, " %d ", r->refused[i]->code);
        put_span(f, tp_intern_text(&r->totals->names, r->refused[i]->words));
        putc('\n', f);
    }
}

static void put_judgement(FILE *f, const struct tp_file_row *row)
{
    if (row->judgement != TP_JUDGEMENT_JUDGED) {
        fprintf(f, " not judged: %u", (unsigned)row->judgement);
        return;
    }
    fputs(" judged", f);
    for (unsigned k = 0; k < TP_FINDS_COUNT; k++)
        if (row->values[k] == TP_VALUE_NONE)
            fputs(" -", f);
        else
            fprintf(f, " %" PRIu64, row->values[k]);
}

static void put_tops(FILE *f, const struct tp_totals *s, const struct tp_file_row *row)
{
    static const char *const kinds[TP_TOP_KINDS] = {"task", "region", "wait", "start", "event"};
    for (unsigned kind = 0; kind < TP_TOP_KINDS; kind++) {
        for (uint32_t i = 0; i < row->top_counts[kind]; i++) {
            const struct tp_file_top *top = &row->tops[kind][i];
            fprintf(f, " %s ", kinds[kind]);
            put_span(f, tp_totals_text(s, top->name));
            if (top->file != TP_INTERN_NONE) {
                putc(' ', f);
                put_span(f, tp_totals_text(s, top->file));
                fprintf(f, ":%" PRIu64, top->line);
            }
            if (kind != TP_TOP_WAIT)
                fprintf(f, " %" PRIu64, top->count);
            fprintf(f, " %" PRIu64, top->total_ns);
            if (kind >= TP_TOP_TIMED)
                continue;
            const struct tp_file_times *times = &row->times[kind][i];
            fprintf(f, " %" PRIu64 " %" PRIu64 " %" PRIu64, times->mean_ns, times->p50_ns, times->p99_ns);
            for (unsigned class = 0; class < TP_CLASS_COUNT; class++)
                fprintf(f, " %" PRIu64, times->class_ns[class]);
        }
        if (row->more_tops[kind] > 0)
            fprintf(f, " more %" PRIu64, row->more_tops[kind]);
    }
}

static void put_host(FILE *f, const struct tp_totals *s, const struct tp_file_row *row)
{
    if (row->grouped_by == TP_INTERN_NONE)
        return;
    fputs(" host ", f);
    put_span(f, tp_totals_text(s, row->host));
    fputs(" by ", f);
    put_span(f, tp_totals_text(s, row->grouped_by));
}

static void put_files(FILE *f, const struct tp_full_report *r)
{
    for (size_t i = 0; i < r->file_count; i++) {
        const struct tp_file_row *row = r->files[i];
        fputs("file ", f);
        put_span(f, tp_intern_text(&r->totals->names, row->path));
        for (unsigned k = 0; k < TP_FILE_FIGURE_COUNT; k++)
            fprintf(f, " %s", tp_wide_text(row->figures[k]).text);
        put_judgement(f, row);
        fputs(row->is_damaged ? " damaged" : "", f);
        if (row->taken.file_count > 0)
            fprintf(f, " taken %" PRId64 ".%09u %" PRId64 ".%09u", row->taken.first.sec,
                    (unsigned)row->taken.first.nsec, row->taken.last.sec,
                    (unsigned)row->taken.last.nsec);
        put_host(f, r->totals, row);
        put_tops(f, r->totals, row);
        putc('\n', f);
    }
}

static void put_source_place(FILE *f, const struct tp_totals *s,
                             const struct tp_source_place *place)
{
    const uint32_t names[] = {place->function, place->file};
    for (size_t i = 0; i < TP_ARRAY_LEN(names); i++) {
        if (names[i] != TP_INTERN_NONE)
            put_span(f, tp_intern_text(&s->names, names[i]));
        else
            putc('-', f);
        putc(' ', f);
    }
    fprintf(f, "%" PRIu64, place->line);
}

static char *found_line(const struct tp_totals *s, const struct tp_found *found)
{
    struct memory_text m;
    FILE *f = begin_text(&m);
    fputs("found ", f);
    put_span(f, tp_intern_text(&s->names, found->path));
    fprintf(f, " %" PRIu32 " %" PRIu32 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64, found->kind,
            found->also, found->value_ppm, found->count, found->max_ns, found->p99_ns);
    fprintf(f, " worst %" PRIu64 " %" PRIu64 " at %" PRIu64 " %" PRId64, found->peak, found->worst.ns,
            found->worst.since_ns, found->worst.wall_ns);
    fprintf(f, " %" PRIu64 " %" PRIu64 " %s: ", found->detail[0], found->detail[1],
            tp_wide_text(found->lost).text);
    put_source_place(f, s, &found->culprit);
    fputs(", ", f);
    put_source_place(f, s, &found->victim);
    fputs(", ", f);
    put_source_place(f, s, &found->other);
    fprintf(f, "%s%s\n", found->is_first ? " first" : "", found->is_damaged ? " damaged" : "");
    return end_text(&m);
}

static void put_found(FILE *f, const struct tp_totals *s)
{
    char **lines = calloc(s->found.count + 1, sizeof *lines);
    if (lines == NULL)
        abort();
    for (uint32_t i = 0; i < s->found.count; i++)
        lines[i] = found_line(s, &s->found.items[i]);
    put_sorted(f, lines, s->found.count);
}

static void put_utilisation(FILE *f, const struct tp_utilisation *u)
{
#define TP_X(field, key) \
    if (u->field > 0)    \
        fprintf(f, "utilisation " key " %s\n", tp_wide_text(u->field).text);
    TP_UTIL_COUNTS(TP_X)
    TP_UTIL_TIMES(TP_X)
#undef TP_X
    for (unsigned w = 0; w < TP_UTIL_WINDOW_COUNT && u->file_count > 0; w++) {
        fprintf(f, "utilisation window %u:", w);
        for (unsigned i = 0; i < TP_UTIL_FIGURE_COUNT; i++)
            fprintf(f, " %" PRIu32, u->least_ppm[w][i]);
        putc('\n', f);
    }
}

static void put_gs(FILE *f, const struct tp_full_report *r)
{
    const struct tp_top_goroutines *gs = &r->totals->gs;
    for (size_t i = 0; i < r->g_count; i++) {
        const struct tp_top_goroutine *g = r->gs[i];
        fprintf(f, "g %" PRId64 " ", g->id);
        put_span(f, tp_intern_text(&r->totals->names, g->function));
        fprintf(f, " %" PRId64 " %" PRIu64, g->begin_ns, g->life_ns);
        for (unsigned k = 0; k < TP_SPENT_COUNT; k++)
            fprintf(f, " %" PRIu64, g->spent_ns[k]);
        putc(' ', f);
        if (g->path != TP_INTERN_NONE)
            put_span(f, tp_intern_text(&r->totals->names, g->path));
        putc('\n', f);
    }
    if (gs->others.count > 0) {
        fprintf(f, "other gs %" PRIu64, gs->others.count);
        for (unsigned k = 0; k < TP_SPENT_COUNT; k++)
            fprintf(f, " %s", tp_wide_text(gs->others.ns[k]).text);
        putc('\n', f);
    }
}

// OVER TIME

static void put_gauge(FILE *f, const char *name, const struct tp_gauge *g)
{
    if (g->count > 0)
        fprintf(f, "%s %" PRIu64 " times %" PRIu64 " changes %" PRIu64 " to %" PRIu64 "\n", name,
                g->count, g->change_count, g->least, g->greatest);
}

// Writes a level; values of more than 64 bits as the sum of a multiple of 2^64 and the rest.
static void put_level(FILE *f, const char *name, unsigned __int128 value)
{
    if (value == 0)
        return;
    fprintf(f, " %s ", name);
    if (value > UINT64_MAX)
        fprintf(f, "%" PRIu64 "*2^64+", (uint64_t)(value >> 64));
    fprintf(f, "%" PRIu64, (uint64_t)value);
}

static void put_time(FILE *f, const struct tp_timeline *t)
{
#define TP_X(gauge, type, key) put_gauge(f, #gauge, &t->gauges[TP_GAUGE_##gauge]);
    TP_GAUGES(TP_X)
#undef TP_X
    if (t->buckets.count > 0)
        fprintf(f, "width %" PRIu64 "\n", UINT64_C(1) << t->shift);
    for (uint32_t i = 0; i < t->buckets.count; i++) {
        fprintf(f, "%u:", i);
#define TP_X(level) put_level(f, #level, t->buckets.items[i].totals[TP_LEVEL_##level]);
        TP_LEVELS(TP_X)
#undef TP_X
        putc('\n', f);
    }
}

static void put_wall_time(FILE *f, const struct tp_wall_timeline *w)
{
    struct tp_timeline t = {.shift = w->shift};
    if (w->file_count == 0)
        return;
    t.buckets.items = w->buckets.items;
    t.buckets.count = w->buckets.count;
    fprintf(f, "%" PRIu64 " files by the wall clock, from %" PRId64 "\n", w->file_count, w->first);
    put_time(f, &t);
}

char *full_wall_time_text(const struct tp_wall_timeline *w)
{
    struct memory_text m;
    FILE *f = begin_text(&m);
    put_wall_time(f, w);
    return end_text(&m);
}

char *full_time_text(const struct tp_timeline *t)
{
    struct memory_text m;
    FILE *f = begin_text(&m);
    put_time(f, t);
    return end_text(&m);
}

char *full_text(const struct tp_totals *totals, bool all)
{
    const struct tp_stats_config config = {.sort = TP_STATS_SORT_TOTAL};
    struct tp_full_report report;
    struct memory_text m;
    FILE *f = begin_text(&m);
    if (tp_full_report_make(&config, totals, &report, NULL) != 0)
        abort();
#define TP_X(field, key) \
    if (all)             \
        fprintf(f, "%s %s\n", key, tp_wide_text(totals->field).text);
    TP_TOTALS_COUNTS(TP_X)
#undef TP_X
    if (all)
        fprintf(f, "duration_ns %s\n", tp_wide_text(totals->duration_ns).text);
    if (all && totals->unordered_bytes > 0)
        fprintf(f, "unordered_bytes %" PRIu64 "\n", totals->unordered_bytes);
    if (all && totals->doubt_count > 0)
        fprintf(f, "doubts %" PRIu64 "\n", totals->doubt_count);
    if (totals->sample_count > 0)
        fprintf(f, "samples %" PRIu64 " %s\n", totals->sample_count,
                tp_wide_text(totals->sample_span_ns).text);
    const struct tp_taken *t = &totals->taken;
    if (t->file_count > 0)
        fprintf(f, "taken %" PRIu64 " %" PRId64 ".%09" PRId64 " %" PRId64 ".%09" PRId64 "\n",
                t->file_count, t->first.sec, t->first.nsec, t->last.sec, t->last.nsec);
    if (all)
        put_utilisation(f, &totals->utilisation);
    for (size_t i = 0; i < report.row_count; i++)
        put_row(f, &report.rows[i], all);
    if (all) {
        put_files(f, &report);
        put_found(f, report.totals);
        put_refused(f, &report);
        put_gs(f, &report);
        char *slow = full_slow_text(totals);
        fputs(slow, f);
        free(slow);
    }
    tp_full_report_fini(&report);
    put_stacks(f, totals, all);
    if (all) {
        char *pairs = full_pairs_text(totals);
        fputs(pairs, f);
        free(pairs);
        put_time(f, &totals->timeline);
        put_wall_time(f, &totals->wall_timeline);
    }
    if (all && totals->doubtful != NULL) {
        char *doubtful = full_text(totals->doubtful, true);
        fprintf(f, "in doubt:\n%s", doubtful);
        free(doubtful);
    }
    return end_text(&m);
}
