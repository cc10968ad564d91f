// Sums of files whose clock is in doubt: apart in totals and in states, however they came about.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "state_lab.h"

#define BYTES(text) text, sizeof(text) - 1

// One file with something of all kinds; in doubt or not.
static struct tp_totals one_file(uint64_t seed, bool is_doubtful)
{
    struct tp_totals s = {0};
    state_add_anything(&s, 2 * seed, 40); // even ones have none in doubt
    assert_null(s.doubtful);
    if (is_doubtful)
        assert_true(tp_totals_set_doubtful(&s));
    return s;
}

static struct tp_totals read_state(const struct state_bytes *b)
{
    struct tp_totals s;
    struct tp_error err;
    if (tp_totals_read(tp_span_of(b->ptr, b->len_bytes), &s, &err) != 0)
        fail_msg("%s at %llu", err.text, (unsigned long long)err.offset);
    return s;
}

static void expect_refused(const struct state_bytes *b, const char *want)
{
    struct tp_totals s;
    struct tp_error err;
    assert_int_equal(tp_totals_read(tp_span_of(b->ptr, b->len_bytes), &s, &err), TP_E_STATE);
    if (strstr(err.text, want) == NULL)
        fail_msg("\"%s\", not \"%s\"", err.text, want);
}

static void add(struct tp_totals *into, const struct tp_totals *from)
{
    struct tp_error err;
    assert_int_equal(tp_totals_merge(into, from, &err), 0);
}

static void test_it_is_in_nothing_else(void **state)
{
    struct tp_totals sound = one_file(1, false), doubtful = one_file(2, true), all = {0};
    (void)state;
    struct state_bytes want = state_of(&sound);
    add(&all, &sound);
    add(&all, &doubtful);
    assert_int_equal(all.file_count, 1);
    assert_int_equal(all.doubtful->file_count, 1);
    struct tp_totals apart = *all.doubtful;
    tp_free(all.doubtful);
    all.doubtful = NULL;
    struct state_bytes got = state_of(&all);
    assert_true(state_is_same(&got, &want));
    tp_free(got.ptr);
    tp_free(want.ptr);
    tp_totals_fini(&apart);
    tp_totals_fini(&all);
    tp_totals_fini(&sound);
    tp_totals_fini(&doubtful);
}

enum { FILES = 5 };

static void test_how_they_came_together_does_not_show(void **state)
{
    static const unsigned orders[][FILES] = {{0, 1, 2, 3, 4}, {4, 3, 2, 1, 0}, {2, 0, 4, 1, 3}};
    struct tp_totals files[FILES], all = {0};
    (void)state;
    for (unsigned i = 0; i < FILES; i++) {
        files[i] = one_file(10 + i, i % 2 == 1);
        add(&all, &files[i]);
    }
    struct state_bytes want = state_of(&all);
    for (unsigned i = 0; i < TP_ARRAY_LEN(orders); i++) {
        struct tp_totals left = {0}, right = {0};
        struct tp_error err;
        for (unsigned k = 0; k < FILES; k++)
            add(k < 1 + i ? &left : &right, &files[orders[i][k]]);
        struct state_bytes b = state_of(&left);
        tp_totals_fini(&left);
        left = read_state(&b);
        assert_int_equal(tp_totals_move(&right, &left, &err), 0);
        struct state_bytes got = state_of(&right);
        assert_true(state_is_same(&got, &want));
        tp_free(got.ptr);
        tp_free(b.ptr);
        tp_totals_fini(&left);
        tp_totals_fini(&right);
    }
    for (unsigned i = 0; i < FILES; i++)
        tp_totals_fini(&files[i]);
    tp_totals_fini(&all);
    tp_free(want.ptr);
}

static void test_what_cannot_be_is_refused(void **state)
{
    struct tp_totals doubtful = one_file(3, true), nothing = {0};
    struct state_bytes inner = state_of(doubtful.doubtful), outer = state_of(&doubtful);
    struct state_bytes none = state_of(&nothing), rest = {0}, empty = {0}, twice = {0};
    // In place of the sections of the files in doubt: the number of these, 0, and their checksum.
    enum { END_BYTES = 1 + 8 };
    state_append(&rest, "\1", 1);
    state_append(&rest, inner.ptr + STATE_SECTIONS_AT,
                 inner.len_bytes - STATE_SECTIONS_AT - END_BYTES);
    state_append(&empty, "\1", 1);
    state_append(&empty, none.ptr + STATE_SECTIONS_AT,
                 none.len_bytes - STATE_SECTIONS_AT - END_BYTES);
    state_append(&twice, rest.ptr, rest.len_bytes);
    state_append(&twice, rest.ptr, rest.len_bytes);
    const struct {
        struct state_section section;
        const char *want;
    } cases[] = {
        {{STATE_REST, BYTES("\1")}, "ends early"},
        {{STATE_REST, BYTES("\2")}, "no such choice"},
        {{STATE_REST, BYTES("\0\0")}, "continues after its end"},
        {{STATE_REST, (char *)rest.ptr, rest.len_bytes - 1}, "ends early"},
        // One in doubt of one in doubt.
        {{STATE_REST, (char *)twice.ptr, twice.len_bytes}, "continues after its end"},
        {{STATE_REST, (char *)empty.ptr, empty.len_bytes}, "of no file"},
    };
    (void)state;
    for (unsigned i = 0; i < TP_ARRAY_LEN(cases); i++) {
        struct state_bytes b = state_of_sections(&cases[i].section, 1);
        expect_refused(&b, cases[i].want);
        tp_free(b.ptr);
    }
    const struct state_section sound = {STATE_REST, (char *)rest.ptr, rest.len_bytes};
    struct state_bytes b = state_of_sections(&sound, 1);
    assert_true(state_is_same(&b, &outer));
    tp_free(b.ptr);
    tp_free(inner.ptr);
    tp_free(outer.ptr);
    tp_free(none.ptr);
    tp_free(rest.ptr);
    tp_free(empty.ptr);
    tp_free(twice.ptr);
    tp_totals_fini(&doubtful);
}

static void test_memory_that_is_lacking_is_told(void **state)
{
    struct tp_totals doubtful = one_file(4, true);
    struct state_bytes b = state_of(&doubtful);
    unsigned failure_count = 0;
    (void)state;
    uint64_t before_bytes = tp_alloc_live_bytes();
    for (uint64_t nth = 1;; nth++) {
        struct tp_totals s, into = {0};
        struct tp_error err;
        tp_alloc_fail_at(nth, false);
        int rc = tp_totals_read(tp_span_of(b.ptr, b.len_bytes), &s, &err);
        if (rc == 0) {
            rc = tp_totals_merge(&into, &s, &err);
            tp_totals_fini(&s);
        }
        bool has_failed = tp_alloc_fail_left() == 0;
        tp_alloc_fail_at(0, false);
        tp_totals_fini(&into);
        assert_int_equal(tp_alloc_live_bytes(), before_bytes);
        assert_int_equal(rc, has_failed ? TP_E_MEMORY : 0);
        if (!has_failed)
            break;
        failure_count++;
    }
    assert_true(failure_count > 50);
    tp_free(b.ptr);
    tp_totals_fini(&doubtful);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_it_is_in_nothing_else),
        cmocka_unit_test(test_how_they_came_together_does_not_show),
        cmocka_unit_test(test_what_cannot_be_is_refused),
        cmocka_unit_test(test_memory_that_is_lacking_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
