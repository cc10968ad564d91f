#include "base/text/path_group.h"

#include "base/text/regex.h"

int tp_path_group_set(struct tp_path_group *g, const char *pattern, struct tp_error *err)
{
    tp_path_group_fini(g);
    if (pattern[0] == '\0')
        return 0;
    char why[TP_REGEX_WHY_BYTES];
    if (tp_regex_compile(&g->compiled, pattern, 0, why)) {
        g->pattern = pattern;
        return 0;
    }
    return tp_fail(err, TP_E_USAGE, "option 'group' must be a regular expression, not '%.48s': %s",
                   pattern, why);
}

void tp_path_group_fini(struct tp_path_group *g)
{
    if (g->pattern != NULL)
        regfree(&g->compiled);
    *g = (struct tp_path_group){0};
}

struct tp_span tp_path_group_name(const struct tp_path_group *g, const char *path)
{
    regmatch_t matches[2];
    if (regexec(&g->compiled, path, TP_ARRAY_LEN(matches), matches, 0) != 0)
        return tp_span_of("", 0);
    const regmatch_t *name = &matches[matches[1].rm_so >= 0];
    return tp_span_of(path + name->rm_so, (size_t)(name->rm_eo - name->rm_so));
}
