// The generator of traces: determinism, sizes, framing and damage. Framing is
// checked by a walker of its own, so that generator and product cannot be wrong
// together. That Go's reader accepts the traces was established with Go's tools.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "synth.h"

#define HEADER_BYTES 16

struct trace {
    unsigned char *bytes;
    size_t len_bytes;
    size_t room_bytes;
    struct synth_totals totals;
};

static int collect(void *ctx, const unsigned char *bytes, size_t len_bytes)
{
    struct trace *t = ctx;
    if (t->room_bytes - t->len_bytes < len_bytes) {
        t->room_bytes = 2 * (t->room_bytes + len_bytes);
        t->bytes = realloc(t->bytes, t->room_bytes);
        assert_non_null(t->bytes);
    }
    memcpy(t->bytes + t->len_bytes, bytes, len_bytes);
    t->len_bytes += len_bytes;
    return 0;
}

static struct trace generate(const struct synth_config *config)
{
    struct trace t = {0};
    struct tp_error err = {0};
    int rc = synth_generate(config, collect, &t, &t.totals, &err);
    if (rc)
        fail_msg("%s", err.text);
    assert_int_equal(t.len_bytes, t.totals.written_bytes);
    return t;
}

static bool same(const struct trace *a, const struct trace *b)
{
    return a->len_bytes == b->len_bytes && memcmp(a->bytes, b->bytes, a->len_bytes) == 0;
}

static struct synth_config config_of(uint64_t version, uint64_t seed)
{
    struct synth_config c;
    synth_config_init(&c);
    c.version = version;
    c.seed = seed;
    return c;
}

// ---- the walker ----

struct place {
    const unsigned char *at;
    const unsigned char *end;
};

static uint64_t number(struct place *p)
{
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        assert_true(p->at < p->end);
        assert_true(shift < 70);
        unsigned char byte = *p->at++;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return value;
    }
}

struct walk {
    uint64_t batch_count;
    uint64_t generation_count;
    uint64_t end_marks;
    uint64_t syncs;
    uint64_t largest_batch_bytes;
    uint64_t batch_offsets[512]; // of the first ones
};

static void walk_batch(struct place *p, const struct trace *t, const struct synth_config *c,
                       uint64_t *gen, struct walk *w)
{
    const unsigned char *begin = p->at;
    unsigned char code = *p->at++;
    assert_true(code == 1 || (code == 49 && c->version >= 23));
    if (code == 49) {
        assert_true(p->at < p->end);
        assert_int_equal(*p->at++, 1);
    }
    uint64_t batch_gen = number(p);
    if (batch_gen != *gen) {
        assert_int_equal(batch_gen, w->generation_count ? *gen + 1 : c->first_gen);
        *gen = batch_gen;
        w->generation_count++;
    }
    number(p);
    assert_true(number(p) >= c->start_ticks);
    const unsigned char *size_at = p->at;
    uint64_t body_bytes = number(p);
    if (c->pad_sizes)
        assert_int_equal(p->at - size_at, 10);
    assert_true(body_bytes <= (uint64_t)(p->end - p->at));
    if (code == 1 && body_bytes > 0)
        w->syncs += *p->at == (c->version >= 25 ? 50 : 8);
    p->at += body_bytes;
    if ((uint64_t)(p->at - begin) > w->largest_batch_bytes)
        w->largest_batch_bytes = (uint64_t)(p->at - begin);
    if (w->batch_count < sizeof(w->batch_offsets) / sizeof(w->batch_offsets[0]))
        w->batch_offsets[w->batch_count] = (uint64_t)(begin - t->bytes);
    w->batch_count++;
}

static struct walk walk(const struct trace *t, const struct synth_config *c)
{
    struct walk w = {0};
    struct place p = {t->bytes + HEADER_BYTES, t->bytes + t->len_bytes};
    uint64_t gen = 0;
    const char header[] = {'g', 'o', ' ', '1', '.', '2', (char)('0' + c->version % 10), ' ',
                           't', 'r', 'a', 'c', 'e', 0, 0, 0};
    assert_true(t->len_bytes >= HEADER_BYTES);
    assert_memory_equal(t->bytes, header, HEADER_BYTES);
    while (p.at < p.end) {
        if (*p.at == 52) {
            p.at++;
            w.end_marks++;
        } else {
            walk_batch(&p, t, c, &gen, &w);
        }
    }
    return w;
}

