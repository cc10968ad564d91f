#include "io/walk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/span.h"
#include "io/temp.h"

// Limit of a name in a list of names; a file with a longer one is no list of names. The kernel
// accepts no path beyond 4 KiB: a name between the two limits becomes an input with the defect
// ENAMETOOLONG.
#define LIST_NAME_MAX_BYTES TP_KIB(64)

static int fail_memory(struct tp_error *err)
{
    return tp_fail(err, TP_E_MEMORY, "out of memory for the list of inputs");
}

static void free_paths(struct tp_path_list *paths)
{
    for (size_t i = 0; i < paths->count; i++)
        tp_free(paths->items[i]);
    tp_free(paths->items);
}

void tp_input_list_fini(struct tp_input_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        tp_free(list->items[i].path);
    tp_free(list->items);
    free_paths(&list->lists);
    free_paths(&list->roots);
    *list = (struct tp_input_list){0};
}

// Takes ownership of `path` in every case. NULL stands for a failed allocation of the caller.
static int push_input(struct tp_input_list *list, char *path, size_t below_idx, int defect_errno,
                      struct tp_error *err)
{
    if (path != NULL && TP_LIST_ADD(list, (struct tp_input){.path = path,
                                                            .below = path + below_idx,
                                                            .defect_errno = defect_errno}))
        return 0;
    tp_free(path);
    return fail_memory(err);
}

// Takes ownership of `path` in every case. NULL stands for a failed allocation of the caller.
static int push_path(struct tp_path_list *list, char *path, struct tp_error *err)
{
    if (path != NULL && TP_LIST_ADD(list, path))
        return 0;
    tp_free(path);
    return fail_memory(err);
}

static char *joined(const char *folder, const char *name)
{
    size_t folder_bytes = strlen(folder), len_bytes = folder_bytes + 1 + strlen(name) + 1;
    const char *slash = folder_bytes > 0 && folder[folder_bytes - 1] == '/' ? "" : "/";
    char *path = tp_alloc(len_bytes);
    if (path != NULL)
        snprintf(path, len_bytes, "%s%s%s", folder, slash, name);
    return path;
}

// Returns the index in `path` of the last component, to which slashes at the end belong.
static size_t last_component_idx(const char *path)
{
    size_t i = strlen(path);
    while (i > 0 && path[i - 1] == '/')
        i--;
    while (i > 0 && path[i - 1] != '/')
        i--;
    return i;
}

static unsigned char type_of_mode(mode_t mode)
{
    return S_ISREG(mode) ? DT_REG : S_ISDIR(mode) ? DT_DIR : DT_LNK;
}

