// Scans bytes in two ways that must agree: with tp_scan_v2_next, given the bytes in pieces, and
// with a model that sees all bytes at once and follows the rules of decode/scan_v2.h
// literally. Both results are in normal form: one place of damage is one lost extent, which
// includes all lost extents that directly follow.
#ifndef TP_TESTS_SCAN_LAB_H
#define TP_TESTS_SCAN_LAB_H

#include "decode/scan_v2.h"

struct scan_list {
    struct tp_extent *items; // from malloc
    size_t count;
    size_t capacity;
    const char *complaint;   // the promise of tp_scan_v2_next that was broken; NULL: none
};

void scan_list_fini(struct scan_list *l);

// Returns the length of the next piece, at least 1.
typedef size_t (*scan_cut_fn)(void *ctx, size_t left_bytes);
// Ready-made functions that cut. `ctx` points to a size_t for scan_cut_once: the length of the
// first piece; to a uint64_t for scan_cut_randomly: the state of wire_random. Else it is unused.
size_t scan_cut_never(void *ctx, size_t left_bytes);
size_t scan_cut_everywhere(void *ctx, size_t left_bytes);
size_t scan_cut_once(void *ctx, size_t left_bytes);
size_t scan_cut_randomly(void *ctx, size_t left_bytes);

// scan_many_v2 (scan_many.h), or a function of the same form for another scan.
typedef size_t (*scan_step_fn)(void *scan, struct tp_span bytes, bool at_end,
                               struct tp_extent *extents, size_t capacity, size_t *ret_count);

// Does the same as scan_in_pieces, with any step function.
struct scan_list scan_step_in_pieces(scan_step_fn step, void *scan, struct tp_span bytes,
                                     scan_cut_fn cut, void *ctx, size_t capacity);

// Appends an extent in normal form.
void scan_list_add(struct scan_list *l, const struct tp_extent *x);

// Scans `bytes`, which begin at `offset` in the stream, with tp_scan_v2_next. Gives it pieces of
// the lengths that `cut` returns, each in a heap block of its own and after the bytes that the
// previous step left, and room for `capacity` extents.
struct scan_list scan_in_pieces(uint32_t minor, uint64_t offset, struct tp_span bytes,
                                scan_cut_fn cut, void *ctx, size_t capacity);

struct scan_list scan_by_model(uint32_t minor, uint64_t offset, struct tp_span bytes);

// Returns NULL if the lists are equal, else a description of the difference in a static buffer.
const char *scan_difference(const struct scan_list *got, const struct scan_list *want);

// Returns NULL if the extents cover every byte once, in order, else a description of the gap.
const char *scan_gap(const struct scan_list *l, uint64_t offset, size_t len_bytes);

#endif
