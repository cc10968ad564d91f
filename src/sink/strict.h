// How the sinks that have Go's raw reader as their reference (text, footprint)
// walk over the events of an input.
//
// By default a sink reads batch by batch and takes from each what is sound. Under
// --strict it must see what Go's raw reader sees, which knows no batches. As long
// as the events of every batch fill it exactly the two are the same, so units are
// read by any worker; from the first place where they are not, the rest of the
// input is read once more in sequence (tp_flat).
//
//   work, any worker:   |batch|batch|bat!xxxxxxx|   |batch|batch|batch|
//   commit, in order:    taken             └ flat ───────────────────▶  to the end
//
#ifndef TP_SINK_STRICT_H
#define TP_SINK_STRICT_H

#include "decode/flat_v2.h"
#include "sink/sink.h"

struct tp_event_visitor {
    // An event outside the body of a batch: a batch header, an experimental batch
    // with its data, the end of a generation. `wire` as tp_flat_fn has it.
    tp_flat_fn event;
    // The body of a batch. Sets how many of its bytes are events, up to the first
    // that cannot be read.
    int (*body)(void *ctx, struct tp_span bytes, size_t *ret_used_bytes, struct tp_error *err);
};

// No flat reading needed.
#define TP_NEVER_FLAT SIZE_MAX

// Visits the events of a unit batch by batch. `strict`: stops where flat reading
// has to begin and sets that place in unit->bytes, else TP_NEVER_FLAT; the body
// must be read in TP_DIALECT_GO_RAW then. Otherwise what does not decode is added
// to `notes`.
int tp_walk_events(const struct tp_unit *unit, bool strict,
                   const struct tp_event_visitor *visitor, void *ctx, size_t *ret_flat_from,
                   struct tp_sink_notes *notes, struct tp_error *err) TP_MUST_USE;

// State of an input, used by commit and finish of strict runs only.
struct tp_strict {
    struct tp_flat flat;
    bool is_flat; // reading flat; what `work` made of later units is void
    bool failed;  // the reference stops here; nothing more is read
};

void tp_strict_init(struct tp_strict *s, uint32_t minor, tp_flat_fn on_event, void *ctx);
void tp_strict_fini(struct tp_strict *s); // zeroed is fine

// Whether what `work` made of the next unit counts.
TP_INLINE bool tp_strict_takes_work(const struct tp_strict *s)
{
    return !s->is_flat && !s->failed;
}

// Reads of the unit what has to be read flat, after its work was taken. Fails as
// tp_flat_feed does; later calls do nothing then.
int tp_strict_commit(struct tp_strict *s, const struct tp_unit *unit, size_t flat_from,
                     struct tp_error *err) TP_MUST_USE;

// Go's verdict at the end of the input.
int tp_strict_end(struct tp_strict *s, struct tp_error *err) TP_MUST_USE;

#endif
