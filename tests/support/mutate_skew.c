#include "base/err.h"
#include "decode/decoder.h"
#include "decode/scan_v2.h"
#include "mutate.h"
#include "scan_many.h"
#include "synth_rand.h"
#include "wire_build.h"

#define RUNTIME_SIZE_BYTES 10
#define SCAN_STEP 256

// Returns how far the clock of thread `m` is ahead; depends only on the arguments.
static uint64_t ahead_ticks(uint64_t seed, uint64_t m, uint64_t most_ticks)
{
    return synth_mix(synth_mix(seed) ^ m) % (most_ticks + 1);
}

static void put_batch(struct tp_buf *out, const struct tp_extent *x, const unsigned char *bytes,
                      uint64_t more_ticks)
{
    size_t body_bytes = x->len_bytes - x->header_bytes;
    wire_put_byte(out, bytes[0]);
    wire_put_number(out, x->generation);
    wire_put_number(out, x->m);
    wire_put_number(out, x->time_ticks + more_ticks);
    wire_put_padded(out, body_bytes, RUNTIME_SIZE_BYTES);
    wire_put(out, bytes + x->header_bytes, body_bytes);
}

int mutate_skew_clocks(struct tp_span trace, uint64_t seed, uint64_t most_ticks,
                       struct tp_buf *out, struct tp_error *err)
{
    struct tp_format format;
    if (tp_format_detect(trace, true, &format) != TP_FORMAT_KNOWN ||
        format.decoder != &tp_decoder_v2)
        return tp_fail(err, TP_E_NOT_TRACE, "not a trace of Go 1.22 or later");
    struct tp_extent extents[SCAN_STEP];
    struct tp_span rest = tp_span_skip(trace, format.header_bytes);
    struct tp_scan_v2 scan;
    size_t count;
    wire_put(out, trace.ptr, format.header_bytes);
    tp_scan_v2_init(&scan, format.minor, format.header_bytes);
    do {
        rest = tp_span_skip(rest, scan_many_v2(&scan, rest, true, extents, SCAN_STEP, &count));
        for (size_t i = 0; i < count; i++) {
            const struct tp_extent *x = &extents[i];
            const unsigned char *bytes = trace.ptr + x->offset;
            bool is_shifted = x->kind == TP_EXTENT_BATCH && x->batch_kind == TP_BATCH_EVENTS &&
                              x->m != UINT64_MAX;
            if (is_shifted)
                put_batch(out, x, bytes, ahead_ticks(seed, x->m, most_ticks));
            else
                wire_put(out, bytes, x->len_bytes);
        }
    } while (count == SCAN_STEP);
    return 0;
}
