// The only door to the heap. Counts the live bytes of the whole program, so
// that tests can hold them against what was promised, and can be told to fail the n-th
// request, which is how the fault tests walk through every failing path.
//
// Thread-safe. Memory is given back through the function that belongs to it:
// tp_free for the heap, tp_unmap for mappings.
#ifndef TP_BASE_ALLOC_H
#define TP_BASE_ALLOC_H

#include "base/attr.h"

// NULL on failure; `tp_alloc_zero` returns zeroed bytes. A size of 0 gives a
// pointer that can be freed.
void *tp_alloc(size_t len_bytes) TP_MUST_USE;
void *tp_alloc_zero(size_t len_bytes) TP_MUST_USE;
// count * each, NULL when the product overflows.
void *tp_alloc_array(size_t count, size_t each_bytes) TP_MUST_USE;
void *tp_realloc(void *ptr, size_t len_bytes) TP_MUST_USE;
char *tp_strdup(const char *text) TP_MUST_USE;
void tp_free(void *ptr);

// Address space that costs memory only where it is touched. Counted in full.
void *tp_map(size_t len_bytes) TP_MUST_USE;
void tp_unmap(void *ptr, size_t len_bytes);

uint64_t tp_alloc_live_bytes(void);

// Tests only: the request number `nth` from now (1 = the next) and, if
// `for_ever`, every later one fails. 0 switches it off.
void tp_alloc_fail_at(uint64_t nth, bool for_ever);
// Requests left until the one that fails; 0: it has failed, or none was told to.
uint64_t tp_alloc_fail_left(void);

#endif
