// Loaded before the C library (LD_PRELOAD), lets calls of one kind fail: FAIL_CALL=KIND:ERRNO:FIRST:COUNT
// fails COUNT calls of a kind, from the FIRST on, counted from 1 over all threads. ERRNO 0 lets a read or
// write do half of its bytes instead. Writes to the file FAIL_CALL_SAYS how many calls there were, and
// how many of them failed. calls.py drives it.
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

// X(KIND): calls that do the same for the program.
#define KINDS(X)                                                                                  \
    X(open_input) X(create) X(open_folder) X(read_input) X(read_record) X(write_output)           \
    X(write_record) X(sync_file) X(sync_folder) X(rename) X(link) X(close_output) X(stat_file)    \
    X(make_folder) X(unlink) X(thread) X(lock) X(truncate) X(event)
enum kind {
#define X(name) KIND_##name,
    KINDS(X)
#undef X
    KIND_NONE
};
static const char *const kind_names[] = {
#define X(name) #name,
    KINDS(X)
#undef X
};

static enum kind wanted = KIND_NONE;
static int wanted_errno;
static unsigned first, count;
static _Atomic unsigned call_count, failed_count;
static int says_fd = -1; // open from the beginning: the program's sandbox lets none be opened at the end

#define REAL(function) ((__typeof__(&function))dlsym(RTLD_NEXT, #function))

