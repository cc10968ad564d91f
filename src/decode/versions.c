#include "decode/versions.h"

#include "decode/spec.h"

const struct tp_version_row tp_versions[TP_VERSIONS] = {
#define TP_VERSION_V1(minor, releases) {minor, releases, 0},
#define TP_VERSION_V2(minor, releases, raw_end) {minor, releases, raw_end},
#include "decode/versions.def"
};

enum tp_version tp_version_of(uint32_t minor)
{
    int version = 0;
    while (version < TP_VERSIONS && tp_versions[version].minor != minor)
        version++;
    return (enum tp_version)version;
}
