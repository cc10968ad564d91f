// Tables of a generation: what Go's full reader accepts and refuses, in its words;
// frames found by PC; partial tables; limits; many threads looking at once.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <pthread.h>

#include "base/alloc.h"
#include "merge/tables/event_shape.h"
#include "table_build.h"

#define ROOM_BYTES TP_MIB(64)

static void add_good(struct tp_tables *t, enum tp_batch_kind kind, const struct table_body *b)
{
    struct tp_error err = {0};
    int rc = table_add(t, kind, b, &err);
    assert_string_equal(err.text, "");
    assert_int_equal(rc, 0);
}

static void add_bad(struct tp_tables *t, enum tp_batch_kind kind, const struct table_body *b,
                    const char *text)
{
    struct tp_error err = {0};
    assert_int_equal(table_add(t, kind, b, &err), TP_E_EVENT);
    assert_string_equal(err.text, text);
    assert_int_equal(t->is_go_eof, strcmp(text, "EOF") == 0);
}

static void finish_bad(struct tp_tables *t, const char *text)
{
    struct tp_error err = {0};
    assert_int_equal(tp_tables_finish(t, &err), TP_E_EVENT);
    assert_string_equal(err.text, text);
}

static void add_sync(struct tp_tables *t)
{
    table_add_sync(t, 7, 8);
}

static void test_strings_are_found_by_id(void **state)
{
    static struct table_body b;
    (void)state;
    struct tp_tables *t = table_create(26);
    table_begin(&b, TP_BATCH_STRINGS);
    table_put_string(&b, 1, "one");
    table_put_string(&b, UINT64_MAX, "far");
    table_put_string(&b, 2, "");
    add_good(t, TP_BATCH_STRINGS, &b);
    assert_int_equal(t->strings.count, 4);
    assert_int_equal(tp_tables_string_idx(t, 0), TP_STRING_EMPTY);
    assert_int_equal(t->strings.items[TP_STRING_EMPTY].len_bytes, 0);
    assert_true(tp_span_equals(t->strings.items[tp_tables_string_idx(t, 1)], "one", 3));
    assert_true(tp_span_equals(t->strings.items[tp_tables_string_idx(t, UINT64_MAX)], "far", 3));
    assert_int_equal(t->strings.items[tp_tables_string_idx(t, 2)].len_bytes, 0);
    assert_false(tp_tables_has_string(t, 3));
    tp_tables_release(t);
    tp_tables_release(NULL);
}

static void test_bodies_of_a_marker_only_are_fine(void **state)
{
    static const enum tp_batch_kind kinds[] = {TP_BATCH_STRINGS, TP_BATCH_STACKS, TP_BATCH_SAMPLES,
                                               TP_BATCH_SYNC};
    static struct table_body b;
    (void)state;
    struct tp_tables *t = table_create(26);
    for (size_t i = 0; i < TP_ARRAY_LEN(kinds); i++) {
        table_begin(&b, kinds[i]);
        add_good(t, kinds[i], &b);
    }
    add_sync(t);
    assert_int_equal(tp_tables_finish(t, NULL), 0);
    tp_tables_release(t);
}

// Bodies that Go refuses: their bytes behind the marker, and Go's words.
struct refused {
    enum tp_batch_kind kind;
    const char *bytes;
    size_t len_bytes;
    const char *text;
};
#define BYTES(s) s, sizeof(s) - 1
#define LONG_NUMBER "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02"

