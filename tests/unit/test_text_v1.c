// The text of traces from before Go 1.22, there and back: lines become the bytes that the
// builder makes of the same events, and what the text sink prints of any trace in the
// runtime's form is read to the same bytes again.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "decode/text/wiretext.h"
#include "sink_drive.h"
#include "wire_build_v1.h"

extern const struct tp_sink_def tp_sink_text;

static struct sink_drive drive;
static struct tp_buf trace, wire;

static int set_up(void **state)
{
    (void)state;
    return sink_drive_init(&drive, &tp_sink_text) && tp_buf_init(&trace, TP_MIB(8)) &&
                   tp_buf_init(&wire, TP_MIB(8))
               ? 0
               : -1;
}

static int tear_down(void **state)
{
    (void)state;
    sink_drive_fini(&drive);
    tp_buf_fini(&trace);
    tp_buf_fini(&wire);
    return 0;
}

static struct tp_span span_of(const struct tp_buf *b)
{
    return tp_span_of(b->ptr, b->len_bytes);
}

// READ

// The bytes of `text`, given in pieces and taken in pieces, go to `wire`.
static int encode(struct tp_span text, enum tp_dialect dialect, size_t piece_bytes,
                  struct tp_error *err)
{
    struct tp_wiretext *reader;
    tp_buf_reset(&wire);
    assert_int_equal(tp_wiretext_create(&reader, dialect, err), 0);
    struct tp_span in = {text.ptr, 0};
    bool done = false;
    int rc = 0;
    while (rc == 0 && !done) {
        unsigned char out[512];
        size_t left_bytes = (size_t)(text.ptr + text.len_bytes - in.ptr);
        if (in.len_bytes == 0)
            in.len_bytes = left_bytes < piece_bytes ? left_bytes : piece_bytes;
        struct tp_buf made = {
            .ptr = out, .max_bytes = piece_bytes < sizeof out ? piece_bytes : sizeof out};
        rc = tp_wiretext_step(reader, &in, in.len_bytes == left_bytes, &made, &done, err);
        if (rc == 0)
            wire_put(&wire, out, made.len_bytes);
    }
    tp_wiretext_destroy(reader);
    return rc;
}

static const size_t pieces[] = {1, 3, 50, SIZE_MAX};

static void assert_encodes(const char *text, const struct tp_buf *want)
{
    struct tp_error err;
    for (size_t i = 0; i < TP_ARRAY_LEN(pieces); i++) {
        if (encode(tp_span_of(text, strlen(text)), TP_DIALECT_LENIENT, pieces[i], &err) != 0)
            fail_msg("line %d: %s", (int)err.line, err.text);
        assert_int_equal(wire.len_bytes, want->len_bytes);
        assert_memory_equal(wire.ptr, want->ptr, wire.len_bytes);
    }
}

static void assert_refused(const char *text, enum tp_dialect dialect, size_t made_bytes,
                           const char *sentence, uint64_t line)
{
    struct tp_error err;
    for (size_t i = 0; i < TP_ARRAY_LEN(pieces); i++) {
        assert_int_equal(encode(tp_span_of(text, strlen(text)), dialect, pieces[i], &err),
                         TP_E_TEXT);
        assert_string_equal(err.text, sentence);
        assert_int_equal(err.line, line);
        assert_int_equal(wire.len_bytes, made_bytes);
    }
}

// BY HAND

static void begin_trace(uint32_t minor)
{
    tp_buf_reset(&trace);
    wire_v1_put_header(&trace, minor);
}

static void test_headers_are_those_of_the_runtimes(void **state)
{
    (void)state;
    for (size_t v = 0; v < TP_V1_VERSIONS; v++) {
        uint32_t minor = tp_versions[v].minor;
        char text[40];
        snprintf(text, sizeof text, "Trace Go1.%u\n", minor == 0 ? 4 : minor);
        begin_trace(minor);
        assert_int_equal(trace.len_bytes, minor == 0 ? 8 : 16);
        assert_encodes(text, &trace);
    }
}

