#include "stats/gc/utilisation.h"

const struct tp_util_window_kind tp_util_windows[TP_UTIL_WINDOW_COUNT] = {
#define TP_X(window, ns, head, has_shares) \
    {ns, head, has_shares ? TP_UTIL_FIGURE_COUNT : TP_UTIL_FIGURE_LEAST + 1},
    TP_UTIL_WINDOWS(TP_X)
#undef TP_X
};

static const double shares[TP_UTIL_FIGURE_COUNT] = {
#define TP_X(figure, share, key, head) share,
    TP_UTIL_FIGURES(TP_X)
#undef TP_X
};

static uint32_t ppm_of(double share)
{
    if (!(share > 0))
        return 0;
    return share < 1 ? (uint32_t)(share * TP_UTIL_WHOLE_PPM) : TP_UTIL_WHOLE_PPM;
}

static int add_windows(struct tp_utilisation *u, struct tp_mmu *m, struct tp_error *err)
{
    double means[TP_UTIL_FIGURE_COUNT];
    for (unsigned w = 0; w < TP_UTIL_WINDOW_COUNT; w++) {
        const struct tp_util_window_kind *k = &tp_util_windows[w];
        int rc = k->figure_count <= 1
                     ? 0
                     : tp_mmu_quantiles(m, k->ns, shares, k->figure_count, means, err);
        if (rc != 0)
            return rc;
        means[TP_UTIL_FIGURE_LEAST] = tp_mmu_least(m, k->ns);
        for (unsigned f = 0; f < k->figure_count; f++)
            u->least_ppm[w][f] = ppm_of(means[f]);
    }
    return 0;
}

static uint64_t integral_ns(const struct tp_util_series *s)
{
    double sum = 0;
    for (size_t i = 0; i + 1 < s->point_count; i++)
        sum += s->points[i].utilisation *
               (double)(s->points[i + 1].time_ns - s->points[i].time_ns);
    uint64_t length_ns = (uint64_t)tp_util_series_length(s), rounded_ns = (uint64_t)sum;
    return rounded_ns < length_ns ? rounded_ns : length_ns;
}

int tp_utilisation_of(struct tp_utilisation *u, const struct tp_gc_curve *curve,
                      struct tp_error *err)
{
    struct tp_util_series series = tp_gc_curve_borrow_series(curve);
    struct tp_mmu *m;
    *u = (struct tp_utilisation){.assist_ns = u->assist_ns};
    if (tp_util_series_length(&series) <= 0)
        return 0;
    int rc = tp_mmu_create(&series, &m, err);
    if (rc == TP_E_TOO_LARGE)
        u->left_out_count = 1;
    if (rc != 0)
        return rc == TP_E_TOO_LARGE ? 0 : rc;
    rc = add_windows(u, m, err);
    tp_mmu_destroy(m);
    u->file_count = 1;
    u->curve_ns = (uint64_t)tp_util_series_length(&series);
    u->mutator_ns = integral_ns(&series);
    return rc;
}

void tp_utilisation_merge(struct tp_utilisation *into, const struct tp_utilisation *from)
{
    for (unsigned w = 0; w < TP_UTIL_WINDOW_COUNT; w++) {
        for (unsigned f = 0; f < TP_UTIL_FIGURE_COUNT; f++) {
            uint32_t *least = &into->least_ppm[w][f], ppm = from->least_ppm[w][f];
            if (into->file_count == 0 || (from->file_count > 0 && ppm < *least))
                *least = ppm;
        }
    }
#define TP_X(field, key) into->field = tp_add_limited(into->field, from->field);
    TP_UTIL_COUNTS(TP_X)
#undef TP_X
#define TP_X(field, key) into->field = tp_wide_add(into->field, from->field);
    TP_UTIL_TIMES(TP_X)
#undef TP_X
}
