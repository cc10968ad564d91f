// Ordering and conversion of whole traces from before Go 1.22: events asked for one by one
// and in blocks, runs cut anyhow and read through a loader come to the same events and errors,
// converted and as they were; one walk in order comes to what two do, if these find no fault;
// times rise; what is refused as a whole is refused; no memory is left. Before Go 1.5 the order
// is that of a stable sort by time of all events as the file has them. The first byte of the
// input chooses the version, the second the cuts; a frequency goes before the rest, so that
// inputs need none.
#include "base/alloc.h"
#include "base/sort/compare.h"
#include "fuzz.h"
#include "order_lab_v1.h"
#include "scan_lab_v1.h"
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

static void check_legacy_events(uint32_t minor, struct tp_span bytes, size_t piece_bytes,
                                bool is_strict)
{
    const struct order_v1_way whole = {.is_strict = is_strict, .max_bytes = MAX_BYTES,
                                       .fill_capacity = 512};
    struct order_v1_result r =
        read_every_way(order_v1_legacy_events, minor, bytes, piece_bytes, &whole);
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
    struct order_v1_way two_walks = whole;
    two_walks.walks_first = true;
    struct order_v1_result walked = order_v1_convert(minor, bytes, &two_walks);
    if (walked.err.code == 0)
        CHECK_NONE(order_v1_difference(&walked, &want));
    order_v1_result_fini(&walked);
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

// An event where the file has it.
struct plain {
    int64_t ticks;
    uint64_t offset;
    uint64_t g;
    int32_t p;
    uint8_t type;
};

struct plain_list {
    struct plain *items;
    size_t count;
    struct plain_p { // who runs there
        uint64_t p;
        uint64_t g;
    } *ps;
    size_t p_count;
    uint64_t ticks;
};

static uint64_t *runs_on(struct plain_list *l, uint64_t p)
{
    size_t i = 0;
    while (i < l->p_count && l->ps[i].p != p)
        i++;
    if (i == l->p_count)
        l->ps[l->p_count++] = (struct plain_p){.p = p};
    return &l->ps[i].g;
}

static bool does_leave(uint8_t type)
{
    return (type >= TP_V1_GoEnd && type <= TP_V1_GoBlock) || type == TP_V1_GoSysBlock ||
           (type >= TP_V1_GoBlockSend && type <= TP_V1_GoBlockNet);
}

static void add_plain(struct plain_list *l, const struct tp_wire_event *ev, uint64_t p,
                      uint64_t offset)
{
    uint64_t *runs = runs_on(l, p);
    if (ev->type == TP_V1_GoStart)
        *runs = ev->args[1];
    uint64_t g = ev->type == TP_V1_GoSysExit ? ev->args[1] : *runs;
    if (ev->type >= TP_V1_GCStart && ev->type <= TP_V1_STWDone)
        g = 0;
    if (does_leave(ev->type))
        *runs = 0;
    l->ticks += ev->args[0];
    l->items[l->count++] = (struct plain){(int64_t)l->ticks, offset, g, (int32_t)(uint32_t)p,
                                          ev->type};
}

static void add_plain_run(struct plain_list *l, const struct tp_extent *x, struct tp_span bytes)
{
    const unsigned char *at = bytes.ptr + x->offset, *end = at + x->len_bytes;
    struct tp_wire_event ev;
    while (at < end) {
        uint64_t offset = (uint64_t)(at - bytes.ptr);
        CHECK(tp_v1_event_read(&at, end, tp_v1_table(0), &ev) == TP_V1_OK);
        if (ev.type == TP_V1_Batch)
            l->ticks = ev.args[1];
        else if (tp_v1_type_is_timed(ev.type))
            add_plain(l, &ev, x->m, offset);
    }
}

static int by_time(const void *a, const void *b)
{
    const struct plain *x = a, *y = b;
    int by_ticks = tp_compare_i64(x->ticks, y->ticks);
    return by_ticks != 0 ? by_ticks : tp_compare_u64(x->offset, y->offset);
}

static void check_order_by_time(struct tp_span bytes)
{
    struct plain_list l = {.items = calloc(bytes.len_bytes + 1, sizeof *l.items),
                           .ps = calloc(bytes.len_bytes + 1, sizeof *l.ps)};
    CHECK(l.items != NULL && l.ps != NULL);
    struct scan_list runs = scan_v1_by_model(0, 0, bytes);
    for (size_t i = 0; i < runs.count; i++) {
        const struct tp_extent *x = &runs.items[i];
        if (x->kind == TP_EXTENT_BATCH)
            add_plain_run(&l, x, bytes);
    }
    qsort(l.items, l.count, sizeof *l.items, by_time);
    const struct order_v1_way way = {0};
    struct order_v1_result got = order_v1_walk(0, bytes, &way);
    CHECK(got.err.code != 0 || got.count == l.count);
    for (size_t i = 0; i < got.count; i++) {
        const struct tp_v1_ordered *e = &got.ordered[i];
        const struct plain *want = &l.items[i];
        CHECK(e->ticks == want->ticks && e->offset == want->offset && e->type == want->type);
        CHECK(e->p == want->p && e->g == want->g);
    }
    order_v1_result_fini(&got);
    scan_list_fini(&runs);
    free(l.items);
    free(l.ps);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len_bytes)
{
    if (len_bytes < 2)
        return 0;
    uint32_t minor = tp_versions[(1 + data[0]) % TP_V1_VERSIONS].minor;
    uint64_t live_bytes = tp_alloc_live_bytes();
    struct tp_buf wire;
    CHECK(tp_buf_init(&wire, len_bytes + TP_KIB(1)));
    wire_v1_put_frequency(&wire, minor, 1000000000);
    wire_put(&wire, data + 2, len_bytes - 2);
    struct tp_span bytes = tp_span_of(wire.ptr, wire.len_bytes);
    size_t piece_bytes = 1u + data[1];
    for (unsigned is_strict = 0; is_strict < 2; is_strict++) {
        check_converted(minor, bytes, piece_bytes, is_strict != 0);
        check_legacy_events(minor, bytes, piece_bytes, is_strict != 0);
    }
    if (minor == 0)
        check_order_by_time(bytes);
    tp_buf_fini(&wire);
    CHECK(tp_alloc_live_bytes() == live_bytes);
    return 0;
}