static int take_entry(struct tp_input_list *list, struct tp_path_list *todo, const char *folder,
                      size_t below_idx, int folder_fd, const struct dirent *entry,
                      struct tp_error *err)
{
    const char *name = entry->d_name;
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        return 0;
    unsigned char type = entry->d_type;
    if (type == DT_UNKNOWN) {
        struct stat st;
        if (fstatat(folder_fd, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
            return push_input(list, joined(folder, name), below_idx, errno, err);
        type = type_of_mode(st.st_mode);
    }
    // Leave out the temporary file of a run, running or killed: it is no trace.
    if (type == DT_REG && tp_temp_is_name(name))
        return 0;
    if (type == DT_REG)
        return push_input(list, joined(folder, name), below_idx, 0, err);
    if (type == DT_DIR)
        return push_path(todo, joined(folder, name), err);
    return 0;
}

// Adds the files in one folder to `list`, and the folders in it to `todo`. A folder that cannot be
// listed to its end becomes an input with the errno as its defect.
static int list_folder(struct tp_input_list *list, struct tp_path_list *todo, const char *folder,
                       size_t below_idx, bool is_root, struct tp_error *err)
{
    // The root may be a symbolic link. Below it use O_NOFOLLOW: a link that has replaced a folder
    // since its parent was listed must not lead outside.
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC | (is_root ? 0 : O_NOFOLLOW));
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    int rc = 0;
    int defect_errno = 0;
    while (dir != NULL && rc == 0) {
        errno = 0;
        const struct dirent *entry = readdir(dir);
        if (entry == NULL) {
            defect_errno = errno;
            break;
        }
        rc = take_entry(list, todo, folder, below_idx, fd, entry, err);
    }
    if (dir == NULL)
        defect_errno = errno;
    if (dir != NULL)
        closedir(dir);
    else if (fd >= 0)
        close(fd);
    if (rc == 0 && defect_errno != 0)
        rc = push_input(list, tp_strdup(folder), is_root ? last_component_idx(folder) : below_idx,
                        defect_errno, err);
    return rc;
}

// Compares paths byte by byte, as unsigned numbers.
static int compare_paths(const void *a, const void *b)
{
    return strcmp(((const struct tp_input *)a)->path, ((const struct tp_input *)b)->path);
}

// Adds all files below a root. Sorts them at the end, by whole paths: "a-b" and "a.b" come before
// "a/b", an order in which no walk from folder to folder finds them.
static int walk_root(struct tp_input_list *list, const char *root, struct tp_error *err)
{
    size_t first_idx = list->count;
    size_t root_bytes = strlen(root);
    size_t below_idx = root_bytes + (root[root_bytes - 1] == '/' ? 0 : 1);
    // The folders still to be listed. Recursion instead would cost stack and open descriptors at
    // each level.
    struct tp_path_list todo = {0};
    int rc = push_path(&list->roots, tp_strdup(root), err);
    if (rc == 0)
        rc = list_folder(list, &todo, root, below_idx, true, err);
    while (rc == 0 && todo.count > 0) {
        char *folder = todo.items[--todo.count];
        rc = list_folder(list, &todo, folder, below_idx, false, err);
        tp_free(folder);
    }
    free_paths(&todo);
    for (size_t i = first_idx; i < list->count; i++)
        list->items[i].is_found = true;
    if (list->count > first_idx)
        qsort(list->items + first_idx, list->count - first_idx, sizeof *list->items,
              compare_paths);
    return rc;
}

static int add_stdin(struct tp_input_list *list, struct tp_error *err)
{
    if (list->stdin_taken)
        return tp_fail(err, TP_E_USAGE, "standard input (\"-\") is given twice");
    int rc = push_input(list, tp_strdup("-"), 0, 0, err);
    if (rc != 0)
        return rc;
    list->items[list->count - 1].is_stdin = true;
    list->stdin_taken = true;
    return 0;
}

int tp_walk_add(struct tp_input_list *list, const char *path, bool recursive, struct tp_error *err)
{
    if (strcmp(path, "-") == 0)
        return add_stdin(list, err);
    struct stat st;
    int defect_errno = 0;
    if (stat(path, &st) != 0) {
        defect_errno = errno;
    } else if (S_ISDIR(st.st_mode)) {
        if (recursive)
            return walk_root(list, path, err);
        defect_errno = EISDIR;
    }
    return push_input(list, tp_strdup(path), last_component_idx(path), defect_errno, err);
}

// State of the reading of a list of names. `name` collects the bytes of the current name.
struct name_list {
    struct tp_input_list *list;
    bool zero_ended;
    bool recursive;
    char *name; // LIST_NAME_MAX_BYTES + 1
    size_t name_bytes;
    uint64_t offset; // of the current byte, in the list
};

static int end_name(struct name_list *n, struct tp_error *err)
{
    if (n->name_bytes == 0)
        return 0;
    n->name[n->name_bytes] = '\0';
    n->name_bytes = 0;
    return tp_walk_add(n->list, n->name, n->recursive, err);
}

static int take_bytes(struct name_list *n, struct tp_span bytes, struct tp_error *err)
{
    const unsigned char end = n->zero_ended ? '\0' : '\n';
    for (size_t i = 0; i < bytes.len_bytes; i++, n->offset++) {
        unsigned char byte = bytes.ptr[i];
        if (byte == end) {
            int rc = end_name(n, err);
            if (rc != 0)
                return rc;
            continue;
        }
        if (byte == '\0')
            return tp_fail_at(err, TP_E_READ, n->offset,
                              "NUL byte in a list of names, one per line");
        if (n->name_bytes == LIST_NAME_MAX_BYTES)
            return tp_fail_at(err, TP_E_READ, n->offset, "not a list of names: a name is too long");
        n->name[n->name_bytes++] = (char)byte;
    }
    return 0;
}

static int read_list(struct name_list *n, int fd, struct tp_error *err)
{
    unsigned char bytes[16384];
    for (;;) {
        ssize_t got = read(fd, bytes, sizeof bytes);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            tp_fail_errno(err, TP_E_READ, errno, "cannot read the list of names");
            err->offset = n->offset;
            return err->code;
        }
        if (got == 0)
            return end_name(n, err);
        int rc = take_bytes(n, tp_span_of(bytes, (size_t)got), err);
        if (rc != 0)
            return rc;
    }
}

static int add_list(struct tp_input_list *list, const char *list_path, bool zero_ended,
                    bool recursive, struct tp_error *err)
{
    bool is_stdin = strcmp(list_path, "-") == 0;
    if (is_stdin && list->stdin_taken)
        return tp_fail(err, TP_E_USAGE, "standard input (\"-\") is given twice");
    int fd = is_stdin ? STDIN_FILENO : open(list_path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return tp_fail_errno(err, TP_E_OPEN, errno, "cannot open the list of names");
    list->stdin_taken |= is_stdin;
    struct name_list n = {.list = list,
                          .zero_ended = zero_ended,
                          .recursive = recursive,
                          .name = tp_alloc(LIST_NAME_MAX_BYTES + 1)};
    int rc = n.name != NULL ? push_path(&list->lists, tp_strdup(list_path), err) : fail_memory(err);
    if (rc == 0)
        rc = read_list(&n, fd, err);
    tp_free(n.name);
    if (!is_stdin)
        close(fd);
    return rc;
}

int tp_walk_add_list(struct tp_input_list *list, const char *list_path, bool zero_ended,
                     bool recursive, struct tp_error *err)
{
    struct tp_error unasked;
    err = err != NULL ? err : &unasked;
    int rc = add_list(list, list_path, zero_ended, recursive, err);
    if (rc == TP_E_OPEN || rc == TP_E_READ)
        err->path = list_path;
    return rc;
}
