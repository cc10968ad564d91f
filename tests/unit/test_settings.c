// Options by name, and what they come to in memory.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "io/chunk.h"
#include "io/source.h"
#include "pipeline/core/settings.h"
#include "tracepipe/tracepipe.h"

static struct tp_settings settings;

static int set_up(void **state)
{
    (void)state;
    tp_settings_init(&settings);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    tp_settings_fini(&settings);
    return 0;
}

static void set(const char *name, const char *value)
{
    struct tp_error err;
    if (tp_settings_set(&settings, name, value, &err) != 0)
        fail_msg("%s=%s: %s", name, value, err.text);
}

static void assert_refused(const char *name, const char *value)
{
    struct tp_error err;
    struct tp_settings before = settings;
    assert_int_equal(tp_settings_set(&settings, name, value, &err), TP_E_USAGE);
    assert_non_null(strstr(err.text, name));
    assert_memory_equal(&settings, &before, sizeof settings);
}

static void test_values_arrive_in_their_fields(void **state)
{
    (void)state;
    set("jobs", "12");
    set("io", "pread");
    set("chunk-size", "1M");
    set("max-memory", "2GiB");
    set("strict", "yes");
    set("force", "on");
    set("recursive", "true");
    set("zero-ended", "1");
    assert_int_equal(settings.jobs, 12);
    assert_int_equal(settings.io, TP_IO_PREAD);
    assert_int_equal(settings.chunk_bytes, TP_MIB(1));
    assert_int_equal(settings.max_memory_bytes, UINT64_C(2) << 30);
    assert_true(settings.strict && settings.force && settings.recursive && settings.zero_ended);
    set("strict", "no");
    assert_false(settings.strict);
}

static void test_values_out_of_their_limits_are_refused(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"jobs", "-1"},         {"jobs", "1025"},        {"jobs", "x"},      {"jobs", ""},
        {"io", "mmap"},         {"chunk-size", "4095"},  {"chunk-size", "5M"}, {"chunk-size", "-1"},
        {"max-memory", "lots"}, {"max-memory", "1Q"},    {"strict", "maybe"}, {"unheard-of", "1"},
    };
    for (size_t i = 0; i < TP_ARRAY_LEN(rows); i++)
        assert_refused(rows[i][0], rows[i][1]);
}

// The list the public header prints for people is the one that is understood.
static void test_every_option_of_the_public_list_takes_its_default(void **state)
{
    (void)state;
    struct tp_settings fresh = settings;
#define TP_X(name, value, help) set(name, value);
    TP_RUN_OPTIONS(TP_X)
#undef TP_X
    // Defaults that are given are kept as given, too.
    assert_string_equal(settings.reading[TP_READING_SALVAGE], "prefix");
    for (unsigned i = 0; i < TP_READING_OPTION_COUNT; i++) {
        tp_free(settings.reading[i]);
        settings.reading[i] = NULL;
    }
    assert_memory_equal(&settings, &fresh, sizeof fresh);
}

static void test_what_decides_what_is_read_is_kept_as_given(void **state)
{
    (void)state;
    set("from", "12:03");
    set("from", "2026-01-01 12:04");
    set("jobs", "2");
    assert_string_equal(settings.reading[TP_READING_FROM], "2026-01-01 12:04");
    assert_null(settings.reading[TP_READING_TO]);
    assert_refused("from", "noon");
    assert_string_equal(settings.reading[TP_READING_FROM], "2026-01-01 12:04");
    set("from", "");
    assert_null(settings.reading[TP_READING_FROM]);
}

static void test_paths_are_the_last_ones_named(void **state)
{
    (void)state;
    set("manifest", "a.json");
    set("manifest", "b.json");
    set("binary", "a.out");
    set("binary", "b.out");
    assert_string_equal(settings.manifest, "b.json");
    assert_string_equal(settings.binary, "b.out");
    set("manifest", "");
    set("binary", "");
    assert_null(settings.manifest);
    assert_null(settings.binary);
}

