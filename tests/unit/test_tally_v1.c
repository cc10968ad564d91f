// Counting events of traces from before Go 1.22 comes to what reading them one by one does,
// and their bytes to what writing them again would take.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "decode/tally_v1.h"
#include "decode/varint.h"
#include "wire_build.h"

static struct tp_buf wire, again, numbers;

static int set_up(void **state)
{
    (void)state;
    return tp_buf_init(&wire, TP_MIB(1)) && tp_buf_init(&again, TP_MIB(1)) &&
                   tp_buf_init(&numbers, TP_MIB(1))
               ? 0
               : -1;
}

static int tear_down(void **state)
{
    (void)state;
    tp_buf_fini(&wire);
    tp_buf_fini(&again);
    tp_buf_fini(&numbers);
    return 0;
}

// The ids in their order, as a digest.
static void note_ident(void *ctx, enum tp_ident ident, uint64_t number)
{
    uint64_t *digest = ctx;
    *digest = (*digest * 31 + ident) * 0x100000001b3 + number + 1;
}

// WRITING

struct odd {
    uint64_t *random; // NULL: all in the shortest form
};

static void put_number(struct tp_buf *b, uint64_t value, struct odd odd)
{
    unsigned len = tp_varint_len(value);
    if (odd.random != NULL && wire_random(odd.random) % 12 == 0)
        len += (unsigned)(wire_random(odd.random) % (TP_VARINT_MAX_BYTES + 1 - len));
    wire_put_padded(b, value, len);
}

// An event with those arguments; frames are the numbers of `tail`.
static void put_event(struct tp_buf *b, const struct tp_v1_table *table,
                      const struct tp_wire_event *ev, struct odd odd)
{
    const struct tp_v1_form *form = &table->forms[ev->type];
    const unsigned char *p = ev->tail.ptr;
    tp_buf_reset(&numbers);
    for (unsigned i = 0; i < form->arg_count; i++)
        put_number(&numbers, ev->args[i], odd);
    while (form->kind == TP_V1_KIND_STACK && p < ev->tail.ptr + ev->tail.len_bytes) {
        uint64_t value = 0;
        assert_int_equal(tp_v1_number(&p, ev->tail.ptr + ev->tail.len_bytes, &value), TP_V1_OK);
        put_number(&numbers, value, odd);
    }
    unsigned n = 0;
    if (form->kind == TP_V1_KIND_STACK || form->arg_count > table->prefix_count + 2)
        n = TP_V1_SIZED;
    else if (form->kind != TP_V1_KIND_STRING)
        n = (unsigned)form->arg_count - table->prefix_count;
    if (odd.random != NULL && wire_random(odd.random) % 12 == 0)
        n = TP_V1_SIZED;
    wire_put_byte(b, n * TP_V1_CODES + ev->type);
    if (n == TP_V1_SIZED && form->kind != TP_V1_KIND_STRING)
        put_number(b, numbers.len_bytes, odd);
    wire_put(b, numbers.ptr, numbers.len_bytes);
    if (form->kind == TP_V1_KIND_STRING || form->kind == TP_V1_KIND_LOG) {
        put_number(b, ev->tail.len_bytes, odd);
        wire_put(b, ev->tail.ptr, ev->tail.len_bytes);
    }
}

static void put_random_event(const struct tp_v1_table *table, unsigned type, uint64_t *random)
{
    static const unsigned char some[] = "\x05\x81\x01\x07\x80\x00\x01\x02\x03\x04\x05\x06\x07\x08";
    struct tp_wire_event ev = {.type = (uint8_t)type};
    for (unsigned i = 0; i < TP_V1_MAX_ARGS; i++) {
        uint64_t bits = wire_random(random) % 3 == 0 ? 64 : 14;
        ev.args[i] = wire_random_number(random) >> (64 - bits);
    }
    unsigned tail_bytes = 1 + (unsigned)(wire_random(random) % 8);
    if (table->forms[type].kind == TP_V1_KIND_STACK) {
        ev.args[1] = wire_random(random) % 3;
        tail_bytes = (unsigned)ev.args[1] * table->frame_args;
        ev.tail = tp_span_of((const unsigned char *)"\x01\x02\x03\x04\x05\x06\x07\x08", tail_bytes);
    } else {
        ev.tail = tp_span_of(some, tail_bytes);
    }
    if (table->forms[type].kind == TP_V1_KIND_STRING)
        ev.args[0] |= 1;
    put_event(&wire, table, &ev, (struct odd){random});
}

static void put_random_events(const struct tp_v1_table *table, unsigned count, uint64_t *random)
{
    while (count > 0) {
        unsigned type = (unsigned)(wire_random(random) % TP_V1_CODES);
        if (table->forms[type].name == NULL)
            continue;
        put_random_event(table, type, random);
        count--;
    }
}

// COUNTING ONE BY ONE

