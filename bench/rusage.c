// rusage: runs a command and appends one line about what it cost to a file.
//
//   rusage [-n COUNT] -o FILE COMMAND [ARGUMENT...]
//
//   wall s <TAB> user s <TAB> system s <TAB> peak RSS KiB <TAB> exit status
//
// With COUNT the command runs that often, one after the other; the times are means.
// Counted are the command and what it has waited for. Exits as the command did.
//
// The shell could tell the same, but not without its own memory in it: a new
// program starts out with the peak RSS of the process it was forked from, and this
// one is small.
#include <errno.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define USAGE 2
#define NOT_RUN 127
#define KILLED_BY 128 // plus the signal, as shells have it

struct cost {
    double wall_s, user_s, system_s;
    long peak_rss_kib;
    int status;
};

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double timeval_s(struct timeval t)
{
    return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

// Adds one run of the command. False: it could not be run, and errno says why.
static bool run(char **command, struct cost *c)
{
    extern char **environ;
    pid_t pid;
    int status = 0;
    struct rusage used;
    double begin_s = now_s();
    errno = posix_spawnp(&pid, command[0], NULL, NULL, command, environ);
    if (errno != 0)
        return false;
    while (wait4(pid, &status, 0, &used) < 0) {
        if (errno != EINTR)
            return false;
    }
    c->wall_s += now_s() - begin_s;
    c->user_s += timeval_s(used.ru_utime);
    c->system_s += timeval_s(used.ru_stime);
    if (used.ru_maxrss > c->peak_rss_kib)
        c->peak_rss_kib = used.ru_maxrss;
    c->status = WIFEXITED(status) ? WEXITSTATUS(status) : KILLED_BY + WTERMSIG(status);
    return true;
}

static int usage(void)
{
    fputs("usage: rusage [-n COUNT] -o FILE COMMAND [ARGUMENT...]\n", stderr);
    return USAGE;
}

int main(int argc, char **argv)
{
    const char *path = NULL;
    long count = 1;
    for (int opt; (opt = getopt(argc, argv, "+n:o:")) != -1;) {
        char *end = NULL;
        if (opt == 'o')
            path = optarg;
        else if (opt != 'n' || (count = strtol(optarg, &end, 10)) < 1 || *end != '\0')
            return usage();
    }
    if (optind == argc || path == NULL)
        return usage();
    FILE *file = fopen(path, "ae"); // not for the command to inherit
    if (file == NULL) {
        fprintf(stderr, "rusage: %s: %s\n", path, strerror(errno));
        return NOT_RUN;
    }
    struct cost c = {0};
    for (long i = 0; i < count && c.status == 0; i++) {
        if (!run(argv + optind, &c)) {
            fprintf(stderr, "rusage: %s: %s\n", argv[optind], strerror(errno));
            return NOT_RUN;
        }
    }
    double n = (double)count;
    fprintf(file, "%.6f\t%.6f\t%.6f\t%ld\t%d\n", c.wall_s / n, c.user_s / n, c.system_s / n,
            c.peak_rss_kib, c.status);
    if (fclose(file) != 0) {
        fprintf(stderr, "rusage: %s: %s\n", path, strerror(errno));
        return NOT_RUN;
    }
    return c.status;
}
