// Ends the program after a failed assertion or other abort.
#ifndef TP_CLI_LAST_RESORT_H
#define TP_CLI_LAST_RESORT_H

// Installs a handler of SIGABRT for the rest of the process. On an abort from inside (a
// failed assertion, a damaged heap), on any thread, it removes the temporary files of
// outputs, asks the user for a report, and exits with `status`: neither a core file nor half
// an output remains. SIGABRT sent by another process ends this one as usual. Call it once,
// on the main thread, before other threads start.
void tp_last_resort(int status);

#endif
