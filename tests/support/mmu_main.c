// mmu-figures FILE...: figures of mutator utilisation of whole traces, in the lines of
// tests/corpus/mmu/main.go. Each curve is made twice, from all steps of the trace and
// without those that make no difference; the two have to be equal. Exits with 1 if they
// are not, with 2 if a file cannot be read.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "gc_finder.h"
#include "stats/gc/curve.h"
#include "tracepipe/reader.h"

#define WEB_UI (TP_GC_UTIL_STW | TP_GC_UTIL_BACKGROUND | TP_GC_UTIL_ASSIST)
#define POINTS_MAX ((size_t)50 << 20)
#define US INT64_C(1000)
#define S INT64_C(1000000000)

static const unsigned all_flags[] = {WEB_UI, TP_GC_UTIL_STW, WEB_UI | TP_GC_UTIL_SWEEP,
                                     WEB_UI | TP_GC_UTIL_PER_PROC,
                                     WEB_UI | TP_GC_UTIL_BY_LABEL};
#define FLAGS TP_ARRAY_LEN(all_flags)
static const double shares[] = {0, 0.001, 0.01, 0.05};
#define SHARES TP_ARRAY_LEN(shares)

static _Noreturn void die(const char *path, const struct tp_error *err)
{
    fprintf(stderr, "%s: %s\n", path, err->text);
    exit(2);
}

// The curves of one trace.
struct walk {
    const char *path;
    struct tp_gc_finder finder;
    struct tp_map concerned; // goroutines that assisted, or were workers, at any time
    struct tp_gc_curve *all[FLAGS];
    struct tp_gc_curve *few[FLAGS];
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
            !tp_map_put(&w->concerned, (uint64_t)step->g, 0))
            abort();
        break;
    case TP_GC_EXEC_BEGIN:
    case TP_GC_EXEC_END:
        is_concerned = tp_map_get(&w->concerned, (uint64_t)step->g) != TP_MAP_NONE;
    }
    for (size_t i = 0; i < FLAGS; i++) {
        if (tp_gc_curve_step(w->all[i], step, &err) != 0 ||
            (is_concerned && tp_gc_curve_step(w->few[i], step, &err) != 0))
            die(w->path, &err);
    }
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
    size_t a_count, b_count;
    const struct tp_util_series *left = tp_gc_curve_borrow_series(a, &a_count);
    const struct tp_util_series *right = tp_gc_curve_borrow_series(b, &b_count);
    if (a_count != b_count)
        return false;
    for (size_t i = 0; i < a_count; i++) {
        if (left[i].point_count != right[i].point_count ||
            memcmp(left[i].points, right[i].points,
                   left[i].point_count * sizeof *left[i].points) != 0)
            return false;
    }
    return true;
}

static void print_curve(unsigned flags, const struct tp_util_series *series, size_t count)
{
    uint64_t sum = UINT64_C(14695981039346656037);
    size_t points = 0;
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < series[i].point_count; k++) {
            uint64_t bits;
            memcpy(&bits, &series[i].points[k].utilisation, sizeof bits);
            sum = (sum ^ (uint64_t)series[i].points[k].time_ns) * UINT64_C(1099511628211);
            sum = (sum ^ bits) * UINT64_C(1099511628211);
        }
        points += series[i].point_count;
    }
    printf("%u curve %zu %zu %016" PRIx64 "\n", flags, count, points, sum);
}

static void print_integral(unsigned flags, const struct tp_util_series *series, size_t count)
{
    int64_t length_ns = 0;
    double integral_ns = 0;
    for (size_t i = 0; i < count; i++) {
        const struct tp_util_point *p = series[i].points;
        for (size_t k = 0; k + 1 < series[i].point_count; k++) {
            length_ns += p[k + 1].time_ns - p[k].time_ns;
            integral_ns += p[k].utilisation * (double)(p[k + 1].time_ns - p[k].time_ns);
        }
    }
    printf("%u integral %" PRId64 " %.17g\n", flags, length_ns, integral_ns);
}

static void print_figures(const char *path, unsigned flags, const struct tp_gc_curve *curve)
{
    size_t count;
    const struct tp_util_series *series = tp_gc_curve_borrow_series(curve, &count);
    struct tp_mmu *m;
    struct tp_error err;
    double means[SHARES];
    print_curve(flags, series, count);
    print_integral(flags, series, count);
    if (tp_mmu_create(series, count, &m, &err) != 0)
        die(path, &err);
    for (int64_t unit = US; unit <= S; unit *= 10) {
        for (int64_t step = 1; step <= 5; step += step == 1 ? 1 : 3) {
            if (step * unit <= S)
                printf("%u mmu %" PRId64 " %.17g\n", flags, step * unit,
                       tp_mmu_least(m, step * unit));
        }
        for (size_t i = 0; i < SHARES; i++)
            printf("%u stock-mud %" PRId64 "/%g %.17g\n", flags, unit, shares[i],
                   tp_mmu_least(m, unit));
        if (tp_mmu_quantiles(m, unit, shares, SHARES, means, &err) != 0)
            die(path, &err);
        for (size_t i = 0; i < SHARES; i++)
            printf("%u mud %" PRId64 "/%g %.17g\n", flags, unit, shares[i], means[i]);
    }
    tp_mmu_destroy(m);
}

static bool print_file(const char *path)
{
    struct walk w = {.path = path};
    struct tp_error err;
    bool is_equal = true;
    tp_gc_finder_init(&w.finder);
    for (size_t i = 0; i < FLAGS; i++) {
        if (tp_gc_curve_create(all_flags[i], POINTS_MAX, &w.all[i], &err) != 0 ||
            tp_gc_curve_create(all_flags[i], POINTS_MAX, &w.few[i], &err) != 0)
            die(path, &err);
    }
    walk_events(&w);
    printf("file %s\nevents %" PRIu64 "\n", path, w.event_count);
    for (size_t i = 0; i < FLAGS; i++) {
        if (!equal(w.all[i], w.few[i])) {
            fprintf(stderr, "%s: flags %u: steps that make no difference do\n", path,
                    all_flags[i]);
            is_equal = false;
        }
        print_figures(path, all_flags[i], w.all[i]);
        tp_gc_curve_destroy(w.all[i]);
        tp_gc_curve_destroy(w.few[i]);
    }
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
