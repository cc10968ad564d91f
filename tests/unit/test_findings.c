// Whether an input is judged, and what its figures show: GC pressure, slow system calls, not enough Ps.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "finding_lab.h"

#define SECOND (1000 * FINDING_MS)

// JUDGEMENTS

static enum tp_judgement judge_input(uint64_t duration_ns, uint64_t lost_bytes)
{
    struct tp_totals s = finding_input(duration_ns, 1, 0);
    s.lost_bytes = lost_bytes;
    enum tp_judgement judgement = finding_judge(&s)->judgement;
    tp_totals_fini(&s);
    return judgement;
}

static void test_who_is_judged(void **state)
{
    (void)state;
    assert_int_equal(judge_input(TP_JUDGED_NS_MIN, 0), TP_JUDGEMENT_JUDGED);
    assert_int_equal(judge_input(TP_JUDGED_NS_MIN - 1, 0), TP_JUDGEMENT_SHORT);
    assert_int_equal(judge_input(TP_JUDGED_NS_MIN, 50), TP_JUDGEMENT_JUDGED);
    assert_int_equal(judge_input(TP_JUDGED_NS_MIN, 51), TP_JUDGEMENT_LOST);
    struct tp_totals s = {.file_count = 1, .duration_ns = SECOND};
    finding_time(&s, TP_SPACE_GOROUTINE, "main.w", TP_MEASURE_SYSCALL, SECOND);
    const struct tp_file_row *row = finding_judge(&s);
    assert_int_equal(row->judgement, TP_JUDGEMENT_IDLE);
    assert_true(row->values[TP_FINDS_SYSCALL] == TP_VALUE_NONE);
    assert_int_equal(s.found.count, 0);
    tp_totals_fini(&s);
    // A file that has nothing but its header is not merely short.
    s = (struct tp_totals){.file_count = 1, .event_count = 1};
    assert_int_equal(finding_judge(&s)->judgement, TP_JUDGEMENT_IDLE);
    tp_totals_fini(&s);
}

static enum tp_judgement judge_damaged(uint64_t unordered_bytes, bool has_doubtful_clock)
{
    struct tp_totals s = finding_input(SECOND, 1, 0);
    s.lost_bytes = 20;
    s.unordered_bytes = unordered_bytes;
    enum tp_judgement judgement =
        finding_judge_input(&s, &(struct tp_judged_input){.has_doubtful_clock = has_doubtful_clock})
            ->judgement;
    tp_totals_fini(&s);
    return judgement;
}

static void test_events_without_order_and_absurd_times_are_not_judged(void **state)
{
    (void)state;
    assert_int_equal(judge_damaged(30, false), TP_JUDGEMENT_JUDGED);
    assert_int_equal(judge_damaged(31, false), TP_JUDGEMENT_LOST);
    assert_int_equal(judge_damaged(UINT64_MAX, false), TP_JUDGEMENT_LOST);
    assert_int_equal(judge_damaged(0, true), TP_JUDGEMENT_CLOCK);
}

static void record_calls(struct tp_totals *s, uint32_t stack, enum tp_stack_type type, uint64_t ns)
{
    assert_true(tp_totals_record_stack(s, stack, type, 1, ns));
}

static void record_call(struct tp_totals *s, uint64_t ns)
{
    finding_time(s, TP_SPACE_GOROUTINE, "main.w", TP_MEASURE_SYSCALL, ns);
    record_calls(s, FINDING_STACK(s, "syscall.read", "main.load"), TP_STACK_SYSCALL, ns);
}

static void test_findings_know_that_their_input_is_damaged(void **state)
{
    (void)state;
    for (uint64_t damaged = 0; damaged < 2; damaged++) {
        struct tp_totals s = finding_input(SECOND, 4, 0);
        s.damaged_count = damaged;
        record_call(&s, SECOND);
        const struct tp_file_row *row = finding_judge(&s);
        assert_int_equal(row->is_damaged, damaged);
        assert_int_equal(finding_of(&s, TP_FINDS_SYSCALL)->is_damaged, damaged);
        tp_totals_fini(&s);
    }
}

