// Traces from before Go 1.22 written as one of Go 1.26 (raw:version=1.26): whatever their
// events are, the order of Go 1.26 takes all that was written, times rise, and no memory is
// left. The first byte of the input chooses the version; the second how long generations are,
// and which events are passed over, as where a window begins in the middle; a frequency goes
// before the rest.
#include "base/alloc.h"
#include "fuzz.h"
#include "upgrade_lab.h"
#include "wire_build_v1.h"

#define MAX_BYTES TP_KIB(64)
#define WIRE_MAX_BYTES TP_MIB(64)

static void check_written(struct upgrade *u, const struct tp_event *events, size_t count,
                          struct tp_tables *tables)
{
    struct tp_error err;
    CHECK(upgrade_write(u, events, count, tables, &err) == 0);
    CHECK(u->notes.omitted_events <= count);
    struct order_result r = upgrade_read(u);
    CHECK_NONE(upgrade_fault(&r));
    order_result_fini(&r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len_bytes)
{
    if (len_bytes < 2)
        return 0;
    uint32_t minor = tp_versions[1 + data[0] % (TP_V1_VERSIONS - 1)].minor;
    uint64_t live_bytes = tp_alloc_live_bytes();
    struct upgrade u = {.generation_bytes = 1 + (uint64_t)(data[1] % 16) * 100};
    struct tp_buf wire;
    CHECK(tp_buf_init(&wire, len_bytes + TP_KIB(1)) && tp_buf_init(&u.wire, WIRE_MAX_BYTES));
    wire_v1_put_frequency(&wire, minor, 1000000000);
    wire_put(&wire, data + 2, len_bytes - 2);
    const struct order_v1_way way = {.max_bytes = MAX_BYTES, .fill_capacity = 512};
    struct order_v1_result old = order_v1_convert(minor, tp_span_of(wire.ptr, wire.len_bytes),
                                                  &way);
    if (old.tables != NULL && old.count > 0) {
        size_t from = old.count * (data[1] / 16) / 16;
        check_written(&u, old.events + from, old.count - from, old.tables);
    }
    order_v1_result_fini(&old);
    tp_buf_fini(&u.wire);
    tp_buf_fini(&wire);
    CHECK(tp_alloc_live_bytes() == live_bytes);
    return 0;
}
