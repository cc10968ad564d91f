#include "pipeline/core/unit.h"

#include <assert.h>

#include "base/alloc.h"
#include "merge/track/tracker.h"

// Whether the sink has work to do on a unit before the unit's commit.
static bool has_work(const struct tp_run_sink *s)
{
    return s->plan.unit.work != NULL && s->plan.need == TP_NEED_UNITS;
}

static bool does_fold(const struct tp_run_sink *s)
{
    return s->plan.need == TP_NEED_FOLD;
}

static bool is_in_lane(const struct tp_run_sink *s, enum tp_lane_id lane)
{
    return s->plan.need >= TP_NEED_UNITS && s->lane == lane;
}

static unsigned tracks_of(const struct tp_run *run)
{
    unsigned tracks = 0;
    for (size_t k = 0; k < run->sink_count; k++) {
        if (is_in_lane(&run->sinks[k], TP_LANE_BLOCKS))
            tracks |= run->sinks[k].plan.tracks;
    }
    return tracks;
}

// Returns the memory of an event in a block, with its facts: mostly a span.
static size_t event_bytes(const struct tp_run *run)
{
    unsigned tracks = tracks_of(run);
    return tp_event_layouts[run->model].event_bytes +
           (tracks != 0 ? sizeof(struct tp_state_span) : 0) +
           ((tracks & TP_TRACK_LASTING) != 0 ? sizeof(struct tp_interval) : 0) +
           ((tracks & TP_TRACK_WHOSE) != 0 ? sizeof(struct tp_track_whose) : 0);
}

uint64_t tp_lane_slot_bytes(const struct tp_run *run, enum tp_lane_id lane)
{
    uint64_t total = 0;
    bool is_used = false;
    for (size_t k = 0; k < run->sink_count; k++) {
        const struct tp_run_sink *s = &run->sinks[k];
        if (!is_in_lane(s, lane))
            continue;
        is_used = true;
        total += s->plan.unit_state_bytes + s->plan.unit_output_bytes + s->plan.unit_extra_bytes;
    }
    if (!is_used)
        return 0;
    switch (lane) {
    case TP_LANE_FRAMES: total += TP_FRAME_MAX_BYTES; break;
    case TP_LANE_BLOCKS: total += TP_BLOCK_EVENTS * event_bytes(run); break;
    default: break;
    }
    return total + sizeof(struct tp_slot);
}

static struct tp_sink_call unit_call(const struct tp_run *run, struct tp_slot *slot, size_t k)
{
    return (struct tp_sink_call){.config = run->sinks[k].config,
                                 .strict = run->settings.strict,
                                 .unit_state = slot->state[k],
                                 .input_index = slot->in != NULL ? slot->in->index : 0,
                                 .buf = &slot->buf[k]};
}

static void destroy_slot(struct tp_run *run, struct tp_slot *slot)
{
    for (size_t k = 0; k < run->sink_count; k++) {
        const struct tp_unit_hooks *hooks = &run->sinks[k].plan.unit;
        if (slot->state[k] != NULL && hooks->fini != NULL)
            hooks->fini(slot->state[k]);
        tp_free(slot->state[k]);
        tp_buf_fini(&slot->buf[k]);
    }
    tp_buf_fini(&slot->frame);
    tp_free(slot->events);
    tp_facts_fini(&slot->facts);
    tp_free(slot);
}

static int init_sink(struct tp_run *run, struct tp_slot *slot, size_t k, struct tp_error *err)
{
    const struct tp_run_sink *s = &run->sinks[k];
    slot->state[k] = tp_alloc_zero(s->plan.unit_state_bytes);
    if (slot->state[k] == NULL)
        return tp_fail(err, TP_E_MEMORY, "out of memory for a unit of %s", s->def->name);
    size_t out = s->plan.unit_output_bytes;
    if (out > 0 && !tp_buf_init(&slot->buf[k], out))
        return tp_fail(err, TP_E_MEMORY, "out of memory for output of %s", s->def->name);
    struct tp_sink_call call = unit_call(run, slot, k);
    return s->plan.unit.init != NULL ? s->plan.unit.init(&call, err) : 0;
}

