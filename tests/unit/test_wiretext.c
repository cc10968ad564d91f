#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "decode/spec.h"
#include "decode/text/wiretext.h"

// A literal that may hold NUL bytes, as a span.
#define BYTES(literal) {(const unsigned char *)(literal), sizeof(literal) - 1}
#define H22 "Trace Go1.22\n"
#define H25 "Trace Go1.25\n"
#define H26 "Trace Go1.26\n"
#define W22 "go 1.22 trace\0\0\0"
#define W25 "go 1.25 trace\0\0\0"
#define W26 "go 1.26 trace\0\0\0"

struct answer {
    unsigned char *wire;
    size_t wire_bytes;
    int code;
    struct tp_error err;
};

// Feeds `text` in pieces of `chunk_bytes` and takes what it becomes in pieces of
// `room_bytes`.
static struct answer encode_as(enum tp_dialect dialect, struct tp_span text, size_t chunk_bytes,
                               size_t room_bytes)
{
    struct answer a = {.wire = malloc(text.len_bytes + 64)};
    unsigned char *room = malloc(room_bytes);
    assert_non_null(a.wire);
    assert_non_null(room);
    struct tp_wiretext *reader;
    assert_int_equal(tp_wiretext_create(&reader, dialect, &a.err), TP_E_OK);
    struct tp_span in = {text.ptr, 0};
    bool done = false;
    while (!done) {
        size_t left_bytes = (size_t)(text.ptr + text.len_bytes - in.ptr) - in.len_bytes;
        if (in.len_bytes == 0)
            in.len_bytes = left_bytes < chunk_bytes ? left_bytes : chunk_bytes;
        bool at_end = in.ptr + in.len_bytes == text.ptr + text.len_bytes;
        struct tp_buf made = {.ptr = room, .max_bytes = room_bytes};
        a.code = tp_wiretext_step(reader, &in, at_end, &made, &done, &a.err);
        if (a.code != TP_E_OK)
            break;
        assert_true(made.len_bytes <= room_bytes);
        assert_true(a.wire_bytes + made.len_bytes <= text.len_bytes + 64);
        memcpy(a.wire + a.wire_bytes, room, made.len_bytes);
        a.wire_bytes += made.len_bytes;
    }
    tp_wiretext_destroy(reader);
    free(room);
    return a;
}

static struct answer encode(struct tp_span text, size_t chunk_bytes, size_t room_bytes)
{
    return encode_as(TP_DIALECT_LENIENT, text, chunk_bytes, room_bytes);
}

struct acceptance {
    struct tp_span text, wire;
};

