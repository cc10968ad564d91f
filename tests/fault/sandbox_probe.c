// Tries what the sandbox must refuse, as code would that a trace has brought into the program: linked
// with --wrap=tp_unit_submit and --wrap=io_uring_submit_and_wait into a program that is otherwise the
// one under test. Each thread that comes by for the first time tries everything once, and writes a line
// for each try to standard error.
//
//   TP_PROBE_OUTSIDE  a folder outside, with a file `secret`
//   TP_PROBE_INPUT    an input
//   TP_PROBE_EXECUTE  if set, another program is executed, too
#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef TP_WITH_URING
#include <liburing.h>
#endif

#include "pipeline/core/unit.h"

static char g_secret[4096], g_new[4096];
static const char *g_outside, *g_input;
static int g_tcp, g_unix; // sockets from before the sandbox
static struct sockaddr_in g_port = {.sin_family = AF_INET};
static struct sockaddr_un g_name = {.sun_family = AF_UNIX, .sun_path = "listener"};

__attribute__((constructor)) static void prepare(void)
{
    g_outside = getenv("TP_PROBE_OUTSIDE");
    g_input = getenv("TP_PROBE_INPUT");
    g_tcp = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    g_unix = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    g_port.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    g_port.sin_port = htons(9);
    snprintf(g_secret, sizeof g_secret, "%s/secret", g_outside != NULL ? g_outside : "");
    snprintf(g_new, sizeof g_new, "%s/new", g_outside != NULL ? g_outside : "");
}

static void say(const char *thread, const char *what, int sys_errno)
{
    char line[256];
    int n = snprintf(line, sizeof line, "probe: %s: %s: %s\n", thread, what,
                     sys_errno == 0 ? "DONE" : strerror(sys_errno));
    (void)!write(STDERR_FILENO, line, (size_t)n);
}

// BY SYSTEM CALLS

static long open_result(const char *path, int flags)
{
    int fd = open(path, flags | O_CLOEXEC, 0600);
    if (fd >= 0)
        close(fd);
    return fd;
}

static long ring_setup(void)
{
    struct io_uring_params params = {0};
    return syscall(__NR_io_uring_setup, 4, &params);
}

static long read_parent(void)
{
    char byte;
    struct iovec here = {&byte, 1}, there = {prepare, 1};
    return process_vm_readv(getppid(), &here, 1, &there, 1, 0);
}

static long connect_to(int fd, const void *address, socklen_t len_bytes)
{
    return connect(fd, address, len_bytes);
}

#ifndef TP_SANITIZED
static long make_child(void)
{
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    return child > 0 ? waitpid(child, NULL, 0) : child;
}

static long map_code(void)
{
    void *at = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return at == MAP_FAILED ? -1 : 0;
}

static long make_code(void)
{
    void *at = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return mprotect(at, 4096, PROT_READ | PROT_EXEC);
}

static long type_to_terminal(void)
{
    return ioctl(STDIN_FILENO, TIOCSTI, "x");
}
#endif

#define TRY(what, call) say("worker", what, (errno = 0, (call) < 0) ? errno : 0)

static void try_calls(void)
{
    char *const words[] = {(char *)"true", NULL};
    TRY("read outside", open_result(g_secret, O_RDONLY));
    TRY("list outside", open_result(g_outside, O_RDONLY | O_DIRECTORY));
    TRY("create outside", open_result(g_new, O_WRONLY | O_CREAT));
    TRY("create a folder outside", mkdir(g_new, 0700));
    TRY("rename outside", rename(g_secret, g_new));
    TRY("write to an input", open_result(g_input, O_WRONLY));
    TRY("remove an input", unlink(g_input));
    TRY("change the mode of an input", chmod(g_input, 0777));
    TRY("make a TCP socket", socket(AF_INET, SOCK_STREAM, 0));
    TRY("make a Unix socket", socket(AF_UNIX, SOCK_STREAM, 0));
    TRY("connect by TCP", connect_to(g_tcp, &g_port, sizeof g_port));
    TRY("connect to a Unix socket", connect_to(g_unix, &g_name, sizeof g_name));
    TRY("read the parent's memory", read_parent());
    TRY("signal the parent", kill(getppid(), 0));
    TRY("make a ring", ring_setup());
    if (getenv("TP_PROBE_EXECUTE") != NULL)
        TRY("execute", execve("/bin/true", words, NULL));
#ifndef TP_SANITIZED // which need these
    TRY("trace the parent", ptrace(PTRACE_SEIZE, getppid(), NULL, NULL));
    TRY("signal a thread of the parent", syscall(__NR_tgkill, getppid(), getppid(), 0));
    TRY("make a process", make_child());
    TRY("map code", map_code());
    TRY("make data code", make_code());
    TRY("type to the terminal", type_to_terminal());
#endif
}

