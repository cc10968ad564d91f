// Completes command lines for shells: their scripts (share/completions) hand over the line and show
// the answer, so flags, sinks and terms are those of the tables of this program.
#ifndef TP_CLI_COMPLETE_H
#define TP_CLI_COMPLETE_H

#include <stdio.h>

// Writes what may stand in place of the last word of `line`, a command line up to the cursor: one
// candidate on each line, with a tab and its description after it. Writes nothing where the name of
// a file may stand. Ignores errors of `to`.
void tp_complete(FILE *to, const char *line);

#endif
