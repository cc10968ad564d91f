// Ordered events as text: what `go tool trace -d=parsed` of Go 1.26 prints, byte for
// byte (internal/trace, Event.String).
//
//   M=12 P=0 G=1 StateTransition Time=99 GoID=1 Running->Waiting Reason="sleep"
//   TransitionStack=
//   	time.Sleep @ 0x46f1a0
//   		/src/runtime/time.go:195
//   ...
//
// What the tables lack (they are of a damaged generation) is shown as "string#ID"
// and "stack#ID". Allocates nothing; each thread has its own struct.
#ifndef TP_SINK_TEXT_EVENT_TEXT_H
#define TP_SINK_TEXT_EVENT_TEXT_H

#include "base/buf.h"
#include "base/time/zone.h"
#include "merge/tables/tables.h"

// Copies run over the end of the text by no more than this.
#define TP_EVENT_TEXT_OVERRUN_BYTES 160

// "M=12 P=0 G=" of a thread on a P.
#define TP_CONTEXT_TEXT_BYTES 40
struct tp_context_text {
    int64_t m, p;
    size_t len_bytes; // 0: a free place
    unsigned char text[TP_CONTEXT_TEXT_BYTES];
};
#define TP_CONTEXT_TEXTS 64

// The digits of a time above its last six, which are mostly those of its neighbours,
// too.
struct tp_time_text {
    int64_t from_ns; // of the million that begins with them; positive
    size_t len_bytes;
    unsigned char digits[32];
};

struct tp_event_text {
    const struct tp_tables *tables;
    const struct tp_zone *zone;  // of wall clocks; NULL: UTC
    size_t max_bytes;            // an event of these tables has no more text
    // What was printed before and is likely to come again. It belongs to no tables.
    struct tp_time_text time;
    struct tp_context_text contexts[TP_CONTEXT_TEXTS];
};

// The largest max_bytes that any tables have.
#define TP_EVENT_TEXT_MAX_BYTES TP_KIB(600)

void tp_event_text_init(struct tp_event_text *x, const struct tp_zone *zone);

// The events that follow are of these tables, which are borrowed; NULL if they are
// Sync events without a clock. Resolves their frames; returns the code of that
// (without frames, stacks print as unknown).
int tp_event_text_use(struct tp_event_text *x, const struct tp_tables *tables) TP_MUST_USE;

// Prints one event and its newline; returns one past them. Needs room for
// max_bytes and TP_EVENT_TEXT_OVERRUN_BYTES.
unsigned char *tp_event_text_put(struct tp_event_text *x, unsigned char *to,
                                 const struct tp_event *e);

// Appends as many whole events as surely fit; returns how many. At least one, if
// the buffer is empty and holds TP_EVENT_TEXT_MAX_BYTES and the overrun.
size_t tp_event_text_fill(struct tp_event_text *x, const struct tp_event *events, size_t count,
                          struct tp_buf *buf);

#endif
