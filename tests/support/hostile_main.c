// hostile KIND COUNT > FILE
//
// Writes a sound trace of Go 1.26 that has COUNT of one KIND of thing and is otherwise as
// small as possible. Unless the kind says otherwise: one generation, one thread, and one
// nanosecond between events.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wire_build.h"

// Largest batch body, and room for the event that crosses that limit.
#define BATCH_BYTES 60000
#define EVENT_ROOM 2048
// Length of the texts of kind "names"; the runtime writes none of more than 1,024 bytes.
#define NAME_BYTES 1000
// Stacks of a generation of kind "names": its tables fit at 64 MiB.
#define NAMES_OF_GENERATION 4000
#define NO_M UINT64_MAX
#define BEGIN_TICKS UINT64_C(1000000000)

static unsigned char body_bytes[BATCH_BYTES + EVENT_ROOM];
static unsigned char file_bytes[BATCH_BYTES + 2 * EVENT_ROOM];
static struct tp_buf body = {.ptr = body_bytes, .max_bytes = sizeof body_bytes};
static struct tp_buf file = {.ptr = file_bytes, .max_bytes = sizeof file_bytes};
static uint64_t now_ticks;        // time of the next event
static struct wire_batch batch;   // the batch being filled
static unsigned table_code;       // first code of a table batch; 0: a batch of events

static void write_out(void)
{
    if (fwrite(file.ptr, 1, file.len_bytes, stdout) != file.len_bytes)
        exit(1);
    file.len_bytes = 0;
}

static void end_batch(void)
{
    if (body.len_bytes > (table_code != 0))
        wire_put_batch(&file, &batch, tp_span_of(body.ptr, body.len_bytes));
    body.len_bytes = 0;
    write_out();
}

static void begin_batch(uint64_t m, unsigned code)
{
    batch = (struct wire_batch){.generation = batch.generation, .m = m, .time_ticks = now_ticks};
    table_code = code;
    if (code != 0)
        wire_put_byte(&body, code);
}

static void put(unsigned code, unsigned count, const uint64_t *args)
{
    if (body.len_bytes > BATCH_BYTES) {
        uint64_t m = batch.m;
        end_batch();
        begin_batch(m, table_code);
    }
    wire_put_byte(&body, code);
    for (unsigned i = 0; i < count; i++)
        wire_put_number(&body, args[i]);
}
#define PUT(code, ...)                                                                 \
    put(code, sizeof((uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t), (uint64_t[]){__VA_ARGS__})
// Puts an event, a nanosecond after the previous one.
#define EVENT(code, ...) (PUT(code, 1, __VA_ARGS__), now_ticks++)

static void begin_generation(uint64_t number)
{
    batch.generation = number;
    begin_batch(NO_M, TP_EV_Sync);
    PUT(TP_EV_Frequency, 1000000000);
    PUT(TP_EV_ClockSnapshot, 1, now_ticks, 1700000000, 0);
    end_batch();
}

static void end_generation(void)
{
    end_batch();
    wire_put_byte(&file, TP_EV_EndOfGeneration);
    write_out();
}

// Begins a batch of thread `m`, with its P and goroutine running.
static void begin_thread(uint64_t m, uint64_t p, uint64_t g)
{
    begin_batch(m, 0);
    EVENT(TP_EV_ProcStatus, p, 1);
    EVENT(TP_EV_GoStatus, g, m, 2);
}

static void put_string(uint64_t id, const char *text)
{
    PUT(TP_EV_String, id, strlen(text));
    wire_put(&body, text, strlen(text));
}

static void name_all(const char *text)
{
    end_batch();
    begin_batch(NO_M, TP_EV_Strings);
    put_string(1, text);
}

// KINDS

static void goroutines(uint64_t count)
{
    begin_thread(1, 0, 1);
    for (uint64_t i = 0; i < count; i++)
        EVENT(TP_EV_GoCreate, 2 + i, 0, 0);
}

static void exits(uint64_t count)
{
    begin_thread(1, 0, 1);
    for (uint64_t i = 0; i < count; i++)
        EVENT(TP_EV_GoCreate, 2 + i, 0, 0);
    EVENT(TP_EV_GoStop, 0, 0);
    for (uint64_t i = 0; i < count; i++) {
        EVENT(TP_EV_GoStart, 2 + i, 1);
        PUT(TP_EV_GoDestroy, 1);
        now_ticks++;
    }
}

static void threads(uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        begin_thread(1000 + i, i, 1 + i);
        end_batch();
    }
}

static void procs(uint64_t count)
{
    begin_thread(1, 0, 1);
    for (uint64_t i = 0; i < count; i++)
        EVENT(TP_EV_ProcStatus, 1 + i, 2);
}

static void next_generation(uint64_t number)
{
    end_generation();
    now_ticks += 100;
    begin_generation(number);
    begin_thread(1, 0, 1);
}

