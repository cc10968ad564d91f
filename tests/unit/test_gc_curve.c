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
    struct tp_gc_step steps[STEPS_MAX]; // up to the first END
    struct tp_util_point points[POINTS_MAX]; // up to STOP
};

#define STOP {-1, -1}

static const struct curve_case cases[] = {
    {"a stopped world takes all Ps",
     {PROCS(1, 4), STW_BEGIN(10), STW_END(20), END(30)},
     {{1, 1}, {10, 0}, {20, 1}, {30, 0}, STOP}},
    {"stopped worlds nest",
     {PROCS(1, 4), STW_BEGIN(10), STW_BEGIN(12), STW_END(20), STW_END(21), END(30)},
     {{1, 1}, {10, 0}, {21, 1}, {30, 0}, STOP}},
    {"nothing counts before the number of Ps is told",
     {STW_BEGIN(1), ON(WORKER, 2, 0, 7), PROCS(3, 2), ON(EXEC_BEGIN, 4, 0, 7), END(9)},
     {{3, 1}, {9, 0}, STOP}},
    {"without Ps there is no curve", {STW_BEGIN(1), END(2)}, {STOP}},
    {"an assist takes its P",
     {PROCS(1, 4), ON(ASSIST_BEGIN, 5, 2, 1), ON(ASSIST_END, 8, 2, 1), END(9)},
     {{1, 1}, {5, 0.75}, {8, 1}, {9, 0}, STOP}},
    {"two on one P take one P",
     {PROCS(1, 4), ON(ASSIST_BEGIN, 5, 2, 1), ON(ASSIST_BEGIN, 6, 2, 1), ON(ASSIST_END, 8, 2, 1),
      ON(ASSIST_END, 9, 2, 1), END(10)},
     {{1, 1}, {5, 0.75}, {9, 1}, {10, 0}, STOP}},
    {"an assist counts where and while its goroutine executes",
     {PROCS(1, 2), ON(ASSIST_BEGIN, 5, 0, 7), ON(EXEC_END, 6, 0, 7), ON(EXEC_BEGIN, 7, 1, 7),
      ON(ASSIST_END, 8, 1, 7), ON(EXEC_END, 9, 1, 7), END(10)},
     {{1, 1}, {5, 0.5}, {6, 1}, {7, 0.5}, {8, 1}, {10, 0}, STOP}},
    {"others that execute do not count",
     {PROCS(1, 2), ON(ASSIST_BEGIN, 5, 0, 7), ON(EXEC_END, 6, 0, 8), ON(EXEC_BEGIN, 7, 1, 9),
      ON(ASSIST_END, 8, 0, 7), END(10)},
     {{1, 1}, {5, 0.5}, {8, 1}, {10, 0}, STOP}},
    {"a worker's second run counts as its first",
     {PROCS(1, 4), ON(WORKER, 5, 0, 7), ON(EXEC_END, 6, 0, 7), ON(EXEC_BEGIN, 10, 3, 7),
      ON(WORKER, 11, 3, 7), ON(WORKER, 12, 3, 7), ON(EXEC_END, 13, 3, 7), END(20)},
     {{1, 1}, {5, 0.75}, {6, 1}, {11, 0.75}, {13, 1}, {20, 0}, STOP}},
    {"a worker's run without a label does not count",
     {PROCS(1, 4), ON(WORKER, 5, 0, 7), ON(EXEC_END, 6, 0, 7), ON(EXEC_BEGIN, 10, 3, 7),
      ON(EXEC_END, 12, 3, 7), END(20)},
     {{1, 1}, {5, 0.75}, {6, 1}, {20, 0}, STOP}},
    {"one curve goes on, with other shares",
     {PROCS(1, 2), ON(ASSIST_BEGIN, 3, 0, 1), PROCS(5, 4), ON(ASSIST_BEGIN, 6, 3, 1), PROCS(8, 1),
      PROCS(9, 4), END(20)},
     {{1, 1}, {3, 0.5}, {5, 0.75}, {6, 0.5}, {8, 0}, {9, 0.75}, {20, 0}, STOP}},
    {"without Ps nothing counts any more",
     {PROCS(1, 2), PROCS(5, 0), STW_BEGIN(6), PROCS(7, 2), END(20)},
     {{1, 1}, {20, 0}, STOP}},
    {"an assist that is active was so from the beginning",
     {SYNC(0, 1), PROCS(1, 4), STW_BEGIN(2), STW_END(3), ON_IF(ASSIST_ACTIVE, 5, 2, 1),
      ON(ASSIST_END, 8, 2, 1), END(9)},
     {{1, 0.75}, {2, 0}, {3, 0.75}, {8, 1}, {9, 0}, STOP}},
    {"shares of the past are those of then",
     {SYNC(0, 1), PROCS(1, 2), ON(ASSIST_BEGIN, 2, 0, 1), PROCS(3, 4),
      ON_IF(ASSIST_ACTIVE, 5, 2, 1), END(9)},
     {{1, 0.5}, {2, 0}, {3, 0.25}, {5, 0.5}, {9, 0}, STOP}},
    {"an assist that is active was so if its reader executes",
     {PROCS(1, 4), ON_IF(ASSIST_ACTIVE, 5, 2, 7), ON(EXEC_END, 8, 2, 7), END(9)},
     {{1, 0.75}, {8, 1}, {9, 0}, STOP}},
    {"else it only begins",
     {PROCS(1, 4), ON(ASSIST_ACTIVE, 5, 2, 7), ON(EXEC_END, 8, 2, 7), END(9)},
     {{1, 1}, {5, 0.75}, {8, 1}, {9, 0}, STOP}},
    {"what is active after the second Sync has begun before",
     {SYNC(0, 1), PROCS(1, 4), SYNC(2, 2), ON(ASSIST_ACTIVE, 5, 2, 1),
      ON_IF(ASSIST_ACTIVE, 6, 2, 1), END(9)},
     {{1, 1}, {9, 0}, STOP}},
    {"Ps that are not there are passed over",
     {PROCS(1, 4), ON(ASSIST_BEGIN, 2, -1, 1), ON(ASSIST_ACTIVE, 3, 4, 1), ON(WORKER, 4, 5, 1),
      ON(EXEC_BEGIN, 5, 0, 1), END(9)},
     {{1, 1}, {9, 0}, STOP}},
    {"ends without a begin are owed",
     {PROCS(1, 4), ON(ASSIST_END, 2, 0, 1), ON(ASSIST_BEGIN, 3, 0, 1), STW_END(4), STW_BEGIN(5),
      END(9)},
     {{1, 1}, {9, 0}, STOP}},
    {"of several points at one time the lowest stays",
     {PROCS(1, 4), STW_BEGIN(1), STW_END(5), ON(ASSIST_BEGIN, 7, 0, 1), END(7)},
     {{1, 0}, {5, 1}, {7, 0}, STOP}},
};

