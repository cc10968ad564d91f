// mmu-figures FILE...: prints figures of mutator utilisation of whole traces, in lines of the same
// form as tests/corpus/mmu/main.go prints. Computes the curve twice: from all steps of the trace,
// and without the steps that cannot change the curve. Exits with 1 if the two differ, with 2 if a
// file cannot be read.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "gc_finder.h"
#include "stats/gc/curve.h"
#include "tracepipe/reader.h"

// The flags by which main.go computes the same curve.
#define FLAGS 39
#define POINTS_MAX ((size_t)50 << 20)
#define US INT64_C(1000)
#define S INT64_C(1000000000)

static const double shares[] = {0, 0.001, 0.01, 0.05};
#define SHARES TP_ARRAY_LEN(shares)

static _Noreturn void die(const char *path, const struct tp_error *err)
{
    fprintf(stderr, "%s: %s\n", path, err->text);
    exit(2);
}

// The curve of one trace, made twice: from all steps, and from those few that can change it.
struct walk {
    const char *path;
    struct tp_gc_finder finder;
    struct tp_map concerned; // goroutines that ever assisted or were GC workers
    struct tp_gc_curve *all;
    struct tp_gc_curve *few;
    uint64_t event_count;
    int64_t last_ns;
};

static void take_step(struct walk *w, const struct tp_gc_step *step)
{
    struct tp_error err;
    bool is_concerned = true;
    switch (step->kind) {
    case TP_GC_ASSIST_BEGIN:
    case TP_GC_ASSIST_ACTIVE:
    case TP_GC_WORKER:
        if (tp_map_get(&w->concerned, (uint64_t)step->g) == TP_MAP_NONE &&
            !tp_map_put(&w->concerned, (uint64_t)step->g, 1))
            abort();
        break;
    case TP_GC_EXEC_BEGIN:
    case TP_GC_EXEC_END:
        is_concerned = tp_map_get(&w->concerned, (uint64_t)step->g) != TP_MAP_NONE;
    }
    if (tp_gc_curve_step(w->all, step, &err) != 0 ||
        (is_concerned && tp_gc_curve_step(w->few, step, &err) != 0))
        die(w->path, &err);
}

static void walk_events(struct walk *w)
{
    static const struct tp_option options[] = {{"strict", "yes"}, {NULL, NULL}};
    struct tp_reader *reader;
    struct tp_event_block block;
    struct tp_error err;
    struct tp_gc_step step;
    if (tp_reader_open(w->path, options, &reader, &err) != 0)
        die(w->path, &err);
    while (tp_reader_next(reader, &block, &err) == TP_NEXT_BLOCK) {
        for (size_t i = 0; i < block.event_count; i++) {
            enum tp_gc_found found =
                tp_gc_finder_look(&w->finder, &block.events[i], block.tables, &step, &err);
            if (found == TP_GC_FOUND_FAILED)
                die(w->path, &err);
            if (found == TP_GC_FOUND_STEP)
                take_step(w, &step);
        }
        w->event_count += block.event_count;
        w->last_ns = block.events[block.event_count - 1].time_ns;
    }
    tp_reader_close(reader);
    step = (struct tp_gc_step){.time_ns = w->last_ns, .kind = TP_GC_END};
    take_step(w, &step);
}

static bool equal(const struct tp_gc_curve *a, const struct tp_gc_curve *b)
{
    struct tp_util_series left = tp_gc_curve_borrow_series(a);
    struct tp_util_series right = tp_gc_curve_borrow_series(b);
    return left.point_count == right.point_count &&
           (left.point_count == 0 ||
            memcmp(left.points, right.points, left.point_count * sizeof *left.points) == 0);
}

static void print_curve(const struct tp_util_series *s)
{
    uint64_t sum = UINT64_C(14695981039346656037);
    for (size_t k = 0; k < s->point_count; k++) {
        uint64_t bits;
        memcpy(&bits, &s->points[k].utilisation, sizeof bits);
        sum = (sum ^ (uint64_t)s->points[k].time_ns) * UINT64_C(1099511628211);
        sum = (sum ^ bits) * UINT64_C(1099511628211);
    }
    printf("%u curve %d %zu %016" PRIx64 "\n", FLAGS, s->point_count > 0, s->point_count, sum);
}

static void print_integral(const struct tp_util_series *s)
{
    const struct tp_util_point *p = s->points;
    double integral_ns = 0;
    for (size_t k = 0; k + 1 < s->point_count; k++)
        integral_ns += p[k].utilisation * (double)(p[k + 1].time_ns - p[k].time_ns);
    printf("%u integral %" PRId64 " %.17g\n", FLAGS, tp_util_series_length(s), integral_ns);
}

static void print_figures(const char *path, const struct tp_gc_curve *curve)
{
    struct tp_util_series series = tp_gc_curve_borrow_series(curve);
    struct tp_mmu *m;
    struct tp_error err;
    double means[SHARES];
    print_curve(&series);
    print_integral(&series);
    if (tp_mmu_create(&series, &m, &err) != 0)
        die(path, &err);
    for (int64_t unit = US; unit <= S; unit *= 10) {
        for (int64_t step = 1; step <= 5; step += step == 1 ? 1 : 3) {
            if (step * unit <= S)
                printf("%u mmu %" PRId64 " %.17g\n", FLAGS, step * unit,
                       tp_mmu_least(m, step * unit));
        }
        for (size_t i = 0; i < SHARES; i++)
            printf("%u stock-mud %" PRId64 "/%g %.17g\n", FLAGS, unit, shares[i],
                   tp_mmu_least(m, unit));
        if (tp_mmu_quantiles(m, unit, shares, SHARES, means, &err) != 0)
            die(path, &err);
        for (size_t i = 0; i < SHARES; i++)
            printf("%u mud %" PRId64 "/%g %.17g\n", FLAGS, unit, shares[i], means[i]);
    }
    tp_mmu_destroy(m);
}

static bool print_file(const char *path)
{
    struct walk w = {.path = path};
    struct tp_error err;
    tp_gc_finder_init(&w.finder);
    if (tp_gc_curve_create(POINTS_MAX, &w.all, &err) != 0 ||
        tp_gc_curve_create(POINTS_MAX, &w.few, &err) != 0)
        die(path, &err);
    walk_events(&w);
    printf("file %s\nevents %" PRIu64 "\n", path, w.event_count);
    bool is_equal = equal(w.all, w.few);
    if (!is_equal)
        fprintf(stderr, "%s: steps that make no difference do\n", path);
    print_figures(path, w.all);
    tp_gc_curve_destroy(w.all);
    tp_gc_curve_destroy(w.few);
    tp_gc_finder_fini(&w.finder);
    tp_map_fini(&w.concerned);
    return is_equal;
}

int main(int argc, char **argv)
{
    bool is_equal = true;
    for (int i = 1; i < argc; i++)
        is_equal = print_file(argv[i]) && is_equal;
    return !is_equal;
}
