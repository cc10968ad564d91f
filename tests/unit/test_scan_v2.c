// The scan, rule by rule. Inputs and results are written as short lines:
//
//   input    1        a batch of generation 1 with events; a letter makes it
//                     k stacks, s strings, c samples, f one that begins with a
//                     frequency, y with a sync, z empty, x an experiment
//            2~       the same with its size in the shortest form
//            |        the mark at the end of a generation
//            !0aff    bytes as they are
//   result   e1*      a batch of that kind and generation, the first of it
//            |        an end mark
//            -cut7    damage, and how many bytes are lost there
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "decode/spec.h"
#include "scan_lab.h"
#include "wire_build.h"

#define OFFSET 16
#define ALL_CUTS_MAX_BYTES 400

static struct tp_buf input;

static int set_up(void **state)
{
    (void)state;
    return tp_buf_init(&input, TP_MIB(1)) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    tp_buf_fini(&input);
    return 0;
}

static struct tp_span input_span(void) { return tp_span_of(input.ptr, input.len_bytes); }

// WRITTEN

static void put_batch_of(const char *word)
{
    char *rest;
    struct wire_batch batch = {.generation = strtoull(word, &rest, 10), .m = 7, .time_ticks = 100};
    static const struct {
        char letter;
        unsigned char first;
    } kinds[] = {{'k', TP_EV_Stacks},    {'s', TP_EV_Strings}, {'c', TP_EV_CPUSamples},
                 {'f', TP_EV_Frequency}, {'y', TP_EV_Sync}};
    unsigned char body[2] = {TP_EV_GoDestroy, 1};
    size_t body_bytes = sizeof body;
    for (size_t i = 0; i < TP_ARRAY_LEN(kinds); i++) {
        if (*rest == kinds[i].letter)
            body[0] = kinds[i].first;
    }
    if (*rest == 'z')
        body_bytes = 0;
    batch.experimental = *rest == 'x';
    batch.experiment = 1;
    batch.short_size = rest[strlen(rest) - 1] == '~';
    wire_put_batch(&input, &batch, tp_span_of(body, body_bytes));
}

static void put_hex(const char *digits)
{
    unsigned byte;
    for (; sscanf(digits, "%2x", &byte) == 1; digits += 2)
        wire_put_byte(&input, byte);
}

static void write_input(const char *line)
{
    char copy[400], *rest = copy;
    tp_buf_reset(&input);
    snprintf(copy, sizeof copy, "%s", line);
    for (char *word; (word = strsep(&rest, " ")) != NULL;) {
        if (word[0] == '|')
            wire_put_byte(&input, TP_EV_EndOfGeneration);
        else if (word[0] == '!')
            put_hex(word + 1);
        else if (word[0] != '\0')
            put_batch_of(word);
    }
}

static const char *describe(const struct scan_list *l)
{
    static char text[2000];
    static const char letters[] = "ekscyx";
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < l->count; i++) {
        const struct tp_extent *x = &l->items[i];
        char *to = text + used;
        size_t room = sizeof text - used;
        int n;
        if (x->kind == TP_EXTENT_BATCH)
            n = snprintf(to, room, " %c%llu%s", letters[x->batch_kind],
                         (unsigned long long)x->generation, x->first_of_generation ? "*" : "");
        else if (x->kind == TP_EXTENT_LOST)
            n = snprintf(to, room, " -%s%u", tp_loss_key((enum tp_loss_kind)x->loss),
                         x->len_bytes);
        else
            n = snprintf(to, room, " %s", x->ends_generation ? "|" : "?");
        used += (size_t)n;
    }
    return used > 0 ? text + 1 : text;
}

// SCANNED

static void assert_scan(uint32_t minor, scan_cut_fn cut, void *ctx, size_t capacity,
                        const struct scan_list *want)
{
    struct scan_list got = scan_in_pieces(minor, OFFSET, input_span(), cut, ctx, capacity);
    const char *difference = scan_difference(&got, want);
    if (difference != NULL)
        fail_msg("go 1.%u, %zu bytes: %s", minor, input.len_bytes, difference);
    scan_list_fini(&got);
}

// By headers alone it gets as far as the first damage, and no further.
static void assert_hops(uint32_t minor, const struct scan_list *want)
{
    struct tp_span left = input_span();
    struct tp_scan_v2 s;
    tp_scan_v2_init(&s, minor, OFFSET);
    for (size_t i = 0;; i++) {
        struct tp_extent x;
        size_t head_bytes = left.len_bytes < TP_SCAN_HEAD_BYTES ? left.len_bytes : TP_SCAN_HEAD_BYTES;
        unsigned char *head = wire_copy(tp_span_of(left.ptr, head_bytes));
        struct tp_scan_v2 before = s;
        bool ok = tp_scan_v2_hop(&s, tp_span_of(head, head_bytes), left.len_bytes, &x);
        free(head);
        if (i == want->count || want->items[i].kind == TP_EXTENT_LOST) {
            assert_false(ok);
            assert_memory_equal(&s, &before, sizeof s);
            return;
        }
        assert_true(ok);
        struct scan_list got = {.items = &x, .count = 1}, one = {.items = &want->items[i], .count = 1};
        if (scan_difference(&got, &one) != NULL)
            fail_msg("go 1.%u, hop %zu: %s", minor, i, scan_difference(&got, &one));
        left = tp_span_skip(left, x.len_bytes);
    }
}

