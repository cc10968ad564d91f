#include "sink/list/state.h"

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

// UNITS

static void note_frequency(void *ctx, enum tp_ident ident, uint64_t number)
{
    struct tp_list_unit *u = ctx;
    if (ident == TP_IDENT_FREQUENCY)
        u->frequency = number;
}

static void count_extent(struct tp_list_unit *u, const struct tp_format *f,
                         const struct tp_extent *x, const unsigned char *bytes,
                         struct tp_tally_result *ret_found)
{
    // A generation has a frequency of its own.
    tp_ident_fn on_ident = f->decoder->has_generations ? NULL : note_frequency;
    *ret_found = f->decoder->tally(&u->tally, x, bytes, f->minor, on_ident, u);
    if (ret_found->used_bytes < x->len_bytes)
        tp_sink_note_undecoded(&u->notes, x, ret_found->used_bytes);
}

int tp_list_work(const struct tp_sink_call *call, const struct tp_unit *unit, struct tp_error *err)
{
    (void)err;
    struct tp_list_unit *u = call->unit_state;
    const unsigned char *bytes = unit->bytes.ptr;
    u->tally = (struct tp_tally){0};
    u->frequency = 0;
    u->notes = (struct tp_sink_notes){0};
    assert(unit->extent_count <= TP_UNIT_EXTENTS);
    for (size_t i = 0; i < unit->extent_count; bytes += unit->extents[i++].len_bytes)
        count_extent(u, &unit->input->format, &unit->extents[i], bytes, &u->found[i]);
    return 0;
}

// INPUTS

int tp_list_open(const struct tp_sink_call *call, const struct tp_input_info *input,
                 struct tp_error *err)
{
    (void)err;
    struct tp_list_state *s = call->input_state;
    *s = (struct tp_list_state){.format = input->format, .given_frequency = call->frequency};
    tp_spilled_array_init(&s->batches, sizeof(struct tp_list_batch));
    tp_spilled_array_init(&s->generations, sizeof(struct tp_list_generation));
    return 0;
}

void tp_list_state_fini(void *state)
{
    struct tp_list_state *s = state;
    tp_spilled_array_fini(&s->batches);
    tp_spilled_array_fini(&s->generations);
}

static void extend_ticks(struct tp_list_state *s, uint64_t first_ticks, uint64_t last_ticks)
{
    int64_t first = (int64_t)first_ticks, last = (int64_t)last_ticks;
    if (!s->has_ticks || first < s->first_ticks)
        s->first_ticks = first;
    if (!s->has_ticks || last > s->last_ticks)
        s->last_ticks = last;
    s->has_ticks = true;
}

// Returns whether the trace has generations. If not, the whole trace has one clock, and a batch may
// continue in the next unit.
static bool has_generations(const struct tp_list_state *s)
{
    return s->format.decoder->has_generations;
}

static int close_batch(struct tp_list_state *s, struct tp_error *err)
{
    if (!s->has_open)
        return 0;
    s->has_open = false;
    if (!has_generations(s) && s->open.has_times)
        extend_ticks(s, s->open.first_ticks, s->open.last_ticks);
    return tp_spilled_array_add(&s->batches, &s->open, err);
}

static enum tp_listed_kind kind_of(const struct tp_list_state *s, const struct tp_extent *x)
{
    static const uint8_t kinds[] = {
        [TP_BATCH_EVENTS] = TP_LISTED_EVENTS,   [TP_BATCH_STACKS] = TP_LISTED_STACKS,
        [TP_BATCH_STRINGS] = TP_LISTED_STRINGS, [TP_BATCH_SAMPLES] = TP_LISTED_SAMPLES,
        [TP_BATCH_SYNC] = TP_LISTED_SYNC,       [TP_BATCH_EXPERIMENTAL] = TP_LISTED_EXPERIMENTAL,
    };
    // A batch from before Go 1.22 counts as tables until its first event with a time.
    return has_generations(s) ? kinds[x->batch_kind] : TP_LISTED_TABLES;
}

