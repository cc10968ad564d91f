// The walk over frames passes only over those that reading number by number would, and
// over no others than it promises to: numbers of every length at every offset, bytes that
// end anywhere, ids around the largest one.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "decode/varint.h"
#include "merge/tables/frame_walk.h"
#include "table_build.h"

#define BLOCK_BYTES 64
#define FRAMES_MAX 128
#define NUMBERS_MAX (TP_FRAME_ARGS * FRAMES_MAX)
#define WIRE_MAX_BYTES (1 + NUMBERS_MAX * (TP_VARINT_MAX_BYTES + 1) + BLOCK_BYTES)

// Frames behind one byte, as behind the head of their stack, and others behind them.
struct wire {
    unsigned char bytes[WIRE_MAX_BYTES];
    size_t len_bytes;
};

// `value` in so many bytes, at least those it needs.
static void put_padded(struct wire *w, uint64_t value, unsigned len_bytes)
{
    for (unsigned i = 1; i < len_bytes; i++, value >>= 7)
        w->bytes[w->len_bytes++] = (unsigned char)(value | 0x80);
    w->bytes[w->len_bytes++] = (unsigned char)value;
}

static void put(struct wire *w, uint64_t value)
{
    put_padded(w, value, tp_varint_len(value));
}

static void begin(struct wire *w)
{
    w->bytes[0] = 0xff;
    w->len_bytes = 1;
}

static void put_room(struct wire *w)
{
    memset(w->bytes + w->len_bytes, 0xff, BLOCK_BYTES);
    w->len_bytes += BLOCK_BYTES;
}

// What number by number can be said of the frames.
struct reading {
    bool is_sound;
    bool is_short;      // no number of more than eight bytes
    bool is_plain;      // ids are not padded
    uint64_t max_id;
    size_t len_bytes;
};

static struct reading read_frames(const struct wire *w, size_t len_bytes, size_t frame_count)
{
    const unsigned char *p = w->bytes + 1, *end = w->bytes + len_bytes;
    struct reading r = {.is_short = true, .is_plain = true};
    for (size_t i = 0; i < TP_FRAME_ARGS * frame_count; i++) {
        const unsigned char *from = p;
        uint64_t value = 0;
        if (tp_varint_get(&p, end, &value) != TP_VARINT_OK)
            return r;
        r.is_short = r.is_short && p - from <= 8;
        if (i % TP_FRAME_ARGS == 1 || i % TP_FRAME_ARGS == 2) {
            r.is_plain = r.is_plain && p - from == (ptrdiff_t)tp_varint_len(value);
            r.max_id = value > r.max_id ? value : r.max_id;
        }
    }
    r.is_sound = true;
    r.len_bytes = (size_t)(p - (w->bytes + 1));
    return r;
}

// Ids of three bytes are compared without their lowest seven bits.
static bool is_surely_within(uint64_t id, uint64_t max_id)
{
    unsigned id_bytes = tp_varint_len(max_id);
    return id_bytes < 3 ? id <= max_id : id_bytes == 3 && id >> 7 < max_id >> 7;
}

static bool is_promised(const struct reading *r, size_t room_bytes, uint64_t max_id)
{
#ifdef __SSE2__
    const bool has_vectors = true;
#else
    const bool has_vectors = false;
#endif
    return has_vectors && r->is_sound && r->is_short && r->is_plain &&
           is_surely_within(r->max_id, max_id) && r->len_bytes + BLOCK_BYTES <= room_bytes;
}

typedef bool walker(const unsigned char **p, const unsigned char *end, uint64_t frame_count,
                    uint64_t max_id);

// All that this processor has.
static walker *const walkers[] = {
    tp_frames_walk, tp_frames_walk_any,
#ifdef TP_WITH_AVX2_WALK
    tp_frames_walk_avx2,
#endif
};

static size_t walker_count(void)
{
#ifdef TP_WITH_AVX2_WALK
    return TP_ARRAY_LEN(walkers) - !tp_frames_have_avx2();
#else
    return TP_ARRAY_LEN(walkers);
#endif
}

