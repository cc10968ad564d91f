// Memory credits: what is taken never exceeds the limit, and the reserve is the
// oldest input's alone.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdatomic.h>

#include <cmocka.h>
#include <pthread.h>

#include "pipeline/core/budget.h"

static bool take(struct tp_budget *b, uint64_t len_bytes, enum tp_rank rank)
{
    uint64_t before = atomic_load(&b->used_bytes);
    bool taken = tp_budget_try_take(b, len_bytes, rank);
    assert_int_equal(atomic_load(&b->used_bytes), before + (taken ? len_bytes : 0));
    return taken;
}

static void test_younger_inputs_leave_the_reserve(void **state)
{
    (void)state;
    struct tp_budget b;
    tp_budget_init(&b, 100, 30);
    assert_false(take(&b, 71, TP_RANK_YOUNGER));
    assert_true(take(&b, 70, TP_RANK_YOUNGER));
    assert_false(take(&b, 1, TP_RANK_YOUNGER));
    assert_true(take(&b, 0, TP_RANK_YOUNGER));
    assert_false(take(&b, 31, TP_RANK_OLDEST));
    assert_true(take(&b, 30, TP_RANK_OLDEST));
    assert_false(take(&b, 1, TP_RANK_OLDEST));
    // Above its share: even nothing is refused, without a subtraction that wraps.
    assert_false(take(&b, 0, TP_RANK_YOUNGER));
    tp_budget_give(&b, 100);
    assert_true(take(&b, 70, TP_RANK_YOUNGER));
}

static void test_oldest_input_may_take_everything(void **state)
{
    (void)state;
    struct tp_budget b;
    tp_budget_init(&b, 100, 100);
    assert_false(take(&b, 1, TP_RANK_YOUNGER));
    assert_true(take(&b, 100, TP_RANK_OLDEST));
    tp_budget_give(&b, 40);
    assert_true(take(&b, 40, TP_RANK_OLDEST));
}

static void test_amounts_that_would_wrap_are_refused(void **state)
{
    (void)state;
    struct tp_budget b;
    tp_budget_init(&b, UINT64_MAX - 1, 10);
    assert_true(take(&b, 1000, TP_RANK_OLDEST));
    assert_false(take(&b, UINT64_MAX, TP_RANK_OLDEST));
    assert_false(take(&b, UINT64_MAX - 1000, TP_RANK_OLDEST));
    assert_true(take(&b, UINT64_MAX - 1001, TP_RANK_OLDEST));
}

#define THREADS 4
#define ROUNDS 100000

struct taker {
    pthread_t thread;
    struct tp_budget *budget;
    enum tp_rank rank;
    uint64_t seed;
    bool saw_too_much;
};

static void *take_and_give(void *arg)
{
    struct taker *t = arg;
    for (unsigned i = 0; i < ROUNDS; i++) {
        t->seed = t->seed * 6364136223846793005u + 1442695040888963407u;
        uint64_t len_bytes = t->seed >> 58;
        if (!tp_budget_try_take(t->budget, len_bytes, t->rank))
            continue;
        t->saw_too_much |= atomic_load(&t->budget->used_bytes) > t->budget->limit_bytes;
        tp_budget_give(t->budget, len_bytes);
    }
    return NULL;
}

static void test_many_threads_stay_within_the_limit(void **state)
{
    (void)state;
    struct tp_budget b;
    struct taker takers[THREADS];
    tp_budget_init(&b, 100, 20);
    for (unsigned i = 0; i < THREADS; i++) {
        takers[i] = (struct taker){.budget = &b,
                                   .rank = i == 0 ? TP_RANK_OLDEST : TP_RANK_YOUNGER,
                                   .seed = i};
        assert_int_equal(pthread_create(&takers[i].thread, NULL, take_and_give, &takers[i]), 0);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        pthread_join(takers[i].thread, NULL);
        assert_false(takers[i].saw_too_much);
    }
    assert_int_equal(atomic_load(&b.used_bytes), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_younger_inputs_leave_the_reserve),
        cmocka_unit_test(test_oldest_input_may_take_everything),
        cmocka_unit_test(test_amounts_that_would_wrap_are_refused),
        cmocka_unit_test(test_many_threads_stay_within_the_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
