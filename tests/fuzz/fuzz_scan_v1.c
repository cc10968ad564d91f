// The scan of traces from before Go 1.22: any cut into pieces and any room for extents give
// the runs and losses of the model, which sees all bytes at once. They cover each byte once,
// and every event of a run is read to where the next one begins, if it is sound inside. The
// first byte of the input chooses the version, the second the cuts.
#include "fuzz.h"
#include "scan_lab_v1.h"

#define OFFSET 16

static size_t cut(void *ctx, size_t left_bytes)
{
    (void)left_bytes;
    return next_piece(ctx);
}

static void check_extents(const struct scan_list *l)
{
    for (size_t i = 0; i < l->count; i++) {
        const struct tp_extent *x = &l->items[i];
        CHECK(x->kind == TP_EXTENT_BATCH || x->kind == TP_EXTENT_LOST);
        CHECK((x->kind == TP_EXTENT_LOST) == (x->loss != TP_LOSS_NONE));
        CHECK(x->len_bytes > 0 && x->header_bytes <= x->len_bytes);
        CHECK(x->generation == (x->kind == TP_EXTENT_BATCH));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len_bytes)
{
    if (len_bytes < 2)
        return 0;
    uint32_t minor = tp_versions[data[0] % TP_V1_VERSIONS].minor;
    uint64_t seed = seed_of(data[1]);
    struct tp_span bytes = tp_span_of(data + 2, len_bytes - 2);
    struct scan_list want = scan_v1_by_model(minor, OFFSET, bytes);
    check_extents(&want);
    CHECK_NONE(scan_gap(&want, OFFSET, bytes.len_bytes));
    CHECK_NONE(scan_v1_undecodable(&want, minor, OFFSET, bytes));

    struct scan_list got = scan_v1_in_pieces(minor, OFFSET, bytes, scan_cut_never, NULL, 64);
    CHECK_NONE(scan_difference(&got, &want));
    scan_list_fini(&got);

    // Small pieces are for small inputs: the tail is copied for each of them.
    static const size_t spreads[] = {1, 7, 60, 1000};
    for (size_t i = bytes.len_bytes > 2000; i < TP_ARRAY_LEN(spreads); i++) {
        struct cutter cutter = {seed + i, spreads[i], 0};
        got = scan_v1_in_pieces(minor, OFFSET, bytes, cut, &cutter, 1 + seed % 5);
        CHECK_NONE(scan_difference(&got, &want));
        scan_list_fini(&got);
    }
    scan_list_fini(&want);
    return 0;
}
