// Generations joined from extents: their borders, lists, clock, and what loss
// does to them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "decode/spec.h"
#include "decode/varint.h"
#include "merge/tables/generation.h"

#define LIST_MAX_BYTES TP_MIB(1)

// A stream of extents as the scan makes them; bytes only where they are read.
struct feed {
    struct tp_generation g;
    uint64_t offset;
    uint64_t generation; // of the last batch; 0 behind a border
};

static struct tp_extent batch(struct feed *f, uint64_t generation, uint64_t m, uint64_t time_ticks)
{
    struct tp_extent x = {.offset = f->offset,
                          .len_bytes = 100,
                          .header_bytes = 20,
                          .kind = TP_EXTENT_BATCH,
                          .batch_kind = TP_BATCH_EVENTS,
                          .first_of_generation = generation != f->generation,
                          .generation = generation,
                          .m = m,
                          .time_ticks = time_ticks};
    f->offset += x.len_bytes;
    f->generation = generation;
    return x;
}

static struct tp_extent lost(struct feed *f, uint32_t len_bytes)
{
    struct tp_extent x = {.offset = f->offset,
                          .len_bytes = len_bytes,
                          .kind = TP_EXTENT_LOST,
                          .generation = f->generation};
    f->offset += len_bytes;
    return x;
}

static struct tp_extent end_mark(struct feed *f)
{
    struct tp_extent x = {.offset = f->offset++,
                          .len_bytes = 1,
                          .kind = TP_EXTENT_STRUCTURAL,
                          .ends_generation = true,
                          .generation = f->generation};
    f->generation = 0;
    return x;
}

static int add_bytes(struct feed *f, struct tp_extent x, const void *bytes, uint32_t minor,
                     struct tp_error *err)
{
    static const unsigned char zeros[100];
    if (bytes == NULL)
        bytes = zeros;
    return tp_generation_add(&f->g, &x, tp_span_of(bytes, x.len_bytes), minor, err);
}

static void add(struct feed *f, struct tp_extent x)
{
    assert_false(tp_generation_is_closed_by(&f->g, &x));
    assert_int_equal(add_bytes(f, x, NULL, 26, NULL), 0);
}

// As `add`, for an extent that closes the open generation first.
static void add_closing(struct feed *f, struct tp_extent x)
{
    assert_true(tp_generation_is_closed_by(&f->g, &x));
    tp_generation_reset(&f->g);
    add(f, x);
}

static struct feed feed_of(size_t list_max_bytes)
{
    struct feed f = {0};
    tp_generation_init(&f.g, list_max_bytes);
    // The file header comes first and belongs to nobody.
    add(&f, (struct tp_extent){.len_bytes = 16, .kind = TP_EXTENT_STRUCTURAL});
    f.offset = 16;
    return f;
}

static void test_lists_follow_the_file(void **state)
{
    struct feed f = feed_of(LIST_MAX_BYTES);
    (void)state;
    assert_int_equal(f.g.number, 0);
    add(&f, batch(&f, 5, 70, 1000));
    add(&f, batch(&f, 5, UINT64_MAX, 900));
    add(&f, batch(&f, 5, 70, 1100));
    assert_int_equal(f.g.number, 5);
    assert_int_equal(f.g.begin_offset, 16);
    assert_int_equal(f.g.end_offset, 316);
    assert_int_equal(f.g.batch_count, 3);
    assert_int_equal(f.g.batch_bytes, 300);
    assert_int_equal(f.g.begin_ticks, 900);
    assert_true(f.g.complete);
    assert_false(f.g.has_frequency);
    assert_false(f.g.has_clock);
    assert_int_equal(f.g.ms.count, 2);
    assert_int_equal(f.g.ms.items[0].m, 70);
    assert_int_equal(f.g.ms.items[0].batches.count, 2);
    assert_int_equal(f.g.ms.items[0].batches.items[0].offset, 16);
    assert_int_equal(f.g.ms.items[0].batches.items[0].header_bytes, 20);
    assert_int_equal(f.g.ms.items[0].batches.items[0].body_bytes, 80);
    assert_int_equal(f.g.ms.items[0].batches.items[1].offset, 216);
    assert_int_equal(f.g.ms.items[0].batches.items[1].time_ticks, 1100);
    assert_true(f.g.ms.items[1].m == UINT64_MAX);
    assert_int_equal(f.g.ms.items[1].batches.count, 1);
    tp_generation_fini(&f.g);
    tp_generation_fini(&f.g);
}