static int open_batch(struct tp_list_state *s, const struct tp_extent *x, struct tp_error *err)
{
    int rc = close_batch(s, err);
    s->open = (struct tp_list_batch){
        .listed = {.offset = x->offset,
                   .generation = has_generations(s) ? x->generation : 0,
                   .owner = (int64_t)x->m,
                   .kind = kind_of(s, x),
                   .ticks = x->time_ticks},
        .last_ticks = x->time_ticks,
    };
    s->has_open = true;
    return rc;
}

static int add_extent(struct tp_list_state *s, const struct tp_extent *x,
                      const struct tp_tally_result *found, struct tp_error *err)
{
    int rc = x->header_bytes > 0 ? open_batch(s, x, err) : 0;
    // Events before the first Batch event belong to no batch.
    if (rc != 0 || !s->has_open)
        return rc;
    struct tp_list_batch *b = &s->open;
    b->listed.len_bytes += x->len_bytes;
    if (found->has_times && !b->has_times) {
        b->has_times = true;
        b->first_ticks = b->last_ticks + found->first_dt_ticks;
        b->listed.kind = TP_LISTED_EVENTS;
    }
    b->last_ticks += found->dt_ticks;
    return 0;
}

int tp_list_commit(const struct tp_sink_call *call, const struct tp_unit *unit,
                   struct tp_error *err)
{
    struct tp_list_state *s = call->input_state;
    const struct tp_list_unit *u = call->unit_state;
    tp_sink_notes_add(call->notes, &u->notes);
    for (size_t code = 0; code < TP_TALLY_CODES; code++)
        s->event_count += u->tally.count[code];
    s->string_count += tp_tally_strings(&u->tally);
    s->stack_count += tp_tally_stacks(&u->tally);
    s->undecoded_bytes += u->notes.undecoded_bytes;
    if (u->frequency != 0)
        s->first_frequency = u->frequency;
    int rc = 0;
    for (size_t i = 0; i < unit->extent_count && rc == 0; i++) {
        if (unit->extents[i].kind == TP_EXTENT_BATCH)
            rc = add_extent(s, &unit->extents[i], &u->found[i], err);
    }
    return rc;
}

// Finds the batches of a generation: those after the previous generation, up to this one's
// end. They are in s->batches already.
static int find_batches(struct tp_list_state *s, uint64_t end_offset,
                        struct tp_listed_generation *g, struct tp_error *err)
{
    struct tp_list_batch b;
    int rc = 0;
    for (uint64_t i = g->first_batch; i < s->batches.count && rc == 0; i++) {
        rc = tp_spilled_array_get(&s->batches, i, &b, err);
        if (rc != 0 || b.listed.offset >= end_offset)
            break;
        g->batch_count++;
        g->len_bytes += b.listed.len_bytes;
        // Skip a time whose sum has wrapped beyond 64 bits.
        if (b.has_times && b.last_ticks >= b.listed.ticks && b.last_ticks > g->last_ticks)
            g->last_ticks = b.last_ticks;
    }
    return rc;
}

int tp_list_generation(const struct tp_sink_call *call, const struct tp_generation *g,
                       struct tp_error *err)
{
    struct tp_list_state *s = call->input_state;
    struct tp_list_generation before = {0};
    int rc = close_batch(s, err); // the last batch of the generation, or one after it
    if (rc == 0 && s->generations.count > 0)
        rc = tp_spilled_array_get(&s->generations, s->generations.count - 1, &before, err);
    if (rc != 0)
        return rc;
    struct tp_list_generation added = {
        .listed = {.number = g->number,
                   .offset = g->begin_offset,
                   .first_batch = before.listed.first_batch + before.listed.batch_count,
                   .is_complete = g->complete,
                   .ticks_per_second = g->has_frequency ? g->frequency : 0,
                   .first_ticks = g->begin_ticks},
    };
    rc = find_batches(s, g->end_offset, &added.listed, err);
    if (rc != 0)
        return rc;
    added.frequency = added.listed.ticks_per_second;
    if (added.frequency == 0)
        added.frequency = s->given_frequency != 0 ? s->given_frequency : s->last_frequency;
    s->last_frequency = added.frequency;
    if (s->first_frequency == 0)
        s->first_frequency = added.frequency;
    if (g->has_clock && !s->has_clock) {
        s->has_clock = true;
        s->clock = g->clock;
        s->clock_frequency = added.frequency;
    }
    // A clock of 0 means no time.
    if (g->begin_ticks != 0)
        extend_ticks(s, g->begin_ticks,
                     added.listed.last_ticks != 0 ? added.listed.last_ticks : g->begin_ticks);
    return tp_spilled_array_add(&s->generations, &added, err);
}

