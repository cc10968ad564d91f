// States of the first version, which had no limits to start functions and stacks.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "decode/varint.h"
#include "full_lab.h"
#include "state_lab.h"

#define BYTES(text) text, sizeof(text) - 1

static struct tp_totals read_state(const struct state_bytes *b)
{
    struct tp_totals s;
    struct tp_error err;
    assert_int_equal(tp_totals_read(tp_span_of(b->ptr, b->len_bytes), &s, &err), 0);
    return s;
}

static void expect_refused(const struct state_bytes *b, const char *want)
{
    struct tp_totals s;
    struct tp_error err = {0};
    assert_int_equal(tp_totals_read(tp_span_of(b->ptr, b->len_bytes), &s, &err), TP_E_STATE);
    assert_non_null(strstr(err.text, want));
}

#define MANY_NAMES (TP_TOTALS_NAMES_MAX + 500)
#define MANY_STACKS (TP_TOTALS_STACKS_MAX + 1000)

// The groups: each name ran once. The stacks: a frame each, whose line is another.
static void make_many(struct state_bytes bytes[static 6])
{
    static const unsigned char frame[] = {0, 0};
    for (unsigned i = 0; i < MANY_NAMES; i++) {
        char text[8];
        unsigned char number[TP_VARINT_MAX_BYTES];
        snprintf(text, sizeof text, "\5%05u", i);
        state_append(&bytes[0], text, 6);
        state_append(&bytes[1], "", 1);
        state_append(&bytes[1], number, (size_t)(tp_varint_put(number, i + 1) - number));
        state_append(&bytes[1], "\1" "\0\1\5\5\0\0\1\5\1", 10);
    }
    for (unsigned i = 0; i < MANY_STACKS; i++) {
        unsigned char number[TP_VARINT_MAX_BYTES];
        size_t len_bytes = (size_t)(tp_varint_put(number, i) - number);
        state_append(&bytes[2], frame, sizeof frame);
        state_append(&bytes[2], number, len_bytes);
        state_append(&bytes[2], "\1", 1);
        state_append(&bytes[3], "\1", 1);
        state_append(&bytes[3], number, len_bytes);
        state_append(&bytes[4], "\4", 1);
        state_append(&bytes[4], number, len_bytes);
        state_append(&bytes[4], "\1", 1);
        state_append(&bytes[4], "", 1);
    }
}

// Version 1 kept all start functions and stacks. What is too much of it is put together, and
// nothing is lost; later ones refuse it.
static void test_what_was_not_limited_is_limited_now(void **state)
{
    struct state_bytes parts[6] = {{0}};
    (void)state;
    make_many(parts);
    const struct state_section sections[] = {
        {1, BYTES("\0\0\0\0\0\0\0\0")},
        {2, (const char *)parts[0].ptr, parts[0].len_bytes},
        {4, (const char *)parts[1].ptr, parts[1].len_bytes},
        {5, (const char *)parts[2].ptr, parts[2].len_bytes},
        {6, (const char *)parts[3].ptr, parts[3].len_bytes},
        {7, (const char *)parts[4].ptr, parts[4].len_bytes},
    };
    struct state_bytes b = state_of_sections(sections, TP_ARRAY_LEN(sections));
    expect_refused(&b, "more names than are kept");
    state_set_version(&b, 1);
    struct tp_totals s = read_state(&b);
    assert_int_equal(s.by_stack.count, TP_TOTALS_STACKS_MAX);
    assert_int_equal(s.kept[TP_SPACE_GOROUTINE].heap.count, TP_TOTALS_NAMES_MAX);
    uint64_t named_count = 0, run_count = 0, coarse_count = 0;
    for (uint32_t i = 0; i < s.durations.groups.count; i++) {
        const struct tp_durations_group *g = &s.durations.groups.items[i];
        bool is_coarse = g->space == TP_SPACE_COARSE;
        named_count += !is_coarse && g->name != TP_TOTALS_OTHERS;
        run_count += is_coarse ? 0 : g->dists[0]->count;
        coarse_count += is_coarse ? g->dists[tp_coarse_measure(TP_STACK_CPU, false)]->count : 0;
    }
    assert_int_equal(named_count, TP_TOTALS_NAMES_MAX);
    assert_int_equal(run_count, MANY_NAMES);
    assert_int_equal(coarse_count, MANY_STACKS - TP_TOTALS_STACKS_MAX);
    // And that can be read, too.
    struct state_bytes now = state_of(&s);
    struct tp_totals again = read_state(&now);
    char *left = full_text(&again, true), *right = full_text(&s, true);
    assert_string_equal(left, right);
    free(left);
    free(right);
    tp_totals_fini(&again);
    tp_totals_fini(&s);
    tp_free(now.ptr);
    tp_free(b.ptr);
    const struct state_section stacks[] = {sections[0], {2, BYTES("\5" "00000")},
                                           sections[3], sections[4], sections[5]};
    b = state_of_sections(stacks, TP_ARRAY_LEN(stacks));
    state_set_version(&b, 2); // later ones have stacks of pairs, too
    expect_refused(&b, "more stacks than are kept");
    tp_free(b.ptr);
    for (unsigned i = 0; i < TP_ARRAY_LEN(parts); i++)
        tp_free(parts[i].ptr);
}

#define COLLECTOR "runtime.bgsweep"

static void record_run(struct tp_totals *s, const char *function)
{
    uint32_t name;
    assert_true(
        tp_totals_name(s, TP_SPACE_GOROUTINE, tp_span_of(function, strlen(function)), &name));
    assert_true(
        tp_durations_record(&s->durations, TP_SPACE_GOROUTINE, name, TP_MEASURE_RUN, 5, false));
}

// Those of the runtime's collector are kept beside as many names as may be, and a state that has
// them is read.
static void test_the_collector_is_kept_through_bytes(void **state)
{
    struct tp_totals s = {.file_count = 1};
    (void)state;
    // In the order of states they all come before it, so there is no room left when it is read.
    for (unsigned i = 0; i < MANY_NAMES; i++) {
        char text[16];
        snprintf(text, sizeof text, "main.f%u", i);
        record_run(&s, text);
    }
    record_run(&s, COLLECTOR);
    struct state_bytes bytes = state_of(&s);
    struct tp_totals again = read_state(&bytes);
    assert_int_equal(again.kept[TP_SPACE_GOROUTINE].heap.count, TP_TOTALS_NAMES_MAX);
    struct state_bytes same = state_of(&again);
    assert_true(state_is_same(&bytes, &same));
    bool has_collector = false;
    for (uint32_t i = 0; i < again.durations.groups.count; i++) {
        struct tp_span name = tp_totals_group_name(&again, &again.durations.groups.items[i]);
        has_collector |= tp_span_equals(name, COLLECTOR, sizeof COLLECTOR - 1);
    }
    assert_true(has_collector);
    tp_free(same.ptr);
    tp_free(bytes.ptr);
    tp_totals_fini(&again);
    tp_totals_fini(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_was_not_limited_is_limited_now),
        cmocka_unit_test(test_the_collector_is_kept_through_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
