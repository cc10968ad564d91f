// Curves of mutator utilisation: one case for each rule, and random steps against a model
// that goes through all Ps and all steps, as the rules are written.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "stats/gc/curve.h"

#define STEPS_MAX 16
#define POINTS_MAX 12
#define SERIES_MAX 5
#define ALL (TP_GC_UTIL_STW | TP_GC_UTIL_BACKGROUND | TP_GC_UTIL_ASSIST | TP_GC_UTIL_SWEEP)
#define PER_PROC TP_GC_UTIL_PER_PROC
#define BY_LABEL TP_GC_UTIL_BY_LABEL

// CASES

#define SYNC(ns, n) {.kind = TP_GC_SYNC, .time_ns = ns, .value = n}
#define PROCS(ns, n) {.kind = TP_GC_PROCS, .time_ns = ns, .value = n}
#define STW_BEGIN(ns) {.kind = TP_GC_STW_BEGIN, .time_ns = ns}
#define STW_END(ns) {.kind = TP_GC_STW_END, .time_ns = ns}
#define ON(what, ns, proc, go) {.kind = TP_GC_##what, .time_ns = ns, .p = proc, .g = go}
#define ON_IF(what, ns, proc, go) {.kind = TP_GC_##what, .time_ns = ns, .p = proc, .g = go, \
                                   .flag = true}
#define END(ns) {.kind = TP_GC_END, .time_ns = ns}

struct curve_case {
    const char *name;
    unsigned flags;
    struct tp_gc_step steps[STEPS_MAX]; // up to the first END
    struct tp_util_point points[SERIES_MAX][POINTS_MAX]; // up to the END of each
};

#define STOP {-1, -1}

