#include "stats/gc/mmu.h"

#include "base/alloc.h"
#include "stats/gc/mmu_bands.h"
#include "stats/gc/mud.h"

// A band that waits for its turn.
struct waiting {
    double bound;
    uint32_t series_idx;
    uint32_t band_idx;
};

struct tp_mmu {
    struct tp_mmu_bands *series;
    size_t series_count;
    struct waiting *waiting; // a heap; room for all bands
    size_t waiting_count;
    struct tp_mud mud;
};

// What a query gathers from the means it is told.
struct gathering {
    double least;
    double bound;       // means above it change nothing any more
    struct tp_mud *mud; // NULL: not asked for
    bool has_last;      // the mean before, of the same band
    int64_t last_ns;
    double last_mean;
    bool out_of_memory;
};

static int64_t window_in(const struct tp_mmu_bands *b, int64_t window_ns)
{
    int64_t length_ns = tp_mmu_bands_length(b);
    return window_ns > length_ns ? length_ns : window_ns;
}

static bool has_length(const struct tp_util_series *s)
{
    return s->point_count > 1 && s->points[0].time_ns < s->points[s->point_count - 1].time_ns;
}

int tp_mmu_create(const struct tp_util_series *series, size_t series_count, struct tp_mmu **ret,
                  struct tp_error *err)
{
    int rc = 0;
    size_t band_count = 0;
    struct tp_mmu *m = tp_alloc_zero(sizeof *m);
    if (m == NULL)
        goto no_memory;
    m->series = tp_alloc_array(series_count, sizeof *m->series);
    if (m->series == NULL)
        goto no_memory;
    for (size_t i = 0; i < series_count; i++) {
        if (!has_length(&series[i]))
            continue;
        struct tp_mmu_bands *b = &m->series[m->series_count++];
        rc = tp_mmu_bands_init(b, &series[i], err);
        if (rc != 0)
            goto failed;
        band_count += b->band_count;
    }
    m->waiting = tp_alloc_array(band_count, sizeof *m->waiting);
    if (m->waiting == NULL)
        goto no_memory;
    *ret = m;
    return 0;

no_memory:
    rc = tp_fail(err, TP_E_MEMORY, "no memory for windows of utilisation");
failed:
    tp_mmu_destroy(m);
    return rc;
}

void tp_mmu_destroy(struct tp_mmu *m)
{
    if (m == NULL)
        return;
    for (size_t i = 0; i < m->series_count; i++)
        tp_mmu_bands_fini(&m->series[i]);
    tp_free(m->series);
    tp_free(m->waiting);
    tp_mud_fini(&m->mud);
    tp_free(m);
}

// A BAND

// Takes the mean of a window. True: none of the band's other windows matters.
static bool gather(struct gathering *g, int64_t begin_ns, double mean)
{
    if (mean < g->least)
        g->least = mean;
    g->bound = g->least;
    if (g->mud == NULL)
        return mean == 0;
    if (g->has_last &&
        !tp_mud_add(g->mud, g->last_mean, mean, (double)(begin_ns - g->last_ns))) {
        g->out_of_memory = true;
        return true;
    }
    g->has_last = true;
    g->last_ns = begin_ns;
    g->last_mean = mean;
    double bound;
    if (!tp_mud_tracked_bound(g->mud, &bound))
        g->bound = 1;
    else if (bound > g->bound)
        g->bound = bound;
    return false;
}

