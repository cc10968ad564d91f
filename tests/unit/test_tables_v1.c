// Tables of traces from before Go 1.22: strings, stacks, timers and the frequency, wherever in
// the trace they stand, as the conversion and its events find them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "merge/tables/event_shape.h"
#include "script_v1.h"

static int tear_down(void **state)
{
    (void)state;
    script_v1_fini();
    return 0;
}

// Without one a trace has no tables either.
static void put_an_event(void)
{
    if (script_v1.minor < 7) {
        EV(Batch, 0, 0, 1);
        EV(HeapAlloc, 1, 0, 0);
    } else {
        P(0, 1);
        EV(HeapAlloc, 0, 0);
    }
}

static struct order_v1_result convert(void)
{
    struct order_v1_way way = {0};
    struct order_v1_result r = order_v1_convert(script_v1.minor, script_v1_bytes(), &way);
    if (r.err.code != 0)
        fail_msg("%s", r.err.text);
    assert_int_equal(tp_tables_resolve(r.tables), 0);
    return r;
}

static void assert_frame(const struct tp_tables *t, uint32_t stack, uint32_t i, const char *text)
{
    const struct tp_stack_def *def = tp_tables_stack(t, stack);
    assert_non_null(def);
    assert_true(i < def->frame_count);
    const struct tp_frame_def *f = &t->frames.items[t->frame_idx[def->first + i]];
    assert_int_equal(f->text_bytes, strlen(text));
    assert_memory_equal(t->frame_text + f->text_offset, text, f->text_bytes);
}

// Frame i of a stack of the builder has function, file and line i.
static void test_frames_are_known_by_their_strings(void **state)
{
    (void)state;
    script_v1_begin(11);
    STACK(5, 3);
    STRING(1, "main.main");
    STRING(9, "last");
    put_an_event();
    struct order_v1_result r = convert();
    // The empty string is never written. Of one that is lost the number is what is known.
    assert_frame(r.tables, 5, 0, "\t @ 0x5000\n\t\t:0\n");
    assert_frame(r.tables, 5, 1, "\tmain.main @ 0x5001\n\t\tmain.main:1\n");
    assert_frame(r.tables, 5, 2, "\tstring#2 @ 0x5002\n\t\tstring#2:2\n");
    order_v1_result_fini(&r);
}

// The first word that Go's conversion has is the one behind the last id, here and there.
static void test_frames_may_hit_a_word_of_the_conversion(void **state)
{
    (void)state;
    script_v1_begin(11);
    STACK(5, 3);
    STRING(1, "main.main");
    put_an_event();
    struct order_v1_result r = convert();
    assert_frame(r.tables, 5, 2, "\tforever @ 0x5002\n\t\tforever:2\n");
    order_v1_result_fini(&r);
}

static void test_what_is_no_stack(void **state)
{
    static const uint32_t minors[] = {5, 11};
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(minors); i++) {
        script_v1_begin(minors[i]);
        STACK(0, 2);
        STACK(6, 0);
        STACK(7, 1);
        put_an_event();
        struct order_v1_result r = convert();
        assert_null(tp_tables_stack(r.tables, 0));
        assert_null(tp_tables_stack(r.tables, 6));
        assert_non_null(tp_tables_stack(r.tables, 7));
        order_v1_result_fini(&r);
    }
}

static void test_the_last_stack_of_an_id_counts(void **state)
{
    static const uint32_t minors[] = {5, 11, 21};
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(minors); i++) {
        script_v1_begin(minors[i]);
        wire_v1_put_stack(&script_v1.wire, minors[i], 7, 1, 0x100, 0);
        wire_v1_put_stack(&script_v1.wire, minors[i], 7, 2, 0x200, 0);
        put_an_event();
        struct order_v1_result r = convert();
        const struct tp_stack_def *def = tp_tables_stack(r.tables, 7);
        assert_int_equal(def->frame_count, 2);
        assert_int_equal(r.tables->frames.items[r.tables->frame_idx[def->first]].pc, 0x200);
        order_v1_result_fini(&r);
    }
}

