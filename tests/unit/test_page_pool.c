// Pages: no more than the pool may make, never fewer left than was asked for, used
// again, empty.
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "pipeline/core/page_pool.h"

static void test_up_to_the_maximum(void **state)
{
    struct tp_page_pool pool;
    struct tp_page *list = NULL, *page;
    size_t count = 0;
    (void)state;
    tp_page_pool_init(&pool, 5);
    while ((page = tp_page_pool_try_take(&pool, 0)) != NULL) {
        assert_null(page->next);
        assert_int_equal(page->used_bytes, 0);
        memset(page->bytes, 0xa5, TP_PAGE_ROOM);
        page->used_bytes = TP_PAGE_ROOM;
        page->next = list;
        list = page;
        count++;
    }
    assert_int_equal(count, 5);
    assert_true(tp_page_pool_is_spent(&pool));
    tp_page_pool_give(&pool, list);
    page = tp_page_pool_try_take(&pool, 4);
    assert_non_null(page);
    assert_null(page->next);
    assert_int_equal(page->used_bytes, 0);
    tp_page_pool_give(&pool, page);
    tp_page_pool_give(&pool, NULL);
    tp_page_pool_fini(&pool);
}

static void test_some_are_left_for_others(void **state)
{
    struct tp_page_pool pool;
    struct tp_page *taken[3];
    (void)state;
    tp_page_pool_init(&pool, 4);
    assert_null(tp_page_pool_try_take(&pool, 4));
    taken[0] = tp_page_pool_try_take(&pool, 3);
    assert_non_null(taken[0]);
    // Whether what is left was made before or not is all the same.
    assert_null(tp_page_pool_try_take(&pool, 3));
    taken[1] = tp_page_pool_try_take(&pool, 2);
    assert_non_null(taken[1]);
    tp_page_pool_give(&pool, taken[0]);
    assert_null(tp_page_pool_try_take(&pool, 3));
    taken[2] = tp_page_pool_try_take(&pool, 2);
    assert_ptr_equal(taken[2], taken[0]);
    tp_page_pool_give(&pool, taken[1]);
    tp_page_pool_give(&pool, taken[2]);
    tp_page_pool_fini(&pool);
}

static void test_trimming_gives_idle_pages_back(void **state)
{
    struct tp_page_pool pool;
    struct tp_page *taken[3];
    uint64_t before_bytes = tp_alloc_live_bytes();
    (void)state;
    tp_page_pool_init(&pool, 3);
    tp_page_pool_trim(&pool);
    for (size_t i = 0; i < TP_ARRAY_LEN(taken); i++) {
        taken[i] = tp_page_pool_try_take(&pool, 0);
        assert_non_null(taken[i]);
    }
    tp_page_pool_give(&pool, taken[0]);
    tp_page_pool_give(&pool, taken[1]);
    assert_int_equal(tp_alloc_live_bytes(), before_bytes + 3 * TP_PAGE_BYTES);
    tp_page_pool_trim(&pool);
    assert_int_equal(tp_alloc_live_bytes(), before_bytes + TP_PAGE_BYTES);
    // There may be as many as before.
    assert_null(tp_page_pool_try_take(&pool, 2));
    taken[0] = tp_page_pool_try_take(&pool, 1);
    taken[1] = tp_page_pool_try_take(&pool, 0);
    assert_true(taken[0] != NULL && taken[1] != NULL && tp_page_pool_is_spent(&pool));
    for (size_t i = 0; i < TP_ARRAY_LEN(taken); i++)
        tp_page_pool_give(&pool, taken[i]);
    tp_page_pool_fini(&pool);
    assert_int_equal(tp_alloc_live_bytes(), before_bytes);
}

static void test_without_memory_there_is_none(void **state)
{
    struct tp_page_pool pool;
    (void)state;
    tp_page_pool_init(&pool, 2);
    tp_alloc_fail_at(1, false);
    assert_null(tp_page_pool_try_take(&pool, 0));
    tp_alloc_fail_at(0, false);
    assert_false(tp_page_pool_is_spent(&pool));
    struct tp_page *page = tp_page_pool_try_take(&pool, 1);
    assert_non_null(page);
    tp_page_pool_give(&pool, page);
    tp_page_pool_fini(&pool);
    // A run that orders nothing has none.
    tp_page_pool_init(&pool, 0);
    assert_null(tp_page_pool_try_take(&pool, 0));
    tp_page_pool_fini(&pool);
    tp_page_pool_fini(&(struct tp_page_pool){0});
}

#define THREADS 4
#define ROUNDS 3000

struct user {
    struct tp_page_pool *pool;
    unsigned char mark;
    size_t taken_count;
    bool is_shared; // somebody else had the page, too
};

static void *use(void *arg)
{
    struct user *u = arg;
    for (unsigned n = 0; n < ROUNDS; n++) {
        struct tp_page *page = tp_page_pool_try_take(u->pool, n % 2);
        if (page == NULL)
            continue;
        u->taken_count++;
        memset(page->bytes, u->mark, 64);
        for (size_t i = 0; i < 64; i++)
            u->is_shared |= page->bytes[i] != u->mark;
        tp_page_pool_give(u->pool, page);
    }
    return NULL;
}

static void test_many_threads(void **state)
{
    struct tp_page_pool pool;
    struct user users[THREADS];
    pthread_t threads[THREADS];
    (void)state;
    tp_page_pool_init(&pool, 2);
    for (size_t i = 0; i < THREADS; i++) {
        users[i] = (struct user){.pool = &pool, .mark = (unsigned char)(i + 1)};
        assert_int_equal(pthread_create(&threads[i], NULL, use, &users[i]), 0);
    }
    size_t taken_count = 0;
    for (size_t i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        assert_false(users[i].is_shared);
        taken_count += users[i].taken_count;
    }
    assert_true(taken_count > 0);
    assert_true(pool.made_count <= 2);
    tp_page_pool_fini(&pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_up_to_the_maximum),
        cmocka_unit_test(test_some_are_left_for_others),
        cmocka_unit_test(test_trimming_gives_idle_pages_back),
        cmocka_unit_test(test_without_memory_there_is_none),
        cmocka_unit_test(test_many_threads),
    };
    return cmocka_run_group_tests_name("page_pool", tests, NULL, NULL);
}
