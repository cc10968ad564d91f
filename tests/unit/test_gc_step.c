// Which events are steps of the collector's share, and what the finder adds to them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "gc_finder.h"
#include "table_build.h"

static struct table_body strings;
static struct tp_tables *tables;

enum { NO_STRING, MARK_STOP, OTHER_STOP, IDLE, DEDICATED, FRACTIONAL, LOOKS_LIKE, OTHER };

static int make_tables(void **state)
{
    static const char *const texts[] = {
        NULL,        "GC mark termination", "start trace", "GC (idle)", "GC (dedicated)",
        "GC (frac.)", "GCs",                "worker GC ",
    };
    (void)state;
    table_begin(&strings, TP_BATCH_STRINGS);
    for (uint64_t id = 1; id < TP_ARRAY_LEN(texts); id++)
        table_put_string(&strings, id, texts[id]);
    tables = table_create(26);
    table_add_sync(tables, 1, 1);
    if (table_add(tables, TP_BATCH_STRINGS, &strings, NULL) != 0)
        return -1;
    return tp_tables_finish(tables, NULL);
}

static int drop_tables(void **state)
{
    (void)state;
    tp_tables_release(tables);
    return 0;
}

#define P 20
#define G 30
#define NONE TP_GC_STEP_KINDS

static struct tp_event event(uint8_t type, uint64_t a, uint64_t b, uint64_t c)
{
    return (struct tp_event){
        .time_ns = 99, .m = 10, .p = P, .g = G, .args = {a, b, c}, .type = type};
}

// A status as the wire has it, below the state it was before.
#define STATUS(from, status) ((uint64_t)TP_STATE_##from << 32 | (status))
#define RUNNABLE 1
#define RUNNING 2
#define SYSCALL 3
#define WAITING 4

static const struct {
    uint8_t type;
    uint64_t args[3];
    enum tp_gc_step_kind kind;
    int64_t g;
    uint64_t value;
} cases[] = {
    {TP_EVENT_SYNC, {3}, TP_GC_SYNC, G, 3},
    {TP_EV_ProcsChange, {8}, TP_GC_PROCS, G, 8},
    {TP_EV_HeapAlloc, {8}, NONE, 0, 0},
    {TP_EV_STWBegin, {MARK_STOP}, TP_GC_STW_BEGIN, G, 0},
    {TP_EV_STWEnd, {MARK_STOP}, TP_GC_STW_END, G, 0},
    {TP_EV_STWBegin, {OTHER_STOP}, NONE, 0, 0},
    {TP_EV_STWEnd, {OTHER_STOP}, NONE, 0, 0},
    {TP_EV_STWBegin, {0}, NONE, 0, 0},
    {TP_EV_GCBegin, {0}, NONE, 0, 0},
    {TP_EV_GCActive, {0}, NONE, 0, 0},
    {TP_EV_GCEnd, {0}, NONE, 0, 0},
    {TP_EV_GCSweepBegin, {0}, NONE, 0, 0},
    {TP_EV_GCSweepEnd, {0}, NONE, 0, 0},
    {TP_EV_GCSweepActive, {5}, NONE, 0, 0},
    {TP_EV_GCMarkAssistBegin, {0}, TP_GC_ASSIST_BEGIN, G, 0},
    {TP_EV_GCMarkAssistEnd, {0}, TP_GC_ASSIST_END, G, 0},
    {TP_EV_GCMarkAssistActive, {5}, TP_GC_ASSIST_ACTIVE, 5, 0},
    {TP_EV_GoStart, {5}, TP_GC_EXEC_BEGIN, 5, 0},
    {TP_EV_GoCreateSyscall, {5}, TP_GC_EXEC_BEGIN, 5, 0},
    {TP_EV_GoStatus, {5, 0, STATUS(UNDETERMINED, RUNNING)}, TP_GC_EXEC_BEGIN, 5, 0},
    {TP_EV_GoStatus, {5, 0, STATUS(UNDETERMINED, SYSCALL)}, TP_GC_EXEC_BEGIN, 5, 0},
    {TP_EV_GoStatus, {5, 0, STATUS(RUNNING, RUNNING)}, NONE, 0, 0},
    {TP_EV_GoStatus, {5, 0, STATUS(UNDETERMINED, WAITING)}, NONE, 0, 0},
    {TP_EV_GoStop, {0}, TP_GC_EXEC_END, G, 0},
    {TP_EV_GoBlock, {0}, TP_GC_EXEC_END, G, 0},
    {TP_EV_GoDestroy, {0}, TP_GC_EXEC_END, G, 0},
    {TP_EV_GoSyscallEndBlocked, {0}, TP_GC_EXEC_END, G, 0},
    {TP_EV_GoSyscallBegin, {0}, NONE, 0, 0},
    {TP_EV_GoSyscallEnd, {0}, NONE, 0, 0},
    {TP_EV_GoUnblock, {5}, NONE, 0, 0},
    {TP_EV_GoCreate, {5}, NONE, 0, 0},
    {TP_EV_ProcStart, {5}, NONE, 0, 0},
    {TP_EV_ProcStop, {0}, NONE, 0, 0},
    {TP_EV_GoLabel, {IDLE}, NONE, 0, 0},
    {TP_EV_GoLabel, {DEDICATED}, TP_GC_WORKER, G, 0},
    {TP_EV_GoLabel, {FRACTIONAL}, TP_GC_WORKER, G, 0},
    {TP_EV_GoLabel, {LOOKS_LIKE}, NONE, 0, 0},
    {TP_EV_GoLabel, {OTHER}, NONE, 0, 0},
    {TP_EV_UserLog, {0}, NONE, 0, 0},
};

