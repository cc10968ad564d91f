// Finds outputs that are the same file as another output or as a file that the run reads, and
// inputs that are one file, by device and inode, whatever their names are. Several outputs may
// share a terminal or another device. A path that cannot be looked up counts as no file. After a
// failure nothing was added. Single-threaded, before the run starts.
#ifndef TP_PIPELINE_COMMIT_OVERLAP_H
#define TP_PIPELINE_COMMIT_OVERLAP_H

#include "base/list.h"
#include "io/walk.h"

struct tp_overlap_file;

// The outputs that exist already. Starts zeroed. Owns the list, borrows the names.
struct tp_overlap {
    TP_LIST(struct tp_overlap_file);
};

// Frees the list.
void tp_overlap_fini(struct tp_overlap *o);

// Notes an output that is written in place ("-": standard output), if it is a regular file, a pipe
// or a socket. Borrows `path`. Call for all such outputs before tp_overlap_note.
// TP_E_USAGE: an output noted earlier leads to the same file. TP_E_MEMORY.
int tp_overlap_note_in_place(struct tp_overlap *o, const char *path,
                             struct tp_error *err) TP_MUST_USE;

// Notes the regular file that has `path` now; an output gets this path, by a rename, when it is
// complete. Does nothing if there is no such file. Borrows `path`. TP_E_USAGE: the rename would
// replace an output that is written in place. TP_E_MEMORY.
int tp_overlap_note(struct tp_overlap *o, const char *path, struct tp_error *err) TP_MUST_USE;

// Compares all inputs, and the lists that named them, with the noted files; call after all notes.
// TP_E_USAGE: an input or a list is a noted file; the text has its name and that of the output.
// Costs a stat for each input, and nothing if no file was noted.
int tp_overlap_check(struct tp_overlap *o, const struct tp_input_list *inputs,
                     struct tp_error *err) TP_MUST_USE;
// Compares one more file that the run reads with the noted files, as tp_overlap_check does with
// inputs. Call after tp_overlap_check. `what` names the kind of the file in the error's text.
int tp_overlap_check_file(const struct tp_overlap *o, const char *path, const char *what,
                          struct tp_error *err) TP_MUST_USE;

// The inputs that are the same regular file as an earlier input.
struct tp_overlap_repeats {
    size_t count;
    const char *again; // path of the first of them; borrowed from the inputs; NULL: there is none
    const char *first; // path of the earlier input that is the same file
};

// Finds those inputs. Costs a stat for each input, and nothing for a single one. TP_E_MEMORY.
int tp_overlap_find_repeats(const struct tp_input_list *inputs,
                            struct tp_overlap_repeats *ret_repeats,
                            struct tp_error *err) TP_MUST_USE;

// Returns the part of a name that a message shows: its last 80 bytes, which identify the file
// better than the first ones. Borrowed from `name`.
const char *tp_overlap_shown(const char *name);

#endif
