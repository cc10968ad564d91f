// Text of ordered events: every kind and every odd case, as Go prints them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/text/quote.h"
#include "merge/tables/event_args.h"
#include "sink/text/event_text.h"
#include "table_build.h"

static struct table_body strings, stacks;
static struct tp_tables *tables;

enum { CHAN = 1, TERM, MAIN, FILE_NAME, ODD, NAME, LONG_NAME };
enum { TWO = 1, ONE, EMPTY, LOST };

#define TWO_FRAMES                                                                         \
    "\tmain.main @ 0x46f1a0\n\t\t/src/main.go:12\n"                                        \
    "\tchan receive @ 0xffffffffffffffff\n\t\t:0\n"
#define ONE_FRAME "\tmain.main @ 0x46f1a0\n\t\t/src/main.go:12\n"

static const char long_name[] =
    "a/name/longer/than/the/pieces/in/which/frames/are/copied/a/name/longer/than/the/pieces/in/"
    "which/frames/are/copied/a/name/longer/than/the/pieces/in/which/frames/are/copied.func1";

static int make_tables(void **state)
{
    static const struct table_frame frames[] = {{0x46f1a0, MAIN, FILE_NAME, 12},
                                                {UINT64_MAX, CHAN, 0, 0},
                                                {1, LONG_NAME, LONG_NAME, 1}};
    (void)state;
    table_begin(&strings, TP_BATCH_STRINGS);
    table_put_string(&strings, CHAN, "chan receive");
    table_put_string(&strings, TERM, "GC mark termination");
    table_put_string(&strings, MAIN, "main.main");
    table_put_string(&strings, FILE_NAME, "/src/main.go");
    table_put_string(&strings, ODD, "say \"\xc3\xa9\"\n\x01\xff");
    table_put_string(&strings, NAME, "work");
    table_put_string(&strings, LONG_NAME, long_name);
    table_begin(&stacks, TP_BATCH_STACKS);
    table_put_stack(&stacks, TWO, frames, 2);
    table_put_stack(&stacks, ONE, frames, 1);
    table_put_stack(&stacks, EMPTY, frames, 0);
    table_put_stack(&stacks, 5, frames + 2, 1);
    tables = table_create(26);
    tables->is_partial = true;
    table_add_sync(tables, 1700000000, 120000000);
    if (table_add(tables, TP_BATCH_STRINGS, &strings, NULL) != 0 ||
        table_add(tables, TP_BATCH_STACKS, &stacks, NULL) != 0)
        return -1;
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

static struct tp_event event(uint8_t type, uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
    return (struct tp_event){.time_ns = 1234567890123, .m = 7, .p = 2, .g = 19,
                             .args = {a, b, c, d}, .type = type};
}

// Prints one event to memory with room for max_bytes and the overrun; returns the end of the text.
static unsigned char *put_event(struct tp_event_text *x, unsigned char *to,
                                const struct tp_event *e)
{
    struct tp_buf buf = {.ptr = to, .max_bytes = x->max_bytes + TP_EVENT_TEXT_OVERRUN_BYTES};
    assert_int_equal(tp_event_text_fill(x, e, 1, &buf), 1);
    return to + buf.len_bytes;
}

static void assert_prints_with(const struct tp_tables *t, const struct tp_zone *zone,
                               const struct tp_event *e, const char *text)
{
    struct tp_event_text x;
    tp_event_text_init(&x, zone);
    assert_int_equal(tp_event_text_use(&x, t), 0);
    // Nothing is written behind what was asked for.
    unsigned char *to = malloc(x.max_bytes + TP_EVENT_TEXT_OVERRUN_BYTES + 1);
    *put_event(&x, to, e) = '\0';
    assert_string_equal((char *)to, text);
    assert_true(strlen(text) <= x.max_bytes);
    free(to);
}

#define CONTEXT "M=7 P=2 G=19 "
#define TIME " Time=1234567890123"
#define GO CONTEXT "StateTransition" TIME " GoID="
#define PROC CONTEXT "StateTransition" TIME " ProcID="
#define NO_REASON " Reason=\"\"\n"

struct expected {
    uint8_t type;
    uint64_t args[4];
    const char *text;
};

static const struct expected transitions[] = {
    {TP_EV_ProcStart, {3}, PROC "3 Idle->Running" NO_REASON},
    {TP_EV_ProcStop, {3}, PROC "2 Running->Idle" NO_REASON},
    {TP_EV_ProcSteal, {3}, PROC "3 Running->Idle" NO_REASON},
    {TP_EV_ProcSteal, {3, 0, 0, 1}, PROC "3 Idle->Idle" NO_REASON},
    {TP_EV_ProcStatus, {3, 1, TP_STATE_UNDETERMINED}, PROC "3 Undetermined->Running" NO_REASON},
    {TP_EV_ProcStatus, {3, 4, TP_STATE_NOT_EXIST}, PROC "3 NotExist->Idle" NO_REASON},
    {TP_EV_GoCreateSyscall, {30}, GO "30 NotExist->Syscall" NO_REASON},
    {TP_EV_GoStart, {30}, GO "30 Runnable->Running" NO_REASON},
    {TP_EV_GoDestroy, {30}, GO "19 Running->NotExist" NO_REASON},
    {TP_EV_GoDestroySyscall, {30}, GO "19 Syscall->NotExist" NO_REASON},
    {TP_EV_GoStop, {CHAN, 0}, GO "19 Running->Runnable Reason=\"chan receive\"\n"},
    {TP_EV_GoBlock, {0, 0}, GO "19 Running->Waiting" NO_REASON},
    {TP_EV_GoBlock, {ODD, 0},
     GO "19 Running->Waiting Reason=\"say \\\"\xc3\xa9\\\"\\n\\x01\\xff\"\n"},
    {TP_EV_GoBlock, {99, 0}, GO "19 Running->Waiting Reason=\"string#99\"\n"},
    {TP_EV_GoUnblock, {30, 1, 0}, GO "30 Waiting->Runnable" NO_REASON},
    {TP_EV_GoSwitch, {30, 1}, GO "30 Waiting->Runnable" NO_REASON},
    {TP_EV_GoSwitchDestroy, {30, 1}, GO "30 Waiting->Runnable" NO_REASON},
    {TP_EV_GoSyscallBegin, {1, 0}, GO "19 Running->Syscall" NO_REASON},
    {TP_EV_GoSyscallEnd, {1, 0}, GO "19 Syscall->Running" NO_REASON},
    {TP_EV_GoSyscallEndBlocked, {1, 0}, GO "19 Syscall->Runnable" NO_REASON},
    {TP_EV_GoStatus, {30, 0, 4}, GO "30 Undetermined->Waiting" NO_REASON},
    {TP_EV_GoStatus, {30, 0, 5ULL << 32 | 3}, GO "30 Syscall->Syscall" NO_REASON},
    {TP_EV_GoStatusStack, {30, 0, 1, 0}, GO "30 Undetermined->Runnable" NO_REASON},
};

static const struct expected with_stacks[] = {
    {TP_EV_GoCreate, {30, ONE, TWO},
     GO "30 NotExist->Runnable" NO_REASON "TransitionStack=\n" ONE_FRAME "\nStack=\n" TWO_FRAMES
        "\n"},
    // The first stack of a new goroutine is printed even if there is none.
    {TP_EV_GoCreate, {30, 0, 0}, GO "30 NotExist->Runnable" NO_REASON "TransitionStack=\n\n"},
    {TP_EV_GoCreateBlocked, {30, 0, ONE},
     GO "30 NotExist->Waiting" NO_REASON "TransitionStack=\n\nStack=\n" ONE_FRAME "\n"},
    {TP_EV_GoCreateBlocked, {30, ONE, 0},
     GO "30 NotExist->Waiting" NO_REASON "TransitionStack=\n" ONE_FRAME "\n"},
    {TP_EV_GoBlock, {CHAN, TWO},
     GO "19 Running->Waiting Reason=\"chan receive\"\nTransitionStack=\n" TWO_FRAMES
        "\nStack=\n" TWO_FRAMES "\n"},
    {TP_EV_GoBlock, {CHAN, EMPTY},
     GO "19 Running->Waiting Reason=\"chan receive\"\nTransitionStack=\n\nStack=\n\n"},
    {TP_EV_GoStop, {0, LOST},
     GO "19 Running->Runnable" NO_REASON
        "TransitionStack=\n\tstack#4\n\nStack=\n\tstack#4\n\n"},
    {TP_EV_GoStop, {0, UINT64_MAX},
     GO "19 Running->Runnable" NO_REASON "TransitionStack=\n\tstack#18446744073709551615\n"
        "\nStack=\n\tstack#18446744073709551615\n\n"},
    {TP_EV_GoSyscallBegin, {1, ONE},
     GO "19 Running->Syscall" NO_REASON "TransitionStack=\n" ONE_FRAME "\nStack=\n" ONE_FRAME
        "\n"},
    {TP_EV_GoStatusStack, {30, 0, 4, ONE},
     GO "30 Undetermined->Waiting" NO_REASON "TransitionStack=\n" ONE_FRAME "\nStack=\n" ONE_FRAME
        "\n"},
    {TP_EV_GoUnblock, {30, 1, ONE},
     GO "30 Waiting->Runnable" NO_REASON "Stack=\n" ONE_FRAME "\n"},
    {TP_EV_ProcsChange, {8, ONE},
     CONTEXT "Metric" TIME " Name=\"/sched/gomaxprocs:threads\" Value=Value{Uint64(8)}\nStack=\n"
             ONE_FRAME "\n"},
    // So is that of a sample.
    {TP_EV_CPUSample, {ONE}, CONTEXT "StackSample" TIME "\nStack=\n" ONE_FRAME "\n"},
    {TP_EV_CPUSample, {0}, CONTEXT "StackSample" TIME "\nStack=\n\n"},
    {TP_EV_CPUSample, {LOST}, CONTEXT "StackSample" TIME "\nStack=\n\tstack#4\n\n"},
};

#define GC " Name=\"GC concurrent mark phase\" Scope=None"
#define NO_ATTRIBUTES " Attributes=[]\n"

static const struct expected others[] = {
    {TP_EV_ProcsChange, {8, 0},
     CONTEXT "Metric" TIME " Name=\"/sched/gomaxprocs:threads\" Value=Value{Uint64(8)}\n"},
    {TP_EV_HeapAlloc, {UINT64_MAX},
     CONTEXT "Metric" TIME " Name=\"/memory/classes/heap/objects:bytes\""
             " Value=Value{Uint64(18446744073709551615)}\n"},
    {TP_EV_HeapGoal, {0},
     CONTEXT "Metric" TIME " Name=\"/gc/heap/goal:bytes\" Value=Value{Uint64(0)}\n"},
    {TP_EV_GoLabel, {NAME}, CONTEXT "Label" TIME " Label=\"work\" Resource=Goroutine(19)\n"},
    {TP_EV_STWBegin, {TERM, 0},
     CONTEXT "RangeBegin" TIME
             " Name=\"stop-the-world (GC mark termination)\" Scope=Goroutine(19)\n"},
    {TP_EV_STWEnd, {TERM},
     CONTEXT "RangeEnd" TIME
             " Name=\"stop-the-world (GC mark termination)\" Scope=Goroutine(19)" NO_ATTRIBUTES},
    {TP_EV_STWBegin, {ODD, 0},
     CONTEXT "RangeBegin" TIME
             " Name=\"stop-the-world (say \\\"\xc3\xa9\\\"\\n\\x01\\xff)\" Scope=Goroutine(19)\n"},
    {TP_EV_STWBegin, {0, 0},
     CONTEXT "RangeBegin" TIME " Name=\"stop-the-world ()\" Scope=Goroutine(19)\n"},
    {TP_EV_STWEnd, {99},
     CONTEXT "RangeEnd" TIME " Name=\"stop-the-world (string#99)\" Scope=Goroutine(19)"
     NO_ATTRIBUTES},
    {TP_EV_GCActive, {5}, CONTEXT "RangeActive" TIME GC "\n"},
    {TP_EV_GCBegin, {5, 0}, CONTEXT "RangeBegin" TIME GC "\n"},
    {TP_EV_GCEnd, {5}, CONTEXT "RangeEnd" TIME GC NO_ATTRIBUTES},
    {TP_EV_GCSweepActive, {3},
     CONTEXT "RangeActive" TIME " Name=\"GC incremental sweep\" Scope=Proc(3)\n"},
    {TP_EV_GCSweepBegin, {0},
     CONTEXT "RangeBegin" TIME " Name=\"GC incremental sweep\" Scope=Proc(2)\n"},
    {TP_EV_GCSweepEnd, {8192, UINT64_MAX},
     CONTEXT "RangeEnd" TIME " Name=\"GC incremental sweep\" Scope=Proc(2) Attributes=["
             "\"bytes swept\"=Value{Uint64(8192)} "
             "\"bytes reclaimed\"=Value{Uint64(18446744073709551615)}]\n"},
    {TP_EV_GCMarkAssistActive, {UINT64_MAX},
     CONTEXT "RangeActive" TIME " Name=\"GC mark assist\" Scope=Goroutine(-1)\n"},
    {TP_EV_GCMarkAssistBegin, {0},
     CONTEXT "RangeBegin" TIME " Name=\"GC mark assist\" Scope=Goroutine(19)\n"},
    {TP_EV_GCMarkAssistEnd, {0},
     CONTEXT "RangeEnd" TIME " Name=\"GC mark assist\" Scope=Goroutine(19)" NO_ATTRIBUTES},
    {TP_EV_UserTaskBegin, {4, TP_NO_TASK, NAME, 0},
     CONTEXT "TaskBegin" TIME " ID=4 Parent=18446744073709551615 Type=\"work\"\n"},
    {TP_EV_UserTaskEnd, {4, 0, 3, NAME},
     CONTEXT "TaskEnd" TIME " ID=4 Parent=3 Type=\"work\"\n"},
    {TP_EV_UserTaskEnd, {4, 0, TP_NO_TASK, TP_STRING_EMPTY},
     CONTEXT "TaskEnd" TIME " ID=4 Parent=18446744073709551615 Type=\"\"\n"},
    {TP_EV_UserTaskEnd, {4, 0, 3, TP_NAME_CARRIED},
     CONTEXT "TaskEnd" TIME " ID=4 Parent=3 Type=\"carried\"\n"},
    {TP_EV_UserRegionBegin, {4, NAME, 0}, CONTEXT "RegionBegin" TIME " Task=4 Type=\"work\"\n"},
    {TP_EV_UserRegionEnd, {0, 0, 0}, CONTEXT "RegionEnd" TIME " Task=0 Type=\"\"\n"},
    {TP_EV_UserLog, {4, NAME, CHAN, 0},
     CONTEXT "Log" TIME " Task=4 Category=\"work\" Message=\"chan receive\"\n"},
    {TP_EV_SpanAlloc, {1, 2, 3},
     CONTEXT "Experimental" TIME " Name=SpanAlloc Args=[id=Value{Uint64(1)},"
             " npages_value=Value{Uint64(2)}, kindclass=Value{Uint64(3)}]\n"},
    {TP_EV_GoroutineStackFree, {UINT64_MAX},
     CONTEXT "Experimental" TIME
             " Name=GoroutineStackFree Args=[id=Value{Uint64(18446744073709551615)}]\n"},
};

static void assert_all_print(const struct expected *expected, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct expected *x = &expected[i];
        struct tp_event e = event(x->type, x->args[0], x->args[1], x->args[2], x->args[3]);
        assert_prints_with(tables, NULL, &e, x->text);
    }
}

