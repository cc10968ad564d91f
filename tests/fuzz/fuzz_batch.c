// The body of a batch: counting, flat reading in pieces, and text and back all
// agree with reading one event after the other. The first byte of the input chooses
// format and dialect, the second the cuts.
#include <string.h>

#include "decode/flat_v2.h"
#include "decode/text/wiretext.h"
#include "fuzz.h"
#include "naive_tally.h"
#include "sink_drive.h"
#include "wire_build.h"

extern const struct tp_sink_def tp_sink_text;

// A line of data must not be longer than the text reader takes; each byte of it
// prints to four at most.
#define DATA_MAX_BYTES 16000

// EVENTS

struct story {
    uint64_t event_count;
    uint64_t digest;
    int rc;
    uint64_t error_offset;
};

static uint64_t mix(uint64_t digest, const void *bytes, size_t len_bytes)
{
    const unsigned char *p = bytes;
    for (size_t i = 0; i < len_bytes; i++)
        digest = (digest ^ p[i]) * 0x100000001b3;
    return digest;
}

static int note(void *ctx, const struct tp_wire_event *ev, struct tp_span wire, struct tp_error *err)
{
    (void)err;
    struct story *s = ctx;
    s->event_count++;
    s->digest = mix(s->digest, &ev->type, 1);
    s->digest = mix(s->digest, ev->args, ev->arg_count * sizeof ev->args[0]);
    s->digest = mix(s->digest, ev->tail.ptr, ev->tail.len_bytes);
    s->digest = mix(s->digest, wire.ptr, wire.len_bytes);
    return 0;
}

static struct story read_at_once(struct tp_span bytes, const struct tp_arg_table *table)
{
    struct story s = {0};
    const unsigned char *p = bytes.ptr, *end = p + bytes.len_bytes;
    for (;;) {
        const unsigned char *start = p;
        struct tp_wire_event ev;
        enum tp_event_status st = tp_event_read(&p, end, table, &ev);
        if (st == TP_EVENT_OK) {
            CHECK(p > start && p <= end);
            note(&s, &ev, tp_span_of(start, (size_t)(p - start)), NULL);
            continue;
        }
        CHECK(p == start);
        if (st == TP_EVENT_CUT)
            return s;
        s.rc = TP_E_EVENT;
        s.error_offset = (uint64_t)(start - bytes.ptr);
        return s;
    }
}

static struct story read_flat(struct tp_span bytes, const struct tp_arg_table *table,
                              struct cutter cutter)
{
    struct story s = {0};
    struct tp_error err;
    struct tp_flat f;
    tp_flat_init(&f, table, 0, note, &s);
    while (bytes.len_bytes > 0 && s.rc == 0) {
        size_t piece_bytes = next_piece(&cutter);
        if (piece_bytes > bytes.len_bytes)
            piece_bytes = bytes.len_bytes;
        unsigned char *piece = wire_copy(tp_span_of(bytes.ptr, piece_bytes));
        s.rc = tp_flat_feed(&f, tp_span_of(piece, piece_bytes), &err);
        free(piece);
        bytes = tp_span_skip(bytes, piece_bytes);
    }
    if (s.rc == 0)
        s.rc = tp_flat_end(&f, &err);
    s.error_offset = s.rc != 0 ? err.offset : 0;
    tp_flat_fini(&f);
    return s;
}

static void check_flat(struct tp_span bytes, const struct tp_arg_table *table, uint64_t seed)
{
    static const size_t spreads[] = {1, 5, 90, 4000};
    struct story want = read_at_once(bytes, table);
    for (size_t i = 0; i < TP_ARRAY_LEN(spreads); i++) {
        struct story got = read_flat(bytes, table, (struct cutter){seed + i, spreads[i], 0});
        CHECK(got.rc == want.rc);
        CHECK(got.event_count == want.event_count);
        CHECK(got.digest == want.digest);
        CHECK(got.error_offset == want.error_offset);
    }
}

// TEXT

// Go writes no line for empty data, no name for codes without one, and reads none
// of the experimental events of 23 and 25: such events do not come back.
static bool survives(const struct tp_wire_event *ev, uint32_t minor)
{
    const struct tp_event_spec *spec = &tp_event_specs[ev->type];
    bool has_data = spec->kind == TP_WIRE_DATA;
    return spec->name != NULL && (!has_data || ev->tail.len_bytes > 0) &&
           ev->tail.len_bytes <= DATA_MAX_BYTES &&
           tp_arg_table(minor, TP_DIALECT_GO_RAW)->count[ev->type] != TP_ARGS_INVALID;
}

