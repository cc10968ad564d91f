// Sections of a state: totals, doubts, unordered bytes, wall clocks, and the texts that other
// sections refer to.
#include "stats/state/section.h"

// TOTALS

static void put_totals(struct tp_state_writer *w)
{
#define TP_X(field, key) tp_state_put(w, w->totals->field);
    TP_TOTALS_COUNTS(TP_X)
#undef TP_X
    tp_state_put_wide(w, w->totals->duration_ns);
}

static void get_totals(struct tp_state_reader *r)
{
    struct tp_totals *s = r->totals;
#define TP_X(field, key) s->field = tp_state_get(r);
    TP_TOTALS_COUNTS(TP_X)
#undef TP_X
    s->duration_ns = tp_state_get_wide(r);
    if (s->damaged_count > s->file_count)
        tp_state_refuse(r, "more damaged files than files");
    if (s->lost_bytes > s->stream_bytes)
        tp_state_refuse(r, "more lost bytes than bytes");
}

const struct tp_section tp_section_totals = {.put = put_totals, .get = get_totals};

// DOUBTS

// Writes the number of doubts only if it is not 0. Hardly any trace has doubts, and the states of
// traces without doubts stay as they were before this section existed.
static void put_doubts(struct tp_state_writer *w)
{
    if (w->totals->doubt_count > 0)
        tp_state_put(w, w->totals->doubt_count);
}

static void get_doubts(struct tp_state_reader *r)
{
    r->totals->doubt_count = tp_state_get(r);
}

const struct tp_section tp_section_doubts = {.put = put_doubts, .get = get_doubts};

// UNORDERED BYTES

static void put_unordered(struct tp_state_writer *w)
{
    if (w->totals->unordered_bytes > 0)
        tp_state_put(w, w->totals->unordered_bytes);
}

static void get_unordered(struct tp_state_reader *r)
{
    struct tp_totals *s = r->totals;
    s->unordered_bytes = tp_state_get(r);
    // UINT64_MAX stands for greater counts, too (tp_add_limited).
    if (s->stream_bytes < UINT64_MAX && s->unordered_bytes > s->stream_bytes - s->lost_bytes)
        tp_state_refuse(r, "more unordered bytes than bytes");
}

const struct tp_section tp_section_unordered = {.put = put_unordered, .get = get_unordered};

// TAKEN

static void put_wall(struct tp_state_writer *w, struct tp_wall wall)
{
    tp_state_put(w, (uint64_t)wall.sec);
    tp_state_put(w, (uint64_t)wall.nsec);
}

static void put_taken(struct tp_state_writer *w)
{
    const struct tp_taken *t = &w->totals->taken;
    if (t->file_count == 0)
        return;
    tp_state_put(w, t->file_count);
    put_wall(w, t->first);
    put_wall(w, t->last);
}

static void get_taken(struct tp_state_reader *r)
{
    struct tp_taken *t = &r->totals->taken;
    t->file_count = tp_state_get(r);
    t->first = tp_state_get_wall(r);
    t->last = tp_state_get_wall(r);
    if (t->file_count > r->totals->file_count)
        tp_state_refuse(r, "more files with wall-clock time than files");
    if (tp_wall_is_before(t->last, t->first))
        tp_state_refuse(r, "traces that end before they begin");
}

const struct tp_section tp_section_taken = {.put = put_taken, .get = get_taken};

// NAMES AND REASONS

static void put_texts(struct tp_state_writer *w, enum tp_state_kind kind,
                      const struct tp_intern *texts)
{
    const struct tp_state_order *o = &w->orders[kind];
    for (uint32_t i = 0; i < o->count; i++)
        tp_state_put_text(w, tp_intern_text(texts, o->sorted[i]));
}

static void get_texts(struct tp_state_reader *r, struct tp_intern *into)
{
    while (tp_state_has_more(r)) {
        struct tp_span text = tp_state_get_text(r);
        uint32_t wanted = into->count;
        if (r->code == 0)
            tp_state_expect(r, tp_intern_put(into, text), wanted, "duplicate text");
    }
}

static void put_names(struct tp_state_writer *w)
{
    put_texts(w, TP_STATE_NAME, &w->totals->names);
}

static void get_names(struct tp_state_reader *r)
{
    get_texts(r, &r->totals->names);
}

static void put_reasons(struct tp_state_writer *w)
{
    put_texts(w, TP_STATE_REASON, &w->totals->reasons);
}

static void get_reasons(struct tp_state_reader *r)
{
    get_texts(r, &r->totals->reasons);
    if (r->totals->reasons.count > TP_TOTALS_REASONS_MAX)
        tp_state_refuse(r, "more reasons of blocking than are kept");
}

const struct tp_section tp_section_names = {.put = put_names, .get = get_names};
const struct tp_section tp_section_reasons = {.put = put_reasons, .get = get_reasons};
