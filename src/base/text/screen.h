// The size of the place where text for people is read. The functions write to their arguments only,
// so any thread may call them.
#ifndef TP_BASE_TEXT_SCREEN_H
#define TP_BASE_TEXT_SCREEN_H

#include <stdbool.h>

// The width of text that goes to a file or a pipe.
#define TP_SCREEN_COLUMNS 100
// The least and the greatest sizes; others are moved to the nearest of these.
#define TP_SCREEN_COLUMNS_LEAST 40
#define TP_SCREEN_COLUMNS_MOST 1000
#define TP_SCREEN_ROWS_LEAST 2
#define TP_SCREEN_ROWS_MOST 1000

// A size. A plain value.
struct tp_screen {
    unsigned columns;
    unsigned rows; // 0: no limit, as in a file
};

// Reads "COLUMNSxROWS", such as "80x24". False: it is something else; *ret_screen is then
// unchanged.
bool tp_screen_parse(const char *text, struct tp_screen *ret_screen);
// Returns the size of the terminal behind the descriptor; 80x24 if nothing tells it. COLUMNS and
// LINES of the environment, if they are numbers above 0, go before what the terminal tells.
struct tp_screen tp_screen_of_terminal(int fd);

#endif