static void test_lines_become_events(void **state)
{
    (void)state;
    begin_trace(11);
    wire_v1_put_batch(&trace, 11, UINT64_MAX, 2318);
    WIRE_V1_PUT(&trace, 11, TP_V1_GoEnd, 7);
    WIRE_V1_PUT(&trace, 11, TP_V1_GoUnblock, 1, 20, 3, 4);
    wire_v1_put_log(&trace, 1, 2, 300, 4, "a \"message\"\n\xff");
    wire_v1_put_log(&trace, 1, 2, 300, 4, "");
    wire_v1_put_string(&trace, 200, "main.main");
    wire_v1_put_stack(&trace, 11, 9, 2, 100000, 0);
    wire_v1_put_stack(&trace, 11, 9, 0, 100000, 8);
    wire_v1_put_stack(&trace, 11, 9, 1, 100000, 9);
    wire_v1_put_frequency(&trace, 11, 1000000);
    wire_v1_put_timer_goroutine(&trace, 11, 18);
    assert_encodes("# by hand\nTrace Go1.11\n"
                   "Batch p=18446744073709551615 ticks=2318\n"
                   "GoEnd dt=7\n"
                   "  GoUnblock dt=1 \t g=20 seq=3 stack=4\r\n"
                   "UserLog dt=1 task=2 key_string=300 stack=4\n"
                   "\tdata=\"a \\\"message\\\"\\n\\xff\"\n"
                   "UserLog dt=1 task=2 key_string=300 stack=4\n# between\n\tdata=\"\"\n"
                   "String id=200\n\tdata=\"main.main\"\n"
                   "Stack id=9 nframes=2 pad=0\n\tpc=100000 func=0 file=0 line=0\n"
                   "\n\tpc=100001 func=1 file=1 line=1\n"
                   "Stack id=9 nframes=0 pad=8\n"
                   "Stack id=9 nframes=1 pad=9\n\tpc=100000 func=0 file=0 line=0\n"
                   "Frequency freq=1000000\nTimerGoroutine g=18",
                   &trace);
}

static void test_older_forms(void **state)
{
    (void)state;
    begin_trace(5);
    wire_v1_put_batch(&trace, 5, 3, 2318);
    WIRE_V1_PUT(&trace, 5, TP_V1_GoCreate, 1, 2, 20, 4000, 5);
    WIRE_V1_PUT(&trace, 5, TP_V1_GoSysExit, 1, 2, 20, 3, 4);
    wire_v1_put_stack(&trace, 5, 9, 2, 100000, 0);
    wire_v1_put_frequency(&trace, 5, 1000000);
    assert_encodes("Trace Go1.5\nBatch p=3 seq=0 ticks=2318\n"
                   "GoCreate dseq=1 dt=2 g=20 pc=4000 stack=5\n"
                   "GoSysExit dseq=1 dt=2 g=20 seq=3 ts=4\n"
                   "Stack id=9 nframes=2 pad=0\n\tpc=100000\n\tpc=100001\n"
                   "Frequency freq=1000000 unused=0\n",
                   &trace);
    begin_trace(0);
    wire_v1_put_batch(&trace, 0, 3, 2318);
    WIRE_V1_PUT(&trace, 0, TP_V1_GoSysBlock, 1, 2);
    assert_encodes("Trace Go1.4\nBatch p=3 ticks=2318\nGoSysBlock dt=1 stack=2\n", &trace);
}

// In a text of Go 1.22 and later this is four times too long.
static void test_data_of_the_largest_event_fits_its_line(void **state)
{
    (void)state;
    static const char head[] = "Trace Go1.21\nString id=1\n\tdata=\"";
    struct tp_wire_event ev = {.type = TP_V1_String, .arg_count = 1, .args = {1}};
    unsigned char *data = calloc(1, TP_V1_MAX_EVENT_BYTES);
    char *text = malloc(sizeof head + 4 * TP_V1_MAX_EVENT_BYTES + 3), *to = text;
    assert_true(data != NULL && text != NULL);
    ev.tail = tp_span_of(data, TP_V1_MAX_EVENT_BYTES);
    begin_trace(21);
    wire_v1_put_event(&trace, 21, &ev);
    to = stpcpy(to, head);
    for (unsigned i = 0; i < TP_V1_MAX_EVENT_BYTES; i++)
        to = stpcpy(to, "\\x00");
    strcpy(to, "\"\n");
    assert_encodes(text, &trace);
    free(text);
    free(data);
}

