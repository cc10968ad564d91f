// How each kind of name is written:
//
//   "-"                          to fd 1 as it is
//   no regular file              opened and written in place
//   a descriptor of a process    (/dev/stdout, /dev/fd/3) appended to in place, even if a
//                                regular file is behind it
//   anything else                to a temporary file, renamed over the name itself: a
//                                symbolic link is replaced, its target stays
//
// All system calls about a temporary file are relative to the descriptor of its folder, so
// that neither chdir nor a renamed folder makes them touch another folder.
#include "io/out.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/digest.h"
#include "base/span.h"
#include "base/text/terminal_text.h"
#include "io/descriptor_name.h"
#include "io/file_digest.h"
#include "io/folder.h"

// Bytes of a path that a message shows; the rest of the message is for the reason.
#define SHOWN_PATH_BYTES 120

struct tp_outfile {
    char *path;       // as given, for messages
    const char *base; // last component of `path`
    int fd;
    int folder_fd; // O_PATH; -1 if written in place
    enum tp_out_clash clash;
    uint64_t written_bytes;
    struct tp_digest *digest; // of the bytes written; NULL: not wanted
    bool reads_back;          // with a digest: tp_out_sync compares the bytes on the disk with it
    bool is_synced;           // all bytes were written and are on the disk
    bool is_escaped; // bytes are made safe for a terminal before they are written
    struct tp_terminal_text text;
    tp_out_divert_fn divert; // gets the bytes instead of `fd`; NULL: none
    void *divert_ctx;
    int failed_code; // code of the first failed write; 0: none failed
    int failed_errno;
    // The rest is for temporary files, and guarded by `open_files.mu`.
    char temp[TP_TEMP_NAME_BYTES]; // name of the temporary file; "": there is none any more
    LIST_ENTRY(tp_outfile) link;
};

// The outputs that have a temporary file. Temporary files are created, renamed and removed under
// the lock: after tp_out_unlink_all has returned, no temporary file exists and none can be created,
// so the caller may end the process at once.
static struct {
    pthread_mutex_t mu;
    LIST_HEAD(, tp_outfile) list;
    bool stopped;
} open_files = {.mu = PTHREAD_MUTEX_INITIALIZER};

static bool is_stdout_name(const char *path)
{
    return strcmp(path, "-") == 0;
}

// Returns the part of a path that a message shows: its end, which says more than its beginning.
static const char *shown(const char *path)
{
    size_t n = strlen(path);
    return n > SHOWN_PATH_BYTES ? path + n - SHOWN_PATH_BYTES : path;
}

static int fail_system(struct tp_error *err, int sys_errno, const char *what, const char *path)
{
    return tp_fail_errno(err, TP_E_WRITE, sys_errno, "cannot %s '%s'", what, shown(path));
}

static int fail_exists(struct tp_error *err, const char *path)
{
    return tp_fail(err, TP_E_EXISTS, "'%s' exists", shown(path));
}

static int fail_stopped(struct tp_error *err, const char *path)
{
    return tp_fail(err, TP_E_STOPPED, "'%s' given up", shown(path));
}

// Returns whether the output is written in place. `st` is the result of stat for the path.
static bool goes_in_place(const char *path, const struct stat *st)
{
    return !S_ISREG(st->st_mode) || tp_names_descriptor(path);
}

bool tp_out_is_in_place(const char *path)
{
    struct stat st;
    return is_stdout_name(path) || (stat(path, &st) == 0 && goes_in_place(path, &st));
}

