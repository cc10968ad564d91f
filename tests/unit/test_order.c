// The rules of ordering, each by the shortest sequence of steps that comes to it.
//
// A case is a script of steps "thread event arguments", divided by semicolons.
// `next` begins the next generation; `middle` says that more came before; a step with ~ before
// it must have to wait, and must change nothing by asking; one with + is taken by force, whatever
// the rules say; one with ? is refused, and may be believed (see merge/order/doubt.h) if the steps behind
// an & come next in its thread. What the last step gives is written down: the
// events as "thread/P/goroutine what", or the error behind a "!". Generation n has
// the strings alpha, beta and gamma under the ids 10n+1, 10n+2 and 10n+3.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "order_walk.h"

#define TEXT_BYTES 1024

static struct walk g_walk;
static uint64_t g_hits[TP_RULES];

static void end_walk(struct walk *w)
{
    for (size_t i = 0; i < TP_RULES; i++)
        g_hits[i] += w->order.hits[i];
    walk_end(w);
}

// All that may not change when an event has to wait.
struct snapshot {
    struct tp_g_state gs[16];
    struct tp_p_state ps[16];
    struct tp_binding at[16];
    uint64_t task_count;
    uint64_t gc_seq;
    enum tp_gc_state gc_state;
};

static struct snapshot look(const struct tp_order *o)
{
    struct snapshot s;
    memset(&s, 0, sizeof s);
    assert_true(o->gs.count < 16 && o->ps.count < 16 && o->ms.count < 16);
    for (uint32_t i = 1; i <= o->gs.count; i++)
        s.gs[i] = o->gs.items[i];
    for (uint32_t i = 1; i <= o->ps.count; i++)
        s.ps[i] = o->ps.items[i];
    for (uint32_t i = 0; i < 16; i++)
        s.at[i] = i > 0 && i <= o->ms.count
                      ? o->ms.items[i].at
                      : (struct tp_binding){-1, -1, TP_MAP_NONE, TP_MAP_NONE};
    s.task_count = o->tasks.by_id.count;
    s.gc_seq = o->gc_seq;
    s.gc_state = o->gc_state;
    return s;
}

static bool is_same(const struct snapshot *a, const struct snapshot *b)
{
    for (size_t i = 0; i < 16; i++) {
        const struct tp_g_state *g = &a->gs[i], *h = &b->gs[i];
        const struct tp_p_state *p = &a->ps[i], *q = &b->ps[i];
        if (g->id != h->id || g->status != h->status || g->seq.count != h->seq.count ||
            g->seq.generation != h->seq.generation || g->is_live != h->is_live ||
            g->range != h->range || g->region != h->region ||
            p->id != q->id || p->status != q->status || p->seq.count != q->seq.count ||
            p->seq.generation != q->seq.generation || p->range != q->range ||
            memcmp(&a->at[i], &b->at[i], sizeof a->at[i]) != 0)
            return false;
    }
    return a->task_count == b->task_count && a->gc_seq == b->gc_seq && a->gc_state == b->gc_state;
}

// RESULTS IN WORDS

static size_t put_text(char *to, struct tp_text t)
{
    return (size_t)snprintf(to, TEXT_BYTES, " %.*s", (int)t.len_bytes, t.ptr);
}

static size_t put_resource(char *to, enum tp_resource resource, int64_t id)
{
    static const char letters[] = "-GP";
    if (resource == TP_RESOURCE_NONE)
        return 0;
    return (size_t)snprintf(to, TEXT_BYTES, " %c%lld", letters[resource], (long long)id);
}

static size_t put_task(char *to, const struct tp_task_event *task)
{
    size_t n = (size_t)snprintf(to, TEXT_BYTES, " %llu of ", (unsigned long long)task->id);
    if (task->parent == TP_NO_TASK)
        n += (size_t)snprintf(to + n, TEXT_BYTES, "none");
    else
        n += (size_t)snprintf(to + n, TEXT_BYTES, "%llu", (unsigned long long)task->parent);
    return n + put_text(to + n, task->name);
}

