// Stacks are the same if their functions, files and lines are: what states with program counters
// become without them, in any order and grouping, and which reports show such stacks as one row.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "out_capture.h"
#include "sink/stats/forms.h"
#include "state_lab.h"

static uint32_t name_of(struct tp_totals *s, const char *text)
{
    uint32_t name = tp_intern_put(&s->names, tp_span_of(text, strlen(text)));
    assert_int_not_equal(name, TP_INTERN_NONE);
    return name;
}

struct at {
    const char *function, *file;
    uint64_t line, pc;
};

// Records `ns` under a stack of `count` frames, innermost first.
static void record(struct tp_totals *s, enum tp_stack_type type, const struct at *at, size_t count,
                   uint64_t ns)
{
    uint32_t frames[8];
    for (size_t i = 0; i < count; i++) {
        const struct tp_totals_frame f = {at[i].pc, at[i].line, name_of(s, at[i].function),
                                          name_of(s, at[i].file)};
        frames[i] = tp_totals_frames_put(&s->frames, &s->names, &f);
    }
    uint32_t stack = tp_totals_add_stack(s, frames, count);
    assert_int_not_equal(stack, TP_INTERN_NONE);
    assert_true(tp_totals_record_stack(s, stack, type, 1, ns));
}

// A wait as two builds of a program have it: `pc` is the only difference.
static void record_build(struct tp_totals *s, uint64_t pc, uint64_t line, uint64_t ns)
{
    const struct at at[] = {{"sync.(*Mutex).Lock", "sync/mutex.go", 46, pc},
                            {"main.get", "main/cache.go", line, pc + 20},
                            {"main.main", "main/main.go", 9, pc + 40}};
    record(s, TP_STACK_SYNC, at, TP_ARRAY_LEN(at), ns);
}

static struct tp_totals without_pcs(const struct tp_totals *s)
{
    struct tp_totals r = {0};
    struct tp_error err;
    assert_int_equal(tp_totals_merge_without_pcs(&r, s, &err), 0);
    return r;
}

static void expect_same(const struct tp_totals *a, const struct tp_totals *b)
{
    struct state_bytes left = state_of(a), right = state_of(b);
    assert_true(state_is_same(&left, &right));
    tp_free(left.ptr);
    tp_free(right.ptr);
}

static void test_two_builds_have_one_stack(void **state)
{
    struct tp_totals s = {0};
    (void)state;
    record_build(&s, 0x1000, 31, 5);
    record_build(&s, UINT64_C(0x7000000000), 31, 7);
    record_build(&s, 0x1000, 32, 11);
    assert_int_equal(s.by_stack.count, 3);
    struct tp_totals r = without_pcs(&s), again = without_pcs(&r);
    assert_int_equal(r.by_stack.count, 2);
    assert_int_equal(r.frames.count, 4);
    assert_false(tp_totals_frames_have_pcs(&r.frames));
    uint64_t ns = 0;
    for (uint32_t i = 0; i < r.by_stack.count; i++)
        ns = ns * 100 + (uint64_t)r.by_stack.items[i].total_ns;
    assert_true(ns == 1211 || ns == 1112);
    expect_same(&r, &again);
    tp_totals_fini(&s);
    tp_totals_fini(&r);
    tp_totals_fini(&again);
}

// Removing PCs from the sum gives what the sum without PCs gives, also of files set apart.
static void test_any_order_and_grouping(void **state)
{
    struct tp_totals a = {0}, b = {0}, sum = {0};
    struct tp_error err;
    (void)state;
    state_add_anything(&a, 1, 300);
    state_add_anything(&b, 2, 300);
    for (uint64_t pc = 1; pc < 50; pc++) {
        record_build(&a, pc, 30 + pc % 3, pc);
        record_build(&b, 100 + pc, 30 + pc % 4, pc);
    }
    assert_int_equal(tp_totals_merge(&sum, &a, &err), 0);
    assert_int_equal(tp_totals_merge(&sum, &b, &err), 0);
    struct tp_totals want = without_pcs(&sum), got = without_pcs(&b);
    assert_int_equal(tp_totals_merge_without_pcs(&got, &a, &err), 0);
    expect_same(&want, &got);
    struct tp_totals apart = {0};
    assert_int_equal(tp_totals_merge(&apart, &sum, &err), 0);
    assert_true(tp_totals_set_doubtful(&apart));
    struct tp_totals inner = without_pcs(&apart);
    expect_same(inner.doubtful, &want);
    tp_totals_fini(&a);
    tp_totals_fini(&b);
    tp_totals_fini(&sum);
    tp_totals_fini(&want);
    tp_totals_fini(&got);
    tp_totals_fini(&apart);
    tp_totals_fini(&inner);
}

