// Tells what the name of a function says about it. Reports and findings ask this for every frame of
// every stack, so the totals keep the answer for each site (frame_ids.h).
#ifndef TP_STATS_NAMES_FUNCTION_TRAITS_H
#define TP_STATS_NAMES_FUNCTION_TRAITS_H

#include "base/attr.h"
#include "base/span.h"

// Traits, each a bit.
enum tp_function_trait {
    TP_FUNCTION_STD = 1,     // of the standard library (base/text/std_package.h)
    TP_FUNCTION_RUNTIME = 2, // of package runtime, but not runtime.main
    TP_FUNCTION_IDLES = 4,   // a row of idle_waits.def has this function
    TP_FUNCTION_LOCKS = 8,   // a method with the name of one of sync.Mutex or RWMutex, which it may wrap
    TP_FUNCTION_C = 16,      // cgo's function that calls a C function, in _cgo_gotypes.go
};

// Returns the traits of the function with this name: a set of bits. Cannot fail.
unsigned tp_function_traits_of(struct tp_span function);

#endif
