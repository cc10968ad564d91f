// Texts as numbers: those of the first coming, for any bytes, and as they were when there
// is no memory.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/digest.h"
#include "base/intern.h"

static uint32_t put(struct tp_intern *in, const char *text)
{
    return tp_intern_put(in, tp_span_of(text, strlen(text)));
}

static void expect_text(const struct tp_intern *in, uint32_t number, const void *bytes,
                        size_t len_bytes)
{
    struct tp_span text = tp_intern_text(in, number);
    assert_int_equal(text.len_bytes, len_bytes);
    assert_memory_equal(text.ptr, bytes, len_bytes);
}

static void test_numbers_come_in_order(void **state)
{
    struct tp_intern in = {0};
    char again[] = "beta";
    (void)state;
    assert_int_equal(put(&in, "alpha"), 0);
    assert_int_equal(put(&in, "beta"), 1);
    assert_int_equal(put(&in, "alpha"), 0);
    assert_int_equal(put(&in, "gamma"), 2);
    assert_int_equal(put(&in, again), 1);
    assert_int_equal(in.count, 3);
    expect_text(&in, 0, "alpha", 5);
    expect_text(&in, 1, "beta", 4);
    expect_text(&in, 2, "gamma", 5);
    tp_intern_fini(&in);
    assert_int_equal(put(&in, "gamma"), 0);
    tp_intern_fini(&in);
}

static void test_texts_are_copied(void **state)
{
    struct tp_intern in = {0};
    char text[] = "before";
    (void)state;
    assert_int_equal(put(&in, text), 0);
    memset(text, 'x', sizeof text - 1);
    expect_text(&in, 0, "before", 6);
    assert_int_equal(put(&in, text), 1);
    tp_intern_fini(&in);
}

static void test_the_empty_text_is_one(void **state)
{
    struct tp_intern in = {0};
    (void)state;
    assert_int_equal(tp_intern_put(&in, tp_span_of(NULL, 0)), 0);
    assert_int_equal(put(&in, "a"), 1);
    assert_int_equal(tp_intern_put(&in, tp_span_of("a", 0)), 0);
    assert_int_equal(tp_intern_put(&in, tp_span_of(NULL, 0)), 0);
    assert_int_equal(tp_intern_text(&in, 0).len_bytes, 0);
    tp_intern_fini(&in);
}

static void test_zeroes_are_bytes(void **state)
{
    struct tp_intern in = {0};
    (void)state;
    assert_int_equal(tp_intern_put(&in, tp_span_of("a\0b", 3)), 0);
    assert_int_equal(tp_intern_put(&in, tp_span_of("a\0c", 3)), 1);
    assert_int_equal(tp_intern_put(&in, tp_span_of("a\0", 2)), 2);
    assert_int_equal(tp_intern_put(&in, tp_span_of("a", 1)), 3);
    assert_int_equal(tp_intern_put(&in, tp_span_of("\0", 1)), 4);
    assert_int_equal(tp_intern_put(&in, tp_span_of("\0\0", 2)), 5);
    assert_int_equal(tp_intern_put(&in, tp_span_of("a\0b", 3)), 0);
    expect_text(&in, 1, "a\0c", 3);
    tp_intern_fini(&in);
}

// Some fit what is left of a block, some take a block of their own.
static void test_long_texts(void **state)
{
    enum { LENGTHS = 9 };
    static const size_t lengths[LENGTHS] = {10,      TP_KIB(16),     TP_KIB(16) - 1, 5,
                                            100000,  TP_KIB(16) + 1, 7,              TP_KIB(15),
                                            1000000};
    unsigned char *texts[LENGTHS];
    struct tp_intern in = {0};
    (void)state;
    for (unsigned i = 0; i < LENGTHS; i++) {
        texts[i] = malloc(lengths[i]);
        assert_non_null(texts[i]);
        memset(texts[i], 'a', lengths[i]);
        texts[i][lengths[i] - 1] = 'z';
        assert_int_equal(tp_intern_put(&in, tp_span_of(texts[i], lengths[i])), i);
    }
    for (unsigned i = 0; i < LENGTHS; i++) {
        expect_text(&in, i, texts[i], lengths[i]);
        assert_int_equal(tp_intern_put(&in, tp_span_of(texts[i], lengths[i])), i);
        texts[i][lengths[i] - 1] = 'y';
        assert_int_equal(tp_intern_put(&in, tp_span_of(texts[i], lengths[i])), LENGTHS + i);
        free(texts[i]);
    }
    tp_intern_fini(&in);
}

