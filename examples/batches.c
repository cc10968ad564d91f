// Which batches of a trace were begun in a window of time, without reading an event:
//
//   batches FROM-NS TO-NS TRACE
//
// Times count from the first event of the trace.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tracepipe/listing.h"

static int print_batches(struct tp_listing *listing, int64_t from_ns, int64_t to_ns,
                         struct tp_error *err)
{
    struct tp_listing_summary all;
    struct tp_listed_batch b;
    uint64_t count = 0, len_bytes = 0;
    tp_listing_summary(listing, &all);
    for (uint64_t i = 0; i < all.batch_count; i++) {
        int rc = tp_listing_batch(listing, i, &b, err);
        if (rc != 0)
            return rc;
        if (!b.has_ns || b.ns < from_ns || b.ns >= to_ns)
            continue;
        printf("%" PRIu64 " %s of %" PRId64 " at %" PRId64 " ns\n", b.offset,
               tp_listed_kind_name(b.kind), b.owner, b.ns);
        count++;
        len_bytes += b.len_bytes;
    }
    printf("%" PRIu64 " of %" PRIu64 " batches, %" PRIu64 " of %" PRIu64 " bytes\n", count,
           all.batch_count, len_bytes, all.stream_bytes);
    return 0;
}

int main(int argc, char **argv)
{
    struct tp_listing *listing;
    struct tp_error err;
    if (argc != 4) {
        fprintf(stderr, "usage: batches FROM-NS TO-NS TRACE\n");
        return 2;
    }
    int rc = tp_listing_open(argv[3], NULL, &listing, &err);
    if (rc == 0) {
        rc = print_batches(listing, strtoll(argv[1], NULL, 10), strtoll(argv[2], NULL, 10), &err);
        tp_listing_close(listing);
    }
    if (rc != 0)
        fprintf(stderr, "%s: %s\n", argv[3], err.text);
    return rc != 0;
}