// Judges an input of which GOMAXPROCS is known for `known_ns` of 1 s, and which may have a finding.
static enum tp_judgement judge_known(uint64_t known_ns, uint64_t syscall_ns, bool lacks_names)
{
    struct tp_totals s = finding_input(SECOND, 1, 0);
    s.timeline.buckets.items[0].totals[TP_LEVEL_GOMAXPROCS_KNOWN] = known_ns;
    record_call(&s, syscall_ns);
    const struct tp_judged_input input = {.lacks_names = lacks_names};
    const struct tp_file_row *row = finding_judge_input(&s, &input);
    enum tp_judgement judgement = row->judgement;
    assert_true(judgement == TP_JUDGEMENT_JUDGED || row->values[TP_FINDS_SYSCALL] == TP_VALUE_NONE);
    tp_totals_fini(&s);
    return judgement;
}

// Kinds that need GOMAXPROCS are not judged where it is not known for half of the time; the others are.
static void test_what_is_judged_without_gomaxprocs(void **state)
{
    (void)state;
    for (uint64_t less = 0; less < 2; less++) {
        struct tp_totals s = finding_input(SECOND, 1, 0);
        s.timeline.buckets.items[0].totals[TP_LEVEL_GOMAXPROCS_KNOWN] = SECOND / 2 - less;
        const struct tp_file_row *row = finding_judge(&s);
        assert_int_equal(row->judgement, TP_JUDGEMENT_JUDGED);
        for (unsigned k = 0; k < TP_FINDS_COUNT; k++) {
            bool needs_procs = k == TP_FINDS_GC || k == TP_FINDS_FEW_PS || k == TP_FINDS_POOL ||
                               k == TP_FINDS_SCHED_LATENCY;
            assert_true((row->values[k] == TP_VALUE_NONE) == (needs_procs && less > 0));
        }
        tp_totals_fini(&s);
    }
}

static void test_nothing_is_found_only_where_names_are_known(void **state)
{
    (void)state;
    assert_int_equal(judge_known(SECOND, 0, true), TP_JUDGEMENT_NAMELESS);
    assert_int_equal(judge_known(0, 0, true), TP_JUDGEMENT_NAMELESS);
    assert_int_equal(judge_known(SECOND, SECOND, true), TP_JUDGEMENT_JUDGED);
}

// GC PRESSURE

// An input of two Ps in which mark workers run for `gc_ns` and, while nobody else wants a P, for 10 ms
// more, and the program for `program_ns`.
static void expect_gc(uint64_t duration_ns, uint64_t gc_ns, uint64_t program_ns, unsigned cycles,
                      uint64_t want_value)
{
    struct tp_totals s = finding_input(duration_ns, 2, 0);
    finding_time(&s, TP_SPACE_GOROUTINE, "runtime.gcBgMarkWorker", TP_MEASURE_RUN,
                 gc_ns + 10 * FINDING_MS);
    finding_time(&s, TP_SPACE_GOROUTINE, "main.w", TP_MEASURE_RUN, program_ns - 1); // main.main: 1 ns
    finding_evidence(&s, TP_EVIDENCE_IDLE_WORKER, TP_INTERN_NONE, 2, 5 * FINDING_MS);
    for (unsigned i = 0; i < cycles; i++)
        finding_time(&s, TP_SPACE_MARK, "", 0, FINDING_MS);
    const struct tp_file_row *row = finding_judge(&s);
    assert_true(row->figures[TP_FILE_IDLE_WORKERS] == 10 * FINDING_MS);
    assert_true(row->values[TP_FINDS_GC] == want_value);
    assert_int_equal(s.found.count, want_value == 250000);
    tp_totals_fini(&s);
}

static void test_gc_at_the_threshold(void **state)
{
    const uint64_t tenth = 100 * FINDING_MS; // of a second: 5 % of two Ps
    (void)state;
    expect_gc(SECOND, tenth, 3 * tenth, 1, 250000);
    expect_gc(SECOND, tenth, 3 * tenth + 2000, 1, 249998);
    // Less than 5 % of capacity: the value says how much of that there is.
    expect_gc(SECOND, tenth / 2, tenth / 2, 1, 125000);
    // In less than 500 ms one cycle is not enough.
    expect_gc(400 * FINDING_MS, tenth, 3 * tenth, 2, 250000);
    expect_gc(400 * FINDING_MS, tenth, 3 * tenth, 1, 0);
    expect_gc(SECOND, tenth, 3 * tenth, 0, 0);
}

