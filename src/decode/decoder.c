#include "decode/decoder.h"

#include <inttypes.h>

#include "decode/event_v1.h"
#include "decode/event_v2.h"
#include "decode/raw_text.h"
#include "decode/tally_v1.h"
#include "decode/tally_v2.h"

// INPUTS WITHOUT EVENTS

static void opaque_begin(struct tp_scan *s, const struct tp_format *f, struct tp_scan_marks *marks)
{
    (void)f, (void)marks;
    s->offset = 0;
}

static bool opaque_next(struct tp_scan *s, struct tp_span bytes, bool at_end,
                        struct tp_extent *ret_extent)
{
    (void)at_end;
    size_t len_bytes = bytes.len_bytes;
    if (len_bytes > TP_SCAN_OPAQUE_BYTES)
        len_bytes = TP_SCAN_OPAQUE_BYTES;
    *ret_extent = (struct tp_extent){
        .offset = s->offset, .len_bytes = (uint32_t)len_bytes, .kind = TP_EXTENT_OPAQUE};
    s->offset += len_bytes;
    return len_bytes > 0;
}

const struct tp_decoder tp_decoder_none = {
    .kind = TP_KIND_OTHER,
    .name = "",
    .refusal = {.code = TP_E_NOT_TRACE},
    .scan_begin = opaque_begin,
    .scan_next = opaque_next,
};

const struct tp_decoder tp_decoder_unknown = {
    .kind = TP_KIND_OTHER,
    .refusal = {TP_E_NEW_TRACE, "trace of an unknown release, Go 1.", ""},
    .scan_begin = opaque_begin,
    .scan_next = opaque_next,
};

const struct tp_decoder tp_decoder_state = {
    .kind = TP_KIND_STATE,
    .name = "tpstats",
    .refusal = {.code = TP_E_FORMAT,
                .text = "statistics state; only --sink stats:level=full, report, and pprof without labels read it"},
    .scan_begin = opaque_begin,
    .scan_next = opaque_next,
};

// BEFORE GO 1.22

static void v1_begin(struct tp_scan *s, const struct tp_format *f, struct tp_scan_marks *marks)
{
    tp_scan_v1_init(&s->v1, tp_v1_table(f->minor), f->header_bytes);
    s->v1.marks = marks;
}

static bool v1_next(struct tp_scan *s, struct tp_span bytes, bool at_end,
                    struct tp_extent *ret_extent)
{
    return tp_scan_v1_next(&s->v1, bytes, at_end, ret_extent);
}

static enum tp_fault_effect v1_fault(enum tp_loss_kind loss, struct tp_span rest, uint32_t minor,
                                     bool has_events, struct tp_error *err)
{
    (void)rest, (void)minor, (void)has_events;
    tp_fail(err, TP_E_EVENT, "%s", tp_loss_sentence(loss));
    return TP_FAULT_VOIDS;
}

// Only the parsers of Go 1.5 and later test for an empty trace before they test the frequency.
static int v0_end_empty(uint32_t minor, bool strict, struct tp_error *err)
{
    (void)minor, (void)strict;
    return tp_fail(err, TP_E_EVENT, "no EvFrequency event");
}

static int v1_end_empty(uint32_t minor, bool strict, struct tp_error *err)
{
    (void)minor, (void)strict;
    return tp_fail(err, TP_E_EVENT, "trace is empty");
}

static const char *v1_code_name(uint32_t minor, unsigned code)
{
    return tp_v1_table(minor)->forms[code - TP_TALLY_V1].name;
}

static size_t v1_read(const unsigned char **p, const unsigned char *end, uint32_t minor,
                      struct tp_wire_event *events, size_t capacity)
{
    const struct tp_v1_table *table = tp_v1_table(minor);
    size_t count = 0;
    while (count < capacity && *p < end &&
           tp_v1_event_read(p, end, table, &events[count]) == TP_V1_OK)
        count++;
    return count;
}

