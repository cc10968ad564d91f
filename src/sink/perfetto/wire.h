// Perfetto's trace format: numbers of fields, and how packets begin.
//
// Names and stacks are written once in each generation, as interned data, before the first packet that
// refers to them by a number (iid). Packets of tracks, slices and counters refer to tracks by uuid.
#ifndef TP_SINK_PERFETTO_WIRE_H
#define TP_SINK_PERFETTO_WIRE_H

#include "merge/tables/tables.h"
#include "sink/proto/message.h"

enum { TRACE_PACKET = 1 };
enum {
    PACKET_CLOCK_SNAPSHOT = 6,
    PACKET_TIME = 8,
    PACKET_SEQUENCE = 10,
    PACKET_TRACK_EVENT = 11,
    PACKET_INTERNED = 12,
    PACKET_FLAGS = 13,
    PACKET_COMPRESSED = 50,
    PACKET_CLOCK = 58,
    PACKET_DEFAULTS = 59,
    PACKET_TRACK = 60,
    PACKET_CPU_SAMPLE = 66
};
enum { FLAG_BEGINS_NAMES = 1 };
enum {
    EVENT_CATEGORY = 3,
    EVENT_ARG = 4,
    EVENT_TYPE = 9,
    EVENT_NAME = 10,
    EVENT_TRACK = 11,
    EVENT_NAME_TEXT = 23,
    EVENT_COUNTER_VALUE = 30,
    EVENT_FLOW = 47,
    EVENT_FLOW_END = 48,
    EVENT_STACK = 56
};
enum { EVENT_BEGINS = 1, EVENT_ENDS = 2, EVENT_IS_INSTANT = 3, EVENT_IS_COUNTER = 4 };
enum { ARG_NAME = 1, ARG_UINT = 3, ARG_INT = 4, ARG_TEXT_IID = 17 };
enum {
    TRACK_UUID = 1,
    TRACK_NAME = 2,
    TRACK_PARENT = 5,
    TRACK_COUNTER = 8,
    TRACK_CHILD_ORDER = 11,
    TRACK_RANK = 12
};
enum { TRACK_ORDER_BY_RANK = 3 };
enum { COUNTER_UNIT = 3, COUNTER_AXIS = 7 };
enum { COUNTER_COUNTS = 2, COUNTER_BYTES = 3 };
enum {
    INTERNED_CATEGORY = 1,
    INTERNED_NAME = 2,
    INTERNED_ARG_NAME = 3,
    INTERNED_FUNCTION = 5,
    INTERNED_FRAME = 6,
    INTERNED_STACK = 7,
    INTERNED_FILE = 18,
    INTERNED_MAPPING = 19,
    INTERNED_ARG_TEXT = 29
};
enum { ENTRY_IID = 1, ENTRY_TEXT = 2 };
enum { FRAME_FUNCTION = 2, FRAME_MAPPING = 3, FRAME_PC = 4, FRAME_FILE = 5, FRAME_LINE = 6 };
enum { STACK_FRAME = 2 };
enum { SAMPLE_CPU = 1, SAMPLE_PROCESS = 2, SAMPLE_THREAD = 3, SAMPLE_STACK = 4 };
enum { DEFAULTS_CLOCK = 58, DEFAULTS_CPU_SAMPLE = 12, SAMPLE_TIMEBASE = 1, TIMEBASE_FREQUENCY = 2, TIMEBASE_COUNTER = 4 };
enum { COUNTER_CPU_CLOCK = 1 };
enum { SNAPSHOT_CLOCK = 1, SNAPSHOT_ID = 1, SNAPSHOT_TIME = 2 };
enum { CLOCK_OF_DAY = 1, CLOCK_OF_TRACE = 6, CLOCK_OF_GENERATION = 64 };

// The sequence of what belongs to no generation: descriptions of tracks, and counters.
#define TP_PERFETTO_SEQUENCE 1
// A generation's own sequence, with its names, and the clock of its packets: nanoseconds since `base_ns` of
// the trace's clock, so that times are short numbers.
struct tp_perfetto_sequence {
    uint32_t number;
    int64_t base_ns;
};
TP_INLINE struct tp_perfetto_sequence tp_perfetto_sequence_of(const struct tp_tables *t)
{
    // The number wraps after 2^32 generations, and is never that of another sequence nearby.
    return (struct tp_perfetto_sequence){(uint32_t)t->generation % (UINT32_MAX - 1) + 2,
                                         t->first_ns > 0 ? t->first_ns : 0};
}

// Begins a packet of a sequence.
TP_INLINE void tp_packet_begin(struct tp_message *m, uint32_t sequence)
{
    m->len_bytes = 0;
    tp_message_value(m, PACKET_SEQUENCE, sequence);
}

// Begins a packet of TP_PERFETTO_SEQUENCE at a time of the trace's clock.
TP_INLINE void tp_packet_begin_plain(struct tp_message *m, int64_t time_ns)
{
    tp_packet_begin(m, TP_PERFETTO_SEQUENCE);
    tp_message_value(m, PACKET_TIME, (uint64_t)time_ns);
}

// Begins a packet of a generation at a time of the trace's clock, which may be before the generation.
TP_INLINE void tp_packet_begin_at(struct tp_message *m, const struct tp_perfetto_sequence *s,
                                  int64_t time_ns)
{
    tp_packet_begin(m, s->number);
    if (time_ns >= s->base_ns) {
        tp_message_value(m, PACKET_TIME, (uint64_t)time_ns - (uint64_t)s->base_ns);
        return;
    }
    tp_message_value(m, PACKET_TIME, (uint64_t)time_ns);
    tp_message_value(m, PACKET_CLOCK, CLOCK_OF_TRACE);
}

// Begins an event of a track.
TP_INLINE void tp_track_event_begin(struct tp_message *m, unsigned type, uint64_t track)
{
    m->len_bytes = 0;
    tp_message_value(m, EVENT_TYPE, type);
    tp_message_value(m, EVENT_TRACK, track);
}
// Adds a reading of a clock to a snapshot.
TP_INLINE void tp_snapshot_put(struct tp_message *snapshot, unsigned clock, int64_t time_ns)
{
    struct tp_message m;
    m.len_bytes = 0;
    tp_message_value(&m, SNAPSHOT_ID, clock);
    tp_message_value(&m, SNAPSHOT_TIME, (uint64_t)time_ns);
    tp_message_nested(snapshot, SNAPSHOT_CLOCK, &m);
}

// Adds an argument to an event. `field`: the kind of the value. The name's iid is that of
// enum tp_perfetto_arg (track.h).
TP_INLINE void tp_perfetto_put_arg(struct tp_message *event, unsigned arg, unsigned field,
                                   uint64_t value)
{
    struct tp_message m;
    m.len_bytes = 0;
    tp_message_value(&m, ARG_NAME, arg + 1u);
    tp_message_value(&m, field, value);
    tp_message_nested(event, EVENT_ARG, &m);
}

#endif
