// Ordered events through the public functions: what each wire code means.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "merge/tables/event_args.h"
#include "table_build.h"
#include "tracepipe/event.h"

static struct table_body strings, stacks;
static struct tp_tables *tables;

// String n is "s<n>", stack 1 has two frames, 2 has none.
static int make_tables(void **state)
{
    static const struct table_frame frames[] = {{0x10, 3, 4, 11}, {0x20, 5, 4, 12}};
    (void)state;
    table_begin(&strings, TP_BATCH_STRINGS);
    for (uint64_t id = 1; id <= 5; id++)
        table_put_string(&strings, id, (char[]){'s', (char)('0' + id), '\0'});
    table_begin(&stacks, TP_BATCH_STACKS);
    table_put_stack(&stacks, 1, frames, 2);
    table_put_stack(&stacks, 2, frames, 0);
    tables = table_create(26);
    table_add_sync(tables, 1700000000, 5);
    if (table_add(tables, TP_BATCH_STRINGS, &strings, NULL) != 0 ||
        table_add(tables, TP_BATCH_STACKS, &stacks, NULL) != 0)
        return -1;
    tables->is_partial = true;
    struct tp_intern carried = {0};
    if (tp_intern_put(&carried, tp_span_of("carried", 7)) != 0)
        return -1;
    tables->carried = tp_carried_names_create(&carried);
    return tp_tables_finish(tables, NULL);
}

static int drop_tables(void **state)
{
    (void)state;
    tp_tables_release(tables);
    return 0;
}

#define M 10
#define P 20
#define G 30

static struct tp_event event(uint8_t type, uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
    return (struct tp_event){.time_ns = 99, .m = M, .p = P, .g = G, .args = {a, b, c, d},
                             .type = type};
}

static void assert_text(struct tp_text found, const char *text)
{
    assert_int_equal(found.len_bytes, strlen(text));
    assert_memory_equal(found.ptr, text, found.len_bytes);
}

static void test_names(void **state)
{
    (void)state;
    assert_string_equal(tp_kind_name(TP_KIND_TRANSITION), "StateTransition");
    assert_string_equal(tp_kind_name((enum tp_kind)99), "Bad");
    assert_string_equal(tp_state_name(TP_STATE_NOT_EXIST), "NotExist");
    struct tp_event start = event(TP_EV_GoStart, 0, 0, 0, 0);
    struct tp_event sync = event(TP_EVENT_SYNC, 0, 0, 0, 0);
    struct tp_event bad = event(200, 0, 0, 0, 0);
    assert_string_equal(tp_event_type_name(&start), "GoStart");
    assert_string_equal(tp_event_type_name(&sync), "Sync");
    assert_string_equal(tp_event_type_name(&bad), "Bad");
    assert_int_equal(tp_event_kind(&bad), TP_KIND_BAD);
}

static void test_every_timed_event_has_a_kind(void **state)
{
    (void)state;
    for (unsigned code = 0; code < TP_EVENT_CODES; code++) {
        struct tp_event e = event((uint8_t)code, 0, 0, 0, 0);
        unsigned wire_kind = tp_event_specs[code].kind;
        bool is_ordered = wire_kind == TP_WIRE_TIMED || wire_kind == TP_WIRE_EXP ||
                          code == TP_EV_CPUSample || code == TP_EVENT_SYNC;
        assert_int_equal(tp_event_kind(&e) != TP_KIND_BAD, is_ordered);
    }
}

// Stacks are where the table of events has them: the first that is named is that of
// the context.
static void test_stacks_are_those_of_the_event_table(void **state)
{
    (void)state;
    for (unsigned code = TP_EV_ProcsChange; code < TP_EV_REGULAR_END; code++) {
        const struct tp_event_spec *spec = &tp_event_specs[code];
        struct tp_event e = event((uint8_t)code, 0, 0, 0, 0);
        struct tp_stack stack;
        unsigned own = 0;
        if (spec->kind != TP_WIRE_TIMED)
            continue;
        for (unsigned i = 1; i < spec->arg_count; i++) {
            if (strcmp(spec->args[i], "stack") == 0)
                own = i;
        }
        assert_int_equal(tp_event_stack(&e, tables, &stack), own != 0);
        if (own == 0)
            continue;
        assert_int_equal(stack.id, 0);
        e.args[own - 1] = 1;
        assert_true(tp_event_stack(&e, tables, &stack));
        assert_int_equal(stack.id, 1);
    }
}

struct expected_transition {
    uint8_t type;
    enum tp_resource resource;
    int64_t id;
    enum tp_state from, to;
    const char *reason;
    uint64_t args[4];
};

