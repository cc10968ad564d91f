// All heap memory comes from these functions. They count the live bytes of the whole
// program, so that tests can compare them with the promised bound, and they can fail the
// n-th request, so that the fault tests walk through every failing path.
//
// Any thread. Free memory of the heap with tp_free, mappings with tp_unmap.
#ifndef TP_BASE_ALLOC_H
#define TP_BASE_ALLOC_H

#include "base/attr.h"

// Return NULL on failure; tp_realloc then leaves `ptr` as it is. tp_alloc_zero returns zeroed
// bytes. A size of 0 gives a pointer that can be freed.
void *tp_alloc(size_t len_bytes) TP_MUST_USE;
void *tp_alloc_zero(size_t len_bytes) TP_MUST_USE;
// Allocates count * each_bytes; NULL also if the product overflows.
void *tp_alloc_array(size_t count, size_t each_bytes) TP_MUST_USE;
void *tp_realloc(void *ptr, size_t len_bytes) TP_MUST_USE;
char *tp_strdup(const char *text) TP_MUST_USE;
void tp_free(void *ptr); // NULL is fine

// Maps zeroed address space, of which only touched pages take memory. NULL on failure. The
// live bytes count it in full.
void *tp_map(size_t len_bytes) TP_MUST_USE;
void tp_unmap(void *ptr, size_t len_bytes);

// Bytes allocated and mapped by the program and not yet freed.
uint64_t tp_alloc_live_bytes(void);

// Tests only: makes request number `nth` from now (1: the next one) fail and, if
// `for_ever`, every later one. 0 switches it off.
void tp_alloc_fail_at(uint64_t nth, bool for_ever);
// Tests only: requests left until the failing one; 0: it has failed, or none shall fail.
uint64_t tp_alloc_fail_left(void);

#endif
