// The event tables of Go 1.5 to 1.21 and of the time before, made from events_v1.def.
// Constant data; any thread.
#ifndef TP_DECODE_SPEC_V1_H
#define TP_DECODE_SPEC_V1_H

#include "base/attr.h"

// The code is in the low six bits of an event's first byte; the others tell how many
// numbers follow.
#define TP_V1_CODES 64
#define TP_V1_SIZED 3 // numbers after a length
#define TP_V1_MAX_ARGS 5
// Limits of Go's readers.
#define TP_V1_MAX_STACK_FRAMES 1000
#define TP_V1_MAX_STRING_BYTES 1000000

enum tp_v1_type {
    TP_V1_NONE = 0,
#define TP_V1_TYPE(code, name, kind) TP_V1_##name = (code),
#include "decode/events_v1.def"
};

enum tp_v1_kind {
    TP_V1_KIND_INVALID,
    TP_V1_KIND_EVENT,
    TP_V1_KIND_PLAIN,
    TP_V1_KIND_STACK,
    TP_V1_KIND_STRING,
    TP_V1_KIND_LOG,
};

struct tp_v1_form {
    const char *name;  // NULL: no such event in this version
    uint8_t kind;      // enum tp_v1_kind
    uint8_t arg_count; // with dseq and dt
    uint8_t told_count; // arg_count without dseq, dt and stack
    bool has_stack;    // the last argument is a stack
    const char *args[TP_V1_MAX_ARGS];
};

struct tp_v1_table {
    uint32_t minor;
    uint8_t prefix_count;   // arguments before those of an event: dt, or dseq and dt
    uint8_t frame_args;     // numbers a frame has: the PC alone up to Go 1.6
    struct tp_v1_form forms[TP_V1_CODES];
};

extern const char *const tp_v1_type_names[TP_V1_CODES]; // NULL: none
extern const uint8_t tp_v1_type_kinds[TP_V1_CODES];     // enum tp_v1_kind

// Whether events of this type have a dt.
TP_INLINE bool tp_v1_type_is_timed(unsigned type)
{
    return tp_v1_type_kinds[type] == TP_V1_KIND_EVENT || tp_v1_type_kinds[type] == TP_V1_KIND_LOG;
}

// The versions that exist: 0 (before Go 1.5), 5, 7, 8, 9, 10, 11, 19, 21.
#define TP_V1_VERSIONS 9
extern const uint8_t tp_v1_minors[TP_V1_VERSIONS];

// NULL: no such version.
const struct tp_v1_table *tp_v1_table(uint32_t minor);

#endif
