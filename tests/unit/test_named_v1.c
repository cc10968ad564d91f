// What events from before Go 1.22 name and the tables lack: it is counted, or ends the events
// where Go panics, and what Go does not mind does not end them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "legacy_script_v1.h"

static int tear_down(void **state)
{
    (void)state;
    script_v1_fini();
    return 0;
}

// Goroutine 7 runs on P 0; stacks 1 to 4 and strings 1 to 3 are there, and all that is named up
// to here.
static void begin(uint32_t minor)
{
    script_v1_begin(minor);
    STRING(1, "one");
    STRING(2, "two");
    STRING(3, "three");
    for (unsigned id = 1; id < 5; id++)
        STACK(id, 1);
    P(0, 100);
    EV(Gomaxprocs, 0, 2, 1);
    EV(ProcStart, 1, 5);
    EV(GoCreate, 1, 7, 2, 3);
    EV(GoStartLocal, 1, 7);
    EV(HeapAlloc, 6, 0);
}

static uint64_t converted_count(void)
{
    struct order_v1_result r =
        order_v1_convert(script_v1.minor, script_v1_bytes(), &script_v1_way);
    uint64_t count = r.unknown_id_count;
    assert_int_equal(r.err.code, 0);
    order_v1_result_fini(&r);
    return count;
}

static uint64_t original_count(void)
{
    struct order_v1_result r =
        order_v1_legacy_events(script_v1.minor, script_v1_bytes(), &script_v1_way);
    uint64_t count = r.unknown_id_count;
    assert_int_equal(r.err.code, 0);
    order_v1_result_fini(&r);
    return count;
}

// As many events of the script lack something, however it is read.
static void lack(uint64_t count)
{
    (void)script_v1_convert();
    assert_int_equal(converted_count(), count);
    (void)script_v1_legacy_events();
    assert_int_equal(original_count(), count);
}

// As Go the events end with `error` behind `count` others; NULL: they do not end.
static void end_strictly(size_t count, const char *error)
{
    script_v1_way.is_strict = true;
    struct order_v1_result r =
        order_v1_convert(script_v1.minor, script_v1_bytes(), &script_v1_way);
    assert_string_equal(r.err.code != 0 ? r.err.text : "", error != NULL ? error : "");
    if (error != NULL)
        assert_int_equal(r.count, count);
    assert_int_equal(r.unknown_id_count, 0);
    order_v1_result_fini(&r);
    // Nor does it do so to the parser of that time.
    struct order_v1_result o =
        order_v1_legacy_events(script_v1.minor, script_v1_bytes(), &script_v1_way);
    assert_int_equal(o.err.code, 0);
    assert_int_equal(o.unknown_id_count, 0);
    order_v1_result_fini(&o);
}

// Sync, ProcStatus, GoCreate, GoStart and HeapAlloc; the first Gomaxprocs ends what was before.
#define BEGUN 5

static void test_nothing_is_lacking(void **state)
{
    (void)state;
    begin(21);
    EV(GoCreate, 1, 8, 4, 0);
    EV(UserTaskCreate, 1, 1, 0, 1, 2);
    EV(UserRegion, 1, 1, 0, 2, 0);
    EV(UserRegion, 1, 1, 1, 2, 0);
    EV(UserRegion, 1, 1, 0, 0, 0);
    LOG(1, 1, 3, 4, "message");
    EV(UserTaskEnd, 1, 1, 1);
    EV(CPUSample, 1, 115, 0, 7, 3);
    lack(0);
    end_strictly(0, NULL);
}

// To Go a stack that is not there is none, but for that where a goroutine begins.
static void test_stacks(void **state)
{
    (void)state;
    begin(21);
    EV(GoSysCall, 1, 5);
    EV(Gomaxprocs, 1, 4, 9);
    EV(CPUSample, 1, 115, 0, 7, 6);
    EV(GoBlockRecv, 1, 77);
    lack(4);
    end_strictly(0, NULL);
}

static void test_a_stack_without_frames_is_none(void **state)
{
    (void)state;
    begin(11);
    STACK(9, 0);
    EV(GoSysCall, 1, 9);
    lack(1);
    end_strictly(0, NULL);
}

