// The scan over inputs that nobody writes by hand: generated traces with every
// kind of damage, random bytes, and large fillers made to be costly.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "scan_lab.h"
#include "scan_many.h"
#include "synth.h"
#include "wire_build.h"

#define HEADER_BYTES 16

static struct tp_buf input;

static int set_up(void **state)
{
    (void)state;
    return tp_buf_init(&input, TP_MIB(128)) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    tp_buf_fini(&input);
    return 0;
}

static struct tp_span body_span(void)
{
    return tp_span_skip(tp_span_of(input.ptr, input.len_bytes), HEADER_BYTES);
}

static size_t cut_never(void *ctx, size_t left_bytes)
{
    (void)ctx;
    return left_bytes;
}

static size_t cut_randomly(void *ctx, size_t left_bytes)
{
    uint64_t r = wire_random(ctx);
    (void)left_bytes;
    return 1 + (size_t)(r >> 8) % ((r & 1) != 0 ? 300 : 9000);
}

static void assert_same(const struct scan_list *got, const struct scan_list *want)
{
    const char *difference = scan_difference(got, want);
    if (difference != NULL)
        fail_msg("%s", difference);
}

static void assert_scan_of_any_cut(uint32_t minor, uint64_t seed)
{
    struct tp_span body = body_span();
    struct scan_list want = scan_by_model(minor, HEADER_BYTES, body);
    struct scan_list got = scan_in_pieces(minor, HEADER_BYTES, body, cut_never, NULL, 64);
    assert_same(&got, &want);
    const char *gap = scan_gap(&got, HEADER_BYTES, body.len_bytes);
    if (gap != NULL)
        fail_msg("%s", gap);
    scan_list_fini(&got);
    for (size_t capacity = 1; capacity <= 64; capacity *= 8) {
        uint64_t random = seed + capacity;
        got = scan_in_pieces(minor, HEADER_BYTES, body, cut_randomly, &random, capacity);
        assert_same(&got, &want);
        scan_list_fini(&got);
    }
    scan_list_fini(&want);
}

static int collect(void *ctx, const unsigned char *bytes, size_t len_bytes)
{
    wire_put(ctx, bytes, len_bytes);
    return 0;
}

static void generate(uint32_t minor, uint64_t seed)
{
    struct synth_config config;
    struct synth_totals totals;
    struct tp_error err;
    synth_config_init(&config);
    config.seed = seed;
    config.version = minor;
    config.gen_events = 150;
    config.generations = 4;
    config.batch_bytes = 200 + seed % 7 * 300;
    config.empty_permille = 50;
    config.alloc_free = minor > 22;
    tp_buf_reset(&input);
    assert_int_equal(synth_generate(&config, collect, &input, &totals, &err), 0);
}

static void test_traces_are_cut_without_a_loss(void **state)
{
    (void)state;
    for (size_t v = 0; v < TP_ARRAY_LEN(wire_versions); v++) {
        generate(wire_versions[v], 11);
        struct scan_list l = scan_by_model(wire_versions[v], HEADER_BYTES, body_span());
        for (size_t i = 0; i < l.count; i++)
            assert_int_not_equal(l.items[i].kind, TP_EXTENT_LOST);
        scan_list_fini(&l);
        assert_scan_of_any_cut(wire_versions[v], 1);
    }
}

static void put_filler(uint64_t *random, size_t len_bytes)
{
    unsigned byte = (unsigned)wire_random(random) & 0xff;
    bool is_noise = (wire_random(random) & 1) != 0;
    while (len_bytes-- > 0)
        wire_put_byte(&input, is_noise ? (unsigned)wire_random(random) & 0xff : byte);
}