static void test_equal_frames_are_one(void **state)
{
    (void)state;
    script_v1_begin(11);
    for (unsigned id = 1; id <= 9; id++)
        wire_v1_put_stack(&script_v1.wire, 11, id, id, 0x100, 0);
    put_an_event();
    struct order_v1_result r = convert();
    assert_int_equal(r.tables->frame_count, 45);
    assert_int_equal(r.tables->frames.count, 9);
    order_v1_result_fini(&r);
}

static void test_the_longest_stack_fits(void **state)
{
    static const uint32_t minors[] = {5, 21};
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(minors); i++) {
        script_v1_begin(minors[i]);
        STACK(1, TP_V1_MAX_STACK_FRAMES);
        put_an_event();
        struct order_v1_result r = convert();
        assert_int_equal(tp_tables_stack(r.tables, 1)->frame_count, 1000);
        order_v1_result_fini(&r);
    }
}

static void test_strings_that_come_twice(void **state)
{
    (void)state;
    script_v1_begin(11);
    P(0, 1);
    STRING(3, "one");
    EV(HeapAlloc, 0, 0);
    STRING(3, "one");
    assert_string_equal(script_v1_convert(), "! string has duplicate id 3\n");
}

// Events before a table may name what stands in it.
static void test_tables_may_come_last(void **state)
{
    (void)state;
    script_v1_begin(11);
    tp_buf_reset(&script_v1.wire);
    P(0, 100);
    EV(Gomaxprocs, 0, 1, 4);
    EV(GoCreate, 1, 7, 4, 0);
    EV(GoStartLabel, 2, 7, 1, 1);
    wire_v1_put_frequency(&script_v1.wire, 11, 500000000);
    STACK(4, 1);
    STRING(1, "GC (idle)");
    script_v1_convert();
    assert_string_equal(script_v1_lines_with("Go"), "2 -1/0/-1 GoCreate 7 s4 s0\n"
                                                    "6 0/0/7 GoStart 7\n"
                                                    "7 0/0/7 GoLabel \"GC (idle)\"\n");
}

// From Go 1.10 on each of several timers has one: what they wake is on the P of timers.
static void test_several_goroutines_run_timers(void **state)
{
    (void)state;
    script_v1_begin(11);
    for (unsigned g = 7; g <= 8; g++)
        wire_v1_put_timer_goroutine(&script_v1.wire, 11, g);
    P(0, 1);
    for (unsigned g = 7; g <= 12; g++)
        EV(GoCreate, 0, g, 0, 0);
    for (unsigned g = 10; g <= 12; g++)
        EV(GoWaiting, 0, g);
    EV(Gomaxprocs, 0, 1, 0);
    for (unsigned g = 7; g <= 9; g++) {
        EV(GoStartLocal, 10, g);
        EV(GoUnblockLocal, 10, g + 3, 0);
        EV(GoSched, 10, 0);
    }
    script_v1_convert();
    assert_string_equal(script_v1_lines_with("GoUnblock"), "20 -1/1000001/7 GoUnblock 10 0 s0\n"
                                                           "50 -1/1000001/8 GoUnblock 11 0 s0\n"
                                                           "80 -1/0/9 GoUnblock 12 0 s0\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frames_are_known_by_their_strings),
        cmocka_unit_test(test_frames_may_hit_a_word_of_the_conversion),
        cmocka_unit_test(test_what_is_no_stack),
        cmocka_unit_test(test_the_last_stack_of_an_id_counts),
        cmocka_unit_test(test_equal_frames_are_one),
        cmocka_unit_test(test_the_longest_stack_fits),
        cmocka_unit_test(test_strings_that_come_twice),
        cmocka_unit_test(test_tables_may_come_last),
        cmocka_unit_test(test_several_goroutines_run_timers),
    };
    return cmocka_run_group_tests_name("tables_v1", tests, NULL, tear_down);
}
