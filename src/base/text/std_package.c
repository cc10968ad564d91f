#include "base/text/std_package.h"

#include <stdlib.h>

// Texts with their lengths.
struct text {
    const char *ptr;
    size_t len_bytes;
};

// Sorted.
static const struct text std_packages[] = {
#define TP_STD_PACKAGE(name) {#name, sizeof #name - 1},
#include "base/text/std_packages.def"
#undef TP_STD_PACKAGE
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

bool tp_is_std_function(struct tp_span function)
{
    struct tp_span first = first_element(function);
    return bsearch(&first, std_packages, TP_ARRAY_LEN(std_packages), sizeof std_packages[0],
                   compare_text) != NULL ||
           tp_span_begins_with(function, "golang.org/x/");
}
