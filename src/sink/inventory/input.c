#include "sink/inventory/input.h"

#include <assert.h>

#include "merge/v1/trace.h"

const char *tp_listed_kind_name(enum tp_listed_kind kind)
{
    static const char *const words[] = {
#define TP_X(name, word) word,
        TP_LISTED_MAP(TP_X)
#undef TP_X
    };
    return words[kind];
}

int tp_inventory_work(const struct tp_sink_call *call, const struct tp_unit *unit,
                      struct tp_error *err)
{
    (void)err;
    tp_inventory_count(call->unit_state, unit, NULL, NULL);
    return 0;
}

int tp_inventory_open(const struct tp_sink_call *call, const struct tp_input_info *input,
                      struct tp_error *err)
{
    struct tp_inventory_input *in = call->input_state;
    (void)err;
    *in = (struct tp_inventory_input){
        .format = input->format, .given_frequency = call->frequency, .keeps_batches = true};
    tp_spilled_array_init(&in->batches, sizeof(struct tp_listed_batch));
    tp_spilled_array_init(&in->generations, sizeof(struct tp_generation_record));
    return 0;
}

void tp_inventory_input_fini(void *input)
{
    struct tp_inventory_input *in = input;
    tp_spilled_array_fini(&in->batches);
    tp_spilled_array_fini(&in->generations);
}

// Returns whether the trace has generations. If not, the whole trace has one clock, and a batch may
// continue in the next unit.
static bool has_generations(const struct tp_inventory_input *in)
{
    return in->format.decoder->has_generations;
}

static void extend_ticks(struct tp_inventory_input *in, uint64_t first_ticks, uint64_t last_ticks)
{
    int64_t first = (int64_t)first_ticks, last = (int64_t)last_ticks;
    if (!in->has_ticks || first < in->first_ticks)
        in->first_ticks = first;
    if (!in->has_ticks || last > in->last_ticks)
        in->last_ticks = last;
    in->has_ticks = true;
}

// Extends the readings of a trace from before Go 1.22. Ignores 0, which Go takes as unset.
static void add_reading(struct tp_inventory_input *in, uint64_t ticks)
{
    if (ticks != 0 && (in->least_reading_ticks == 0 || ticks < in->least_reading_ticks))
        in->least_reading_ticks = ticks;
    if (ticks > in->greatest_reading_ticks)
        in->greatest_reading_ticks = ticks;
}

// BATCHES

static int close_batch(struct tp_inventory_input *in, struct tp_error *err)
{
    const struct tp_inventory_batch *b = &in->open;
    if (!in->has_open)
        return 0;
    in->has_open = false;
    // Ignores batches of tables, whose time may be long after the last event. If clocks of
    // processors disagree (some traces of Go 1.5), times go back: deltas and their sum are modulo
    // 2^64.
    if (!has_generations(in) && b->has_times) {
        extend_ticks(in, b->first_ticks, b->last_ticks);
        add_reading(in, b->listed.ticks);
        add_reading(in, b->last_ticks <= INT64_MAX ? b->last_ticks : 0);
    }
    return in->keeps_batches ? tp_spilled_array_add(&in->batches, &b->listed, err) : 0;
}

static enum tp_listed_kind kind_of(const struct tp_inventory_input *in, const struct tp_extent *x)
{
    static const uint8_t kinds[] = {
        [TP_BATCH_EVENTS] = TP_LISTED_EVENTS,   [TP_BATCH_STACKS] = TP_LISTED_STACKS,
        [TP_BATCH_STRINGS] = TP_LISTED_STRINGS, [TP_BATCH_SAMPLES] = TP_LISTED_SAMPLES,
        [TP_BATCH_SYNC] = TP_LISTED_SYNC,       [TP_BATCH_EXPERIMENTAL] = TP_LISTED_EXPERIMENTAL,
    };
    // A batch from before Go 1.22 counts as tables until its first event with a time.
    return has_generations(in) ? kinds[x->batch_kind] : TP_LISTED_TABLES;
}

static int open_batch(struct tp_inventory_input *in, const struct tp_extent *x,
                      struct tp_error *err)
{
    int rc = close_batch(in, err);
    in->all.batch_count++;
    in->open = (struct tp_inventory_batch){
        .listed = {.offset = x->offset,
                   .generation = has_generations(in) ? x->generation : 0,
                   .owner = (int64_t)x->m,
                   .kind = kind_of(in, x),
                   .ticks = x->time_ticks},
        .last_ticks = x->time_ticks,
    };
    in->has_open = true;
    return rc;
}

