// Names are numbered in the order in which they come, equal ones once; the set has an
// end, and memory that is lacking leaves it as it was.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/names.h"

static struct tp_span number_text(char to[static 24], unsigned i)
{
    return tp_span_of(to, (size_t)snprintf(to, 24, "name %u", i));
}

static void test_numbers(void **state)
{
    struct tp_names n = {0};
    uint32_t name;
    char text[24];
    (void)state;
    assert_int_equal(tp_names_add(&n, tp_span_of("", 0), &name, NULL), 0);
    assert_int_equal(name, 0);
    for (unsigned i = 1; i <= 5000; i++) {
        assert_int_equal(tp_names_add(&n, number_text(text, i), &name, NULL), 0);
        assert_int_equal(name, i);
    }
    // A zero is a byte like others.
    assert_int_equal(tp_names_add(&n, tp_span_of("a\0b", 3), &name, NULL), 0);
    assert_int_equal(name, 5001);
    assert_int_equal(tp_names_add(&n, tp_span_of("a\0c", 3), &name, NULL), 0);
    assert_int_equal(name, 5002);
    for (unsigned i = 5000; i > 0; i--) {
        struct tp_span wanted = number_text(text, i);
        assert_int_equal(tp_names_add(&n, wanted, &name, NULL), 0);
        assert_int_equal(name, i);
        struct tp_span got = tp_names_text(&n, name);
        assert_true(tp_span_equals(got, wanted.ptr, wanted.len_bytes));
    }
    assert_int_equal(tp_names_text(&n, 0).len_bytes, 0);
    assert_int_equal(n.count, 5003);
    tp_names_fini(&n);
    tp_names_fini(&n);
}

static void test_too_many(void **state)
{
    struct tp_names n = {0};
    struct tp_error err;
    uint32_t name = 77;
    char text[24];
    (void)state;
    for (unsigned i = 0; i < TP_NAMES_MAX; i++)
        assert_int_equal(tp_names_add(&n, number_text(text, i), &name, &err), 0);
    name = 77;
    assert_int_equal(tp_names_add(&n, tp_span_of("one more", 8), &name, &err), TP_E_TOO_LARGE);
    assert_int_equal(name, 77);
    assert_int_equal(tp_names_add(&n, number_text(text, 5), &name, &err), 0);
    assert_int_equal(name, 5);
    tp_names_fini(&n);
}

static void test_too_long(void **state)
{
    static unsigned char bytes[TP_MIB(1)];
    struct tp_names n = {0};
    struct tp_error err;
    uint32_t name;
    (void)state;
    for (unsigned i = 0; i < 16; i++) {
        memset(bytes, (int)i, sizeof bytes);
        assert_int_equal(tp_names_add(&n, tp_span_of(bytes, sizeof bytes), &name, &err), 0);
    }
    assert_int_equal(tp_names_add(&n, tp_span_of("x", 1), &name, &err), TP_E_TOO_LARGE);
    tp_names_fini(&n);
}

static int add_some(struct tp_names *n, struct tp_error *err)
{
    char text[24];
    uint32_t name;
    int rc = 0;
    for (unsigned i = 0; i < 300 && rc == 0; i++)
        rc = tp_names_add(n, number_text(text, i), &name, err);
    return rc;
}

static void test_failing_allocations(void **state)
{
    uint64_t live_bytes = tp_alloc_live_bytes(), nth = 0;
    struct tp_error err;
    int rc = TP_E_MEMORY;
    (void)state;
    while (rc != 0) {
        struct tp_names n = {0};
        tp_alloc_fail_at(++nth, false);
        rc = add_some(&n, &err);
        tp_alloc_fail_at(0, false);
        assert_true(rc == 0 || rc == TP_E_MEMORY);
        // What is there is usable.
        assert_int_equal(add_some(&n, &err), 0);
        assert_int_equal(n.count, 300);
        tp_names_fini(&n);
        assert_int_equal(tp_alloc_live_bytes(), live_bytes);
    }
    assert_true(nth > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_too_many),
        cmocka_unit_test(test_too_long),
        cmocka_unit_test(test_failing_allocations),
    };
    return cmocka_run_group_tests_name("names", tests, NULL, NULL);
}