// Members that the rows of the formats from before Go 1.22 share.
#define V1_ROW                                                                                     \
    .kind = TP_KIND_V1, .header_is_event = true, .scan_begin = v1_begin, .scan_next = v1_next,     \
    .fault = v1_fault, .first_with_names = TP_V1_FIRST_WITH_NAMES, .tally = tp_v1_tally_extent,    \
    .first_code = TP_TALLY_V1, .code_count = TP_V1_CODES, .code_name = v1_code_name,               \
    .batch_owner = "p", .read = v1_read, .text_begin = tp_raw_text_v1_begin,                       \
    .put_text = tp_raw_text_v1_put

const struct tp_decoder tp_decoder_v0 = {
    V1_ROW,
    .name = "gotrace",
    .refusal = {.code = TP_E_FORMAT,
                .text = "trace from before Go 1.5, not supported by all sinks of this run"},
    .end_empty = v0_end_empty,
    .text_minor = TP_RAW_TEXT_BEFORE_1_5,
};

const struct tp_decoder tp_decoder_v1 = {
    V1_ROW,
    .refusal = {TP_E_FORMAT, "trace in the format of Go 1.",
                ", not supported by all sinks of this run"},
    .end_empty = v1_end_empty,
};

// GO 1.22 AND LATER

static void v2_begin(struct tp_scan *s, const struct tp_format *f, struct tp_scan_marks *marks)
{
    (void)marks;
    tp_scan_v2_init(&s->v2, f->minor, f->header_bytes);
}

static bool v2_next(struct tp_scan *s, struct tp_span bytes, bool at_end,
                    struct tp_extent *ret_extent)
{
    return tp_scan_v2_next(&s->v2, bytes, at_end, ret_extent);
}

static bool v2_hop(struct tp_scan *s, struct tp_span head, uint64_t left_bytes,
                   struct tp_extent *ret_extent)
{
    return tp_scan_v2_hop(&s->v2, head, left_bytes, ret_extent);
}

static int v2_end_empty(uint32_t minor, bool strict, struct tp_error *err)
{
    bool is_missed = strict && minor < TP_FIRST_WITH_END_MARK;
    return is_missed ? tp_fail(err, TP_E_ORDER, "no frequency event found") : 0;
}

static const char *v2_code_name(uint32_t minor, unsigned code)
{
    // Go's table has some codes without a name, 0 among them.
    const struct tp_arg_table *go_table = tp_arg_table(minor, TP_DIALECT_GO_RAW);
    if (code != TP_EV_NONE && go_table->count[code] == TP_ARGS_INVALID)
        return NULL;
    return tp_event_specs[code].name != NULL ? tp_event_specs[code].name : "";
}

static size_t v2_read(const unsigned char **p, const unsigned char *end, uint32_t minor,
                      struct tp_wire_event *events, size_t capacity)
{
    const struct tp_arg_table *table = tp_arg_table(minor, TP_DIALECT_LENIENT);
    size_t count = 0;
    while (count < capacity && *p < end &&
           tp_event_read(p, end, table, &events[count]) == TP_EVENT_OK)
        count++;
    return count;
}

const struct tp_decoder tp_decoder_v2 = {
    .kind = TP_KIND_V2,
    .has_generations = true,
    .has_raw_reader = true,
    .refusal = {TP_E_FORMAT, "trace in the format of Go 1.",
                ", which has no events as before Go 1.22 (model=v1)"},
    .scan_begin = v2_begin,
    .scan_next = v2_next,
    .scan_hop = v2_hop,
    .fault = tp_scan_fault,
    .end_empty = v2_end_empty,
    .tally = tp_tally_extent,
    .code_count = TP_EVENT_CODES,
    .code_name = v2_code_name,
    .read = v2_read,
    .text_begin = tp_raw_text_v2_begin,
    .put_text = tp_raw_text_v2_put,
    .batch_owner = "m",
};

int tp_format_refuse(const struct tp_format *f, struct tp_error *err)
{
    const struct tp_refusal *r = &f->decoder->refusal;
    if (f->foreign.what != NULL)
        return tp_fail(err, r->code, "%s, but %s%s%s", tp_error_sentence(r->code), f->foreign.what,
                       f->foreign.words[0] != '\0' ? ": " : "", f->foreign.words);
    if (r->after_minor == NULL)
        return tp_fail(err, r->code, "%s",
                       r->text != NULL ? r->text : tp_error_sentence(r->code));
    return tp_fail(err, r->code, "%s%" PRIu32 "%s", r->text, f->minor, r->after_minor);
}