bool tp_out_screen(const char *path, struct tp_screen *ret_screen)
{
    struct stat st;
    bool is_stdout = is_stdout_name(path);
    if (!is_stdout && (stat(path, &st) != 0 || !S_ISCHR(st.st_mode)))
        return false;
    int fd = is_stdout ? STDOUT_FILENO : open(path, O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return false;
    bool is_terminal = isatty(fd) == 1;
    if (is_terminal)
        *ret_screen = tp_screen_of_terminal(fd);
    if (!is_stdout)
        close(fd);
    return is_terminal;
}

bool tp_out_is_terminal(const char *path)
{
    struct tp_screen screen;
    return tp_out_screen(path, &screen);
}

bool tp_out_shows_colour(const char *path)
{
    const char *no_colour = getenv("NO_COLOR"), *term = getenv("TERM");
    return (no_colour == NULL || *no_colour == '\0') && term != NULL && *term != '\0' &&
           strcmp(term, "dumb") != 0 && tp_out_is_terminal(path);
}

static struct tp_outfile *make_outfile(const char *path, enum tp_out_clash clash)
{
    struct tp_outfile *out = tp_alloc_zero(sizeof *out);
    char *copy = tp_strdup(path);
    if (out == NULL || copy == NULL) {
        tp_free(copy);
        tp_free(out);
        return NULL;
    }
    const char *slash = strrchr(copy, '/');
    out->path = copy;
    out->base = slash != NULL ? slash + 1 : copy;
    out->fd = -1;
    out->folder_fd = -1;
    out->clash = clash;
    return out;
}

static void free_outfile(struct tp_outfile *out)
{
    if (out->fd >= 0 && out->fd != STDOUT_FILENO)
        close(out->fd);
    if (out->folder_fd >= 0)
        close(out->folder_fd);
    tp_digest_destroy(out->digest);
    tp_free(out->path);
    tp_free(out);
}

static int fail_link(const struct tp_outfile *out, size_t link_bytes, struct tp_error *err)
{
    size_t skip = link_bytes > SHOWN_PATH_BYTES ? link_bytes - SHOWN_PATH_BYTES : 0;
    return tp_fail(err, TP_E_LINK,
                   "'%.*s' is a symbolic link; outputs below the folder of -o do not follow links",
                   (int)(link_bytes - skip), out->path + skip);
}

// Opens the folder of the output. If `root_bytes` is not 0, they name a folder in the path: creates
// it and the folders after it if they are missing, and follows no link after it.
static int open_parent(struct tp_outfile *out, size_t root_bytes, struct tp_error *err)
{
    if (out->base == out->path) {
        out->folder_fd = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    } else {
        size_t link_bytes = 0;
        char *base = out->path + (out->base - out->path);
        char first = *base;
        *base = '\0';
        out->folder_fd = root_bytes > 0
                             ? tp_folder_open_below(out->path, root_bytes, &link_bytes)
                             : open(out->path, O_PATH | O_DIRECTORY | O_CLOEXEC);
        *base = first;
        if (link_bytes > 0)
            return fail_link(out, link_bytes, err);
    }
    return out->folder_fd < 0 ? fail_system(err, errno, "open the folder of", out->path) : 0;
}

// Takes the output out of the list of those with a temporary file, which the caller then removes
// or keeps. The caller holds the lock.
static void delist(struct tp_outfile *out)
{
    LIST_REMOVE(out, link);
    out->temp[0] = '\0';
}

// Creates the temporary file in the open folder and puts `out` into the list.
static int open_temp(struct tp_outfile *out, struct tp_error *err)
{
    pthread_mutex_lock(&open_files.mu);
    bool stopped = open_files.stopped;
    if (!stopped)
        out->fd = tp_temp_make(out->folder_fd, out->base, out->temp);
    int sys_errno = out->fd < 0 ? errno : 0;
    if (out->fd >= 0)
        LIST_INSERT_HEAD(&open_files.list, out, link);
    pthread_mutex_unlock(&open_files.mu);
    if (stopped)
        return fail_stopped(err, out->path);
    return sys_errno != 0 ? fail_system(err, sys_errno, "create", out->path) : 0;
}

static int open_stdout(struct tp_outfile *out, struct tp_error *err)
{
    if (fcntl(STDOUT_FILENO, F_GETFD) < 0)
        return tp_fail_errno(err, TP_E_WRITE, errno,
                             errno == EBADF ? "standard output is closed"
                                            : "standard output: fcntl");
    out->fd = STDOUT_FILENO;
    return 0;
}

static int open_in_place(struct tp_outfile *out, mode_t mode, struct tp_error *err)
{
    // A regular file is opened here only by the name of a descriptor: append, to keep the bytes of
    // its other writers. A block device would append after its end, so it gets no O_APPEND.
    int append = S_ISREG(mode) ? O_APPEND : 0;
    do
        out->fd = out->folder_fd >= 0 ? openat(out->folder_fd, out->base,
                                               O_WRONLY | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC)
                                      : open(out->path, O_WRONLY | append | O_NOCTTY | O_CLOEXEC);
    while (out->fd < 0 && errno == EINTR);
    return out->fd < 0 ? fail_system(err, errno, "open", out->path) : 0;
}

static int open_by_name(struct tp_outfile *out, struct tp_error *err)
{
    struct stat st;
    // A dangling link has no target, but its name is taken.
    bool found = stat(out->path, &st) == 0 || (errno == ENOENT && lstat(out->path, &st) == 0);
    if (!found && errno != ENOENT)
        return fail_system(err, errno, "create", out->path);
    if ((found && S_ISDIR(st.st_mode)) || *out->base == '\0')
        return fail_system(err, EISDIR, "create", out->path);
    if (found && !S_ISLNK(st.st_mode) && goes_in_place(out->path, &st))
        return open_in_place(out, st.st_mode, err);
    if (found && out->clash == TP_OUT_KEEP_EXISTING)
        return fail_exists(err, out->path);
    int rc = open_parent(out, 0, err);
    return rc != 0 ? rc : open_temp(out, err);
}

static int open_below(struct tp_outfile *out, size_t root_bytes, struct tp_error *err)
{
    struct stat st;
    int rc = open_parent(out, root_bytes, err);
    if (rc != 0)
        return rc;
    bool found = fstatat(out->folder_fd, out->base, &st, AT_SYMLINK_NOFOLLOW) == 0;
    if (!found && errno != ENOENT)
        return fail_system(err, errno, "create", out->path);
    if (found && S_ISDIR(st.st_mode))
        return fail_system(err, EISDIR, "create", out->path);
    if (found && !S_ISREG(st.st_mode) && !S_ISLNK(st.st_mode)) {
        rc = open_in_place(out, st.st_mode, err);
        close(out->folder_fd);
        out->folder_fd = -1;
        return rc;
    }
    if (found && out->clash == TP_OUT_KEEP_EXISTING)
        return fail_exists(err, out->path);
    return open_temp(out, err);
}

int tp_out_open(const char *path, size_t root_bytes, enum tp_out_clash clash,
                struct tp_outfile **ret_out, struct tp_error *err)
{
    struct tp_outfile *out = make_outfile(path, clash);
    if (out == NULL)
        return tp_fail(err, TP_E_MEMORY, "out of memory for output '%s'", shown(path));
    int rc = root_bytes > 0         ? open_below(out, root_bytes, err)
             : is_stdout_name(path) ? open_stdout(out, err)
                                    : open_by_name(out, err);
    if (rc != 0)
        free_outfile(out);
    else
        *ret_out = out;
    return rc;
}

void tp_out_divert(struct tp_outfile *out, tp_out_divert_fn fn, void *ctx)
{
    out->divert = fn;
    out->divert_ctx = ctx;
}

void tp_out_escape(struct tp_outfile *out)
{
    out->is_escaped = true;
}

bool tp_out_keep_digest(struct tp_outfile *out, bool reads_back)
{
    out->digest = tp_digest_create();
    out->reads_back = reads_back;
    return out->digest != NULL;
}

void tp_out_digest_text(const struct tp_outfile *out, char ret_text[TP_DIGEST_TEXT_BYTES])
{
    ret_text[0] = '\0';
    if (out->digest != NULL && out->folder_fd >= 0)
        tp_digest_text(out->digest, ret_text);
}

void tp_out_sweep(const struct tp_outfile *out, struct tp_sweep *sweep)
{
    if (out->folder_fd >= 0)
        tp_sweep_folder(sweep, out->folder_fd);
}

uint64_t tp_out_written_bytes(const struct tp_outfile *out)
{
    return out->written_bytes;
}

static int fail_write(const struct tp_outfile *out, struct tp_error *err)
{
    return tp_fail_errno(err, out->failed_code, out->failed_errno, "cannot write '%s'",
                         is_stdout_name(out->path) ? "standard output" : shown(out->path));
}

static int note_failure(struct tp_outfile *out, int sys_errno, struct tp_error *err)
{
    out->failed_code = sys_errno == EPIPE ? TP_E_PIPE : TP_E_WRITE;
    out->failed_errno = sys_errno;
    return fail_write(out, err);
}

// Writes some of the bytes, as write does.
static ssize_t write_some(struct tp_outfile *out, struct tp_span bytes)
{
    if (out->divert == NULL)
        return write(out->fd, bytes.ptr, bytes.len_bytes);
    errno = out->divert(out->divert_ctx, bytes.ptr, bytes.len_bytes);
    return errno == 0 ? (ssize_t)bytes.len_bytes : -1;
}

static int write_all(struct tp_outfile *out, struct tp_span left, struct tp_error *err)
{
    while (left.len_bytes > 0) {
        ssize_t put = write_some(out, left);
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0 && errno == EAGAIN) {
            // The process that gave us the pipe has made it non-blocking.
            struct pollfd p = {.fd = out->fd, .events = POLLOUT};
            poll(&p, 1, -1);
            continue;
        }
        // Fail: a device that takes no byte and reports no error would make this loop endless.
        if (put <= 0)
            return note_failure(out, put < 0 ? errno : EIO, err);
        out->written_bytes += (uint64_t)put;
        if (out->digest != NULL)
            tp_digest_add(out->digest, tp_span_of(left.ptr, (size_t)put));
        left = tp_span_skip(left, (size_t)put);
    }
    return 0;
}