// One event; `to` has room for everything that tests have.
static size_t put_event(char *to, const struct tp_event *e, const struct tp_tables *t)
{
    struct tp_transition transition;
    struct tp_range range;
    struct tp_metric metric;
    struct tp_label label;
    struct tp_task_event task;
    struct tp_region region;
    size_t n = (size_t)snprintf(to, TEXT_BYTES, "%lld/%lld/%lld", (long long)e->m,
                                (long long)e->p, (long long)e->g);
    if (tp_event_transition(e, t, &transition)) {
        n += put_resource(to + n, transition.resource, transition.id);
        n += (size_t)snprintf(to + n, TEXT_BYTES, " %s->%s", tp_state_name(transition.from),
                              tp_state_name(transition.to));
        return transition.reason.len_bytes > 0 ? n + put_text(to + n, transition.reason) : n;
    }
    n += (size_t)snprintf(to + n, TEXT_BYTES, " %s", tp_kind_name(tp_event_kind(e)));
    if (tp_event_range(e, t, &range)) {
        n += put_text(to + n, range.name);
        if (range.detail.len_bytes > 0)
            n += put_text(to + n, range.detail);
        n += put_resource(to + n, range.scope, range.scope_id);
    } else if (tp_event_metric(e, &metric)) {
        n += (size_t)snprintf(to + n, TEXT_BYTES, " %llu", (unsigned long long)metric.value);
    } else if (tp_event_label(e, t, &label)) {
        n += put_text(to + n, label.label);
    } else if (tp_event_task(e, t, &task)) {
        n += put_task(to + n, &task);
    } else if (tp_event_region(e, t, &region)) {
        n += (size_t)snprintf(to + n, TEXT_BYTES, " %llu", (unsigned long long)region.task);
        n += put_text(to + n, region.name);
    }
    return n;
}

static void put_result(char *to, const struct walk *w, enum tp_verdict verdict)
{
    size_t n = 0;
    if (verdict == TP_ORDER_WAIT)
        strcpy(to, "wait");
    if (verdict == TP_ORDER_BROKEN)
        snprintf(to, TEXT_BYTES, "!%s", w->err.text);
    for (size_t i = 0; verdict == TP_ORDER_TAKE && i < w->order.made_count; i++) {
        if (i > 0)
            n += (size_t)snprintf(to + n, TEXT_BYTES, " | ");
        n += put_event(to + n, &w->out[i], w->order.tables);
    }
}

// CASES

#include "order_cases.inc"

// A step before the last one, or the last one.
static enum tp_verdict run_step(struct walk *w, const char *script, const char *text)
{
    bool waits = *text == '~', forced = *text == '+';
    struct snapshot before = look(&w->order);
    enum tp_verdict verdict = TP_ORDER_TAKE;
    if (*text != '?')
        verdict = walk_step_or_force(w, text + (waits || forced), forced);
    else if (!walk_believe(w, text + 1))
        verdict = TP_ORDER_BROKEN;
    struct snapshot after = look(&w->order);
    if (waits != (verdict == TP_ORDER_WAIT))
        fail_msg("%s\n  %s: %s", script, text, waits ? "does not wait" : "has to wait");
    if ((waits || (*text == '?' && verdict == TP_ORDER_BROKEN)) && !is_same(&before, &after))
        fail_msg("%s\n  %s: changes something although it is not taken", script, text);
    if (verdict == TP_ORDER_BROKEN)
        assert_int_equal(w->err.code, TP_E_ORDER);
    return verdict;
}