static struct tp_totals gc_input(void)
{
    struct tp_totals s = finding_input(SECOND, 2, 0);
    finding_time(&s, TP_SPACE_GOROUTINE, "runtime.gcBgMarkWorker", TP_MEASURE_RUN, SECOND);
    for (unsigned i = 0; i < 2; i++)
        finding_time(&s, TP_SPACE_MARK, "", 0, FINDING_MS);
    finding_evidence(&s, TP_EVIDENCE_GC_BEGIN,
                     FINDING_STACK(&s, "runtime.gcStart", "main.begin", "main.main"), 9, 0);
    finding_evidence(&s, TP_EVIDENCE_GC_BEGIN, FINDING_STACK(&s, "runtime.forcegchelper"), 99, 0);
    return s;
}

static void test_who_allocates(void **state)
{
    (void)state;
    struct tp_totals s = gc_input();
    finding_judge(&s);
    finding_expect_place(&s, &finding_of(&s, TP_FINDS_GC)->culprit, "main.begin", 2);
    finding_expect_place(&s, &finding_of(&s, TP_FINDS_GC)->victim, "-", 0);
    tp_totals_fini(&s);
    // Assists tell it better than begins of cycles; their number counts, because waits are in their time.
    s = gc_input();
    finding_evidence(&s, TP_EVIDENCE_ASSIST,
                     FINDING_STACK(&s, "runtime.gcAssistAlloc", "strings.Repeat", "main.churn", "main.a"),
                     3, 0);
    finding_evidence(&s, TP_EVIDENCE_ASSIST,
                     FINDING_STACK(&s, "runtime.gcAssistAlloc", "main.serve", "main.b"), 2, SECOND);
    finding_evidence(&s, TP_EVIDENCE_ASSIST, FINDING_STACK(&s, "runtime.gcAssistAlloc"), 9, 0);
    finding_judge(&s);
    finding_expect_place(&s, &finding_of(&s, TP_FINDS_GC)->culprit, "main.churn", 3);
    finding_expect_place(&s, &finding_of(&s, TP_FINDS_GC)->victim, "main.a", 0);
    tp_totals_fini(&s);
}

static void test_who_forces_cycles(void **state)
{
    (void)state;
    for (unsigned forced = 1; forced <= 2; forced++) {
        // Of two cycles.
        struct tp_totals s = gc_input();
        finding_evidence(&s, TP_EVIDENCE_STOP_GC,
                         FINDING_STACK(&s, "runtime.GC", "main.save", "main.main"), forced, 1);
        finding_evidence(&s, TP_EVIDENCE_STOP_GC, FINDING_STACK(&s, "runtime.gcBgMarkWorker"), 9, 1);
        s.timeline.gauges[TP_GAUGE_HEAP] = (struct tp_gauge){9, 9, 1000, 1100};
        finding_judge(&s);
        const struct tp_found *found = finding_of(&s, TP_FINDS_GC);
        finding_expect_place(&s, &found->culprit, "main.save", 2);
        finding_expect_place(&s, &found->other, "main.save", 2);
        assert_int_equal(found->detail[0], 0);
        tp_totals_fini(&s);
    }
    // One of three.
    struct tp_totals s = gc_input();
    finding_time(&s, TP_SPACE_MARK, "", 0, FINDING_MS);
    finding_evidence(&s, TP_EVIDENCE_STOP_GC, FINDING_STACK(&s, "runtime.GC", "main.save"), 1, 1);
    finding_judge(&s);
    finding_expect_place(&s, &finding_of(&s, TP_FINDS_GC)->culprit, "main.begin", 2);
    finding_expect_place(&s, &finding_of(&s, TP_FINDS_GC)->other, "-", 0);
    tp_totals_fini(&s);
}

static void test_a_heap_that_may_not_grow(void **state)
{
    static const struct {
        struct tp_gauge heap;
        uint64_t want_ppm;
    } cases[] = {
        {{9, 9, 1000, 1050}, 50000}, {{9, 9, 1000, 1299}, 299000}, {{9, 9, 1000, 1300}, 0},
        {{0, 0, 0, 0}, 0},           {{1, 0, 0, 0}, 0},
    };
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(cases); i++) {
        struct tp_totals s = gc_input();
        s.timeline.gauges[TP_GAUGE_HEAP] = cases[i].heap;
        finding_judge(&s);
        assert_int_equal(finding_of(&s, TP_FINDS_GC)->detail[0], cases[i].want_ppm);
        tp_totals_fini(&s);
    }
}

