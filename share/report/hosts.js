const HOSTS_MOST = 60;

function perCovered(levels, i, key) {
    return levels.covered_ns[i] > 0 ? levels[key][i] / levels.covered_ns[i] : null;
}

function perP(levels, i, key) {
    const ps = levels.gomaxprocs_ns[i] / levels.gomaxprocs_known_ns[i],
        value = perCovered(levels, i, key);
    return ps > 0 && value !== null ? value / ps : null;
}

// get: the value in a bucket of a trace, or null.
const LEVEL_MEASURES = [
    {
        key: 'procs',
        label: 'Ps in use',
        of: ', share of GOMAXPROCS',
        class: 'c-running',
        get: (levels, i) => perP(levels, i, 'procs_ns'),
        format: value => formatShare(value, 1),
        most: 1,
    },
    {
        key: 'runnable',
        label: 'runnable goroutines per P',
        class: 'c-runnable',
        get: (levels, i) => perP(levels, i, 'runnable_ns'),
        format: formatNumber,
    },
    {
        key: 'blocked',
        label: 'blocked goroutines',
        class: 'c-other',
        get: (levels, i) => perCovered(levels, i, 'blocked_ns'),
        format: formatNumber,
    },
    {
        key: 'heap',
        label: 'heap',
        class: 'c-channel',
        get: (levels, i) => (levels.heap_known_ns[i] > 0 ? levels.heap_bytes[i] : null),
        format: formatBytes,
    },
];

// Values by bucket with their mean and maximum, which are null if no value is known.
function measured(levels, measure) {
    const values = levels.covered_ns.map((_, i) => measure.get(levels, i));
    let sum = 0,
        weight = 0,
        max = null;
    values.forEach((value, i) => {
        if (value === null) return;
        sum += value * levels.covered_ns[i];
        weight += levels.covered_ns[i];
        max = Math.max(max, value);
    });
    return {levels, values, max, mean: weight > 0 ? sum / weight : null};
}

function lengthOf(levels) {
    return Math.max(1, levels.bucket_ns * levels.covered_ns.length);
}

// The levels of a trace as a timeline, whose charts are then those of all traces.
function timelineOf(levels) {
    const buckets = levels.covered_ns.map((_, i) => {
        const bucket = {begin_ns: i * levels.bucket_ns};
        for (const key of page.data.detail.level_keys) bucket[key] = levels[key][i];
        return bucket;
    });
    return {layout: 'since_begin', bucket_ns: levels.bucket_ns, buckets, wall_buckets: []};
}

function tracePane(data, levels) {
    const trace = data.traces.find(t => t.trace === levels.trace);
    const own = rows => rows.filter(row => row.trace === levels.trace);
    const pauses = own(data.detail.longest_pauses),
        phases = own(data.detail.longest_mark_phases);
    const view = new TimeView({
        trace_count: 1,
        traces: [levels],
        timeline: timelineOf(levels),
        detail: {
            levels: [levels],
            longest_pauses: pauses,
            omitted_pause_count: trace ? Math.max(0, trace.stop_count - pauses.length) : 0,
            longest_mark_phases: phases,
            omitted_mark_phase_count: trace ? Math.max(0, trace.gc_cycle_count - phases.length) : 0,
        },
    });
    const findings = data.findings.filter(f => f.worst_trace === levels.trace);
    const word = inputWords([levels.trace]);
    return el(
        'div',
        {},
        view.follow(),
        trace ? filePane(trace, reasonOf(data)) : el('p', {class: 'path'}, visible(levels.trace)),
        findings.length > 0 ? el('h4', {}, 'Findings of which this trace is the worst') : null,
        findings.map(f => el('p', {}, el('b', {}, kindOf(f.kind).title + ': '), sentence(f))),
        word === null
            ? null
            : [
                  el('h4', {}, 'To look closer'),
                  ['stats:by=finding', 'report:detail=yes -o trace.html', 'perfetto -o trace.pftrace'].map(
                      sink => el('div', {class: 'actions'}, commandNode(`tracepipe --sink ${sink} ${word}`))
                  ),
              ]
    );
}

let hosts = null;

