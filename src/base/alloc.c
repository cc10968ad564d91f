#include "base/alloc.h"

#include <malloc.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static _Atomic uint64_t live_bytes;
static _Atomic uint64_t fail_countdown; // 0: never fail
static _Atomic bool fail_for_ever;

static void count_up(uint64_t n)
{
    atomic_fetch_add_explicit(&live_bytes, n, memory_order_relaxed);
}

static void count_down(uint64_t n)
{
    atomic_fetch_sub_explicit(&live_bytes, n, memory_order_relaxed);
}

static bool must_fail(void)
{
    uint64_t left = atomic_load_explicit(&fail_countdown, memory_order_relaxed);
    if (tp_likely(left == 0))
        return false;
    left = atomic_fetch_sub(&fail_countdown, 1);
    if (left != 1)
        return false;
    if (atomic_load(&fail_for_ever))
        atomic_store(&fail_countdown, 1);
    return true;
}

static void *counted(void *ptr)
{
    if (ptr != NULL)
        count_up(malloc_usable_size(ptr));
    return ptr;
}

void *tp_alloc(size_t len_bytes)
{
    return must_fail() ? NULL : counted(malloc(len_bytes ? len_bytes : 1));
}

void *tp_alloc_zero(size_t len_bytes)
{
    return must_fail() ? NULL : counted(calloc(1, len_bytes ? len_bytes : 1));
}

void *tp_alloc_array(size_t count, size_t each_bytes)
{
    size_t len_bytes;
    if (__builtin_mul_overflow(count, each_bytes, &len_bytes))
        return NULL;
    return tp_alloc(len_bytes);
}

void *tp_realloc(void *ptr, size_t len_bytes)
{
    if (must_fail())
        return NULL;
    size_t before = ptr != NULL ? malloc_usable_size(ptr) : 0;
    void *grown = realloc(ptr, len_bytes ? len_bytes : 1);
    if (grown == NULL)
        return NULL;
    count_down(before);
    return counted(grown);
}

char *tp_strdup(const char *text)
{
    size_t n = strlen(text) + 1;
    char *copy = tp_alloc(n);
    if (copy != NULL)
        memcpy(copy, text, n);
    return copy;
}

void tp_free(void *ptr)
{
    if (ptr == NULL)
        return;
    count_down(malloc_usable_size(ptr));
    free(ptr);
}

void tp_alloc_trim(void)
{
    malloc_trim(0);
}

void *tp_map(size_t len_bytes)
{
    if (must_fail())
        return NULL;
    void *ptr = mmap(NULL, len_bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (ptr == MAP_FAILED)
        return NULL;
    count_up(len_bytes);
    return ptr;
}

void tp_map_give_back(void *ptr, size_t len_bytes)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t first = ((uintptr_t)ptr + page - 1) / page * page;
    uintptr_t end = ((uintptr_t)ptr + len_bytes) / page * page;
    // If the kernel refuses, the pages keep their memory, which is harmless.
    if (first < end)
        (void)madvise((void *)first, end - first, MADV_DONTNEED);
}

void tp_unmap(void *ptr, size_t len_bytes)
{
    if (ptr == NULL)
        return;
    munmap(ptr, len_bytes);
    count_down(len_bytes);
}

uint64_t tp_alloc_live_bytes(void)
{
    return atomic_load_explicit(&live_bytes, memory_order_relaxed);
}

uint64_t tp_alloc_fail_left(void)
{
    return atomic_load(&fail_countdown);
}

void tp_alloc_fail_at(uint64_t nth, bool for_ever)
{
    atomic_store(&fail_for_ever, for_ever);
    atomic_store(&fail_countdown, nth);
}
