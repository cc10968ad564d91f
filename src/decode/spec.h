// The event tables of the v2 formats, generated from events_v2.def. Constant data; any thread.
#ifndef TP_DECODE_SPEC_H
#define TP_DECODE_SPEC_H

#include "base/attr.h"
#include "base/each.h"

// Limits of the wire format (internal/trace/tracev2). Go's full reader checks these limits, its raw
// reader does not.
#define TP_MAX_BATCH_BYTES 65536
#define TP_MAX_STACK_FRAMES 128
#define TP_MAX_STRING_BYTES 1024
#define TP_MAX_EVENT_ARGS 5
#define TP_FRAME_ARGS 4
#define TP_EVENT_CODES 256

// Codes of events on the wire. A code means the same in all formats that have it.
enum tp_event_type {
    TP_EV_NONE = 0,
#define TP_EV(code, name, since, kind, ...) TP_EV_##name = (code),
#include "decode/events_v2.def"
    TP_EV_REGULAR_END = 53,       // one past the last regular code
    TP_EV_EXPERIMENTAL_END = 137, // one past the last code
};

// TP_WIRE_ARG_Stack_nframes is the index of an argument in args of struct tp_wire_event, and
// TP_WIRE_ARGS_Stack the number of arguments. A pair of event and argument that does not exist does
// not compile.
#define TP_X(event, arg) TP_WIRE_ARG_##event##_##arg,
#define TP_EV(code, name, since, kind, ...) \
    enum { TP_EACH(TP_X, name, __VA_ARGS__) TP_WIRE_ARGS_##name };
#include "decode/events_v2.def"
#undef TP_X

// An argument of an event by its names in events_v2.def: tp_wire_arg(ev, Stack, nframes).
#define tp_wire_arg(ev, event, arg) ((ev)->args[TP_WIRE_ARG_##event##_##arg])
// The time of TIMED and EXP events.
#define TP_WIRE_ARG_DT 0

// Shapes of events on the wire; events_v2.def describes them.
enum tp_wire_kind {
    TP_WIRE_INVALID,
    TP_WIRE_STRUCT,
    TP_WIRE_TIMED,
    TP_WIRE_STACK,
    TP_WIRE_DATA,
    TP_WIRE_EXP,
};

// The row of an event code.
struct tp_event_spec {
    const char *name; // NULL: no such code
    uint8_t kind;     // enum tp_wire_kind
    uint8_t arg_count;
    uint8_t since;    // minor release
    const char *args[TP_MAX_EVENT_ARGS];
};

// Returns whether events of this code begin with a time.
TP_INLINE bool tp_event_is_timed(const struct tp_event_spec *spec)
{
    return spec->kind == TP_WIRE_TIMED || spec->kind == TP_WIRE_EXP;
}

// Indexed by code.
extern const struct tp_event_spec tp_event_specs[TP_EVENT_CODES];
// Names of the numbers of a frame, as the text form uses them.
extern const char *const tp_frame_arg_names[TP_FRAME_ARGS];

// Returns whether `minor` is one of the formats of Go 1.22 and later: 22, 23, 25, 26.
bool tp_version_is_v2(uint32_t minor);
// The first format whose generations end with a mark of one byte.
#define TP_FIRST_WITH_END_MARK 26

// Selects the table of valid codes. The tables of Go's raw reader for 22, 23 and 25 end before the
// experimental codes, and in 26 it takes codes 53..127 for events without a name and arguments.
enum tp_dialect { TP_DIALECT_LENIENT, TP_DIALECT_GO_RAW };

// Argument count of codes that the dialect refuses in a trace of the version.
#define TP_ARGS_INVALID 0xff
// Counts of arguments by code.
struct tp_arg_table {
    uint8_t count[TP_EVENT_CODES];
    // Both equal `count`, except that `plain` has TP_ARGS_INVALID for events with a tail and
    // `timed` for events that do not begin with a time delta.
    uint8_t plain[TP_EVENT_CODES];
    uint8_t timed[TP_EVENT_CODES];
};
// Returns the table of a release and dialect, a constant. `minor` must be a v2 format.
const struct tp_arg_table *tp_arg_table(uint32_t minor, enum tp_dialect dialect);

#endif
