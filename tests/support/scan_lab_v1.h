// Scans bytes from before Go 1.22 in two ways that must agree, as in scan_lab.h: with
// tp_scan_v1_next, given the bytes in pieces, and with a model that sees all bytes at once and
// follows the rules of decode/scan_v1.h literally. Both results are in normal form: adjacent
// runs of a batch with the same class of events are one run of any length.
#ifndef TP_TESTS_SCAN_LAB_V1_H
#define TP_TESTS_SCAN_LAB_V1_H

#include "decode/scan_v1.h"
#include "scan_lab.h"

struct scan_list scan_v1_in_pieces(uint32_t minor, uint64_t offset, struct tp_span bytes,
                                   scan_cut_fn cut, void *ctx, size_t capacity);

struct scan_list scan_v1_by_model(uint32_t minor, uint64_t offset, struct tp_span bytes);

// Decodes the events of all runs; `bytes` begin at `offset` in the stream. Returns NULL, or what is
// wrong: a run does not hold whole events, an event cannot be decoded, or its end as decoded is not
// where the model has the next event.
const char *scan_v1_undecodable(const struct scan_list *l, uint32_t minor, uint64_t offset,
                                struct tp_span bytes);

#endif