static struct tp_tally_result count_plainly(struct tp_tally *t, struct tp_span bytes,
                                            const struct tp_v1_table *table, uint64_t *digest)
{
    struct tp_tally_result r = {0};
    const unsigned char *p = bytes.ptr, *end = p + bytes.len_bytes;
    struct tp_wire_event ev;
    while (p < end && tp_v1_event_read(&p, end, table, &ev) == TP_V1_OK) {
        uint8_t kind = table->forms[ev.type].kind;
        bool is_timed = kind == TP_V1_KIND_EVENT || kind == TP_V1_KIND_LOG;
        tp_buf_reset(&again);
        put_event(&again, table, &ev, (struct odd){0});
        t->count[TP_TALLY_V1 + ev.type]++;
        t->bytes[TP_TALLY_V1 + ev.type] += again.len_bytes;
        r.dt_ticks += is_timed ? ev.args[table->prefix_count - 1] : 0;
        r.has_times |= is_timed && ev.type != TP_V1_CPUSample;
        if (ev.type == TP_V1_Frequency)
            note_ident(digest, TP_IDENT_FREQUENCY, ev.args[0]);
        if (ev.type == TP_V1_GoCreate)
            note_ident(digest, TP_IDENT_GOROUTINE, ev.args[table->prefix_count]);
        if (ev.type == TP_V1_ProcStart && table->minor > 0)
            note_ident(digest, TP_IDENT_THREAD, ev.args[table->prefix_count]);
    }
    r.used_bytes = (size_t)(p - bytes.ptr);
    return r;
}

static const char *difference(struct tp_span bytes, const struct tp_v1_table *table)
{
    struct tp_tally want = {0}, got = {0}, deaf = {0};
    uint64_t want_ids = 0, got_ids = 0;
    struct tp_tally_result w = count_plainly(&want, bytes, table, &want_ids);
    struct tp_tally_result g = tp_v1_tally_events(&got, bytes, table, note_ident, &got_ids);
    struct tp_tally_result d = tp_v1_tally_events(&deaf, bytes, table, NULL, NULL);
    if (g.used_bytes != w.used_bytes || d.used_bytes != w.used_bytes)
        return "bytes used";
    if (g.dt_ticks != w.dt_ticks || g.has_times != w.has_times || d.dt_ticks != w.dt_ticks)
        return "times";
    if (got_ids != want_ids)
        return "ids";
    if (memcmp(&got, &want, sizeof got) != 0 || memcmp(&deaf, &want, sizeof deaf) != 0)
        return "counts";
    return NULL;
}

static void assert_counted_plainly(const void *bytes, size_t len_bytes,
                                   const struct tp_v1_table *table)
{
    unsigned char *copy = wire_copy(tp_span_of(bytes, len_bytes));
    const char *what = difference(tp_span_of(copy, len_bytes), table);
    free(copy);
    if (what != NULL)
        fail_msg("go 1.%u: %s differ", table->minor, what);
}

// THE TESTS

static void test_random_events_are_counted(void **state)
{
    (void)state;
    uint64_t random = 31337;
    for (unsigned round = 0; round < 500; round++) {
        const struct tp_v1_table *table = tp_v1_table(tp_versions[round % TP_V1_VERSIONS].minor);
        struct tp_tally t = {0};
        tp_buf_reset(&wire);
        put_random_events(table, 60, &random);
        struct tp_span all = tp_span_of(wire.ptr, wire.len_bytes);
        struct tp_tally_result r = tp_v1_tally_events(&t, all, table, NULL, NULL);
        assert_int_equal(r.used_bytes, wire.len_bytes);
        assert_counted_plainly(wire.ptr, wire.len_bytes, table);
    }
}

static void test_damaged_and_cut_events_are_counted_up_to_the_damage(void **state)
{
    (void)state;
    uint64_t random = 271828;
    for (unsigned round = 0; round < 4000; round++) {
        const struct tp_v1_table *table = tp_v1_table(tp_versions[round % TP_V1_VERSIONS].minor);
        tp_buf_reset(&wire);
        put_random_events(table, 12, &random);
        wire_damage(&wire, &random, round % 4);
        size_t cut = (size_t)(wire_random(&random) % 12);
        assert_counted_plainly(wire.ptr, wire.len_bytes - cut % wire.len_bytes, table);
    }
}

static void test_noise_is_counted_up_to_the_first_bad_event(void **state)
{
    (void)state;
    uint64_t random = 1618;
    for (unsigned round = 0; round < 9000; round++) {
        unsigned char bytes[64];
        for (size_t i = 0; i < sizeof bytes; i++) {
            uint64_t r = wire_random(&random);
            bytes[i] = (unsigned char)((r & 3) != 0 ? (r >> 8) % 64 : r >> 8);
        }
        assert_counted_plainly(bytes, (size_t)(wire_random(&random) % (sizeof bytes + 1)),
                               tp_v1_table(tp_versions[round % TP_V1_VERSIONS].minor));
    }
}