static struct tp_gc_curve *create(size_t most)
{
    struct tp_gc_curve *c;
    struct tp_error err;
    assert_int_equal(tp_gc_curve_create(most, &c, &err), 0);
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
        struct tp_gc_curve *c = create(1000);
        struct tp_error err;
        for (size_t s = 0; s < step_count_of(k); s++)
            assert_int_equal(tp_gc_curve_step(c, &k->steps[s], &err), 0);
        struct tp_util_series series = tp_gc_curve_borrow_series(c);
        size_t p = 0;
        for (; k->points[p].time_ns != -1; p++) {
            if (p >= series.point_count || series.points[p].time_ns != k->points[p].time_ns ||
                series.points[p].utilisation != k->points[p].utilisation)
                fail_msg("%s: point %zu", k->name, p);
        }
        if (series.point_count != p)
            fail_msg("%s: %zu points", k->name, series.point_count);
        tp_gc_curve_destroy(c);
    }
}

static void test_nothing_follows_the_end(void **state)
{
    static const struct tp_gc_step steps[] = {PROCS(1, 1), END(5), STW_BEGIN(6), END(9)};
    struct tp_gc_curve *c = create(100);
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(steps); i++)
        assert_int_equal(tp_gc_curve_step(c, &steps[i], NULL), 0);
    assert_int_equal(tp_gc_curve_borrow_series(c).point_count, 2);
    tp_gc_curve_destroy(c);
    tp_gc_curve_destroy(NULL);
}

// LIMITS