static void test_transitions(void **state)
{
    (void)state;
    assert_all_print(transitions, TP_ARRAY_LEN(transitions));
}

static void test_stacks(void **state)
{
    (void)state;
    // Printed frame by frame first, then as whole texts, then where none was kept.
    assert_all_print(with_stacks, TP_ARRAY_LEN(with_stacks));
    assert_true(tables->stack_texts.used_bytes > 0);
    assert_all_print(with_stacks, TP_ARRAY_LEN(with_stacks));
    tp_stack_texts_fini(&tables->stack_texts);
    assert_all_print(with_stacks, TP_ARRAY_LEN(with_stacks));
}

static void test_other_kinds(void **state)
{
    (void)state;
    assert_all_print(others, TP_ARRAY_LEN(others));
}

static void test_long_frames_are_whole(void **state)
{
    char text[1000];
    (void)state;
    struct tp_event e = event(TP_EV_GCSweepBegin, 5, 0, 0, 0);
    snprintf(text, sizeof text,
             CONTEXT "RangeBegin" TIME
                     " Name=\"GC incremental sweep\" Scope=Proc(2)\nStack=\n\t%s @ 0x1\n\t\t%s:1\n\n",
             long_name, long_name);
    assert_prints_with(tables, NULL, &e, text);
}

