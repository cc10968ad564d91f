function stateSeries(states, blocks) {
    const series = STATES.map(key => ({
        class: 'c-' + key,
        dist: states[key],
        label: PARTS.find(p => p.key === key).label,
    }));
    for (const block of blocks) {
        series.push({
            class: 'c-' + classOfReason(block.reason),
            dist: block,
            label: 'blocked: ' + reasonLabel(block.reason),
        });
    }
    series.push({class: 'c-lifetime', label: 'lifetime', dist: states.lifetime});
    return series;
}

function isOfRuntime(name) {
    return name.startsWith('runtime.') || name.startsWith('runtime/') || name.startsWith('internal/runtime/');
}

function functionRows(data) {
    return data.functions.map(f => {
        const times = timeByState(f.states, f.blocks),
            life = f.states.lifetime;
        return {
            ...f,
            times,
            all: sumOfTimes(times),
            blocked: f.blocks.reduce((sum, b) => sum + allNs(b), 0),
            goroutines: life ? life.count + life.cut_count : null,
        };
    });
}

function functionColumns() {
    const time = (head, key, tip) => ({
        head,
        tip,
        num: true,
        bar: true,
        get: f => f.times[key + '_ns'],
        show: f => formatNs(f.times[key + '_ns']),
    });
    const p99 = (head, key, tip) => ({
        head,
        tip,
        num: true,
        get: f => (f.states[key] && f.states[key].count > 0 ? f.states[key].p99_ns : null),
        show: f => formatNs(f.states[key] && f.states[key].count > 0 ? f.states[key].p99_ns : null),
    });
    const blocked = CLASSES.concat({key: 'other', label: 'other'}).map(c =>
        time(
            c.label,
            c.key,
            'blocked, reason ' +
                (c.key === 'other' ? 'another, or not recorded' : 'contains "' + c.word + '"')
        )
    );
    return [
        nameColumn(
            'start function',
            f => f.function,
            'the outermost function of the goroutine',
            false,
            '(start function unknown)'
        ),
        {
            head: 'goroutines',
            num: true,
            get: f => f.goroutines,
            tip: 'their number: lifetimes that ended, and those that are cut (count + cut_count)',
        },
        {
            head: 'states',
            tip: 'time by state, as shares of all states of the row',
            show: f => stackBar(partsOf(f.times), f.all, formatNs),
        },
        {
            head: 'durations',
            tip: 'small histogram: counts by octave from 64 ns to 64 s, coloured by state',
            show: f => smallHistogram(stateSeries(f.states, f.blocks).slice(0, -1)),
        },
        time('running', 'running', 'time on a P, with the parts of cut runs inside the trace'),
        p99('run p99', 'running', '99 % of the runs are not longer'),
        time('runnable', 'runnable', 'time waiting for a P'),
        p99('runnable p99', 'runnable', '99 % of the waits for a P are not longer'),
        time('syscall', 'syscall', 'time in system calls'),
        {
            head: 'blocked',
            num: true,
            bar: true,
            get: f => f.blocked,
            show: f => formatNs(f.blocked),
            tip: 'time blocked for any reason; the next columns are parts of it',
        },
        ...blocked,
    ];
}

function goroutineTable(data, folder) {
    const time = (head, key) => ({head, num: true, bar: true, get: g => g[key], show: g => formatNs(g[key])});
    const other = data.other_goroutines;
    return tableNode({
        caption: 'Goroutines with the most running time',
        rows: data.top_goroutines,
        sort: 4,
        note:
            other.count > 0
                ? plural(other.count, 'other goroutine') +
                  ' together: running ' +
                  formatNs(other.running_ns) +
                  ', runnable ' +
                  formatNs(other.runnable_ns) +
                  ', system calls ' +
                  formatNs(other.syscall_ns) +
                  ', blocked ' +
                  formatNs(other.blocked_ns)
                : '',
        columns: [
            nameColumn('start function', g => g.function, 'the outermost function of the goroutine'),
            {
                head: 'goroutine',
                num: true,
                get: g => g.id,
                show: g => String(g.id),
                tip: 'its number in the trace',
            },
            {
                head: 'begin',
                num: true,
                get: g => g.begin_ns,
                show: g => formatNs(g.begin_ns),
                tip: 'since the trace began',
            },
            {
                head: 'lifetime',
                num: true,
                get: g => g.lifetime_ns,
                show: g => formatNs(g.lifetime_ns),
                tip: 'its part inside the trace',
            },
            time('running', 'running_ns'),
            time('runnable', 'runnable_ns'),
            time('syscall', 'syscall_ns'),
            time('blocked', 'blocked_ns'),
            nameColumn('trace', g => g.trace.slice(folder.length), 'the input', 'path'),
        ],
    });
}

function buildFunctions(data, folder) {
    const times = timeByState(data.states, data.blocks),
        all = sumOfTimes(times);
    const parts = partsOf(times);
    const legendParts = parts
        .filter(p => p.value > 0)
        .map(p => ({...p, text: formatNs(p.value) + ', ' + formatShare(p.value, all)}));
    if (data.functions.length === 0) return [el('p', {class: 'none'}, 'The traces have no goroutines.')];
    return [
        el(
            'div',
            {class: 'card'},
            el('h3', {}, 'What all goroutines did'),
            stackBar(parts, all, formatNs, {class: 'stack wide'}),
            legend(legendParts),
            el(
                'details',
                {
                    ontoggle: e => {
                        if (e.target.open && !e.target.querySelector('.pane-distribution'))
                            e.target.append(distributionPane(stateSeries(data.states, data.blocks)));
                    },
                },
                el('summary', {}, 'distribution of all functions together')
            )
        ),
        tableNode({
            caption: 'Goroutines by start function',
            rows: functionRows(data),
            sort: 4,
            columns: functionColumns(),
            toggle: {label: 'hide the runtime', hides: f => isOfRuntime(f.function)},
            detail: f => distributionPane(stateSeries(f.states, f.blocks)),
        }),
        goroutineTable(data, folder),
    ];
}
