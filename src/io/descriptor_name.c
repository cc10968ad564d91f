#include "io/descriptor_name.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

// Links that the kernel follows in a path before it fails with ELOOP.
#define LINKS_MOST 40

// Replaces the name of a link by the name that the link holds, which counts from the link's folder
// unless it is absolute. Returns false if `name` is no link, or the result is too long.
static bool follow_link(char name[static PATH_MAX])
{
    char target[PATH_MAX];
    ssize_t n = readlink(name, target, sizeof target);
    if (n <= 0)
        return false;
    const char *slash = strrchr(name, '/');
    size_t kept_bytes = slash == NULL || target[0] == '/' ? 0 : (size_t)(slash + 1 - name);
    if ((size_t)n >= PATH_MAX - kept_bytes)
        return false;
    memcpy(name + kept_bytes, target, (size_t)n);
    name[kept_bytes + (size_t)n] = '\0';
    return true;
}

static bool is_in_procfs(const char *name)
{
    int fd = open(name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    struct statfs fs;
    bool is_procfs = fd >= 0 && fstatfs(fd, &fs) == 0 && fs.f_type == PROC_SUPER_MAGIC;
    if (fd >= 0)
        close(fd);
    return is_procfs;
}

bool tp_names_descriptor(const char *path)
{
    char name[PATH_MAX];
    int len_bytes = snprintf(name, sizeof name, "%s", path);
    if (len_bytes < 0 || (size_t)len_bytes >= sizeof name)
        return false;
    for (int i = 0; i < LINKS_MOST; i++) {
        bool is_procfs = is_in_procfs(name);
        if (!follow_link(name))
            return false;
        if (is_procfs)
            return true;
    }
    return false;
}
