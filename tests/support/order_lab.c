#include "order_lab.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "decode/spec.h"
#include "decode_lab.h"
#include "merge/order/speculation.h"
#include "scan_many.h"

#define EXTENTS 256
#define LISTS_MAX_BYTES TP_MIB(16)
#define STATE_MAX_BYTES TP_MIB(64)
#define TABLES_MAX_BYTES TP_MIB(256)
#define USUAL_FREQUENCY 15625000

struct table_batch {
    struct tp_extent extent;
    unsigned experiment;
    struct tp_span body;
};

struct lab {
    struct tp_batch_loader loader; // first: hooks get a pointer to it
    uint32_t minor;
    bool salvage;
    const struct order_way *way;
    struct tp_sequencer sequencer;
    struct tp_span bytes;          // the whole trace
    struct tp_generation lists;    // of the open generation
    struct table_batch *table_batches;
    size_t table_batch_count;
    size_t table_batch_capacity;
    bool is_whole;                 // whether the open generation is whole
    bool after_loss;               // the open generation, or else the next one, follows a loss
    bool is_over;
    struct order_result r;
};

static void *need(void *memory)
{
    if (memory == NULL)
        abort();
    return memory;
}

static void add_error(struct lab *lab, const struct tp_error *err)
{
    struct order_result *r = &lab->r;
    if (r->error_count < ORDER_ERRORS_MAX) {
        r->errors[r->error_count] = *err;
        r->error_at[r->error_count] = r->event_count;
    }
    r->error_count++;
    lab->is_over = lab->is_over || !lab->salvage;
}

// Returns room for `count` more events.
static struct tp_event *room(struct order_result *r, size_t count)
{
    if (r->event_capacity - r->event_count < count) {
        r->event_capacity = 2 * r->event_capacity + count;
        r->events = need(tp_realloc(r->events, r->event_capacity * sizeof *r->events));
    }
    return r->events + r->event_count;
}

// Begins a run of events: from here on they use the tables `t`.
static void begin_run(struct lab *lab, struct tp_tables *t)
{
    struct order_result *r = &lab->r;
    if (!lab->way->keeps_tables)
        return;
    if (r->run_count == r->run_capacity) {
        r->run_capacity = 2 * r->run_capacity + 4;
        r->runs = need(tp_realloc(r->runs, r->run_capacity * sizeof *r->runs));
    }
    if (t != NULL)
        tp_tables_hold(t);
    r->runs[r->run_count++] = (struct order_run){t, r->event_count};
}

static int load(struct tp_batch_loader *loader, const struct tp_batch_ref *ref,
                uint32_t skip_bytes, unsigned char *to, uint32_t len_bytes, struct tp_error *err)
{
    struct lab *lab = (struct lab *)loader;
    (void)err;
    memcpy(to, lab->bytes.ptr + ref->load_offset + skip_bytes, len_bytes);
    return 0;
}

// TABLES

static struct tp_tables *try_tables(struct lab *lab, bool is_partial, struct tp_error *err)
{
    struct tp_tables *t =
        need(tp_tables_create(lab->lists.number, lab->minor, TABLES_MAX_BYTES));
    int rc = 0;
    t->is_partial = is_partial;
    for (size_t i = 0; i < lab->table_batch_count && rc == 0; i++) {
        const struct table_batch *b = &lab->table_batches[i];
        rc = tp_tables_add(t, &b->extent, b->experiment, b->body, err);
    }
    if (rc == 0 && is_partial && !t->has_frequency) {
        t->frequency = USUAL_FREQUENCY;
        t->ns_per_tick = 1.0 / (USUAL_FREQUENCY / 1e9);
    }
    if (rc == 0)
        rc = tp_tables_finish(t, err);
    if (rc == 0)
        return t;
    tp_tables_release(t);
    return NULL;
}