static int play(const struct tp_gc_step *steps, size_t count, size_t most, struct tp_error *err)
{
    struct tp_gc_curve *c = NULL;
    int rc = tp_gc_curve_create(most, &c, err);
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
    assert_int_equal(play(grown, TP_ARRAY_LEN(grown), 8, &err), 0);
    for (size_t most = 0; most < 8; most++)
        assert_int_equal(play(grown, TP_ARRAY_LEN(grown), most, &err), TP_E_TOO_LARGE);
    assert_int_equal(play(huge, 1, SIZE_MAX / 2, &err), TP_E_TOO_LARGE);
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
            int rc = play(k->steps, step_count_of(k), 1000, &err);
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

struct model {
    int busy[MODEL_PROCS];
    size_t proc_count, change_count, point_count;
    struct {
        int64_t time_ns;
        size_t count;
    } changes[MODEL_POINTS];
    bool assists[MODEL_GOS], works[MODEL_GOS];
    int stw;
    uint64_t sync;
    struct tp_util_point points[MODEL_POINTS];
};

static void model_add(struct model *m, int64_t time_ns, double utilisation)
{
    struct tp_util_point *last = m->point_count > 0 ? &m->points[m->point_count - 1] : NULL;
    if (last != NULL && last->utilisation == utilisation)
        return;
    if (last == NULL || last->time_ns != time_ns)
        m->points[m->point_count++] = (struct tp_util_point){time_ns, utilisation};
    else if (utilisation < last->utilisation)
        last->utilisation = utilisation;
}

static void model_procs(struct model *m, int64_t time_ns, size_t count)
{
    if (m->point_count == 0)
        model_add(m, time_ns, 1);
    for (size_t i = m->proc_count; i < count; i++)
        m->busy[i] = 0;
    m->proc_count = count;
    m->changes[m->change_count].time_ns = time_ns;
    m->changes[m->change_count++].count = count;
}

static void model_lower(struct model *m)
{
    for (size_t i = 0; i < m->point_count; i++) {
        size_t count = m->changes[0].count;
        for (size_t k = 1; k < m->change_count; k++) {
            if (m->changes[k].time_ns < m->points[i].time_ns)
                count = m->changes[k].count;
        }
        double lowered = m->points[i].utilisation - 1 / (double)count;
        m->points[i].utilisation = lowered < 0 ? 0 : lowered;
    }
}

static void model_apply(struct model *m, const struct tp_gc_step *s)
{
    int *busy = &m->busy[s->p];
    switch (s->kind) {
    case TP_GC_ASSIST_ACTIVE:
        if (m->sync > 1)
            break;
        if (s->flag)
            model_lower(m);
        __attribute__((fallthrough));
    case TP_GC_ASSIST_BEGIN:
        ++*busy;
        m->assists[s->g] = true;
        break;
    case TP_GC_ASSIST_END:
        --*busy;
        m->assists[s->g] = false;
        break;
    case TP_GC_EXEC_BEGIN: *busy += m->assists[s->g] || m->works[s->g]; break;
    case TP_GC_EXEC_END:
        *busy -= m->assists[s->g] || m->works[s->g];
        m->works[s->g] = false;
        break;
    case TP_GC_WORKER: *busy += !m->works[s->g]; m->works[s->g] = true;
    }
}

static void model_step(struct model *m, const struct tp_gc_step *s)
{
    if (s->kind == TP_GC_SYNC)
        m->sync = s->value;
    else if (s->kind == TP_GC_PROCS)
        model_procs(m, s->time_ns, (size_t)s->value);
    else if (s->kind == TP_GC_STW_BEGIN)
        m->stw++;
    else if (s->kind == TP_GC_STW_END)
        m->stw--;
    else if (s->kind != TP_GC_END && s->p >= 0 && (size_t)s->p < m->proc_count)
        model_apply(m, s);
    size_t gc_count = 0;
    for (size_t i = 0; i < m->proc_count; i++)
        gc_count += m->stw > 0 || m->busy[i] > 0;
    if (m->proc_count > 0)
        model_add(m, s->time_ns,
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
    // Rarely: each Ps' share of the past depends on how many there were.
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
        struct tp_gc_curve *c = create(100000);
        size_t step_count = 50 + next_random(&seed) % 2000;
        memset(&m, 0, sizeof m);
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
        struct tp_util_series series = tp_gc_curve_borrow_series(c);
        assert_int_equal(series.point_count, m.point_count);
        assert_memory_equal(series.points, m.points, m.point_count * sizeof m.points[0]);
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
