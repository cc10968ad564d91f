// Whether an output is one of the inputs: the same regular file by device and inode,
// whatever its names are. Pipes, terminals and devices are not meant. Single-threaded,
// before the run starts.
#ifndef TP_PIPELINE_OVERLAP_H
#define TP_PIPELINE_OVERLAP_H

#include "io/walk.h"

struct tp_overlap_file;

// The outputs that exist already. Zeroed to begin with.
struct tp_overlap {
    struct tp_overlap_file *files;
    size_t count;
    size_t capacity;
};

void tp_overlap_fini(struct tp_overlap *o);

// Notes the file behind `path` (links are followed), or behind the descriptor. Does
// nothing unless that is a regular file. `name` is for messages, borrowed. TP_E_MEMORY is
// the only failure.
int tp_overlap_note(struct tp_overlap *o, const char *path, struct tp_error *err) TP_MUST_USE;
int tp_overlap_note_fd(struct tp_overlap *o, int fd, const char *name,
                       struct tp_error *err) TP_MUST_USE;

// TP_E_USAGE with both names if an input is among the files noted. Costs a stat for each
// input, and nothing if no file was noted.
int tp_overlap_check(struct tp_overlap *o, const struct tp_input_list *inputs,
                     struct tp_error *err) TP_MUST_USE;

#endif
