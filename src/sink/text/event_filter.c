#include "sink/text/event_filter.h"

#include <string.h>

#include "base/text/regex.h"
#include "merge/tables/event_shape.h"
#include "merge/track/facts.h"
#include "merge/v1/legacy_events.h"

// Memory of the ids of tasks of an input: those of more than a hundred million tasks.
#define TASKS_MAX_BYTES TP_MIB(16)

// OPTIONS

static bool is_id(const char *text)
{
    return text[strspn(text, "0123456789")] == '\0';
}

// Whether the text can be something else than itself as a regular expression.
static bool is_pattern(const char *text)
{
    return strpbrk(text, ".[\\()*+?{|^$") != NULL;
}

// Returns the length of what stands for itself at the front of a pattern, because Go's names have it and
// it is of no use in a regular expression: "(*" of a receiver, with `is_in_receiver` its ")", and "[...]"
// of type parameters.
static size_t literal_bytes(const char *text, bool is_in_receiver)
{
    static const char *const literals[] = {"(*", "[...]", ")"};
    for (size_t i = 0; i < TP_ARRAY_LEN(literals) - !is_in_receiver; i++) {
        if (strncmp(text, literals[i], strlen(literals[i])) == 0)
            return strlen(literals[i]);
    }
    return 0;
}

// Compiles a regular expression, as tp_regex_compile does.
static bool compile(regex_t *ret_pattern, const char *text, char why[static TP_REGEX_WHY_BYTES])
{
    char escaped[2 * TP_OPT_TEXT_MAX_BYTES + 1], *to = escaped;
    bool is_in_receiver = false;
    while (*text != '\0') {
        size_t n = literal_bytes(text, is_in_receiver);
        if (n > 0)
            is_in_receiver = *text == '(' || (is_in_receiver && *text != ')');
        for (size_t i = 0; i < n; i++) {
            *to++ = '\\';
            *to++ = *text++;
        }
        bool is_escape = n == 0 && *text == '\\' && text[1] != '\0';
        if (n == 0)
            *to++ = *text++;
        if (is_escape)
            *to++ = *text++;
    }
    *to = '\0';
    return tp_regex_compile(ret_pattern, escaped, REG_NOSUB, why);
}

int tp_event_choice_check(const struct tp_event_choice *c, struct tp_error *err)
{
    const char *digits = c->task;
    uint64_t id;
    if (c->task[0] != '\0' && is_id(c->task) &&
        (!tp_take_digits(&digits, &id) || id == 0 || id > INT64_MAX))
        return tp_fail(err, TP_E_USAGE,
                       "sink events: option 'task' must be an id from 1 to 9223372036854775807 or a "
                       "name, not '%.48s'",
                       c->task);
    regex_t pattern;
    char why[TP_REGEX_WHY_BYTES];
    if (compile(&pattern, c->function, why)) {
        regfree(&pattern);
        return 0;
    }
    return tp_fail(err, TP_E_USAGE,
                   "sink events: option 'function' must be a regular expression, not '%.48s': %s",
                   c->function, why);
}

int tp_event_filter_init(struct tp_event_filter *f, const struct tp_event_choice *c,
                         struct tp_error *err)
{
    char why[TP_REGEX_WHY_BYTES];
    f->choice = c;
    if (!is_pattern(c->function))
        return 0;
    if (!compile(&f->pattern, c->function, why))
        return tp_fail(err, TP_E_MEMORY, "out of memory for the option 'function' of events");
    f->has_pattern = true;
    return 0;
}

void tp_event_filter_fini(struct tp_event_filter *f)
{
    if (f->has_pattern)
        regfree(&f->pattern);
    f->has_pattern = false;
}

// TASKS

int tp_event_tasks_init(struct tp_event_tasks *t, const struct tp_event_choice *c,
                        struct tp_error *err)
{
    const char *digits = c->task;
    uint64_t id;
    tp_idset_init(&t->ids, TASKS_MAX_BYTES);
    return is_id(c->task) && tp_take_digits(&digits, &id) ? tp_idset_add(&t->ids, id, err) : 0;
}

void tp_event_tasks_fini(struct tp_event_tasks *t)
{
    tp_idset_fini(&t->ids);
}

static bool has_task(const struct tp_event_tasks *t, uint64_t id)
{
    return id != TP_NO_TASK && tp_idset_has(&t->ids, id);
}

