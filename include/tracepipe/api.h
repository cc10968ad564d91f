// What every public header has in common, and the version.
//
// Before version 1.0 neither the ABI nor the API is frozen: a program is built again
// with each 0.x, and the shared library's name (libtracepipe.so.0.x) sees to it that
// no other one is loaded.
#ifndef TRACEPIPE_API_H
#define TRACEPIPE_API_H

// Functions that the library exports; all others are hidden.
#define TP_API __attribute__((visibility("default")))

// The compiler checks arguments against the format, as for printf.
#define TP_API_PRINTF(fmt, first) __attribute__((format(printf, fmt, first)))

#ifdef __cplusplus
extern "C" {
#endif

// Of the library that the program runs with: "0.1.0".
TP_API const char *tp_version(void);

#ifdef __cplusplus
}
#endif
#endif
