#include "io/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/queue.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"

char *tp_folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = tp_strdup(slash != NULL ? path : ".");
    if (folder != NULL && slash != NULL)
        folder[slash + 1 - path] = '\0';
    return folder;
}

int tp_sync(int fd)
{
    int rc;
    do
        rc = fsync(fd);
    while (rc != 0 && errno == EINTR);
    if (rc == 0)
        return 0;
    // A file system without fsync reports one of these, which is no failure.
    return errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP || errno == EROFS ? 0 : errno;
}

int tp_folder_open_to_sync(int folder_fd, int *ret_errno)
{
    int fd = openat(folder_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    *ret_errno = fd >= 0 || errno == EACCES || errno == EPERM ? 0 : errno;
    return fd;
}

// SYNCS THAT SEVERAL THREADS SHARE

// A file or folder that threads wait to be synced. A sync that began after a thread came is that thread's, too.
struct shared_sync {
    LIST_ENTRY(shared_sync) in_list;
    dev_t dev;
    ino_t ino;
    unsigned thread_count;
    uint64_t begun_count, ended_count;
    bool is_running;
    int sys_errno;       // of the last sync that failed, or 0
};

static struct {
    pthread_mutex_t mu;
    pthread_cond_t ended; // any sync
    LIST_HEAD(, shared_sync) list;
} shared = {.mu = PTHREAD_MUTEX_INITIALIZER, .ended = PTHREAD_COND_INITIALIZER};

// Returns the item of a file or folder, and counts the caller in it; NULL: out of memory. The caller holds the lock.
static struct shared_sync *join_sync(const struct stat *st)
{
    struct shared_sync *s;
    LIST_FOREACH(s, &shared.list, in_list) {
        if (s->dev == st->st_dev && s->ino == st->st_ino)
            break;
    }
    if (s == NULL && (s = tp_alloc_zero(sizeof *s)) != NULL) {
        s->dev = st->st_dev;
        s->ino = st->st_ino;
        LIST_INSERT_HEAD(&shared.list, s, in_list);
    }
    if (s != NULL)
        s->thread_count++;
    return s;
}

// Waits until a sync that began after the call has ended, and runs syncs that no other thread does.
static void wait_for_sync(struct shared_sync *s, int fd)
{
    uint64_t wanted = s->begun_count + 1;
    while (s->ended_count < wanted) {
        if (s->is_running) {
            pthread_cond_wait(&shared.ended, &shared.mu);
            continue;
        }
        s->is_running = true;
        s->begun_count++;
        pthread_mutex_unlock(&shared.mu);
        int sys_errno = tp_sync(fd);
        pthread_mutex_lock(&shared.mu);
        s->is_running = false;
        s->ended_count = s->begun_count;
        s->sys_errno = sys_errno != 0 ? sys_errno : s->sys_errno;
        pthread_cond_broadcast(&shared.ended);
    }
}

int tp_sync_shared(int fd)
{
    struct stat st;
    if (fstat(fd, &st) != 0)
        return errno;
    pthread_mutex_lock(&shared.mu);
    struct shared_sync *s = join_sync(&st);
    int sys_errno = 0;
    if (s != NULL) {
        wait_for_sync(s, fd);
        sys_errno = s->sys_errno;
        if (--s->thread_count == 0) {
            LIST_REMOVE(s, in_list);
            tp_free(s);
        }
    }
    pthread_mutex_unlock(&shared.mu);
    return s != NULL ? sys_errno : tp_sync(fd);
}

int tp_folder_sync_and_close(int sync_fd)
{
    if (sync_fd < 0)
        return 0;
    int sys_errno = tp_sync_shared(sync_fd);
    close(sync_fd);
    return sys_errno;
}

static int sync_folder(int folder_fd)
{
    int sys_errno;
    int sync_fd = tp_folder_open_to_sync(folder_fd, &sys_errno);
    return sys_errno != 0 ? sys_errno : tp_folder_sync_and_close(sync_fd);
}

static void close_keeping_errno(int fd)
{
    int sys_errno = errno;
    close(fd);
    errno = sys_errno;
}

// Opens a folder; with O_NOFOLLOW in `flags` fails with ELOOP at a symbolic link.
static int open_part(int at_fd, const char *name, int flags)
{
    int fd = openat(at_fd, name, O_PATH | O_DIRECTORY | O_CLOEXEC | flags);
    struct stat st;
    if (fd >= 0 || errno != ENOTDIR || !(flags & O_NOFOLLOW))
        return fd;
    // With O_PATH the kernel opens the link itself and then reports ENOTDIR.
    bool is_link = fstatat(at_fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(st.st_mode);
    errno = is_link ? ELOOP : ENOTDIR;
    return -1;
}

static int enter(int at_fd, const char *name, int flags)
{
    int fd = open_part(at_fd, name, flags);
    if (fd >= 0 || errno != ENOENT)
        return fd;
    if (mkdirat(at_fd, name, 0777) == 0) {
        int sys_errno = sync_folder(at_fd);
        if (sys_errno != 0) {
            errno = sys_errno;
            return -1;
        }
    } else if (errno != EEXIST) { // EEXIST: another output has just created the folder
        return -1;
    }
    return open_part(at_fd, name, flags);
}

// Opens the components of the path `part`, one below the other, starting in the folder `fd`,
// and creates missing ones. Closes `fd`. Returns the descriptor of the last component, or -1 with
// errno; *ret_failed_at is then the end of the component at fault.
static int walk(int fd, char *part, int flags, char **ret_failed_at)
{
    while (fd >= 0 && *part != '\0') {
        char *end = strchrnul(part, '/');
        char separator = *end;
        *end = '\0';
        if (part != end) {
            int next_fd = enter(fd, part, flags);
            close_keeping_errno(fd);
            fd = next_fd;
        }
        *end = separator;
        if (fd < 0)
            *ret_failed_at = end;
        part = separator != '\0' ? end + 1 : end;
    }
    return fd;
}

// Opens the folder `path`. If it is missing, creates it, but none above it.
static int open_root(char *path)
{
    int fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0 || errno != ENOENT)
        return fd;
    char *end = path + strlen(path);
    while (end > path + 1 && end[-1] == '/')
        end--;
    char *last = end;
    while (last > path && last[-1] != '/')
        last--;
    char separator = *last;
    *last = '\0';
    fd = open(last > path ? path : ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    *last = separator;
    char *failed_at;
    return walk(fd, last, 0, &failed_at);
}

int tp_folder_open_below(char *path, size_t root_bytes, size_t *ret_link_bytes)
{
    char *below = path + root_bytes, *failed_at = below;
    char first = *below;
    *below = '\0';
    int fd = open_root(path);
    *below = first;
    if (fd < 0)
        return -1;
    fd = walk(fd, below, O_NOFOLLOW, &failed_at);
    *ret_link_bytes = fd < 0 && errno == ELOOP ? (size_t)(failed_at - path) : 0;
    return fd;
}