// Extends the generation to which a batch belongs by the last event of the batch.
static void extend_generation(struct tp_inventory_input *in, const struct tp_extent *x,
                              const struct tp_inventory_batch *b)
{
    in->begun_count += x->first_of_generation;
    uint64_t *last_ticks = &in->last_event_ticks[in->begun_count % TP_INVENTORY_OPEN_GENERATIONS];
    if (x->first_of_generation)
        *last_ticks = 0;
    // Skip a time whose sum has wrapped beyond 64 bits.
    if (b->has_times && b->last_ticks >= b->listed.ticks && b->last_ticks > *last_ticks)
        *last_ticks = b->last_ticks;
}

static int add_extent(struct tp_inventory_input *in, const struct tp_extent *x,
                      const struct tp_tally_result *found, struct tp_error *err)
{
    int rc = x->header_bytes > 0 ? open_batch(in, x, err) : 0;
    // Events before the first Batch event belong to no batch.
    if (rc != 0 || !in->has_open)
        return rc;
    struct tp_inventory_batch *b = &in->open;
    b->listed.len_bytes += x->len_bytes;
    if (found->has_times && !b->has_times) {
        b->has_times = true;
        b->first_ticks = b->last_ticks + found->first_dt_ticks;
        b->listed.kind = TP_LISTED_EVENTS;
    }
    b->last_ticks += found->dt_ticks;
    if (has_generations(in))
        extend_generation(in, x, b);
    return 0;
}

int tp_inventory_commit(const struct tp_sink_call *call, const struct tp_unit *unit,
                        struct tp_error *err)
{
    struct tp_inventory_input *in = call->input_state;
    const struct tp_inventory_unit *u = call->unit_state;
    tp_sink_notes_add(call->notes, &u->notes);
    tp_tally_add(&in->all.tally, &u->tally);
    in->all.undecoded_bytes += u->notes.undecoded_bytes;
    in->all.undecoded_batch_count += u->notes.undecoded_batches;
    if (u->frequency != 0)
        in->first_frequency = u->frequency;
    int rc = 0;
    for (size_t i = 0; i < unit->extent_count && rc == 0; i++) {
        if (unit->extents[i].kind == TP_EXTENT_BATCH)
            rc = add_extent(in, &unit->extents[i], &u->found[i], err);
    }
    return rc;
}

// GENERATIONS

int tp_inventory_generation(const struct tp_sink_call *call, const struct tp_generation *g,
                            struct tp_error *err)
{
    struct tp_inventory_input *in = call->input_state;
    uint64_t number = ++in->all.generation_count;
    struct tp_generation_record added = {
        .listed = {.number = g->number,
                   .offset = g->begin_offset,
                   .len_bytes = g->batch_bytes,
                   .first_batch = in->placed_count,
                   .batch_count = g->batch_count,
                   .is_complete = g->complete,
                   .ticks_per_second = g->has_frequency ? g->frequency : 0,
                   .first_ticks = g->begin_ticks,
                   .last_ticks = in->last_event_ticks[number % TP_INVENTORY_OPEN_GENERATIONS]},
    };
    in->placed_count += g->batch_count;
    added.frequency = added.listed.ticks_per_second;
    if (added.frequency == 0)
        added.frequency = in->given_frequency != 0 ? in->given_frequency : in->last_frequency;
    in->last_frequency = added.frequency;
    if (in->first_frequency == 0)
        in->first_frequency = added.frequency;
    if (g->has_clock && !in->has_clock) {
        in->has_clock = true;
        in->clock = g->clock;
        in->clock_frequency = added.frequency;
    }
    // A clock of 0 means no time.
    if (g->begin_ticks != 0)
        extend_ticks(in, g->begin_ticks,
                     added.listed.last_ticks != 0 ? added.listed.last_ticks : g->begin_ticks);
    return tp_spilled_array_add(&in->generations, &added, err);
}

// TIMES

static int64_t v2_ns(const struct tp_inventory_input *in, const struct tp_generation_record *g,
                     uint64_t ticks)
{
    return tp_ticks_to_ns(ticks, g->frequency != 0 ? g->frequency : in->first_frequency);
}

// Converts ticks of a trace from before Go 1.22. False: it has no clock, or an impossible one.
static bool v1_ns(const struct tp_inventory_input *in, uint64_t ticks, int64_t *ret_ns)
{
    int64_t per_second = (int64_t)in->first_frequency;
    if (!in->has_ticks || per_second <= 0)
        return false;
    *ret_ns = tp_v1_ticks_to_ns((int64_t)(ticks - (uint64_t)in->first_ticks),
                                1e9 / (double)per_second);
    return *ret_ns != INT64_MIN;
}