static struct tp_tables *make_tables(struct lab *lab)
{
    struct tp_error err;
    struct tp_tables *t = try_tables(lab, lab->salvage && !lab->is_whole, &err);
    if (t != NULL)
        return t;
    if (!lab->salvage) {
        tp_sequencer_sync(&lab->sequencer, room(&lab->r, 1));
        lab->r.event_count++;
    }
    add_error(lab, &err);
    return lab->salvage ? try_tables(lab, true, &err) : NULL;
}

// GENERATIONS

// The result of a speculation on a generation.
struct early {
    struct tp_speculative_order ahead;
    struct order_result behind; // the events after the cut
    bool is_done;
};

static void set_waiting(const struct lab *lab, struct tp_sequencer *s)
{
    if (lab->way->waits_at_once)
        s->waiting_from.count = 2, s->waiting_from.sort_count = 0;
    if (lab->way->never_waits)
        s->waiting_from.count = SIZE_MAX;
}

static void go_ahead(struct lab *lab, struct early *e, struct tp_tables *t)
{
    struct order_result *r = &e->behind;
    enum tp_fill_status status;
    struct tp_error err;
    lab->r.tried_count++;
    if (tp_speculative_order_begin(&e->ahead, &lab->lists, t, &lab->loader, lab->sequencer.last_ns,
                             STATE_MAX_BYTES, !lab->salvage, &err) != 0)
        return;
    set_waiting(lab, &e->ahead.sequencer);
    do {
        size_t count = 0;
        bool is_behind;
        status = tp_speculative_order_fill(&e->ahead, room(r, lab->way->fill_capacity),
                                     lab->way->fill_capacity, &count, &is_behind, &err);
        r->event_count += is_behind ? count : 0;
    } while (status == TP_FILL_MORE);
    e->is_done = status == TP_FILL_END;
}

static bool take_over(struct lab *lab, struct early *e)
{
    struct tp_error err;
    if (!e->is_done || !tp_speculative_order_adopt(&e->ahead, &lab->sequencer, &err))
        return false;
    struct order_result *behind = &e->behind;
    struct tp_event *to = room(&lab->r, behind->event_count + 1);
    memcpy(to, behind->events, behind->event_count * sizeof *to);
    lab->r.event_count += behind->event_count;
    lab->r.adopted_count++;
    return true;
}

static void fill(struct lab *lab, struct early *e)
{
    struct order_result *r = &lab->r;
    enum tp_fill_status status;
    size_t fill_count = 0;
    do {
        struct tp_error err;
        size_t count = 0;
        status = tp_sequencer_fill(&lab->sequencer, room(r, lab->way->fill_capacity),
                                   lab->way->fill_capacity, &count, &err);
        r->event_count += count;
        if (status == TP_FILL_BROKEN) {
            add_error(lab, &err);
            tp_order_reset(&lab->sequencer.order);
        }
        if (status == TP_FILL_MORE && ++fill_count == e->ahead.fill_count && take_over(lab, e))
            return;
    } while (status == TP_FILL_MORE);
}

// Returns which refused events may be forced: all with `is_forced`, none without salvage, else
// those of damaged generations.
static enum tp_repair repair_of(const struct lab *lab, const struct tp_tables *t)
{
    if (lab->way->is_forced)
        return TP_REPAIR_ALWAYS;
    if (!lab->salvage)
        return TP_REPAIR_NEVER;
    return t->is_partial ? TP_REPAIR_ALWAYS : TP_REPAIR_IF_TORN;
}

