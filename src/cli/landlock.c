// Restricts the files of the process by the system calls of Landlock, for which the C library has no
// wrappers. The kernel's version may lack rights, which then stay allowed; the manual lists them.
#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cli/confine.h"

// Rights that <linux/landlock.h> has only in later kernels.
#define ACCESS_TRUNCATE (1ULL << 14)
#define ACCESS_IOCTL_DEV (1ULL << 15)
#define NET_ALL 3u   // bind and connect by TCP
#define SCOPE_ALL 3u // abstract Unix sockets and signals outside

// All rights of a version: those of the versions up to it.
#define FIRST_RIGHTS ((1ULL << 13) - 1)
static const uint64_t fs_rights[] = {
    [1] = FIRST_RIGHTS,
    [2] = FIRST_RIGHTS | LANDLOCK_ACCESS_FS_REFER,
    [3] = FIRST_RIGHTS | LANDLOCK_ACCESS_FS_REFER | ACCESS_TRUNCATE,
    [4] = FIRST_RIGHTS | LANDLOCK_ACCESS_FS_REFER | ACCESS_TRUNCATE,
    [5] = FIRST_RIGHTS | LANDLOCK_ACCESS_FS_REFER | ACCESS_TRUNCATE | ACCESS_IOCTL_DEV,
};
enum { LAST_FS = sizeof fs_rights / sizeof fs_rights[0] - 1, NET_SINCE = 4, SCOPES_SINCE = 6 };

// The kernel takes a longer struct than it knows if the rest is zero.
struct ruleset {
    uint64_t fs, net, scopes;
};

// Rights that a file has; a rule for one must not name others.
#define FILE_RIGHTS                                                                                \
    (LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_READ_FILE |   \
     ACCESS_TRUNCATE | ACCESS_IOCTL_DEV)

#define CREATE_RIGHTS                                                                              \
    (LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_READ_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |   \
     LANDLOCK_ACCESS_FS_REMOVE_FILE | ACCESS_TRUNCATE)

static const uint64_t use_rights[TP_PATH_USES] = {
    [TP_PATH_READ] = LANDLOCK_ACCESS_FS_READ_FILE,
    [TP_PATH_WRITE] = LANDLOCK_ACCESS_FS_WRITE_FILE,
    [TP_PATH_CREATE] = CREATE_RIGHTS, // READ_DIR: to sync the folder, and find old temporary files
    [TP_PATH_TREE] = CREATE_RIGHTS | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_MAKE_DIR,
};

struct rules {
    int fd;
    uint64_t handled;
};

static int add_rule(const struct rules *rules, int fd, uint64_t rights)
{
    struct stat st;

    if (fstat(fd, &st) != 0)
        return errno;
    struct landlock_path_beneath_attr rule = {
        .allowed_access = rights & rules->handled & (S_ISDIR(st.st_mode) ? ~0ULL : FILE_RIGHTS),
        .parent_fd = fd,
    };
    return syscall(__NR_landlock_add_rule, rules->fd, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0
               ? 0
               : errno;
}

// A tp_path_fn. A path that cannot be opened gets no rule: the run says what is wrong with it.
static int allow(void *ctx, enum tp_path_use use, const char *path, struct tp_error *err)
{
    const struct rules *rules = ctx;
    int fd = open(path, O_PATH | O_CLOEXEC);

    if (fd < 0 && (errno == EMFILE || errno == ENFILE || errno == ENOMEM))
        return tp_error_set(err, TP_E_KERNEL, "landlock: %s", strerror(errno));
    if (fd < 0)
        return 0;
    int code = add_rule(rules, fd, use_rights[use]);
    close(fd);
    // EBADFD: a pipe or another file of no file system, which Landlock does not restrict.
    return code == 0 || code == EBADFD
               ? 0
               : tp_error_set(err, TP_E_KERNEL, "landlock_add_rule: %s", strerror(code));
}

static int restrict_self(struct tp_run *run, const struct rules *rules, struct tp_error *err)
{
    int code = tp_run_visit_paths(run, allow, (void *)(uintptr_t)rules, err);

#ifdef TP_SANITIZED
    // At its end LeakSanitizer looks at the process and its threads.
    if (code == 0)
        code = allow((void *)(uintptr_t)rules, TP_PATH_TREE, "/proc", err);
#endif
    if (code == 0 && syscall(__NR_landlock_restrict_self, rules->fd, 0) != 0)
        code = tp_error_set(err, TP_E_KERNEL, "landlock_restrict_self: %s", strerror(errno));
    return code;
}

enum tp_confined tp_landlock_enter(struct tp_run *run, int *ret_abi, struct tp_error *err)
{
    int abi = (int)syscall(__NR_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);

    if (abi <= 0) {
        tp_error_set(err, TP_E_KERNEL, "no landlock: %s", strerror(abi < 0 ? errno : ENOSYS));
        return TP_CONFINE_MISSING;
    }
    *ret_abi = abi;
    struct ruleset all = {.fs = fs_rights[abi < LAST_FS ? abi : LAST_FS],
                          .net = abi >= NET_SINCE ? NET_ALL : 0,
                          .scopes = abi >= SCOPES_SINCE ? SCOPE_ALL : 0};
    struct rules rules = {
        .fd = (int)syscall(__NR_landlock_create_ruleset, &all, sizeof all, 0),
        .handled = all.fs,
    };
    if (rules.fd < 0) {
        tp_error_set(err, TP_E_KERNEL, "landlock_create_ruleset: %s", strerror(errno));
        return TP_CONFINE_FAILED;
    }
    int code = restrict_self(run, &rules, err);
    close(rules.fd);
    return code == 0 ? TP_CONFINED : TP_CONFINE_FAILED;
}
