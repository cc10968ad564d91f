// Sorting with and without files: every item comes back once and in order, wherever
// runs were cut; shared room; full disks and memory that is lacking.
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/sort/sorter.h"
#include "scratch.h"

#define SMALL_BYTES TP_SORTER_LEAST_BYTES

static const struct tp_sorter_memory little = {.most_bytes = SMALL_BYTES};

// What item `i` is: its bytes follow from its number, its key from that, too.
static uint64_t mix(uint64_t i)
{
    i = (i ^ i >> 31) * UINT64_C(0x9e3779b97f4a7c15);
    return (i ^ i >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
}

static struct tp_sorter_key key_of(uint64_t i)
{
    // Few values in front, so that all words are looked at.
    return (struct tp_sorter_key){{mix(i) % 7, mix(i + 1) % 3, mix(i + 2) % 1000, i}};
}

static size_t len_of(uint64_t i)
{
    return i % 1000 == 999 ? TP_SORTER_ITEM_MAX_BYTES / 3 : (size_t)(mix(i + 3) % 90);
}

static void fill(unsigned char *to, uint64_t i)
{
    for (size_t k = 0; k < len_of(i); k++)
        to[k] = (unsigned char)(i * 31 + k);
}

static int put(struct tp_sorter *s, uint64_t i, struct tp_error *err)
{
    static unsigned char bytes[TP_SORTER_ITEM_MAX_BYTES];
    struct tp_sorter_key key = key_of(i);
    size_t half = len_of(i) / 2;
    fill(bytes, i);
    struct tp_span parts[] = {tp_span_of(bytes, half), tp_span_of(NULL, 0),
                              tp_span_of(bytes + half, len_of(i) - half)};
    return tp_sorter_put(s, &key, parts, TP_ARRAY_LEN(parts), err);
}

static int put_all(struct tp_sorter *s, uint64_t count, struct tp_error *err)
{
    int rc = 0;
    for (uint64_t i = 0; i < count && rc == 0; i++)
        rc = put(s, i, err);
    return rc;
}

// Reads everything back; the code of the first failure.
static int check_all(struct tp_sorter *s, uint64_t count, struct tp_error *err)
{
    static unsigned char wanted[TP_SORTER_ITEM_MAX_BYTES];
    struct tp_sorter_key before = {{0}};
    struct tp_sorter_item item;
    uint64_t got_count = 0, sum = 0;
    bool has = true;
    int rc = tp_sorter_sort(s, err);
    while (rc == 0 && (rc = tp_sorter_next(s, &item, &has, err)) == 0 && has) {
        uint64_t i = item.key.words[3];
        struct tp_sorter_key key = key_of(i);
        assert_memory_equal(&item.key, &key, sizeof key);
        if (got_count > 0) {
            size_t w = 0;
            while (w < 3 && before.words[w] == key.words[w])
                w++;
            assert_true(before.words[w] < key.words[w]);
        }
        assert_int_equal(item.bytes.len_bytes, len_of(i));
        assert_int_equal((uintptr_t)item.bytes.ptr % 8, 0);
        fill(wanted, i);
        assert_memory_equal(item.bytes.ptr, wanted, len_of(i));
        before = key;
        sum += i;
        got_count++;
    }
    if (rc != 0)
        return rc;
    assert_int_equal(got_count, count);
    assert_int_equal(sum, count * (count - (count > 0)) / 2);
    assert_int_equal(tp_sorter_next(s, &item, &has, err), 0);
    assert_false(has);
    return 0;
}

static bool has_spilled(const struct tp_sorter *s)
{
    bool spilled = false;
    for (size_t l = 0; l < TP_SORTER_LEVELS; l++)
        spilled |= s->levels[l].run_count > 0;
    return spilled;
}

static void check_count(uint64_t count, bool spills, size_t level)
{
    struct tp_sorter s;
    struct tp_error err;
    assert_int_equal(tp_sorter_init(&s, &little, &err), 0);
    assert_int_equal(put_all(&s, count, &err), 0);
    assert_int_equal(has_spilled(&s), spills);
    assert_int_equal(s.levels[level].run_count > 0, spills);
    assert_int_equal(check_all(&s, count, &err), 0);
    tp_sorter_fini(&s);
    tp_sorter_fini(&s);
}

static void test_what_fits_stays_in_memory(void **state)
{
    (void)state;
    setenv("TMPDIR", "missing", 1);
    check_count(0, false, 0);
    check_count(1, false, 0);
    check_count(2000, false, 0);
}

static void test_runs(void **state)
{
    (void)state;
    setenv("TMPDIR", ".", 1);
    check_count(6000, true, 0);
    check_count(50000, true, 0);
    assert_int_equal(count_entries("."), 0);
}

// More than TP_SORTER_RUNS runs: they are merged to longer ones on the way.
static void test_levels(void **state)
{
    (void)state;
    setenv("TMPDIR", ".", 1);
    check_count(400000, true, 1);
}

static void test_room_is_shared(void **state)
{
    _Atomic size_t used_bytes = 0;
    struct tp_sorter_memory memory = {TP_MIB(16), &used_bytes, TP_MIB(4)};
    struct tp_sorter a, b;
    struct tp_error err;
    (void)state;
    setenv("TMPDIR", ".", 1);
    assert_int_equal(tp_sorter_init(&a, &memory, &err), 0);
    assert_int_equal(tp_sorter_init(&b, &memory, &err), 0);
    assert_int_equal(put_all(&a, 20000, &err), 0);
    assert_int_equal(used_bytes, TP_MIB(4));
    // Nothing is left for the other: it writes runs.
    assert_int_equal(put_all(&b, 6000, &err), 0);
    assert_true(has_spilled(&b));
    assert_int_equal(check_all(&a, 20000, &err), 0);
    assert_int_equal(check_all(&b, 6000, &err), 0);
    tp_sorter_fini(&a);
    assert_int_equal(used_bytes, 0);
    tp_sorter_fini(&b);
    assert_int_equal(used_bytes, 0);
}

static void test_no_folder_for_runs(void **state)
{
    struct tp_sorter s;
    struct tp_error err;
    (void)state;
    setenv("TMPDIR", "missing", 1);
    assert_int_equal(tp_sorter_init(&s, &little, &err), 0);
    assert_int_equal(put_all(&s, 50000, &err), TP_E_WRITE);
    assert_int_equal(err.sys_errno, ENOENT);
    tp_sorter_fini(&s);
}

static void test_full_disk(void **state)
{
    struct tp_sorter s;
    struct tp_error err;
    struct rlimit before, small;
    (void)state;
    setenv("TMPDIR", ".", 1);
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = SMALL_BYTES * 3;
    assert_int_equal(tp_sorter_init(&s, &little, &err), 0);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    int rc = put_all(&s, 50000, &err);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(rc, TP_E_WRITE);
    assert_int_equal(err.sys_errno, EFBIG);
    tp_sorter_fini(&s);
}

static int sort_with_little(void)
{
    struct tp_sorter s;
    struct tp_error err;
    int rc = tp_sorter_init(&s, &little, &err);
    if (rc == 0)
        rc = put_all(&s, 300000, &err);
    if (rc == 0)
        rc = check_all(&s, 300000, &err);
    tp_sorter_fini(&s);
    return rc;
}

static void test_failing_allocations(void **state)
{
    uint64_t live_bytes = tp_alloc_live_bytes(), nth = 1;
    int rc = TP_E_MEMORY;
    (void)state;
    setenv("TMPDIR", ".", 1);
    // Far on only now and then, since each time takes as long as the whole.
    for (; rc != 0; nth += nth < 8 ? 1 : nth / 2) {
        tp_alloc_fail_at(nth, false);
        rc = sort_with_little();
        tp_alloc_fail_at(0, false);
        assert_true(rc == 0 || rc == TP_E_MEMORY);
        assert_int_equal(tp_alloc_live_bytes(), live_bytes);
    }
    assert_true(nth > 20);
}

// The folder of tests themselves lies where TMPDIR says.
static void test_words_of_signed_numbers(void **state)
{
    static const int64_t numbers[] = {INT64_MIN, INT64_MIN + 1, -1, 0, 1, INT64_MAX};
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(numbers); i++) {
        assert_int_equal(tp_sorter_number_of(tp_sorter_word_of(numbers[i])), numbers[i]);
        if (i > 0)
            assert_true(tp_sorter_word_of(numbers[i - 1]) < tp_sorter_word_of(numbers[i]));
    }
}

