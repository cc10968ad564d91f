// States whose totals are too large, and outputs that fail.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "state_lab.h"

static struct tp_totals read_state(const struct state_bytes *b)
{
    struct tp_totals s;
    struct tp_error err;
    assert_int_equal(tp_totals_read(tp_span_of(b->ptr, b->len_bytes), &s, &err), 0);
    return s;
}

static void expect_bytes(const struct tp_totals *got, const struct state_bytes *want)
{
    struct state_bytes b = state_of(got);
    assert_true(state_is_same(&b, want));
    tp_free(b.ptr);
}

static int read_within(const struct state_bytes *b, uint64_t most_bytes, struct tp_error *err)
{
    struct tp_totals again = {0};
    struct tp_span file = tp_span_of(b->ptr, b->len_bytes);
    const struct tp_state_terms terms = {.most_bytes = most_bytes, .pcs = TP_STATE_PCS_REMOVED};
    int rc = tp_totals_read_by(file, &terms, &again, err);
    tp_totals_fini(&again);
    return rc;
}

static void test_totals_that_would_be_too_large_are_refused(void **state)
{
    struct tp_totals s = {0};
    struct tp_error err;
    (void)state;
    state_add_anything(&s, 8, 1000);
    struct state_bytes b = state_of(&s);
    struct tp_totals whole = read_state(&b);
    size_t bytes = tp_totals_bytes(&whole);
    // Those with PCs are there twice while these are removed.
    assert_int_equal(read_within(&b, 2 * bytes, &err), 0);
    for (size_t most_bytes = 0; most_bytes < bytes; most_bytes += bytes / 50) {
        assert_int_equal(read_within(&b, most_bytes, &err), TP_E_LIMIT);
        assert_non_null(strstr(err.text, "; increase --max-memory"));
    }
    // So are those of files in doubt.
    assert_true(tp_totals_set_doubtful(&s));
    s.doubtful->file_count = 1;
    struct state_bytes outer = state_of(&s);
    assert_int_equal(read_within(&outer, 2 * bytes + sizeof s, &err), 0);
    assert_int_equal(read_within(&outer, bytes / 2, &err), TP_E_LIMIT);
    tp_free(outer.ptr);
    tp_totals_fini(&whole);
    tp_totals_fini(&s);
    tp_free(b.ptr);
}

static void test_bytes_that_were_read_are_given_back(void **state)
{
    enum { NAMES = 4000, NAME_BYTES = 1000 };
    struct tp_totals s = {0}, again;
    struct tp_error err;
    char name[NAME_BYTES] = {0};
    (void)state;
    for (unsigned i = 0; i < NAMES; i++) {
        uint32_t number;
        snprintf(name, sizeof name, "%0*u", NAME_BYTES - 1, i);
        assert_true(tp_totals_name(&s, TP_SPACE_TASK, tp_span_of_text(name), &number) &&
                    tp_durations_record(&s.durations, TP_SPACE_TASK, number, 0, 5, TP_NO_MOMENT, false));
    }
    struct state_bytes b = state_of(&s);
    unsigned char *mapped = tp_map(b.len_bytes);
    assert_non_null(mapped);
    memcpy(mapped, b.ptr, b.len_bytes);
    // The file is nearly as large as the totals, and both are not there at once.
    const struct tp_state_terms terms = {
        .most_bytes = tp_totals_bytes(&s) + TP_MIB(2), .gives_back = true, .pcs = TP_STATE_PCS_REMOVED};
    struct tp_span file = tp_span_of(mapped, b.len_bytes);
    assert_int_equal(tp_totals_read_by(file, &terms, &again, &err), 0);
    expect_bytes(&again, &b);
    assert_int_equal(mapped[TP_KIB(2500)], 0);
    assert_int_not_equal(b.ptr[TP_KIB(2500)], 0);
    tp_unmap(mapped, b.len_bytes);
    tp_free(b.ptr);
    tp_totals_fini(&again);
    tp_totals_fini(&s);
}

static int fail_to_write(struct tp_out *out, struct tp_span bytes, struct tp_error *err)
{
    (void)out, (void)bytes;
    return tp_fail(err, TP_E_WRITE, "full");
}

static void test_an_output_that_fails_is_told(void **state)
{
    static const unsigned counts[] = {0, 100, 10000};
    struct tp_out out = {fail_to_write};
    (void)state;
    for (unsigned i = 0; i < TP_ARRAY_LEN(counts); i++) {
        struct tp_totals s = {0};
        struct tp_error err;
        state_add_anything(&s, 8, counts[i]);
        assert_int_equal(tp_totals_write(&s, &out, &err), TP_E_WRITE);
        assert_string_equal(err.text, "full");
        tp_totals_fini(&s);
    }
}

// Adds waits for `count` reasons, from number `first` on.
static void add_reasons(struct tp_totals *s, unsigned first, unsigned count)
{
    uint32_t name;
    assert_true(tp_totals_name(s, TP_SPACE_GOROUTINE, tp_span_of_text("main.main"), &name));
    for (unsigned i = first; i < first + count; i++) {
        char text[32];
        snprintf(text, sizeof text, "reason %u", i);
        uint32_t reason = tp_intern_put(&s->reasons, tp_span_of_text(text));
        assert_true(tp_durations_record(&s->durations, TP_SPACE_GOROUTINE, name,
                                        TP_MEASURE_FIRST_BLOCK + reason, 5, TP_NO_MOMENT, false));
    }
}

static void test_reasons_have_a_limit(void **state)
{
    struct tp_totals all = {0}, more = {0}, same = {0};
    struct tp_error err;
    (void)state;
    add_reasons(&all, 0, TP_TOTALS_REASONS_MAX - 1);
    add_reasons(&more, 1000, 2);
    add_reasons(&same, 7, 2);
    struct state_bytes before = state_of(&all);
    assert_int_equal(tp_totals_move(&all, &more, &err), TP_E_TOO_LARGE);
    expect_bytes(&all, &before);
    assert_int_equal(tp_totals_move(&all, &same, &err), 0);
    add_reasons(&all, 1000, 1);
    struct state_bytes full = state_of(&all);
    struct tp_totals again = read_state(&full);
    expect_bytes(&again, &full);
    add_reasons(&all, 1001, 1);
    struct state_bytes beyond = state_of(&all);
    struct tp_span file = tp_span_of(beyond.ptr, beyond.len_bytes);
    assert_int_equal(tp_totals_read(file, &again, &err), TP_E_STATE);
    assert_non_null(strstr(err.text, "more than 256 rows of a section"));
    tp_free(before.ptr);
    tp_free(full.ptr);
    tp_free(beyond.ptr);
    tp_totals_fini(&again);
    tp_totals_fini(&all);
    tp_totals_fini(&more);
    tp_totals_fini(&same);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_totals_that_would_be_too_large_are_refused),
        cmocka_unit_test(test_bytes_that_were_read_are_given_back),
        cmocka_unit_test(test_an_output_that_fails_is_told),
        cmocka_unit_test(test_reasons_have_a_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