int tp_out_write(struct tp_outfile *out, const void *bytes, size_t len_bytes, struct tp_error *err)
{
    struct tp_span left = tp_span_of(bytes, len_bytes);
    if (out->failed_code != 0)
        return fail_write(out, err);
    if (!out->is_escaped)
        return write_all(out, left, err);
    int rc = 0;
    while (left.len_bytes > 0 && rc == 0) {
        unsigned char piece[TP_TERMINAL_PIECE_BYTES];
        size_t piece_bytes = tp_terminal_text_piece(&out->text, &left, piece);
        rc = write_all(out, tp_span_of(piece, piece_bytes), err);
    }
    return rc;
}

// Closes the output's descriptor and returns errno or 0: some file systems (NFS) report a full disk
// only then. For stdout, and for a temporary file, whose lock must last until the renaming, it
// closes a duplicate instead. If the descriptor of a temporary file cannot be duplicated, it closes
// that one.
static int close_errno(struct tp_outfile *out)
{
    bool is_temp = out->folder_fd >= 0, is_stdout = out->fd == STDOUT_FILENO;
    int copy_fd = is_temp || is_stdout ? fcntl(out->fd, F_DUPFD_CLOEXEC, 0) : -1;
    int fd = copy_fd >= 0 || is_stdout ? copy_fd : out->fd;
    if (!is_temp || copy_fd < 0)
        out->fd = -1;
    // After EINTR the descriptor is closed, too.
    return fd >= 0 && close(fd) != 0 && errno != EINTR ? errno : 0;
}

