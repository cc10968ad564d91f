// Creates temporary files, to which outputs are written until they get their final names. Sweeps
// folders: removes the temporary files that killed runs have left there.
//
//   .NAME.tracepipe-RANDOM.tmp   locked (flock) from its creation to its renaming or removal
//   .NAME.RANDOM.tmp             on file systems without such locks; never swept
//
// The kernel drops a lock when the process that holds it ends. So if we can lock a file of the
// first form, no process is writing it any more. A process id in the name would prove nothing: the
// system reuses ids, and containers that share a folder do not share ids.
#ifndef TP_IO_TEMP_H
#define TP_IO_TEMP_H

#include <limits.h>
#include <pthread.h>
#include <sys/stat.h>

#include "base/map.h"

#define TP_TEMP_NAME_BYTES (NAME_MAX + 1)

// Creates a temporary file in the folder for the output `base` and writes its name to
// `ret_name`. Returns the file's descriptor, which holds the lock and which the caller closes, or
// -1 with errno and an empty name. Any thread; blocks.
int tp_temp_make(int folder_fd, const char *base, char ret_name[TP_TEMP_NAME_BYTES]) TP_MUST_USE;

// Returns whether a file name is of the first form above. Pure.
bool tp_temp_is_name(const char *name);

// The folders that a run has swept. Any thread may use it between init and fini.
struct tp_sweep {
    pthread_mutex_t mu;    // guards `folders`
    struct tp_map folders; // by device and inode
    // Returns whether the run reads this file, which is then not removed. Set by the owner after
    // init; NULL: the run reads no such file. Called on any thread.
    bool (*is_read)(const struct stat *st, void *ctx);
    void *ctx;
};

// Prepares `s`, with no folder swept. Call it before any output is opened.
void tp_sweep_init(struct tp_sweep *s);
// Frees the list of folders. Call it after all threads that open outputs have ended.
void tp_sweep_fini(struct tp_sweep *s);

// Removes from the folder the temporary files of this user that no process owns. Only the
// first call for a folder reads it; later calls do nothing. Does nothing on file systems over
// a network, where a lock may hold for one machine only. Ignores failures. Blocks.
void tp_sweep_folder(struct tp_sweep *s, int folder_fd);

#endif
