// The versions of the wire formats, generated from versions.def. Constant data; any thread.
#ifndef TP_DECODE_VERSIONS_H
#define TP_DECODE_VERSIONS_H

#include "base/attr.h"

// Numbers the versions in the order of their releases; TP_VERSION_22 is that of Go 1.22.
enum tp_version {
#define TP_VERSION_V1(minor, releases) TP_VERSION_##minor,
#define TP_VERSION_V2(minor, releases, raw_end) TP_VERSION_##minor,
#include "decode/versions.def"
    TP_VERSIONS
};

// Number of versions from before Go 1.22, which come first.
#define TP_V1_VERSIONS TP_VERSION_22

// A version.
struct tp_version_row {
    uint32_t minor;       // release in the header; 0: before Go 1.5
    const char *releases; // the Go releases that write this version
    unsigned raw_end;     // one past the last code in the table of Go's raw reader; 0: it has none
};

// The versions, by enum tp_version.
extern const struct tp_version_row tp_versions[TP_VERSIONS];

// Returns the version with this minor release in its header; TP_VERSIONS: there is none.
enum tp_version tp_version_of(uint32_t minor);

#endif