// MEMORY

static size_t chunk_total_bytes(const struct tp_memory_plan *p)
{
    size_t each_bytes = (tp_chunk_buf_bytes(p->chunk_bytes) + 4095) & ~(size_t)4095;
    return p->chunk_count * each_bytes;
}

static void assert_plan(const struct tp_memory_plan *p, uint64_t units_bytes)
{
    uint64_t threads = p->worker_count + p->io_thread_count;
    // Stacks and structs of threads are not counted by anybody else.
    uint64_t least_rest = TP_MIB(2) + threads * TP_KIB(128);
    assert_true(chunk_total_bytes(p) + p->budget_bytes + least_rest <= p->limit_bytes);
    assert_true(p->budget_bytes >= units_bytes);
    // What tp_chunk_pool_init asserts, and what one input needs to go on.
    assert_true(p->chunk_reserved_count < p->chunk_count);
    assert_int_equal(p->chunk_reserved_count, p->stored_per_input + TP_CHUNKS_BEYOND_READ);
    assert_true(p->stored_per_input >= 2);
    assert_in_range(p->chunk_bytes, 4096, 4 << 20);
    assert_true(p->chunk_bytes <= settings.chunk_bytes);
    assert_true(p->worker_count >= 1 && p->io_thread_count >= 1);
}

// The plan for a limit: within it, or a refusal that names what would do.
static bool check_plan(uint64_t limit_bytes, uint64_t units_bytes, bool has_order)
{
    struct tp_memory_plan p;
    struct tp_error err;
    settings.max_memory_bytes = limit_bytes;
    int rc = tp_memory_plan_make(&settings, units_bytes, has_order, &p, &err);
    if (rc == 0) {
        assert_int_equal(p.limit_bytes, limit_bytes);
        assert_plan(&p, units_bytes);
        return true;
    }
    assert_int_equal(rc, TP_E_USAGE);
    const char *number = strstr(err.text, "at least ");
    unsigned long long needed_mib = 0;
    assert_non_null(number);
    assert_int_equal(sscanf(number, "at least %llu MiB", &needed_mib), 1);
    assert_true(needed_mib << 20 > limit_bytes);
    settings.max_memory_bytes = needed_mib << 20;
    if (tp_memory_plan_make(&settings, units_bytes, has_order, &p, &err) != 0)
        fail_msg("%llu MiB were said to be enough: %s", needed_mib, err.text);
    assert_plan(&p, units_bytes);
    // A mebibyte less is not.
    settings.max_memory_bytes = (needed_mib - 1) << 20;
    if (needed_mib > 1)
        assert_int_equal(tp_memory_plan_make(&settings, units_bytes, has_order, &p, &err), TP_E_USAGE);
    return false;
}

static void check_limits(uint64_t units_bytes, bool has_order)
{
    bool fit = false;
    for (uint64_t limit = 1; limit < UINT64_C(8) << 30; limit += limit / 5 + 1) {
        bool fits = check_plan(limit, units_bytes, has_order);
        assert_true(fits || !fit); // what fits goes on to fit
        fit = fits;
    }
    assert_true(fit);
}

static void test_any_limit_gives_a_plan_within_it_or_a_refusal(void **state)
{
    (void)state;
    static const uint64_t units[] = {0, TP_KIB(200), TP_MIB(4), TP_MIB(23), TP_MIB(300)};
    static const unsigned jobs[] = {1, 2, 3, 8, 64, 1024};
    static const size_t chunks[] = {4096, 10000, 40000, TP_KIB(256), TP_MIB(4)};
    for (size_t j = 0; j < TP_ARRAY_LEN(jobs); j++) {
        for (size_t c = 0; c < TP_ARRAY_LEN(chunks); c++) {
            for (size_t u = 0; u < TP_ARRAY_LEN(units); u++) {
                settings.jobs = jobs[j];
                settings.chunk_bytes = chunks[c];
                check_limits(units[u], false);
                check_limits(units[u], true);
            }
        }
    }
}

