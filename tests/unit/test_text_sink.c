// The text sink: the same lines as a plain formatter writes, and never more of
// them than its buffer was made for.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/text/quote.h"
#include "decode/event_v2.h"
#include "decode/varint.h"
#include "scan_many.h"
#include "sink_drive.h"
#include "synth.h"
#include "wire_build.h"

extern const struct tp_sink_def tp_sink_text;

static struct sink_drive drive;
static struct tp_buf trace, body, text;

static int set_up(void **state)
{
    (void)state;
    return sink_drive_init(&drive, &tp_sink_text) && tp_buf_init(&trace, TP_MIB(8)) &&
                   tp_buf_init(&body, TP_MIB(8)) && tp_buf_init(&text, TP_MIB(64))
               ? 0
               : -1;
}

static int tear_down(void **state)
{
    (void)state;
    sink_drive_fini(&drive);
    tp_buf_fini(&trace);
    tp_buf_fini(&body);
    tp_buf_fini(&text);
    return 0;
}

static struct tp_span span_of(const struct tp_buf *b)
{
    return tp_span_of(b->ptr, b->len_bytes);
}

// THE PLAIN FORMATTER

static void say(const char *fmt, ...) TP_PRINTF(1, 2);
static void say(const char *fmt, ...)
{
    char part[200];
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(part, sizeof part, fmt, ap);
    va_end(ap);
    wire_put(&text, part, (size_t)n);
}

static void say_event(const struct tp_wire_event *ev)
{
    const struct tp_event_spec *spec = &tp_event_specs[ev->type];
    say("%s", spec->name != NULL ? spec->name : "");
    for (unsigned i = 0; i < ev->arg_count; i++)
        say(" %s=%" PRIu64, spec->args[i], ev->args[i]);
    struct tp_span tail = ev->tail;
    for (uint64_t i = 0; i < ev->frame_count; i++) {
        uint64_t f[TP_FRAME_ARGS];
        tp_event_next_frame(&tail, f);
        say("\n\tpc=%" PRIu64 " func=%" PRIu64 " file=%" PRIu64 " line=%" PRIu64, f[0], f[1], f[2],
            f[3]);
    }
    if (spec->kind == TP_WIRE_DATA && tail.len_bytes > 0) {
        unsigned char *quoted = malloc(tp_quote_max_bytes(tail.len_bytes));
        assert_non_null(quoted);
        say("\n\tdata=");
        wire_put(&text, quoted, (size_t)(tp_quote(quoted, tail) - quoted));
        free(quoted);
    }
    say("\n");
}

// All events of the bytes, up to the first that cannot be read.
static void say_events(struct tp_span bytes, const struct tp_arg_table *table)
{
    const unsigned char *p = bytes.ptr, *end = p + bytes.len_bytes;
    struct tp_wire_event ev;
    while (p < end && tp_event_read(&p, end, table, &ev) == TP_EVENT_OK)
        say_event(&ev);
}

// WHAT IS WRITTEN

static void begin_trace(uint32_t minor)
{
    tp_buf_reset(&trace);
    tp_buf_reset(&text);
    wire_put_header(&trace, minor);
    say("Trace Go1.%u\n", minor);
}

static const struct wire_batch a_batch = {.generation = 1, .m = UINT64_MAX, .time_ticks = 12345};

// `body` as a batch, and its line.
static void put_body(void)
{
    wire_put_batch(&trace, &a_batch, span_of(&body));
    say("EventBatch gen=1 m=18446744073709551615 time=12345 size=%zu\n", body.len_bytes);
}

static int run(bool strict, struct tp_error *err)
{
    drive.strict = strict;
    return sink_drive_run(&drive, span_of(&trace), err);
}

static void assert_text(const char *what)
{
    size_t common = 0;
    while (common < text.len_bytes && common < drive.out.len_bytes &&
           text.ptr[common] == drive.out.ptr[common])
        common++;
    if (common < text.len_bytes || common < drive.out.len_bytes)
        fail_msg("%s: %zu bytes of text, want %zu; the first %zu are the same", what,
                 drive.out.len_bytes, text.len_bytes, common);
}

static void test_random_events_read_like_those_of_a_plain_formatter(void **state)
{
    (void)state;
    uint64_t random = 606060;
    struct tp_error err;
    for (unsigned round = 0; round < 400; round++) {
        uint32_t minor = wire_versions[round % TP_ARRAY_LEN(wire_versions)];
        bool strict = round / 4 % 2 == 1;
        const struct tp_arg_table *table =
            tp_arg_table(minor, strict ? TP_DIALECT_GO_RAW : TP_DIALECT_LENIENT);
        begin_trace(minor);
        for (unsigned batch = 0; batch < 4; batch++) {
            tp_buf_reset(&body);
            for (unsigned i = 0; i < 60; i++)
                wire_put_random_event(&body, &random, table);
            put_body();
            say_events(span_of(&body), table);
        }
        assert_int_equal(run(strict, &err), 0);
        assert_text(strict ? "strict" : "lenient");
        assert_int_equal(drive.notes.undecoded_batches, 0);
    }
}

