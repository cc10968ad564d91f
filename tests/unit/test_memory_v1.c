// The order and conversion of traces from before Go 1.22 with memory that fails, at each
// request, and that is bounded: the error is that of memory, or the events are right;
// nothing is left behind.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "script_v1.h"

#define FIRST_WITH_SAMPLES 19

static int tear_down(void **state)
{
    (void)state;
    script_v1_fini();
    return 0;
}

// Something of all that is kept: goroutines before the trace, Ps, syscalls that block and
// end, regions, tasks, messages, samples, a timer, strings, stacks.
// Without samples, as in Go 1.11, it is walked over in order but once.
static void make_trace(uint32_t minor, unsigned count)
{
    script_v1_begin(minor);
    wire_v1_put_timer_goroutine(&script_v1.wire, minor, 1);
    P(0, 100);
    for (unsigned g = 1; g <= count; g++)
        EV(GoCreate, 0, g, 1, 1);
    EV(GoInSyscall, 1, 1);
    EV(GoStartLocal, 1, count);
    EV(Gomaxprocs, 1, 2, 1);
    for (unsigned i = 1; i <= count; i++) {
        STRING(i, "name");
        STACK(i, 2);
        LOG(1, i, i, i, i % 2 == 0 ? "even" : "odd");
        EV(UserTaskCreate, 1, i, 0, i, i);
        EV(UserRegion, 1, i, 0, i, i);
    }
    EV(GoSysCall, 1, 1);
    P(0, 104 + 3 * count);
    EV(GoSysBlock, 1);
    EV(GoSysExit, 5, 1, 2, 104);
    EV(GoSysExit, 5, count, 2, 0);
    for (unsigned p = 1; p <= count; p++) {
        P(p, 300);
        EV(ProcStart, p, p);
        STRING(count + p, "other");
        if (minor >= FIRST_WITH_SAMPLES)
            EV(CPUSample, 1, 200 + p, p, p, p);
    }
}

// Go 1.5 has starts of goroutines as PCs and stacks of PCs.
static void make_trace_of_go_1_5(unsigned count)
{
    script_v1_begin(5);
    for (unsigned i = 1; i <= count; i++)
        STACK(i, 2);
    EV(Batch, 0, 0, 100);
    EV(Gomaxprocs, 1, 1, 1, 0);
    for (unsigned g = 1; g <= count; g++)
        EV(GoCreate, 1, 1, g, 0x1000 * g, g);
    for (unsigned g = 1; g <= count; g++) {
        EV(GoStart, 1, 1, g);
        EV(GoSysCall, 1, 1, 1);
        EV(GoSysBlock, 1, 1);
        EV(GoSysExit, 2, 1, g, count + 5 * g, 0);
    }
}

// P 1 falls, so its events are sorted.
static void make_trace_of_before_go_1_5(unsigned count)
{
    script_v1_begin(0);
    wire_v1_put_timer_goroutine(&script_v1.wire, 0, 1);
    for (unsigned i = 1; i <= count; i++)
        STACK(i, 2);
    P(0, 100);
    EV(Gomaxprocs, 1, 1, 0);
    for (unsigned g = 1; g <= count; g++)
        EV(GoCreate, 1, g, 0x1000 * g, g);
    for (unsigned g = 1; g <= count; g++) {
        EV(GoStart, 1, g);
        EV(GoSysCall, 1, 1);
        EV(GoSysBlock, 1, 0);
        EV(GoSysExit, 1, g);
    }
    for (unsigned p = 1; p <= count; p++) {
        P(p, 300 + p);
        EV(ProcStart, p);
        P(1, 900 - p);
        EV(HeapAlloc, 0, p);
    }
}