static const struct refused refused[] = {
    {TP_BATCH_STRINGS, BYTES("\x03"), "expected string event, got 3"},
    {TP_BATCH_STRINGS, BYTES("\x05"), "EOF"},
    {TP_BATCH_STRINGS, BYTES("\x05\x80"), "unexpected EOF"},
    {TP_BATCH_STRINGS, BYTES("\x05" LONG_NUMBER), "binary: varint overflows a 64-bit integer"},
    {TP_BATCH_STRINGS, BYTES("\x05\x01"), "EOF"},
    {TP_BATCH_STRINGS, BYTES("\x05\x01\x81"), "unexpected EOF"},
    {TP_BATCH_STRINGS, BYTES("\x05\x01\x81\x08"), "invalid string size 1025, maximum is 1024"},
    {TP_BATCH_STRINGS, BYTES("\x05\x01\x04" "abc"),
     "failed to read full string: read 3 but wanted 4"},
    {TP_BATCH_STRINGS, BYTES("\x05\x00\x01" "a"),
     "multiple strings with the same ID: id=0, new=a, existing="},
    {TP_BATCH_STRINGS, BYTES("\x05\x09\x01" "a\x05\x09\x02" "bc"),
     "multiple strings with the same ID: id=9, new=bc, existing=a"},
    {TP_BATCH_STRINGS, BYTES("\x05\x09\x01" "a\x05\x09\x03" "b\nc"),
     "multiple strings with the same ID: id=9, new=b"},
    {TP_BATCH_STACKS, BYTES("\x05"), "expected stack event, got 5"},
    {TP_BATCH_STACKS, BYTES("\x03"), "EOF"},
    {TP_BATCH_STACKS, BYTES("\x03\x01"), "EOF"},
    {TP_BATCH_STACKS, BYTES("\x03\x01\x81\x01"), "invalid stack size 129, maximum is 128"},
    {TP_BATCH_STACKS, BYTES("\x03\x05\x01"), "reading frame 1's PC for stack 5: EOF"},
    {TP_BATCH_STACKS, BYTES("\x03\x05\x01\x80"), "reading frame 1's PC for stack 5: unexpected EOF"},
    {TP_BATCH_STACKS, BYTES("\x03\x05\x01\x01"), "reading frame 1's funcID for stack 5: EOF"},
    {TP_BATCH_STACKS, BYTES("\x03\x05\x01\x01\x01"), "reading frame 1's fileID for stack 5: EOF"},
    {TP_BATCH_STACKS, BYTES("\x03\x05\x01\x01\x01\x01"), "reading frame 1's line for stack 5: EOF"},
    {TP_BATCH_STACKS, BYTES("\x03\x05\x01\x01" LONG_NUMBER "\x01\x01"),
     "reading frame 1's funcID for stack 5: binary: varint overflows a 64-bit integer"},
    {TP_BATCH_STACKS, BYTES("\x03\x05\x03\x01\x01\x01\x01\x01\x01\x01\x01\x01\x81"),
     "reading frame 3's funcID for stack 5: unexpected EOF"},
    {TP_BATCH_STACKS, BYTES("\x03\x00\x00"),
     "multiple trace.stacks with the same ID: id=0, new=, existing="},
    {TP_BATCH_STACKS, BYTES("\x03\x02\x01\x1f\x00\x00\x00\x03\x02\x00"),
     "multiple trace.stacks with the same ID: id=2, new=, existing=\t0x1f"},
    {TP_BATCH_STACKS, BYTES("\x03\x02\x00\x03\x02\x01\x1f\x00\x00\x00"),
     "multiple trace.stacks with the same ID: id=2, new=\t0x1f"},
    {TP_BATCH_SAMPLES, BYTES("\x08"), "expected CPU sample event, got 8"},
    {TP_BATCH_SAMPLES, BYTES("\x07\x01\x01\x01\x01"), "EOF"},
    {TP_BATCH_SAMPLES, BYTES("\x07\x01\x01\x01\x80"), "unexpected EOF"},
    {TP_BATCH_SYNC, BYTES("\x32"), "expected frequency or clock snapshot event, got 50"},
    {TP_BATCH_SYNC, BYTES("\x08"), "EOF"},
    {TP_BATCH_SYNC, BYTES("\x08\x00\x08\x00"), "found multiple frequency events"},
    {TP_BATCH_SYNC, BYTES("\x33\x01\x01\x01\x01\x33"), "found multiple clock snapshot events"},
    {TP_BATCH_SYNC, BYTES("\x33\x01\x01\x01\x81"), "unexpected EOF"},
};

static void refused_body(const struct refused *r, struct table_body *b)
{
    table_begin(b, r->kind);
    memcpy(b->bytes + 1, r->bytes, r->len_bytes);
    b->len_bytes += r->len_bytes;
}

static void test_bodies_are_refused_in_go_words(void **state)
{
    static struct table_body b;
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(refused); i++) {
        struct tp_tables *t = table_create(26);
        refused_body(&refused[i], &b);
        add_bad(t, refused[i].kind, &b, refused[i].text);
        tp_tables_release(t);
    }
}

