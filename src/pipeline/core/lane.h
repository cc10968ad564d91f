// Defines lanes, by which units get from the ingest strand (blocks: from the order strand) through
// workers to the commit strand. The functions on units are in unit.h.
#ifndef TP_PIPELINE_CORE_LANE_H
#define TP_PIPELINE_CORE_LANE_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/pool.h"
#include "io/chunk.h"
#include "merge/orderer.h"
#include "merge/track/facts.h"
#include "sink/sink.h"

// Largest number of sinks of a run.
#define TP_SINKS_MAX 16
// Largest number of units of one lane that one input may have between ingest and commit.
#define TP_LANE_DEPTH 256
// Number of blocks that are gathered in one unit for another worker to fold: enough that waking the
// worker and adding its sums cost little compared with the folding.
#define TP_WIDE_BLOCKS 64

struct tp_input_run;

// One lane for each kind of unit; a sink takes units from one lane.
enum tp_lane_id { TP_LANE_SEGMENTS, TP_LANE_FRAMES, TP_LANE_BLOCKS, TP_LANES };

// A unit between ingest and commit. Used by the ingest strand (blocks: the order strand) until
// submitted, then by the worker until `done`, then by the commit strand. The slot owns `frame`, the
// events, the sinks' states and the buffers, which serve many units and are freed with the run.
struct tp_slot {
    struct tp_task task;       // first member: cast back to the slot
    struct tp_input_run *in;   // of the current unit
    enum tp_lane_id lane;      // constant
    // The argument of the sinks' hooks; points to the extents, bytes and block in the members
    // below.
    struct tp_unit unit;
    struct tp_chunk *chunk;    // segments: contains the bytes; held
    struct tp_buf frame;       // frames: the bytes
    struct tp_extent extents[TP_UNIT_EXTENTS]; // segments
    union { // blocks: TP_BLOCK_EVENTS of the run's model, more if is_wide; owned
        struct tp_event *events;
        struct tp_legacy_event *legacy_events;
    };
    struct tp_facts facts;     // blocks: of the events, if the lane has a tracker; owned
    // The ordered events, unless the order strand folds them. Holds the events' tables until the
    // unit is retired.
    struct tp_block block;
    bool is_wide;              // `events` has room for TP_WIDE_BLOCKS blocks, from then on
    bool gathers;              // this unit gathers events for another worker to fold
    struct tp_block gathered;  // the gathered events
    struct tp_error order_error; // blocks: why events end early after these; code 0: they do not
    // For each sink of the run: its unit state (NULL: the sink is not in the lane), its output, and
    // the error of its hooks for this unit (code 0: none).
    void *state[TP_SINKS_MAX];
    struct tp_buf buf[TP_SINKS_MAX];
    struct tp_error err[TP_SINKS_MAX];
    // The unit is ready for commit. Set after the worker's last write, read before the first read
    // of the commit strand.
    _Atomic bool done;
    struct tp_slot *next;      // in the lane's list of idle slots
};

// All slots of a lane. The lane creates a slot when none is idle and the budget allows another, and
// keeps it until the run ends. The members before `mu` are constant after tp_lanes_init.
struct tp_lane {
    bool is_used;              // a sink takes units of the lane
    bool has_work;             // its units go to workers before they are committed
    bool folds;                // blocks: all its sinks fold
    unsigned tracks;           // blocks: what sinks want of a tracker; 0: there is none
    bool folds_slowly;         // blocks: all its sinks fold, not all of them quickly
    uint64_t slot_bytes;       // taken from the budget for one slot
    pthread_mutex_t mu;        // guards the rest
    struct tp_slot *idle;
    size_t idle_count;
    size_t made_count;         // created slots: idle and in use
};

// Units of one input in one lane, in stream order. The producer is the ingest strand, for blocks
// the order strand; the consumer is the commit strand, for blocks the puller if there is one. The
// counts begin at 0 for each input; unit N is in slots[N % TP_LANE_DEPTH] until it is retired.
struct tp_lane_queue {
    struct tp_slot *slots[TP_LANE_DEPTH]; // written by the producer, read by the consumer
    _Atomic uint64_t put_count;           // submitted units; written by the producer
    _Atomic uint64_t commit_count;        // retired units; written by the consumer
    struct tp_slot *open;                 // the unit that the producer fills; NULL: none
};

#endif