static const struct acceptance accepted[] = {
    {BYTES(H26), BYTES(W26)},
    {BYTES("Trace Go1.22"), BYTES(W22)},
    {BYTES("Trace Go1.11\n"), BYTES("go 1.11 trace\0\0\0")},
    {BYTES("\t Trace\xc2\xa0Go1.026  \r\n"), BYTES(W26)},
    {BYTES("Trace Go1.4294967322\n"), BYTES(W26)}, // 2^32 + 26
    {BYTES("\n# words\n \t\n" H26 "#\n\nSync\n"), BYTES(W26 "\x32")},
    {BYTES(H26 "ProcStop dt=5\n"), BYTES(W26 "\x0b\x05")},
    {BYTES(H26 "ProcStop dt=5"), BYTES(W26 "\x0b\x05")},
    {BYTES(H26 "ProcStop dt=5\r"), BYTES(W26 "\x0b\x05")},
    {BYTES(H26 "ProcStop dt=5\t \r\n"), BYTES(W26 "\x0b\x05")},
    {BYTES(H26 "  ProcStop \t\xe2\x80\x89" "dt=0005\xc2\x85\n"), BYTES(W26 "\x0b\x05")},
    {BYTES(H26 "ProcStart dt=1 p=128 p_seq=300\n"), BYTES(W26 "\x0a\x01\x80\x01\xac\x02")},
    {BYTES(H26 "ProcStop dt=9999999999999999999\n"),
     BYTES(W26 "\x0b\xff\xff\x9f\xcf\xc8\xe0\xc8\xe3\x8a\x01")},
    {BYTES(H26 "ProcStop dt=18446744073709551615\n"),
     BYTES(W26 "\x0b\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01")},
    {BYTES(H26 "ProcStop dt=0000000000000000000000007\n"), BYTES(W26 "\x0b\x07")},
    {BYTES(H26 "EventBatch gen=1 m=2 time=3 size=0\n"), BYTES(W26 "\x01\x01\x02\x03\x00")},
    {BYTES(H22 "UserLog dt=1 task=2 key_string=3 value_string=4 stack=5\n"),
     BYTES(W22 "\x2c\x01\x02\x03\x04\x05")},
    {BYTES(H25 "ClockSnapshot dt=1 mono=2 sec=3 nsec=4\n"), BYTES(W25 "\x33\x01\x02\x03\x04")},
    {BYTES(H26 "EndOfGeneration\nSpanAlloc dt=1 id=2 npages_value=3 kindclass=4\n"),
     BYTES(W26 "\x34\x81\x01\x02\x03\x04")},
    {BYTES(H26 "Stack id=7 nframes=0\nSync\n"), BYTES(W26 "\x03\x07\x00\x32")},
    {BYTES(H26 "Stack id=7 nframes=2\n\tpc=1 func=2 file=3 line=4\n# between\n\n"
               "pc=200 func=6 file=7 line=8\nSync\n"),
     BYTES(W26 "\x03\x07\x02\x01\x02\x03\x04\xc8\x01\x06\x07\x08\x32")},
    {BYTES(H26 "Stack id=7 nframes=9223372036854775808\nSync\n"), // negative to Go
     BYTES(W26 "\x03\x07\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01\x32")},
    {BYTES(H26 "String id=1\n\tdata=\"\"\n"), BYTES(W26 "\x05\x01\x00")},
    {BYTES(H26 "String id=1\n\tdata=\"a\\x00\\u00e9\\n # b\"\n"),
     BYTES(W26 "\x05\x01\x09" "a\0\xc3\xa9\n # b")},
    {BYTES(H26 "String id=1\n# not this\n \xc2\xa0 data \t=  `\\` \xe3\x80\x80\n"),
     BYTES(W26 "\x05\x01\x01\\")},
    {BYTES(H26 "String id=1\ndata='\xe4\xb8\x96'\n"), BYTES(W26 "\x05\x01\x03\xe4\xb8\x96")},
    {BYTES(H26 "ExperimentalBatch exp=300 gen=1 m=2 time=3\n\tdata=\"ab\"\n"),
     BYTES(W26 "\x31\xac\x02\x01\x02\x03\x02" "ab")},
};

struct rejection {
    struct tp_span text, wire;
    const char *sentence;
    uint64_t line, column;
};