static void work(struct tp_task *task);

static int make_slot(struct tp_run *run, enum tp_lane_id lane, struct tp_slot **ret_slot,
                     struct tp_error *err)
{
    struct tp_slot *slot = tp_alloc_zero(sizeof *slot);
    if (slot == NULL)
        return tp_fail(err, TP_E_MEMORY, "out of memory for a unit");
    slot->task.run = work;
    slot->lane = lane;
    int rc = 0;
    if (lane == TP_LANE_FRAMES && !tp_buf_init(&slot->frame, TP_FRAME_MAX_BYTES))
        rc = tp_fail(err, TP_E_MEMORY, "out of memory for a frame");
    if (lane == TP_LANE_BLOCKS)
        slot->events = tp_alloc_array(TP_BLOCK_EVENTS, tp_event_layouts[run->model].event_bytes);
    if (lane == TP_LANE_BLOCKS && slot->events == NULL)
        rc = tp_fail(err, TP_E_MEMORY, "out of memory for a block");
    for (size_t k = 0; k < run->sink_count && rc == 0; k++) {
        if (is_in_lane(&run->sinks[k], lane))
            rc = init_sink(run, slot, k, err);
    }
    if (rc != 0) {
        destroy_slot(run, slot);
        return rc;
    }
    *ret_slot = slot;
    return 0;
}

// Decides whether the units of a lane go to workers. Blocks do if a sink has `work`, or if only
// some of the sinks fold. Otherwise the thread that ordered a block commits it at once, while it is
// in that thread's cache: a handover would cost more than a sink without `work` does.
static void choose_way(struct tp_run *run, enum tp_lane_id id)
{
    struct tp_lane *lane = &run->lanes[id];
    bool all_fold = lane->is_used, some_fold = false, folds_slowly = false;
    for (size_t k = 0; k < run->sink_count; k++) {
        if (!is_in_lane(&run->sinks[k], id))
            continue;
        lane->has_work = lane->has_work || has_work(&run->sinks[k]);
        some_fold = some_fold || does_fold(&run->sinks[k]);
        all_fold = all_fold && does_fold(&run->sinks[k]);
        folds_slowly = folds_slowly || !run->sinks[k].plan.fold_is_cheap;
    }
    lane->tracks = id == TP_LANE_BLOCKS ? tracks_of(run) : 0;
    if (id != TP_LANE_BLOCKS || run->puller != NULL)
        return;
    lane->folds = all_fold;
    lane->folds_slowly = all_fold && folds_slowly;
    lane->has_work = lane->has_work || (some_fold && !all_fold);
}

int tp_lanes_init(struct tp_run *run, struct tp_error *err)
{
    for (enum tp_lane_id id = 0; id < TP_LANES; id++) {
        struct tp_lane *lane = &run->lanes[id];
        pthread_mutex_init(&lane->mu, NULL);
        lane->slot_bytes = tp_lane_slot_bytes(run, id);
        lane->is_used = lane->slot_bytes > 0;
        choose_way(run, id);
        if (!lane->is_used)
            continue;
        bool fits = tp_budget_try_take(&run->memory.budget, lane->slot_bytes, TP_RANK_YOUNGER);
        assert(fits && "tp_memory_plan_make saw to it");
        (void)fits;
        int rc = make_slot(run, id, &lane->idle, err);
        if (rc != 0)
            return rc;
        lane->idle_count = lane->made_count = 1;
    }
    return 0;
}

void tp_lanes_fini(struct tp_run *run)
{
    for (enum tp_lane_id id = 0; id < TP_LANES; id++) {
        struct tp_lane *lane = &run->lanes[id];
        while (lane->idle != NULL) {
            struct tp_slot *slot = lane->idle;
            lane->idle = slot->next;
            destroy_slot(run, slot);
        }
        pthread_mutex_destroy(&lane->mu);
    }
}

