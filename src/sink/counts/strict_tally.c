#include "sink/counts/strict_tally.h"

#include "decode/tally_lanes.h"
#include "decode/tally_v2.h"

static int count_event(void *ctx, const struct tp_wire_event *event, struct tp_span wire,
                       struct tp_error *err)
{
    (void)wire, (void)err;
    tp_tally_count(ctx, event->type, tp_event_canonical_bytes(event));
    return 0;
}

static int count_header(void *ctx, const struct tp_wire_event *event, struct tp_span wire,
                        struct tp_error *err)
{
    struct tp_unit_tally *u = ctx;
    return count_event(&u->found.tally, event, wire, err);
}

static int count_body(void *ctx, struct tp_span bytes, size_t *ret_used_bytes,
                      struct tp_error *err)
{
    (void)err;
    struct tp_unit_tally *u = ctx;
    *ret_used_bytes = tp_tally_events(&u->found.tally, bytes, u->table, NULL, NULL).used_bytes;
    return 0;
}

// Counts a unit of which lanes can count all bodies at once (decode/tally_lanes.h). False: it has
// lost bytes, an experimental batch, or a body that is not sound, and *t has no meaning.
static bool count_sound_unit(struct tp_tally *t, const struct tp_unit *unit,
                             const struct tp_arg_table *table)
{
    struct tp_span bodies[TP_UNIT_EXTENTS];
    const unsigned char *bytes = unit->bytes.ptr;
    size_t body_count = 0;
    *t = (struct tp_tally){0};
    for (size_t i = 0; i < unit->extent_count; bytes += unit->extents[i++].len_bytes) {
        const struct tp_extent *x = &unit->extents[i];
        if (x->kind == TP_EXTENT_LOST || x->batch_kind == TP_BATCH_EXPERIMENTAL)
            return false;
        if (x->ends_generation)
            tp_tally_count(t, TP_EV_EndOfGeneration, 1);
        if (x->kind != TP_EXTENT_BATCH)
            continue;
        tp_tally_header(t, x, bytes);
        bodies[body_count++] =
            tp_span_of(bytes + x->header_bytes, x->len_bytes - x->header_bytes);
    }
    return tp_tally_bodies(t, bodies, body_count, table);
}

int tp_unit_tally_count(struct tp_unit_tally *u, const struct tp_unit *unit, bool strict,
                        struct tp_error *err)
{
    const struct tp_format *f = &unit->input->format;
    const struct tp_event_visitor visitor = {
        .event = count_header, .body = count_body, .ctx = u, .strict = true};
    u->flat_from = TP_NEVER_FLAT;
    u->found.notes = (struct tp_sink_notes){0};
    if (f->decoder->has_raw_reader) {
        u->table = tp_arg_table(f->minor, strict ? TP_DIALECT_GO_RAW : TP_DIALECT_LENIENT);
        if (count_sound_unit(&u->found.tally, unit, u->table))
            return 0;
    }
    u->found.tally = (struct tp_tally){0};
    if (strict && f->decoder->has_raw_reader)
        return tp_walk_events(unit, &visitor, &u->flat_from, err);
    tp_inventory_count(&u->found, unit, NULL, NULL);
    return 0;
}

void tp_input_tally_init(struct tp_input_tally *in, const struct tp_format *format)
{
    in->tally = (struct tp_tally){0};
    tp_strict_init(&in->strict, format, count_event, &in->tally);
}

int tp_input_tally_add(struct tp_input_tally *in, const struct tp_unit_tally *u,
                       const struct tp_unit *unit, struct tp_error *err)
{
    if (tp_strict_takes_work(&in->strict))
        tp_tally_add(&in->tally, &u->found.tally);
    return tp_strict_commit(&in->strict, unit, u->flat_from, err);
}