static void test_tables_count_but_are_not_listed(void **state)
{
    struct feed f = feed_of(LIST_MAX_BYTES);
    (void)state;
    static const uint8_t kinds[] = {TP_BATCH_STACKS, TP_BATCH_STRINGS, TP_BATCH_SAMPLES,
                                    TP_BATCH_EXPERIMENTAL};
    for (size_t i = 0; i < TP_ARRAY_LEN(kinds); i++) {
        struct tp_extent x = batch(&f, 1, UINT64_MAX, 50 - i);
        x.batch_kind = kinds[i];
        add(&f, x);
    }
    assert_int_equal(f.g.batch_count, 4);
    assert_int_equal(f.g.ms.count, 0);
    assert_int_equal(f.g.begin_ticks, 47);
    tp_generation_fini(&f.g);
}

static void test_time_zero_restarts_the_search_for_the_least(void **state)
{
    struct feed f = feed_of(LIST_MAX_BYTES);
    static const struct {
        uint64_t time_ticks, least;
    } steps[] = {{0, 0}, {10, 10}, {5, 5}, {7, 5}, {0, 0}, {9, 9}, {8, 8}};
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(steps); i++) {
        add(&f, batch(&f, 1, 1, steps[i].time_ticks));
        assert_int_equal(f.g.begin_ticks, steps[i].least);
    }
    tp_generation_fini(&f.g);
}

static void add_kind(struct feed *f, enum tp_batch_kind kind, uint64_t time_ticks)
{
    struct tp_extent x = batch(f, 1, kind == TP_BATCH_EVENTS ? 5 : UINT64_MAX, time_ticks);
    x.batch_kind = (uint8_t)kind;
    add(f, x);
}

static void test_stacks_behind_all_events_tell_the_end(void **state)
{
    struct feed f = feed_of(LIST_MAX_BYTES);
    (void)state;
    add_kind(&f, TP_BATCH_EVENTS, 100);
    assert_int_equal(f.g.end_ticks, 0);
    add_kind(&f, TP_BATCH_STACKS, 300);
    assert_int_equal(f.g.end_ticks, 300);
    add_kind(&f, TP_BATCH_STRINGS, 120);
    assert_int_equal(f.g.end_ticks, 300);
    add_kind(&f, TP_BATCH_STACKS, 310);
    assert_int_equal(f.g.end_ticks, 300);
    // Events or samples behind them: they were not the last word.
    add_kind(&f, TP_BATCH_EVENTS, 200);
    assert_int_equal(f.g.end_ticks, 0);
    add_kind(&f, TP_BATCH_STACKS, 310);
    assert_int_equal(f.g.end_ticks, 310);
    add_kind(&f, TP_BATCH_SAMPLES, 200);
    assert_int_equal(f.g.end_ticks, 0);
    // A time before that of some other batch cannot be that of the end.
    add_kind(&f, TP_BATCH_STACKS, 309);
    assert_int_equal(f.g.end_ticks, 0);
    tp_generation_reset(&f.g);
    assert_int_equal(f.g.end_ticks, 0);
    tp_generation_fini(&f.g);
}

static void test_next_number_closes_a_generation(void **state)
{
    struct feed f = feed_of(LIST_MAX_BYTES);
    (void)state;
    add(&f, batch(&f, 1, 1, 10));
    add(&f, batch(&f, 1, 2, 11));
    add_closing(&f, batch(&f, 2, 1, 20));
    assert_int_equal(f.g.number, 2);
    assert_int_equal(f.g.batch_count, 1);
    assert_int_equal(f.g.begin_offset, 216);
    assert_int_equal(f.g.begin_ticks, 20);
    assert_int_equal(f.g.ms.count, 1);
    assert_int_equal(f.g.ms.items[0].batches.count, 1);
    assert_true(f.g.complete);
    tp_generation_fini(&f.g);
}

static void test_end_mark_closes_for_whatever_follows(void **state)
{
    struct feed f = feed_of(LIST_MAX_BYTES);
    (void)state;
    add(&f, batch(&f, 4, 1, 10));
    add(&f, end_mark(&f));
    assert_int_equal(f.g.end_offset, 117);
    // The same number again, as in two traces one behind the other.
    add_closing(&f, batch(&f, 4, 1, 30));
    assert_int_equal(f.g.begin_offset, 117);
    assert_true(f.g.complete);
    add(&f, end_mark(&f));
    assert_true(f.g.complete);
    add_closing(&f, lost(&f, 10));
    assert_int_equal(f.g.number, 0);
    add(&f, batch(&f, 9, 1, 40));
    assert_false(f.g.complete);
    add(&f, end_mark(&f));
    add_closing(&f, batch(&f, 10, 1, 50));
    assert_true(f.g.complete);
    tp_generation_fini(&f.g);
}

