// Translates the stacks of sums, which are references of facts, to stacks of the totals, which are
// identified by their frames.
#include <string.h>

#include "base/alloc.h"
#include "decode/frame_key.h"
#include "decode/spec.h"
#include "merge/tables/read.h"
#include "stats/evidence.h"
#include "stats/names/function_traits.h"
#include "stats/names/stack_places.h"
#include "stats/input/input.h"

struct tp_stats_frame {
    struct tp_frame_key key;
    uint32_t number;   // of totals.frames; TP_INTERN_NONE: the frame has none yet
    uint32_t function; // index of a string
    uint64_t hash;
    bool has_pc;
};

#define FRAMES_BYTES ((sizeof(struct tp_stats_frame)) << TP_FRAME_SLOT_BITS)

bool tp_stats_forget_stacks(struct tp_stats_step *step)
{
    struct tp_stats_input *c = step->c;
    c->empty_stack = 0;
    memset(c->types, 0, sizeof c->types);
    if ((c->parts & (TP_PART_STACKS | TP_PART_WAKES | TP_PART_LABELS)) == 0)
        return true; // no report needs stacks
    if (c->frames == NULL)
        c->frames = tp_alloc(FRAMES_BYTES);
    if (c->frames == NULL)
        return false;
    memset(c->frames, 0, FRAMES_BYTES);
    tp_map_clear(&c->numbers_of_stacks);
    c->stack_limit = step->s->waits.limit;
    return tp_stats_forget_numbers(&c->stack_numbers.as_list, c->stack_limit);
}

// Returns the totals' number of the stack `ref`; TP_INTERN_NONE: it has none yet.
static uint32_t number_of(const struct tp_stats_input *c, uint32_t ref)
{
    static_assert((uint32_t)(TP_MAP_NONE - 1) == TP_INTERN_NONE, "no value is no number");
    return tp_likely(ref < c->stack_limit) ? c->stack_numbers.items[ref]
                                           : tp_map_get(&c->numbers_of_stacks, ref) - 1;
}

static bool set_number(struct tp_stats_input *c, uint32_t ref, uint32_t number)
{
    if (ref >= c->stack_limit)
        return tp_map_put(&c->numbers_of_stacks, ref, number + 1);
    c->stack_numbers.items[ref] = number;
    return true;
}

// Whether the stack was carried over from an earlier generation.
static bool is_carried(uint32_t ref)
{
    return (ref & TP_REF_CARRIED) != 0;
}

// Returns the definition that the tables have of a stack; NULL: `ref` is no stack, or one that was
// carried over.
static const struct tp_stack_def *def_of(const struct tp_sums *s, uint32_t ref)
{
    return ref != 0 && !is_carried(ref) ? &s->tables->stacks.items[ref - 1] : NULL;
}

// READING

// A frame as decoded. `function` and `file` are indices of the generation's strings. f.function and
// f.file, names of the totals, are set only when they are needed.
struct wire_frame {
    struct tp_totals_frame f;
    uint32_t function, file;
};

static uint32_t string_of(const struct tp_sums *s, uint64_t id)
{
    return tp_string_or_empty(tp_tables_string_idx(s->tables, id));
}

static struct wire_frame take_wire_frame(const struct tp_sums *s, const unsigned char **p)
{
    struct tp_wire_frame f = tp_table_take_frame(p);
    return (struct wire_frame){.function = string_of(s, f.function),
                               .file = string_of(s, f.file),
                               .f = {.pc = f.pc, .line = f.line}};
}

// Gives the frame a number of the totals. Called only if the number is needed: a number costs memory, and
// most frames of stacks that are left out need none. False: out of memory.
static bool number_frame(struct tp_stats_step *step, struct wire_frame *w,
                         struct tp_stats_frame *ret)
{
    struct tp_totals *totals = &step->c->totals;
    w->f.function = tp_stats_name(step, w->function);
    w->f.file = tp_stats_name(step, w->file);
    if (w->f.function == TP_INTERN_NONE || w->f.file == TP_INTERN_NONE)
        return false;
    ret->number = tp_totals_frames_put(&totals->frames, &totals->names, &w->f);
    return ret->number != TP_INTERN_NONE;
}

