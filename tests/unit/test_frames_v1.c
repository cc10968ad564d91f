// Frames of traces up to Go 1.6, which are PCs alone: what the program that was traced says
// of them, what it does not know, and with memory that fails or is bounded.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "go_program.h"
#include "scratch.h"
#include "script_v1.h"

static struct tp_symbols *program;

static int set_up(void **state)
{
    struct tp_buf b;
    int rc = scratch_set_up(state);
    if (rc != 0 || !tp_buf_init(&b, TP_KIB(64)))
        return -1;
    go_program_put_elf(&b, &go_program_small, &(struct go_elf){.table_name = ".gopclntab"});
    FILE *f = fopen("program", "wb");
    bool is_written = f != NULL && fwrite(b.ptr, 1, b.len_bytes, f) == b.len_bytes;
    is_written = f != NULL && fclose(f) == 0 && is_written;
    tp_buf_fini(&b);
    return is_written ? tp_symbols_open("program", &program, NULL) : -1;
}

static int tear_down(void **state)
{
    tp_symbols_close(program);
    script_v1_fini();
    return scratch_tear_down(state);
}

static void put_stack(uint64_t id, unsigned frame_count, uint64_t pc)
{
    wire_v1_put_stack(&script_v1.wire, script_v1.minor, id, frame_count, pc, 0);
}

static struct order_v1_result convert(struct tp_symbols *symbols)
{
    script_v1_way.symbols = symbols;
    struct order_v1_result r = order_v1_convert(script_v1.minor, script_v1_bytes(),
                                                &script_v1_way);
    if (r.err.code != 0)
        fail_msg("%s", r.err.text);
    return r;
}

// "pc function file:line", a line each, of the stacks in the order of the table.
static const char *text_of_frames(const struct tp_tables *t)
{
    static char text[8192];
    size_t at = 0;
    assert_int_equal(tp_tables_resolve(t), 0);
    text[0] = '\0';
    for (size_t i = 0; i < t->stacks.count; i++) {
        for (uint32_t k = 0; k < t->stacks.items[i].frame_count; k++) {
            const struct tp_frame_def *f =
                &t->frames.items[t->frame_idx[t->stacks.items[i].first + k]];
            struct tp_span function = t->strings.items[f->function],
                           file = t->strings.items[f->file];
            at += (size_t)snprintf(text + at, sizeof text - at, "%" PRIx64 " %.*s %.*s:%" PRIu64 "\n",
                                   f->pc, (int)function.len_bytes, function.ptr,
                                   (int)file.len_bytes, file.ptr, f->line);
            assert_true(at < sizeof text);
        }
    }
    return text;
}

static void expect_frames(struct tp_symbols *symbols, const char *want)
{
    struct order_v1_result r = convert(symbols);
    assert_string_equal(text_of_frames(r.tables), want);
    order_v1_result_fini(&r);
}

static void begin(void)
{
    script_v1_begin(5);
    EV(Batch, 0, 0, 100);
    EV(Gomaxprocs, 1, 1, 1, 0);
}

// It is that of a call, which ends where the PC is.
static void test_frames_are_those_of_the_byte_before(void **state)
{
    (void)state;
    begin();
    put_stack(1, 2, 0x401010);
    put_stack(2, 1, 0x401041);
    expect_frames(program, "401010 main.main /src/app/main.go:5\n"
                           "401011 main.main /src/app/util.go:30\n"
                           "401041 main.worker /src/app/work.go:12\n");
    expect_frames(NULL, "401010  :0\n401011  :0\n401041  :0\n");
}

static void test_what_the_program_does_not_know_stays_bare(void **state)
{
    (void)state;
    begin();
    put_stack(1, 2, 0x401000);
    put_stack(2, 1, 0);
    put_stack(3, 1, UINT64_MAX);
    // In the program, but of no line.
    put_stack(4, 1, 0x401040);
    expect_frames(program, "401000  :0\n"
                           "401001 main.main /src/app/main.go:5\n"
                           "0  :0\n"
                           "ffffffffffffffff  :0\n"
                           "401040 main.main :0\n");
}

static void test_where_a_goroutine_begins(void **state)
{
    (void)state;
    begin();
    EV(GoCreate, 1, 1, 7, 0x401040, 0);
    EV(GoCreate, 1, 1, 8, 0x401040, 0);
    EV(GoCreate, 1, 1, 9, 0x402000, 0);
    expect_frames(program, "401041 main.worker /src/app/work.go:12\n402001  :0\n");
}

