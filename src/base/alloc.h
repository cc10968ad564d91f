// Allocates all heap memory and mappings of the program. Counts the live bytes of the whole
// program, so that tests can compare them with the promised bound. Can let request number n fail,
// so that the fault tests walk through every failing path.
//
// Any thread. The caller owns what it gets: free heap memory with tp_free, mappings with tp_unmap.
#ifndef TP_BASE_ALLOC_H
#define TP_BASE_ALLOC_H

#include "base/attr.h"

// Allocates memory with undefined contents; NULL on failure. A size of 0 gives a pointer that can
// be freed.
void *tp_alloc(size_t len_bytes) TP_MUST_USE;
// Allocates zeroed memory; otherwise the same as tp_alloc.
void *tp_alloc_zero(size_t len_bytes) TP_MUST_USE;
// Allocates count * each_bytes with undefined contents; NULL also if the product overflows.
void *tp_alloc_array(size_t count, size_t each_bytes) TP_MUST_USE;
// Changes the size of heap memory, which may move; `ptr` may be NULL. NULL on failure: `ptr` is
// then still valid.
void *tp_realloc(void *ptr, size_t len_bytes) TP_MUST_USE;
// Copies a text; NULL: out of memory.
char *tp_strdup(const char *text) TP_MUST_USE;
// Frees memory of any function above. NULL is fine.
void tp_free(void *ptr);
// Gives freed heap memory back to the machine. Takes time in proportion to the heap.
void tp_alloc_trim(void);

// Maps zeroed address space, of which only touched pages take memory. NULL on failure. The count
// of live bytes includes the whole mapping, touched or not.
void *tp_map(size_t len_bytes) TP_MUST_USE;
// Unmaps a whole mapping of tp_map; `len_bytes` is the size it was mapped with.
void tp_unmap(void *ptr, size_t len_bytes);

// Gives the memory of the whole pages in a part of a mapping back; they are zeroed then.
void tp_map_give_back(void *ptr, size_t len_bytes);

// Returns the bytes that the program has allocated or mapped and not yet freed.
uint64_t tp_alloc_live_bytes(void);

// Tests only: makes request number `nth` from now (1: the next one) fail and, if
// `for_ever`, every later one. 0 switches it off.
void tp_alloc_fail_at(uint64_t nth, bool for_ever);
// Tests only: returns the number of requests left until the failing one. 0: that request has
// failed, or none shall fail.
uint64_t tp_alloc_fail_left(void);

#endif