static void test_many_texts(void **state)
{
    enum { COUNT = 50000 };
    struct tp_intern in = {0};
    uint64_t before_bytes = tp_alloc_live_bytes();
    (void)state;
    for (unsigned round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < COUNT; i++) {
            char text[32];
            snprintf(text, sizeof text, "text number %u", i);
            assert_int_equal(put(&in, text), i);
        }
    }
    expect_text(&in, 777, "text number 777", 15);
    uint64_t text_bytes = tp_alloc_live_bytes() - before_bytes - tp_index_bytes(&in.index);
    // The heap rounds up.
    size_t counted_bytes = tp_intern_bytes(&in) - tp_index_bytes(&in.index);
    assert_in_range(text_bytes, counted_bytes, counted_bytes + counted_bytes / 64);
    tp_intern_fini(&in);
    assert_int_equal(tp_alloc_live_bytes(), before_bytes);
}

// Bytes enough for a block every few texts.
static void make_text(char to[static 3000], uint32_t i)
{
    char number[16];
    memset(to, 'a' + (int)(i % 26), 2999);
    to[2999] = '\0';
    int len = snprintf(number, sizeof number, "%u", i);
    memcpy(to, number, (size_t)len);
}

static void test_without_memory_nothing_changes(void **state)
{
    struct tp_intern in = {0};
    uint64_t before_bytes = tp_alloc_live_bytes();
    unsigned failure_count = 0;
    char text[3000];
    (void)state;
    for (uint32_t i = 0; i < 300; i++) {
        make_text(text, i);
        for (uint64_t nth = 1; nth < 10; nth++) {
            tp_alloc_fail_at(nth, false);
            uint32_t number = put(&in, text);
            bool has_failed = tp_alloc_fail_left() == 0;
            tp_alloc_fail_at(0, false);
            assert_int_equal(number, has_failed ? TP_INTERN_NONE : i);
            if (!has_failed)
                break;
            failure_count++;
            assert_int_equal(in.count, i);
            if (i > 0) {
                make_text(text, i - 1);
                assert_int_equal(put(&in, text), i - 1);
                make_text(text, i);
            }
        }
        assert_int_equal(in.count, i + 1);
    }
    assert_true(failure_count > 60);
    for (uint32_t i = 0; i < 300; i++) {
        make_text(text, i);
        assert_int_equal(put(&in, text), i);
        expect_text(&in, i, text, 2999);
    }
    tp_intern_fini(&in);
    assert_int_equal(tp_alloc_live_bytes(), before_bytes);
}

