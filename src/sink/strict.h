// Walks over the events of an input for the sinks whose reference is Go's raw reader (text,
// footprint).
//
// By default a sink reads batch by batch and uses the readable events of each. Under --strict
// it must see the events that Go's raw reader sees, which knows no batches. As long as the
// events of every batch fill the batch exactly, both ways see the same events, so any worker may
// read a unit. From the first batch that its events do not fill exactly, commit reads the rest of
// the input once more, in sequence: this is flat reading (tp_flat).
//
//   work, any worker:   |batch|batch|bat!xxxxxxx|   |batch|batch|batch|
//   commit, in order:    taken             └ flat ───────────────────▶  to the end
//
#ifndef TP_SINK_STRICT_H
#define TP_SINK_STRICT_H

#include "decode/flat_v2.h"
#include "sink/sink.h"

// Callbacks of tp_walk_events. A result other than 0 ends the walk and is returned.
struct tp_event_visitor {
    // An event of Go 1.22 or later outside the body of a batch: a batch header, an experimental
    // batch with its data, the end of a generation. The arguments are those of tp_flat_fn.
    tp_flat_fn event;
    // The body of a batch, with its header if the header is an event (tp_decoder.header_is_event).
    // Sets *ret_used_bytes to the number of bytes before the first event that cannot be read.
    int (*body)(void *ctx, struct tp_span bytes, size_t *ret_used_bytes, struct tp_error *err);
    void *ctx;                   // argument of both
    bool strict;
    struct tp_sink_notes *notes; // without `strict`: gets the bytes that do not decode
};

// The value of *ret_flat_from if no flat reading is needed.
#define TP_NEVER_FLAT SIZE_MAX

// Visits the events of a unit batch by batch, on any worker. If the visitor is strict, it must read
// bodies in TP_DIALECT_GO_RAW, and the walk stops at the place where flat reading must begin:
// *ret_flat_from is the offset of that place in unit->bytes, or TP_NEVER_FLAT. If the visitor is
// not strict, the bytes that do not decode are added to `notes`. Fails only as the visitor does.
int tp_walk_events(const struct tp_unit *unit, const struct tp_event_visitor *visitor,
                   size_t *ret_flat_from, struct tp_error *err) TP_MUST_USE;

// State of an input, used by commit and finish of strict runs only.
struct tp_strict {
    struct tp_flat flat;
    bool is_flat; // reading flat; the results of `work` for later units are void
    bool failed;  // Go's reader fails here; nothing more is read
};

// Initializes the state for an input. Flat reading calls on_event(ctx, ...) on the strand of
// commit; `ctx` is borrowed until fini. Inputs of a format for which Go has no raw reader are never
// read flat. Allocates nothing.
void tp_strict_init(struct tp_strict *s, const struct tp_format *format, tp_flat_fn on_event,
                    void *ctx);
// Frees the memory of flat reading; a zeroed object is fine.
void tp_strict_fini(struct tp_strict *s);

// Returns whether the result of `work` for the next unit is valid.
TP_INLINE bool tp_strict_takes_work(const struct tp_strict *s)
{
    return !s->is_flat && !s->failed;
}

// Reads the part of the unit that must be read flat. The caller must have used the result of the
// unit's `work` before. Fails as tp_flat_feed does; later calls then do nothing and return 0.
int tp_strict_commit(struct tp_strict *s, const struct tp_unit *unit, size_t flat_from,
                     struct tp_error *err) TP_MUST_USE;

// Ends the input. Fails with TP_E_EVENT if Go's raw reader fails because the input ends here.
int tp_strict_end(struct tp_strict *s, struct tp_error *err) TP_MUST_USE;

#endif
