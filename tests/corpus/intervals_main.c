// Prints a line of JSON for each interval of a trace, as the C library hands it out.
//
//   intervals FILE
#include <inttypes.h>
#include <stdio.h>

#include <tracepipe/reader.h>

static const char *const kind_names[] = {
#define TP_X(kind) #kind,
    TP_INTERVAL_KINDS(TP_X)
#undef TP_X
};

// Prints the bytes of the name as a string of Latin-1.
static void print_name(struct tp_text name)
{
    printf(",\"name\":\"");
    for (size_t i = 0; i < name.len_bytes; i++)
        printf("\\u%04x", (unsigned)(unsigned char)name.ptr[i]);
    printf("\"");
}

static void print(const struct tp_interval *i, const struct tp_tables *tables)
{
    printf("{\"kind\":\"%s\",\"begin_ns\":%" PRId64 ",\"end_ns\":%" PRId64 ",\"goroutine\":%" PRId64
           ",\"proc\":%" PRId64 ",\"thread\":%" PRId64 ",\"task\":%" PRIu64 ",\"had_begun\":%d,\"goes_on\":%d",
           kind_names[i->kind], i->begin_ns, i->end_ns, i->goroutine, i->proc, i->thread, i->task,
           i->had_begun, i->goes_on);
    print_name(tp_interval_name(i, tables));
    printf("}\n");
}

int main(int argc, char **argv)
{
    const struct tp_option options[] = {{"intervals", "yes"}, {NULL, NULL}};
    struct tp_reader *reader;
    struct tp_event_block block;
    struct tp_error err;
    enum tp_next next;
    if (argc != 2 || tp_reader_open(argv[1], options, &reader, &err) != 0)
        return 2;
    while ((next = tp_reader_next(reader, &block, &err)) == TP_NEXT_BLOCK) {
        for (size_t i = 0; i < block.interval_count; i++)
            print(&block.intervals[i], block.tables);
    }
    tp_reader_close(reader);
    return next == TP_NEXT_END ? 0 : 1;
}
