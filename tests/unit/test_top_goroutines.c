// Goroutines one by one: those that ran longest stay, the others are added up, in any order
// and grouping the same; the smallest limit holds.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "full_lab.h"

static uint32_t put_name(struct tp_totals *s, const char *text)
{
    uint32_t name = tp_intern_put(&s->names, tp_span_of(text, strlen(text)));
    assert_int_not_equal(name, TP_INTERN_NONE);
    return name;
}

static void add(struct tp_totals *s, int64_t id, uint64_t running_ns, uint64_t blocked_ns,
                const char *path)
{
    struct tp_top_goroutine g = {.id = id,
                                 .spent_ns = {running_ns, 0, 0, blocked_ns},
                                 .life_ns = running_ns + blocked_ns,
                                 .function = put_name(s, "main.f"),
                                 .path = put_name(s, path)};
    assert_true(tp_totals_add_g(s, &g));
}

static void expect(const struct tp_totals *s, const char *want)
{
    char *text = full_text(s, true);
    const char *from = strstr(text, "g ");
    for (; from != NULL && from != text && from[-1] != '\n'; from = strstr(from + 1, "g "))
        ;
    assert_string_equal(from != NULL ? from : "", want);
    free(text);
}

static void test_the_longest_stay(void **state)
{
    (void)state;
    struct tp_totals s = {0};
    tp_totals_limit_gs(&s, 2);
    for (int64_t id = 1; id <= 6; id++)
        add(&s, id, (uint64_t)(id * 7 % 11), 100, "a"); // 7 3 10 6 2 9
    expect(&s, "g 3 main.f 0 110 10 0 0 100 a\ng 6 main.f 0 109 9 0 0 100 a\n"
               "other gs 4 18 0 0 400\n");
    tp_totals_fini(&s);
}

static void test_without_a_limit_all_stay(void **state)
{
    (void)state;
    struct tp_totals s = {0};
    add(&s, 1, 5, 0, "a");
    add(&s, 2, 6, 0, "a");
    expect(&s, "g 2 main.f 0 6 6 0 0 0 a\ng 1 main.f 0 5 5 0 0 0 a\n");
    tp_totals_limit_gs(&s, 1);
    expect(&s, "g 2 main.f 0 6 6 0 0 0 a\nother gs 1 5 0 0 0\n");
    tp_totals_limit_gs(&s, 3); // what is gone does not come back
    add(&s, 3, 4, 0, "a");
    expect(&s, "g 2 main.f 0 6 6 0 0 0 a\nother gs 2 9 0 0 0\n");
    tp_totals_fini(&s);
}

static void test_ties_go_by_all_they_are(void **state)
{
    (void)state;
    struct tp_totals s = {0};
    tp_totals_limit_gs(&s, 3);
    add(&s, 2, 5, 0, "b");
    add(&s, 9, 5, 0, "a");
    add(&s, 1, 5, 0, "b");
    add(&s, 7, 5, 1, "c");
    expect(&s, "g 7 main.f 0 6 5 0 0 1 c\ng 9 main.f 0 5 5 0 0 0 a\ng 1 main.f 0 5 5 0 0 0 b\n"
               "other gs 1 5 0 0 0\n");
    tp_totals_fini(&s);
}

enum { PARTS = 5, EACH = 40 };

static void fill(struct tp_totals *s, unsigned part)
{
    static const char *const paths[PARTS] = {"e", "b", "c", "a", "d"};
    uint64_t seed = 1000 + part;
    put_name(s, paths[part]); // so that numbers differ from part to part
    for (unsigned i = 0; i < EACH; i++) {
        seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407U;
        add(s, (int64_t)(seed >> 60), seed >> 59, seed >> 61, paths[part]);
    }
}

static void merge_in(struct tp_totals *into, unsigned part, uint32_t limit)
{
    struct tp_totals one = {0};
    tp_totals_limit_gs(&one, limit);
    fill(&one, part);
    assert_int_equal(tp_totals_merge(into, &one, NULL), 0);
    tp_totals_fini(&one);
}

