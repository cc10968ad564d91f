// Sets of ids: counts equal those of a plain list, memory stays below its bound,
// and a failure leaves a set that can be used.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/idset.h"

static uint64_t next_random(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

static size_t memory_bytes(const struct tp_idset *s)
{
    return s->pages.capacity * sizeof *s->pages.items + tp_index_bytes(&s->index);
}

static void add(struct tp_idset *s, uint64_t id)
{
    assert_int_equal(tp_idset_add(s, id, NULL), 0);
}

static int compare(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

static uint64_t distinct_count(uint64_t *ids, size_t id_count)
{
    uint64_t distinct = 0;
    qsort(ids, id_count, sizeof *ids, compare);
    for (size_t i = 0; i < id_count; i++)
        distinct += i == 0 || ids[i] != ids[i - 1];
    return distinct;
}

static void test_ids_count_once(void **state)
{
    struct tp_idset s;
    (void)state;
    tp_idset_init(&s, TP_MIB(1));
    assert_int_equal(tp_idset_count(&s), 0);
    static const uint64_t ids[] = {0, 1, 63, 64, 4095, 4096, UINT64_MAX, UINT64_MAX - 4096, 1};
    for (size_t i = 0; i < TP_ARRAY_LEN(ids); i++)
        add(&s, ids[i]);
    assert_int_equal(tp_idset_count(&s), 8);
    for (size_t i = 0; i < TP_ARRAY_LEN(ids); i++)
        add(&s, ids[i]);
    assert_int_equal(tp_idset_count(&s), 8);
    static const uint64_t others[] = {2, 62, 65, 4094, 4097, 3 * 4096, UINT64_MAX - 1};
    for (size_t i = 0; i < TP_ARRAY_LEN(others); i++)
        add(&s, others[i]);
    assert_int_equal(tp_idset_count(&s), 8 + TP_ARRAY_LEN(others));
    tp_idset_fini(&s);
    assert_int_equal(tp_idset_count(&s), 0);
    tp_idset_fini(&s);
}

static void test_count_equals_that_of_a_list(void **state)
{
    enum { ID_COUNT = 20000 };
    static uint64_t ids[ID_COUNT];
    uint64_t seed = 88172645463325252u;
    (void)state;
    // Dense, sparse in the low bits, sparse in the high bits.
    for (unsigned shift = 0; shift <= 48; shift += 12) {
        struct tp_idset s;
        tp_idset_init(&s, TP_MIB(64));
        for (size_t i = 0; i < ID_COUNT; i++) {
            ids[i] = (next_random(&seed) % 15000) << shift;
            add(&s, ids[i]);
        }
        assert_int_equal(tp_idset_count(&s), distinct_count(ids, ID_COUNT));
        tp_idset_fini(&s);
    }
}

static void test_a_million_neighbours_are_compact(void **state)
{
    struct tp_idset s;
    (void)state;
    tp_idset_init(&s, TP_MIB(1));
    for (uint64_t id = 1; id <= 1000000; id++)
        add(&s, id);
    assert_int_equal(tp_idset_count(&s), 1000000);
    assert_true(memory_bytes(&s) < TP_KIB(300));
    tp_idset_fini(&s);
}

static void test_all_ids_are_found_again(void **state)
{
    (void)state;
    static const uint64_t ids[] = {4095, 0, 4096, 63, 64, UINT64_MAX, 1 << 20, UINT64_MAX - 4096};
    struct tp_idset s;
    struct tp_idset_at at = {0};
    uint64_t id, sum = 0, want = 0;
    size_t count = 0;
    tp_idset_init(&s, TP_MIB(1));
    assert_false(tp_idset_next(&s, &at, &id));
    assert_false(tp_idset_has(&s, 0));
    for (size_t i = 0; i < TP_ARRAY_LEN(ids); i++) {
        add(&s, ids[i]);
        want += ids[i];
    }
    for (; tp_idset_next(&s, &at, &id); count++) {
        assert_true(tp_idset_has(&s, id));
        sum += id;
    }
    assert_int_equal(count, TP_ARRAY_LEN(ids));
    assert_true(sum == want);
    assert_false(tp_idset_has(&s, 1));
    assert_false(tp_idset_has(&s, 8192));
    tp_idset_fini(&s);
}

static void test_bound_is_kept_and_used(void **state)
{
    (void)state;
    for (size_t max_bytes = 0; max_bytes < TP_KIB(100); max_bytes += 1234) {
        struct tp_idset s;
        tp_idset_init(&s, max_bytes);
        uint64_t id_count = 0;
        struct tp_error err = {0};
        int code;
        while ((code = tp_idset_add(&s, id_count << 12, &err)) == 0) {
            id_count++;
            assert_true(memory_bytes(&s) <= max_bytes);
        }
        assert_int_equal(code, TP_E_TOO_LARGE);
        assert_int_equal(err.code, TP_E_TOO_LARGE);
        assert_int_equal(tp_idset_count(&s), id_count);
        // At most a page and the spare room of the table are left.
        assert_true((id_count + 1) * (sizeof *s.pages.items + 4 * sizeof(uint32_t)) > max_bytes);
        // What is there can still be met.
        for (uint64_t i = 0; i < id_count; i++)
            add(&s, i << 12);
        assert_int_equal(tp_idset_count(&s), id_count);
        tp_idset_fini(&s);
    }
}

static void test_every_failing_allocation_is_reported(void **state)
{
    (void)state;
    for (uint64_t nth = 1;; nth++) {
        struct tp_idset s;
        tp_idset_init(&s, TP_MIB(1));
        int code = 0;
        uint64_t id = 0;
        tp_alloc_fail_at(nth, false);
        for (; id < 200 && code == 0; id++)
            code = tp_idset_add(&s, id << 12, NULL);
        tp_alloc_fail_at(0, false);
        if (code == 0) {
            assert_true(nth > 4);
            tp_idset_fini(&s);
            return;
        }
        assert_int_equal(code, TP_E_MEMORY);
        assert_int_equal(tp_idset_count(&s), id - 1);
        add(&s, (id - 1) << 12);
        assert_int_equal(tp_idset_count(&s), id);
        tp_idset_fini(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ids_count_once),
        cmocka_unit_test(test_count_equals_that_of_a_list),
        cmocka_unit_test(test_a_million_neighbours_are_compact),
        cmocka_unit_test(test_all_ids_are_found_again),
        cmocka_unit_test(test_bound_is_kept_and_used),
        cmocka_unit_test(test_every_failing_allocation_is_reported),
    };
    return cmocka_run_group_tests_name("idset", tests, NULL, NULL);
}
