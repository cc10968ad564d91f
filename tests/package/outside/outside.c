// A program of someone else's: counts the ordered events of a trace, once by pulling
// them and once through the library's own sink.
#include <inttypes.h>
#include <stdio.h>

#include <tracepipe/reader.h>
#include <tracepipe/sink.h>
#include <tracepipe/tracepipe.h>

static int fail(const struct tp_error *err)
{
    fprintf(stderr, "%s\n", err->text);
    return 1;
}

static int pull(const char *path)
{
    struct tp_reader *reader;
    struct tp_error err;
    struct tp_event_block block;
    enum tp_next next;
    uint64_t count = 0;
    if (tp_reader_open(path, NULL, &reader, &err) != 0)
        return fail(&err);
    while ((next = tp_reader_next(reader, &block, &err)) == TP_NEXT_BLOCK)
        count += block.event_count;
    tp_reader_close(reader);
    if (next == TP_NEXT_FAILED)
        return fail(&err);
    printf("%" PRIu64 " events\n", count);
    return 0;
}

// Prints the version that the program was compiled against, in numbers and as text, and the one that it
// runs with.
static void print_versions(void)
{
    printf("%d.%d.%d %s %s\n", TP_VERSION_MAJOR, TP_VERSION_MINOR, TP_VERSION_PATCH, TP_VERSION,
           tp_version());
}

int main(int argc, char **argv)
{
    struct tp_run *run;
    struct tp_error err;
    if (argc == 1) {
        print_versions();
        return 0;
    }
    if (argc != 3 || pull(argv[1]) != 0)
        return 1;
    if (tp_run_create(&run, &err) != 0 || tp_run_add_sink(run, "stats", argv[2], &err) != 0 ||
        tp_run_add_path(run, argv[1], &err) != 0 || tp_run_start(run, &err) != 0)
        return fail(&err);
    tp_run_wait(run, -1);
    int status = tp_run_exit_status(run);
    tp_run_destroy(run);
    return status;
}