static void test_sync(void **state)
{
    struct tp_zone zone = {.types = &(struct tp_zone_type){-12600, false}, .type_count = 1};
    (void)state;
    struct tp_event e = event(TP_EVENT_SYNC, 3, 1, 0, 0);
    e.m = e.p = e.g = -1;
    assert_prints_with(tables, NULL, &e,
                       "M=-1 P=-1 G=-1 Sync" TIME
                       " N=3 Trace=1005 Mono=6 Wall=2023-11-14T22:13:20.12Z\n");
    assert_prints_with(tables, &zone, &e,
                       "M=-1 P=-1 G=-1 Sync" TIME
                       " N=3 Trace=1005 Mono=6 Wall=2023-11-14T18:43:20.12-03:30\n");
    tp_arg(&e, Sync, has_clock) = 0;
    assert_prints_with(tables, NULL, &e, "M=-1 P=-1 G=-1 Sync" TIME " N=3\n");
    assert_prints_with(NULL, NULL, &e, "M=-1 P=-1 G=-1 Sync" TIME " N=3\n");
    // Before Go 1.25 there is no clock.
    struct tp_tables *old = table_create(23);
    tp_arg(&e, Sync, has_clock) = 1;
    assert_prints_with(old, NULL, &e, "M=-1 P=-1 G=-1 Sync" TIME " N=3\n");
    tp_tables_release(old);
}

