// Names of hosts: patterns, and states whose hosts other patterns named.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "stats/hosts/hosts.h"

static struct tp_path_group group_of(const char *pattern)
{
    struct tp_path_group g = {0};
    struct tp_error err;
    assert_int_equal(tp_path_group_set(&g, pattern, &err), 0);
    return g;
}

static void test_states_of_other_groups_are_refused(void **state)
{
    (void)state;
    struct tp_path_group g = group_of("host-([0-9])"), other = group_of("[0-9]+");
    struct tp_totals s = {0};
    const struct tp_file_row row = {
        .path = tp_intern_put(&s.names, tp_span_of_text("host-00")), .host = TP_INTERN_NONE, .grouped_by = TP_INTERN_NONE};
    assert_true(TP_LIST_ADD(&s.files, row));
    struct tp_error err;
    assert_int_equal(tp_hosts_check(&s, NULL, &err), 0);
    assert_int_equal(tp_hosts_check(&s, &g, &err), TP_E_STATE);
    assert_non_null(strstr(err.text, "made without --group"));
    assert_true(tp_hosts_name(&s, &g, "host-12"));
    assert_int_equal(tp_hosts_check(&s, &g, &err), 0);
    assert_int_equal(tp_hosts_check(&s, NULL, &err), TP_E_STATE);
    assert_int_equal(tp_hosts_check(&s, &other, &err), TP_E_STATE);
    assert_non_null(strstr(err.text, "'host-([0-9])'"));
    tp_totals_fini(&s);
    tp_path_group_fini(&g);
    tp_path_group_fini(&other);
}

static void test_patterns(void **state)
{
    (void)state;
    struct tp_path_group g = {0};
    struct tp_error err;
    assert_int_equal(tp_path_group_set(&g, "host-(", &err), TP_E_USAGE);
    assert_null(g.pattern);
    assert_int_equal(tp_path_group_set(&g, "", &err), 0);
    assert_null(g.pattern);
    assert_int_equal(tp_path_group_set(&g, "h[0-9]+", &err), 0);
    assert_true(tp_span_is(tp_path_group_name(&g, "a/h12/x"), "h12"));
    assert_int_equal(tp_path_group_set(&g, "h[0-9]+/(.)", &err), 0);
    assert_true(tp_span_is(tp_path_group_name(&g, "a/h12/xy"), "x"));
    assert_int_equal(tp_path_group_name(&g, "a/b").len_bytes, 0);
    tp_path_group_fini(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_states_of_other_groups_are_refused),
        cmocka_unit_test(test_patterns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