// The ways to give `temp` its final name only if that name is free, best first. Each returns 0
// or an errno; after an errno that means "not supported here" the caller tries the next way.
static int publish_by_rename(int folder_fd, const char *temp, const char *base)
{
    return renameat2(folder_fd, temp, folder_fd, base, RENAME_NOREPLACE) == 0 ? 0 : errno;
}

static int publish_by_link(int folder_fd, const char *temp, const char *base)
{
    if (linkat(folder_fd, temp, folder_fd, base, 0) != 0)
        return errno;
    unlinkat(folder_fd, temp, 0);
    return 0;
}

// Creates an empty file under the final name, so that other processes find the name taken,
// and renames over it.
static int publish_by_claim(int folder_fd, const char *temp, const char *base)
{
    int fd = openat(folder_fd, base, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0)
        return errno;
    close(fd);
    if (renameat(folder_fd, temp, folder_fd, base) == 0)
        return 0;
    int sys_errno = errno;
    unlinkat(folder_fd, base, 0);
    return sys_errno;
}

static bool is_unsupported(int sys_errno)
{
    return sys_errno == EINVAL || sys_errno == ENOSYS || sys_errno == EOPNOTSUPP ||
           sys_errno == EPERM || sys_errno == EMLINK;
}

// Gives the temporary file its final name. The caller holds the lock. Returns 0 or the errno.
static int publish(struct tp_outfile *out)
{
    if (out->clash == TP_OUT_REPLACE)
        return renameat(out->folder_fd, out->temp, out->folder_fd, out->base) == 0 ? 0 : errno;
    static int (*const ways[])(int, const char *, const char *) = {
        publish_by_rename, publish_by_link, publish_by_claim};
    int sys_errno = 0;
    for (size_t i = 0; i < TP_ARRAY_LEN(ways); i++) {
        sys_errno = ways[i](out->folder_fd, out->temp, out->base);
        if (!is_unsupported(sys_errno))
            break;
    }
    return sys_errno;
}

