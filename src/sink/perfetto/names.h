// Writes what packets of units need: names, stacks, descriptions of tracks, and the packets that have texts.
// One thread at a time, in the order of the trace.
#ifndef TP_SINK_PERFETTO_NAMES_H
#define TP_SINK_PERFETTO_NAMES_H

#include "base/idset.h"
#include "base/intern.h"
#include "sink/perfetto/output.h"
#include "sink/perfetto/unit.h"
#include "sink/perfetto/wire.h"

// The most frames of a stack that are kept: all that Go's runtime records.
#define TP_PERFETTO_FRAMES_MAX 128

// What an output has so far. A zeroed object is the beginning.
struct tp_perfetto_names {
    const struct tp_perfetto_config *config;
    struct tp_perfetto_output output;
    struct tp_perfetto_sequence sequence; // of the names; number 0: there are none yet
    // Of this generation: iids of names, references of stacks, numbers of frames; texts by iid minus 1.
    struct tp_idset names, stacks, stack_texts, frames;
    struct tp_intern functions, files;
    struct tp_idset tracks;  // uuids that are described
    struct tp_idset used;    // goroutines whose tracks have something
};

void tp_perfetto_names_init(struct tp_perfetto_names *n, const struct tp_perfetto_config *config,
                            struct tp_out *out, uint64_t max_bytes);
void tp_perfetto_names_fini(struct tp_perfetto_names *n);
// Returns the memory beside the struct.
size_t tp_perfetto_names_bytes(const struct tp_perfetto_names *n);

// Writes the descriptions of the groups of tracks.
int tp_perfetto_put_groups(struct tp_perfetto_names *n, struct tp_error *err) TP_MUST_USE;
// Writes the description of a track. parent 0: it has none. `more`: further fields; may be NULL.
int tp_perfetto_put_track(struct tp_perfetto_names *n, uint64_t uuid, uint64_t parent, int64_t rank,
                          const struct tp_message *more, const char *name,
                          struct tp_error *err) TP_MUST_USE;
// Writes what is left at the end: descriptions of goroutines that have no life in the trace.
int tp_perfetto_put_rest(struct tp_perfetto_names *n, struct tp_error *err) TP_MUST_USE;
// Writes all that the unit needs, but not its packets.
int tp_perfetto_put_needs(struct tp_perfetto_names *n, const struct tp_block *b,
                          const struct tp_perfetto_unit *u, struct tp_error *err) TP_MUST_USE;

#endif