void __real_tp_unit_submit(struct tp_input_run *in, enum tp_lane_id lane);
void __wrap_tp_unit_submit(struct tp_input_run *in, enum tp_lane_id lane);

void __wrap_tp_unit_submit(struct tp_input_run *in, enum tp_lane_id lane)
{
    static atomic_flag is_done = ATOMIC_FLAG_INIT;
    if (g_outside != NULL && !atomic_flag_test_and_set(&is_done))
        try_calls();
    __real_tp_unit_submit(in, lane);
}

// THROUGH THE RING

#ifdef TP_WITH_URING
int __real_io_uring_submit_and_wait(struct io_uring *ring, unsigned wait_count);
int __wrap_io_uring_submit_and_wait(struct io_uring *ring, unsigned wait_count);

// Sends the one request that is prepared, and tells its result.
static void ask(struct io_uring *ring, const char *what)
{
    struct io_uring_cqe *cqe;
    while (io_uring_peek_cqe(ring, &cqe) != 0)
        (void)__real_io_uring_submit_and_wait(ring, 1);
    say("ring", what, cqe->res < 0 ? -cqe->res : 0);
    io_uring_cqe_seen(ring, cqe);
}

static void try_ring(struct io_uring *ring)
{
    io_uring_prep_openat(io_uring_get_sqe(ring), AT_FDCWD, g_secret, O_RDONLY, 0);
    ask(ring, "read outside");
    io_uring_prep_openat(io_uring_get_sqe(ring), AT_FDCWD, g_new, O_WRONLY | O_CREAT, 0600);
    ask(ring, "create outside");
    io_uring_prep_openat(io_uring_get_sqe(ring), AT_FDCWD, g_input, O_WRONLY, 0);
    ask(ring, "write to an input");
    io_uring_prep_connect(io_uring_get_sqe(ring), g_tcp, (struct sockaddr *)&g_port, sizeof g_port);
    ask(ring, "connect by TCP");
    io_uring_prep_connect(io_uring_get_sqe(ring), g_unix, (struct sockaddr *)&g_name,
                          sizeof g_name);
    ask(ring, "connect to a Unix socket");
    io_uring_prep_renameat(io_uring_get_sqe(ring), AT_FDCWD, g_secret, AT_FDCWD, g_new, 0);
    ask(ring, "rename outside");
    io_uring_prep_unlinkat(io_uring_get_sqe(ring), AT_FDCWD, g_input, 0);
    ask(ring, "remove an input");
    io_uring_prep_write(io_uring_get_sqe(ring), STDOUT_FILENO, "x", 1, 0);
    ask(ring, "write");
    int rc = io_uring_register_personality(ring);
    say("ring", "keep its credentials", rc < 0 ? -rc : 0);
}

// The first call has one request without effect, after which the ring is free. It is sent again for
// the caller.
int __wrap_io_uring_submit_and_wait(struct io_uring *ring, unsigned wait_count)
{
    static atomic_flag is_done = ATOMIC_FLAG_INIT;
    if (g_outside == NULL || atomic_flag_test_and_set(&is_done))
        return __real_io_uring_submit_and_wait(ring, wait_count);
    __real_io_uring_submit_and_wait(ring, 1);
    io_uring_cq_advance(ring, 1);
    try_ring(ring);
    io_uring_prep_nop(io_uring_get_sqe(ring));
    return __real_io_uring_submit_and_wait(ring, wait_count);
}
#endif