// One byte or frame more is among those refused.
static void test_the_longest_string_and_stack_fit(void **state)
{
    static struct table_body b;
    static const struct table_frame frames[TP_MAX_STACK_FRAMES];
    char text[TP_MAX_STRING_BYTES + 1] = "";
    (void)state;
    memset(text, 'x', TP_MAX_STRING_BYTES);
    struct tp_tables *t = table_create(22);
    table_begin(&b, TP_BATCH_STRINGS);
    table_put_string(&b, 1, text);
    add_good(t, TP_BATCH_STRINGS, &b);
    assert_int_equal(t->strings.items[tp_tables_string_idx(t, 1)].len_bytes, 1024);
    table_begin(&b, TP_BATCH_STACKS);
    table_put_stack(&b, 1, frames, TP_MAX_STACK_FRAMES);
    add_good(t, TP_BATCH_STACKS, &b);
    assert_int_equal(t->stacks.items[0].frame_count, 128);
    tp_tables_release(t);
}

static void test_partial_tables_take_what_they_can(void **state)
{
    static struct table_body b;
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(refused); i++) {
        struct tp_tables *t = table_create(26);
        t->is_partial = true;
        refused_body(&refused[i], &b);
        add_good(t, refused[i].kind, &b);
        assert_int_equal(tp_tables_finish(t, NULL), 0);
        tp_tables_release(t);
    }
    // The first meaning of an id stays, and what follows is read.
    struct tp_tables *t = table_create(26);
    t->is_partial = true;
    table_begin(&b, TP_BATCH_STRINGS);
    table_put_string(&b, 1, "first");
    table_put_string(&b, 1, "second");
    table_put_string(&b, 2, "third");
    add_good(t, TP_BATCH_STRINGS, &b);
    assert_true(tp_span_equals(t->strings.items[tp_tables_string_idx(t, 1)], "first", 5));
    assert_true(tp_tables_has_string(t, 2));
    tp_tables_release(t);
}

static void test_a_failing_batch_keeps_what_came_before(void **state)
{
    static struct table_body b;
    (void)state;
    struct tp_tables *t = table_create(26);
    table_begin(&b, TP_BATCH_STRINGS);
    table_put_string(&b, 1, "whole");
    table_put_byte(&b, TP_EV_String);
    add_bad(t, TP_BATCH_STRINGS, &b, "EOF");
    assert_true(tp_tables_has_string(t, 1));
    tp_tables_release(t);
}

static void test_sync_batches_differ_by_version(void **state)
{
    static struct table_body b;
    (void)state;
    struct tp_tables *t = table_create(23);
    b.len_bytes = 0; // no marker
    table_put_event(&b, TP_EV_Frequency, 1, (uint64_t[]){500000000});
    add_good(t, TP_BATCH_SYNC, &b);
    assert_true(t->ns_per_tick == 2.0);
    assert_int_equal(tp_tables_ns(t, 21), 42);
    assert_int_equal(tp_tables_finish(t, NULL), 0);
    tp_tables_release(t);

    t = table_create(23);
    table_put_event(&b, TP_EV_ClockSnapshot, 4, (uint64_t[]){1, 2, 3, 4});
    add_bad(t, TP_BATCH_SYNC, &b, "expected frequency or clock snapshot event, got 51");
    tp_tables_release(t);

    t = table_create(25);
    add_sync(t);
    assert_int_equal(t->clock.trace_ticks, 1005);
    assert_int_equal(t->clock.mono_ns, 6);
    assert_int_equal(t->clock.wall_sec, 7);
    assert_int_equal(t->clock.wall_nsec, 8);
    assert_int_equal(tp_tables_finish(t, NULL), 0);
    tp_tables_release(t);
}

static void test_what_must_be_there(void **state)
{
    static struct table_body b;
    (void)state;
    struct tp_tables *t = table_create(25);
    finish_bad(t, "no frequency event found");
    table_begin(&b, TP_BATCH_SYNC);
    table_put_event(&b, TP_EV_Frequency, 1, (uint64_t[]){0});
    add_good(t, TP_BATCH_SYNC, &b);
    // 0 is a frequency: its factor is infinite.
    assert_int_equal(tp_tables_ns(t, 0), INT64_MIN);
    assert_int_equal(tp_tables_ns(t, 1), INT64_MIN);
    finish_bad(t, "no clock snapshot event found");
    tp_tables_release(t);

    t = table_create(22);
    finish_bad(t, "no frequency event found");
    t->is_partial = true;
    assert_int_equal(tp_tables_finish(t, NULL), 0);
    tp_tables_release(t);
}

