// The name that a mistyped word was meant to be.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/text/nearest.h"

static const char *const names[] = {"stats", "text",      "events",
                                    "list",  "zstd",      "raw",
                                    "null",  "footprint", "a-name-of-more-than-thirty-two-bytes"};

static struct tp_nearest nearest_of(const char *word)
{
    struct tp_nearest n = {.word = tp_span_of_text(word)};
    for (size_t i = 0; i < TP_ARRAY_LEN(names); i++)
        tp_nearest_try(&n, names[i]);
    return n;
}

static void assert_nearest(const char *word, const char *name, unsigned distance)
{
    struct tp_nearest n = nearest_of(word);
    if (n.name == NULL)
        fail_msg("nothing is near '%s'", word);
    assert_string_equal(n.name, name);
    assert_int_equal(n.distance, distance);
}

static void assert_none(const char *word)
{
    struct tp_nearest n = nearest_of(word);
    if (n.name != NULL)
        fail_msg("'%s' is near '%s'", word, n.name);
}

static void test_each_kind_of_mistake_is_one(void **state)
{
    (void)state;
    assert_nearest("stat", "stats", 1);   // a byte is missing
    assert_nearest("statts", "stats", 1); // one too many
    assert_nearest("stets", "stats", 1);  // another one
    assert_nearest("satts", "stats", 1);  // two are swapped
    assert_nearest("tsats", "stats", 1);  // at the begin
    assert_nearest("stasts", "stats", 1);
    assert_nearest("stats", "stats", 0);
    assert_nearest("fotprnit", "footprint", 2);
    assert_nearest("foootprnt", "footprint", 2);
}

static void test_a_quarter_is_near_enough(void **state)
{
    (void)state;
    assert_none("html");
    assert_none("pprof");
    assert_none("");
    assert_none("ra");              // one of three
    assert_nearest("lis", "list", 1); // one of four
    assert_none("ra_");
    assert_none("r__");
    assert_none("sta"); // two of five
    assert_none("a-name-of-more-than-thirty-two-bytes");
}

static void test_the_first_of_the_nearest_is_kept(void **state)
{
    (void)state;
    struct tp_nearest n = {.word = tp_span_of_text("bats")};
    tp_nearest_try(&n, "barts");
    tp_nearest_try(&n, "cats");
    assert_string_equal(n.name, "barts");
    tp_nearest_try(&n, "bats");
    assert_string_equal(n.name, "bats");
}

static void test_a_word_need_not_end_with_zero(void **state)
{
    (void)state;
    struct tp_nearest n = {.word = tp_span_of("stas:format=json", 4)};
    tp_nearest_try(&n, "stats");
    assert_string_equal(n.name, "stats");
}

static void test_failure_lists_all_names(void **state)
{
    (void)state;
    struct tp_error err;
    struct tp_nearest n = {.word = tp_span_of_text("satts")};
    assert_int_equal(tp_nearest_fail(&n, "unknown sink", &err), TP_E_USAGE);
    assert_string_equal(err.text, "unknown sink 'satts'");
    tp_nearest_try(&n, "stats");
    tp_nearest_try(&n, "text");
    tp_nearest_fail(&n, "unknown sink", &err);
    assert_string_equal(err.text, "unknown sink 'satts' (did you mean 'stats'?); known: stats, text");
    n = (struct tp_nearest){.word = tp_span_of_text("html")};
    tp_nearest_try(&n, "stats");
    tp_nearest_fail(&n, "unknown sink", &err);
    assert_string_equal(err.text, "unknown sink 'html'; known: stats");
}

// However many names of whatever length, the list has all of them or ends with "...".
static void test_list_shows_that_it_is_cut(void **state)
{
    (void)state;
    for (int width = 1; width < 160; width++) {
        struct tp_nearest n = {.word = tp_span_of_text("x")};
        char name[161];
        snprintf(name, sizeof name, "%0*d", width, 7);
        for (int count = 1; count < 100; count++) {
            tp_nearest_try(&n, name);
            assert_int_equal(strlen(n.list), n.list_bytes);
            size_t whole_bytes = (size_t)(count * (width + 2) - 2);
            if (n.list_bytes == whole_bytes && n.list[n.list_bytes - 1] == '7')
                continue;
            assert_true(whole_bytes + strlen(", ...") >= TP_NEAREST_LIST_BYTES - 4);
            assert_string_equal(n.list + n.list_bytes - 3, "...");
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_kind_of_mistake_is_one),
        cmocka_unit_test(test_a_quarter_is_near_enough),
        cmocka_unit_test(test_the_first_of_the_nearest_is_kept),
        cmocka_unit_test(test_a_word_need_not_end_with_zero),
        cmocka_unit_test(test_failure_lists_all_names),
        cmocka_unit_test(test_list_shows_that_it_is_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