// TIMES

static int64_t v2_ns(const struct tp_list_state *s, const struct tp_list_generation *g,
                     uint64_t ticks)
{
    return tp_ticks_to_ns(ticks, g->frequency != 0 ? g->frequency : s->first_frequency);
}

// Converts ticks of a trace from before Go 1.22. False: it has no clock, or an impossible one.
static bool v1_ns(const struct tp_list_state *s, uint64_t ticks, int64_t *ret_ns)
{
    int64_t per_second = (int64_t)s->first_frequency;
    if (!s->has_ticks || per_second <= 0)
        return false;
    *ret_ns = tp_v1_ticks_to_ns((int64_t)(ticks - (uint64_t)s->first_ticks),
                                1e9 / (double)per_second);
    return *ret_ns != INT64_MIN;
}

// Finds the time of the first event, from which all times count; INT64_MIN: unknown.
static int find_zero(struct tp_list_state *s, struct tp_error *err)
{
    struct tp_list_generation first;
    int rc = tp_spilled_array_get(&s->generations, 0, &first, err);
    if (rc == 0)
        s->zero_ns = v2_ns(s, &first, first.listed.first_ticks);
    return rc;
}

// Finds the times of day of the first and the last event; `first_ns` counts from zero_ns.
static void find_wall(struct tp_list_state *s, int64_t first_ns)
{
    const int64_t per_sec = 1000000000;
    uint64_t per_second = s->clock_frequency != 0 ? s->clock_frequency : s->first_frequency;
    int64_t begin_ns;
    struct tp_wall w;
    s->has_wall = s->has_clock && s->has_span &&
                  !__builtin_add_overflow(s->zero_ns, first_ns, &begin_ns) &&
                  tp_clock_wall_at(&s->clock, per_second, begin_ns, &w) &&
                  !__builtin_mul_overflow(w.sec, per_sec, &s->wall_start_ns) &&
                  !__builtin_add_overflow(s->wall_start_ns, w.nsec, &s->wall_start_ns) &&
                  !__builtin_add_overflow(s->wall_start_ns, s->span_ns, &s->wall_end_ns);
}

static int find_span(struct tp_list_state *s, struct tp_error *err)
{
    struct tp_listed_generation g;
    int64_t first_ns = INT64_MAX, last_ns = INT64_MIN;
    int rc = s->generations.count > 0 ? find_zero(s, err) : 0;
    for (uint64_t i = 0; i < s->generations.count && rc == 0; i++) {
        rc = tp_list_state_generation(s, i, &g, err);
        if (rc != 0 || !g.has_ns)
            continue;
        first_ns = g.first_ns < first_ns ? g.first_ns : first_ns;
        last_ns = g.last_ns > last_ns ? g.last_ns : last_ns;
    }
    s->has_span = last_ns >= first_ns && !__builtin_sub_overflow(last_ns, first_ns, &s->span_ns);
    find_wall(s, first_ns);
    return rc;
}

int tp_list_state_end(struct tp_list_state *s, struct tp_error *err)
{
    int rc = close_batch(s, err);
    if (rc != 0 || has_generations(s))
        return rc == 0 ? find_span(s, err) : rc;
    if (s->first_frequency == 0)
        s->first_frequency = s->given_frequency;
    s->has_span = v1_ns(s, (uint64_t)s->last_ticks, &s->span_ns) && s->span_ns >= 0;
    return 0;
}

int tp_list_state_check_times(const struct tp_list_state *s, struct tp_error *err)
{
    if (s->has_span || !s->has_ticks)
        return 0;
    if (s->first_frequency == 0)
        return tp_fail(err, TP_E_DAMAGED, "unknown times: the trace does not record its clock "
                       "frequency (set --frequency)");
    return tp_fail(err, TP_E_DAMAGED, "impossible times: %lld to %lld at %llu ticks per second",
                   (long long)s->first_ticks, (long long)s->last_ticks,
                   (unsigned long long)s->first_frequency);
}