static void test_where_a_goroutine_begins(void **state)
{
    (void)state;
    begin(11);
    EV(HeapAlloc, 1, 70);
    EV(GoCreate, 1, 8, 11, 3);
    EV(GoCreate, 1, 9, 12, 13);
    EV(HeapAlloc, 1, 80);
    lack(2);
    end_strictly(BEGUN + 1, "expected id 11 in trace.stack table");
}

// What was there before the trace is not shown with where it began.
static void test_where_earlier_goroutines_began(void **state)
{
    (void)state;
    script_v1_begin(11);
    STACK(1, 1);
    P(0, 100);
    EV(GoCreate, 1, 8, 11, 1);
    EV(GoWaiting, 1, 8);
    EV(Gomaxprocs, 1, 2, 1);
    lack(1);
    end_strictly(0, NULL);
}

static void test_strings(void **state)
{
    (void)state;
    static const char word[] = "expected id 900 in string table";
    begin(21);
    EV(UserTaskCreate, 1, 1, 0, 900, 1);
    EV(UserTaskEnd, 1, 1, 1);
    lack(1);
    end_strictly(BEGUN, word);
    begin(21);
    EV(UserRegion, 1, 1, 0, 1, 1);
    EV(UserRegion, 1, 2, 0, 900, 1);
    lack(1);
    end_strictly(BEGUN + 1, word);
    begin(21);
    EV(UserRegion, 1, 2, 1, 900, 1);
    lack(1);
    end_strictly(BEGUN, word);
    begin(21);
    LOG(1, 1, 900, 1, "message");
    lack(1);
    end_strictly(BEGUN, word);
    begin(21);
    LOG(1, 1, 0, 99, "of no category, and a stack that Go does not mind");
    lack(1);
    end_strictly(0, NULL);
    begin(21);
    LOG(1, 1, 900, 99, "both, and yet one event");
    lack(1);
    end_strictly(BEGUN, word);
}

// The start is shown, the label behind it cannot be.
static void test_labels(void **state)
{
    (void)state;
    begin(11);
    EV(GoCreate, 1, 8, 2, 3);
    EV(GoSched, 1, 1);
    EV(GoStartLabel, 1, 8, 1, 900);
    lack(1);
    end_strictly(BEGUN + 3, "expected id 900 in string table");
}

// Go puts messages and its own words behind the strings of the trace, where it takes them for
// what the trace has lost.
static void test_strings_that_are_not_of_the_trace(void **state)
{
    (void)state;
    begin(21);
    LOG(1, 1, 1, 1, "message");
    EV(UserRegion, 1, 1, 0, 4, 1); // the message
    EV(UserRegion, 1, 1, 0, 5, 1); // "forever"
    lack(2);
    end_strictly(0, NULL);
    EV(UserRegion, 1, 1, 0, 900, 1);
    end_strictly(BEGUN + 3, "expected id 900 in string table");
}

// Its frames have the numbers 0, 1, ... for names and files. Behind the three strings of the
// trace Go has put others up to 32.
#define STACK_AT(id, frame_count, pc) \
    wire_v1_put_stack(&script_v1.wire, script_v1.minor, (id), (frame_count), (pc), 0)

static void test_frames(void **state)
{
    (void)state;
    begin(11);
    STACK_AT(8, 4, 0x8000);
    STACK_AT(9, 34, 0x9000); // the last frame is called 33
    EV(GoSysCall, 1, 8);
    lack(0);
    EV(GoSysCall, 1, 9);
    EV(GoCreate, 1, 8, 9, 1);
    lack(2);
    end_strictly(BEGUN + 2, "expected id 33 in string table");
    begin(11);
    STACK_AT(9, 33, 0x9000);
    EV(GoSysCall, 1, 9);
    lack(1);
    end_strictly(0, NULL);
}