// A proxy may have no function of its own in the stacks of its allocations, but for a few.
static void test_the_library_allocates(void **state)
{
    (void)state;
    for (unsigned less = 0; less < 2; less++) {
        struct tp_totals s = gc_input();
        finding_evidence(&s, TP_EVIDENCE_ASSIST, FINDING_STACK(&s, "main.load", "main.main"),
                         6 - less, 0);
        finding_evidence(&s, TP_EVIDENCE_ASSIST,
                         FINDING_STACK(&s, "runtime.mallocgc", "internal/runtime/maps.newTable",
                                       "sync.(*Pool).Get", "net/textproto.read", "net/http.serve"),
                         4, 0);
        finding_evidence(&s, TP_EVIDENCE_ASSIST, FINDING_STACK(&s, "bufio.fill", "net/http.serve"),
                         2, 0);
        finding_judge(&s);
        const struct tp_found *found = finding_of(&s, TP_FINDS_GC);
        // The function of the program has more assists than each of the library, but not than all.
        finding_expect_place(&s, &found->culprit, less == 0 ? "main.load" : "net/textproto.read",
                             less == 0 ? 1 : 4);
        finding_expect_place(&s, &found->victim, less == 0 ? "main.main" : "net/http.serve", 0);
        tp_totals_fini(&s);
    }
}

// SYSTEM CALLS

static void test_system_calls_at_the_threshold(void **state)
{
    (void)state;
    for (uint64_t less = 0; less < 2; less++) {
        struct tp_totals s = finding_input(SECOND, 4, 0);
        // A millionth of a second is 1000 ns.
        record_call(&s, SECOND * 12 / 100 - less);
        const struct tp_file_row *row = finding_judge(&s);
        assert_int_equal(row->values[TP_FINDS_SYSCALL], 120000 - less);
        assert_int_equal(s.found.count, 1 - less);
        tp_totals_fini(&s);
    }
}

static void test_short_calls_and_reads_of_input_are_no_finding(void **state)
{
    (void)state;
    for (uint64_t less = 0; less < 2; less++) {
        // 2,000 calls of 0.1 ms on average, or a little less.
        struct tp_totals s = finding_input(SECOND, 4, 0);
        uint32_t writes = FINDING_STACK(&s, "syscall.write", "os.(*File).Write", "main.save");
        assert_true(tp_totals_record_stack(&s, writes, TP_STACK_SYSCALL, 2000,
                                           200 * FINDING_MS - less));
        finding_judge(&s);
        assert_int_equal(s.found.count, 1 - less);
        tp_totals_fini(&s);
        // Reads of 100 ms wait for input; reads of a disk take less, those of package bufio 1 ms.
        for (uint64_t is_buffered = 0; is_buffered < 2; is_buffered++) {
            s = finding_input(SECOND, 4, 0);
            uint32_t reads = FINDING_STACK(&s, "syscall.read", "os.(*File).Read",
                                           is_buffered ? "bufio.(*Scanner).Scan" : "io.ReadAll",
                                           "main.load");
            assert_true(tp_totals_record_stack(&s, reads, TP_STACK_SYSCALL, is_buffered ? 900 : 9,
                                               900 * FINDING_MS - less));
            finding_judge(&s);
            assert_int_equal(s.found.count, less);
            tp_totals_fini(&s);
        }
        // So do C functions that wait or poll by their name, but no others.
        static const char *const in_c[] = {"x/pcap._Cfunc_pcap_wait", "x/kafka._Cfunc_ConsumerPoll",
                                           "x/sqlite._Cfunc_step", "x/waiter._Cfunc_step"};
        for (uint64_t i = 0; i < TP_ARRAY_LEN(in_c); i++) {
            s = finding_input(SECOND, 4, 0);
            uint32_t calls = FINDING_STACK(&s, in_c[i], "x.next", "main.load");
            assert_true(
                tp_totals_record_stack(&s, calls, TP_STACK_SYSCALL, 9, 900 * FINDING_MS - less));
            finding_judge(&s);
            assert_int_equal(s.found.count, i < 2 ? less : 1);
            tp_totals_fini(&s);
        }
    }
    struct tp_totals s = finding_input(SECOND, 4, 0);
    record_calls(&s, FINDING_STACK(&s, "syscall.write", "net.(*netFD).Write", "main.send"),
                 TP_STACK_SYSCALL, SECOND);
    record_calls(&s, FINDING_STACK(&s, "syscall.WriteConsole", "internal/poll.(*FD).writeConsole",
                                   "os.(*File).Write", "main.print"), TP_STACK_SYSCALL, SECOND);
    record_calls(&s, FINDING_STACK(&s, "syscall.wait4", "os.(*Process).wait", "main.run"),
                 TP_STACK_SYSCALL, SECOND);
    assert_int_equal(finding_judge(&s)->values[TP_FINDS_SYSCALL], 0);
    tp_totals_fini(&s);
}

