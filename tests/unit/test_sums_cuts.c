// Wherever a generation is cut into sums, the totals are the same, to the bit: for traces as the
// runtime writes them, for damaged ones, and for events without rhyme or reason.
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "decode/decoder.h"
#include "full_tables.h"
#include "gc_finder.h"
#include "order_lab.h"
#include "synth.h"

static uint64_t next_random(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

static uint64_t random_below(uint64_t *seed, uint64_t end)
{
    return (next_random(seed) >> 11) % end;
}

// CUTS

struct random_cuts {
    uint64_t seed;
    size_t most_events; // of sums
};

static size_t cut_anywhere(void *ctx, size_t left)
{
    struct random_cuts *c = ctx;
    size_t count = 1 + (size_t)random_below(&c->seed, c->most_events);
    return count < left ? count : left;
}

static size_t cut_after_each_block(void *ctx, size_t left)
{
    (void)ctx;
    return left < TP_BLOCK_EVENTS ? left : TP_BLOCK_EVENTS;
}

// Whatever the events say, nothing is more often left than it was entered.
static void expect_no_negative_levels(const struct tp_timeline *t)
{
    for (uint32_t i = 0; i < t->buckets.count; i++) {
        const struct tp_timeline_bucket *b = &t->buckets.items[i];
        for (unsigned k = 0; k < TP_HOT_LEVEL_COUNT; k++)
            assert_true(b->totals[k] <= b->totals[TP_LEVEL_COVERED] * 100000);
        assert_true(b->totals[TP_LEVEL_COVERED] <= UINT64_C(1) << t->shift);
    }
}

static char *text_of(const struct full_run *runs, size_t run_count, const struct full_cuts *cuts)
{
    struct tp_totals totals;
    struct tp_error err;
    assert_int_equal(full_sum(runs, run_count, cuts, &totals, &err), 0);
    char *text = full_text(&totals, true);
    expect_no_negative_levels(&totals.timeline);
    assert_true(full_breakdowns_add_up(&totals));
    tp_totals_fini(&totals);
    return text;
}

// The first line in which they differ says most.
static void expect_text(const char *got, const char *want, const char *what, size_t most_events)
{
    if (strcmp(got, want) == 0)
        return;
    size_t at = 0;
    while (got[at] == want[at])
        at++;
    while (at > 0 && got[at - 1] != '\n')
        at--;
    fail_msg("%s: sums of up to %zu events:\n%.*s\nbut whole generations:\n%.*s", what,
             most_events, (int)strcspn(got + at, "\n"), got + at,
             (int)strcspn(want + at, "\n"), want + at);
}

static void expect_cuts_not_to_show(const struct full_run *runs, size_t run_count,
                                    const char *what)
{
    static const size_t most_events[] = {1, 2, 7, 60, 2000};
    char *want = text_of(runs, run_count, &(struct full_cuts){0});
    char *got = text_of(runs, run_count, &(struct full_cuts){.sums = cut_after_each_block});
    expect_text(got, want, what, TP_BLOCK_EVENTS);
    free(got);
    for (size_t i = 0; i < TP_ARRAY_LEN(most_events); i++) {
        struct random_cuts random = {77 + i, most_events[i]};
        got = text_of(runs, run_count,
                      &(struct full_cuts){cut_anywhere, cut_anywhere, &random, .gathers = i % 2 != 0});
        expect_text(got, want, what, most_events[i]);
        free(got);
    }
    // Totals that are packed between sums give other numbers to what they keep.
    struct random_cuts random = {88, 300};
    got = text_of(runs, run_count,
                  &(struct full_cuts){cut_anywhere, cut_anywhere, &random, .loosens = true});
    expect_text(got, want, what, 300);
    free(got);
    free(want);
}

// The same with limits: later sums leave out what is below the floor of the input.
static void expect_cuts_not_to_show_with_limits(const struct full_run *runs, size_t run_count,
                                                const char *what)
{
    static const uint32_t keeps[] = {1, 3, 10};
    for (size_t i = 0; i < TP_ARRAY_LEN(keeps); i++) {
        struct random_cuts random = {99 + i, 300};
        char *want = text_of(runs, run_count, &(struct full_cuts){.keep = keeps[i]});
        const struct full_cuts cuts = {cut_anywhere, cut_anywhere, &random, .keep = keeps[i]};
        char *got = text_of(runs, run_count, &cuts);
        expect_text(got, want, what, 300);
        free(want);
        free(got);
    }
}

// SPECULATION

// What a report needs of the totals, one of which is all.
static const unsigned some_parts[] = {
    TP_PARTS_ALL,
    TP_PART_GOROUTINES | TP_PART_STACKS,
    TP_PART_LONGEST,
    TP_PART_INTERVALS,
    TP_PART_WAKES,
};

struct ahead_cuts {
    struct random_cuts random;
    const struct tp_tables *first; // tables of the first generation
    bool goes_to_end;              // of its generation, or anywhere
};

// In the first generation only it matters whether the goroutine in whose context an assist is active
// executes, and a speculative tracker does not know that; nothing runs ahead there (pipeline/order).
static bool has_context(const struct full_run *part)
{
    for (size_t i = 0; i < part->event_count; i++) {
        if (part->events[i].type == TP_EV_GCMarkAssistActive)
            return true;
    }
    return false;
}

static size_t cut_ahead(void *ctx, const struct full_run *rest)
{
    struct ahead_cuts *c = ctx;
    struct full_run part = *rest;
    bool is_first = part.tables == c->first;
    // The rest of the first generation mostly has goroutines that are announced, so it is not adopted.
    if (c->goes_to_end && (is_first || random_below(&c->random.seed, 2) == 0))
        return 0;
    if (!c->goes_to_end)
        part.event_count = cut_anywhere(&c->random, rest->event_count);
    return is_first && has_context(&part) ? 0 : part.event_count;
}

// How many speculative trackers were adopted, by goes_to_end, since the test began.
static size_t adopted_counts[2];

static void expect_many_adopted(void)
{
    assert_true(adopted_counts[false] > 2000);
    assert_true(adopted_counts[true] > 30);
    adopted_counts[false] = adopted_counts[true] = 0;
}

static void expect_ahead_not_to_show(const struct full_run *runs, size_t run_count,
                                     unsigned parts, const char *what)
{
    static const size_t most_events[] = {100, 20, 500, 2000};
    const size_t ways = parts == TP_PARTS_ALL ? 2 * TP_ARRAY_LEN(most_events) : 2;
    size_t first = 0;
    while (first < run_count && runs[first].tables == NULL)
        first++;
    char *want = text_of(runs, run_count, &(struct full_cuts){.parts = parts});
    for (size_t i = 0; i < ways && first < run_count; i++) {
        struct ahead_cuts c = {.random = {1000 + i, most_events[i / 2]},
                               .first = runs[first].tables,
                               .goes_to_end = i % 2 != 0};
        struct full_ahead ahead = {.cut = cut_ahead, .ctx = &c};
        const struct full_cuts cuts = {.sums = cut_anywhere,
                                       .block = i % 3 == 0 ? cut_anywhere : NULL,
                                       .ctx = &c.random,
                                       .parts = parts,
                                       .loosens = i % 5 == 0,
                                       .ahead = &ahead};
        char *got = text_of(runs, run_count, &cuts);
        expect_text(got, want, what, most_events[i / 2]);
        free(got);
        adopted_counts[c.goes_to_end] += ahead.adopted_count;
    }
    free(want);
}

// Speculative trackers follow parts of generations, and what is left of them after random places.
static void expect_speculation_not_to_show(const struct full_run *runs, size_t run_count,
                                           const char *what)
{
    for (size_t i = 0; i < TP_ARRAY_LEN(some_parts); i++)
        expect_ahead_not_to_show(runs, run_count, some_parts[i], what);
}

// TRACES

// Mutator utilisation by way of all steps, one after the other.
static void expect_direct_utilisation(const struct full_run *runs, size_t run_count,
                                      const char *what)
{
    struct tp_gc_finder finder;
    struct tp_gc_curve *curve;
    struct tp_gc_step step;
    struct tp_error err;
    struct tp_totals totals;
    struct tp_utilisation want = {0};
    tp_gc_finder_init(&finder);
    step.time_ns = 0;
    assert_int_equal(tp_gc_curve_create(1000000, &curve, &err), 0);
    for (size_t i = 0; i < run_count; i++) {
        for (size_t k = 0; k < runs[i].event_count; k++) {
            const struct tp_event *e = &runs[i].events[k];
            if (tp_gc_finder_look(&finder, e, runs[i].tables, &step, &err) == TP_GC_FOUND_STEP)
                assert_int_equal(tp_gc_curve_step(curve, &step, &err), 0);
            step.time_ns = e->time_ns;
        }
    }
    const struct tp_gc_step end = {.time_ns = step.time_ns, .kind = TP_GC_END};
    assert_int_equal(tp_gc_curve_step(curve, &end, &err), 0);
    assert_int_equal(tp_utilisation_of(&want, curve, &err), 0);
    assert_int_equal(full_sum(runs, run_count, &(struct full_cuts){0}, &totals, &err), 0);
    assert_true(full_wakes_add_up(&totals));
    want.assist_ns = totals.utilisation.assist_ns;
    if (memcmp(&totals.utilisation, &want, sizeof want) != 0)
        fail_msg("%s: another curve than that of all steps", what);
    tp_totals_fini(&totals);
    tp_gc_curve_destroy(curve);
    tp_gc_finder_fini(&finder);
}

struct bytes {
    unsigned char *ptr;
    size_t len_bytes;
};

static int append(void *ctx, const unsigned char *bytes, size_t len_bytes)
{
    struct bytes *to = ctx;
    to->ptr = tp_realloc(to->ptr, to->len_bytes + len_bytes);
    assert_non_null(to->ptr);
    memcpy(to->ptr + to->len_bytes, bytes, len_bytes);
    to->len_bytes += len_bytes;
    return 0;
}

// Speculation is for sound traces. Mutator utilisation is computed the other way for those of the runtime
// only: goroutines of made-up traces stay in assists for as long as they like.
enum trace_kind { TRACE_DAMAGED, TRACE_MADE_UP, TRACE_OF_GO };

// Returns how many events there are.
static size_t check_trace(const struct bytes *trace, enum trace_kind kind, const char *what)
{
    const struct order_way way = {.fill_capacity = 512, .keeps_tables = true};
    struct tp_span all = tp_span_of(trace->ptr, trace->len_bytes);
    struct tp_format format;
    if (tp_format_detect(all, true, &format) != TP_FORMAT_KNOWN || format.decoder != &tp_decoder_v2)
        return 0;
    struct order_result r =
        order_trace(format.minor, tp_span_skip(all, format.header_bytes), kind == TRACE_DAMAGED, &way);
    struct full_run *runs = tp_alloc_array(r.run_count, sizeof *runs);
    assert_non_null(runs);
    for (size_t i = 0; i < r.run_count; i++) {
        size_t first = r.runs[i].first_event;
        size_t end = i + 1 < r.run_count ? r.runs[i + 1].first_event : r.event_count;
        runs[i] = (struct full_run){r.runs[i].tables, r.events + first, end - first};
    }
    expect_cuts_not_to_show(runs, r.run_count, what);
    expect_cuts_not_to_show_with_limits(runs, r.run_count, what);
    if (kind != TRACE_DAMAGED)
        expect_speculation_not_to_show(runs, r.run_count, what);
    if (kind == TRACE_OF_GO)
        expect_direct_utilisation(runs, r.run_count, what);
    tp_free(runs);
    size_t count = r.event_count;
    order_result_fini(&r);
    return count;
}

static struct synth_config config_of(uint64_t seed)
{
    static const uint64_t versions[] = {22, 23, 25, 26};
    struct synth_config c;
    synth_config_init(&c);
    c.seed = seed;
    c.version = versions[seed % TP_ARRAY_LEN(versions)];
    c.generations = 3;
    c.gen_events = 1500;
    c.threads = 2 + seed % 7;
    c.goroutines = 10 + 20 * (seed % 5);
    c.run_events = 1 + 7 * (seed % 4);
    c.skew_ticks = seed % 3 == 0 ? 300 : 0;
    c.gc_at_start = seed % 2;
    c.no_stack_percent = 3 + 40 * (seed % 3);
    c.status_stack_percent = 50 * (seed % 3);
    c.stack_depth = seed % 4 == 1 ? 128 : 12;
    c.sample_permille = 30;
    return c;
}

static size_t check_synth(const struct synth_config *config, enum trace_kind kind, const char *what)
{
    struct synth_totals totals;
    struct tp_error err;
    struct bytes trace = {0};
    assert_int_equal(synth_generate(config, append, &trace, &totals, &err), 0);
    size_t count = check_trace(&trace, kind, what);
    tp_free(trace.ptr);
    return count;
}

static void test_sound_traces(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        char what[64];
        struct synth_config config = config_of(seed);
        snprintf(what, sizeof what, "seed %llu", (unsigned long long)seed);
        assert_true(check_synth(&config, TRACE_MADE_UP, what) > 3000);
    }
    expect_many_adopted();
}

