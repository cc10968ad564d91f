#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "base/sort/gosort.h"

enum shape { RANDOM, RISING, FALLING, NEARLY, SAW };

struct input {
    uint32_t count, distinct;
    enum shape shape;
    int lies; // comparisons answered "less" whatever the keys are
};

struct golden {
    struct input in;
    int compared;
    uint64_t digest;
};

#include "gosort_golden.inc"

struct record {
    uint32_t key, id;
};

struct witness {
    int lies;
    int compared;
    uint64_t digest;
};

// The same records as tools/mkgosort makes.
static struct record *records(const struct input *in)
{
    uint64_t random = (uint64_t)in->count << 32 | in->distinct;
    struct record *all = calloc(in->count, sizeof *all);
    assert_non_null(all);
    for (uint32_t i = 0; i < in->count; i++) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        all[i].id = i;
        switch (in->shape) {
        case RANDOM: all[i].key = (uint32_t)(random % in->distinct); break;
        case RISING: all[i].key = i / in->distinct; break;
        case FALLING: all[i].key = (in->count - i) / in->distinct; break;
        case NEARLY:
            all[i].key = random % 32 == 0 ? (uint32_t)(random >> 32) % in->count
                                          : i / in->distinct;
            break;
        case SAW: all[i].key = i % in->distinct; break;
        }
    }
    return all;
}

static void stir(uint64_t *digest, uint64_t value)
{
    *digest = (*digest ^ value) * 1099511628211u;
}

static int compare(const void *left, const void *right, void *ctx)
{
    const struct record *a = left;
    const struct record *b = right;
    struct witness *w = ctx;
    w->compared++;
    stir(&w->digest, (uint64_t)a->id << 20 ^ b->id);
    if (w->compared <= w->lies)
        return -1;
    return (a->key > b->key) - (a->key < b->key);
}

static void test_every_comparison_is_the_one_go_makes(void **state)
{
    (void)state;
    for (size_t g = 0; g < TP_ARRAY_LEN(goldens); g++) {
        const struct golden *want = &goldens[g];
        struct record *all = records(&want->in);
        struct witness w = {want->in.lies, 0, 14695981039346656037u};
        tp_gosort(all, want->in.count, sizeof *all, compare, &w);
        for (uint32_t i = 0; i < want->in.count; i++)
            stir(&w.digest, all[i].id);
        free(all);
        assert_int_equal(w.compared, want->compared);
        assert_int_equal(w.digest, want->digest);
    }
}

static void check_order(struct input in, const uint32_t *want)
{
    struct record *all = records(&in);
    struct witness w = {0};
    tp_gosort(all, in.count, sizeof *all, compare, &w);
    for (uint32_t i = 0; i < in.count; i++)
        assert_int_equal(all[i].id, want[i]);
    free(all);
}

static void test_ties_end_up_where_go_leaves_them(void **state)
{
    (void)state;
    check_order((struct input){TP_ARRAY_LEN(order_13), 2, RANDOM, 0}, order_13);
    check_order((struct input){TP_ARRAY_LEN(order_60), 5, RANDOM, 0}, order_60);
    check_order((struct input){TP_ARRAY_LEN(order_300), 7, RANDOM, 0}, order_300);
}

struct wide {
    struct record record; // first, so that compare() reads it
    unsigned char rest[256 - sizeof(struct record)];
};

static void test_the_widest_records_move_as_a_whole(void **state)
{
    (void)state;
    struct input in = {TP_ARRAY_LEN(order_300), 7, RANDOM, 0};
    struct record *all = records(&in);
    struct wide *wide = calloc(in.count, sizeof *wide);
    assert_non_null(wide);
    for (uint32_t i = 0; i < in.count; i++) {
        wide[i].record = all[i];
        for (size_t k = 0; k < sizeof wide[i].rest; k++)
            wide[i].rest[k] = (unsigned char)(i + k);
    }
    struct witness w = {0};
    tp_gosort(wide, in.count, sizeof *wide, compare, &w);
    for (uint32_t i = 0; i < in.count; i++) {
        assert_int_equal(wide[i].record.id, order_300[i]);
        for (size_t k = 0; k < sizeof wide[i].rest; k++)
            assert_int_equal(wide[i].rest[k], (unsigned char)(order_300[i] + k));
    }
    free(wide);
    free(all);
}

static void test_nothing_and_one_record_are_not_compared(void **state)
{
    (void)state;
    struct record one = {1, 1};
    struct witness w = {0};
    tp_gosort(NULL, 0, sizeof one, compare, &w);
    tp_gosort(&one, 1, sizeof one, compare, &w);
    assert_int_equal(w.compared, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_comparison_is_the_one_go_makes),
        cmocka_unit_test(test_ties_end_up_where_go_leaves_them),
        cmocka_unit_test(test_the_widest_records_move_as_a_whole),
        cmocka_unit_test(test_nothing_and_one_record_are_not_compared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
