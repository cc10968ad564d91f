#include "merge/track/goroutine_name.h"

#include "merge/tables/read.h"
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

struct tp_root tp_root_of_stack(const struct tp_tables *t, uint32_t stack)
{
    const struct tp_stack_def *def = &t->stacks.items[stack];
    if (def->frame_count == 0)
        return (struct tp_root){TP_STRING_EMPTY, TP_ROOT_NONE};
    const unsigned char *frame = tp_table_last_frame(def->frames + def->frames_bytes);
    struct tp_root root = {.name = function_at(t, frame)};
    root.kind = kind_of(t, root.name);
    if (root.kind != TP_ROOT_NONE && def->frame_count >= TP_WHOLE_STACK_FRAMES)
        root.kind = TP_ROOT_CUT;
    if (root.kind != TP_ROOT_WRAPPER || def->frame_count < 2)
        return root;
    // The next frame is the function that the wrapper calls, unless the goroutine was stopped before that
    // call: then it is a function of the runtime.
    uint32_t called = function_at(t, tp_table_last_frame(frame));
    return kind_of(t, called) == TP_ROOT_PROPER ? (struct tp_root){called, TP_ROOT_PROPER} : root;
}
