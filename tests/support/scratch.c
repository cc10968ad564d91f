#include "scratch.h"

#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

struct scratch {
    char path[4096];
    int old_fd;
};

int scratch_set_up(void **state)
{
    const char *parent = getenv("TMPDIR");
    struct scratch *s = calloc(1, sizeof *s);
    s->old_fd = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    snprintf(s->path, sizeof s->path, "%s/tracepipe-XXXXXX", parent != NULL ? parent : "/tmp");
    *state = s;
    return s->old_fd < 0 || mkdtemp(s->path) == NULL || chdir(s->path) != 0;
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)st;
    (void)type;
    (void)ftw;
    return remove(path);
}

int scratch_tear_down(void **state)
{
    struct scratch *s = *state;
    int rc = fchdir(s->old_fd);
    close(s->old_fd);
    rc |= nftw(s->path, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
    free(s);
    return rc;
}

const char *scratch_path(const void *state)
{
    const struct scratch *s = state;
    return s->path;
}

size_t count_entries(const char *folder)
{
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    size_t count = 0;
    while (readdir(dir) != NULL)
        count++;
    closedir(dir);
    return count - 2;
}

void expect_file(const char *path, const char *want)
{
    char got[256];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    assert_true(fd >= 0);
    ssize_t n = read(fd, got, sizeof got - 1);
    close(fd);
    assert_true(n >= 0);
    got[n] = '\0';
    assert_string_equal(got, want);
}

void make_file(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    close(fd);
}