static void test_steps_of_events(void **state)
{
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(cases); i++) {
        const uint64_t *args = cases[i].args;
        struct tp_event e = event(cases[i].type, args[0], args[1], args[2]);
        struct tp_gc_step s;
        bool is_step = tp_gc_finder_step_of(&e, tables, &s);
        if (is_step != (cases[i].kind != NONE))
            fail_msg("case %zu", i);
        if (!is_step)
            continue;
        if (s.kind != cases[i].kind || s.time_ns != 99 || s.p != P || s.g != cases[i].g ||
            s.value != cases[i].value || s.flag)
            fail_msg("case %zu", i);
    }
}

static void test_sync_without_tables(void **state)
{
    struct tp_event e = event(TP_EVENT_SYNC, 4, 0, 0);
    struct tp_gc_step s;
    (void)state;
    assert_true(tp_gc_step_of(&e, NULL, &s));
    assert_int_equal(s.value, 4);
}

// FINDER

static bool look(struct tp_gc_finder *f, uint8_t type, uint64_t a, uint64_t b, uint64_t c)
{
    struct tp_event e = event(type, a, b, c);
    struct tp_gc_step s = {0};
    struct tp_error err;
    assert_int_not_equal(tp_gc_finder_look(f, &e, tables, &s, &err), TP_GC_FOUND_FAILED);
    return s.flag;
}

static bool look_at_assist(struct tp_gc_finder *f)
{
    return look(f, TP_EV_GCMarkAssistActive, 5, 0, 0);
}

static void test_finder_knows_who_executes(void **state)
{
    struct tp_gc_finder f;
    (void)state;
    tp_gc_finder_init(&f);
    look(&f, TP_EVENT_SYNC, 1, 0, 0);
    // What was told before the number of Ps is not known.
    look(&f, TP_EV_GoStatus, G, 0, STATUS(UNDETERMINED, RUNNING));
    assert_false(look_at_assist(&f));
    look(&f, TP_EV_ProcsChange, 4, 0, 0);
    assert_false(look_at_assist(&f));
    look(&f, TP_EV_GoStart, 5, 0, 0); // another goroutine, that of the range
    assert_false(look_at_assist(&f));
    look(&f, TP_EV_GoStart, G, 0, 0);
    assert_true(look_at_assist(&f));
    look(&f, TP_EV_GoSyscallBegin, 0, 0, 0);
    assert_true(look_at_assist(&f));
    look(&f, TP_EV_GoSyscallEndBlocked, 0, 0, 0);
    assert_false(look_at_assist(&f));
    look(&f, TP_EV_GoStart, G, 0, 0);
    look(&f, TP_EV_GoBlock, 0, 0, 0);
    assert_false(look_at_assist(&f));
    // Later it does not matter, and nothing is remembered.
    look(&f, TP_EV_GoStart, G, 0, 0);
    look(&f, TP_EVENT_SYNC, 2, 0, 0);
    assert_false(look_at_assist(&f));
    assert_int_equal(tp_map_bytes(&f.executing), 0);
    tp_gc_finder_fini(&f);
}

static void test_finder_tells_what_it_found(void **state)
{
    struct tp_gc_finder f;
    struct tp_gc_step s;
    struct tp_error err = {0};
    struct tp_event procs = event(TP_EV_ProcsChange, 4, 0, 0);
    struct tp_event start = event(TP_EV_GoStart, 5, 0, 0);
    struct tp_event log = event(TP_EV_UserLog, 0, 0, 0);
    (void)state;
    tp_gc_finder_init(&f);
    assert_int_equal(tp_gc_finder_look(&f, &procs, tables, &s, &err), TP_GC_FOUND_STEP);
    assert_int_equal(s.kind, TP_GC_PROCS);
    assert_int_equal(tp_gc_finder_look(&f, &log, tables, &s, &err), TP_GC_FOUND_NOTHING);
    tp_alloc_fail_at(1, true);
    assert_int_equal(tp_gc_finder_look(&f, &start, tables, &s, &err), TP_GC_FOUND_FAILED);
    tp_alloc_fail_at(0, false);
    assert_int_equal(err.code, TP_E_MEMORY);
    tp_gc_finder_fini(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steps_of_events),
        cmocka_unit_test(test_sync_without_tables),
        cmocka_unit_test(test_finder_knows_who_executes),
        cmocka_unit_test(test_finder_tells_what_it_found),
    };
    return cmocka_run_group_tests_name("gc_step", tests, make_tables, drop_tables);
}
