// The pull interface over traces from before Go 1.22.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "go_program.h"
#include "reader_lab.h"
#include "scratch.h"

#define TRACE(name) TP_TRACES "/" name

// Of Go 1.9 to 1.21: as a whole, closed early, and two at once.
static void test_older_releases(void **state)
{
    (void)state;
    static const char *const names[] = {TRACE("v1/go19-stw.trace"), TRACE("v1/go111-gc.trace"),
                                        TRACE("v1/go121-cpu.trace")};
    static const char *const options[] = {"jobs=1", "jobs=3 max-memory=24M",
                                          "io=pread chunk-size=4K"};
    for (size_t i = 0; i < TP_ARRAY_LEN(names); i++) {
        struct lab_trace t = lab_load(names[i]);
        struct reading want = lab_read(names[i], "strict=yes");
        assert_int_equal(want.end, TP_NEXT_END);
        assert_true(want.event_count > 290);
        for (size_t k = 0; k < TP_ARRAY_LEN(options); k++) {
            uint64_t before_bytes = tp_alloc_live_bytes();
            struct tp_reader *other = lab_open(names[i], options[k]);
            struct tp_event_block block;
            assert_int_equal(tp_reader_next(other, &block, NULL), TP_NEXT_BLOCK);
            struct reading got = lab_read(names[i], options[k]);
            lab_assert_same(names[i], &got, &want);
            assert_int_equal(got.report.stored_bytes, t.len_bytes);
            assert_int_equal(got.warning_count + got.error_message_count, 0);
            tp_reader_close(other);
            assert_int_equal(tp_alloc_live_bytes(), before_bytes);
        }
        lab_drop(&t);
    }
}

// P 0 starts at 6 and stops at 8, P 3 starts at 3; a hundred ticks a second.
static void test_a_trace_from_before_go_1_5(void **state)
{
    static const unsigned char bytes[] = "gotrace\0\101\0\5\5\1\6\2\101\3\1\5\2\2\144";
    static const int64_t times_ns[] = {-1, 0, 30000000, 50000000, 50000001};
    (void)state;
    lab_write("before", bytes, sizeof bytes - 1);
    struct tp_reader *reader = lab_open("before", "");
    struct tp_event_block block;
    struct tp_error err;
    size_t count = 0;
    while (tp_reader_next(reader, &block, &err) == TP_NEXT_BLOCK) {
        for (size_t i = 0; i < block.event_count; i++)
            assert_int_equal(block.events[i].time_ns, times_ns[count++]);
    }
    assert_int_equal(count, TP_ARRAY_LEN(times_ns));
    tp_reader_close(reader);
    assert_int_equal(lab_read("before", "from=20ms to=40ms").event_count, 1);
}

// Traces from before Go 1.7 tell PCs alone.
static void test_frames_have_the_names_of_the_program(void **state)
{
    (void)state;
    struct tp_buf program;
    assert_true(tp_buf_init(&program, TP_KIB(64)));
    go_program_put_elf(&program, &go_program_small, &(struct go_elf){.table_name = ".gopclntab"});
    lab_write("program", program.ptr, program.len_bytes);
    tp_buf_fini(&program);
    make_file("bare.txt", "Trace Go1.5\n"
                          "Batch p=0 seq=0 ticks=100\n"
                          "Gomaxprocs dseq=1 dt=1 procs=1 stack=1\n"
                          "GoCreate dseq=1 dt=1 g=7 pc=4198464 stack=1\n"
                          "Frequency freq=1000000000 unused=0\n"
                          "Stack id=1 nframes=1 pad=0\n"
                          "\tpc=4198417\n");
    struct tp_reader *reader = lab_open("bare.txt", "binary=program");
    struct tp_event_block block;
    struct tp_stack stack;
    size_t stack_count = 0;
    while (tp_reader_next(reader, &block, NULL) == TP_NEXT_BLOCK) {
        for (size_t i = 0; i < block.event_count; i++) {
            if (!tp_event_stack(&block.events[i], block.tables, &stack) || stack.id == 0)
                continue;
            struct tp_frame frame = tp_stack_frame(&stack, 0);
            assert_int_equal(frame.line, 30);
            assert_memory_equal(frame.function.ptr, "main.main", frame.function.len_bytes);
            assert_memory_equal(frame.file.ptr, "/src/app/util.go", frame.file.len_bytes);
            assert_int_equal(frame.function.len_bytes + frame.file.len_bytes, 9 + 16);
            stack_count++;
        }
    }
    assert_int_equal(stack_count, 1);
    tp_reader_close(reader);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, lab_set_up, lab_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_older_releases),
        TEST(test_a_trace_from_before_go_1_5),
        TEST(test_frames_have_the_names_of_the_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
