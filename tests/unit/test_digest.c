#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>
#include <xxhash.h>

#include "base/alloc.h"
#include "base/digest.h"

static void expected_text(const void *bytes, size_t len_bytes, char ret_text[TP_DIGEST_TEXT_BYTES])
{
    XXH128_hash_t h = XXH3_128bits(bytes, len_bytes);
    snprintf(ret_text, TP_DIGEST_TEXT_BYTES, "%016llx%016llx", (unsigned long long)h.high64,
             (unsigned long long)h.low64);
}

static void test_digest_of_known_bytes(void **state)
{
    (void)state;
    // Digests printed by `xxhsum -H2`.
    static const struct {
        const char *bytes;
        const char *text;
    } cases[] = {
        {"", "99aa06d3014798d86001c324468d497f"},
        {"abc", "06b05ab6733a618578af5f94892f3950"},
    };
    for (size_t i = 0; i < TP_ARRAY_LEN(cases); i++) {
        struct tp_digest *d = tp_digest_create();
        assert_non_null(d);
        tp_digest_add(d, tp_span_of(cases[i].bytes, strlen(cases[i].bytes)));
        char text[TP_DIGEST_TEXT_BYTES];
        tp_digest_text(d, text);
        assert_string_equal(text, cases[i].text);
        struct tp_span all = tp_span_of(cases[i].bytes, strlen(cases[i].bytes));
        assert_int_equal(tp_digest_short_of(d), tp_digest_short(all));
        tp_digest_destroy(d);
    }
}

static void test_digest_does_not_depend_on_the_cut(void **state)
{
    (void)state;
    unsigned char bytes[5000];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(i * 131 + i / 7);
    static const size_t cuts[] = {1, 7, 64, 255, 256, 257, 1024, 4999, 5000};
    char want[TP_DIGEST_TEXT_BYTES];
    expected_text(bytes, sizeof bytes, want);
    for (size_t c = 0; c < TP_ARRAY_LEN(cuts); c++) {
        struct tp_digest *d = tp_digest_create();
        assert_non_null(d);
        for (size_t at = 0; at < sizeof bytes; at += cuts[c]) {
            size_t left = sizeof bytes - at;
            tp_digest_add(d, tp_span_of(bytes + at, left < cuts[c] ? left : cuts[c]));
        }
        char text[TP_DIGEST_TEXT_BYTES];
        tp_digest_text(d, text);
        assert_string_equal(text, want);
        tp_digest_destroy(d);
    }
}

static void test_digest_text_leaves_the_stream_open(void **state)
{
    (void)state;
    struct tp_digest *d = tp_digest_create();
    assert_non_null(d);
    char text[TP_DIGEST_TEXT_BYTES], want[TP_DIGEST_TEXT_BYTES];
    tp_digest_add(d, tp_span_of("go 1.2", 6));
    tp_digest_text(d, text);
    expected_text("go 1.2", 6, want);
    assert_string_equal(text, want);
    tp_digest_add(d, tp_span_of(NULL, 0));
    tp_digest_add(d, tp_span_of("6 trace", 7));
    tp_digest_text(d, text);
    expected_text("go 1.26 trace", 13, want);
    assert_string_equal(text, want);
    tp_digest_destroy(d);
}

static void test_digest_without_memory_is_null(void **state)
{
    (void)state;
    uint64_t before = tp_alloc_live_bytes();
    tp_alloc_fail_at(1, false);
    assert_null(tp_digest_create());
    tp_alloc_fail_at(0, false);
    tp_digest_destroy(NULL);
    assert_int_equal(tp_alloc_live_bytes(), before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_digest_of_known_bytes),
        cmocka_unit_test(test_digest_does_not_depend_on_the_cut),
        cmocka_unit_test(test_digest_text_leaves_the_stream_open),
        cmocka_unit_test(test_digest_without_memory_is_null),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
