//go:build cgo

// The C half of cgo_loads.go.
#include <pthread.h>
#include <stdint.h>
#include <unistd.h>

#include "_cgo_export.h"

#define MAX_THREADS 8

void workload_call(int calls)
{
    for (int i = 0; i < calls; i++)
        workloadCallback(i);
}

static void *run_thread(void *arg)
{
    int calls = (int)(intptr_t)arg;
    for (int i = 0; i < calls; i++) {
        workloadCallback(calls + i);
        if (i % 2 == 0)
            usleep(100);
    }
    return NULL;
}

void workload_threads(int threads, int calls)
{
    pthread_t ids[MAX_THREADS];
    int started = 0;
    while (started < threads && started < MAX_THREADS &&
           pthread_create(&ids[started], NULL, run_thread, (void *)(intptr_t)(calls + started)) == 0)
        started++;
    for (int i = 0; i < started; i++)
        pthread_join(ids[i], NULL);
}
