#include "full_tables.h"

#include <stdlib.h>

#define FRAMES_MAX 128

static void put_strings(struct full_tables *t)
{
    static const char *const texts[] = {
#define TP_X(text, bytes) bytes,
        FULL_TEXTS(TP_X)
#undef TP_X
    };
    table_begin(&t->strings, TP_BATCH_STRINGS);
    for (unsigned i = 0; i < FULL_TEXT_COUNT; i++)
        table_put_string(&t->strings, full_string(t->number, (enum full_text)i), texts[i]);
}

// Puts a stack of `depth` frames: the outermost of `func`, all others of `inner`.
static void put_stack_of(struct full_tables *t, enum full_stack stack, size_t depth,
                         enum full_text inner, uint64_t func)
{
    struct table_frame frames[FRAMES_MAX] = {0};
    uint64_t file = full_string(t->number, TEXT_FILE);
    for (size_t i = 0; i < depth; i++)
        frames[i] = (struct table_frame){0x1000, full_string(t->number, inner), file, 7};
    if (depth > 0)
        frames[depth - 1] = (struct table_frame){0x2000 + func % 100, func, file, 9};
    table_put_stack(&t->stacks, full_stack(t->number, stack), frames, depth);
}

static void put_stack(struct full_tables *t, enum full_stack stack, size_t depth, uint64_t func)
{
    put_stack_of(t, stack, depth, TEXT_LEAF, func);
}

static void put_stacks(struct full_tables *t)
{
    static const enum full_text roots[] = {[STACK_WORK] = TEXT_WORK,
                                           [STACK_OTHER] = TEXT_OTHER,
                                           [STACK_MAIN] = TEXT_MAIN,
                                           [STACK_SWEEPER] = TEXT_SWEEPER,
                                           [STACK_SCAVENGER] = TEXT_SCAVENGER};
    table_begin(&t->stacks, TP_BATCH_STACKS);
    for (unsigned i = 0; i < TP_ARRAY_LEN(roots); i++)
        put_stack(t, (enum full_stack)i, 2, full_string(t->number, roots[i]));
    put_stack(t, STACK_DEEP, 120, full_string(t->number, TEXT_OTHER));
    put_stack(t, STACK_LESS_DEEP, 119, full_string(t->number, TEXT_OTHER));
    put_stack(t, STACK_NO_FRAMES, 0, 0);
    put_stack(t, STACK_NAMELESS, 1, 0);
    uint64_t wrapper = full_string(t->number, TEXT_WRAPPER);
    put_stack(t, STACK_WRAPPER, 1, wrapper);
    put_stack(t, STACK_WRAPPED, 2, wrapper);
    put_stack_of(t, STACK_STOPPED, 2, TEXT_SWEEPER, wrapper);
    put_stack_of(t, STACK_LIBRARY, 2, TEXT_SWEEPER, full_string(t->number, TEXT_LIBRARY));
    put_stack(t, STACK_HANDLER, 2, full_string(t->number, TEXT_LIBRARY));
}

struct full_tables *full_tables_make(uint64_t number)
{
    return full_tables_make_of(number, 26);
}

struct full_tables *full_tables_make_of(uint64_t number, uint32_t minor)
{
    struct full_tables *t = malloc(sizeof *t);
    if (t == NULL)
        abort();
    t->number = number;
    put_strings(t);
    put_stacks(t);
    t->tables = table_create(26);
    table_add_sync(t->tables, 0, 0);
    if (table_add(t->tables, TP_BATCH_STRINGS, &t->strings, NULL) != 0 ||
        table_add(t->tables, TP_BATCH_STACKS, &t->stacks, NULL) != 0 ||
        tp_tables_finish(t->tables, NULL) != 0)
        abort();
    t->tables->minor = minor; // its Sync batch is that of a later one
    return t;
}

void full_tables_drop(struct full_tables *t)
{
    tp_tables_release(t->tables);
    free(t);
}
