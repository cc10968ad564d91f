#include "stats/names/frame_ids.h"

#include <string.h>

#include "base/alloc.h"

void tp_totals_frames_fini(struct tp_totals_frames *frames)
{
    tp_free(frames->items);
    tp_index_fini(&frames->index);
    tp_free(frames->sites.items);
    tp_index_fini(&frames->site_index);
    tp_free(frames->traits.items);
    *frames = (struct tp_totals_frames){0};
}

bool tp_totals_frames_have_pcs(const struct tp_totals_frames *frames)
{
    bool have = false;
    for (uint32_t i = 0; i < frames->count && !have; i++)
        have = tp_totals_frames_get(frames, i).pc != 0;
    return have;
}

size_t tp_totals_frames_bytes(const struct tp_totals_frames *frames)
{
    size_t site_bytes = sizeof *frames->sites.items + sizeof *frames->traits.items;
    return frames->count * sizeof *frames->items + tp_index_bytes(&frames->index) +
           frames->sites.count * site_bytes + tp_index_bytes(&frames->site_index);
}

static uint64_t hash_of(uint64_t a, uint64_t b)
{
    uint64_t hash = a * tp_hash_key ^ b;
    return hash ^ hash >> 29;
}

// SITES

static uint64_t hash_of_site(const struct tp_totals_site *s)
{
    return hash_of((uint64_t)s->pc_high << 32 | s->line_high,
                   (uint64_t)s->function << 32 | s->file);
}

static uint64_t hash_by_site(const void *list, uint32_t number)
{
    const struct tp_totals_frames *frames = list;
    return hash_of_site(&frames->sites.items[number]);
}

static bool is_site(const void *list, uint32_t number, const void *key)
{
    const struct tp_totals_frames *frames = list;
    return memcmp(&frames->sites.items[number], key, sizeof(struct tp_totals_site)) == 0;
}

uint32_t tp_totals_frames_put_site(struct tp_totals_frames *frames, const struct tp_intern *names,
                                   const struct tp_totals_site *site)
{
    uint64_t hash = hash_of_site(site);
    uint32_t known = tp_index_find(&frames->site_index, hash, frames, is_site, site);
    if (tp_likely(known != TP_INTERN_NONE))
        return known;
    if (!TP_LIST_ROOM(&frames->sites) || !TP_LIST_ROOM(&frames->traits) ||
        !tp_index_make_room(&frames->site_index, frames->sites.count, hash_by_site, frames))
        return TP_INTERN_NONE;
    struct tp_span function = tp_intern_text(names, site->function);
    frames->traits.items[frames->traits.count++] = (uint8_t)tp_function_traits_of(function);
    frames->sites.items[frames->sites.count] = *site;
    return tp_index_put(&frames->site_index, hash, frames->sites.count++);
}

// FRAMES

static uint64_t hash_of_frame(const struct tp_totals_sited *f)
{
    return hash_of((uint64_t)f->pc_low << 32 | f->line_low, f->site);
}

static uint64_t hash_by_frame(const void *list, uint32_t number)
{
    const struct tp_totals_frames *frames = list;
    return hash_of_frame(&frames->items[number]);
}

static bool is_frame(const void *list, uint32_t number, const void *key)
{
    const struct tp_totals_frames *frames = list;
    return memcmp(&frames->items[number], key, sizeof(struct tp_totals_sited)) == 0;
}

uint32_t tp_totals_frames_put_sited(struct tp_totals_frames *frames,
                                    const struct tp_totals_sited *f)
{
    uint64_t hash = hash_of_frame(f);
    uint32_t known = tp_index_find(&frames->index, hash, frames, is_frame, f);
    if (tp_likely(known != TP_INTERN_NONE))
        return known;
    if (!TP_LIST_ROOM(frames) ||
        !tp_index_make_room(&frames->index, frames->count, hash_by_frame, frames))
        return TP_INTERN_NONE;
    frames->items[frames->count] = *f;
    return tp_index_put(&frames->index, hash, frames->count++);
}

uint32_t tp_totals_frames_put(struct tp_totals_frames *frames, const struct tp_intern *names,
                              const struct tp_totals_frame *f)
{
    const struct tp_totals_site site = {.function = f->function,
                                        .file = f->file,
                                        .pc_high = (uint32_t)(f->pc >> 32),
                                        .line_high = (uint32_t)(f->line >> 32)};
    const struct tp_totals_sited sited = {.pc_low = (uint32_t)f->pc,
                                          .line_low = (uint32_t)f->line,
                                          .site = tp_totals_frames_put_site(frames, names, &site)};
    return sited.site != TP_INTERN_NONE ? tp_totals_frames_put_sited(frames, &sited)
                                        : TP_INTERN_NONE;
}

// PACKING

static void pack_sites(struct tp_totals_frames *frames, uint32_t *numbers, const uint32_t *names)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < frames->sites.count; i++) {
        if (numbers[i] == TP_INTERN_NONE)
            continue;
        struct tp_totals_site site = frames->sites.items[i];
        site.function = names[site.function];
        site.file = names[site.file];
        numbers[i] = count;
        frames->traits.items[count] = frames->traits.items[i];
        frames->sites.items[count++] = site;
    }
    frames->sites.count = frames->traits.count = count;
    tp_index_refill(&frames->site_index, count, hash_by_site, frames);
}

void tp_totals_frames_pack(struct tp_totals_frames *frames, uint32_t *numbers,
                           uint32_t *site_numbers, const uint32_t *names)
{
    pack_sites(frames, site_numbers, names);
    uint32_t count = 0;
    for (uint32_t i = 0; i < frames->count; i++) {
        if (numbers[i] == TP_INTERN_NONE)
            continue;
        struct tp_totals_sited f = frames->items[i];
        f.site = site_numbers[f.site];
        numbers[i] = count;
        frames->items[count++] = f;
    }
    frames->count = count;
    tp_index_refill(&frames->index, count, hash_by_frame, frames);
}
