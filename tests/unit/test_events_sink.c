// The sink `events`: a block goes out whole and in order, in as many buffers as it
// takes; its zone; failures.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "sink/sink.h"
#include "sink/text/event_text.h"
#include "table_build.h"

extern const struct tp_sink_def tp_sink_events;
static const struct tp_sink_def *const def = &tp_sink_events;

static struct table_body strings, stacks;

// Stack 1 has as many frames as there may be, of long names.
static struct tp_tables *make_tables(void)
{
    static struct table_frame frames[TP_MAX_STACK_FRAMES];
    char name[TP_MAX_STRING_BYTES + 1];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    table_begin(&strings, TP_BATCH_STRINGS);
    table_put_string(&strings, 1, name);
    for (size_t i = 0; i < TP_ARRAY_LEN(frames); i++)
        frames[i] = (struct table_frame){i, 1, 1, i};
    table_begin(&stacks, TP_BATCH_STACKS);
    table_put_stack(&stacks, 1, frames, TP_ARRAY_LEN(frames));
    struct tp_tables *t = table_create(26);
    table_add_sync(t, 1700000000, 0);
    assert_int_equal(table_add(t, TP_BATCH_STRINGS, &strings, NULL), 0);
    assert_int_equal(table_add(t, TP_BATCH_STACKS, &stacks, NULL), 0);
    assert_int_equal(tp_tables_finish(t, NULL), 0);
    return t;
}

struct collector {
    struct tp_out out;
    struct tp_buf text;
    size_t write_count;
    size_t fail_at; // number of the write that fails; 0: none
};

static int collect(struct tp_out *out, struct tp_span bytes, struct tp_error *err)
{
    struct collector *c = (struct collector *)out;
    if (++c->write_count == c->fail_at)
        return tp_fail(err, TP_E_WRITE, "full");
    assert_true(tp_buf_put(&c->text, bytes.ptr, bytes.len_bytes));
    return 0;
}

// One block through both hooks.
static int drive(const char *options, const struct tp_block *block, struct collector *c,
                 struct tp_error *err)
{
    void *config = calloc(1, def->config_bytes);
    struct tp_sink_plan plan;
    struct tp_buf buf;
    struct tp_unit unit = {.block = block};
    memcpy(config, def->defaults, def->config_bytes);
    assert_int_equal(tp_opts_parse(def->options, config, options, err), 0);
    def->plan(config, &plan);
    void *unit_state = calloc(1, plan.unit_state_bytes);
    assert_true(tp_buf_init(&buf, plan.unit_output_bytes));
    struct tp_sink_notes notes = {.selected_count = 0};
    struct tp_sink_call call = {.config = config, .unit_state = unit_state, .buf = &buf,
                                .out = &c->out, .notes = &notes};
    int rc = plan.unit.init(&call, err);
    if (rc == 0)
        rc = plan.unit.work(&call, &unit, err);
    if (rc == 0)
        rc = plan.input.commit(&call, &unit, err);
    plan.unit.fini(unit_state);
    tp_buf_fini(&buf);
    free(config);
    free(unit_state);
    return rc;
}

static void collector_init(struct collector *c)
{
    *c = (struct collector){.out = {collect}};
    assert_true(tp_buf_init(&c->text, TP_MIB(16)));
}

static void make_events(struct tp_event *events, size_t count)
{
    for (size_t i = 0; i < count; i++)
        events[i] = (struct tp_event){.time_ns = 1 + (int64_t)i,
                                      .m = 1,
                                      .p = 2,
                                      .g = 3,
                                      .args = {0, i % 4 == 0},
                                      .type = TP_EV_GoBlock};
}

static void test_a_block_may_take_many_buffers(void **state)
{
    enum { COUNT = 40 }; // every fourth prints 530 KB
    static struct tp_event events[COUNT];
    struct collector c;
    struct tp_error err;
    (void)state;
    struct tp_tables *t = make_tables();
    struct tp_block block = {.tables = t, .events = events, .event_count = COUNT};
    make_events(events, COUNT);
    collector_init(&c);
    assert_int_equal(drive("", &block, &c, &err), 0);
    assert_true(c.write_count > 5);

    // The same, event by event.
    struct tp_event_text x;
    tp_event_text_init(&x, NULL);
    assert_int_equal(tp_event_text_use(&x, t), 0);
    size_t one_bytes = x.max_bytes + TP_EVENT_TEXT_OVERRUN_BYTES;
    unsigned char *one = malloc(one_bytes);
    const unsigned char *at = c.text.ptr;
    for (size_t i = 0; i < COUNT; i++) {
        struct tp_buf buf = {.ptr = one, .max_bytes = one_bytes};
        assert_int_equal(tp_event_text_fill(&x, &events[i], 1, &buf), 1);
        size_t len_bytes = buf.len_bytes;
        assert_true(len_bytes <= (size_t)(c.text.ptr + c.text.len_bytes - at));
        assert_memory_equal(at, one, len_bytes);
        at += len_bytes;
    }
    assert_ptr_equal(at, c.text.ptr + c.text.len_bytes);
    free(one);
    tp_buf_fini(&c.text);
    tp_tables_release(t);
}

