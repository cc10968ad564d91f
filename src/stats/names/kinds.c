#include "stats/names/kinds.h"

static const char *const unit_names[] = {
#define TP_X(unit, name) [TP_FINDING_UNIT_##unit] = name,
    TP_FINDING_UNITS(TP_X)
#undef TP_X
};

const struct tp_finding_kind_info tp_finding_kinds[TP_FINDS_COUNT] = {
#define TP_X(kind, key, unit, threshold_ppm, title) \
    [TP_FINDS_##kind] = {key, TP_FINDING_UNIT_##unit, threshold_ppm, title},
    TP_FINDING_KINDS(TP_X)
#undef TP_X
};

const char *tp_finding_unit_name(enum tp_finding_unit unit)
{
    return unit_names[unit];
}