static const struct curve_case cases[] = {
    {"a stopped world takes all Ps", ALL,
     {PROCS(1, 4), STW_BEGIN(10), STW_END(20), END(30)},
     {{{1, 1}, {10, 0}, {20, 1}, {30, 0}, STOP}}},
    {"stopped worlds nest", ALL,
     {PROCS(1, 4), STW_BEGIN(10), STW_BEGIN(12), STW_END(20), STW_END(21), END(30)},
     {{{1, 1}, {10, 0}, {21, 1}, {30, 0}, STOP}}},
    {"what is not asked for does not count", 0,
     {PROCS(1, 4), STW_BEGIN(10), ON(SWEEP_BEGIN, 11, 0, 1), ON(ASSIST_BEGIN, 12, 1, 1),
      ON(WORKER, 13, 2, 2), ON(EXEC_END, 14, 2, 2), END(30)},
     {{{1, 1}, {30, 0}, STOP}}},
    {"nothing counts before the number of Ps is told", ALL,
     {STW_BEGIN(1), ON(WORKER, 2, 0, 7), PROCS(3, 2), ON(EXEC_BEGIN, 4, 0, 7), END(9)},
     {{{3, 1}, {9, 0}, STOP}}},
    {"without Ps there is no curve", ALL, {STW_BEGIN(1), END(2)}, {{{0}}}},
    {"a sweep takes its P", ALL,
     {PROCS(1, 4), ON(SWEEP_BEGIN, 5, 2, 1), ON(SWEEP_END, 8, 2, 1), END(9)},
     {{{1, 1}, {5, 0.75}, {8, 1}, {9, 0}, STOP}}},
    {"two on one P take one P", ALL,
     {PROCS(1, 4), ON(SWEEP_BEGIN, 5, 2, 1), ON(ASSIST_BEGIN, 6, 2, 1), ON(SWEEP_END, 8, 2, 1),
      ON(ASSIST_END, 9, 2, 1), END(10)},
     {{{1, 1}, {5, 0.75}, {9, 1}, {10, 0}, STOP}}},
    {"an assist counts where and while its goroutine executes", ALL,
     {PROCS(1, 2), ON(ASSIST_BEGIN, 5, 0, 7), ON(EXEC_END, 6, 0, 7), ON(EXEC_BEGIN, 7, 1, 7),
      ON(ASSIST_END, 8, 1, 7), ON(EXEC_END, 9, 1, 7), END(10)},
     {{{1, 1}, {5, 0.5}, {6, 1}, {7, 0.5}, {8, 1}, {10, 0}, STOP}}},
    {"others that execute do not count", ALL,
     {PROCS(1, 2), ON(ASSIST_BEGIN, 5, 0, 7), ON(EXEC_END, 6, 0, 8), ON(EXEC_BEGIN, 7, 1, 9),
      ON(ASSIST_END, 8, 0, 7), END(10)},
     {{{1, 1}, {5, 0.5}, {8, 1}, {10, 0}, STOP}}},
    {"a worker's second run leaves its P busy", ALL,
     {PROCS(1, 4), ON(WORKER, 5, 0, 7), ON(EXEC_END, 6, 0, 7), ON(EXEC_BEGIN, 10, 0, 7),
      ON(WORKER, 11, 0, 7), ON(EXEC_END, 12, 0, 7), END(20)},
     {{{1, 1}, {5, 0.75}, {6, 1}, {10, 0.75}, {20, 0}, STOP}}},
    {"a worker is one for ever", ALL,
     {PROCS(1, 4), ON(WORKER, 5, 0, 7), ON(EXEC_END, 6, 0, 7), ON(EXEC_BEGIN, 10, 3, 7),
      ON(EXEC_END, 12, 3, 7), END(20)},
     {{{1, 1}, {5, 0.75}, {6, 1}, {10, 0.75}, {12, 1}, {20, 0}, STOP}}},
    {"by label, a worker's second run counts as its first", ALL | BY_LABEL,
     {PROCS(1, 4), ON(WORKER, 5, 0, 7), ON(EXEC_END, 6, 0, 7), ON(EXEC_BEGIN, 10, 3, 7),
      ON(WORKER, 11, 3, 7), ON(WORKER, 12, 3, 7), ON(EXEC_END, 13, 3, 7), END(20)},
     {{{1, 1}, {5, 0.75}, {6, 1}, {11, 0.75}, {13, 1}, {20, 0}, STOP}}},
    {"by label, a run without one does not count", ALL | BY_LABEL,
     {PROCS(1, 4), ON(WORKER, 5, 0, 7), ON(EXEC_END, 6, 0, 7), ON(EXEC_BEGIN, 10, 3, 7),
      ON(EXEC_END, 12, 3, 7), END(20)},
     {{{1, 1}, {5, 0.75}, {6, 1}, {20, 0}, STOP}}},
    {"dedicated workers count in one curve for all", ALL,
     {PROCS(1, 2), ON_IF(WORKER, 5, 0, 7), END(20)},
     {{{1, 1}, {5, 0.5}, {20, 0}, STOP}}},
    {"dedicated workers do not count in curves of Ps", ALL | PER_PROC,
     {PROCS(1, 2), ON_IF(WORKER, 5, 0, 7), ON(EXEC_END, 6, 0, 7), ON(WORKER, 7, 1, 8), END(20)},
     {{{1, 1}, {20, 0}, STOP}, {{1, 1}, {7, 0}, STOP}}},
    {"each P has its curve", ALL | PER_PROC,
     {PROCS(1, 2), ON(SWEEP_BEGIN, 5, 1, 1), STW_BEGIN(6), ON(SWEEP_END, 7, 1, 1), STW_END(8),
      END(20)},
     {{{1, 1}, {6, 0}, {8, 1}, {20, 0}, STOP}, {{1, 1}, {5, 0}, {8, 1}, {20, 0}, STOP}}},
    {"curves of Ps end and begin with them", ALL | PER_PROC,
     {PROCS(1, 2), ON(SWEEP_BEGIN, 3, 1, 1), PROCS(5, 1), PROCS(7, 2), END(20)},
     {{{1, 1}, {20, 0}, STOP}, {{1, 1}, {3, 0}, STOP}, {{7, 1}, {20, 0}, STOP}}},
    {"one curve goes on, with other shares", ALL,
     {PROCS(1, 2), ON(SWEEP_BEGIN, 3, 0, 1), PROCS(5, 4), ON(SWEEP_BEGIN, 6, 3, 1), PROCS(8, 1),
      PROCS(9, 4), END(20)},
     {{{1, 1}, {3, 0.5}, {5, 0.75}, {6, 0.5}, {8, 0}, {9, 0.75}, {20, 0}, STOP}}},
    {"without Ps nothing counts any more", ALL,
     {PROCS(1, 2), PROCS(5, 0), STW_BEGIN(6), PROCS(7, 2), END(20)},
     {{{1, 1}, {20, 0}, STOP}}},
    {"a sweep that is active was so from the beginning", ALL,
     {SYNC(0, 1), PROCS(1, 4), STW_BEGIN(2), STW_END(3), ON(SWEEP_ACTIVE, 5, 2, 1),
      ON(SWEEP_END, 8, 2, 1), END(9)},
     {{{1, 0.75}, {2, 0}, {3, 0.75}, {8, 1}, {9, 0}, STOP}}},
    {"shares of the past are those of then", ALL,
     {SYNC(0, 1), PROCS(1, 2), ON(SWEEP_BEGIN, 2, 0, 1), PROCS(3, 4), ON(SWEEP_ACTIVE, 5, 2, 1),
      END(9)},
     {{{1, 0.5}, {2, 0}, {3, 0.25}, {5, 0.5}, {9, 0}, STOP}}},
    {"an assist that is active was so if its reader executes", ALL,
     {PROCS(1, 4), ON_IF(ASSIST_ACTIVE, 5, 2, 7), ON(EXEC_END, 8, 2, 7), END(9)},
     {{{1, 0.75}, {8, 1}, {9, 0}, STOP}}},
    {"else it only begins", ALL,
     {PROCS(1, 4), ON(ASSIST_ACTIVE, 5, 2, 7), ON(EXEC_END, 8, 2, 7), END(9)},
     {{{1, 1}, {5, 0.75}, {8, 1}, {9, 0}, STOP}}},
    {"curves of Ps are not lowered", ALL | PER_PROC,
     {PROCS(1, 1), ON(SWEEP_ACTIVE, 5, 0, 1), END(9)},
     {{{1, 1}, {5, 0}, STOP}}},
    {"what is active after the second Sync has begun before", ALL,
     {SYNC(0, 1), PROCS(1, 4), SYNC(2, 2), ON(SWEEP_ACTIVE, 5, 2, 1),
      ON_IF(ASSIST_ACTIVE, 6, 2, 1), END(9)},
     {{{1, 1}, {9, 0}, STOP}}},
    {"Ps that are not there are passed over", ALL,
     {PROCS(1, 4), ON(SWEEP_BEGIN, 2, -1, 1), ON(SWEEP_ACTIVE, 3, 4, 1), ON(WORKER, 4, 5, 1),
      ON(EXEC_BEGIN, 5, 0, 1), END(9)},
     {{{1, 1}, {9, 0}, STOP}}},
    {"ends without a begin are owed", ALL,
     {PROCS(1, 4), ON(SWEEP_END, 2, 0, 1), ON(SWEEP_BEGIN, 3, 0, 1), STW_END(4), STW_BEGIN(5),
      END(9)},
     {{{1, 1}, {9, 0}, STOP}}},
    {"of several points at one time the lowest stays", ALL,
     {PROCS(1, 4), STW_BEGIN(1), STW_END(5), ON(SWEEP_BEGIN, 7, 0, 1), END(7)},
     {{{1, 0}, {5, 1}, {7, 0}, STOP}}},
};