// ---- tests ----

static const uint64_t versions[] = {22, 23, 25, 26};
#define EACH_VERSION(i) for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++)

static void test_same_seed_gives_the_same_bytes(void **state)
{
    (void)state;
    EACH_VERSION(i) {
        struct synth_config c = config_of(versions[i], 42);
        struct trace a = generate(&c);
        struct trace b = generate(&c);
        assert_true(same(&a, &b));
        assert_memory_equal(&a.totals, &b.totals, sizeof(a.totals));
        free(a.bytes);
        free(b.bytes);
    }
}

static void test_another_seed_gives_other_bytes(void **state)
{
    (void)state;
    EACH_VERSION(i) {
        struct synth_config c = config_of(versions[i], 42);
        struct synth_config d = config_of(versions[i], 43);
        struct trace a = generate(&c);
        struct trace b = generate(&d);
        assert_false(same(&a, &b));
        free(a.bytes);
        free(b.bytes);
    }
}

// FNV-1a: enough to notice a change of what "--seed 1" means.
static uint32_t hash_of(const struct trace *t)
{
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < t->len_bytes; i++)
        h = (h ^ t->bytes[i]) * 16777619u;
    return h;
}

static void test_bytes_do_not_depend_on_machine_or_compiler(void **state)
{
    (void)state;
    struct synth_config c = config_of(26, 1);
    struct trace t = generate(&c);
    assert_int_equal(hash_of(&t), 0xa3b88c3bu);
    free(t.bytes);
}

static void test_framing_is_that_of_the_format(void **state)
{
    (void)state;
    static const struct {
        uint64_t threads, generations, batch_bytes, pad_sizes, empty_permille, alloc_free;
    } shapes[] = {
        {1, 1, 65504, 1, 0, 0},   {4, 2, 65504, 1, 0, 1},  {64, 20, 65504, 1, 0, 0},
        {8, 3, 128, 1, 500, 1},   {8, 3, 1000, 0, 500, 0}, {3, 0, 65504, 1, 0, 0},
    };
    EACH_VERSION(i) {
        for (size_t k = 0; k < sizeof(shapes) / sizeof(shapes[0]); k++) {
            struct synth_config c = config_of(versions[i], 5 + k);
            c.threads = shapes[k].threads;
            c.generations = shapes[k].generations;
            c.batch_bytes = shapes[k].batch_bytes;
            c.pad_sizes = shapes[k].pad_sizes;
            c.empty_permille = shapes[k].empty_permille;
            c.alloc_free = c.version > 22 && shapes[k].alloc_free;
            c.first_gen = 1 + k;
            struct trace t = generate(&c);
            struct walk w = walk(&t, &c);
            assert_int_equal(w.batch_count, t.totals.batch_count);
            assert_int_equal(w.batch_count,
                             t.totals.code_counts[1] + t.totals.code_counts[49]);
            assert_int_equal(w.generation_count, c.generations);
            assert_int_equal(w.syncs, c.generations);
            assert_int_equal(w.end_marks, c.version >= 26 ? c.generations : 0);
            assert_true(w.largest_batch_bytes <= 65504);
            free(t.bytes);
        }
    }
}

static void test_sizes_are_about_those_asked_for(void **state)
{
    (void)state;
    struct synth_config c = config_of(26, 9);
    c.generations = 4;
    c.gen_events = 10000;
    struct trace t = generate(&c);
    assert_in_range(t.totals.event_count, 40000, 42000);
    free(t.bytes);

    c.gen_events = 0;
    c.gen_bytes = 1000000;
    t = generate(&c);
    assert_in_range(t.len_bytes, 4000000, 4400000);
    free(t.bytes);

    c = config_of(26, 9);
    c.gen_events = 100000;
    c.batch_bytes = 2000;
    c.stacks = c.strings = 1;
    t = generate(&c);
    struct walk w = walk(&t, &c);
    assert_true(w.largest_batch_bytes > 1800);
    assert_true(t.totals.batch_count > 400);
    free(t.bytes);
}

