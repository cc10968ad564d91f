// Options from a table: what is accepted, and that a message names the key, the
// value and what is allowed.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/text/opts.h"

struct owner {
    bool flag;
    int64_t number;
    uint64_t size_bytes;
    int choice;
};

static const struct tp_opt_spec table[] = {
    {.key = "flag", .type = TP_OPT_BOOL, .offset_bytes = offsetof(struct owner, flag)},
    {.key = "number", .type = TP_OPT_INT, .offset_bytes = offsetof(struct owner, number),
     .min = -5, .max = 22},
    {.key = "size", .type = TP_OPT_BYTES, .offset_bytes = offsetof(struct owner, size_bytes),
     .min = 4096, .max = INT64_C(1) << 40},
    {.key = "choice", .type = TP_OPT_ENUM, .offset_bytes = offsetof(struct owner, choice),
     .choices = "read|scan|decode"},
    {.key = NULL},
};
static const struct tp_opt_spec wide_table[] = {
    {.key = "n", .type = TP_OPT_INT, .offset_bytes = offsetof(struct owner, number),
     .min = INT64_MIN, .max = INT64_MAX},
    {.key = NULL},
};
struct text_owner {
    char text[TP_OPT_TEXT_MAX_BYTES + 1];
    char behind;
};
static const struct tp_opt_spec text_table[] = {
    {.key = "text", .type = TP_OPT_TEXT, .offset_bytes = offsetof(struct text_owner, text)},
    {.key = NULL},
};
static const struct tp_opt_spec empty_table[] = {{.key = NULL}};

static void test_sizes_as_people_write_them(void **state)
{
    static const struct {
        const char *text;
        uint64_t bytes;
    } good[] = {
        {"0", 0},
        {"4096", 4096},
        {"007", 7},
        {"64M", UINT64_C(64) << 20},
        {"64m", UINT64_C(64) << 20},
        {"1GiB", UINT64_C(1) << 30},
        {"1gib", UINT64_C(1) << 30},
        {"1kb", 1024},
        {"2KB", 2048},
        {"3T", UINT64_C(3) << 40},
        {"18446744073709551615", UINT64_MAX},
        {"16777215T", UINT64_C(16777215) << 40},
        {"0T", 0},
    };
    static const char *const bad[] = {
        "", " 1", "1 ", "-1", "+1", "K", "1X", "1KX", "1Ki", "1KiBs", "1B", "1.5G", "0x10", "1M1",
        "18446744073709551616", "16777216T", "18014398509481984K", "99999999999999999999999",
    };
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(good); i++) {
        uint64_t bytes = 1;
        assert_true(tp_parse_bytes(good[i].text, &bytes));
        assert_int_equal(bytes, good[i].bytes);
    }
    for (size_t i = 0; i < TP_ARRAY_LEN(bad); i++) {
        uint64_t bytes = 42;
        if (tp_parse_bytes(bad[i], &bytes))
            fail_msg("'%s' was taken for %llu", bad[i], (unsigned long long)bytes);
        assert_int_equal(bytes, 42);
    }
}

static void test_each_type_lands_in_its_field(void **state)
{
    struct owner o = {0};
    (void)state;
    assert_int_equal(
        tp_opts_parse(table, &o, "flag=yes,number=-5,size=4K,choice=decode", NULL), 0);
    assert_true(o.flag);
    assert_int_equal(o.number, -5);
    assert_int_equal(o.size_bytes, 4096);
    assert_int_equal(o.choice, 2);
    assert_int_equal(tp_opts_parse(table, &o, "flag=off", NULL), 0);
    assert_false(o.flag);
    assert_int_equal(o.number, -5);
}

static void test_words_for_yes_and_no(void **state)
{
    static const char *const yes[] = {"yes", "on", "true", "1"};
    static const char *const no[] = {"no", "off", "false", "0"};
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(yes); i++) {
        struct owner o = {0};
        assert_int_equal(tp_opt_set(table, &o, "flag", yes[i], NULL), 0);
        assert_true(o.flag);
        assert_int_equal(tp_opt_set(table, &o, "flag", no[i], NULL), 0);
        assert_false(o.flag);
    }
}

static void test_nothing_is_nothing_to_do(void **state)
{
    struct owner o = {.number = 7};
    (void)state;
    assert_int_equal(tp_opts_parse(table, &o, NULL, NULL), 0);
    assert_int_equal(tp_opts_parse(table, &o, "", NULL), 0);
    assert_int_equal(tp_opts_parse(empty_table, &o, "", NULL), 0);
    assert_int_equal(o.number, 7);
}

static void test_numbers_of_all_64_bits(void **state)
{
    struct owner o = {0};
    (void)state;
    assert_int_equal(tp_opt_set(wide_table, &o, "n", "-9223372036854775808", NULL), 0);
    assert_true(o.number == INT64_MIN);
    assert_int_equal(tp_opt_set(wide_table, &o, "n", "9223372036854775807", NULL), 0);
    assert_true(o.number == INT64_MAX);
    assert_int_equal(tp_opt_set(wide_table, &o, "n", "9223372036854775808", NULL), TP_E_USAGE);
    assert_int_equal(tp_opt_set(wide_table, &o, "n", "-9223372036854775809", NULL), TP_E_USAGE);
    assert_true(o.number == INT64_MAX);
}

