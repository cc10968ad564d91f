// Regular expressions of users, whose cost is bounded.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/text/regex.h"

#define LONG "longer than 1000 characters with its repetitions written out"

static const struct {
    const char *pattern;
    const char *why; // NULL: it compiles
} patterns[] = {
    {"", NULL},
    {"host-([0-9]{1,3}\\.){3}[0-9]{1,3}", NULL},
    {"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?", NULL},
    {"a{1000}", NULL},
    {"a{1001}", LONG},
    {"a{1,1000}", NULL},
    {"a{999,}", NULL},
    {"a{1000,}", LONG},
    {"a{500}b{500}", NULL},
    {"a{500}b{500}c", LONG},
    {"a{500}|b{501}", LONG},
    {"(((a{1,255}){1,255}){1,255})", LONG},
    {"(((){255}){255}){255}", LONG},
    {"a{40}{40}", LONG},
    {"((((((((((a+)+)+)+)+)+)+)+)+)+)+", LONG},
    {"((((((((((a*)*)*)*)*)*)*)*)*)*)*", NULL},
    {"(a{0}){1000}", LONG},
    {"([(]a{100}){100}", LONG},
    {"[]({1000}a]{900}", NULL},
    {"[[:alpha:](]{900}", NULL},
    {"\\({999}\\)", NULL},
    {"a{99999999999999999999}", LONG},
    {"(a*)*\\1b", "back-references are not supported"},
    {"\\\\1", NULL},
    {"[\\1]", NULL},
    {"(a", "Unmatched ( or \\("},
    {"a{1", "Unmatched \\{"},
    {"[[:alpha:", "Unmatched [, [^, [:, [., or [="},
};

static void test_a_pattern_is_refused_for_its_cost_or_form(void **state)
{
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(patterns); i++) {
        regex_t compiled;
        char why[TP_REGEX_WHY_BYTES] = "";
        bool is_compiled = tp_regex_compile(&compiled, patterns[i].pattern, 0, why);
        if (is_compiled != (patterns[i].why == NULL))
            fail_msg("%s: %s", patterns[i].pattern, why);
        assert_string_equal(why, patterns[i].why != NULL ? patterns[i].why : "");
        if (is_compiled)
            regfree(&compiled);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_pattern_is_refused_for_its_cost_or_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
