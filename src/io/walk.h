// Makes one ordered list of inputs from the words of the command line: paths, folders, lists
// of names, and "-". With `recursive` a folder stands for all regular files below it, in
// byte order of their paths; symbolic links inside it are not followed, and temporary files
// of this program (io/temp.h) are left out. One thread fills a list, before the run starts; blocks
// on the disk. Knows nothing about traces.
#ifndef TP_IO_WALK_H
#define TP_IO_WALK_H

#include "base/err.h"
#include "base/list.h"

// An input as named, before it is opened. The list owns it.
struct tp_input {
    char *path;        // as given or found; "-" for stdin
    const char *below; // part of `path` below the folder given with -r, else the last component;
                       // names the output if -o is a folder
    bool is_stdin;
    bool is_left_out;  // by the owner of the list
    // The sink that alone gets this input, which the run itself has named: its number, counted from 1. 0:
    // the user has named the input.
    unsigned char only_sink;
    bool is_found : 1; // below a folder of `roots`
    bool is_baseline : 1; // set by the owner: others are compared with it
    // The errno that says why the input cannot be opened or listed (ENOENT, EISDIR, EACCES, ...);
    // 0: none is known. The run reports the errno when the input's turn comes, so one bad name
    // never stops the others.
    int defect_errno;
    uint32_t place;     // for the owner of the list
    uint32_t copy;      // for the owner: above 1, in the names of its outputs
};

// Paths, which the owner of the list frees.
struct tp_path_list {
    TP_LIST(char *);
};

// All inputs of a run, in order. A zeroed list is empty. Constant once the run has started.
struct tp_input_list {
    TP_LIST(struct tp_input);
    struct tp_path_list lists; // paths, as given, of the lists of names read so far
    struct tp_path_list roots; // folders, as given, whose files are inputs
    bool stdin_taken; // stdin is an input or a list of names: it can be read only once
};

// Frees the list and all its paths.
void tp_input_list_fini(struct tp_input_list *list);

// Adds the inputs of one word of the command line; copies `path`. Fails only with TP_E_MEMORY,
// or with TP_E_USAGE if stdin is named twice, as an input or as a list of names. The inputs added
// before a failure stay in the list.
int tp_walk_add(struct tp_input_list *list, const char *path, bool recursive,
                struct tp_error *err) TP_MUST_USE;

// Adds every name in the list `list_path` ("-": stdin). A name ends with newline, or with NUL
// if `zero_ended`; it may hold any other byte except NUL. Skips empty names. Fails with TP_E_OPEN
// or TP_E_READ if the list cannot be read or is no list of names (a NUL in a line, or 64 KiB
// without an end); the names before that place have been added. Else fails as tp_walk_add does.
// At TP_E_OPEN and TP_E_READ err->path borrows `list_path`.
int tp_walk_add_list(struct tp_input_list *list, const char *list_path, bool zero_ended,
                     bool recursive, struct tp_error *err) TP_MUST_USE;

#endif
