// Output files. A regular file gets its final name only when it is complete:
// bytes go to a temporary file in the same folder, then fsync, rename, fsync of
// the folder. A device, pipe or FIFO (stdout included) is written in place and
// never renamed; so is a descriptor by name (/dev/stdout, /dev/fd/3), which is
// appended to where a regular file is behind it. Of a symbolic link to a regular
// file the link itself is replaced; what it points to stays. Short writes and
// EINTR are finished inside; EPIPE becomes TP_E_PIPE, everything else TP_E_WRITE
// with the errno (ENOSPC and the like).
//
// One struct tp_outfile belongs to one thread at a time. tp_out_unlink_all may
// run on any thread beside all others.
#ifndef TP_IO_OUT_H
#define TP_IO_OUT_H

#include <sys/uio.h>

#include "base/err.h"
#include "io/temp.h"

struct tp_outfile;

enum tp_out_clash { TP_OUT_KEEP_EXISTING, TP_OUT_REPLACE };

// Opens `path`, or stdout for "-". With TP_OUT_KEEP_EXISTING a regular file that
// exists is TP_E_EXISTS; checked again, without a race, when it is committed.
// Missing folders of the path are made. Opening a FIFO blocks until a reader comes.
int tp_out_open(const char *path, enum tp_out_clash clash, struct tp_outfile **ret_out,
                struct tp_error *err) TP_MUST_USE;

// The same for an output in a folder that the first `root_bytes` of the path name. Below
// that folder no symbolic link is followed: TP_E_LINK for a component that is one; the last
// one is replaced itself, or is TP_E_EXISTS, whatever it points to.
int tp_out_open_below(const char *path, size_t root_bytes, enum tp_out_clash clash,
                      struct tp_outfile **ret_out, struct tp_error *err) TP_MUST_USE;

// Removes what killed runs have left in the folder of an output that has a temporary file;
// see io/temp.h.
void tp_out_sweep(const struct tp_outfile *out, struct tp_sweep *sweep);

// Writes all of it; `iov` is scratch afterwards. Blocks.
int tp_out_writev(struct tp_outfile *out, struct iovec *iov, int iov_count,
                  struct tp_error *err) TP_MUST_USE;
int tp_out_write(struct tp_outfile *out, const void *bytes, size_t len_bytes,
                 struct tp_error *err) TP_MUST_USE;

uint64_t tp_out_written_bytes(const struct tp_outfile *out);

// Completes the output and frees the object, whatever the result. On failure no
// file is left behind under either name.
int tp_out_commit(struct tp_outfile *out, struct tp_error *err) TP_MUST_USE;

// Drops the output: the temporary file is removed. NULL is fine.
void tp_out_abandon(struct tp_outfile *out);

// For the end by a signal: removes the temporary files of all open outputs, and
// any made later removes itself. Takes a lock; not for signal handlers.
void tp_out_unlink_all(void);

// Whether writing to the path (or "-") would go to a terminal, and whether it is
// something that is never renamed (exists and is not a regular file).
bool tp_out_is_terminal(const char *path);
// Also that the user wants colours: NO_COLOR is not set, TERM names a terminal that has them.
bool tp_out_shows_colour(const char *path);
bool tp_out_is_in_place(const char *path);

#endif