static struct tp_gc_curve *create(unsigned flags, size_t most)
{
    struct tp_gc_curve *c;
    struct tp_error err;
    assert_int_equal(tp_gc_curve_create(flags, most, &c, &err), 0);
    return c;
}

static size_t step_count_of(const struct curve_case *k)
{
    size_t count = 0;
    while (k->steps[count].kind != TP_GC_END)
        count++;
    return count + 1;
}

static void test_rules(void **state)
{
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(cases); i++) {
        const struct curve_case *k = &cases[i];
        struct tp_gc_curve *c = create(k->flags, 1000);
        struct tp_error err;
        for (size_t s = 0; s < step_count_of(k); s++)
            assert_int_equal(tp_gc_curve_step(c, &k->steps[s], &err), 0);
        size_t series_count, want_count = 0;
        const struct tp_util_series *series = tp_gc_curve_borrow_series(c, &series_count);
        while (k->points[want_count][0].time_ns != 0)
            want_count++;
        if (series_count != want_count)
            fail_msg("%s: %zu curves", k->name, series_count);
        for (size_t s = 0; s < series_count; s++) {
            size_t p = 0;
            for (; k->points[s][p].time_ns != -1; p++) {
                if (p >= series[s].point_count ||
                    series[s].points[p].time_ns != k->points[s][p].time_ns ||
                    series[s].points[p].utilisation != k->points[s][p].utilisation)
                    fail_msg("%s: curve %zu, point %zu", k->name, s, p);
            }
            if (series[s].point_count != p)
                fail_msg("%s: curve %zu, %zu points", k->name, s, series[s].point_count);
        }
        tp_gc_curve_destroy(c);
    }
}

