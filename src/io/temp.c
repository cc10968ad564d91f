#include "io/temp.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#define RANDOM_CHARS 6
#define TRIES 100
#define MARK ".tracepipe-"
#define TAIL ".tmp"
// Bytes of the first dot, the mark, the random part and the tail.
#define EXTRA_BYTES (1 + sizeof MARK - 1 + RANDOM_CHARS + sizeof TAIL - 1)
// Limits of the part of the output's name that goes into a temporary name: in general, and
// on a file system that permits only names shorter than NAME_MAX.
#define STEM_BYTES (NAME_MAX - EXTRA_BYTES)
#define SHORT_STEM_BYTES 24

static const char alphabet[] = "0123456789abcdefghijklmnopqrstuvwxyz";

// CREATING

static void random_chars(char to[RANDOM_CHARS])
{
    unsigned char bytes[RANDOM_CHARS];
    // getrandom never returns fewer of so few bytes. If it fails, O_EXCL finds a free name.
    if (getrandom(bytes, sizeof bytes, GRND_NONBLOCK) != (ssize_t)sizeof bytes) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        memcpy(bytes, &now.tv_nsec, sizeof bytes);
    }
    for (size_t i = 0; i < sizeof bytes; i++)
        to[i] = alphabet[bytes[i] % (sizeof alphabet - 1)];
}

static size_t stem_bytes(const char *base, size_t max_bytes)
{
    size_t n = strlen(base);
    if (n <= max_bytes)
        return n;
    // Cut between characters: some file systems refuse names that are not UTF-8.
    for (n = max_bytes; n > 0 && ((unsigned char)base[n] & 0xC0) == 0x80; n--) {
    }
    return n;
}

enum lock { LOCK_HELD, LOCK_LOST, LOCK_UNKNOWN };

// Locks a new file. If another run has swept the file before it could be locked, the file is lost.
static enum lock lock_new(int fd)
{
    struct stat st;
    int rc;
    do
        rc = flock(fd, LOCK_EX | LOCK_NB);
    while (rc != 0 && errno == EINTR);
    if (rc != 0)
        return errno == EWOULDBLOCK ? LOCK_LOST : LOCK_UNKNOWN;
    return fstat(fd, &st) == 0 && st.st_nlink == 0 ? LOCK_LOST : LOCK_HELD;
}

// Uses O_EXCL with mode 0666 instead of mkostemp, whose mode 0600 would have to be widened to what
// the umask permits. Reading the umask means changing it for a moment, for all threads.
int tp_temp_make(int folder_fd, const char *base, char ret_name[TP_TEMP_NAME_BYTES])
{
    size_t max_bytes = STEM_BYTES;
    const char *mark = MARK;
    for (int i = 0; i < TRIES; i++) {
        char random[RANDOM_CHARS];
        random_chars(random);
        snprintf(ret_name, TP_TEMP_NAME_BYTES, ".%.*s%s%.*s" TAIL, (int)stem_bytes(base, max_bytes),
                 base, mark, (int)sizeof random, random);
        int fd = openat(folder_fd, ret_name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0) {
            enum lock lock = mark[1] == '\0' ? LOCK_HELD : lock_new(fd);
            if (lock == LOCK_HELD)
                return fd;
            if (lock == LOCK_UNKNOWN)
                mark = ".";
            unlinkat(folder_fd, ret_name, 0);
            close(fd);
            errno = EEXIST;
        } else if (errno == ENAMETOOLONG && max_bytes > SHORT_STEM_BYTES) {
            max_bytes = SHORT_STEM_BYTES;
        } else if (errno != EEXIST && errno != EINTR) {
            break;
        }
    }
    ret_name[0] = '\0';
    return -1;
}

// SWEEPING

bool tp_temp_is_name(const char *name)
{
    size_t n = strlen(name);
    if (name[0] != '.' || n <= EXTRA_BYTES)
        return false;
    const char *tail = name + n - (sizeof TAIL - 1);
    const char *random = tail - RANDOM_CHARS;
    const char *mark = random - (sizeof MARK - 1);
    return memcmp(mark, MARK, sizeof MARK - 1) == 0 && strcmp(tail, TAIL) == 0 &&
           strspn(random, alphabet) == RANDOM_CHARS;
}

static bool is_same_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static void remove_if_stale(const struct tp_sweep *s, int folder_fd, const char *name)
{
    struct stat st, named;
    // For writing: a sandbox need not let us read below the folder.
    int fd = openat(folder_fd, name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0)
        return;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
        flock(fd, LOCK_EX | LOCK_NB) == 0 &&
        fstatat(folder_fd, name, &named, AT_SYMLINK_NOFOLLOW) == 0 && is_same_file(&st, &named) &&
        (s->is_read == NULL || !s->is_read(&st, s->ctx)))
        unlinkat(folder_fd, name, 0);
    close(fd);
}

// Magic numbers that <linux/magic.h> has only in later kernels, or not at all.
#define CIFS_MAGIC 0xFF534D42u
#define SMB2_MAGIC 0xFE534D42u
#define CEPH_MAGIC 0x00C36400u
#define FUSE_MAGIC 0x65735546u
#define LUSTRE_MAGIC 0x0BD00BD0u
#define GPFS_MAGIC 0x47504653u

static bool may_be_remote(int folder_fd)
{
    struct statfs fs;
    if (fstatfs(folder_fd, &fs) != 0)
        return true;
    switch ((uint32_t)fs.f_type) {
    case NFS_SUPER_MAGIC:
    case SMB_SUPER_MAGIC:
    case CIFS_MAGIC:
    case SMB2_MAGIC:
    case V9FS_MAGIC:
    case CODA_SUPER_MAGIC:
    case AFS_SUPER_MAGIC:
    case CEPH_MAGIC:
    case FUSE_MAGIC:
    case LUSTRE_MAGIC:
    case GPFS_MAGIC: return true;
    default: return false;
    }
}

static void sweep(const struct tp_sweep *s, int folder_fd)
{
    int fd = openat(folder_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    if (dir == NULL) {
        if (fd >= 0)
            close(fd);
        return;
    }
    for (const struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        if (tp_temp_is_name(entry->d_name) &&
            (entry->d_type == DT_REG || entry->d_type == DT_UNKNOWN))
            remove_if_stale(s, folder_fd, entry->d_name);
    }
    closedir(dir);
}

void tp_sweep_init(struct tp_sweep *s)
{
    *s = (struct tp_sweep){.mu = PTHREAD_MUTEX_INITIALIZER};
}

void tp_sweep_fini(struct tp_sweep *s)
{
    tp_map_fini(&s->folders);
    pthread_mutex_destroy(&s->mu);
}

void tp_sweep_folder(struct tp_sweep *s, int folder_fd)
{
    struct stat st;
    if (fstat(folder_fd, &st) != 0)
        return;
    // If two folders get the same id, the second one is not swept, which does no harm.
    uint64_t id = (uint64_t)st.st_ino ^ (uint64_t)st.st_dev << 40;
    pthread_mutex_lock(&s->mu);
    bool is_new = tp_map_get(&s->folders, id) == TP_MAP_NONE && tp_map_put(&s->folders, id, 1);
    pthread_mutex_unlock(&s->mu);
    if (is_new && !may_be_remote(folder_fd))
        sweep(s, folder_fd);
}