// Returns the largest number of slots of a lane. More than two per worker would only spread the
// work over memory that is in no cache. The puller needs only one slot, because it gives a block
// back before it fills the next.
static size_t made_max(const struct tp_run *run)
{
    if (run->puller != NULL)
        return 1;
    size_t most = 2 * (size_t)run->memory.plan.worker_count + 2;
    return most < TP_LANE_DEPTH ? most : TP_LANE_DEPTH;
}

// Returns how many slots the input leaves to older inputs. If inputs commit one after the other,
// units of younger inputs only wait, and should not keep the oldest input from getting slots.
static size_t kept_for_older(const struct tp_input_run *in)
{
    if (tp_rank_of(in) == TP_RANK_OLDEST)
        return 0;
    return in->run->needs.commit_turn ? made_max(in->run) / 2 : 1;
}

// Takes an idle slot or creates one, if at least `keep` slots are then left to others, idle or yet
// to be created. NULL: no slot may be taken.
static struct tp_slot *take_slot(struct tp_input_run *in, enum tp_lane_id id, size_t keep)
{
    struct tp_run *run = in->run;
    struct tp_lane *lane = &run->lanes[id];
    struct tp_slot *slot = NULL;
    pthread_mutex_lock(&lane->mu);
    if (lane->idle_count > keep) {
        slot = lane->idle;
        lane->idle = slot->next;
        lane->idle_count--;
    } else if (lane->made_count - lane->idle_count + keep < made_max(run) &&
               lane->made_count < made_max(run) &&
               tp_budget_try_take(&run->memory.budget, lane->slot_bytes, TP_RANK_YOUNGER)) {
        // If this allocation fails, the run only has fewer units at a time.
        if (make_slot(run, id, &slot, NULL) == 0)
            lane->made_count++;
        else
            tp_budget_give(&run->memory.budget, lane->slot_bytes);
    }
    pthread_mutex_unlock(&lane->mu);
    return slot;
}

static void give_slot(struct tp_run *run, struct tp_slot *slot)
{
    // Empties the partials: a partial that was never committed must not keep a generation's memory.
    tp_unit_fold_begin(slot);
    struct tp_lane *lane = &run->lanes[slot->lane];
    pthread_mutex_lock(&lane->mu);
    slot->next = lane->idle;
    lane->idle = slot;
    lane->idle_count++;
    pthread_mutex_unlock(&lane->mu);
}

static void begin_unit(struct tp_input_run *in, struct tp_slot *slot)
{
    slot->in = in;
    slot->chunk = NULL;
    slot->order_error.code = 0;
    slot->gathers = false;
    slot->gathered = (struct tp_block){0};
    slot->unit = (struct tp_unit){.input = &in->info, .extents = slot->extents};
    if (in->order_report != NULL)
        slot->unit.begin = &in->order_report->begin;
    tp_buf_reset(&slot->frame);
    tp_facts_clear(&slot->facts);
    atomic_store_explicit(&slot->done, false, memory_order_relaxed);
    if (in->run->lanes[slot->lane].folds)
        tp_unit_fold_begin(slot);
}

struct tp_slot *tp_unit_open(struct tp_input_run *in, enum tp_lane_id lane)
{
    struct tp_lane_queue *q = &in->lanes[lane];
    if (q->open != NULL)
        return q->open;
    uint64_t put = atomic_load_explicit(&q->put_count, memory_order_relaxed);
    if (put - atomic_load_explicit(&q->commit_count, memory_order_seq_cst) == TP_LANE_DEPTH)
        return NULL;
    struct tp_slot *slot = take_slot(in, lane, kept_for_older(in));
    if (slot == NULL)
        return NULL;
    begin_unit(in, slot);
    q->open = slot;
    return slot;
}

struct tp_slot *tp_unit_take_aside(struct tp_input_run *in, enum tp_lane_id lane)
{
    // Leaves one more slot than tp_unit_open does. The unit is put only after the earlier units of
    // its input; if the input is the oldest one, it may need the slot for these earlier units.
    struct tp_slot *slot = take_slot(in, lane, kept_for_older(in) + 1);
    if (slot != NULL)
        begin_unit(in, slot);
    return slot;
}