// The model and the scan agree, however the input is cut.
static struct scan_list assert_scan_of_any_cut(uint32_t minor, uint64_t seed)
{
    struct scan_list want = scan_by_model(minor, OFFSET, input_span());
    const char *gap = scan_gap(&want, OFFSET, input.len_bytes);
    if (gap != NULL)
        fail_msg("%s", gap);
    assert_hops(minor, &want);
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

static void check_row(uint32_t minor, const struct row *row)
{
    write_input(row->input);
    struct scan_list l = assert_scan_of_any_cut(minor, 1);
    if (strcmp(describe(&l), row->want) != 0)
        fail_msg("go 1.%u: \"%s\" gives \"%s\", want \"%s\"", minor, row->input, describe(&l),
                 row->want);
    scan_list_fini(&l);
}

#define CHECK_ROWS(minor, ...)                                                             \
    do {                                                                                   \
        static const struct row rows[] = {__VA_ARGS__};                                    \
        for (size_t i = 0; i < TP_ARRAY_LEN(rows); i++)                                    \
            check_row(minor, &rows[i]);                                                    \
    } while (0)

// RULES

static void test_fields_of_a_batch_are_told(void **state)
{
    (void)state;
    tp_buf_reset(&input);
    wire_put_batch(&input, &(struct wire_batch){.generation = 3, .m = UINT64_MAX, .time_ticks = 500},
                   tp_span_of("\x02\x02\x02", 3));
    struct scan_list l = assert_scan_of_any_cut(25, 1);
    const struct tp_extent *x = &l.items[0];
    assert_int_equal(l.count, 1);
    assert_int_equal(x->offset, OFFSET);
    assert_int_equal(x->header_bytes, 1 + 1 + 10 + 2 + 10);
    assert_int_equal(x->len_bytes, x->header_bytes + 3);
    assert_int_equal(x->kind, TP_EXTENT_BATCH);
    assert_int_equal(x->batch_kind, TP_BATCH_STACKS);
    assert_int_equal(x->generation, 3);
    assert_true(x->m == UINT64_MAX);
    assert_int_equal(x->time_ticks, 500);
    assert_true(x->first_of_generation);
    assert_int_equal(x->loss, TP_LOSS_NONE);
    scan_list_fini(&l);
}

static void test_empty_body_of_a_file_is_fine(void **state)
{
    (void)state;
    for (size_t v = 0; v < TP_ARRAY_LEN(wire_versions); v++)
        check_row(wire_versions[v], &(struct row){"", ""});
}

static void test_first_byte_of_the_body_tells_the_kind(void **state)
{
    (void)state;
    CHECK_ROWS(22, {"1 1k 1s 1c 1f 1y 1z", "e1* k1 s1 c1 y1 e1 e1"},
               {"1x", "x1*"});
    CHECK_ROWS(23, {"1 1k 1s 1c 1f 1y 1z 1x", "e1* k1 s1 c1 y1 e1 e1 x1"});
    CHECK_ROWS(25, {"1 1k 1s 1c 1f 1y 1z 1x", "e1* k1 s1 c1 e1 y1 e1 x1"});
    CHECK_ROWS(26, {"1 1k 1s 1c 1f 1y 1z 1x |", "e1* k1 s1 c1 e1 y1 e1 x1 |"});
}

static void test_generations_before_26_follow_without_a_gap(void **state)
{
    (void)state;
    static const uint32_t minors[] = {22, 23, 25};
    for (size_t v = 0; v < TP_ARRAY_LEN(minors); v++)
        CHECK_ROWS(minors[v], {"1 1 2 2 3", "e1* e1 e2* e2 e3*"},
                   {"9 10", "e9* e10*"},              // any number comes first
                   {"1 2 4 4", "e1* e2* -generation0 e4* e4"}, // a gap
                   {"0 1 1", "-generation16 e1* e1"}, // there is no generation 0
                   {"0 0 1 1", "-generation32 e1* e1"},
                   {"2 1", "e2* -generation16"},      // back, and never on again
                   {"2 1 2 2", "e2* -generation16 e2 e2"},
                   {"2 1 3 4", "e2* -generation16 e3* e4*"},
                   {"2 1 7 7", "e2* -generation16 e7* e7"}, // behind damage, any higher one
                   {"1 | 2", "e1* -not_a_batch1 e2*"});
}

static void test_generations_of_26_end_with_a_mark(void **state)
{
    (void)state;
    CHECK_ROWS(26, {"1 1 | 2 |", "e1* e1 | e2* |"},
               {"1 | 7 |", "e1* | e7* |"},           // any number may follow a mark
               {"5 | 2 |", "e5* | e2* |"},           // smaller ones too
               {"1 | 1 |", "e1* | e1* |"},
               {"1", "e1* -end_mark0"},
               {"1 | 2", "e1* | e2* -end_mark0"},
               {"1 2 |", "e1* -end_mark0 e2* |"},    // the mark is missing between them
               {"1 2 2 |", "e1* -end_mark0 e2* e2 |"},
               {"2 1 1 |", "e2* -end_mark33"},       // nothing below goes on
               {"2 1 2 |", "e2* -end_mark16 e2 |"},
               {"|", "-stray_mark1"},
               {"| 1 |", "-stray_mark1 e1* |"},
               {"1 | | 2 |", "e1* | -stray_mark1 e2* |"},
               {"1 | | | 2 |", "e1* | -stray_mark2 e2* |"},
               {"0 | 1 |", "-generation17 e1* |"});
}

static void test_bytes_that_are_no_batch_are_lost(void **state)
{
    (void)state;
    CHECK_ROWS(25, {"!00", "-not_a_batch1"}, {"!ffffff", "-not_a_batch3"},
               {"!00 1", "-not_a_batch1 e1*"}, {"1 !0000 1", "e1* -not_a_batch2 e1"},
               {"1 !02 1 1 !03 1", "e1* -not_a_batch1 e1 e1 -not_a_batch1 e1"});
    CHECK_ROWS(26, {"1 !00 1 |", "e1* -not_a_batch1 e1 |"},
               {"1 !00 |", "e1* -not_a_batch2"}, // a mark alone is no place to go on
               {"1 | !00 2 |", "e1* | -not_a_batch1 e2* |"});
}

static void test_headers_that_cannot_be_read_are_named(void **state)
{
    (void)state;
    CHECK_ROWS(25,
               // Each field in turn with an eleventh byte.
               {"!01ffffffffffffffffffff01 1 1", "-batch_header12 e1* e1"},
               {"!0101ffffffffffffffffffff01 1 1", "-batch_header13 e1* e1"},
               {"!010101ffffffffffffffffffff01 1 1", "-batch_header14 e1* e1"},
               {"!01010101ffffffffffffffffffff01 1 1", "-batch_header15 e1* e1"},
               {"!3101ffffffffffffffffffff01 1 1", "-batch_header13 e1* e1"},
               // The tenth byte holds more than a bit.
               {"!01ffffffffffffffffff02 1 1", "-batch_header11 e1* e1"});
}

static void test_batches_above_the_limit_are_named(void **state)
{
    (void)state;
    CHECK_ROWS(25, {"!01010101818004 1 1", "-batch_size7 e1* e1"}, // 65537
               {"!01010101ffffffffffffffffff01 1 1", "-batch_size14 e1* e1"});
    // The limit itself is fine, and so are batches of all kinds of lengths.
    static unsigned char body[TP_MAX_BATCH_BYTES];
    for (size_t len_bytes = TP_MAX_BATCH_BYTES - 1; len_bytes <= TP_MAX_BATCH_BYTES; len_bytes++) {
        tp_buf_reset(&input);
        struct wire_batch batch = {.generation = 1, .m = 1, .time_ticks = 1};
        for (unsigned i = 0; i < 3; i++)
            wire_put_batch(&input, &batch, tp_span_of(body, len_bytes));
        struct scan_list l = assert_scan_of_any_cut(25, 3);
        assert_string_equal(describe(&l), "e1* e1 e1");
        scan_list_fini(&l);
    }
}

static void test_short_sizes_are_fine_but_not_to_resume_at(void **state)
{
    (void)state;
    CHECK_ROWS(25, {"1~ 1~ 2~", "e1* e1 e2*"},
               {"1 !00 1~ 1~", "e1* -not_a_batch15"}, // no runtime writes these
               {"1 !00 1~ 1 1", "e1* -not_a_batch8 e1 e1"},
               {"1 !00 1 1~ 1 1", "e1* -not_a_batch24 e1 e1"},
               {"1 !00 1 1 1~", "e1* -not_a_batch1 e1 e1 e1"});
}

static void test_end_inside_a_batch_is_a_cut(void **state)
{
    (void)state;
    for (size_t v = 0; v < TP_ARRAY_LEN(wire_versions); v++) {
        uint32_t minor = wire_versions[v];
        write_input(minor < TP_FIRST_WITH_END_MARK ? "1 1 1s" : "1 1 | 2s");
        size_t whole_bytes = input.len_bytes, start = whole_bytes - 16;
        for (size_t len_bytes = start + 1; len_bytes < whole_bytes; len_bytes++) {
            char want[60];
            input.len_bytes = len_bytes;
            struct scan_list l = assert_scan_of_any_cut(minor, 5);
            snprintf(want, sizeof want, "e1* e1 %s-batch_cut%zu",
                     minor < TP_FIRST_WITH_END_MARK ? "" : "| ", len_bytes - start);
            assert_string_equal(describe(&l), want);
            scan_list_fini(&l);
        }
    }
}

static void test_cut_inside_a_header_of_an_experiment(void **state)
{
    (void)state;
    CHECK_ROWS(25, {"1 !31", "e1* -batch_cut1"}, {"1 !3101", "e1* -batch_cut2"},
               {"1 !01", "e1* -batch_cut1"}, {"1 !31ff01010180", "e1* -batch_cut6"});
}

// A batch that claims more than there is would swallow what follows.
static void test_what_a_wrong_size_hides_is_found_again(void **state)
{
    (void)state;
    CHECK_ROWS(25, {"1 !0101010180808480808080808000 1 1", "e1* -batch_cut14 e1 e1"},
               {"1 !0101010164 1 1", "e1* -batch_cut5 e1 e1"});
}

static void test_resuming_needs_two_headers_or_an_end(void **state)
{
    (void)state;
    CHECK_ROWS(25, {"1 !00 1 1", "e1* -not_a_batch1 e1 e1"},
               {"1 !00 1", "e1* -not_a_batch1 e1"},      // a header and the end of input
               {"1 !00 1 !00", "e1* -not_a_batch18"},    // a header and something else
               {"1 !00 1 !00 1", "e1* -not_a_batch18 e1"},
               {"1 !00 1x 1", "e1* -not_a_batch1 x1 e1"},
               {"1 !00 1 1 !00", "e1* -not_a_batch1 e1 e1 -not_a_batch1"},
               {"5 !00 4 4 4", "e5* -not_a_batch49"},    // generations below
               {"5 !00 5 4 5 5", "e5* -not_a_batch33 e5 e5"},
               {"5 !00 8 6 6", "e5* -not_a_batch17 e6* e6"},
               {"5 !00 8 8 6 6", "e5* -not_a_batch1 e8* e8 -generation32"},
               {"5 !00 0 5 5", "e5* -not_a_batch17 e5 e5"});
    CHECK_ROWS(26, {"1 !00 1 |", "e1* -not_a_batch1 e1 |"},  // a header and an end mark
               {"1 !00 2 | 3 |", "e1* -not_a_batch1 e2* | e3* |"},
               {"1 !00 1", "e1* -not_a_batch1 e1 -end_mark0"});
}

// What comes behind one wrong number is not lost with it.
static void test_wrong_generation_costs_its_batch_only(void **state)
{
    (void)state;
    CHECK_ROWS(25, {"5 5 13 5 5 6", "e5* e5 -generation16 e5 e5 e6*"},
               {"5 4 5 6", "e5* -generation16 e5 e6*"},
               {"5 13 6 6 7", "e5* -generation16 e6* e6 e7*"},
               {"5 5 13", "e5* e5 -generation0 e13*"});
    CHECK_ROWS(26, {"1 1 9 1 1 | 2 |", "e1* e1 -end_mark16 e1 e1 | e2* |"},
               {"1 1 9 | 2 |", "e1* e1 -end_mark0 e9* | e2* |"});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fields_of_a_batch_are_told),
        cmocka_unit_test(test_empty_body_of_a_file_is_fine),
        cmocka_unit_test(test_first_byte_of_the_body_tells_the_kind),
        cmocka_unit_test(test_generations_before_26_follow_without_a_gap),
        cmocka_unit_test(test_generations_of_26_end_with_a_mark),
        cmocka_unit_test(test_bytes_that_are_no_batch_are_lost),
        cmocka_unit_test(test_headers_that_cannot_be_read_are_named),
        cmocka_unit_test(test_batches_above_the_limit_are_named),
        cmocka_unit_test(test_short_sizes_are_fine_but_not_to_resume_at),
        cmocka_unit_test(test_end_inside_a_batch_is_a_cut),
        cmocka_unit_test(test_cut_inside_a_header_of_an_experiment),
        cmocka_unit_test(test_what_a_wrong_size_hides_is_found_again),
        cmocka_unit_test(test_resuming_needs_two_headers_or_an_end),
        cmocka_unit_test(test_wrong_generation_costs_its_batch_only),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