static void test_who_made_the_system_calls(void **state)
{
    (void)state;
    struct tp_totals s = finding_input(SECOND, 4, 0);
    finding_time(&s, TP_SPACE_GOROUTINE, "main.w", TP_MEASURE_SYSCALL, SECOND);
    // Two stacks of one function are one finding, another function is another one.
    record_calls(&s, FINDING_STACK(&s, "syscall.Fsync", "os.(*File).Sync", "main.load", "main.a"),
                 TP_STACK_SYSCALL, 300 * FINDING_MS);
    record_calls(&s, FINDING_STACK(&s, "syscall.read", "encoding/json.x", "net.y", "main.load"),
                 TP_STACK_SYSCALL_OPEN, 310 * FINDING_MS);
    record_calls(&s, FINDING_STACK(&s, "golang.org/x/sys/unix.Wait4", "main.child"),
                 TP_STACK_SYSCALL, 390 * FINDING_MS);
    record_calls(&s, FINDING_STACK(&s, "main.other"), TP_STACK_SYNC, SECOND);
    finding_judge(&s);
    assert_int_equal(s.found.count, 2);
    const struct tp_found *load = &s.found.items[0], *child = &s.found.items[1];
    assert_true(load->lost == 610 * FINDING_MS && load->count == 2 && load->value_ppm == 610000);
    finding_expect_place(&s, &load->culprit, "main.load", 4);
    // What is called at the stack that has most of the time.
    finding_expect_place(&s, &load->other, "net.y", 3);
    assert_true(child->value_ppm == 390000);
    finding_expect_place(&s, &child->culprit, "main.child", 2);
    finding_expect_place(&s, &child->other, "golang.org/x/sys/unix.Wait4", 1);
    tp_totals_fini(&s);
}

static void test_idle_system_calls(void **state)
{
    (void)state;
    struct tp_totals s = finding_input(SECOND, 4, 0);
    finding_time(&s, TP_SPACE_GOROUTINE, "runtime/pprof.profileWriter", TP_MEASURE_SYSCALL, SECOND);
    finding_time(&s, TP_SPACE_GOROUTINE, "main.w", TP_MEASURE_SYSCALL, SECOND / 4);
    record_calls(&s, FINDING_STACK(&s, "runtime/pprof.readProfile", "runtime/pprof.profileWriter"),
                 TP_STACK_SYSCALL_OPEN, SECOND / 2);
    record_calls(&s, FINDING_STACK(&s, "runtime/pprof.readProfile", "runtime/pprof.profileWriter"),
                 TP_STACK_SYSCALL, SECOND / 2);
    record_calls(&s, FINDING_STACK(&s, "syscall.read", "main.load"), TP_STACK_SYSCALL, SECOND / 4);
    const struct tp_file_row *row = finding_judge(&s);
    assert_int_equal(row->values[TP_FINDS_SYSCALL], 250000);
    const struct tp_found *found = finding_of(&s, TP_FINDS_SYSCALL);
    assert_true(found->lost == SECOND / 4 && found->count == 1);
    finding_expect_place(&s, &found->culprit, "main.load", 2);
    tp_totals_fini(&s);
}

