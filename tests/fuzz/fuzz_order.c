// Ordering of whole traces: bytes read where they lie, through windows, decoded before,
// and generations put in order before their turn come to the same events, errors and rules, and times rise. The first byte
// of the input chooses the format; the rest stands behind a file header. Once as
// with --strict and once saving what can be saved.
#include "fuzz.h"
#include "order_lab.h"
#include "wire_build.h"

static void check_times(const struct order_result *r)
{
    // Clocks that run into the last nanosecond there is begin anew, as in Go.
    for (size_t i = 0; i < r->event_count; i++) {
        if (r->events[i].time_ns == INT64_MAX)
            return;
    }
    CHECK_NONE(order_time_fault(r));
}

static void check_every_way(uint32_t minor, struct tp_span bytes, bool salvage)
{
    static const struct order_way whole = {.fill_capacity = 512, .never_waits = true}, others[] = {
        {.window_bytes = TP_CURSOR_WINDOW_MIN_BYTES, .fill_capacity = 512},
        {.part_events = 3, .part_max = 2, .fill_capacity = TP_ORDER_STEP_EVENTS},
        {.part_events = 1000, .part_max = SIZE_MAX, .fill_capacity = 512},
        {.is_ahead = true, .fill_capacity = TP_ORDER_STEP_EVENTS},
        {.is_ahead = true, .fill_capacity = 30},
        {.waits_at_once = true, .fill_capacity = 512},
        {.waits_at_once = true, .is_ahead = true, .fill_capacity = 30},
    };
    struct order_result want = order_trace(minor, bytes, salvage, &whole);
    check_times(&want);
    CHECK(salvage || want.error_count <= 1);
    for (size_t i = 0; i < TP_ARRAY_LEN(others); i++) {
        struct order_result got = order_trace(minor, bytes, salvage, &others[i]);
        CHECK_NONE(order_difference(&got, &want));
        order_result_fini(&got);
    }
    order_result_fini(&want);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len_bytes)
{
    if (len_bytes < 1)
        return 0;
    uint32_t minor = wire_versions[data[0] % TP_ARRAY_LEN(wire_versions)];
    struct tp_span bytes = tp_span_of(data + 1, len_bytes - 1);
    check_every_way(minor, bytes, false);
    check_every_way(minor, bytes, true);
    return 0;
}