// Every form, with a number of every length in every place, each also one byte longer than
// needed: with room behind it, and cut anywhere.
static void test_numbers_of_every_length_in_every_place(void **state)
{
    (void)state;
    static const unsigned char room[32];
    for (unsigned v = 0; v < TP_V1_VERSIONS; v++) {
        const struct tp_v1_table *table = tp_v1_table(tp_versions[v].minor);
        for (unsigned type = 0; type < TP_V1_CODES; type++) {
            const struct tp_v1_form *form = &table->forms[type];
            if (form->kind != TP_V1_KIND_EVENT)
                continue;
            bool is_sized = form->arg_count > table->prefix_count + 2;
            unsigned n = is_sized ? TP_V1_SIZED : (unsigned)form->arg_count - table->prefix_count;
            for (unsigned k = 0; k < form->arg_count * 20u; k++) {
                unsigned place = k / 20, bytes = k % 10 + 1, is_padded = k % 20 / 10;
                if (is_padded && bytes == 1)
                    continue;
                uint64_t value =
                    bytes == 1 ? 5 : UINT64_C(1) << (7 * (bytes - 1 - is_padded)) >> is_padded;
                tp_buf_reset(&wire);
                wire_put_byte(&wire, n * TP_V1_CODES + type);
                if (is_sized)
                    wire_put_byte(&wire, form->arg_count - 1u + bytes);
                for (unsigned i = 0; i < form->arg_count; i++)
                    wire_put_padded(&wire, i == place ? value : 0, i == place ? bytes : 1);
                size_t event_bytes = wire.len_bytes;
                wire_put(&wire, room, sizeof room);
                assert_counted_plainly(wire.ptr, wire.len_bytes, table);
                for (size_t cut = 0; cut <= event_bytes; cut++)
                    assert_counted_plainly(wire.ptr, cut, table);
            }
        }
    }
}

static void test_a_length_that_is_wrong_is_seen(void **state)
{
    (void)state;
    static const unsigned char room[32];
    const struct tp_v1_table *table = tp_v1_table(21);
    for (unsigned told = 0; told < 140; told++) {
        tp_buf_reset(&wire);
        wire_put_byte(&wire, TP_V1_SIZED * TP_V1_CODES + TP_V1_GoUnblock);
        wire_put_number(&wire, told);
        wire_put(&wire, "\x01\x81\x01\x03\x04", 5);
        wire_put(&wire, room, sizeof room);
        assert_counted_plainly(wire.ptr, wire.len_bytes, table);
    }
}

static void test_tallies_of_parts_add_up(void **state)
{
    (void)state;
    uint64_t random = 99;
    const struct tp_v1_table *table = tp_v1_table(11);
    struct tp_tally whole = {0}, sum = {0};
    struct tp_tally_result all, parts[2];
    tp_buf_reset(&wire);
    put_random_events(table, 40, &random);
    size_t middle = wire.len_bytes;
    put_random_events(table, 40, &random);
    all = tp_v1_tally_events(&whole, tp_span_of(wire.ptr, wire.len_bytes), table, NULL, NULL);
    for (unsigned k = 0; k < 2; k++) {
        struct tp_tally part = {0};
        struct tp_span bytes = k == 0 ? tp_span_of(wire.ptr, middle)
                                      : tp_span_of(wire.ptr + middle, wire.len_bytes - middle);
        parts[k] = tp_v1_tally_events(&part, bytes, table, NULL, NULL);
        tp_tally_add(&sum, &part);
    }
    assert_memory_equal(&sum, &whole, sizeof sum);
    assert_int_equal(parts[0].dt_ticks + parts[1].dt_ticks, all.dt_ticks);
}

static void test_only_a_sample_does_not_happen_at_its_time(void **state)
{
    (void)state;
    static const unsigned char sample[] = {3 * TP_V1_CODES + TP_V1_CPUSample, 5, 9, 1, 0, 3, 0};
    static const unsigned char stop[] = {TP_V1_ProcStop, 9};
    struct tp_tally t = {0};
    struct tp_tally_result r;
    tp_buf_reset(&wire);
    for (unsigned i = 0; i < 9; i++)
        wire_put(&wire, sample, sizeof sample);
    r = tp_v1_tally_events(&t, tp_span_of(wire.ptr, wire.len_bytes), tp_v1_table(21), NULL, NULL);
    assert_int_equal(r.used_bytes, wire.len_bytes);
    assert_int_equal(r.dt_ticks, 81);
    assert_false(r.has_times);
    r = tp_v1_tally_events(&t, tp_span_of(stop, sizeof stop), tp_v1_table(21), NULL, NULL);
    assert_true(r.has_times);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_events_are_counted),
        cmocka_unit_test(test_damaged_and_cut_events_are_counted_up_to_the_damage),
        cmocka_unit_test(test_noise_is_counted_up_to_the_first_bad_event),
        cmocka_unit_test(test_numbers_of_every_length_in_every_place),
        cmocka_unit_test(test_a_length_that_is_wrong_is_seen),
        cmocka_unit_test(test_tallies_of_parts_add_up),
        cmocka_unit_test(test_only_a_sample_does_not_happen_at_its_time),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