// Numbers of all lengths: alone, and after one with the same or another beginning.
static void test_contexts_and_times(void **state)
{
    static const int64_t values[] = {0,         1,         -1,        9,          99999999,
                                     100000000, 100000001, 199999999, 9999999999, 1234567890123,
                                     INT64_MAX, INT64_MIN, -99999999, -100000000, 1,
                                     998,       999,       1000,      999999,   1000000,
                                     1000001,   1999999,   2000000,   -1000,    -999999};
    struct tp_event_text x;
    unsigned char text[4096];
    (void)state;
    tp_event_text_init(&x, NULL);
    assert_int_equal(tp_event_text_use(&x, tables), 0);
    for (size_t i = 0; i < TP_ARRAY_LEN(values); i++) {
        for (size_t k = 0; k < TP_ARRAY_LEN(values); k++) {
            char expected[256];
            struct tp_event e = event(TP_EV_GoStart, (uint64_t)values[i], 0, 0, 0);
            e.m = values[k];
            e.p = values[(i + k) % TP_ARRAY_LEN(values)];
            e.g = values[i];
            e.time_ns = values[k];
            snprintf(expected, sizeof expected,
                     "M=%lld P=%lld G=%lld StateTransition Time=%lld GoID=%lld"
                     " Runnable->Running Reason=\"\"\n",
                     (long long)e.m, (long long)e.p, (long long)e.g, (long long)e.time_ns,
                     (long long)values[i]);
            *put_event(&x, text, &e) = '\0';
            assert_string_equal((char *)text, expected);
        }
    }
}

