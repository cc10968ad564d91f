#include "base/text/regex.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Returns the end of a set of characters, which begins at `at` with '['.
static const char *set_end(const char *at)
{
    at++;
    at += *at == '^';
    at += *at == ']';
    while (*at != '\0' && *at != ']') {
        const char class_end[] = {at[1], ']', '\0'};
        bool is_class = *at == '[' && (at[1] == ':' || at[1] == '.' || at[1] == '=');
        const char *end = is_class ? strstr(at + 2, class_end) : NULL;
        at = end != NULL ? end + 2 : at + 1;
    }
    return at + (*at == ']');
}

// Takes what repeats an item, if *at is there. Returns how many copies of the item regcomp makes of it at most.
static uint64_t take_copies(const char **at)
{
    char *end;
    bool is_plus = **at == '+';
    if (**at == '*' || **at == '?' || is_plus) {
        ++*at;
        return is_plus ? 2 : 1; // the second copy is optional
    }
    if (**at != '{')
        return 1;
    uint64_t least = strtoul(*at + 1, &end, 10), most = least;
    if (*end == ',')
        most = end[1] == '}' ? least + 1 : strtoul(end + 1, &end, 10);
    *at += 1 + strcspn(*at + 1, "}");
    *at += **at == '}';
    return most > 0 ? most : 1;
}

// Returns the number of items from *at to the end of the group, repetitions written out, limited to one more than are
// allowed. Sets *at to that end, and *refers if there is a back-reference.
static uint64_t count_items(const char **at, unsigned depth, bool *refers)
{
    uint64_t sum = 0;
    while (**at != '\0' && (**at != ')' || depth == 0)) {
        uint64_t items = 1;
        if (**at == '(') {
            ++*at;
            items += count_items(at, depth + 1, refers);
            *at += **at == ')';
        } else if (**at == '[') {
            *at = set_end(*at);
        } else {
            bool is_escape = **at == '\\' && (*at)[1] != '\0';
            *refers = *refers || (is_escape && (*at)[1] >= '1' && (*at)[1] <= '9');
            *at += 1 + is_escape;
        }
        while (**at != '\0' && strchr("*+?{", **at) != NULL && items <= TP_REGEX_MAX_ITEMS) {
            uint64_t copies = take_copies(at);
            items = copies <= TP_REGEX_MAX_ITEMS ? items * copies : TP_REGEX_MAX_ITEMS + 1;
        }
        sum += items;
        sum = sum <= TP_REGEX_MAX_ITEMS ? sum : TP_REGEX_MAX_ITEMS + 1;
    }
    return sum;
}

bool tp_regex_compile(regex_t *ret_compiled, const char *pattern, int flags,
                      char why[static TP_REGEX_WHY_BYTES])
{
    const char *at = pattern;
    bool refers = false;
    if (count_items(&at, 0, &refers) > TP_REGEX_MAX_ITEMS) {
        snprintf(why, TP_REGEX_WHY_BYTES, "longer than %d characters with its repetitions written out",
                 TP_REGEX_MAX_ITEMS);
        return false;
    }
    if (refers) {
        snprintf(why, TP_REGEX_WHY_BYTES, "back-references are not supported");
        return false;
    }
    int code = regcomp(ret_compiled, pattern, REG_EXTENDED | flags);
    if (code != 0)
        regerror(code, ret_compiled, why, TP_REGEX_WHY_BYTES);
    return code == 0;
}
