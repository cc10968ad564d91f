const FLAMES = [
    {
        key: 'sync',
        label: 'sync',
        title: 'waits for other goroutines (channels, select, package sync)',
        noun: 'wait',
    },
    {key: 'net', label: 'network', title: 'waits for the network', noun: 'wait'},
    {key: 'syscall', label: 'system calls', title: 'system calls', noun: 'call'},
    {
        key: 'sched',
        label: 'scheduling',
        title: 'runnable, by the stack of the waker',
        limits:
            'The wait of a new goroutine for its first run is left out, unless it never runs: the sum is ' +
            'less than runnable in the other tables.',
        noun: 'wait',
    },
    {key: 'cpu', label: 'CPU samples', title: 'samples of the CPU profiler', noun: 'sample'},
    {key: 'woken', label: 'by waker', title: 'blocked time by the stack that ended it', noun: 'wait'},
    {
        key: 'sync_open',
        label: 'sync, unfinished',
        title: 'waits for other goroutines, unfinished at the end',
        noun: 'wait',
    },
    {
        key: 'net_open',
        label: 'network, unfinished',
        title: 'waits for the network, unfinished at the end',
        noun: 'wait',
    },
    {
        key: 'syscall_open',
        label: 'system calls, unfinished',
        title: 'system calls, unfinished at the end',
        noun: 'call',
    },
];

const MEASURES = {
    time: {label: 'by time', tip: 'width: total_ns'},
    blamed: {label: 'by blame', tip: 'width: blamed_ns, the part for which the waker is responsible'},
    count: {label: 'by count', tip: 'width: count'},
};

// FNV-1a, as in src/sink/stats/flame_svg.c.
function hashOf(text) {
    let hash = 0x811c9dc5;
    for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193);
    return (hash ^ (hash >>> 15)) >>> 0;
}

const frameColours = new Map();

// Returns the colour that flame_svg.c gives the frame: blue for the runtime, red to yellow by package for
// other functions, grey for a frame that is no function.
function frameColour(node) {
    const name = node.name;
    if (node.parent === null || name.startsWith('(')) return '#d0d0d0';
    const key = packageOf(name) || name;
    let color = frameColours.get(key);
    if (color === undefined) {
        const hash = hashOf(key),
            a = hash & 0xff,
            b = (hash >>> 8) & 0xff,
            c = (hash >>> 16) & 0xff;
        const rgb = isOfRuntime(name)
            ? [110 + a / 5, 170 + b / 6, 215 + c / 7]
            : [215 + a / 7, 90 + b / 2, 40 + c / 5];
        color = '#' + rgb.map(part => Math.floor(part).toString(16).padStart(2, '0')).join('');
        frameColours.set(key, color);
    }
    return color;
}

function stacksOf(data, type) {
    if (type !== 'woken') return data.stacks.filter(s => s.type === type);
    return data.wakers.map(w => ({...w, idle: w.waiters.length > 0 && w.waiters.every(i => i.idle)}));
}

function newNode(name, parent) {
    return {name, parent, children: new Map(), time: 0, count: 0, blamed: 0, places: new Map(), depth: 0};
}

function addTo(node, stack) {
    node.time += stack.total_ns;
    node.count += stack.count;
    node.blamed += stack.blamed_ns || 0;
}

// Merges stacks by function; inverted: from the innermost function on.
function mergeStacks(stacks, type, isInverted) {
    const root = newNode(FLAMES.find(f => f.key === type).label, null);
    for (const stack of stacks) {
        let node = root;
        addTo(root, stack);
        const frames = isInverted ? stack.frames : stack.frames.slice().reverse();
        for (const frame of frames.length > 0 ? frames : [{function: '(no stack)', file: '', line: 0}]) {
            const name = frame.function || '(unknown)';
            let child = node.children.get(name);
            if (child === undefined) {
                child = newNode(name, node);
                child.depth = node.depth + 1;
                node.children.set(name, child);
            }
            addTo(child, stack);
            const place = formatPlace(frame);
            child.places.set(place, (child.places.get(place) || 0) + stack.total_ns + stack.count);
            node = child;
        }
    }
    return root;
}

function sortedChildren(node, measure) {
    return [...node.children.values()]
        .filter(c => c[measure] > 0)
        .sort((a, b) => b[measure] - a[measure] || (a.name < b.name ? -1 : 1));
}

function placesText(node) {
    const places = [...node.places].filter(p => p[0] !== '').sort((a, b) => b[1] - a[1]);
    if (places.length === 0) return '';
    return places[0][0] + (places.length > 1 ? ` and ${places.length - 1} more` : '');
}

