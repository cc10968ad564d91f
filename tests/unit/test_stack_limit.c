// Stacks without number: which ones are kept, and what they have, does not depend on the order
// and grouping in which they come; what is recorded under the others is recorded by place, and
// no data is lost; and those that are no longer kept do not stay in memory.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "full_lab.h"
#include "stats/pack.h"

#define STACKS (TP_TOTALS_STACKS_MAX + 9000)
#define PARTS 5
#define PLACES 7

static uint64_t next_random(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

static uint32_t put_name(struct tp_totals *s, const char *kind, unsigned number)
{
    char text[40];
    snprintf(text, sizeof text, "%s%u", kind, number);
    uint32_t name = tp_intern_put(&s->names, tp_span_of(text, strlen(text)));
    assert_int_not_equal(name, TP_INTERN_NONE);
    return name;
}

static uint32_t put_frame(struct tp_totals *s, const char *kind, unsigned function, uint64_t line)
{
    const struct tp_totals_frame f = {.pc = 1 + line, .line = line,
                                      .function = put_name(s, kind, function),
                                      .file = put_name(s, "file", function)};
    uint32_t frame = tp_totals_frames_put(&s->frames, &s->names, &f);
    assert_int_not_equal(frame, TP_INTERN_NONE);
    return frame;
}

// Its type and place follow from its number: waits for locks and others, and system calls.
static enum tp_stack_type type_of(unsigned number)
{
    static const enum tp_stack_type types[] = {TP_STACK_SYNC, TP_STACK_SYSCALL, TP_STACK_CPU};
    return types[number % 3];
}

static uint32_t put_stack(struct tp_totals *s, unsigned number)
{
    bool is_lock = type_of(number) == TP_STACK_SYNC && number % 2 == 0;
    const uint32_t frames[] = {
        put_frame(s, type_of(number) == TP_STACK_SYSCALL ? "os.Read" : "runtime.park", 0, number),
        put_frame(s, is_lock ? "sync.(*Mutex).Lock" : "runtime.chan", 0, 1),
        put_frame(s, "main.place", number % PLACES, 2),
        put_frame(s, "main.main", 0, 3),
    };
    uint32_t stack = tp_totals_add_stack(s, frames, TP_ARRAY_LEN(frames));
    assert_int_not_equal(stack, TP_INTERN_NONE);
    return stack;
}

static void record(struct tp_totals *s, unsigned number)
{
    assert_true(tp_totals_record_stack(s, put_stack(s, number), type_of(number), 1, 1000 + number));
}

// All of them twice, in any order.
static unsigned *any_order(uint64_t *seed)
{
    unsigned *numbers = calloc(2 * STACKS, sizeof *numbers);
    assert_non_null(numbers);
    for (unsigned i = 0; i < 2 * STACKS; i++)
        numbers[i] = i % STACKS;
    for (unsigned i = 2 * STACKS - 1; i > 0; i--) {
        unsigned k = (unsigned)(next_random(seed) % (i + 1)), moved = numbers[i];
        numbers[i] = numbers[k];
        numbers[k] = moved;
    }
    return numbers;
}

struct totals {
    uint64_t count;
    uint64_t ns;
};

// By type, place, and whether it is a lock; [0] are those that are kept, [1] the others.
struct contents {
    struct totals of[2][3][PLACES][2];
};

static unsigned place_number(struct tp_span name)
{
    assert_memory_equal(name.ptr, "main.place", 10);
    return (unsigned)name.ptr[10] - '0';
}

static void add(struct totals *t, uint64_t count, tp_wide ns)
{
    t->count += count;
    t->ns += (uint64_t)ns;
}

static unsigned type_number(unsigned type)
{
    return type == TP_STACK_SYNC ? 0 : type == TP_STACK_SYSCALL ? 1 : 2;
}

static struct contents contents_of(const struct tp_totals *s)
{
    struct contents all = {0};
    for (uint32_t i = 0; i < s->by_stack.count; i++) {
        const struct tp_stack_count *c = &s->by_stack.items[i];
        unsigned type = tp_stack_count_type(c);
        bool is_lock;
        uint32_t name = tp_totals_place_of(s, tp_stack_count_stack(c), type, &is_lock);
        assert_int_equal(c->count, 2);
        add(&all.of[0][type_number(type)][place_number(tp_intern_text(&s->names, name))][is_lock],
            c->count, c->total_ns);
    }
    for (uint32_t i = 0; i < s->durations.groups.count; i++) {
        const struct tp_durations_group *g = &s->durations.groups.items[i];
        assert_int_equal(g->space, TP_SPACE_COARSE);
        for (uint32_t k = 0; k < g->dist_count; k++) {
            if (g->dists[k] != NULL)
                add(&all.of[1][type_number(tp_coarse_type(k))]
                       [place_number(tp_totals_group_name(s, g))][tp_coarse_is_lock(k)],
                    g->dists[k]->count, g->dists[k]->total_ns);
        }
    }
    return all;
}

// Asserts the sums of all stacks, those that are kept and those that are not.
static void expect_all(const struct tp_totals *s)
{
    struct contents got = contents_of(s), want = {0};
    uint64_t left_out = 0;
    for (unsigned i = 0; i < STACKS; i++) {
        bool is_lock = type_of(i) == TP_STACK_SYNC && i % 2 == 0;
        add(&want.of[0][type_number(type_of(i))][i % PLACES][is_lock], 2, 2 * (1000 + i));
    }
    for (unsigned i = 0; i < 3 * PLACES * 2; i++) {
        struct totals *kept = &got.of[0][0][0][0] + i, *other = &got.of[1][0][0][0] + i;
        left_out += other->count;
        add(kept, other->count, other->ns);
    }
    assert_memory_equal(got.of[0], want.of[0], sizeof want.of[0]);
    assert_int_equal(s->by_stack.count, TP_TOTALS_STACKS_MAX);
    assert_int_equal(left_out, 2 * (STACKS - TP_TOTALS_STACKS_MAX));
    // An estimate; of so many it is within some hundredths.
    assert_in_range(tp_totals_stacks_left_out(&s->stacks), STACKS - TP_TOTALS_STACKS_MAX - 2000,
                    STACKS - TP_TOTALS_STACKS_MAX + 2000);
}

static void expect_same(const struct tp_totals *a, const struct tp_totals *b)
{
    char *left = full_text(a, true), *right = full_text(b, true);
    assert_string_equal(left, right);
    free(left);
    free(right);
}

static void test_any_partition_keeps_the_same(void **state)
{
    uint64_t live_bytes = tp_alloc_live_bytes();
    struct tp_totals first = {0};
    (void)state;
    for (uint64_t seed = 1; seed <= 2; seed++) {
        struct tp_totals whole = {0}, parts[PARTS] = {{0}}, merged = {0};
        struct tp_error err;
        uint64_t random = seed * 77777;
        unsigned *numbers = any_order(&random);
        for (unsigned i = 0; i < 2 * STACKS; i++) {
            record(&whole, numbers[i]);
            // In the last round one part has all and the others a little of it.
            unsigned part = (unsigned)(next_random(&random) % PARTS);
            record(&parts[seed == 2 && i % 8 > 0 ? 0 : part], numbers[i]);
        }
        free(numbers);
        for (unsigned i = 0; i < PARTS; i++)
            assert_int_equal(tp_totals_merge(&merged, &parts[(i * 3 + seed) % PARTS], &err), 0);
        expect_all(&whole);
        expect_same(&merged, &whole);
        if (seed == 1) {
            first = whole;
        } else {
            expect_same(&first, &whole);
            tp_totals_fini(&whole);
        }
        for (unsigned i = 0; i < PARTS; i++)
            tp_totals_fini(&parts[i]);
        tp_totals_fini(&merged);
    }
    tp_totals_fini(&first);
    assert_int_equal(tp_alloc_live_bytes(), live_bytes);
}

static void test_few_are_all_kept(void **state)
{
    struct tp_totals s = {0};
    (void)state;
    for (unsigned i = 0; i < TP_TOTALS_STACKS_MAX; i++)
        record(&s, i);
    assert_int_equal(s.by_stack.count, TP_TOTALS_STACKS_MAX);
    assert_int_equal(s.durations.groups.count, 0);
    assert_int_equal(tp_totals_stacks_left_out(&s.stacks), 1);
    tp_totals_fini(&s);
}

// Packing changes numbers and nothing else.
static void test_packing_does_not_show(void **state)
{
    struct tp_totals s = {0}, plain = {0};
    (void)state;
    for (unsigned i = 0; i < STACKS; i++) {
        record(&s, i);
        record(&s, i);
        record(&plain, i);
        record(&plain, i);
        if (i % 20000 == 0)
            assert_true(tp_totals_pack(&s));
    }
    uint32_t before_count = s.stacks.of.count;
    assert_true(tp_totals_pack(&s));
    assert_true(s.stacks.of.count < before_count);
    assert_int_equal(s.stacks.of.count, TP_TOTALS_STACKS_MAX);
    expect_all(&s);
    expect_same(&s, &plain);
    // A stack that was dropped may be kept now as ever.
    uint32_t added = put_stack(&s, 4 * STACKS);
    bool is_small = !tp_totals_stacks_leave_out(&s.stacks, s.stacks.of.items[added].hash);
    assert_true(tp_totals_record_stack(&s, added, TP_STACK_SYNC, 1, 5));
    assert_int_equal(s.stacks.of.items[added].is_kept, is_small);
    tp_totals_fini(&s);
    tp_totals_fini(&plain);
}

// However many come, memory is that of those that are kept.
static void test_merging_many_takes_no_more(void **state)
{
    struct tp_totals all = {0};
    struct tp_error err;
    uint64_t most_bytes = 0, live_bytes = tp_alloc_live_bytes();
    (void)state;
    for (unsigned part = 0; part < 5; part++) {
        struct tp_totals s = {0};
        for (unsigned i = 0; i < TP_TOTALS_STACKS_MAX; i++)
            record(&s, part * TP_TOTALS_STACKS_MAX + i);
        assert_int_equal(tp_totals_move(&all, &s, &err), 0);
        tp_totals_fini(&s);
        uint64_t taken_bytes = tp_alloc_live_bytes() - live_bytes;
        if (part == 0)
            most_bytes = 3 * taken_bytes;
        assert_in_range(taken_bytes, 1, most_bytes);
    }
    assert_int_equal(all.by_stack.count, TP_TOTALS_STACKS_MAX);
    tp_totals_fini(&all);
    assert_int_equal(tp_alloc_live_bytes(), live_bytes);
}

static void test_memory_that_is_lacking_is_told(void **state)
{
    struct tp_totals from = {0};
    uint64_t live_bytes = tp_alloc_live_bytes();
    unsigned failure_count = 0;
    (void)state;
    for (unsigned i = 0; i < 300; i++)
        record(&from, i);
    for (uint64_t nth = 1;; nth++) {
        struct tp_totals s = {0};
        struct tp_error err;
        assert_int_equal(tp_totals_merge(&s, &from, &err), 0);
        tp_alloc_fail_at(nth, false);
        bool fits = tp_totals_pack(&s);
        bool has_failed = tp_alloc_fail_left() == 0;
        tp_alloc_fail_at(0, false);
        assert_int_equal(fits, !has_failed);
        if (fits)
            expect_same(&s, &from);
        tp_totals_fini(&s);
        if (fits)
            break;
        failure_count++;
    }
    assert_true(failure_count >= 4); // three lists of numbers, a block of texts
    tp_totals_fini(&from);
    assert_int_equal(tp_alloc_live_bytes(), live_bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_partition_keeps_the_same),
        cmocka_unit_test(test_few_are_all_kept),
        cmocka_unit_test(test_packing_does_not_show),
        cmocka_unit_test(test_merging_many_takes_no_more),
        cmocka_unit_test(test_memory_that_is_lacking_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
