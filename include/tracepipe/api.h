// Defines the macros that every public header uses, and the version of the library.
//
// Before version 1.0 neither the ABI nor the API is frozen: rebuild a program for each 0.x.
// The name of the shared library (libtracepipe.so.0.x) keeps a program from loading
// another 0.x.
#ifndef TRACEPIPE_API_H
#define TRACEPIPE_API_H

// Marks a function that the library exports; all others are hidden.
#define TP_API __attribute__((visibility("default")))

// Lets the compiler check the arguments against the format, as for printf.
#define TP_API_PRINTF(fmt, first) __attribute__((format(printf, fmt, first)))

#ifdef __cplusplus
extern "C" {
#endif

// Returns the version of the library that the program runs with, such as "0.1.0". A constant:
// nobody frees it. Any thread.
TP_API const char *tp_version(void);

#ifdef __cplusplus
}
#endif
#endif