__attribute__((constructor)) static void begin(void)
{
    char kind[32];
    const char *text = getenv("FAIL_CALL"), *says = getenv("FAIL_CALL_SAYS");
    if (says != NULL)
        says_fd = REAL(open)(says, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (text == NULL || sscanf(text, "%31[^:]:%d:%u:%u", kind, &wanted_errno, &first, &count) != 4)
        return;
    for (size_t i = 0; i < KIND_NONE; i++) {
        if (strcmp(kind, kind_names[i]) == 0)
            wanted = (enum kind)i;
    }
}

__attribute__((destructor)) static void end(void)
{
    char text[64];
    int n = snprintf(text, sizeof text, "%u %u\n", call_count, failed_count);
    if (says_fd >= 0)
        (void)!REAL(write)(says_fd, text, (size_t)n);
}

// Counts a call, and returns whether it fails.
static bool fails(enum kind kind)
{
    if (kind != wanted || kind == KIND_NONE)
        return false;
    unsigned at = ++call_count;
    if (at < first || at - first >= count)
        return false;
    failed_count++;
    errno = wanted_errno;
    return true;
}

static mode_t type_of(int fd)
{
    struct stat st;
    return REAL(fstat)(fd, &st) == 0 ? st.st_mode & S_IFMT : 0;
}

static bool is_for_writing(int fd)
{
    return (fcntl(fd, F_GETFL) & O_ACCMODE) != O_RDONLY;
}

static bool is_record(int fd)
{
    return (fcntl(fd, F_GETFL) & O_APPEND) != 0;
}

static enum kind kind_of_open(const char *path, int flags)
{
    if (flags & O_CREAT)
        return KIND_create;
    if (flags & (O_PATH | O_DIRECTORY))
        return KIND_open_folder;
    return (flags & O_ACCMODE) == O_RDONLY && strncmp(path, "in/", 3) == 0 ? KIND_open_input : KIND_NONE;
}

int open(const char *path, int flags, ...)
{
    va_list ap;
    va_start(ap, flags);
    mode_t mode = flags & O_CREAT ? va_arg(ap, mode_t) : 0;
    va_end(ap);
    return fails(kind_of_open(path, flags)) ? -1 : REAL(open)(path, flags, mode);
}

int openat(int at_fd, const char *path, int flags, ...)
{
    va_list ap;
    va_start(ap, flags);
    mode_t mode = flags & O_CREAT ? va_arg(ap, mode_t) : 0;
    va_end(ap);
    return fails(kind_of_open(path, flags)) ? -1 : REAL(openat)(at_fd, path, flags, mode);
}

// Programs that are compiled with _FORTIFY_SOURCE call these where no mode is given.
int __open_2(const char *path, int flags);
int __openat_2(int at_fd, const char *path, int flags);

int __open_2(const char *path, int flags)
{
    return open(path, flags);
}

int __openat_2(int at_fd, const char *path, int flags)
{
    return openat(at_fd, path, flags);
}

static enum kind kind_of_read(int fd)
{
    if (type_of(fd) != S_IFREG)
        return KIND_NONE;
    return is_for_writing(fd) ? KIND_read_record : KIND_read_input;
}

ssize_t read(int fd, void *to, size_t len_bytes)
{
    if (!fails(kind_of_read(fd)))
        return REAL(read)(fd, to, len_bytes);
    return wanted_errno == 0 ? REAL(read)(fd, to, (len_bytes + 1) / 2) : -1;
}

ssize_t pread(int fd, void *to, size_t len_bytes, off_t offset)
{
    if (!fails(kind_of_read(fd)))
        return REAL(pread)(fd, to, len_bytes, offset);
    return wanted_errno == 0 ? REAL(pread)(fd, to, (len_bytes + 1) / 2, offset) : -1;
}

ssize_t write(int fd, const void *from, size_t len_bytes)
{
    enum kind kind = type_of(fd) != S_IFREG || fd == STDERR_FILENO ? KIND_NONE
                     : is_record(fd)                               ? KIND_write_record
                                                                   : KIND_write_output;
    if (!fails(kind))
        return REAL(write)(fd, from, len_bytes);
    return wanted_errno == 0 ? REAL(write)(fd, from, (len_bytes + 1) / 2) : -1;
}

int fsync(int fd)
{
    return fails(type_of(fd) == S_IFDIR ? KIND_sync_folder : KIND_sync_file) ? -1 : REAL(fsync)(fd);
}

int renameat(int from_fd, const char *from, int to_fd, const char *to)
{
    return fails(KIND_rename) ? -1 : REAL(renameat)(from_fd, from, to_fd, to);
}

int renameat2(int from_fd, const char *from, int to_fd, const char *to, unsigned flags)
{
    return fails(KIND_rename) ? -1 : REAL(renameat2)(from_fd, from, to_fd, to, flags);
}

int linkat(int from_fd, const char *from, int to_fd, const char *to, int flags)
{
    return fails(KIND_link) ? -1 : REAL(linkat)(from_fd, from, to_fd, to, flags);
}

// The descriptor is closed all the same, as Linux does.
int close(int fd)
{
    bool is_output = type_of(fd) == S_IFREG && is_for_writing(fd);
    int rc = REAL(close)(fd);
    return is_output && fails(KIND_close_output) ? -1 : rc;
}

int fstat(int fd, struct stat *st)
{
    return fails(KIND_stat_file) ? -1 : REAL(fstat)(fd, st);
}

int stat(const char *path, struct stat *st)
{
    return fails(KIND_stat_file) ? -1 : REAL(stat)(path, st);
}

int lstat(const char *path, struct stat *st)
{
    return fails(KIND_stat_file) ? -1 : REAL(lstat)(path, st);
}

int fstatat(int fd, const char *path, struct stat *st, int flags)
{
    return fails(KIND_stat_file) ? -1 : REAL(fstatat)(fd, path, st, flags);
}

int mkdirat(int fd, const char *path, mode_t mode)
{
    return fails(KIND_make_folder) ? -1 : REAL(mkdirat)(fd, path, mode);
}

int unlinkat(int fd, const char *path, int flags)
{
    return fails(KIND_unlink) ? -1 : REAL(unlinkat)(fd, path, flags);
}

int unlink(const char *path)
{
    return fails(KIND_unlink) ? -1 : REAL(unlink)(path);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*body)(void *), void *arg)
{
    return fails(KIND_thread) ? wanted_errno : REAL(pthread_create)(thread, attr, body, arg);
}

int flock(int fd, int operation)
{
    return fails(KIND_lock) ? -1 : REAL(flock)(fd, operation);
}

int ftruncate(int fd, off_t len_bytes)
{
    return fails(KIND_truncate) ? -1 : REAL(ftruncate)(fd, len_bytes);
}

int eventfd(unsigned value, int flags)
{
    return fails(KIND_event) ? -1 : REAL(eventfd)(value, flags);
}
