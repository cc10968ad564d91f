// One thread hands an item to another and writes to it once more afterwards. What
// was written before the hand-over is visible behind it; this is not, and the
// thread sanitizer has to say so.
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

#include "base/ring.h"

struct item {
    int before;
    int after;
};

static void *take(void *arg)
{
    struct tp_ring *ring = arg;
    void *found = NULL;
    while (!tp_ring_try_take(ring, &found))
        sched_yield();
    const struct item *item = found;
    printf("before %d, after %d\n", item->before, item->after);
    return NULL;
}

int main(void)
{
    static struct item item;
    pthread_t taker;
    struct tp_ring *ring = tp_ring_create(4);
    if (ring == NULL || pthread_create(&taker, NULL, take, ring) != 0)
        return 1;
    item.before = 1;
    if (!tp_ring_try_put(ring, &item))
        return 1;
    item.after = 2; // the race
    pthread_join(taker, NULL);
    tp_ring_destroy(ring);
    return 0;
}
