// What a scan says of bytes from before Go 1.22, found in two ways as in scan_lab.h: by
// tp_scan_v1_step fed with pieces, and by a model that sees all bytes at once and follows
// the rules of decode/scan_v1.h word by word. Both give the same normal form: runs of a batch
// that touch and hold the same class of events are one, however long.
#ifndef TP_TESTS_SCAN_LAB_V1_H
#define TP_TESTS_SCAN_LAB_V1_H

#include "decode/scan_v1.h"
#include "scan_lab.h"

struct scan_list scan_v1_in_pieces(uint32_t minor, uint64_t offset, struct tp_span bytes,
                                   scan_cut_fn cut, void *ctx, size_t capacity);

struct scan_list scan_v1_by_model(uint32_t minor, uint64_t offset, struct tp_span bytes);

// Decodes the events of all runs, where `bytes` are those at `offset`. NULL, or what is
// wrong: an event that does not decode, although its insides needed no counting, or one
// that does not end where the model has the next begin.
const char *scan_v1_undecodable(const struct scan_list *l, uint32_t minor, uint64_t offset,
                                struct tp_span bytes);

#endif