static void run_case(struct walk *w, const char *script, const char *want)
{
    char steps[TEXT_BYTES], got[4 * TEXT_BYTES] = "", *rest = NULL;
    snprintf(steps, sizeof steps, "%s", script);
    walk_begin(w, TP_MIB(1));
    for (char *text = strtok_r(steps, ";", &rest); text != NULL; text = strtok_r(NULL, ";", &rest)) {
        text += strspn(text, " ");
        if (got[0] == '!')
            fail_msg("%s\n  stops before %s: %s", script, text, got);
        if (strcmp(text, "next") == 0)
            assert_int_equal(walk_next_generation(w), 0);
        else if (strcmp(text, "middle") == 0)
            w->order.begins_in_middle = true;
        else
            put_result(got, w, run_step(w, script, text));
    }
    if (strcmp(got, want) != 0)
        fail_msg("%s\n  gives  %s\n  not    %s", script, got, want);
    end_walk(w);
}

static void test_every_case(void **state)
{
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(cases); i++)
        run_case(&g_walk, cases[i].script, cases[i].want);
}

// Comes behind the cases.
static void test_every_rule_was_reached(void **state)
{
    size_t missing_count = 0;
    (void)state;
    for (size_t i = 0; i < TP_RULES; i++) {
        if (g_hits[i] == 0)
            print_error("not reached: %s\n", tp_rule_names[i]);
        missing_count += g_hits[i] == 0;
    }
    assert_int_equal(missing_count, 0);
}

// A goroutine ends with its ranges and regions; the next one with its id has none.
static void test_what_a_goroutine_had_goes_with_it(void **state)
{
    struct walk *w = &g_walk;
    (void)state;
    run_case(w,
             RUNS "1 UserRegionBegin 3 11 0; 1 STWBegin 12 0; 1 GoDestroy; 1 GoCreate 5 0 0; "
                  "1 GoStart 5 1; 1 UserRegionEnd 4 12 0", "1/0/5 RegionEnd 4 beta");
    run_case(w,
             RUNS "1 STWBegin 12 0; 1 GoDestroy; 1 GoCreate 5 0 0; 1 GoStart 5 1; 1 STWEnd",
             "!tried to end event STWBegin, but not in-flight");
}

static void test_a_name_is_carried_once(void **state)
{
    struct walk *w = &g_walk;
    (void)state;
    walk_begin(w, TP_MIB(1));
    assert_int_equal(walk_step(w, "1 ProcStatus 0 1"), TP_ORDER_TAKE);
    assert_int_equal(walk_step(w, "1 GoStatus 5 1 2"), TP_ORDER_TAKE);
    for (int i = 1; i <= 100; i++) {
        char text[80];
        snprintf(text, sizeof text, "1 UserTaskBegin %d 0 %d 0", i, 11 + i % 2);
        assert_int_equal(walk_step(w, text), TP_ORDER_TAKE);
        snprintf(text, sizeof text, "1 UserRegionBegin %d 12 0", i);
        assert_int_equal(walk_step(w, text), TP_ORDER_TAKE);
    }
    assert_int_equal(walk_next_generation(w), 0);
    assert_int_equal(w->order.tables->carried->texts.count, 2);
    for (int i = 1; i <= 50; i++) {
        char text[80];
        snprintf(text, sizeof text, "1 UserTaskEnd %d 0", i);
        assert_int_equal(walk_step(w, text), TP_ORDER_TAKE);
    }
    assert_int_equal(walk_next_generation(w), 0);
    assert_int_equal(w->order.tables->carried->texts.count, 2);
    assert_int_equal(walk_step(w, "1 UserTaskEnd 99 0"), TP_ORDER_TAKE);
    struct tp_task_event task;
    assert_true(tp_event_task(&w->out[0], w->order.tables, &task));
    assert_int_equal(task.name.len_bytes, 4);
    assert_memory_equal(task.name.ptr, "beta", 4);
    end_walk(w);
}

static void step(struct walk *w, const char *form, int id)
{
    char text[80];
    snprintf(text, sizeof text, form, id);
    assert_int_equal(walk_step(w, text), TP_ORDER_TAKE);
}

