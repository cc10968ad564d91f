// The event tables of Go 1.5 to 1.21 and of the time before, generated from events_v1.def. Constant
// data; any thread.
#ifndef TP_DECODE_SPEC_V1_H
#define TP_DECODE_SPEC_V1_H

#include "base/each.h"
#include "decode/versions.h"

// The low six bits of an event's first byte are its code; the high two bits say how many numbers
// follow.
#define TP_V1_CODES 64
#define TP_V1_SIZED 3 // numbers after a length
#define TP_V1_MAX_ARGS 5
// The first minor release whose stacks name functions and files.
#define TP_V1_FIRST_WITH_NAMES 7
// Limits of Go's readers.
#define TP_V1_MAX_STACK_FRAMES 1000
#define TP_V1_MAX_STRING_BYTES 1000000

// Codes of events, with the names of Go 1.21's parser.
enum tp_v1_type {
    TP_V1_NONE = 0,
#define TP_V1_TYPE(code, name, kind) TP_V1_##name = (code),
#include "decode/events_v1.def"
};

// TP_V1_ARG_GoStart_seq, for example, is the index of an argument in the member args of an event.
// The indices hold for the events of merge/v1, whose args lack time and stack, and for a struct
// tp_wire_event if its type has no time. The indices are those of the newest form. Older forms have
// the same indices, except for the ticks of a Batch, and stacks.
#define TP_X(event, arg) TP_V1_ARG_##event##_##arg,
#define TP_V1_FORM(name, first, last, ...) TP_V1_ARGS_UNTIL_##last(name, __VA_ARGS__)
#define TP_V1_ARGS_UNTIL_0(...)
#define TP_V1_ARGS_UNTIL_5(...)
#define TP_V1_ARGS_UNTIL_8(...)
#define TP_V1_ARGS_UNTIL_9(...)
#define TP_V1_ARGS_UNTIL_21(name, ...) \
    enum { TP_EACH(TP_X, name, __VA_ARGS__) TP_V1_ARGS_##name };
#include "decode/events_v1.def"
#undef TP_X

// An argument of an event by its names in events_v1.def: tp_v1_arg(e, GoStart, seq).
#define tp_v1_arg(e, event, arg) ((e)->args[TP_V1_ARG_##event##_##arg])

// Arguments that several types have at the same index, for code that handles all these types.
enum {
    TP_V1_ARG_Named_g,   // the goroutine that the event names
    TP_V1_ARG_Named_seq, // counts the changes of the state of that goroutine
    TP_V1_ARG_User_task = 0,
    TP_V1_ARG_User_parent_or_mode,
    TP_V1_ARG_Called_string, // label of a start, name of a task or region
};
#define TP_X(shared, own) _Static_assert((int)TP_V1_ARG_##own == (int)TP_V1_ARG_##shared, #own);
#define TP_V1_SAME(shared, ...) TP_EACH(TP_X, shared, __VA_ARGS__)
TP_V1_SAME(Named_g, GoCreate_g, GoWaiting_g, GoInSyscall_g)
TP_V1_SAME(Named_g, GoStart_g, GoStartLabel_g, GoStartLocal_g)
TP_V1_SAME(Named_g, GoUnblock_g, GoUnblockLocal_g, GoSysExit_g, GoSysExitLocal_g)
TP_V1_SAME(Named_seq, GoStart_seq, GoStartLabel_seq, GoUnblock_seq, GoSysExit_seq)
TP_V1_SAME(User_task, UserTaskCreate_task, UserTaskEnd_task, UserRegion_task, UserLog_task)
TP_V1_SAME(User_parent_or_mode, UserTaskCreate_parent_task, UserRegion_mode)
TP_V1_SAME(Called_string, GoStartLabel_label_string, UserTaskCreate_name_string)
TP_V1_SAME(Called_string, UserRegion_name_string)
#undef TP_X
#undef TP_V1_SAME

// Shapes of events on the wire; events_v1.def describes them.
enum tp_v1_kind {
    TP_V1_KIND_INVALID,
    TP_V1_KIND_EVENT,
    TP_V1_KIND_PLAIN,
    TP_V1_KIND_STACK,
    TP_V1_KIND_STRING,
    TP_V1_KIND_LOG,
};

// The form that a type of event has in one version.
struct tp_v1_form {
    const char *name;  // NULL: no such event in this version
    uint8_t kind;      // enum tp_v1_kind
    uint8_t arg_count; // dseq and dt included
    uint8_t text_arg_count; // arg_count without dseq, dt and stack
    bool has_stack;    // the last argument is a stack
    const char *args[TP_V1_MAX_ARGS];
};

// All forms of one version.
struct tp_v1_table {
    uint32_t minor;
    uint8_t prefix_count;   // arguments before those of an event: dt, or dseq and dt
    uint8_t frame_args;     // numbers of a frame: up to Go 1.6 only the PC
    struct tp_v1_form forms[TP_V1_CODES];
};

// Names of types by code; NULL: there is no such type in any version.
extern const char *const tp_v1_type_names[TP_V1_CODES];
// enum tp_v1_kind of types by code.
extern const uint8_t tp_v1_type_kinds[TP_V1_CODES];

// Returns whether events of this type have a dt.
TP_INLINE bool tp_v1_type_is_timed(unsigned type)
{
    return tp_v1_type_kinds[type] == TP_V1_KIND_EVENT || tp_v1_type_kinds[type] == TP_V1_KIND_LOG;
}

// Returns the table of a version, a constant; NULL: there is no such version.
const struct tp_v1_table *tp_v1_table(uint32_t minor);

#endif
