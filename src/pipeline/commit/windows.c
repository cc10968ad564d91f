#include "pipeline/commit/windows.h"

#include "base/time/wall.h"

// A time as text, by value.
struct wall_text {
    char text[TP_WALL_MAX_BYTES + 1];
};

static struct wall_text wall_of(const struct tp_zone *z, int64_t sec, int64_t nsec)
{
    struct wall_text w;
    *tp_put_wall((unsigned char *)w.text, sec, nsec, z) = '\0';
    return w;
}

// Compares one end of two windows.
static int compare(const char *option, const struct tp_time_arg *first,
                   const struct tp_time_arg *now, const struct tp_zone *z, struct tp_error *err)
{
    if (first->kind != TP_TIME_ARG_WALL || first->wall_sec == now->wall_sec)
        return 0;
    return tp_fail(err, TP_E_USAGE,
                   "option '%s' is %s in the inputs before and %s in this one: give the date too",
                   option, wall_of(z, first->wall_sec, first->wall_nsec).text,
                   wall_of(z, now->wall_sec, now->wall_nsec).text);
}

int tp_windows_add(struct tp_windows *w, const struct tp_order_report *report,
                   const struct tp_zone *z, struct tp_error *err)
{
    const struct tp_window *place = &report->window.place;
    if (!place->is_set)
        return 0;
    if (w->input_count++ == 0)
        w->first = *place;
    int rc = compare("from", &w->first.from, &place->from, z, err);
    return rc == 0 ? compare("to", &w->first.to, &place->to, z, err) : rc;
}