static void test_loss_spoils_what_it_may_have_taken_from(void **state)
{
    struct feed f = feed_of(LIST_MAX_BYTES);
    (void)state;
    add(&f, lost(&f, 5));
    add(&f, batch(&f, 1, 1, 10));
    assert_false(f.g.complete);
    add_closing(&f, batch(&f, 2, 1, 20));
    assert_true(f.g.complete);
    add(&f, lost(&f, 0));
    assert_false(f.g.complete);
    add(&f, batch(&f, 2, 1, 30));
    assert_false(f.g.complete);
    add_closing(&f, batch(&f, 3, 1, 40));
    assert_true(f.g.complete);
    // At the border: neither side is whole.
    add(&f, lost(&f, 7));
    assert_false(f.g.complete);
    add_closing(&f, batch(&f, 4, 1, 50));
    assert_false(f.g.complete);
    add_closing(&f, batch(&f, 5, 1, 60));
    assert_true(f.g.complete);
    tp_generation_fini(&f.g);
}

// A sync batch with a header of 20 zero bytes.
struct sync {
    unsigned char bytes[100];
    uint32_t len_bytes;
};

static void put(struct sync *s, uint64_t value)
{
    s->len_bytes = (uint32_t)(tp_varint_put(s->bytes + s->len_bytes, value) - s->bytes);
}

static void add_sync(struct feed *f, struct sync *s, uint64_t time_ticks, uint32_t minor)
{
    struct tp_extent x = batch(f, 1, UINT64_MAX, time_ticks);
    x.batch_kind = TP_BATCH_SYNC;
    x.len_bytes = s->len_bytes;
    assert_int_equal(add_bytes(f, x, s->bytes, minor, NULL), 0);
}

static void test_sync_batch_tells_the_clock(void **state)
{
    struct feed f = feed_of(LIST_MAX_BYTES);
    struct sync s = {.len_bytes = 20};
    static const uint64_t body[] = {TP_EV_Sync, TP_EV_Frequency, 15625000, TP_EV_ClockSnapshot,
                                    3,          777,             1700000000, 123456789};
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(body); i++)
        put(&s, body[i]);
    add_sync(&f, &s, 1000, 25);
    assert_true(f.g.has_frequency);
    assert_int_equal(f.g.frequency, 15625000);
    assert_true(f.g.has_clock);
    assert_int_equal(f.g.clock.trace_ticks, 1003);
    assert_int_equal(f.g.clock.mono_ns, 777);
    assert_int_equal(f.g.clock.wall_sec, 1700000000);
    assert_int_equal(f.g.clock.wall_nsec, 123456789);
    assert_int_equal(f.g.ms.count, 0);
    // Only the first of a generation counts.
    s.bytes[22] = 1;
    add_sync(&f, &s, 2000, 25);
    assert_int_equal(f.g.frequency, 15625000);
    assert_int_equal(f.g.clock.trace_ticks, 1003);
    tp_generation_reset(&f.g);
    assert_false(f.g.has_frequency);
    assert_false(f.g.has_clock);
    tp_generation_fini(&f.g);
}

static void test_sync_batch_before_snapshots(void **state)
{
    struct feed f = feed_of(LIST_MAX_BYTES);
    struct sync s = {.len_bytes = 20};
    (void)state;
    put(&s, TP_EV_Frequency);
    put(&s, 1000000000);
    add_sync(&f, &s, 1000, 22);
    assert_true(f.g.has_frequency);
    assert_int_equal(f.g.frequency, 1000000000);
    assert_false(f.g.has_clock);
    tp_generation_fini(&f.g);
}

static void test_damaged_sync_batch_tells_what_it_can(void **state)
{
    struct sync s = {.len_bytes = 20};
    (void)state;
    put(&s, TP_EV_Sync);
    put(&s, TP_EV_Frequency);
    put(&s, 5);
    put(&s, 200); // no event
    put(&s, TP_EV_ClockSnapshot);
    struct feed f = feed_of(LIST_MAX_BYTES);
    add_sync(&f, &s, 1, 26);
    assert_true(f.g.has_frequency);
    assert_false(f.g.has_clock);
    tp_generation_fini(&f.g);

    s.len_bytes = 22; // ends inside the frequency
    f = feed_of(LIST_MAX_BYTES);
    add_sync(&f, &s, 1, 26);
    assert_false(f.g.has_frequency);
    tp_generation_fini(&f.g);
}

