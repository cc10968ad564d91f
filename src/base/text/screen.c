#include "base/text/screen.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#define MOST_DIGITS 6

// Reads a number of at most MOST_DIGITS digits; *ret_end is the first byte after it. 0: none.
static unsigned read_number(const char *text, const char **ret_end)
{
    unsigned value = 0;
    size_t digits = strspn(text, "0123456789");
    *ret_end = text + digits;
    for (size_t i = 0; i < digits && digits <= MOST_DIGITS; i++)
        value = 10 * value + (unsigned)(text[i] - '0');
    return value;
}

static unsigned within(unsigned value, unsigned least, unsigned most)
{
    return value < least ? least : value > most ? most : value;
}

static struct tp_screen bounded(unsigned columns, unsigned rows)
{
    return (struct tp_screen){within(columns, TP_SCREEN_COLUMNS_LEAST, TP_SCREEN_COLUMNS_MOST),
                              within(rows, TP_SCREEN_ROWS_LEAST, TP_SCREEN_ROWS_MOST)};
}

bool tp_screen_parse(const char *text, struct tp_screen *ret_screen)
{
    const char *end;
    unsigned columns = read_number(text, &end);
    if (columns == 0 || *end != 'x')
        return false;
    unsigned rows = read_number(end + 1, &end);
    if (rows == 0 || *end != '\0')
        return false;
    *ret_screen = bounded(columns, rows);
    return true;
}

// Returns the value of an environment variable, or `otherwise` if it is no number above 0.
static unsigned from_environment(const char *name, unsigned otherwise)
{
    const char *text = getenv(name), *end;
    unsigned value = text != NULL ? read_number(text, &end) : 0;
    return value > 0 && *end == '\0' ? value : otherwise;
}

struct tp_screen tp_screen_of_terminal(int fd)
{
    struct winsize size = {0};
    if (ioctl(fd, TIOCGWINSZ, &size) != 0)
        size = (struct winsize){0};
    unsigned columns = size.ws_col > 0 ? size.ws_col : 80;
    unsigned rows = size.ws_row > 0 ? size.ws_row : 24;
    return bounded(from_environment("COLUMNS", columns), from_environment("LINES", rows));
}