// Texts short, long and empty, of which every so many stay.
static void expect_packed(unsigned every, unsigned count)
{
    struct tp_intern in = {0};
    uint32_t *numbers = malloc(count * sizeof *numbers);
    char text[64], *longer = calloc(1, TP_KIB(40));
    assert_non_null(numbers);
    assert_non_null(longer);
    for (unsigned i = 0; i < count; i++) {
        snprintf(text, sizeof text, "%u", i);
        snprintf(longer, TP_KIB(40), "%u", i);
        struct tp_span span = i % 500 == 7   ? tp_span_of(longer, TP_KIB(i % 40))
                              : i % 500 == 8 ? tp_span_of("", 0)
                                             : tp_span_of(text, strlen(text));
        (void)!tp_intern_put(&in, span);
    }
    count = in.count;
    uint32_t kept = 0;
    struct tp_intern plain = {0};
    for (unsigned i = 0; i < count; i++) {
        numbers[i] = every > 0 && i % every == 0 ? 1 : TP_INTERN_NONE;
        if (numbers[i] != TP_INTERN_NONE)
            assert_int_equal(tp_intern_put(&plain, tp_intern_text(&in, i)), kept++);
    }
    assert_true(tp_intern_pack(&in, numbers));
    assert_int_equal(in.count, kept);
    for (unsigned i = 0, next = 0; i < count; i++) {
        if (numbers[i] != TP_INTERN_NONE)
            assert_int_equal(numbers[i], next++);
    }
    for (unsigned i = 0; i < kept; i++) {
        struct tp_span known = tp_intern_text(&plain, i);
        expect_text(&in, i, known.ptr, known.len_bytes);
        assert_int_equal(tp_intern_find(&in, known), i);
    }
    assert_int_equal(put(&in, "new"), kept);
    assert_in_range(in.block_bytes, in.text_bytes, 2 * tp_intern_bytes(&plain) + TP_KIB(32));
    tp_intern_fini(&in);
    tp_intern_fini(&plain);
    free(numbers);
    free(longer);
}

static void test_packed_texts_are_found(void **state)
{
    uint64_t before_bytes = tp_alloc_live_bytes();
    (void)state;
    expect_packed(1, 5000);
    expect_packed(2, 5000);
    expect_packed(100, 5000);
    expect_packed(0, 5000);
    assert_int_equal(tp_alloc_live_bytes(), before_bytes);
}

static void test_packing_without_memory_is_told(void **state)
{
    uint64_t before_bytes = tp_alloc_live_bytes();
    (void)state;
    for (uint64_t nth = 1;; nth++) {
        struct tp_intern in = {0};
        char text[16];
        uint32_t numbers[2000] = {0};
        for (unsigned i = 0; i < TP_ARRAY_LEN(numbers); i++) {
            snprintf(text, sizeof text, "%u", i);
            assert_int_equal(put(&in, text), i);
        }
        tp_alloc_fail_at(nth, false);
        bool fits = tp_intern_pack(&in, numbers);
        assert_int_equal(fits, tp_alloc_fail_left() != 0);
        tp_alloc_fail_at(0, false);
        tp_intern_fini(&in);
        assert_int_equal(tp_alloc_live_bytes(), before_bytes);
        if (fits)
            break;
    }
}

// Texts whose XXH3 hashes agree in the bits that chose the slot when the hash had no key.
static void test_chosen_texts_do_not_collide(void **state)
{
    enum { CHOSEN = 200, SLOTS = 512 };
    struct tp_intern in = {0};
    size_t homes = 0;
    char text[16];
    (void)state;
    for (unsigned i = 0; in.count < CHOSEN; i++) {
        size_t len_bytes = (size_t)snprintf(text, sizeof text, "name%u", i);
        if ((tp_digest_short(tp_span_of(text, len_bytes)) >> 32) % SLOTS == 0)
            (void)put(&in, text);
    }
    assert_int_equal(in.index.count, SLOTS);
    for (uint32_t at = 0, *n = in.index.numbers; at < SLOTS; at++)
        homes += n[at] != TP_INTERN_NONE && tp_index_home(&in.index, in.items[n[at]].hash) == at;
    assert_in_range(homes, CHOSEN / 4, CHOSEN);
    tp_intern_fini(&in);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_packed_texts_are_found),
        cmocka_unit_test(test_packing_without_memory_is_told),
        cmocka_unit_test(test_numbers_come_in_order),
        cmocka_unit_test(test_texts_are_copied),
        cmocka_unit_test(test_the_empty_text_is_one),
        cmocka_unit_test(test_zeroes_are_bytes),
        cmocka_unit_test(test_long_texts),
        cmocka_unit_test(test_many_texts),
        cmocka_unit_test(test_chosen_texts_do_not_collide),
        cmocka_unit_test(test_without_memory_nothing_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