// Frames of one PC are called what the first of them is.
static void test_frames_of_one_pc(void **state)
{
    (void)state;
    begin(11);
    for (unsigned i = 4; i < 34; i++)
        STACK_AT(10 + i, 1, 0x8000 + i);
    STACK_AT(9, 34, 0x8000);
    EV(GoSysCall, 1, 9);
    lack(0);
    end_strictly(0, NULL);
    begin(11);
    STACK_AT(8, 34, 0x8000);
    STACK_AT(9, 1, 0x8021);
    EV(GoSysCall, 1, 9);
    lack(1);
    end_strictly(BEGUN, "expected id 33 in string table");
}

// As nobody looks at the torn stack, Go does not mind.
static void test_frames_of_no_event(void **state)
{
    (void)state;
    begin(11);
    STACK_AT(9, 5, 0x9000);
    EV(GoSysCall, 1, 4);
    lack(0);
    end_strictly(0, NULL);
}

// Up to Go 1.6 goroutines begin with PCs, and frames have no names.
static void test_bare_pcs(void **state)
{
    (void)state;
    script_v1_begin(5);
    STACK(1, 3);
    EV(Batch, 0, 0, 100);
    EV(Gomaxprocs, 1, 1, 1, 0);
    EV(GoCreate, 1, 1, 7, 0x4000, 1);
    EV(GoStart, 1, 1, 7);
    EV(GoSysCall, 1, 1, 1);
    lack(0);
    EV(GoSysCall, 1, 1, 20);
    lack(1);
}

// Each request fails once: that is the error, or what is lacking is known.
static void test_memory_that_fails(void **state)
{
    (void)state;
    begin(11);
    STACK_AT(9, 5, 0x9000);
    EV(GoSysCall, 1, 9);
    uint64_t live_bytes = tp_alloc_live_bytes(), nth = 0, failures = 0;
    bool has_fired = true;
    while (has_fired) {
        tp_alloc_fail_at(++nth, false);
        struct order_v1_result r =
            order_v1_convert(script_v1.minor, script_v1_bytes(), &script_v1_way);
        has_fired = tp_alloc_fail_left() == 0;
        tp_alloc_fail_at(0, false);
        if (r.err.code == 0)
            assert_int_equal(r.unknown_id_count, 1);
        else
            assert_int_equal(r.err.code, TP_E_MEMORY);
        failures += r.err.code != 0;
        order_v1_result_fini(&r);
    }
    assert_true(failures > 10);
    assert_int_equal(tp_alloc_live_bytes(), live_bytes);
}

// The names of frames do not fit beside the tables.
static void test_memory_that_is_bounded(void **state)
{
    (void)state;
    begin(11);
    for (unsigned i = 0; i < 40; i++)
        STACK_AT(10 + i, 100, 0x10000 * (i + 1));
    EV(GoSysCall, 1, 12);
    script_v1_way.tables_max_bytes = TP_KIB(200);
    struct order_v1_result r =
        order_v1_convert(script_v1.minor, script_v1_bytes(), &script_v1_way);
    assert_int_equal(r.err.code, TP_E_LIMIT);
    order_v1_result_fini(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_nothing_is_lacking, tear_down),
        cmocka_unit_test_teardown(test_stacks, tear_down),
        cmocka_unit_test_teardown(test_a_stack_without_frames_is_none, tear_down),
        cmocka_unit_test_teardown(test_where_a_goroutine_begins, tear_down),
        cmocka_unit_test_teardown(test_where_earlier_goroutines_began, tear_down),
        cmocka_unit_test_teardown(test_strings, tear_down),
        cmocka_unit_test_teardown(test_labels, tear_down),
        cmocka_unit_test_teardown(test_strings_that_are_not_of_the_trace, tear_down),
        cmocka_unit_test_teardown(test_frames, tear_down),
        cmocka_unit_test_teardown(test_frames_of_one_pc, tear_down),
        cmocka_unit_test_teardown(test_frames_of_no_event, tear_down),
        cmocka_unit_test_teardown(test_bare_pcs, tear_down),
        cmocka_unit_test_teardown(test_memory_that_fails, tear_down),
        cmocka_unit_test_teardown(test_memory_that_is_bounded, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
