// Decoding the bodies of batches: counting, and reading event by event.
#include <stdio.h>

#include "bench.h"
#include "decode/tally_v2.h"

struct job {
    const struct bench_trace *trace;
    const struct tp_arg_table *table;
};

static void add_ident(void *ctx, enum tp_ident ident, uint64_t id)
{
    *(uint64_t *)ctx += id ^ ident;
}

static uint64_t tally(void *ctx)
{
    const struct job *job = ctx;
    struct tp_tally t = {0};
    uint64_t sum = 0;
    for (size_t i = 0; i < job->trace->extent_count; i++) {
        const struct tp_extent *x = &job->trace->extents[i];
        if (x->kind != TP_EXTENT_BATCH)
            continue;
        struct tp_tally_result r =
            tp_tally_events(&t, bench_body(job->trace, x), job->table, add_ident, &sum);
        sum += r.dt_ticks;
    }
    for (size_t code = 0; code < TP_EVENT_CODES; code++)
        sum += t.count[code] ^ t.bytes[code];
    return sum;
}

static uint64_t read_events(void *ctx)
{
    const struct job *job = ctx;
    uint64_t sum = 0;
    for (size_t i = 0; i < job->trace->extent_count; i++) {
        const struct tp_extent *x = &job->trace->extents[i];
        if (x->kind != TP_EXTENT_BATCH)
            continue;
        struct tp_span body = bench_body(job->trace, x);
        const unsigned char *p = body.ptr, *end = p + body.len_bytes;
        struct tp_wire_event ev;
        while (p < end && tp_event_read(&p, end, job->table, &ev) == TP_EVENT_OK)
            sum += ev.type + (ev.arg_count > 0 ? ev.args[0] : 0) + ev.tail.len_bytes;
    }
    return sum;
}

static void run(const struct bench_options *o, enum bench_shape shape)
{
    static const struct {
        const char *verb;
        bench_fn fn;
    } ways[] = {{"tally", tally}, {"read", read_events}};
    struct bench_trace t;
    bench_trace_init(&t, shape, o);
    struct job job = {&t, tp_arg_table(t.format.minor, TP_DIALECT_LENIENT)};
    for (size_t i = 0; i < TP_ARRAY_LEN(ways); i++) {
        char name[64];
        snprintf(name, sizeof name, "%s %s", ways[i].verb, t.name);
        bench_run(o, name, (struct bench_work){t.event_count, t.body_bytes}, ways[i].fn, &job);
    }
    bench_trace_fini(&t);
}

int main(int argc, char **argv)
{
    struct bench_options o;
    bench_options_init(&o, argc, argv);
    bench_print_head("events");
    for (enum bench_shape shape = 0; shape < BENCH_SHAPES; shape++)
        run(&o, shape);
    return 0;
}