// STATES

static int read_without_pcs(struct tp_span file, struct tp_totals *ret_totals, struct tp_error *err)
{
    const struct tp_state_terms terms = {.most_bytes = UINT64_MAX, .pcs = TP_STATE_PCS_REMOVED};
    return tp_totals_read_by(file, &terms, ret_totals, err);
}

static int read_with_pcs(struct tp_span file, struct tp_totals *ret_totals, struct tp_error *err)
{
    const struct tp_state_terms terms = {.most_bytes = UINT64_MAX, .pcs = TP_STATE_PCS_REQUIRED};
    return tp_totals_read_by(file, &terms, ret_totals, err);
}

static int read(int (*how)(struct tp_span, struct tp_totals *, struct tp_error *),
                const struct state_bytes *b, struct tp_totals *ret_totals, struct tp_error *err)
{
    return how(tp_span_of(b->ptr, b->len_bytes), ret_totals, err);
}

static void test_states_with_pcs(void **state)
{
    struct tp_totals s = {0}, got;
    struct tp_error err;
    (void)state;
    record_build(&s, 0x1000, 31, 5);
    record_build(&s, 0x7000, 31, 7);
    struct tp_totals want = without_pcs(&s);
    struct state_bytes b = state_of(&s);
    assert_int_equal(read(read_without_pcs, &b, &got, &err), 0);
    expect_same(&got, &want);
    tp_totals_fini(&got);
    assert_int_equal(read(read_with_pcs, &b, &got, &err), 0);
    expect_same(&got, &s);
    tp_totals_fini(&got);
    tp_free(b.ptr);
    tp_totals_fini(&s);
    tp_totals_fini(&want);
}

static void expect_without_pcs(const struct tp_totals *s)
{
    struct state_bytes b = state_of(s);
    struct tp_totals got;
    struct tp_error err = {0};
    assert_int_equal(read(read_with_pcs, &b, &got, &err), TP_E_STATE);
    assert_string_equal(err.text,
                        "statistics state without program counters, which stats:pc=yes needs");
    tp_free(b.ptr);
}

static void test_pcs_cannot_be_made_up(void **state)
{
    struct tp_totals s = {0}, empty = {.file_count = 1}, got;
    struct tp_error err;
    (void)state;
    record_build(&s, 1, 31, 5);
    struct tp_totals r = without_pcs(&s);
    r.file_count = 1;
    expect_without_pcs(&r);
    assert_true(tp_totals_set_doubtful(&r));
    expect_without_pcs(&r);
    // No stacks need no PCs.
    struct state_bytes b = state_of(&empty);
    assert_int_equal(read(read_with_pcs, &b, &got, &err), 0);
    tp_totals_fini(&got);
    tp_free(b.ptr);
    tp_totals_fini(&s);
    tp_totals_fini(&r);
}

// Stacks that were more before their PCs were removed leave coarse stacks beside few others.
static void test_few_stacks_beside_coarse_ones(void **state)
{
    struct tp_totals s = {0}, got;
    struct tp_error err = {0};
    (void)state;
    record_build(&s, 1, 31, 5);
    assert_true(tp_totals_record_place(&s, TP_STACK_SYNC, true, tp_span_of("main.f", 6), 3, 9));
    struct tp_totals r = without_pcs(&s);
    struct state_bytes with = state_of(&s), without = state_of(&r);
    assert_int_equal(read(tp_totals_read, &without, &got, &err), 0);
    expect_same(&r, &got);
    tp_totals_fini(&got);
    assert_int_equal(read(tp_totals_read, &with, &got, &err), TP_E_STATE);
    assert_non_null(strstr(err.text, "folded stacks although fewer stacks than the limit"));
    tp_free(with.ptr);
    tp_free(without.ptr);
    tp_totals_fini(&s);
    tp_totals_fini(&r);
}

// REPORTS

