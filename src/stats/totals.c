#include "stats/totals.h"

#include <string.h>

#include "base/alloc.h"
#include "stats/pack.h"

void tp_totals_fini(struct tp_totals *s)
{
    tp_intern_fini(&s->names);
    tp_intern_fini(&s->reasons);
    tp_durations_fini(&s->durations);
    for (unsigned i = 0; i < TP_SPACES; i++)
        tp_free(s->kept[i].items);
    tp_free(s->kept_in.items);
    tp_totals_frames_fini(&s->frames);
    tp_totals_stacks_fini(&s->stacks);
    tp_stack_counts_fini(&s->by_stack);
    tp_totals_pairs_fini(&s->pairs);
    tp_free(s->files.items);
    tp_free(s->refused.items);
    tp_free(s->found.items);
    tp_free(s->gs.heap.items);
    for (unsigned i = 0; i < TP_SLOW_KIND_COUNT; i++)
        tp_free(s->slow.heaps[i].items);
    tp_free(s->timeline.buckets.items);
    tp_free(s->wall_timeline.buckets.items);
    tp_history_destroy(s->history);
    if (s->doubtful != NULL)
        tp_totals_fini(s->doubtful);
    tp_free(s->doubtful);
    *s = (struct tp_totals){0};
}

static size_t slow_bytes(const struct tp_totals *s)
{
    size_t count = 0;
    for (unsigned kind = 0; kind < TP_SLOW_KIND_COUNT; kind++)
        count += s->slow.heaps[kind].count;
    return count * sizeof *s->slow.heaps[0].items;
}

static size_t kept_bytes(const struct tp_totals *s)
{
    size_t count = 0;
    for (unsigned space = 0; space < TP_SPACES; space++)
        count += s->kept[space].count;
    return count * sizeof *s->kept[0].items + s->kept_in.count * sizeof *s->kept_in.items;
}

size_t tp_totals_bytes(const struct tp_totals *s)
{
    return tp_intern_bytes(&s->names) + tp_intern_bytes(&s->reasons) + kept_bytes(s) +
           tp_totals_frames_bytes(&s->frames) + tp_totals_stacks_bytes(&s->stacks) +
           tp_stack_counts_bytes(&s->by_stack) + tp_totals_pairs_bytes(&s->pairs) +
           tp_durations_bytes(&s->durations) +
           s->files.count * TP_FILE_ROW_BYTES +
           s->refused.count * sizeof *s->refused.items +
           s->found.count * sizeof *s->found.items +
           s->gs.heap.count * sizeof *s->gs.heap.items +
           slow_bytes(s) + tp_history_bytes(s->history) +
           (s->doubtful != NULL ? tp_totals_bytes(s->doubtful) : 0);
}

int tp_totals_outgrow(struct tp_error *err)
{
    return tp_fail(err, TP_E_LIMIT, "its totals do not fit beside those of the inputs before it");
}

// Translates the numbers of names, sites and frames in `from` to those in `into`, during one merge.
struct translation {
    struct tp_totals *into;
    const struct tp_totals *from;
    // By number in `from`: the number in `into` plus 1; 0 if not translated yet.
    uint32_t *names;
    uint32_t *sites;
    uint32_t *frames;
    bool removes_pcs;
    uint32_t *stacks; // those of pairs only
    bool fits; // false: out of memory; numbers may then be TP_INTERN_NONE
};

static uint32_t name_in(struct translation *t, uint32_t name)
{
    if (t->names[name] == 0)
        t->names[name] = tp_intern_put(&t->into->names, tp_intern_text(&t->from->names, name)) + 1;
    t->fits = t->fits && t->names[name] != 0;
    return t->names[name] - 1;
}

// Does the same for a name that may be missing.
static uint32_t known_name_in(struct translation *t, uint32_t name)
{
    return name != TP_INTERN_NONE ? name_in(t, name) : TP_INTERN_NONE;
}

static uint32_t measure_in(void *ctx, uint32_t measure)
{
    struct translation *t = ctx;
    if (measure < TP_MEASURE_FIRST_BLOCK)
        return measure;
    struct tp_span reason = tp_intern_text(&t->from->reasons, measure - TP_MEASURE_FIRST_BLOCK);
    uint32_t number = tp_intern_put(&t->into->reasons, reason);
    return number != TP_INTERN_NONE ? TP_MEASURE_FIRST_BLOCK + number : TP_DURATIONS_NONE;
}

static uint32_t site_in(struct translation *t, uint32_t site)
{
    if (t->sites[site] == 0) {
        struct tp_totals_site s = t->from->frames.sites.items[site];
        s.function = name_in(t, s.function);
        s.file = name_in(t, s.file);
        s.pc_high = t->removes_pcs ? 0 : s.pc_high;
        t->sites[site] = t->fits ? tp_totals_frames_put_site(&t->into->frames, &t->into->names, &s) + 1 : 0;
    }
    return t->sites[site] - 1;
}