static void test_nothing_follows_the_end(void **state)
{
    static const struct tp_gc_step steps[] = {PROCS(1, 1), END(5), STW_BEGIN(6), END(9)};
    struct tp_gc_curve *c = create(ALL, 100);
    size_t count;
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(steps); i++)
        assert_int_equal(tp_gc_curve_step(c, &steps[i], NULL), 0);
    assert_int_equal(tp_gc_curve_borrow_series(c, &count)[0].point_count, 2);
    tp_gc_curve_destroy(c);
    tp_gc_curve_destroy(NULL);
}

// LIMITS

static int play(const struct tp_gc_step *steps, size_t count, unsigned flags, size_t most,
                struct tp_error *err)
{
    struct tp_gc_curve *c = NULL;
    int rc = tp_gc_curve_create(flags, most, &c, err);
    for (size_t i = 0; rc == 0 && i < count; i++)
        rc = tp_gc_curve_step(c, &steps[i], err);
    tp_gc_curve_destroy(c);
    return rc;
}

static void test_no_more_is_held_than_allowed(void **state)
{
    static const struct tp_gc_step grown[] = {
        PROCS(1, 2), STW_BEGIN(2), STW_END(3), ON(ASSIST_BEGIN, 4, 0, 7),
        ON(ASSIST_BEGIN, 5, 0, 7), ON(ASSIST_END, 6, 0, 7), ON(WORKER, 7, 0, 9)};
    static const struct tp_gc_step huge[] = {PROCS(1, UINT64_MAX)};
    struct tp_error err;
    (void)state;
    // Two Ps, a change of their number, one goroutine at a time, and the points:
    // {1, 1}, {2, 0}, {3, 1}, {4, 0.5}; the second assist and the worker change none.
    assert_int_equal(play(grown, TP_ARRAY_LEN(grown), ALL, 8, &err), 0);
    for (size_t most = 0; most < 8; most++)
        assert_int_equal(play(grown, TP_ARRAY_LEN(grown), ALL, most, &err), TP_E_TOO_LARGE);
    // Three points of the other P instead of none.
    assert_int_equal(play(grown, TP_ARRAY_LEN(grown), ALL | PER_PROC, 11, &err), 0);
    for (size_t most = 0; most < 11; most++)
        assert_int_equal(play(grown, TP_ARRAY_LEN(grown), ALL | PER_PROC, most, &err),
                         TP_E_TOO_LARGE);
    assert_int_equal(play(huge, 1, ALL, SIZE_MAX / 2, &err), TP_E_TOO_LARGE);
}

static void test_every_failed_allocation_is_told(void **state)
{
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(cases); i++) {
        const struct curve_case *k = &cases[i];
        uint64_t live_bytes = tp_alloc_live_bytes();
        for (uint64_t nth = 1;; nth++) {
            struct tp_error err = {0};
            tp_alloc_fail_at(nth, true);
            int rc = play(k->steps, step_count_of(k), k->flags, 1000, &err);
            tp_alloc_fail_at(0, false);
            assert_true(tp_alloc_live_bytes() == live_bytes);
            if (rc == 0)
                break;
            assert_int_equal(rc, TP_E_MEMORY);
            assert_int_equal(err.code, TP_E_MEMORY);
        }
    }
}

// THE MODEL