static void test_system_calls_of_the_library_alone(void **state)
{
    (void)state;
    struct tp_totals s = finding_input(SECOND, 4, 0);
    record_calls(&s, FINDING_STACK(&s, "syscall.read", "net.(*conn).Read", "net/http.serve"),
                 TP_STACK_SYSCALL, 140 * FINDING_MS);
    const struct tp_file_row *row = finding_judge(&s);
    assert_int_equal(row->values[TP_FINDS_SYSCALL], 140000);
    finding_expect_place(&s, &finding_of(&s, TP_FINDS_SYSCALL)->culprit, "net.(*conn).Read", 2);
    tp_totals_fini(&s);
    // Of stacks that are not kept only the function is known.
    s = finding_input(SECOND, 4, 0);
    finding_time(&s, TP_SPACE_COARSE, "main.far", tp_coarse_measure(TP_STACK_SYSCALL, false),
                 SECOND);
    finding_judge(&s);
    finding_expect_place(&s, &finding_of(&s, TP_FINDS_SYSCALL)->culprit, "main.far", 0);
    tp_totals_fini(&s);
}

// A goroutine that waits for signals is in one system call from before the trace to behind it. The
// stack of that call is in no generation, or only in a later one.
static void test_system_calls_that_nobody_is_known_to_make(void **state)
{
    (void)state;
    struct tp_totals s = finding_input(SECOND, 4, 0);
    record_call(&s, SECOND / 100);
    finding_time(&s, TP_SPACE_GOROUTINE, "", TP_MEASURE_SYSCALL, SECOND);
    record_calls(&s, finding_stack(&s, (const char *const[]){NULL}), TP_STACK_SYSCALL_OPEN, SECOND);
    const struct tp_file_row *row = finding_judge(&s);
    assert_int_equal(row->values[TP_FINDS_SYSCALL], 10000);
    assert_int_equal(s.found.count, 0);
    tp_totals_fini(&s);
    // One that ends, in a trace without stacks, has no cause that could be named.
    s = finding_input(SECOND, 4, 0);
    record_calls(&s, finding_stack(&s, (const char *const[]){NULL}), TP_STACK_SYSCALL, SECOND);
    record_call(&s, SECOND / 2);
    finding_judge(&s);
    const struct tp_found *found = finding_of(&s, TP_FINDS_SYSCALL);
    assert_true(found->lost == SECOND / 2 && found->count == 1);
    finding_expect_place(&s, &found->culprit, "main.load", 2);
    tp_totals_fini(&s);
}

// NOT ENOUGH PS

// A goroutine waited for a P, which no goroutine had woken, and the program waits for the network.
static void add_outside(struct tp_totals *s)
{
    uint32_t network = tp_intern_put(&s->reasons, tp_span_of_text("network"));
    assert_int_not_equal(network, TP_INTERN_NONE);
    finding_time(s, TP_SPACE_GOROUTINE, "main.serve", TP_MEASURE_FIRST_BLOCK + network, 1);
    finding_evidence(s, TP_EVIDENCE_LATE, finding_stack(s, (const char *const[]){NULL}), 1,
                     10 * FINDING_MS);
}

// Goroutines wait for so many tenths of a second for each of 4 Ps, and for each other for `sync_ns`. Ps are in
// use for `procs_ns`, which is more than goroutines run if these are in system calls that keep their P.
static const struct tp_file_row *judge_few_ps(struct tp_totals *s, uint64_t sched_ns, uint64_t sync_ns,
                                              uint64_t procs_ns)
{
    *s = finding_input(SECOND, 4, 0);
    s->timeline.buckets.items[0].totals[TP_LEVEL_PROCS] = procs_ns;
    finding_time(s, TP_SPACE_GOROUTINE, "main.w", TP_MEASURE_RUN, SECOND - 1); // main.main: 1 ns
    finding_time(s, TP_SPACE_GOROUTINE, "main.w", TP_MEASURE_SCHED, sched_ns);
    assert_true(tp_totals_record_stack(s, FINDING_STACK(s, "sync.(*Mutex).Lock", "main.w"),
                                       TP_STACK_SYNC, 1, sync_ns));
    // These are idle, or nobody ends them.
    assert_true(tp_totals_record_stack(s, FINDING_STACK(s, "os/signal.loop"), TP_STACK_SYNC, 1,
                                       9 * SECOND));
    assert_true(tp_totals_record_stack(s, FINDING_STACK(s, "runtime.chanrecv1", "main.w"),
                                       TP_STACK_SYNC_OPEN, 1, 9 * SECOND));
    uint32_t stack = FINDING_STACK(s, "runtime.asyncPreempt", "main.crunch", "main.w");
    finding_evidence(s, TP_EVIDENCE_LONG_RUN, stack, 2, 5 * FINDING_MS);
    finding_evidence(s, TP_EVIDENCE_LONG_RUN_PREEMPTED, stack, 2, 5 * FINDING_MS);
    finding_evidence(s, TP_EVIDENCE_LONG_RUN, FINDING_STACK(s, "main.other"), 1, 19 * FINDING_MS);
    finding_evidence(s, TP_EVIDENCE_LONG_RUN, FINDING_STACK(s, "runtime.gcBgMarkWorker"), 99,
                     FINDING_MS);
    add_outside(s);
    return finding_judge(s);
}

