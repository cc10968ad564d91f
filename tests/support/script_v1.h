// Traces from before Go 1.22 by hand, an event a line, and what becomes of them as text, an
// event a line, too: tests show both. There is one trace at a time, of one thread; it is
// read in every way there is (order_lab_v1.h), which must come to the same.
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

// A trace whose clock counts nanoseconds; `begin` puts the frequency itself.
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

struct tp_span script_v1_bytes(void);

// Each is in a static buffer until the next of the same. An error is the last line:
// "! text".
//   walk      ticks p g type arguments
//   convert   time m/p/g type arguments; strings by their text, ids of stacks as s1, 2^64-1
//             as -
const char *script_v1_walk(void);
const char *script_v1_convert(void);
// As Go, which shows nothing of a trace that it refuses anywhere. Stays so until the next begin.
const char *script_v1_convert_strictly(void);
// One event, in a buffer of its own.
const char *script_v1_line(const struct tp_event *e, const struct tp_tables *tables);
// The lines of the last conversion that hold `word`.
const char *script_v1_lines_with(const char *word);
// For conversions; zeroed as all scripts begin.
extern struct order_v1_way script_v1_way;

#endif
