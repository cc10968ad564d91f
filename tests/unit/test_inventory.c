// Figures of inputs add up to the same total in whatever groups and order they
// are added.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sink/inventory/inventory.h"

#define FILE_COUNT 12

static uint64_t next_random(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

// One input with figures of all magnitudes, so that totals wrap, too.
static struct tp_inventory random_file(uint64_t *seed)
{
    struct tp_inventory s = {0};
#define TP_X(field, key) s.field = next_random(seed) >> next_random(seed) % 64;
    TP_INVENTORY_SUMS(TP_X)
#undef TP_X
    s.duration_ns = next_random(seed) >> 8;
    s.timed_file_count = next_random(seed) % 2;
    s.rated_event_count = next_random(seed) % 1000;
    s.complete_count = next_random(seed) % 2;
    s.damaged_count = !s.complete_count;
    s.refused_count = next_random(seed) % 3;
    s.version_counts[next_random(seed) % TP_VERSIONS] = 1;
    if (next_random(seed) % 3 > 0)
        tp_inventory_range_add(&s.wall_start, (int64_t)next_random(seed));
    for (size_t i = 0; i < TP_TALLY_CODES; i++) {
        s.tally.count[i] = next_random(seed) % 5;
        s.tally.bytes[i] = next_random(seed);
    }
    return s;
}

static void assert_range_equal(const struct tp_inventory_range *a,
                               const struct tp_inventory_range *b)
{
    assert_int_equal(a->is_known, b->is_known);
    assert_true(a->least_ns == b->least_ns);
    assert_true(a->greatest_ns == b->greatest_ns);
}

static void assert_inventory_equal(const struct tp_inventory *a, const struct tp_inventory *b)
{
#define TP_X(field, key) assert_true(a->field == b->field);
    TP_INVENTORY_SUMS(TP_X)
#undef TP_X
    assert_true(a->duration_ns == b->duration_ns);
    assert_int_equal(a->timed_file_count, b->timed_file_count);
    assert_int_equal(a->rated_event_count, b->rated_event_count);
    assert_int_equal(a->complete_count, b->complete_count);
    assert_int_equal(a->damaged_count, b->damaged_count);
    assert_int_equal(a->refused_count, b->refused_count);
    assert_memory_equal(a->version_counts, b->version_counts, sizeof a->version_counts);
    assert_range_equal(&a->wall_start, &b->wall_start);
    assert_memory_equal(&a->tally, &b->tally, sizeof a->tally);
}

// Merges random pairs of groups until one is left.
static struct tp_inventory total_in_groups(const struct tp_inventory *files, uint64_t *seed)
{
    static struct tp_inventory groups[FILE_COUNT];
    memcpy(groups, files, sizeof groups);
    for (size_t group_count = FILE_COUNT; group_count > 1; group_count--) {
        size_t into = next_random(seed) % group_count;
        size_t from = (into + 1 + next_random(seed) % (group_count - 1)) % group_count;
        tp_inventory_merge(&groups[into], &groups[from]);
        groups[from] = groups[group_count - 1];
    }
    return groups[0];
}

static void test_any_grouping_gives_the_same_total(void **state)
{
    static struct tp_inventory files[FILE_COUNT];
    uint64_t seed = 88172645463325252u;
    (void)state;
    for (int round = 0; round < 20; round++) {
        struct tp_inventory in_order = {0};
        for (size_t i = 0; i < FILE_COUNT; i++) {
            files[i] = random_file(&seed);
            tp_inventory_merge(&in_order, &files[i]);
        }
        for (int grouping = 0; grouping < 20; grouping++) {
            struct tp_inventory total = total_in_groups(files, &seed);
            assert_inventory_equal(&total, &in_order);
        }
    }
}

static void test_no_input_changes_nothing(void **state)
{
    uint64_t seed = 5;
    struct tp_inventory file = random_file(&seed), merged = file, none = {0};
    (void)state;
    tp_inventory_merge(&merged, &none);
    assert_inventory_equal(&merged, &file);
    tp_inventory_merge(&none, &file);
    assert_inventory_equal(&none, &file);
}

static void test_ranges_keep_their_ends(void **state)
{
    struct tp_inventory_range range = {0};
    (void)state;
    tp_inventory_range_add(&range, -5);
    assert_true(range.is_known && range.least_ns == -5 && range.greatest_ns == -5);
    tp_inventory_range_add(&range, INT64_MAX);
    tp_inventory_range_add(&range, 3);
    assert_true(range.least_ns == -5 && range.greatest_ns == INT64_MAX);
}

static void test_events_are_timed_or_not(void **state)
{
    struct tp_inventory s = {0};
    (void)state;
    s.tally.count[TP_EV_EventBatch] = 1;
    s.tally.count[TP_EV_String] = 2;
    s.tally.count[TP_EV_Stack] = 4;
    s.tally.count[TP_EV_GoStart] = 8;
    s.tally.count[TP_EV_HeapObjectAlloc] = 16;
    s.tally.count[TP_EV_ClockSnapshot] = 32;
    s.tally.bytes[TP_EV_GoStart] = 100;
    s.tally.bytes[TP_EV_String] = 11;
    assert_int_equal(tp_inventory_events(&s).count, 63);
    assert_int_equal(tp_inventory_events(&s).timed_count, 24);
    assert_int_equal(tp_inventory_events(&s).bytes, 111);
}

static void test_events_of_all_formats_add_up(void **state)
{
    struct tp_inventory s = {0};
    (void)state;
    s.tally.count[TP_EV_String] = 1;
    s.tally.count[TP_EV_GoStart] = 2;
    s.tally.count[TP_TALLY_V1 + TP_V1_String] = 10;
    s.tally.count[TP_TALLY_V1 + TP_V1_Stack] = 20;
    s.tally.count[TP_TALLY_V1 + TP_V1_CPUSample] = 40;
    s.tally.count[TP_TALLY_V1 + TP_V1_UserLog] = 80;
    s.tally.count[TP_TALLY_V1 + TP_V1_Batch] = 160;
    s.tally.bytes[TP_TALLY_V1 + TP_V1_Batch] = 700;
    s.tally.bytes[TP_EV_GoStart] = 7;
    assert_int_equal(tp_inventory_events(&s).count, 313);
    assert_int_equal(tp_inventory_events(&s).timed_count, 122);
    assert_int_equal(tp_inventory_events(&s).bytes, 707);
    assert_int_equal(tp_tally_strings(&s.tally), 11);
    assert_int_equal(tp_tally_stacks(&s.tally), 20);
    assert_int_equal(tp_tally_samples(&s.tally), 40);
}

static void test_rate_counts_only_known_durations(void **state)
{
    struct tp_inventory s = {.rated_event_count = 10};
    uint64_t rate = 0;
    (void)state;
    assert_false(tp_inventory_event_rate(&s, &rate));
    s.timed_file_count = 1;
    assert_false(tp_inventory_event_rate(&s, &rate));
    s.duration_ns = 4000000000;
    assert_true(tp_inventory_event_rate(&s, &rate));
    assert_int_equal(rate, 2);
    // No product of the two is too large.
    s.rated_event_count = UINT64_MAX;
    s.duration_ns = 1000000000;
    assert_true(tp_inventory_event_rate(&s, &rate));
    assert_true(rate == UINT64_MAX);
    s.duration_ns = 1;
    assert_true(tp_inventory_event_rate(&s, &rate));
    assert_true(rate == UINT64_MAX);
}

static void test_versions_have_names(void **state)
{
    (void)state;
    assert_int_equal(tp_version_of(26), TP_VERSION_26);
    assert_string_equal(tp_versions[tp_version_of(23)].releases, "Go 1.23/1.24");
    assert_int_equal(tp_version_of(24), TP_VERSIONS);
    assert_string_equal(tp_versions[tp_version_of(0)].releases, "before Go 1.5");
    for (uint32_t minor = 0; minor < 100; minor++)
        assert_int_equal(tp_version_of(minor) < TP_VERSIONS,
                         tp_version_is_v2(minor) || tp_v1_table(minor) != NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_grouping_gives_the_same_total),
        cmocka_unit_test(test_no_input_changes_nothing),
        cmocka_unit_test(test_ranges_keep_their_ends),
        cmocka_unit_test(test_events_are_timed_or_not),
        cmocka_unit_test(test_events_of_all_formats_add_up),
        cmocka_unit_test(test_rate_counts_only_known_durations),
        cmocka_unit_test(test_versions_have_names),
    };
    return cmocka_run_group_tests_name("inventory", tests, NULL, NULL);
}
