// Hand-written traces from before Go 1.22, one line per event, and their results as text, also
// one line per event, so that a test shows both. There is one trace at a time, for the test's
// own thread. The functions read it in every way of order_lab_v1.h; all ways must agree.
//
//   script_v1_begin(11);
//   P(0, 100);                        a batch of P 0 that begins at 100 ticks
//   EV(GoCreate, 5, 1, 0, 0);         dt and the arguments, the stack last
//   assert_string_equal(script_v1_walk(), "105 p0 g0 GoCreate 1 0\n");
#ifndef TP_TESTS_SCRIPT_V1_H
#define TP_TESTS_SCRIPT_V1_H

#include "order_lab_v1.h"
#include "wire_build_v1.h"

struct script_v1 {
    struct tp_buf wire;
    uint32_t minor;
};
extern struct script_v1 script_v1;

// Begins a trace whose clock counts nanoseconds, and writes the clock's frequency.
void script_v1_begin(uint32_t minor);
void script_v1_begin_with_frequency(uint32_t minor, uint64_t ticks_per_second);
void script_v1_fini(void);

#define P(p, ticks) wire_v1_put_batch(&script_v1.wire, script_v1.minor, (p), (ticks))
#define EV(type, ...) WIRE_V1_PUT(&script_v1.wire, script_v1.minor, TP_V1_##type, __VA_ARGS__)
#define STRING(id, text) wire_v1_put_string(&script_v1.wire, (id), (text))
#define STACK(id, frame_count) \
    wire_v1_put_stack(&script_v1.wire, script_v1.minor, (id), (frame_count), 0x1000 * (id), 0)
#define LOG(dt, task, key, stack, text) \
    wire_v1_put_log(&script_v1.wire, (dt), (task), (key), (stack), (text))

// Returns the bytes of the trace, without its file header.
struct tp_span script_v1_bytes(void);

// Each returns text in a static buffer of its own that lives until it is called again. An
// error is the last line: "! text".
//   walk      ticks p g type arguments
//   convert   time m/p/g type arguments; strings by their text, ids of stacks as s1, 2^64-1
//             as -
const char *script_v1_walk(void);
const char *script_v1_convert(void);
// Does the same as script_v1_convert, but shows no event if the trace has an error anywhere, as Go
// does. The strict mode stays on until the next script begins.
const char *script_v1_convert_strictly(void);
// Returns the line of one event, in a static buffer of its own.
const char *script_v1_line(const struct tp_event *e, const struct tp_tables *tables);
// Returns the lines of the last conversion that contain `word`.
const char *script_v1_lines_with(const char *word);
// The way of conversions. Zeroed when a script begins; a test may change it afterwards.
extern struct order_v1_way script_v1_way;

#endif
