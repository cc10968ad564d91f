// Trees of base/sort/balanced.def: they keep their order and their weights whatever comes and goes.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/sort/balanced.h"

#define NODES 600

struct owner {
    struct tp_tree_links links[NODES];
    uint64_t keys[NODES];
    uint64_t sums[NODES]; // of the keys of all below and itself
};

#define TREE(name) tree_##name
#define TREE_CTX struct owner

static struct tp_tree_links *tree_links(struct owner *o, uint32_t node) { return &o->links[node]; }

static bool tree_less(struct owner *o, uint32_t a, uint32_t b) { return o->keys[a] < o->keys[b]; }

static void tree_refresh(struct owner *o, uint32_t node)
{
    const struct tp_tree_links *l = &o->links[node];
    o->sums[node] = o->keys[node];
    o->sums[node] += l->left != TP_TREE_NONE ? o->sums[l->left] : 0;
    o->sums[node] += l->right != TP_TREE_NONE ? o->sums[l->right] : 0;
}

#include "base/sort/balanced.def"

// Nodes below `root`, all of them in order, none three times as heavy as its brother.
static uint32_t check(struct owner *o, uint32_t root, uint64_t *last_key, uint64_t *ret_sum)
{
    *ret_sum = 0;
    if (root == TP_TREE_NONE)
        return 0;
    uint64_t left_sum, right_sum;
    uint32_t left = check(o, o->links[root].left, last_key, &left_sum);
    assert_true(o->keys[root] > *last_key);
    *last_key = o->keys[root];
    uint32_t right = check(o, o->links[root].right, last_key, &right_sum);
    assert_true(left + 1 <= 3 * (right + 1) && right + 1 <= 3 * (left + 1));
    assert_int_equal(o->links[root].weight, left + right + 2);
    *ret_sum = left_sum + right_sum + o->keys[root];
    assert_int_equal(o->sums[root], *ret_sum);
    return left + right + 1;
}

static void check_all(struct owner *o, uint32_t root, uint32_t count)
{
    uint64_t last_key = 0, sum;
    assert_int_equal(check(o, root, &last_key, &sum), count);
}

static uint64_t next(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

static void test_whatever_comes_and_goes(void **state)
{
    static struct owner o;
    static bool is_in[NODES];
    uint64_t seed = 5;
    uint32_t root = TP_TREE_NONE, count = 0;
    (void)state;
    for (uint32_t i = 0; i < NODES; i++)
        o.keys[i] = 1 + (uint64_t)i * 7919 % NODES;
    for (size_t step = 0; step < 20000; step++) {
        uint32_t node = (uint32_t)(next(&seed) % NODES);
        root = is_in[node] ? tree_remove(&o, root, node) : tree_insert(&o, root, node);
        is_in[node] = !is_in[node];
        count += is_in[node] ? 1 : UINT32_MAX;
        if (step % 16 == 0)
            check_all(&o, root, count);
    }
}

static void test_in_order_and_against_it(void **state)
{
    static struct owner o;
    uint32_t root = TP_TREE_NONE;
    (void)state;
    for (uint32_t i = 0; i < NODES; i++) {
        o.keys[i] = i + 1;
        root = tree_insert(&o, root, i);
        check_all(&o, root, i + 1);
    }
    for (uint32_t i = 0; i < NODES; i++) {
        root = tree_remove(&o, root, i);
        check_all(&o, root, NODES - 1 - i);
    }
    for (uint32_t i = NODES; i-- > 0;)
        root = tree_insert(&o, root, i);
    for (uint32_t i = NODES; i-- > 0;) {
        root = tree_remove(&o, root, i);
        check_all(&o, root, i);
    }
    assert_int_equal(root, TP_TREE_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whatever_comes_and_goes),
        cmocka_unit_test(test_in_order_and_against_it),
    };
    return cmocka_run_group_tests_name("balanced", tests, NULL, NULL);
}