#define GO(id, from, to) TP_RESOURCE_GOROUTINE, id, TP_STATE_##from, TP_STATE_##to
#define PROC(id, from, to) TP_RESOURCE_PROC, id, TP_STATE_##from, TP_STATE_##to

static const struct expected_transition transitions[] = {
    {TP_EV_ProcStart, PROC(1, IDLE, RUNNING), "", {1}},
    {TP_EV_ProcStop, PROC(P, RUNNING, IDLE), "", {1}},
    {TP_EV_ProcSteal, PROC(1, RUNNING, IDLE), "", {1, 2, 3, 0}},
    {TP_EV_ProcSteal, PROC(1, IDLE, IDLE), "", {1, 2, 3, 1}},
    {TP_EV_ProcStatus, PROC(1, UNDETERMINED, UNDETERMINED), "", {1, 0, 0}},
    {TP_EV_ProcStatus, PROC(1, NOT_EXIST, RUNNING), "", {1, 1, TP_STATE_NOT_EXIST}},
    {TP_EV_ProcStatus, PROC(1, RUNNING, IDLE), "", {1, 2, TP_STATE_RUNNING}},
    {TP_EV_ProcStatus, PROC(1, RUNNING, RUNNING), "", {1, 3, TP_STATE_RUNNING}},
    {TP_EV_ProcStatus, PROC(1, IDLE, IDLE), "", {1, 4, TP_STATE_IDLE}},
    {TP_EV_ProcStatus, PROC(1, UNDETERMINED, UNDETERMINED), "", {1, 5, 77}},
    {TP_EV_GoCreate, GO(1, NOT_EXIST, RUNNABLE), "", {1}},
    {TP_EV_GoCreateBlocked, GO(1, NOT_EXIST, WAITING), "", {1}},
    {TP_EV_GoCreateSyscall, GO(1, NOT_EXIST, SYSCALL), "", {1}},
    {TP_EV_GoStart, GO(1, RUNNABLE, RUNNING), "", {1}},
    {TP_EV_GoDestroy, GO(G, RUNNING, NOT_EXIST), "", {1}},
    {TP_EV_GoDestroySyscall, GO(G, SYSCALL, NOT_EXIST), "", {1}},
    {TP_EV_GoStop, GO(G, RUNNING, RUNNABLE), "s1", {1}},
    {TP_EV_GoBlock, GO(G, RUNNING, WAITING), "s2", {2}},
    {TP_EV_GoBlock, GO(G, RUNNING, WAITING), "", {0}},
    {TP_EV_GoBlock, GO(G, RUNNING, WAITING), "", {99}},
    {TP_EV_GoUnblock, GO(1, WAITING, RUNNABLE), "", {1}},
    {TP_EV_GoSwitch, GO(1, WAITING, RUNNABLE), "", {1}},
    {TP_EV_GoSwitchDestroy, GO(1, WAITING, RUNNABLE), "", {1}},
    {TP_EV_GoSyscallBegin, GO(G, RUNNING, SYSCALL), "", {1}},
    {TP_EV_GoSyscallEnd, GO(G, SYSCALL, RUNNING), "", {1}},
    {TP_EV_GoSyscallEndBlocked, GO(G, SYSCALL, RUNNABLE), "", {1}},
    {TP_EV_GoStatus, GO(1, UNDETERMINED, UNDETERMINED), "", {1, 0, 0}},
    {TP_EV_GoStatus, GO(1, UNDETERMINED, RUNNABLE), "", {1, 0, 1}},
    {TP_EV_GoStatus, GO(-1, RUNNING, RUNNING), "", {UINT64_MAX, 0, 3ULL << 32 | 2}},
    {TP_EV_GoStatusStack, GO(1, SYSCALL, SYSCALL), "", {1, 0, 5ULL << 32 | 3}},
    {TP_EV_GoStatusStack, GO(1, WAITING, WAITING), "", {1, 0, 4ULL << 32 | 4}},
    {TP_EV_GoStatus, GO(1, UNDETERMINED, UNDETERMINED), "", {1, 0, 99ULL << 32 | 5}},
};

static void test_transitions(void **state)
{
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(transitions); i++) {
        const struct expected_transition *x = &transitions[i];
        struct tp_event e = event(x->type, x->args[0], x->args[1], x->args[2], x->args[3]);
        struct tp_transition found;
        assert_true(tp_event_transition(&e, tables, &found));
        assert_int_equal(found.resource, x->resource);
        assert_int_equal(found.id, x->id);
        assert_int_equal(found.from, x->from);
        assert_int_equal(found.to, x->to);
        assert_text(found.reason, x->reason);
    }
}

