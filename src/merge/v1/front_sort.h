// Sorts the frontier of an older trace by keys as Go's sort.Sort does it, which decides among
// equal ones. Pure.
#ifndef TP_MERGE_V1_FRONT_SORT_H
#define TP_MERGE_V1_FRONT_SORT_H

#include "merge/v1/order.h"

void tp_v1_front_sort(struct tp_v1_front *front, size_t count);

#endif
