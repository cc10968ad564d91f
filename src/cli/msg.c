#include "cli/msg.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#define RATE_MEMORY_S 3.0 // time constant of the smoothed rate
#define LINE_BYTES 256
// Room for a message of the run with every byte escaped; file names, of PATH_MAX bytes each,
// are most of it.
#define PRINTABLE_BYTES (4 * 8192)
#define PREFIX "tracepipe: "
#define ERASE_LINE "\r\033[K"
#define NS_PER_S 1000000000u

static uint64_t now_ns(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (uint64_t)ts.tv_sec * NS_PER_S + (uint64_t)ts.tv_nsec;
}

// Writes a line with one system call, so that lines of several processes on one terminal or
// log do not mix.
static void put(const char *text)
{
    size_t left_bytes = strlen(text);

    while (left_bytes > 0) {
        ssize_t put_bytes = write(STDERR_FILENO, text, left_bytes);
        if (put_bytes < 0) {
            struct pollfd fd = {.fd = STDERR_FILENO, .events = POLLOUT};
            if (errno == EINTR)
                continue;
            // Another process may have made our shared stderr non-blocking.
            if (errno == EAGAIN && poll(&fd, 1, -1) >= 0)
                continue;
            return;
        }
        text += put_bytes;
        left_bytes -= (size_t)put_bytes;
    }
}

// Whether a write of a line would not block now.
static bool stderr_takes_a_line(void)
{
    struct pollfd fd = {.fd = STDERR_FILENO, .events = POLLOUT};

    return poll(&fd, 1, 0) == 1 && fd.revents == POLLOUT;
}

void tp_msg_init(struct tp_msg *msg)
{
    *msg = (struct tp_msg){.least = TP_MSG_WARNING, .style = TP_PROGRESS_OFF, .rate_per_s = -1};
    pthread_mutex_init(&msg->mu, NULL);
}

void tp_msg_fini(struct tp_msg *msg) { pthread_mutex_destroy(&msg->mu); }

bool tp_msg_on_terminal(void)
{
    const char *term = getenv("TERM");

    return isatty(STDERR_FILENO) && term && *term && strcmp(term, "dumb") != 0;
}

// Requires `mu`. Every text to stderr goes through here. Escapes the bytes of file names that
// would move a terminal's cursor or do worse.
static void put_line(struct tp_msg *msg, const char *prefix, const char *path, const char *text)
{
    char line[LINE_BYTES + PRINTABLE_BYTES];
    int begin_bytes =
        snprintf(line, LINE_BYTES, "%s%s", msg->line_shown ? ERASE_LINE : "", prefix);
    char *at = line + begin_bytes, *const end = at + PRINTABLE_BYTES;

    at = tp_printable(at, (size_t)(end - at), path);
    if (*path != '\0')
        at = tp_printable(at, (size_t)(end - at), ": ");
    at = tp_printable(at, (size_t)(end - at), text);
    memcpy(at, "\n", 2);
    msg->line_shown = false;
    put(line);
}

void tp_msg_show(void *ctx, enum tp_message_level level, const char *text)
{
    struct tp_msg *msg = ctx;

    if (level < msg->least)
        return;
    pthread_mutex_lock(&msg->mu);
    put_line(msg, level == TP_MSG_WARNING ? PREFIX "warning: " : PREFIX, "", text);
    pthread_mutex_unlock(&msg->mu);
}

void tp_msg_error(struct tp_msg *msg, const struct tp_error *err)
{
    pthread_mutex_lock(&msg->mu);
    put_line(msg, PREFIX, err->path ? err->path : "", err->text);
    if (tp_error_class_of(err->code) == TP_CLASS_USAGE)
        put("Try 'tracepipe --help' for more information.\n");
    pthread_mutex_unlock(&msg->mu);
}

void tp_msg_line(struct tp_msg *msg, const char *text)
{
    pthread_mutex_lock(&msg->mu);
    put_line(msg, "", "", text);
    pthread_mutex_unlock(&msg->mu);
}

int tp_msg_period_ms(const struct tp_msg *msg)
{
    static const int periods_ms[] = {
        [TP_PROGRESS_OFF] = -1, [TP_PROGRESS_LINE] = 200, [TP_PROGRESS_LOG] = 2000};

    return periods_ms[msg->style];
}

// "812 B", "1.2 GiB": four places at most before the unit.
static void format_bytes(char to[16], double byte_count)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    size_t unit = 0;

    while (byte_count >= 1023.5 && unit + 1 < sizeof(units) / sizeof(units[0])) {
        byte_count /= 1024;
        unit++;
    }
    snprintf(to, 16, "%.*f %s", unit > 0 && byte_count < 99.95 ? 1 : 0, byte_count, units[unit]);
}

