// The end of the program when a check fails after which nothing can go on.
#ifndef TP_CLI_LAST_RESORT_H
#define TP_CLI_LAST_RESORT_H

// From here on an abort of this process (a failed assertion, damaged heap) removes the
// temporary files of outputs, asks for a report, and exits with `status`, so that neither a
// core file nor half an output is left. SIGABRT from elsewhere ends the process as ever.
void tp_last_resort(int status);

#endif