static void test_damaged_batches_are_printed_up_to_the_damage(void **state)
{
    (void)state;
    uint64_t random = 909;
    struct tp_error err;
    for (unsigned round = 0; round < 400; round++) {
        uint32_t minor = wire_versions[round % TP_ARRAY_LEN(wire_versions)];
        const struct tp_arg_table *table = tp_arg_table(minor, TP_DIALECT_LENIENT);
        uint64_t undecoded_bytes = 0;
        begin_trace(minor);
        for (unsigned batch = 0; batch < 3; batch++) {
            tp_buf_reset(&body);
            for (unsigned i = 0; i < 20; i++)
                wire_put_random_event(&body, &random, table);
            wire_damage(&body, &random, 1 + round % 3);
            put_body();
            const unsigned char *p = body.ptr, *end = p + body.len_bytes;
            struct tp_wire_event ev;
            while (p < end && tp_event_read(&p, end, table, &ev) == TP_EVENT_OK)
                say_event(&ev);
            undecoded_bytes += (uint64_t)(end - p);
        }
        assert_int_equal(run(false, &err), 0);
        assert_text("damaged");
        assert_int_equal(drive.notes.undecoded_bytes, undecoded_bytes);
    }
}

static int collect(void *ctx, const unsigned char *bytes, size_t len_bytes)
{
    wire_put(ctx, bytes, len_bytes);
    return 0;
}

static void test_generated_traces_read_alike_in_units_of_any_size(void **state)
{
    (void)state;
    for (size_t v = 0; v < TP_ARRAY_LEN(wire_versions); v++) {
        struct synth_config config;
        struct synth_totals totals;
        struct tp_error err;
        synth_config_init(&config);
        config.version = wire_versions[v];
        config.odd_percent = 30;
        config.alloc_free = wire_versions[v] > 22;
        tp_buf_reset(&trace);
        tp_buf_reset(&text);
        assert_int_equal(synth_generate(&config, collect, &trace, &totals, &err), 0);
        say("Trace Go1.%u\n", wire_versions[v]);
        // Sound batches are flat events.
        say_events(tp_span_skip(span_of(&trace), 16),
                   tp_arg_table(wire_versions[v], TP_DIALECT_LENIENT));
        for (size_t unit_bytes = 1; unit_bytes <= TP_MIB(1); unit_bytes *= 1024) {
            drive.unit_bytes = unit_bytes;
            assert_int_equal(run(false, &err), 0);
            assert_text("generated");
        }
        drive.unit_bytes = 0;
    }
}

// ROOM

static struct tp_sink_plan text_plan(void)
{
    struct tp_sink_plan plan;
    tp_sink_text.plan(NULL, &plan);
    return plan;
}

static size_t most_text_per_byte(void)
{
    return text_plan().unit_output_bytes / TP_SEGMENT_MAX_BYTES;
}

// The longest texts there are: all numbers of `len_bytes` bytes and the largest
// that this allows.
static void put_long_event(uint8_t code, const struct tp_arg_table *table, unsigned len_bytes,
                           uint64_t frame_count)
{
    uint64_t most = len_bytes == 10 ? UINT64_MAX : (UINT64_C(1) << (7 * len_bytes)) - 1;
    uint8_t kind = tp_event_specs[code].kind;
    wire_put_byte(&body, code);
    for (unsigned i = 0; i < table->count[code]; i++)
        wire_put_number(&body, kind == TP_WIRE_STACK && i == 1 ? frame_count : most);
    for (uint64_t i = 0; kind == TP_WIRE_STACK && i < frame_count * TP_FRAME_ARGS; i++)
        wire_put_number(&body, most);
    if (kind == TP_WIRE_DATA) {
        wire_put_number(&body, frame_count); // that many bytes, each of them \x00
        for (uint64_t i = 0; i < frame_count; i++)
            wire_put_byte(&body, 0);
    }
}

static void test_text_per_byte_of_wire_stays_below_its_bound(void **state)
{
    (void)state;
    size_t longest = 0;
    for (int dialect = TP_DIALECT_LENIENT; dialect <= TP_DIALECT_GO_RAW; dialect++) {
        const struct tp_arg_table *table = tp_arg_table(26, (enum tp_dialect)dialect);
        for (unsigned code = 0; code < TP_EVENT_CODES; code++) {
            for (unsigned len_bytes = 1; len_bytes <= TP_VARINT_MAX_BYTES; len_bytes++) {
                for (uint64_t tail = 0; tail < 300; tail += tail > 3 ? 101 : 1) {
                    if (table->count[code] == TP_ARGS_INVALID)
                        continue;
                    tp_buf_reset(&body);
                    tp_buf_reset(&text);
                    put_long_event((uint8_t)code, table, len_bytes, tail);
                    say_events(span_of(&body), table);
                    assert_true(text.len_bytes > 0);
                    assert_true(text.len_bytes <= most_text_per_byte() * body.len_bytes);
                    size_t per_byte = text.len_bytes / body.len_bytes;
                    longest = per_byte > longest ? per_byte : longest;
                }
            }
        }
    }
    // The bound is not larger than it has to be.
    assert_int_equal(longest, most_text_per_byte());
}

