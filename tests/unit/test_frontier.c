// The frontier against Go's heap, written down once more as Go has it, with swaps
// and recursion over three places: after every operation the arrays are the same,
// entry by entry, with hardly more than a handful of different times.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/sort/gosort.h"
#include "merge/order/cursor.h"
#include "merge/order/frontier.h"

#define CURSORS_MAX 70

struct model {
    struct tp_frontier_entry at[CURSORS_MAX];
    size_t count;
};

static void swap(struct model *h, size_t a, size_t b)
{
    struct tp_frontier_entry e = h->at[a];
    h->at[a] = h->at[b];
    h->at[b] = e;
}

static size_t up(struct model *h, size_t i)
{
    while (i > 0 && h->at[(i - 1) / 2].time_ns > h->at[i].time_ns) {
        swap(h, i, (i - 1) / 2);
        i = (i - 1) / 2;
    }
    return i;
}

static size_t least_of(const struct model *h, size_t i)
{
    size_t least = i;
    for (size_t child = 2 * i + 1; child <= 2 * i + 2; child++) {
        if (child < h->count && h->at[child].time_ns < h->at[least].time_ns)
            least = child;
    }
    return least;
}

static void down(struct model *h, size_t i)
{
    for (size_t least; h->count > 0 && (least = least_of(h, i)) != i; i = least)
        swap(h, i, least);
}

static void model_push(struct model *h, int64_t time_ns, struct tp_cursor *c)
{
    h->at[h->count] = (struct tp_frontier_entry){time_ns, c};
    up(h, h->count++);
}

static void model_update(struct model *h, size_t i, int64_t time_ns)
{
    h->at[i].time_ns = time_ns;
    if (up(h, i) == i)
        down(h, i);
}

static void model_remove(struct model *h, size_t i)
{
    for (; i > 0; i = (i - 1) / 2)
        swap(h, i, (i - 1) / 2);
    swap(h, 0, h->count - 1);
    h->count--;
    down(h, 0);
}

static int by_time(const void *a, const void *b, void *ctx)
{
    const struct tp_frontier_entry *x = a, *y = b;
    (void)ctx;
    return x->time_ns < y->time_ns ? -1 : x->time_ns > y->time_ns;
}

// Ours and the model.
struct pair {
    struct tp_frontier_entry entries[TP_FRONTIER_ROOM(CURSORS_MAX)];
    struct tp_frontier f;
    struct model want;
};

static void check(const struct pair *p)
{
    assert_int_equal(p->f.count, p->want.count);
    for (size_t i = 0; i < p->f.count; i++) {
        assert_true(p->f.entries[i].cursor == p->want.at[i].cursor);
        assert_true(p->f.entries[i].time_ns == p->want.at[i].time_ns);
        if (i > 0)
            assert_true(p->f.entries[(i - 1) / 2].time_ns <= p->f.entries[i].time_ns);
    }
}

static uint64_t next_random(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

static struct tp_cursor cursors[CURSORS_MAX];

static void one_step(struct pair *p, size_t count_max, uint64_t times, uint64_t *seed)
{
    int64_t time_ns = (int64_t)(next_random(seed) % times) - 2;
    size_t i = p->f.count > 0 ? next_random(seed) % p->f.count : 0;
    if (next_random(seed) % 4 != 0)
        i = 0; // as it mostly is
    switch (next_random(seed) % 16) {
    case 0 ... 3:
        if (p->f.count < count_max) {
            // The cursor only has to be told apart from the others.
            struct tp_cursor *c = &cursors[next_random(seed) % CURSORS_MAX];
            tp_frontier_push(&p->f, time_ns, c);
            model_push(&p->want, time_ns, c);
        }
        break;
    case 4:
        if (p->f.count > 0) {
            tp_frontier_remove(&p->f, i);
            model_remove(&p->want, i);
        }
        break;
    case 5:
        tp_frontier_sort(p->f.entries, p->f.count);
        tp_gosort(p->want.at, p->want.count, sizeof p->want.at[0], by_time, NULL);
        break;
    default:
        if (p->f.count == 0)
            break;
        model_update(&p->want, i, time_ns);
        if (i == 0)
            assert_ptr_equal(tp_frontier_update_first(&p->f, time_ns), p->want.at[0].cursor);
        else
            tp_frontier_update(&p->f, i, time_ns);
    }
}

static void test_every_step_as_in_go(void **state)
{
    static const size_t counts[] = {1, 2, 3, 4, 7, 12, 13, 30, CURSORS_MAX};
    static const uint64_t times[] = {1, 2, 5, 40, UINT64_C(1) << 40};
    uint64_t seed = 7;
    (void)state;
    for (size_t c = 0; c < TP_ARRAY_LEN(counts); c++) {
        for (size_t t = 0; t < TP_ARRAY_LEN(times); t++) {
            struct pair p = {.f = {.count = 0}};
            p.f.entries = p.entries;
            tp_frontier_clear(&p.f, CURSORS_MAX);
            for (unsigned n = 0; n < 4000; n++) {
                one_step(&p, counts[c], times[t], &seed);
                check(&p);
            }
        }
    }
}

static void test_last_one_removed(void **state)
{
    struct pair p = {.f = {.count = 0}};
    (void)state;
    p.f.entries = p.entries;
    tp_frontier_clear(&p.f, CURSORS_MAX);
    tp_frontier_push(&p.f, 5, &cursors[0]);
    tp_frontier_remove(&p.f, 0);
    assert_int_equal(p.f.count, 0);
    tp_frontier_sort(p.f.entries, p.f.count);
    assert_int_equal(p.f.count, 0);
}

// A tie: whoever came first stays in front, and keeps its place with an equal time.
static void test_equal_times_stay_where_they_are(void **state)
{
    struct pair p = {.f = {.count = 0}};
    (void)state;
    p.f.entries = p.entries;
    tp_frontier_clear(&p.f, CURSORS_MAX);
    for (size_t i = 0; i < 5; i++)
        tp_frontier_push(&p.f, 10, &cursors[i]);
    for (size_t i = 0; i < 5; i++)
        assert_true(p.f.entries[i].cursor == &cursors[i]);
    tp_frontier_update_first(&p.f, 10);
    assert_true(p.f.entries[0].cursor == &cursors[0]);
    // The left child is asked first.
    tp_frontier_update_first(&p.f, 11);
    assert_true(p.f.entries[0].cursor == &cursors[1]);
    assert_true(p.f.entries[1].cursor == &cursors[3]);
    assert_true(p.f.entries[3].cursor == &cursors[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_step_as_in_go),
        cmocka_unit_test(test_last_one_removed),
        cmocka_unit_test(test_equal_times_stay_where_they_are),
    };
    return cmocka_run_group_tests_name("frontier", tests, NULL, NULL);
}
