// The scan of traces from before Go 1.22, rule by rule. Inputs and results are written as
// short lines:
//
//   input    b3       a Batch of P 3; b- of no P
//            e        an event of three bytes; 8e is eight of them
//            s k f t  a string of four bytes, a stack, a frequency, a timer goroutine
//            !0aff    bytes as they are
//   result   E3*      a run of events of P 3 with a header, the Batch
//            T3       one of tables that goes on with the batch before
//            -event7  damage, and how many bytes are lost there
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "decode/varint.h"
#include "scan_lab_v1.h"
#include "wire_build_v1.h"

#define OFFSET 16
#define TICKS 100
#define ALL_CUTS_MAX_BYTES 300

static struct tp_buf input;

static int set_up(void **state)
{
    (void)state;
    return tp_buf_init(&input, TP_MIB(4)) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    tp_buf_fini(&input);
    return 0;
}

static struct tp_span input_span(void) { return tp_span_of(input.ptr, input.len_bytes); }

// WRITTEN

static void put_hex(const char *digits)
{
    unsigned byte;
    for (; sscanf(digits, "%2x", &byte) == 1; digits += 2)
        wire_put_byte(&input, byte);
}

static void put_event(uint32_t minor)
{
    if (minor == 5)
        WIRE_V1_PUT(&input, minor, TP_V1_GoEnd, 1, 2);
    else
        WIRE_V1_PUT(&input, minor, TP_V1_GoSched, 1, 2);
}

static void put_word(uint32_t minor, const char *word)
{
    char *rest;
    unsigned long times = strtoul(word, &rest, 10);
    switch (*rest) {
    case '!': put_hex(word + 1); break;
    case 'b':
        wire_v1_put_batch(&input, minor, rest[1] == '-' ? UINT64_MAX : strtoull(rest + 1, NULL, 10),
                          TICKS);
        break;
    case 's': wire_v1_put_string(&input, 1, "a"); break;
    case 'k': wire_v1_put_stack(&input, minor, 1, 2, 5000, 0); break;
    case 'f': wire_v1_put_frequency(&input, minor, 9); break;
    case 't': wire_v1_put_timer_goroutine(&input, minor, 9); break;
    case 'e':
        do
            put_event(minor);
        while (times-- > 1);
        break;
    default: break;
    }
}

static void write_input(uint32_t minor, const char *line)
{
    char copy[400], *rest = copy;
    tp_buf_reset(&input);
    snprintf(copy, sizeof copy, "%s", line);
    for (char *word; (word = strsep(&rest, " ")) != NULL;)
        put_word(minor, word);
}

static const char *describe(const struct scan_list *l)
{
    static char text[2000];
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < l->count; i++) {
        const struct tp_extent *x = &l->items[i];
        char *to = text + used;
        size_t room = sizeof text - used;
        int n;
        if (x->kind == TP_EXTENT_LOST)
            n = snprintf(to, room, " -%s%u", tp_loss_key((enum tp_loss_kind)x->loss),
                         x->len_bytes);
        else
            n = snprintf(to, room, " %c%lld%s", x->batch_kind == TP_BATCH_STACKS ? 'T' : 'E',
                         (long long)x->m, x->header_bytes > 0 ? "*" : "");
        used += (size_t)n;
    }
    return used > 0 ? text + 1 : text;
}

// SCANNED

static void assert_scan(uint32_t minor, scan_cut_fn cut, void *ctx, size_t capacity,
                        const struct scan_list *want)
{
    struct scan_list got = scan_v1_in_pieces(minor, OFFSET, input_span(), cut, ctx, capacity);
    const char *difference = scan_difference(&got, want);
    if (difference != NULL)
        fail_msg("Go 1.%u, %zu bytes: %s", minor, input.len_bytes, difference);
    scan_list_fini(&got);
}

