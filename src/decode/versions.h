// The versions of the wire formats, made from versions.def. Constant data; any thread.
#ifndef TP_DECODE_VERSIONS_H
#define TP_DECODE_VERSIONS_H

#include "base/attr.h"

enum tp_version {
#define TP_VERSION_V1(minor, releases) TP_VERSION_##minor,
#define TP_VERSION_V2(minor, releases, raw_end) TP_VERSION_##minor,
#include "decode/versions.def"
    TP_VERSIONS
};

// How many are from before Go 1.22. These come first.
#define TP_V1_VERSIONS TP_VERSION_22

struct tp_version_row {
    uint32_t minor;       // release in the header; 0: before Go 1.5
    const char *releases; // the Go releases that write it
};

extern const struct tp_version_row tp_versions[TP_VERSIONS];

// Returns TP_VERSIONS if no release writes this minor version.
enum tp_version tp_version_of(uint32_t minor);

#endif
