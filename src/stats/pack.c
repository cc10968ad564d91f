#include "stats/pack.h"

#include <string.h>

#include "base/alloc.h"

// Smaller tables are not worth packing.
#define SMALL_COUNT 8192

// Whether a table has grown enough since it was packed: by a quarter, or to twice the size if all
// stacks are kept, because most entries of the tables are then used.
static bool has_grown(const struct tp_totals *s, uint32_t count, uint32_t packed_count)
{
    bool keeps_all = s->stacks.heap.count < TP_TOTALS_STACKS_MAX;
    uint32_t less = keeps_all ? count / 2 : count - count / 5;
    return count > SMALL_COUNT && less > packed_count;
}

bool tp_totals_is_loose(const struct tp_totals *s)
{
    return has_grown(s, s->names.count, s->packed.name_count) ||
           has_grown(s, s->frames.count, s->packed.frame_count) ||
           has_grown(s, s->stacks.of.count, s->packed.stack_count) ||
           has_grown(s, s->pairs.of.count, s->packed.pair_count) ||
           has_grown(s, s->durations.groups.count, s->packed.group_count);
}

// NUMBERS

// The state of one call of tp_totals_pack. A number is the position of an entry in its table; its holders
// are the variables that have it as value.
struct pack {
    // Holders of numbers are visited twice: first to mark their numbers, then to change them.
    bool is_marking;
    // Indexed by old number. While marking: TP_INTERN_NONE if the number is unused. Then: the new
    // number.
    uint32_t *names, *sites, *frames, *stacks, *pairs;
    bool lacks_memory;  // an allocation has failed
};

// The mark of a used number: any value other than TP_INTERN_NONE would do.
#define USED 0

static void pack_number(const struct pack *pack, uint32_t *numbers, uint32_t *number)
{
    if (pack->is_marking)
        numbers[*number] = USED;
    else
        *number = numbers[*number];
}

static void pack_name(struct pack *pack, uint32_t *name)
{
    if (*name != TP_INTERN_NONE && *name != TP_TOTALS_OTHERS)
        pack_number(pack, pack->names, name);
}

static void pack_stack(struct pack *pack, uint32_t *stack)
{
    if (*stack != TP_INTERN_NONE)
        pack_number(pack, pack->stacks, stack);
}

// HOLDERS OF NUMBERS

static void pack_kept_names(struct pack *pack, struct tp_totals *s)
{
    if (!pack->is_marking)
        s->kept_in.count = 0;
    for (unsigned space = 0; space < TP_SPACES; space++) {
        struct tp_totals_kept *kept = &s->kept[space];
        for (uint32_t i = 0; i < kept->count; i++) {
            uint32_t *name = &kept->items[i].name;
            pack_name(pack, name);
            if (!pack->is_marking &&
                !tp_totals_set_kept(s, (enum tp_durations_space)space, *name, true))
                pack->lacks_memory = true;
        }
    }
}

static void pack_source_place(struct pack *pack, struct tp_source_place *place)
{
    pack_name(pack, &place->function);
    pack_name(pack, &place->file);
}

static void pack_found(struct pack *pack, struct tp_totals *s)
{
    for (uint32_t i = 0; i < s->found.count; i++) {
        struct tp_found *found = &s->found.items[i];
        pack_name(pack, &found->path);
        pack_source_place(pack, &found->culprit);
        pack_source_place(pack, &found->victim);
        pack_source_place(pack, &found->other);
    }
}

static void pack_slow(struct pack *pack, struct tp_slow_interval *of)
{
    pack_name(pack, &of->name);
    pack_name(pack, &of->path);
    for (uint32_t i = 0; i < of->logs.count; i++) {
        pack_name(pack, &of->logs.items[i].category.name);
        pack_name(pack, &of->logs.items[i].message.name);
    }
}

static void pack_rows(struct pack *pack, struct tp_totals *s)
{
    for (uint32_t i = 0; i < s->files.count; i++) {
        struct tp_file_row *row = &s->files.items[i];
        pack_name(pack, &row->path);
        pack_name(pack, &row->host);
        pack_name(pack, &row->grouped_by);
        for (unsigned kind = 0; kind < TP_TOP_KINDS; kind++) {
            for (uint32_t k = 0; k < row->top_counts[kind]; k++) {
                pack_name(pack, &row->tops[kind][k].name);
                pack_name(pack, &row->tops[kind][k].file);
            }
        }
    }
    for (uint32_t i = 0; i < s->refused.count; i++) {
        pack_name(pack, &s->refused.items[i].path);
        pack_name(pack, &s->refused.items[i].words);
    }
    for (uint32_t i = 0; i < s->gs.heap.count; i++) {
        pack_name(pack, &s->gs.heap.items[i].function);
        pack_name(pack, &s->gs.heap.items[i].path);
    }
    for (unsigned kind = 0; kind < TP_SLOW_KIND_COUNT; kind++) {
        for (uint32_t i = 0; i < s->slow.heaps[kind].count; i++)
            pack_slow(pack, &s->slow.heaps[kind].items[i]);
    }
}