// A caret comment stands under the byte that `column` counts to.
static const struct rejection rejected[] = {
    {BYTES(""), BYTES(""), "EOF", 1, 1},
    {BYTES("# only\n\n"), BYTES(""), "EOF", 3, 1},
    {BYTES("# only"), BYTES(""), "EOF", 2, 1},
    {BYTES("\xef\xbb\xbf" H26), BYTES(""), "failed to parse header", 1, 1},
    {BYTES("\n Tracer Go1.26\n"), BYTES(""), "failed to parse header", 2, 2},
    //        ^
    {BYTES("Trace\n"), BYTES(""), "failed to parse header Go version", 1, 6},
    //           ^
    {BYTES("Trace go1.26\n"), BYTES(""), "failed to parse header Go version", 1, 7},
    //            ^
    {BYTES("Trace Go1.\n"), BYTES(""),
     //               ^
     "failed to parse header Go version: strconv.ParseUint: parsing \"\": invalid syntax", 1, 11},
    {BYTES("Trace Go1.2_6\n"), BYTES(""),
     //               ^
     "failed to parse header Go version: strconv.ParseUint: parsing \"2_6\": invalid syntax", 1,
     11},
    {BYTES("Trace Go1.18446744073709551616x\n"), BYTES(""),
     "failed to parse header Go version: strconv.ParseUint: parsing "
     "\"18446744073709551616x\": value out of range",
     1, 11},
    {BYTES("Trace Go1.24\n"), BYTES(""), "unknown or unsupported Go version 1.24", 1, 11},
    {BYTES("Trace Go1.4294967297\n"), BYTES(""), "unknown or unsupported Go version 1.1", 1, 11},
    {BYTES("Trace Go1.26 # no\n"), BYTES(""),
     //                  ^
     "encountered unexpected non-space at the end of the header: \" # no\"", 1, 14},
    {BYTES("Trace Go1.21\nGoDestroy dt=1\n"), BYTES("go 1.21 trace\0\0\0"),
     "unidentified event: GoDestroy", 2, 1},
    {BYTES(H22 "GoSwitch dt=1 g=1 g_seq=1\n"), BYTES(W22), "unidentified event: GoSwitch", 2, 1},
    {BYTES(H22 "Span dt=1 id=1 npages_value=1 kindclass=1\n"), BYTES(W22),
     "unidentified event: Span", 2, 1},
    {BYTES(H26 "Sync\n No\0\xff#\n"), BYTES(W26 "\x32"), "unidentified event: No\\x00\xff", 3, 2},
    //                ^
    {BYTES(H26 "dt=1\n"), BYTES(W26), "unidentified event: dt=1", 2, 1},
    {BYTES(H26 "ProcStart dt=1 p=2 \n"), BYTES(W26), "reading args for ProcStart: no argument", 2,
     //                           ^
     19},
    {BYTES(H26 "ProcStop#dt=1\n"), BYTES(W26), "reading args for ProcStop: no argument", 2, 9},
    //                  ^
    {BYTES(H26 "ProcStop  dt\n"), BYTES(W26),
     //                   ^
     "reading args for ProcStop: malformed argument: \"dt\"", 2, 11},
    {BYTES(H26 "ProcStop dt=\n"), BYTES(W26),
     //                     ^
     "reading args for ProcStop: failed to parse argument value \"\" for arg \"dt\"", 2, 13},
    {BYTES(H26 "ProcStop at=+1\n"), BYTES(W26),
     //                     ^
     "reading args for ProcStop: failed to parse argument value \"+1\" for arg \"at\"", 2, 13},
    {BYTES(H26 "ProcStop dt=18446744073709551616\n"), BYTES(W26),
     "reading args for ProcStop: failed to parse argument value \"18446744073709551616\" for arg "
     "\"dt\"",
     2, 13},
    {BYTES(H26 "ProcStop dt=1\0\n"), BYTES(W26),
     "reading args for ProcStop: failed to parse argument value \"1\\x00\" for arg \"dt\"", 2, 13},
    {BYTES(H26 "ProcStart p=1 dt=1 p_seq=1\n"), BYTES(W26),
     //                   ^
     "reading args for ProcStart: expected argument \"dt\", but got \"p\"", 2, 11},
    // A name ends at the first "=" and may be anything else.
    {BYTES(H26 "ProcStop dt=1=2\n"), BYTES(W26),
     //                     ^
     "reading args for ProcStop: failed to parse argument value \"1=2\" for arg \"dt\"", 2, 13},
    {BYTES(H26 "ProcStop d-\xc3\xa9\xf0\x9f\x90\xb9=1\n"), BYTES(W26),
     //                  ^
     "reading args for ProcStop: expected argument \"dt\", but got \"d-\xc3\xa9\xf0\x9f\x90\xb9\"",
     2, 10},
    {BYTES(H26 "ProcStop dt=1 p=2\n"), BYTES(W26),
     //                       ^
     "reading args for ProcStop: encountered unexpected non-space at the end of an event: "
     "\" p=2\"",
     2, 15},
    {BYTES(H26 "Sync#\n"), BYTES(W26),
     //             ^
     "reading args for Sync: encountered unexpected non-space at the end of an event: \"#\"", 2,
     5},
    {BYTES(H26 "Stack id=1 nframes=1\n\tpc=1 func=2 line=3\n"), BYTES(W26),
     //                                             ^
     "expected argument \"file\", but got \"line\"", 3, 14},
    {BYTES(H26 "Stack id=1 nframes=1\nSync\n"), BYTES(W26), "malformed argument: \"Sync\"", 3, 1},
    {BYTES(H26 "Stack id=1 nframes=2\n\tpc=1 func=2 file=300 line=4\n#"), BYTES(W26),
     "unexpected EOF while reading stack: args=[1 2 1 2 300 4]", 5, 1},
    {BYTES(H26 "ExperimentalBatch exp=1 gen=2 m=3 time=4\n"), BYTES(W26),
     "unexpected EOF while reading data for ExperimentalBatch: args=[1 2 3 4]", 3, 1},
    {BYTES(H26 "String id=1\n\tdata\n"), BYTES(W26), "malformed data: \"\\tdata\"", 3, 2},
    {BYTES(H26 "String id=1\nda ta=\"\"\n"), BYTES(W26), "malformed data: \"da ta=\\\"\\\"\"", 3,
     1},
    {BYTES(H26 "String id=1\n\tdata=\"\\q\" \n"), BYTES(W26),
     //                           ^
     "failed to parse data: \"\\tdata=\\\"\\\\q\\\" \": invalid syntax", 3, 7},
};