// A heat map with a row for each trace. Rows are those of a table: sorted, filtered and opened like others.
class HostsView {
    constructor(data, folder) {
        this.data = data;
        this.folder = folder;
        this.measure = LEVEL_MEASURES[0];
        this.byName = new Map(data.traces.map(t => [t.trace, t]));
        this.hasWall = data.detail.levels.some(l => l.wall_start_ns !== null);
        this.layout = this.hasWall ? data.timeline.layout : 'since_begin';
        this.place();
        // Traces that are short on a long axis would be lines.
        const lengths = data.detail.levels.map(lengthOf).sort((a, b) => a - b);
        if (lengths[lengths.length >> 1] < (this.to - this.from) / 20) this.layout = 'own';
        this.table = null;
        this.info = el('p', {class: 'figures heat-info', 'aria-live': 'polite'});
        this.scale = el('span', {class: 'legend'});
        this.box = el('div');
        this.node = el('div', {}, this.controls(), this.info, this.box);
        this.build();
    }

    controls() {
        const choice = (label, now, options, action) =>
            el(
                'select',
                {
                    'aria-label': label,
                    onchange: e => {
                        action(e.target.value);
                        this.build();
                    },
                },
                options.map(([value, text]) => el('option', {value, selected: value === now}, text))
            );
        return el(
            'div',
            {class: 'controls'},
            choice(
                'measure',
                this.measure.key,
                LEVEL_MEASURES.map(m => [m.key, m.label + (m.of || '')]),
                key => (this.measure = LEVEL_MEASURES.find(m => m.key === key))
            ),
            choice(
                'time axis of the rows',
                this.layout,
                [
                    ['own', 'each trace from begin to end'],
                    ['since_begin', 'since the begin of each trace'],
                    ...(this.hasWall ? [['wall_clock', 'wall clock, UTC']] : []),
                ],
                layout => (this.layout = layout)
            ),
            this.scale
        );
    }

    // Where a trace begins on the axis; null if it has no place there.
    beginOf(levels) {
        if (this.layout !== 'wall_clock') return 0;
        return levels.wall_start_ns === null ? null : levels.wall_start_ns - this.axis.origin;
    }

    // How much of the axis a nanosecond of the trace takes.
    scaleOf(levels) {
        return this.layout === 'own' ? 100 / lengthOf(levels) : 1;
    }

    place() {
        const isWall = this.layout === 'wall_clock';
        const known = this.data.detail.levels.filter(l => !isWall || l.wall_start_ns !== null);
        const first = known.reduce((least, l) => Math.min(least, l.wall_start_ns), Infinity);
        this.axis = axisOf(isWall, first);
        if (this.layout === 'own') this.axis.label = at => at + '%';
        this.from = isWall ? first - this.axis.origin : 0;
        this.to = known.reduce(
            (end, l) => Math.max(end, this.beginOf(l) + this.scaleOf(l) * lengthOf(l)),
            this.from + 1
        );
    }

    build() {
        const {detail} = this.data,
            old = this.table;
        this.place();
        this.rows = detail.levels.map(levels => measured(levels, this.measure));
        this.most = this.measure.most || this.rows.reduce((most, row) => Math.max(most, row.max), 0);
        this.palette = heatPalette();
        const {format} = this.measure;
        // Few traces are far above the others: a square root shows both.
        this.scale.replaceChildren(heatScale(format(0), format(this.most / 4), format(this.most)));
        this.table = new Table({
            caption: 'Traces over time: ' + this.measure.label,
            rows: this.rows,
            most: HOSTS_MOST,
            sort: old ? old.sorted : 2,
            note: partNote(this.data),
            columns: this.columns(),
            detail: row => tracePane(this.data, row.levels),
            toggled: (row, isOpen) =>
                history.replaceState(
                    null,
                    '',
                    '#hosts' + (isOpen ? '/' + encodeURIComponent(row.levels.trace) : '')
                ),
        });
        if (old) tables.delete(old);
        this.info.textContent = 'The pointer on a row tells its figures; a click opens the trace.';
        this.box.replaceChildren(this.table.node);
    }

    columns() {
        const {format} = this.measure;
        const figure = (head, get, tip) => ({
            head,
            num: true,
            keepsZero: true,
            get,
            show: row => (get(row) === null ? NONE : format(get(row))),
            tip,
        });
        const axis = fitted(width => this.drawAxis(width));
        axis.classList.add('heat-axis');
        return [
            nameColumn('trace', r => r.levels.trace.slice(this.folder.length), 'path of the input', 'path'),
            {head: axis, class: 'heat', show: row => this.strip(row)},
            figure('mean', row => row.mean, 'over the time in which it is known'),
            figure('most', row => row.max, 'in a bucket'),
            {
                head: 'findings',
                num: true,
                get: row => foundOf(this.byName.get(row.levels.trace) || {}).length,
                tip: 'kinds of findings in this trace',
            },
        ];
    }

