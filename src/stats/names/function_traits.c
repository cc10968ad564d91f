#include "stats/names/function_traits.h"

#include <stdlib.h>
#include <string.h>

// Texts with their lengths.
struct text {
    const char *ptr;
    size_t len_bytes;
};

// Sorted.
static const struct text std_packages[] = {
#define TP_STD_PACKAGE(name) {#name, sizeof #name - 1},
#include "stats/names/std_packages.def"
#undef TP_STD_PACKAGE
};

static const struct text idling_functions[] = {
#define TP_IDLE_WAIT(function, called) {function, sizeof function - 1},
#include "stats/names/idle_waits.def"
#undef TP_IDLE_WAIT
};

static int compare_text(const void *key, const void *item)
{
    const struct text *text = item;
    return tp_span_compare(*(const struct tp_span *)key, tp_span_of(text->ptr, text->len_bytes));
}

// Returns the first element of the import path in a function's name: all before the first '/', dots
// included (go.uber.org/zap), or before the first '.' if the path has one element. A '/' in type
// arguments is not of the path.
static struct tp_span first_element(struct tp_span function)
{
    size_t dot = function.len_bytes;
    for (size_t i = 0; i < function.len_bytes && function.ptr[i] != '['; i++) {
        if (function.ptr[i] == '/')
            return tp_span_of(function.ptr, i);
        if (function.ptr[i] == '.' && i < dot)
            dot = i;
    }
    return tp_span_of(function.ptr, dot);
}

static bool is_std(struct tp_span function)
{
    struct tp_span first = first_element(function);
    return bsearch(&first, std_packages, TP_ARRAY_LEN(std_packages), sizeof std_packages[0],
                   compare_text) != NULL ||
           tp_span_begins_with(function, "golang.org/x/");
}

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
    return (is_std(function) ? TP_FUNCTION_STD : 0u) |
           (is_of_runtime(function) ? TP_FUNCTION_RUNTIME : 0u) |
           (idles(function) ? TP_FUNCTION_IDLES : 0u) |
           (locks(function) ? TP_FUNCTION_LOCKS : 0u) |
           (calls_c(function) ? TP_FUNCTION_C : 0u);
}