static bool take_new_frame(struct tp_stats_step *step, const unsigned char **p, bool has_number,
                           struct tp_stats_frame *ret)
{
    struct wire_frame w = take_wire_frame(step->s, p);
    ret->function = w.function;
    ret->has_pc = w.f.pc != 0;
    if (!step->c->keeps_pcs)
        w.f.pc = 0;
    ret->number = TP_INTERN_NONE;
    const struct tp_span *strings = step->s->tables->strings.items;
    ret->hash = tp_totals_frame_hash(strings[w.function], strings[w.file], w.f.line, w.f.pc);
    return !has_number || number_frame(step, &w, ret);
}

// Returns the stack's frame at *p and moves *p past it. Mostly the cache has the frame; otherwise the
// frame is decoded into *spare. `has_number`: the frame must have a number of the totals. Valid until the
// next call. NULL: out of memory.
static const struct tp_stats_frame *take_frame(struct tp_stats_step *step,
                                                const struct tp_stack_def *def,
                                                const unsigned char **p, bool has_number,
                                                struct tp_stats_frame *spare)
{
    uint64_t wire[2];
    tp_table_frame_wire(def, *p, wire);
    struct tp_stats_frame *known = &step->c->frames[tp_frame_slot(wire[0])];
    if (tp_likely(tp_frame_key_fits(&known->key, wire) &&
                  !(has_number && known->number == TP_INTERN_NONE))) {
        *p += known->key.wire_bytes;
        return known;
    }
    const unsigned char *from = *p;
    if (!take_new_frame(step, p, has_number, spare))
        return NULL;
    size_t wire_bytes = (size_t)(*p - from);
    if (wire_bytes <= TP_FRAME_WIRE_MAX_BYTES) {
        tp_frame_key_set(&spare->key, wire, wire_bytes);
        *known = *spare;
    }
    return spare;
}

// The frames of a stack in the form of the totals.
struct frames {
    uint32_t items[TP_TOTALS_FRAMES_MAX]; // numbers of totals.frames, or strings of the functions
    uint32_t count;
    uint64_t hash;
};

// Makes the first `count` frames the whole stack. Called at each frame with a PC, so that the stack ends
// with its last frame that has one, like in Go's profiles.
static void end_with(struct frames *f, uint32_t count, uint64_t hash)
{
    f->count = count;
    f->hash = hash;
}

static bool read_frames(struct tp_stats_step *step, uint32_t ref, bool have_numbers,
                        struct frames *ret)
{
    const struct tp_stack_def *def = def_of(step->s, ref);
    uint64_t hash = 0;
    end_with(ret, 0, 0);
    if (def != NULL) {
        const unsigned char *p = def->frames;
        for (uint32_t i = 0; i < def->frame_count && i < TP_TOTALS_FRAMES_MAX; i++) {
            struct tp_stats_frame spare;
            const struct tp_stats_frame *f = take_frame(step, def, &p, have_numbers, &spare);
            if (f == NULL)
                return false;
            ret->items[i] = have_numbers ? f->number : f->function;
            hash = tp_totals_stack_hash(hash, f->hash);
            if (f->has_pc)
                end_with(ret, i + 1, hash);
        }
    }
    ret->hash = tp_totals_stack_hash_end(ret->hash);
    return true;
}

// Reads the frames of a stack that was carried over from an earlier generation.
static bool read_carried(struct tp_stats_step *step, uint32_t ref, struct frames *ret)
{
    struct tp_totals *totals = &step->c->totals;
    const struct tp_stack stack = tp_fact_stack(ref, step->s->tables);
    uint64_t hash = 0;
    end_with(ret, 0, 0);
    for (uint32_t i = 0; i < stack.frame_count && i < TP_TOTALS_FRAMES_MAX; i++) {
        const struct tp_frame f = tp_stack_frame(&stack, i);
        struct tp_span function = tp_text_span(f.function), file = tp_text_span(f.file);
        struct tp_totals_frame own = {.pc = step->c->keeps_pcs ? f.pc : 0,
                                      .line = f.line,
                                      .function = tp_intern_put(&totals->names, function),
                                      .file = tp_intern_put(&totals->names, file)};
        if (own.function == TP_INTERN_NONE || own.file == TP_INTERN_NONE)
            return false;
        ret->items[i] = tp_totals_frames_put(&totals->frames, &totals->names, &own);
        if (ret->items[i] == TP_INTERN_NONE)
            return false;
        hash = tp_totals_stack_hash(hash, tp_totals_frame_hash(function, file, f.line, own.pc));
        if (f.pc != 0)
            end_with(ret, i + 1, hash);
    }
    ret->hash = tp_totals_stack_hash_end(ret->hash);
    return true;
}