    drawAxis(width) {
        const span = this.to - this.from,
            picture = svg('svg', {width, height: 16, 'aria-hidden': 'true'});
        for (const tick of timeTicks(this.axis, this.from, this.to, Math.max(width, 200))) {
            const x = (width * (tick.v - this.from)) / span;
            const anchor = x < 30 ? 'start' : x > width - 30 ? 'end' : 'middle';
            picture.append(svg('text', {class: 'label', x, y: 12, 'text-anchor': anchor}, tick.label));
        }
        return picture;
    }

    // A gradient instead of a canvas: it has the width of its cell, also on paper.
    strip(row) {
        const {levels, values} = row,
            begin = this.beginOf(levels),
            bucket = this.scaleOf(levels) * levels.bucket_ns,
            span = this.to - this.from;
        const node = el('div', {class: 'heat-strip'});
        if (begin === null) return el('span', {class: 'none'}, 'no wall clock');
        const place = i => ((100 * (begin + i * bucket - this.from)) / span).toFixed(3) + '%';
        node.paint = () => {
            const stops = values.map((value, i) => {
                const isKnown = value !== null && this.most > 0;
                const shown = isKnown ? heatOf(this.palette, Math.sqrt(value / this.most)) : 'transparent';
                return `${shown} ${place(i)} ${place(i + 1)}`;
            });
            stops.unshift('transparent ' + place(0));
            stops.push('transparent ' + place(values.length));
            node.style.background = `linear-gradient(90deg, ${stops.join(',')})`;
        };
        node.paint();
        node.addEventListener('mousemove', event => {
            const box = node.getBoundingClientRect();
            const at = this.from + (span * (event.clientX - box.left)) / box.width;
            this.tell(row, at, (at - begin) / bucket);
        });
        return node;
    }

    // at: on the axis; bucket: with the part that lies before the pointer
    tell(row, at, bucket) {
        const {levels, values} = row,
            value = values[Math.floor(bucket)];
        const when = this.axis.isWall
            ? this.axis.label(
                  at,
                  levels.bucket_ns / 10,
                  hasDays(this.axis, this.from, this.to) ? 'full' : 'none'
              )
            : formatSpan(bucket * levels.bucket_ns, levels.bucket_ns / 10);
        const what =
            value === undefined
                ? 'outside of the trace'
                : value === null
                  ? 'not known'
                  : this.measure.label + ' ' + this.measure.format(value);
        this.info.textContent = `${visible(levels.trace.slice(this.folder.length))} at ${when}: ${what}`;
    }

    recolour() {
        this.palette = heatPalette();
        for (const strip of this.table.body.querySelectorAll('.heat-strip')) strip.paint();
    }

    openTrace(trace) {
        const row = this.rows.find(r => r.levels.trace === trace);
        if (row) this.table.reveal(row);
    }
}

function buildHosts(data, folder) {
    hosts = new HostsView(data, folder);
    return [hosts.node];
}

function sparkColumn(all) {
    const byName = new Map(all.map(l => [l.trace, l]));
    return {
        head: 'Ps, runnable, heap',
        tip: 'over the time of the trace: Ps in use as a share of GOMAXPROCS, runnable goroutines per P, heap',
        show: t => sparklines(byName.get(t.trace)),
    };
}

// Small pictures of the measures of a trace, each up to its own maximum: what they show is a shape.
function sparklines(levels) {
    if (!levels) return NONE;
    return el(
        'span',
        {class: 'sparks'},
        LEVEL_MEASURES.filter(m => m.key !== 'blocked').map(measure => {
            const {values, max, mean} = measured(levels, measure);
            const figure = value => (value === null ? NONE : measure.format(value));
            const words = `${measure.label}${measure.of || ''}: mean ${figure(mean)}, most ${figure(max)}`;
            const picture = svg(
                'svg',
                {class: 'small', width: 64, height: 18, role: 'img'},
                svg('title', {}, words)
            );
            const top = measure.most || max,
                step = 64 / values.length;
            let path = '';
            values.forEach((value, i) => {
                if (!(value > 0 && top > 0)) return;
                const high = Math.max(0.5, 17 * Math.min(1, value / top));
                path += `M${(i * step).toFixed(1)} 17v-${high.toFixed(1)}h${step.toFixed(1)}v${high.toFixed(1)}z`;
            });
            picture.append(svg('path', {class: 'axis', d: 'M0 17.5H64'}));
            if (path !== '') picture.append(svg('path', {class: 'bar ' + measure.class, d: path}));
            return picture;
        })
    );
}
