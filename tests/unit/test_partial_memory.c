// Every request for memory of folding, adding and ending fails once: it is told, nothing
// leaks, and what has come before can be thrown away.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "full_script.h"

#define EVENTS_MAX 2000

static struct tp_event events[EVENTS_MAX];
static size_t event_count;

static void put(int64_t g, uint8_t type, uint64_t a, uint64_t b, uint64_t c)
{
    assert_true(event_count < EVENTS_MAX);
    struct tp_event *e = &events[event_count];
    *e = (struct tp_event){.time_ns = 10000 * (int64_t)++event_count, .m = 1, .p = g % 4, .g = g,
                           .args = {a, b, c}, .type = type};
}

// Enough of everything that the lists grow more than once.
static void make_events(void)
{
    event_count = 0;
    put(-1, TP_EVENT_SYNC, 1, 1, 0);
    for (int64_t g = 1; g <= 70; g++) {
        uint64_t id = (uint64_t)g;
        if (g % 3 == 0)
            put(-1, TP_EV_GoStatus, id, 1, g % 2 == 0 ? 4 : 1);
        else if (g % 3 == 1)
            put(1, TP_EV_GoCreate, id, g % 2 == 0 ? STACK(WORK) : 0, STACK(MAIN));
        if (g % 2 == 0 && g % 3 == 0)
            put(1, TP_EV_GoUnblock, id, 1, STACK(OTHER));
        for (unsigned i = 0; i < (g % 10 == 0 ? 12 : 1); i++) {
            put(-1, TP_EV_GoStart, id, 1, 0);
            put(g, TP_EV_GoStop, TEXT(SLEEP), 0, 0);
        }
        put(-1, TP_EV_GoStart, id, 1, 0);
        put(-1, TP_EV_ProcStart, id, 0, 0);
        put(-1, TP_EV_HeapAlloc, 100 + id, 0, 0);
        put(g, TP_EV_UserRegionBegin, 0, TEXT(ALPHA), 0);
        put(g, TP_EV_UserRegionEnd, 0, TEXT(ALPHA), 0);
        put(g, g % 4 == 0 ? TP_EV_UserRegionEnd : TP_EV_UserRegionBegin, 0, TEXT(BETA), 0);
        put(g, TP_EV_UserTaskBegin, id, 0, TEXT(BETA));
        put(g, g % 4 == 0 ? TP_EV_GCMarkAssistEnd : TP_EV_GCMarkAssistBegin, 0, 0, 0);
        put(g, TP_EV_UserTaskEnd, g % 2 == 0 ? id : id + 1000, 0, 0);
        put(g, TP_EV_UserLog, 0, TEXT(ALPHA), TEXT(BETA));
        put(g, TP_EV_CPUSample, full_stack(SCRIPT_GENERATION,
                                           (enum full_stack)(g % FULL_STACK_COUNT)), 0, 0);
        put(g, TP_EV_GoBlock, full_string(SCRIPT_GENERATION,
                                          (enum full_text)(g % FULL_TEXT_COUNT)),
            g % 5 == 0 ? STACK(OTHER) : 0, 0);
        put(1, TP_EV_GoUnblock, id, 1, STACK(OTHER));
        put(-1, TP_EV_GoStart, id, 1, 0);
        if (g % 2 == 1)
            put(g, TP_EV_GoDestroy, 0, 0, 0);
    }
}

static size_t some(void *ctx, size_t left)
{
    size_t most = *(const size_t *)ctx;
    return left < most ? left : most;
}

static void fail_each_request(size_t partial_events)
{
    struct full_tables *tables = full_tables_make(SCRIPT_GENERATION);
    make_events();
    const struct full_run run = {tables->tables, events, event_count};
    const struct full_cuts cuts = {.partial = some, .ctx = &partial_events};
    struct tp_totals whole;
    struct tp_error err;
    assert_int_equal(full_sum(&run, 1, &cuts, &whole, &err), 0);
    char *want = full_text(&whole, true);
    tp_totals_fini(&whole);
    uint64_t before_bytes = tp_alloc_live_bytes(), nth = 1;
    for (;; nth++) {
        struct tp_totals totals;
        err.code = 0;
        tp_alloc_fail_at(nth, false);
        int rc = full_sum(&run, 1, &cuts, &totals, &err);
        bool has_failed = tp_alloc_fail_left() == 0;
        tp_alloc_fail_at(0, false);
        assert_int_equal(rc, has_failed ? TP_E_MEMORY : 0);
        if (rc == 0) {
            char *got = full_text(&totals, true);
            assert_string_equal(got, want);
            free(got);
        } else {
            assert_int_equal(err.code, TP_E_MEMORY);
        }
        tp_totals_fini(&totals);
        assert_int_equal(tp_alloc_live_bytes(), before_bytes);
        if (rc == 0)
            break;
    }
    assert_true(nth > 200);
    full_tables_drop(tables);
    free(want);
}

static void test_one_stretch(void **state)
{
    (void)state;
    fail_each_request(EVENTS_MAX);
}

static void test_a_few_stretches(void **state)
{
    (void)state;
    fail_each_request(150);
}

static void test_many_stretches(void **state)
{
    (void)state;
    fail_each_request(5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_stretch),
        cmocka_unit_test(test_a_few_stretches),
        cmocka_unit_test(test_many_stretches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
