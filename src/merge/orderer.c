#include "merge/orderer.h"

void tp_order_state_end_walk(struct tp_order_state *s)
{
    tp_v1_sequence_fini(&s->v1);
    tp_legacy_events_fini(&s->legacy);
}

uint64_t tp_order_state_left_bytes(const struct tp_order_state *s)
{
    // At most one of the three has an open generation.
    return tp_sequencer_left_bytes(&s->sequencer) + tp_v1_order_left_bytes(&s->v1.walk.order) +
           tp_v1_order_left_bytes(&s->legacy.walk.walk.order);
}

double tp_order_state_late_ns(const struct tp_order_state *s)
{
    return tp_v1_sequence_late_ns(&s->v1);
}

// GENERATIONS, SINCE GO 1.22

static int prepare_generation(const struct tp_order_source *source, struct tp_error *err)
{
    struct tp_tables *t = source->tables;
    for (size_t i = 0; i < source->table_batch_count; i++) {
        struct tp_table_batch *b = &source->table_batches[i];
        int rc = b->is_unread ? source->read_body(source->ctx, b, err) : 0;
        if (rc == TP_E_READ && t->is_partial) {
            *source->salvaged = *err;
            continue;
        }
        if (rc == 0)
            rc = tp_tables_add(t, &b->extent, b->experiment, tp_table_batch_body(b), err);
        if (rc != 0)
            return rc;
    }
    if (!t->has_frequency && t->is_partial) {
        t->frequency = source->frequency;
        t->ns_per_tick = 1.0 / ((double)source->frequency / 1e9);
    }
    if (source->drop_error->code != 0) {
        *err = *source->drop_error;
        return err->code;
    }
    return tp_tables_finish(t, err);
}

// Tests whether the generation can be put in order to its end. Also fails if the tables have an
// error.
static int rehearse_generation(const struct tp_order_state *s, const struct tp_order_source *source,
                               struct tp_error *err)
{
    if (source->salvaged->code != 0) {
        *err = *source->salvaged;
        return err->code;
    }
    return tp_sequencer_rehearse(&s->sequencer, source->lists, source->tables, source->loader, err);
}

static int begin_generation(struct tp_order_state *s, const struct tp_order_source *source,
                            struct tp_error *err)
{
    // With is_strict, Go's reader hands out the events before an error.
    int rc = source->must_be_sound && !source->is_strict ? rehearse_generation(s, source, err) : 0;
    return rc != 0 ? rc
                   : tp_sequencer_begin(&s->sequencer, source->lists, source->tables,
                                        source->repair, source->decoded, source->loader, err);
}

static enum tp_fill_status fill_from_generation(struct tp_order_state *s, void *events,
                                                size_t *ret_count, struct tp_error *err)
{
    return tp_sequencer_fill(&s->sequencer, events, TP_BLOCK_EVENTS, ret_count, err);
}

static const struct tp_orderer generations = {
    .runs_ahead = true,
    .has_sync = true,
    .prepare = prepare_generation,
    .begin = begin_generation,
    .fill = fill_from_generation,
};

// BEFORE GO 1.22

static int plan_v1(const struct tp_order_source *source, bool is_legacy, struct tp_error *err)
{
    struct tp_v1_trace *t = source->v1;
    *t = (struct tp_v1_trace){.table = tp_v1_table(source->tables->minor),
                              .tables = source->tables,
                              .lists = source->lists,
                              .loader = source->loader,
                              .max_bytes = source->max_bytes,
                              .is_strict = source->is_strict,
                              .may_prescan = !source->is_strict,
                              .is_legacy = is_legacy,
                              .given_frequency = source->frequency,
                              .symbols = source->symbols};
    int rc = 0;
    for (size_t i = 0; i < source->table_batch_count && rc == 0; i++)
        rc = tp_v1_tables_add(t, tp_table_batch_body(&source->table_batches[i]),
                              source->table_batches[i].extent.offset, err);
    if (rc == 0)
        rc = tp_v1_tables_finish(t, err);
    if (rc == 0)
        rc = tp_v1_plan(t, err);
    return rc;
}