static void test_ranges(void **state)
{
    static const struct {
        uint8_t type;
        enum tp_resource scope;
        int64_t id;
        const char *name, *detail;
    } ranges[] = {
        {TP_EV_STWBegin, TP_RESOURCE_GOROUTINE, G, "stop-the-world", "s3"},
        {TP_EV_STWEnd, TP_RESOURCE_GOROUTINE, G, "stop-the-world", "s3"},
        {TP_EV_GCActive, TP_RESOURCE_NONE, -1, "GC concurrent mark phase", ""},
        {TP_EV_GCBegin, TP_RESOURCE_NONE, -1, "GC concurrent mark phase", ""},
        {TP_EV_GCEnd, TP_RESOURCE_NONE, -1, "GC concurrent mark phase", ""},
        {TP_EV_GCSweepActive, TP_RESOURCE_PROC, 3, "GC incremental sweep", ""},
        {TP_EV_GCSweepBegin, TP_RESOURCE_PROC, P, "GC incremental sweep", ""},
        {TP_EV_GCSweepEnd, TP_RESOURCE_PROC, P, "GC incremental sweep", ""},
        {TP_EV_GCMarkAssistActive, TP_RESOURCE_GOROUTINE, 3, "GC mark assist", ""},
        {TP_EV_GCMarkAssistBegin, TP_RESOURCE_GOROUTINE, G, "GC mark assist", ""},
        {TP_EV_GCMarkAssistEnd, TP_RESOURCE_GOROUTINE, G, "GC mark assist", ""},
    };
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(ranges); i++) {
        struct tp_event e = event(ranges[i].type, 3, 4, 0, 0);
        struct tp_range found;
        assert_true(tp_event_range(&e, tables, &found));
        assert_int_equal(found.scope, ranges[i].scope);
        assert_int_equal(found.scope_id, ranges[i].id);
        assert_text(found.name, ranges[i].name);
        assert_text(found.detail, ranges[i].detail);
        assert_int_equal(found.has_sweep, ranges[i].type == TP_EV_GCSweepEnd);
        assert_int_equal(found.swept_bytes, found.has_sweep ? 3 : 0);
        assert_int_equal(found.reclaimed_bytes, found.has_sweep ? 4 : 0);
    }
}

static void test_user_events(void **state)
{
    struct tp_task_event task;
    struct tp_region region;
    struct tp_log log;
    struct tp_label label;
    struct tp_metric metric;
    (void)state;
    struct tp_event e = event(TP_EV_UserTaskBegin, 7, TP_NO_TASK, 1, 0);
    assert_true(tp_event_task(&e, tables, &task));
    assert_int_equal(task.id, 7);
    assert_true(task.parent == TP_NO_TASK);
    assert_text(task.name, "s1");
    e = event(TP_EV_UserTaskEnd, 7, 0, 6, 2);
    assert_true(tp_event_task(&e, tables, &task));
    assert_int_equal(task.parent, 6);
    assert_text(task.name, "s2"); // an index: the first is the empty string
    tp_arg(&e, UserTaskEnd, name) = TP_STRING_EMPTY;
    assert_true(tp_event_task(&e, tables, &task));
    assert_text(task.name, "");
    tp_arg(&e, UserTaskEnd, name) = TP_NAME_CARRIED;
    assert_true(tp_event_task(&e, tables, &task));
    assert_text(task.name, "carried");

    e = event(TP_EV_UserRegionEnd, 7, 2, 0, 0);
    assert_true(tp_event_region(&e, tables, &region));
    assert_int_equal(region.task, 7);
    assert_text(region.name, "s2");
    e = event(TP_EV_UserLog, 7, 1, 2, 0);
    assert_true(tp_event_log(&e, tables, &log));
    assert_text(log.category, "s1");
    assert_text(log.message, "s2");
    e = event(TP_EV_GoLabel, 4, 0, 0, 0);
    assert_true(tp_event_label(&e, tables, &label));
    assert_text(label.label, "s4");
    assert_int_equal(label.goroutine, G);
    e = event(TP_EV_HeapGoal, 4096, 0, 0, 0);
    assert_true(tp_event_metric(&e, &metric));
    assert_text(metric.name, "/gc/heap/goal:bytes");
    assert_int_equal(metric.value, 4096);
}

static void test_experimental_events(void **state)
{
    struct tp_experimental v;
    (void)state;
    struct tp_event e = event(TP_EV_SpanAlloc, 1, 2, 3, 0);
    assert_true(tp_event_experimental(&e, &v));
    assert_string_equal(v.name, "SpanAlloc");
    assert_int_equal(v.arg_count, 3);
    assert_string_equal(v.arg_names[0], "id");
    assert_string_equal(v.arg_names[2], "kindclass");
    assert_int_equal(v.args[2], 3);
}

