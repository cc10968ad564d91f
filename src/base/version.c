#include "tracepipe/api.h"

const char *tp_version(void)
{
    return TP_VERSION;
}
