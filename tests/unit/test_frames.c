// Frames of random stacks are what a plain search for the first definition of their PC
// finds, however short or long they are on the wire, and whatever was read before; of the
// outermost one the function is seen, or is not.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "merge/tables/event_shape.h"
#include "merge/tables/read.h"
#include "table_build.h"

#define STACKS 2000
#define FRAMES_MAX 9 // some have too few to be read ahead, and all end so

static uint64_t next_random(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed >> 11;
}

// Numbers of 1 to 10 bytes; a PC comes with several lines.
static struct table_frame make_frame(uint64_t *seed)
{
    uint64_t pc = next_random(seed) % 1500, kind = next_random(seed) % 8;
    uint64_t high = pc % 3 == 0 ? 0x400000 : pc % 3 == 1 ? UINT64_C(1) << 63 : 0;
    uint64_t line = next_random(seed) % 3;
    return (struct table_frame){high + pc, 0, 0, kind == 0 ? UINT64_MAX - line : pc + line};
}

static uint64_t first_line_of(const struct table_frame *frames, uint64_t pc)
{
    while (frames->pc != pc)
        frames++;
    return frames->line;
}

static void test_frames_are_those_of_a_plain_search(void **state)
{
    static struct table_body bodies[2];
    static struct table_frame all[STACKS * FRAMES_MAX];
    uint64_t seed = 88172645463325252u;
    size_t count = 0, first = 0;
    (void)state;
    struct tp_tables *t = table_create(26);
    table_add_sync(t, 1700000000, 0);
    table_begin(&bodies[0], TP_BATCH_STACKS);
    table_begin(&bodies[1], TP_BATCH_STACKS);
    for (uint64_t s = 0; s < STACKS; s++) {
        size_t frame_count = s % (FRAMES_MAX + 1);
        for (size_t i = 0; i < frame_count; i++)
            all[count + i] = make_frame(&seed);
        table_put_stack(&bodies[2 * s / STACKS], s + 1, all + count, frame_count);
        count += frame_count;
    }
    assert_int_equal(table_add(t, TP_BATCH_STACKS, &bodies[0], NULL), 0);
    assert_int_equal(table_add(t, TP_BATCH_STACKS, &bodies[1], NULL), 0);
    assert_int_equal(tp_tables_finish(t, NULL), 0);
    assert_int_equal(tp_tables_resolve(t), 0);
    for (size_t s = 0; s < STACKS; s++) {
        const struct tp_stack_def *def = &t->stacks.items[s];
        assert_int_equal(def->frame_count, s % (FRAMES_MAX + 1));
        for (uint32_t i = 0; i < def->frame_count; i++) {
            const struct tp_frame_def *f = &t->frames.items[t->frame_idx[def->first + i]];
            assert_int_equal(f->pc, all[first + i].pc);
            assert_int_equal(f->line, first_line_of(all, f->pc));
        }
        first += def->frame_count;
    }
    assert_int_equal(first, count);
    tp_tables_release(t);
}

// The last frame as long as `field_bytes` say, of a stack of so many; the others are found
// before it, one by one.
static void check_last_frames(struct table_body *b, size_t frame_count, const unsigned *field_bytes)
{
    struct table_frame frames[4];
    uint64_t fields[TP_FRAME_ARGS];
    for (unsigned i = 0; i < TP_FRAME_ARGS; i++)
        fields[i] = UINT64_C(1) << 7 * (field_bytes[i] - 1) | i;
    for (size_t i = 0; i < frame_count; i++)
        frames[i] = (struct table_frame){UINT64_C(0x4012a0) + i, 2000 + i, 300, 90};
    frames[frame_count - 1] = (struct table_frame){fields[0], fields[1], fields[2], fields[3]};
    struct tp_tables *t = table_create(26);
    table_begin(b, TP_BATCH_STACKS);
    table_put_stack(b, 1, frames, frame_count);
    assert_int_equal(table_add(t, TP_BATCH_STACKS, b, NULL), 0);
    const unsigned char *end = t->stacks.items[0].frames + t->stacks.items[0].frames_bytes;
    for (size_t i = frame_count; i > 0; i--) {
        end = tp_table_last_frame(end);
        const unsigned char *p = end;
        assert_int_equal(tp_table_take_known(&p), frames[i - 1].pc);
        assert_int_equal(tp_table_take_known(&p), frames[i - 1].func);
    }
    assert_ptr_equal(end, t->stacks.items[0].frames);
    tp_tables_release(t);
}

static void test_frames_are_found_from_the_last_on(void **state)
{
    static struct table_body body;
    (void)state;
    for (unsigned i = 0; i < 4 * 4 * 10 * 10 * 10; i++) {
        unsigned field_bytes[] = {i / 4000 % 4 * 3 + 1, i % 10 + 1, i / 10 % 10 + 1,
                                  i / 100 % 10 + 1};
        check_last_frames(&body, i / 1000 % 4 + 1, field_bytes);
    }
}

// Who asked for stacks in vain is told so, and nobody else: not who had no stack to ask for.
static void test_frames_without_room_are_missed_by_who_asks(void **state)
{
    (void)state;
    static struct table_body body;
    const struct table_frame frame = {0x401000, 0, 0, 7};
    struct tp_error err;
    struct tp_tables *t = table_create(26);
    table_add_sync(t, 1700000000, 0);
    table_begin(&body, TP_BATCH_STACKS);
    table_put_stack(&body, 1, &frame, 1);
    assert_int_equal(table_add(t, TP_BATCH_STACKS, &body, NULL), 0);
    assert_int_equal(tp_tables_finish(t, NULL), 0);
    t->room_bytes = 0;
    assert_null(tp_tables_stack(t, 2)); // there is none of this number
    assert_false(tp_tables_take_missed());
    assert_null(tp_tables_stack(t, 1));
    assert_true(tp_tables_take_missed());
    assert_false(tp_tables_take_missed());
    assert_int_equal(tp_tables_stacks_failure(t, &err), TP_E_LIMIT);
    tp_tables_release(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frames_are_found_from_the_last_on),
        cmocka_unit_test(test_frames_without_room_are_missed_by_who_asks),
        cmocka_unit_test(test_frames_are_those_of_a_plain_search),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
