// Which name a goroutine's time is booked under: one for all of it, the best that its stacks
// give. Scripts are cut everywhere.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "full_script.h"
#include "merge/track/goroutine_name.h"

enum { RUNNABLE = 1, RUNNING, SYSCALL, WAITING }; // gstatus of the wire

// RANKS

static void test_no_name_is_better_than_a_settled_one(void **state)
{
    (void)state;
    for (unsigned kind = TP_ROOT_UNREAD; kind <= TP_ROOT_CUT; kind++) {
        enum tp_name_rank ranks[] = {
            tp_name_rank_of((enum tp_root_kind)kind, TP_STACK_OF_CALL),
            tp_name_rank_of((enum tp_root_kind)kind, TP_STACK_OF_CREATION),
            tp_name_rank_of((enum tp_root_kind)kind, TP_STACK_OF_OTHERS),
        };
        bool has_name = kind != TP_ROOT_UNREAD && kind != TP_ROOT_NONE;
        // Who took it anywhere knows least.
        assert_true(ranks[2] >= ranks[0] && ranks[2] >= ranks[1]);
        for (unsigned i = 0; i < TP_ARRAY_LEN(ranks); i++)
            assert_int_equal(ranks[i] != TP_NAME_UNKNOWN, has_name);
    }
}

// SCRIPTS

// A stack and how it came about.
enum how { CREATED, CALLED, YIELDED, PREEMPTED, SUSPENDED };
struct sight {
    enum how how;
    uint64_t stack;
};

static void stop(int64_t t, const struct sight *sight)
{
    switch (sight->how) {
    case YIELDED: EV(t, 5, GoStop, TEXT(SLEEP), sight->stack); break;
    case PREEMPTED: EV(t, 5, GoStop, TEXT(PREEMPTED), sight->stack); break;
    case SUSPENDED: EV(t, 5, GoBlock, TEXT(PREEMPTED), sight->stack); break;
    default: EV(t, 5, GoBlock, TEXT(SLEEP), sight->stack); break;
    }
    if (sight->how != YIELDED && sight->how != PREEMPTED)
        EV(t + 1, 1, GoUnblock, 5, 2, 0);
}

static int64_t live(const struct sight *sights, size_t count)
{
    int64_t t = 20;
    for (size_t i = 0; i < count; i++, t += 10) {
        EV(t, -1, GoStart, 5);
        stop(t + 3, &sights[i]);
    }
    EV(t, -1, GoStart, 5);
    return t;
}

// Whatever comes when: all its time is in lines of one name, up to an end or that of the trace,
// whether it was there before or was created (with the first of the stacks, if that is of it).
static void expect_name(const char *name, const struct sight *sights, size_t count)
{
    static const char *const has_end[] = {"cut 1", "1"};
    bool is_created = sights[0].how == CREATED;
    for (unsigned ends = 0; ends < 2 * TP_ARRAY_LEN(has_end); ends++) {
        if (is_created && ends % 2 == 1)
            continue;
        script_begin();
        SYNC(1);
        if (ends % 2 == 1)
            EV(10, -1, GoStatus, 5, 0, RUNNABLE);
        else
            EV(10, 1, GoCreate, 5, is_created ? sights[0].stack : 0, 0);
        int64_t t = live(sights + is_created, count - is_created);
        if (ends / 2 == 1)
            EV(t + 5, 5, GoDestroy);
        else
            EV(t + 5, 1, HeapAlloc, 4096);
        script_expect_one_name(name);
    }
}

#define EXPECT(name, ...)                                            \
    expect_name(name, (const struct sight[]){__VA_ARGS__},           \
                sizeof((const struct sight[]){__VA_ARGS__}) / sizeof(struct sight))

static void test_of_equal_ones_the_first(void **state)
{
    (void)state;
    EXPECT("main.work", {CALLED, STACK(WORK)}, {CALLED, STACK(OTHER)});
    EXPECT("main.other", {YIELDED, STACK(OTHER)}, {CALLED, STACK(WORK)});
    EXPECT("main.work", {PREEMPTED, STACK(WORK)}, {SUSPENDED, STACK(OTHER)});
    EXPECT("runtime.bgsweep", {CALLED, STACK(SWEEPER)}, {YIELDED, STACK(SCAVENGER)});
}

static void test_a_stack_that_others_took_may_begin_in_the_middle(void **state)
{
    (void)state;
    EXPECT("main.work", {PREEMPTED, STACK(OTHER)}, {CALLED, STACK(WORK)});
    EXPECT("main.work", {SUSPENDED, STACK(OTHER)}, {PREEMPTED, STACK(OTHER)},
           {YIELDED, STACK(WORK)}, {PREEMPTED, STACK(OTHER)});
    EXPECT("main.work", {CREATED, STACK(WORK)}, {PREEMPTED, STACK(OTHER)});
    EXPECT("runtime.bgsweep", {PREEMPTED, STACK(SCAVENGER)}, {CALLED, STACK(SWEEPER)});
    // Better than none.
    EXPECT("main.other", {PREEMPTED, STACK(OTHER)});
}

