// Counting without building events comes to what counting built ones does.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "naive_tally.h"
#include "synth.h"
#include "wire_build.h"

static struct tp_buf wire;

static int set_up(void **state)
{
    (void)state;
    return tp_buf_init(&wire, TP_MIB(8)) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    tp_buf_fini(&wire);
    return 0;
}

// In both dialects of a format.
static void assert_equal_tallies_of(uint32_t minor, const void *bytes, size_t len_bytes)
{
    unsigned char *copy = wire_copy(tp_span_of(bytes, len_bytes));
    for (int dialect = TP_DIALECT_LENIENT; dialect <= TP_DIALECT_GO_RAW; dialect++) {
        const struct tp_arg_table *table = tp_arg_table(minor, (enum tp_dialect)dialect);
        const char *difference = tally_difference(tp_span_of(copy, len_bytes), table);
        if (difference != NULL)
            fail_msg("go 1.%u dialect %d: %s differ", minor, dialect, difference);
    }
    free(copy);
}

static void assert_equal_tallies(const void *bytes, size_t len_bytes)
{
    for (size_t v = 0; v < TP_ARRAY_LEN(wire_versions); v++)
        assert_equal_tallies_of(wire_versions[v], bytes, len_bytes);
}

static void test_random_events_are_counted(void **state)
{
    (void)state;
    uint64_t random = 31337;
    for (unsigned round = 0; round < 300; round++) {
        uint32_t minor = wire_versions[round % TP_ARRAY_LEN(wire_versions)];
        const struct tp_arg_table *table = tp_arg_table(minor, TP_DIALECT_LENIENT);
        tp_buf_reset(&wire);
        for (unsigned i = 0; i < 50; i++)
            wire_put_random_event(&wire, &random, table);
        struct tp_tally t = {0};
        struct tp_span all = tp_span_of(wire.ptr, wire.len_bytes);
        struct tp_tally_result r = tp_tally_events(&t, all, table, NULL, NULL);
        assert_int_equal(r.used_bytes, wire.len_bytes);
        assert_equal_tallies_of(minor, wire.ptr, wire.len_bytes);
    }
}

static void test_damaged_events_are_counted_up_to_the_damage(void **state)
{
    (void)state;
    uint64_t random = 271828;
    for (unsigned round = 0; round < 1500; round++) {
        tp_buf_reset(&wire);
        for (unsigned i = 0; i < 12; i++)
            wire_put_random_event(&wire, &random, tp_arg_table(26, TP_DIALECT_LENIENT));
        wire_damage(&wire, &random, 1 + round % 4);
        size_t cut = (size_t)(wire_random(&random) % 12);
        assert_equal_tallies(wire.ptr, wire.len_bytes - (cut < wire.len_bytes ? cut : 0));
    }
}

static void test_noise_is_counted_up_to_the_first_bad_event(void **state)
{
    (void)state;
    uint64_t random = 1618;
    for (unsigned round = 0; round < 3000; round++) {
        unsigned char bytes[64];
        for (size_t i = 0; i < sizeof bytes; i++) {
            uint64_t r = wire_random(&random);
            bytes[i] = (unsigned char)((r & 3) != 0 ? (r >> 8) % 64 : r >> 8);
        }
        assert_equal_tallies(bytes, (size_t)(wire_random(&random) % (sizeof bytes + 1)));
    }
}

// Every code, every length of its numbers, each also one byte longer than needed,
// and every cut of it.
static void test_numbers_of_every_length_in_every_place(void **state)
{
    (void)state;
    const struct tp_arg_table *table = tp_arg_table(26, TP_DIALECT_LENIENT);
    for (unsigned code = 0; code < TP_EVENT_CODES; code++) {
        uint8_t kind = tp_event_specs[code].kind;
        if (table->count[code] == TP_ARGS_INVALID || kind == TP_WIRE_DATA)
            continue;
        for (unsigned place = 0; place < table->count[code]; place++) {
            for (unsigned bytes = 1; bytes <= 10; bytes++) {
                for (unsigned is_padded = 0; is_padded <= (bytes > 1); is_padded++) {
                    uint64_t value = bytes == 1 ? 5 : UINT64_C(1) << (7 * (bytes - 1 - is_padded));
                    value = is_padded ? value >> 1 : value;
                    if (kind == TP_WIRE_STACK && place == 1)
                        value = 0;
                    tp_buf_reset(&wire);
                    wire_put_byte(&wire, code);
                    for (unsigned i = 0; i < table->count[code]; i++)
                        wire_put_padded(&wire, i == place ? value : 0, i == place ? bytes : 1);
                    for (size_t cut = 0; cut <= wire.len_bytes; cut++)
                        assert_equal_tallies_of(26, wire.ptr, cut);
                }
            }
        }
    }
}

static void test_stacks_with_every_kind_of_count(void **state)
{
    (void)state;
    static const uint64_t counts[] = {0, 1, 2, 3, 127, 128, 129, 70000, INT64_MAX,
                                      (uint64_t)INT64_MAX + 1, UINT64_MAX, UINT64_MAX / 4,
                                      UINT64_MAX / 4 + 1, UINT64_C(1) << 62};
    for (size_t i = 0; i < TP_ARRAY_LEN(counts); i++) {
        for (unsigned padding = 0; padding < 2; padding++) {
            for (unsigned odd_number = 0; odd_number < 3; odd_number++) {
                tp_buf_reset(&wire);
                wire_put(&wire, "\x10\x01\x01\x01", 4); // something in front
                wire_put_byte(&wire, TP_EV_Stack);
                wire_put_number(&wire, 77);
                unsigned least = counts[i] < 128 ? 1 : 10;
                wire_put_padded(&wire, counts[i], least == 10 ? 10 : 1 + padding);
                for (unsigned k = 0; k < 130 * TP_FRAME_ARGS; k++)
                    wire_put_padded(&wire, k, k == 9 && odd_number == 1 ? 4 : k < 128 ? 1 : 2);
                if (odd_number == 2)
                    wire_put(&wire, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 10);
                for (size_t cut = 0; cut < 40; cut++)
                    assert_equal_tallies_of(22, wire.ptr, wire.len_bytes - cut);
            }
        }
    }
}

