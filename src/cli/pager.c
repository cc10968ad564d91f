#include "cli/pager.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define DEFAULT_COMMAND "less"
// Options of less: those that git gives it (quit if all fits on the screen, show colours, do not
// clear), and do not fold lines: a table of which every line is folded cannot be read.
#define LESS_OPTIONS "FRSX"
#define WORDS_MAX 16
#define COMMAND_BYTES 256
// A command with one of these needs a shell.
#define SHELL_BYTES "|&;<>()$`\\\"'*?[]#~=%!{}\n\t"

const char *tp_pager_command(void)
{
    const char *command = getenv("PAGER"), *term = getenv("TERM");

    if (term == NULL || *term == '\0' || strcmp(term, "dumb") == 0)
        return NULL;
    setenv("LESS", LESS_OPTIONS, 0);
    if (command == NULL)
        return DEFAULT_COMMAND;
    return *command != '\0' && strcmp(command, "cat") != 0 ? command : NULL;
}

static int write_all(int fd, const char *bytes, size_t len_bytes)
{
    while (len_bytes > 0) {
        ssize_t put_bytes = write(fd, bytes, len_bytes);
        if (put_bytes < 0 && errno == EAGAIN) {
            struct pollfd ready = {.fd = fd, .events = POLLOUT};
            poll(&ready, 1, -1);
            continue;
        }
        if (put_bytes < 0 && errno != EINTR)
            return errno;
        if (put_bytes > 0) {
            bytes += put_bytes;
            len_bytes -= (size_t)put_bytes;
        }
    }
    return 0;
}

// START

// Tells the child that there is no more text, and waits until it has ended.
static void end_child(struct tp_pager *p)
{
    if (p->pid == 0)
        return;
    close(p->fd);
    close(p->word_fd);
    while (p->pid > 0 && waitpid(p->pid, NULL, 0) < 0 && errno == EINTR) {
    }
    p->pid = 0;
}

// Splits a command without special characters into words, or makes one for a shell. `copy` holds
// the words.
static void split_command(const char *command, char copy[COMMAND_BYTES], char *words[WORDS_MAX + 1])
{
    static char shell[] = "sh", option[] = "-c";
    size_t count = 0;

    if (strlen(command) < COMMAND_BYTES && strpbrk(command, SHELL_BYTES) == NULL) {
        strcpy(copy, command);
        for (char *rest = copy, *word; count < WORDS_MAX && (word = strsep(&rest, " ")) != NULL;) {
            if (*word != '\0')
                words[count++] = word;
        }
        words[count] = NULL;
        if (count > 0 && count < WORDS_MAX)
            return;
    }
    words[0] = shell;
    words[1] = option;
    words[2] = (char *)(uintptr_t)command;
    words[3] = NULL;
}

static bool send_word(int fd)
{
    ssize_t n;

    do
        n = write(fd, "", 1);
    while (n < 0 && errno == EINTR);
    return n == 1;
}

// False: the other end is closed.
static bool receive_word(int fd)
{
    char word;
    ssize_t n;

    do
        n = read(fd, &word, 1);
    while (n < 0 && errno == EINTR);
    return n == 1;
}

// In the child: waits for the word to start, and becomes the pager, which gets the signals that the
// program blocks or ignores. Ends without a word if the program is gone or has no need of a pager.
static _Noreturn void become_pager(const char *command, int text_fd, int word_fd)
{
    char copy[COMMAND_BYTES], *words[WORDS_MAX + 1];
    const struct sigaction ignored = {.sa_handler = SIG_IGN};
    struct sigaction interrupt;
    sigset_t none;

    // Until there is a pager, Ctrl-C is for the program only.
    sigaction(SIGINT, &ignored, &interrupt);
    if (!receive_word(word_fd))
        _exit(0);
    split_command(command, copy, words);
    dup2(text_fd, STDIN_FILENO);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    sigaction(SIGINT, &interrupt, NULL);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    execvp(words[0], words);
    send_word(word_fd);
    _exit(127);
}

