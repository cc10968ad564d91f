// A pool of one thread, whose order can be told, and its failures.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdatomic.h>

#include <cmocka.h>
#include <semaphore.h>

#include "base/alloc.h"
#include "base/pool.h"

#define TASKS 8

static sem_t begun, may_end;
static char order[TASKS + 1];
static size_t order_count;

struct note {
    struct tp_task task; // first
    char letter;
};

static void run_note(struct tp_task *task)
{
    order[order_count++] = ((struct note *)task)->letter;
}

static void run_gate(struct tp_task *task)
{
    (void)task;
    sem_post(&begun);
    sem_wait(&may_end);
}

static struct tp_pool *pool_of(unsigned thread_max)
{
    struct tp_pool *pool = NULL;
    struct tp_error err;
    assert_int_equal(tp_pool_create(thread_max, TASKS + 1, &pool, &err), 0);
    return pool;
}

static void test_late_stages_go_first_and_all_is_run(void **state)
{
    (void)state;
    static const struct {
        enum tp_urgency urgency;
        char letter;
    } rows[] = {{TP_TASK_EARLY_STAGE, 'x'}, {TP_TASK_LATE_STAGE, 'a'}, {TP_TASK_EARLY_STAGE, 'y'},
                {TP_TASK_LATE_STAGE, 'b'},  {TP_TASK_LATE_STAGE, 'c'}, {TP_TASK_EARLY_STAGE, 'z'}};
    struct note notes[TP_ARRAY_LEN(rows)];
    struct tp_task gate = {run_gate};
    struct tp_pool *pool = pool_of(1);
    sem_init(&begun, 0, 0);
    sem_init(&may_end, 0, 0);
    order_count = 0;
    // While the only thread is held up, all of them wait.
    tp_pool_submit(pool, TP_TASK_EARLY_STAGE, &gate);
    sem_wait(&begun);
    for (size_t i = 0; i < TP_ARRAY_LEN(rows); i++) {
        notes[i] = (struct note){{run_note}, rows[i].letter};
        tp_pool_submit(pool, rows[i].urgency, &notes[i].task);
    }
    sem_post(&may_end);
    tp_pool_destroy(pool);
    order[order_count] = '\0';
    assert_string_equal(order, "abcxyz");
    sem_destroy(&begun);
    sem_destroy(&may_end);
}

static void test_second_thread_is_started_while_the_first_works(void **state)
{
    (void)state;
    struct tp_task gates[2] = {{run_gate}, {run_gate}};
    struct tp_pool *pool = pool_of(2);
    sem_init(&begun, 0, 0);
    sem_init(&may_end, 0, 0);
    for (size_t i = 0; i < TP_ARRAY_LEN(gates); i++) {
        tp_pool_submit(pool, TP_TASK_LATE_STAGE, &gates[i]);
        sem_wait(&begun); // would hang if one thread had both
    }
    sem_post(&may_end);
    sem_post(&may_end);
    tp_pool_destroy(pool);
    sem_destroy(&begun);
    sem_destroy(&may_end);
}

static void test_pool_without_work_ends(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 50; i++)
        tp_pool_destroy(pool_of(1 + i % 4));
    tp_pool_destroy(NULL);
}

static void test_each_lack_of_memory_is_reported(void **state)
{
    (void)state;
    uint64_t live_bytes = tp_alloc_live_bytes();
    unsigned failures = 0;
    for (uint64_t nth = 1; nth < 10; nth++) {
        struct tp_pool *pool = NULL;
        struct tp_error err = {0};
        tp_alloc_fail_at(nth, false);
        int rc = tp_pool_create(2, 4, &pool, &err);
        tp_alloc_fail_at(0, false);
        failures += rc != 0;
        assert_true(rc == 0 || (rc == TP_E_MEMORY && err.code == TP_E_MEMORY && pool == NULL));
        tp_pool_destroy(pool);
        assert_int_equal(tp_alloc_live_bytes(), live_bytes);
    }
    assert_int_equal(failures, 3); // the pool and its two queues
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_late_stages_go_first_and_all_is_run),
        cmocka_unit_test(test_second_thread_is_started_while_the_first_works),
        cmocka_unit_test(test_pool_without_work_ends),
        cmocka_unit_test(test_each_lack_of_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