// Renames the temporary file to its final name, or removes it after a failure. Leaves `out`
// without a temporary file in any case. `sys_errno` is the errno of an earlier failure, or 0.
static int settle_temp(struct tp_outfile *out, int sys_errno, struct tp_error *err)
{
    pthread_mutex_lock(&open_files.mu);
    bool stopped = out->temp[0] == '\0';
    if (!stopped) {
        if (sys_errno == 0)
            sys_errno = publish(out);
        if (sys_errno != 0)
            unlinkat(out->folder_fd, out->temp, 0);
        delist(out);
    }
    pthread_mutex_unlock(&open_files.mu);
    if (stopped)
        return fail_stopped(err, out->path);
    if (sys_errno == EEXIST)
        return fail_exists(err, out->path);
    return sys_errno != 0 ? fail_system(err, sys_errno, "complete", out->path) : 0;
}

// Gives the temporary file, which is synced, its final name.
static int commit_temp(struct tp_outfile *out, struct tp_error *err)
{
    int sys_errno = close_errno(out);
    // Open before the renaming: a lack of descriptors must be known by then.
    int folder_errno;
    int sync_fd = tp_folder_open_to_sync(out->folder_fd, &folder_errno);
    if (sys_errno == 0)
        sys_errno = folder_errno;
    int rc = settle_temp(out, sys_errno, err);
    sys_errno = tp_folder_sync_and_close(sync_fd);
    if (rc == 0 && sys_errno != 0) {
        unlinkat(out->folder_fd, out->base, 0);
        rc = fail_system(err, sys_errno, "complete", out->path);
    }
    return rc;
}

static int commit_in_place(struct tp_outfile *out, struct tp_error *err)
{
    int sys_errno = close_errno(out);
    return sys_errno != 0 ? note_failure(out, sys_errno, err) : 0;
}

// Compares the temporary file on the disk with what was written.
static int read_back(struct tp_outfile *out, struct tp_error *err)
{
    char wanted[TP_DIGEST_TEXT_BYTES], found[TP_DIGEST_TEXT_BYTES], temp[TP_TEMP_NAME_BYTES];
    tp_out_digest_text(out, wanted);
    pthread_mutex_lock(&open_files.mu);
    memcpy(temp, out->temp, sizeof temp);
    pthread_mutex_unlock(&open_files.mu);
    int sys_errno = tp_file_digest_stored(out->folder_fd, temp, found);
    if (sys_errno != 0)
        return fail_system(err, sys_errno, "read back", out->path);
    return strcmp(wanted, found) == 0
               ? 0
               : tp_fail(err, TP_E_WRITE, "'%s' reads back with other bytes than were written",
                         shown(out->path));
}

int tp_out_sync(struct tp_outfile *out, struct tp_error *err)
{
    unsigned char piece[TP_TERMINAL_PIECE_BYTES];
    struct tp_span rest = tp_span_of(piece, tp_terminal_text_end(&out->text, piece));
    if (out->failed_code != 0 || write_all(out, rest, err) != 0)
        return fail_write(out, err);
    // An output in place may be a block device; but stdout belongs to another process.
    int sys_errno = out->fd != STDOUT_FILENO ? tp_sync(out->fd) : 0;
    if (sys_errno == 0) {
        int rc = out->reads_back && out->folder_fd >= 0 ? read_back(out, err) : 0;
        out->is_synced = rc == 0;
        return rc;
    }
    return out->folder_fd >= 0 ? fail_system(err, sys_errno, "complete", out->path)
                               : note_failure(out, sys_errno, err);
}

int tp_out_commit(struct tp_outfile *out, struct tp_error *err)
{
    int rc = out->is_synced ? 0 : tp_out_sync(out, err);
    if (rc != 0) {
        tp_out_abandon(out);
        return rc;
    }
    rc = out->folder_fd >= 0 ? commit_temp(out, err) : commit_in_place(out, err);
    free_outfile(out);
    return rc;
}

void tp_out_abandon(struct tp_outfile *out)
{
    if (out == NULL)
        return;
    pthread_mutex_lock(&open_files.mu);
    if (out->temp[0] != '\0') {
        unlinkat(out->folder_fd, out->temp, 0);
        delist(out);
    }
    pthread_mutex_unlock(&open_files.mu);
    free_outfile(out);
}

void tp_out_unlink_all(void)
{
    pthread_mutex_lock(&open_files.mu);
    open_files.stopped = true;
    for (struct tp_outfile *out; (out = LIST_FIRST(&open_files.list)) != NULL;) {
        unlinkat(out->folder_fd, out->temp, 0);
        delist(out);
    }
    pthread_mutex_unlock(&open_files.mu);
}
