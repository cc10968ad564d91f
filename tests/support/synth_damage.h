// The last stage of the generator: takes whole units of a trace (header, batch, end mark),
// damages them as configured, and passes the bytes to the callback.
//
//   units ─▶ drop, duplicate, swap, omit ─▶ insert ─▶ overwrite, flip ─▶ truncate ─▶ write
//
// After the first write that fails, nothing more is written.
#ifndef TP_SUPPORT_SYNTH_DAMAGE_H
#define TP_SUPPORT_SYNTH_DAMAGE_H

#include "synth.h"

#define SYNTH_UNIT_BYTES 65600 // upper bound for a unit

enum synth_unit { SYNTH_UNIT_HEADER, SYNTH_UNIT_BATCH, SYNTH_UNIT_END_MARK };

struct synth_damage {
    const struct synth_config *config; // borrowed
    synth_write_fn write;
    void *ctx;
    int rc;                 // first nonzero result of `write`
    uint64_t batch_count;
    uint64_t offset;        // of the next byte, as if nothing were inserted or cut
    uint64_t written_bytes;
    uint64_t trace_bytes;
    size_t held_bytes;      // length of the batch that is kept until its successor is written
    unsigned char *held;
    unsigned char *scratch;
};

int synth_damage_init(struct synth_damage *d, const struct synth_config *config,
                      synth_write_fn write, void *ctx, struct tp_error *err) TP_MUST_USE;
void synth_damage_fini(struct synth_damage *d); // a zeroed one is fine

void synth_damage_put(struct synth_damage *d, enum synth_unit unit, const unsigned char *bytes,
                      size_t len_bytes);
// Ends the output; called after the last unit.
void synth_damage_flush(struct synth_damage *d);

#endif