static void begin_with_open_regions(struct walk *w)
{
    walk_begin(w, TP_MIB(1));
    step(w, "1 ProcStatus %d 1", 0);
    step(w, "1 GoStatus %d 1 2", 5);
    for (int i = 1; i <= 100; i++)
        step(w, "1 UserRegionBegin %d 12 0", i);
    step(w, "1 UserTaskBegin %d 0 11 0", 1);
}

// A generation that begins no task or region shares the names of the last one, however many are
// open; what ends gets its name all the same, and nothing is listed that is over.
static void test_what_stays_open_costs_nothing(void **state)
{
    struct walk *w = &g_walk;
    (void)state;
    begin_with_open_regions(w);
    assert_int_equal(walk_next_generation(w), 0);
    const struct tp_carried_names *names = w->order.tables->carried;
    assert_int_equal(w->order.named_tasks.count + w->order.named_gs.count, 0);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(walk_next_generation(w), 0);
        assert_ptr_equal(w->order.tables->carried, names);
    }
    for (int i = 2; i < 1000; i++) {
        step(w, "1 UserTaskBegin %d 0 51 0", i);
        step(w, "1 UserTaskEnd %d 0", i);
        step(w, "1 UserRegionBegin %d 51 0", i);
        step(w, "1 UserRegionEnd %d 51 0", i);
    }
    assert_in_range(w->order.named_tasks.capacity + w->order.named_gs.capacity, 2, 16);
    assert_int_equal(walk_next_generation(w), 0);
    assert_ptr_equal(w->order.tables->carried, names);
    step(w, "1 UserRegionEnd %d 62 0", 100);
    step(w, "1 UserTaskEnd %d 0", 1);
    struct tp_task_event task;
    assert_true(tp_event_task(&w->out[0], w->order.tables, &task));
    assert_memory_equal(task.name.ptr, "alpha", task.name.len_bytes);
    end_walk(w);
}

// Each generation gives a new name to a task, which ends in the next one.
static void test_dead_names_do_not_add_up(void **state)
{
    enum { GENERATIONS = 1000 };
    static char names[GENERATIONS][16] = {"", "alpha"};
    struct walk *w = &g_walk;
    (void)state;
    begin_with_open_regions(w);
    for (int i = 2; i < GENERATIONS; i++) {
        char text[80];
        struct tp_task_event task;
        assert_int_equal(walk_next_generation(w), 0);
        size_t len_bytes = (size_t)snprintf(names[i], sizeof names[i], "name %d", i);
        w->order.tables->strings.items[1] = tp_span_of(names[i], len_bytes);
        snprintf(text, sizeof text, "1 UserTaskBegin %d 0 %d1 0", i, i);
        assert_int_equal(walk_step(w, text), TP_ORDER_TAKE);
        step(w, "1 UserTaskEnd %d 0", i - 1);
        assert_true(tp_event_task(&w->out[0], w->order.tables, &task));
        assert_int_equal(task.name.len_bytes, strlen(names[i - 1]));
        assert_memory_equal(task.name.ptr, names[i - 1], task.name.len_bytes);
        assert_in_range(w->order.tables->carried->texts.count, 1, 80);
        assert_in_range(tp_order_bytes(&w->order), 1, TP_KIB(64));
    }
    end_walk(w);
}

