// The events of traces from before Go 1.22 as the parser of that time gave them: links that
// reach over more events than are kept, with memory that fails, and that is bounded.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "script_v1.h"

static int tear_down(void **state)
{
    (void)state;
    script_v1_fini();
    return 0;
}

// LINKS THAT REACH FAR

enum { REACH = TP_V1_RING_EVENTS };

// One region over so many events; the last of them ends it.
static void test_links_at_the_end_of_the_ring(void **state)
{
    (void)state;
    static const unsigned distances[] = {1, REACH - 1, REACH, REACH + 1, 3 * REACH};
    for (size_t i = 0; i < TP_ARRAY_LEN(distances); i++) {
        script_v1_begin(11);
        P(0, 100);
        EV(UserRegion, 1, 5, 0, 1, 2);
        for (unsigned k = 1; k < distances[i]; k++)
            EV(HeapAlloc, 1, k);
        EV(UserRegion, 1, 5, 1, 1, 2);
        struct order_v1_result r = order_v1_legacy_events(11, script_v1_bytes(), &script_v1_way);
        assert_int_equal(r.err.code, 0);
        assert_int_equal(r.count, distances[i] + 1);
        assert_true(r.legacy_events[0].has_link);
        assert_int_equal(r.legacy_events[0].link_ns, distances[i]);
        assert_int_equal(r.legacy_events[0].link_offset, r.legacy_events[r.count - 1].offset);
        for (size_t k = 1; k < r.count; k++)
            assert_false(r.legacy_events[k].has_link);
        order_v1_result_fini(&r);
    }
}

// Regions inside regions: more links than are sorted in memory.
static void nest(unsigned count)
{
    script_v1_begin(11);
    P(0, 100);
    for (unsigned i = 0; i < count; i++)
        EV(UserRegion, 1, i, 0, 1, 2);
    for (unsigned i = count; i-- > 0;)
        EV(UserRegion, 1, i, 1, 1, 2);
}

#define NESTED 60000

static void test_more_links_than_memory_has(void **state)
{
    (void)state;
    nest(NESTED);
    struct order_v1_result r = order_v1_legacy_events(11, script_v1_bytes(), &script_v1_way);
    assert_int_equal(r.err.code, 0);
    assert_int_equal(r.count, 2 * NESTED);
    for (size_t i = 0; i < NESTED; i++) {
        assert_int_equal(r.legacy_events[i].link_offset,
                         r.legacy_events[2 * NESTED - 1 - i].offset);
        assert_int_equal(r.legacy_events[i].link_ns, 2 * NESTED - 1 - i);
    }
    order_v1_result_fini(&r);
}

static void test_nowhere_to_sort_them(void **state)
{
    (void)state;
    nest(NESTED);
    assert_int_equal(setenv("TMPDIR", "/nonexistent", 1), 0);
    struct order_v1_result r = order_v1_legacy_events(11, script_v1_bytes(), &script_v1_way);
    assert_int_equal(unsetenv("TMPDIR"), 0);
    assert_int_equal(tp_error_class_of(r.err.code), TP_CLASS_HOST);
    assert_int_equal(r.count, 0);
    order_v1_result_fini(&r);
}

// MEMORY

// Something of all that is kept.
static void make_trace(unsigned count)
{
    script_v1_begin(19);
    P(0, 100);
    for (unsigned g = 1; g <= count; g++)
        EV(GoCreate, 0, g, 1, 1);
    EV(GoInSyscall, 1, 1);
    EV(GoStartLocal, 1, count);
    EV(FutileWakeup, 1);
    EV(GoBlockSync, 1, 1);
    EV(GoStartLocal, 1, count - 1);
    for (unsigned i = 1; i <= count; i++) {
        STRING(i, "name");
        LOG(1, i, i, i, i % 2 == 0 ? "even" : "odd");
        EV(UserTaskCreate, 1, i, 0, i, i);
        EV(UserRegion, 1, i, 0, i, i);
    }
    EV(GoSysExit, 5, 1, 2, 102);
    for (unsigned p = 1; p <= count; p++) {
        P(p, 300);
        EV(ProcStart, p, p);
        EV(GCSweepStart, p, p);
        EV(CPUSample, 1, 200 + p, p, p, p);
    }
}

