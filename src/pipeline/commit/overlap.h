// Finds outputs that are the same file as another output or as a file that the run reads, by
// device and inode, whatever their names are. Several outputs may share a terminal or another
// device. Single-threaded, before the run starts.
#ifndef TP_PIPELINE_COMMIT_OVERLAP_H
#define TP_PIPELINE_COMMIT_OVERLAP_H

#include "base/list.h"
#include "io/walk.h"

struct tp_overlap_file;

// The outputs that exist already. Zeroed to begin with.
struct tp_overlap {
    TP_LIST(struct tp_overlap_file);
};

void tp_overlap_fini(struct tp_overlap *o);

// Notes an output that is written in place ("-": standard output) as far as it is a regular
// file, a pipe or a socket. `path` is borrowed. Call for all of these before tp_overlap_note.
// TP_E_USAGE: an output noted before leads to the same file. TP_E_MEMORY.
int tp_overlap_note_in_place(struct tp_overlap *o, const char *path,
                             struct tp_error *err) TP_MUST_USE;

// Notes the regular file behind the path of an output that takes a name when it is complete;
// does nothing if there is none. `path` is borrowed. TP_E_USAGE: that would replace the name of
// an output written in place. TP_E_MEMORY.
int tp_overlap_note(struct tp_overlap *o, const char *path, struct tp_error *err) TP_MUST_USE;

// TP_E_USAGE with both names if an input, or a list that named some, is among the files noted.
// Costs a stat for each input, and nothing if no file was noted.
int tp_overlap_check(struct tp_overlap *o, const struct tp_input_list *inputs,
                     struct tp_error *err) TP_MUST_USE;
// The same for one other file that the run reads. After tp_overlap_check. `what` is for the
// message.
int tp_overlap_check_file(const struct tp_overlap *o, const char *path, const char *what,
                          struct tp_error *err) TP_MUST_USE;

// The part of a name that a message shows: its end, which says more than its start.
const char *tp_overlap_shown(const char *name);

#endif