static void test_misuse_says_what_is_allowed(void **state)
{
    static const struct {
        const char *text;
        const char *message;
    } cases[] = {
        {"flag=maybe", "option 'flag' must be yes or no, not 'maybe'"},
        {"flag=", "option 'flag' must be yes or no, not ''"},
        {"flag=YES", "option 'flag' must be yes or no, not 'YES'"},
        {"number=23", "option 'number' must be a number from -5 to 22, not '23'"},
        {"number=-6", "option 'number' must be a number from -5 to 22, not '-6'"},
        {"number=1x", "option 'number' must be a number from -5 to 22, not '1x'"},
        {"number=-", "option 'number' must be a number from -5 to 22, not '-'"},
        {"size=1", "option 'size' must be a size from 4096 to 1099511627776 bytes, not '1'"},
        {"size=2T", "option 'size' must be a size from 4096 to 1099511627776 bytes, not '2T'"},
        {"size=16777215T",
         "option 'size' must be a size from 4096 to 1099511627776 bytes, not '16777215T'"},
        {"choice=all", "option 'choice' must be one of read|scan|decode, not 'all'"},
        {"choice=rea", "option 'choice' must be one of read|scan|decode, not 'rea'"},
        {"choice=readx", "option 'choice' must be one of read|scan|decode, not 'readx'"},
        {"choice=read|scan", "option 'choice' must be one of read|scan|decode, not 'read|scan'"},
        {"choice=", "option 'choice' must be one of read|scan|decode, not ''"},
        {"flags=yes", "there is no option 'flags' (did you mean 'flag'?); known: flag, number, size, choice"},
        {"=yes", "there is no option ''; known: flag, number, size, choice"},
        {"flag", "expected key=value, found 'flag'"},
        {",", "expected key=value, found ''"},
        {"flag=yes,", "expected key=value, found ''"},
        {"flag=yes,,number=1", "expected key=value, found ''"},
        {"flag=yes=no", "option 'flag' must be yes or no, not 'yes=no'"},
    };
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(cases); i++) {
        struct owner o = {.number = 3, .size_bytes = 9, .choice = 1};
        struct tp_error err = {0};
        assert_int_equal(tp_opts_parse(table, &o, cases[i].text, &err), TP_E_USAGE);
        assert_int_equal(err.code, TP_E_USAGE);
        assert_string_equal(err.text, cases[i].message);
        assert_int_equal(o.number, 3);
        assert_int_equal(o.size_bytes, 9);
        assert_int_equal(o.choice, 1);
    }
}

static void test_unknown_key_of_an_empty_table(void **state)
{
    struct owner o = {0};
    struct tp_error err;
    (void)state;
    assert_int_equal(tp_opts_parse(empty_table, &o, "a=b", &err), TP_E_USAGE);
    assert_string_equal(err.text, "there is no option 'a'");
}

static void test_long_words_are_cut_in_messages(void **state)
{
    char text[5000];
    struct owner o = {0};
    struct tp_error err;
    (void)state;
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    assert_int_equal(tp_opts_parse(table, &o, text, &err), TP_E_USAGE);
    assert_true(strlen(err.text) < 100);
    text[3000] = '=';
    assert_int_equal(tp_opts_parse(table, &o, text, &err), TP_E_USAGE);
    memcpy(text, "flag=", 5);
    assert_int_equal(tp_opts_parse(table, &o, text, &err), TP_E_USAGE);
    assert_true(strlen(err.text) < 100);
    assert_int_equal(tp_opt_set(table, &o, text + 3001, text, &err), TP_E_USAGE);
    assert_true(strlen(err.text) < 150);
}

static void test_texts_are_taken_as_they_are(void **state)
{
    (void)state;
    struct text_owner o = {.behind = 'b'};
    struct tp_error err;
    assert_int_equal(tp_opts_parse(text_table, &o, "text=main.(*T).f=\xff x", &err), 0);
    assert_string_equal(o.text, "main.(*T).f=\xff x");
    assert_int_equal(tp_opts_parse(text_table, &o, "text=", &err), 0);
    assert_string_equal(o.text, "");
    char text[TP_OPT_TEXT_MAX_BYTES + 2];
    memset(text, 'x', sizeof text);
    text[TP_OPT_TEXT_MAX_BYTES + 1] = '\0';
    assert_int_equal(tp_opt_set(text_table, &o, "text", text, &err), TP_E_USAGE);
    assert_non_null(strstr(err.text, "at most 255 bytes"));
    assert_string_equal(o.text, "");
    text[TP_OPT_TEXT_MAX_BYTES] = '\0';
    assert_int_equal(tp_opt_set(text_table, &o, "text", text, &err), 0);
    assert_string_equal(o.text, text);
    assert_int_equal(o.behind, 'b');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes_as_people_write_them),
        cmocka_unit_test(test_each_type_lands_in_its_field),
        cmocka_unit_test(test_words_for_yes_and_no),
        cmocka_unit_test(test_nothing_is_nothing_to_do),
        cmocka_unit_test(test_numbers_of_all_64_bits),
        cmocka_unit_test(test_misuse_says_what_is_allowed),
        cmocka_unit_test(test_texts_are_taken_as_they_are),
        cmocka_unit_test(test_unknown_key_of_an_empty_table),
        cmocka_unit_test(test_long_words_are_cut_in_messages),
    };
    return cmocka_run_group_tests_name("opts", tests, NULL, NULL);
}
