// From the words of the command line to one ordered list of inputs: paths,
// folders (with `recursive`, all regular files below, in byte order of their
// paths; symbolic links inside a folder are not followed, and temporary files of runs of this
// program, see temp.h, are left out), lists of names, "-".
// Single-threaded, before the run starts. Knows nothing about traces.
#ifndef TP_IO_WALK_H
#define TP_IO_WALK_H

#include "base/err.h"

struct tp_input {
    char *path;        // as given or found; "-" for stdin
    const char *below; // part of `path` under its -r root, else its last component;
                       // names the output when -o is a folder
    bool is_stdin;
    int defect_errno;  // what opening would say (ENOENT, EISDIR, EACCES on a folder
                       // that cannot be listed); 0: looks fine. Reported by the run
                       // in its turn, so that one bad name never stops the others.
};

struct tp_input_list {
    struct tp_input *items;
    size_t count;
    size_t capacity;
    char **lists;     // paths of the lists of names that were read, as given; owned
    size_t list_count;
    size_t list_capacity;
    bool stdin_taken; // as an input or as a list of names: it can be read only once
};

void tp_input_list_init(struct tp_input_list *list);
void tp_input_list_fini(struct tp_input_list *list);

// Adds one word of the command line. Fails only for lack of memory (TP_E_MEMORY)
// or when stdin is named twice, lists included (TP_E_USAGE).
int tp_walk_add(struct tp_input_list *list, const char *path, bool recursive,
                struct tp_error *err) TP_MUST_USE;

// Adds every name in `list_path` ("-": stdin): one per line, or ended by NUL
// with `zero_ended`. Empty names are skipped; names may hold any other byte but
// NUL. TP_E_OPEN/TP_E_READ when the list itself cannot be read or is none (a NUL
// or 64 KiB without an end); names before that place have been added. Else fails
// as tp_walk_add.
int tp_walk_add_list(struct tp_input_list *list, const char *list_path, bool zero_ended,
                     bool recursive, struct tp_error *err) TP_MUST_USE;

#endif