// Takes a random part out, puts noise in, turns parts around, cuts the end.
static void damage_bulk(uint64_t *random)
{
    size_t len_bytes = input.len_bytes - HEADER_BYTES;
    unsigned char *body = input.ptr + HEADER_BYTES;
    size_t at = (size_t)(wire_random(random) % len_bytes);
    size_t part = (size_t)(wire_random(random) % (len_bytes - at));
    switch (wire_random(random) % 5) {
    case 0:
        memmove(body + at, body + at + part, len_bytes - at - part);
        input.len_bytes -= part;
        break;
    case 1: memset(body + at, (int)(wire_random(random) & 0xff), part / 8); break;
    case 2: wire_put(&input, body + at, part < 5000 ? part : 5000); break;
    case 3: put_filler(random, part % 400); break;
    default: input.len_bytes -= part % 4000; break;
    }
    wire_damage(&input, random, (unsigned)(wire_random(random) % 4));
}

static void test_damaged_traces_agree_with_the_model(void **state)
{
    (void)state;
    uint64_t random = 77;
    for (unsigned round = 0; round < 120; round++) {
        uint32_t minor = wire_versions[round % TP_ARRAY_LEN(wire_versions)];
        generate(minor, 1 + round);
        for (unsigned i = 0; i <= round % 3; i++)
            damage_bulk(&random);
        assert_scan_of_any_cut(minor, round);
    }
}

// Bytes of which most are codes, ends of numbers and counts that fit, so that
// headers are found everywhere.
static void test_noise_of_header_bytes_agrees_with_the_model(void **state)
{
    (void)state;
    static const unsigned char likely[] = {1, 1, 1, 49, 52, 0, 2, 0x80, 0x80, 0x81, 3};
    uint64_t random = 99;
    for (unsigned round = 0; round < 200; round++) {
        tp_buf_reset(&input);
        wire_put_header(&input, 26);
        struct wire_batch batch = {.generation = 1 + round % 3};
        for (unsigned i = 0; i < 60; i++) {
            if (wire_random(&random) % 6 == 0)
                wire_put_batch(&input, &batch, tp_span_of("\x11\x01\x34", wire_random(&random) % 4));
            else
                wire_put_byte(&input, likely[wire_random(&random) % sizeof likely]);
        }
        assert_scan_of_any_cut(wire_versions[round % TP_ARRAY_LEN(wire_versions)], round);
    }
}

// COST

static void fill(const void *pattern, size_t pattern_bytes, size_t len_bytes)
{
    tp_buf_reset(&input);
    wire_put_header(&input, 26);
    while (input.len_bytes < HEADER_BYTES + len_bytes)
        wire_put(&input, pattern, pattern_bytes);
}

static uint64_t cpu_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

// All bytes at once: whoever looked ahead without a bound would show here.
static uint64_t scan_cost_ns(uint32_t minor, struct tp_span bytes)
{
    static struct tp_extent extents[256];
    struct tp_scan_v2 s;
    uint64_t begin_ns = cpu_ns();
    size_t count;
    tp_scan_v2_init(&s, minor, 0);
    do {
        size_t used = scan_many_v2(&s, bytes, true, extents, TP_ARRAY_LEN(extents), &count);
        bytes = tp_span_skip(bytes, used);
    } while (count == TP_ARRAY_LEN(extents));
    assert_int_equal(bytes.len_bytes, 0);
    return cpu_ns() - begin_ns;
}

static uint64_t least_cost_ns(uint32_t minor, size_t len_bytes)
{
    uint64_t least = UINT64_MAX;
    for (unsigned i = 0; i < 3; i++) {
        struct tp_span part = tp_span_of(input.ptr + HEADER_BYTES, len_bytes);
        uint64_t ns = scan_cost_ns(minor, part);
        least = ns < least ? ns : least;
    }
    return least;
}

// Twice the bytes take about twice the time; the machine may be busy, so a bad
// figure gets more chances.
static void assert_linear(const void *pattern, size_t pattern_bytes)
{
    static const uint32_t minors[] = {25, 26}; // without and with end marks
    const size_t half_bytes = TP_KIB(512);
    fill(pattern, pattern_bytes, 2 * half_bytes);
    for (size_t v = 0; v < TP_ARRAY_LEN(minors); v++) {
        double ratio = 99;
        for (unsigned attempt = 0; attempt < 8 && ratio > 3; attempt++) {
            uint64_t half_ns = least_cost_ns(minors[v], half_bytes);
            ratio = (double)least_cost_ns(minors[v], 2 * half_bytes) / (double)(half_ns + 1);
        }
        if (ratio > 3)
            fail_msg("go 1.%u: twice the bytes take %.1f times as long", minors[v], ratio);
    }
}

