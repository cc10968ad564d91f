// Maps of ids: every id gives back its index whatever order they came in, memory is
// what was foretold, and a failure leaves the map as it was.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/idmap.h"

#define NONE TP_IDMAP_NONE

static uint64_t next_random(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

static void put(struct tp_idmap *m, uint64_t id, uint32_t idx)
{
    size_t before_bytes = tp_idmap_bytes(m);
    size_t growth_bytes = tp_idmap_growth_bytes(m, id);
    assert_int_equal(tp_idmap_get(m, id), NONE);
    assert_true(tp_idmap_put(m, id, idx));
    assert_int_equal(tp_idmap_bytes(m), before_bytes + growth_bytes);
}

static void test_empty_map_has_nothing(void **state)
{
    struct tp_idmap m = {0};
    (void)state;
    assert_int_equal(tp_idmap_get(&m, 0), NONE);
    assert_int_equal(tp_idmap_get(&m, UINT64_MAX), NONE);
    tp_idmap_fini(&m);
    tp_idmap_fini(&m);
}

// The id that comes i-th, for several shapes of tables.
// HALF_FAR: small ones and far ones in turns; HALF_DOWN: the same, the small ones from above.
enum shape { UPWARDS, DOWNWARDS, EVEN, SPREAD, HALF_FAR, HALF_DOWN, SHAPES };

static uint64_t id_of(enum shape shape, uint64_t i, uint64_t count)
{
    switch (shape) {
    case UPWARDS: return i + 1;
    case DOWNWARDS: return count - i;
    case EVEN: return 2 * i;
    case SPREAD: return (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
    case HALF_DOWN: return i % 2 == 0 ? count - i : UINT64_MAX - i;
    default: return i % 2 == 0 ? i : UINT64_MAX - i;
    }
}

static void test_every_id_gives_its_index(void **state)
{
    enum { COUNT = 50000 }; // more than are in the array from the first
    (void)state;
    for (enum shape shape = 0; shape < SHAPES; shape++) {
        struct tp_idmap m = {0};
        for (uint32_t i = 0; i < COUNT; i++) {
            put(&m, id_of(shape, i, COUNT), i);
            for (uint32_t back = 0; back <= i; back += 1 + i / 16)
                assert_int_equal(tp_idmap_get(&m, id_of(shape, back, COUNT)), back);
        }
        for (uint32_t i = 0; i < COUNT; i++)
            assert_int_equal(tp_idmap_get(&m, id_of(shape, i, COUNT)), i);
        assert_int_equal(tp_idmap_get(&m, UINT64_MAX / 3), NONE);
        assert_int_equal(m.id_count, COUNT);
        tp_idmap_fini(&m);
    }
}

static void test_random_ids_against_a_list(void **state)
{
    enum { COUNT = 40000 };
    static uint64_t ids[COUNT];
    uint64_t seed = 88172645463325252u;
    (void)state;
    static const unsigned some_bits[] = {12, 16, 17, 25, 38, 51, 64};
    for (size_t b = 0; b < sizeof some_bits / sizeof some_bits[0]; b++) {
        const unsigned bits = some_bits[b];
        struct tp_idmap m = {0};
        uint32_t count = 0;
            for (uint32_t i = 0; i < COUNT; i++) {
            uint64_t id = next_random(&seed) >> (64 - bits);
            uint32_t known = tp_idmap_get(&m, id);
            if (known != NONE) {
                assert_int_equal(ids[known], id);
                continue;
            }
            ids[count] = id;
            put(&m, id, count++);
        }
        for (uint32_t i = 0; i < count; i++)
            assert_int_equal(tp_idmap_get(&m, ids[i]), i);
        tp_idmap_fini(&m);
    }
}

static void test_dense_ids_take_an_array_and_no_slot(void **state)
{
    enum { COUNT = 100000 };
    struct tp_idmap m = {0};
    (void)state;
    for (uint32_t i = 0; i < COUNT; i++)
        put(&m, i + 1, i);
    assert_int_equal(tp_map_bytes(&m.sparse), 0);
    assert_true(tp_idmap_bytes(&m) <= 2 * 4 * (COUNT + 1));
    tp_idmap_fini(&m);
    // From above: all end in the array; the slots are empty again.
    for (uint32_t i = 0; i < COUNT; i++)
        put(&m, COUNT - i, i);
    assert_int_equal(m.sparse.count, 0);
    tp_idmap_fini(&m);
}

static void test_far_ids_take_no_array(void **state)
{
    struct tp_idmap m = {0};
    (void)state;
    put(&m, UINT64_MAX, 1);
    put(&m, UINT64_C(1) << 40, 2);
    assert_int_equal(m.dense.count, 0);
    assert_true(tp_idmap_bytes(&m) <= 1024);
    tp_idmap_fini(&m);
}

// The shape's small ones move from slots to the array while far ones stay there.
static void check_failures(enum shape shape)
{
    enum { COUNT = 50000 };
    for (uint64_t nth = 1; nth < 40; nth++) {
        struct tp_idmap m = {0};
        uint32_t count = 0;
            tp_alloc_fail_at(nth, true);
        while (count < COUNT && tp_idmap_put(&m, id_of(shape, count, COUNT), count))
            count++;
        tp_alloc_fail_at(0, false);
        for (uint32_t i = 0; i < count; i++)
            assert_int_equal(tp_idmap_get(&m, id_of(shape, i, COUNT)), i);
        if (count < COUNT)
            put(&m, id_of(shape, count, COUNT), count);
        tp_idmap_fini(&m);
    }
    assert_int_equal(tp_alloc_live_bytes(), 0);
}

static void test_failure_leaves_the_map(void **state)
{
    (void)state;
    check_failures(HALF_FAR);
    check_failures(HALF_DOWN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty_map_has_nothing),
        cmocka_unit_test(test_every_id_gives_its_index),
        cmocka_unit_test(test_random_ids_against_a_list),
        cmocka_unit_test(test_dense_ids_take_an_array_and_no_slot),
        cmocka_unit_test(test_far_ids_take_no_array),
        cmocka_unit_test(test_failure_leaves_the_map),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