void tp_unit_drop(struct tp_slot *slot)
{
    enum tp_lane_id lane = slot->lane;
    struct tp_run *run = slot->in->run;
    give_slot(run, slot);
    tp_wake_for_units(run, lane);
}

// FOLDS

void tp_unit_fold_begin(struct tp_slot *slot)
{
    struct tp_run *run = slot->in->run;
    for (size_t k = 0; k < run->sink_count; k++) {
        slot->err[k].code = 0;
        struct tp_sink_call call = unit_call(run, slot, k);
        if (slot->state[k] != NULL && does_fold(&run->sinks[k]))
            run->sinks[k].plan.fold.begin(&call);
    }
}

// Makes a sink's hook fail if it looked for a stack that did not fit into memory: the hook saw no
// stack and went on, so its output would depend on memory. Other sinks are not affected, whichever
// of them asked for the stack first.
int tp_unit_end_looking(const struct tp_tables *tables, int rc, struct tp_error *err)
{
    bool has_missed = tp_tables_take_missed();
    return has_missed && rc == 0 && tables != NULL ? tp_tables_stacks_failure(tables, err) : rc;
}

void tp_unit_fold(struct tp_slot *slot, const struct tp_block *block)
{
    struct tp_run *run = slot->in->run;
    for (size_t k = 0; k < run->sink_count; k++) {
        struct tp_sink_call call = unit_call(run, slot, k);
        bool has_nothing = block->event_count == 0 && run->sinks[k].plan.tracks == 0;
        if (slot->state[k] == NULL || !does_fold(&run->sinks[k]) || slot->err[k].code != 0 ||
            has_nothing)
            continue;
        (void)tp_tables_take_missed();
        int rc = run->sinks[k].plan.fold.fold(&call, block, &slot->err[k]);
        (void)tp_unit_end_looking(block->tables, rc, &slot->err[k]);
    }
}

bool tp_unit_fold_is_full(const struct tp_slot *slot, size_t max_bytes)
{
    const struct tp_run *run = slot->in->run;
    for (size_t k = 0; k < run->sink_count; k++) {
        const struct tp_run_sink *s = &run->sinks[k];
        if (slot->state[k] == NULL || !does_fold(s) || s->plan.fold.grown_bytes == NULL)
            continue;
        size_t most_bytes = max_bytes > 0 ? max_bytes : s->plan.unit_extra_bytes;
        if (s->plan.fold.grown_bytes(slot->state[k]) > most_bytes)
            return true;
    }
    return false;
}

void tp_unit_fold_gathered(struct tp_slot *slot)
{
    if (slot->gathered.event_count > 0)
        tp_unit_fold(slot, &slot->gathered);
}

bool tp_unit_widen(struct tp_slot *slot)
{
    struct tp_budget *budget = &slot->in->run->memory.budget;
    const size_t more_bytes = (TP_WIDE_BLOCKS - 1) * TP_BLOCK_EVENTS * event_bytes(slot->in->run);
    if (slot->is_wide)
        return true;
    if (!tp_budget_try_take(budget, more_bytes, TP_RANK_YOUNGER))
        return false;
    struct tp_event *events =
        tp_alloc_array(TP_WIDE_BLOCKS * TP_BLOCK_EVENTS, sizeof *slot->events);
    if (events == NULL) {
        tp_budget_give(budget, more_bytes);
        return false;
    }
    tp_free(slot->events);
    slot->events = events;
    return slot->is_wide = true;
}

// SUBMIT

void tp_unit_submit(struct tp_input_run *in, enum tp_lane_id lane)
{
    struct tp_lane_queue *q = &in->lanes[lane];
    struct tp_slot *slot = q->open;
    if (slot == NULL)
        return;
    q->open = NULL;
    if (lane == TP_LANE_FRAMES)
        slot->unit.bytes = tp_span_of(slot->frame.ptr, slot->frame.len_bytes);
    tp_unit_put(in, slot);
}

