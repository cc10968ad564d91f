#include "merge/track/goroutine_name.h"

#include "merge/tables/read.h"
#include "base/text/std_package.h"
#include "base/text/system_name.h"

// Whether the name is that of a wrapper of Go 1.22 and later, such as "main.serve.gowrap2".
static bool is_wrapper(struct tp_span name)
{
    static const char mark[] = ".gowrap";
    const size_t mark_bytes = sizeof mark - 1;
    size_t end = name.len_bytes;
    while (end > 0 && name.ptr[end - 1] >= '0' && name.ptr[end - 1] <= '9')
        end--;
    return end < name.len_bytes && end >= mark_bytes &&
           memcmp(name.ptr + end - mark_bytes, mark, mark_bytes) == 0;
}

static uint32_t function_at(const struct tp_tables *t, const unsigned char *frame)
{
    (void)tp_table_take_known(&frame); // skips the PC
    return tp_string_or_empty(tp_tables_string_idx(t, tp_table_take_known(&frame)));
}

static enum tp_root_kind kind_of(const struct tp_tables *t, uint32_t name)
{
    if (name == TP_STRING_EMPTY || t->strings.items[name].len_bytes == 0)
        return TP_ROOT_NONE;
    if (is_wrapper(t->strings.items[name]))
        return TP_ROOT_WRAPPER;
    return tp_is_system_goroutine(t->strings.items[name]) ? TP_ROOT_RUNTIME : TP_ROOT_PROPER;
}

static const struct wrapper {
    const char *function, *library;
} wrappers[] = {
#define TP_WRAPPER(function, library) {function, library},
#include "merge/track/wrappers.def"
#undef TP_WRAPPER
};

// Returns the wrapper that is this start function; NULL: it is none.
static const struct wrapper *wrapper_of(struct tp_span function)
{
    for (size_t i = 0; i < TP_ARRAY_LEN(wrappers); i++) {
        if (tp_span_begins_with(function, wrappers[i].function))
            return &wrappers[i];
    }
    return NULL;
}

bool tp_wrapped_next(const struct tp_span *functions, struct tp_wrapped *io)
{
    while (io->at > 0) {
        io->function = functions[--io->at];
        if (!tp_is_std_function(io->function) && !tp_span_begins_with(io->function, io->library))
            return io->function.len_bytes > 0;
    }
    return false;
}

bool tp_wrapped_of(const struct tp_span *functions, size_t count, struct tp_wrapped *ret)
{
    // The outermost function may be the compiler's wrapper for `go f(x)`.
    size_t at = count > 0 && is_wrapper(functions[count - 1]) ? count - 1 : count;
    const struct wrapper *w = at > 0 ? wrapper_of(functions[at - 1]) : NULL;
    if (w == NULL)
        return false;
    *ret = (struct tp_wrapped){.wrapper = functions[at - 1], .library = w->library, .at = at - 1};
    return tp_wrapped_next(functions, ret);
}

size_t tp_functions_of_stack(const struct tp_tables *t, uint32_t stack, struct tp_span *functions)
{
    const struct tp_stack_def *def = &t->stacks.items[stack];
    const unsigned char *frame = def->frames;
    size_t count = 0;
    for (; count < def->frame_count && count < TP_WHOLE_STACK_FRAMES; count++) {
        uint64_t id = tp_table_take_frame(&frame).function;
        functions[count] = t->strings.items[tp_string_or_empty(tp_tables_string_idx(t, id))];
    }
    return count;
}

// Notes whether the root is a wrapper, and whether the stack shows what it wraps.
static struct tp_root look_through(const struct tp_tables *t, uint32_t stack, struct tp_root root)
{
    struct tp_span functions[TP_WHOLE_STACK_FRAMES];
    struct tp_wrapped wrapped;
    root.is_wrapper = root.kind == TP_ROOT_PROPER && wrapper_of(t->strings.items[root.name]) != NULL;
    root.shows_wrapped = root.is_wrapper &&
                         tp_wrapped_of(functions, tp_functions_of_stack(t, stack, functions), &wrapped);
    return root;
}

static struct tp_root root_of(const struct tp_tables *t, uint32_t stack)
{
    const struct tp_stack_def *def = &t->stacks.items[stack];
    if (def->frame_count == 0)
        return (struct tp_root){.name = TP_STRING_EMPTY, .kind = TP_ROOT_NONE};
    const unsigned char *frame = tp_table_last_frame(def->frames + def->frames_bytes);
    struct tp_root root = {.name = function_at(t, frame)};
    root.kind = (uint8_t)kind_of(t, root.name);
    if (root.kind != TP_ROOT_NONE && def->frame_count >= TP_WHOLE_STACK_FRAMES)
        root.kind = TP_ROOT_CUT;
    if (root.kind != TP_ROOT_WRAPPER || def->frame_count < 2)
        return root;
    // The next frame is the function that the wrapper calls, unless the goroutine was stopped before that
    // call: then it is a function of the runtime.
    uint32_t called = function_at(t, tp_table_last_frame(frame));
    return kind_of(t, called) == TP_ROOT_PROPER
               ? (struct tp_root){.name = called, .kind = TP_ROOT_PROPER}
               : root;
}

struct tp_root tp_root_of_stack(const struct tp_tables *t, uint32_t stack)
{
    return look_through(t, stack, root_of(t, stack));
}