static void pack_group_name(void *ctx, enum tp_durations_space space, uint32_t *name)
{
    struct pack *pack = ctx;
    if (!tp_is_space_of_pairs(space))
        pack_name(pack, name);
    else if (*name != TP_TOTALS_OTHERS)
        pack_number(pack, pack->pairs, name);
}

static void pack_counts(struct pack *pack, struct tp_stack_counts *c)
{
    if (!pack->is_marking) {
        tp_stack_counts_renumber(c, pack->stacks);
        return;
    }
    for (uint32_t i = 0; i < c->count; i++)
        pack->stacks[tp_stack_count_stack(&c->items[i])] = USED;
}

static void run_stage(struct pack *pack, struct tp_totals *s)
{
    pack_counts(pack, &s->by_stack);
    tp_durations_renumber(&s->durations, pack_group_name, pack);
    pack_kept_names(pack, s);
    pack_rows(pack, s);
    pack_found(pack, s);
}

// ALL

static uint32_t *make_numbers(uint32_t count)
{
    uint32_t *numbers = tp_alloc_array((size_t)count + 1, sizeof *numbers);
    if (numbers != NULL)
        memset(numbers, 0xff, count * sizeof *numbers); // TP_INTERN_NONE
    return numbers;
}

// Marks the kept pairs, and the stacks of used pairs.
static void mark_what_pairs_have(struct pack *pack, const struct tp_totals *s)
{
    for (unsigned space = 0; space < TP_PAIR_SPACE_COUNT; space++) {
        const struct tp_totals_pair_heap *heap = &s->pairs.heaps[space];
        for (uint32_t i = 0; i < heap->count; i++)
            pack->pairs[heap->items[i]] = USED;
    }
    for (uint32_t i = 0; i < s->pairs.of.count; i++) {
        struct tp_totals_pair p = s->pairs.of.items[i];
        if (pack->pairs[i] == TP_INTERN_NONE)
            continue;
        pack_stack(pack, &p.left);
        pack_stack(pack, &p.right);
    }
}

// Marks the kept stacks, the frames of used stacks, the sites of used frames, and the names of
// used sites.
static void mark_what_stacks_have(struct pack *pack, const struct tp_totals *s)
{
    for (uint32_t i = 0; i < s->stacks.heap.count; i++)
        pack->stacks[s->stacks.heap.items[i]] = USED;
    for (uint32_t i = 0; i < s->stacks.of.count; i++) {
        if (pack->stacks[i] == TP_INTERN_NONE)
            continue;
        const uint32_t *frames;
        size_t depth = tp_totals_stack_frames(&s->stacks, i, &frames);
        for (size_t k = 0; k < depth; k++)
            pack->frames[frames[k]] = USED;
    }
    for (uint32_t i = 0; i < s->frames.count; i++) {
        if (pack->frames[i] != TP_INTERN_NONE)
            pack->sites[s->frames.items[i].site] = USED;
    }
    for (uint32_t i = 0; i < s->frames.sites.count; i++) {
        if (pack->sites[i] == TP_INTERN_NONE)
            continue;
        pack->names[s->frames.sites.items[i].function] = USED;
        pack->names[s->frames.sites.items[i].file] = USED;
    }
}

static bool pack_tables(struct pack *pack, struct tp_totals *s)
{
    if (!tp_intern_pack(&s->names, pack->names))
        return false;
    tp_totals_frames_pack(&s->frames, pack->frames, pack->sites, pack->names);
    tp_totals_stacks_pack(&s->stacks, pack->stacks, pack->frames);
    tp_totals_pairs_pack(&s->pairs, pack->pairs, pack->stacks);
    return true;
}

static void fini(struct pack *pack)
{
    tp_free(pack->names);
    tp_free(pack->sites);
    tp_free(pack->frames);
    tp_free(pack->stacks);
    tp_free(pack->pairs);
}

bool tp_totals_pack(struct tp_totals *s)
{
    struct pack pack = {.is_marking = true,
                                  .names = make_numbers(s->names.count),
                                  .sites = make_numbers(s->frames.sites.count),
                                  .frames = make_numbers(s->frames.count),
                                  .stacks = make_numbers(s->stacks.of.count),
                                  .pairs = make_numbers(s->pairs.of.count)};
    if (pack.names == NULL || pack.sites == NULL || pack.frames == NULL || pack.stacks == NULL ||
        pack.pairs == NULL) {
        fini(&pack);
        return false;
    }
    run_stage(&pack, s);
    mark_what_pairs_have(&pack, s);
    mark_what_stacks_have(&pack, s);
    pack.lacks_memory = !pack_tables(&pack, s);
    pack.is_marking = false;
    if (!pack.lacks_memory)
        run_stage(&pack, s);
    fini(&pack);
    s->packed = (struct tp_totals_packed){s->names.count, s->frames.count, s->stacks.of.count,
                                          s->pairs.of.count, s->durations.groups.count};
    return !pack.lacks_memory;
}