static uint32_t frame_in(struct translation *t, uint32_t frame)
{
    if (t->frames[frame] == 0) {
        struct tp_totals_sited f = t->from->frames.items[frame];
        f.site = site_in(t, f.site);
        f.pc_low = t->removes_pcs ? 0 : f.pc_low;
        bool fits = f.site != TP_INTERN_NONE;
        t->frames[frame] = fits ? tp_totals_frames_put_sited(&t->into->frames, &f) + 1 : 0;
    }
    return t->frames[frame] - 1;
}

static uint32_t stack_in(struct translation *t, uint32_t stack)
{
    const uint32_t *frames;
    uint32_t copies[TP_TOTALS_FRAMES_MAX + TP_STACK_LABEL_COUNT];
    size_t count = tp_totals_stack_frames(&t->from->stacks, stack, &frames);
    for (size_t i = 0; i < count; i++) {
        copies[i] = frame_in(t, frames[i]);
        if (copies[i] == TP_INTERN_NONE)
            return TP_INTERN_NONE;
    }
    return t->removes_pcs ? tp_totals_add_stack(t->into, copies, count)
                          : tp_totals_put_stack(t->into, copies, count,
                                                t->from->stacks.of.items[stack].hash);
}

// Returns the number in `into` of a stack of a pair.
static uint32_t pair_stack_in(struct translation *t, uint32_t stack)
{
    if (stack == TP_INTERN_NONE)
        return TP_INTERN_NONE;
    if (t->stacks[stack] == 0)
        t->stacks[stack] = stack_in(t, stack) + 1;
    t->fits = t->fits && t->stacks[stack] != 0;
    return t->stacks[stack] - 1;
}

static uint32_t pair_in(struct translation *t, enum tp_durations_space space, uint32_t pair)
{
    const struct tp_totals_pair *from = &t->from->pairs.of.items[pair];
    uint32_t left = pair_stack_in(t, from->left), right = pair_stack_in(t, from->right);
    uint32_t number = t->fits ? tp_totals_put_pair(t->into, left, right) : TP_INTERN_NONE;
    bool fits = number != TP_INTERN_NONE && tp_totals_pair_name(t->into, space, &number);
    return fits ? number : TP_DURATIONS_NONE;
}

static uint32_t group_name_in(void *ctx, enum tp_durations_space space, uint32_t name)
{
    struct translation *t = ctx;
    uint32_t number;
    if (name == TP_TOTALS_OTHERS)
        return TP_TOTALS_OTHERS;
    if (tp_is_space_of_pairs(space))
        return pair_in(t, space, name);
    bool fits = tp_totals_name(t->into, space, tp_intern_text(&t->from->names, name), &number);
    return fits ? number : TP_DURATIONS_NONE;
}

// Adds the count of a stack. A stack that `into` would not keep gets no number; its count is
// recorded under its place.
static bool merge_stack(struct translation *t, const struct tp_stack_count *c)
{
    uint32_t stack = tp_stack_count_stack(c);
    unsigned type = tp_stack_count_type(c);
    struct tp_dist one;
    if (!t->removes_pcs &&
        tp_totals_stacks_leave_out(&t->into->stacks, t->from->stacks.of.items[stack].hash))
        return tp_totals_record_place_of(t->into, t->from, stack, type, c->count,
                                         c->total_ns);
    stack = stack_in(t, stack);
    return stack != TP_INTERN_NONE &&
           tp_totals_record_stack(t->into, stack, type, c->count, c->total_ns) &&
           tp_stack_counts_add_times(&t->into->by_stack, stack, type, tp_stack_count_times(c, &one));
}

static void merge_stacks(struct translation *t)
{
    const struct tp_stack_counts *from = &t->from->by_stack;
    for (uint32_t i = 0; i < from->count && t->fits; i++)
        t->fits = merge_stack(t, &from->items[i]);
}

static void merge_files(struct translation *t)
{
    for (uint32_t i = 0; i < t->from->files.count && t->fits; i++) {
        struct tp_file_row row = t->from->files.items[i];
        row.path = name_in(t, row.path);
        row.host = known_name_in(t, row.host);
        row.grouped_by = known_name_in(t, row.grouped_by);
        for (unsigned kind = 0; kind < TP_TOP_KINDS; kind++) {
            for (uint32_t k = 0; k < row.top_counts[kind]; k++) {
                struct tp_file_top *top = &row.tops[kind][k];
                top->name = name_in(t, top->name);
                top->file = known_name_in(t, top->file);
            }
        }
        t->fits = t->fits && TP_LIST_ADD(&t->into->files, row);
    }
}