static const size_t cuts[] = {1, 2, 3, 7, 64, SIZE_MAX};

static void test_text_becomes_the_wire_bytes_of_go(void **state)
{
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(accepted); i++) {
        for (size_t c = 0; c < TP_ARRAY_LEN(cuts); c++) {
            struct answer got = encode(accepted[i].text, cuts[c], c % 2 ? 1 : 4096);
            if (got.code != TP_E_OK)
                print_error("case %zu: %s\n", i, got.err.text);
            assert_int_equal(got.code, TP_E_OK);
            assert_int_equal(got.wire_bytes, accepted[i].wire.len_bytes);
            assert_memory_equal(got.wire, accepted[i].wire.ptr, got.wire_bytes);
            free(got.wire);
        }
    }
}

static void check_name(const char *header, unsigned code, enum tp_dialect dialect, bool is_known)
{
    const struct tp_event_spec *s = &tp_event_specs[code];
    char text[200];
    int n = snprintf(text, sizeof text, "%s%s", header, s->name);
    for (unsigned i = 0; i < s->arg_count; i++)
        n += snprintf(text + n, sizeof text - (size_t)n, " %s=0", s->args[i]);
    if (s->kind == TP_WIRE_DATA)
        n += snprintf(text + n, sizeof text - (size_t)n, "\ndata=\"\"");
    struct answer got = encode_as(dialect, tp_span_of(text, (size_t)n), SIZE_MAX, 4096);
    assert_int_equal(got.code, is_known ? TP_E_OK : TP_E_TEXT);
    if (is_known) {
        assert_int_equal(got.wire_bytes, 17 + s->arg_count + (s->kind == TP_WIRE_DATA ? 1 : 0));
        assert_int_equal(got.wire[16], code);
    }
    free(got.wire);
}

// Each by its name. Go's reader does not know experiments before Go 1.26, although they are
// in traces.
static void test_names_become_codes(void **state)
{
    static const struct {
        const char *header;
        uint32_t minor;
    } versions[] = {{H22, 22}, {"Trace Go1.23\n", 23}, {H25, 25}, {H26, 26}};
    (void)state;
    for (size_t v = 0; v < TP_ARRAY_LEN(versions); v++) {
        for (unsigned code = 0; code < TP_EVENT_CODES; code++) {
            const struct tp_event_spec *s = &tp_event_specs[code];
            bool has_experiments = versions[v].minor >= 26;
            if (s->name == NULL)
                continue;
            bool is_there = s->since <= versions[v].minor;
            check_name(versions[v].header, code, TP_DIALECT_LENIENT, is_there);
            check_name(versions[v].header, code, TP_DIALECT_GO_RAW,
                       is_there && (s->kind != TP_WIRE_EXP || has_experiments));
        }
    }
}

static uint64_t offset_of_line(struct tp_span text, uint64_t line)
{
    uint64_t offset = 0;
    for (; line > 1 && offset < text.len_bytes; line -= text.ptr[offset++] == '\n') {
    }
    return offset;
}