// Converts ticks to the time since the first event. False: not known. 0 ticks are not a time,
// as in Go.
static bool since_zero(const struct tp_inventory_input *in,
                       const struct tp_generation_record *g, uint64_t ticks, int64_t *ret_ns)
{
    int64_t ns = v2_ns(in, g, ticks);
    return ticks != 0 && ns != INT64_MIN && in->zero_ns != INT64_MIN &&
           !__builtin_sub_overflow(ns, in->zero_ns, ret_ns);
}

static void find_generation_times(const struct tp_inventory_input *in,
                                  const struct tp_generation_record *g,
                                  struct tp_listed_generation *ret_generation)
{
    uint64_t last_ticks = g->listed.last_ticks != 0 ? g->listed.last_ticks : g->listed.first_ticks;
    *ret_generation = g->listed;
    ret_generation->has_ns =
        since_zero(in, g, g->listed.first_ticks, &ret_generation->first_ns) &&
        since_zero(in, g, last_ticks, &ret_generation->last_ns);
}

// Extends the range of the trace by two readings of its clock. Ignores impossible ones, and 0.
static void extend_range(struct tp_inventory_input *in, const struct tp_generation_record *g,
                         uint64_t first_ticks, uint64_t last_ticks)
{
    const uint64_t readings[] = {first_ticks, last_ticks};
    for (size_t i = 0; i < TP_ARRAY_LEN(readings); i++) {
        int64_t ns = v2_ns(in, g, readings[i]);
        if (readings[i] != 0 && ns != INT64_MIN)
            tp_inventory_range_add(&in->range, ns);
    }
}

// Finds the Unix time when the clock of the trace is at `ns`. False: the trace does not record it,
// or records a time outside of 1677 to 2262.
static bool find_wall(const struct tp_inventory_input *in, int64_t ns, int64_t *ret_wall_ns)
{
    uint64_t per_second = in->clock_frequency != 0 ? in->clock_frequency : in->first_frequency;
    struct tp_wall w;
    return in->has_clock && tp_clock_wall_at(&in->clock, per_second, ns, &w) &&
           tp_wall_ns(w, ret_wall_ns);
}

static int find_span(struct tp_inventory_input *in, struct tp_error *err)
{
    struct tp_generation_record g;
    struct tp_listed_generation listed;
    int64_t first_ns = INT64_MAX, last_ns = INT64_MIN, begin_ns;
    for (uint64_t i = 0; i < in->generations.count; i++) {
        int rc = tp_spilled_array_get(&in->generations, i, &g, err);
        if (rc != 0)
            return rc;
        if (i == 0)
            in->zero_ns = v2_ns(in, &g, g.listed.first_ticks);
        extend_range(in, &g, g.listed.first_ticks, g.listed.last_ticks);
        find_generation_times(in, &g, &listed);
        if (!listed.has_ns)
            continue;
        first_ns = listed.first_ns < first_ns ? listed.first_ns : first_ns;
        last_ns = listed.last_ns > last_ns ? listed.last_ns : last_ns;
    }
    in->has_span = last_ns >= first_ns && !__builtin_sub_overflow(last_ns, first_ns, &in->span_ns);
    in->has_wall = in->has_span && !__builtin_add_overflow(in->zero_ns, first_ns, &begin_ns) &&
                   find_wall(in, begin_ns, &in->wall_start_ns) &&
                   !__builtin_add_overflow(in->wall_start_ns, in->span_ns, &in->wall_end_ns);
    return 0;
}

static void find_span_v1(struct tp_inventory_input *in)
{
    const struct tp_generation_record whole = {0};
    if (in->first_frequency == 0)
        in->first_frequency = in->given_frequency;
    extend_range(in, &whole, in->least_reading_ticks, in->greatest_reading_ticks);
    in->has_span = v1_ns(in, (uint64_t)in->last_ticks, &in->span_ns) && in->span_ns >= 0;
}

// THE END

static void complete_figures(struct tp_inventory_input *in, const struct tp_input_report *report)
{
    struct tp_inventory *all = &in->all;
    bool is_complete = report->damage_count == 0 && report->error.code == 0;
    enum tp_version version = tp_version_of(in->format.minor);
    all->stored_bytes = report->stored_bytes;
    all->stream_bytes = report->stream_bytes;
    all->lost_bytes = report->lost_bytes;
    all->damage_count = report->damage_count;
    all->complete_count = is_complete;
    all->damaged_count = !is_complete;
    assert(version < TP_VERSIONS);
    all->version_counts[version] = 1;
    if (in->range.is_known) {
        all->timed_file_count = 1;
        all->duration_ns = (uint64_t)in->range.greatest_ns - (uint64_t)in->range.least_ns;
        all->rated_event_count = tp_inventory_events(all).timed_count;
    }
    int64_t wall_ns;
    if (in->range.is_known && find_wall(in, in->range.least_ns, &wall_ns))
        tp_inventory_range_add(&all->wall_start, wall_ns);
}