// All windows that begin in a band and can matter. In the last band the first window may
// reach over the end of the curve, by less than there are bands, and the next one begins
// before it: Go looks there, too.
static void look_into_band(const struct tp_mmu_bands *b, size_t band_idx, int64_t window_ns,
                           struct gathering *g)
{
    size_t left = b->bands[band_idx].point_idx, right = left;
    int64_t begin_ns = tp_mmu_bands_begin(b, band_idx);
    int64_t end_ns = tp_mmu_bands_begin(b, band_idx + 1);
    int64_t last_ns = b->points[b->point_count - 1].time_ns - window_ns;
    if (last_ns < end_ns)
        end_ns = last_ns;
    g->has_last = false;
    for (;;) {
        double sum = tp_mmu_bands_sum(b, &right, begin_ns + window_ns);
        double mean = (sum - tp_mmu_bands_sum(b, &left, begin_ns)) / (double)window_ns;
        if (gather(g, begin_ns, mean) || begin_ns == end_ns)
            return;
        // No mean falls faster than by 1 in the time of a window.
        int64_t least_ns = begin_ns + (int64_t)((mean - g->bound) * (double)window_ns);
        int64_t left_ns = tp_mmu_bands_next(b, left);
        int64_t right_ns = tp_mmu_bands_next(b, right) - window_ns;
        begin_ns = left_ns < right_ns ? left_ns : right_ns;
        if (begin_ns < least_ns)
            begin_ns = least_ns;
        // The distribution wants the whole band.
        if (begin_ns >= end_ns)
            begin_ns = end_ns;
    }
}

// THE ORDER OF BANDS
// As Go's heap has it, because the distribution adds in this order.

static void sink_band(struct waiting *heap, size_t i, size_t count)
{
    struct waiting moved = heap[i];
    for (;;) {
        size_t child = 2 * i + 1;
        if (child >= count)
            break;
        if (child + 1 < count && heap[child + 1].bound < heap[child].bound)
            child++;
        if (!(heap[child].bound < moved.bound))
            break;
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = moved;
}

static void await_bands(struct tp_mmu *m, size_t series_idx, int64_t window_ns)
{
    const struct tp_mmu_bands *b = &m->series[series_idx];
    struct tp_mmu_reach reach = tp_mmu_bands_reach(b, window_in(b, window_ns));
    for (size_t i = 0; i + reach.possible <= b->band_count; i++)
        m->waiting[m->waiting_count++] = (struct waiting){
            .bound = tp_mmu_bands_bound(b, i, &reach),
            .series_idx = (uint32_t)series_idx,
            .band_idx = (uint32_t)i,
        };
}

static void look_at_windows(struct tp_mmu *m, int64_t window_ns, struct gathering *g)
{
    g->least = 1;
    g->bound = 1;
    if (window_ns <= 0) {
        g->least = 0;
        return;
    }
    m->waiting_count = 0;
    for (size_t i = 0; i < m->series_count; i++)
        await_bands(m, i, window_ns);
    for (size_t i = m->waiting_count / 2; i-- > 0;)
        sink_band(m->waiting, i, m->waiting_count);
    while (m->waiting_count > 0 && m->waiting[0].bound < g->bound && !g->out_of_memory) {
        const struct tp_mmu_bands *b = &m->series[m->waiting[0].series_idx];
        look_into_band(b, m->waiting[0].band_idx, window_in(b, window_ns), g);
        m->waiting[0] = m->waiting[--m->waiting_count];
        if (m->waiting_count > 0)
            sink_band(m->waiting, 0, m->waiting_count);
    }
}

// QUERIES

double tp_mmu_least(struct tp_mmu *m, int64_t window_ns)
{
    struct gathering g = {0};
    look_at_windows(m, window_ns, &g);
    return g.least;
}

int tp_mmu_quantiles(struct tp_mmu *m, int64_t window_ns, const double *shares, size_t count,
                     double *ret_means, struct tp_error *err)
{
    if (count == 0)
        return 0;
    double greatest = shares[0];
    for (size_t i = 1; i < count; i++)
        greatest = shares[i] > greatest ? shares[i] : greatest;
    int64_t all_ns = 0;
    for (size_t i = 0; i < m->series_count; i++)
        all_ns += tp_mmu_bands_length(&m->series[i]) - window_in(&m->series[i], window_ns);

    struct gathering g = {.mud = &m->mud};
    tp_mud_reset(&m->mud, (double)all_ns * greatest);
    look_at_windows(m, window_ns, &g);
    if (g.out_of_memory)
        return tp_fail(err, TP_E_MEMORY, "no memory for the distribution of utilisation");
    for (size_t i = 0; i < count; i++) {
        if (!tp_mud_utilisation_at(&m->mud, (double)all_ns * shares[i], &ret_means[i]))
            ret_means[i] = g.least;
    }
    return 0;
}