// The longest segment there may be, filled with whatever prints longest, into a
// heap block of the promised size: a sanitizer sees a byte too many, and so does
// the end of the block.
static void work_on_longest_segment(uint32_t minor, const void *events, size_t events_bytes,
                                    size_t want_text_bytes)
{
    static struct tp_extent extents[8];
    struct tp_input_info info = {
        .format = {.decoder = &tp_decoder_v2, .minor = minor, .header_bytes = 16}};
    struct tp_scan_v2 scan;
    size_t count;
    tp_buf_reset(&trace);
    // Three batches end one byte before the limit of a segment, a fourth comes on top.
    const struct wire_batch longest = {UINT64_MAX / 2, UINT64_MAX, UINT64_MAX, false, 0, false};
    for (unsigned i = 0; i < 4; i++) {
        size_t header_bytes = 1 + 9 + 10 + 10 + 10;
        size_t body_bytes = i == 2 ? TP_SEGMENT_BYTES - 1 - trace.len_bytes - header_bytes
                                   : TP_MAX_BATCH_BYTES;
        tp_buf_reset(&body);
        while (body.len_bytes + events_bytes <= body_bytes)
            wire_put(&body, events, events_bytes);
        wire_put_batch(&trace, &longest, span_of(&body));
    }
    unsigned char *bytes = wire_copy(span_of(&trace));
    tp_scan_v2_init(&scan, minor, 0);
    scan_many_v2(&scan, tp_span_of(bytes, trace.len_bytes), false, extents, 8, &count);
    assert_int_equal(count, 4);
    struct tp_unit unit = {.input = &info,
                           .bytes = tp_span_of(bytes, trace.len_bytes),
                           .extents = extents,
                           .extent_count = count};
    const struct tp_sink_plan plan = text_plan();
    size_t room_bytes = plan.unit_output_bytes;
    struct tp_buf buf = {.ptr = malloc(room_bytes), .max_bytes = room_bytes};
    void *unit_state = calloc(1, plan.unit_state_bytes);
    assert_true(buf.ptr != NULL && unit_state != NULL);
    const struct tp_sink_call call = {.unit_state = unit_state, .buf = &buf};
    struct tp_error err;
    assert_int_equal(plan.unit.work(&call, &unit, &err), 0);
    assert_true(buf.len_bytes <= room_bytes);
    assert_true(buf.len_bytes > want_text_bytes);
    free(unit_state);
    free(buf.ptr);
    free(bytes);
}

static void test_longest_segment_fits_into_the_buffer(void **state)
{
    (void)state;
    // 16 bytes of text for each of wire.
    work_on_longest_segment(26, "\x34", 1, 16 * (TP_SEGMENT_MAX_BYTES - 500));
    work_on_longest_segment(22, "\x0b\x7f", 2, 7 * (TP_SEGMENT_MAX_BYTES - 500));
    work_on_longest_segment(22, "\x03\x01\x01\x7f\x7f\x7f\x7f", 7, 7 * TP_SEGMENT_BYTES);
    work_on_longest_segment(23, "\x05\x01\x02\x00\xff", 5, 5 * TP_SEGMENT_BYTES);
}

// Read flat, events gather in the buffer until the next may not fit: stacks of
// which so many fit but for a little.
static void test_long_stacks_read_flat_never_overrun(void **state)
{
    (void)state;
    const struct tp_arg_table *table = tp_arg_table(22, TP_DIALECT_GO_RAW);
    struct tp_error err;
    const size_t frame_text_bytes = 35; // "\n\tpc=127 func=127 file=127 line=127"
    const size_t room_frames = text_plan().unit_output_bytes / frame_text_bytes;
    for (size_t hundredths = 297; hundredths < 2000; hundredths += hundredths % 2 == 0 ? 97 : 1) {
        tp_buf_reset(&body);
        while (body.len_bytes < TP_MIB(1))
            put_long_event(TP_EV_Stack, table, 1, room_frames * 100 / hundredths);
        // A batch that its first event does not fit: the rest is read flat.
        begin_trace(22);
        wire_put_batch(&trace, &a_batch, tp_span_of("\x03", 1));
        say("EventBatch gen=1 m=18446744073709551615 time=12345 size=1\n");
        wire_put(&trace, body.ptr + 1, body.len_bytes - 1);
        say_events(span_of(&body), table);
        assert_int_equal(run(true, &err), 0);
        assert_text("flat");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_events_read_like_those_of_a_plain_formatter),
        cmocka_unit_test(test_damaged_batches_are_printed_up_to_the_damage),
        cmocka_unit_test(test_generated_traces_read_alike_in_units_of_any_size),
        cmocka_unit_test(test_text_per_byte_of_wire_stays_below_its_bound),
        cmocka_unit_test(test_longest_segment_fits_into_the_buffer),
        cmocka_unit_test(test_long_stacks_read_flat_never_overrun),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