static void check(const struct wire *w, size_t len_bytes, size_t frame_count, uint64_t max_id)
{
    // Of just that size: what reads too far is seen by the sanitizers.
    unsigned char *bytes = malloc(len_bytes);
    assert_non_null(bytes);
    memcpy(bytes, w->bytes, len_bytes);
    const struct reading r = read_frames(w, len_bytes, frame_count);
    bool has_passed = false;
    for (size_t i = 0; i < walker_count(); i++) {
        const unsigned char *p = bytes + 1;
        bool passed = walkers[i](&p, bytes + len_bytes, frame_count, max_id);
        assert_int_equal(p - (bytes + 1), passed ? r.len_bytes : 0);
        if (passed) {
            assert_true(r.is_sound && r.is_short);
            assert_true(r.max_id <= max_id);
        }
        if (is_promised(&r, len_bytes - 1, max_id))
            assert_true(passed);
        assert_true(i == 0 || passed == has_passed);
        has_passed = passed;
    }
    free(bytes);
}

static void check_around(const struct wire *w, size_t frame_count, uint64_t id)
{
    check(w, w->len_bytes, frame_count, id);
    check(w, w->len_bytes, frame_count, id + 1);
    check(w, w->len_bytes, frame_count, id - 1);
    check(w, w->len_bytes, frame_count, id + 128);
}

static uint64_t largest(unsigned len_bytes)
{
    return len_bytes < TP_VARINT_MAX_BYTES ? (UINT64_C(1) << 7 * len_bytes) - 1 : UINT64_MAX;
}

// One number of every length, in every field, at every offset in two blocks; the last
// frame ends behind it or much later.
static void test_numbers_of_all_lengths_at_all_offsets(void **state)
{
    static const uint64_t ids[] = {1, 127, 128, 300, 16383, 16384, 20000, 2097151, 2097152};
    static struct wire w;
    (void)state;
    for (unsigned number = 0; number < 2 * BLOCK_BYTES; number++) {
        for (unsigned len_bytes = 1; len_bytes <= TP_VARINT_MAX_BYTES; len_bytes++) {
            begin(&w);
            for (unsigned i = 0; i < NUMBERS_MAX / 2; i++)
                put(&w, i == number ? largest(len_bytes) : 1);
            put_room(&w);
            size_t frame_count = number / TP_FRAME_ARGS + 1;
            for (size_t i = 0; i < TP_ARRAY_LEN(ids); i++) {
                check(&w, w.len_bytes, frame_count, ids[i]);
                check(&w, w.len_bytes, FRAMES_MAX / 2, ids[i]);
            }
            check_around(&w, frame_count, largest(len_bytes));
        }
    }
}

static void test_ids_around_the_largest(void **state)
{
    static const uint64_t ids[] = {1,     2,     126,   127,   128,     129,     255,
                                   256,   1000,  8191,  8192,  16382,   16383,   16384,
                                   16385, 16511, 16512, 70000, 2097151, 2097152, UINT64_MAX - 1};
    static struct wire w;
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(ids); i++) {
        for (unsigned place = 0; place < 40; place++) {
            begin(&w);
            for (unsigned k = 0; k < 20; k++) {
                put(&w, UINT64_C(0x4012a0) << place % 4 * 8);
                put(&w, 2 * k == place ? ids[i] : 1);
                put(&w, 2 * k + 1 == place ? ids[i] : 1);
                put(&w, 1 << k % 15);
            }
            put_room(&w);
            check_around(&w, 20, ids[i]);
            check(&w, w.len_bytes, 20, 2 * ids[i]);
        }
    }
}

// Legal, and never written: what they say is not larger than it is.
static void test_padded_numbers(void **state)
{
    static struct wire w;
    (void)state;
    for (unsigned number = 0; number < NUMBERS_MAX / 4; number++) {
        for (unsigned len_bytes = 2; len_bytes <= TP_VARINT_MAX_BYTES + 1; len_bytes++) {
            begin(&w);
            for (unsigned i = 0; i < NUMBERS_MAX / 4; i++)
                put_padded(&w, 5, i == number ? len_bytes : 1);
            put_room(&w);
            static const uint64_t ids[] = {4, 5, 6, 130, 700, 16384, 17000};
            for (size_t i = 0; i < TP_ARRAY_LEN(ids); i++)
                check(&w, w.len_bytes, FRAMES_MAX / 4, ids[i]);
        }
    }
}

static void test_bytes_that_end_anywhere(void **state)
{
    static struct wire w;
    (void)state;
    begin(&w);
    for (unsigned i = 0; i < 20; i++) {
        put(&w, 0x4012a0 + i);
        put(&w, 100 + i);
        put(&w, 10 * i);
        put(&w, 90 * i);
    }
    put_room(&w);
    for (size_t len_bytes = 1; len_bytes <= w.len_bytes; len_bytes++) {
        for (size_t frame_count = 1; frame_count <= 20; frame_count++)
            check(&w, len_bytes, frame_count, 1000);
    }
}

