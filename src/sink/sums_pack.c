#include "sink/sums_pack.h"

#include <string.h>

#include "base/alloc.h"

// Tables of this size are not worth it.
#define SMALL_COUNT 8192

static bool has_doubled(uint32_t count, uint32_t packed_count)
{
    return count > SMALL_COUNT && count / 2 > packed_count;
}

bool tp_sums_is_loose(const struct tp_sums *s)
{
    return has_doubled(s->names.count, s->packed.name_count) ||
           has_doubled(s->frames.count, s->packed.frame_count) ||
           has_doubled(s->stacks.count, s->packed.stack_count) ||
           has_doubled(s->ledger.group_count, s->packed.group_count);
}

// NUMBERS

void tp_sums_pack_name(struct tp_sums_pack *pack, uint32_t *name)
{
    if (*name == TP_INTERN_NONE || *name == TP_SUM_OTHERS)
        return;
    uint32_t *known = &pack->new_names[*name];
    if (*known == TP_INTERN_NONE)
        *known = tp_intern_put(&pack->sums->names, tp_intern_text(&pack->names, *name));
    pack->lacks_memory = pack->lacks_memory || *known == TP_INTERN_NONE;
    *name = *known;
}

static uint32_t pack_frame(struct tp_sums_pack *pack, uint32_t frame)
{
    uint32_t *known = &pack->new_frames[frame];
    if (*known == TP_INTERN_NONE) {
        struct tp_sum_frame f = pack->frames.items[frame].frame;
        tp_sums_pack_name(pack, &f.function);
        tp_sums_pack_name(pack, &f.file);
        if (!pack->lacks_memory)
            *known = tp_sums_put_frame(pack->sums, &f);
        pack->lacks_memory = pack->lacks_memory || *known == TP_INTERN_NONE;
    }
    return *known;
}

void tp_sums_pack_stack(struct tp_sums_pack *pack, uint32_t *stack)
{
    if (*stack == TP_INTERN_NONE)
        return;
    uint32_t *known = &pack->new_stacks[*stack];
    if (*known == TP_INTERN_NONE && !pack->lacks_memory) {
        uint32_t frames[TP_SUM_FRAMES_MAX];
        struct tp_span text = tp_intern_text(&pack->stacks, *stack);
        size_t count = text.len_bytes / sizeof frames[0];
        for (size_t i = 0; i < count; i++) {
            memcpy(&frames[i], text.ptr + i * sizeof frames[0], sizeof frames[0]);
            frames[i] = pack_frame(pack, frames[i]);
        }
        if (!pack->lacks_memory)
            *known = tp_sums_put_stack(pack->sums, frames, count,
                                       pack->kept_stacks.of.items[*stack].hash);
        pack->lacks_memory = pack->lacks_memory || *known == TP_INTERN_NONE;
    }
    *stack = *known;
}

// WHAT HAS NUMBERS

static void pack_group_name(void *ctx, uint32_t *name)
{
    tp_sums_pack_name(ctx, name);
}

static void pack_kept_names(struct tp_sums_pack *pack, struct tp_sum_kept *kept)
{
    tp_map_clear(&kept->by_name);
    for (uint32_t i = 0; i < kept->heap.count; i++) {
        uint32_t *name = &kept->heap.items[i].name;
        tp_sums_pack_name(pack, name);
        if (!pack->lacks_memory)
            pack->lacks_memory = !tp_map_put(&kept->by_name, *name, 0);
    }
}

static void pack_counted_stack(void *ctx, uint32_t *stack)
{
    tp_sums_pack_stack(ctx, stack);
}

static void pack_kept_stacks(struct tp_sums_pack *pack)
{
    struct tp_sums *s = pack->sums;
    // First, so that their numbers are in the order in which they are gone through.
    if (!tp_stack_counts_renumber(&s->by_stack, pack_counted_stack, pack))
        pack->lacks_memory = true;
    for (uint32_t i = 0; i < s->kept_stacks.heap.count; i++) {
        struct tp_sum_kept_stack *kept = &s->kept_stacks.heap.items[i];
        tp_sums_pack_stack(pack, &kept->stack);
        if (!pack->lacks_memory)
            s->kept_stacks.of.items[kept->stack].is_kept = true;
    }
}

static void pack_rows(struct tp_sums_pack *pack)
{
    struct tp_sums *s = pack->sums;
    for (uint32_t i = 0; i < s->files.count; i++) {
        struct tp_file_row *row = &s->files.items[i];
        tp_sums_pack_name(pack, &row->path);
        for (unsigned k = 0; k < TP_FINDING_COUNT; k++)
            tp_sums_pack_name(pack, &row->places[k]);
    }
    for (uint32_t i = 0; i < s->refused.count; i++) {
        tp_sums_pack_name(pack, &s->refused.items[i].path);
        tp_sums_pack_name(pack, &s->refused.items[i].words);
    }
    for (uint32_t i = 0; i < s->gs.heap.count; i++) {
        tp_sums_pack_name(pack, &s->gs.heap.items[i].function);
        tp_sums_pack_name(pack, &s->gs.heap.items[i].path);
    }
}

// ALL

static uint32_t *make_numbers(uint32_t count)
{
    uint32_t *numbers = tp_alloc_array((size_t)count + 1, sizeof *numbers);
    if (numbers != NULL)
        memset(numbers, 0xff, count * sizeof *numbers); // TP_INTERN_NONE
    return numbers;
}

static void take_tables(struct tp_sums_pack *pack)
{
    struct tp_sums *s = pack->sums;
    pack->names = s->names;
    pack->frames = s->frames;
    pack->stacks = s->stacks;
    pack->kept_stacks = s->kept_stacks;
    s->names = s->stacks = (struct tp_intern){0};
    s->frames = (struct tp_sum_frames){0};
    s->kept_stacks = (struct tp_sum_stacks){0};
    s->kept_stacks.heap.items = pack->kept_stacks.heap.items;
    s->kept_stacks.heap.count = pack->kept_stacks.heap.count;
    s->kept_stacks.heap.capacity = pack->kept_stacks.heap.capacity;
    pack->kept_stacks.heap.items = NULL;
}

static void fini(struct tp_sums_pack *pack)
{
    tp_intern_fini(&pack->names);
    tp_sum_frames_fini(&pack->frames);
    tp_intern_fini(&pack->stacks);
    tp_sum_stacks_fini(&pack->kept_stacks);
    tp_free(pack->new_names);
    tp_free(pack->new_frames);
    tp_free(pack->new_stacks);
}

bool tp_sums_pack(struct tp_sums *s, void (*others)(struct tp_sums_pack *pack, void *ctx),
                  void *ctx)
{
    struct tp_sums_pack pack = {.sums = s,
                                .new_names = make_numbers(s->names.count),
                                .new_frames = make_numbers(s->frames.count),
                                .new_stacks = make_numbers(s->stacks.count)};
    if (pack.new_names == NULL || pack.new_frames == NULL || pack.new_stacks == NULL) {
        fini(&pack);
        return false;
    }
    take_tables(&pack);
    pack_kept_stacks(&pack);
    if (!tp_ledger_renumber(&s->ledger, pack_group_name, &pack))
        pack.lacks_memory = true;
    for (unsigned space = 0; space < TP_SPACES; space++)
        pack_kept_names(&pack, &s->kept[space]);
    pack_rows(&pack);
    if (others != NULL)
        others(&pack, ctx);
    fini(&pack);
    s->packed = (struct tp_sums_packed){s->names.count, s->frames.count, s->stacks.count,
                                        s->ledger.group_count};
    return !pack.lacks_memory;
}
