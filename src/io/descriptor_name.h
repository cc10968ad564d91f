// Knows the names of open descriptors, such as /dev/stdout and /dev/fd/3.
#ifndef TP_IO_DESCRIPTOR_NAME_H
#define TP_IO_DESCRIPTOR_NAME_H

#include <stdbool.h>

// Returns whether the name stands for an open descriptor of a process. Such a name must never be
// renamed over: /dev/stdout is a link that all processes of the machine use. It leads, through any
// number of links, to a link of procfs such as /proc/self/fd/3; that one reads as the path of the
// descriptor's file, so its place decides, not its target.
bool tp_names_descriptor(const char *path);

#endif
