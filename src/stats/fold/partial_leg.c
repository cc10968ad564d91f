// Folds beginnings and ends of tasks: finds the longest leg of each task.
#include "merge/tables/event_shape.h"
#include "stats/evidence.h"
#include "stats/fold/partial.h"

// LEGS

static struct tp_first_legs *first_of(struct tp_partial *s, struct tp_partial_g *g)
{
    const struct tp_first_legs none = {.end_ns = TP_LEG_BEFORE};
    if (g->first_legs == 0) {
        if (!TP_LIST_ADD(&s->first_legs, none))
            return NULL;
        g->first_legs = s->first_legs.count;
    }
    return &s->first_legs.items[g->first_legs - 1];
}

TP_NOINLINE bool tp_partial_note_leg(struct tp_partial *s, struct tp_partial_g *g, int64_t end_ns,
                                     uint64_t stack_id)
{
    if (g->legs.stack_id != TP_LEG_NO_STACK)
        stack_id = g->legs.stack_id;
    if (g->legs.since_ns != TP_LEG_BEFORE) {
        uint64_t ns = (uint64_t)end_ns - (uint64_t)g->legs.since_ns;
        g->legs.longest = (struct tp_longest_leg){ns, stack_id};
        return true;
    }
    struct tp_first_legs *first = first_of(s, g);
    if (first == NULL)
        return false;
    first->end_ns = end_ns;
    first->stack_id = stack_id;
    return true;
}

// Whether the legs since the last task event of the goroutine began before the partial.
static bool is_first(const struct tp_partial_g *g)
{
    return tp_unlikely(!g->has_task) && !tp_partial_g_is_whole(g);
}

// Keeps the legs before the first task event for the stitch. `task_end`: number + 1 of the task that
// the event ends; 0: none.
static TP_NOINLINE bool keep_first(struct tp_partial *s, struct tp_partial_g *g, uint32_t task_end)
{
    struct tp_first_legs *first = first_of(s, g);
    if (first == NULL)
        return false;
    first->longest = g->legs.longest;
    first->task_end = task_end;
    return true;
}

// Forgets the legs before a task event, at which a leg begins.
static void forget(struct tp_partial_g *g, int64_t time_ns)
{
    g->has_task = true;
    g->legs = (struct tp_legs){.since_ns = time_ns, .stack_id = TP_LEG_NO_STACK};
}

bool tp_partial_task_begins(struct tp_partial *s, const struct tp_event *e, struct tp_partial_g *g)
{
    if (g == NULL || !tp_partial_wants(s, TP_PART_WAKES))
        return true;
    if (is_first(g) && (!tp_partial_end_leg(s, g, e->time_ns, tp_arg(e, UserTaskBegin, stack)) ||
                        !keep_first(s, g, 0)))
        return false;
    forget(g, e->time_ns);
    return true;
}

// TASKS

static uint64_t hash_of(const struct tp_partial_task_sum *sum)
{
    return ((uint64_t)sum->stack << 32 | sum->name) + ((uint64_t)sum->octave << 56);
}

static uint64_t hash_by_number(const void *list, uint32_t number)
{
    return hash_of(&((const struct tp_partial *)list)->task_sums.items[number]);
}

static bool is_sum(const void *list, uint32_t number, const void *key)
{
    const struct tp_partial_task_sum *sum =
        &((const struct tp_partial *)list)->task_sums.items[number];
    const struct tp_partial_task_sum *wanted = key;
    return sum->stack == wanted->stack && sum->name == wanted->name &&
           sum->octave == wanted->octave;
}

// Returns the number of the sum for a task, which is added if it is new. TP_INDEX_NONE: out of
// memory.
static uint32_t put_sum(struct tp_partial *s, const struct tp_partial_task_sum *sum)
{
    uint64_t hash = hash_of(sum);
    uint32_t number = tp_index_find(&s->task_sums_by_key, hash, s, is_sum, sum);
    if (number != TP_INDEX_NONE)
        return number;
    number = s->task_sums.count;
    if (!TP_LIST_ROOM(&s->task_sums) ||
        !tp_index_make_room(&s->task_sums_by_key, number, hash_by_number, s))
        return TP_INDEX_NONE;
    s->task_sums.items[s->task_sums.count++] = *sum;
    return tp_index_put(&s->task_sums_by_key, hash, number);
}

// Adds a task of which all is known.
static bool add_task(struct tp_partial *s, const struct tp_open *task, int64_t end_ns,
                     const struct tp_longest_leg *longest)
{
    static_assert((TP_PARTIAL_TASK_SLOTS & (TP_PARTIAL_TASK_SLOTS - 1)) == 0, "a power of two");
    uint64_t task_ns = (uint64_t)end_ns - (uint64_t)task->since_ns;
    uint32_t octave = tp_octave_of_task(task_ns);
    struct tp_partial_task_slot *slot =
        &s->task_cache[(longest->stack_id + 5 * octave) % TP_PARTIAL_TASK_SLOTS];
    if (tp_unlikely(slot->number == 0 || slot->stack_id != longest->stack_id ||
                    slot->name != task->name || slot->octave != octave)) {
        const struct tp_partial_task_sum sum = {
            .stack = tp_partial_stack(s, longest->stack_id), .name = task->name, .octave = octave};
        uint32_t number = put_sum(s, &sum);
        if (number == TP_INDEX_NONE)
            return false;
        *slot = (struct tp_partial_task_slot){longest->stack_id, task->name, octave, number + 1};
    }
    struct tp_partial_task_sum *sum = &s->task_sums.items[slot->number - 1];
    sum->count++;
    sum->ns += tp_task_leg_ns(longest->ns, task_ns);
    return true;
}

// Leaves a task to the stitch. `task`: the task, if it began here. Sets *ret to the number + 1 of
// the end.
static TP_NOINLINE bool leave_task(struct tp_partial *s, const struct tp_open *task,
                                   const struct tp_event *e, const struct tp_partial_g *g,
                                   uint32_t *ret)
{
    struct tp_partial_task_end end = {.is_first = is_first(g), .began_here = task != NULL};
    if (task != NULL) {
        end.task_ns = (uint64_t)e->time_ns - (uint64_t)task->since_ns;
        end.name = task->name;
    }
    if (!end.is_first) {
        end.longest_ns = g->legs.longest.ns;
        end.stack = tp_partial_stack(s, g->legs.longest.stack_id);
    }
    if (!TP_LIST_ADD(&s->task_ends, end))
        return false;
    *ret = s->task_ends.count;
    return true;
}

static bool end_task(struct tp_partial *s, const struct tp_event *e, const struct tp_open *open,
                     bool is_over, struct tp_partial_g *g, uint32_t *ret)
{
    if (is_first(g))
        return (is_over || leave_task(s, open, e, g, ret)) && keep_first(s, g, *ret);
    bool has_leg = g->legs.longest.ns > 0 && g->legs.longest.ns != TP_LEG_LONGEST;
    if (!has_leg || is_over)
        return true;
    return open != NULL ? add_task(s, open, e->time_ns, &g->legs.longest)
                        : leave_task(s, open, e, g, ret);
}

bool tp_partial_task_ends(struct tp_partial *s, const struct tp_event *e, struct tp_partial_g *g,
                          const struct tp_open *open, bool is_over, uint32_t *ret)
{
    *ret = 0;
    if (g == NULL || !tp_partial_wants(s, TP_PART_WAKES))
        return true;
    if (!tp_partial_end_leg(s, g, e->time_ns, tp_arg(e, UserTaskEnd, stack)) ||
        !end_task(s, e, open, is_over, g, ret))
        return false;
    forget(g, e->time_ns);
    return true;
}
