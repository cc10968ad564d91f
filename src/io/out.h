// Writes output files. A regular file gets its final name only when it is complete: its bytes go to
// a temporary file in the same folder, then follow fsync, rename, and fsync of the folder. A
// device, pipe or FIFO (stdout included) is written in place and never renamed. So is a name of an
// open descriptor, such as /dev/stdout or /dev/fd/3; if the descriptor refers to a regular file,
// bytes are appended to that file. A symbolic link to a regular file is itself replaced; its target
// stays. These functions handle short writes and EINTR; EPIPE becomes TP_E_PIPE, any other failed
// write TP_E_WRITE with the errno (ENOSPC and the like). An output keeps a copy of its path. The
// text of an error names the output; err->path is NULL.
//
// One struct tp_outfile belongs to one thread at a time. tp_out_unlink_all may
// run on any thread, at the same time as all other functions.
#ifndef TP_IO_OUT_H
#define TP_IO_OUT_H

#include "base/digest.h"
#include "base/err.h"
#include "base/text/screen.h"
#include "io/temp.h"

// An open output.
struct tp_outfile;

// The treatment of a regular file that already has the name of the output.
enum tp_out_clash { TP_OUT_KEEP_EXISTING, TP_OUT_REPLACE };

// Opens `path`, or stdout for "-". With TP_OUT_KEEP_EXISTING fails with TP_E_EXISTS if the
// regular file exists; tp_out_commit checks this again, without a race. The folder of the path must
// exist. Opening a FIFO blocks until another process opens it for reading. The caller owns *ret_out
// until tp_out_commit or tp_out_abandon.
//
// If `root_bytes` is above 0, the first `root_bytes` of the path name a folder that is created if
// it is missing, as are those below it; they remain after a failure. Below it no symbolic link is
// followed: fails with TP_E_LINK if a folder of the path is a link; if the last component is a
// link, replaces the link or fails with TP_E_EXISTS, whatever the link's target is.
int tp_out_open(const char *path, size_t root_bytes, enum tp_out_clash clash,
                struct tp_outfile **ret_out, struct tp_error *err) TP_MUST_USE;

// Takes bytes of an output. Returns 0, or an errno, which fails the output.
typedef int (*tp_out_divert_fn)(void *ctx, const void *bytes, size_t len_bytes);
// Lets all later bytes of the output go to `fn` instead of its file. `ctx` outlives the output.
void tp_out_divert(struct tp_outfile *out, tp_out_divert_fn fn, void *ctx);

// Lets all later bytes of the output be escaped as base/text/terminal_text.h says, before they go to
// the terminal or are diverted.
void tp_out_escape(struct tp_outfile *out);

// Removes the temporary files that killed runs have left in the folder of `out`, once per folder
// and `sweep`; see io/temp.h. Does nothing for an output that is written in place.
void tp_out_sweep(const struct tp_outfile *out, struct tp_sweep *sweep);

// Writes all bytes. Blocks. After a failure each later write, and tp_out_commit, fails with the
// same error.
int tp_out_write(struct tp_outfile *out, const void *bytes, size_t len_bytes,
                 struct tp_error *err) TP_MUST_USE;

// Returns the number of bytes that the kernel, or tp_out_divert_fn, has accepted so far.
uint64_t tp_out_written_bytes(const struct tp_outfile *out);

// Keeps the digest of the bytes that are written from now on. With `reads_back` tp_out_sync compares it
// with the bytes that it then reads from the disk; not for an output in place. False: out of memory.
bool tp_out_keep_digest(struct tp_outfile *out, bool reads_back) TP_MUST_USE;
// Writes the digest of the bytes written so far as text; "" without tp_out_keep_digest, and for an
// output in place, of which other programs have the bytes.
void tp_out_digest_text(const struct tp_outfile *out, char ret_text[TP_DIGEST_TEXT_BYTES]);

// Writes all bytes to the disk, under the temporary name, and reads them back if that is wanted:
// TP_E_WRITE if they differ or cannot be read. No bytes may follow. tp_out_commit or tp_out_abandon is
// still due. Blocks.
int tp_out_sync(struct tp_outfile *out, struct tp_error *err) TP_MUST_USE;

// Completes the output and frees `out`, whatever the result. On failure no file of this output
// remains, under the temporary or the final name. Blocks in fsync, unless tp_out_sync was called.
int tp_out_commit(struct tp_outfile *out, struct tp_error *err) TP_MUST_USE;

// Drops the output: removes its temporary file and frees `out`. Bytes written in place stay. NULL
// is fine.
void tp_out_abandon(struct tp_outfile *out);

// For a process that a signal ends: removes the temporary files of all open outputs. Later
// opens and commits of outputs with a temporary file fail with TP_E_STOPPED and leave no
// file. Takes a lock; not for signal handlers.
void tp_out_unlink_all(void);

// Returns whether bytes written to the path (or "-") would go to a terminal, and sets *ret_screen to
// its size if they would.
bool tp_out_screen(const char *path, struct tp_screen *ret_screen);
// Does the same without the size.
bool tp_out_is_terminal(const char *path);
// Returns whether bytes written to the path (or "-") would go to a terminal with colours, by TERM,
// and NO_COLOR is not set.
bool tp_out_shows_colour(const char *path);
// Returns whether tp_out_open would write the path (or "-") in place instead of renaming.
bool tp_out_is_in_place(const char *path);

#endif