static bool put_frames(struct tp_stats_step *step, uint32_t stack, const struct frames *f,
                       uint32_t *ret_number)
{
    *ret_number = tp_totals_put_stack(&step->c->totals, f->items, f->count, f->hash);
    return *ret_number != TP_INTERN_NONE && set_number(step->c, stack, *ret_number);
}

uint32_t tp_stats_stack(struct tp_stats_step *step, uint32_t stack)
{
    if (stack == TP_REF_LOST_STACK)
        stack = 0; // a stack that the tables lack is none
    uint32_t number = number_of(step->c, stack);
    if (tp_likely(number != TP_INTERN_NONE))
        return number;
    struct frames f;
    bool fits = (is_carried(stack) ? read_carried(step, stack, &f)
                                   : read_frames(step, stack, true, &f)) &&
                put_frames(step, stack, &f, &number);
    return fits ? number : TP_INTERN_NONE;
}

// WHAT BEGINS AT A STACK

// Finds the innermost frame whose function lacks the trait: sets *ret to that frame, and *p to the byte
// behind it. *ret is NULL if there is none. The frame is valid until the next frame is taken. False: out
// of memory.
static bool take_frame_without(struct tp_stats_step *step, const struct tp_stack_def *def,
                               enum tp_function_trait trait, const unsigned char **p,
                               struct tp_stats_frame *spare, const struct tp_stats_frame **ret)
{
    const struct tp_totals_frames *frames = &step->c->totals.frames;
    *p = def->frames;
    for (uint32_t i = 0; i < def->frame_count; i++) {
        *ret = take_frame(step, def, p, true, spare);
        if (*ret == NULL)
            return false;
        if ((tp_totals_frame_traits(frames, (*ret)->number) & trait) == 0)
            return true;
    }
    *ret = NULL;
    return true;
}

// Returns the number of a stack that has two frames of the given stack: the innermost frame of the
// program, and the outermost frame, which may be the same. That reads fewer frames than tp_stats_stack
// does, and many stacks become one, because they have the same ends. A stack with frames of the runtime
// alone becomes the stack without frames. Any other stack without a frame of the program stays whole,
// because findings choose among the frames of libraries. So does a stack whose outermost frame the totals
// would not keep. TP_INTERN_NONE: out of memory.
static uint32_t ends_of(struct tp_stats_step *step, uint32_t stack)
{
    const struct tp_stack_def *def = def_of(step->s, stack);
    if (def == NULL || def->frame_count == 0)
        return tp_stats_stack(step, 0);
    if (def->frame_count > TP_TOTALS_FRAMES_MAX)
        return tp_stats_stack(step, stack);
    const unsigned char *inner;
    const unsigned char *outer = tp_table_last_frame(def->frames + def->frames_bytes);
    struct tp_stats_frame spare;
    const struct tp_stats_frame *f;
    if (!take_frame_without(step, def, TP_FUNCTION_STD, &inner, &spare, &f))
        return TP_INTERN_NONE;
    if (f == NULL) {
        if (!take_frame_without(step, def, TP_FUNCTION_RUNTIME, &inner, &spare, &f))
            return TP_INTERN_NONE;
        return tp_stats_stack(step, f != NULL ? stack : 0);
    }
    uint32_t frames[2] = {f->number}, count = 1;
    uint64_t hash = tp_totals_stack_hash(0, f->hash);
    bool is_end = f->has_pc;
    if (inner < def->frames + def->frames_bytes) {
        f = take_frame(step, def, &outer, true, &spare);
        if (f == NULL)
            return TP_INTERN_NONE;
        frames[count++] = f->number;
        hash = tp_totals_stack_hash(hash, f->hash);
        is_end = f->has_pc;
    }
    // Stacks of the totals end with their last frame that has a PC. If the outermost frame has none, the
    // stack ends before it, so the whole stack is read.
    return is_end ? tp_totals_put_stack(&step->c->totals, frames, count,
                                        tp_totals_stack_hash_end(hash))
                  : tp_stats_stack(step, stack);
}

static bool is_begin(unsigned type)
{
    return type == TP_STACK_ASSISTS || type == TP_STACK_CYCLES;
}

