// Which of the names that its stacks give a goroutine is its name: one for all its time, the
// best that the events tell, of equally good ones that which was seen first. So what it did
// is recorded when its name is settled: nothing better can come, or it is no more.
#ifndef TP_STATS_FOLD_GOROUTINE_NAME_H
#define TP_STATS_FOLD_GOROUTINE_NAME_H

#include "merge/tables/tables.h"

// What a stack's outermost function says.
enum tp_root_kind {
    TP_ROOT_UNREAD,
    TP_ROOT_NONE,    // it has no name
    TP_ROOT_PROPER,
    TP_ROOT_RUNTIME, // a function of the runtime, but runtime.main
    TP_ROOT_WRAPPER, // what the compiler makes of `go f(x)`; the call of f is not in the stack
    TP_ROOT_CUT,     // of so many frames that the runtime may have cut off others
};

struct tp_root {
    uint32_t name;   // string
    uint32_t kind;   // enum tp_root_kind
};

// Of a stack of these tables.
struct tp_root tp_root_of_stack(const struct tp_tables *t, uint32_t stack);

// How a stack came about.
enum tp_stack_origin {
    TP_STACK_OF_CALL,     // the goroutine called the runtime: to block, yield, or for a system call
    TP_STACK_OF_CREATION, // of one frame. Go 1.17 to 1.21 name wrappers, and like functions
    TP_STACK_OF_OTHERS,   // who stopped the goroutine anywhere, so it may begin in the middle
};

// Best first. None better comes after a settled one: creation is first of all.
enum tp_name_rank {
    TP_NAME_SETTLED, // of a call; or of creation, if that is in the runtime
    TP_NAME_OF_CREATION,
    TP_NAME_OF_OTHERS,
    TP_NAME_OF_RUNTIME,
    TP_NAME_OF_RUNTIME_BY_OTHERS,
    TP_NAME_OF_WRAPPER,
    TP_NAME_OF_CUT,
    TP_NAME_UNKNOWN
};

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
