// Rows of functions, one for each format of input. The header of an input selects its row once
// (decode/format.h). Code outside of src/decode uses the row and never tests the format, so a new
// format needs only its files in src/decode and a row in decoder.c.
//
//   head of the file ─▶ tp_format_detect ─▶ tp_format.decoder ─▶ tp_scan_next ─▶ extents
//
// Rows are constant; any thread.
#ifndef TP_DECODE_DECODER_H
#define TP_DECODE_DECODER_H

#include "base/err.h"
#include "decode/format.h"
#include "decode/scan_fault.h"
#include "decode/scan_v1.h"
#include "decode/scan_v2.h"
#include "decode/tally.h"
#include "decode/wire_event.h"

struct tp_raw_text;

// The scan of one input of any format. It owns nothing and is used by one thread at a time.
struct tp_scan {
    const struct tp_decoder *decoder;
    union {
        uint64_t offset; // of the next byte in the stream; first member of both structs below
        struct tp_scan_v1 v1;
        struct tp_scan_v2 v2;
    };
};

// Kinds of inputs. A sink states the kinds that it takes as a set of these bits.
enum tp_input_kind {
    TP_KIND_OTHER = 1, // no trace, or a trace of a release that is not known
    TP_KIND_STATE = 2, // a state file of this program (stats/state/state.h)
    TP_KIND_V1 = 4,    // a trace from before Go 1.22
    TP_KIND_V2 = 8,    // a trace of Go 1.22 or later
    TP_KIND_TRACES = TP_KIND_V1 | TP_KIND_V2,
    TP_KIND_ALL = TP_KIND_TRACES | TP_KIND_STATE | TP_KIND_OTHER,
};

// The row of a format.
struct tp_decoder {
    enum tp_input_kind kind;
    const char *name;     // of the format; NULL: "go1." and the minor release; "": no name
    bool has_generations; // batches belong to generations, each with its own clock and tables
    bool header_is_event; // the header of a batch is decoded with the events that follow it
    bool has_raw_reader;  // Go has a reader that prints such a trace without putting it in order
    // The reason why sinks do not take an input of this format; see tp_format_refuse.
    struct tp_refusal {
        int code;
        const char *text;        // NULL: tp_error_sentence(code)
        const char *after_minor; // not NULL: follows `text` and the minor release
    } refusal;

    // See tp_scan_begin and tp_scan_next. `marks` receives the marks of the last extent and must
    // outlive the scan; NULL: marks are not wanted.
    void (*scan_begin)(struct tp_scan *s, const struct tp_format *f, struct tp_scan_marks *marks);
    bool (*scan_next)(struct tp_scan *s, struct tp_span bytes, bool at_end,
                      struct tp_extent *ret_extent);
    // See tp_scan_hop. NULL: the header of a batch does not state the batch's length.
    bool (*scan_hop)(struct tp_scan *s, struct tp_span head, uint64_t left_bytes,
                     struct tp_extent *ret_extent);

    // Returns what Go's full reader does at a place where the scan found damage, and fills `err`
    // with the error that Go reports there (see tp_scan_fault).
    enum tp_fault_effect (*fault)(enum tp_loss_kind loss, struct tp_span rest, uint32_t minor,
                                  bool has_events, struct tp_error *err);
    // Fails with Go's error for a trace that ends without a batch. 0: such a trace is complete.
    int (*end_empty)(uint32_t minor, bool strict, struct tp_error *err);

    // Counts the events of an extent; `on_ident` may be NULL.
    struct tp_tally_result (*tally)(struct tp_tally *t, const struct tp_extent *x,
                                    const unsigned char *bytes, uint32_t minor,
                                    tp_ident_fn on_ident, void *ctx);
    // The codes of the format's events in a tally, and their names: "" for a code that Go's table
    // has without a name, NULL for a code that it does not have.
    unsigned first_code;
    unsigned code_count;
    const char *(*code_name)(uint32_t minor, unsigned code);
    const char *batch_owner; // kind of the writer of a batch: "p" or "m"

    // Decodes up to `capacity` events from *p on, with all codes that traces of this minor release
    // may have; moves *p past them and returns their number. Returns fewer than `capacity` at `end`
    // and at an event that cannot be decoded. The events borrow the bytes.
    size_t (*read)(const unsigned char **p, const unsigned char *end, uint32_t minor,
                   struct tp_wire_event *events, size_t capacity);
    // Print events in the raw text form; see raw_text.h for both functions.
    void (*text_begin)(struct tp_raw_text *t, uint32_t minor, enum tp_dialect dialect);
    unsigned char *(*put_text)(struct tp_raw_text *t, const unsigned char **p,
                               const unsigned char *end, unsigned char *to);
    uint32_t text_minor; // release in the header of that form; 0: the minor release of the trace

    uint32_t first_with_names; // first release whose stacks name functions; before: PCs alone
};

// The rows.
extern const struct tp_decoder tp_decoder_none;    // not a trace
extern const struct tp_decoder tp_decoder_unknown; // a header that names an unknown release
extern const struct tp_decoder tp_decoder_state;
extern const struct tp_decoder tp_decoder_v0; // before Go 1.5
extern const struct tp_decoder tp_decoder_v1; // Go 1.5 to 1.21
extern const struct tp_decoder tp_decoder_v2; // Go 1.22 and later

// Returns whether the format is that of a trace of any known release.
TP_INLINE bool tp_format_is_trace(const struct tp_format *f)
{
    return (f->decoder->kind & TP_KIND_TRACES) != 0;
}

// Begins the scan of an input. A trace is scanned from the end of its file header on; the caller
// hands out this header as a structural extent. Other inputs are scanned from offset 0 on.
TP_INLINE void tp_scan_begin(struct tp_scan *s, const struct tp_format *f,
                             struct tp_scan_marks *marks)
{
    s->decoder = f->decoder;
    f->decoder->scan_begin(s, f, marks);
}

// Fills `err` with the reason why the sinks of a run do not take an input of format `f`. Returns
// the error's code.
int tp_format_refuse(const struct tp_format *f, struct tp_error *err);

// Returns the extent at the beginning of `bytes`, which start at s->offset. The caller presents the
// bytes after it in the next call. False: there is no extent; the caller must present `bytes` (at
// most TP_SCAN_TAIL_MAX_BYTES) again, with more bytes after them. `at_end`: nothing follows
// `bytes`; then the extents cover all bytes, and calls go on until one returns false.
TP_INLINE bool tp_scan_next(struct tp_scan *s, struct tp_span bytes, bool at_end,
                            struct tp_extent *ret_extent)
{
    return s->decoder->scan_next(s, bytes, at_end, ret_extent);
}

// Returns the next extent from its header alone, as tp_scan_v2_hop does. Only for formats whose row
// has scan_hop.
TP_INLINE bool tp_scan_hop(struct tp_scan *s, struct tp_span head, uint64_t left_bytes,
                           struct tp_extent *ret_extent)
{
    return s->decoder->scan_hop(s, head, left_bytes, ret_extent);
}

#endif
