// Defines compiler attributes, the size of a cache line, and units of sizes. Includes nothing but
// the C library, so every other header may include it.
#ifndef TP_BASE_ATTR_H
#define TP_BASE_ATTR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The caller must use the result.
#define TP_MUST_USE __attribute__((warn_unused_result))
// Makes the compiler check arguments against a format as for printf. `fmt` is the number of the
// argument that is the format, `first` that of the first one to check; both count from 1.
#define TP_PRINTF(fmt, first) __attribute__((format(printf, fmt, first)))
#define TP_NOINLINE __attribute__((noinline))
// Inlines every function that the marked one calls, except TP_NOINLINE ones: for a loop that
// calls functions of several files for each event.
#define TP_FLATTEN __attribute__((flatten))
// A function in a header that is inlined into every caller.
#define TP_INLINE static inline __attribute__((always_inline))

#define tp_likely(x) __builtin_expect(!!(x), 1)
#define tp_unlikely(x) __builtin_expect(!!(x), 0)

// Bytes of a cache line. Members that different threads write lie at least this far apart, so that
// the threads do not slow each other down.
#define TP_CACHE_LINE 64
#define TP_KIB(n) ((size_t)(n) << 10)
#define TP_MIB(n) ((size_t)(n) << 20)

#define TP_ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

#endif
