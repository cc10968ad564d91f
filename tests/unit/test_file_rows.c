// What a file comes to: locks among all waits, system calls, the collector's own goroutines; and that rows of files get together in any order.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "stats/sums/sums.h"
#include "stats/totals.h"

static uint32_t put_name(struct tp_totals *s, const char *text)
{
    uint32_t name = tp_intern_put(&s->names, tp_span_of(text, strlen(text)));
    assert_int_not_equal(name, TP_INTERN_NONE);
    return name;
}

// Functions from the innermost on, NULL at the end.
static void add_wait(struct tp_totals *s, enum tp_stack_type type, uint64_t ns,
                     const char *const *functions)
{
    uint32_t frames[16], count = 0;
    for (; functions[count] != NULL; count++) {
        struct tp_totals_frame frame = {
            .pc = count, .function = put_name(s, functions[count]), .file = put_name(s, "x.go")};
        frames[count] = tp_totals_frames_put(&s->frames, &s->names, &frame);
        assert_int_not_equal(frames[count], TP_INTERN_NONE);
    }
    uint32_t stack = tp_totals_add_stack(s, frames, count);
    assert_int_not_equal(stack, TP_INTERN_NONE);
    assert_true(tp_totals_record_stack(s, stack, type, 1, ns));
}
#define STACK(...) (const char *const[]){__VA_ARGS__, NULL}

static void add_time(struct tp_totals *s, enum tp_durations_space space, const char *name,
                     uint32_t measure, uint64_t ns, bool is_cut)
{
    assert_true(tp_durations_record(&s->durations, space, put_name(s, name), measure, ns, TP_NO_MOMENT, is_cut));
}

static const struct tp_file_row *add_row(struct tp_totals *s, const char *path)
{
    assert_true(tp_totals_add_file(s, path));
    return &s->files.items[s->files.count - 1];
}

static void test_locks(void **state)
{
    (void)state;
    struct tp_totals s = {0};
    add_wait(&s, TP_STACK_SYNC, 50, STACK("sync.(*Mutex).Lock", "main.a", "main.main"));
    add_wait(&s, TP_STACK_SYNC, 40,
             STACK("runtime.x", "internal/sync.(*Mutex).lockSlow", "sync.(*Mutex).Lock", "main.b"));
    // Not over when the trace ended; more than the first one together with the one before.
    add_wait(&s, TP_STACK_SYNC_OPEN, 20, STACK("sync.(*RWMutex).RLock", "main.b", "main.main"));
    // Nobody holds these.
    add_wait(&s, TP_STACK_SYNC, 1000, STACK("sync.(*WaitGroup).Wait", "main.main"));
    add_wait(&s, TP_STACK_SYNC, 1000, STACK("runtime.chanrecv1", "main.main"));
    add_wait(&s, TP_STACK_NET, 1000, STACK("sync.(*Mutex).Lock", "main.main"));
    // Whoever is far out did not ask for the lock.
    add_wait(&s, TP_STACK_SYNC, 1000,
             STACK("a", "b", "c", "d", "e", "f", "g", "h", "sync.(*Mutex).Lock", "main.main"));
    const struct tp_file_row *row = add_row(&s, "t.trace");
    assert_int_equal(row->figures[TP_FILE_LOCKED], 110);
    assert_int_equal(row->figures[TP_FILE_LOCKS], 3);
    tp_totals_fini(&s);
}

static void test_system_calls(void **state)
{
    (void)state;
    struct tp_totals s = {0};
    add_wait(&s, TP_STACK_SYSCALL, 30,
             STACK("syscall.read", "internal/poll.(*FD).Read", "os.(*File).Read", "main.load"));
    add_wait(&s, TP_STACK_SYSCALL_OPEN, 31, STACK("golang.org/x/sys/unix.Wait4", "main.child"));
    add_wait(&s, TP_STACK_SYSCALL, 99, (const char *const[]){NULL});
    add_time(&s, TP_SPACE_GOROUTINE, "main.w", TP_MEASURE_SYSCALL, 60, false);
    add_time(&s, TP_SPACE_GOROUTINE, "main.v", TP_MEASURE_SYSCALL, 400, true);
    const struct tp_file_row *row = add_row(&s, "t.trace");
    assert_int_equal(row->figures[TP_FILE_SYSCALL], 460);
    assert_int_equal(row->figures[TP_FILE_SYSCALLS], 2);
    tp_totals_fini(&s);
}

