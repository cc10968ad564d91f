// Folders of outputs: opened, made where missing, and synced, so that a name in
// them survives a crash. Functions return descriptors or errno values; whoever
// calls knows which file it is about and makes the message.
#ifndef TP_IO_FOLDER_H
#define TP_IO_FOLDER_H

#include "base/attr.h"

// Opens the folder `path` with O_PATH and makes, durably, what is missing of it.
// Returns the descriptor, or -1 with errno. `path` is cut apart meanwhile, and
// whole again afterwards.
int tp_folder_open(char *path) TP_MUST_USE;

// The same for a path whose first `root_bytes` name a folder below which no symbolic link
// is followed: where a component is one, -1 with ELOOP, and the link is named by the first
// *ret_link_bytes of the path. Written once the root is open; 0: another failure.
int tp_folder_open_below(char *path, size_t root_bytes, size_t *ret_link_bytes) TP_MUST_USE;

// A descriptor of the folder that can be synced, or -1. A folder that may be
// written but not read has none; that is no reason to refuse it, and *ret_errno
// is 0. Otherwise *ret_errno says what failed.
int tp_folder_open_to_sync(int folder_fd, int *ret_errno) TP_MUST_USE;

// Ends tp_folder_open_to_sync, whose -1 is fine. Returns 0 or the errno.
int tp_folder_sync_and_close(int sync_fd) TP_MUST_USE;

// fsync of a file or folder: 0 or the errno. A file system or device that has no
// such thing is content. Blocks.
int tp_sync(int fd) TP_MUST_USE;

#endif