#define MODEL_PROCS 6
#define MODEL_GOS 8
#define MODEL_POINTS 4096
#define MODEL_SERIES 256

struct model {
    unsigned flags;
    struct {
        int busy;
        size_t series;
    } procs[MODEL_PROCS];
    size_t proc_count, series_count, change_count;
    struct {
        int64_t time_ns;
        size_t count;
    } changes[MODEL_POINTS];
    bool assists[MODEL_GOS], works[MODEL_GOS];
    int stw;
    uint64_t sync;
    struct tp_util_point points[MODEL_SERIES][MODEL_POINTS];
    size_t counts[MODEL_SERIES];
};

static void model_add(struct model *m, size_t s, int64_t time_ns, double utilisation)
{
    struct tp_util_point *last = m->counts[s] > 0 ? &m->points[s][m->counts[s] - 1] : NULL;
    if (last != NULL && last->utilisation == utilisation)
        return;
    if (last == NULL || last->time_ns != time_ns)
        m->points[s][m->counts[s]++] = (struct tp_util_point){time_ns, utilisation};
    else if (utilisation < last->utilisation)
        last->utilisation = utilisation;
}

static void model_procs(struct model *m, int64_t time_ns, size_t count)
{
    bool per_proc = (m->flags & PER_PROC) != 0;
    for (; m->proc_count > count; m->proc_count--) {
        if (per_proc)
            model_add(m, m->procs[m->proc_count - 1].series, time_ns, 0);
    }
    for (; m->proc_count < count; m->proc_count++) {
        m->procs[m->proc_count].busy = 0;
        m->procs[m->proc_count].series = per_proc ? m->series_count : 0;
        if (per_proc || m->series_count == 0)
            model_add(m, m->series_count++, time_ns, 1);
    }
    m->changes[m->change_count].time_ns = time_ns;
    m->changes[m->change_count++].count = count;
}

static void model_lower(struct model *m)
{
    for (size_t i = 0; i < m->counts[0]; i++) {
        size_t count = m->changes[0].count;
        for (size_t k = 1; k < m->change_count; k++) {
            if (m->changes[k].time_ns < m->points[0][i].time_ns)
                count = m->changes[k].count;
        }
        double lowered = m->points[0][i].utilisation - 1 / (double)count;
        m->points[0][i].utilisation = lowered < 0 ? 0 : lowered;
    }
}

static void model_apply(struct model *m, const struct tp_gc_step *s)
{
    bool per_proc = (m->flags & PER_PROC) != 0;
    int *busy = &m->procs[s->p].busy;
    switch (s->kind) {
    case TP_GC_SWEEP_END: *busy -= (m->flags & TP_GC_UTIL_SWEEP) != 0; break;
    case TP_GC_SWEEP_ACTIVE:
        if (m->sync > 1 || (m->flags & TP_GC_UTIL_SWEEP) == 0)
            break;
        if (!per_proc)
            model_lower(m);
        ++*busy;
        break;
    case TP_GC_SWEEP_BEGIN: *busy += (m->flags & TP_GC_UTIL_SWEEP) != 0; break;
    case TP_GC_ASSIST_ACTIVE:
        if (m->sync > 1)
            break;
        if ((m->flags & TP_GC_UTIL_ASSIST) != 0 && s->flag && !per_proc)
            model_lower(m);
        __attribute__((fallthrough));
    case TP_GC_ASSIST_BEGIN:
        if ((m->flags & TP_GC_UTIL_ASSIST) == 0)
            break;
        ++*busy;
        m->assists[s->g] = true;
        break;
    case TP_GC_ASSIST_END:
        if ((m->flags & TP_GC_UTIL_ASSIST) == 0)
            break;
        --*busy;
        m->assists[s->g] = false;
        break;
    case TP_GC_EXEC_BEGIN: *busy += m->assists[s->g] || m->works[s->g]; break;
    case TP_GC_EXEC_END:
        *busy -= m->assists[s->g] || m->works[s->g];
        m->works[s->g] = m->works[s->g] && (m->flags & BY_LABEL) == 0;
        break;
    case TP_GC_WORKER:
        if ((m->flags & TP_GC_UTIL_BACKGROUND) == 0 || (per_proc && s->flag) ||
            ((m->flags & BY_LABEL) != 0 && m->works[s->g]))
            break;
        ++*busy;
        m->works[s->g] = true;
    }
}