// The model and the scan agree, however the input is cut.
static struct scan_list assert_scan_of_any_cut(uint32_t minor, uint64_t seed)
{
    struct scan_list want = scan_v1_by_model(minor, OFFSET, input_span());
    const char *wrong = scan_gap(&want, OFFSET, input.len_bytes);
    if (wrong == NULL)
        wrong = scan_v1_undecodable(&want, minor, OFFSET, input_span());
    if (wrong != NULL)
        fail_msg("%s", wrong);
    assert_scan(minor, scan_cut_never, NULL, 64, &want);
    assert_scan(minor, scan_cut_never, NULL, 1, &want);
    for (uint64_t i = 1; i <= 4; i++) {
        uint64_t random = seed * 8 + i;
        assert_scan(minor, scan_cut_randomly, &random, (size_t)i, &want);
    }
    if (input.len_bytes > ALL_CUTS_MAX_BYTES)
        return want;
    assert_scan(minor, scan_cut_everywhere, NULL, 64, &want);
    for (size_t at = 1; at < input.len_bytes; at++) {
        size_t first_bytes = at;
        assert_scan(minor, scan_cut_once, &first_bytes, 3, &want);
    }
    return want;
}

struct row {
    const char *input;
    const char *want;
};

static void check_written(uint32_t minor, const char *input_line, const char *want)
{
    struct scan_list l = assert_scan_of_any_cut(minor, 1);
    if (strcmp(describe(&l), want) != 0)
        fail_msg("Go 1.%u: \"%s\" gives \"%s\", want \"%s\"", minor, input_line,
                 describe(&l), want);
    scan_list_fini(&l);
}

static void check_rows(uint32_t minor, const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        write_input(minor, rows[i].input);
        check_written(minor, rows[i].input, rows[i].want);
    }
}

#define CHECK_ROWS(minor, ...)                                                             \
    check_rows(minor, (const struct row[]){__VA_ARGS__},                                   \
               TP_ARRAY_LEN(((const struct row[]){__VA_ARGS__})))

// RULES

static void test_fields_of_a_run_are_told(void **state)
{
    (void)state;
    tp_buf_reset(&input);
    wire_v1_put_batch(&input, 11, 300, 70000);
    size_t header_bytes = input.len_bytes;
    put_event(11);
    struct scan_list l = assert_scan_of_any_cut(11, 1);
    assert_int_equal(l.count, 1);
    const struct tp_extent *x = &l.items[0];
    assert_int_equal(x->offset, OFFSET);
    assert_int_equal(x->header_bytes, header_bytes);
    assert_int_equal(x->len_bytes, input.len_bytes);
    assert_int_equal(x->kind, TP_EXTENT_BATCH);
    assert_int_equal(x->batch_kind, TP_BATCH_EVENTS);
    assert_int_equal(x->m, 300);
    assert_int_equal(x->time_ticks, 70000);
    assert_int_equal(x->generation, 1);
    assert_true(x->first_of_generation);
    assert_int_equal(x->loss, TP_LOSS_NONE);
    scan_list_fini(&l);
}

static void test_time_of_a_batch_comes_behind_its_sequence_number(void **state)
{
    (void)state;
    write_input(5, "b3 e");
    struct scan_list l = assert_scan_of_any_cut(5, 1);
    assert_int_equal(l.items[0].time_ticks, TICKS);
    scan_list_fini(&l);
}

static void test_runs_hold_events_of_one_class(void **state)
{
    (void)state;
    for (size_t v = 0; v < TP_V1_VERSIONS; v++)
        CHECK_ROWS(tp_versions[v].minor, {"", ""}, {"b3 e e f k t e", "E3* T3 E3"},
                   {"b3 e b4 e", "E3* E4*"}, {"b3 b4 f", "E3* T4*"}, {"b3", "E3*"},
                   {"b0 f k k", "T0*"}, {"b- e k", "E-1* T-1"});
    // CPU samples are looked for like tables.
    CHECK_ROWS(19, {"b0 e !f1050102030405 e", "E0* T0 E0"});
    CHECK_ROWS(7, {"s s b3 e s", "T0 E3* T3"}, {"b3 s e s k e", "T3* E3 T3 E3"});
}