static void merge_refused(struct translation *t)
{
    for (uint32_t i = 0; i < t->from->refused.count && t->fits; i++) {
        struct tp_refused_row row = t->from->refused.items[i];
        row.path = name_in(t, row.path);
        row.words = name_in(t, row.words);
        t->fits = t->fits && TP_LIST_ADD(&t->into->refused, row);
    }
}

static struct tp_source_place source_place_in(struct translation *t,
                                              const struct tp_source_place *place)
{
    struct tp_source_place copy = *place;
    copy.function = known_name_in(t, copy.function);
    copy.file = known_name_in(t, copy.file);
    return copy;
}

static void merge_found(struct translation *t)
{
    for (uint32_t i = 0; i < t->from->found.count && t->fits; i++) {
        struct tp_found found = t->from->found.items[i];
        found.path = name_in(t, found.path);
        found.culprit = source_place_in(t, &found.culprit);
        found.victim = source_place_in(t, &found.victim);
        found.other = source_place_in(t, &found.other);
        t->fits = t->fits && TP_LIST_ADD(&t->into->found, found);
    }
}

static void merge_gs(struct translation *t)
{
    const struct tp_top_goroutines *from = &t->from->gs;
    tp_totals_limit_gs(t->into, from->limit);
    for (uint32_t i = 0; i < from->heap.count && t->fits; i++) {
        struct tp_top_goroutine g = from->heap.items[i];
        g.function = name_in(t, g.function);
        g.path = name_in(t, g.path);
        t->fits = t->fits && tp_totals_add_g(t->into, &g);
    }
    tp_totals_others_join(&t->into->gs.others, &from->others);
}

static void merge_slow_one(struct translation *t, enum tp_slow_kind kind,
                           struct tp_slow_interval of)
{
    of.name = name_in(t, of.name);
    of.path = name_in(t, of.path);
    for (uint32_t i = 0; i < of.logs.count; i++) {
        of.logs.items[i].category.name = name_in(t, of.logs.items[i].category.name);
        of.logs.items[i].message.name = name_in(t, of.logs.items[i].message.name);
    }
    t->fits = t->fits && tp_totals_add_slow(t->into, kind, &of);
}

static void merge_slow(struct translation *t)
{
    tp_totals_limit_slow(t->into, t->from->slow.limit);
    for (unsigned kind = 0; kind < TP_SLOW_KIND_COUNT; kind++) {
        const struct tp_slow_heap *from = &t->from->slow.heaps[kind];
        for (uint32_t i = 0; i < from->count && t->fits; i++)
            merge_slow_one(t, (enum tp_slow_kind)kind, from->items[i]);
    }
}

static uint32_t *make_numbers(uint32_t count)
{
    return tp_alloc_zero(((size_t)count + 1) * sizeof(uint32_t));
}

// `spent` is NULL or `from`. If it is `from`, merge_names frees its durations as soon as they are
// added, also after a failure, because the totals of an input and of all inputs before it are the
// most memory that a run takes.
static bool merge_names(struct tp_totals *into, const struct tp_totals *from,
                        struct tp_totals *spent, bool removes_pcs)
{
    struct translation t = {.into = into,
                            .from = from,
                            .removes_pcs = removes_pcs,
                            .names = make_numbers(from->names.count),
                            .sites = make_numbers(from->frames.sites.count),
                            .frames = make_numbers(from->frames.count),
                            .stacks = make_numbers(from->stacks.of.count)};
    const struct tp_durations_words words = {group_name_in, measure_in, &t};
    t.fits = t.names != NULL && t.sites != NULL && t.frames != NULL && t.stacks != NULL;
    t.fits = t.fits && tp_durations_merge(&into->durations, &from->durations, &words);
    if (spent != NULL)
        tp_durations_fini(&spent->durations);
    into->stacks.label_count |= from->stacks.label_count; // `from` may be empty but for `doubtful`
    merge_stacks(&t);
    merge_files(&t);
    merge_refused(&t);
    merge_found(&t);
    merge_gs(&t);
    merge_slow(&t);
    tp_free(t.names);
    tp_free(t.sites);
    tp_free(t.frames);
    tp_free(t.stacks);
    return t.fits;
}

static void place_worst(struct tp_worst *worst, const struct tp_trace_zero *zero)
{
    if (worst->since_ns == TP_NO_MOMENT)
        return;
    uint64_t at = tp_as_moment((int64_t)worst->since_ns, zero);
    if (at == TP_NO_MOMENT) {
        *worst = (struct tp_worst)TP_WORST_NONE;
        return;
    }
    worst->since_ns -= (uint64_t)zero->begin_ns;
    if (at < TP_MOMENT_OF_TRACE)
        worst->wall_ns = (int64_t)at;
}

