// Which clocks are in doubt: by batches of generations, and by what follows them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/attr.h"
#include "merge/tables/clock_doubt.h"

// Ticks are seconds here.
#define NS_PER_TICK 1e9
#define HOUR 3600
#define NO_M UINT64_MAX

// A trace as it is in the file: batches and, with kind NEXT, where a generation ends. `m`: thread,
// or P of an older trace.
enum { NEXT = -1, END = -2 };
struct batch {
    int kind; // enum tp_batch_kind
    uint64_t m;
    uint64_t at;
    bool goes_on; // of an older trace: a run without a header
    bool is_bare; // nothing but a header
};

static void add(struct tp_generation *g, const struct batch *b, uint64_t generation)
{
    static const unsigned char body[64];
    uint32_t header_bytes = b->goes_on ? 0 : 20;
    struct tp_extent x = {.kind = TP_EXTENT_BATCH,
                          .batch_kind = (uint8_t)b->kind,
                          .generation = generation,
                          .m = b->m,
                          .time_ticks = b->at,
                          .header_bytes = header_bytes,
                          .len_bytes = header_bytes + (b->is_bare ? 0 : 30)};
    struct tp_error err;
    assert_int_equal(tp_generation_add(g, &x, tp_span_of(body, x.len_bytes), 26, &err), 0);
}

static enum tp_clock_doubt_kind doubt_of(const struct batch *batches, uint64_t duration)
{
    struct tp_clock_doubt d = {0};
    struct tp_generation g;
    uint64_t number = 1;
    tp_generation_init(&g, TP_MIB(1));
    for (const struct batch *b = batches;; b++) {
        if (b->kind >= 0) {
            add(&g, b, number);
            continue;
        }
        tp_clock_doubt_add(&d, &g, NS_PER_TICK);
        tp_generation_reset(&g);
        number++;
        if (b->kind == END)
            break;
    }
    tp_generation_fini(&g);
    tp_clock_doubt_end(&d, duration * 1000000000);
    return d.kind;
}

#define E(thread, time) {.kind = TP_BATCH_EVENTS, .m = thread, .at = time}
#define S(time) {.kind = TP_BATCH_STACKS, .m = NO_M, .at = time}
// Of older traces: the batch event of tables, and what follows it or goes on.
#define BARE(time) {.kind = TP_BATCH_EVENTS, .m = 0, .at = time, .is_bare = true}
#define MORE(what, thread, time) {.kind = what, .m = thread, .at = time, .goes_on = true}

static const struct {
    const char *what;
    struct batch batches[12];
    uint64_t duration;
    enum tp_clock_doubt_kind want;
} cases[] = {
    {"nothing", {{.kind = END}}, 0, TP_CLOCK_DOUBT_NONE},
    {"a short trace", {E(1, 10), E(2, 11), S(12), {.kind = END}}, 2, TP_CLOCK_DOUBT_NONE},
    {"one batch", {E(1, 10), {.kind = END}}, 9 * HOUR, TP_CLOCK_DOUBT_NONE},
    // Idle for hours, in one generation: what is written in the end is late, too.
    {"idle, then a thread begins",
     {E(1, 10), E(2, 11), E(3, 5 * HOUR), S(5 * HOUR), {.kind = END}}, 5 * HOUR,
     TP_CLOCK_DOUBT_NONE},
    {"idle, then it ends", {E(1, 10), E(2, 11), S(5 * HOUR), {.kind = END}}, 5 * HOUR,
     TP_CLOCK_DOUBT_NONE},
    {"idle, then a batch is full", {E(1, 10), E(2, 11), E(1, 5 * HOUR), S(9 * HOUR), {.kind = END}},
     9 * HOUR, TP_CLOCK_DOUBT_NONE},
    {"idle at first", {E(1, 10), E(2, 5 * HOUR), E(3, 5 * HOUR), S(5 * HOUR), {.kind = END}},
     5 * HOUR, TP_CLOCK_DOUBT_NONE},
    {"idle between generations",
     {E(1, 10), S(20), {.kind = NEXT}, E(1, 5 * HOUR), S(5 * HOUR + 1), {.kind = END}}, 5 * HOUR,
     TP_CLOCK_DOUBT_NONE},
    {"idle, and killed", {E(1, 10), E(2, 5 * HOUR), E(3, 5 * HOUR), {.kind = END}}, 5 * HOUR,
     TP_CLOCK_DOUBT_NONE},
    {"hours of work", {E(1, 10), E(1, 2 * HOUR), E(1, 4 * HOUR), S(4 * HOUR + 1), {.kind = END}},
     4 * HOUR, TP_CLOCK_DOUBT_NONE},
    {"an hour", {E(1, 10), E(2, 10 + HOUR), S(10), {.kind = END}}, HOUR, TP_CLOCK_DOUBT_NONE},
    {"more than an hour", {E(1, 10), E(2, 11 + HOUR), S(10), {.kind = END}}, 2 * HOUR,
     TP_CLOCK_DOUBT_LATE},
    {"late, but it does not show", {E(1, 10), E(2, 5 * HOUR), S(11), {.kind = END}}, 1,
     TP_CLOCK_DOUBT_NONE},
    {"late and cut off", {E(1, 10), E(2, 11), E(3, 5 * HOUR), {.kind = END}}, 5 * HOUR,
     TP_CLOCK_DOUBT_LATE},
    {"two are late", {E(1, 10), E(2, 5 * HOUR), E(3, 5 * HOUR), S(11), {.kind = END}}, 5 * HOUR,
     TP_CLOCK_DOUBT_END},
    {"late in the middle",
     {E(1, 10), S(11), {.kind = NEXT}, E(1, 12), E(2, 5 * HOUR), S(13), {.kind = NEXT}, E(1, 14),
      S(15), {.kind = END}},
     5 * HOUR, TP_CLOCK_DOUBT_LATE},
    {"a thread goes back", {E(1, 5 * HOUR), E(2, 10), E(1, 10), S(6 * HOUR), {.kind = END}},
     5 * HOUR, TP_CLOCK_DOUBT_BACK},
    {"another thread is earlier", {E(1, 5 * HOUR), E(2, 10), S(6 * HOUR), {.kind = END}}, 5 * HOUR,
     TP_CLOCK_DOUBT_NONE},
    {"a generation goes back",
     {E(1, 9 * HOUR), S(9 * HOUR), {.kind = NEXT}, E(1, 10), E(2, 10), S(11), {.kind = END}},
     9 * HOUR, TP_CLOCK_DOUBT_GENERATION},
    {"events go on behind the end", {E(1, 10), S(20), {.kind = END}}, 5 * HOUR, TP_CLOCK_DOUBT_END},
    {"a long last batch of a trace that was cut", {E(1, 10), {.kind = END}}, 5 * HOUR,
     TP_CLOCK_DOUBT_NONE},
    // Before Go 1.22 all is one generation, and batches are cut into runs.
    {"older: a late batch in two runs",
     {E(1, 10), E(2, 11), E(1, 5 * HOUR), MORE(TP_BATCH_EVENTS, 1, 5 * HOUR), BARE(12),
      MORE(TP_BATCH_STACKS, 0, 12), {.kind = END}},
     5 * HOUR, TP_CLOCK_DOUBT_LATE},
    {"older: idle, then tables",
     {E(1, 10), MORE(TP_BATCH_STACKS, 1, 10), MORE(TP_BATCH_EVENTS, 1, 10), BARE(5 * HOUR),
      MORE(TP_BATCH_STACKS, 0, 5 * HOUR), {.kind = END}},
     5 * HOUR, TP_CLOCK_DOUBT_NONE},
    {"older: idle and cut, strings on the way",
     {E(1, 10), MORE(TP_BATCH_STACKS, 1, 10), MORE(TP_BATCH_EVENTS, 1, 10), {.kind = END}},
     5 * HOUR, TP_CLOCK_DOUBT_NONE},
};