static void test_sync_events(void **state)
{
    struct tp_sync sync;
    (void)state;
    struct tp_event e = event(TP_EVENT_SYNC, 2, 1, 0, 0);
    assert_true(tp_event_sync(&e, tables, &sync));
    assert_int_equal(sync.number, 2);
    assert_true(sync.has_clock);
    assert_int_equal(sync.trace_ns, TABLE_TICKS + 5);
    assert_int_equal(sync.mono_ns, 6);
    assert_int_equal(sync.wall_sec, 1700000000);
    assert_int_equal(sync.wall_nsec, 5);
    assert_true(tp_event_sync(&e, NULL, &sync));
    assert_false(sync.has_clock);
    tp_arg(&e, Sync, has_clock) = 0; // the last one has no generation
    assert_true(tp_event_sync(&e, tables, &sync));
    assert_false(sync.has_clock);
}

static void test_stacks(void **state)
{
    struct tp_stack stack;
    (void)state;
    struct tp_event e = event(TP_EV_GoBlock, 0, 1, 0, 0);
    assert_true(tp_event_stack(&e, tables, &stack));
    assert_true(stack.known);
    assert_int_equal(stack.frame_count, 2);
    struct tp_frame frame = tp_stack_frame(&stack, 1);
    assert_int_equal(frame.pc, 0x20);
    assert_int_equal(frame.line, 12);
    assert_text(frame.function, "s5");
    assert_text(frame.file, "s4");
    assert_true(tp_event_transition_stack(&e, tables, &stack));
    assert_int_equal(stack.id, 1);
    tp_arg(&e, GoBlock, stack) = 2;
    assert_true(tp_event_stack(&e, tables, &stack));
    assert_true(stack.known);
    assert_int_equal(stack.frame_count, 0);
    tp_arg(&e, GoBlock, stack) = 3;
    assert_true(tp_event_stack(&e, tables, &stack));
    assert_false(stack.known);
    assert_int_equal(stack.frame_count, 0);
    assert_int_equal(stack.id, 3);

    e = event(TP_EV_GoCreate, 5, 1, 2, 0);
    assert_true(tp_event_transition_stack(&e, tables, &stack));
    assert_int_equal(stack.id, 1);
    assert_true(tp_event_stack(&e, tables, &stack));
    assert_int_equal(stack.id, 2);
    e = event(TP_EV_GoUnblock, 5, 1, 2, 0);
    assert_false(tp_event_transition_stack(&e, tables, &stack));
    e = event(TP_EV_GoStatusStack, 5, 1, 2, 1);
    assert_true(tp_event_transition_stack(&e, tables, &stack));
    assert_int_equal(stack.id, 1);
    e = event(TP_EV_CPUSample, 1, 0, 0, 0);
    assert_true(tp_event_stack(&e, tables, &stack));
    assert_int_equal(stack.frame_count, 2);
}

static void test_other_kinds_are_refused(void **state)
{
    (void)state;
    for (unsigned code = 0; code < TP_EVENT_CODES; code++) {
        struct tp_event e = event((uint8_t)code, 0, 0, 0, 0);
        union {
            struct tp_transition transition;
            struct tp_range range;
            struct tp_metric metric;
            struct tp_label label;
            struct tp_task_event task;
            struct tp_region region;
            struct tp_log log;
            struct tp_sync sync;
            struct tp_experimental experimental;
        } u;
        int count = tp_event_transition(&e, tables, &u.transition) +
                    tp_event_range(&e, tables, &u.range) + tp_event_metric(&e, &u.metric) +
                    tp_event_label(&e, tables, &u.label) + tp_event_task(&e, tables, &u.task) +
                    tp_event_region(&e, tables, &u.region) + tp_event_log(&e, tables, &u.log) +
                    tp_event_sync(&e, tables, &u.sync) +
                    tp_event_experimental(&e, &u.experimental);
        enum tp_kind kind = tp_event_kind(&e);
        bool has_details = kind != TP_KIND_BAD && kind != TP_KIND_STACK_SAMPLE;
        assert_int_equal(count, has_details);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_every_timed_event_has_a_kind),
        cmocka_unit_test(test_stacks_are_those_of_the_event_table),
        cmocka_unit_test(test_transitions),
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_user_events),
        cmocka_unit_test(test_experimental_events),
        cmocka_unit_test(test_sync_events),
        cmocka_unit_test(test_stacks),
        cmocka_unit_test(test_other_kinds_are_refused),
    };
    return cmocka_run_group_tests(tests, make_tables, drop_tables);
}
