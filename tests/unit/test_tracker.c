// The spans that a tracker gives out for events at hand, over two generations whose strings and stacks
// have different ids.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "full_tables.h"
#include "merge/tables/event_args.h"
#include "merge/track/tracker.h"

enum { RUNNABLE = 1, RUNNING, SYSCALL, WAITING }; // gstatus of the wire
#define FIRST 1
#define SECOND 2
#define EVENTS_MAX 64
#define LIMIT_BYTES TP_MIB(1)

static struct full_tables *tables[3]; // by generation
static struct tp_tracker tracker;
static struct tp_event events[EVENTS_MAX];
static size_t event_count;
static struct tp_facts facts;
static char *text; // of all spans so far
static size_t text_bytes;
static FILE *out;

static int begin(void **state)
{
    (void)state;
    tables[FIRST] = full_tables_make(FIRST);
    tables[SECOND] = full_tables_make(SECOND);
    tp_tracker_init(&tracker, TP_TRACK_SPANS, LIMIT_BYTES);
    out = open_memstream(&text, &text_bytes);
    event_count = 0;
    return out != NULL ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    tp_tracker_fini(&tracker);
    tp_facts_fini(&facts);
    full_tables_drop(tables[FIRST]);
    full_tables_drop(tables[SECOND]);
    fclose(out);
    free(text);
    return 0;
}

static void event(int64_t time_ns, int64_t g, uint8_t type, const uint64_t args[static 4])
{
    assert_true(event_count < EVENTS_MAX);
    events[event_count] = (struct tp_event){.time_ns = time_ns, .m = 1, .g = g, .type = type};
    memcpy(events[event_count++].args, args, sizeof events[0].args);
}

