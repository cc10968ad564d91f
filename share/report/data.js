// Blocking reasons by class, as in the breakdown of tasks: the first that the reason contains.
const CLASSES = [
    {key: 'network', word: 'network', label: 'network'},
    {key: 'sleep', word: 'sleep', label: 'sleep'},
    {key: 'channel', word: 'chan', label: 'channels'},
    {key: 'select', word: 'select', label: 'select'},
    {key: 'sync', word: 'sync', label: 'sync'},
];

const PARTS = [
    {key: 'running', label: 'running'},
    {key: 'runnable', label: 'runnable'},
    {key: 'syscall', label: 'system calls'},
    {key: 'sync', label: 'sync'},
    {key: 'channel', label: 'channels'},
    {key: 'select', label: 'select'},
    {key: 'network', label: 'network'},
    {key: 'sleep', label: 'sleep'},
    {key: 'other', label: 'other blocking'},
    {key: 'elsewhere', label: 'elsewhere'},
];

const STATES = ['running', 'runnable', 'syscall'];

function classOfReason(reason) {
    const found = CLASSES.find(c => reason.includes(c.word));
    return found ? found.key : 'other';
}

function reasonLabel(reason) {
    return reason === '' ? 'no reason recorded' : visible(reason);
}

// With the parts of cut durations inside the trace, as the text report counts.
function allNs(dist) {
    return dist ? dist.total_ns + dist.cut_ns : 0;
}

async function readData() {
    const text = atob(document.getElementById('tracepipe').textContent);
    const bytes = Uint8Array.from(text, c => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
    const data = await new Response(stream).json();
    if (!/^tracepipe\.stats\.full\//.test(data.schema))
        throw new Error('the data are not of the schema tracepipe.stats.full: ' + data.schema);
    // The keys of levels stand once: here each trace has an array of each.
    for (const levels of data.detail ? data.detail.levels : [])
        data.detail.level_keys.forEach((key, i) => (levels[key] = levels.values[i]));
    return data;
}

function partsOf(times) {
    return PARTS.map(p => ({class: 'c-' + p.key, label: p.label, value: times[p.key + '_ns']}));
}

// The folder that all inputs share, with its slash; what is shown is relative to it.
function commonFolder(paths) {
    if (paths.length < 2) return '';
    let prefix = paths[0].slice(0, paths[0].lastIndexOf('/') + 1);
    for (const path of paths) {
        while (prefix !== '' && !path.startsWith(prefix))
            prefix = prefix.slice(0, prefix.slice(0, -1).lastIndexOf('/') + 1);
    }
    return prefix;
}

// Returns the time of goroutines in each state; blocked time is divided by the class of its reason.
function timeByState(states, blocks) {
    const times = {};
    for (const part of PARTS) times[part.key + '_ns'] = 0;
    for (const state of STATES) times[state + '_ns'] = allNs(states[state]);
    for (const block of blocks) times[classOfReason(block.reason) + '_ns'] += allNs(block);
    return times;
}

function sumOfTimes(times) {
    return PARTS.reduce((sum, p) => sum + times[p.key + '_ns'], 0);
}
