// Sinks of a program beside each other, of which some want spans or intervals.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/attr.h"
#include "scratch.h"
#include "tracepipe/sink.h"
#include "tracepipe/span.h"

#define HANGS_AFTER_MS 120000

// Counts of the spans and intervals that a sink got with its blocks.
struct lasting {
    size_t spans, intervals, lives;
};

static int count_lasting(void *ctx, const struct tp_event_block *block, void *unit_state,
                         void *input_state, struct tp_output *out, struct tp_error *err)
{
    struct lasting *l = ctx;
    (void)unit_state, (void)input_state, (void)out, (void)err;
    l->spans += block->span_count;
    l->intervals += block->interval_count;
    for (size_t i = 0; i < block->interval_count; i++)
        l->lives += block->intervals[i].kind == TP_INTERVAL_LIFE;
    return 0;
}

// Each sink gets what it asks for, whatever the others ask for.
static void test_spans_and_intervals_as_wanted(void **state)
{
    (void)state;
    struct tp_sink_ops all[] = {
        {.name = "neither", .suffix = ".n", .commit = count_lasting},
        {.name = "of-spans", .suffix = ".s", .commit = count_lasting, .wants_spans = true},
        {.name = "of-intervals", .suffix = ".i", .commit = count_lasting, .wants_intervals = true}};
    struct lasting got[TP_ARRAY_LEN(all)] = {{0}};
    struct tp_run *run;
    struct tp_error err;
    assert_int_equal(tp_run_create(&run, &err), 0);
    for (size_t i = 0; i < TP_ARRAY_LEN(all); i++) {
        assert_int_equal(tp_run_register_sink(run, &all[i], &got[i], &err), 0);
        assert_int_equal(tp_run_add_sink(run, all[i].name, all[i].name, &err), 0);
    }
    assert_int_equal(tp_run_add_path(run, TP_TRACES "/go126-gens.trace", &err), 0);
    assert_int_equal(tp_run_start(run, &err), 0);
    assert_true(tp_run_wait(run, HANGS_AFTER_MS));
    assert_int_equal(tp_run_exit_status(run), 0);
    tp_run_destroy(run);
    assert_int_equal(got[0].spans + got[0].intervals + got[1].intervals + got[2].spans, 0);
    assert_true(got[1].spans > 0);
    assert_true(got[2].lives > 0 && got[2].intervals > got[2].lives);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH_TEST(test_spans_and_intervals_as_wanted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