struct ident {
    enum tp_ident ident;
    uint64_t id;
};

static void note(void *ctx, enum tp_ident ident, uint64_t id)
{
    struct ident **next = ctx;
    *(*next)++ = (struct ident){ident, id};
}

static void test_ids_are_told_in_order(void **state)
{
    (void)state;
    static const unsigned char bytes[] = {
        TP_EV_ProcStart, 1, 3, 9,                   // P 3
        TP_EV_GoStart, 1, 5, 9,                     // introduces nobody
        TP_EV_GoCreate, 1, 0x86, 0x01, 2, 2,        // G 134
        TP_EV_GoStatus, 1, 0x87, 0x80, 0x00, 4, 1,  // G 7, padded
        TP_EV_ProcStatus, 0x81, 0x00, 0, 1,         // P 0, behind a padded delta
        TP_EV_GoCreateBlocked, 1, 8, 1, 1,          // G 8
        TP_EV_GoStatusStack, 1, 9, 1, 1, 1,         // G 9
        TP_EV_GoCreateSyscall, 1, 10,               // G 10
    };
    static const struct ident want[] = {{TP_IDENT_PROC, 3},      {TP_IDENT_GOROUTINE, 134},
                                        {TP_IDENT_GOROUTINE, 7}, {TP_IDENT_PROC, 0},
                                        {TP_IDENT_GOROUTINE, 8}, {TP_IDENT_GOROUTINE, 9},
                                        {TP_IDENT_GOROUTINE, 10}};
    struct ident got[20], *next = got;
    struct tp_tally t = {0};
    struct tp_tally_result r = tp_tally_events(&t, tp_span_of(bytes, sizeof bytes),
                                               tp_arg_table(23, TP_DIALECT_LENIENT), note, &next);
    assert_int_equal(r.used_bytes, sizeof bytes);
    assert_int_equal(r.dt_ticks, 8);
    assert_int_equal(next - got, TP_ARRAY_LEN(want));
    for (size_t i = 0; i < TP_ARRAY_LEN(want); i++) {
        assert_int_equal(got[i].ident, want[i].ident);
        assert_int_equal(got[i].id, want[i].id);
    }
}

static int collect(void *ctx, const unsigned char *bytes, size_t len_bytes)
{
    wire_put(ctx, bytes, len_bytes);
    return 0;
}

static void test_generated_traces_are_counted(void **state)
{
    (void)state;
    for (size_t v = 0; v < TP_ARRAY_LEN(wire_versions); v++) {
        struct synth_config config;
        struct synth_totals totals;
        struct tp_error err;
        synth_config_init(&config);
        config.version = wire_versions[v];
        tp_buf_reset(&wire);
        assert_int_equal(synth_generate(&config, collect, &wire, &totals, &err), 0);
        assert_equal_tallies_of(wire_versions[v], wire.ptr + 16, wire.len_bytes - 16);
        struct tp_tally t = {0};
        struct tp_span body = tp_span_of(wire.ptr + 16, wire.len_bytes - 16);
        // Batches are events, too: the flat view takes in all of the file.
        struct tp_tally_result r = tp_tally_events(
            &t, body, tp_arg_table(wire_versions[v], TP_DIALECT_LENIENT), NULL, NULL);
        assert_int_equal(r.used_bytes, body.len_bytes);
        for (unsigned code = 0; code < TP_EVENT_CODES; code++)
            assert_int_equal(t.count[code], totals.code_counts[code]);
    }
}

static void test_tallies_of_parts_add_up(void **state)
{
    (void)state;
    const struct tp_arg_table *table = tp_arg_table(26, TP_DIALECT_LENIENT);
    static struct tp_tally whole, sum;
    uint64_t random = 5, dt_ticks = 0;
    tp_buf_reset(&wire);
    for (unsigned i = 0; i < 200; i++) {
        size_t from = wire.len_bytes;
        static struct tp_tally one;
        one = (struct tp_tally){0};
        wire_put_random_event(&wire, &random, table);
        struct tp_span part = tp_span_of(wire.ptr + from, wire.len_bytes - from);
        dt_ticks += tp_tally_events(&one, part, table, NULL, NULL).dt_ticks;
        tp_tally_add(&sum, &one);
    }
    struct tp_tally_result r = tp_tally_events(&whole, tp_span_of(wire.ptr, wire.len_bytes), table,
                                               NULL, NULL);
    assert_true(r.dt_ticks == dt_ticks);
    assert_memory_equal(&sum, &whole, sizeof sum);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_events_are_counted),
        cmocka_unit_test(test_damaged_events_are_counted_up_to_the_damage),
        cmocka_unit_test(test_noise_is_counted_up_to_the_first_bad_event),
        cmocka_unit_test(test_numbers_of_every_length_in_every_place),
        cmocka_unit_test(test_stacks_with_every_kind_of_count),
        cmocka_unit_test(test_ids_are_told_in_order),
        cmocka_unit_test(test_generated_traces_are_counted),
        cmocka_unit_test(test_tallies_of_parts_add_up),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
