// Writes the texts of -h, --help, --help-dev and --version to standard output. Single-threaded;
// errors of stdout are left to the caller.
#ifndef TP_CLI_HELP_H
#define TP_CLI_HELP_H

#include "cli/flags.h"

// Writes the help text for an audience: the flags, and the sinks, those of TP_FLAG_FULL with their
// options.
void tp_help_show(enum tp_flag_audience audience);
// Writes the name and version of the program, its features, and the libraries that it uses.
void tp_help_version(void);

#endif
