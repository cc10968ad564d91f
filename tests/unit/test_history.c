// Tests which spans and regions an input keeps of its tasks (stats/history). The units are made here, because few
// traces have regions that outlive their tasks, or more open tasks than an input follows.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "stats/history/history.h"

static struct tp_span no_text[1];
static const struct tp_tables tables = {.strings = {.items = no_text, .count = 1}};
static const struct tp_timeline timeline;

static void put(struct tp_history_unit *u, enum tp_history_kind kind, uint64_t task, int64_t begin_ns,
                uint64_t ns)
{
    assert_true(TP_LIST_ADD(&u->items, (struct tp_history_item){.kind = (uint8_t)kind,
                                                                .task = task,
                                                                .begin_ns = begin_ns,
                                                                .ns = ns,
                                                                .state = TP_STATE_RUNNING}));
}

static struct tp_history *history_of(struct tp_history_unit *u)
{
    struct tp_history_input in = {0};
    const struct tp_history_place place = {.path = "x", .at.wall_ns = TP_NO_WALL_NS};
    assert_true(tp_history_input_add(&in, u, &tables, 100));
    struct tp_history *h = tp_history_input_end(&in, &timeline, &place);
    assert_non_null(h);
    tp_history_sort(h);
    tp_history_input_fini(&in);
    tp_history_unit_fini(u);
    return h;
}

static void test_pieces_after_their_task(void **state)
{
    (void)state;
    struct tp_history_unit u = {0};
    for (unsigned i = 1; i <= 2 * TP_HISTORY_OPEN_MAX; i++) {
        put(&u, TP_HISTORY_BEGIN, i, 0, 0);
        put(&u, TP_HISTORY_TASK, i, 10 * i, 5);
        put(&u, TP_HISTORY_REGION, i, 10 * i, 7);
    }
    put(&u, TP_HISTORY_BEGIN, 99999, 0, 0);
    put(&u, TP_HISTORY_SPAN, 99999, 90, 20);
    put(&u, TP_HISTORY_REGION, 99999, 120, 3);
    put(&u, TP_HISTORY_TASK, 99999, 100, 50);
    struct tp_history *h = history_of(&u);
    assert_int_equal(h->omitted_task_count, 0);
    assert_int_equal(h->tasks.count, TP_HISTORY_TASKS_MAX);
    const struct tp_history_task *t = &h->tasks.items[0];
    assert_int_equal(t->of.task, 99999);
    assert_int_equal(t->spans.count, 1);
    assert_int_equal(t->spans.items[0].begin_ns, -10);
    assert_int_equal(t->regions.count, 1);
    assert_int_equal(t->regions.items[0].begin_ns, 20);
    tp_history_destroy(h);
}

static void test_more_tasks_than_are_followed(void **state)
{
    (void)state;
    struct tp_history_unit u = {0};
    for (unsigned i = 1; i <= TP_HISTORY_OPEN_MAX + 1; i++)
        put(&u, TP_HISTORY_BEGIN, i, 0, 0);
    put(&u, TP_HISTORY_SPAN, TP_HISTORY_OPEN_MAX + 1, 0, 5);
    put(&u, TP_HISTORY_TASK, TP_HISTORY_OPEN_MAX + 1, 0, 9);
    put(&u, TP_HISTORY_TASK, 1, 0, 8);
    struct tp_history *h = history_of(&u);
    assert_int_equal(h->omitted_task_count, 1);
    assert_int_equal(h->tasks.count, 1);
    assert_int_equal(h->tasks.items[0].of.task, 1);
    tp_history_destroy(h);
}

static void test_the_longest_pieces(void **state)
{
    (void)state;
    struct tp_history_unit u = {0};
    put(&u, TP_HISTORY_BEGIN, 1, 0, 0);
    for (unsigned i = 1; i <= TP_HISTORY_SPANS_MAX + 10; i++)
        put(&u, TP_HISTORY_SPAN, 1, i, i);
    put(&u, TP_HISTORY_TASK, 1, 0, 1000);
    struct tp_history *h = history_of(&u);
    const struct tp_history_pieces *spans = &h->tasks.items[0].spans;
    assert_int_equal(spans->count, TP_HISTORY_SPANS_MAX);
    assert_int_equal(spans->omitted_count, 10);
    assert_int_equal(spans->items[0].ns, 11);
    tp_history_destroy(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pieces_after_their_task),
        cmocka_unit_test(test_more_tasks_than_are_followed),
        cmocka_unit_test(test_the_longest_pieces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
