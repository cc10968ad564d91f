// Tables of several generations with the same strings and stacks under different ids, for
// tests that sum up events of more than one generation.
#ifndef TP_TESTS_FULL_TABLES_H
#define TP_TESTS_FULL_TABLES_H

#include "full_lab.h"
#include "table_build.h"

// All strings of the tables. X(TEXT, text)
#define FULL_TEXTS(X)                      \
    X(LEAF, "main.leaf")                   \
    X(WORK, "main.work")                   \
    X(OTHER, "main.other")                 \
    X(MAIN, "runtime.main")                \
    X(SWEEPER, "runtime.bgsweep")          \
    X(SCAVENGER, "runtime.bgscavenge")     \
    X(FILE, "main.go")                     \
    X(CHAN, "chan receive")                \
    X(MUTEX, "sync")                       \
    X(SELECT, "select")                    \
    X(NETWORK, "network")                  \
    X(SLEEP, "sleep")                      \
    X(FOREVER, "forever")                  \
    X(ALPHA, "alpha")                      \
    X(BETA, "beta")                        \
    X(ALPHA_AGAIN, "alpha")                \
    X(WORKER, "GC (fractional)")           \
    X(IDLE, "GC (idle)")                   \
    X(STOP, "GC mark termination")         \
    X(PREEMPTED, "preempted")              \
    X(WRAPPER, "main.serve.gowrap12")      \
    X(LIBRARY, "net/http.(*conn).serve")   \
    X(LONG, FULL_LONG_TEXT)

#define FULL_TEN "0123456789"
#define FULL_LONG_TEXT /* 210 bytes */                                                   \
    FULL_TEN FULL_TEN FULL_TEN FULL_TEN FULL_TEN FULL_TEN FULL_TEN FULL_TEN FULL_TEN     \
    FULL_TEN FULL_TEN FULL_TEN FULL_TEN FULL_TEN FULL_TEN FULL_TEN FULL_TEN FULL_TEN     \
    FULL_TEN FULL_TEN FULL_TEN

enum full_text {
#define TP_X(text, bytes) TEXT_##text,
    FULL_TEXTS(TP_X)
#undef TP_X
    FULL_TEXT_COUNT
};

enum full_stack {
    STACK_WORK,        // main.leaf:7;main.work:9, and so on
    STACK_OTHER,
    STACK_MAIN,
    STACK_SWEEPER,
    STACK_SCAVENGER,
    STACK_DEEP,        // depth 120; the outermost frame is main.other
    STACK_LESS_DEEP,   // the same with depth 119
    STACK_NO_FRAMES,
    STACK_NAMELESS,    // its outermost function has no name
    STACK_WRAPPER,     // a frame of main.serve.gowrap12 only
    STACK_WRAPPED,     // main.leaf called by main.serve.gowrap12
    STACK_STOPPED,     // runtime.bgsweep;main.serve.gowrap12: stopped between the two functions
    STACK_LIBRARY,     // runtime.bgsweep called by net/http.(*conn).serve
    STACK_HANDLER,     // main.leaf called by net/http.(*conn).serve
    FULL_STACK_COUNT
};

struct full_tables {
    struct table_body strings, stacks;
    struct tp_tables *tables;
    uint64_t number;
};

// Creates the tables of generation `number`; full_tables_drop frees them. Ends the program if
// memory is lacking.
struct full_tables *full_tables_make(uint64_t number);
// Does the same for a trace with this release in its header; the function above takes 26.
struct full_tables *full_tables_make_of(uint64_t number, uint32_t minor);
void full_tables_drop(struct full_tables *t);

// Return the id of a string, or stack, in generation `number`.
TP_INLINE uint64_t full_string(uint64_t number, enum full_text text)
{
    return 100 * number + (uint64_t)text + 1;
}
TP_INLINE uint64_t full_stack(uint64_t number, enum full_stack stack)
{
    return 50 * number + (uint64_t)stack + 1;
}

#endif