static void test_damaged_traces(void **state)
{
    size_t event_count = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        char what[64];
        uint64_t random = seed;
        struct synth_config config = config_of(seed);
        config.batch_bytes = 1000;
        uint64_t place = random_below(&random, 60);
        switch (seed % 5) {
        case 0: config.drop_batch = place; break;
        case 1: config.dup_batch = place; break;
        case 2: config.swap_batch = place; break;
        case 3: config.flip_bit_at = 200000 + 3331 * place; break;
        default:
            config.overwrite_at = 20000 + 600 * place;
            config.overwrite_len = 40;
            break;
        }
        snprintf(what, sizeof what, "seed %llu, damaged", (unsigned long long)seed);
        event_count += check_synth(&config, TRACE_DAMAGED, what);
    }
    assert_true(event_count > 60 * 1500);
}

static struct bytes load(const char *path)
{
    unsigned char part[4096];
    struct bytes b = {0};
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    for (size_t got; (got = fread(part, 1, sizeof part, f)) > 0;)
        append(&b, part, got);
    fclose(f);
    return b;
}

static void test_traces_of_go(void **state)
{
    size_t told = 0;
    glob_t found;
    (void)state;
    assert_int_equal(glob(TP_TRACES "/*.trace", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct bytes b = load(found.gl_pathv[i]);
        told += check_trace(&b, TRACE_OF_GO, found.gl_pathv[i]) > 0;
        // Without its end, what is there is forced.
        b.len_bytes -= b.len_bytes / 4;
        check_trace(&b, TRACE_DAMAGED, found.gl_pathv[i]);
        tp_free(b.ptr);
    }
    assert_true(told >= 15);
    expect_many_adopted();
    globfree(&found);
}

// EVENTS WITHOUT RHYME OR REASON

#define GENERATIONS 3
#define GENERATION_EVENTS 700

static const uint8_t types[] = {
    TP_EV_GoCreate,         TP_EV_GoCreateBlocked,   TP_EV_GoCreateSyscall,
    TP_EV_GoStart,          TP_EV_GoStart,           TP_EV_GoStart,
    TP_EV_GoDestroy,        TP_EV_GoDestroySyscall,  TP_EV_GoStop,
    TP_EV_GoStop,           TP_EV_GoBlock,           TP_EV_GoBlock,
    TP_EV_GoUnblock,        TP_EV_GoUnblock,         TP_EV_GoSwitch,
    TP_EV_GoSwitchDestroy,  TP_EV_GoSyscallBegin,    TP_EV_GoSyscallEnd,
    TP_EV_GoSyscallEndBlocked, TP_EV_GoStatus,       TP_EV_GoStatusStack,
    TP_EV_STWBegin,         TP_EV_STWEnd,            TP_EV_GCActive,
    TP_EV_GCBegin,          TP_EV_GCEnd,             TP_EV_GCSweepActive,
    TP_EV_GCSweepBegin,     TP_EV_GCSweepEnd,        TP_EV_GCMarkAssistActive,
    TP_EV_GCMarkAssistBegin, TP_EV_GCMarkAssistEnd,  TP_EV_UserTaskBegin,
    TP_EV_UserTaskEnd,      TP_EV_UserRegionBegin,   TP_EV_UserRegionEnd,
    TP_EV_UserLog,          TP_EV_CPUSample,         TP_EV_ProcStart,
    TP_EV_ProcStop,         TP_EV_ProcSteal,         TP_EV_ProcStatus,
    TP_EV_ProcsChange,      TP_EV_HeapAlloc,         TP_EV_HeapGoal,
    TP_EV_GoLabel,
};
static const uint8_t gc_types[] = {
    TP_EV_GCMarkAssistActive, TP_EV_GCMarkAssistBegin, TP_EV_GCMarkAssistEnd,
    TP_EV_STWBegin,         TP_EV_STWEnd,            TP_EV_GoLabel,
};
static const uint8_t run_types[] = {TP_EV_GoStart, TP_EV_GoStop, TP_EV_GoSyscallBegin};

struct chaos {
    uint64_t seed;
    uint64_t generation;
    uint64_t ids;       // of goroutines, Ps and tasks: 0 to here
    unsigned no_stacks; // percent
    bool is_of_gc;      // goroutines run, and now and then the collector does something
    int64_t now_ns;
};

static uint64_t any_stack(struct chaos *c)
{
    if (random_below(&c->seed, 100) < c->no_stacks)
        return 0;
    if (random_below(&c->seed, 40) == 0)
        return 7777;
    return full_stack(c->generation, (enum full_stack)random_below(&c->seed, FULL_STACK_COUNT));
}

static uint64_t any_string(struct chaos *c)
{
    switch (random_below(&c->seed, 20)) {
    case 0: return 0;
    case 1: return 7777;
    case 2: return UINT64_MAX;
    default:
        return full_string(c->generation, (enum full_text)random_below(&c->seed, FULL_TEXT_COUNT));
    }
}

static uint8_t any_type(struct chaos *c)
{
    if (!c->is_of_gc || random_below(&c->seed, 100) == 0)
        return types[random_below(&c->seed, TP_ARRAY_LEN(types))];
    if (random_below(&c->seed, 100) == 0)
        return gc_types[random_below(&c->seed, TP_ARRAY_LEN(gc_types))];
    return run_types[random_below(&c->seed, TP_ARRAY_LEN(run_types))];
}

static struct tp_event any_event(struct chaos *c)
{
    c->now_ns += 1 + (int64_t)(next_random(&c->seed) >> (40 + random_below(&c->seed, 20)));
    struct tp_event e = {.time_ns = c->now_ns,
                         .m = 1,
                         .p = (int64_t)random_below(&c->seed, c->ids),
                         .g = (int64_t)random_below(&c->seed, c->ids + 1) - 1,
                         .type = any_type(c)};
    uint64_t id = random_below(&c->seed, c->ids), *a = e.args;
    switch (e.type) {
    case TP_EV_GoCreate:
    case TP_EV_GoCreateBlocked: a[0] = id, a[1] = any_stack(c), a[2] = any_stack(c); break;
    case TP_EV_GoBlock:
    case TP_EV_GoStop: a[0] = any_string(c), a[1] = any_stack(c); break;
    case TP_EV_GoUnblock: a[0] = id, a[2] = any_stack(c); break;
    case TP_EV_GoSyscallBegin: a[1] = any_stack(c); break;
    case TP_EV_GoStatus:
    case TP_EV_GoStatusStack:
        a[0] = id, a[2] = random_below(&c->seed, 5), a[3] = any_stack(c);
        if (random_below(&c->seed, 2) == 0)
            a[2] |= random_below(&c->seed, TP_STATES) << 32;
        break;
    case TP_EV_ProcSteal: a[0] = id, a[3] = random_below(&c->seed, 2); break;
    case TP_EV_ProcStatus:
        a[0] = id, a[1] = random_below(&c->seed, 6), a[2] = random_below(&c->seed, TP_STATES);
        break;
    case TP_EV_HeapAlloc:
    case TP_EV_HeapGoal: a[0] = next_random(&c->seed) >> random_below(&c->seed, 64); break;
    case TP_EV_STWBegin: a[0] = any_string(c), a[1] = any_stack(c); break;
    case TP_EV_GCBegin: a[1] = any_stack(c); break;
    case TP_EV_GCMarkAssistBegin: a[0] = any_stack(c); break;
    case TP_EV_STWEnd:
    case TP_EV_GoLabel: a[0] = any_string(c); break;
    case TP_EV_ProcsChange: a[0] = random_below(&c->seed, 12); break;
    case TP_EV_UserTaskBegin: a[0] = id, a[2] = any_string(c); break;
    case TP_EV_UserRegionBegin:
    case TP_EV_UserRegionEnd: a[0] = id, a[1] = any_string(c); break;
    case TP_EV_UserLog: a[0] = id, a[1] = any_string(c), a[2] = any_string(c); break;
    case TP_EV_CPUSample: a[0] = any_stack(c); break;
    default: a[0] = id; break;
    }
    return e;
}

static void test_events_without_rhyme_or_reason(void **state)
{
    static struct tp_event events[GENERATIONS][GENERATION_EVENTS];
    static const uint32_t minors[] = {26, 23, 20}; // each shows other stacks of preemptions
    struct full_tables *tables[TP_ARRAY_LEN(minors)][GENERATIONS];
    struct full_run runs[GENERATIONS];
    size_t with_utilisation = 0;
    (void)state;
    for (unsigned i = 0; i < TP_ARRAY_LEN(minors) * GENERATIONS; i++)
        tables[i / GENERATIONS][i % GENERATIONS] =
            full_tables_make_of(i % GENERATIONS, minors[i / GENERATIONS]);
    for (uint64_t seed = 1; seed <= 200; seed++) {
        char what[64];
        struct chaos c = {.seed = seed * 7919, .ids = 2 + seed % 9, .now_ns = 1000,
                          .no_stacks = seed % 2 == 0 ? 20 : 95, .is_of_gc = seed % 4 == 3};
        for (c.generation = 0; c.generation < GENERATIONS; c.generation++) {
            struct tp_event *list = events[c.generation];
            for (unsigned i = 0; i < GENERATION_EVENTS; i++)
                list[i] = any_event(&c);
            list[seed % 3] = (struct tp_event){.time_ns = list[seed % 3].time_ns, .m = -1,
                                               .p = -1, .g = -1, .type = TP_EVENT_SYNC,
                                               .args = {c.generation + 1}};
            list[(seed + 1) % 3] = (struct tp_event){.time_ns = list[(seed + 1) % 3].time_ns,
                                                     .m = 1, .p = 0, .g = 0,
                                                     .type = TP_EV_ProcsChange,
                                                     .args = {1 + seed % 4}};
            struct full_tables *const *of = tables[seed / 2 % TP_ARRAY_LEN(minors)];
            runs[c.generation] = (struct full_run){of[c.generation]->tables, list,
                                                   GENERATION_EVENTS};
        }
        snprintf(what, sizeof what, "seed %llu", (unsigned long long)seed);
        expect_cuts_not_to_show(runs, GENERATIONS, what);
        char *text = text_of(runs, GENERATIONS, &(struct full_cuts){0});
        with_utilisation += strstr(text, "utilisation trace_count 1\n") != NULL &&
                            strstr(text, "assist_running_ns 0\n") == NULL;
        free(text);
    }
    assert_true(with_utilisation > 100);
    for (unsigned i = 0; i < TP_ARRAY_LEN(minors) * GENERATIONS; i++)
        full_tables_drop(tables[i / GENERATIONS][i % GENERATIONS]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sound_traces),
        cmocka_unit_test(test_damaged_traces),
        cmocka_unit_test(test_traces_of_go),
        cmocka_unit_test(test_events_without_rhyme_or_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
