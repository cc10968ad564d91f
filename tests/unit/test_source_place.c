// The function of a stack that a finding names: the innermost one of the program.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "finding_lab.h"
#include "stats/findings/place.h"

static void test_what_is_of_the_library(void **state)
{
    static const char *const library[] = {
        "runtime.gopark", "net/http.(*conn).serve", "slices.SortFunc[go.shape.int]", "sync.x",
        "encoding/json.Marshal", "sync.(*Pool[go.shape.*go.uber.org/zap.x]).Get",
        "slices.Sort[github.com/a/b.T]", "vendor/golang.org/x/net/y.z", "golang.org/x/sync/errgroup.z"};
    static const char *const program[] = {
        "main.main", "example.test/net/http.Serve", "networks.x", "netgo/os.Open", "golang.org/y.z",
        "", "time-server/x.y", "github.com/a/runtime.z", "go.uber.org/zap.(*Logger).Info",
        "go.etcd.io/bbolt.(*DB).Update", "time.example/x.y"};
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(library); i++)
        assert_true((tp_function_traits_of(tp_span_of_text(library[i])) & TP_FUNCTION_STD) != 0);
    for (size_t i = 0; i < TP_ARRAY_LEN(program); i++)
        assert_true((tp_function_traits_of(tp_span_of_text(program[i])) & TP_FUNCTION_STD) == 0);
}

static void expect(const struct tp_totals *s, struct tp_source_place place, const char *function,
                   uint64_t line)
{
    finding_expect_place(s, &place, function, line);
}

static void test_places(void **state)
{
    (void)state;
    struct tp_totals s = {0};
    uint32_t both = FINDING_STACK(&s, "sync.(*Mutex).Lock", "main.locked", "sort.Sort", "main.get");
    uint32_t other = FINDING_STACK(&s, "sync.(*Mutex).Unlock", "main.locked", "main.put");
    uint32_t none = FINDING_STACK(&s, "runtime.gopark", "runtime.bgsweep");
    uint32_t empty = finding_stack(&s, (const char *const[]){NULL});
    expect(&s, tp_source_place_of(&s, both, TP_STACK_SYNC), "main.locked", 2);
    expect(&s, tp_source_place_beside(&s, both, other, TP_STACK_SYNC), "main.get", 4);
    expect(&s, tp_source_place_beside(&s, other, both, TP_STACK_SYNC), "main.put", 3);
    // Nothing is left: the plain place.
    expect(&s, tp_source_place_beside(&s, both, both, TP_STACK_SYNC), "main.locked", 2);
    expect(&s, tp_source_place_beside(&s, both, TP_INTERN_NONE, TP_STACK_SYNC), "main.locked", 2);
    expect(&s, tp_source_place_of_caller(&s, other), "main.locked", 2);
    expect(&s, tp_source_place_of_caller(&s, FINDING_STACK(&s, "main.hog")), "-", 0);
    // The library alone, and no frames.
    expect(&s, tp_source_place_of(&s, none, TP_STACK_SYNC), "runtime.bgsweep", 2);
    expect(&s, tp_source_place_of(&s, empty, TP_STACK_SYNC), "-", 0);
    expect(&s, tp_source_place_of(&s, TP_INTERN_NONE, TP_STACK_SYNC), "-", 0);
    assert_true(tp_stack_has_program(&s, both) && !tp_stack_has_program(&s, none) &&
                !tp_stack_has_program(&s, empty) && !tp_stack_has_program(&s, TP_INTERN_NONE));
    struct tp_source_place start = {tp_stack_start_function(&s, both), TP_INTERN_NONE, 0};
    expect(&s, start, "main.get", 0);
    assert_int_equal(tp_stack_start_function(&s, empty), TP_INTERN_NONE);
    tp_totals_fini(&s);
}

static void test_greatest_share(void **state)
{
    (void)state;
    struct tp_totals s = {0};
    uint32_t x = finding_name(&s, "main.x"), y = finding_name(&s, "main.y");
    uint32_t file = finding_name(&s, "x.go"), other = finding_name(&s, "y.go");
    const struct tp_source_place places[] = {
        {y, file, 3}, {x, file, 1}, {y, file, 2}, {x, other, 1}, {y, file, 2}, TP_SOURCE_PLACE_NONE};
    static const tp_wide parts[] = {5, 9, 3, 9, 3, 100};
    struct tp_shares shares = {0};
    expect(&s, tp_shares_greatest(&shares, &s), "-", 0);
    for (size_t i = 0; i < TP_ARRAY_LEN(places); i++)
        assert_true(tp_shares_add(&shares, &places[i], parts[i]));
    expect(&s, tp_shares_greatest(&shares, &s), "main.y", 2);
    tp_free(shares.items);
    // Of equal ones the first by name; nothing at all is not the greatest.
    shares = (struct tp_shares){0};
    assert_true(tp_shares_add(&shares, &places[0], 7) && tp_shares_add(&shares, &places[1], 7));
    expect(&s, tp_shares_greatest(&shares, &s), "main.x", 1);
    shares.items[0].part = shares.items[1].part = 0;
    expect(&s, tp_shares_greatest(&shares, &s), "-", 0);
    tp_free(shares.items);
    tp_totals_fini(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_of_the_library),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_greatest_share),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