static void test_sixteen_mebibytes_do_for_small_units(void **state)
{
    (void)state;
    settings.jobs = 4;
    assert_true(check_plan(TP_MIB(16), TP_MIB(4), false));
}

// Nor do workers take from what an input may have of states.
static void test_the_default_is_one_number_whatever_the_workers(void **state)
{
    (void)state;
    static const unsigned jobs[] = {0, 1, 2, 32, 256, 1024};
    for (size_t j = 0; j < TP_ARRAY_LEN(jobs); j++) {
        struct tp_memory_plan p;
        struct tp_error err;
        settings.jobs = jobs[j];
        assert_int_equal(tp_memory_plan_make(&settings, TP_MIB(1), true, &p, &err), 0);
        assert_int_equal(p.limit_bytes, UINT64_C(1) << 30);
        assert_int_equal(p.order_state_bytes, UINT64_C(1) << 28);
    }
}

// What a decoder may take is there, whatever else takes its share.
static void test_decoders_may_take_the_same_with_any_number_of_workers(void **state)
{
    (void)state;
    static const unsigned jobs[] = {1, 2, 8, 64, 128};
    static const uint64_t limits[] = {0, TP_MIB(128), TP_MIB(256), UINT64_C(8) << 30};
    tp_settings_init(&settings);
    assert_true(tp_inflate_limit(&settings) > TP_MIB(128) + TP_MIB(1)); // `zstd --long`
    for (size_t j = 0; j < TP_ARRAY_LEN(jobs); j++) {
        for (size_t l = 0; l < TP_ARRAY_LEN(limits); l++) {
            struct tp_memory_plan p;
            struct tp_error err;
            settings.jobs = jobs[j];
            settings.max_memory_bytes = limits[l];
            assert_int_equal(tp_memory_plan_make(&settings, TP_MIB(2), true, &p, &err), 0);
            assert_true(p.budget_bytes - TP_MIB(2) >= tp_inflate_limit(&settings) + TP_MIB(1));
            assert_int_equal(tp_inflate_limit(&settings), p.limit_bytes / 6);
        }
    }
}

static void test_plenty_of_memory_keeps_the_chunk_size(void **state)
{
    (void)state;
    struct tp_memory_plan p;
    struct tp_error err;
    settings.jobs = 4;
    settings.max_memory_bytes = UINT64_C(4) << 30;
    settings.chunk_bytes = TP_MIB(1);
    assert_int_equal(tp_memory_plan_make(&settings, TP_MIB(8), false, &p, &err), 0);
    assert_int_equal(p.chunk_bytes, TP_MIB(1));
    assert_int_equal(p.worker_count, 4);
    assert_int_equal(p.io_thread_count, 1);
    settings.jobs = 5;
    assert_int_equal(tp_memory_plan_make(&settings, TP_MIB(8), false, &p, &err), 0);
    assert_int_equal(p.io_thread_count, 2); // one for up to four workers
}

int main(void)
{
#define SETTINGS_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        SETTINGS_TEST(test_values_arrive_in_their_fields),
        SETTINGS_TEST(test_values_out_of_their_limits_are_refused),
        SETTINGS_TEST(test_every_option_of_the_public_list_takes_its_default),
        SETTINGS_TEST(test_what_decides_what_is_read_is_kept_as_given),
        SETTINGS_TEST(test_paths_are_the_last_ones_named),
        SETTINGS_TEST(test_any_limit_gives_a_plan_within_it_or_a_refusal),
        SETTINGS_TEST(test_sixteen_mebibytes_do_for_small_units),
        SETTINGS_TEST(test_the_default_is_one_number_whatever_the_workers),
        SETTINGS_TEST(test_decoders_may_take_the_same_with_any_number_of_workers),
        SETTINGS_TEST(test_plenty_of_memory_keeps_the_chunk_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