static struct tp_tables *with_stacks(struct table_body bodies[2], const uint64_t *string_ids,
                                     size_t string_count, const struct table_frame *frames,
                                     const uint64_t *stack_ids, size_t stack_count)
{
    struct tp_tables *t = table_create(26);
    add_sync(t);
    table_begin(&bodies[0], TP_BATCH_STACKS);
    for (size_t i = 0; i < stack_count; i++)
        table_put_stack(&bodies[0], stack_ids[i], &frames[i], 1);
    add_good(t, TP_BATCH_STACKS, &bodies[0]);
    table_begin(&bodies[1], TP_BATCH_STRINGS);
    for (size_t i = 0; i < string_count; i++)
        table_put_string(&bodies[1], string_ids[i], "s");
    add_good(t, TP_BATCH_STRINGS, &bodies[1]);
    return t;
}

static void test_frames_must_name_strings(void **state)
{
    static struct table_body bodies[2];
    static const uint64_t dense[] = {2, 1, 3}, sparse[] = {1, 2, 77}, ids[] = {9, 4, 5};
    static const struct {
        struct table_frame frames[3];
        const char *text; // NULL: fine
        bool is_sparse;
    } cases[] = {
        {{{1, 1, 2, 0}, {2, 3, 0, 0}, {3, 0, 0, 0}}, NULL, false},
        {{{1, 1, 2, 0}, {2, 3, 0, 0}, {3, 0, 4, 0}}, "found invalid file string ID 4 for stack 5",
         false},
        {{{1, 4, 2, 0}, {2, 3, 5, 0}, {3, 0, 4, 0}}, "found invalid file string ID 5 for stack 4",
         false},
        {{{1, 8, 9, 0}, {2, 3, 1, 0}, {3, 0, 2, 0}}, "found invalid func string ID 8 for stack 9",
         false},
        // Only the first definition of a PC counts, for every stack that has it.
        {{{1, 1, 2, 0}, {1, 99, 98, 0}, {1, 0, 97, 0}}, NULL, false},
        {{{1, 1, 98, 0}, {1, 1, 1, 0}, {2, 1, 1, 0}}, "found invalid file string ID 98 for stack 4",
         false},
        {{{1, 77, 2, 0}, {2, 77, 0, 0}, {3, 0, 0, 0}}, NULL, true},
        {{{1, 77, 2, 0}, {2, 3, 0, 0}, {3, 0, 0, 0}}, "found invalid func string ID 3 for stack 4",
         true},
        {{{1, 77, 2, 0}, {1, 3, 0, 0}, {3, 0, 0, 0}}, NULL, true},
    };
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(cases); i++) {
        struct tp_tables *t = with_stacks(bodies, cases[i].is_sparse ? sparse : dense, 3,
                                          cases[i].frames, ids, 3);
        if (cases[i].text != NULL)
            finish_bad(t, cases[i].text);
        else
            assert_int_equal(tp_tables_finish(t, NULL), 0);
        t->is_partial = true;
        assert_int_equal(tp_tables_finish(t, NULL), 0);
        tp_tables_release(t);
    }
}

static struct tp_span frame_text(const struct tp_tables *t, uint64_t stack, uint32_t i)
{
    const struct tp_stack_def *def = tp_tables_stack(t, stack);
    assert_non_null(def);
    assert_true(i < def->frame_count);
    const struct tp_frame_def *f = &t->frames.items[t->frame_idx[def->first + i]];
    return tp_span_of(t->frame_text + f->text_offset, f->text_bytes);
}

static void assert_frame(const struct tp_tables *t, uint64_t stack, uint32_t i, const char *text)
{
    struct tp_span found = frame_text(t, stack, i);
    assert_int_equal(found.len_bytes, strlen(text));
    assert_memory_equal(found.ptr, text, found.len_bytes);
}

