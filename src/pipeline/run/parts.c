// Lists what the library was built with, as --version shows it. A feature is a row, and a library
// is one; compiled versions are those that CMake found.
#include <elfutils/libdwfl.h>
#include <zlib.h>
#include <zstd.h>

#include "base/attr.h"
#include "tracepipe/api.h"

#ifdef TP_WITH_URING
#define WITH_URING true
#else
#define WITH_URING false
#endif

static const char *dw_version(void) { return dwfl_version(NULL); }

// X(name, is_built, compiled, running): `running` is a function that names the version of the
// loaded library.
#define PARTS(X)                                        \
    X("io_uring", WITH_URING, NULL, NULL)               \
    X("libzstd", true, TP_ZSTD, ZSTD_versionString)     \
    X("zlib", true, TP_ZLIB, zlibVersion)               \
    X("libdw", true, TP_DW, dw_version)                 \
    X("libxxhash", true, TP_XXHASH, NULL)               \
    X("ck", true, TP_CK, NULL)                          \
    X("liburing", WITH_URING, TP_URING, NULL)

static const struct {
    struct tp_part part;
    const char *(*running)(void);
} parts[] = {
#define TP_X(name, is_built, compiled, running) {{name, compiled, NULL, is_built}, running},
    PARTS(TP_X)
#undef TP_X
};

struct tp_part tp_part(size_t idx)
{
    if (idx >= TP_ARRAY_LEN(parts))
        return (struct tp_part){0};
    struct tp_part part = parts[idx].part;
    part.running = parts[idx].running != NULL ? parts[idx].running() : NULL;
    return part;
}
