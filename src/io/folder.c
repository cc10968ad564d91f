#include "io/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

int tp_folder_sync_and_close(int sync_fd)
{
    if (sync_fd < 0)
        return 0;
    int sys_errno = tp_sync(sync_fd);
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
