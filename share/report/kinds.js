// Titles, words and meanings as in the text report.
const KINDS = {
    lock: {
        title: 'Lock contention',
        short: 'lock',
        unit: 'goroutines',
        count: 'waits',
        culprit: 'held by',
        victims: 'waiting',
        against: 'the time for which goroutines waited',
        meaning:
            'Goroutines wait for a mutex that this function held when their waits ended: shorten what it ' +
            'does while it holds the mutex, or do it without the mutex.',
    },
    gc: {
        title: 'GC pressure',
        short: 'GC',
        unit: 'of CPU time',
        count: 'cycles',
        culprit: 'allocating',
        victims: 'assisting',
        against: 'capacity',
        meaning:
            'The garbage collector takes this share of the CPU time, because this function allocates or ' +
            'forces collections, or because GOGC or GOMEMLIMIT lets the heap grow too little.',
    },
    syscall: {
        title: 'Slow system calls',
        short: 'syscall',
        unit: 'goroutines',
        count: 'calls',
        culprit: 'in',
        victims: 'waiting',
        against: 'the time for which goroutines waited',
        meaning: 'Goroutines are blocked in slow system calls that this function makes.',
    },
    few_ps: {
        title: 'Not enough Ps',
        short: 'few Ps',
        unit: 'goroutines per P',
        culprit: 'running',
        victims: 'waiting',
        against: 'the time for which goroutines ran or were runnable',
        meaning:
            'Goroutines spend much of their time waiting for a P, and this function runs longest: raise ' +
            'GOMAXPROCS, add cores, or do less work.',
    },
    leak: {
        title: 'Goroutine leak',
        short: 'leak',
        unit: 'goroutines per second',
        culprit: 'blocked in',
        victims: 'waiting',
        against: 'all goroutines',
        meaning:
            'Goroutines are created all the time and do not end: they are blocked in this function when ' +
            'the trace ends.',
    },
    p_hog: {
        title: 'Goroutine hogs a P',
        short: 'P hog',
        unit: '',
        count: 'runs',
        culprit: 'in',
        victims: 'waiting',
        against: 'capacity',
        meaning:
            'A goroutine runs for long in a function that the runtime cannot preempt, so others wait for ' +
            'its P.',
    },
    sched_latency: {
        title: 'High scheduling latency',
        short: 'latency',
        unit: '',
        count: 'waits',
        culprit: 'woken or created by',
        victims: 'waiting',
        against: 'the time for which goroutines waited',
        meaning:
            'Goroutines that this function wakes or creates wait long until they run, although the Ps are ' +
            'idle for half of the time: it makes too many runnable at once.',
    },
    channel: {
        title: 'Slow channel',
        short: 'channel',
        unit: 'goroutines',
        count: 'waits',
        culprit: 'slow side',
        victims: 'waiting',
        against: 'the time for which goroutines waited',
        meaning:
            'Goroutines on one side of a channel wait for this function on the other side, which is slow.',
    },
    stop_the_world: {
        title: 'Long stop-the-world pause',
        short: 'pause',
        unit: '',
        count: 'stops',
        culprit: 'stopped by',
        victims: 'waiting',
        against: 'the duration of the traces',
        meaning:
            'The runtime stops all goroutines, because this function requests it, or a collection starts ' +
            'while this function cannot be preempted.',
    },
    slow_task: {
        title: 'Slow tail',
        short: 'slow task',
        unit: 'times the median',
        count: 'slow tasks',
        culprit: 'in',
        victims: 'tasks',
        against: 'the time of all tasks',
        meaning:
            'A few tasks take many times as long as most of the same type, and spend most of it in this ' +
            'function; if that is by design, give them a type of their own.',
    },
    pool: {
        title: 'Pool exhausted',
        short: 'pool',
        unit: 'goroutines',
        count: 'waits',
        culprit: 'waiting in',
        victims: 'waiting',
        against: 'the time for which goroutines waited',
        meaning:
            'Goroutines wait for a free slot of a connection pool, semaphore or limited group while the Ps ' +
            'are mostly idle: make it larger, or hold a slot for a shorter time.',
    },
};

const ROLES = {created_by: 'created by', calls: 'calling', pool: 'pool', requested_by: 'requested by'};

// The chart or table that shows each kind: {section, flame, what, plain}
const SHOWN_IN = {
    lock: {section: 'flame', flame: 'woken', label: 'flame graph of wakers'},
    channel: {section: 'flame', flame: 'woken', label: 'flame graph of wakers'},
    pool: {section: 'flame', flame: 'sync', label: 'flame graph of sync waits'},
    syscall: {section: 'flame', flame: 'syscall', label: 'flame graph of system calls'},
    sched_latency: {section: 'flame', flame: 'sched', label: 'flame graph of scheduling'},
    leak: {section: 'flame', flame: 'sync_open', label: 'flame graph of unfinished waits'},
    few_ps: {section: 'time', label: 'Ps over time'},
    p_hog: {section: 'functions', label: 'start functions'},
    gc: {section: 'gc', label: 'garbage collection'},
    stop_the_world: {section: 'gc', label: 'pauses'},
    slow_task: {section: 'tasks', label: 'tasks'},
};

function kindOf(name) {
    return (
        KINDS[name] || {
            title: name,
            short: name,
            unit: '',
            culprit: 'in',
            victims: 'waiting',
            against: 'all',
            meaning: '',
        }
    );
}
