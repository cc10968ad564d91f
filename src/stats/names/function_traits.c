#include "stats/names/function_traits.h"

#include <string.h>

#include "base/text/std_package.h"

// Texts with their lengths.
struct text {
    const char *ptr;
    size_t len_bytes;
};

static const struct text idling_functions[] = {
#define TP_IDLE_WAIT(function, called) {function, sizeof function - 1},
#include "stats/names/idle_waits.def"
#undef TP_IDLE_WAIT
};

static bool is_of_runtime(struct tp_span function)
{
    return tp_span_begins_with(function, "runtime.") && !tp_span_is(function, "runtime.main");
}

static bool idles(struct tp_span function)
{
    for (size_t i = 0; i < TP_ARRAY_LEN(idling_functions); i++) {
        const struct text *f = &idling_functions[i];
        if (tp_span_equals(function, f->ptr, f->len_bytes))
            return true;
    }
    return false;
}

// Whether this is a method called Lock, Unlock, RLock or RUnlock.
static bool locks(struct tp_span function)
{
    static const char *const methods[] = {").Lock", ").Unlock", ").RLock", ").RUnlock"};
    for (size_t i = 0; i < TP_ARRAY_LEN(methods); i++) {
        if (tp_span_ends_with(function, methods[i]))
            return true;
    }
    return false;
}

// Whether cgo made this function to call a C function; the second form also returns errno.
static bool calls_c(struct tp_span function)
{
    static const char *const marks[] = {"._Cfunc_", "._C2func_"};
    for (size_t i = 0; i < TP_ARRAY_LEN(marks); i++) {
        if (memmem(function.ptr, function.len_bytes, marks[i], strlen(marks[i])) != NULL)
            return true;
    }
    return false;
}

unsigned tp_function_traits_of(struct tp_span function)
{
    return (tp_is_std_function(function) ? TP_FUNCTION_STD : 0u) |
           (is_of_runtime(function) ? TP_FUNCTION_RUNTIME : 0u) |
           (idles(function) ? TP_FUNCTION_IDLES : 0u) |
           (locks(function) ? TP_FUNCTION_LOCKS : 0u) |
           (calls_c(function) ? TP_FUNCTION_C : 0u);
}