static void expect_report(const struct tp_totals *s, int format, const char *want)
{
    const struct tp_stats_config config = {.by = TP_STATS_BY_STACK, .format = format, .top = -1};
    void (*print)(struct tp_emit *, const struct tp_full_report *) =
        format == TP_STATS_FORMAT_TEXT  ? tp_full_print_text
        : format == TP_STATS_FORMAT_CSV ? tp_full_print_csv
                                        : tp_full_print_folded;
    struct tp_full_report report;
    struct tp_error err;
    struct tp_emit e;
    struct capture c = {.out = {capture_write}};
    assert_int_equal(tp_full_report_make(&config, s, &report, &err), 0);
    tp_emit_init(&e, &c.out, &err);
    print(&e, &report);
    assert_int_equal(tp_emit_end(&e), 0);
    tp_full_report_fini(&report);
    if (strstr(c.text, want) == NULL)
        fail_msg("\"%s\" is not in \"%s\"", want, c.text);
}

static void test_rows_that_look_alike_are_one(void **state)
{
    // All differ: by the line of the place, by its folder, by the line of its caller, which text shows.
    static const struct at at[][8] = {
        {{"runtime.park", "p.go", 1, 0}, {"main.f", "a/f.go", 31, 0}, {"main.g", "g.go", 5, 0}},
        {{"runtime.park", "p.go", 1, 0}, {"main.f", "a/f.go", 32, 0}, {"main.g", "g.go", 5, 0}},
        {{"runtime.park", "p.go", 1, 0}, {"main.f", "b/f.go", 31, 0}, {"main.g", "g.go", 5, 0}},
        {{"runtime.park", "p.go", 1, 0}, {"main.f", "a/f.go", 31, 0}, {"main.g", "g.go", 6, 0}},
    };
    struct tp_totals s = {0};
    (void)state;
    for (unsigned i = 0; i < TP_ARRAY_LEN(at); i++)
        record(&s, TP_STACK_SYNC, at[i], 3, 1u << i);
    expect_report(&s, TP_STATS_FORMAT_TEXT, "       8 ns            1  runtime.park\n"
                                            "                          main.f (f.go:31)\n"
                                            "                          main.g (g.go:6)\n"
                                            "       5 ns            2  runtime.park\n"
                                            "                          main.f (f.go:31)\n"
                                            "                          main.g (g.go:5)\n"
                                            "       2 ns            1  runtime.park\n"
                                            "                          main.f (f.go:32)\n"
                                            "                          main.g (g.go:5)\n");
    expect_report(&s, TP_STATS_FORMAT_CSV,
                  "stack,\"runtime.park;main.f;main.g\",sync,\"a/f.go:31\",2,9,,,,,,,\n"
                  "stack,\"runtime.park;main.f;main.g\",sync,\"b/f.go:31\",1,4,,,,,,,\n"
                  "stack,\"runtime.park;main.f;main.g\",sync,\"a/f.go:32\",1,2,,,,,,,\n");
    expect_report(&s, TP_STATS_FORMAT_FOLDED, "sync;main.g;main.f;runtime.park 15\n");
    tp_totals_fini(&s);
}

// The place and its caller are shown also if they lie further out than text shows frames.
static void test_the_place_of_a_deep_stack(void **state)
{
    static const struct at at[] = {
        {"runtime.a", "", 0, 0}, {"runtime.b", "", 0, 0}, {"runtime.c", "", 0, 0},
        {"runtime.d", "", 0, 0}, {"runtime.e", "", 0, 0}, {"runtime.f", "", 0, 0},
        {"main.g", "x/g.go", 7, 0}, {"main.h", "x/h.go", 8, 0}};
    struct tp_totals s = {0};
    (void)state;
    record(&s, TP_STACK_SYNC, at, TP_ARRAY_LEN(at), 3);
    expect_report(&s, TP_STATS_FORMAT_TEXT, "runtime.d\n"
                                            "                          main.g (g.go:7)\n"
                                            "                          main.h (h.go:8)\n");
    tp_totals_fini(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_builds_have_one_stack),
        cmocka_unit_test(test_any_order_and_grouping),
        cmocka_unit_test(test_states_with_pcs),
        cmocka_unit_test(test_pcs_cannot_be_made_up),
        cmocka_unit_test(test_few_stacks_beside_coarse_ones),
        cmocka_unit_test(test_rows_that_look_alike_are_one),
        cmocka_unit_test(test_the_place_of_a_deep_stack),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
