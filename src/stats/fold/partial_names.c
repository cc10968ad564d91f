// Looks up strings, stacks and reasons of the partial's generation, and keeps waits by stack.
#include <string.h>

#include "base/alloc.h"
#include "stats/fold/partial.h"

static bool contains(struct tp_span text, const char *word)
{
    return text.len_bytes > 0 &&
           memmem(text.ptr, text.len_bytes, word, strlen(word)) != NULL;
}

enum tp_stack_type tp_stack_type_of_reason(struct tp_span reason)
{
    if (tp_span_is(reason, "network"))
        return TP_STACK_NET;
    if (contains(reason, "chan") || contains(reason, "sync") || contains(reason, "select"))
        return TP_STACK_SYNC;
    return TP_STACK_TYPE_NONE;
}

enum tp_blame tp_blame_of(struct tp_span reason)
{
    return tp_span_is(reason, "sync") ? TP_BLAME_LOCK : TP_BLAME_OTHERS;
}

uint32_t tp_partial_string(const struct tp_partial *s, uint64_t id)
{
    return tp_string_or_empty(tp_tables_string_idx(s->tables, id));
}

bool tp_partial_is_preempted(const struct tp_partial *s, uint64_t reason_id)
{
    return tp_span_is(tp_partial_text(s, tp_partial_string(s, reason_id)), "preempted");
}

uint32_t tp_partial_stack(const struct tp_partial *s, uint64_t id)
{
    return id == 0 ? TP_NO_STACK : tp_idmap_get(&s->tables->stack_ids, id);
}

static bool make_stack_arrays(struct tp_partial *s, size_t stack_count)
{
    size_t count = stack_count + 1;
    if (count > s->stack_capacity) {
        tp_free(s->roots);
        tp_free(s->first_waits);
        s->stack_capacity = 0;
        s->roots = tp_alloc_array(count, sizeof *s->roots);
        s->first_waits = tp_alloc_zero(count * sizeof *s->first_waits);
        if (s->roots == NULL || s->first_waits == NULL)
            return false;
        s->stack_capacity = count;
    }
    memset(s->roots, 0, count * sizeof *s->roots);
    return true;
}

bool tp_partial_make_tables(struct tp_partial *s)
{
    memset(s->reason_cache, 0, sizeof s->reason_cache);
    s->reason_cache[0].id = 1;
    memset(s->pair_cache, 0, sizeof s->pair_cache);
    memset(s->task_cache, 0, sizeof s->task_cache);
    size_t count = s->tables->stacks.count;
    s->preemption_stack = tp_preemption_stack_of(s->tables->minor);
    s->has_stack_arrays = count <= TP_PARTIAL_STACKS_MAX;
    return !s->has_stack_arrays || make_stack_arrays(s, count);
}

TP_NOINLINE bool tp_partial_add_other_wait(struct tp_partial *s, uint32_t stack,
                                           enum tp_stack_type type, int64_t ns)
{
    if (!s->has_stack_arrays || tp_partial_first_wait_of(s, stack)->count != 0)
        return tp_stack_counts_add(&s->stacks, stack, type, 1, (uint64_t)ns);
    if (stack != TP_NO_STACK && !TP_LIST_ADD(&s->first_stacks, stack))
        return false;
    *tp_partial_first_wait_of(s, stack) = (struct tp_partial_first_wait){
        .total_ns = (uint64_t)ns, .count = 1, .type = type};
    return true;
}

// Returns the root of a stack. With has_stack_arrays keeps the root in `roots`, because stacks and
// frames are scattered in memory.
struct tp_root tp_partial_root(struct tp_partial *s, uint64_t stack_id)
{
    uint32_t stack = tp_partial_stack(s, stack_id);
    if (stack == TP_NO_STACK)
        return (struct tp_root){TP_STRING_EMPTY, TP_ROOT_NONE};
    if (!s->has_stack_arrays)
        return tp_root_of_stack(s->tables, stack);
    if (tp_unlikely(s->roots[stack].kind == TP_ROOT_UNREAD))
        s->roots[stack] = tp_root_of_stack(s->tables, stack);
    return s->roots[stack];
}

// REASONS

// Adds a new reason and returns its measure; TP_MAP_NONE: out of memory.
static uint32_t add_reason(struct tp_partial *s, uint32_t string)
{
    uint32_t measure = TP_MEASURE_FIRST_BLOCK + s->reasons.count;
    struct tp_span text = s->tables->strings.items[string];
    if (!TP_LIST_ROOM(&s->reasons) || !tp_map_put(&s->measures_by_string, string, measure))
        return TP_MAP_NONE;
    s->reasons.items[s->reasons.count++] = (struct tp_partial_reason){
        .string = string,
        .stack_type = (uint8_t)tp_stack_type_of_reason(text),
        .is_forever = tp_span_is(text, "forever"),
        .blame = (uint8_t)tp_blame_of(text),
        .block_class = (uint8_t)(tp_class_of_reason(text) - TP_CLASS_FIRST_BLOCK),
    };
    return measure;
}

bool tp_partial_add_reason(struct tp_partial *s, uint64_t reason_id, uint32_t *ret_measure)
{
    uint32_t string = tp_partial_string(s, reason_id);
    uint32_t measure = tp_map_get(&s->measures_by_string, string);
    if (measure == TP_MAP_NONE)
        measure = add_reason(s, string);
    if (measure == TP_MAP_NONE)
        return false;
    bool is_forever = s->reasons.items[measure - TP_MEASURE_FIRST_BLOCK].is_forever;
    *ret_measure = is_forever ? TP_MEASURE_NONE : measure;
    s->reason_cache[reason_id % TP_ARRAY_LEN(s->reason_cache)] =
        (struct tp_partial_reason_slot){reason_id, *ret_measure};
    return true;
}