static void test_many_threads_are_found_again(void **state)
{
    struct feed f = feed_of(TP_MIB(8));
    (void)state;
    // Large, small, large: the index is emptied in both of its ways.
    static const uint64_t m_counts[] = {3000, 3, 3000, 100};
    for (uint64_t generation = 1; generation <= TP_ARRAY_LEN(m_counts); generation++) {
        uint64_t m_count = m_counts[generation - 1];
        tp_generation_reset(&f.g);
        for (uint64_t round = 0; round < 3; round++) {
            for (uint64_t i = 0; i < m_count; i++)
                add(&f, batch(&f, generation, i << (i % 40), 1));
        }
        uint64_t listed = 0;
        for (size_t i = 0; i < f.g.ms.count; i++) {
            listed += f.g.ms.items[i].batches.count;
            for (size_t k = 1; k < f.g.ms.items[i].batches.count; k++)
                assert_true(f.g.ms.items[i].batches.items[k - 1].offset <
                            f.g.ms.items[i].batches.items[k].offset);
            for (size_t k = i + 1; k < f.g.ms.count && i < 50; k++)
                assert_true(f.g.ms.items[i].m != f.g.ms.items[k].m);
        }
        assert_int_equal(listed, 3 * m_count);
    }
    tp_generation_fini(&f.g);
}

static void test_lists_are_bounded(void **state)
{
    struct tp_error err = {0};
    (void)state;
    for (uint64_t m_step = 0; m_step < 2; m_step++) {
        struct feed f = feed_of(TP_KIB(64));
        int code = 0;
        uint64_t added = 0;
        for (; code == 0 && (added == 0 || m_step != 0 || f.g.has_lists); added++) {
            code = add_bytes(&f, batch(&f, 1, added * m_step, 1), NULL, 26, &err);
            assert_true(tp_generation_list_bytes(&f.g) <= TP_KIB(64));
        }
        // Batches without end cost their lists, Ms without end the generation.
        assert_int_equal(code, m_step == 0 ? 0 : TP_E_TOO_LARGE);
        assert_false(f.g.has_lists);
        assert_int_equal(f.g.ms.count > 1, m_step != 0);
        assert_true(added > 200);
        // The next generation has all of it again.
        for (uint64_t generation = 2; generation < 20; generation++) {
            tp_generation_reset(&f.g);
            for (uint64_t i = 0; i < 200; i++)
                add(&f, batch(&f, generation, generation % 2 == 0 ? i : i % 3, 1));
        }
        tp_generation_fini(&f.g);
    }
}

// As much as pipeline/order/ordering.h allows is enough for a hundred thousand of one batch each.
static void test_many_threads_with_a_batch_each_are_listed(void **state)
{
    struct feed f = feed_of(TP_MIB(16));
    (void)state;
    for (uint64_t i = 0; i < 100000; i++)
        add(&f, batch(&f, 1, 7 * i, 1));
    assert_true(f.g.has_lists);
    assert_int_equal(f.g.ms.count, 100000);
    for (size_t i = 0; i < f.g.ms.count; i++) {
        assert_int_equal(f.g.ms.items[i].m, 7 * i);
        assert_int_equal(f.g.ms.items[i].batches.count, 1);
    }
    // One of them goes on.
    for (uint64_t i = 0; i < 9; i++)
        add(&f, batch(&f, 1, 7 * 99999, 1));
    assert_int_equal(f.g.ms.items[99999].batches.count, 10);
    tp_generation_fini(&f.g);
}

static void test_every_failing_allocation_is_reported(void **state)
{
    uint64_t live_bytes = tp_alloc_live_bytes();
    (void)state;
    for (uint64_t nth = 1;; nth++) {
        struct feed f = feed_of(LIST_MAX_BYTES);
        int code = 0;
        tp_alloc_fail_at(nth, false);
        for (uint64_t i = 0; i < 100 && code == 0; i++)
            code = add_bytes(&f, batch(&f, 1, i % 40, 1), NULL, 26, NULL);
        tp_alloc_fail_at(0, false);
        tp_generation_reset(&f.g);
        add(&f, batch(&f, 2, 5, 1));
        tp_generation_fini(&f.g);
        assert_int_equal(tp_alloc_live_bytes(), live_bytes);
        if (code == 0) {
            assert_true(nth > 40);
            return;
        }
        assert_int_equal(code, TP_E_MEMORY);
    }
}

