// Code that all benchmarks share: options, a loop that times a function, and
// generated traces in memory as its input.
//
// A time is that of the thread's CPU clock, for the fastest of many samples: what
// the code costs when nothing disturbs it. The median stands beside it; where the
// two are far apart the machine was busy and neither is worth much.
#ifndef TP_BENCH_BENCH_H
#define TP_BENCH_BENCH_H

#include "base/buf.h"
#include "base/span.h"
#include "decode/decoder.h"
#include "decode/scan_v2.h"
#include "synth.h"

struct bench_options {
    double seconds;      // for each row
    size_t trace_bytes;  // of each generated trace, about
};

// Reads `--seconds S` and `--mib N`; ends the program on anything else.
void bench_options_init(struct bench_options *o, int argc, char **argv);

// The work that one call of a function has done.
struct bench_work {
    uint64_t item_count;
    uint64_t byte_count;
};

// One call does all the work once. Its result goes into a checksum, so that no
// compiler takes the work away; it must be the same for every call.
typedef uint64_t (*bench_fn)(void *ctx);

void bench_print_head(const char *items);
void bench_run(const struct bench_options *o, const char *name, struct bench_work work,
               bench_fn fn, void *ctx);

// Ends the program unless `ok`: a benchmark that measures something else than it
// says must not print a figure.
void bench_require(bool ok, const char *what);

// A generated trace and its extents.
struct bench_trace {
    const char *name;
    struct tp_buf bytes;
    struct tp_format format;
    struct tp_extent *extents; // the file header first
    size_t extent_count;
    uint64_t event_count;      // in the bodies of batches
    uint64_t body_bytes;
};

// Shapes of traces the benchmarks go through.
enum bench_shape {
    BENCH_MIXED,         // all kinds of events, few stacks
    BENCH_STACKS,        // four fifths of the bytes are tables
    BENCH_SMALL_BATCHES, // of 128 bytes
    BENCH_SHAPES
};

void bench_trace_init(struct bench_trace *t, enum bench_shape shape,
                      const struct bench_options *o);
void bench_trace_fini(struct bench_trace *t);

TP_INLINE struct tp_span bench_trace_span(const struct bench_trace *t)
{
    return tp_span_of(t->bytes.ptr, t->bytes.len_bytes);
}

// The body of a batch.
TP_INLINE struct tp_span bench_body(const struct bench_trace *t, const struct tp_extent *x)
{
    return tp_span_of(t->bytes.ptr + x->offset + x->header_bytes,
                      x->len_bytes - x->header_bytes);
}

#endif