// As in Go's readers: those of P 0.
static void test_events_before_the_first_batch_belong_to_p_0(void **state)
{
    (void)state;
    CHECK_ROWS(11, {"e e b3 e", "E0 E3*"}, {"f k b3 e", "T0 E3*"});
}

static void test_events_that_cannot_be_read_are_lost_up_to_a_batch(void **state)
{
    (void)state;
    for (size_t v = 0; v < TP_V1_VERSIONS; v++)
        CHECK_ROWS(tp_versions[v].minor, {"b3 e !00 b4 e", "E3* -event1 E4*"},
                   {"b3 !3f b4", "E3* -event1 E4*"}, {"!00 b4 e", "-event1 E4*"},
                   {"b3 !00 e e e", "E3* -event10"},
                   // Frames without a length; no number of arguments.
                   {"b3 !83010101 b4 e", "E3* -event4 E4*"});
    CHECK_ROWS(11, {"b3 !0000 b4 e !00 b5", "E3* -event9 E5*"});
    // Later codes.
    CHECK_ROWS(10, {"b3 !7001 b4", "E3* -event2 E4*"});
    CHECK_ROWS(11, {"b3 !3101010101 b4", "E3* -event5 E4*"});
}

static void test_resuming_needs_a_batch_and_eight_events_or_an_end(void **state)
{
    (void)state;
    CHECK_ROWS(11, {"b3 !00 b4 8e !00", "E3* -event1 E4* -event1"},
               {"b3 !00 b4 7e !00 b5 8e", "E3* -event26 E5*"},
               {"b3 !00 b4 7e !0f", "E3* -event1 E4* -event_cut1"},
               // Ps that nobody has.
               {"b3 !00 b2147483648 8e", "E3* -event32"},
               {"b3 !00 b2147483647 8e", "E3* -event1 E2147483647*"},
               {"b3 !00 b- 8e", "E3* -event1 E-1*"});
    // They count only where there is damage.
    CHECK_ROWS(11, {"b2147483648 e", "E2147483648*"});
}

// Eight events may be long ones: only so much is looked at.
static void test_resuming_looks_at_a_kibibyte(void **state)
{
    (void)state;
    for (unsigned text_bytes = 900; text_bytes < 1100; text_bytes += 10) {
        write_input(11, "b3 !00 b4");
        size_t before_bytes = input.len_bytes - 3;
        wire_put_byte(&input, TP_V1_String);
        wire_put_byte(&input, 1);
        wire_put_number(&input, text_bytes);
        for (unsigned i = 0; i < text_bytes; i++)
            wire_put_byte(&input, 'a');
        wire_put_byte(&input, 0);
        bool is_seen = input.len_bytes - before_bytes <= 1024;
        put_word(11, "b5");
        char want[60];
        size_t lost_bytes = input.len_bytes - 3 - before_bytes;
        if (is_seen)
            snprintf(want, sizeof want, "E3* -event%zu E5*", lost_bytes + 1);
        else
            snprintf(want, sizeof want, "E3* -event1 T4* -event1 E5*");
        check_written(11, "a string", want);
    }
}

static void test_end_inside_an_event_is_a_cut(void **state)
{
    (void)state;
    for (size_t v = 0; v < TP_V1_VERSIONS; v++) {
        uint32_t minor = tp_versions[v].minor;
        write_input(minor, "b3 e k");
        size_t whole_bytes = input.len_bytes;
        write_input(minor, "b3 e");
        size_t start = input.len_bytes;
        write_input(minor, "b3 e k");
        for (size_t len_bytes = start + 1; len_bytes < whole_bytes; len_bytes++) {
            char want[60];
            input.len_bytes = len_bytes;
            snprintf(want, sizeof want, "E3* -event_cut%zu", len_bytes - start);
            check_written(minor, "a cut stack", want);
        }
    }
}