// Marks of a batch; from the first one on that does not fit there are none.
static void test_marks_are_bounded(void **state)
{
    static const uint16_t marks[] = {1, 5, 30000};
    const size_t most = LIST_MAX_BYTES / 4 / sizeof(uint32_t);
    struct tp_generation g;
    struct tp_error err;
    (void)state;
    tp_generation_init(&g, LIST_MAX_BYTES);
    for (unsigned round = 0; round < 2; round++) {
        uint64_t offset = 100;
        assert_int_equal(g.marks.count, 0);
        assert_int_equal(tp_generation_mark(&g, offset, marks, 3, &err), 0);
        assert_int_equal(g.marks.items[2], 30100);
        for (; g.unmarked_offset == UINT64_MAX; offset += 40000)
            assert_int_equal(tp_generation_mark(&g, offset + 40000, marks, 3, &err), 0);
        assert_int_equal(g.unmarked_offset, offset);
        assert_true(g.marks.count <= most && most - g.marks.count < 3);
        assert_int_equal(g.marks.items[g.marks.count - 1], offset - 40000 + 30000);
        assert_int_equal(tp_generation_mark(&g, offset + 40000, marks, 1, &err), 0);
        assert_true(most - g.marks.count < 3);
        tp_generation_reset(&g);
    }
    uint64_t far_offset = (UINT64_C(1) << 32) - 65536;
    assert_int_equal(tp_generation_mark(&g, far_offset, marks, 1, &err), 0);
    assert_int_equal(g.marks.items[0], far_offset + 1);
    assert_int_equal(tp_generation_mark(&g, far_offset + 1, marks, 1, &err), 0);
    assert_int_equal(g.unmarked_offset, far_offset + 1);
    tp_generation_fini(&g);
    tp_generation_init(&g, LIST_MAX_BYTES);
    tp_alloc_fail_at(1, false);
    assert_int_equal(tp_generation_mark(&g, 100, marks, 3, &err), TP_E_MEMORY);
    tp_alloc_fail_at(0, false);
    tp_generation_fini(&g);
}

static void test_ticks_convert_as_in_go(void **state)
{
    static const struct {
        uint64_t ticks, frequency;
        int64_t ns;
    } cases[] = {
        {0, 15625000, 0},
        {1, 15625000, 64},
        {1000, 1000000000, 1000},
        {3, 2000000000, 1},              // 1.5
        {7, 3000000000, 2},              // 2.33
        {UINT64_MAX, 1000000000, INT64_MIN},
        {UINT64_C(1) << 63, 1000000000, INT64_MIN},
        {(UINT64_C(1) << 63) - 1, 1000000000, INT64_MIN}, // rounds up to 2^63
        {(UINT64_C(1) << 63) - 1024, 1000000000, INT64_MAX - 1023},
        {1, 0, INT64_MIN},
        {0, 0, INT64_MIN},               // not a number
        {UINT64_MAX, UINT64_MAX, 999999999}, // both divisions round
    };
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(cases); i++)
        assert_true(tp_ticks_to_ns(cases[i].ticks, cases[i].frequency) == cases[i].ns);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lists_follow_the_file),
        cmocka_unit_test(test_tables_count_but_are_not_listed),
        cmocka_unit_test(test_time_zero_restarts_the_search_for_the_least),
        cmocka_unit_test(test_stacks_behind_all_events_tell_the_end),
        cmocka_unit_test(test_next_number_closes_a_generation),
        cmocka_unit_test(test_end_mark_closes_for_whatever_follows),
        cmocka_unit_test(test_loss_spoils_what_it_may_have_taken_from),
        cmocka_unit_test(test_sync_batch_tells_the_clock),
        cmocka_unit_test(test_sync_batch_before_snapshots),
        cmocka_unit_test(test_damaged_sync_batch_tells_what_it_can),
        cmocka_unit_test(test_many_threads_are_found_again),
        cmocka_unit_test(test_lists_are_bounded),
        cmocka_unit_test(test_many_threads_with_a_batch_each_are_listed),
        cmocka_unit_test(test_marks_are_bounded),
        cmocka_unit_test(test_every_failing_allocation_is_reported),
        cmocka_unit_test(test_ticks_convert_as_in_go),
    };
    return cmocka_run_group_tests_name("generation", tests, NULL, NULL);
}