// From the n-th on, or the n-th alone.
static void fail_each_request(const struct order_v1_way *way, bool for_ever)
{
    uint64_t live_bytes = tp_alloc_live_bytes(), nth = 0;
    struct order_v1_result want = order_v1_convert(script_v1.minor, script_v1_bytes(), way);
    if (want.err.code != 0)
        fail_msg("%s", want.err.text);
    bool has_fired = true;
    while (has_fired) {
        tp_alloc_fail_at(++nth, for_ever);
        struct order_v1_result got = order_v1_convert(script_v1.minor, script_v1_bytes(), way);
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

static void fail_in_every_way(void)
{
    struct order_v1_way ways[] = {{.is_strict = true, .is_rehearsed = true},
                                  {.is_spilled = true},
                                  {.fill_capacity = 1}};
    for (size_t i = 0; i < TP_ARRAY_LEN(ways); i++) {
        fail_each_request(&ways[i], false);
        fail_each_request(&ways[i], true);
    }
}

static void test_memory_that_fails(void **state)
{
    (void)state;
    make_trace(21, 3);
    fail_in_every_way();
    make_trace(21, 70);
    fail_in_every_way();
}

static void test_memory_that_fails_in_one_walk(void **state)
{
    (void)state;
    make_trace(11, 3);
    fail_in_every_way();
    make_trace(11, 70);
    fail_in_every_way();
}

static void test_memory_that_fails_for_go_1_5(void **state)
{
    (void)state;
    make_trace_of_go_1_5(20);
    fail_in_every_way();
}

static void test_memory_that_fails_for_what_is_older(void **state)
{
    (void)state;
    make_trace_of_before_go_1_5(20);
    fail_in_every_way();
}

// However little it is, from some bound on all of the trace is there.
static void bound(const char *name)
{
    struct order_v1_way way = {0};
    struct order_v1_result want = order_v1_convert(script_v1.minor, script_v1_bytes(), &way);
    if (want.err.code != 0)
        fail_msg("%s: %s", name, want.err.text);
    size_t refused_count = 0;
    bool is_enough = false;
    for (way.max_bytes = 1; !is_enough && way.max_bytes < TP_MIB(1);
         way.max_bytes += 1 + way.max_bytes / 5) {
        struct order_v1_result got =
            order_v1_convert(script_v1.minor, script_v1_bytes(), &way);
        is_enough = got.err.code == 0;
        if (is_enough)
            assert_null(order_v1_difference(&got, &want));
        else
            assert_int_equal(got.err.code, TP_E_LIMIT);
        refused_count += !is_enough;
        order_v1_result_fini(&got);
    }
    assert_true(is_enough);
    assert_true(refused_count > 10);
    order_v1_result_fini(&want);
}

static void test_all_that_is_kept_is_bounded(void **state)
{
    (void)state;
    make_trace(21, 70);
    bound("all");
    make_trace(11, 70);
    bound("all, in one walk");
    make_trace_of_before_go_1_5(70);
    bound("all before Go 1.5");

    script_v1_begin(11);
    P(0, 1);
    for (unsigned g = 1; g < 500; g++)
        EV(GoCreate, 1, g, 0, 0);
    bound("goroutines");

    script_v1_begin(11);
    P(0, 1);
    for (unsigned i = 0; i < 500; i++)
        EV(UserTaskCreate, 1, i, 0, 0, 0);
    bound("tasks");

    script_v1_begin(11);
    P(0, 1);
    for (unsigned i = 0; i < 500; i++)
        EV(UserRegion, 1, 1, 0, 1, 0);
    bound("regions");

    script_v1_begin(11);
    P(0, 1);
    for (unsigned i = 0; i < 500; i++) {
        char text[] = {'m', (char)('0' + i / 10 % 64), (char)('0' + i % 10), '\0'};
        LOG(1, 1, 0, 0, text);
    }
    bound("messages");

    script_v1_begin(11);
    P(0, 1);
    EV(GoCreate, 1, 7, 0, 0);
    EV(GoStartLocal, 1, 7);
    for (unsigned i = 0; i < 500; i++) {
        EV(GoSysBlock, 1);
        EV(GoSysExit, 1, 7, 2 + 2 * i, 4 + 3 * i);
        EV(GoStart, 1, 7, 3 + 2 * i);
    }
    bound("ends of syscalls");

    script_v1_begin(5);
    EV(Batch, 0, 0, 100);
    for (unsigned i = 0; i < 500; i++)
        EV(HeapAlloc, 1, 1, 0);
    for (unsigned p = 0; p < 300; p++) {
        EV(Batch, p, 500 + p, 700);
        EV(ProcStart, 1, 1, p);
    }
    bound("Ps");
}

// PCs at which goroutines of Go 1.5 begin: known PCs cost nothing more.
static void test_where_goroutines_begin_is_bounded(void **state)
{
    (void)state;
    int codes[2];
    for (unsigned is_distinct = 0; is_distinct < 2; is_distinct++) {
        script_v1_begin(5);
        EV(Batch, 0, 0, 100);
        for (unsigned g = 1; g < 2000; g++) {
            EV(GoCreate, 1, 1, g, is_distinct ? g : 1, 0);
            EV(GoStart, 1, 1, g);
            EV(GoEnd, 1, 1);
        }
        struct order_v1_way way = {.max_bytes = 10000};
        struct order_v1_result r = order_v1_convert(5, script_v1_bytes(), &way);
        codes[is_distinct] = r.err.code;
        order_v1_result_fini(&r);
    }
    assert_int_equal(codes[0], 0);
    assert_int_equal(codes[1], TP_E_LIMIT);
}

// More of them than the buffer that sorts them and the blocks they lie in hold, and told the
// wrong way round.
static void test_ends_of_syscalls_are_not_kept_in_memory(void **state)
{
    enum { PAIRS = 4000 };
    (void)state;
    _Static_assert(2 * PAIRS * sizeof(struct tp_v1_exit) > TP_SPILLED_ARRAY_BLOCK_BYTES &&
                       2 * PAIRS * 2 * sizeof(struct tp_v1_exit) > TP_SORTER_LEAST_BYTES,
                   "they go to files");
    script_v1_begin(11);
    P(0, 1);
    EV(GoCreate, 1, 7, 0, 0);
    EV(GoCreate, 1, 8, 0, 0);
    for (unsigned i = 0; i < PAIRS; i++) {
        unsigned ticks = 3 + 10 * i;
        EV(GoStartLocal, 1, 7);
        EV(GoSysBlock, 1);
        EV(GoStartLocal, 1, 8);
        EV(GoSysBlock, 1);
        EV(GoSysExit, 5, 7, 2 + 2 * i, ticks + 7);
        EV(GoSysExit, 1, 8, 2 + 2 * i, ticks + 6);
    }
    struct order_v1_way way = {.max_bytes = 4096};
    struct order_v1_result r = order_v1_convert(11, script_v1_bytes(), &way);
    if (r.err.code != 0)
        fail_msg("%s", r.err.text);
    unsigned count = 0;
    for (size_t i = 0; i < r.count; i++) {
        if (r.events[i].type == TP_EV_GoSyscallEndBlocked)
            assert_int_equal(r.events[i].g, count++ % 2 == 0 ? 8 : 7);
    }
    assert_int_equal(count, 2 * PAIRS);
    order_v1_result_fini(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory_that_fails),
        cmocka_unit_test(test_memory_that_fails_in_one_walk),
        cmocka_unit_test(test_memory_that_fails_for_go_1_5),
        cmocka_unit_test(test_memory_that_fails_for_what_is_older),
        cmocka_unit_test(test_all_that_is_kept_is_bounded),
        cmocka_unit_test(test_where_goroutines_begin_is_bounded),
        cmocka_unit_test(test_ends_of_syscalls_are_not_kept_in_memory),
    };
    return cmocka_run_group_tests_name("memory_v1", tests, NULL, tear_down);
}