static void test_few_ps_at_the_threshold(void **state)
{
    (void)state;
    struct tp_totals s;
    const struct tp_file_row *row = judge_few_ps(&s, SECOND * 28 / 10, 0, 0);
    const struct tp_found *found = finding_of(&s, TP_FINDS_FEW_PS);
    assert_int_equal(row->values[TP_FINDS_FEW_PS], 700000);
    assert_non_null(found);
    finding_expect_place(&s, &found->victim, "main.w", 0);
    finding_expect_place(&s, &found->culprit, "main.crunch", 2);
    // 4 Ps, a quarter busy.
    assert_true(found->detail[0] == 4000 && found->detail[1] == 250000);
    tp_totals_fini(&s);
    row = judge_few_ps(&s, SECOND * 28 / 10 - 1, 0, 0);
    assert_int_equal(row->values[TP_FINDS_FEW_PS], 699999);
    assert_null(finding_of(&s, TP_FINDS_FEW_PS));
    tp_totals_fini(&s);
}

static void test_few_ps_cost_most_of_the_time(void **state)
{
    (void)state;
    struct tp_totals s;
    // 4 s of 10 s.
    judge_few_ps(&s, 4 * SECOND, 5 * SECOND, 3 * SECOND);
    assert_non_null(finding_of(&s, TP_FINDS_FEW_PS));
    assert_int_equal(finding_of(&s, TP_FINDS_FEW_PS)->detail[1], 750000);
    tp_totals_fini(&s);
    // Half of what would have to be lost.
    const struct tp_file_row *row = judge_few_ps(&s, 4 * SECOND, 15 * SECOND, 0);
    assert_int_equal(row->values[TP_FINDS_FEW_PS], 350000);
    assert_null(finding_of(&s, TP_FINDS_FEW_PS));
    tp_totals_fini(&s);
}

// Only the runtime waits for a time, and is late: a batch.
static void test_a_batch_has_enough_ps(void **state)
{
    (void)state;
    struct tp_totals s = finding_input(SECOND, 4, 0);
    uint32_t sleep = tp_intern_put(&s.reasons, tp_span_of_text("sleep"));
    finding_time(&s, TP_SPACE_GOROUTINE, "main.w", TP_MEASURE_SCHED, 9 * SECOND);
    finding_time(&s, TP_SPACE_GOROUTINE, "runtime.bgscavenge", TP_MEASURE_FIRST_BLOCK + sleep, 1);
    finding_evidence(&s, TP_EVIDENCE_LATE, finding_stack(&s, (const char *const[]){NULL}), 9, SECOND);
    assert_int_equal(finding_judge(&s)->values[TP_FINDS_FEW_PS], 0);
    tp_totals_fini(&s);
}

