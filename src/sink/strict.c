#include "sink/strict.h"

// Returns the header of a batch as the event that Go's raw reader takes it for.
static struct tp_wire_event batch_event(const struct tp_extent *x, struct tp_span bytes)
{
    struct tp_span body = tp_span_skip(bytes, x->header_bytes);
    if (x->batch_kind == TP_BATCH_EXPERIMENTAL)
        return (struct tp_wire_event){.type = TP_EV_ExperimentalBatch,
                                 .arg_count = 4,
                                 .args = {bytes.ptr[1], x->generation, x->m, x->time_ticks},
                                 .tail = body};
    return (struct tp_wire_event){.type = TP_EV_EventBatch,
                             .arg_count = 4,
                             .args = {x->generation, x->m, x->time_ticks, body.len_bytes}};
}

// Returns whether Go's raw reader fails at an experimental batch that Go's full reader accepts. The
// raw reader decodes the number of the experiment as a varint instead of a byte, so it misreads
// numbers above 127; and it refuses such batches in traces of releases that had none.
static bool raw_reader_misreads(const struct tp_extent *x, struct tp_span bytes, uint32_t minor)
{
    return x->batch_kind == TP_BATCH_EXPERIMENTAL &&
           (bytes.ptr[1] >= 0x80 || minor < tp_event_specs[TP_EV_ExperimentalBatch].since);
}

// Visits the events of a batch. *ret_used_bytes < bytes.len_bytes: the rest cannot be decoded as
// the batch's kind requires.
static int visit_batch(const struct tp_extent *x, struct tp_span bytes, bool is_misread,
                       const struct tp_event_visitor *visitor, size_t *ret_used_bytes,
                       struct tp_error *err)
{
    *ret_used_bytes = 0;
    if (is_misread)
        return 0;
    bool is_one_event = x->batch_kind == TP_BATCH_EXPERIMENTAL;
    size_t first_bytes = is_one_event ? bytes.len_bytes : x->header_bytes;
    struct tp_wire_event event = batch_event(x, bytes);
    int rc = visitor->event(visitor->ctx, &event, tp_span_of(bytes.ptr, first_bytes), err);
    size_t body_bytes = 0;
    if (rc == 0 && !is_one_event)
        rc = visitor->body(visitor->ctx, tp_span_skip(bytes, first_bytes), &body_bytes, err);
    *ret_used_bytes = first_bytes + body_bytes;
    return rc;
}

static int visit_end_mark(struct tp_span bytes, const struct tp_event_visitor *visitor,
                          struct tp_error *err)
{
    struct tp_wire_event event = {.type = TP_EV_EndOfGeneration};
    return visitor->event(visitor->ctx, &event, bytes, err);
}

int tp_walk_events(const struct tp_unit *unit, const struct tp_event_visitor *visitor,
                   size_t *ret_flat_from, struct tp_error *err)
{
    const struct tp_decoder *decoder = unit->input->format.decoder;
    uint32_t minor = unit->input->format.minor;
    bool strict = visitor->strict && decoder->has_raw_reader;
    *ret_flat_from = TP_NEVER_FLAT;
    for (size_t i = 0; i < unit->extent_count; i++) {
        const struct tp_extent *x = &unit->extents[i];
        size_t at_bytes = (size_t)(x->offset - unit->offset);
        struct tp_span bytes = tp_span_of(unit->bytes.ptr + at_bytes, x->len_bytes);
        // A structural extent without an event is the file header.
        size_t used_bytes = x->len_bytes;
        int rc = 0;
        if (x->kind == TP_EXTENT_BATCH && decoder->header_is_event)
            rc = visitor->body(visitor->ctx, bytes, &used_bytes, err);
        else if (x->kind == TP_EXTENT_BATCH)
            rc = visit_batch(x, bytes, strict && raw_reader_misreads(x, bytes, minor), visitor,
                             &used_bytes, err);
        else if (x->ends_generation)
            rc = visit_end_mark(bytes, visitor, err);
        else if (x->kind == TP_EXTENT_LOST)
            used_bytes = 0;
        if (rc != 0)
            return rc;
        bool is_break = used_bytes < x->len_bytes || x->kind == TP_EXTENT_LOST;
        if (strict && is_break) {
            *ret_flat_from = at_bytes + used_bytes;
            return 0;
        }
        if (is_break && x->kind == TP_EXTENT_BATCH)
            tp_sink_note_undecoded(visitor->notes, x, used_bytes);
    }
    return 0;
}

void tp_strict_init(struct tp_strict *s, const struct tp_format *format, tp_flat_fn on_event,
                    void *ctx)
{
    *s = (struct tp_strict){0};
    // The offset is set when flat reading begins.
    if (format->decoder->has_raw_reader)
        tp_flat_init(&s->flat, tp_arg_table(format->minor, TP_DIALECT_GO_RAW), 0, on_event, ctx);
}

void tp_strict_fini(struct tp_strict *s)
{
    tp_flat_fini(&s->flat);
}

int tp_strict_commit(struct tp_strict *s, const struct tp_unit *unit, size_t flat_from,
                     struct tp_error *err)
{
    if (s->failed || (!s->is_flat && flat_from == TP_NEVER_FLAT))
        return 0;
    struct tp_span bytes = unit->bytes;
    if (!s->is_flat) {
        s->is_flat = true;
        s->flat.offset = unit->offset + flat_from;
        bytes = tp_span_skip(bytes, flat_from);
    }
    int rc = tp_flat_feed(&s->flat, bytes, err);
    s->failed = rc != 0;
    return rc;
}

int tp_strict_end(struct tp_strict *s, struct tp_error *err)
{
    if (s->failed)
        return 0;
    int rc = tp_flat_end(&s->flat, err);
    s->failed = rc != 0;
    return rc;
}
