#include "decode/scan_fault.h"

#include "decode/spec.h"
#include "decode/varint.h"

static const char *varint_fault(enum tp_varint_status st, bool has_bytes)
{
    if (st == TP_VARINT_OVERFLOW)
        return "binary: varint overflows a 64-bit integer";
    return has_bytes ? "unexpected EOF" : "EOF";
}

// Fills the error with Go's message for a header that cannot be read, or for a body that is cut or
// too long.
static void say_header(struct tp_span rest, struct tp_error *err)
{
    static const char *const fields[] = {"gen", "M ID", "timestamp", "size"};
    const unsigned char *p = rest.ptr, *end = p + rest.len_bytes;
    uint64_t value = 0;
    p += *p == TP_EV_ExperimentalBatch ? 2 : 1;
    for (size_t i = 0; i < TP_ARRAY_LEN(fields); i++) {
        bool has_bytes = p < end;
        enum tp_varint_status st = p > end ? TP_VARINT_CUT : tp_varint_get(&p, end, &value);
        if (st != TP_VARINT_OK) {
            tp_fail(err, TP_E_ORDER, "error reading batch %s: %s", fields[i],
                    varint_fault(st, has_bytes));
            return;
        }
    }
    if (value > TP_MAX_BATCH_BYTES)
        tp_fail(err, TP_E_ORDER, "invalid batch size %llu, maximum is %d",
                (unsigned long long)value, TP_MAX_BATCH_BYTES);
    else
        tp_fail(err, TP_E_ORDER, "failed to read full batch: read %zu but wanted %llu",
                (size_t)(end - p), (unsigned long long)value);
}

// Returns the generation number in a sound header.
static uint64_t generation_of(struct tp_span rest)
{
    const unsigned char *p = rest.ptr, *end = p + rest.len_bytes;
    uint64_t number = 0;
    p += *p == TP_EV_ExperimentalBatch ? 2 : 1;
    if (p > end || tp_varint_get(&p, end, &number) != TP_VARINT_OK)
        return 0;
    return number;
}

static enum tp_fault_effect say_generation(struct tp_span rest, bool has_marks,
                                           struct tp_error *err)
{
    uint64_t number = rest.len_bytes > 0 ? generation_of(rest) : 0;
    if (number == 0)
        tp_fail(err, TP_E_ORDER, "invalid generation number 0");
    else
        tp_fail(err, TP_E_ORDER, "%s",
                has_marks ? "broken trace: missing end-of-generation event, or generations are "
                            "interleaved"
                          : "generations out of order");
    return TP_FAULT_DROPS;
}

enum tp_fault_effect tp_scan_fault(enum tp_loss_kind loss, struct tp_span rest, uint32_t minor,
                                   bool has_events, struct tp_error *err)
{
    bool has_marks = minor >= TP_FIRST_WITH_END_MARK;
    enum tp_fault_effect effect = has_marks ? TP_FAULT_DROPS : TP_FAULT_KEEPS;
    unsigned code = rest.len_bytes > 0 ? rest.ptr[0] : 0;
    switch (loss) {
    case TP_LOSS_GENERATION: return say_generation(rest, has_marks, err);
    case TP_LOSS_END_MARK:
        if (rest.len_bytes > 0)
            return say_generation(rest, has_marks, err);
        if (!has_events)
            return TP_FAULT_IS_END;
        tp_fail(err, TP_E_ORDER, "incomplete generation found; trace likely truncated");
        return TP_FAULT_DROPS;
    case TP_LOSS_STRAY_MARK:
        tp_fail(err, TP_E_ORDER, "no frequency event found");
        return TP_FAULT_DROPS;
    case TP_LOSS_NOT_A_BATCH:
        if (code == TP_EV_EndOfGeneration)
            return say_generation(tp_span_of(rest.ptr, 0), has_marks, err);
        tp_fail(err, TP_E_ORDER, "expected batch event, got event %u", code);
        return effect;
    default: break;
    }
    // If the file ends where the number of an experiment should stand, Go takes this for the end of
    // the trace.
    if (rest.len_bytes == 1 && code == TP_EV_ExperimentalBatch) {
        if (!has_marks || !has_events)
            return TP_FAULT_IS_END;
        tp_fail(err, TP_E_ORDER, "incomplete generation found; trace likely truncated");
        return TP_FAULT_DROPS;
    }
    if (rest.len_bytes > 0)
        say_header(rest, err);
    else
        tp_fail(err, TP_E_ORDER, "unexpected EOF");
    return effect;
}
