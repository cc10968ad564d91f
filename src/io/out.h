// Output files. A regular file gets its final name only when it is complete: its bytes go to
// a temporary file in the same folder, then fsync, rename, fsync of the folder. A device,
// pipe or FIFO (stdout included) is written in place and never renamed. So is a descriptor
// named as /dev/stdout or /dev/fd/3; if a regular file is behind it, bytes are appended.
// A symbolic link to a regular file is itself replaced; its target stays. These functions
// handle short writes and EINTR; EPIPE becomes TP_E_PIPE, any other failed write TP_E_WRITE
// with the errno (ENOSPC and the like).
//
// One struct tp_outfile belongs to one thread at a time. tp_out_unlink_all may
// run on any thread beside all others.
#ifndef TP_IO_OUT_H
#define TP_IO_OUT_H

#include <sys/uio.h>

#include "base/err.h"
#include "io/temp.h"

// An open output.
struct tp_outfile;

// What to do if a regular file has the name of the output.
enum tp_out_clash { TP_OUT_KEEP_EXISTING, TP_OUT_REPLACE };

// Opens `path`, or stdout for "-". With TP_OUT_KEEP_EXISTING fails with TP_E_EXISTS if the
// regular file exists; tp_out_commit checks this again, without a race. Makes missing
// folders of the path. Opening a FIFO blocks until a reader comes. The caller owns the
// object until tp_out_commit or tp_out_abandon.
int tp_out_open(const char *path, enum tp_out_clash clash, struct tp_outfile **ret_out,
                struct tp_error *err) TP_MUST_USE;

// As tp_out_open, for an output below the folder that the first `root_bytes` of the path
// name. Below that folder it follows no symbolic link: if a folder of the path is a link,
// it fails with TP_E_LINK; if the last component is a link, it replaces the link or fails
// with TP_E_EXISTS, whatever the target.
int tp_out_open_below(const char *path, size_t root_bytes, enum tp_out_clash clash,
                      struct tp_outfile **ret_out, struct tp_error *err) TP_MUST_USE;

// Removes the temporary files that killed runs have left in the folder of `out`; see
// io/temp.h. Does nothing for an output that is written in place.
void tp_out_sweep(const struct tp_outfile *out, struct tp_sweep *sweep);

// Writes all bytes. Changes the entries of `iov`. Blocks. After a failure each later write
// fails with the same error.
int tp_out_writev(struct tp_outfile *out, struct iovec *iov, int iov_count,
                  struct tp_error *err) TP_MUST_USE;
// As tp_out_writev, for one piece.
int tp_out_write(struct tp_outfile *out, const void *bytes, size_t len_bytes,
                 struct tp_error *err) TP_MUST_USE;

// Number of bytes that the kernel has accepted so far.
uint64_t tp_out_written_bytes(const struct tp_outfile *out);

// Completes the output and frees the object, whatever the result. On failure no file remains
// under the temporary or the final name. Blocks in fsync.
int tp_out_commit(struct tp_outfile *out, struct tp_error *err) TP_MUST_USE;

// Drops the output: removes its temporary file and frees the object. NULL is fine.
void tp_out_abandon(struct tp_outfile *out);

// For a process that a signal ends: removes the temporary files of all open outputs. Later
// opens and commits of outputs with a temporary file fail with TP_E_STOPPED and leave no
// file. Takes a lock; not for signal handlers.
void tp_out_unlink_all(void);

// Whether bytes written to the path (or "-") would go to a terminal.
bool tp_out_is_terminal(const char *path);
// Whether they would, NO_COLOR is not set, and TERM names a terminal with colours.
bool tp_out_shows_colour(const char *path);
// Whether tp_out_open would write the path (or "-") in place instead of renaming.
bool tp_out_is_in_place(const char *path);

#endif
