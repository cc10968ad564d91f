// Mutations of bytes and of whole batches; they do not know events.
#include "decode/spec.h"
#include "mutate_lab.h"
#include "wire_build.h"

// Place of the digits of the minor release in the 16 bytes of the header.
#define MINOR_AT 5
#define MINOR_DIGITS 2

static bool edit(struct mutate_lab *lab, size_t begin, size_t end)
{
    lab->begin = lab->at_bytes = begin;
    lab->end = end;
    return true;
}

static bool flip(struct mutate_lab *lab, size_t begin, size_t len_bytes)
{
    if (len_bytes == 0)
        return false;
    size_t at = begin + mutate_below(lab, len_bytes);
    wire_put_byte(&lab->patch, lab->trace.ptr[at] ^ 1u << synth_below(&lab->rand, 8));
    return edit(lab, at, at + 1);
}

bool mutate_flip_bit(struct mutate_lab *lab)
{
    return flip(lab, 0, lab->trace.len_bytes);
}

bool mutate_flip_body_bit(struct mutate_lab *lab)
{
    if (lab->batch_count == 0)
        return false;
    const struct tp_extent *x = mutate_any_batch(lab);
    return flip(lab, x->offset + x->header_bytes, x->len_bytes - x->header_bytes);
}

bool mutate_flip_header_bit(struct mutate_lab *lab)
{
    if (lab->batch_count == 0)
        return false;
    const struct tp_extent *x = mutate_any_batch(lab);
    return flip(lab, x->offset, x->header_bytes);
}

bool mutate_set_byte(struct mutate_lab *lab)
{
    size_t at = mutate_below(lab, lab->trace.len_bytes);
    wire_put_byte(&lab->patch, synth_below(&lab->rand, 256));
    return edit(lab, at, at + 1);
}

bool mutate_cut_tail(struct mutate_lab *lab)
{
    size_t body_bytes = lab->trace.len_bytes - lab->header_bytes;
    if (body_bytes == 0)
        return false;
    return edit(lab, lab->header_bytes + mutate_below(lab, body_bytes), lab->trace.len_bytes);
}

bool mutate_cut_piece(struct mutate_lab *lab)
{
    size_t body_bytes = lab->trace.len_bytes - lab->header_bytes;
    if (body_bytes == 0)
        return false;
    size_t begin = lab->header_bytes + mutate_below(lab, body_bytes);
    size_t most_bytes = lab->trace.len_bytes - begin;
    size_t len_bytes = 1 + mutate_below(lab, (size_t)2 << mutate_below(lab, 16));
    return edit(lab, begin, begin + (len_bytes < most_bytes ? len_bytes : most_bytes));
}

// Changes the release in the file header only: events keep the codes of the release that wrote
// them.
bool mutate_change_version(struct mutate_lab *lab)
{
    uint32_t minor = wire_versions[mutate_below(lab, TP_ARRAY_LEN(wire_versions))];
    wire_put_byte(&lab->patch, '0' + minor / 10);
    wire_put_byte(&lab->patch, '0' + minor % 10);
    return edit(lab, MINOR_AT, MINOR_AT + MINOR_DIGITS);
}

static void put_extents(struct mutate_lab *lab, const struct tp_extent *first,
                        const struct tp_extent *last)
{
    wire_put(&lab->patch, lab->trace.ptr + first->offset,
             last->offset + last->len_bytes - first->offset);
}

static bool edit_extents(struct mutate_lab *lab, const struct tp_extent *first,
                         const struct tp_extent *last)
{
    return edit(lab, first->offset, last->offset + last->len_bytes);
}

bool mutate_drop_batch(struct mutate_lab *lab)
{
    if (lab->batch_count == 0)
        return false;
    const struct tp_extent *x = mutate_any_batch(lab);
    return edit_extents(lab, x, x);
}

bool mutate_double_batch(struct mutate_lab *lab)
{
    if (lab->batch_count == 0)
        return false;
    const struct tp_extent *x = mutate_any_batch(lab);
    put_extents(lab, x, x);
    put_extents(lab, x, x);
    return edit_extents(lab, x, x);
}

// Swaps two batches. The bytes between them stay where they are.
static bool swap(struct mutate_lab *lab, const struct tp_extent *a, const struct tp_extent *b)
{
    size_t between = a->offset + a->len_bytes;
    put_extents(lab, b, b);
    wire_put(&lab->patch, lab->trace.ptr + between, b->offset - between);
    put_extents(lab, a, a);
    return edit_extents(lab, a, b);
}

bool mutate_swap_neighbours(struct mutate_lab *lab)
{
    if (lab->batch_count < 2)
        return false;
    const struct tp_extent *x = &lab->batches[mutate_below(lab, lab->batch_count - 1)];
    return swap(lab, x, x + 1);
}

bool mutate_swap_far(struct mutate_lab *lab)
{
    if (lab->batch_count < 2)
        return false;
    const struct tp_extent *a = mutate_any_batch(lab);
    const struct tp_extent *b = mutate_any_batch(lab);
    if (a == b)
        return false;
    return a < b ? swap(lab, a, b) : swap(lab, b, a);
}

// Replaces the header of `x` by that of `changed`.
static bool edit_head(struct mutate_lab *lab, const struct tp_extent *x,
                      const struct tp_extent *changed)
{
    mutate_put_head(lab, changed, x->len_bytes - x->header_bytes);
    return edit(lab, x->offset, x->offset + x->header_bytes);
}

