// Counting bodies several at a time comes to what counting them one by one does.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "decode/tally_lanes.h"
#include "decode/varint.h"
#include "naive_tally.h"
#include "wire_build.h"

#define BODIES_MAX 12

struct bodies {
    struct tp_buf wire;
    unsigned char *copies[BODIES_MAX];
    struct tp_span spans[BODIES_MAX];
    size_t count;
};

static struct bodies all;

static int set_up(void **state)
{
    (void)state;
    return tp_buf_init(&all.wire, TP_MIB(1)) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    tp_buf_fini(&all.wire);
    return 0;
}

static void drop_bodies(void)
{
    for (size_t i = 0; i < all.count; i++)
        free(all.copies[i]);
    all.count = 0;
}

// Makes a body of what was put into `wire`.
static void end_body(void)
{
    struct tp_span made = tp_span_of(all.wire.ptr, all.wire.len_bytes);
    all.copies[all.count] = wire_copy(made);
    all.spans[all.count] = tp_span_of(all.copies[all.count], made.len_bytes);
    all.count++;
    tp_buf_reset(&all.wire);
}

// Returns whether all bodies are sound.
static bool assert_equal_counts(const struct tp_arg_table *table)
{
    struct tp_tally want = {0}, got = {0};
    bool is_sound = true;
    for (size_t i = 0; i < all.count; i++)
        is_sound = naive_tally(&want, all.spans[i], table, NULL, NULL).used_bytes ==
                       all.spans[i].len_bytes &&
                   is_sound;
    assert_int_equal(tp_tally_bodies(&got, all.spans, all.count, table), is_sound);
    if (is_sound)
        assert_memory_equal(&got, &want, sizeof got);
    return is_sound;
}

// An event as the runtime writes it: a code with a clock, short numbers mostly.
static void put_usual_event(uint64_t *random, const struct tp_arg_table *table)
{
    uint8_t code;
    do
        code = (uint8_t)wire_random(random);
    while (table->timed[code] == TP_ARGS_INVALID);
    wire_put_byte(&all.wire, code);
    for (unsigned i = 0; i < table->timed[code]; i++)
        wire_put_number(&all.wire, 1 + (wire_random(random) >> (44 + wire_random(random) % 20)));
}

static void put_usual_body(uint64_t *random, const struct tp_arg_table *table)
{
    size_t least_bytes = (size_t)(wire_random(random) % 6000);
    do
        put_usual_event(random, table);
    while (all.wire.len_bytes < least_bytes);
}

static void test_bodies_of_any_number_and_length(void **state)
{
    (void)state;
    uint64_t random = 42;
    for (unsigned round = 0; round < 260; round++) {
        const struct tp_arg_table *table =
            tp_arg_table(wire_versions[round % TP_ARRAY_LEN(wire_versions)], TP_DIALECT_LENIENT);
        for (unsigned i = 0; i < round % (BODIES_MAX + 1); i++) {
            put_usual_body(&random, table);
            end_body();
        }
        assert_true(assert_equal_counts(table));
        drop_bodies();
    }
}

// Padded and long numbers, data, stacks, and codes without a clock in between: in
// every eighth body, at a random place.
static void test_odd_events_among_usual_ones(void **state)
{
    (void)state;
    uint64_t random = 2718;
    for (unsigned round = 0; round < 300; round++) {
        const struct tp_arg_table *table =
            tp_arg_table(wire_versions[round % TP_ARRAY_LEN(wire_versions)],
                         round % 3 == 0 ? TP_DIALECT_GO_RAW : TP_DIALECT_LENIENT);
        for (unsigned i = 0; i < 6; i++) {
            unsigned odd_count = (unsigned)(wire_random(&random) % 8);
            for (unsigned k = 0; k <= odd_count; k++) {
                put_usual_body(&random, table);
                if (k < odd_count)
                    wire_put_random_event(&all.wire, &random, table);
            }
            end_body();
        }
        (void)assert_equal_counts(table);
        drop_bodies();
    }
}

// More of them than lanes put up with.
static void test_bodies_of_nothing_but_long_events(void **state)
{
    (void)state;
    uint64_t random = 99;
    const struct tp_arg_table *table = tp_arg_table(26, TP_DIALECT_LENIENT);
    for (unsigned i = 0; i < BODIES_MAX; i++) {
        for (unsigned k = 0; k < 300; k++) {
            wire_put_byte(&all.wire, TP_EV_UserLog);
            for (unsigned arg = 0; arg < 5; arg++)
                wire_put_number(&all.wire, (wire_random(&random) >> 40) | 1 << 20);
        }
        end_body();
    }
    assert_true(assert_equal_counts(table));
    drop_bodies();
}

static void test_a_number_of_any_length_in_any_place(void **state)
{
    (void)state;
    uint64_t random = 7;
    const struct tp_arg_table *table = tp_arg_table(26, TP_DIALECT_LENIENT);
    for (unsigned len_bytes = 1; len_bytes <= TP_VARINT_MAX_BYTES; len_bytes++) {
        for (unsigned place = 0; place < 4; place++) {
            for (unsigned i = 0; i < 5; i++) {
                put_usual_body(&random, table);
                wire_put_byte(&all.wire, TP_EV_GoUnblock);
                for (unsigned arg = 0; arg < 4; arg++)
                    wire_put_number(&all.wire,
                                    arg == place ? UINT64_C(1) << (7 * (len_bytes - 1)) : 1);
                put_usual_body(&random, table);
                end_body();
            }
            assert_true(assert_equal_counts(table));
            drop_bodies();
        }
    }
}

static void test_damage_anywhere_is_found(void **state)
{
    (void)state;
    uint64_t random = 31415;
    unsigned unsound_count = 0;
    const struct tp_arg_table *table = tp_arg_table(26, TP_DIALECT_LENIENT);
    for (unsigned round = 0; round < 600; round++) {
        unsigned damaged = (unsigned)(wire_random(&random) % 6);
        for (unsigned i = 0; i < 6; i++) {
            put_usual_body(&random, table);
            if (i == damaged && round % 2 == 0)
                wire_damage(&all.wire, &random, 1 + round % 5);
            else if (i == damaged)
                all.wire.len_bytes--;
            end_body();
        }
        unsound_count += !assert_equal_counts(table);
        drop_bodies();
    }
    assert_true(unsound_count > 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bodies_of_any_number_and_length),
        cmocka_unit_test(test_odd_events_among_usual_ones),
        cmocka_unit_test(test_bodies_of_nothing_but_long_events),
        cmocka_unit_test(test_a_number_of_any_length_in_any_place),
        cmocka_unit_test(test_damage_anywhere_is_found),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