int tp_inventory_input_end(struct tp_inventory_input *in, const struct tp_input_report *report,
                           struct tp_error *err)
{
    int rc = close_batch(in, err);
    if (rc == 0 && has_generations(in))
        rc = find_span(in, err);
    else if (rc == 0)
        find_span_v1(in);
    complete_figures(in, report);
    return rc;
}

// RESULTS

int tp_inventory_check_times(const struct tp_inventory_input *in, struct tp_error *err)
{
    if (in->has_span || !in->has_ticks)
        return 0;
    if (in->first_frequency == 0)
        return tp_fail(err, TP_E_DAMAGED, "unknown times: the trace does not record its clock "
                       "frequency (set --frequency)");
    return tp_fail(err, TP_E_DAMAGED, "impossible times: %lld to %lld at %llu ticks per second",
                   (long long)in->first_ticks, (long long)in->last_ticks,
                   (unsigned long long)in->first_frequency);
}

void tp_inventory_summary(const struct tp_inventory_input *in, const struct tp_input_info *input,
                          const struct tp_input_report *report,
                          struct tp_listing_summary *ret_summary)
{
    *ret_summary = (struct tp_listing_summary){
        .go_minor = in->format.minor,
        .is_text_form = input->is_text_form,
        .stored_bytes = report->stored_bytes,
        .read_count = report->read_count,
        .stream_bytes = report->stream_bytes,
        .event_count = tp_inventory_events(&in->all).count,
        .string_count = tp_tally_strings(&in->all.tally),
        .stack_count = tp_tally_stacks(&in->all.tally),
        .batch_count = in->all.batch_count,
        .generation_count = in->all.generation_count,
        .ticks_per_second = in->first_frequency,
        .has_ticks = in->has_ticks,
        .first_ticks = (uint64_t)in->first_ticks,
        .last_ticks = (uint64_t)in->last_ticks,
        .has_span = in->has_span,
        .span_ns = in->has_span ? in->span_ns : 0,
        .has_wall = in->has_wall,
        .wall_start_ns = in->has_wall ? in->wall_start_ns : 0,
        .wall_end_ns = in->has_wall ? in->wall_end_ns : 0,
        .damage_count = report->damage_count,
        .lost_bytes = report->lost_bytes,
        .undecoded_bytes = in->all.undecoded_bytes,
        .error = report->error,
    };
    ret_summary->error.path = NULL;
}

int tp_inventory_listed_generation(struct tp_inventory_input *in, uint64_t idx,
                                   struct tp_listed_generation *ret_generation,
                                   struct tp_error *err)
{
    struct tp_generation_record g;
    int rc = tp_spilled_array_get(&in->generations, idx, &g, err);
    if (rc == 0)
        find_generation_times(in, &g, ret_generation);
    return rc;
}

// Finds the generation of batch `idx`. Tries the generation of the last call and the one after it
// first, for callers that ask for batches one after the other.
static int find_generation(struct tp_inventory_input *in, uint64_t idx,
                           struct tp_generation_record *ret, struct tp_error *err)
{
    uint64_t low = 0, high = in->generations.count, at = in->asked_generation;
    while (low < high) {
        if (at < low || at >= high)
            at = low + (high - low) / 2;
        int rc = tp_spilled_array_get(&in->generations, at, ret, err);
        if (rc != 0)
            return rc;
        if (idx < ret->listed.first_batch) {
            high = at;
        } else if (idx - ret->listed.first_batch >= ret->listed.batch_count) {
            low = at + 1;
            at = low;
        } else {
            in->asked_generation = at;
            return 0;
        }
    }
    *ret = (struct tp_generation_record){0};
    return 0;
}

int tp_inventory_listed_batch(struct tp_inventory_input *in, uint64_t idx,
                              struct tp_listed_batch *ret_batch, struct tp_error *err)
{
    int rc = tp_spilled_array_get(&in->batches, idx, ret_batch, err);
    if (rc != 0)
        return rc;
    if (!has_generations(in)) {
        ret_batch->has_ns = v1_ns(in, ret_batch->ticks, &ret_batch->ns);
        return 0;
    }
    struct tp_generation_record g;
    rc = find_generation(in, idx, &g, err);
    if (rc == 0)
        ret_batch->has_ns = since_zero(in, &g, ret_batch->ticks, &ret_batch->ns);
    return rc;
}