class Flame {
    constructor(data) {
        this.data = data;
        this.types = FLAMES.filter(f => stacksOf(data, f.key).length > 0);
        this.type = this.types.length > 0 ? this.types[0].key : '';
        this.measure = 'time';
        this.isInverted = false;
        this.hasIdle = false;
        this.search = '';
        this.view = new FlameView(this);
        this.build();
    }

    build() {
        this.tabs = el('div', {
            class: 'tabs',
            role: 'tablist',
            'aria-label': 'type of stacks',
            onkeydown: e => this.moveTab(e),
        });
        for (const type of this.types) {
            this.tabs.append(
                button(type.label, () => this.setType(type.key), {
                    role: 'tab',
                    id: 'tab-' + type.key,
                    title: type.title,
                    'data-key': type.key,
                })
            );
        }
        this.measures = el('select', {
            'aria-label': 'width of the frames',
            onchange: e => {
                this.measure = e.target.value;
                this.load();
            },
        });
        this.idleBox = el('input', {
            type: 'checkbox',
            onchange: e => {
                this.hasIdle = e.target.checked;
                this.load();
            },
        });
        this.input = el('input', {
            type: 'search',
            placeholder: 'search functions',
            autocomplete: 'off',
            spellcheck: 'false',
            'aria-label': 'search functions by regular expression',
            oninput: e => this.setSearch(e.target.value),
            onkeydown: e => {
                if (e.key === 'Enter') this.view.nextMatch(e.shiftKey ? -1 : 1);
            },
        });
        this.found = el('span', {class: 'figure', 'aria-live': 'polite'});
        this.note = el('p', {class: 'note'});
        this.node = el(
            'div',
            {class: 'flame'},
            this.tabs,
            this.note,
            el(
                'div',
                {class: 'controls'},
                this.measures,
                el(
                    'label',
                    {title: 'start at the innermost function: what waits, whoever calls it'},
                    el('input', {
                        type: 'checkbox',
                        onchange: e => {
                            this.isInverted = e.target.checked;
                            this.load();
                        },
                    }),
                    ' inverted'
                ),
                el(
                    'label',
                    {title: 'waits of goroutines that have nothing to do (tracepipe-stats(7))'},
                    this.idleBox,
                    ' idle waits'
                ),
                this.input,
                button('‹', () => this.view.nextMatch(-1), {
                    title: 'previous match (Shift-Enter)',
                    'aria-label': 'previous match',
                }),
                button('›', () => this.view.nextMatch(1), {
                    title: 'next match (Enter)',
                    'aria-label': 'next match',
                }),
                this.found
            ),
            this.view.node
        );
        if (this.type !== '') this.setType(this.type);
    }

    moveTab(event) {
        const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
        if (!step) return;
        const at = this.types.findIndex(t => t.key === this.type);
        const next = this.types[(at + step + this.types.length) % this.types.length];
        this.setType(next.key);
        document.getElementById('tab-' + next.key).focus();
    }

    setType(type) {
        this.type = type;
        for (const tab of this.tabs.children) {
            const isOn = tab.dataset.key === type;
            tab.setAttribute('aria-selected', String(isOn));
            tab.tabIndex = isOn ? 0 : -1;
        }
        const keys =
            type === 'cpu' ? ['count'] : type === 'woken' ? ['blamed', 'time', 'count'] : ['time', 'count'];
        if (!keys.includes(this.measure) || type === 'woken') this.measure = keys[0];
        this.measures.replaceChildren(
            ...keys.map(key =>
                el(
                    'option',
                    {value: key, title: MEASURES[key].tip, selected: key === this.measure},
                    MEASURES[key].label
                )
            )
        );
        this.load();
    }

    setSearch(text) {
        this.search = text;
        this.input.value = text;
        this.view.setSearch(text);
    }

    load() {
        const info = FLAMES.find(f => f.key === this.type),
            all = stacksOf(this.data, this.type);
        const isBusy = all.some(s => !s.idle),
            hasIdle = all.some(s => s.idle);
        const isShown = this.hasIdle || !isBusy;
        const stacks = isShown ? all : all.filter(s => !s.idle);
        const idle = all.filter(s => s.idle);
        const sum = key => idle.reduce((total, s) => total + s[key], 0);
        this.idleBox.checked = isShown;
        this.idleBox.disabled = !hasIdle || !isBusy;
        this.info = info;
        const other = this.data.coarse_stacks.filter(s => s.type === this.type);
        this.note.textContent =
            info.title[0].toUpperCase() +
            info.title.slice(1) +
            ', ' +
            plural(stacks.length, 'stack') +
            ', of all traces.' +
            (hasIdle && !isShown
                ? ` Idle waits are left out: ${formatNs(sum('total_ns'))} in ` +
                  plural(sum('count'), 'wait') +
                  '.'
                : '') +
            (info.limits ? ' ' + info.limits : '') +
            (other.length > 0 ? ' Stacks beyond the limit are in the table below.' : '');
        this.view.setRoot(mergeStacks(stacks, this.type, this.isInverted), this.measure, info, stacks.length);
        this.view.setSearch(this.search);
    }