static void test_refusals(void **state)
{
    (void)state;
    enum tp_dialect d = TP_DIALECT_LENIENT;
    assert_refused("Trace Go1.6\n", d, 0, "unknown or unsupported Go version 1.6", 1);
    assert_refused("Trace Go1.0\n", d, 0, "unknown or unsupported Go version 1.0", 1);
    // Names and arguments of other releases.
    assert_refused("Trace Go1.10\nUserTaskEnd dt=1 task=1 stack=0\n", d, 16,
                   "unidentified event: UserTaskEnd", 2);
    assert_refused("Trace Go1.11\nEventBatch gen=1 m=1 time=1 size=0\n", d, 16,
                   "unidentified event: EventBatch", 2);
    assert_refused("Trace Go1.26\nGoEnd dt=1\n", d, 16, "unidentified event: GoEnd", 2);
    assert_refused("Trace Go1.9\nBatch p=1 ticks=1\nSTWStart dt=1 kindid=1\n", d, 19,
                   "reading args for STWStart: encountered unexpected non-space at the end of an "
                   "event: \" kindid=1\"", 3);
    assert_refused("Trace Go1.11\nStack id=1 nframes=1\n", d, 16,
                   "reading args for Stack: no argument", 2);
    assert_refused("Trace Go1.11\nStack id=1 nframes=0 pad=10\n", d, 16,
                   "no length has 10 bytes more than it needs", 2);
    assert_refused("Trace Go1.5\nStack id=1 nframes=1 pad=99\n\tpc=1\n", d, 16,
                   "no length has 99 bytes more than it needs", 3);
    assert_refused("Trace Go1.11\nStack id=7 nframes=2 pad=9\n\tpc=1 func=2 file=3 line=4\n", d, 16,
                   "unexpected EOF while reading stack: args=[7 2 1 2 3 4]", 4);
    assert_refused("Trace Go1.11\nUserLog dt=1 task=2 key_string=300 stack=4\n", d, 16,
                   "unexpected EOF while reading data for UserLog: args=[1 2 300 4]", 3);
}

// Go's reader knows some of the releases, and none of the events.
static void test_gos_reader_refuses_every_event(void **state)
{
    (void)state;
    for (size_t v = 0; v < TP_V1_VERSIONS; v++) {
        uint32_t minor = tp_versions[v].minor == 0 ? 4 : tp_versions[v].minor;
        char text[60], sentence[60];
        bool is_known = minor == 11 || minor == 19 || minor == 21;
        snprintf(text, sizeof text, "Trace Go1.%u\nGoEnd dt=1\n", minor);
        snprintf(sentence, sizeof sentence, "unknown or unsupported Go version 1.%u", minor);
        assert_refused(text, TP_DIALECT_GO_RAW, is_known ? 16 : 0,
                       is_known ? "unidentified event: GoEnd" : sentence, is_known ? 2 : 1);
    }
}

// ANY TRACE

static void put_random_trace(uint64_t *random, const struct tp_v1_table *table)
{
    begin_trace(table->minor);
    wire_v1_put_batch(&trace, table->minor, 1, 1000);
    for (unsigned i = 0; i < 300; i++) {
        unsigned char tail[WIRE_V1_TAIL_BYTES];
        struct tp_wire_event ev;
        wire_v1_random_event(&ev, tail, random, table, wire_v1_random_type(random, table));
        wire_v1_put_event(&trace, table->minor, &ev);
    }
}

static void test_text_of_any_trace_is_read_back(void **state)
{
    (void)state;
    uint64_t random = 515;
    struct tp_error err;
    for (unsigned round = 0; round < 20 * TP_V1_VERSIONS; round++) {
        put_random_trace(&random, tp_v1_table(tp_versions[round % TP_V1_VERSIONS].minor));
        drive.unit_bytes = 1 + round % 5 * 100;
        assert_int_equal(sink_drive_run(&drive, span_of(&trace), &err), 0);
        assert_int_equal(drive.notes.undecoded_batches, 0);
        size_t piece_bytes = pieces[round % TP_ARRAY_LEN(pieces)];
        if (encode(span_of(&drive.out), TP_DIALECT_LENIENT, piece_bytes, &err) != 0)
            fail_msg("line %d: %s", (int)err.line, err.text);
        assert_int_equal(wire.len_bytes, trace.len_bytes);
        assert_memory_equal(wire.ptr, trace.ptr, wire.len_bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_headers_are_those_of_the_runtimes),
        cmocka_unit_test(test_lines_become_events),
        cmocka_unit_test(test_older_forms),
        cmocka_unit_test(test_data_of_the_largest_event_fits_its_line),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_gos_reader_refuses_every_event),
        cmocka_unit_test(test_text_of_any_trace_is_read_back),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
