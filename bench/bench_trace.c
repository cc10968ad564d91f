// Generated traces of a few shapes, scanned.
#include "base/alloc.h"
#include "bench.h"
#include "decode/tally_v2.h"

#define GENERATIONS 4
#define EXTENTS_AT_FIRST 256
// Tables come on top of the bytes that are asked for, at most as much again for
// each generation.
#define TABLES_BYTES TP_MIB(64)

static int collect(void *ctx, const unsigned char *bytes, size_t len_bytes)
{
    return tp_buf_put(ctx, bytes, len_bytes) ? 0 : TP_E_WRITE;
}

static const char *shape_config(enum bench_shape shape, struct synth_config *c)
{
    switch (shape) {
    case BENCH_STACKS:
        // 3.5 KiB of events refer to nearly all stacks there are.
        c->gen_bytes /= 5;
        c->stacks = c->gen_bytes / 50;
        c->stack_depth = 64;
        c->functions = 5000;
        return "stacks";
    case BENCH_SMALL_BATCHES: c->batch_bytes = 128; return "small batches";
    default: return "mixed";
    }
}

static void scan_all(struct bench_trace *t)
{
    size_t capacity = 0;
    struct tp_span rest = tp_span_skip(bench_trace_span(t), t->format.header_bytes);
    struct tp_extent x = {.kind = TP_EXTENT_STRUCTURAL,
                          .len_bytes = (uint32_t)t->format.header_bytes};
    struct tp_scan_v2 scan;
    tp_scan_v2_init(&scan, t->format.minor, t->format.header_bytes);
    do {
        if (t->extent_count == capacity) {
            capacity = 2 * capacity + EXTENTS_AT_FIRST;
            t->extents = tp_realloc(t->extents, capacity * sizeof t->extents[0]);
            bench_require(t->extents != NULL, "out of memory");
        }
        t->extents[t->extent_count++] = x;
        rest = tp_span_skip(rest, t->extent_count > 1 ? x.len_bytes : 0);
    } while (tp_scan_v2_next(&scan, rest, true, &x));
}

static void count_all(struct bench_trace *t)
{
    const struct tp_arg_table *table = tp_arg_table(t->format.minor, TP_DIALECT_LENIENT);
    struct tp_tally tally = {0};
    for (size_t i = 0; i < t->extent_count; i++) {
        const struct tp_extent *x = &t->extents[i];
        bench_require(x->kind != TP_EXTENT_LOST, "the generated trace is damaged");
        if (x->kind != TP_EXTENT_BATCH)
            continue;
        struct tp_span body = bench_body(t, x);
        t->body_bytes += body.len_bytes;
        struct tp_tally_result r = tp_tally_events(&tally, body, table, NULL, NULL);
        bench_require(r.used_bytes == body.len_bytes, "the generated trace has a bad event");
    }
    for (size_t code = 0; code < TP_EVENT_CODES; code++)
        t->event_count += tally.count[code];
}

void bench_trace_init(struct bench_trace *t, enum bench_shape shape,
                      const struct bench_options *o)
{
    *t = (struct bench_trace){0};
    struct synth_config c;
    synth_config_init(&c);
    c.generations = GENERATIONS;
    c.gen_events = 0;
    c.gen_bytes = o->trace_bytes / GENERATIONS;
    t->name = shape_config(shape, &c);
    struct synth_totals totals;
    struct tp_error err = {0};
    bench_require(tp_buf_init(&t->bytes, 2 * o->trace_bytes + TABLES_BYTES), "out of memory");
    bench_require(synth_generate(&c, collect, &t->bytes, &totals, &err) == 0, err.text);
    tp_format_detect(bench_trace_span(t), true, &t->format);
    bench_require(t->format.decoder == &tp_decoder_v2, "the generated trace is none");
    scan_all(t);
    count_all(t);
}

void bench_trace_fini(struct bench_trace *t)
{
    tp_buf_fini(&t->bytes);
    tp_free(t->extents);
    *t = (struct bench_trace){0};
}
