// Ordered events as text: what `go tool trace -d=parsed` of Go 1.26 prints, byte for
// byte (internal/trace, Event.String).
//
//   M=12 P=0 G=1 StateTransition Time=99 GoID=1 Running->Waiting Reason="sleep"
//   TransitionStack=
//   	time.Sleep @ 0x46f1a0
//   		/src/runtime/time.go:195
//   ...
//
// In the short form an event is one line (short_stack.h):
//
//   M=12 P=0 G=1 StateTransition Time=99 ... Stack=time.Sleep /src/time.go:195 Place=main.f /f.go:2
//
// A string or stack that the tables of a damaged generation lack is printed as "string#ID"
// or "stack#ID". Allocates nothing; each thread has its own struct.
#ifndef TP_SINK_TEXT_EVENT_TEXT_H
#define TP_SINK_TEXT_EVENT_TEXT_H

#include "base/buf.h"
#include "base/time/zone.h"
#include "merge/tables/tables.h"
#include "sink/text/short_stack.h"

// Copies write at most this many bytes past the end of the text.
#define TP_EVENT_TEXT_OVERRUN_BYTES 160

// "M=12 P=0 G=" of a thread on a P.
#define TP_CONTEXT_TEXT_BYTES 40
struct tp_context_text {
    int64_t m, p;
    size_t len_bytes; // 0: the slot is free
    unsigned char text[TP_CONTEXT_TEXT_BYTES];
};
#define TP_CONTEXT_TEXTS 64

// The digits of a time above its last six. Neighbouring events mostly share them.
struct tp_time_text {
    int64_t from_ns; // least time that begins with these digits; positive
    size_t len_bytes;
    unsigned char digits[32];
};

// Forms of times: nanoseconds on the clock of the trace; seconds since its beginning, as --from takes them;
// date and time of day.
enum tp_event_time { TP_TIME_OF_TRACE, TP_TIME_SINCE_BEGIN, TP_TIME_OF_DAY };

// A printer of events. One thread at a time uses it. Owns nothing.
struct tp_event_text {
    const struct tp_tables *tables;
    const struct tp_zone *zone;  // of wall clocks; NULL: UTC
    // Set by the user of the printer after tp_event_text_init; zeroes are Go's form.
    bool is_short;
    enum tp_event_time time_form;
    const struct tp_beginning *begin; // of the trace, for other forms than TP_TIME_OF_TRACE; borrowed
    size_t max_bytes;            // longest text of an event of these tables
    // Caches of printed text that is likely to recur. They stay valid when the tables change.
    struct tp_time_text time;
    struct tp_context_text contexts[TP_CONTEXT_TEXTS];
    struct tp_short_places places; // of `tables`
};

// Upper bound of max_bytes for any tables.
#define TP_EVENT_TEXT_MAX_BYTES TP_KIB(600)

// Empties the caches. Borrows `zone` for the life of the printer.
void tp_event_text_init(struct tp_event_text *x, const struct tp_zone *zone);

// Sets the tables of the events that follow, which it borrows until the next call; NULL if the
// events are Sync events without a clock. Resolves the frames of the tables, and returns the error
// code of that. After a failure stacks print as unknown.
int tp_event_text_use(struct tp_event_text *x, const struct tp_tables *tables) TP_MUST_USE;

// Returns the time from the beginning to an event, with saturation, because times of damaged traces are
// anything.
TP_INLINE int64_t tp_event_since_begin_ns(const struct tp_beginning *begin, int64_t time_ns)
{
    int64_t ns;
    // The first Sync of an older trace has no time.
    bool is_out = __builtin_sub_overflow(time_ns < 0 ? begin->ns : time_ns, begin->ns, &ns);
    return is_out ? INT64_MAX : ns;
}

// Appends as many whole events as are certain to fit; returns their number, which is at least 1 if
// the buffer is empty and has room for TP_EVENT_TEXT_MAX_BYTES and TP_EVENT_TEXT_OVERRUN_BYTES.
size_t tp_event_text_fill(struct tp_event_text *x, const struct tp_event *events, size_t count,
                          struct tp_buf *buf);

#endif
