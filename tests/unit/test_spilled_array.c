// Records come back from wherever they lie: in memory, spilled, on the edges of blocks.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/spill/spilled_array.h"
#include "scratch.h"

#define EACH_MAX_BYTES 300

static const char *g_tmpdir; // before the tests
static uint64_t g_live_bytes;

static int set_up(void **state)
{
    g_live_bytes = tp_alloc_live_bytes();
    int rc = scratch_set_up(state);
    return rc == 0 ? setenv("TMPDIR", ".", 1) : rc;
}

static int tear_down(void **state)
{
    assert_int_equal(tp_alloc_live_bytes(), g_live_bytes);
    if (g_tmpdir != NULL)
        setenv("TMPDIR", g_tmpdir, 1);
    else
        unsetenv("TMPDIR");
    return scratch_tear_down(state);
}

static void fill(unsigned char to[EACH_MAX_BYTES], uint64_t idx, size_t each_bytes)
{
    for (size_t i = 0; i < each_bytes; i++)
        to[i] = (unsigned char)(idx * 31 + idx / 251 + i * 7);
}

static void add(struct tp_spilled_array *r, uint64_t count)
{
    unsigned char bytes[EACH_MAX_BYTES];
    struct tp_error err;
    while (r->count < count) {
        fill(bytes, r->count, r->each_bytes);
        assert_int_equal(tp_spilled_array_add(r, bytes, &err), 0);
    }
}

static void check(struct tp_spilled_array *r, uint64_t idx)
{
    unsigned char want[EACH_MAX_BYTES], got[EACH_MAX_BYTES];
    struct tp_error err;
    fill(want, idx, r->each_bytes);
    assert_int_equal(tp_spilled_array_get(r, idx, got, &err), 0);
    assert_memory_equal(got, want, r->each_bytes);
}

static void test_records_come_back(void **state)
{
    static const size_t sizes[] = {1, 7, 64, 72, EACH_MAX_BYTES};
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(sizes); i++) {
        uint64_t block = TP_SPILLED_ARRAY_BLOCK_BYTES / sizes[i];
        struct tp_spilled_array r;
        tp_spilled_array_init(&r, sizes[i]);
        for (uint64_t count = 1; count < 4 * block; count = 2 * count + 1) {
            add(&r, count);
            check(&r, 0);
            check(&r, count / 2);
            check(&r, count - 1);
        }
        add(&r, 4 * block);
        for (uint64_t idx = 0; idx < r.count; idx++)
            check(&r, idx);
        for (uint64_t n = 0; n < 200; n++)
            check(&r, n * 7919 % r.count);
        // The last of a block, and the first of the next.
        add(&r, 4 * block + 1);
        check(&r, 4 * block);
        check(&r, 4 * block - 1);
        tp_spilled_array_fini(&r);
        tp_spilled_array_fini(&r);
    }
    assert_int_equal(count_entries("."), 0);
}

// All memory there is, whatever their number.
static void test_memory_does_not_grow(void **state)
{
    struct tp_spilled_array r;
    (void)state;
    tp_spilled_array_init(&r, 64);
    add(&r, 20000);
    for (uint64_t idx = 0; idx < r.count; idx += 100)
        check(&r, idx);
    assert_true(tp_alloc_live_bytes() - g_live_bytes <= 2 * TP_SPILLED_ARRAY_BLOCK_BYTES + 256);
    tp_spilled_array_fini(&r);
}

// What was there before stays, and can be read when there is memory again.
static void test_lack_of_memory(void **state)
{
    unsigned char bytes[EACH_MAX_BYTES];
    struct tp_error err;
    struct tp_spilled_array r;
    (void)state;
    tp_spilled_array_init(&r, 64);
    for (uint64_t i = 0; i < 3000; i++) {
        fill(bytes, i, 64);
        tp_alloc_fail_at(1, false);
        int rc = tp_spilled_array_add(&r, bytes, &err);
        bool has_failed = tp_alloc_fail_left() == 0;
        tp_alloc_fail_at(0, false);
        assert_int_equal(rc, has_failed ? TP_E_MEMORY : 0);
        if (rc != 0)
            assert_int_equal(tp_spilled_array_add(&r, bytes, &err), 0);
    }
    tp_alloc_fail_at(1, false);
    assert_int_equal(tp_spilled_array_get(&r, 5, bytes, &err), TP_E_MEMORY);
    tp_alloc_fail_at(0, false);
    for (uint64_t i = 0; i < 3000; i++)
        check(&r, i);
    tp_spilled_array_fini(&r);
}

static void test_folder_that_is_not_there(void **state)
{
    unsigned char bytes[EACH_MAX_BYTES] = {0};
    struct tp_error err;
    struct tp_spilled_array r;
    (void)state;
    assert_int_equal(setenv("TMPDIR", "missing", 1), 0);
    tp_spilled_array_init(&r, 64);
    add(&r, TP_SPILLED_ARRAY_BLOCK_BYTES / 64);
    assert_int_equal(tp_spilled_array_add(&r, bytes, &err), TP_E_WRITE);
    assert_int_equal(r.count, TP_SPILLED_ARRAY_BLOCK_BYTES / 64);
    check(&r, 0);
    check(&r, r.count - 1);
    tp_spilled_array_fini(&r);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_records_come_back),
        TEST(test_memory_does_not_grow),
        TEST(test_lack_of_memory),
        TEST(test_folder_that_is_not_there),
    };
    char *before = getenv("TMPDIR") != NULL ? strdup(getenv("TMPDIR")) : NULL;
    g_tmpdir = before;
    int rc = cmocka_run_group_tests_name("records", tests, NULL, NULL);
    free(before);
    return rc;
}
