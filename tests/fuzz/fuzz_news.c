// The reader of the file of --known: what it accepts has one form, which is read back as it is; what it refuses
// leaves nothing.
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "sink/buf_out.h"
#include "sink/news/news.h"

// The input begins with the pattern of hosts, up to a line end.
static const char *take_group(struct tp_span *rest, char group[64])
{
    size_t n = 0;
    while (n < rest->len_bytes && n < 63 && rest->ptr[n] != '\n' && rest->ptr[n] != '\0')
        n++;
    if (n > 0)
        memcpy(group, rest->ptr, n);
    group[n] = '\0';
    *rest = tp_span_skip(*rest, n < rest->len_bytes ? n + 1 : n);
    return group;
}

static struct tp_span write(const struct tp_news_entries *entries, const char *group, struct tp_buf *buf)
{
    struct tp_buf_out out = {{tp_buf_out_put}, buf};
    struct tp_error err;
    CHECK(tp_buf_init(buf, TP_NEWS_FILE_MAX_BYTES));
    CHECK(tp_news_write(entries, group, &out.out, &err) == 0);
    return tp_span_of(buf->ptr, buf->len_bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len_bytes)
{
    // A block of its own lets the sanitizer see a byte too many.
    unsigned char *copy = malloc(len_bytes + 1);
    struct tp_news_entries entries, again;
    struct tp_error err = {0};
    char group[64];
    CHECK(copy != NULL);
    if (len_bytes > 0)
        memcpy(copy, data, len_bytes);
    struct tp_span bytes = tp_span_of(copy, len_bytes);
    take_group(&bytes, group);
    if (tp_news_read(&entries, bytes, group, &err) != 0) {
        CHECK(err.code == TP_E_USAGE && err.text[0] != '\0' && entries.count == 0);
    } else {
        struct tp_buf first, second;
        struct tp_span text = write(&entries, group, &first);
        CHECK(tp_news_read(&again, text, group, &err) == 0 && again.count == entries.count);
        for (uint32_t i = 0; i < again.count; i++)
            CHECK(tp_news_compare_keys(&again.items[i], &entries.items[i]) == 0);
        struct tp_span more = write(&again, group, &second);
        CHECK(tp_span_compare(text, more) == 0);
        tp_news_entries_fini(&again);
        tp_buf_fini(&first);
        tp_buf_fini(&second);
    }
    tp_news_entries_fini(&entries);
    free(copy);
    return 0;
}
