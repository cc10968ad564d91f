// Cutting a trace into extents, and looking for a place to go on in garbage.
#include "base/alloc.h"
#include "bench.h"

struct job {
    struct tp_span body;
    uint32_t minor;
    size_t header_bytes;
};

static uint64_t scan(void *ctx)
{
    const struct job *job = ctx;
    struct tp_extent x;
    struct tp_span rest = job->body;
    struct tp_scan_v2 s;
    tp_scan_v2_init(&s, job->minor, job->header_bytes);
    uint64_t sum = 0;
    while (tp_scan_v2_next(&s, rest, true, &x)) {
        rest = tp_span_skip(rest, x.len_bytes);
        sum += x.m + x.len_bytes;
    }
    return sum;
}

static void run_trace(const struct bench_options *o, enum bench_shape shape)
{
    struct bench_trace t;
    bench_trace_init(&t, shape, o);
    struct tp_span all = bench_trace_span(&t);
    struct job job = {tp_span_skip(all, t.format.header_bytes), t.format.minor,
                      t.format.header_bytes};
    bench_run(o, t.name, (struct bench_work){t.extent_count, all.len_bytes}, scan, &job);
    bench_trace_fini(&t);
}

// Each byte could begin a batch, and none does.
static void run_garbage(const struct bench_options *o, unsigned char byte, const char *name)
{
    unsigned char *bytes = tp_alloc(o->trace_bytes);
    bench_require(bytes != NULL, "out of memory");
    memset(bytes, byte, o->trace_bytes);
    struct job job = {tp_span_of(bytes, o->trace_bytes), 26, 16};
    bench_run(o, name, (struct bench_work){o->trace_bytes, o->trace_bytes}, scan, &job);
    tp_free(bytes);
}

int main(int argc, char **argv)
{
    struct bench_options o;
    bench_options_init(&o, argc, argv);
    bench_print_head("extents");
    for (enum bench_shape shape = 0; shape < BENCH_SHAPES; shape++)
        run_trace(&o, shape);
    bench_print_head("lost bytes");
    run_garbage(&o, 0x01, "only 0x01");
    run_garbage(&o, 0x00, "only 0x00");
    run_garbage(&o, 0x80, "only 0x80");
    return 0;
}
