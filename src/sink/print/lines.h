// Counts the lines of a text before it is printed, so that a screen can be laid out.
#ifndef TP_SINK_PRINT_LINES_H
#define TP_SINK_PRINT_LINES_H

#include "sink/print/emit.h"

// Returns how many lines `print` prints of its argument; 0 if it fails. `print` gets an emitter
// without colour and without a width.
unsigned tp_lines_of(void (*print)(struct tp_emit *e, const void *arg), const void *arg);

#endif
