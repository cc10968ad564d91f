// Each term in one sentence, after the schema and tracepipe-stats(7).
const GLOSSARY = [
    ['count', 'Number of durations that began and ended in the trace.'],
    ['total', 'Their sum, with the parts of cut durations inside the trace.'],
    ['cut', 'Durations that began before the trace or had not ended when it ended; their length is unknown.'],
    [
        'p50, p90, p99, p99.9',
        'The smallest duration that at least 50, 90, 99 or 99.9 % of the durations are less ' +
            'than or equal to; the error is at most 1/128.',
    ],
    ['max', 'The longest duration.'],
    [
        'running',
        'A goroutine is on a P, until it blocks, yields, is preempted, enters a system call or ends.',
    ],
    [
        'runnable',
        'A goroutine waits for a P: from creation, wake-up, preemption or the return from a system call ' +
            'that lost its P, to the next run.',
    ],
    ['system calls', 'From entry to exit of a system call.'],
    ['blocked', 'From blocking until being woken, by the reason that the runtime records.'],
    [
        'network, sleep, channels, select, sync, other',
        'Blocked: the first of these that the reason is or contains.',
    ],
    [
        'elsewhere',
        'The whole task, if it ended on another goroutine; and time that the trace does not cover.',
    ],
    ['lifetime', 'From creation to end of a goroutine; count plus cut is the number of goroutines.'],
    ['start function', 'The outermost function of a goroutine, after which it is named.'],
    ['covered', 'The part of a bucket of the time axis that traces cover.'],
    ['Ps in use', 'A P (processor of the Go scheduler) is in use while it is not idle.'],
    ['heap, heap goal', 'Averages of what the runtime reported, over the time in which it is known.'],
    ['lock waits', 'Time blocked in sync.Mutex and sync.RWMutex.'],
    [
        'GC',
        'Running time of the garbage collector: its goroutines, idle mark workers among them, and assists.',
    ],
    ['stopped', 'Stop-the-world pauses.'],
    ['assists', 'Work for the garbage collector that goroutines of the program do when they allocate.'],
    [
        'minimum mutator utilisation',
        'The mean share of the Ps that GC leaves to the program, over the worst window ' + 'of a length.',
    ],
    ['blamed', 'The part of a wait for which the waker is responsible: since it last left a wait itself.'],
    [
        'idle waits',
        'Waits in which goroutines have nothing to do, by a list of functions in tracepipe-stats(7).',
    ],
    ['unfinished', 'Waits that had not finished when the trace ended.'],
    ['flat, cumulative', 'CPU samples with the function innermost, and anywhere in the stack.'],
    ['damaged', 'Bytes or events were lost: the figures cover the intact part.'],
    ['refused', 'Not a trace, or not readable: not included in any figure.'],
    ['events', 'Events that were read.'],
    ['lost', 'Bytes that were lost, and bytes of events that could not be ordered.'],
    [
        'threshold',
        'The least value for which a finding of this kind is reported; there are further conditions.',
    ],
];

const SED = `sed -n '/id="tracepipe">$/,/^<\\/script>/{//!p}' report.html | base64 -d | gunzip >report.json`;

function buildFoot(data) {
    return [
        el('h2', {}, 'About this report'),
        el(
            'p',
            {},
            'The page has all of its data in it, in the schema ',
            el('code', {}, data.schema),
            ', and takes nothing from the network. To take the data out:'
        ),
        commandNode(SED),
        el(
            'p',
            {},
            'Manual: ',
            el('code', {}, 'man tracepipe'),
            ', ',
            el('code', {}, 'man 7 tracepipe-sinks'),
            ', ',
            el('code', {}, 'man 7 tracepipe-stats'),
            ' (defines each figure); ',
            el('code', {}, 'tracepipe --explain TERM'),
            ' explains a word.'
        ),
        el(
            'details',
            {},
            el('summary', {}, 'Glossary'),
            el(
                'dl',
                {class: 'glossary'},
                GLOSSARY.map(([term, text]) => el('div', {}, el('dt', {}, term), el('dd', {}, text)))
            )
        ),
    ];
}
