// Opens, creates and syncs the folders of outputs, so that a name in them survives a crash.
// Functions return descriptors or errno values, and leave the message to the caller, who knows the
// file. The caller closes descriptors. Any thread; all functions block.
#ifndef TP_IO_FOLDER_H
#define TP_IO_FOLDER_H

#include "base/attr.h"

// Opens the folder `path` with O_PATH. The first `root_bytes` of the path name its root; creates
// the root if it is missing, but no folder above it, and the missing components below it, and
// syncs the folders that got one. Returns the descriptor, or -1 with errno; folders created by
// then remain. Writes NULs into `path` during the call and restores it before the return.
//
// Follows no symbolic link below the root. If a component there is a link, returns -1 with ELOOP,
// and the first *ret_link_bytes of the path name the link. Else *ret_link_bytes is 0; it is not
// written if the root itself cannot be opened.
int tp_folder_open_below(char *path, size_t root_bytes, size_t *ret_link_bytes) TP_MUST_USE;

// Returns the path of the folder that has `path`, with a slash at its end, or "."; the caller frees it with
// tp_free. NULL: out of memory.
char *tp_folder_of(const char *path);

// Returns a new descriptor of the folder that fsync accepts, or -1 with the cause in *ret_errno.
// The cause is 0 for a folder that we may write but not read: such a folder cannot be synced, which
// is no reason to refuse the output.
int tp_folder_open_to_sync(int folder_fd, int *ret_errno) TP_MUST_USE;

// Syncs and closes a descriptor of tp_folder_open_to_sync; does nothing if it is -1. Threads that sync one
// folder at the same time share syncs. Returns 0 or the errno of the sync, or of one that other threads
// shared; closes the descriptor in any case.
int tp_folder_sync_and_close(int sync_fd) TP_MUST_USE;

// Syncs a file or folder. Returns 0 or the errno; 0 also if the file system or device has
// no fsync. Blocks.
int tp_sync(int fd) TP_MUST_USE;
// Does the same with a sync that began after the call and may be another thread's. Threads that wait
// for one file at the same time share syncs.
int tp_sync_shared(int fd) TP_MUST_USE;

#endif