// After damage: nothing is known, and what comes now is the first generation.
static void test_reset_begins_anew(void **state)
{
    struct walk *w = &g_walk;
    (void)state;
    walk_begin(w, TP_MIB(1));
    assert_int_equal(walk_step(w, "1 ProcStatus 0 1"), TP_ORDER_TAKE);
    assert_int_equal(walk_step(w, "1 GoStatus 5 1 2"), TP_ORDER_TAKE);
    assert_int_equal(walk_step(w, "1 UserTaskBegin 3 0 11 0"), TP_ORDER_TAKE);
    assert_int_equal(walk_step(w, "1 GCBegin 8 0"), TP_ORDER_TAKE);
    uint64_t hits = w->order.hits[TP_RULE_PROC_STATUS_FIRST];
    tp_order_reset(&w->order);
    w->m_slots[2] = TP_MAP_NONE;
    assert_int_equal(tp_order_bytes(&w->order), 0);
    assert_int_equal(w->order.hits[TP_RULE_PROC_STATUS_FIRST], hits);
    assert_int_equal(walk_next_generation(w), 0);
    assert_null(w->order.tables->carried);
    assert_int_equal(walk_step(w, "1 ProcStatus 0 2"), TP_ORDER_TAKE);
    assert_int_equal(walk_step(w, "1 GoStatus 5 1 4"), TP_ORDER_TAKE);
    assert_int_equal(walk_step(w, "1 GCBegin 3 0"), TP_ORDER_TAKE);
    assert_true(w->order.begins_in_middle);
    end_walk(w);
}

// A crafted trace of many threads must not take for ever.
static void test_work_of_forcing_is_bounded(void **state)
{
    struct walk *w = &g_walk;
    (void)state;
    walk_begin(w, TP_MIB(1));
    assert_int_equal(walk_step_or_force(w, "1 GoStart 5 1", true), TP_ORDER_TAKE);
    assert_int_equal(walk_step_or_force(w, "2 GoStart 5 2", true), TP_ORDER_TAKE);
    assert_true(w->order.forced_look_count == 3);
    w->order.forced_look_count = TP_FORCED_LOOKS_MAX;
    assert_int_equal(walk_step_or_force(w, "1 GoStart 5 3", true), TP_ORDER_TAKE);
    assert_int_equal(walk_step_or_force(w, "2 GoStart 5 4", true), TP_ORDER_BROKEN);
    assert_int_equal(w->err.code, TP_E_ORDER);
    end_walk(w);
}

// In tables that are not whole a name that is missing is only not known.
static void test_missing_names_of_partial_tables(void **state)
{
    struct walk *w = &g_walk;
    (void)state;
    walk_begin(w, TP_MIB(1));
    w->order.tables->is_partial = true;
    assert_int_equal(walk_step(w, "1 ProcStatus 0 1"), TP_ORDER_TAKE);
    assert_int_equal(walk_step(w, "1 GoStatus 5 1 2"), TP_ORDER_TAKE);
    assert_int_equal(walk_step(w, "1 UserTaskBegin 3 0 99 0"), TP_ORDER_TAKE);
    assert_int_equal(walk_step(w, "1 UserTaskBegin 4 0 98 0"), TP_ORDER_TAKE);
    assert_int_equal(walk_step(w, "1 UserRegionBegin 4 97 0"), TP_ORDER_TAKE);
    assert_int_equal(walk_step(w, "1 UserTaskEnd 3 0"), TP_ORDER_TAKE);
    char text[TEXT_BYTES];
    put_event(text, &w->out[0], w->order.tables);
    assert_string_equal(text, "1/0/5 TaskEnd 3 of none ");
    assert_int_equal(walk_next_generation(w), 0);
    assert_int_equal(walk_step(w, "1 UserTaskEnd 4 0"), TP_ORDER_TAKE);
    put_event(text, &w->out[0], w->order.tables);
    assert_string_equal(text, "1/0/5 TaskEnd 4 of none ");
    end_walk(w);
}

static void test_states_have_a_limit(void **state)
{
    static const char *const makers[] = {"1 GoStatus %d -1 4", "1 ProcStatus %d 2",
                                         "1 UserTaskBegin %d 0 11 0", "1 UserRegionBegin %d 11 0",
                                         "1 STWBegin %d 0"};
    struct walk *w = &g_walk;
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(makers); i++) {
        int n = 100;
        walk_begin(w, TP_KIB(64));
        assert_int_equal(walk_step(w, "1 ProcStatus 0 1"), TP_ORDER_TAKE);
        assert_int_equal(walk_step(w, "1 GoStatus 5 1 2"), TP_ORDER_TAKE);
        for (enum tp_verdict verdict = TP_ORDER_TAKE; verdict == TP_ORDER_TAKE; n++) {
            char text[80];
            snprintf(text, sizeof text, makers[i], n);
            verdict = walk_step(w, text);
        }
        assert_int_equal(w->err.code, TP_E_LIMIT);
        assert_true(n > 200);
        assert_true(tp_order_bytes(&w->order) <= TP_KIB(64));
        end_walk(w);
    }
}