    amount(node, root) {
        const count = plural(node.count, this.info.noun);
        const figure = this.measure === 'count' ? node.count : node[this.measure];
        const share = formatShare(figure, root[this.measure]);
        if (this.type === 'cpu') return count + ', ' + share;
        return (
            formatNs(node.time) +
            ' in ' +
            count +
            (this.type === 'woken' ? ', blamed ' + formatNs(node.blamed) : '') +
            ', ' +
            share
        );
    }
}

function wakerTable(data) {
    if (data.wakers.length === 0) return null;
    return tableNode({
        caption: 'Blocked time by waker',
        rows: data.wakers,
        sort: 2,
        note:
            data.other_wakers.count > 0
                ? plural(data.other_wakers.count, 'wait') +
                  ' of others: ' +
                  formatNs(data.other_wakers.total_ns)
                : '',
        columns: [
            nameColumn(
                'function',
                w => w.function,
                'the function of the program that ended the waits',
                false,
                '(no stack: a timer)'
            ),
            {
                head: 'place',
                get: w => formatPlace(w),
                tip: 'file and line',
                show: w => el('span', {class: 'at', title: titleOf(formatPlace(w))}, shortPlace(w) || NONE),
            },
            {
                head: 'blamed',
                num: true,
                bar: true,
                get: w => w.blamed_ns,
                show: w => formatNs(w.blamed_ns),
                tip: 'the part for which the waker is responsible: since it last left a wait itself',
            },
            ...durationColumns(w => w),
            nameColumn(
                'first waiter',
                w => (w.waiters.length > 0 ? w.waiters[0].function : ''),
                'where goroutines ' + 'waited longest'
            ),
        ],
        text: w => w.frames.map(f => f.function).join('\n'),
        detail: w =>
            el(
                'div',
                {},
                el('h4', {}, 'Who waited'),
                el(
                    'ul',
                    {class: 'plain'},
                    w.waiters.map(i =>
                        el(
                            'li',
                            {},
                            formatNs(i.total_ns) +
                                ' in ' +
                                plural(i.count, 'wait') +
                                ', ' +
                                reasonLabel(i.reason) +
                                (i.idle ? ', idle' : '') +
                                ': ',
                            placeNode(i)
                        )
                    )
                ),
                el('h4', {}, 'Stack of the waker'),
                el(
                    'ol',
                    {class: 'frames'},
                    w.frames.map(f => el('li', {}, placeNode(f)))
                ),
                distributionPane([{class: 'c-sync', label: 'waits', dist: w}])
            ),
    });
}

let flame = null;

// Opens a tab, or the nearest that has stacks, and searches for a function.
function openFlame(type, name) {
    buildSection('flame');
    if (flame === null || flame.type === '') return;
    const has = key => flame.types.some(t => t.key === key);
    flame.setType(has(type) ? type : flame.type);
    flame.setSearch(name);
    flame.view.nextMatch(1);
}

function buildFlame(data) {
    flame = new Flame(data);
    const nodes = [flame.type === '' ? el('p', {class: 'none'}, 'The traces have no stacks.') : flame.node];
    const wakers = wakerTable(data);
    if (wakers) nodes.push(wakers);
    if (data.samples.length > 0) {
        nodes.push(
            tableNode({
                caption: 'CPU samples by function',
                rows: data.samples,
                sort: 1,
                columns: [
                    nameColumn('function', s => s.function, 'a function on the stack of a sample'),
                    {head: 'flat', num: true, bar: true, get: s => s.flat, tip: 'samples with it innermost'},
                    {
                        head: 'cumulative',
                        num: true,
                        bar: true,
                        get: s => s.cumulative,
                        tip: 'samples with it anywhere',
                    },
                ],
            })
        );
    }
    if (data.coarse_stacks.length > 0) {
        nodes.push(
            tableNode({
                caption: `About ${formatCount(data.other_stack_count)} other stacks, by function`,
                rows: data.coarse_stacks,
                sort: 3,
                columns: [
                    {head: 'type', get: s => s.type, tip: 'type of the waits'},
                    nameColumn('function', s => s.function, 'the first function outside the runtime'),
                    {head: 'count', num: true, get: s => s.count, tip: 'number of waits or samples'},
                    {
                        head: 'total',
                        num: true,
                        bar: true,
                        get: s => s.total_ns,
                        show: s => formatNs(s.total_ns),
                        tip: 'sum of their durations',
                    },
                ],
            })
        );
    }
    return nodes;
}