static void test_failures_come_through(void **state)
{
    static struct tp_event events[20];
    struct collector c;
    struct tp_error err;
    (void)state;
    struct tp_tables *t = make_tables();
    struct tp_block block = {.tables = t, .events = events, .event_count = TP_ARRAY_LEN(events)};
    make_events(events, TP_ARRAY_LEN(events));
    for (size_t nth = 1; nth <= 3; nth++) {
        collector_init(&c);
        c.fail_at = nth;
        assert_int_equal(drive("", &block, &c, &err), TP_E_WRITE);
        assert_int_equal(c.write_count, nth);
        tp_buf_fini(&c.text);
    }
    tp_tables_release(t);

    // Stacks that cannot be looked up are no stacks to print.
    t = make_tables();
    block.tables = t;
    collector_init(&c);
    t->room_bytes = 0;
    assert_int_equal(drive("", &block, &c, &err), TP_E_LIMIT);
    assert_int_equal(c.write_count, 0);
    tp_buf_fini(&c.text);
    tp_tables_release(t);
    assert_int_equal(tp_alloc_live_bytes(), 0);
}

static void test_wall_clocks_are_those_of_the_zone(void **state)
{
    static const struct {
        const char *options, *text;
    } cases[] = {
        {"", "M=-1 P=-1 G=-1 Sync Time=9 N=1 Trace=1005 Mono=6 Wall=2023-11-14T22:13:20Z\n"},
        {"tz=UTC", "M=-1 P=-1 G=-1 Sync Time=9 N=1 Trace=1005 Mono=6 Wall=2023-11-14T22:13:20Z\n"},
        {"tz=local",
         "M=-1 P=-1 G=-1 Sync Time=9 N=1 Trace=1005 Mono=6 Wall=2023-11-14T22:13:20Z\n"},
    };
    struct tp_event sync = {
        .time_ns = 9, .m = -1, .p = -1, .g = -1, .args = {1, 1}, .type = TP_EVENT_SYNC};
    (void)state;
    setenv("TZ", "", 1);
    struct tp_tables *t = make_tables();
    for (size_t i = 0; i < TP_ARRAY_LEN(cases); i++) {
        struct tp_block block = {.tables = t, .events = &sync, .event_count = 1};
        struct collector c;
        struct tp_error err;
        collector_init(&c);
        assert_int_equal(drive(cases[i].options, &block, &c, &err), 0);
        assert_int_equal(c.text.len_bytes, strlen(cases[i].text));
        assert_memory_equal(c.text.ptr, cases[i].text, c.text.len_bytes);
        tp_buf_fini(&c.text);
    }
    tp_tables_release(t);
}

static void test_the_last_sync_has_no_tables(void **state)
{
    struct tp_event sync = {
        .time_ns = 9, .m = -1, .p = -1, .g = -1, .args = {2, 0}, .type = TP_EVENT_SYNC};
    struct tp_block block = {.events = &sync, .event_count = 1};
    struct collector c;
    struct tp_error err;
    (void)state;
    collector_init(&c);
    assert_int_equal(drive("", &block, &c, &err), 0);
    assert_int_equal(c.text.len_bytes, strlen("M=-1 P=-1 G=-1 Sync Time=9 N=2\n"));
    assert_memory_equal(c.text.ptr, "M=-1 P=-1 G=-1 Sync Time=9 N=2\n", c.text.len_bytes);
    tp_buf_fini(&c.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_block_may_take_many_buffers),
        cmocka_unit_test(test_failures_come_through),
        cmocka_unit_test(test_wall_clocks_are_those_of_the_zone),
        cmocka_unit_test(test_the_last_sync_has_no_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
