#include "sink/inventory/unit.h"

#include <assert.h>

struct counting {
    struct tp_inventory_unit *unit;
    tp_ident_fn on_id;
    void *ctx; // of on_id
};

static void on_ident(void *ctx, enum tp_ident ident, uint64_t number)
{
    const struct counting *c = ctx;
    if (ident == TP_IDENT_FREQUENCY)
        c->unit->frequency = number;
    else if (c->on_id != NULL)
        c->on_id(c->ctx, ident, number);
}

void tp_inventory_count(struct tp_inventory_unit *u, const struct tp_unit *unit, tp_ident_fn on_id,
                        void *ctx)
{
    const struct tp_format *f = &unit->input->format;
    const unsigned char *bytes = unit->bytes.ptr;
    struct counting c = {u, on_id, ctx};
    u->tally = (struct tp_tally){0};
    u->frequency = 0;
    u->notes = (struct tp_sink_notes){0};
    assert(unit->extent_count <= TP_UNIT_EXTENTS);
    for (size_t i = 0; i < unit->extent_count; bytes += unit->extents[i++].len_bytes) {
        const struct tp_extent *x = &unit->extents[i];
        u->found[i] = f->decoder->tally(&u->tally, x, bytes, f->minor, on_ident, &c);
        if (u->found[i].used_bytes < x->len_bytes)
            tp_sink_note_undecoded(&u->notes, x, u->found[i].used_bytes);
    }
}