static void test_numbers_of_eleven_bytes_are_found(void **state)
{
    (void)state;
    // With many bytes behind them, and with few.
    CHECK_ROWS(11, {"b3 !0f8080808080808080808000 b4 9e", "E3* -event12 E4*"},
               {"b3 !0f8080808080808080808000 b4", "E3* -event12 E4*"},
               {"b3 !510180808080808080808080 b4 9e", "E3* -event12 E4*"},
               {"b3 !cf8080808080808080808000 b4", "E3* -event12 E4*"},
               {"b3 !0f80808080808080808000 b4 9e", "E3* E4*"});
}

// Whoever decodes them sees what is wrong inside.
// So that what is lost does not depend on where runs end.
static void test_sized_events_have_the_numbers_of_their_type(void **state)
{
    (void)state;
    CHECK_ROWS(11, {"b3 !cd02ffff b4", "E3* -event4 E4*"}, {"b3 !c300 b4", "E3* -event2 E4*"},
               {"b3 !f00000 b4", "E3* -event3 E4*"}, {"b3 !cd0401010101 e", "E3*"},
               {"b3 !cd050101010101 b4", "E3* -event7 E4*"});
    CHECK_ROWS(11, {"!c1020364 e", "E3*"}, {"e !c10103 b4 e", "E0 -event3 E4*"},
               {"e !c103036401 b4 e", "E0 -event5 E4*"});
}

static void put_long(uint8_t type, uint64_t len_bytes)
{
    struct tp_wire_event ev = {.type = type, .arg_count = 1, .args = {1}};
    unsigned char *data = calloc(1, len_bytes);
    assert_non_null(data);
    ev.tail = tp_span_of(data, len_bytes);
    if (type == TP_V1_UserLog)
        ev.arg_count = 4;
    wire_v1_put_event(&input, 11, &ev);
    free(data);
}

static void test_events_above_the_limits_are_lost(void **state)
{
    (void)state;
    static const uint8_t types[] = {TP_V1_String, TP_V1_UserLog};
    for (size_t i = 0; i < TP_ARRAY_LEN(types); i++) {
        write_input(11, "b3");
        put_long(types[i], TP_V1_MAX_EVENT_BYTES);
        put_word(11, "b4");
        check_written(11, "text at the limit", types[i] == TP_V1_String ? "T3* E4*" : "E3* E4*");
        write_input(11, "b3 e");
        size_t before_bytes = input.len_bytes;
        put_long(types[i], TP_V1_MAX_EVENT_BYTES + 1);
        char want[60];
        snprintf(want, sizeof want, "E3* -event%zu E4*", input.len_bytes - before_bytes);
        put_word(11, "b4");
        check_written(11, "text above the limit", want);
    }
    CHECK_ROWS(11, {"b3 !cd818004 b4", "E3* -event4 E4*"}, {"b3 !cd8080", "E3* -event_cut3"},
               {"b3 !25000161 b4", "E3* -event4 E4*"}, {"b3 !250100 b4", "E3* -event3 E4*"});
}

// Else its numbers and its text could be more than one chunk leaves for the next.
static void test_numbers_before_a_text_are_ten_bytes_each_at_most(void **state)
{
    (void)state;
    for (unsigned len_bytes = 40; len_bytes <= 41; len_bytes++) {
        write_input(11, "b3 e !f0");
        wire_put_byte(&input, len_bytes);
        for (unsigned i = 0; i < 4; i++)
            wire_put_padded(&input, 1, TP_VARINT_MAX_BYTES);
        if (len_bytes > 40)
            wire_put_byte(&input, 1);
        wire_put_byte(&input, 0);
        put_word(11, "b4");
        check_written(11, "a message", len_bytes > 40 ? "E3* -event44 E4*" : "E3* E4*");
    }
}