static void test_frames_print_as_first_defined(void **state)
{
    static struct table_body stacks, strings;
    static const struct table_frame frames[] = {{0x46f1a0, 1, 2, 120},
                                          {UINT64_MAX, 2, 1, UINT64_MAX},
                                          {0x46f1a0, 2, 1, 7},
                                          {0, 0, 0, 0}};
    (void)state;
    struct tp_tables *t = table_create(26);
    add_sync(t);
    table_begin(&stacks, TP_BATCH_STACKS);
    table_put_stack(&stacks, 3, frames, 4);
    table_put_stack(&stacks, 1, frames, 0);
    table_put_stack(&stacks, 2, frames + 2, 1);
    add_good(t, TP_BATCH_STACKS, &stacks);
    table_begin(&strings, TP_BATCH_STRINGS);
    table_put_string(&strings, 1, "main.main");
    table_put_string(&strings, 2, "/src/main.go");
    add_good(t, TP_BATCH_STRINGS, &strings);
    assert_int_equal(tp_tables_finish(t, NULL), 0);
    assert_false(t->is_resolved);
    assert_int_equal(tp_tables_resolve(t), 0);
    assert_int_equal(t->frame_count, 5);
    assert_int_equal(t->frames.count, 3);
    assert_int_equal(t->max_stack_frames, 4);
    assert_frame(t, 3, 0, "\tmain.main @ 0x46f1a0\n\t\t/src/main.go:120\n");
    assert_frame(t, 3, 1,
                 "\t/src/main.go @ 0xffffffffffffffff\n\t\tmain.main:18446744073709551615\n");
    assert_frame(t, 3, 2, "\tmain.main @ 0x46f1a0\n\t\t/src/main.go:120\n");
    assert_frame(t, 3, 3, "\t @ 0x0\n\t\t:0\n");
    assert_frame(t, 2, 0, "\tmain.main @ 0x46f1a0\n\t\t/src/main.go:120\n");
    assert_int_equal(tp_tables_stack(t, 1)->frame_count, 0);
    assert_null(tp_tables_stack(t, 4));
    assert_int_equal(t->max_frame_text_bytes, frame_text(t, 3, 1).len_bytes);
    tp_tables_release(t);
}

static void test_partial_frames_name_missing_strings_by_id(void **state)
{
    static struct table_body stacks;
    (void)state;
    struct tp_tables *t = table_create(26);
    t->is_partial = true;
    table_begin(&stacks, TP_BATCH_STACKS);
    table_put_stack(&stacks, 3, &(struct table_frame){16, 5, UINT64_MAX, 1}, 1);
    add_good(t, TP_BATCH_STACKS, &stacks);
    assert_int_equal(tp_tables_finish(t, NULL), 0);
    assert_frame(t, 3, 0, "\tstring#5 @ 0x10\n\t\tstring#18446744073709551615:1\n");
    tp_tables_release(t);
}

// Every length of every number, in all places of a batch: the quick way and the
// careful one must agree.
static void test_frames_of_all_lengths(void **state)
{
    static struct table_body stacks;
    enum { FRAMES = 128 };
    static struct table_frame frames[FRAMES];
    uint64_t seed = 88172645463325252u;
    (void)state;
    for (unsigned round = 0; round < 200; round++) {
        struct tp_tables *t = table_create(26);
        uint64_t max_id = 0;
        for (size_t i = 0; i < FRAMES; i++) {
            uint64_t *const fields[] = {&frames[i].pc, &frames[i].func, &frames[i].file,
                                        &frames[i].line};
            for (size_t k = 0; k < 4; k++) {
                seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
                *fields[k] = seed >> (seed % 64 + (round % 2 == 0 && k > 0 ? 40 : 0)) % 64;
            }
            max_id = frames[i].func > max_id ? frames[i].func : max_id;
            max_id = frames[i].file > max_id ? frames[i].file : max_id;
        }
        table_begin(&stacks, TP_BATCH_STACKS);
        table_put_stack(&stacks, 1, frames, FRAMES);
        add_good(t, TP_BATCH_STACKS, &stacks);
        assert_int_equal(t->max_frame_string_id, max_id);
        assert_ptr_equal(t->stacks.items[0].frames, stacks.bytes + 5);
        assert_int_equal(tp_tables_resolve(t), 0);
        for (size_t i = 0; i < FRAMES; i++)
            assert_int_equal(t->frames.items[t->frame_idx[i]].pc, frames[i].pc);
        tp_tables_release(t);
    }
}