static void test_every_failing_allocation(void **state)
{
    static const char *const steps[] = {
        "1 ProcStatus 0 1", "1 GoStatus 5 1 2", "1 GoStatus 6 9 3", "1 UserTaskBegin 3 0 11 0",
        "1 UserRegionBegin 3 12 0", "1 STWBegin 11 0", "1 GCSweepBegin 0", "1 GoCreate 8 0 0",
        "1 GoCreateSyscall 9"};
    struct walk *w = &g_walk;
    (void)state;
    uint64_t live_bytes = tp_alloc_live_bytes();
    bool was_complete = false;
    for (uint64_t nth = 1; !was_complete; nth++) {
        walk_begin(w, TP_MIB(1));
        enum tp_verdict verdict = TP_ORDER_TAKE;
        tp_alloc_fail_at(nth, false);
        for (size_t i = 0; i < TP_ARRAY_LEN(steps) - 1 && verdict == TP_ORDER_TAKE; i++)
            verdict = walk_step(w, steps[i]);
        was_complete = verdict == TP_ORDER_TAKE;
        tp_alloc_fail_at(0, false);
        if (!was_complete) {
            assert_int_equal(verdict, TP_ORDER_BROKEN);
            assert_int_equal(w->err.code, TP_E_MEMORY);
        }
        end_walk(w);
        assert_int_equal(tp_alloc_live_bytes(), live_bytes);
    }
}

// Names on their way into the next generation.
static void test_every_failing_allocation_between_generations(void **state)
{
    struct walk *w = &g_walk;
    (void)state;
    uint64_t live_bytes = tp_alloc_live_bytes();
    int rc = TP_E_MEMORY;
    for (uint64_t nth = 1; rc != 0; nth++) {
        walk_begin(w, TP_MIB(1));
        assert_int_equal(walk_step(w, "1 ProcStatus 0 1"), TP_ORDER_TAKE);
        assert_int_equal(walk_step(w, "1 GoStatus 5 1 2"), TP_ORDER_TAKE);
        assert_int_equal(walk_step(w, "1 UserTaskBegin 3 0 11 0"), TP_ORDER_TAKE);
        assert_int_equal(walk_step(w, "1 UserRegionBegin 3 12 0"), TP_ORDER_TAKE);
        struct tp_tables *t = table_create(26);
        t->generation = 2;
        tp_alloc_fail_at(nth, false);
        rc = tp_order_begin(&w->order, t, &w->err);
        tp_alloc_fail_at(0, false);
        assert_true(rc == 0 || rc == TP_E_MEMORY);
        tp_tables_release(t);
        end_walk(w);
        assert_int_equal(tp_alloc_live_bytes(), live_bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_case),
        cmocka_unit_test(test_every_rule_was_reached),
        cmocka_unit_test(test_what_a_goroutine_had_goes_with_it),
        cmocka_unit_test(test_a_name_is_carried_once),
        cmocka_unit_test(test_what_stays_open_costs_nothing),
        cmocka_unit_test(test_dead_names_do_not_add_up),
        cmocka_unit_test(test_reset_begins_anew),
        cmocka_unit_test(test_work_of_forcing_is_bounded),
        cmocka_unit_test(test_missing_names_of_partial_tables),
        cmocka_unit_test(test_states_have_a_limit),
        cmocka_unit_test(test_every_failing_allocation),
        cmocka_unit_test(test_every_failing_allocation_between_generations),
    };
    return cmocka_run_group_tests_name("order", tests, NULL, NULL);
}
