#include "pipeline/commit/repeats.h"

#include <string.h>

#include "pipeline/core/run.h"

static bool is_same(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

bool tp_repeats_take(struct tp_repeats *r, size_t input_index, enum tp_message_level level,
                     const char *list, const char *kind)
{
    unsigned i = 0;
    while (i < r->kind_count && (r->kinds[i].level != level || !is_same(r->kinds[i].list, list) ||
                                 !is_same(r->kinds[i].kind, kind)))
        i++;
    if (i == TP_REPEATS_KINDS)
        return true;
    if (i == r->kind_count)
        r->kinds[r->kind_count++] = (struct tp_repeat){level, list, kind, 0, 0};
    struct tp_repeat *of = &r->kinds[i];
    of->input_count += of->last != input_index + 1;
    of->last = input_index + 1;
    return of->input_count <= TP_REPEATS_SENT;
}

void tp_repeats_say(const struct tp_repeats *r, struct tp_run *run)
{
    for (unsigned i = 0; i < r->kind_count; i++) {
        const struct tp_repeat *of = &r->kinds[i];
        if (of->kind == NULL || of->input_count <= TP_REPEATS_SENT)
            continue;
        size_t more = of->input_count - TP_REPEATS_SENT;
        tp_run_message(run, of->level,
                       "%zu more input%s with the %s '%s' (-v shows each, --manifest FILE keeps "
                       "them)", more, more == 1 ? "" : "s", of->list, of->kind);
    }
}