static void test_refusals_are_those_of_go_and_say_where(void **state)
{
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(rejected); i++) {
        for (size_t c = 0; c < TP_ARRAY_LEN(cuts); c++) {
            const struct rejection *want = &rejected[i];
            struct answer got = encode(want->text, cuts[c], c % 2 ? 1 : 4096);
            assert_int_equal(got.code, TP_E_TEXT);
            assert_int_equal(got.err.code, TP_E_TEXT);
            assert_string_equal(got.err.text, want->sentence);
            assert_int_equal(got.err.line, want->line);
            assert_int_equal(got.err.column, want->column);
            assert_int_equal(got.err.offset, offset_of_line(want->text, want->line));
            assert_int_equal(got.wire_bytes, want->wire.len_bytes);
            assert_memory_equal(got.wire, want->wire.ptr, got.wire_bytes);
            free(got.wire);
        }
    }
}

// `prefix`, `count` times 'x', `suffix`; to be freed by the caller.
static struct tp_span stretched(const char *prefix, size_t count, const char *suffix)
{
    size_t before = strlen(prefix);
    size_t after = strlen(suffix);
    unsigned char *text = malloc(before + count + after + 1);
    assert_non_null(text);
    memcpy(text, prefix, before);
    memset(text + before, 'x', count);
    memcpy(text + before + count, suffix, after + 1);
    return tp_span_of(text, before + count + after);
}

enum { STRING_FRAME = sizeof "\tdata=\"\"" - 1 };

static void check_long_line(const char *prefix, size_t count, const char *suffix,
                            const char *sentence, uint64_t column)
{
    for (size_t c = 3; c < TP_ARRAY_LEN(cuts); c++) {
        struct tp_span text = stretched(prefix, count, suffix);
        struct answer got = encode(text, cuts[c], 1000);
        if (sentence == NULL) {
            assert_int_equal(got.code, TP_E_OK);
            assert_in_range(got.wire_bytes, count, count + 64);
        } else {
            assert_int_equal(got.code, TP_E_TEXT);
            assert_string_equal(got.err.text, sentence);
            assert_int_equal(got.err.line, 3);
            assert_int_equal(got.err.column, column);
        }
        free(got.wire);
        free((void *)(uintptr_t)text.ptr);
    }
}

static void test_lines_end_where_the_scanner_of_go_gives_up(void **state)
{
    (void)state;
    static const char head[] = H26 "String id=1\n\tdata=\"";
    static const char too_long[] = "bufio.Scanner: token too long";
    check_long_line(head, 65535 - STRING_FRAME, "\"\n", NULL, 0);
    check_long_line(head, 65535 - STRING_FRAME, "\"", NULL, 0);
    check_long_line(head, 65536 - STRING_FRAME, "\"\n", too_long, 65536);
    check_long_line(head, 65536 - STRING_FRAME, "\"", too_long, 65536);
    check_long_line(head, 65535 - STRING_FRAME, "\"\r\n", too_long, 65536);
    check_long_line(H26 "Sync\n#", 65535, "\n", too_long, 65536);
}

static void test_data_of_an_experimental_batch_may_be_long(void **state)
{
    (void)state;
    static const char head[] =
        H26 "ExperimentalBatch exp=1 gen=1 m=1 time=1\n\tdata=\"";
    static const char too_long[] = "bufio.Scanner: token too long";
    check_long_line(head, 4 * 65536, "\"\n", NULL, 0);
    check_long_line(head, TP_MIB(1) - STRING_FRAME - 64, "\"\n", NULL, 0);
    check_long_line(head, TP_MIB(1) - STRING_FRAME, "\"\n",
                    "event of more than 1048576 bytes", 7);
    check_long_line(head, TP_MIB(1) - STRING_FRAME + 1, "\"\n", too_long, TP_MIB(1) + 1);
    // Neither a comment nor another line around it gains by that.
    check_long_line(H26 "ExperimentalBatch exp=1 gen=1 m=1 time=1\n#", 65535, "\n", too_long,
                    65536);
}

