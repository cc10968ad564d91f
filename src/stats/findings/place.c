#include "stats/findings/place.h"

#include <string.h>

#include "base/sort/compare.h"
#include "stats/names/function_traits.h"
#include "stats/names/stack_places.h"

#define INNER_FRAMES 3

// FRAMES

// The frames of a stack, by number.
struct frames {
    const struct tp_totals *s;
    const uint32_t *items;
    size_t count;
};

static struct frames frames_of(const struct tp_totals *s, uint32_t stack)
{
    struct frames f = {.s = s};
    if (stack != TP_INTERN_NONE)
        f.count = tp_totals_stack_frames(&s->stacks, stack, &f.items);
    return f;
}

static uint32_t function_at(const struct frames *f, size_t i)
{
    return tp_totals_frames_get(&f->s->frames, f->items[i]).function;
}

static bool is_of_program(const struct frames *f, size_t i)
{
    const unsigned others = TP_FUNCTION_STD | TP_FUNCTION_LOCKS | TP_FUNCTION_C;
    return (tp_totals_frame_traits(&f->s->frames, f->items[i]) & others) == 0;
}

// Returns the first frame of the program from frame `first` on; f->count: there is none.
static size_t program_frame(const struct frames *f, size_t first)
{
    while (first < f->count && !is_of_program(f, first))
        first++;
    return first < f->count ? first : f->count;
}

static struct tp_source_place place_at(const struct frames *f, size_t i)
{
    if (i >= f->count)
        return (struct tp_source_place)TP_SOURCE_PLACE_NONE;
    struct tp_totals_frame frame = tp_totals_frames_get(&f->s->frames, f->items[i]);
    return (struct tp_source_place){frame.function, frame.file, frame.line};
}

bool tp_stack_has_program(const struct tp_totals *s, uint32_t stack)
{
    struct frames f = frames_of(s, stack);
    return program_frame(&f, 0) < f.count;
}

static struct tp_span function_text(const void *ctx, size_t i)
{
    const struct frames *f = ctx;
    return tp_intern_text(&f->s->names, function_at(f, i));
}

size_t tp_frames_place(const struct tp_totals *s, const uint32_t *frames, size_t count,
                       unsigned type)
{
    const struct frames f = {s, frames, count};
    size_t at = program_frame(&f, 0);
    return at < count || count == 0 ? at : tp_stack_place_of(type, count, function_text, &f).frame;
}

bool tp_frames_are_in_c(const struct tp_totals *s, const uint32_t *frames, size_t count)
{
    return count > 0 && (tp_totals_frame_traits(&s->frames, frames[0]) & TP_FUNCTION_C) != 0;
}

size_t tp_frames_caller(const struct tp_totals *s, const uint32_t *frames, size_t count, size_t place)
{
    const struct frames f = {s, frames, count};
    size_t at = program_frame(&f, place + 1);
    return at < count ? at : 0;
}

static bool is_of_runtime_or_sync(const struct frames *f, size_t i)
{
    static const char *const packages[] = {"runtime.", "internal/runtime/", "sync.",
                                           "internal/sync.", NULL};
    return tp_span_begins_with_any(function_text(f, i), packages);
}

// Returns the first frame outside the packages runtime and sync; f->count: there is none.
static size_t frame_outside_runtime(const struct frames *f)
{
    size_t first = 0;
    while (first < f->count && is_of_runtime_or_sync(f, first))
        first++;
    return first;
}

struct tp_source_place tp_source_place_outside_runtime(const struct tp_totals *s, uint32_t stack)
{
    struct frames f = frames_of(s, stack);
    size_t at = program_frame(&f, 0);
    return place_at(&f, at < f.count ? at : frame_outside_runtime(&f));
}

struct tp_source_place tp_source_place_of_wait(const struct tp_totals *s, uint32_t stack)
{
    struct frames f = frames_of(s, stack);
    return place_at(&f, frame_outside_runtime(&f));
}

