// Compiles extended regular expressions (POSIX) that users give. glibc writes repetitions out, so `((a{255}){255}){255}`
// would take gigabytes, and its search for what a back-reference stands for may take years: both are refused.
#ifndef TP_BASE_TEXT_REGEX_H
#define TP_BASE_TEXT_REGEX_H

#include <regex.h>
#include <stdbool.h>

#include "base/attr.h"

// The most characters, groups and sets of a pattern whose repetitions are written out.
#define TP_REGEX_MAX_ITEMS 1000
#define TP_REGEX_WHY_BYTES 96

// Compiles the pattern by regcomp, with these flags and REG_EXTENDED. False: *ret_compiled is nothing to be freed, and
// `why` has the reason.
bool tp_regex_compile(regex_t *ret_compiled, const char *pattern, int flags,
                      char why[static TP_REGEX_WHY_BYTES]) TP_MUST_USE;

#endif
