// Chooses a goroutine's name among the roots of its stacks; the root is the outermost function of a
// stack. A goroutine has one name for its whole life: the best one, and of equally good ones the first
// seen. The name is settled when no better one can come, or when the goroutine has ended. Until then
// durations are recorded by the number of the goroutine's life.
//
// The functions keep no state, allocate nothing, and cannot fail; any thread may call them.
#ifndef TP_MERGE_TRACK_GOROUTINE_NAME_H
#define TP_MERGE_TRACK_GOROUTINE_NAME_H

#include "merge/tables/tables.h"

// Kinds of roots. The kind of the root and the origin of the stack decide how good the name is.
enum tp_root_kind {
    TP_ROOT_UNREAD,  // in a cache: the stack has not been looked up yet; must be 0
    TP_ROOT_NONE,    // the function has no name
    TP_ROOT_PROPER,
    TP_ROOT_RUNTIME, // a function of the runtime other than runtime.main
    TP_ROOT_WRAPPER, // the compiler's wrapper for `go f(x)`; f itself is not in the stack
    TP_ROOT_CUT,     // the stack is so deep that the runtime may have cut off frames
};

// The outermost function of a stack.
struct tp_root {
    uint32_t name;     // index of a string; TP_STRING_EMPTY: none
    uint8_t kind;      // enum tp_root_kind
    bool is_wrapper;   // PROPER: a wrapper of wrappers.def, such as testing.tRunner
    bool shows_wrapped; // is_wrapper: the stack has a function that it wraps
};

// Returns the root of the stack with the index `stack` in the tables. The name of the root is an index of
// the tables' strings, so it is valid as long as the tables.
struct tp_root tp_root_of_stack(const struct tp_tables *t, uint32_t stack);

// A start function that is a wrapper of wrappers.def, and the function behind it.
struct tp_wrapped {
    struct tp_span wrapper, function;
    const char *library; // of the wrapper
    size_t at;           // index of the function
};
// Finds them among the functions of a whole stack, the innermost first. False: the stack has none.
bool tp_wrapped_of(const struct tp_span *functions, size_t count, struct tp_wrapped *ret) TP_MUST_USE;
// Finds the next function further in that, as the one of *io, is neither of the wrapper's library nor of Go's
// standard library, and makes it that of *io. False: there is none.
bool tp_wrapped_next(const struct tp_span *functions, struct tp_wrapped *io) TP_MUST_USE;
// Reads the functions of the stack with the index `stack` in the tables, at most TP_WHOLE_STACK_FRAMES, into
// `functions`, and returns their number.
size_t tp_functions_of_stack(const struct tp_tables *t, uint32_t stack, struct tp_span *functions);

// How a stack came about.
enum tp_stack_origin {
    TP_STACK_OF_CALL,     // the goroutine called the runtime: to block, yield, or for a system call
    TP_STACK_OF_CREATION, // one frame; in Go 1.17 to 1.21 a wrapper, named like a function
    TP_STACK_OF_OTHERS,   // others stopped the goroutine anywhere; the stack may begin midway
};

// How good a name is, best first: a name of a lower value replaces one of a higher value. Nothing
// replaces a settled name. Both the creation and a later call can settle the name; the creation wins,
// because it is a goroutine's first event.
enum tp_name_rank {
    TP_NAME_SETTLED, // TP_ROOT_PROPER from a call, or TP_ROOT_RUNTIME from creation
    TP_NAME_OF_CREATION,
    TP_NAME_OF_OTHERS,
    TP_NAME_OF_RUNTIME,
    TP_NAME_OF_RUNTIME_BY_OTHERS,
    TP_NAME_OF_WRAPPER,
    TP_NAME_OF_CUT,
    TP_NAME_UNKNOWN
};

// Returns the rank of the name that a stack with this root and origin gives.
TP_INLINE enum tp_name_rank tp_name_rank_of(enum tp_root_kind kind, enum tp_stack_origin origin)
{
    static const uint8_t proper[] = {TP_NAME_SETTLED, TP_NAME_OF_CREATION, TP_NAME_OF_OTHERS};
    static const uint8_t runtime[] = {TP_NAME_OF_RUNTIME, TP_NAME_SETTLED,
                                      TP_NAME_OF_RUNTIME_BY_OTHERS};
    switch (kind) {
    case TP_ROOT_PROPER: return (enum tp_name_rank)proper[origin];
    case TP_ROOT_RUNTIME: return (enum tp_name_rank)runtime[origin];
    case TP_ROOT_WRAPPER: return TP_NAME_OF_WRAPPER;
    case TP_ROOT_CUT: return TP_NAME_OF_CUT;
    default: return TP_NAME_UNKNOWN;
    }
}

#endif
