// The tree behind `stats:format=flamegraph`: the stacks of one type, joined where they begin with
// the same functions. A frame is as wide as its share of the type's value, which is time in ns, for
// CPU samples their number: the numbers of `format=folded`.
//
// With a baseline a frame has the value of either side. It is as wide as that of the new one, so what only the
// baseline has is not seen.
//
//   all of one type ─▶ tp_flame_make sorts the stacks by functions, outermost first
//                  ─▶ tp_flame_walk joins neighbours and calls back for each frame
//
// The tree itself is never in memory: the walk holds the frames of one stack. Sorting takes
// n log n comparisons of stacks; a walk takes time in proportion to the frames of all stacks. One
// thread at a time uses a flame.
#ifndef TP_SINK_STATS_FLAME_H
#define TP_SINK_STATS_FLAME_H

#include "base/err.h"
#include "base/span.h"
#include "stats/totals.h"

// Width of the root frame, in thousandths of a pixel.
#define TP_FLAME_WIDTH_MPX 1180000
// Frames below this width are not drawn.
#define TP_FLAME_LEAST_MPX 100

// One stack; or a coarse stack, which has two frames: "(folded)" and a function; or all idle waits,
// or all waits of pairs that are not kept, with one frame.
struct tp_flame_stack {
    const struct tp_totals *totals; // of the frames
    const uint32_t *frames; // borrowed from the totals, innermost first; NULL: `names` are used
    size_t frame_count;
    struct tp_span names[2]; // outermost first; borrowed from the totals or constant
    tp_wide value;  // of the new side; 0: the stack is of the baseline
    tp_wide before; // of the baseline
    uint64_t count; // of waits or samples, as the value
};

// The type of the stacks of wakers, behind those of enum tp_stack_type.
#define TP_FLAME_WOKEN TP_STACK_TYPE_COUNT
#define TP_FLAME_COUNT (TP_STACK_TYPE_COUNT + 1)

// A frame of the tree: consecutive stacks that begin with the same functions.
struct tp_flame_frame {
    struct tp_span name; // borrowed from the totals; of the root empty
    size_t depth;        // 0: the root, which all stacks of the type share
    tp_wide begin;       // sum of the values of the stacks in front
    tp_wide value;
    tp_wide before;      // of the baseline
    tp_wide count;
};

// The stacks of one type. Borrows the totals.
struct tp_flame {
    unsigned type;                 // enum tp_stack_type, or TP_FLAME_WOKEN
    struct tp_flame_stack *stacks; // sorted
    size_t stack_count;
    struct tp_flame_frame *open; // for walks: room for the root and the frames of one stack
    tp_wide value, count;        // of all stacks
};

struct tp_full_report;

// Takes the stacks of one type from a report and that of its baseline, which must hold all of them; of wakers
// only if the report is by waker. Fails with
// TP_E_MEMORY. The caller calls tp_flame_fini in any case.
int tp_flame_make(const struct tp_full_report *r, unsigned type, struct tp_flame *ret_flame,
                  struct tp_error *err) TP_MUST_USE;
// Frees the stacks. A zeroed or half-built flame is fine.
void tp_flame_fini(struct tp_flame *f);

// Takes a frame, which is borrowed for the call.
typedef void (*tp_flame_fn)(void *ctx, const struct tp_flame_frame *frame);
// Calls `each` for all frames: a frame after the frames on top of it and after those to its left;
// the root comes last. Does nothing for a flame without stacks. Children never exceed their parent.
void tp_flame_walk(const struct tp_flame *f, tp_flame_fn each, void *ctx);

// Returns the place of the value `at`, from 0 to f->value, in thousandths of a pixel, from 0 to
// TP_FLAME_WIDTH_MPX. A greater value never has a smaller place, so that frames nest.
uint32_t tp_flame_place_mpx(const struct tp_flame *f, tp_wide at);
// Returns the width of a frame in thousandths of a pixel: the distance of its two places.
uint32_t tp_flame_width_mpx(const struct tp_flame *f, const struct tp_flame_frame *frame);

// The script of the picture, lines that end with NULL; it has no "]]>". Constant.
extern const char *const tp_flame_script[];

#endif