int tp_pager_prepare(struct tp_pager *p)
{
    int text[2], word[2];

    if (pipe2(text, O_CLOEXEC) != 0)
        return errno;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, word) != 0) {
        int code = errno;
        close(text[0]);
        close(text[1]);
        return code;
    }
    p->pid = fork();
    int code = p->pid < 0 ? errno : 0;
    if (p->pid == 0) {
        close(text[1]);
        close(word[1]);
        become_pager(p->command, text[0], word[0]);
    }
    close(text[0]);
    close(word[0]);
    p->fd = text[1];
    p->word_fd = word[1];
    if (code != 0)
        end_child(p);
    return code;
}

// Starts the pager. Returns whether it has started.
static bool start(struct tp_pager *p)
{
    if (p->on_start != NULL)
        p->on_start(p->ctx);
    // The child's end closes when the pager runs. If it cannot, the child sends the word back.
    bool has_started = send_word(p->word_fd) && !receive_word(p->word_fd);
    if (!has_started)
        end_child(p);
    return has_started;
}

// TEXT

// Whether the byte takes a column: no continuation of UTF-8, and not part of an escape sequence.
static bool takes_column(struct tp_pager *p, unsigned char byte)
{
    if (p->in_escape) {
        p->in_escape = (byte | 0x20) < 'a' || (byte | 0x20) > 'z';
        return false;
    }
    p->in_escape = byte == '\033';
    return !p->in_escape && (byte & 0xc0) != 0x80;
}

static void count_rows(struct tp_pager *p, const char *bytes, size_t len_bytes)
{
    for (size_t i = 0; i < len_bytes; i++) {
        if (bytes[i] == '\n') {
            p->rows++;
            p->columns = 0;
        } else if (takes_column(p, (unsigned char)bytes[i]) && ++p->columns > p->screen.columns) {
            p->rows++;
            p->columns = 1;
        }
    }
}

static int hold(struct tp_pager *p, const char *bytes, size_t len_bytes)
{
    if (p->room - p->held_bytes < len_bytes) {
        size_t room = 2 * (p->held_bytes + len_bytes);
        char *held = realloc(p->held, room);
        if (held == NULL)
            return ENOMEM;
        p->held = held;
        p->room = room;
    }
    memcpy(p->held + p->held_bytes, bytes, len_bytes);
    p->held_bytes += len_bytes;
    count_rows(p, bytes, len_bytes);
    return 0;
}

static int put(struct tp_pager *p, const char *bytes, size_t len_bytes)
{
    switch (atomic_load(&p->state)) {
    case TP_PAGER_FAILED: return write_all(STDOUT_FILENO, bytes, len_bytes);
    case TP_PAGER_SHOWS:
        // A user who has seen enough leaves the pager. That is no failure of the run, which may
        // have other outputs.
        if (write_all(p->fd, bytes, len_bytes) != 0)
            atomic_store(&p->state, TP_PAGER_CLOSED);
        return 0;
    default: return 0;
    }
}

int tp_pager_take(void *ctx, const void *bytes, size_t len_bytes)
{
    struct tp_pager *p = ctx;

    if (atomic_load(&p->state) != TP_PAGER_WAITS)
        return put(p, bytes, len_bytes);
    int code = hold(p, bytes, len_bytes);
    // The shell's next prompt needs a row, too.
    if (code != 0 || p->rows < p->screen.rows)
        return code;
    atomic_store(&p->state, start(p) ? TP_PAGER_SHOWS : TP_PAGER_FAILED);
    return put(p, p->held, p->held_bytes);
}

bool tp_pager_shows(const struct tp_pager *p)
{
    return atomic_load(&p->state) == TP_PAGER_SHOWS;
}

int tp_pager_end(struct tp_pager *p)
{
    int code = 0;

    if (atomic_load(&p->state) == TP_PAGER_WAITS)
        code = write_all(STDOUT_FILENO, p->held, p->held_bytes);
    end_child(p);
    free(p->held);
    p->held = NULL;
    atomic_store(&p->state, TP_PAGER_CLOSED);
    return code;
}