static void order_generation(struct lab *lab, struct tp_tables *t)
{
    const struct tp_generation *g = &lab->lists;
    struct tp_decoded_run *decoded = NULL;
    struct tp_error err;
    struct early early = {.is_done = false};
    if (lab->way->part_events > 0) {
        decoded = need(tp_alloc_zero((g->ms.count + 1) * sizeof *decoded));
        for (size_t i = 0; i < g->ms.count; i++)
            decode_lab_run(&decoded[i], &g->ms.items[i], t, &lab->loader, lab->way->part_events,
                           lab->way->part_max);
    }
    if (lab->after_loss)
        tp_order_reset(&lab->sequencer.order);
    if (lab->way->is_ahead && !t->is_partial && lab->sequencer.order.first_generation != 0)
        go_ahead(lab, &early, t);
    if (tp_sequencer_begin(&lab->sequencer, g, t, repair_of(lab, t), decoded, &lab->loader,
                           &err) == 0) {
        fill(lab, &early);
    } else {
        add_error(lab, &err);
        tp_order_reset(&lab->sequencer.order);
    }
    tp_speculative_order_fini(&early.ahead);
    order_result_fini(&early.behind);
    for (size_t i = 0; decoded != NULL && i < g->ms.count; i++)
        decode_lab_fini(&decoded[i]);
    tp_free(decoded);
}

static void close_generation(struct lab *lab)
{
    if (lab->lists.number == 0)
        return;
    struct tp_tables *t = make_tables(lab);
    if (t != NULL) {
        begin_run(lab, t);
        order_generation(lab, t);
        begin_run(lab, NULL);
    }
    tp_tables_release(t);
    lab->after_loss = !lab->is_whole;
    lab->is_whole = true;
    lab->table_batch_count = 0;
    tp_generation_reset(&lab->lists);
}

// EXTENTS

static void add_batch(struct lab *lab, const struct tp_extent *x, struct tp_span bytes)
{
    struct tp_extent batch = *x;
    struct tp_span body = tp_span_skip(bytes, x->header_bytes);
    struct tp_error err;
    unsigned experiment = x->batch_kind == TP_BATCH_EXPERIMENTAL ? bytes.ptr[1] : 0;
    if (experiment == 0)
        batch.batch_kind = (uint8_t)tp_batch_kind_of(lab->minor, body);
    if (tp_generation_add(&lab->lists, &batch, bytes, lab->minor, &err) != 0)
        abort();
    if (lab->lists.last_batch != NULL) {
        lab->lists.last_batch->body = lab->way->window_bytes > 0 ? NULL : body.ptr;
        lab->lists.last_batch->load_offset = (uint64_t)(body.ptr - lab->bytes.ptr);
    }
    if (batch.batch_kind == TP_BATCH_EVENTS)
        return;
    if (lab->table_batch_count == lab->table_batch_capacity) {
        lab->table_batch_capacity = 2 * lab->table_batch_capacity + 16;
        lab->table_batches = need(tp_realloc(
            lab->table_batches, lab->table_batch_capacity * sizeof *lab->table_batches));
    }
    lab->table_batches[lab->table_batch_count++] = (struct table_batch){batch, experiment, body};
}

static void lose(struct lab *lab)
{
    struct tp_error err;
    if (!lab->salvage) {
        tp_fail(&err, TP_E_DAMAGED, "damaged");
        add_error(lab, &err);
    } else if (lab->lists.number != 0) {
        lab->is_whole = false;
    } else {
        lab->after_loss = true;
    }
}

static void take(struct lab *lab, const struct tp_extent *x)
{
    struct tp_span bytes = tp_span_of(lab->bytes.ptr + x->offset, x->len_bytes);
    if (x->kind == TP_EXTENT_LOST) {
        lose(lab);
        return;
    }
    if (tp_generation_is_closed_by(&lab->lists, x))
        close_generation(lab);
    if (x->kind == TP_EXTENT_BATCH && !lab->is_over)
        add_batch(lab, x, bytes);
    if (x->ends_generation && !lab->is_over)
        close_generation(lab);
}

