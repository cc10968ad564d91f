// Ordering and conversion of whole traces from before Go 1.22: events asked for one by one
// and in blocks, runs cut anyhow and read through a loader come to the same events and errors,
// converted and as they were; times rise; what is refused as a whole is refused; no memory is left. The first byte of the
// input chooses the version, the second the cuts; a frequency goes before the rest, so that
// inputs need none.
#include "base/alloc.h"
#include "fuzz.h"
#include "order_lab_v1.h"
#include "wire_build_v1.h"

#define MAX_BYTES TP_KIB(64)

static void check_times(const struct order_v1_result *r)
{
    for (size_t i = 1; i < r->count; i++) {
        // Clocks that run into the last nanosecond there is begin anew, as in Go.
        if (r->events[i - 1].time_ns == INT64_MAX)
            return;
        CHECK(r->events[i].time_ns > r->events[i - 1].time_ns);
    }
}

typedef struct order_v1_result (*read_fn)(uint32_t minor, struct tp_span bytes,
                                          const struct order_v1_way *way);

// What all ways come to.
static struct order_v1_result read_every_way(read_fn read, uint32_t minor, struct tp_span bytes,
                                             size_t piece_bytes, const struct order_v1_way *whole)
{
    struct order_v1_way others[] = {*whole, *whole, *whole, *whole};
    others[0].fill_capacity = 1;
    others[1].piece_bytes = piece_bytes;
    others[2].is_spilled = true;
    others[2].fill_capacity = 3;
    others[3].forgets_turns = true;
    struct order_v1_result want = read(minor, bytes, whole);
    for (size_t i = 0; i < TP_ARRAY_LEN(others); i++) {
        struct order_v1_result got = read(minor, bytes, &others[i]);
        CHECK_NONE(order_v1_difference(&got, &want));
        order_v1_result_fini(&got);
    }
    return want;
}

static void check_originals(uint32_t minor, struct tp_span bytes, size_t piece_bytes,
                            bool is_strict)
{
    const struct order_v1_way whole = {.is_strict = is_strict, .max_bytes = MAX_BYTES,
                                       .fill_capacity = 512};
    struct order_v1_result r =
        read_every_way(order_v1_originals, minor, bytes, piece_bytes, &whole);
    CHECK(!is_strict || r.err.code == 0 || r.count == 0);
    order_v1_result_fini(&r);
}

static void check_converted(uint32_t minor, struct tp_span bytes, size_t piece_bytes,
                            bool is_strict)
{
    const struct order_v1_way whole = {.is_strict = is_strict, .max_bytes = MAX_BYTES,
                                       .fill_capacity = 512};
    struct order_v1_result want =
        read_every_way(order_v1_convert, minor, bytes, piece_bytes, &whole);
    check_times(&want);
    struct order_v1_way sound = whole;
    sound.is_rehearsed = true;
    struct order_v1_result got = order_v1_convert(minor, bytes, &sound);
    // All or nothing, but for what Go's conversion does not know.
    if (got.count != 0)
        CHECK_NONE(order_v1_difference(&got, &want));
    CHECK((got.err.code == 0) == (want.err.code == 0));
    CHECK(got.err.code == 0 || got.count == 0 || is_strict);
    order_v1_result_fini(&got);
    order_v1_result_fini(&want);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len_bytes)
{
    if (len_bytes < 2)
        return 0;
    // Those before Go 1.5 are not put in order.
    uint32_t minor = tp_v1_minors[1 + data[0] % (TP_V1_VERSIONS - 1)];
    uint64_t live_bytes = tp_alloc_live_bytes();
    struct tp_buf wire;
    CHECK(tp_buf_init(&wire, len_bytes + TP_KIB(1)));
    wire_v1_put_frequency(&wire, minor, 1000000000);
    wire_put(&wire, data + 2, len_bytes - 2);
    struct tp_span bytes = tp_span_of(wire.ptr, wire.len_bytes);
    size_t piece_bytes = 1u + data[1];
    for (unsigned is_strict = 0; is_strict < 2; is_strict++) {
        check_converted(minor, bytes, piece_bytes, is_strict != 0);
        check_originals(minor, bytes, piece_bytes, is_strict != 0);
    }
    tp_buf_fini(&wire);
    CHECK(tp_alloc_live_bytes() == live_bytes);
    return 0;
}
