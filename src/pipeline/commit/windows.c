#include "pipeline/commit/windows.h"

#include <stdio.h>

#include "base/time/wall.h"
#include "sink/print/human.h"

static struct tp_wall_text wall_of(const struct tp_zone *z, const struct tp_time_arg *t)
{
    return tp_wall_text((struct tp_wall){t->wall_sec, t->wall_nsec}, 0, z);
}

// Compares one end of two windows.
static int compare(const char *option, const struct tp_time_arg *first,
                   const struct tp_time_arg *now, const struct tp_zone *z, struct tp_error *err)
{
    if (first->kind != TP_TIME_ARG_WALL || first->wall_sec == now->wall_sec)
        return 0;
    return tp_fail(err, TP_E_USAGE,
                   "option '%s' means %s in earlier inputs and %s in this one: give the date "
                   "and offset",
                   option, wall_of(z, first).text, wall_of(z, now).text);
}

// Returns how long the input lasts, as far as it was read; absurd times count as 0.
static int64_t length_ns(const struct tp_window_report *r)
{
    int64_t ns, end_ns = r->seen_end_ns > r->passed_end_ns ? r->seen_end_ns : r->passed_end_ns;
    bool is_absurd = __builtin_sub_overflow(end_ns, r->place.begin.ns, &ns) || ns < 0;
    return is_absurd ? 0 : ns;
}

static void add_range(struct tp_windows *w, const struct tp_window_report *r)
{
    const struct tp_beginning *b = &r->place.begin;
    int64_t ns = length_ns(r);
    w->longest_ns = ns > w->longest_ns ? ns : w->longest_ns;
    w->is_cut = w->is_cut || r->is_cut;
    if (!b->has_wall)
        return;
    struct tp_wall end = tp_wall_after(b->wall, ns);
    bool is_first = w->wall_count++ == 0;
    if (is_first || tp_wall_is_before(b->wall, w->begin))
        w->begin = b->wall;
    if (is_first || tp_wall_is_before(w->end, end))
        w->end = end;
}

int tp_windows_add(struct tp_windows *w, const struct tp_order_report *report,
                   const struct tp_zone *z, struct tp_error *err)
{
    const struct tp_window *place = &report->window.place;
    if (!place->is_set)
        return 0;
    if (w->input_count++ == 0)
        w->first = *place;
    w->event_count += report->event_count;
    add_range(w, &report->window);
    int rc = compare("from", &w->first.from, &place->from, z, err);
    return rc == 0 ? compare("to", &w->first.to, &place->to, z, err) : rc;
}

// Writes from when until when the inputs last: by the clock if all know it, else how long.
static void put_range(const struct tp_windows *w, const struct tp_zone *z, char *to, size_t room)
{
    bool is_one = w->input_count == 1, has_wall = w->wall_count == w->input_count;
    const char *who = is_one ? "the input lasts" : "the inputs last";
    struct tp_wall_text begin = tp_wall_text(w->begin, 0, z);
    struct tp_wall_text end = tp_wall_text(w->end, 0, z);
    struct tp_human longest = tp_human_ns((uint64_t)w->longest_ns);
    const char *more = w->is_cut ? " or more" : "";
    if (has_wall && !tp_wall_is_before(w->begin, w->end))
        snprintf(to, room, ": %s from %s on", who, begin.text);
    else if (has_wall)
        snprintf(to, room, ": %s from %s to %s%s (%s%s%s)", who, begin.text, end.text,
                 w->is_cut ? " or later" : "", is_one ? "" : "the longest ", longest.text, more);
    else if (w->longest_ns > 0)
        snprintf(to, room, ": %s %s%s%s", who, is_one ? "" : "up to ", longest.text, more);
}

bool tp_windows_are_empty(const struct tp_windows *w, const struct tp_zone *z, char *text)
{
    if (w->input_count == 0 || w->event_count > 0)
        return false;
    char range[TP_WINDOWS_TEXT_BYTES - 64] = "";
    put_range(w, z, range, sizeof range);
    snprintf(text, TP_WINDOWS_TEXT_BYTES, "no events in the time window%s", range);
    return true;
}
