// Scans bytes from before Go 1.22 in two ways, as scan_lab.h: by tp_scan_v1_step fed with
// pieces, and by a model that sees all bytes at once and follows the rules of decode/scan_v1.h
// literally. Both give extents in the same normal form: adjacent runs of a batch with the same
// class of events are joined, however long.
#ifndef TP_TESTS_SCAN_LAB_V1_H
#define TP_TESTS_SCAN_LAB_V1_H

#include "decode/scan_v1.h"
#include "scan_lab.h"

struct scan_list scan_v1_in_pieces(uint32_t minor, uint64_t offset, struct tp_span bytes,
                                   scan_cut_fn cut, void *ctx, size_t capacity);

struct scan_list scan_v1_by_model(uint32_t minor, uint64_t offset, struct tp_span bytes);

// Decodes the events of all runs of `bytes`, which begin at `offset`. Returns NULL, or a
// description of the fault: an event that does not decode, or one that does not end where the
// model has the next event begin.
const char *scan_v1_undecodable(const struct scan_list *l, uint32_t minor, uint64_t offset,
                                struct tp_span bytes);

#endif
