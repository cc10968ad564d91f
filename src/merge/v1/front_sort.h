// Sorts the frontier of an older trace by keys, with the algorithm of Go's sort.Sort, because that
// decides the order of equal keys. Pure.
#ifndef TP_MERGE_V1_FRONT_SORT_H
#define TP_MERGE_V1_FRONT_SORT_H

#include "merge/v1/order.h"

void tp_v1_front_sort(struct tp_v1_front *front, size_t count);

#endif