static void test_samples_are_sorted_by_converted_time(void **state)
{
    static struct table_body b;
    (void)state;
    struct tp_tables *t = table_create(22);
    b.len_bytes = 0;
    table_put_event(&b, TP_EV_Frequency, 1, (uint64_t[]){2000000000});
    add_good(t, TP_BATCH_SYNC, &b);
    table_begin(&b, TP_BATCH_SAMPLES);
    static const uint64_t ticks[] = {9, 4, 5, 8, 1};
    for (size_t i = 0; i < TP_ARRAY_LEN(ticks); i++)
        table_put_event(&b, TP_EV_CPUSample, 5, (uint64_t[]){ticks[i], i, UINT64_MAX, i % 2, 99});
    add_good(t, TP_BATCH_SAMPLES, &b);
    assert_int_equal(tp_tables_finish(t, NULL), 0);
    // 4 and 5, 8 and 9 convert to the same time and keep their order.
    static const int64_t expected[][2] = {{0, 4}, {2, 1}, {2, 2}, {4, 0}, {4, 3}};
    assert_int_equal(t->samples.count, TP_ARRAY_LEN(expected));
    for (size_t i = 0; i < TP_ARRAY_LEN(expected); i++) {
        const struct tp_sample *s = &t->samples.items[i];
        assert_int_equal(s->time_ns, expected[i][0]);
        assert_int_equal(s->m, expected[i][1]);
        assert_int_equal(s->p, -1);
        assert_int_equal(s->g, s->m % 2 == 0 ? -1 : 1);
        assert_int_equal(s->stack, 99);
    }
    tp_tables_release(t);
}

static void test_experimental_batches_stay_in_file_order(void **state)
{
    (void)state;
    struct tp_tables *t = table_create(26);
    for (unsigned i = 0; i < 40; i++) {
        struct tp_extent x = {.batch_kind = TP_BATCH_EXPERIMENTAL, .m = i};
        assert_int_equal(tp_tables_add(t, &x, i < 39 ? 1 : 2, tp_span_of("data", i % 5), NULL), 0);
        assert_int_equal(t->has_unknown_experiment, i == 39);
    }
    assert_int_equal(tp_tables_experimental_count(t), 40);
    assert_int_equal(tp_tables_experimental(t, 17).m, 17);
    assert_int_equal(tp_tables_experimental(t, 17).experiment, 1);
    assert_int_equal(tp_tables_experimental(t, 17).data.len_bytes, 2);
    tp_tables_release(t);
}

static void test_memory_is_bounded(void **state)
{
    static struct table_body strings, stacks;
    struct tp_error err;
    (void)state;
    table_begin(&strings, TP_BATCH_STRINGS);
    table_begin(&stacks, TP_BATCH_STACKS);
    for (uint64_t i = 1; i < 3000; i++) {
        table_put_string(&strings, i * (i % 3 == 0 ? 1000003 : 1), "text");
        table_put_stack(&stacks, i, &(struct table_frame){i, 0, 0, 0}, 1);
    }
    for (size_t max_bytes = TP_KIB(2); max_bytes < TP_MIB(2); max_bytes *= 2) {
        uint64_t live_bytes = tp_alloc_live_bytes();
        struct tp_tables *t = tp_tables_create(7, 26, max_bytes);
        int rc = table_add(t, TP_BATCH_STRINGS, &strings, &err);
        if (rc == 0)
            rc = table_add(t, TP_BATCH_STACKS, &stacks, &err);
        if (max_bytes <= TP_KIB(64) || max_bytes >= TP_MIB(1))
            assert_int_equal(rc, max_bytes <= TP_KIB(64) ? TP_E_LIMIT : 0);
        if (rc == 0)
            rc = tp_tables_resolve(t);
        assert_true(rc == 0 || rc == TP_E_LIMIT);
        assert_true(t->room_bytes < max_bytes);
        // The allocator rounds up.
        assert_true(tp_alloc_live_bytes() - live_bytes <= max_bytes + TP_KIB(2));
        tp_tables_release(t);
        assert_int_equal(tp_alloc_live_bytes(), live_bytes);
    }
}

