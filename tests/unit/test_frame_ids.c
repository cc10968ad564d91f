// Frames as numbers: known again by all that they are, also where they share a half of a pc or
// line; packed, they stay what they were, and sites that no frame has are given up. Functions with
// an even number are of the standard library.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "stats/names/frame_ids.h"

static struct tp_intern names;

static int make_names(void **state)
{
    char text[16];
    (void)state;
    for (unsigned i = 0; i < 100; i++) {
        int length = snprintf(text, sizeof text, "%s.f%u", i % 2 == 0 ? "os" : "main", i);
        assert_int_equal(tp_intern_put(&names, tp_span_of(text, (size_t)length)), i);
    }
    return 0;
}

static int free_names(void **state)
{
    (void)state;
    tp_intern_fini(&names);
    return 0;
}

static void expect_traits(const struct tp_totals_frames *frames, uint32_t number, uint32_t function)
{
    unsigned want = function % 2 == 0 ? TP_FUNCTION_STD : 0;
    assert_int_equal(tp_totals_frame_traits(frames, number), want);
}

static void expect_frame(const struct tp_totals_frames *frames, uint32_t number,
                         const struct tp_totals_frame *want)
{
    struct tp_totals_frame got = tp_totals_frames_get(frames, number);
    assert_int_equal(got.pc, want->pc);
    assert_int_equal(got.line, want->line);
    assert_int_equal(got.function, want->function);
    assert_int_equal(got.file, want->file);
}

static void test_halves_count(void **state)
{
    const uint64_t high = UINT64_C(1) << 32;
    const struct tp_totals_frame all[] = {
        {.pc = 5, .line = 7, .function = 1, .file = 2},
        {.pc = 5 + high, .line = 7, .function = 1, .file = 2},
        {.pc = 5, .line = 7 + high, .function = 1, .file = 2},
        {.pc = 5 + high, .line = 7 + high, .function = 1, .file = 2},
        {.pc = 5 + (high << 31), .line = 7, .function = 1, .file = 2},
        {.pc = UINT64_MAX, .line = UINT64_MAX, .function = 1, .file = 2},
        {.pc = 7, .line = 5, .function = 1, .file = 2},
        {.pc = 5, .line = 7, .function = 2, .file = 1},
        {.pc = 5, .line = 7, .function = 2, .file = 2},
        {.pc = 0, .line = 0, .function = 0, .file = 0},
    };
    uint64_t before_bytes = tp_alloc_live_bytes();
    struct tp_totals_frames frames = {0};
    (void)state;
    for (unsigned round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < TP_ARRAY_LEN(all); i++) {
            assert_int_equal(tp_totals_frames_put(&frames, &names, &all[i]), i);
            expect_frame(&frames, i, &all[i]);
            expect_traits(&frames, i, all[i].function);
        }
    }
    assert_int_equal(frames.count, TP_ARRAY_LEN(all));
    assert_int_equal(frames.sites.count, TP_ARRAY_LEN(all) - 1); // the seventh has the first one's
    tp_totals_frames_fini(&frames);
    assert_int_equal(tp_alloc_live_bytes(), before_bytes);
}

// A site has three frames.
static struct tp_totals_frame nth_frame(uint32_t n)
{
    uint32_t site = n / 3;
    return (struct tp_totals_frame){.pc = (uint64_t)(site % 4) << 32 | n,
                                    .line = n,
                                    .function = site % 100,
                                    .file = site % 7};
}

static void test_packing_gives_up_sites_too(void **state)
{
    enum { COUNT = 3000, NAMES = 100, SITES = 700 };
    uint64_t before_bytes = tp_alloc_live_bytes();
    struct tp_totals_frames frames = {0};
    uint32_t numbers[COUNT], site_numbers[SITES], new_names[NAMES];
    uint32_t site_count = 0, kept_count = 0, kept_site_count = 0;
    (void)state;
    for (uint32_t i = 0; i < COUNT; i++) {
        struct tp_totals_frame f = nth_frame(i);
        assert_int_equal(tp_totals_frames_put(&frames, &names, &f), i);
    }
    site_count = frames.sites.count;
    assert_in_range(site_count, 100, SITES);
    size_t before_packing_bytes = tp_totals_frames_bytes(&frames);
    for (uint32_t i = 0; i < NAMES; i++)
        new_names[i] = NAMES - 1 - i;
    for (uint32_t i = 0; i < site_count; i++)
        site_numbers[i] = TP_INTERN_NONE;
    // Frames of half of the functions stay, and of these some.
    for (uint32_t i = 0; i < COUNT; i++) {
        bool stays = nth_frame(i).function < 50 && i % 5 < 3;
        numbers[i] = stays ? 0 : TP_INTERN_NONE;
        kept_count += stays;
        if (stays)
            site_numbers[frames.items[i].site] = 0;
    }
    for (uint32_t i = 0; i < site_count; i++)
        kept_site_count += site_numbers[i] != TP_INTERN_NONE;
    tp_totals_frames_pack(&frames, numbers, site_numbers, new_names);
    assert_int_equal(frames.count, kept_count);
    assert_int_equal(frames.sites.count, kept_site_count);
    assert_true(kept_site_count < site_count);
    assert_true(tp_totals_frames_bytes(&frames) < before_packing_bytes);
    for (uint32_t i = 0, next = 0; i < COUNT; i++) {
        struct tp_totals_frame f = nth_frame(i);
        f.function = new_names[f.function];
        f.file = new_names[f.file];
        if (numbers[i] == TP_INTERN_NONE)
            continue;
        assert_int_equal(numbers[i], next++);
        expect_frame(&frames, numbers[i], &f);
        expect_traits(&frames, numbers[i], nth_frame(i).function);
        assert_int_equal(tp_totals_frames_put(&frames, &names, &f), numbers[i]);
    }
    // One that was given up is new.
    struct tp_totals_frame f = nth_frame(3 * 99);
    f.function = new_names[f.function];
    f.file = new_names[f.file];
    assert_int_equal(tp_totals_frames_put(&frames, &names, &f), kept_count);
    assert_int_equal(frames.sites.count, kept_site_count + 1);
    tp_totals_frames_fini(&frames);
    assert_int_equal(tp_alloc_live_bytes(), before_bytes);
}

static void test_without_memory_no_frame_comes(void **state)
{
    uint64_t before_bytes = tp_alloc_live_bytes();
    struct tp_totals_frames frames = {0};
    unsigned failure_count = 0;
    (void)state;
    for (uint32_t i = 0; i < 600; i++) {
        const struct tp_totals_frame f = nth_frame(i);
        for (uint64_t nth = 1;; nth++) {
            tp_alloc_fail_at(nth, false);
            uint32_t number = tp_totals_frames_put(&frames, &names, &f);
            bool has_failed = tp_alloc_fail_left() == 0;
            tp_alloc_fail_at(0, false);
            assert_int_equal(number, has_failed ? TP_INTERN_NONE : i);
            if (!has_failed)
                break;
            assert_int_equal(frames.count, i);
            failure_count++;
        }
    }
    assert_true(failure_count >= 8); // two lists and their slots, each more than once
    for (uint32_t i = 0; i < 600; i++) {
        const struct tp_totals_frame f = nth_frame(i);
        assert_int_equal(tp_totals_frames_put(&frames, &names, &f), i);
    }
    tp_totals_frames_fini(&frames);
    assert_int_equal(tp_alloc_live_bytes(), before_bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_halves_count),
        cmocka_unit_test(test_packing_gives_up_sites_too),
        cmocka_unit_test(test_without_memory_no_frame_comes),
    };
    return cmocka_run_group_tests(tests, make_names, free_names);
}
