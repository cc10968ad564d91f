#include "pipeline/overlap.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"

// How much of a name a message shows: the message has two of them.
#define SHOWN_NAME_BYTES 80

struct tp_overlap_file {
    dev_t dev;
    ino_t ino;
    const char *name; // borrowed
};

void tp_overlap_fini(struct tp_overlap *o)
{
    tp_free(o->files);
    *o = (struct tp_overlap){0};
}

static int note(struct tp_overlap *o, const struct stat *st, const char *name,
                struct tp_error *err)
{
    if (!S_ISREG(st->st_mode))
        return 0;
    if (o->count == o->capacity) {
        size_t capacity = o->capacity == 0 ? 16 : 2 * o->capacity, len_bytes;
        struct tp_overlap_file *bigger =
            __builtin_mul_overflow(capacity, sizeof *bigger, &len_bytes)
                ? NULL
                : tp_realloc(o->files, len_bytes);
        if (bigger == NULL)
            return tp_fail(err, TP_E_MEMORY, "out of memory for output names");
        o->files = bigger;
        o->capacity = capacity;
    }
    o->files[o->count++] = (struct tp_overlap_file){st->st_dev, st->st_ino, name};
    return 0;
}

int tp_overlap_note(struct tp_overlap *o, const char *path, struct tp_error *err)
{
    struct stat st;
    return stat(path, &st) == 0 ? note(o, &st, path, err) : 0;
}

int tp_overlap_note_fd(struct tp_overlap *o, int fd, const char *name, struct tp_error *err)
{
    struct stat st;
    return fstat(fd, &st) == 0 ? note(o, &st, name, err) : 0;
}

static int by_file(const void *a, const void *b)
{
    const struct tp_overlap_file *x = a, *y = b;
    if (x->dev != y->dev)
        return x->dev < y->dev ? -1 : 1;
    return x->ino < y->ino ? -1 : x->ino > y->ino;
}

// The end of a path says more than its start.
static const char *shown(const char *name)
{
    size_t n = strlen(name);
    return n > SHOWN_NAME_BYTES ? name + n - SHOWN_NAME_BYTES : name;
}

int tp_overlap_check(struct tp_overlap *o, const struct tp_input_list *inputs,
                     struct tp_error *err)
{
    if (o->count == 0)
        return 0;
    qsort(o->files, o->count, sizeof o->files[0], by_file);
    for (size_t i = 0; i < inputs->count; i++) {
        const struct tp_input *input = &inputs->items[i];
        struct stat st;
        int rc = input->is_stdin ? fstat(STDIN_FILENO, &st) : stat(input->path, &st);
        if (rc != 0 || !S_ISREG(st.st_mode))
            continue;
        const struct tp_overlap_file key = {st.st_dev, st.st_ino, NULL};
        const struct tp_overlap_file *found =
            bsearch(&key, o->files, o->count, sizeof o->files[0], by_file);
        if (found != NULL)
            return tp_fail(err, TP_E_USAGE, "the output '%s' is the input '%s'",
                           shown(found->name),
                           input->is_stdin ? "standard input" : shown(input->path));
    }
    return 0;
}
