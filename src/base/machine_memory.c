#include "base/machine_memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PATH_ROOM 4096
#define LINE_ROOM (PATH_ROOM + 64)

// Returns the limit in a file; UINT64_MAX for "max" and for an unreadable file.
static uint64_t limit_in(const char *path)
{
    char text[32];
    char *end = NULL;
    FILE *f = fopen(path, "re");
    if (f == NULL)
        return UINT64_MAX;
    bool is_there = fgets(text, sizeof text, f) != NULL;
    fclose(f);
    if (!is_there || text[0] < '0' || text[0] > '9')
        return UINT64_MAX;
    uint64_t limit = strtoull(text, &end, 10);
    return *end == '\n' || *end == '\0' ? limit : UINT64_MAX;
}

// Returns the least limit of the group and of its parent groups up to `root`.
static uint64_t least_above(const char *root, const char *group, const char *file)
{
    char path[PATH_ROOM], at[PATH_ROOM];
    uint64_t least = UINT64_MAX;
    if (snprintf(at, sizeof at, "%s", group) >= (int)sizeof at)
        return UINT64_MAX;
    for (;;) {
        int n = snprintf(path, sizeof path, "%s%s/%s", root, at, file);
        uint64_t limit = n < (int)sizeof path ? limit_in(path) : UINT64_MAX;
        least = limit < least ? limit : least;
        char *slash = strrchr(at, '/');
        if (slash == NULL)
            return least;
        *slash = '\0';
    }
}

// Returns whether `name` is one of the words in a list with commas.
static bool has_word(const char *words, const char *name)
{
    size_t n = strlen(name);
    for (const char *at = words; at != NULL; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, name, n) == 0 && (at[n] == ',' || at[n] == '\0'))
            return true;
    }
    return false;
}

uint64_t tp_cgroup_memory_bytes(const char *groups_path, const char *root)
{
    char line[LINE_ROOM], first_root[PATH_ROOM];
    uint64_t least = UINT64_MAX;
    FILE *f = fopen(groups_path, "re");
    if (f == NULL)
        return UINT64_MAX;
    // A line is NUMBER:CONTROLLERS:PATH; CONTROLLERS is empty in version 2.
    while (fgets(line, sizeof line, f) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        char *controllers = strchr(line, ':');
        char *group = controllers != NULL ? strchr(controllers + 1, ':') : NULL;
        if (group == NULL)
            continue;
        *group++ = '\0';
        controllers++;
        uint64_t limit = UINT64_MAX;
        if (controllers[0] == '\0')
            limit = least_above(root, group, "memory.max");
        else if (has_word(controllers, "memory") &&
                 snprintf(first_root, sizeof first_root, "%s/memory", root) < PATH_ROOM)
            limit = least_above(first_root, group, "memory.limit_in_bytes");
        least = limit < least ? limit : least;
    }
    fclose(f);
    return least;
}

uint64_t tp_machine_memory_bytes(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
    uint64_t installed = pages > 0 && page_bytes > 0 ? (uint64_t)pages * (uint64_t)page_bytes
                                                     : UINT64_MAX;
    uint64_t allowed = tp_cgroup_memory_bytes("/proc/self/cgroup", "/sys/fs/cgroup");
    return allowed < installed ? allowed : installed;
}
