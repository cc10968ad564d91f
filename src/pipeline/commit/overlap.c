#include "pipeline/commit/overlap.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/sort/compare.h"

// Largest number of bytes of a name in a message, which shows two names.
#define SHOWN_NAME_BYTES 80

struct tp_overlap_file {
    dev_t dev;
    ino_t ino;
    const char *name; // borrowed
    bool is_in_place;
};

void tp_overlap_fini(struct tp_overlap *o)
{
    tp_free(o->items);
    *o = (struct tp_overlap){0};
}

const char *tp_overlap_shown(const char *name)
{
    size_t n = strlen(name);
    return n > SHOWN_NAME_BYTES ? name + n - SHOWN_NAME_BYTES : name;
}

static int note(struct tp_overlap *o, const struct stat *st, const char *name, bool is_in_place,
                struct tp_error *err)
{
    return TP_LIST_ADD(o, (struct tp_overlap_file){st->st_dev, st->st_ino, name, is_in_place})
               ? 0
               : tp_fail(err, TP_E_MEMORY, "out of memory for output names");
}

// Fails with TP_E_USAGE if the file is an output written in place. These come first in the list, at
// most one for each sink.
static int check_in_place(const struct tp_overlap *o, const struct stat *st, const char *name,
                          struct tp_error *err)
{
    for (size_t i = 0; i < o->count && o->items[i].is_in_place; i++) {
        const struct tp_overlap_file *f = &o->items[i];
        if (f->dev == st->st_dev && f->ino == st->st_ino)
            return tp_fail(err, TP_E_USAGE, "the outputs '%s' and '%s' are the same file",
                           tp_overlap_shown(f->name), tp_overlap_shown(name));
    }
    return 0;
}

// Reads the facts about a file; "-" stands for the descriptor `std_fd`. Returns the name of the
// file for messages, where "-" is called `std_name`. NULL: there is no such file.
static const char *find(const char *path, int std_fd, const char *std_name, struct stat *ret_st)
{
    if (strcmp(path, "-") == 0)
        return fstat(std_fd, ret_st) == 0 ? std_name : NULL;
    return stat(path, ret_st) == 0 ? path : NULL;
}

int tp_overlap_note_in_place(struct tp_overlap *o, const char *path, struct tp_error *err)
{
    struct stat st;
    const char *name = find(path, STDOUT_FILENO, "standard output", &st);
    if (name == NULL || !(S_ISREG(st.st_mode) || S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode)))
        return 0;
    int rc = check_in_place(o, &st, name, err);
    return rc != 0 ? rc : note(o, &st, name, true, err);
}

int tp_overlap_note(struct tp_overlap *o, const char *path, struct tp_error *err)
{
    struct stat st;
    // The output replaces a symbolic link itself, not its target.
    int rc = lstat(path, &st) == 0 ? check_in_place(o, &st, path, err) : 0;
    if (rc != 0 || stat(path, &st) != 0 || !S_ISREG(st.st_mode))
        return rc;
    return note(o, &st, path, false, err);
}

static int by_file(const void *a, const void *b)
{
    const struct tp_overlap_file *x = a, *y = b;
    return x->dev != y->dev ? tp_compare_u64(x->dev, y->dev) : tp_compare_u64(x->ino, y->ino);
}

int tp_overlap_check_file(const struct tp_overlap *o, const char *path, const char *what,
                          struct tp_error *err)
{
    struct stat st;
    const char *name = o->count > 0 ? find(path, STDIN_FILENO, "standard input", &st) : NULL;
    if (name == NULL || !S_ISREG(st.st_mode))
        return 0;
    const struct tp_overlap_file key = {.dev = st.st_dev, .ino = st.st_ino};
    const struct tp_overlap_file *found =
        bsearch(&key, o->items, o->count, sizeof o->items[0], by_file);
    return found == NULL ? 0
                         : tp_fail(err, TP_E_USAGE, "the output '%s' is the %s '%s'",
                                   tp_overlap_shown(found->name), what, tp_overlap_shown(name));
}

int tp_overlap_check(struct tp_overlap *o, const struct tp_input_list *inputs,
                     struct tp_error *err)
{
    int rc = 0;
    if (o->count > 0)
        qsort(o->items, o->count, sizeof o->items[0], by_file);
    for (size_t i = 0; i < inputs->count && rc == 0; i++)
        rc = tp_overlap_check_file(o, inputs->items[i].path, "input", err);
    for (size_t i = 0; i < inputs->lists.count && rc == 0; i++)
        rc = tp_overlap_check_file(o, inputs->lists.items[i], "list of names", err);
    return rc;
}

struct input_file {
    dev_t dev;
    ino_t ino;
    size_t idx; // of the input
    bool is_baseline; // both sides of a comparison may have the same files
};

static int by_file_and_idx(const void *a, const void *b)
{
    const struct input_file *x = a, *y = b;
    int order = x->dev != y->dev ? tp_compare_u64(x->dev, y->dev) : tp_compare_u64(x->ino, y->ino);
    if (order == 0)
        order = x->is_baseline - y->is_baseline;
    return order != 0 ? order : tp_compare_u64(x->idx, y->idx);
}

// Counts the repeats in the sorted list and finds the one that comes first among the inputs.
static void count_repeats(const struct tp_input_list *inputs, const struct input_file *files,
                          size_t count, struct tp_overlap_repeats *ret_repeats)
{
    size_t least = SIZE_MAX, first = 0;
    for (size_t i = 1; i < count; i++) {
        bool is_repeat = files[i].dev == files[first].dev && files[i].ino == files[first].ino &&
                         files[i].is_baseline == files[first].is_baseline;
        if (!is_repeat)
            first = i;
        ret_repeats->count += is_repeat;
        if (!is_repeat || files[i].idx > least)
            continue;
        least = files[i].idx;
        ret_repeats->again = inputs->items[files[i].idx].path;
        ret_repeats->first = inputs->items[files[first].idx].path;
    }
}

int tp_overlap_find_repeats(const struct tp_input_list *inputs,
                            struct tp_overlap_repeats *ret_repeats, struct tp_error *err)
{
    *ret_repeats = (struct tp_overlap_repeats){0};
    if (inputs->count < 2)
        return 0;
    struct input_file *files = tp_alloc_array(inputs->count, sizeof *files);
    if (files == NULL)
        return tp_fail(err, TP_E_MEMORY, "out of memory for input names");
    size_t count = 0;
    for (size_t i = 0; i < inputs->count; i++) {
        struct stat st;
        if (find(inputs->items[i].path, STDIN_FILENO, "", &st) != NULL && S_ISREG(st.st_mode))
            files[count++] = (struct input_file){st.st_dev, st.st_ino, i, inputs->items[i].is_baseline};
    }
    qsort(files, count, sizeof *files, by_file_and_idx);
    count_repeats(inputs, files, count, ret_repeats);
    tp_free(files);
    return 0;
}
