// Opens, makes and syncs the folders of outputs, so that a name in them survives a crash.
// Functions return descriptors or errno values; the caller knows the file and makes the
// message. The caller closes descriptors. Any thread; all functions block.
#ifndef TP_IO_FOLDER_H
#define TP_IO_FOLDER_H

#include "base/attr.h"

// Opens the folder `path` with O_PATH; makes and syncs its missing components first.
// Returns the descriptor, or -1 with errno. Writes NULs into `path` during the call and
// restores it before the return.
int tp_folder_open(char *path) TP_MUST_USE;

// As tp_folder_open, but follows no symbolic link below the folder that the first
// `root_bytes` of the path name. If a component there is a link: -1 with ELOOP, and the
// first *ret_link_bytes of the path name the link. At other failures below the root
// *ret_link_bytes is 0; at a failure of the root itself it is not written.
int tp_folder_open_below(char *path, size_t root_bytes, size_t *ret_link_bytes) TP_MUST_USE;

// Returns a descriptor of the folder that fsync accepts, or -1 with the cause in *ret_errno.
// The cause is 0 for a folder that we may write but not read: it cannot be synced, and
// that is no reason to refuse the output.
int tp_folder_open_to_sync(int folder_fd, int *ret_errno) TP_MUST_USE;

// Syncs and closes the descriptor of tp_folder_open_to_sync; -1 is fine. Returns 0 or the
// errno.
int tp_folder_sync_and_close(int sync_fd) TP_MUST_USE;

// Syncs a file or folder. Returns 0 or the errno; 0 also if the file system or device has
// no fsync. Blocks.
int tp_sync(int fd) TP_MUST_USE;

#endif
