// Stands in for libFuzzer: feeds the files named, and those of the folders named,
// to the target once each.
#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "fuzz.h"

static unsigned fed_count;

static void feed_file(const char *path, size_t len_bytes)
{
    FILE *f = fopen(path, "rb");
    uint8_t *data = malloc(len_bytes + (len_bytes == 0));
    if (f == NULL || data == NULL || fread(data, 1, len_bytes, f) != len_bytes) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        exit(1);
    }
    fclose(f);
    // The last line tells which input it was.
    fprintf(stderr, "%s\n", path);
    LLVMFuzzerTestOneInput(data, len_bytes);
    free(data);
    fed_count++;
}

static void feed(const char *path)
{
    struct stat st;
    if (stat(path, &st) == 0 && S_ISREG(st.st_mode)) {
        feed_file(path, (size_t)st.st_size);
        return;
    }
    DIR *dir = opendir(path);
    if (dir == NULL) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        exit(1);
    }
    for (const struct dirent *e; (e = readdir(dir)) != NULL;) {
        char below[4096];
        if (e->d_name[0] == '.')
            continue;
        snprintf(below, sizeof below, "%s/%s", path, e->d_name);
        feed(below);
    }
    closedir(dir);
}

int main(int argc, char **argv)
{
    LLVMFuzzerTestOneInput((const uint8_t *)"", 0);
    for (int i = 1; i < argc; i++)
        feed(argv[i]);
    // An empty corpus would prove nothing.
    return fed_count > 0 ? 0 : 1;
}
