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
    return count_event(&u->tally, event, wire, err);
}

static int count_body(void *ctx, struct tp_span bytes, size_t *ret_used_bytes,
                      struct tp_error *err)
{
    (void)err;
    struct tp_unit_tally *u = ctx;
    *ret_used_bytes = tp_tally_events(&u->tally, bytes, u->table, NULL, NULL).used_bytes;
    return 0;
}

// THE QUICK WAY assumes that every body is sound, and counts several bodies at a time. If one
// is not sound, the unit is counted again in the general way.

static void count_gathered(struct tp_unit_tally *u)
{
    u->is_sound = u->is_sound && tp_tally_bodies(&u->tally, u->bodies, u->body_count, u->table);
    u->body_count = 0;
}

static int gather_body(void *ctx, struct tp_span bytes, size_t *ret_used_bytes,
                       struct tp_error *err)
{
    (void)err;
    struct tp_unit_tally *u = ctx;
    u->bodies[u->body_count++] = bytes;
    if (u->body_count == TP_ARRAY_LEN(u->bodies))
        count_gathered(u);
    *ret_used_bytes = bytes.len_bytes;
    return 0;
}

static void reset(struct tp_unit_tally *u)
{
    u->tally = (struct tp_tally){0};
    u->notes = (struct tp_sink_notes){0};
}

// Counts a unit in the quick way. False: the unit is not sound, and its counts have no meaning.
static bool count_quickly(struct tp_unit_tally *u, const struct tp_unit *unit, bool strict)
{
    const struct tp_event_visitor visitor = {count_header, gather_body, u, strict, &u->notes};
    struct tp_error err;
    reset(u);
    u->body_count = 0;
    u->is_sound = true;
    if (tp_walk_events(unit, &visitor, &u->flat_from, &err) != 0)
        return false;
    count_gathered(u);
    return u->is_sound && u->flat_from == TP_NEVER_FLAT;
}

// Counts a unit of a format for which Go has no raw reader.
static void count_extents(struct tp_unit_tally *u, const struct tp_unit *unit)
{
    const struct tp_format *f = &unit->input->format;
    const unsigned char *bytes = unit->bytes.ptr;
    reset(u);
    u->flat_from = TP_NEVER_FLAT;
    for (size_t i = 0; i < unit->extent_count; bytes += unit->extents[i++].len_bytes)
        f->decoder->tally(&u->tally, &unit->extents[i], bytes, f->minor, NULL, NULL);
}

int tp_unit_tally_count(struct tp_unit_tally *u, const struct tp_unit *unit, bool strict,
                        struct tp_error *err)
{
    if (!unit->input->format.decoder->has_raw_reader) {
        count_extents(u, unit);
        return 0;
    }
    const struct tp_event_visitor visitor = {count_header, count_body, u, strict, &u->notes};
    enum tp_dialect dialect = strict ? TP_DIALECT_GO_RAW : TP_DIALECT_LENIENT;
    u->table = tp_arg_table(unit->input->format.minor, dialect);
    if (count_quickly(u, unit, strict))
        return 0;
    reset(u);
    return tp_walk_events(unit, &visitor, &u->flat_from, err);
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
        tp_tally_add(&in->tally, &u->tally);
    return tp_strict_commit(&in->strict, unit, u->flat_from, err);
}