static void generations(uint64_t count)
{
    begin_thread(1, 0, 1);
    for (uint64_t i = 1; i < count; i++)
        next_generation(1 + i);
}

// Goroutines that do nothing in any of many generations.
static void idle(uint64_t count)
{
    goroutines(count);
    for (uint64_t i = 0; i < count / 100; i++)
        next_generation(2 + i);
}

static void tasks(uint64_t count)
{
    begin_thread(1, 0, 1);
    for (uint64_t i = 0; i < count; i++)
        EVENT(TP_EV_UserTaskBegin, 1 + i, i, 1, 0);
    name_all("task");
}

static void regions(uint64_t count)
{
    begin_thread(1, 0, 1);
    for (uint64_t i = 0; i < count; i++)
        EVENT(TP_EV_UserRegionBegin, 0, 1, 0);
    for (uint64_t i = 0; i < count; i++)
        EVENT(TP_EV_UserRegionEnd, 0, 1, 0);
    name_all("region");
}

static void put_strings(uint64_t count)
{
    char text[32];
    begin_batch(NO_M, TP_EV_Strings);
    for (uint64_t i = 0; i < count; i++) {
        snprintf(text, sizeof text, "%08llx", (unsigned long long)i);
        put_string(1 + i, text);
    }
}

static void strings(uint64_t count)
{
    begin_thread(1, 0, 1);
    end_batch();
    put_strings(count);
}

// Writes events that use `count` stacks, and begins the batch that these stand in.
static void use_stacks(uint64_t count)
{
    begin_thread(1, 0, 1);
    for (uint64_t i = 0; i < count; i++) {
        EVENT(TP_EV_GoStop, 1, 1 + i);
        EVENT(TP_EV_GoStart, 1, 1 + i);
    }
    end_batch();
    begin_batch(NO_M, TP_EV_Stacks);
}

// Writes `count` stacks, each with a PC of its own and each used by an event.
static void stacks(uint64_t count)
{
    use_stacks(count);
    for (uint64_t i = 0; i < count; i++)
        PUT(TP_EV_Stack, 1 + i, 1, 4000000 + i, 1, 1, i);
    name_all("main.work");
}

// Writes `count` stacks, each of a function of its own with a long name, and each used by an event.
static void names(uint64_t count)
{
    char text[NAME_BYTES + 1];
    memset(text, 'x', NAME_BYTES);
    text[NAME_BYTES] = '\0';
    for (uint64_t first = 0; first < count; first += NAMES_OF_GENERATION) {
        uint64_t left = count - first;
        uint64_t now = left < NAMES_OF_GENERATION ? left : NAMES_OF_GENERATION;
        if (first > 0) {
            end_generation();
            begin_generation(1 + first / NAMES_OF_GENERATION);
        }
        use_stacks(now);
        for (uint64_t i = 0; i < now; i++)
            PUT(TP_EV_Stack, 1 + i, 1, 4000000 + first + i, 1 + i, 1 + i, 1);
        end_batch();
        begin_batch(NO_M, TP_EV_Strings);
        for (uint64_t i = 0; i < now; i++) {
            snprintf(text, sizeof text, "%08llx", (unsigned long long)(first + i));
            text[8] = 'x';
            put_string(1 + i, text);
        }
    }
}

// Writes `count` waits, each for a reason of its own.
static void reasons(uint64_t count)
{
    begin_thread(1, 0, 1);
    for (uint64_t i = 0; i < count; i++) {
        EVENT(TP_EV_GoBlock, 1 + i, 0);
        EVENT(TP_EV_GoUnblock, 1, 1 + 2 * i, 0);
        EVENT(TP_EV_GoStart, 1, 2 + 2 * i);
    }
    end_batch();
    put_strings(count);
}

static const struct {
    const char *name;
    void (*write)(uint64_t count);
} kinds[] = {
    {"goroutines", goroutines}, {"exits", exits},     {"threads", threads},
    {"procs", procs},           {"tasks", tasks},     {"generations", generations},
    {"regions", regions},       {"strings", strings}, {"stacks", stacks},
    {"names", names},           {"reasons", reasons}, {"idle", idle},
};

int main(int argc, char **argv)
{
    for (size_t i = 0; argc == 3 && i < TP_ARRAY_LEN(kinds); i++) {
        if (strcmp(argv[1], kinds[i].name) != 0)
            continue;
        now_ticks = BEGIN_TICKS;
        wire_put_header(&file, 26);
        begin_generation(1);
        kinds[i].write(strtoull(argv[2], NULL, 10));
        end_generation();
        return fflush(stdout) == 0 ? 0 : 1;
    }
    fprintf(stderr, "hostile KIND COUNT, where KIND is");
    for (size_t i = 0; i < TP_ARRAY_LEN(kinds); i++)
        fprintf(stderr, " %s", kinds[i].name);
    fprintf(stderr, "\n");
    return 2;
}