static void test_invalid_bytes_that_grow_stay_within_the_event(void **state)
{
    (void)state;
    // Each 0xff becomes the three bytes of U+FFFD: longer than the line.
    struct tp_span text = stretched(
        H26 "ExperimentalBatch exp=1 gen=1 m=1 time=1\n\tdata=\"", TP_MIB(1) / 2, "\"\n");
    memset((unsigned char *)(uintptr_t)text.ptr + text.len_bytes - 2 - TP_MIB(1) / 2, 0xff,
           TP_MIB(1) / 2);
    struct answer got = encode(text, SIZE_MAX, 4096);
    assert_int_equal(got.code, TP_E_TEXT);
    assert_string_equal(got.err.text, "event of more than 1048576 bytes");
    free(got.wire);
    free((void *)(uintptr_t)text.ptr);
}

static void test_stacks_end_at_the_largest_event(void **state)
{
    (void)state;
    static const char frame[] = "\tpc=18446744073709551615 func=1 file=1 line=1\n";
    static const char head[] = H26 "Stack id=1 nframes=1000000\n";
    const size_t frame_bytes = sizeof frame - 1;
    const size_t count = TP_WIRETEXT_EVENT_BYTES / 13 + 1;
    unsigned char *text = malloc(sizeof head + count * frame_bytes);
    assert_non_null(text);
    unsigned char *to = text;
    memcpy(to, head, sizeof head - 1);
    to += sizeof head - 1;
    for (size_t i = 0; i < count; i++, to += frame_bytes)
        memcpy(to, frame, frame_bytes);
    struct answer got = encode(tp_span_of(text, (size_t)(to - text)), 65536, 4096);
    assert_int_equal(got.code, TP_E_TEXT);
    assert_string_equal(got.err.text, "event of more than 1048576 bytes");
    assert_int_equal(got.wire_bytes, 16);
    free(got.wire);
    free(text);
}

static void test_a_long_sentence_is_cut(void **state)
{
    (void)state;
    struct tp_span text = stretched(H26 "Sync\n", 5000, "\n");
    struct answer got = encode(text, SIZE_MAX, 4096);
    assert_int_equal(got.code, TP_E_TEXT);
    assert_int_equal(strlen(got.err.text), TP_ERROR_TEXT_BYTES - 1);
    assert_memory_equal(got.err.text, "unidentified event: xxx", 23);
    free(got.wire);
    free((void *)(uintptr_t)text.ptr);
}

static void test_a_refusal_comes_after_its_bytes_and_stays(void **state)
{
    (void)state;
    static const char text[] = H26 "Sync\nNo\n";
    struct tp_wiretext *reader;
    struct tp_error err = {0};
    assert_int_equal(tp_wiretext_create(&reader, TP_DIALECT_LENIENT, &err), TP_E_OK);
    struct tp_span in = tp_span_of(text, sizeof text - 1);
    unsigned char out[64];
    struct tp_buf made = {.ptr = out, .max_bytes = sizeof out}, no_room = {0};
    bool done;
    assert_int_equal(tp_wiretext_step(reader, &in, false, &made, &done, &err), TP_E_OK);
    assert_int_equal(made.len_bytes, 17);
    assert_false(done);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(tp_wiretext_step(reader, &in, false, &no_room, &done, &err), TP_E_TEXT);
        assert_int_equal(no_room.len_bytes, 0);
        assert_false(done);
    }
    assert_int_equal(tp_wiretext_step(reader, &in, false, &no_room, &done, NULL), TP_E_TEXT);
    tp_wiretext_destroy(reader);
}

