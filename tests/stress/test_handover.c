// Everything that hands work from thread to thread, under many of them: each item
// arrives once, with what was written before it was given away. Fields that cross
// are plain memory, so that the thread sanitizer sees a hand-over that orders too
// little. Threads only count; the test's own thread looks at the counts.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdatomic.h>
#include <string.h>

#include <cmocka.h>
#include <pthread.h>
#include <sched.h>

#include "base/pool.h"
#include "base/ring.h"
#include "base/strand.h"

#define THREADS 4
#define ITEMS 20000

static void start(pthread_t *threads, size_t count, void *(*body)(void *), void *args,
                  size_t arg_bytes)
{
    for (size_t i = 0; i < count; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, body, (char *)args + i * arg_bytes), 0);
}

static void join(const pthread_t *threads, size_t count)
{
    for (size_t i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
}

// RINGS

struct item {
    uint64_t content; // written by the producer
    uint64_t taken;   // counted by whoever takes it
};

struct lane {
    struct tp_ring *ring;
    struct tp_event_count not_empty, not_full;
    _Atomic uint64_t left; // items nobody has taken
};

struct producer {
    struct lane *lane;
    struct item *items; // ITEMS of its own
};

struct consumer {
    struct lane *lane;
    uint64_t wrong;
};

static void *produce(void *arg)
{
    struct producer *p = arg;
    for (size_t i = 0; i < ITEMS; i++) {
        struct item *item = &p->items[i];
        item->content = (uint64_t)(uintptr_t)item * 31;
        for (;;) {
            uint32_t ticket = tp_event_count_ticket(&p->lane->not_full);
            if (tp_ring_try_put(p->lane->ring, item))
                break;
            tp_event_count_sleep(&p->lane->not_full, ticket);
        }
        tp_event_count_wake(&p->lane->not_empty);
    }
    return NULL;
}

static void *consume(void *arg)
{
    struct consumer *c = arg;
    for (;;) {
        void *taken;
        uint32_t ticket = tp_event_count_ticket(&c->lane->not_empty);
        if (tp_ring_try_take(c->lane->ring, &taken)) {
            struct item *item = taken;
            c->wrong += item->content != (uint64_t)(uintptr_t)item * 31;
            item->taken++;
            tp_event_count_wake(&c->lane->not_full);
            if (atomic_fetch_sub(&c->lane->left, 1) == 1)
                tp_event_count_wake(&c->lane->not_empty); // the others may end
        } else if (atomic_load(&c->lane->left) == 0) {
            return NULL;
        } else {
            tp_event_count_sleep(&c->lane->not_empty, ticket);
        }
    }
}

static void run_ring(size_t producer_count, size_t consumer_count, size_t capacity)
{
    static struct item items[THREADS][ITEMS];
    pthread_t makers[THREADS], takers[THREADS];
    struct producer producers[THREADS];
    struct consumer consumers[THREADS];
    struct lane lane = {.ring = tp_ring_create(capacity), .left = producer_count * ITEMS};
    assert_non_null(lane.ring);
    tp_event_count_init(&lane.not_empty);
    tp_event_count_init(&lane.not_full);
    memset(items, 0, sizeof items);
    for (size_t i = 0; i < THREADS; i++) {
        producers[i] = (struct producer){&lane, items[i]};
        consumers[i] = (struct consumer){.lane = &lane};
    }
    start(takers, consumer_count, consume, consumers, sizeof consumers[0]);
    start(makers, producer_count, produce, producers, sizeof producers[0]);
    join(makers, producer_count);
    join(takers, consumer_count);
    for (size_t i = 0; i < consumer_count; i++)
        assert_int_equal(consumers[i].wrong, 0);
    for (size_t i = 0; i < producer_count * ITEMS; i++)
        assert_int_equal(items[i / ITEMS][i % ITEMS].taken, 1);
    tp_ring_destroy(lane.ring);
}

static void test_every_item_arrives_once_with_its_content(void **state)
{
    (void)state;
    run_ring(THREADS, THREADS, 2); // full and empty all the time
    run_ring(THREADS, THREADS, 500);
    run_ring(1, THREADS, 30);
    run_ring(THREADS, 1, 30);
    run_ring(1, 1, 1);
}

// A single producer's items keep their order on the way to a single consumer.
struct in_order {
    struct tp_ring *ring;
    uint64_t wrong;
};

static void *take_in_order(void *arg)
{
    struct in_order *o = arg;
    for (uintptr_t want = 1; want <= ITEMS; want++) {
        void *taken;
        while (!tp_ring_try_take(o->ring, &taken))
            sched_yield();
        o->wrong += (uintptr_t)taken != want;
    }
    return NULL;
}

static void test_items_of_one_thread_stay_in_order(void **state)
{
    (void)state;
    pthread_t taker;
    struct in_order o = {.ring = tp_ring_create(8)};
    assert_non_null(o.ring);
    start(&taker, 1, take_in_order, &o, sizeof o);
    for (uintptr_t i = 1; i <= ITEMS; i++) {
        while (!tp_ring_try_put(o.ring, (void *)i))
            sched_yield();
    }
    join(&taker, 1);
    assert_int_equal(o.wrong, 0);
    tp_ring_destroy(o.ring);
}

// EVENT COUNTS

// Two threads wake each other in turn and sleep in between: a lost wake hangs.
struct player {
    struct tp_event_count *mine, *other;
    _Atomic uint32_t *ball; // whose turn: even, odd
    uint32_t parity;
};

static void *play(void *arg)
{
    struct player *p = arg;
    for (uint32_t round = p->parity; round < ITEMS; round += 2) {
        for (;;) {
            uint32_t ticket = tp_event_count_ticket(p->mine);
            if (atomic_load(p->ball) == round)
                break;
            tp_event_count_sleep(p->mine, ticket);
        }
        atomic_store(p->ball, round + 1);
        tp_event_count_wake(p->other);
    }
    return NULL;
}

static void test_no_wake_is_lost_between_two_sleepers(void **state)
{
    (void)state;
    struct tp_event_count counts[2];
    _Atomic uint32_t ball = 0;
    pthread_t threads[2];
    struct player players[2];
    for (uint32_t i = 0; i < 2; i++) {
        tp_event_count_init(&counts[i]);
        players[i] = (struct player){&counts[i], &counts[1 - i], &ball, i};
    }
    start(threads, 2, play, players, sizeof players[0]);
    join(threads, 2);
    assert_int_equal(atomic_load(&ball), ITEMS);
}

// POOLS

// Few: a producer that loses its processor in the middle of an enqueue holds up
// all others, and with more threads than processors this goes on and on.
#define TASKS 24
#define RUNS 100

struct work {
    struct tp_task task; // first
    struct tp_pool *pool;
    uint64_t runs;       // plain: one run at a time, each sees the one before
    _Atomic bool inside;
    bool overlapped;
};

static void run_work(struct tp_task *task)
{
    struct work *w = (struct work *)task;
    w->overlapped |= atomic_exchange(&w->inside, true);
    uint64_t runs = ++w->runs;
    atomic_store(&w->inside, false);
    if (runs < RUNS)
        tp_pool_submit(w->pool, runs % 3 == 0 ? TP_TASK_EARLY_STAGE : TP_TASK_LATE_STAGE, task);
}

static void run_pool(unsigned thread_max)
{
    static struct work works[TASKS];
    struct tp_pool *pool;
    struct tp_error err;
    assert_int_equal(tp_pool_create(thread_max, TASKS, &pool, &err), 0);
    for (size_t i = 0; i < TASKS; i++) {
        works[i] = (struct work){.task = {run_work}, .pool = pool};
        tp_pool_submit(pool, i % 2 == 0 ? TP_TASK_EARLY_STAGE : TP_TASK_LATE_STAGE, &works[i].task);
    }
    // Runs what is queued, also what tasks submit meanwhile.
    tp_pool_destroy(pool);
    for (size_t i = 0; i < TASKS; i++) {
        assert_int_equal(works[i].runs, RUNS);
        assert_false(works[i].overlapped);
    }
}

static void test_tasks_that_come_back_run_as_often_as_submitted(void **state)
{
    (void)state;
    for (unsigned thread_max = 1; thread_max <= 6; thread_max++)
        run_pool(thread_max);
}

// Submitted by threads that are none of the pool's.
struct submitter {
    struct tp_pool *pool;
    struct work *works; // RUNS of its own
};

static void count_run(struct tp_task *task)
{
    ((struct work *)task)->runs++;
}

static void *submit(void *arg)
{
    struct submitter *s = arg;
    for (size_t i = 0; i < RUNS; i++)
        tp_pool_submit(s->pool, TP_TASK_LATE_STAGE, &s->works[i].task);
    return NULL;
}

static void test_any_thread_may_submit(void **state)
{
    (void)state;
    static struct work works[THREADS][RUNS];
    struct submitter submitters[THREADS];
    pthread_t threads[THREADS];
    struct tp_pool *pool;
    struct tp_error err;
    assert_int_equal(tp_pool_create(3, THREADS * RUNS, &pool, &err), 0);
    for (size_t i = 0; i < THREADS; i++) {
        for (size_t k = 0; k < RUNS; k++)
            works[i][k] = (struct work){.task = {count_run}};
        submitters[i] = (struct submitter){pool, works[i]};
    }
    start(threads, THREADS, submit, submitters, sizeof submitters[0]);
    join(threads, THREADS);
    tp_pool_destroy(pool);
    for (size_t i = 0; i < THREADS * RUNS; i++)
        assert_int_equal(works[i / RUNS][i % RUNS].runs, 1);
}

// STRANDS

struct strand_work {
    struct tp_task task; // first
    struct tp_pool *pool; // NULL: whoever posts runs it
    struct tp_strand strand;
    struct tp_ring *inbox; // what was posted
    uint64_t taken;        // plain: guarded by the strand
    uint64_t wrong;
};

struct poster {
    struct strand_work *work;
    uint64_t content[ITEMS / 4];
};

static void step(struct strand_work *w)
{
    void *item;
    while (tp_ring_try_take(w->inbox, &item)) {
        w->wrong += *(uint64_t *)item != (uint64_t)(uintptr_t)item;
        w->taken++;
    }
}

static void run_strand(struct tp_task *task)
{
    struct strand_work *w = (struct strand_work *)task;
    uint32_t seen;
    do {
        seen = tp_strand_begin(&w->strand);
        step(w);
    } while (!tp_strand_end(&w->strand, seen));
}

static void *post(void *arg)
{
    struct poster *p = arg;
    for (size_t i = 0; i < TP_ARRAY_LEN(p->content); i++) {
        p->content[i] = (uint64_t)(uintptr_t)&p->content[i];
        if (!tp_ring_try_put(p->work->inbox, &p->content[i]))
            return NULL; // shows in the count
        if (!tp_strand_post(&p->work->strand))
            continue;
        if (p->work->pool != NULL)
            tp_pool_submit(p->work->pool, TP_TASK_LATE_STAGE, &p->work->task);
        else
            run_strand(&p->work->task);
    }
    return NULL;
}

static void run_posters(unsigned pool_threads)
{
    static struct poster posters[THREADS];
    pthread_t threads[THREADS];
    struct tp_error err;
    struct strand_work w = {.task = {run_strand}, .inbox = tp_ring_create(THREADS * ITEMS / 4)};
    assert_non_null(w.inbox);
    if (pool_threads > 0)
        assert_int_equal(tp_pool_create(pool_threads, 1, &w.pool, &err), 0);
    for (size_t i = 0; i < THREADS; i++)
        posters[i].work = &w;
    start(threads, THREADS, post, posters, sizeof posters[0]);
    join(threads, THREADS);
    tp_pool_destroy(w.pool);
    // Nothing is left behind by the last runner.
    assert_int_equal(w.taken, THREADS * TP_ARRAY_LEN(posters[0].content));
    assert_int_equal(w.wrong, 0);
    assert_int_equal(atomic_load(&w.strand.posts), 0);
    tp_ring_destroy(w.inbox);
}

static void test_strand_takes_all_that_is_posted_one_at_a_time(void **state)
{
    (void)state;
    run_posters(0);
    run_posters(1);
    run_posters(4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_item_arrives_once_with_its_content),
        cmocka_unit_test(test_items_of_one_thread_stay_in_order),
        cmocka_unit_test(test_no_wake_is_lost_between_two_sleepers),
        cmocka_unit_test(test_tasks_that_come_back_run_as_often_as_submitted),
        cmocka_unit_test(test_any_thread_may_submit),
        cmocka_unit_test(test_strand_takes_all_that_is_posted_one_at_a_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