void tp_totals_place_moments(struct tp_totals *s, const struct tp_trace_zero *zero)
{
    tp_durations_place(&s->durations, zero);
    tp_stack_counts_place(&s->by_stack, zero);
    for (uint32_t i = 0; i < s->found.count; i++)
        place_worst(&s->found.items[i].worst, zero);
    for (uint32_t i = 0; i < s->files.count; i++)
        s->files.items[i].begin = tp_as_moment(zero->begin_ns, zero);
}

bool tp_totals_set_doubtful(struct tp_totals *s)
{
    struct tp_totals *apart = tp_alloc(sizeof *apart);
    if (apart == NULL)
        return false;
    *apart = *s;
    *s = (struct tp_totals){.doubtful = apart};
    return true;
}

// Adds all totals of `from`, also those in `doubtful`. `spent` is as for merge_names.
static int merge(struct tp_totals *into, const struct tp_totals *from, struct tp_totals *spent,
                 bool removes_pcs, struct tp_error *err)
{
    if (from->doubtful != NULL) {
        if (into->doubtful == NULL)
            into->doubtful = tp_alloc_zero(sizeof *into->doubtful);
        if (into->doubtful == NULL)
            return tp_fail(err, TP_E_MEMORY, "out of memory for statistics");
        int rc = merge(into->doubtful, from->doubtful, spent != NULL ? spent->doubtful : NULL,
                       removes_pcs, err);
        if (rc != 0)
            return rc;
    }
    if (!merge_names(into, from, spent, removes_pcs) ||
        !tp_timeline_merge(&into->timeline, &from->timeline) ||
        !tp_wall_timeline_merge(&into->wall_timeline, &from->wall_timeline) ||
        !tp_history_merge(&into->history, from->history))
        return tp_fail(err, TP_E_MEMORY, "out of memory for statistics");
#define TP_X(field, key) into->field = tp_add_limited(into->field, from->field);
    TP_TOTALS_COUNTS(TP_X)
#undef TP_X
    into->duration_ns = tp_wide_add(into->duration_ns, from->duration_ns);
    tp_taken_merge(&into->taken, &from->taken);
    into->unordered_bytes = tp_add_limited(into->unordered_bytes, from->unordered_bytes);
    into->doubt_count = tp_add_limited(into->doubt_count, from->doubt_count);
    into->sample_count = tp_add_limited(into->sample_count, from->sample_count);
    into->sample_span_ns = tp_wide_add(into->sample_span_ns, from->sample_span_ns);
    tp_utilisation_merge(&into->utilisation, &from->utilisation);
    if (tp_totals_is_loose(into) && !tp_totals_pack(into))
        return tp_fail(err, TP_E_MEMORY, "out of memory for statistics");
    return 0;
}

int tp_totals_merge(struct tp_totals *into, const struct tp_totals *from, struct tp_error *err)
{
    return merge(into, from, NULL, false, err);
}

int tp_totals_merge_without_pcs(struct tp_totals *into, const struct tp_totals *from,
                                struct tp_error *err)
{
    return merge(into, from, NULL, true, err);
}

int tp_totals_fail_reasons(struct tp_error *err)
{
    return tp_fail(err, TP_E_TOO_LARGE, "more than %d reasons of blocking, with those of the inputs "
                   "before it", TP_TOTALS_REASONS_MAX);
}

static bool reasons_fit(const struct tp_totals *into, const struct tp_totals *from)
{
    uint32_t count = into->reasons.count;
    for (uint32_t i = 0; i < from->reasons.count; i++) {
        struct tp_span reason = tp_intern_text(&from->reasons, i);
        count += tp_intern_find(&into->reasons, reason) == TP_INTERN_NONE;
    }
    bool has_doubtful = into->doubtful != NULL && from->doubtful != NULL;
    return count <= TP_TOTALS_REASONS_MAX &&
           (!has_doubtful || reasons_fit(into->doubtful, from->doubtful));
}

// Whether all bytes of the totals are 0: nothing was added to them, and they have no memory.
static bool are_zeroed(const struct tp_totals *s)
{
    static const struct tp_totals nothing;
    return memcmp(s, &nothing, sizeof nothing) == 0;
}

size_t tp_totals_copied_bytes(const struct tp_totals *into, const struct tp_totals *from)
{
    size_t bytes = 0;
    if (are_zeroed(into))
        return 0; // tp_totals_move copies nothing then
    for (uint32_t i = 0; i < from->names.count; i++) {
        struct tp_span name = tp_intern_text(&from->names, i);
        if (tp_intern_find(&into->names, name) == TP_INTERN_NONE)
            bytes += name.len_bytes;
    }
    return bytes;
}

int tp_totals_move(struct tp_totals *into, struct tp_totals *from, struct tp_error *err)
{
    if (!reasons_fit(into, from))
        return tp_totals_fail_reasons(err);
    if (!are_zeroed(into))
        return merge(into, from, from, false, err);
    struct tp_totals nothing = *into;
    *into = *from;
    *from = nothing;
    return 0;
}