// Go 1.17 to 1.21 tell the wrapper, which is called like any function.
static void test_a_call_is_better_than_creation(void **state)
{
    (void)state;
    EXPECT("main.work", {CREATED, STACK(OTHER)}, {PREEMPTED, STACK(LESS_DEEP)},
           {CALLED, STACK(WORK)});
    EXPECT("main.other", {CREATED, STACK(OTHER)}, {CALLED, 0}, {CALLED, STACK(SWEEPER)});
    EXPECT("runtime.bgsweep", {CREATED, STACK(SWEEPER)}, {CALLED, STACK(WORK)});
}

static void test_the_runtime_names_only_what_has_no_other_name(void **state)
{
    (void)state;
    EXPECT("main.work", {CALLED, STACK(WORK)}, {CALLED, STACK(SWEEPER)});
    EXPECT("main.work", {CALLED, STACK(SWEEPER)}, {CALLED, STACK(SCAVENGER)},
           {CALLED, STACK(WORK)});
    EXPECT("main.work", {CALLED, STACK(SWEEPER)}, {PREEMPTED, STACK(WORK)});
    // The main one is a goroutine of the program.
    EXPECT("runtime.main", {CALLED, STACK(SWEEPER)}, {CALLED, STACK(MAIN)});
}

static void test_a_wrapper_is_the_function_it_calls(void **state)
{
    (void)state;
    EXPECT("main.leaf", {CALLED, STACK(WRAPPED)});
    EXPECT("main.leaf", {CREATED, STACK(WRAPPER)}, {PREEMPTED, STACK(WRAPPED)});
    EXPECT("main.work", {PREEMPTED, STACK(WRAPPED)}, {CALLED, STACK(WORK)});
    EXPECT("main.work", {CREATED, STACK(WRAPPER)}, {PREEMPTED, STACK(WORK)});
    EXPECT("runtime.bgsweep", {CALLED, STACK(WRAPPER)}, {PREEMPTED, STACK(SWEEPER)});
    EXPECT("main.serve.gowrap12", {CALLED, STACK(STOPPED)}, {CALLED, STACK(WRAPPER)});
    EXPECT("main.serve.gowrap12", {CREATED, STACK(WRAPPER)});
}

static void test_what_may_be_cut_off_comes_last(void **state)
{
    (void)state;
    EXPECT("main.work", {CALLED, STACK(DEEP)}, {PREEMPTED, STACK(WORK)});
    EXPECT("main.serve.gowrap12", {CALLED, STACK(DEEP)}, {CALLED, STACK(WRAPPER)});
    EXPECT("main.other", {CALLED, STACK(LESS_DEEP)}, {CALLED, STACK(WORK)});
    EXPECT("main.other", {CALLED, STACK(NO_FRAMES)}, {CALLED, STACK(NAMELESS)},
           {CALLED, STACK(DEEP)});
}

static void test_stacks_that_say_nothing(void **state)
{
    (void)state;
    EXPECT("", {CREATED, STACK(NO_FRAMES)}, {CALLED, STACK(NAMELESS)}, {PREEMPTED, 99999});
    EXPECT("main.work", {CREATED, STACK(NAMELESS)}, {CALLED, 99999}, {CALLED, STACK(WORK)});
}

static void test_a_status_is_a_sight_of_others(void **state)
{
    (void)state;
    script_begin();
    SYNC(1);
    EV(10, -1, GoStatusStack, 5, 1, RUNNING, STACK(OTHER));
    EV(15, 5, GoBlock, TEXT(SLEEP), STACK(WORK));
    EV(20, -1, GoStatusStack, 6, 1, WAITING, STACK(OTHER));
    script_expect("goroutine main.work running 0 0 0 cut 2 14\n"
                  "goroutine main.other lifetime 0 0 0 cut 1 19\n"
                  "goroutine main.work lifetime 0 0 0 cut 1 19\n"
                  "goroutine main.other block: 0 0 0 cut 2 19\n"
                  "goroutine main.work block:sleep 0 0 0 cut 1 5\n"
                  "before main.leaf:7;main.other:9 1 19\n");
}

