// Generates Go execution traces in the formats of Go 1.22 to 1.26, of any size and shape. The
// same settings give the same bytes on every machine.
//
// A small scheduler of threads, processors and goroutines takes random steps;
// each step that would be traced is written as the runtime's tracer does:
// status events before the first event about a thing in a generation, counters,
// batches of threads, tables, clock and end marks. Without damage Go's own full
// reader accepts every trace. Damage is applied afterwards, to whole batches
// and then to bytes.
//
// Memory is bounded by the settings (64 KiB for each thread, 12 bytes for each
// stack and string, about 120 for each goroutine), never by the size of the
// trace.
#ifndef TP_SUPPORT_SYNTH_H
#define TP_SUPPORT_SYNTH_H

#include "base/attr.h"
#include "tracepipe/error.h"

// The value of a damage option that is off.
#define SYNTH_OFF UINT64_MAX

enum synth_action {
#define SYNTH_ACTION(name, flag, weight, since, help) SYNTH_ACTION_##name,
#include "synth_actions.def"
    SYNTH_ACTION_COUNT
};

// The settings. The fields and their meaning: synth_options.def and synth_actions.def.
struct synth_config {
#define SYNTH_OPT(field, flag, def, min, max, help) uint64_t field;
#include "synth_options.def"
    uint32_t weights[SYNTH_ACTION_COUNT];
};

// Counts of the generated trace.
struct synth_totals {
    uint64_t written_bytes;    // given to the callback, after damage
    uint64_t trace_bytes;      // before damage, as all other counts
    uint64_t batch_count;
    uint64_t event_count;      // timed events
    uint64_t code_counts[256]; // by event code; structural events too
};

// Receives the next bytes of the trace, which are valid only during the call. The generator
// stops at a result other than 0 and returns it.
typedef int (*synth_write_fn)(void *ctx, const unsigned char *bytes, size_t len_bytes);

void synth_config_init(struct synth_config *config);

// Generates one trace. With skew_ticks and more than 11 threads, `freq` needs a period of a whole
// number of nanoseconds; synth_wire.h has the reason. Fails with TP_E_USAGE if a setting is out of
// its limits or does not fit another, with TP_E_MEMORY, or with the result of `write`.
int synth_generate(const struct synth_config *config, synth_write_fn write, void *ctx,
                   struct synth_totals *ret_totals, struct tp_error *err) TP_MUST_USE;

#endif