static void test_idle_waits(void **state)
{
    (void)state;
    struct tp_totals s = {0};
    add_wait(&s, TP_STACK_NET, 30, STACK("internal/poll.(*FD).Accept", "net.(*TCPListener).Accept"));
    add_wait(&s, TP_STACK_SYNC_OPEN, 4, STACK("runtime.selectgo", "os/signal.loop"));
    // Somebody waits for these; and the last is no wait.
    add_wait(&s, TP_STACK_NET, 500, STACK("net.(*conn).Read", "main.main"));
    add_wait(&s, TP_STACK_SCHED, 500, STACK("os/signal.loop"));
    // The runtime's own goroutines are known by their names, not by these stacks.
    add_wait(&s, TP_STACK_SYNC, 70, STACK("runtime.gopark", "runtime.bgsweep"));
    add_time(&s, TP_SPACE_GOROUTINE, "runtime.bgsweep", TP_MEASURE_FIRST_BLOCK, 70, true);
    add_time(&s, TP_SPACE_GOROUTINE, "runtime.bgsweep", TP_MEASURE_SYSCALL, 2, false);
    add_time(&s, TP_SPACE_GOROUTINE, "runtime.bgsweep", TP_MEASURE_SCHED, 900, false);
    add_time(&s, TP_SPACE_GOROUTINE, "runtime.bgsweep", TP_MEASURE_RUN, 900, false);
    add_time(&s, TP_SPACE_GOROUTINE, "runtime/trace.Start.func1", TP_MEASURE_FIRST_BLOCK, 1, false);
    add_time(&s, TP_SPACE_GOROUTINE, "runtime.main", TP_MEASURE_FIRST_BLOCK, 900, false);
    add_time(&s, TP_SPACE_GOROUTINE, "", TP_MEASURE_FIRST_BLOCK, 900, false);
    assert_int_equal(add_row(&s, "t.trace")->figures[TP_FILE_IDLE_WAITS], 30 + 4 + 70 + 2 + 1);
    tp_totals_fini(&s);
}

static void test_goroutines_and_collector(void **state)
{
    (void)state;
    struct tp_totals s = {.event_count = 5, .lost_bytes = 6, .unordered_bytes = 8, .duration_ns = 7,
                         .utilisation.assist_ns = 4};
    add_time(&s, TP_SPACE_GOROUTINE, "runtime.gcBgMarkWorker", TP_MEASURE_RUN, 30, false);
    add_time(&s, TP_SPACE_GOROUTINE, "runtime.bgsweep", TP_MEASURE_RUN, 3, true);
    add_time(&s, TP_SPACE_GOROUTINE, "main.z", TP_MEASURE_RUN, 20, false);
    add_time(&s, TP_SPACE_GOROUTINE, "main.a", TP_MEASURE_RUN, 20, false);
    add_time(&s, TP_SPACE_GOROUTINE, "main.a", TP_MEASURE_SCHED, 5, false);
    add_time(&s, TP_SPACE_GOROUTINE, "main.z", TP_MEASURE_SCHED, 6, true);
    add_time(&s, TP_SPACE_GOROUTINE, "main.z", TP_MEASURE_FIRST_BLOCK, 8, false);
    add_time(&s, TP_SPACE_GOROUTINE, "main.z", TP_MEASURE_FIRST_BLOCK + 1, 9, false);
    add_time(&s, TP_SPACE_GOROUTINE, "main.z", TP_MEASURE_LIFE, 100, false);
    add_time(&s, TP_SPACE_GOROUTINE, "main.z", TP_MEASURE_LIFE, 100, true);
    add_time(&s, TP_SPACE_MARK, "", 0, 11, false);
    add_time(&s, TP_SPACE_ASSIST, "", 0, 12, false);
    add_time(&s, TP_SPACE_PAUSE, "GC mark termination", 0, 13, false);
    add_time(&s, TP_SPACE_SWEEP, "", 0, 14, false);
    add_time(&s, TP_SPACE_TASK, "task", 0, 15, false);
    static const tp_wide want[TP_FILE_FIGURE_COUNT] = {
        [TP_FILE_EVENTS] = 5,      [TP_FILE_LOST_BYTES] = 6,  [TP_FILE_DURATION] = 7,
        [TP_FILE_GOROUTINES] = 2,  [TP_FILE_RUNNING] = 73,    [TP_FILE_SCHEDULING] = 11,
        [TP_FILE_SCHEDULINGS] = 2, [TP_FILE_BLOCKED] = 17,    [TP_FILE_COLLECTOR] = 37,
        [TP_FILE_MARKS] = 1,       [TP_FILE_ASSISTS] = 12,    [TP_FILE_STOPPED] = 13,
        [TP_FILE_STOPS] = 1,       [TP_FILE_PROCS] = 7,       [TP_FILE_PROCS_KNOWN] = 0,
        [TP_FILE_TASKS] = 15,      [TP_FILE_UNORDERED_BYTES] = 8,
    };
    const struct tp_file_row *row = add_row(&s, "t.trace");
    assert_memory_equal(row->figures, want, sizeof want);
    tp_totals_fini(&s);
}