static uint64_t other_generation(struct mutate_lab *lab, uint64_t generation)
{
    switch (synth_below(&lab->rand, 6)) {
    case 0: return 0;
    case 1: return mutate_any_number(lab);
    case 2: return generation + 2;
    case 3: return generation - 1;
    default: return generation + 1;
    }
}

bool mutate_change_generation(struct mutate_lab *lab)
{
    if (lab->batch_count == 0)
        return false;
    const struct tp_extent *x = mutate_any_batch(lab);
    struct tp_extent changed = *x;
    changed.generation = other_generation(lab, x->generation);
    return edit_head(lab, x, &changed);
}

// Renumbers all batches of one generation together, so that the generation stays whole.
bool mutate_renumber_generation(struct mutate_lab *lab)
{
    if (lab->batch_count == 0)
        return false;
    uint64_t old = mutate_any_batch(lab)->generation;
    uint64_t generation = other_generation(lab, old);
    const struct tp_extent *first = NULL;
    const struct tp_extent *last = NULL;
    for (size_t i = 0; i < lab->batch_count; i++) {
        const struct tp_extent *x = &lab->batches[i];
        if (x->generation != old)
            continue;
        if (last) {
            size_t between = last->offset + last->len_bytes;
            wire_put(&lab->patch, lab->trace.ptr + between, x->offset - between);
        }
        struct tp_span body = mutate_body(lab, x);
        struct tp_extent changed = *x;
        changed.generation = generation;
        mutate_put_head(lab, &changed, body.len_bytes);
        wire_put(&lab->patch, body.ptr, body.len_bytes);
        first = first ? first : x;
        last = x;
    }
    return edit_extents(lab, first, last);
}

bool mutate_change_thread(struct mutate_lab *lab)
{
    if (lab->batch_count == 0)
        return false;
    const struct tp_extent *x = mutate_any_batch(lab);
    struct tp_extent changed = *x;
    switch (synth_below(&lab->rand, 6)) {
    case 0: changed.m = UINT64_MAX; break;
    case 1: changed.m = mutate_any_number(lab); break;
    case 2: changed.m = 0; break;
    default: changed.m = mutate_any_batch(lab)->m; break;
    }
    return edit_head(lab, x, &changed);
}

bool mutate_change_batch_time(struct mutate_lab *lab)
{
    if (lab->batch_count == 0)
        return false;
    const struct tp_extent *x = mutate_any_batch(lab);
    struct tp_extent changed = *x;
    switch (synth_below(&lab->rand, 8)) {
    case 0: changed.time_ticks = 0; break;
    case 1: changed.time_ticks = mutate_any_number(lab); break;
    case 2: changed.time_ticks += mutate_below(lab, 1000); break;
    case 3: changed.time_ticks -= mutate_below(lab, 1000); break;
    case 4: changed.time_ticks += mutate_below(lab, 10000000); break;
    case 5: changed.time_ticks -= mutate_below(lab, 10000000); break;
    default: changed.time_ticks = mutate_any_batch(lab)->time_ticks; break;
    }
    return edit_head(lab, x, &changed);
}

// Writes a size that differs from the length of the body, so that readers see other borders in
// the bytes that follow.
bool mutate_change_size(struct mutate_lab *lab)
{
    if (lab->batch_count == 0)
        return false;
    const struct tp_extent *x = mutate_any_batch(lab);
    uint64_t body_bytes = x->len_bytes - x->header_bytes;
    switch (synth_below(&lab->rand, 7)) {
    case 0: body_bytes = TP_MAX_BATCH_BYTES + synth_below(&lab->rand, 2); break;
    case 1: body_bytes = mutate_any_number(lab); break;
    case 2: body_bytes = 0; break;
    case 3: body_bytes += synth_below(&lab->rand, 1000); break;
    case 4: body_bytes = synth_below(&lab->rand, body_bytes + 1); break;
    case 5: body_bytes += 1; break;
    default: body_bytes -= 1; break;
    }
    mutate_put_head(lab, x, body_bytes);
    return edit(lab, x->offset, x->offset + x->header_bytes);
}

// Cuts the body short or appends noise, and corrects the size in the header.
bool mutate_resize_body(struct mutate_lab *lab)
{
    if (lab->batch_count == 0)
        return false;
    const struct tp_extent *x = mutate_any_batch(lab);
    size_t body_bytes = x->len_bytes - x->header_bytes;
    unsigned char noise[64];
    for (size_t i = 0; i < sizeof(noise); i++)
        noise[i] = (unsigned char)synth_next(&lab->rand);
    if (synth_percent(&lab->rand, 50))
        mutate_edit_body(lab, x, body_bytes, body_bytes,
                         tp_span_of(noise, 1 + mutate_below(lab, sizeof(noise))));
    else
        mutate_edit_body(lab, x, mutate_below(lab, body_bytes + 1), body_bytes,
                         tp_span_of(noise, 0));
    return true;
}

bool mutate_drop_mark(struct mutate_lab *lab)
{
    if (lab->mark_count == 0)
        return false;
    const struct tp_extent *x = &lab->marks[mutate_below(lab, lab->mark_count)];
    return edit_extents(lab, x, x);
}

// Adds an end mark after any batch, or after any mark.
bool mutate_double_mark(struct mutate_lab *lab)
{
    if (lab->batch_count == 0)
        return false;
    const struct tp_extent *x = mutate_any_batch(lab);
    if (lab->mark_count > 0 && synth_percent(&lab->rand, 50))
        x = &lab->marks[mutate_below(lab, lab->mark_count)];
    wire_put_byte(&lab->patch, TP_EV_EndOfGeneration);
    return edit(lab, x->offset + x->len_bytes, x->offset + x->len_bytes);
}
