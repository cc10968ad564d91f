#include "stats/names/stack_places.h"

#include "stats/figures/stack_sums.h"

// How many of the innermost frames are searched for methods of locks.
#define LOCK_FRAMES 8

static const char *const lock_methods[] = {"sync.(*Mutex).", "sync.(*RWMutex).",
                                           "internal/sync.(*Mutex).", NULL};
static const char *const sync_packages[] = {"sync.", "internal/sync.", "runtime.", NULL};
// Prefixes of the packages through which programs make system calls.
static const char *const system_packages[] = {"syscall.", "internal/",         "runtime.",
                                              "os.",      "golang.org/x/sys/", NULL};

static bool is_lock(size_t frame_count, tp_totals_function_fn function, const void *ctx)
{
    for (size_t i = 0; i < frame_count && i < LOCK_FRAMES; i++) {
        if (tp_span_begins_with_any(function(ctx, i), lock_methods))
            return true;
    }
    return false;
}

// Returns the innermost frame whose function begins with none of the prefixes, or the
// outermost one.
static size_t caller_of(size_t frame_count, tp_totals_function_fn function, const void *ctx,
                        const char *const *prefixes)
{
    size_t at = 0;
    while (at + 1 < frame_count && tp_span_begins_with_any(function(ctx, at), prefixes))
        at++;
    return at;
}

struct tp_stack_place tp_stack_place_of(unsigned type, size_t frame_count,
                                        tp_totals_function_fn function, const void *ctx)
{
    struct tp_stack_place place = {0};
    switch ((enum tp_stack_type)type) {
    case TP_STACK_SYSCALL:
    case TP_STACK_SYSCALL_OPEN:
        place.frame = caller_of(frame_count, function, ctx, system_packages);
        return place;
    case TP_STACK_SYNC:
    case TP_STACK_SYNC_OPEN: place.is_lock = is_lock(frame_count, function, ctx); break;
    default: break;
    }
    place.frame = caller_of(frame_count, function, ctx, sync_packages);
    return place;
}