// Records how often an assist, or a cycle of the collector, began at a stack. False: out of memory.
static bool record_begins(struct tp_stats_step *step, uint32_t stack, unsigned type,
                          uint64_t count)
{
    enum tp_evidence evidence =
        type == TP_STACK_ASSISTS ? TP_EVIDENCE_ASSIST : TP_EVIDENCE_GC_BEGIN;
    uint32_t ends = ends_of(step, stack);
    return ends != TP_INTERN_NONE &&
           tp_stats_count_evidence(step->c, evidence, ends, count);
}

// STACKS THAT ARE NOT KEPT

struct functions {
    const struct tp_sums *s;
    const struct frames *frames;
};

static struct tp_span function_of(const void *ctx, size_t frame)
{
    const struct functions *of = ctx;
    return of->s->tables->strings.items[of->frames->items[frame]];
}

static bool record_place(struct tp_stats_step *step, const struct frames *f, unsigned type,
                         uint64_t count, tp_wide total_ns)
{
    const struct functions of = {step->s, f};
    struct tp_stack_place place = tp_stack_place_of(type, f->count, function_of, &of);
    struct tp_span function = f->count > 0 ? function_of(&of, place.frame) : tp_span_of("", 0);
    return tp_totals_record_place(&step->c->totals, type, place.is_lock, function, count, total_ns);
}

// Reads the frames of a stack. Once the totals keep as many stacks as they may, most stacks are left out.
// Then the frames are first read without numbers, and *ret_is_left_out tells whether the stack is left
// out; if it is, the frames have no numbers. False: out of memory.
static bool read_either(struct tp_stats_step *step, uint32_t stack, struct frames *ret,
                        bool *ret_is_left_out)
{
    const struct tp_totals_stacks *kept = &step->c->totals.stacks;
    *ret_is_left_out = false;
    if (tp_likely(kept->heap.count < TP_TOTALS_STACKS_MAX))
        return read_frames(step, stack, true, ret);
    if (!read_frames(step, stack, false, ret))
        return false;
    *ret_is_left_out = tp_totals_stacks_leave_out(kept, ret->hash);
    return *ret_is_left_out || read_frames(step, stack, true, ret);
}

// COUNTING

// The data of a stack lies scattered in memory: the place of its frames, the frames themselves, and in
// the totals the slot of its hash, the stack in that slot, its frames and its count. So each of these is
// prefetched some stacks before it is needed: every stack goes through all stages, and each stage is
// STAGE_STACKS stacks behind the stage before it.
#define STAGE_STACKS 4

enum stage { STAGE_READ, STAGE_FIND, STAGE_COMPARE, STAGE_PUT, STAGE_COUNT, STAGES };

struct on_the_way {
    struct frames frames;
    uint32_t number; // after STAGE_FIND the likely one, after STAGE_PUT the right one
    bool is_done;    // STAGE_READ has recorded all
};

static void prefetch_frames(const struct tp_stack_def *def)
{
    for (uint32_t i = 0; i < def->frames_bytes; i += TP_CACHE_LINE)
        __builtin_prefetch(def->frames + i);
}

// Prefetches what add_first reads some stacks later.
static void prefetch_first(const struct tp_sums *s, uint32_t at)
{
    const uint32_t *refs = s->waits.stacks.items;
    uint32_t left = s->waits.stacks.count - at;
    const struct tp_stack_def *far = left > 4 * STAGE_STACKS ? def_of(s, refs[at + 4 * STAGE_STACKS])
                                                             : NULL;
    const struct tp_stack_def *near = left > 2 * STAGE_STACKS ? def_of(s, refs[at + 2 * STAGE_STACKS])
                                                              : NULL;
    if (far != NULL)
        __builtin_prefetch(far);
    if (near == NULL)
        return;
    __builtin_prefetch(&s->waits.first[refs[at + 2 * STAGE_STACKS]]);
    prefetch_frames(near);
}

void tp_stats_prefetch_pair(const struct tp_stats_step *step, uint32_t at)
{
    const struct tp_sums *s = step->s;
    const struct tp_sums_pair *pairs = s->pairs.of.items;
    uint32_t left = s->pairs.of.count - at;
    uint32_t near = left > 2 * STAGE_STACKS ? pairs[at + 2 * STAGE_STACKS].wait : 0;
    const struct tp_stack_def *def =
        left > 4 * STAGE_STACKS ? def_of(s, pairs[at + 4 * STAGE_STACKS].wait) : NULL;
    if (def != NULL)
        __builtin_prefetch(def);
    def = def_of(s, near);
    if (def != NULL && number_of(step->c, near) == TP_INTERN_NONE)
        prefetch_frames(def);
}