// Seconds left, or a negative number if unknown. The larger one of two imperfect estimates:
// the estimate by bytes lacks the files that are not yet open, and the estimate by files
// ignores their different sizes.
static double seconds_left(const struct tp_progress *progress, uint64_t elapsed_ns,
                           double rate_per_s)
{
    double by_bytes = -1;
    double by_files = -1;

    if (rate_per_s > 0 && progress->byte_count > progress->byte_done_count)
        by_bytes = (double)(progress->byte_count - progress->byte_done_count) / rate_per_s;
    if (progress->file_done_count > 0 && progress->file_count > progress->file_done_count) {
        by_files = (double)elapsed_ns / NS_PER_S *
                   (double)(progress->file_count - progress->file_done_count) /
                   (double)progress->file_done_count;
    }
    return by_bytes > by_files ? by_bytes : by_files;
}

// " 0:04 left"; an empty text if the time is unknown or 100 hours and more.
static void format_left(char to[32], double left_s)
{
    to[0] = '\0';
    if (left_s < 0 || left_s >= 360000)
        return;
    unsigned s = (unsigned)(left_s + 0.5);
    if (s >= 3600)
        snprintf(to, 32, ", %u:%02u:%02u left", s / 3600, s / 60 % 60, s % 60);
    else
        snprintf(to, 32, ", %u:%02u left", s / 60, s % 60);
}

void tp_msg_format_progress(char *to, size_t to_bytes, const struct tp_progress *progress,
                            uint64_t elapsed_ns, double rate_per_s)
{
    char done[16];
    char total[16] = "";
    char rate[16] = "";
    char left[32];

    format_bytes(done, (double)progress->byte_done_count);
    // With inputs without a size, such as pipes, the total can be less than the bytes read.
    if (progress->byte_count >= progress->byte_done_count && progress->byte_count > 0)
        format_bytes(total, (double)progress->byte_count);
    if (rate_per_s >= 0)
        format_bytes(rate, rate_per_s);
    format_left(left, seconds_left(progress, elapsed_ns, rate_per_s));
    snprintf(to, to_bytes, "%llu/%llu files, %s%s%s%s%s%s%s",
             (unsigned long long)progress->file_done_count,
             (unsigned long long)progress->file_count, done, total[0] ? " of " : "", total,
             rate[0] ? ", " : "", rate, rate[0] ? "/s" : "", left);
}

static void take_sample(struct tp_msg *msg, uint64_t at_ns, uint64_t byte_done_count)
{
    double passed_s = (double)(at_ns - msg->sample_ns) / NS_PER_S;

    if (passed_s <= 0 || byte_done_count < msg->sample_bytes)
        return;
    double rate = (double)(byte_done_count - msg->sample_bytes) / passed_s;
    double weight = msg->rate_per_s < 0 ? 1 : passed_s / (passed_s + RATE_MEMORY_S);
    msg->rate_per_s = rate * weight + msg->rate_per_s * (1 - weight);
    msg->sample_ns = at_ns;
    msg->sample_bytes = byte_done_count;
}

void tp_msg_start(struct tp_msg *msg)
{
    msg->start_ns = now_ns();
    msg->sample_ns = msg->start_ns;
    msg->sample_bytes = 0;
    msg->rate_per_s = -1;
}

// Cuts the line to the width of the terminal: a wrapped line cannot be erased.
static void fit_terminal(char line[LINE_BYTES])
{
    struct winsize size;

    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 &&
        size.ws_col - 1u < strlen(line))
        line[size.ws_col - 1u] = '\0';
}

// Whether the program is a background job, which must not paint over what the user sees in the
// foreground.
static bool in_background(void)
{
    pid_t foreground = tcgetpgrp(STDERR_FILENO);

    return foreground > 0 && foreground != getpgrp();
}

void tp_msg_paint(struct tp_msg *msg, const struct tp_progress *progress)
{
    char line[LINE_BYTES];
    uint64_t at_ns = now_ns();

    if (msg->style == TP_PROGRESS_OFF)
        return;
    take_sample(msg, at_ns, progress->byte_done_count);
    tp_msg_format_progress(line, sizeof(line), progress, at_ns - msg->start_ns, msg->rate_per_s);
    if (msg->style == TP_PROGRESS_LINE && in_background())
        return;
    if (!stderr_takes_a_line() || pthread_mutex_trylock(&msg->mu) != 0)
        return;
    if (msg->is_stopped) {
        pthread_mutex_unlock(&msg->mu);
        return;
    }
    if (msg->style == TP_PROGRESS_LINE) {
        fit_terminal(line);
        char painted[sizeof ERASE_LINE + LINE_BYTES];
        snprintf(painted, sizeof painted, "%s%s", ERASE_LINE, line);
        put(painted);
        msg->line_shown = true;
    } else {
        put_line(msg, PREFIX, "", line);
    }
    pthread_mutex_unlock(&msg->mu);
}

void tp_msg_stop(struct tp_msg *msg)
{
    pthread_mutex_lock(&msg->mu);
    if (msg->line_shown)
        put(ERASE_LINE);
    msg->line_shown = false;
    msg->is_stopped = true;
    pthread_mutex_unlock(&msg->mu);
}

void tp_msg_clear(struct tp_msg *msg)
{
    if (!stderr_takes_a_line() || pthread_mutex_trylock(&msg->mu) != 0)
        return;
    if (msg->line_shown)
        put(ERASE_LINE);
    msg->line_shown = false;
    pthread_mutex_unlock(&msg->mu);
}