static uint64_t next(uint64_t *seed)
{
    *seed ^= *seed << 13, *seed ^= *seed >> 7, *seed ^= *seed << 17;
    return *seed;
}

// As they come in traces, and then with a few bytes changed.
static void test_random_frames(void **state)
{
    static struct wire w;
    uint64_t seed = 88172645463325252u;
    (void)state;
    for (unsigned round = 0; round < 20000; round++) {
        size_t frame_count = next(&seed) % FRAMES_MAX + 1;
        unsigned id_bits = (unsigned)(next(&seed) % 16) + 3;
        uint64_t max_id = 0;
        begin(&w);
        for (size_t i = 0; i < frame_count; i++) {
            uint64_t func = next(&seed) >> (64 - id_bits), file = next(&seed) >> (64 - id_bits);
            put(&w, next(&seed) >> (40 - next(&seed) % 2 * 20));
            put(&w, func);
            put(&w, file);
            put(&w, next(&seed) >> 53);
            max_id = func > max_id ? func : max_id;
            max_id = file > max_id ? file : max_id;
        }
        put_room(&w);
        for (unsigned changes = round % 3; changes > 0; changes--)
            w.bytes[1 + next(&seed) % (w.len_bytes - 1)] = (unsigned char)next(&seed);
        check_around(&w, frame_count, max_id + 1);
        check(&w, w.len_bytes, next(&seed) % frame_count + 1, max_id);
    }
}

// A stack of `bytes` behind one whose function is `primer`.
static struct tp_tables *with_bytes(struct table_body *b, uint64_t primer, const void *bytes,
                                    size_t len_bytes, struct tp_error *err, int *ret_code)
{
    struct tp_tables *t = table_create(26);
    table_begin(b, TP_BATCH_STACKS);
    table_put_stack(b, 1, &(struct table_frame){1, primer, 0, 0}, 1);
    memcpy(b->bytes + b->len_bytes, bytes, len_bytes);
    b->len_bytes += len_bytes;
    *ret_code = table_add(t, TP_BATCH_STACKS, b, err);
    return t;
}

// Cut, or with one byte changed, stacks are what they are if read number by number.
static void test_damaged_stacks_fail_alike_by_both_walks(void **state)
{
    static struct table_body whole, quick, careful;
    static struct table_frame frames[12];
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(frames); i++)
        frames[i] = (struct table_frame){UINT64_C(0x4012a0) << i % 3 * 7, 1 + 40 * i, 300 - i,
                                         UINT64_C(1) << i};
    whole.len_bytes = 0;
    for (uint64_t id = 2; id < 5; id++)
        table_put_stack(&whole, id, frames, TP_ARRAY_LEN(frames));
    for (size_t at = 0; at < 3 * whole.len_bytes; at++) {
        size_t place = at / 3;
        unsigned char kept = whole.bytes[place];
        whole.bytes[place] ^= at % 3 == 0 ? 0 : at % 3 == 1 ? 0x80 : 0xff;
        size_t len_bytes = at % 3 == 0 ? place : whole.len_bytes;
        struct tp_error quick_err = {0}, careful_err = {0};
        int quick_code, careful_code;
        struct tp_tables *q =
            with_bytes(&quick, 2000, whole.bytes, len_bytes, &quick_err, &quick_code);
        // So large an id is not looked for.
        struct tp_tables *c =
            with_bytes(&careful, UINT64_MAX, whole.bytes, len_bytes, &careful_err, &careful_code);
        whole.bytes[place] = kept;
        assert_int_equal(quick_code, careful_code);
        assert_string_equal(quick_err.text, careful_err.text);
        assert_int_equal(q->is_go_eof, c->is_go_eof);
        assert_int_equal(q->stacks.count, c->stacks.count);
        for (size_t i = 1; i < q->stacks.count; i++) {
            assert_int_equal(q->stacks.items[i].id, c->stacks.items[i].id);
            assert_int_equal(q->stacks.items[i].frame_count, c->stacks.items[i].frame_count);
            assert_int_equal(q->stacks.items[i].frames_bytes, c->stacks.items[i].frames_bytes);
        }
        tp_tables_release(q);
        tp_tables_release(c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_of_all_lengths_at_all_offsets),
        cmocka_unit_test(test_ids_around_the_largest),
        cmocka_unit_test(test_padded_numbers),
        cmocka_unit_test(test_bytes_that_end_anywhere),
        cmocka_unit_test(test_random_frames),
        cmocka_unit_test(test_damaged_stacks_fail_alike_by_both_walks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
