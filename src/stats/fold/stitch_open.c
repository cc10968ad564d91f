// Joins intervals with a begin and an end from partial to partial: those by id, and regions.
#include "stats/fold/stitch.h"
#include "stats/system_name.h"

// BY ID

static bool add_end(struct tp_stitch_step *step, const struct tp_open_end *e)
{
    struct tp_stitch *c = step->c;
    enum tp_durations_space space = tp_open_spaces[e->kind];
    struct tp_open *open = tp_open_intervals_find(&c->open_intervals[e->kind], e->id);
    if (open != NULL) {
        bool fits = tp_stitch_record(c, space, open->name, 0, e->end_ns - open->since_ns,
                                     open->is_active);
        tp_open_intervals_remove(&c->open_intervals[e->kind], open);
        return fits;
    }
    uint32_t name = tp_stitch_name(step, e->name);
    return name != TP_INTERN_NONE &&
           tp_stitch_record(c, space, name, 0, e->is_active ? e->end_ns - e->active_ns : 0, true);
}

static bool add_open(struct tp_stitch_step *step, unsigned kind, const struct tp_open *from)
{
    struct tp_open *known = tp_open_intervals_find(&step->c->open_intervals[kind], from->id);
    if (from->is_over) {
        if (known != NULL)
            tp_open_intervals_remove(&step->c->open_intervals[kind], known);
        return true;
    }
    if (!from->is_replaced && known != NULL)
        return true;
    struct tp_open open = *from;
    open.name = tp_stitch_name(step, from->name);
    return open.name != TP_INTERN_NONE &&
           tp_open_intervals_put(&step->c->open_intervals[kind], open);
}

bool tp_stitch_add_opens(struct tp_stitch_step *step)
{
    const struct tp_partial *s = step->s;
    bool fits = true;
    for (uint32_t i = 0; i < s->open_ends.count && fits; i++)
        fits = add_end(step, &s->open_ends.items[i]);
    for (unsigned kind = 0; kind < TP_OPEN_KIND_COUNT; kind++) {
        for (uint32_t i = 0; i < s->open_intervals[kind].count && fits; i++)
            fits = add_open(step, kind, &s->open_intervals[kind].items[i]);
    }
    return fits;
}

bool tp_stitch_end_opens(struct tp_stitch *c)
{
    bool fits = true;
    for (unsigned kind = 0; kind < TP_OPEN_KIND_COUNT; kind++) {
        for (uint32_t i = 0; i < c->open_intervals[kind].count && fits; i++) {
            const struct tp_open *open = &c->open_intervals[kind].items[i];
            fits = tp_stitch_record(c, tp_open_spaces[kind], open->name, 0,
                                    c->last_ns - open->since_ns, true);
        }
        tp_open_intervals_clear(&c->open_intervals[kind]);
    }
    return fits;
}

// REGIONS

static bool push_region(struct tp_stitch *c, struct tp_stitch_g *g, uint32_t name, int64_t time_ns)
{
    uint32_t at = c->free_region_plus_1;
    if (at != 0)
        c->free_region_plus_1 = c->regions.items[at - 1].next_plus_1;
    else if (TP_LIST_ROOM(&c->regions))
        at = ++c->regions.count;
    else
        return false;
    c->regions.items[at - 1] = (struct tp_region_mark){time_ns, name, g->region_plus_1};
    g->region_plus_1 = at;
    return true;
}

static void free_innermost(struct tp_stitch *c, struct tp_stitch_g *g)
{
    uint32_t at = g->region_plus_1;
    g->region_plus_1 = c->regions.items[at - 1].next_plus_1;
    c->regions.items[at - 1].next_plus_1 = c->free_region_plus_1;
    c->free_region_plus_1 = at;
}

static bool end_innermost(struct tp_stitch *c, struct tp_stitch_g *g, int64_t end_ns)
{
    const struct tp_region_mark *open = &c->regions.items[g->region_plus_1 - 1];
    bool fits = tp_stitch_record(c, TP_SPACE_REGION, open->name, 0, end_ns - open->time_ns, false);
    free_innermost(c, g);
    return fits;
}

// Pushes the partial's open regions, in reverse: its list begins with the innermost one.
static bool push_regions(struct tp_stitch_step *step, struct tp_stitch_g *g, uint32_t at)
{
    const struct tp_region_mark *items = step->s->regions.items;
    struct tp_stitch *c = step->c;
    uint32_t reversed = 0;
    bool fits = true;
    for (; at != 0 && fits; at = items[at - 1].next_plus_1) {
        struct tp_stitch_g one = {.region_plus_1 = reversed};
        uint32_t name = tp_stitch_name(step, items[at - 1].name);
        fits = name != TP_INTERN_NONE && push_region(c, &one, name, items[at - 1].time_ns);
        reversed = one.region_plus_1;
    }
    while (reversed != 0) {
        struct tp_region_mark *mark = &c->regions.items[reversed - 1];
        uint32_t next = mark->next_plus_1;
        mark->next_plus_1 = g->region_plus_1;
        g->region_plus_1 = reversed;
        reversed = next;
    }
    return fits;
}

bool tp_stitch_add_regions(struct tp_stitch_step *step, struct tp_stitch_g *g,
                           const struct tp_partial_g *from)
{
    struct tp_stitch *c = step->c;
    const struct tp_region_mark *items = step->s->regions.items;
    bool fits = true;
    for (uint32_t at = from->region_ends_plus_1; at != 0 && fits;
         at = items[at - 1].next_plus_1) {
        uint32_t name = tp_stitch_name(step, items[at - 1].name);
        if (g->region_plus_1 != 0)
            fits = end_innermost(c, g, items[at - 1].time_ns);
        else
            fits = name != TP_INTERN_NONE &&
                   tp_stitch_record(c, TP_SPACE_REGION, name, 0, 0, true);
    }
    return fits && push_regions(step, g, from->region_plus_1);
}

bool tp_stitch_close_regions(struct tp_stitch *c, struct tp_stitch_g *g, int64_t end_ns,
                             bool is_cut)
{
    // The runtime's own goroutines inherit regions, and never end them.
    bool does_count = !tp_is_system_goroutine(tp_intern_text(&c->totals.names, g->name));
    bool fits = true;
    while (g->region_plus_1 != 0) {
        const struct tp_region_mark *open = &c->regions.items[g->region_plus_1 - 1];
        // A goroutine without an end event ends with its last change, and the region may have
        // begun after that.
        int64_t ns = end_ns > open->time_ns ? end_ns - open->time_ns : 0;
        fits = fits && (!does_count ||
                        tp_stitch_record(c, TP_SPACE_REGION, open->name, 0, ns, is_cut));
        free_innermost(c, g);
    }
    return fits;
}
