// Finds the names of hosts in paths of inputs, by a regular expression (POSIX, extended). The name is what its
// first parenthesis matches or, without one, what all of it matches.
#ifndef TP_BASE_TEXT_PATH_GROUP_H
#define TP_BASE_TEXT_PATH_GROUP_H

#include <regex.h>

#include "base/err.h"
#include "base/span.h"

// A zeroed group is not given. After tp_path_group_set any thread may use it.
struct tp_path_group {
    const char *pattern; // borrowed; NULL: not given
    regex_t compiled;
};

// Compiles the pattern, which must outlive the group; the empty one is none. Fails with TP_E_USAGE and leaves
// the group as not given.
int tp_path_group_set(struct tp_path_group *g, const char *pattern, struct tp_error *err) TP_MUST_USE;
void tp_path_group_fini(struct tp_path_group *g);
// Returns the name in a path, borrowed from it; empty: the pattern does not match, or matches no character.
struct tp_span tp_path_group_name(const struct tp_path_group *g, const char *path);

#endif
