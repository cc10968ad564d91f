// Sorts the frontier of an older trace by keys as Go's sort.Sort does it, which decides among
// equal ones. Pure.
#ifndef TP_MERGE_FRONT_SORT_V1_H
#define TP_MERGE_FRONT_SORT_V1_H

#include "merge/order_v1.h"

void tp_v1_front_sort(struct tp_v1_front *front, size_t count);

#endif