void tp_unit_put(struct tp_input_run *in, struct tp_slot *slot)
{
    struct tp_lane_queue *q = &in->lanes[slot->lane];
    uint64_t put = atomic_load_explicit(&q->put_count, memory_order_relaxed);
    q->slots[put % TP_LANE_DEPTH] = slot;
    atomic_store_explicit(&q->put_count, put + 1, memory_order_release);
    if (in->run->lanes[slot->lane].has_work || slot->gathered.event_count > 0) {
        tp_pool_submit(in->run->pool, TP_TASK_LATE_STAGE, &slot->task);
        return;
    }
    atomic_store_explicit(&slot->done, true, memory_order_release);
    if (in->run->puller == NULL)
        tp_wake_commit(in);
}

static void work(struct tp_task *task)
{
    struct tp_slot *slot = (struct tp_slot *)task;
    struct tp_input_run *in = slot->in;
    struct tp_run *run = in->run;
    struct tp_meter *meter = &run->meter;
    uint64_t mark_ns = tp_meter_mark(meter);
    tp_unit_fold_begin(slot);
    if (slot->unit.block != NULL)
        tp_unit_fold(slot, slot->unit.block);
    tp_unit_fold_gathered(slot);
    for (size_t k = 0; k < run->sink_count && !tp_run_is_stopping(run); k++) {
        const struct tp_sink_plan *plan = &run->sinks[k].plan;
        if (slot->state[k] == NULL || !has_work(&run->sinks[k]) ||
            !tp_sink_accepts(plan, &slot->unit.input->format))
            continue;
        tp_buf_reset(&slot->buf[k]);
        struct tp_sink_call call = unit_call(run, slot, k);
        (void)tp_tables_take_missed();
        int rc = plan->unit.work(&call, &slot->unit, &slot->err[k]);
        (void)tp_unit_end_looking(slot->block.tables, rc, &slot->err[k]);
    }
    // CPU time of folding counts as ordering, on whichever worker it runs.
    bool folds = run->lanes[slot->lane].folds;
    tp_meter_add(meter, folds ? &meter->order_cpu_ns : &meter->work_cpu_ns, mark_ns);
    atomic_store_explicit(&slot->done, true, memory_order_release);
    tp_wake_commit(in);
}

struct tp_slot *tp_unit_done(struct tp_input_run *in, enum tp_lane_id lane)
{
    struct tp_lane_queue *q = &in->lanes[lane];
    uint64_t next = atomic_load_explicit(&q->commit_count, memory_order_relaxed);
    if (next == atomic_load_explicit(&q->put_count, memory_order_acquire))
        return NULL;
    struct tp_slot *slot = q->slots[next % TP_LANE_DEPTH];
    return atomic_load_explicit(&slot->done, memory_order_acquire) ? slot : NULL;
}

void tp_unit_retire(struct tp_input_run *in, struct tp_slot *slot)
{
    struct tp_run *run = in->run;
    enum tp_lane_id slot_lane = slot->lane;
    struct tp_chunk *chunk = slot->chunk;
    slot->chunk = NULL;
    tp_tables_release(slot->block.tables);
    slot->block.tables = NULL;
    tp_tables_release(slot->gathered.tables);
    slot->gathered.tables = NULL;
    atomic_fetch_add_explicit(&in->lanes[slot->lane].commit_count, 1, memory_order_seq_cst);
    give_slot(run, slot);
    if (chunk != NULL)
        tp_chunk_release(chunk);
    tp_wake_for_units(run, slot_lane);
}

bool tp_units_are_retired(const struct tp_input_run *in)
{
    for (enum tp_lane_id id = 0; id < TP_LANES; id++) {
        const struct tp_lane_queue *q = &in->lanes[id];
        if (atomic_load_explicit(&q->commit_count, memory_order_acquire) !=
            atomic_load_explicit(&q->put_count, memory_order_acquire))
            return false;
    }
    return true;
}