static void test_any_order_and_grouping_is_the_same(void **state)
{
    static const unsigned orders[][PARTS] = {{0, 1, 2, 3, 4}, {4, 2, 0, 3, 1}, {3, 4, 1, 0, 2}};
    (void)state;
    for (uint32_t limit = 1; limit <= PARTS * EACH + 1; limit = limit * 2 + 1) {
        struct tp_totals all = {0};
        for (unsigned i = 0; i < PARTS; i++)
            fill(&all, i);
        tp_totals_limit_gs(&all, limit);
        char *want = full_text(&all, true);
        for (size_t k = 0; k < TP_ARRAY_LEN(orders); k++) {
            for (unsigned cut = 1; cut < PARTS; cut++) {
                struct tp_totals left = {0}, right = {0};
                for (unsigned i = 0; i < PARTS; i++)
                    merge_in(i < cut ? &left : &right, orders[k][i], limit);
                assert_int_equal(tp_totals_merge(&left, &right, NULL), 0);
                char *got = full_text(&left, true);
                assert_string_equal(got, want);
                free(got);
                tp_totals_fini(&left);
                tp_totals_fini(&right);
            }
        }
        free(want);
        tp_totals_fini(&all);
    }
}

static void test_the_smallest_limit_holds(void **state)
{
    (void)state;
    struct tp_totals s = {0}, want = {0};
    merge_in(&s, 0, 7);
    merge_in(&s, 1, 3);
    merge_in(&s, 2, 50);
    for (unsigned i = 0; i < 3; i++)
        merge_in(&want, i, 3);
    char *a = full_text(&s, true), *b = full_text(&want, true);
    assert_string_equal(a, b);
    free(a);
    free(b);
    tp_totals_fini(&s);
    tp_totals_fini(&want);
}

// `kinds`: so many different times that they ran for.
static struct tp_top_goroutine make(struct tp_totals *s, uint64_t *seed, unsigned kinds)
{
    *seed = *seed * UINT64_C(6364136223846793005) + 1442695040888963407U;
    return (struct tp_top_goroutine){
        .id = (int64_t)(*seed >> 52),
        .spent_ns = {(*seed >> 33) % kinds, 1, *seed >> 62, *seed >> 61},
        .function = put_name(s, "main.f"),
        .path = put_name(s, "a")};
}

static void expect_part(uint32_t limit, unsigned kinds, unsigned count)
{
    struct tp_totals want = {0}, got = {0};
    struct tp_totals_part part = {.limit.most = limit};
    uint64_t seed = limit;
    for (unsigned round = 0; round < 2; round++) {
        uint32_t most = 0;
        for (unsigned i = 0; i < count; i++) {
            struct tp_top_goroutine g = make(&want, &seed, kinds);
            assert_true(tp_totals_add_g(&want, &g));
            assert_true(tp_totals_part_add(&part, &g));
            most = part.items.count > most ? part.items.count : most;
        }
        assert_int_equal(part.items.count + part.others.count, count);
        if (limit > 0 && kinds > 100 * count)
            assert_true(most <= 2 * limit);
        tp_totals_others_join(&got.gs.others, &part.others);
        for (uint32_t i = 0; i < part.items.count; i++) {
            part.items.items[i].function = put_name(&got, "main.f");
            part.items.items[i].path = put_name(&got, "a");
            assert_true(tp_totals_add_g(&got, &part.items.items[i]));
        }
        tp_totals_part_clear(&part);
    }
    tp_totals_limit_gs(&want, limit);
    tp_totals_limit_gs(&got, limit);
    char *a = full_text(&want, true), *b = full_text(&got, true);
    assert_string_equal(b, a);
    free(a);
    free(b);
    tp_free(part.items.items);
    tp_totals_fini(&want);
    tp_totals_fini(&got);
}

static void test_a_part_leaves_out_only_who_cannot_stay(void **state)
{
    static const unsigned kinds[] = {1, 2, 7, 1000000};
    (void)state;
    for (uint32_t limit = 0; limit < 12; limit++) {
        for (size_t i = 0; i < TP_ARRAY_LEN(kinds); i++) {
            expect_part(limit, kinds[i], 0);
            expect_part(limit, kinds[i], 11);
            expect_part(limit, kinds[i], 500);
        }
    }
}

static void test_begins_count_from_that_of_the_trace(void **state)
{
    (void)state;
    struct tp_totals s = {0};
    struct tp_top_goroutine g = {.id = 4, .begin_ns = 120, .function = put_name(&s, "main.f"),
                                 .path = TP_INTERN_NONE};
    assert_true(tp_totals_add_g(&s, &g));
    tp_totals_place_gs(&s, put_name(&s, "t"), 100);
    expect(&s, "g 4 main.f 20 0 0 0 0 0 t\n");
    tp_totals_fini(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_longest_stay),
        cmocka_unit_test(test_without_a_limit_all_stay),
        cmocka_unit_test(test_ties_go_by_all_they_are),
        cmocka_unit_test(test_any_order_and_grouping_is_the_same),
        cmocka_unit_test(test_the_smallest_limit_holds),
        cmocka_unit_test(test_a_part_leaves_out_only_who_cannot_stay),
        cmocka_unit_test(test_begins_count_from_that_of_the_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