static const struct {
    struct tp_span head;
    bool at_end;
    enum tp_wiretext_verdict verdict;
} heads[] = {
    {BYTES(""), false, TP_WIRETEXT_MORE},
    {BYTES(""), true, TP_WIRETEXT_NO},
    {BYTES("T"), false, TP_WIRETEXT_MORE},
    {BYTES("Trac"), true, TP_WIRETEXT_NO},
    {BYTES("Trace"), false, TP_WIRETEXT_MORE},
    {BYTES("Trace"), true, TP_WIRETEXT_YES},
    {BYTES("Trace "), false, TP_WIRETEXT_YES},
    {BYTES("Trace\n"), false, TP_WIRETEXT_YES},
    {BYTES("Trace#"), false, TP_WIRETEXT_YES},
    {BYTES("Trace\xc2\xa0Go1.26"), false, TP_WIRETEXT_YES},
    {BYTES("Trace\xc2"), false, TP_WIRETEXT_MORE},
    {BYTES("Trace\xc2"), true, TP_WIRETEXT_NO},
    {BYTES("Tracer"), false, TP_WIRETEXT_NO},
    {BYTES("trace Go1.26"), false, TP_WIRETEXT_NO},
    {BYTES("go 1.26 trace\0\0\0"), false, TP_WIRETEXT_NO},
    {BYTES("\x1f\x8b"), false, TP_WIRETEXT_NO},
    {BYTES("\0"), false, TP_WIRETEXT_NO},
    {BYTES("#"), false, TP_WIRETEXT_MORE},
    {BYTES("# Trace\n"), false, TP_WIRETEXT_MORE},
    {BYTES("# Trace\n"), true, TP_WIRETEXT_NO},
    {BYTES("# one\n\r\n \t# two\n\xe3\x80\x80" H26), false, TP_WIRETEXT_YES},
    {BYTES("\xe3\x80"), false, TP_WIRETEXT_MORE},
    {BYTES("\xe3\x80"), true, TP_WIRETEXT_NO},
    {BYTES("# one\ngo 1.26 trace"), false, TP_WIRETEXT_NO},
};

static void test_text_is_told_from_other_files(void **state)
{
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(heads); i++)
        assert_int_equal(tp_wiretext_detect(heads[i].head, heads[i].at_end), heads[i].verdict);
}

static void test_detection_looks_at_64_kib_only(void **state)
{
    (void)state;
    struct tp_span within = stretched("#", 65536 - 1 - 1 - 5, "\nTrace");
    assert_int_equal(tp_wiretext_detect(within, false), TP_WIRETEXT_YES);
    struct tp_span beyond = stretched("#", 65536 - 1 - 1, "\n" H26);
    assert_int_equal(tp_wiretext_detect(beyond, false), TP_WIRETEXT_NO);
    free((void *)(uintptr_t)within.ptr);
    free((void *)(uintptr_t)beyond.ptr);
}

static void test_every_failing_allocation_is_reported(void **state)
{
    (void)state;
    uint64_t before_bytes = tp_alloc_live_bytes();
    for (uint64_t nth = 1; nth <= 3; nth++) {
        struct tp_wiretext *reader = NULL;
        struct tp_error err = {0};
        tp_alloc_fail_at(nth, false);
        assert_int_equal(tp_wiretext_create(&reader, TP_DIALECT_LENIENT, &err), TP_E_MEMORY);
        assert_int_equal(err.code, TP_E_MEMORY);
        assert_null(reader);
        assert_int_equal(tp_alloc_live_bytes(), before_bytes);
    }
    tp_alloc_fail_at(0, false);
    tp_wiretext_destroy(NULL);
}

static void test_memory_stays_within_what_is_announced(void **state)
{
    (void)state;
    uint64_t before_bytes = tp_alloc_live_bytes();
    struct tp_wiretext *reader;
    assert_int_equal(tp_wiretext_create(&reader, TP_DIALECT_LENIENT, NULL), TP_E_OK);
    // The heap may round a block up by less than a page.
    assert_true(tp_alloc_live_bytes() - before_bytes < tp_wiretext_need_bytes() + 4096);
    tp_wiretext_destroy(reader);
    assert_int_equal(tp_alloc_live_bytes(), before_bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text_becomes_the_wire_bytes_of_go),
        cmocka_unit_test(test_names_become_codes),
        cmocka_unit_test(test_refusals_are_those_of_go_and_say_where),
        cmocka_unit_test(test_lines_end_where_the_scanner_of_go_gives_up),
        cmocka_unit_test(test_data_of_an_experimental_batch_may_be_long),
        cmocka_unit_test(test_invalid_bytes_that_grow_stay_within_the_event),
        cmocka_unit_test(test_stacks_end_at_the_largest_event),
        cmocka_unit_test(test_a_long_sentence_is_cut),
        cmocka_unit_test(test_a_refusal_comes_after_its_bytes_and_stays),
        cmocka_unit_test(test_text_is_told_from_other_files),
        cmocka_unit_test(test_detection_looks_at_64_kib_only),
        cmocka_unit_test(test_every_failing_allocation_is_reported),
        cmocka_unit_test(test_memory_stays_within_what_is_announced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