static void test_without_memory_nothing_leaks(void **state)
{
    static struct table_body bodies[2];
    static const uint64_t ids[] = {1, 2, 3};
    static const struct table_frame frames[] = {{1, 1, 2, 0}, {2, 3, 4, 0}, {3, 0, 0, 0}};
    uint64_t live_bytes = tp_alloc_live_bytes();
    (void)state;
    for (uint64_t nth = 1; nth < 12; nth++) {
        struct tp_tables *t = with_stacks(bodies, ids, 3, frames, ids, 3);
        tp_tables_release(t);
        tp_alloc_fail_at(nth, true);
        t = tp_tables_create(1, 26, ROOM_BYTES);
        int rc = t == NULL ? TP_E_MEMORY : table_add(t, TP_BATCH_STRINGS, &bodies[1], NULL);
        if (rc == 0)
            rc = table_add(t, TP_BATCH_STACKS, &bodies[0], NULL);
        if (rc == 0)
            rc = tp_tables_resolve(t);
        tp_alloc_fail_at(0, false);
        assert_true(rc == 0 || rc == TP_E_MEMORY);
        assert_int_equal(rc, nth < 10 ? TP_E_MEMORY : 0);
        if (t != NULL && t->is_resolved && rc != 0)
            assert_null(tp_tables_stack(t, 1));
        tp_tables_release(t);
        assert_int_equal(tp_alloc_live_bytes(), live_bytes);
    }
}

static void count_free(struct tp_tables *t, void *ctx)
{
    assert_int_equal(t->generation, 7);
    ++*(int *)ctx;
}

struct looker {
    struct tp_tables *tables;
    uint64_t sum;
};

static void *look(void *arg)
{
    struct looker *l = arg;
    for (uint64_t id = 1; id <= 1000; id++) {
        const struct tp_stack_def *def = tp_tables_stack(l->tables, id);
        l->sum += def == NULL ? 0 : l->tables->frames.items[l->tables->frame_idx[def->first]].pc;
    }
    tp_tables_release(l->tables);
    return NULL;
}

static void test_many_threads_resolve_once(void **state)
{
    static struct table_body stacks;
    struct looker lookers[8];
    pthread_t threads[8];
    int freed = 0;
    (void)state;
    struct tp_tables *t = table_create(26);
    add_sync(t);
    t->on_free = count_free;
    t->ctx = &freed;
    table_begin(&stacks, TP_BATCH_STACKS);
    for (uint64_t id = 1; id <= 1000; id++)
        table_put_stack(&stacks, id, &(struct table_frame){id, 0, 0, id}, 1);
    add_good(t, TP_BATCH_STACKS, &stacks);
    assert_int_equal(tp_tables_finish(t, NULL), 0);
    for (size_t i = 0; i < TP_ARRAY_LEN(threads); i++) {
        tp_tables_hold(t);
        lookers[i] = (struct looker){t, 0};
        assert_int_equal(pthread_create(&threads[i], NULL, look, &lookers[i]), 0);
    }
    tp_tables_release(t);
    for (size_t i = 0; i < TP_ARRAY_LEN(threads); i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(lookers[i].sum, 500500);
    }
    assert_int_equal(freed, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_strings_are_found_by_id),
        cmocka_unit_test(test_bodies_of_a_marker_only_are_fine),
        cmocka_unit_test(test_bodies_are_refused_in_go_words),
        cmocka_unit_test(test_the_longest_string_and_stack_fit),
        cmocka_unit_test(test_partial_tables_take_what_they_can),
        cmocka_unit_test(test_a_failing_batch_keeps_what_came_before),
        cmocka_unit_test(test_sync_batches_differ_by_version),
        cmocka_unit_test(test_what_must_be_there),
        cmocka_unit_test(test_frames_must_name_strings),
        cmocka_unit_test(test_frames_print_as_first_defined),
        cmocka_unit_test(test_partial_frames_name_missing_strings_by_id),
        cmocka_unit_test(test_frames_of_all_lengths),
        cmocka_unit_test(test_samples_are_sorted_by_converted_time),
        cmocka_unit_test(test_experimental_batches_stay_in_file_order),
        cmocka_unit_test(test_memory_is_bounded),
        cmocka_unit_test(test_without_memory_nothing_leaks),
        cmocka_unit_test(test_many_threads_resolve_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
