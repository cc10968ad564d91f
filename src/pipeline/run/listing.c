// Lists one trace: a run with one input, whose only sink keeps the figures that the sink `list`
// would print. See tracepipe/listing.h.

#include "tracepipe/listing.h"

#include "base/alloc.h"
#include "pipeline/run/run_sink.h"
#include "pipeline/run/single_input.h"
#include "sink/inventory/input.h"

struct tp_listing {
    bool is_made; // the figures are complete: the scan has ended
    struct tp_inventory_input state;
    struct tp_listing_summary summary;
};

static int finish(const struct tp_sink_call *call, const struct tp_input_info *input,
                  const struct tp_input_report *report, struct tp_error *err)
{
    struct tp_listing *l = *(struct tp_listing *const *)call->config;
    struct tp_inventory_input *found = call->input_state;
    int rc = tp_inventory_input_end(found, report, err);
    if (rc != 0)
        return rc;
    tp_inventory_summary(found, input, report, &l->summary);
    l->state = *found;
    *found = (struct tp_inventory_input){0};
    l->is_made = true;
    return 0;
}

static void make_plan(const void *config, struct tp_sink_plan *plan)
{
    (void)config;
    *plan = (struct tp_sink_plan){TP_INVENTORY_PLAN, .output = TP_OUTPUT_NONE,
                                  .input = {TP_INVENTORY_HOOKS, .finish = finish}};
}

static const struct tp_sink_def listing_sink = {
    .name = "listing", .config_bytes = sizeof(struct tp_listing *), .plan = make_plan};

static int scan(struct tp_listing *l, struct tp_run *run, const char *path,
                const struct tp_option *options, struct tp_error *err)
{
    int rc = tp_single_input_set(run, path, options, err);
    if (rc == 0)
        rc = tp_run_add_inner_sink(run, &listing_sink, l, err);
    if (rc == 0)
        rc = tp_single_input_start(run, options, err);
    if (rc != 0)
        return rc;
    (void)tp_run_wait(run, -1);
    if (l->is_made && tp_run_error(run) == NULL)
        return 0;
    rc = tp_single_input_reason(run, err);
    // The run's own copy of the path is freed with the run.
    err->path = tp_error_is_of_input(rc) ? path : NULL;
    return rc;
}

int tp_listing_open(const char *path, const struct tp_option *options,
                    struct tp_listing **ret_listing, struct tp_error *err)
{
    struct tp_error unasked;
    err = err != NULL ? err : &unasked;
    struct tp_listing *l = tp_alloc_zero(sizeof *l);
    if (l == NULL)
        return tp_fail(err, TP_E_MEMORY, "out of memory for a list");
    struct tp_run *run = NULL;
    int rc = tp_run_create(&run, err);
    if (rc == 0)
        rc = scan(l, run, path, options, err);
    tp_run_destroy(run);
    if (rc != 0) {
        tp_listing_close(l);
        return rc;
    }
    *ret_listing = l;
    return 0;
}

void tp_listing_close(struct tp_listing *listing)
{
    if (listing == NULL)
        return;
    tp_inventory_input_fini(&listing->state);
    tp_free(listing);
}

void tp_listing_summary(const struct tp_listing *listing, struct tp_listing_summary *ret_summary)
{
    *ret_summary = listing->summary;
}

static int check_idx(uint64_t idx, uint64_t count, struct tp_error *err)
{
    if (idx < count)
        return 0;
    return tp_fail(err, TP_E_USAGE, "index %llu is out of range, there are %llu",
                   (unsigned long long)idx, (unsigned long long)count);
}

int tp_listing_batch(struct tp_listing *listing, uint64_t idx, struct tp_listed_batch *ret_batch,
                     struct tp_error *err)
{
    int rc = check_idx(idx, listing->summary.batch_count, err);
    return rc == 0 ? tp_inventory_listed_batch(&listing->state, idx, ret_batch, err) : rc;
}

int tp_listing_generation(struct tp_listing *listing, uint64_t idx,
                          struct tp_listed_generation *ret_generation, struct tp_error *err)
{
    int rc = check_idx(idx, listing->summary.generation_count, err);
    return rc == 0 ? tp_inventory_listed_generation(&listing->state, idx, ret_generation, err) : rc;
}