static void model_step(struct model *m, const struct tp_gc_step *s)
{
    if (s->kind == TP_GC_SYNC)
        m->sync = s->value;
    else if (s->kind == TP_GC_PROCS)
        model_procs(m, s->time_ns, (size_t)s->value);
    else if (s->kind == TP_GC_STW_BEGIN)
        m->stw += (m->flags & TP_GC_UTIL_STW) != 0;
    else if (s->kind == TP_GC_STW_END)
        m->stw -= (m->flags & TP_GC_UTIL_STW) != 0;
    else if (s->kind != TP_GC_END && s->p >= 0 && (size_t)s->p < m->proc_count)
        model_apply(m, s);
    size_t gc_count = 0;
    for (size_t i = 0; i < m->proc_count; i++) {
        bool is_gc = m->stw > 0 || m->procs[i].busy > 0;
        gc_count += is_gc;
        if ((m->flags & PER_PROC) != 0)
            model_add(m, m->procs[i].series, s->time_ns, s->kind == TP_GC_END || is_gc ? 0 : 1);
    }
    if (m->proc_count > 0 && (m->flags & PER_PROC) == 0)
        model_add(m, 0, s->time_ns,
                  s->kind == TP_GC_END ? 0 : 1 - (double)gc_count / (double)m->proc_count);
}

static uint64_t next_random(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

static struct tp_gc_step random_step(uint64_t *seed, int64_t time_ns, bool has_sync)
{
    struct tp_gc_step s = {.time_ns = time_ns};
    s.kind = (uint8_t)(next_random(seed) % TP_GC_END);
    s.p = (int64_t)(next_random(seed) % MODEL_PROCS);
    s.g = (int64_t)(next_random(seed) % MODEL_GOS);
    s.flag = next_random(seed) % 2 == 0;
    s.value = s.kind == TP_GC_PROCS ? 1 + next_random(seed) % MODEL_PROCS : has_sync;
    // Rarely: each makes another curve for every P that is new.
    if (s.kind == TP_GC_PROCS && next_random(seed) % 16 != 0)
        s.kind = TP_GC_EXEC_END;
    return s;
}

static void test_random_steps_against_the_model(void **state)
{
    static struct model m;
    uint64_t seed = 88172645463325252u;
    (void)state;
    for (int round = 0; round < 200; round++) {
        unsigned flags = (unsigned)(next_random(&seed) % 64);
        struct tp_gc_curve *c = create(flags, 100000);
        size_t step_count = 50 + next_random(&seed) % 2000;
        memset(&m, 0, sizeof m);
        m.flags = flags;
        for (size_t i = 0; i <= step_count; i++) {
            struct tp_gc_step s = random_step(&seed, (int64_t)(10 * i + 1), 2 * i > step_count);
            if (i == 0)
                s = (struct tp_gc_step){.kind = TP_GC_PROCS, .time_ns = 1, .value = 3};
            else if (s.kind == TP_GC_SYNC)
                s.value = 2 * i > step_count ? 2 : 1;
            if (i == step_count)
                s.kind = TP_GC_END;
            model_step(&m, &s);
            assert_int_equal(tp_gc_curve_step(c, &s, NULL), 0);
        }
        size_t count;
        const struct tp_util_series *series = tp_gc_curve_borrow_series(c, &count);
        assert_int_equal(count, m.series_count);
        for (size_t i = 0; i < count; i++) {
            assert_int_equal(series[i].point_count, m.counts[i]);
            assert_memory_equal(series[i].points, m.points[i],
                                m.counts[i] * sizeof m.points[i][0]);
        }
        tp_gc_curve_destroy(c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rules),
        cmocka_unit_test(test_nothing_follows_the_end),
        cmocka_unit_test(test_no_more_is_held_than_allowed),
        cmocka_unit_test(test_every_failed_allocation_is_told),
        cmocka_unit_test(test_random_steps_against_the_model),
    };
    return cmocka_run_group_tests_name("gc_curve", tests, NULL, NULL);
}
