// What is found is what was put for just those bytes, or nothing.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "decode/frame_cache.h"
#include "wire_build.h"

static struct tp_frame_cache cache;

static void put(const unsigned char *wire, size_t wire_bytes, const char *text)
{
    tp_frame_cache_put(&cache, wire, wire_bytes, (const unsigned char *)text, strlen(text));
}

static void assert_found(const unsigned char *wire, size_t wire_bytes, const char *text)
{
    const struct tp_frame_text *f = tp_frame_cache_find(&cache, wire);
    assert_non_null(f);
    assert_int_equal(f->key.wire_bytes, wire_bytes);
    assert_int_equal(f->text_bytes, strlen(text));
    assert_memory_equal(f->text, text, f->text_bytes);
}

static void test_an_empty_cache_holds_nothing(void **state)
{
    (void)state;
    unsigned char wire[TP_FRAME_WIRE_MAX_BYTES] = {0};
    cache = (struct tp_frame_cache){0};
    assert_null(tp_frame_cache_find(&cache, wire));
    memset(wire, 0xff, sizeof wire);
    assert_null(tp_frame_cache_find(&cache, wire));
}

// Two frames of one slot: every byte of a frame counts, and none behind it.
static void test_all_bytes_of_a_frame_and_no_others_are_compared(void **state)
{
    (void)state;
    for (size_t wire_bytes = 4; wire_bytes <= TP_FRAME_WIRE_MAX_BYTES; wire_bytes++) {
        unsigned char wire[TP_FRAME_WIRE_MAX_BYTES] = {0x81, 0x82, 0x83, 0x84, 5};
        cache = (struct tp_frame_cache){0};
        put(wire, wire_bytes, "\n\tpc=1 func=2 file=3 line=4");
        for (size_t i = 0; i < sizeof wire; i++) {
            wire[i] ^= 1;
            if (i < wire_bytes)
                assert_null(tp_frame_cache_find(&cache, wire));
            else if (i >= 5) // those in front choose the slot
                assert_found(wire, wire_bytes, "\n\tpc=1 func=2 file=3 line=4");
            wire[i] ^= 1;
        }
    }
}

static void test_what_is_too_long_is_not_kept(void **state)
{
    (void)state;
    unsigned char wire[TP_FRAME_WIRE_MAX_BYTES + 1] = {1, 2, 3, 4};
    char text[TP_FRAME_TEXT_MAX_BYTES + 2];
    memset(text, 'x', sizeof text);
    text[TP_FRAME_TEXT_MAX_BYTES + 1] = 0;
    cache = (struct tp_frame_cache){0};
    put(wire, 4, text);
    assert_null(tp_frame_cache_find(&cache, wire));
    text[TP_FRAME_TEXT_MAX_BYTES] = 0;
    put(wire, TP_FRAME_WIRE_MAX_BYTES + 1, text);
    assert_null(tp_frame_cache_find(&cache, wire));
    put(wire, TP_FRAME_WIRE_MAX_BYTES, text);
    assert_found(wire, TP_FRAME_WIRE_MAX_BYTES, text);
}

static void test_the_last_of_a_slot_is_kept(void **state)
{
    (void)state;
    uint64_t random = 3;
    cache = (struct tp_frame_cache){0};
    for (unsigned i = 0; i < 20000; i++) {
        uint64_t bits[2] = {wire_random(&random), wire_random(&random)};
        unsigned char wire[TP_FRAME_WIRE_MAX_BYTES];
        memcpy(wire, bits, sizeof wire);
        size_t wire_bytes = 4 + i % (TP_FRAME_WIRE_MAX_BYTES - 3);
        put(wire, wire_bytes, i % 2 == 0 ? "even" : "an odd one");
        assert_found(wire, wire_bytes, i % 2 == 0 ? "even" : "an odd one");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_empty_cache_holds_nothing),
        cmocka_unit_test(test_all_bytes_of_a_frame_and_no_others_are_compared),
        cmocka_unit_test(test_what_is_too_long_is_not_kept),
        cmocka_unit_test(test_the_last_of_a_slot_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