static void test_the_last_stack_of_an_id_counts(void **state)
{
    (void)state;
    begin();
    put_stack(1, 2, 0x401010);
    put_stack(1, 1, 0x401041);
    expect_frames(program, "401041 main.worker /src/app/work.go:12\n");
}

static void test_each_name_is_one_string(void **state)
{
    (void)state;
    begin();
    EV(GoCreate, 1, 1, 7, 0x401040, 0);
    struct order_v1_result none = convert(program);
    for (unsigned id = 1; id < 40; id++)
        put_stack(id, 1, 0x401042 + id % 8);
    struct order_v1_result r = convert(program);
    assert_int_equal(r.tables->strings.count, none.tables->strings.count);
    order_v1_result_fini(&none);
    order_v1_result_fini(&r);
}

// A number that 64 bits do not hold is what is left of it.
static void test_a_pc_of_ten_bytes(void **state)
{
    (void)state;
    static const unsigned char stack[] = {TP_V1_Stack | TP_V1_SIZED << 6, 13, 1, 1 | 0x80, 0,
                                          0x90 /* 0x401010 */, 0xa0, 0x80, 0x82, 0x80,
                                          0x80, 0x80, 0x80, 0x80, 0x7e};
    begin();
    assert_true(tp_buf_put(&script_v1.wire, stack, sizeof stack));
    expect_frames(program, "401010 main.main /src/app/main.go:5\n");
}

static void test_later_traces_keep_their_names(void **state)
{
    (void)state;
    script_v1_begin(7);
    P(0, 100);
    STRING(1, "theirs");
    put_stack(1, 2, 0x401010);
    expect_frames(program, "401010  :0\n401011 theirs theirs:1\n");
}

static void make_many(unsigned count)
{
    begin();
    for (unsigned i = 1; i <= count; i++)
        put_stack(i, 2, 0x400ff8 + 7 * i);
    for (unsigned g = 1; g <= count; g++)
        EV(GoCreate, 1, 1, g, 0x400ff4 + 9 * g, g);
}

static void test_memory_that_fails(void **state)
{
    (void)state;
    make_many(20);
    struct order_v1_result want = convert(program);
    char frames[8192];
    snprintf(frames, sizeof frames, "%s", text_of_frames(want.tables));
    uint64_t live_bytes = tp_alloc_live_bytes(), nth = 0;
    for (bool has_fired = true; has_fired;) {
        tp_alloc_fail_at(++nth, false);
        struct order_v1_result got = order_v1_convert(5, script_v1_bytes(), &script_v1_way);
        has_fired = tp_alloc_fail_left() <= 1;
        tp_alloc_fail_at(0, false);
        if (got.err.code == 0)
            assert_string_equal(text_of_frames(got.tables), frames);
        else
            assert_int_equal(got.err.code, TP_E_MEMORY);
        order_v1_result_fini(&got);
    }
    assert_true(nth > 20);
    assert_int_equal(tp_alloc_live_bytes(), live_bytes);
    order_v1_result_fini(&want);
}

// However little it is, from some bound on all of it is there.
static void test_names_are_within_the_bound_of_the_tables(void **state)
{
    (void)state;
    make_many(200);
    size_t refused_count = 0, least_bytes[2] = {0};
    for (unsigned with_program = 0; with_program < 2; with_program++) {
        script_v1_way.symbols = with_program ? program : NULL;
        for (size_t most = 1000; least_bytes[with_program] == 0; most += most / 20) {
            script_v1_way.tables_max_bytes = most;
            struct order_v1_result r = order_v1_convert(5, script_v1_bytes(), &script_v1_way);
            if (r.err.code == 0)
                least_bytes[with_program] = most;
            else
                assert_int_equal(r.err.code, TP_E_LIMIT);
            assert_true(r.tables->max_bytes - r.tables->room_bytes <= most);
            refused_count += r.err.code != 0;
            order_v1_result_fini(&r);
        }
    }
    assert_true(refused_count > 10);
    assert_true(least_bytes[1] >= least_bytes[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frames_are_those_of_the_byte_before),
        cmocka_unit_test(test_what_the_program_does_not_know_stays_bare),
        cmocka_unit_test(test_where_a_goroutine_begins),
        cmocka_unit_test(test_the_last_stack_of_an_id_counts),
        cmocka_unit_test(test_each_name_is_one_string),
        cmocka_unit_test(test_a_pc_of_ten_bytes),
        cmocka_unit_test(test_later_traces_keep_their_names),
        cmocka_unit_test(test_memory_that_fails),
        cmocka_unit_test(test_names_are_within_the_bound_of_the_tables),
    };
    return cmocka_run_group_tests_name("frames_v1", tests, set_up, tear_down);
}