// All events of Go 1.5 are kept where their numbers do not rise.
static void make_unsorted_trace(unsigned count)
{
    script_v1_begin(5);
    for (unsigned p = 0; p < count; p++) {
        EV(Batch, p, count - p, 100);
        EV(GoCreate, 1, 0, 1 + p, 0, 0);
        EV(FutileWakeup, 1, 0);
    }
}

// Something of all that is kept of what is older than Go 1.5; times of the last P fall.
static void make_trace_before_1_5(unsigned count)
{
    script_v1_begin(0);
    P(0, 100);
    for (unsigned g = 1; g <= count; g++)
        EV(GoCreate, 0, g, 0x1000 + g, 1);
    for (unsigned p = 1; p <= count; p++) {
        P(p, 300);
        EV(GCStart, p, 1);
        EV(STWStart, p);
        EV(GoStart, p, p);
    }
    P(count, 200);
    EV(GCSweepStart, 1, 1);
}

static void fail_each_request(const struct order_v1_way *way, bool for_ever)
{
    uint64_t live_bytes = tp_alloc_live_bytes(), nth = 0;
    uint32_t minor = script_v1.minor;
    struct order_v1_result want = order_v1_legacy_events(minor, script_v1_bytes(), way);
    if (want.err.code != 0)
        fail_msg("%s", want.err.text);
    bool has_fired = true;
    while (has_fired) {
        tp_alloc_fail_at(++nth, for_ever);
        struct order_v1_result got = order_v1_legacy_events(minor, script_v1_bytes(), way);
        has_fired = tp_alloc_fail_left() <= 1;
        tp_alloc_fail_at(0, false);
        if (got.err.code == 0)
            assert_null(order_v1_difference(&got, &want));
        else
            assert_int_equal(got.err.code, TP_E_MEMORY);
        order_v1_result_fini(&got);
    }
    assert_true(nth > 20);
    order_v1_result_fini(&want);
    assert_int_equal(tp_alloc_live_bytes(), live_bytes);
}

static void test_memory_that_fails(void **state)
{
    (void)state;
    const struct order_v1_way ways[] = {{.is_strict = true}, {.is_spilled = true}};
    for (size_t i = 0; i < TP_ARRAY_LEN(ways); i++) {
        make_trace(20);
        fail_each_request(&ways[i], false);
        fail_each_request(&ways[i], true);
        make_unsorted_trace(20);
        fail_each_request(&ways[i], false);
        fail_each_request(&ways[i], true);
        make_trace_before_1_5(20);
        fail_each_request(&ways[i], false);
        fail_each_request(&ways[i], true);
    }
}

// From some bound on all of it is there.
static void bound(void)
{
    struct order_v1_way way = {.max_bytes = 1};
    uint32_t minor = script_v1.minor;
    struct order_v1_result want = order_v1_legacy_events(minor, script_v1_bytes(), &script_v1_way);
    bool is_enough = false;
    for (; !is_enough && way.max_bytes < TP_MIB(1); way.max_bytes += 1 + way.max_bytes / 5) {
        struct order_v1_result got = order_v1_legacy_events(minor, script_v1_bytes(), &way);
        is_enough = got.err.code == 0;
        if (is_enough)
            assert_null(order_v1_difference(&got, &want));
        else
            assert_int_equal(got.err.code, TP_E_LIMIT);
        order_v1_result_fini(&got);
    }
    assert_true(is_enough);
    order_v1_result_fini(&want);
}

static void test_memory_is_bounded(void **state)
{
    (void)state;
    make_trace(70);
    bound();
    make_unsorted_trace(70);
    bound();
    make_trace_before_1_5(70);
    bound();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_links_at_the_end_of_the_ring, tear_down),
        cmocka_unit_test_teardown(test_more_links_than_memory_has, tear_down),
        cmocka_unit_test_teardown(test_nowhere_to_sort_them, tear_down),
        cmocka_unit_test_teardown(test_memory_that_fails, tear_down),
        cmocka_unit_test_teardown(test_memory_is_bounded, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
