// Reading and writing varints, by how long they are.
#include <stdio.h>

#include "base/alloc.h"
#include "bench.h"
#include "decode/varint.h"

struct numbers {
    unsigned char *bytes;
    size_t len_bytes;
    uint64_t *values;
    size_t count;
    unsigned char *scratch;
};

// Shares of one to ten bytes, per thousand.
static const struct {
    const char *name;
    uint16_t permille[TP_VARINT_MAX_BYTES];
} mixes[] = {
    {"1 byte", {1000}},
    {"2 bytes", {0, 1000}},
    {"5 bytes", {0, 0, 0, 0, 1000}},
    {"10 bytes", {[9] = 1000}},
    {"1 or 2 bytes, at random", {500, 500}},
    {"as in a trace", {700, 180, 80, 20, 20}},
};

static uint64_t next_random(uint64_t *state)
{
    *state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t x = *state;
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

static uint64_t value_of_length(unsigned len_bytes, uint64_t random)
{
    unsigned shift = 7 * (len_bytes - 1);
    uint64_t least = len_bytes == 1 ? 0 : UINT64_C(1) << shift;
    uint64_t span = shift + 7 >= 64 ? UINT64_MAX - least : (UINT64_C(1) << (shift + 7)) - least;
    return least + random % span;
}

static void numbers_init(struct numbers *n, size_t len_bytes, size_t mix)
{
    uint64_t state = 1;
    *n = (struct numbers){.bytes = tp_alloc(len_bytes),
                          .values = tp_alloc_array(len_bytes, sizeof n->values[0]),
                          .scratch = tp_alloc(len_bytes)};
    bench_require(n->bytes != NULL && n->values != NULL && n->scratch != NULL, "out of memory");
    while (n->len_bytes + TP_VARINT_MAX_BYTES <= len_bytes) {
        uint64_t r = next_random(&state);
        unsigned at = (unsigned)(r % 1000), length = 0;
        while (at >= mixes[mix].permille[length])
            at -= mixes[mix].permille[length++];
        uint64_t value = value_of_length(length + 1, next_random(&state));
        n->values[n->count++] = value;
        n->len_bytes = (size_t)(tp_varint_put(n->bytes + n->len_bytes, value) - n->bytes);
    }
}

static void numbers_fini(struct numbers *n)
{
    tp_free(n->bytes);
    tp_free(n->values);
    tp_free(n->scratch);
}

static uint64_t get_all(void *ctx)
{
    const struct numbers *n = ctx;
    const unsigned char *p = n->bytes, *end = p + n->len_bytes;
    uint64_t sum = 0, value = 0;
    while (p < end && tp_varint_get(&p, end, &value) == TP_VARINT_OK)
        sum += value;
    return sum + (uint64_t)(end - p);
}

static uint64_t put_all(void *ctx)
{
    const struct numbers *n = ctx;
    unsigned char *to = n->scratch;
    for (size_t i = 0; i < n->count; i++)
        to = tp_varint_put(to, n->values[i]);
    return (uint64_t)(to - n->scratch) + to[-1];
}

static uint64_t measure_all(void *ctx)
{
    const struct numbers *n = ctx;
    uint64_t sum = 0;
    for (size_t i = 0; i < n->count; i++)
        sum += tp_varint_len(n->values[i]);
    return sum;
}

static void run(const struct bench_options *o, const char *verb, size_t mix, bench_fn fn)
{
    // Fits into the second cache: the price of the code, not of memory.
    struct numbers n;
    char name[64];
    numbers_init(&n, TP_KIB(64), mix);
    snprintf(name, sizeof name, "%s %s", verb, mixes[mix].name);
    bench_run(o, name, (struct bench_work){n.count, n.len_bytes}, fn, &n);
    numbers_fini(&n);
}

int main(int argc, char **argv)
{
    struct bench_options o;
    bench_options_init(&o, argc, argv);
    bench_print_head("varints");
    for (size_t mix = 0; mix < TP_ARRAY_LEN(mixes); mix++)
        run(&o, "get", mix, get_all);
    for (size_t mix = 0; mix < TP_ARRAY_LEN(mixes); mix++)
        run(&o, "put", mix, put_all);
    run(&o, "len", TP_ARRAY_LEN(mixes) - 1, measure_all);
    return 0;
}
