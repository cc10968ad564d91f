// Names of open tasks and regions from earlier generations, shared by the tables of consecutive
// generations: a generation that carries no new name takes one more hold.
//
// The order proper adds names while other threads read those that were there when their generation
// began. So the array of texts never moves: where it is full, a new object replaces this one.
#ifndef TP_MERGE_TABLES_CARRIED_NAMES_H
#define TP_MERGE_TABLES_CARRIED_NAMES_H

#include "base/intern.h"

struct tp_carried_names {
    struct tp_intern texts; // holds at most texts.capacity texts
    _Atomic uint32_t holds;
};

// Creates an object with one hold that takes over `texts`, zeroed thereby. NULL: out of memory, and
// `texts` is as it was.
struct tp_carried_names *tp_carried_names_create(struct tp_intern *texts);
// Takes one more hold, on any thread. NULL is fine.
struct tp_carried_names *tp_carried_names_hold(struct tp_carried_names *c);
// Releases a hold, on any thread; the last release frees the object. NULL is fine.
void tp_carried_names_release(struct tp_carried_names *c);

#endif
