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
    // The several ways to say that there is nothing to sync.
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

static int enter(int at_fd, const char *name)
{
    int fd = openat(at_fd, name, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0 || errno != ENOENT)
        return fd;
    if (mkdirat(at_fd, name, 0777) == 0) {
        int sys_errno = sync_folder(at_fd);
        if (sys_errno != 0) {
            errno = sys_errno;
            return -1;
        }
    } else if (errno != EEXIST) { // EEXIST: another output has just made it
        return -1;
    }
    return openat(at_fd, name, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

static void close_keeping_errno(int fd)
{
    int sys_errno = errno;
    close(fd);
    errno = sys_errno;
}

int tp_folder_open(char *path)
{
    int fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0 || errno != ENOENT)
        return fd;
    fd = open(path[0] == '/' ? "/" : ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    for (char *part = path; fd >= 0 && *part != '\0';) {
        char *end = strchrnul(part, '/');
        char separator = *end;
        *end = '\0';
        if (part != end) {
            int next_fd = enter(fd, part);
            close_keeping_errno(fd);
            fd = next_fd;
        }
        *end = separator;
        part = separator != '\0' ? end + 1 : end;
    }
    return fd;
}
