#include "mutate.h"

#include "base/err.h"
#include "decode/decoder.h"
#include "decode/varint.h"
#include "mutate_lab.h"
#include "scan_many.h"
#include "wire_build.h"

#define RUNTIME_SIZE_BYTES 10
#define SCAN_STEP 256
// Length of the shortest batch: a code, four numbers and an empty body.
#define LEAST_BATCH_BYTES 5
// Enough tries to find an edit even in a trace that has places for few mutations.
#define MOST_TRIES 1000

struct choice {
    const char *name;
    uint32_t weight;
    bool (*describe)(struct mutate_lab *lab);
};

static const struct choice choices[] = {
#define TP_X(name, weight) {#name, weight, mutate_##name},
    MUTATE_MAP(TP_X)
#undef TP_X
};

size_t mutate_max_bytes(size_t len_bytes)
{
    // A step adds at most one batch or rewrites headers. In a rewritten header the size takes
    // 10 bytes and the generation up to 10, and neither grows again: the shortest batch grows
    // to less than 5 times its length.
    return 5 * (len_bytes + MUTATE_MAX_STEPS * TP_SCAN_TAIL_MAX_BYTES);
}

uint64_t mutate_any_number(struct mutate_lab *lab)
{
    uint32_t bits = synth_below(&lab->rand, 65);
    return bits == 0 ? 0 : synth_next(&lab->rand) >> (64 - bits);
}

size_t mutate_below(struct mutate_lab *lab, size_t n)
{
    return synth_below(&lab->rand, n);
}

const struct tp_extent *mutate_any_batch(struct mutate_lab *lab)
{
    return &lab->batches[mutate_below(lab, lab->batch_count)];
}

struct tp_span mutate_body(const struct mutate_lab *lab, const struct tp_extent *batch)
{
    return tp_span_of(lab->trace.ptr + batch->offset + batch->header_bytes,
                      batch->len_bytes - batch->header_bytes);
}

void mutate_put_head(struct mutate_lab *lab, const struct tp_extent *batch, uint64_t body_bytes)
{
    const unsigned char *old = lab->trace.ptr + batch->offset;
    // The code; in an experimental batch also the number of the experiment.
    wire_put(&lab->patch, old, batch->batch_kind == TP_BATCH_EXPERIMENTAL ? 2 : 1);
    wire_put_number(&lab->patch, batch->generation);
    wire_put_number(&lab->patch, batch->m);
    wire_put_number(&lab->patch, batch->time_ticks);
    wire_put_padded(&lab->patch, body_bytes, RUNTIME_SIZE_BYTES);
}

void mutate_edit_body(struct mutate_lab *lab, const struct tp_extent *batch, size_t begin,
                      size_t end, struct tp_span bytes)
{
    struct tp_span body = mutate_body(lab, batch);
    mutate_put_head(lab, batch, body.len_bytes - (end - begin) + bytes.len_bytes);
    wire_put(&lab->patch, body.ptr, begin);
    wire_put(&lab->patch, bytes.ptr, bytes.len_bytes);
    wire_put(&lab->patch, body.ptr + end, body.len_bytes - end);
    lab->begin = batch->offset;
    lab->end = batch->offset + batch->len_bytes;
    lab->at_bytes = batch->offset + batch->header_bytes + begin;
}

// The working state of one trace: its bytes before and after a step, and the places of its
// batches.
struct bench {
    struct mutate_lab lab;
    struct tp_buf bytes[2];
    struct tp_buf batches; // struct tp_extent
    struct tp_buf marks;   // struct tp_extent
};

static bool bench_init(struct bench *b, size_t len_bytes)
{
    size_t max_bytes = mutate_max_bytes(len_bytes);
    size_t extents_bytes = (max_bytes / LEAST_BATCH_BYTES + 1) * sizeof(struct tp_extent);
    return tp_buf_init(&b->bytes[0], max_bytes) && tp_buf_init(&b->bytes[1], max_bytes) &&
           tp_buf_init(&b->lab.patch, max_bytes) && tp_buf_init(&b->batches, extents_bytes) &&
           tp_buf_init(&b->marks, extents_bytes);
}

static void bench_fini(struct bench *b)
{
    tp_buf_fini(&b->bytes[0]);
    tp_buf_fini(&b->bytes[1]);
    tp_buf_fini(&b->lab.patch);
    tp_buf_fini(&b->batches);
    tp_buf_fini(&b->marks);
}

