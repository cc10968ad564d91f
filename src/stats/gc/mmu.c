#include "stats/gc/mmu.h"

#include "base/alloc.h"
#include "stats/gc/mmu_bands.h"
#include "stats/gc/mud.h"

// A band to be examined, with the lower bound of the means in it.
struct waiting {
    double bound;
    size_t band_idx;
};

struct tp_mmu {
    struct tp_mmu_bands bands; // none if the curve has no length
    int64_t length_ns;         // of the curve
    struct waiting *waiting; // a heap; room for all bands
    size_t waiting_count;
    struct tp_mud mud;
};

// The results of one query, gathered from the means of windows.
struct gathering {
    double least;
    double bound;       // means above it cannot change the result
    struct tp_mud *mud; // the distribution; NULL: not wanted
    bool has_last;      // whether last_ns and last_mean hold the previous window of this band
    int64_t last_ns;
    double last_mean;
    bool out_of_memory;
};

int tp_mmu_create(const struct tp_util_series *series, struct tp_mmu **ret, struct tp_error *err)
{
    struct tp_mmu *m = tp_alloc_zero(sizeof *m);
    if (m == NULL)
        return tp_fail(err, TP_E_MEMORY, "out of memory for windows of utilisation");
    m->length_ns = tp_util_series_length(series);
    int rc = m->length_ns > 0 ? tp_mmu_bands_init(&m->bands, series, err) : 0;
    if (rc == 0 && (m->waiting = tp_alloc_array(m->bands.band_count, sizeof *m->waiting)) == NULL)
        rc = tp_fail(err, TP_E_MEMORY, "out of memory for windows of utilisation");
    if (rc == 0)
        *ret = m;
    else
        tp_mmu_destroy(m);
    return rc;
}

void tp_mmu_destroy(struct tp_mmu *m)
{
    if (m == NULL)
        return;
    tp_free(m->bands.sums);
    tp_free(m->bands.bands);
    tp_free(m->waiting);
    tp_free(m->mud.edges.items);
    tp_free(m);
}

// A BAND

// Takes the mean of a window into account. True: no other window of this band can matter, or
// memory is lacking.
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

// Visits those windows that begin in a band and can change the result: first the window at the
// beginning of the band, last the one at `end_ns`. In the last band even the first window may
// extend past the end of the curve, by fewer ns than there are bands. `end_ns` is then before the
// beginning of the band, so the second window begins before the first one, as in Go.
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
        // While the window moves by its own length, its mean falls by at most 1. So no window
        // that begins before least_ns has a mean below the bound.
        int64_t least_ns = begin_ns + (int64_t)((mean - g->bound) * (double)window_ns);
        int64_t left_ns = tp_mmu_bands_next(b, left);
        int64_t right_ns = tp_mmu_bands_next(b, right) - window_ns;
        begin_ns = left_ns < right_ns ? left_ns : right_ns;
        if (begin_ns < least_ns)
            begin_ns = least_ns;
        // The distribution needs windows up to the end of the band.
        if (begin_ns >= end_ns)
            begin_ns = end_ns;
    }
}

// THE ORDER OF BANDS
// The heap works like Go's, so that it returns bands of equal bounds in the same order: the
// distribution adds doubles in that order, and their sum depends on it.

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

static void await_bands(struct tp_mmu *m, int64_t window_ns)
{
    struct tp_mmu_reach reach = tp_mmu_bands_reach(&m->bands, window_ns);
    for (size_t i = 0; i + reach.possible <= m->bands.band_count; i++)
        m->waiting[m->waiting_count++] =
            (struct waiting){.bound = tp_mmu_bands_bound(&m->bands, i, &reach), .band_idx = i};
    for (size_t i = m->waiting_count / 2; i-- > 0;)
        sink_band(m->waiting, i, m->waiting_count);
}

static void look_at_windows(struct tp_mmu *m, int64_t window_ns, struct gathering *g)
{
    g->least = 1;
    g->bound = 1;
    m->waiting_count = 0;
    if (window_ns <= 0)
        g->least = 0;
    else if (m->bands.band_count > 0)
        await_bands(m, window_ns);
    while (m->waiting_count > 0 && m->waiting[0].bound < g->bound && !g->out_of_memory) {
        look_into_band(&m->bands, m->waiting[0].band_idx, window_ns, g);
        m->waiting[0] = m->waiting[--m->waiting_count];
        if (m->waiting_count > 0)
            sink_band(m->waiting, 0, m->waiting_count);
    }
}

// QUERIES

static int64_t window_in(const struct tp_mmu *m, int64_t window_ns)
{
    return m->length_ns > 0 && window_ns > m->length_ns ? m->length_ns : window_ns;
}

double tp_mmu_least(struct tp_mmu *m, int64_t window_ns)
{
    struct gathering g = {0};
    look_at_windows(m, window_in(m, window_ns), &g);
    return g.least;
}

int tp_mmu_quantiles(struct tp_mmu *m, int64_t window_ns, const double *shares, size_t count,
                     double *ret_means, struct tp_error *err)
{
    double greatest = shares[0];
    for (size_t i = 1; i < count; i++)
        greatest = shares[i] > greatest ? shares[i] : greatest;
    window_ns = window_in(m, window_ns);
    int64_t all_ns = m->length_ns > 0 ? m->length_ns - window_ns : 0;
    struct gathering g = {.mud = &m->mud};
    tp_mud_reset(&m->mud, (double)all_ns * greatest);
    look_at_windows(m, window_ns, &g);
    if (g.out_of_memory)
        return tp_fail(err, TP_E_MEMORY, "out of memory for the distribution of utilisation");
    for (size_t i = 0; i < count; i++) {
        if (!tp_mud_utilisation_at(&m->mud, (double)all_ns * shares[i], &ret_means[i]))
            ret_means[i] = g.least;
    }
    return 0;
}