static int prepare_v1(const struct tp_order_source *source, struct tp_error *err)
{
    int rc = plan_v1(source, false, err);
    return rc == 0 && source->must_be_sound ? tp_v1_sequence_rehearse(source->v1, err) : rc;
}

// Returns where the walk that hands out events counts mistakes; NULL: nowhere, because they are
// refused, or events may be missing.
static struct tp_doubts *doubts_of_v1(struct tp_order_state *s,
                                      const struct tp_order_source *source)
{
    return source->is_strict || source->tables->is_partial ? NULL : &s->sequencer.doubts;
}

static int begin_v1(struct tp_order_state *s, const struct tp_order_source *source,
                    struct tp_error *err)
{
    int rc = tp_v1_sequence_begin(&s->v1, source->v1, err);
    s->v1.check.doubts = doubts_of_v1(s, source);
    return rc;
}

// Fills `events`. Then copies the last time and the Sync count to the sequencer, which continues
// from them with the Sync after the trace.
static enum tp_fill_status fill_v1(struct tp_order_state *s, void *events, size_t *ret_count,
                                   struct tp_error *err)
{
    enum tp_fill_status st = tp_v1_sequence_fill(&s->v1, events, TP_BLOCK_EVENTS, ret_count, err);
    s->sequencer.last_ns = s->v1.last_ns;
    s->sequencer.sync_count = s->v1.has_sync;
    s->sequencer.unknown_id_count = s->v1.unknown_id_count;
    return st;
}

static const struct tp_orderer converted_v1 = {
    .is_all_or_nothing = true,
    .has_sync = true,
    .prepare = prepare_v1,
    .begin = begin_v1,
    .fill = fill_v1,
};

static int prepare_legacy(const struct tp_order_source *source, struct tp_error *err)
{
    int rc = plan_v1(source, true, err);
    return rc == 0 ? tp_legacy_events_plan(source->v1, source->must_be_sound, err) : rc;
}

static int begin_legacy(struct tp_order_state *s, const struct tp_order_source *source,
                        struct tp_error *err)
{
    int rc = tp_legacy_events_begin(&s->legacy, source->v1, err);
    s->legacy.walk.check.doubts = doubts_of_v1(s, source);
    return rc;
}

static enum tp_fill_status fill_legacy(struct tp_order_state *s, void *events, size_t *ret_count,
                                       struct tp_error *err)
{
    enum tp_fill_status st =
        tp_legacy_events_fill(&s->legacy, events, TP_BLOCK_EVENTS, ret_count, err);
    s->sequencer.unknown_id_count = s->legacy.unknown_id_count;
    return st;
}

static const struct tp_orderer legacy = {
    .is_all_or_nothing = true,
    .prepare = prepare_legacy,
    .begin = begin_legacy,
    .fill = fill_legacy,
};

// THE TABLE

const struct tp_orderer *tp_orderer_of(const struct tp_format *f, enum tp_event_model model)
{
    static const struct {
        const struct tp_decoder *decoder;
        const struct tp_orderer *by_model[TP_MODELS];
    } rows[] = {
        {&tp_decoder_v0, {[TP_MODEL_EVENTS] = &converted_v1, [TP_MODEL_LEGACY] = &legacy}},
        {&tp_decoder_v1, {[TP_MODEL_EVENTS] = &converted_v1, [TP_MODEL_LEGACY] = &legacy}},
        {&tp_decoder_v2, {[TP_MODEL_EVENTS] = &generations}},
    };
    for (size_t i = 0; i < TP_ARRAY_LEN(rows); i++) {
        if (rows[i].decoder == f->decoder)
            return rows[i].by_model[model];
    }
    return NULL;
}

const struct tp_event_layout tp_event_layouts[TP_MODELS] = {
    [TP_MODEL_EVENTS] = {sizeof(struct tp_event), offsetof(struct tp_event, time_ns)},
    [TP_MODEL_LEGACY] = {sizeof(struct tp_legacy_event), offsetof(struct tp_legacy_event, time_ns)},
};