static void test_limits_of_a_buffer(void **state)
{
    static const struct {
        uint64_t wanted_bytes;
        size_t most_bytes;
        size_t bytes;
    } rows[] = {{TP_MIB(1) + 31, TP_MIB(2), TP_MIB(1) + 16},
                {UINT64_MAX, TP_MIB(2), TP_MIB(2)},
                {0, TP_MIB(2), TP_SORTER_LEAST_BYTES}};
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(rows); i++) {
        struct tp_sorter_memory m = tp_sorter_memory_of(rows[i].wanted_bytes, rows[i].most_bytes);
        assert_int_equal(m.most_bytes, rows[i].bytes);
        assert_null(m.room_used_bytes);
    }
}

static const char *g_tmpdir;

static int tear_down(void **state)
{
    if (g_tmpdir != NULL)
        setenv("TMPDIR", g_tmpdir, 1);
    else
        unsetenv("TMPDIR");
    return scratch_tear_down(state);
}

#define SORTER_TEST(name) cmocka_unit_test_setup_teardown(name, scratch_set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SORTER_TEST(test_what_fits_stays_in_memory),
        SORTER_TEST(test_runs),
        SORTER_TEST(test_levels),
        SORTER_TEST(test_room_is_shared),
        SORTER_TEST(test_no_folder_for_runs),
        SORTER_TEST(test_full_disk),
        SORTER_TEST(test_failing_allocations),
        cmocka_unit_test(test_words_of_signed_numbers),
        cmocka_unit_test(test_limits_of_a_buffer),
    };
    char *before = getenv("TMPDIR") != NULL ? strdup(getenv("TMPDIR")) : NULL;
    g_tmpdir = before;
    int rc = cmocka_run_group_tests_name("sorter", tests, NULL, NULL);
    free(before);
    return rc;
}
