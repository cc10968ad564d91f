#include "hand_trace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

void hand_init(struct hand_trace *t)
{
    *t = (struct hand_trace){.generation = 0};
    assert_true(tp_buf_init(&t->bytes, TP_MIB(4)));
    assert_true(tp_buf_init(&t->body, TP_MAX_BATCH_BYTES));
}

void hand_fini(struct hand_trace *t)
{
    tp_buf_fini(&t->bytes);
    tp_buf_fini(&t->body);
}

void hand_batch(struct hand_trace *t, uint64_t m, uint64_t time_ticks)
{
    struct wire_batch batch = {.generation = t->generation, .m = m, .time_ticks = time_ticks};
    wire_put_batch(&t->bytes, &batch, tp_span_of(t->body.ptr, t->body.len_bytes));
    tp_buf_reset(&t->body);
}

void hand_numbers(struct hand_trace *t, unsigned code, size_t count, const uint64_t *numbers)
{
    wire_put_byte(&t->body, code);
    for (size_t i = 0; i < count; i++)
        wire_put_number(&t->body, numbers[i]);
}

void hand_begin(struct hand_trace *t, uint64_t time_ticks)
{
    t->generation++;
    wire_put_byte(&t->body, TP_EV_Sync);
    HAND_PUT(t, TP_EV_Frequency, 1000000000);
    HAND_PUT(t, TP_EV_ClockSnapshot, 1, 2, 3, 4);
    hand_batch(t, HAND_NOBODY, time_ticks);
}

void hand_end(struct hand_trace *t)
{
    wire_put_byte(&t->bytes, TP_EV_EndOfGeneration);
}

struct tp_span hand_bytes(const struct hand_trace *t)
{
    return tp_span_of(t->bytes.ptr, t->bytes.len_bytes);
}

struct order_result hand_read(const struct hand_trace *t, bool salvage)
{
    static const struct order_way ways[] = {
        {.fill_capacity = 512, .never_waits = true},
        {.fill_capacity = TP_ORDER_STEP_EVENTS},
        {.fill_capacity = TP_ORDER_STEP_EVENTS + 1, .window_bytes = TP_CURSOR_WINDOW_MIN_BYTES},
        {.fill_capacity = 7, .part_events = 5, .part_max = SIZE_MAX},
        {.fill_capacity = 512, .part_events = 40, .part_max = 2},
        {.fill_capacity = TP_ORDER_STEP_EVENTS, .is_ahead = true},
        {.fill_capacity = 20, .is_ahead = true},
        {.fill_capacity = 512, .waits_at_once = true},
        {.fill_capacity = TP_ORDER_STEP_EVENTS, .waits_at_once = true, .is_ahead = true},
    };
    struct order_result first = order_trace(26, hand_bytes(t), salvage, &ways[0]);
    for (size_t i = 1; i < TP_ARRAY_LEN(ways); i++) {
        struct order_result r = order_trace(26, hand_bytes(t), salvage, &ways[i]);
        const char *difference = order_difference(&r, &first);
        if (difference != NULL)
            fail_msg("way %zu: %s", i, difference);
        order_result_fini(&r);
    }
    assert_null(order_time_fault(&first));
    return first;
}

void hand_check_result(const struct order_result *r, const char *want)
{
    char got[4096];
    size_t n = 0;
    got[0] = '\0';
    for (size_t i = 0; i < r->event_count; i++)
        n += (size_t)snprintf(got + n, sizeof got - n, "%s%lld %s %lld", i > 0 ? ", " : "",
                              (long long)r->events[i].m, tp_event_type_name(&r->events[i]),
                              (long long)r->events[i].time_ns);
    for (size_t i = 0; i < r->error_count; i++)
        n += (size_t)snprintf(got + n, sizeof got - n, "; %s", r->errors[i].text);
    assert_string_equal(got, want);
}

void hand_check(const struct hand_trace *t, bool salvage, const char *want)
{
    struct order_result r = hand_read(t, salvage);
    hand_check_result(&r, want);
    order_result_fini(&r);
}
