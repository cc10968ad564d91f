// Temporary files that outputs are written to before they get their names, and what
// killed runs have left of them.
//
//   .NAME.tracepipe-RANDOM.tmp   locked (flock) from its making to its renaming or removal
//   .NAME.RANDOM.tmp             where the file system has no such locks; never swept
//
// The kernel drops a lock with the process that holds it, so a file of the first form whose
// lock can be taken belongs to nobody. Process ids prove nothing: they are used again, and
// containers that share a folder do not share them.
#ifndef TP_IO_TEMP_H
#define TP_IO_TEMP_H

#include <limits.h>
#include <pthread.h>
#include <sys/stat.h>

#include "base/map.h"

#define TP_TEMP_NAME_BYTES (NAME_MAX + 1)

// Makes one in the folder for the output `base`, and writes its name to `ret_name`.
// Returns the descriptor, which holds the lock, or -1 with errno and an empty name.
int tp_temp_make(int folder_fd, const char *base, char ret_name[TP_TEMP_NAME_BYTES]) TP_MUST_USE;

// Whether a name is of the first form.
bool tp_temp_is_name(const char *name);

// The folders that a run has swept. Any thread.
struct tp_sweep {
    pthread_mutex_t mu;
    struct tp_map folders; // by device and inode
    // Whether the run reads this file, which therefore stays; NULL: it reads none.
    bool (*is_read)(const struct stat *st, void *ctx);
    void *ctx;
};

void tp_sweep_init(struct tp_sweep *s);
void tp_sweep_fini(struct tp_sweep *s);

// Removes from the folder the temporary files of this user that belong to no process. Reads
// the folder once for each tp_sweep_init; later calls do nothing, nor does the first one on
// file systems over a network, where locks may hold for one machine only. What fails stays
// as it is.
void tp_sweep_folder(struct tp_sweep *s, int folder_fd);

#endif