// Returns the distribution of the waits of a stack; NULL: there is none.
static const struct tp_dist *times_of(const struct tp_sums *s, const struct tp_sums_first_wait *w)
{
    return w->times > 0 ? &s->waits.times.items[w->times - 1] : NULL;
}

static bool run_stage(struct tp_stats_step *step, enum stage stage, uint32_t at,
                      struct on_the_way *w)
{
    struct tp_totals *totals = &step->c->totals;
    uint32_t stack = step->s->waits.stacks.items[at];
    const struct tp_sums_first_wait *from = &step->s->waits.first[stack];
    if (stage != STAGE_READ && w->is_done)
        return true;
    switch (stage) {
    case STAGE_READ:
        prefetch_first(step->s, at);
        w->is_done = is_begin(from->type);
        if (w->is_done)
            return record_begins(step, stack, from->type, from->count);
        if (!read_either(step, stack, &w->frames, &w->is_done))
            return false;
        if (w->is_done)
            return record_place(step, &w->frames, from->type, from->count,
                                from->total_ns);
        tp_index_prefetch(&totals->stacks.index, w->frames.hash);
        return true;
    case STAGE_FIND:
        w->number = tp_totals_stacks_prefetch(&totals->stacks, w->frames.hash);
        return true;
    case STAGE_COMPARE:
        if (w->number != TP_INTERN_NONE) {
            const uint32_t *frames;
            if (tp_totals_stack_frames(&totals->stacks, w->number, &frames) > 0)
                __builtin_prefetch(frames);
        }
        return true;
    case STAGE_PUT:
        if (!put_frames(step, stack, &w->frames, &w->number))
            return false;
        tp_stack_counts_prefetch(&totals->by_stack, w->number, from->type);
        return true;
    default:
        return tp_totals_record_stack(totals, w->number, from->type, from->count,
                                      from->total_ns) &&
               tp_stack_counts_add_times(&totals->by_stack, w->number, from->type,
                                         times_of(step->s, from));
    }
}

static bool add_first(struct tp_stats_step *step)
{
    static_assert((STAGE_STACKS & (STAGE_STACKS - 1)) == 0, "a remainder is cheap");
    struct on_the_way ring[8 * STAGE_STACKS];
    static_assert(TP_ARRAY_LEN(ring) >= STAGES * STAGE_STACKS, "all that are on the way");
    uint32_t count = step->s->waits.stacks.count;
    bool fits = true;
    for (uint32_t i = 0; i < count + (STAGES - 1) * STAGE_STACKS && fits; i++) {
        for (uint32_t stage = 0; stage < STAGES && fits; stage++) {
            uint32_t at = i - stage * STAGE_STACKS; // wraps beyond `count` before the first stack
            if (at < count)
                fits = run_stage(step, (enum stage)stage, at, &ring[at % TP_ARRAY_LEN(ring)]);
        }
    }
    return fits;
}

bool tp_stats_add_waits(struct tp_stats_step *step, uint32_t stack, unsigned type,
                         uint64_t count, tp_wide total_ns, const struct tp_dist *times)
{
    if (is_begin(type))
        return record_begins(step, stack, type, count);
    struct tp_totals *totals = &step->c->totals;
    uint32_t number = is_carried(stack) ? tp_stats_stack(step, stack) : number_of(step->c, stack);
    if (number == TP_INTERN_NONE && is_carried(stack))
        return false;
    if (number == TP_INTERN_NONE) {
        struct frames f;
        bool is_left_out;
        if (!read_either(step, stack, &f, &is_left_out))
            return false;
        if (is_left_out)
            return record_place(step, &f, type, count, total_ns);
        if (!put_frames(step, stack, &f, &number))
            return false;
    }
    return tp_totals_record_stack(totals, number, type, count, total_ns) &&
           tp_stack_counts_add_times(&totals->by_stack, number, type, times);
}

bool tp_stats_add_stacks(struct tp_stats_step *step)
{
    const struct tp_stack_counts *others = &step->s->waits.others;
    bool fits = add_first(step);
    for (uint32_t i = 0; i < others->count && fits; i++) {
        const struct tp_stack_count *from = &others->items[i];
        struct tp_dist one;
        fits = tp_stats_add_waits(step, tp_stack_count_stack(from), tp_stack_count_type(from),
                                  from->count, from->total_ns, tp_stack_count_times(from, &one));
    }
    return fits;
}