// Every code that a format has can be had, and none that it has not.
static void test_all_events_of_a_version_occur(void **state)
{
    (void)state;
    static const struct {
        uint64_t from, to, since;
    } codes[] = {{1, 8, 22}, {9, 44, 22}, {45, 49, 23}, {50, 51, 25}, {52, 52, 26}, {128, 136, 23}};
    EACH_VERSION(i) {
        struct synth_config c = config_of(versions[i], 3);
        c.generations = 10;
        c.gen_events = 5000;
        c.gc_at_start = 1;
        c.alloc_free = c.version > 22;
        for (int a = 0; a < SYNTH_ACTION_COUNT; a++)
            c.weights[a] = 50;
        struct trace t = generate(&c);
        for (size_t k = 0; k < sizeof(codes) / sizeof(codes[0]); k++)
            for (uint64_t code = codes[k].from; code <= codes[k].to; code++)
                if ((t.totals.code_counts[code] > 0) != (c.version >= codes[k].since))
                    fail_msg("version %d, code %d", (int)c.version, (int)code);
        free(t.bytes);
    }
}

static void test_settings_out_of_their_limits_are_refused(void **state)
{
    (void)state;
    struct trace t = {0};
    struct tp_error err;
#define REFUSED(field, value)                                                                   \
    do {                                                                                        \
        struct synth_config c = config_of(22, 1);                                               \
        c.field = (value);                                                                      \
        assert_int_equal(synth_generate(&c, collect, &t, &t.totals, &err), TP_E_USAGE);         \
        assert_int_equal(t.len_bytes, 0);                                                       \
    } while (0)
    REFUSED(version, 21);
    REFUSED(version, 24);
    REFUSED(version, 27);
    REFUSED(threads, 0);
    REFUSED(gen_events, 0);
    REFUSED(stack_depth, 129);
    REFUSED(alloc_free, 1);
    REFUSED(start_ticks, UINT64_C(1) << 60);
#undef REFUSED
}

static int refuse(void *ctx, const unsigned char *bytes, size_t len_bytes)
{
    (void)bytes;
    (void)len_bytes;
    return ++*(int *)ctx == 3 ? TP_E_PIPE : 0;
}

static void test_failing_write_stops_the_generator(void **state)
{
    (void)state;
    struct synth_config c = config_of(26, 1);
    c.generations = 1000000;
    struct synth_totals totals;
    struct tp_error err;
    int calls = 0;
    assert_int_equal(synth_generate(&c, refuse, &calls, &totals, &err), TP_E_PIPE);
    assert_int_equal(calls, 3);
}

// ---- damage ----

static void test_bytes_are_damaged_where_told(void **state)
{
    (void)state;
    struct synth_config c = config_of(26, 11);
    struct trace good = generate(&c);
    size_t n = good.len_bytes;

    struct synth_config d = c;
    d.truncate_at = n / 2;
    struct trace t = generate(&d);
    assert_int_equal(t.len_bytes, n / 2);
    assert_int_equal(t.totals.trace_bytes, n);
    assert_memory_equal(t.bytes, good.bytes, n / 2);
    free(t.bytes);

    d = c;
    d.flip_bit_at = 8 * (n / 3) + 5;
    t = generate(&d);
    t.bytes[n / 3] ^= 1 << 5;
    assert_true(same(&t, &good));
    free(t.bytes);

    d = c;
    d.overwrite_at = n / 4;
    d.overwrite_len = n / 2;
    d.overwrite_byte = 0xee;
    t = generate(&d);
    assert_int_equal(t.len_bytes, n);
    assert_memory_equal(t.bytes, good.bytes, n / 4);
    for (size_t i = n / 4; i < n / 4 + n / 2; i++)
        assert_int_equal(t.bytes[i], 0xee);
    assert_memory_equal(t.bytes + n / 4 + n / 2, good.bytes + n / 4 + n / 2, n - n / 4 - n / 2);
    free(t.bytes);

    const size_t places[] = {0, HEADER_BYTES, n / 2, n};
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        d = c;
        d.insert_at = places[i];
        d.insert_len = 10001;
        t = generate(&d);
        assert_int_equal(t.len_bytes, n + 10001);
        assert_memory_equal(t.bytes, good.bytes, places[i]);
        assert_memory_equal(t.bytes + places[i] + 10001, good.bytes + places[i], n - places[i]);
        free(t.bytes);
    }
    free(good.bytes);
}

