// The registered sinks: what holds for the plan of each, whatever it does.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "sink/sink.h"

static void check_plan(const struct tp_sink_def *def, const struct tp_sink_plan *plan)
{
    bool folds = plan->need == TP_NEED_FOLD;
    bool is_shared = plan->output == TP_OUTPUT_FOR_ALL;
    if (plan->suffix == NULL || plan->suffix[0] != '.')
        fail_msg("%s: no suffix", def->name);
    if ((plan->accepts & TP_KIND_TRACES) == 0)
        fail_msg("%s: takes no traces", def->name);
    if (((plan->accepts & TP_KIND_STATE) != 0) != (plan->input.take_state != NULL) &&
        plan->accepts != TP_KIND_ALL)
        fail_msg("%s: take_state is for sinks that accept states", def->name);
    if (folds &&
        (plan->fold.begin == NULL || plan->fold.fold == NULL || plan->unit_kind != TP_UNIT_BLOCK))
        fail_msg("%s: folds nothing", def->name);
    if (plan->input.refuse != NULL && !is_shared)
        fail_msg("%s: refuse is for sinks with one output", def->name);
    if (plan->input.generation != NULL && plan->unit_kind != TP_UNIT_SEGMENT)
        fail_msg("%s: generation is for sinks of segments", def->name);
    if (plan->unit_output_bytes > 0 && (plan->unit.work == NULL || plan->input.commit == NULL))
        fail_msg("%s: a buffer that nothing fills or takes", def->name);
}

static void test_plans_are_sound(void **state)
{
    (void)state;
    for (size_t i = 0; tp_sinks[i] != NULL; i++) {
        const struct tp_sink_def *def = tp_sinks[i];
        struct tp_error err;
        struct tp_sink_plan plan;
        void *config = tp_alloc_zero(def->config_bytes);
        assert_non_null(config);
        if (def->defaults != NULL)
            memcpy(config, def->defaults, def->config_bytes);
        if (def->check != NULL)
            assert_int_equal(def->check(config, &err), 0);
        def->plan(config, &plan);
        check_plan(def, &plan);
        tp_free(config);
    }
}

static void test_names_are_found_whole(void **state)
{
    (void)state;
    for (size_t i = 0; tp_sinks[i] != NULL; i++) {
        const char *name = tp_sinks[i]->name;
        assert_ptr_equal(tp_sink_find(name, strlen(name)), tp_sinks[i]);
        assert_null(tp_sink_find(name, strlen(name) - 1));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plans_are_sound),
        cmocka_unit_test(test_names_are_found_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