static void find_batches(struct bench *b)
{
    struct mutate_lab *lab = &b->lab;
    struct tp_extent extents[SCAN_STEP];
    struct tp_span rest = tp_span_skip(lab->trace, lab->header_bytes);
    struct tp_scan_v2 scan;
    size_t count;
    tp_buf_reset(&b->batches);
    tp_buf_reset(&b->marks);
    tp_scan_v2_init(&scan, lab->minor, lab->header_bytes);
    do {
        rest = tp_span_skip(rest, scan_many_v2(&scan, rest, true, extents, SCAN_STEP, &count));
        for (size_t i = 0; i < count; i++) {
            if (extents[i].kind == TP_EXTENT_BATCH)
                wire_put(&b->batches, &extents[i], sizeof(extents[i]));
            if (extents[i].ends_generation)
                wire_put(&b->marks, &extents[i], sizeof(extents[i]));
        }
    } while (count == SCAN_STEP);
    lab->batches = (const struct tp_extent *)(const void *)b->batches.ptr;
    lab->batch_count = b->batches.len_bytes / sizeof(struct tp_extent);
    lab->marks = (const struct tp_extent *)(const void *)b->marks.ptr;
    lab->mark_count = b->marks.len_bytes / sizeof(struct tp_extent);
}

static const struct choice *choose(struct mutate_lab *lab)
{
    uint32_t total = 0;
    for (size_t i = 0; i < TP_ARRAY_LEN(choices); i++)
        total += choices[i].weight;
    uint32_t at = synth_below(&lab->rand, total);
    const struct choice *c = choices;
    for (; at >= c->weight; c++)
        at -= c->weight;
    return c;
}

static bool is_edit(const struct mutate_lab *lab)
{
    struct tp_span old = tp_span_of(lab->trace.ptr + lab->begin, lab->end - lab->begin);
    return !tp_span_equals(old, lab->patch.ptr, lab->patch.len_bytes);
}

// Picks a mutation and describes its edit, which changes something. Returns its name. NULL:
// none was possible, as in a trace that earlier steps have cut down to its header.
static const char *describe(struct mutate_lab *lab)
{
    for (unsigned i = 0; i < MOST_TRIES; i++) {
        const struct choice *c = choose(lab);
        tp_buf_reset(&lab->patch);
        if (c->describe(lab) && is_edit(lab))
            return c->name;
    }
    return NULL;
}

static void carry_out(const struct mutate_lab *lab, struct tp_buf *to)
{
    tp_buf_reset(to);
    wire_put(to, lab->trace.ptr, lab->begin);
    wire_put(to, lab->patch.ptr, lab->patch.len_bytes);
    wire_put(to, lab->trace.ptr + lab->end, lab->trace.len_bytes - lab->end);
}

static bool step(struct bench *b, struct tp_buf *to, struct mutate_report *report)
{
    find_batches(b);
    const char *name = describe(&b->lab);
    if (name == NULL)
        return false;
    carry_out(&b->lab, to);
    b->lab.trace = tp_span_of(to->ptr, to->len_bytes);
    report->steps[report->step_count++] =
        (struct mutate_step){.name = name, .at_bytes = b->lab.at_bytes};
    return true;
}

int mutate_trace(struct tp_span trace, uint64_t seed, struct tp_buf *out,
                 struct mutate_report *ret_report, struct tp_error *err)
{
    struct tp_format format;
    tp_format_detect(trace, true, &format);
    if (format.decoder != &tp_decoder_v2)
        return tp_fail(err, TP_E_NOT_TRACE, "not a trace of Go 1.22 or later");

    struct mutate_report report = {0};
    struct bench b = {.lab = {.trace = trace,
                              .minor = format.minor,
                              .header_bytes = format.header_bytes,
                              .rand = {.state = synth_mix(seed)}}};
    int rc = 0;
    if (!bench_init(&b, trace.len_bytes)) {
        rc = tp_fail(err, TP_E_MEMORY, "no memory for the buffers of a trace");
        goto out;
    }
    unsigned steps = 1 + synth_below(&b.lab.rand, MUTATE_MAX_STEPS);
    for (unsigned i = 0; i < steps && step(&b, &b.bytes[i % 2], &report); i++)
        continue;
    tp_buf_reset(out);
    wire_put(out, b.lab.trace.ptr, b.lab.trace.len_bytes);
    *ret_report = report;
out:
    bench_fini(&b);
    return rc;
}