struct tp_source_place tp_source_place_calling_wait(const struct tp_totals *s, uint32_t stack)
{
    struct frames f = frames_of(s, stack);
    return place_at(&f, frame_outside_runtime(&f) + 1);
}

struct tp_source_place tp_source_place_called(const struct tp_totals *s, uint32_t stack, unsigned type)
{
    struct frames f = frames_of(s, stack);
    size_t at = tp_frames_place(s, f.items, f.count, type);
    return place_at(&f, at > 0 ? at - 1 : f.count);
}

struct tp_source_place tp_source_place_of(const struct tp_totals *s, uint32_t stack, unsigned type)
{
    struct frames f = frames_of(s, stack);
    return place_at(&f, tp_frames_place(s, f.items, f.count, type));
}

static bool has_function(const struct frames *f, uint32_t function)
{
    for (size_t i = 0; i < f->count; i++) {
        if (function_at(f, i) == function)
            return true;
    }
    return false;
}

struct tp_source_place tp_source_place_beside(const struct tp_totals *s, uint32_t stack,
                                              uint32_t other, unsigned type)
{
    struct frames f = frames_of(s, stack), beside = frames_of(s, other);
    for (size_t i = program_frame(&f, 0); i < f.count; i = program_frame(&f, i + 1)) {
        if (!has_function(&beside, function_at(&f, i)))
            return place_at(&f, i);
    }
    return tp_source_place_of(s, stack, type);
}

struct tp_source_place tp_source_place_of_caller(const struct tp_totals *s, uint32_t stack)
{
    struct frames f = frames_of(s, stack);
    return place_at(&f, program_frame(&f, 1));
}

struct tp_source_place tp_source_place_of_callee(const struct tp_totals *s, uint32_t stack,
                                                 uint32_t longer)
{
    struct frames f = frames_of(s, stack), from = frames_of(s, longer);
    size_t more = from.count > f.count ? from.count - f.count : 0;
    bool goes_on = more > 0 && (f.count == 0 ||
                                memcmp(f.items, from.items + more, f.count * sizeof *f.items) == 0);
    return place_at(&from, goes_on ? program_frame(&from, more - 1) : from.count);
}

bool tp_stack_has_frames(const struct tp_totals *s, uint32_t stack)
{
    return frames_of(s, stack).count > 0;
}

bool tp_stack_has_function(const struct tp_totals *s, uint32_t stack, uint32_t function)
{
    struct frames f = frames_of(s, stack);
    return has_function(&f, function);
}

bool tp_stack_lacks_names(const struct tp_totals *s, uint32_t stack)
{
    struct frames f = frames_of(s, stack);
    bool lacks = false;
    for (size_t i = 0; i < f.count && !lacks; i++)
        lacks = tp_intern_text(&s->names, function_at(&f, i)).len_bytes == 0;
    return lacks;
}

bool tp_stack_has_prefix(const struct tp_totals *s, uint32_t stack, const char *prefix)
{
    struct frames f = frames_of(s, stack);
    bool has = false;
    for (size_t i = 0; i < f.count && !has; i++)
        has = tp_span_begins_with(tp_intern_text(&s->names, function_at(&f, i)), prefix);
    return has;
}

bool tp_stacks_share_program(const struct tp_totals *s, uint32_t stack, uint32_t other)
{
    struct frames f = frames_of(s, stack), beside = frames_of(s, other);
    beside.count -= beside.count > 0;
    for (size_t i = program_frame(&f, 0); i + 1 < f.count; i = program_frame(&f, i + 1)) {
        if (has_function(&beside, function_at(&f, i)))
            return true;
    }
    return false;
}

bool tp_stack_is_inner(const struct tp_totals *s, uint32_t stack, const char *prefix)
{
    struct frames f = frames_of(s, stack);
    for (size_t i = 0; i < f.count && i < INNER_FRAMES; i++) {
        if (tp_span_begins_with(tp_intern_text(&s->names, function_at(&f, i)), prefix))
            return true;
    }
    return false;
}

