// order-ways FILE...: puts traces in order in every way of order_lab.h, both strictly and with
// salvage, and prints the ways whose result differs from that of the plainest way. The last
// line counts the generations that were speculated on, and those whose speculation was adopted.
// Exits with 1 if any way differs.
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "decode/decoder.h"
#include "order_lab.h"

static const struct order_way plain = {.fill_capacity = 512, .never_waits = true};
static const struct order_way others[] = {
    {.fill_capacity = 512, .window_bytes = TP_CURSOR_WINDOW_MIN_BYTES},
    {.fill_capacity = 512, .part_events = 100, .part_max = 10},
    {.fill_capacity = TP_ORDER_STEP_EVENTS, .is_ahead = true},
    {.fill_capacity = 16, .is_ahead = true},
    {.fill_capacity = 100, .is_ahead = true},
    {.fill_capacity = 512, .is_ahead = true},
    {.fill_capacity = 512, .waits_at_once = true},
    {.fill_capacity = 100, .waits_at_once = true, .is_ahead = true},
    {.fill_capacity = 512},
};

static size_t tried_count, adopted_count, fault_count;

static unsigned char *load(const char *path, size_t *ret_bytes)
{
    FILE *f = fopen(path, "rb");
    if (f == NULL || fseek(f, 0, SEEK_END) != 0) {
        perror(path);
        exit(2);
    }
    size_t len_bytes = (size_t)ftell(f);
    unsigned char *bytes = tp_alloc(len_bytes + 1);
    rewind(f);
    if (bytes == NULL || fread(bytes, 1, len_bytes, f) != len_bytes) {
        perror(path);
        exit(2);
    }
    fclose(f);
    *ret_bytes = len_bytes;
    return bytes;
}

static void compare(const char *path, uint32_t minor, struct tp_span bytes, bool salvage)
{
    struct order_result want = order_trace(minor, bytes, salvage, &plain);
    for (size_t i = 0; i < TP_ARRAY_LEN(others); i++) {
        struct order_result got = order_trace(minor, bytes, salvage, &others[i]);
        const char *difference = order_difference(&got, &want);
        tried_count += got.tried_count;
        adopted_count += got.adopted_count;
        if (difference != NULL) {
            fault_count++;
            printf("%s: way %zu%s: %s\n", path, i, salvage ? ", salvaged" : "", difference);
        }
        order_result_fini(&got);
    }
    order_result_fini(&want);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        size_t len_bytes;
        unsigned char *bytes = load(argv[i], &len_bytes);
        struct tp_span all = tp_span_of(bytes, len_bytes);
        struct tp_format format;
        if (tp_format_detect(all, true, &format) == TP_FORMAT_KNOWN &&
            format.decoder == &tp_decoder_v2) {
            compare(argv[i], format.minor, tp_span_skip(all, format.header_bytes), false);
            compare(argv[i], format.minor, tp_span_skip(all, format.header_bytes), true);
        }
        tp_free(bytes);
    }
    printf("%zu generations before their turn, %zu taken over\n", tried_count, adopted_count);
    return fault_count > 0;
}