static void test_cost_of_fillers_is_linear(void **state)
{
    (void)state;
    static const unsigned char bytes[] = {0, 1, 2, 49, 52, 0x7f, 0x80, 0xff};
    for (size_t i = 0; i < sizeof bytes; i++)
        assert_linear(&bytes[i], 1);
}

// Headers that look sound and hide the next one in their body, end in the middle
// of another, or are longer than what is presented at a time.
static void test_cost_of_sound_looking_headers_is_linear(void **state)
{
    (void)state;
    static const char *const patterns[] = {
        "\x01\x01\x01\x01\x80\x80\x84\x80\x80\x80\x80\x80\x80", // 65536, one byte short
        "\x01\x01\x01\x01\x8e\x80\x80\x80\x80\x80\x80\x80\x80", // its own length
        "\x01\x80\x80\x80\x80\x80\x80\x80\x80\x80",
        "\x31\x01\x01\x01\x01\x81\x80\x80\x80\x80\x80\x80\x80\x80",
        "\x01\x02\x01\x01\x81\x80\x80\x80\x80\x80\x80\x80\x80\x34\x01\x01",
        "\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
    };
    for (size_t i = 0; i < TP_ARRAY_LEN(patterns); i++) {
        // Each with and without a byte 0 behind it, which ends a padded number.
        assert_linear(patterns[i], strlen(patterns[i]));
        assert_linear(patterns[i], strlen(patterns[i]) + 1);
    }
    struct tp_buf one;
    assert_true(tp_buf_init(&one, TP_KIB(80)));
    static unsigned char body[TP_MAX_BATCH_BYTES];
    struct wire_batch batch = {.generation = 1};
    wire_put_batch(&one, &batch, tp_span_of(body, sizeof body));
    assert_linear(one.ptr, one.len_bytes);
    wire_put_byte(&one, 0); // after each of them the search begins anew
    assert_linear(one.ptr, one.len_bytes);
    tp_buf_fini(&one);
}

// In pieces of 256 KiB that begin with the tail of the piece before, as a reader
// presents them: the bytes presented twice stay few.
static void test_hundred_megabytes_of_ones_are_scanned(void **state)
{
    (void)state;
    static struct tp_extent extents[256];
    const size_t total_bytes = 100000000;
    fill("\x01", 1, total_bytes);
    struct tp_span rest = body_span();
    size_t tail_bytes = 0;
    uint64_t presented_bytes = 0, batch_count = 0;
    struct tp_scan_v2 s;
    tp_scan_v2_init(&s, 25, 0);
    while (rest.len_bytes > 0) {
        size_t there = tail_bytes + TP_KIB(256);
        bool at_end = there >= rest.len_bytes;
        struct tp_span window = tp_span_of(rest.ptr, at_end ? rest.len_bytes : there);
        size_t count, used = 0;
        presented_bytes += window.len_bytes;
        do {
            used += scan_many_v2(&s, tp_span_skip(window, used), at_end, extents,
                                    TP_ARRAY_LEN(extents), &count);
            batch_count += count;
        } while (count == TP_ARRAY_LEN(extents));
        tail_bytes = window.len_bytes - used;
        rest = tp_span_skip(rest, used);
    }
    assert_int_equal(s.offset, total_bytes);
    // Header 1 1 1 1 1 and one byte of body; the end cuts one, which is lost.
    assert_true(batch_count >= total_bytes / 6 && batch_count <= total_bytes / 6 + 2);
    assert_true(presented_bytes < total_bytes + total_bytes / 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_traces_are_cut_without_a_loss),
        cmocka_unit_test(test_damaged_traces_agree_with_the_model),
        cmocka_unit_test(test_noise_of_header_bytes_agrees_with_the_model),
        cmocka_unit_test(test_cost_of_fillers_is_linear),
        cmocka_unit_test(test_cost_of_sound_looking_headers_is_linear),
        cmocka_unit_test(test_hundred_megabytes_of_ones_are_scanned),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