bool tp_stack_waits_for_once(const struct tp_totals *s, uint32_t stack)
{
    struct frames f = frames_of(s, stack);
    size_t end = frame_outside_runtime(&f);
    bool waits = false;
    for (size_t i = 0; i < end && !waits; i++)
        waits = tp_span_begins_with(function_text(&f, i), "sync.(*Once).");
    return waits;
}

uint32_t tp_stack_start_function(const struct tp_totals *s, uint32_t stack)
{
    struct frames f = frames_of(s, stack);
    return f.count > 0 ? function_at(&f, f.count - 1) : TP_INTERN_NONE;
}

// ORDER

int tp_source_place_compare_functions(const struct tp_totals *s, const struct tp_source_place *a,
                                      const struct tp_source_place *b)
{
    return tp_totals_compare_texts(s, a->function, b->function) ?: tp_totals_compare_texts(s, a->file, b->file);
}

int tp_source_place_compare(const struct tp_totals *s, const struct tp_source_place *a,
                            const struct tp_source_place *b)
{
    return tp_source_place_compare_functions(s, a, b) ?: tp_compare_u64(a->line, b->line);
}

// SHARES

bool tp_shares_add(struct tp_shares *shares, const struct tp_source_place *place, tp_wide part)
{
    return place->function == TP_INTERN_NONE ||
           TP_LIST_ADD(shares, (struct tp_share){*place, part});
}

static int compare_shares(const void *left, const void *right, void *ctx)
{
    const struct tp_share *a = left, *b = right;
    return tp_source_place_compare(ctx, &a->place, &b->place);
}

// Returns the sum of the parts from item *i on of which `is_same` says that they belong together,
// and sets *i to the first item behind them.
static tp_wide sum_run(const struct tp_shares *shares, const struct tp_totals *s, uint32_t *i,
                       int (*compare)(const struct tp_totals *s, const struct tp_source_place *a,
                                      const struct tp_source_place *b))
{
    const struct tp_source_place *first = &shares->items[*i].place;
    tp_wide sum = 0;
    for (; *i < shares->count && compare(s, first, &shares->items[*i].place) == 0; (*i)++)
        sum = tp_wide_add(sum, shares->items[*i].part);
    return sum;
}

void tp_shares_sort(struct tp_shares *shares, const struct tp_totals *s)
{
    TP_LIST_SORT_BY(shares, compare_shares, s);
}

tp_wide tp_shares_of(const struct tp_shares *shares, const struct tp_totals *s,
                     const struct tp_source_place *place)
{
    uint32_t first = 0, count = shares->count;
    while (count > 0) {
        uint32_t half = count / 2;
        const struct tp_source_place *other = &shares->items[first + half].place;
        bool is_behind = tp_source_place_compare_functions(s, other, place) < 0;
        first += is_behind ? half + 1 : 0;
        count = is_behind ? count - half - 1 : half;
    }
    bool has = first < shares->count &&
               tp_source_place_compare_functions(s, &shares->items[first].place, place) == 0;
    return has ? sum_run(shares, s, &first, tp_source_place_compare_functions) : 0;
}

struct tp_source_place tp_shares_greatest(struct tp_shares *shares, const struct tp_totals *s)
{
    struct tp_source_place best = TP_SOURCE_PLACE_NONE;
    tp_wide best_sum = 0;
    tp_shares_sort(shares, s);
    for (uint32_t i = 0; i < shares->count;) {
        uint32_t first = i;
        tp_wide sum = sum_run(shares, s, &i, tp_source_place_compare_functions);
        if (sum <= best_sum)
            continue;
        best_sum = sum;
        tp_wide best_line = 0;
        for (uint32_t k = first; k < i;) {
            uint32_t line = k;
            tp_wide part = sum_run(shares, s, &k, tp_source_place_compare);
            if (part > best_line) {
                best = shares->items[line].place;
                best_line = part;
            }
        }
    }
    return best;
}
