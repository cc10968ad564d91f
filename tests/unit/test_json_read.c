// JSON that is read back.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/text/json.h"
#include "base/text/json_read.h"

#define SPAN(text) tp_span_of_text(text)

static void expect_member(const char *object, const char *key, const char *wanted)
{
    struct tp_span found = tp_json_member(SPAN(object), key);
    assert_int_equal(found.len_bytes, strlen(wanted));
    assert_memory_equal(found.ptr, wanted, found.len_bytes);
}

static void test_members_are_found_by_key(void **state)
{
    (void)state;
    const char *object = "{\"a\": 1, \"b\":\"x,}\\\"\" , \"c\": {\"a\": [2, {\"d\": 3}]},\"e\":[ ],\"f\":null}";
    assert_true(tp_json_is_object(SPAN(object)));
    expect_member(object, "a", "1");
    expect_member(object, "b", "\"x,}\\\"\"");
    expect_member(object, "c", "{\"a\": [2, {\"d\": 3}]}");
    expect_member(object, "e", "[ ]");
    expect_member(object, "f", "null");
    expect_member(object, "d", ""); // of an object inside
    expect_member("[1]", "a", "");
    expect_member("", "a", "");
}

static void test_items_come_one_after_the_other(void **state)
{
    (void)state;
    static const char *const wanted[] = {"1", "\"a,b]\"", "[2, 3]", "{}"};
    struct tp_span rest = tp_json_items(SPAN("[1, \"a,b]\",[2, 3] , {}]")), item;
    for (size_t i = 0; i < TP_ARRAY_LEN(wanted); i++) {
        assert_true(tp_json_next(&rest, &item));
        assert_true(tp_span_is(item, wanted[i]));
    }
    assert_false(tp_json_next(&rest, &item));
    rest = tp_json_items(SPAN("[ ]"));
    assert_false(tp_json_next(&rest, &item));
    rest = tp_json_items(SPAN("[1"));
    assert_false(tp_json_next(&rest, &item));
}

static void test_numbers_are_whole_and_fit(void **state)
{
    (void)state;
    static const char *const wrong[] = {"", "-1", "1.5", "1e3", "\"1\"", "12345678901234567890"};
    uint64_t number = 7;
    assert_true(tp_json_u64(SPAN("0"), &number));
    assert_int_equal(number, 0);
    assert_true(tp_json_u64(SPAN("9999999999999999999"), &number));
    assert_true(number == 9999999999999999999u);
    for (size_t i = 0; i < TP_ARRAY_LEN(wrong); i++)
        assert_false(tp_json_u64(SPAN(wrong[i]), &number));
}

// Each text of up to three of these pieces is what it was after it was written and read.
static void test_texts_are_restored(void **state)
{
    (void)state;
    static const char *const pieces[] = {"",         "a",    "\"",   "\\",       "/",       "\n",
                                         "\t",       "\x01", "\x7f", "\xff",     "\xc3",    "\xc3\xa4",
                                         "\u20ac",   "\u202e", "\ufffd", "\U0001f600", "\xed\xb3\xbf", "u0041"};
    enum { COUNT = TP_ARRAY_LEN(pieces) };
    for (size_t i = 0; i < COUNT * COUNT * COUNT; i++) {
        char text[32];
        unsigned char json[256] = "\"";
        snprintf(text, sizeof text, "%s%s%s", pieces[i % COUNT], pieces[i / COUNT % COUNT],
                 pieces[i / COUNT / COUNT]);
        unsigned char *end = tp_json_put(json + 1, SPAN(text));
        *end++ = '"';
        char *read = tp_json_strdup(tp_span_of(json, (size_t)(end - json)));
        assert_non_null(read);
        assert_string_equal(read, text);
        tp_free(read);
    }
}

static void test_escapes_of_others_are_read(void **state)
{
    (void)state;
    assert_true(tp_json_is_text(SPAN("\"\\u00e4 \\n\"")));
    char *text = tp_json_strdup(SPAN("\"\\/\\b\\f\\r\\u00e4\\u20AC\""));
    assert_string_equal(text, "/\b\f\r\u00e4\u20ac");
    tp_free(text);
}

static void test_what_is_no_string_is_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {"",        "\"",        "1",         "\"a",       "\"\\x\"",
                                        "\"\\u12\"", "\"\\u0000\"", "\"\\u12g4\"", "\"\\\"",   "null"};
    for (size_t i = 0; i < TP_ARRAY_LEN(wrong); i++) {
        assert_null(tp_json_strdup(SPAN(wrong[i])));
        assert_false(tp_json_is_text(SPAN(wrong[i])));
    }
}

// No beginning of an object is one, and nothing is read behind it.
static void test_a_cut_object_is_none(void **state)
{
    (void)state;
    const char *object = "{\"a\": {\"b\": [1, \"\\\"}\"]}, \"c\": \"d\"}";
    size_t len_bytes = strlen(object);
    for (size_t n = 0; n < len_bytes; n++) {
        unsigned char *copy = tp_alloc(n + 1); // the sanitizer sees a read behind it
        struct tp_span cut = tp_span_of(copy, n), item;
        memcpy(copy, object, n);
        assert_false(tp_json_is_object(cut));
        (void)tp_json_member(cut, "c");
        while (tp_json_next(&cut, &item)) {
        }
        tp_free(copy);
    }
    assert_false(tp_json_is_object(SPAN("{}}")));
    assert_false(tp_json_is_object(SPAN("{} {}")));
    assert_false(tp_json_is_object(SPAN("[1]")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_members_are_found_by_key),
        cmocka_unit_test(test_items_come_one_after_the_other),
        cmocka_unit_test(test_numbers_are_whole_and_fit),
        cmocka_unit_test(test_texts_are_restored),
        cmocka_unit_test(test_escapes_of_others_are_read),
        cmocka_unit_test(test_what_is_no_string_is_refused),
        cmocka_unit_test(test_a_cut_object_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
