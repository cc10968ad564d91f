// The chunks of a run: how many there are for whom, where they lie, and that each
// comes back.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdatomic.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "pipeline/core/chunk_pool.h"

#define CHUNKS 7
#define RESERVED 3
#define CHUNK_BYTES 5000

static unsigned free_calls;

static void count_free(void *ctx)
{
    assert_ptr_equal(ctx, &free_calls);
    free_calls++;
}

static struct tp_chunk_pool pool;

static int set_up(void **state)
{
    (void)state;
    struct tp_error err;
    free_calls = 0;
    return tp_chunk_pool_init(&pool, CHUNKS, RESERVED, CHUNK_BYTES, count_free, &free_calls, &err);
}

static int tear_down(void **state)
{
    (void)state;
    tp_chunk_pool_fini(&pool);
    return 0;
}

static size_t take_all(enum tp_rank rank, struct tp_chunk **chunks)
{
    size_t n = 0;
    while ((chunks[n] = tp_chunk_pool_try_take(&pool, rank)) != NULL)
        n++;
    return n;
}

static void test_last_chunks_are_for_the_oldest_input(void **state)
{
    (void)state;
    struct tp_chunk *young[CHUNKS + 1], *old[CHUNKS + 1];
    assert_int_equal(take_all(TP_RANK_YOUNGER, young), CHUNKS - RESERVED);
    assert_int_equal(take_all(TP_RANK_OLDEST, old), RESERVED);
    // The first to come back only fill up the reserve.
    for (size_t i = 0; i < RESERVED; i++)
        tp_chunk_release(old[i]);
    assert_null(tp_chunk_pool_try_take(&pool, TP_RANK_YOUNGER));
    tp_chunk_release(young[0]);
    assert_ptr_equal(tp_chunk_pool_try_take(&pool, TP_RANK_YOUNGER), young[0]);
    for (size_t i = 0; i < CHUNKS - RESERVED; i++)
        tp_chunk_release(young[i]);
    assert_int_equal(take_all(TP_RANK_OLDEST, old), CHUNKS);
    for (size_t i = 0; i < CHUNKS; i++)
        tp_chunk_release(old[i]);
}

static void test_chunks_lie_apart_in_the_arena(void **state)
{
    (void)state;
    struct tp_chunk *chunks[CHUNKS + 1];
    assert_int_equal(take_all(TP_RANK_OLDEST, chunks), CHUNKS);
    for (size_t i = 0; i < CHUNKS; i++) {
        const struct tp_chunk *c = chunks[i];
        size_t at = (size_t)(c->base - pool.arena);
        assert_int_equal(at % 4096, 0);
        assert_true(at + tp_chunk_buf_bytes(CHUNK_BYTES) <= pool.arena_bytes);
        assert_true(pool.each_bytes >= tp_chunk_buf_bytes(CHUNK_BYTES));
        assert_int_equal(c->capacity_bytes, CHUNK_BYTES);
        for (size_t k = 0; k < i; k++) {
            ptrdiff_t apart = c->base - chunks[k]->base;
            assert_true(apart >= (ptrdiff_t)pool.each_bytes || -apart >= (ptrdiff_t)pool.each_bytes);
        }
        // All of it is memory.
        memset(c->base, 1, tp_chunk_buf_bytes(CHUNK_BYTES));
    }
    for (size_t i = 0; i < CHUNKS; i++)
        tp_chunk_release(chunks[i]);
}

static void test_chunk_comes_back_with_its_last_hold(void **state)
{
    (void)state;
    struct tp_chunk *c = tp_chunk_pool_try_take(&pool, TP_RANK_OLDEST);
    assert_int_equal(pool.free_count, CHUNKS - 1);
    c->len_bytes = 77;
    c->offset = 99;
    tp_chunk_hold(c);
    tp_chunk_release(c);
    assert_int_equal(free_calls, 0);
    tp_chunk_release(c);
    assert_int_equal(free_calls, 1);
    assert_int_equal(pool.free_count, CHUNKS);
    // And is as new when it is taken again.
    assert_ptr_equal(tp_chunk_pool_try_take(&pool, TP_RANK_OLDEST), c);
    assert_int_equal(c->len_bytes, 0);
    assert_int_equal(c->offset, 0);
    tp_chunk_release(c);
}

static void test_each_lack_of_memory_is_reported(void **state)
{
    (void)state;
    uint64_t live_bytes = tp_alloc_live_bytes();
    for (uint64_t nth = 1; nth <= 2; nth++) {
        struct tp_chunk_pool p;
        struct tp_error err;
        tp_alloc_fail_at(nth, false);
        assert_int_equal(tp_chunk_pool_init(&p, CHUNKS, RESERVED, CHUNK_BYTES, count_free, NULL,
                                            &err),
                         TP_E_MEMORY);
        tp_alloc_fail_at(0, false);
        tp_chunk_pool_fini(&p);
        assert_int_equal(tp_alloc_live_bytes(), live_bytes);
    }
    struct tp_chunk_pool none = {0};
    tp_chunk_pool_fini(&none);
}

int main(void)
{
#define POOL_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        POOL_TEST(test_last_chunks_are_for_the_oldest_input),
        POOL_TEST(test_chunks_lie_apart_in_the_arena),
        POOL_TEST(test_chunk_comes_back_with_its_last_hold),
        cmocka_unit_test(test_each_lack_of_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
