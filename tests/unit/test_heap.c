// Heaps of base/sort/heap.def, and limiters, which are heaps: the best so many of many stay, equal ones
// too, and the worst of these stands first at any time.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/sort/compare.h"
#include "base/sort/limiter.h"

struct record {
    uint64_t key;
    uint64_t id;
};

struct owner {
    size_t compared;
};

static int compare(const void *left, const void *right)
{
    const struct record *a = left, *b = right;
    return a->key != b->key ? tp_compare_u64(a->key, b->key) : tp_compare_u64(a->id, b->id);
}

static bool goes_first(struct owner *owner, const struct record *a, const struct record *b)
{
    owner->compared++;
    return compare(a, b) > 0;
}

#define HEAP_ITEM struct record
#define HEAP_CTX struct owner
#include "base/sort/limiter.def"

#define RECORDS 2000

static void make_records(struct record records[static RECORDS], uint64_t seed, uint64_t distinct)
{
    for (size_t i = 0; i < RECORDS; i++) {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        records[i] = (struct record){seed % distinct, i};
    }
}

static void expect_heap(const struct record *heap, size_t count)
{
    for (size_t i = 1; i < count; i++)
        assert_true(compare(&heap[(i - 1) / 2], &heap[i]) >= 0);
}

static void test_the_least_stay(void **state)
{
    static const size_t limits[] = {1, 2, 3, 10, 63, 64, 999, RECORDS};
    static struct record records[RECORDS];
    (void)state;
    for (uint64_t way = 0; way < 4 * TP_ARRAY_LEN(limits); way++) {
        struct owner owner = {0};
        TP_LIST(struct record) kept = {0};
        size_t limit = limits[way / 4], gone_count = 0;
        make_records(records, 77 + way, way % 2 == 0 ? 5 : UINT64_MAX);
        // Rising ones never go, of falling ones each takes the place of another.
        if (way % 4 == 2)
            qsort(records, RECORDS, sizeof *records, compare);
        for (size_t i = 0; i < RECORDS; i++) {
            const struct record *r = &records[way % 4 == 3 ? RECORDS - 1 - i : i];
            struct record gone = *r;
            switch (limiter_offer(&owner, &kept.as_list, (uint32_t)limit, r, &gone)) {
            case TP_LIMITED_KEPT: assert_true(i < limit); break;
            case TP_LIMITED_REPLACED: assert_true(compare(&gone, r) >= 0); gone_count++; break;
            case TP_LIMITED_REFUSED: assert_true(compare(r, &kept.items[0]) > 0); gone_count++; break;
            default: fail();
            }
            expect_heap(kept.items, kept.count);
        }
        qsort(records, RECORDS, sizeof *records, compare);
        assert_int_equal(kept.count + gone_count, RECORDS);
        limiter_drop_first(&owner, &kept.as_list);
        qsort(kept.items, kept.count, sizeof *kept.items, compare);
        assert_int_equal(kept.count, limit - 1);
        if (limit > 1)
            assert_memory_equal(kept.items, records, (limit - 1) * sizeof *records);
        tp_free(kept.items);
    }
}

// Taken one by one, the last one into the place of the first.
static void test_records_leave_in_order(void **state)
{
    static struct record records[RECORDS], heap[RECORDS];
    struct owner owner = {0};
    (void)state;
    make_records(records, 5, 100);
    for (size_t i = 0; i < RECORDS; i++)
        heap_push(&owner, heap, i, &records[i]);
    qsort(records, RECORDS, sizeof *records, compare);
    for (size_t count = RECORDS; count > 1; count--) {
        assert_memory_equal(&heap[0], &records[count - 1], sizeof *heap);
        heap_replace_first(&owner, heap, count - 1, &heap[count - 1]);
        expect_heap(heap, count - 1);
    }
    assert_memory_equal(&heap[0], &records[0], sizeof *heap);
    assert_true(owner.compared < 60 * RECORDS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_least_stay),
        cmocka_unit_test(test_records_leave_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
