// Adds tasks, regions and ranges.
#include "stats/sums/sums.h"

static bool record(struct tp_sums *s, enum tp_durations_space space, uint32_t name, uint64_t ns,
                   int64_t begin_ns, bool is_cut)
{
    return tp_durations_record_again(&s->durations, space, name, ns, (uint64_t)begin_ns, is_cut);
}

// ROWS

TP_INLINE uint32_t *recent_of(struct tp_sums *s, uint64_t key)
{
    static_assert(TP_SUMS_ROW_SLOTS == 2048, "11 bits");
    return &s->recent_rows[key * UINT64_C(0x9e3779b97f4a7c15) >> 53];
}

// Adds a row, and puts it into the cache. NULL: out of memory.
static TP_NOINLINE struct tp_sums_row *add_row(struct tp_sums *s, uint64_t key)
{
    const struct tp_sums_row row = {.key = key};
    if (!TP_LIST_ADD(&s->rows, row))
        return NULL;
    *recent_of(s, key) = s->rows.count;
    return &s->rows.items[s->rows.count - 1];
}

static bool break_down(struct tp_sums *s, const struct tp_track_interval *x,
                       const struct tp_facts *f)
{
    enum tp_durations_space space = x->is_task ? TP_SPACE_TASK : TP_SPACE_REGION;
    uint64_t key = TP_SUMS_ROW_KEY(space, x->name, tp_hist_bucket(x->ns));
    uint32_t recent = *recent_of(s, key);
    struct tp_sums_row *row = recent != 0 ? &s->rows.items[recent - 1] : NULL;
    if (tp_unlikely(row == NULL || row->key != key || row->total_ns > UINT64_MAX - x->ns))
        row = add_row(s, key);
    if (tp_unlikely(row == NULL))
        return false;
    row->count++;
    row->total_ns += x->ns;
    if (x->parts == TP_TRACK_ALL_RUNNING) {
        row->ns[TP_CLASS_RUNNING] += x->ns;
    } else if (x->parts != TP_TRACK_ALL_ELSEWHERE) {
        const struct tp_interval_parts *parts = &f->parts.items[x->parts];
        for (unsigned i = 0; i < TP_CLASS_COUNTED; i++)
            row->ns[i] += parts->ns[i];
        for (unsigned i = 0; i < TP_DELAY_COUNT; i++)
            row->delay_ns[i] += parts->delay_ns[i];
    }
    return true;
}

// TASKS AND REGIONS

static struct tp_interval_parts parts_of(const struct tp_track_interval *x,
                                         const struct tp_facts *f)
{
    if (x->parts == TP_TRACK_ALL_RUNNING)
        return (struct tp_interval_parts){.ns = {[TP_CLASS_RUNNING] = x->ns}};
    return x->parts == TP_TRACK_ALL_ELSEWHERE ? tp_interval_elsewhere(0, x->ns)
                                              : f->parts.items[x->parts];
}

// Keeps an interval if it may be among the slowest.
static TP_NOINLINE bool add_slow(struct tp_sums *s, const struct tp_track_interval *x,
                                 const struct tp_facts *f)
{
    struct tp_slow_interval slow = {.ns = x->ns,
                                    .begin_ns = x->begin_ns,
                                    .wall_ns = TP_NO_WALL_NS,
                                    .id = x->task,
                                    .g = x->g,
                                    .name = x->name,
                                    .path = TP_INTERN_NONE,
                                    .parts = parts_of(x, f),
                                    .logs.count = x->line_count};
    for (unsigned i = 0; i < x->line_count; i++) {
        const struct tp_track_line *line = &f->lines.items[x->first_line + i];
        // A line is later than the end of its task only in damaged traces, whose times may be out of
        // order.
        slow.logs.items[i] =
            (struct tp_log_line){.after_ns = line->after_ns < x->ns ? line->after_ns : x->ns,
                                 .category.name = line->category,
                                 .message.name = line->message};
    }
    return tp_slow_part_add(&s->slow[x->is_task ? TP_SLOW_TASK : TP_SLOW_REGION], &slow);
}

bool tp_sums_add_intervals(struct tp_sums *s, const struct tp_facts *f)
{
    bool fits = true;
    for (uint32_t i = 0; i < f->intervals.count && fits && tp_sums_wants(s, TP_PART_INTERVALS);
         i++) {
        const struct tp_track_interval *x = &f->intervals.items[i];
        enum tp_slow_kind kind = x->is_task ? TP_SLOW_TASK : TP_SLOW_REGION;
        fits = record(s, x->is_task ? TP_SPACE_TASK : TP_SPACE_REGION, x->name, x->ns,
                      x->begin_ns, x->is_cut);
        if (x->is_cut || !fits)
            continue;
        fits = break_down(s, x, f) &&
               (tp_likely(x->ns < s->slow[kind].limit.least) || add_slow(s, x, f));
    }
    return fits;
}

// RANGES

static const enum tp_durations_space spaces[TP_TRACK_RANGE_COUNT] = {
#define TP_X(kind) [TP_TRACK_##kind] = TP_SPACE_##kind,
    TP_TRACK_RANGES(TP_X)
#undef TP_X
};

bool tp_sums_add_ranges(struct tp_sums *s, const struct tp_facts *f)
{
    bool fits = true;
    for (uint32_t i = 0; i < f->ranges.count && fits && tp_sums_wants(s, TP_PART_INTERVALS); i++) {
        const struct tp_track_range *x = &f->ranges.items[i];
        fits = record(s, spaces[x->kind], x->name, x->ns, x->begin_ns, x->is_cut);
    }
    return fits;
}
