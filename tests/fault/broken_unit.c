// Breaks what units of an input are, so that checks fail: linked with
// --wrap=tp_unit_submit into a program that is otherwise the one under test.
//
//   TP_BREAK=books:NAME    the extents of an input so named do not add up any more
//   TP_BREAK=promise:NAME  a promise between functions is broken when it is read
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "pipeline/core/unit.h"

void __real_tp_unit_submit(struct tp_input_run *in, enum tp_lane_id lane);
void __wrap_tp_unit_submit(struct tp_input_run *in, enum tp_lane_id lane);

void __wrap_tp_unit_submit(struct tp_input_run *in, enum tp_lane_id lane)
{
    const char *how = getenv("TP_BREAK");
    const char *name = how != NULL ? strchr(how, ':') : NULL;
    if (name != NULL && strcmp(name + 1, in->input->below) == 0) {
        assert(*how != 'p');
        in->report.passed_bytes = 1;
    }
    __real_tp_unit_submit(in, lane);
}
