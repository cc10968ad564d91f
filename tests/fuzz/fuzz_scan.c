// The scan: any cut into pieces and any room for extents give the extents of the
// model, which sees all bytes at once and names a rule for every loss. They cover
// each byte once. The first byte of the input chooses the format, the second the
// cuts.
#include "decode/spec.h"
#include "fuzz.h"
#include "scan_lab.h"
#include "wire_build.h"

#define OFFSET 16

static size_t cut(void *ctx, size_t left_bytes)
{
    (void)left_bytes;
    return next_piece(ctx);
}

static void check_losses(const struct scan_list *l)
{
    for (size_t i = 0; i < l->count; i++) {
        const struct tp_extent *x = &l->items[i];
        // After merging each place of damage is one extent with its reason; nothing
        // else is ever empty.
        CHECK((x->kind == TP_EXTENT_LOST) == (x->loss != TP_LOSS_NONE));
        CHECK(x->loss < TP_LOSS_KINDS);
        CHECK(x->kind == TP_EXTENT_LOST || x->len_bytes > 0);
        CHECK(x->kind != TP_EXTENT_BATCH || x->generation > 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len_bytes)
{
    if (len_bytes < 2)
        return 0;
    uint32_t minor = wire_versions[data[0] % TP_ARRAY_LEN(wire_versions)];
    uint64_t seed = seed_of(data[1]);
    struct tp_span bytes = tp_span_of(data + 2, len_bytes - 2);
    struct scan_list want = scan_by_model(minor, OFFSET, bytes);
    check_losses(&want);
    CHECK_NONE(scan_gap(&want, OFFSET, bytes.len_bytes));

    struct scan_list got = scan_in_pieces(minor, OFFSET, bytes, scan_cut_never, NULL, 64);
    CHECK_NONE(scan_difference(&got, &want));
    scan_list_fini(&got);

    // Small pieces are for small inputs: the tail is copied for each of them.
    static const size_t spreads[] = {1, 7, 60, 1000};
    for (size_t i = bytes.len_bytes > 2000; i < TP_ARRAY_LEN(spreads); i++) {
        struct cutter cutter = {seed + i, spreads[i], 0};
        got = scan_in_pieces(minor, OFFSET, bytes, cut, &cutter, 1 + seed % 5);
        CHECK_NONE(scan_difference(&got, &want));
        scan_list_fini(&got);
    }
    scan_list_fini(&want);
    return 0;
}