static void put_survivors(struct tp_buf *body, struct tp_span bytes, uint32_t minor,
                          const struct tp_arg_table *table)
{
    const unsigned char *p = bytes.ptr, *end = p + bytes.len_bytes;
    for (;;) {
        const unsigned char *start = p;
        struct tp_wire_event ev;
        if (tp_event_read(&p, end, table, &ev) != TP_EVENT_OK)
            return;
        if (body->len_bytes + (size_t)(p - start) > TP_MAX_BATCH_BYTES)
            return;
        if (survives(&ev, minor))
            wire_put(body, start, (size_t)(p - start));
    }
}

static void put_shortest(struct tp_buf *to, struct tp_span bytes, const struct tp_arg_table *table)
{
    const unsigned char *p = bytes.ptr, *end = p + bytes.len_bytes;
    struct tp_wire_event ev;
    while (tp_event_read(&p, end, table, &ev) == TP_EVENT_OK) {
        size_t before_bytes = to->len_bytes;
        wire_put_event(to, &ev);
        CHECK(to->len_bytes - before_bytes == tp_event_canonical_bytes(&ev));
    }
}

static void check_wire_of_text(struct tp_span text, struct tp_span want)
{
    struct tp_wiretext *reader;
    struct tp_error err;
    bool done;
    unsigned char *room = malloc(want.len_bytes + 1);
    struct tp_buf made = {.ptr = room, .max_bytes = want.len_bytes + 1};
    CHECK(room != NULL);
    CHECK(tp_wiretext_create(&reader, TP_DIALECT_LENIENT, &err) == 0);
    CHECK(tp_wiretext_step(reader, &text, true, &made, &done, &err) == 0);
    CHECK(done);
    CHECK(made.len_bytes == want.len_bytes);
    CHECK(memcmp(room, want.ptr, made.len_bytes) == 0);
    tp_wiretext_destroy(reader);
    free(room);
}

static void check_text(struct tp_span bytes, uint32_t minor, const struct tp_arg_table *table,
                       bool strict)
{
    static struct sink_drive drive;
    static struct tp_buf body, trace, want;
    if (drive.def == NULL)
        CHECK(sink_drive_init(&drive, &tp_sink_text) && tp_buf_init(&body, TP_KIB(128)) &&
              tp_buf_init(&trace, TP_KIB(256)) && tp_buf_init(&want, TP_KIB(256)));
    struct wire_batch batch = {.generation = 1, .m = 3, .time_ticks = 1000};
    struct tp_error err;
    tp_buf_reset(&body);
    tp_buf_reset(&trace);
    tp_buf_reset(&want);
    put_survivors(&body, bytes, minor, table);
    struct tp_span survivors = tp_span_of(body.ptr, body.len_bytes);
    wire_put_header(&trace, minor);
    wire_put_batch(&trace, &batch, survivors);

    drive.strict = strict;
    CHECK(sink_drive_run(&drive, tp_span_of(trace.ptr, trace.len_bytes), &err) == 0);
    CHECK(drive.notes.undecoded_batches == 0);

    wire_put_header(&want, minor);
    wire_put(&want, "\x01\x01\x03\xe8\x07", 5); // the batch up to its size
    wire_put_number(&want, survivors.len_bytes);
    put_shortest(&want, survivors, table);
    check_wire_of_text(tp_span_of(drive.out.ptr, drive.out.len_bytes),
                       tp_span_of(want.ptr, want.len_bytes));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len_bytes)
{
    if (len_bytes < 2)
        return 0;
    uint32_t minor = wire_versions[data[0] % TP_ARRAY_LEN(wire_versions)];
    bool strict = (data[0] & 4) != 0;
    const struct tp_arg_table *table =
        tp_arg_table(minor, strict ? TP_DIALECT_GO_RAW : TP_DIALECT_LENIENT);
    struct tp_span bytes = tp_span_of(data + 2, len_bytes - 2);
    CHECK_NONE(tally_difference(bytes, table));
    check_flat(bytes, table, seed_of(data[1]));
    check_text(bytes, minor, table, strict);
    return 0;
}
