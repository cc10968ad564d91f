// The outputs of `stats:level=counts`.
//
// TEXT is for people and may change. JSON and CSV are for programs; names stay. In JSON a field has
// one type, and no key is a name from a trace.
//
// JSON: one document,
//   {"schema":"tracepipe.stats/4","traces":[TRACE,...],"total":TOTAL}
// with one line per input. Numbers are integers, exact to 64 bits; null stands
// for what a trace does not record. A TRACE has
//   trace         the input as it was named; a byte 0xNN that is no UTF-8 becomes
//                 the lone surrogate \udcNN
//   version       "Go 1.23/1.24"; `go_minor`: 23. "before Go 1.5" has 0
//   status        "complete": read to its end without damage; "damaged"
//   complete      true if `status` is "complete"
//   FIGURES
//   begin_ns      trace time of the first reading of the trace's clock
//   end_ns        trace time of the last reading
//   duration_ns   end_ns - begin_ns
//   wall_start_ns when the trace begins, in Unix time; since Go 1.25
//   wall_start    the same as text, RFC 3339 in UTC
//   timed_events_per_second   rounded down
//   damage        the first 16 places: [{kind, offset, lost_bytes, generation}]
//   error         why reading ended early: {code, text}, else null
//   events_by_type            [{type, count, bytes}] in the order of the codes; in a
//                             total types of the same name are added up, whatever release
//                             wrote them; types that exist only before Go 1.22 come last
// A refused input has
//   trace, complete   as above; false
//   status        "refused"
//   error         {code, text}
// FIGURES are
//   stored_bytes stream_bytes   as read; as wire form, after decompression
//   lost_bytes damage_count     of the stream
//   undecoded_bytes undecoded_batch_count   bytes of batches after the last event that
//                               could be read; batches with such bytes
//   generation_count batch_count   there are no generations before Go 1.22
//   thread_count proc_count goroutine_count   Ms, Ps and Gs: distinct ids within an input; the
//                               total is the sum
//   events timed_events event_bytes   all events of the wire form, framing and
//                               tables included, in their shortest encoding
//   string_count stack_count cpu_samples   number of these events
// TOTAL has FIGURES, duration_ns, timed_events_per_second, events_by_type, and
//   trace_count complete_count damaged_count refused_count   numbers of inputs; trace_count
//                               leaves out refused ones
//   versions                    [{version, count}], numbers of inputs; older ones are
//                               there if they are not 0
//   traces_with_duration timed_events_with_duration   inputs with a known duration,
//                               and their timed events: duration_ns and the rate use these
//   wall_start_first(_ns) wall_start_last(_ns)
//
// CSV: a header and rows `trace,metric,key,value`, quoted as in RFC 4180, lines
// ending with a newline; bytes of names are as they are. `metric` and `value` are
// those of JSON (yes and no for `complete`), `key` is empty but for
//   event_count, event_bytes    the name of the event
//   damage                      KIND@OFFSET; the value is the number of bytes lost
//   versions                    the version; the value is the number of inputs
// A value that a trace does not record has no row; refused inputs have status, complete and error.
// `trace` is empty in rows of the total.
//
// One thread at a time uses an emitter. The functions without an emitter are pure: any thread.
#ifndef TP_SINK_COUNTS_PRINT_H
#define TP_SINK_COUNTS_PRINT_H

#include "sink/inventory/printer.h"

// The forms. Constant.
extern const struct tp_inventory_printer tp_counts_print_text;
extern const struct tp_inventory_printer tp_counts_print_json;
extern const struct tp_inventory_printer tp_counts_print_csv;

// An event type that occurs. Its name identifies it, because codes have other meanings in
// traces from before Go 1.22. A code without a name is called "Invalid(54)", as Go prints it;
// such codes are counted only under --strict, because Go's raw reader accepts them.
#define TP_COUNTS_TYPE_MAX (TP_EVENT_CODES + TP_V1_CODES)
struct tp_counts_type {
    char name[24];
    uint64_t count;
    uint64_t bytes;
};
// Returns the number of types, sorted by code; types that exist only before Go 1.22 come last.
size_t tp_counts_types(const struct tp_inventory *s,
                       struct tp_counts_type ret_types[TP_COUNTS_TYPE_MAX]);

#endif