// Every byte in every place of a string, long and short: as tp_quote has it.
static void test_strings_are_quoted_like_go(void **state)
{
    (void)state;
    for (size_t len_bytes = 1; len_bytes < 20; len_bytes++) {
        for (unsigned byte = 1; byte < 256; byte++) {
            static struct table_body body;
            unsigned char name[32] = "abcdefghijklmnopqrstuvwxyz", expected[256], text[32768];
            name[len_bytes] = '\0';
            name[(byte * 7) % len_bytes] = (unsigned char)byte;
            table_begin(&body, TP_BATCH_STRINGS);
            table_put_string(&body, 1, (char *)name);
            struct tp_tables *t = table_create(26);
            assert_int_equal(table_add(t, TP_BATCH_STRINGS, &body, NULL), 0);
            struct tp_event e = event(TP_EV_UserRegionBegin, 0, 1, 0, 0);
            struct tp_event_text x;
            tp_event_text_init(&x, NULL);
            assert_int_equal(tp_event_text_use(&x, t), 0);
            *put_event(&x, text, &e) = '\0';
            unsigned char *end = tp_quote(expected, tp_span_of(name, len_bytes));
            memcpy(end, "\n", 2);
            assert_string_equal(strstr((char *)text, "Type=") + 5, (char *)expected);
            tp_tables_release(t);
        }
    }
}