static void test_batches_are_damaged_as_told(void **state)
{
    (void)state;
    struct synth_config c = config_of(25, 12);
    struct trace good = generate(&c);
    struct walk w = walk(&good, &c);
    const size_t k = 3;
    assert_true(w.batch_count > k + 2);
    size_t at = w.batch_offsets[k];
    size_t next = w.batch_offsets[k + 1];
    size_t after = w.batch_offsets[k + 2];

    struct synth_config d = c;
    d.drop_batch = k;
    struct trace t = generate(&d);
    assert_int_equal(t.len_bytes, good.len_bytes - (next - at));
    assert_memory_equal(t.bytes, good.bytes, at);
    assert_memory_equal(t.bytes + at, good.bytes + next, good.len_bytes - next);
    free(t.bytes);

    d = c;
    d.dup_batch = k;
    t = generate(&d);
    assert_int_equal(t.len_bytes, good.len_bytes + (next - at));
    assert_memory_equal(t.bytes, good.bytes, next);
    assert_memory_equal(t.bytes + next, good.bytes + at, good.len_bytes - at);
    free(t.bytes);

    d = c;
    d.swap_batch = k;
    t = generate(&d);
    assert_int_equal(t.len_bytes, good.len_bytes);
    assert_memory_equal(t.bytes, good.bytes, at);
    assert_memory_equal(t.bytes + at, good.bytes + next, after - next);
    assert_memory_equal(t.bytes + at + (after - next), good.bytes + at, next - at);
    assert_memory_equal(t.bytes + after, good.bytes + after, good.len_bytes - after);
    free(t.bytes);

    d = c;
    d.swap_batch = w.batch_count - 1;
    t = generate(&d);
    assert_true(same(&t, &good)); // no successor
    free(t.bytes);
    free(good.bytes);
}

static void test_end_marks_and_frequency_can_be_spoiled(void **state)
{
    (void)state;
    struct synth_config c = config_of(26, 13);
    c.generations = 7;
    struct trace good = generate(&c);
    c.omit_end_marks = 1;
    struct trace t = generate(&c);
    assert_int_equal(t.len_bytes, good.len_bytes - 7);
    assert_int_equal(walk(&t, &c).end_marks, 0);
    free(t.bytes);

    c.omit_end_marks = 0;
    c.zero_freq = 1;
    t = generate(&c);
    struct place p = {t.bytes + HEADER_BYTES + 1, t.bytes + t.len_bytes};
    for (int i = 0; i < 4; i++)
        number(&p);
    const unsigned char expected[] = {50, 8, 0, 51};
    assert_memory_equal(p.at, expected, sizeof(expected));
    free(t.bytes);
    free(good.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_seed_gives_the_same_bytes),
        cmocka_unit_test(test_another_seed_gives_other_bytes),
        cmocka_unit_test(test_bytes_do_not_depend_on_machine_or_compiler),
        cmocka_unit_test(test_framing_is_that_of_the_format),
        cmocka_unit_test(test_sizes_are_about_those_asked_for),
        cmocka_unit_test(test_all_events_of_a_version_occur),
        cmocka_unit_test(test_settings_out_of_their_limits_are_refused),
        cmocka_unit_test(test_failing_write_stops_the_generator),
        cmocka_unit_test(test_bytes_are_damaged_where_told),
        cmocka_unit_test(test_batches_are_damaged_as_told),
        cmocka_unit_test(test_end_marks_and_frequency_can_be_spoiled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
