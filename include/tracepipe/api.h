// Defines the macros that every public header uses, and the version of the library.
//
// Before version 1.0 neither the ABI nor the API is frozen: rebuild a program for each 0.x.
// The name of the shared library (libtracepipe.so.0.x) keeps a program from loading
// another 0.x.
#ifndef TRACEPIPE_API_H
#define TRACEPIPE_API_H

#include <stdbool.h>
#include <stddef.h>

// The version that a program is compiled against, as numbers and as text.
#define TP_VERSION_MAJOR 0
#define TP_VERSION_MINOR 1
#define TP_VERSION_PATCH 0
#define TP_VERSION "0.1.0"

// Marks a function that the library exports; all others are hidden.
#define TP_API __attribute__((visibility("default")))

// Lets the compiler check the arguments against the format, as for printf.
#define TP_API_PRINTF(fmt, first) __attribute__((format(printf, fmt, first)))

#ifdef __cplusplus
extern "C" {
#endif

// Returns the version of the library that the program runs with, such as "0.1.0", which is another
// than TP_VERSION if the program was compiled against another release. A constant: nobody frees it.
// Any thread.
TP_API const char *tp_version(void);

// A part that the library was built with or without.
struct tp_part {
    const char *name;     // of a feature, or of another library
    const char *compiled; // version at compile time; NULL: a feature, which has none
    const char *running;  // version of the loaded library; NULL: unknown
    bool is_built;
};
// Returns part number `idx`, from 0, features first; its name is NULL past the last part. Nobody
// frees the texts. Any thread.
TP_API struct tp_part tp_part(size_t idx);

#ifdef __cplusplus
}
#endif
#endif