static void test_batches(void **state)
{
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(cases); i++) {
        enum tp_clock_doubt_kind got = doubt_of(cases[i].batches, cases[i].duration);
        if (got != cases[i].want)
            fail_msg("%s: \"%s\"", cases[i].what, tp_clock_doubt_sentence(got));
    }
}

// A generation with a batch of events at one time, and a snapshot at another.
static void add_snapshot(struct tp_clock_doubt *d, uint64_t events_at, uint64_t snapshot_at,
                         uint64_t mono)
{
    struct tp_generation g;
    const struct batch b = E(1, events_at);
    tp_generation_init(&g, TP_MIB(1));
    add(&g, &b, 1);
    g.has_clock = true;
    g.clock = (struct tp_clock_snapshot){.trace_ticks = snapshot_at, .mono_ns = mono * 1000000000};
    tp_clock_doubt_add(d, &g, NS_PER_TICK);
    tp_generation_fini(&g);
}

static void test_snapshots(void **state)
{
    struct tp_clock_doubt d = {0};
    (void)state;
    // The clocks of trace and system need not begin together, but go on alike.
    add_snapshot(&d, 10, 10, 77 * HOUR);
    add_snapshot(&d, 10 + 5 * HOUR, 10 + 5 * HOUR, 82 * HOUR);
    assert_int_equal(d.kind, TP_CLOCK_DOUBT_NONE);
    add_snapshot(&d, 20 + 5 * HOUR, 20 + 5 * HOUR, 84 * HOUR);
    assert_int_equal(d.kind, TP_CLOCK_DOUBT_SNAPSHOT);
    d = (struct tp_clock_doubt){0};
    add_snapshot(&d, 10, 10 + 2 * HOUR, 0);
    assert_int_equal(d.kind, TP_CLOCK_DOUBT_SYNC);
}

static void test_a_clock_that_does_not_run_says_nothing(void **state)
{
    static const double rates[] = {0, -1, 1.0 / 0.0, 0.0 / 0.0};
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(rates); i++) {
        struct tp_clock_doubt d = {0};
        struct tp_generation g;
        const struct batch early = E(1, 1), late = E(2, UINT64_MAX);
        tp_generation_init(&g, TP_MIB(1));
        add(&g, &early, 1);
        add(&g, &late, 1);
        tp_clock_doubt_add(&d, &g, rates[i]);
        tp_clock_doubt_end(&d, UINT64_MAX);
        assert_int_equal(d.kind, TP_CLOCK_DOUBT_NONE);
        tp_generation_fini(&g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_batches),
        cmocka_unit_test(test_snapshots),
        cmocka_unit_test(test_a_clock_that_does_not_run_says_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