static void test_who_waits_for_a_p(void **state)
{
    (void)state;
    for (unsigned is_outside = 0; is_outside < 2; is_outside++) {
        struct tp_totals s = finding_input(10 * FINDING_MS * 10, 2, 2);
        finding_time(&s, TP_SPACE_GOROUTINE, "main.later", TP_MEASURE_SCHED, 100 * FINDING_MS);
        finding_time(&s, TP_SPACE_GOROUTINE, "main.first", TP_MEASURE_SCHED, 100 * FINDING_MS);
        finding_time(&s, TP_SPACE_GOROUTINE, "main.less", TP_MEASURE_SCHED, 99 * FINDING_MS);
        if (is_outside != 0)
            add_outside(&s);
        const struct tp_file_row *row = finding_judge(&s);
        const struct tp_found *found = finding_of(&s, TP_FINDS_FEW_PS);
        // Whom goroutines wake waits in a batch, too.
        assert_true((found != NULL) == (is_outside != 0));
        assert_true((row->values[TP_FINDS_FEW_PS] > 0) == (is_outside != 0));
        if (found != NULL)
            finding_expect_place(&s, &found->victim, "main.first", 0);
        tp_totals_fini(&s);
    }
}

static void test_capacity_of_time_in_which_ps_are_not_known(void **state)
{
    (void)state;
    struct tp_file_row row = {0};
    row.figures[TP_FILE_DURATION] = 1000;
    row.figures[TP_FILE_PROCS] = 900;
    row.figures[TP_FILE_PROCS_KNOWN] = 300;
    assert_true(tp_file_capacity_ns(&row) == 3000);
    row.figures[TP_FILE_PROCS_KNOWN] = 0;
    assert_true(tp_file_capacity_ns(&row) == 900);
}

static void test_waiting_without_idle_waits(void **state)
{
    (void)state;
    struct tp_file_row row = {0};
    row.figures[TP_FILE_BLOCKED] = 100;
    row.figures[TP_FILE_SYSCALL] = 20;
    row.figures[TP_FILE_SCHEDULING] = 3;
    row.figures[TP_FILE_RUNNING] = 1000;
    row.figures[TP_FILE_IDLE_WAITS] = 90;
    assert_true(tp_finding_against(&row, TP_FINDS_LOCK) == 33);
    assert_true(tp_finding_against(&row, TP_FINDS_SYSCALL) == 33);
    assert_true(tp_finding_against(&row, TP_FINDS_CHANNEL) == 33);
    assert_true(tp_finding_against(&row, TP_FINDS_FEW_PS) == 1003);
    // Only a forged state has more idle waits than waits.
    row.figures[TP_FILE_IDLE_WAITS] = 124;
    assert_true(tp_finding_against(&row, TP_FINDS_LOCK) == 0);
}

static void test_parts_of_a_million(void **state)
{
    (void)state;
    assert_int_equal(tp_ppm_of(1, 3), 333333);
    assert_int_equal(tp_ppm_of(5, 0), 0);
    assert_int_equal(tp_ppm_of(TP_WIDE_MAX, TP_WIDE_MAX), 1000000);
    assert_true(tp_ppm_of(TP_WIDE_MAX, 1) == UINT64_MAX - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_who_is_judged),
        cmocka_unit_test(test_events_without_order_and_absurd_times_are_not_judged),
        cmocka_unit_test(test_findings_know_that_their_input_is_damaged),
        cmocka_unit_test(test_what_is_judged_without_gomaxprocs),
        cmocka_unit_test(test_nothing_is_found_only_where_names_are_known),
        cmocka_unit_test(test_gc_at_the_threshold),
        cmocka_unit_test(test_who_allocates),
        cmocka_unit_test(test_who_forces_cycles),
        cmocka_unit_test(test_a_heap_that_may_not_grow),
        cmocka_unit_test(test_the_library_allocates),
        cmocka_unit_test(test_system_calls_at_the_threshold),
        cmocka_unit_test(test_short_calls_and_reads_of_input_are_no_finding),
        cmocka_unit_test(test_who_made_the_system_calls),
        cmocka_unit_test(test_idle_system_calls),
        cmocka_unit_test(test_system_calls_of_the_library_alone),
        cmocka_unit_test(test_system_calls_that_nobody_is_known_to_make),
        cmocka_unit_test(test_few_ps_at_the_threshold),
        cmocka_unit_test(test_few_ps_cost_most_of_the_time),
        cmocka_unit_test(test_a_batch_has_enough_ps),
        cmocka_unit_test(test_who_waits_for_a_p),
        cmocka_unit_test(test_capacity_of_time_in_which_ps_are_not_known),
        cmocka_unit_test(test_waiting_without_idle_waits),
        cmocka_unit_test(test_parts_of_a_million),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