static void test_fill_takes_whole_events(void **state)
{
    enum { COUNT = 700 };
    static struct tp_event events[COUNT];
    struct tp_event_text x;
    struct tp_buf whole, part;
    (void)state;
    for (size_t i = 0; i < COUNT; i++)
        events[i] = event(i % 3 == 0 ? TP_EV_GoBlock : TP_EV_GoStart, i % 5, i % 4, 0, 0);
    assert_true(tp_buf_init(&whole, TP_MIB(1)));
    tp_event_text_init(&x, NULL);
    assert_int_equal(tp_event_text_use(&x, tables), 0);
    assert_int_equal(tp_event_text_fill(&x, events, COUNT, &whole), COUNT);
    // The smallest buffer takes one at a time.
    assert_true(tp_buf_init(&part, x.max_bytes + TP_EVENT_TEXT_OVERRUN_BYTES));
    size_t done = 0, at = 0;
    while (done < COUNT) {
        size_t count = tp_event_text_fill(&x, events + done, COUNT - done, &part);
        assert_int_equal(count, 1);
        assert_memory_equal(part.ptr, whole.ptr + at, part.len_bytes);
        done += count;
        at += part.len_bytes;
        tp_buf_reset(&part);
    }
    assert_int_equal(at, whole.len_bytes);
    part.max_bytes--;
    assert_int_equal(tp_event_text_fill(&x, events, COUNT, &part), 0);
    part.max_bytes++;
    tp_buf_fini(&part);
    tp_buf_fini(&whole);
}

// Two stacks of as many frames, and two strings of as many bytes as there may be.
static void test_the_longest_event_fits(void **state)
{
    static struct table_body big_strings, big_stacks;
    static struct table_frame frames[TP_MAX_STACK_FRAMES];
    char name[TP_MAX_STRING_BYTES + 1];
    struct tp_event_text x;
    (void)state;
    memset(name, '\x01', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    table_begin(&big_strings, TP_BATCH_STRINGS);
    table_put_string(&big_strings, 1, name);
    for (size_t i = 0; i < TP_ARRAY_LEN(frames); i++)
        frames[i] = (struct table_frame){UINT64_MAX - i, 1, 1, UINT64_MAX};
    table_begin(&big_stacks, TP_BATCH_STACKS);
    table_put_stack(&big_stacks, 1, frames, TP_ARRAY_LEN(frames));
    struct tp_tables *t = table_create(26);
    assert_int_equal(table_add(t, TP_BATCH_STRINGS, &big_strings, NULL), 0);
    assert_int_equal(table_add(t, TP_BATCH_STACKS, &big_stacks, NULL), 0);
    tp_event_text_init(&x, NULL);
    assert_int_equal(tp_event_text_use(&x, t), 0);
    assert_true(x.max_bytes <= TP_EVENT_TEXT_MAX_BYTES);
    unsigned char *text = malloc(x.max_bytes + TP_EVENT_TEXT_OVERRUN_BYTES);
    struct tp_event log = event(TP_EV_UserLog, UINT64_MAX, 1, 1, 1);
    struct tp_event block = event(TP_EV_GoBlock, 1, 1, 0, 0);
    log.m = log.p = log.g = block.m = block.p = block.g = INT64_MIN;
    assert_true((size_t)(put_event(&x, text, &log) - text) <= x.max_bytes);
    assert_true((size_t)(put_event(&x, text, &block) - text) <= x.max_bytes);
    free(text);
    tp_tables_release(t);
}

static void test_without_memory_stacks_are_unknown(void **state)
{
    struct tp_event_text x;
    unsigned char text[32768];
    (void)state;
    struct tp_tables *t = table_create(26);
    assert_int_equal(table_add(t, TP_BATCH_STACKS, &stacks, NULL), 0);
    tp_alloc_fail_at(1, true);
    tp_event_text_init(&x, NULL);
    assert_int_equal(tp_event_text_use(&x, t), TP_E_MEMORY);
    tp_alloc_fail_at(0, false);
    struct tp_event e = event(TP_EV_CPUSample, ONE, 0, 0, 0);
    *put_event(&x, text, &e) = '\0';
    assert_string_equal((char *)text, CONTEXT "StackSample" TIME "\nStack=\n\tstack#2\n\n");
    tp_tables_release(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_transitions),
        cmocka_unit_test(test_stacks),
        cmocka_unit_test(test_other_kinds),
        cmocka_unit_test(test_long_frames_are_whole),
        cmocka_unit_test(test_sync),
        cmocka_unit_test(test_contexts_and_times),
        cmocka_unit_test(test_strings_are_quoted_like_go),
        cmocka_unit_test(test_fill_takes_whole_events),
        cmocka_unit_test(test_the_longest_event_fits),
        cmocka_unit_test(test_without_memory_stacks_are_unknown),
    };
    return cmocka_run_group_tests(tests, make_tables, drop_tables);
}