static void test_ps_over_time(void **state)
{
    (void)state;
    struct tp_timeline_bucket buckets[2] = {0};
    buckets[0].totals[TP_LEVEL_GOMAXPROCS] = 5;
    buckets[1].totals[TP_LEVEL_GOMAXPROCS] = 6;
    buckets[0].totals[TP_LEVEL_GOMAXPROCS_KNOWN] = buckets[1].totals[TP_LEVEL_GOMAXPROCS_KNOWN] = 2;
    struct tp_totals s = {.duration_ns = 7, .timeline.buckets = {{buckets, 2, 2}}};
    const struct tp_file_row *row = add_row(&s, "t.trace");
    assert_int_equal(row->figures[TP_FILE_PROCS], 11);
    assert_int_equal(row->figures[TP_FILE_PROCS_KNOWN], 4);
    buckets[1].totals[TP_LEVEL_GOMAXPROCS] = (tp_wide)1 << 90;
    assert_true(add_row(&s, "t.trace")->figures[TP_FILE_PROCS] == ((tp_wide)1 << 90) + 5);
    s.timeline = (struct tp_timeline){0};
    tp_totals_fini(&s);
}

static void test_rows_get_together(void **state)
{
    (void)state;
    struct tp_totals a = {.file_count = 1, .taken = {1, {5, 6}, {7, 8}}}, b = {.file_count = 1}, all = {0};
    add_time(&a, TP_SPACE_GOROUTINE, "main.a", TP_MEASURE_SCHED, 5, false);
    put_name(&b, "something else"); // so that numbers differ
    add_time(&b, TP_SPACE_GOROUTINE, "main.b", TP_MEASURE_SCHED, 6, false);
    add_row(&a, "a.trace");
    add_row(&b, "b.trace");
    assert_int_equal(tp_totals_merge(&all, &b, NULL), 0);
    assert_int_equal(tp_totals_merge(&all, &a, NULL), 0);
    assert_int_equal(all.files.count, 2);
    assert_int_equal(all.files.items[1].figures[TP_FILE_SCHEDULING], 5);
    assert_memory_equal(&all.files.items[1].taken, &a.taken, sizeof a.taken);
    assert_int_equal(all.files.items[0].taken.file_count, 0);
    struct tp_span path = tp_intern_text(&all.names, all.files.items[1].path);
    assert_true(tp_span_equals(path, "a.trace", 7));
    tp_totals_fini(&a);
    tp_totals_fini(&b);
    tp_totals_fini(&all);
}

static void expect_refused(const struct tp_totals *s, uint32_t at, const char *path, int code,
                           const char *words)
{
    const struct tp_refused_row *row = &s->refused.items[at];
    struct tp_span text = tp_intern_text(&s->names, row->path);
    assert_true(tp_span_equals(text, path, strlen(path)));
    text = tp_intern_text(&s->names, row->words);
    assert_true(tp_span_equals(text, words, strlen(words)));
    assert_int_equal(row->code, code);
}

static void test_refused_inputs(void **state)
{
    const struct tp_error wordless = {.code = TP_E_OPEN};
    struct tp_totals a = {0}, b = {0};
    struct tp_error why;
    (void)state;
    tp_fail(&why, TP_E_CODEC, "input ends inside a frame");
    put_name(&a, "something else"); // so that numbers differ
    assert_true(tp_totals_add_refused(&a, "a.zst", &why));
    assert_true(tp_totals_add_refused(&b, "b.trace", &wordless));
    assert_int_equal(tp_totals_merge(&b, &a, NULL), 0);
    assert_int_equal(b.refused_count, 2);
    assert_int_equal(b.refused.count, 2);
    expect_refused(&b, 0, "b.trace", TP_E_OPEN, tp_error_sentence(TP_E_OPEN));
    expect_refused(&b, 1, "a.zst", TP_E_CODEC, "input ends inside a frame");
    tp_totals_fini(&a);
    tp_totals_fini(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_locks),
        cmocka_unit_test(test_system_calls),
        cmocka_unit_test(test_idle_waits),
        cmocka_unit_test(test_goroutines_and_collector),
        cmocka_unit_test(test_ps_over_time),
        cmocka_unit_test(test_rows_get_together),
        cmocka_unit_test(test_refused_inputs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