#define EV(time_ns, g, type, ...) \
    event(time_ns, g, TP_EV_##type, (const uint64_t[4]){__VA_ARGS__})
#define SYNC(time_ns) event(time_ns, -1, TP_EVENT_SYNC, (const uint64_t[4]){1, 1})
#define STATUS(from, to) ((uint64_t)(from) << 32 | (to))

static void put_stack(const char *title, struct tp_stack stack)
{
    if (stack.id == 0)
        return;
    fprintf(out, " %s", title);
    if (!stack.known)
        fprintf(out, " lost");
    for (uint32_t i = 0; i < stack.frame_count; i++) {
        struct tp_frame f = tp_stack_frame(&stack, i);
        fprintf(out, "%c%.*s:%d", i == 0 ? ' ' : ';', (int)f.function.len_bytes, f.function.ptr,
                (int)f.line);
    }
}

// One line: "goroutine function state begin+duration", and what there is of the rest.
static void put(const struct tp_state_span *s, const struct tp_tables *t)
{
    struct tp_text function = tp_state_span_function(s, t), reason = tp_state_span_reason(s, t);
    fprintf(out, "%d %.*s %s %d+%d", (int)s->goroutine, (int)function.len_bytes, function.ptr,
            tp_state_name((enum tp_state)s->state), (int)s->begin_ns,
            (int)(s->end_ns - s->begin_ns));
    if (reason.len_bytes > 0)
        fprintf(out, " \"%.*s\"", (int)reason.len_bytes, reason.ptr);
    put_stack("at", tp_state_span_stack(s, t));
    if (s->waker != TP_NO_GOROUTINE)
        fprintf(out, " by %d", (int)s->waker);
    put_stack("from", tp_state_span_waker_stack(s, t));
    if (s->task != TP_NO_TASK)
        fprintf(out, " task %d", (int)s->task);
    fprintf(out, "%s%s\n", s->had_begun ? " cut before" : "", s->goes_on ? " cut" : "");
}

static void put_spans(const struct tp_tables *t)
{
    for (uint32_t i = 0; i < facts.spans.count; i++)
        put(&facts.spans.items[i], t);
}

static void put_intervals(const struct tp_tables *t);

// One line of each event: its time, then function and task of the goroutine of the context and of the one
// whose state it changes.
static void put_whose(const struct tp_tables *t)
{
    for (uint32_t i = 0; i < facts.whose.count; i++) {
        const struct tp_track_whose *w = &facts.whose.items[i];
        fprintf(out, "%d", (int)events[i].time_ns);
        for (unsigned role = 0; role < TP_TRACK_ROLES; role++) {
            struct tp_text function = tp_fact_text(w->function[role], t);
            fprintf(out, " %.*s/", (int)function.len_bytes, function.ptr);
            if (w->task[role] != TP_NO_TASK)
                fprintf(out, "%d", (int)w->task[role]);
        }
        fputc('\n', out);
    }
}

// Gives the tracker the events so far as a block of this generation.
static int follow(unsigned generation)
{
    struct tp_error err;
    const struct tp_block block = {
        .tables = tables[generation]->tables, .events = events, .event_count = event_count};
    tp_facts_clear(&facts);
    int rc = tp_tracker_block(&tracker, &block, &facts, &err);
    assert_true(facts.spans.count <= event_count);
    put_spans(block.tables);
    put_intervals(block.tables);
    put_whose(block.tables);
    event_count = 0;
    return rc;
}

static void put_rest(void)
{
    tp_facts_clear(&facts);
    assert_false(tp_tracker_rest(&tracker, &facts, EVENTS_MAX));
    put_spans(tracker.tables);
    put_intervals(tracker.tables);
}

static void expect(const char *want)
{
    fputc('\0', out); // behind it may be what stood there before a rewind
    fflush(out);
    assert_string_equal(text, want);
}

// One line: "KIND name begin+duration", and what there is of the rest.
static void put_intervals(const struct tp_tables *t)
{
    static const char *const names[] = {
#define TP_X(kind) #kind,
        TP_INTERVAL_KINDS(TP_X)
#undef TP_X
    };
    for (uint32_t k = 0; k < facts.lasting.count; k++) {
        const struct tp_interval *i = &facts.lasting.items[k];
        struct tp_text name = tp_interval_name(i, t);
        fprintf(out, "%s %.*s %d+%d", names[i->kind], (int)name.len_bytes, name.ptr,
                (int)i->begin_ns, (int)(i->end_ns - i->begin_ns));
        if (i->goroutine != TP_NO_GOROUTINE)
            fprintf(out, " of %d", (int)i->goroutine);
        if (i->proc != -1)
            fprintf(out, " P %d", (int)i->proc);
        if (i->thread != -1)
            fprintf(out, " M %d", (int)i->thread);
        if (i->task != TP_NO_TASK)
            fprintf(out, " task %d", (int)i->task);
        put_stack("at", tp_interval_stack(i, t));
        fprintf(out, "%s%s\n", i->had_begun ? " cut before" : "", i->goes_on ? " cut" : "");
    }
}

// TESTS

static void create(int64_t t, uint64_t g)
{
    EV(t, 1, GoCreate, g, full_stack(FIRST, STACK_OTHER), full_stack(FIRST, STACK_OTHER));
    EV(t + 1, -1, GoStart, g);
}

// Nobody knows how long a state lasts that a displaced event begins or ends.
static void test_displaced_events_cut_states(void **state)
{
    (void)state;
    create(20, 5);
    EV(30, 5, GoBlock, full_string(FIRST, TEXT_CHAN), full_stack(FIRST, STACK_WORK));
    EV(50, 6, GoUnblock, 5, 0, full_stack(FIRST, STACK_OTHER));
    events[event_count - 1].is_displaced = true;
    EV(55, -1, GoStart, 5);
    EV(60, 5, GoDestroy, 0);
    assert_int_equal(follow(FIRST), 0);
    expect("5 main.other Runnable 20+1 by 1 from main.leaf:7;main.other:9\n"
           "5 main.work Running 21+9\n"
           "5 main.work Waiting 30+20 \"chan receive\" at main.leaf:7;main.work:9 cut\n"
           "5 main.work Runnable 50+5 by 6 from main.leaf:7;main.other:9 cut\n"
           "5 main.work Running 55+5\n");
}

static void test_who_waits_where_and_who_ends_it(void **state)
{
    (void)state;
    SYNC(10);
    create(20, 5);
    EV(30, 5, GoBlock, full_string(FIRST, TEXT_CHAN), full_stack(FIRST, STACK_WORK));
    EV(50, 6, GoUnblock, 5, 0, full_stack(FIRST, STACK_OTHER));
    EV(55, -1, GoStart, 5);
    EV(60, 5, GoSyscallBegin, 0, full_stack(FIRST, STACK_WORK));
    EV(70, 5, GoSyscallEnd, 0);
    EV(75, 5, GoStop, full_string(FIRST, TEXT_PREEMPTED), full_stack(FIRST, STACK_WORK));
    EV(80, -1, GoStart, 5);
    EV(90, 5, GoDestroy, 0);
    assert_int_equal(follow(FIRST), 0);
    put_rest();
    expect("5 main.other Runnable 20+1 by 1 from main.leaf:7;main.other:9\n"
           "5 main.work Running 21+9\n"
           "5 main.work Waiting 30+20 \"chan receive\" at main.leaf:7;main.work:9 by 6 from "
           "main.leaf:7;main.other:9\n"
           "5 main.work Runnable 50+5 by 6 from main.leaf:7;main.other:9\n"
           "5 main.work Running 55+5\n"
           "5 main.work Syscall 60+10 at main.leaf:7;main.work:9\n"
           "5 main.work Running 70+5\n"
           "5 main.work Runnable 75+5 \"preempted\" at main.leaf:7;main.work:9\n"
           "5 main.work Running 80+10\n");
}

static void test_a_wait_over_generations_keeps_its_stack(void **state)
{
    (void)state;
    SYNC(10);
    create(20, 5);
    create(22, 6);
    EV(30, 5, GoBlock, full_string(FIRST, TEXT_CHAN), full_stack(FIRST, STACK_WORK));
    EV(31, 6, GoBlock, full_string(FIRST, TEXT_MUTEX), UINT64_MAX); // no table has this stack
    assert_int_equal(follow(FIRST), 0);
    // A generation in which nothing is known of them but that they wait.
    SYNC(40);
    EV(41, -1, GoStatus, 5, 1, STATUS(TP_STATE_WAITING, WAITING));
    assert_int_equal(follow(SECOND), 0);
    EV(50, 1, GoUnblock, 5, 0, full_stack(SECOND, STACK_OTHER));
    EV(60, 1, GoUnblock, 6, 0, 0);
    assert_int_equal(follow(SECOND), 0);
    // The tables of a third one: the first ones again.
    EV(70, -1, GoStart, 5);
    assert_int_equal(follow(FIRST), 0);
    put_rest();
    expect("5 main.other Runnable 20+1 by 1 from main.leaf:7;main.other:9\n"
           "6 main.other Runnable 22+1 by 1 from main.leaf:7;main.other:9\n"
           "5 main.work Running 21+9\n"
           "6 main.other Running 23+8\n"
           "5 main.work Waiting 30+20 \"chan receive\" at main.leaf:7;main.work:9 by 1 from "
           "main.leaf:7;main.other:9\n"
           "6 main.other Waiting 31+29 \"sync\" at lost by 1\n"
           "5 main.work Runnable 50+20 by 1 from main.leaf:7;main.other:9\n"
           "5 main.work Running 70+0 cut\n"
           "6 main.other Runnable 60+10 by 1 cut\n");
}

static void test_the_task_of_a_span(void **state)
{
    (void)state;
    uint64_t alpha = full_string(FIRST, TEXT_ALPHA), beta = full_string(FIRST, TEXT_BETA);
    EV(10, 5, UserTaskBegin, 1, TP_NO_TASK, alpha);
    EV(11, 5, GoBlock, 0, 0);
    EV(12, 1, GoUnblock, 5);
    EV(13, 5, UserTaskBegin, 2, 1, alpha);
    EV(14, -1, GoStart, 5);
    EV(15, 5, UserRegionBegin, 7, alpha);
    EV(16, 5, UserRegionBegin, 0, beta); // of the background task
    EV(17, 5, GoBlock, 0, 0);
    EV(18, 5, UserRegionEnd, 0, beta);
    EV(19, 5, UserRegionEnd, 9, beta, 0, 1); // ends no region
    EV(20, 1, GoUnblock, 5);
    EV(21, 5, UserRegionEnd, 7, full_string(FIRST, TEXT_ALPHA_AGAIN)); // the same text
    EV(22, -1, GoStart, 5);
    EV(23, 8, UserTaskEnd, 2);
    EV(24, 5, GoBlock, 0, 0);
    EV(25, 8, UserTaskEnd, 1);
    EV(26, 8, UserTaskEnd, 1);
    EV(27, 1, GoUnblock, 5);
    assert_int_equal(follow(FIRST), 0);
    expect("5  Waiting 11+1 by 1 task 1\n"
           "5  Runnable 12+2 by 1 task 2\n"
           "5  Running 14+3\n"
           "5  Waiting 17+3 by 1 task 7\n"
           "5  Runnable 20+2 by 1 task 2\n"
           "5  Running 22+2 task 1\n"
           "5  Waiting 24+3 by 1\n");
}

// Its regions end with it. A task that it began stays open, because any goroutine may end it.
static void test_what_a_goroutine_leaves_open(void **state)
{
    (void)state;
    for (int64_t t = 10; t < 40; t += 10) {
        create(t, 5);
        EV(t + 2, 5, UserTaskBegin, 1, TP_NO_TASK, full_string(FIRST, TEXT_ALPHA));
        EV(t + 3, 5, UserTaskBegin, 2, TP_NO_TASK, full_string(FIRST, TEXT_ALPHA));
        EV(t + 4, 5, UserRegionBegin, 3, full_string(FIRST, TEXT_ALPHA));
        EV(t + 5, 5, GoDestroy, 0);
    }
    create(50, 8);
    EV(52, 8, UserTaskEnd, 2);
    EV(53, 8, GoDestroy, 0);
    assert_int_equal(follow(FIRST), 0);
    assert_int_equal(tracker.gs.by_id.count, 0);
    assert_int_equal(tracker.tasks.by_id.count, 1); // task 1, which nobody has ended
    assert_int_equal(TP_SLAB_GET(&tracker.tasks, 1)->g, TP_NO_GOROUTINE);
    assert_true(tracker.gs.count <= 2 && tracker.tasks.count <= 3 && tracker.regions.count <= 2);
}

static void test_what_the_trace_announces_and_cuts(void **state)
{
    (void)state;
    EV(5, -1, GoStatus, 4, 1, STATUS(TP_STATE_UNDETERMINED, RUNNABLE)); // before any Sync
    SYNC(10);
    EV(15, -1, GoStatusStack, 5, 1, STATUS(TP_STATE_UNDETERMINED, WAITING),
       full_stack(FIRST, STACK_WORK));
    EV(20, -1, GoStatus, 6, 1, STATUS(TP_STATE_UNDETERMINED, RUNNING));
    EV(30, 1, GoUnblock, 5);
    EV(35, -1, GoStart, 7); // in which state it was before is not known
    assert_int_equal(follow(FIRST), 0);
    SYNC(40);
    // Goroutine 6 was announced as running, and is said to be woken; goroutine 4 is announced again.
    EV(45, 1, GoUnblock, 6);
    EV(50, -1, GoStatus, 4, 1, STATUS(TP_STATE_UNDETERMINED, WAITING));
    assert_int_equal(follow(FIRST), 0);
    put_rest();
    tp_facts_clear(&facts);
    assert_false(tp_tracker_rest(&tracker, &facts, EVENTS_MAX));
    assert_true(tp_facts_are_none(&facts));
    expect("5 main.work Waiting 10+20 at main.leaf:7;main.work:9 by 1 cut before\n"
           "6  Running 10+10 cut before cut\n"
           "4  Runnable 5+0 cut before cut\n"
           "4  Waiting 40+10 cut before cut\n"
           "5 main.work Runnable 30+20 by 1 cut\n"
           "6  Runnable 45+5 by 1 cut\n"
           "7  Running 35+15 cut\n");
}

static void test_intervals_over_generations(void **state)
{
    (void)state;
    tp_tracker_init(&tracker, TP_TRACK_LASTING, LIMIT_BYTES);
    SYNC(10);
    EV(11, -1, ProcStatus, 0, 1, TP_STATE_UNDETERMINED); // P 0 runs
    create(20, 5);
    EV(22, 5, UserTaskBegin, 1, TP_NO_TASK, full_string(FIRST, TEXT_ALPHA));
    EV(23, 5, UserRegionBegin, 1, full_string(FIRST, TEXT_BETA));
    EV(24, 5, UserRegionBegin, 0, full_string(FIRST, TEXT_ALPHA));
    EV(25, 5, GCBegin, 0);
    EV(26, 5, GCMarkAssistBegin, 0);
    EV(27, 5, GCMarkAssistEnd);
    EV(28, 5, STWBegin, full_string(FIRST, TEXT_BETA), full_stack(FIRST, STACK_WORK));
    EV(29, 5, GCSweepEnd, 0); // of which no begin is seen
    assert_int_equal(follow(FIRST), 0);
    SYNC(40);
    EV(50, 5, STWEnd, full_string(SECOND, TEXT_BETA));
    EV(51, 5, UserRegionEnd, 0, full_string(SECOND, TEXT_ALPHA));
    EV(52, 5, UserTaskEnd, 1);
    EV(53, 5, UserTaskEnd, 2); // of which no begin is seen
    EV(54, 5, GoDestroy);
    EV(60, -1, ProcStop);
    EV(61, -1, ProcStart, 4);
    assert_int_equal(follow(SECOND), 0);
    EV(70, -1, UserTaskBegin, 8, TP_NO_TASK, full_string(SECOND, TEXT_BETA));
    assert_int_equal(follow(SECOND), 0);
    put_rest();
    expect("ASSIST  26+1 of 5\n"
           "SWEEP  29+0 P 0 cut before\n"
           "PAUSE beta 28+22 of 5 at main.leaf:7;main.work:9\n"
           "REGION alpha 24+27 of 5\n"
           "TASK alpha 22+30 of 5 task 1\n"
           "TASK  53+0 task 2 cut before\n"
           "REGION beta 23+31 of 5 task 1\n"
           "LIFE main.other 20+34 of 5 at main.leaf:7;main.other:9\n"
           "PROC  10+50 P 0 M 1 cut before\n"
           "TASK beta 70+0 task 8 cut\n"
           "MARK  25+45 cut\n"
           "PROC  61+9 P 4 M 1 cut\n");
}

static void test_whose_an_event_is(void **state)
{
    (void)state;
    uint64_t alpha = full_string(FIRST, TEXT_ALPHA);
    tp_tracker_init(&tracker, TP_TRACK_WHOSE, LIMIT_BYTES);
    SYNC(10);
    EV(11, -1, GoStatus, 1, 1, STATUS(TP_STATE_UNDETERMINED, RUNNING));
    create(20, 5); // by 1, of which no name is known yet
    EV(22, 5, UserTaskBegin, 7, TP_NO_TASK, alpha);
    EV(23, 5, UserRegionBegin, 0, alpha); // of the background task, and so for no task
    EV(24, 5, UserRegionEnd, 0, alpha);
    EV(25, 5, GoBlock, 0, full_stack(FIRST, STACK_OTHER));
    EV(26, 1, GoUnblock, 5); // 5 works for the task while it waits
    EV(27, 1, GoBlock, 0, full_stack(FIRST, STACK_WORK)); // tells the name of 1
    assert_int_equal(follow(FIRST), 0);
    SYNC(30);
    EV(31, -1, GoStart, 5);
    EV(32, 5, GoUnblock, 1);
    EV(33, 5, UserTaskEnd, 7);
    EV(34, 5, GoDestroy); // after which 5 is not known any more
    EV(35, -1, GoStart, 1);
    assert_int_equal(follow(SECOND), 0);
    expect("10 / /\n"
           "11 / /\n"
           "20 / main.other/\n"
           "21 / main.other/\n"
           "22 main.other/ /\n"
           "23 main.other/7 /\n"
           "24 main.other/ /\n"
           "25 main.other/7 main.other/7\n"
           "26 / main.other/7\n"
           "27 main.work/ main.work/\n"
           "30 / /\n"
           "31 / main.other/7\n"
           "32 main.other/7 main.work/\n"
           "33 main.other/7 /\n"
           "34 main.other/ main.other/\n"
           "35 / main.work/\n");
}

static void test_the_rest_comes_in_pieces(void **state)
{
    (void)state;
    for (uint64_t g = 1; g <= 9; g++)
        EV((int64_t)g, -1, GoStart, g);
    assert_int_equal(follow(FIRST), 0);
    static const uint32_t counts[] = {4, 4, 1};
    int64_t all = 0;
    for (size_t i = 0; i < TP_ARRAY_LEN(counts); i++) {
        tp_facts_clear(&facts);
        assert_int_equal(tp_tracker_rest(&tracker, &facts, 4), i + 1 < TP_ARRAY_LEN(counts));
        assert_int_equal(facts.spans.count, counts[i]);
        for (uint32_t k = 0; k < facts.spans.count; k++)
            assert_int_equal(facts.spans.items[k].goroutine, ++all);
    }
    assert_int_equal(all, 9);
}

// Goroutines that wait for hundreds of generations keep what they refer to, and what ended ones referred
// to is dropped in time.
static void test_many_generations(void **state)
{
    (void)state;
    create(1, 5);
    EV(3, 5, GoBlock, full_string(FIRST, TEXT_CHAN), full_stack(FIRST, STACK_WORK));
    assert_int_equal(follow(FIRST), 0);
    size_t most_bytes = 0;
    for (int64_t i = 1; i <= 400; i++) {
        // Only one of the two tables is in use at a time; each is new to the tracker.
        unsigned now = i % 2 == 1 ? SECOND : FIRST;
        EV(10 * i, -1, GoCreate, (uint64_t)i + 100, 0, full_stack(now, STACK_OTHER));
        EV(10 * i + 1, -1, GoStart, (uint64_t)i + 100);
        if (i > 1)
            EV(10 * i + 2, (int64_t)i + 99, GoDestroy, 0);
        assert_int_equal(follow(now), 0);
        size_t bytes = tp_carried_states_bytes(tracker.tables->carried_states);
        most_bytes = bytes > most_bytes ? bytes : most_bytes;
    }
    assert_true(most_bytes < TP_KIB(256));
    rewind(out);
    EV(5000, 1, GoUnblock, 5, 0, full_stack(FIRST, STACK_OTHER));
    assert_int_equal(follow(FIRST), 0);
    expect("5 main.work Waiting 3+4997 \"chan receive\" at main.leaf:7;main.work:9 by 1 from "
           "main.leaf:7;main.other:9\n");
}

static void test_memory_is_bounded(void **state)
{
    (void)state;
    int rc = 0;
    uint64_t g = 0;
    while (rc == 0 && g < LIMIT_BYTES) {
        for (size_t i = 0; i < EVENTS_MAX; i++, g++)
            EV((int64_t)g, -1, GoCreate, g);
        rc = follow(FIRST);
    }
    assert_int_equal(rc, TP_E_LIMIT);
    assert_true(tp_tracker_bytes(&tracker) > LIMIT_BYTES);
    assert_true(tp_tracker_bytes(&tracker) < 4 * LIMIT_BYTES);
}

// Events that need every kind of memory, in two generations.
static int need_memory(void)
{
    SYNC(10);
    create(20, 5);
    EV(30, 5, UserTaskBegin, 1, TP_NO_TASK, full_string(FIRST, TEXT_ALPHA));
    EV(31, 5, UserRegionBegin, 1, full_string(FIRST, TEXT_ALPHA));
    EV(32, 5, GoBlock, full_string(FIRST, TEXT_CHAN), full_stack(FIRST, STACK_WORK));
    int rc = follow(FIRST);
    EV(50, 1, GoUnblock, 5, 0, full_stack(SECOND, STACK_OTHER));
    if (rc == 0)
        rc = follow(SECOND);
    event_count = 0;
    return rc;
}

static void test_out_of_memory(void **state)
{
    (void)state;
    unsigned failures = 0;
    for (uint64_t nth = 1;; nth++) {
        tp_tracker_fini(&tracker);
        tp_tracker_init(&tracker, TP_TRACK_SPANS, LIMIT_BYTES);
        // Frames are resolved beforehand: a stack that is not known would be no failure.
        assert_int_equal(tp_tables_resolve(tables[FIRST]->tables), 0);
        assert_int_equal(tp_tables_resolve(tables[SECOND]->tables), 0);
        tp_alloc_fail_at(nth, false);
        rewind(out);
        int rc = need_memory();
        bool has_failed = tp_alloc_fail_left() == 0;
        tp_alloc_fail_at(0, false);
        // What could not be carried on is carried anew: without a failure nothing is missing.
        if (rc == 0)
            expect("5 main.other Runnable 20+1 by 1 from main.leaf:7;main.other:9\n"
                   "5 main.work Running 21+11 task 1\n"
                   "5 main.work Waiting 32+18 \"chan receive\" at main.leaf:7;main.work:9 by 1 from "
                   "main.leaf:7;main.other:9 task 1\n");
        else
            assert_int_equal(rc, TP_E_MEMORY);
        assert_true(has_failed || rc == 0);
        failures += rc != 0;
        if (!has_failed)
            break;
    }
    assert_true(failures > 10);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(test_who_waits_where_and_who_ends_it),
        TEST(test_displaced_events_cut_states),
        TEST(test_a_wait_over_generations_keeps_its_stack),
        TEST(test_the_task_of_a_span),
        TEST(test_what_a_goroutine_leaves_open),
        TEST(test_what_the_trace_announces_and_cuts),
        TEST(test_intervals_over_generations),
        TEST(test_whose_an_event_is),
        TEST(test_the_rest_comes_in_pieces),
        TEST(test_many_generations),
        TEST(test_memory_is_bounded),
        TEST(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