// Adds the task that the event begins, if it has the wanted name or a wanted parent. A task that is wanted
// by its id is in the set from the beginning.
static int add_task(struct tp_event_tasks *t, const struct tp_event_choice *c,
                    const struct tp_event *e, const struct tp_tables *tables, struct tp_error *err)
{
    struct tp_task_event begun;
    if (tp_event_shapes[e->type].kind != TP_KIND_TASK_BEGIN ||
        !tp_event_task(e, tables, &begun) || begun.id == TP_NO_TASK)
        return 0;
    bool has_name = !is_id(c->task) && begun.name.len_bytes == strlen(c->task) &&
                    memcmp(begun.name.ptr, c->task, begun.name.len_bytes) == 0;
    return has_name || has_task(t, begun.parent) ? tp_idset_add(&t->ids, begun.id, err) : 0;
}

// EVENTS

static bool matches(struct tp_event_filter *f, struct tp_text name)
{
    const char *wanted = f->choice->function;
    if (!f->has_pattern)
        return memmem(name.ptr, name.len_bytes, wanted, strlen(wanted)) != NULL;
    // Not regexec with REG_STARTEND: the thread sanitizer takes it to read up to a NUL byte, past the name.
    const char *text = name.len_bytes > 0 ? name.ptr : "";
    regoff_t len_bytes = (regoff_t)name.len_bytes;
    return re_search(&f->pattern, text, len_bytes, 0, len_bytes, NULL) >= 0;
}

static bool is_name_wanted(struct tp_event_filter *f, uint32_t function,
                           const struct tp_tables *tables)
{
    size_t at = function % TP_EVENT_FILTER_NAMES;
    if (!f->names[at].is_known || f->names[at].function != function) {
        f->names[at].function = function;
        f->names[at].is_known = true;
        f->names[at].is_wanted = matches(f, tp_fact_text(function, tables));
    }
    return f->names[at].is_wanted;
}

// Whether the event concerns, in this role, a goroutine that agrees with all options. `g`: the goroutine.
static bool is_wanted(struct tp_event_filter *f, const struct tp_event *e, enum tp_track_role role,
                      int64_t g, const struct tp_track_whose *whose,
                      const struct tp_event_tasks *tasks, const struct tp_tables *tables)
{
    const struct tp_event_choice *c = f->choice;
    if (c->goroutine != -1 && g != c->goroutine)
        return false;
    if (c->task[0] != '\0' && !has_task(tasks, whose->task[role]) &&
        (role != TP_TRACK_CONTEXT || !has_task(tasks, tp_event_names_task(e))))
        return false;
    return c->function[0] == '\0' ||
           (g >= 0 && is_name_wanted(f, whose->function[role], tables));
}

int tp_event_filter_pick(struct tp_event_filter *f, const struct tp_block *block,
                         struct tp_event_tasks *tasks, struct tp_error *err)
{
    bool needs_whose = tp_event_choice_needs_whose(f->choice);
    const struct tp_track_whose *whose = needs_whose ? block->facts->whose.items : NULL;
    // If the tracker had no memory, it has dropped its facts, and the events end here.
    size_t count = needs_whose ? block->facts->whose.count : block->event_count;
    memset(f->names, 0, sizeof f->names);
    f->picked_count = 0;
    assert(count <= block->event_count && count <= TP_BLOCK_EVENTS);
    for (size_t i = 0; i < count; i++) {
        const struct tp_event *e = &block->events[i];
        const struct tp_track_whose *of = whose != NULL ? &whose[i] : NULL;
        int rc = f->choice->task[0] != '\0' ? add_task(tasks, f->choice, e, block->tables, err) : 0;
        if (rc != 0)
            return rc;
        int64_t changed = tp_event_changed_goroutine(e);
        if (is_wanted(f, e, TP_TRACK_CONTEXT, e->g, of, tasks, block->tables) ||
            (changed >= 0 &&
             is_wanted(f, e, TP_TRACK_CHANGED, changed, of, tasks, block->tables)))
            f->picked[f->picked_count++] = (uint16_t)i;
    }
    return 0;
}

// LEGACY EVENTS

// Whether the first argument of the events of this type is the goroutine that they are about.
static bool names_goroutine(unsigned type)
{
    switch (type) {
    case TP_V1_GoCreate:
    case TP_V1_GoStart:
    case TP_V1_GoStartLabel:
    case TP_V1_GoUnblock:
    case TP_V1_GoSysExit:
    case TP_V1_GoWaiting:
    case TP_V1_GoInSyscall: return true;
    default: return false;
    }
}

void tp_event_filter_pick_legacy(struct tp_event_filter *f, const struct tp_block *block)
{
    uint64_t wanted = (uint64_t)f->choice->goroutine;
    f->picked_count = 0;
    assert(block->event_count <= TP_BLOCK_EVENTS);
    for (size_t i = 0; i < block->event_count; i++) {
        const struct tp_legacy_event *e = &block->legacy_events[i];
        if (e->g == wanted || (names_goroutine(e->type) && tp_v1_arg(e, Named, g) == wanted))
            f->picked[f->picked_count++] = (uint16_t)i;
    }
}