// The lab asserts that no run and no rest is longer than promised.
static void test_long_events_make_runs_of_their_own(void **state)
{
    (void)state;
    static const uint64_t lens[] = {65536, 10, 40000, 25000, 65000, 32000, 700, 65536, 65536};
    for (size_t first = 0; first < TP_ARRAY_LEN(lens); first++) {
        write_input(11, "b3");
        for (size_t i = first; i < TP_ARRAY_LEN(lens); i++)
            put_long(TP_V1_UserLog, lens[i]);
        check_written(11, "messages", "E3*");
    }
}

// RANDOM STREAMS

static void put_random_stream(uint64_t *random, const struct tp_v1_table *table)
{
    tp_buf_reset(&input);
    for (unsigned i = 0; i < 40; i++) {
        unsigned char tail[WIRE_V1_TAIL_BYTES];
        struct tp_wire_event ev;
        bool begins = wire_random(random) % 8 == 0;
        wire_v1_random_event(&ev, tail, random, table,
                             begins ? TP_V1_Batch : wire_v1_random_type(random, table));
        if (ev.type == TP_V1_Batch)
            ev.args[0] %= 100;
        if (wire_random(random) % 4 == 0)
            wire_v1_put_odd(&input, table->minor, &ev, random);
        else
            wire_v1_put_event(&input, table->minor, &ev);
    }
}

static void test_any_stream_is_cut_into_runs_of_whole_events(void **state)
{
    (void)state;
    uint64_t random = 11;
    for (size_t v = 0; v < TP_V1_VERSIONS; v++) {
        for (unsigned i = 0; i < 40; i++) {
            put_random_stream(&random, tp_v1_table(tp_versions[v].minor));
            struct scan_list l = assert_scan_of_any_cut(tp_versions[v].minor, i + 1);
            for (size_t k = 0; k < l.count; k++)
                assert_int_equal(l.items[k].kind, TP_EXTENT_BATCH);
            scan_list_fini(&l);
        }
    }
}

static void test_damage_costs_the_same_however_the_stream_is_cut(void **state)
{
    (void)state;
    uint64_t random = 12;
    for (size_t v = 0; v < TP_V1_VERSIONS; v++) {
        for (unsigned i = 0; i < 60; i++) {
            put_random_stream(&random, tp_v1_table(tp_versions[v].minor));
            wire_damage(&input, &random, 1 + i % 5);
            struct scan_list l = assert_scan_of_any_cut(tp_versions[v].minor, i + 1);
            scan_list_fini(&l);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fields_of_a_run_are_told),
        cmocka_unit_test(test_time_of_a_batch_comes_behind_its_sequence_number),
        cmocka_unit_test(test_runs_hold_events_of_one_class),
        cmocka_unit_test(test_events_before_the_first_batch_belong_to_p_0),
        cmocka_unit_test(test_events_that_cannot_be_read_are_lost_up_to_a_batch),
        cmocka_unit_test(test_resuming_needs_a_batch_and_eight_events_or_an_end),
        cmocka_unit_test(test_resuming_looks_at_a_kibibyte),
        cmocka_unit_test(test_end_inside_an_event_is_a_cut),
        cmocka_unit_test(test_numbers_of_eleven_bytes_are_found),
        cmocka_unit_test(test_sized_events_have_the_numbers_of_their_type),
        cmocka_unit_test(test_events_above_the_limits_are_lost),
        cmocka_unit_test(test_numbers_before_a_text_are_ten_bytes_each_at_most),
        cmocka_unit_test(test_long_events_make_runs_of_their_own),
        cmocka_unit_test(test_any_stream_is_cut_into_runs_of_whole_events),
        cmocka_unit_test(test_damage_costs_the_same_however_the_stream_is_cut),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