// WHAT THERE IS

void tp_list_state_summary(const struct tp_list_state *s, const struct tp_input_info *input,
                           const struct tp_input_report *report,
                           struct tp_listing_summary *ret_summary)
{
    *ret_summary = (struct tp_listing_summary){
        .go_minor = s->format.minor,
        .is_text_form = input->is_text_form,
        .stored_bytes = report->stored_bytes,
        .read_count = report->read_count,
        .stream_bytes = report->stream_bytes,
        .event_count = s->event_count,
        .string_count = s->string_count,
        .stack_count = s->stack_count,
        .batch_count = s->batches.count,
        .generation_count = s->generations.count,
        .ticks_per_second = s->first_frequency,
        .has_ticks = s->has_ticks,
        .first_ticks = (uint64_t)s->first_ticks,
        .last_ticks = (uint64_t)s->last_ticks,
        .has_span = s->has_span,
        .span_ns = s->has_span ? s->span_ns : 0,
        .has_wall = s->has_wall,
        .wall_start_ns = s->has_wall ? s->wall_start_ns : 0,
        .wall_end_ns = s->has_wall ? s->wall_end_ns : 0,
        .damage_count = report->damage_count,
        .lost_bytes = report->lost_bytes,
        .undecoded_bytes = s->undecoded_bytes,
        .error = report->error,
    };
    ret_summary->error.path = NULL;
}

// Converts ticks to the time since the first event. False: not known. 0 ticks are not a time,
// as in Go.
static bool since_zero(const struct tp_list_state *s, const struct tp_list_generation *g,
                       uint64_t ticks, int64_t *ret_ns)
{
    int64_t ns = v2_ns(s, g, ticks);
    return ticks != 0 && ns != INT64_MIN && s->zero_ns != INT64_MIN &&
           !__builtin_sub_overflow(ns, s->zero_ns, ret_ns);
}

int tp_list_state_generation(struct tp_list_state *s, uint64_t idx,
                             struct tp_listed_generation *ret_generation, struct tp_error *err)
{
    struct tp_list_generation g;
    int rc = tp_spilled_array_get(&s->generations, idx, &g, err);
    if (rc != 0)
        return rc;
    *ret_generation = g.listed;
    ret_generation->has_ns =
        since_zero(s, &g, g.listed.first_ticks, &ret_generation->first_ns) &&
        since_zero(s, &g, g.listed.last_ticks != 0 ? g.listed.last_ticks : g.listed.first_ticks,
                   &ret_generation->last_ns);
    return 0;
}

// Finds the generation of batch `idx`. Tries the generation of the last call and the one after it
// first, for callers that ask for batches one after the other.
static int find_generation(struct tp_list_state *s, uint64_t idx, struct tp_list_generation *ret,
                           struct tp_error *err)
{
    uint64_t low = 0, high = s->generations.count, at = s->asked_generation;
    while (low < high) {
        if (at < low || at >= high)
            at = low + (high - low) / 2;
        int rc = tp_spilled_array_get(&s->generations, at, ret, err);
        if (rc != 0)
            return rc;
        if (idx < ret->listed.first_batch) {
            high = at;
        } else if (idx - ret->listed.first_batch >= ret->listed.batch_count) {
            low = at + 1;
            at = low;
        } else {
            s->asked_generation = at;
            return 0;
        }
    }
    *ret = (struct tp_list_generation){0};
    return 0;
}

int tp_list_state_batch(struct tp_list_state *s, uint64_t idx, struct tp_listed_batch *ret_batch,
                        struct tp_error *err)
{
    struct tp_list_batch b;
    int rc = tp_spilled_array_get(&s->batches, idx, &b, err);
    if (rc != 0)
        return rc;
    *ret_batch = b.listed;
    if (!has_generations(s)) {
        ret_batch->has_ns = v1_ns(s, b.listed.ticks, &ret_batch->ns);
        return 0;
    }
    struct tp_list_generation g;
    rc = find_generation(s, idx, &g, err);
    if (rc == 0)
        ret_batch->has_ns = since_zero(s, &g, b.listed.ticks, &ret_batch->ns);
    return rc;
}