struct order_result order_trace(uint32_t minor, struct tp_span bytes, bool salvage,
                                const struct order_way *way)
{
    struct lab lab = {.loader = {load, way->window_bytes}, .minor = minor, .salvage = salvage,
                      .way = way, .bytes = bytes, .is_whole = true};
    static struct tp_extent extents[EXTENTS];
    struct tp_scan_v2 scan;
    size_t count = EXTENTS, done_bytes = 0;
    tp_scan_v2_init(&scan, minor, 0);
    tp_generation_init(&lab.lists, LISTS_MAX_BYTES);
    begin_run(&lab, NULL);
    tp_sequencer_init(&lab.sequencer, STATE_MAX_BYTES, !salvage);
    set_waiting(&lab, &lab.sequencer);
    while (count == EXTENTS && !lab.is_over) {
        done_bytes +=
            scan_many_v2(&scan, tp_span_skip(bytes, done_bytes), true, extents, EXTENTS, &count);
        for (size_t i = 0; i < count && !lab.is_over; i++)
            take(&lab, &extents[i]);
    }
    if (!lab.is_over)
        close_generation(&lab);
    if (!lab.is_over) {
        tp_sequencer_sync(&lab.sequencer, room(&lab.r, 1));
        lab.r.event_count++;
    }
    lab.r.doubts = lab.sequencer.doubts;
    lab.r.look_count = lab.sequencer.look_count;
    memcpy(lab.r.hits, lab.sequencer.order.hits, sizeof lab.r.hits);
    tp_sequencer_fini(&lab.sequencer);
    tp_generation_fini(&lab.lists);
    tp_free(lab.table_batches);
    return lab.r;
}

void order_result_fini(struct order_result *r)
{
    for (size_t i = 0; i < r->run_count; i++)
        tp_tables_release(r->runs[i].tables);
    tp_free(r->runs);
    tp_free(r->events);
    *r = (struct order_result){0};
}

// COMPARING

static bool is_same_event(const struct tp_event *a, const struct tp_event *b, bool knows_tasks)
{
    if (a->time_ns != b->time_ns || a->m != b->m || a->p != b->p || a->g != b->g ||
        a->type != b->type)
        return false;
    size_t arg_count = a->type == TP_EV_UserTaskEnd && !knows_tasks ? 2 : TP_EVENT_ARGS;
    return memcmp(a->args, b->args, arg_count * sizeof a->args[0]) == 0;
}

const char *order_difference(const struct order_result *a, const struct order_result *b)
{
    size_t count = a->event_count < b->event_count ? a->event_count : b->event_count;
    bool knows_tasks = a->adopted_count == 0 && b->adopted_count == 0;
    for (size_t i = 0; i < count; i++) {
        if (!is_same_event(&a->events[i], &b->events[i], knows_tasks))
            return "other events";
    }
    if (a->event_count != b->event_count)
        return "more or fewer events";
    if (a->error_count != b->error_count)
        return "more or fewer errors";
    for (size_t i = 0; i < a->error_count && i < ORDER_ERRORS_MAX; i++) {
        if (a->error_at[i] != b->error_at[i])
            return "an error at another place";
        if (a->errors[i].code != b->errors[i].code ||
            a->errors[i].offset != b->errors[i].offset ||
            strcmp(a->errors[i].text, b->errors[i].text) != 0)
            return "another error";
    }
    if (a->doubts.count != b->doubts.count)
        return "more or fewer doubts";
    for (size_t i = 0; i < a->doubts.count && i < TP_DOUBTS_KEPT; i++) {
        const struct tp_doubt *x = &a->doubts.first[i], *y = &b->doubts.first[i];
        if (x->generation != y->generation || x->time_ns != y->time_ns || x->m != y->m ||
            strcmp(x->text, y->text) != 0)
            return "another doubt";
    }
    return memcmp(a->hits, b->hits, sizeof a->hits) != 0 ? "other rules" : NULL;
}

const char *order_time_fault(const struct order_result *r)
{
    for (size_t i = 1; i < r->event_count; i++) {
        if (r->events[i].time_ns <= r->events[i - 1].time_ns)
            return "an event that is not later than the one before";
    }
    return NULL;
}