// More than are kept one by one, of one that is created and one that was there.
static void test_many_spans_before_the_name(void **state)
{
    (void)state;
    script_begin();
    SYNC(1);
    EV(2, -1, GoStatus, 6, 0, WAITING);
    EV(10, 1, GoCreate, 5, 0, 0);
    for (int64_t t = 20; t < 620; t += 20) {
        EV(t, -1, GoStart, 5);
        EV(t + 3, 5, GoBlock, TEXT(SLEEP), 0);
        EV(t + 5, 1, GoUnblock, 6, 2, 0);
        EV(t + 8, 1, GoUnblock, 5, 2, 0);
        EV(t + 9, -1, GoStart, 6);
        EV(t + 11, 6, GoBlock, TEXT(SLEEP), STACK(SWEEPER));
    }
    EV(620, -1, GoStart, 5);
    EV(630, 5, GoStop, TEXT(PREEMPTED), STACK(OTHER));
    EV(640, -1, GoStart, 5);
    EV(650, 5, GoStop, TEXT(SLEEP), STACK(WORK));
    EV(651, 1, GoUnblock, 6, 2, 0);
    EV(652, -1, GoStart, 6);
    EV(655, 6, GoBlock, TEXT(SLEEP), STACK(OTHER));
    script_expect("goroutine main.work running 32 110 10\n"
                  "goroutine main.other running 31 63 3\n"
                  "goroutine main.work runnable 32 380 12 cut 1 5\n"
                  "goroutine main.other runnable 31 121 4\n"
                  "goroutine main.other lifetime 0 0 0 cut 1 654\n"
                  "goroutine main.work lifetime 0 0 0 cut 1 645\n"
                  "goroutine main.other block:sleep 30 446 40 cut 1 0\n"
                  "goroutine main.work block:sleep 30 150 5\n"
                  "goroutine main.other block: 0 0 0 cut 2 24\n"
                  "sched  60 477\n"
                  "sched main.leaf:7;main.other:9 1 10\n");
}

// WRAPPERS

// A goroutine with these sights, one after the other, which ends.
static void expect_wrapped(const struct sight *sights, size_t count, const char *want)
{
    script_begin();
    SYNC(1);
    EV(10, 1, GoCreate, 5, sights[0].how == CREATED ? sights[0].stack : 0, 0);
    unsigned first = sights[0].how == CREATED;
    int64_t t = live(sights + first, count - first);
    EV(t + 5, 5, GoDestroy);
    script_expect_wrapped(want);
}
#define EXPECT_WRAPPED(want, ...)                                                        \
    expect_wrapped((const struct sight[]){__VA_ARGS__},                                  \
                   sizeof((const struct sight[]){__VA_ARGS__}) / sizeof(struct sight), want)

static void test_the_first_stack_that_shows_what_is_wrapped(void **state)
{
    (void)state;
    EXPECT_WRAPPED("net/http.(*conn).serve>main.leaf 45\n", {CALLED, STACK(LIBRARY)},
                   {CALLED, STACK(LIBRARY)}, {CALLED, STACK(HANDLER)});
    EXPECT_WRAPPED("net/http.(*conn).serve>main.leaf 35\n", {CALLED, STACK(HANDLER)},
                   {CALLED, STACK(LIBRARY)});
    EXPECT_WRAPPED("net/http.(*conn).serve>main.leaf 35\n", {YIELDED, STACK(LIBRARY)},
                   {PREEMPTED, STACK(HANDLER)});
    EXPECT_WRAPPED("net/http.(*conn).serve>main.leaf 35\n", {PREEMPTED, STACK(HANDLER)},
                   {CALLED, STACK(LIBRARY)});
    EXPECT_WRAPPED("", {CALLED, STACK(LIBRARY)}, {CALLED, STACK(LIBRARY)});
}

// Stacks with other roots, as no program has them, must not depend on who follows the events.
static void test_a_goroutine_with_another_name_wraps_nothing(void **state)
{
    (void)state;
    EXPECT_WRAPPED("", {CALLED, STACK(WORK)}, {CALLED, STACK(HANDLER)}, {CALLED, STACK(HANDLER)});
    EXPECT_WRAPPED("", {CALLED, STACK(WORK)}, {PREEMPTED, STACK(HANDLER)}, {CALLED, STACK(LIBRARY)});
    EXPECT_WRAPPED("net/http.(*conn).serve>main.leaf 55\n", {CALLED, STACK(LIBRARY)},
                   {CALLED, STACK(WORK)}, {CALLED, STACK(HANDLER)}, {CALLED, STACK(WORK)});
    EXPECT_WRAPPED("net/http.(*conn).serve>main.leaf 45\n", {PREEMPTED, STACK(HANDLER)},
                   {CALLED, STACK(WORK)}, {CALLED, STACK(HANDLER)});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_name_is_better_than_a_settled_one),
        cmocka_unit_test(test_of_equal_ones_the_first),
        cmocka_unit_test(test_a_stack_that_others_took_may_begin_in_the_middle),
        cmocka_unit_test(test_a_call_is_better_than_creation),
        cmocka_unit_test(test_the_runtime_names_only_what_has_no_other_name),
        cmocka_unit_test(test_a_wrapper_is_the_function_it_calls),
        cmocka_unit_test(test_what_may_be_cut_off_comes_last),
        cmocka_unit_test(test_stacks_that_say_nothing),
        cmocka_unit_test(test_a_status_is_a_sight_of_others),
        cmocka_unit_test(test_many_spans_before_the_name),
        cmocka_unit_test(test_the_first_stack_that_shows_what_is_wrapped),
        cmocka_unit_test(test_a_goroutine_with_another_name_wraps_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
