// Waking and stopping: who runs again when something comes back, and what is left of failures.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "pipeline/core/run.h"

// Two inputs whose strands only count how often they ran.
struct counted {
    struct tp_input_run in;
    unsigned ingest_count;
    unsigned order_count;
    unsigned commit_count;
    unsigned more_count;       // times that the commit strand posts itself
};

static struct tp_run run;
static struct counted inputs[2];
static unsigned admission_count;

static void count(void *ctx)
{
    ++*(unsigned *)ctx;
}

static void commit(void *ctx)
{
    struct counted *c = ctx;
    c->commit_count++;
    if (c->more_count > 0) {
        c->more_count--;
        tp_wake_commit(&c->in);
    }
}

static int begin(void **state)
{
    struct tp_error err;
    (void)state;
    memset(&run, 0, sizeof run);
    memset(inputs, 0, sizeof inputs);
    pthread_mutex_init(&run.outcome.mu, NULL);
    tp_step_init(&run.admission, count, &admission_count);
    for (size_t i = 0; i < TP_ARRAY_LEN(inputs); i++) {
        struct counted *c = &inputs[i];
        c->in.run = &run;
        tp_step_init(&c->in.wake.ingest, count, &c->ingest_count);
        tp_step_init(&c->in.wake.order, count, &c->order_count);
        tp_step_init(&c->in.wake.commit, commit, c);
        atomic_store(&run.turns.active[i], &c->in);
    }
    return tp_pool_create(1, 8, &run.pool, &err);
}

// Runs what was posted.
static void finish(void)
{
    tp_pool_destroy(run.pool);
    run.pool = NULL;
}

static int end(void **state)
{
    (void)state;
    finish();
    return pthread_mutex_destroy(&run.outcome.mu);
}

static void test_a_strand_that_is_posted_while_it_runs_runs_again(void **state)
{
    (void)state;
    inputs[0].more_count = 2;
    tp_wake_commit(&inputs[0].in);
    assert_int_equal(inputs[0].commit_count, 3);
    assert_int_equal(inputs[1].commit_count, 0);
}

static void test_only_strands_that_starve_of_it_are_woken_and_once(void **state)
{
    (void)state;
    tp_starved_raise(&inputs[1].in.wake, TP_STARVED_OF_PAGES);
    tp_starved_raise(&inputs[1].in.wake, TP_STARVED_OF_TURN);
    tp_wake_for_units(&run, TP_LANE_SEGMENTS);
    tp_wake_for_units(&run, TP_LANE_BLOCKS);
    tp_wake_for_pages(&run);
    tp_wake_for_pages(&run);
    assert_false(tp_starved_is_raised(&inputs[1].in.wake, TP_STARVED_OF_PAGES));
    assert_true(tp_starved_is_raised(&inputs[1].in.wake, TP_STARVED_OF_TURN));
    finish();
    assert_int_equal(inputs[0].ingest_count + inputs[0].order_count, 0);
    assert_int_equal(inputs[1].ingest_count, 1);
    assert_int_equal(inputs[1].order_count, 0);
}

static void test_memory_wakes_all_but_who_waits_for_the_turn(void **state)
{
    (void)state;
    tp_starved_raise(&inputs[0].in.wake, TP_STARVED_OF_MEMORY);
    tp_starved_raise(&inputs[0].in.wake, TP_STARVED_OF_UNITS);
    tp_starved_raise(&inputs[1].in.wake, TP_STARVED_OF_TURN);
    tp_wake_for_memory(&run);
    finish();
    assert_int_equal(inputs[0].ingest_count, 1);
    assert_int_equal(inputs[0].order_count, 1);
    assert_int_equal(inputs[1].order_count, 0);
}

static void test_the_first_failure_is_kept_and_every_ingest_strand_hears_of_it(void **state)
{
    struct tp_error err;
    (void)state;
    assert_int_equal(tp_run_exit_status(&run), 0);
    tp_fail(&err, TP_E_WRITE, "first");
    tp_run_fail(&run, &err);
    tp_fail(&err, TP_E_USAGE, "second");
    tp_run_fail(&run, &err);
    finish();
    assert_true(tp_run_is_stopping(&run));
    assert_string_equal(tp_run_error(&run)->text, "first");
    assert_int_equal(tp_run_exit_status(&run), 3);
    assert_true(inputs[0].ingest_count >= 1 && inputs[1].ingest_count >= 1);
    assert_int_equal(inputs[0].order_count, 0); // it orders nothing
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_a_strand_that_is_posted_while_it_runs_runs_again),
        TEST(test_only_strands_that_starve_of_it_are_woken_and_once),
        TEST(test_memory_wakes_all_but_who_waits_for_the_turn),
        TEST(test_the_first_failure_is_kept_and_every_ingest_strand_hears_of_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
