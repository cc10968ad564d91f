// Quotes the words of commands as a shell reads them, so that a user can paste a printed command. The
// printed bytes are runes that a terminal shows. Keeps nothing, owns no memory.
#ifndef TP_SINK_PRINT_SHELL_H
#define TP_SINK_PRINT_SHELL_H

#include "base/span.h"
#include "sink/print/emit.h"

// Receives the next bytes of a word.
typedef void tp_shell_put_fn(struct tp_emit *e, struct tp_span bytes);

// Puts a word: as it is, or in '...' if a shell would change it, or in $'...', as bash, zsh and ksh
// have it, if a terminal would not show it.
void tp_shell_put(struct tp_emit *e, struct tp_span word, tp_shell_put_fn *put);
// Puts the path of an input: like a word, but a longer one that begins with '-' gets "./" in front.
void tp_shell_put_path(struct tp_emit *e, struct tp_span path, tp_shell_put_fn *put);
// Whether a command can read this input again: not the standard input or another open file of this
// process, which a shell passes for <(COMMAND).
bool tp_shell_can_read(struct tp_span path);
// Returns the columns that tp_shell_put_path takes.
unsigned tp_shell_path_columns(struct tp_span path);
// Puts bytes of a word inside a string of JSON.
void tp_shell_put_in_json(struct tp_emit *e, struct tp_span bytes);

#endif
