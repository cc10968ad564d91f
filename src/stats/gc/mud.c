#include "stats/gc/mud.h"

#include <string.h>

// Finds the bucket in which the tracked mass is reached.
static void track(struct tp_mud *d)
{
    double sum = 0;
    size_t i = 0;
    for (; i < TP_MUD_BUCKETS; i++) {
        double next = sum + d->histogram[i];
        if (next > d->tracked_mass)
            break;
        sum = next;
    }
    d->tracked_bucket = i;
    d->sum_below = sum;
}

void tp_mud_reset(struct tp_mud *d, double tracked_mass)
{
    d->edges.count = 0;
    d->is_sorted = false;
    memset(d->histogram, 0, sizeof d->histogram);
    d->tracked_mass = tracked_mass;
    track(d);
}

// The bucket of a utilisation, and the place inside the bucket.
struct place {
    size_t bucket;
    double inside; // 0 (lower end) to 1 (upper end)
};

// Returns the place of a utilisation, clipped to 0 and 1: means may exceed 1 by a rounding error.
static struct place place_of(double utilisation)
{
    double scaled = utilisation * TP_MUD_BUCKETS;
    if (!(scaled < TP_MUD_BUCKETS))
        return (struct place){TP_MUD_BUCKETS - 1, 1};
    if (!(scaled > 0))
        return (struct place){0, 0};
    size_t bucket = (size_t)scaled;
    return (struct place){bucket, scaled - (double)bucket};
}

static void count_in_buckets(struct tp_mud *d, double from, double to, double mass)
{
    struct place left = place_of(from), right = place_of(to);
    if (from == to || left.bucket == right.bucket) {
        d->histogram[left.bucket] += mass;
        return;
    }
    double each = mass / (to - from) / TP_MUD_BUCKETS;
    d->histogram[left.bucket] += each * (1 - left.inside);
    d->histogram[right.bucket] += each * right.inside;
    for (size_t i = left.bucket + 1; i < right.bucket; i++)
        d->histogram[i] += each;
}

bool tp_mud_add(struct tp_mud *d, double from, double to, double mass)
{
    if (mass == 0)
        return true;
    if (to < from) {
        double swapped = from;
        from = to;
        to = swapped;
    }
    if (!TP_LIST_ROOM_FOR(&d->edges, 2))
        return false;
    if (from == to) {
        d->edges.items[d->edges.count++] = (struct tp_mud_edge){from, 0, mass};
    } else {
        double density = mass / (to - from);
        d->edges.items[d->edges.count++] = (struct tp_mud_edge){from, density, 0};
        d->edges.items[d->edges.count++] = (struct tp_mud_edge){to, -density, 0};
    }
    count_in_buckets(d, from, to, mass);

    double bound = (double)d->tracked_bucket / TP_MUD_BUCKETS;
    if (from < bound) {
        d->sum_below += to < bound ? mass : mass * (bound - from) / (to - from);
        if (d->sum_below >= d->tracked_mass)
            track(d);
    }
    return true;
}

bool tp_mud_tracked_bound(const struct tp_mud *d, double *ret_bound)
{
    if (d->tracked_bucket == TP_MUD_BUCKETS)
        return false;
    *ret_bound = (double)(d->tracked_bucket + 1) / TP_MUD_BUCKETS;
    return true;
}

#define SORT_ITEM struct tp_mud_edge
#define SORT_KEY at
#include "base/sort/gosort.def"

bool tp_mud_utilisation_at(struct tp_mud *d, double mass, double *ret_utilisation)
{
    if (d->edges.count == 0)
        return false;
    if (!d->is_sorted)
        sort_all(&(struct sorter){d->edges.items}, d->edges.count);
    d->is_sorted = true;

    double sum = 0, density = 0, at = 0;
    for (size_t i = 0; i < d->edges.count; i++) {
        const struct tp_mud_edge *e = &d->edges.items[i];
        double next = sum + (e->at - at) * density;
        if (next >= mass) {
            // Without density any utilisation between the two edges is correct; take the upper
            // edge, which is correct for a mass of 0, too.
            *ret_utilisation = density == 0 ? e->at : (mass - sum) / density + at;
            return true;
        }
        next += e->mass;
        if (next >= mass) {
            *ret_utilisation = e->at;
            return true;
        }
        sum = next;
        at = e->at;
        density += e->density;
    }
    *ret_utilisation = at;
    return true;
}
