// The scheduler of the generator: threads (M), processors (P), goroutines (G), their states,
// and the steps between states. Each step writes its event, after the status events that
// readers need first.
//
// Readers may take events of different threads in another order than they were generated in
// (clocks tie and disagree), so a step relies only on what counters and the order within a
// thread guarantee.
#ifndef TP_SUPPORT_SYNTH_MODEL_H
#define TP_SUPPORT_SYNTH_MODEL_H

#include "synth_tables.h"

#define SYNTH_NONE UINT32_MAX // in place of an index: no thread, processor or goroutine
#define SYNTH_REGION_DEPTH 4
#define SYNTH_TASKS 64
#define SYNTH_OBJECTS 256

// States as in ProcStatus events. A P without a status event may be in any of them.
enum synth_p_status {
    SYNTH_P_RUNNING = 1,
    SYNTH_P_IDLE,
    SYNTH_P_SYSCALL,
    SYNTH_P_ABANDONED,
};

// States as in GoStatus events; DEAD: a free slot.
enum synth_g_status {
    SYNTH_G_DEAD,
    SYNTH_G_RUNNABLE,
    SYNTH_G_RUNNING,
    SYNTH_G_SYSCALL,
    SYNTH_G_WAITING,
    SYNTH_G_STATUSES
};

struct synth_region {
    uint64_t task;
    uint32_t name; // index of a user string
};

struct synth_g {
    uint64_t id;
    uint64_t seq;
    uint64_t traced_gen; // the last generation in which readers know `seq`
    uint32_t m;          // SYNTH_NONE unless running or in a system call
    uint32_t set_pos;    // index in the set of its status
    uint8_t status;      // enum synth_g_status
    bool assisting;
    bool stopping_world;
    bool from_c;         // created by a thread of C; ends in a system call
    uint8_t region_count;
    struct synth_region regions[SYNTH_REGION_DEPTH];
};

struct synth_p {
    uint64_t seq;
    uint64_t traced_gen;
    uint32_t m; // owner, also during a system call; of an abandoned P the last owner
    uint8_t status;
    bool sweeping;
};

struct synth_m {
    struct synth_batch batch;
    uint32_t p;
    uint32_t g;
};

// The goroutines of one status, for picking one at random.
struct synth_set {
    uint32_t *members;
    uint32_t count;
};

struct synth_task {
    uint64_t id; // 0: free
};

struct synth {
    const struct synth_config *config;
    struct synth_wire wire;
    struct synth_tables tables;
    struct synth_rand rand;
    struct synth_batch orphans; // events that belong to no thread
    struct synth_m *ms;
    struct synth_p *ps;
    struct synth_g *gs;
    uint32_t m_count;
    uint32_t p_count;
    uint32_t g_count; // slots
    struct synth_set sets[SYNTH_G_STATUSES];
    uint64_t next_goid;
    // Garbage collection. If several threads have GC events close in time, readers cannot tell
    // which one is the first of the trace. So for a while after the trace's first GC event no
    // collection begins.
    uint64_t gc_seq;
    uint64_t gc_second_ticks; // no collection begins before this; 0: there was no GC event yet
    bool gc_running;
    bool gc_announced; // has a GC event in this generation
    // User tasks and the objects of AllocFree
    struct synth_task tasks[SYNTH_TASKS];
    uint64_t next_task;
    uint64_t objects[SYNTH_OBJECTS]; // ids; 0: free
    uint64_t next_object;
    // Play
    uint32_t action_weights[SYNTH_ACTION_COUNT]; // cumulative weights
    uint32_t turn_m; // whose turn it is
    uint64_t turn_left;
};

int synth_model_init(struct synth *s, const struct synth_config *config, struct tp_error *err)
    TP_MUST_USE;
void synth_model_fini(struct synth *s);

// Writes an event of thread `m` (SYNTH_NONE: an event of no thread).
void synth_emit_args(struct synth *s, uint32_t m, enum tp_event_type type, uint64_t *args,
                     size_t arg_count);
#define synth_emit(s, m, type, ...)                                                             \
    synth_emit_args(s, m, type, (uint64_t[]){0, ##__VA_ARGS__},                                 \
                    sizeof((uint64_t[]){0, ##__VA_ARGS__}) / sizeof(uint64_t))

uint64_t synth_m_id(const struct synth *s, uint32_t m);

// Return a random goroutine or P of this status, SYNTH_NONE if there is none.
uint32_t synth_random_g(struct synth *s, enum synth_g_status status);
uint32_t synth_random_p(struct synth *s, enum synth_p_status status);

// Status events. Each is written once a generation, on thread `m`.
void synth_announce_thread(struct synth *s, uint32_t m); // its P and goroutine
void synth_announce_p(struct synth *s, uint32_t m, uint32_t p, enum synth_p_status as);
void synth_announce_g(struct synth *s, uint32_t m, uint32_t g);

// The steps of the model, which write events and change the states. Call a step only if the thread,
// P and goroutine are in states in which the step is possible. `synth_create` and
// `synth_create_from_c` return the new goroutine, or SYNTH_NONE if no slot is free.
void synth_proc_start(struct synth *s, uint32_t m, uint32_t p);
void synth_proc_stop(struct synth *s, uint32_t m);
void synth_proc_steal(struct synth *s, uint32_t m, uint32_t p);
void synth_go_start(struct synth *s, uint32_t m, uint32_t g);
void synth_go_stop(struct synth *s, uint32_t m);
void synth_go_block(struct synth *s, uint32_t m);
void synth_go_destroy(struct synth *s, uint32_t m);
void synth_go_unblock(struct synth *s, uint32_t m, uint32_t g);
void synth_go_switch(struct synth *s, uint32_t m, uint32_t to, enum tp_event_type type);
uint32_t synth_create(struct synth *s, uint32_t m, enum tp_event_type type);
uint32_t synth_create_from_c(struct synth *s, uint32_t m);
void synth_destroy_to_c(struct synth *s, uint32_t m);
void synth_syscall_begin(struct synth *s, uint32_t m);
void synth_syscall_end(struct synth *s, uint32_t m);
void synth_syscall_end_blocked(struct synth *s, uint32_t m);

#endif
