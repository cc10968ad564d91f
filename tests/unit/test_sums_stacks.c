// More stacks in a generation than stay in the cache, so that they are asked for before they
// are looked at: each is counted once, also where the same frames come again at once, and
// names its goroutine, however the blocks are cut.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "full_lab.h"
#include "table_build.h"

#define STACKS 5000
#define EVENTS_EACH 4 // created, runs, blocks with its stack, is unblocked
// In each group of 16 stacks, the last eight are equal to the first eight.
#define TWINS (STACKS / 16 * 8)

enum { STRING_EVEN = 1, STRING_ODD, STRING_FILE, STRING_REASON };

static struct table_body strings, stacks;

static struct tp_tables *make_tables(void)
{
    struct tp_tables *t = table_create(26);
    table_begin(&strings, TP_BATCH_STRINGS);
    table_put_string(&strings, STRING_EVEN, "main.even");
    table_put_string(&strings, STRING_ODD, "main.odd");
    table_put_string(&strings, STRING_FILE, "main.go");
    table_put_string(&strings, STRING_REASON, "sync");
    table_begin(&stacks, TP_BATCH_STACKS);
    for (uint64_t i = 1; i <= STACKS; i++) {
        uint64_t pc = (i - 1) % 16 < 8 ? i : i - 8;
        const struct table_frame frame = {pc, i % 2 == 0 ? STRING_EVEN : STRING_ODD, STRING_FILE,
                                          pc};
        table_put_stack(&stacks, i, &frame, 1);
    }
    table_add_sync(t, 0, 0);
    assert_int_equal(table_add(t, TP_BATCH_STRINGS, &strings, NULL), 0);
    assert_int_equal(table_add(t, TP_BATCH_STACKS, &stacks, NULL), 0);
    assert_int_equal(tp_tables_finish(t, NULL), 0);
    return t;
}

static void put(struct tp_event *events, size_t *count, int64_t g, uint8_t type, uint64_t a,
                uint64_t b)
{
    events[*count] = (struct tp_event){.time_ns = 10 * (int64_t)*count + 10, .m = 1, .p = 1, .g = g,
                                       .args = {a, b}, .type = type};
    ++*count;
}

static size_t make_events(struct tp_event *events)
{
    size_t count = 0;
    put(events, &count, -1, TP_EVENT_SYNC, 1, 1);
    for (uint64_t i = 1; i <= STACKS; i++) {
        put(events, &count, -1, TP_EV_GoCreate, i, 0);
        put(events, &count, -1, TP_EV_GoStart, i, 1);
        put(events, &count, (int64_t)i, TP_EV_GoBlock, STRING_REASON, i);
        put(events, &count, -1, TP_EV_GoUnblock, i, 2);
    }
    return count;
}

static size_t one(void *ctx, size_t left)
{
    (void)ctx;
    (void)left;
    return 1;
}

static char *text_of(const struct full_run *run, const struct full_cuts *cuts)
{
    struct tp_totals totals;
    struct tp_error err;
    assert_int_equal(full_sum(run, 1, cuts, &totals, &err), 0);
    assert_int_equal(totals.by_stack.count, STACKS - TWINS);
    size_t twin_count = 0;
    for (uint32_t i = 0; i < totals.by_stack.count; i++) {
        const struct tp_stack_count *c = &totals.by_stack.items[i];
        assert_in_range(c->count, 1, 2);
        assert_true(c->total_ns == 10 * c->count);
        twin_count += c->count == 2;
    }
    assert_int_equal(twin_count, TWINS);
    char *text = full_text(&totals, false);
    tp_totals_fini(&totals);
    return text;
}

static void test_each_stack_is_found(void **state)
{
    (void)state;
    struct tp_tables *tables = make_tables();
    struct tp_event *events = malloc((STACKS * EVENTS_EACH + 1) * sizeof *events);
    assert_non_null(events);
    const struct full_run run = {tables, events, make_events(events)};
    char *whole = text_of(&run, &(struct full_cuts){0});
    char *single = text_of(&run, &(struct full_cuts){.block = one});
    assert_string_equal(single, whole);
    assert_non_null(strstr(whole, "goroutine main.even running 2500 25000 10\n"));
    assert_non_null(strstr(whole, "goroutine main.odd running 2500 25000 10\n"));
    free(single);
    free(whole);
    free(events);
    tp_tables_release(tables);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_each_stack_is_found)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
