#include "order_walk.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define STEPS_MAX 8 // limit of the steps given to walk_believe

int walk_next_generation(struct walk *w)
{
    static const char *const names[] = {"alpha", "beta", "gamma"};
    struct table_body *b = &w->bodies[w->generation_count++ % WALK_BODIES];
    struct tp_tables *t = table_create(26);
    t->generation = w->generation_count;
    table_begin(b, TP_BATCH_STRINGS);
    for (size_t i = 0; i < TP_ARRAY_LEN(names); i++)
        table_put_string(b, 10 * w->generation_count + 1 + i, names[i]);
    assert_int_equal(table_add(t, TP_BATCH_STRINGS, b, &w->err), 0);
    table_add_sync(t, 1, 1);
    assert_int_equal(tp_tables_finish(t, &w->err), 0);
    int rc = tp_order_begin(&w->order, t, &w->err);
    tp_tables_release(t);
    return rc;
}

void walk_begin(struct walk *w, uint64_t max_bytes)
{
    tp_order_init(&w->order, max_bytes);
    w->generation_count = 0;
    for (size_t i = 0; i < TP_ARRAY_LEN(w->m_slots); i++)
        w->m_slots[i] = TP_MAP_NONE;
    w->err = (struct tp_error){0};
    assert_int_equal(walk_next_generation(w), 0);
}

void walk_end(struct walk *w)
{
    tp_order_fini(&w->order);
}

// STEPS

static uint8_t code_of(const char *name)
{
    for (unsigned code = 0; code < TP_EVENT_CODES; code++) {
        if (tp_event_specs[code].name != NULL && strcmp(tp_event_specs[code].name, name) == 0)
            return (uint8_t)code;
    }
    return (uint8_t)strtoul(name, NULL, 10);
}

static struct tp_run_event event_of(const char *text, long long *ret_m)
{
    char word[40];
    int used = 0;
    struct tp_run_event e = {0};
    if (sscanf(text, "%lld %39s%n", ret_m, word, &used) != 2)
        fail_msg("no step: %s", text);
    e.type = code_of(word);
    for (size_t i = 0; i < TP_EVENT_ARGS; i++) {
        char *end;
        e.args[i] = strtoull(text + used, &end, 10); // "-1" is 2^64-1
        used = (int)(end - text);
    }
    return e;
}

enum tp_verdict walk_step_or_force(struct walk *w, const char *text, bool forced)
{
    long long m;
    struct tp_run_event e = event_of(text, &m);
    if (!forced)
        return tp_order_step(&w->order, &e, m, &w->m_slots[m + 1], w->out, &w->err);
    uint64_t before = w->order.forced_count;
    bool is_taken = tp_order_force(&w->order, &e, m, &w->m_slots[m + 1], w->out, &w->err);
    assert_int_equal(w->order.forced_count, before + is_taken);
    return is_taken ? TP_ORDER_TAKE : TP_ORDER_BROKEN;
}

enum tp_verdict walk_step(struct walk *w, const char *text)
{
    return walk_step_or_force(w, text, false);
}

bool walk_believe(struct walk *w, const char *steps)
{
    struct tp_decoded_part *part = calloc(1, sizeof *part + STEPS_MAX * sizeof *part->events);
    struct tp_m_run run = {0};
    struct tp_decoded_run decoded = {.run = &run, .parts = part};
    struct tp_cursor c;
    size_t made;
    assert_non_null(part);
    for (const char *at = steps; at != NULL; at = strchr(at, '&')) {
        long long m;
        at += *at == '&';
        assert_true(part->event_count < STEPS_MAX);
        part->events[part->event_count++] = event_of(at, &m);
        run.m = (uint64_t)m;
    }
    // The rules must refuse the event first.
    uint32_t *m_slot = &w->m_slots[run.m + 1];
    enum tp_verdict refused =
        tp_order_step(&w->order, part->events, (int64_t)run.m, m_slot, w->out, &w->err);
    assert_int_equal(refused, TP_ORDER_BROKEN);
    tp_cursor_init_decoded(&c, &decoded);
    assert_int_equal(tp_cursor_advance(&c, w->order.tables, NULL, &w->err), TP_CURSOR_EVENT);
    c.m_slot = *m_slot;
    assert_int_equal(tp_order_believe(&w->order, &c, NULL, w->out, &made, &w->err), 0);
    assert_true(made <= 1);
    tp_cursor_fini(&c);
    free(part);
    return made == 1;
}
