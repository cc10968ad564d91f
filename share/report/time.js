const SECOND = 1e9;
const DAY = 86400 * SECOND;
const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400];

function niceStep(span, most) {
    const least = span / Math.max(1, most);
    if (least >= SECOND)
        return SECOND * (STEPS.find(s => s * SECOND >= least) || 86400 * Math.ceil(least / SECOND / 86400));
    const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
    return power * ([1, 2, 5].find(digit => digit * power >= least) || 10);
}

// The axis of one layout: x in ns since `origin`, which is 0 or a whole second of Unix time.
function timeAxis(timeline, layout) {
    const isWall = layout === 'wall_clock';
    const buckets = isWall ? timeline.wall_buckets : timeline.buckets;
    const width = isWall ? timeline.clock_bucket_ns : timeline.bucket_ns;
    const begin = b => (isWall ? b.wall_start_ns : b.begin_ns);
    const axis = axisOf(isWall, isWall && buckets.length > 0 ? begin(buckets[0]) : 0);
    const rows = [];
    let next = null;
    for (const bucket of buckets) {
        const at = begin(bucket) - axis.origin;
        if (next !== null && at > next + width / 2) rows.push({at: next, bucket: null});
        rows.push({at, bucket: bucket.covered_ns > 0 ? bucket : null});
        next = at + width;
    }
    // Steps end where the last bucket ends.
    if (rows.length > 0) rows.push({at: next, bucket: rows[rows.length - 1].bucket, isEnd: true});
    return {...axis, width, rows};
}

// `first`: when the axis begins, in ns of Unix time.
function axisOf(isWall, first) {
    const origin = isWall ? Math.floor(first / SECOND) * SECOND : 0;
    const label = (at, step, date) =>
        isWall ? wallLabel(origin, at, step, date) : formatSpan(at, step);
    return {isWall, origin, label};
}

// date: 'none', 'day' (month and day) or 'full' (with the year).
function wallLabel(origin, at, step, date) {
    const text = new Date(origin / 1e6 + Math.floor(at / 1e6)).toISOString();
    if (date !== 'none' && step >= DAY) return text.slice(0, 10);
    const day = date === 'none' ? '' : text.slice(date === 'full' ? 0 : 5, 10) + ' ';
    if (step >= 60 * SECOND) return day + text.slice(11, 16);
    if (step >= SECOND) return day + text.slice(11, 19);
    const fraction = String(Math.floor(((at % SECOND) + SECOND) % SECOND)).padStart(9, '0');
    return day + text.slice(11, 20) + fraction.slice(0, step >= 1e6 ? 3 : step >= 1e3 ? 6 : 9);
}

// Times of day mean nothing without a date when the window has several days.
function hasDays(axis, from, to) {
    const day = at => Math.floor((axis.origin + at) / DAY);
    return axis.isWall && day(from) !== day(to);
}

const TIME_CHARTS = [
    {
        key: 'goroutines',
        title: 'Goroutines by state',
        stacked: true,
        height: 210,
        tip: 'mean number of goroutines: running_ns, runnable_ns, ... of the bucket / covered_ns',
        series: [
            {label: 'running', color: 'running', key: 'running_ns'},
            {label: 'runnable', color: 'runnable', key: 'runnable_ns'},
            {label: 'system calls', color: 'syscall', key: 'syscall_ns'},
            {label: 'blocked', color: 'other', key: 'blocked_ns'},
        ],
        format: formatNumber,
    },
    {
        key: 'procs',
        title: 'Ps in use and GOMAXPROCS',
        height: 130,
        tip: 'procs_ns / covered_ns, and gomaxprocs_ns / gomaxprocs_known_ns',
        series: [
            {label: 'Ps in use', color: 'running', key: 'procs_ns', fill: true},
            {label: 'GOMAXPROCS', color: 'sync', key: 'gomaxprocs_ns', known: 'gomaxprocs_known_ns'},
        ],
        format: formatNumber,
    },
    {
        key: 'latency',
        title: 'Scheduling latency',
        height: 170,
        tip: 'waits for a P, by when they ended and how long they were: latency in the detail of the JSON',
        series: [{label: 'latency', color: 'line'}],
        add: addLatency,
    },
    {
        key: 'heap',
        title: 'Heap and heap goal',
        height: 130,
        tip: 'heap_bytes and goal_bytes of the bucket: averages over the time in which they are known',
        series: [
            {
                label: 'heap',
                color: 'channel',
                key: 'heap_bytes',
                known: 'heap_known_ns',
                isMean: true,
                fill: true,
            },
            {label: 'heap goal', color: 'sync', key: 'goal_bytes', known: 'goal_known_ns', isMean: true},
        ],
        format: formatBytes,
    },
    {
        key: 'traces',
        title: 'Traces',
        height: 90,
        isOfFleet: true,
        tip: 'covered_ns / width of the bucket: how many traces the bucket has on average',
        series: [{label: 'traces', color: 'select', key: 'covered_ns', isCover: true, fill: true}],
        format: formatNumber,
    },
];

function valueOf(series, bucket, width, isSum) {
    if (bucket === null) return null;
    if (series.isCover) return bucket[series.key] / width;
    if (series.known && !(bucket[series.known] > 0)) return null;
    if (series.isMean)
        return isSum ? (bucket[series.key] * bucket[series.known]) / width : bucket[series.key];
    return bucket[series.key] / (isSum ? width : bucket[series.known || 'covered_ns']);
}

// Charts with one time axis: a zoom or a point in one is shown in all. It needs of the data trace_count,
// traces, timeline and, if there is one, detail.
class TimeView {
    constructor(data) {
        this.data = data;
        this.detail = data.detail || null;
        this.layout = data.timeline.layout;
        this.isSum = false;
        this.graphs = [];
        this.isMoving = false;
        this.off = new Set();
        this.meanBlocked = null;
        this.box = el('div', {class: 'charts'});
        this.range = el('span', {class: 'figure', 'aria-live': 'polite'});
        this.closer = el('div', {class: 'actions'});
        this.note = el('p', {class: 'note'});
        this.marks = new Marks(this.detail, item => (data.trace_count > 1 ? visible(baseName(item.trace)) : ''));
        this.hideBlocked();
        this.node = el('div', {}, this.note, this.controls(), this.closer, this.marks.node, this.box);
    }

    // Draws when the place has a width, and lets go of the charts when it leaves the page.
    follow() {
        new ResizeObserver(() => {
            if (this.box.clientWidth === 0) this.clear();
            else if (this.graphs.length === 0) this.build();
        }).observe(this.box);
        return this.node;
    }

    clear() {
        for (const graph of this.graphs) graph.destroy();
        this.graphs = [];
        timeViews.delete(this);
    }

    // Goroutines that wait are often so many that nothing else is seen.
    hideBlocked() {
        let covered = 0,
            blocked = 0,
            rest = 0;
        for (const b of this.data.timeline.buckets) {
            covered += b.covered_ns;
            blocked += b.blocked_ns;
            rest += b.running_ns + b.runnable_ns + b.syscall_ns;
        }
        if (blocked <= 4 * rest || !(covered > 0)) return;
        this.off.add('blocked');
        this.meanBlocked = blocked / covered;
    }

    controls() {
        const {timeline} = this.data;
        const controls = el('div', {class: 'controls'});
        if (timeline.wall_buckets.length > 0 && timeline.buckets.length > 0) {
            controls.append(
                el(
                    'select',
                    {
                        'aria-label': 'time axis',
                        onchange: e => {
                            this.layout = e.target.value;
                            this.build();
                        },
                    },
                    el(
                        'option',
                        {value: 'since_begin', selected: this.layout === 'since_begin'},
                        this.data.trace_count > 1 ? 'since the begin of each trace' : 'since the begin'
                    ),
                    el(
                        'option',
                        {value: 'wall_clock', selected: this.layout === 'wall_clock'},
                        'wall clock, UTC'
                    )
                )
            );
        }
        if (this.data.trace_count > 1) {
            controls.append(
                el(
                    'select',
                    {
                        'aria-label': 'what is shown of several traces',
                        onchange: e => {
                            this.isSum = e.target.value === 'sum';
                            this.build();
                        },
                    },
                    el('option', {value: 'mean'}, 'mean of a trace'),
                    el(
                        'option',
                        {value: 'sum', title: 'divided by the width of the bucket, not by covered_ns'},
                        'sum of all traces'
                    )
                )
            );
        }
        controls.append(
            button('+', () => this.zoomBy(0.5), {title: 'zoom in', 'aria-label': 'zoom in'}),
            button('−', () => this.zoomBy(2), {title: 'zoom out', 'aria-label': 'zoom out'}),
            button('◀', () => this.moveBy(-0.5), {title: 'earlier', 'aria-label': 'earlier'}),
            button('▶', () => this.moveBy(0.5), {title: 'later', 'aria-label': 'later'}),
            button('all', () => this.zoomTo(this.extent()), {title: 'show all of the time'}),
            this.range
        );
        return controls;
    }

    extent() {
        const {rows} = this.axis;
        return [rows[0].at, rows[rows.length - 1].at];
    }

    zoomBy(factor) {
        const [from, to] = this.window,
            middle = (from + to) / 2,
            half = ((to - from) * factor) / 2;
        this.zoomTo([middle - half, middle + half]);
    }

    moveBy(part) {
        const [from, to] = this.window,
            step = (to - from) * part;
        this.zoomTo([from + step, to + step]);
    }

    zoomTo([from, to]) {
        const [first, last] = this.extent();
        const span = Math.min(last - first, Math.max(to - from, Math.min(last - first, this.axis.width * 2)));
        const start = Math.min(Math.max(from, first), last - span);
        this.window = [start, start + span];
        this.isMoving = true;
        for (const graph of this.graphs)
            graph.updateOptions({dateWindow: this.window, valueRange: graph.range});
        this.isMoving = false;
        this.showRange();
    }

    showRange() {
        const [from, to] = this.window;
        const {width} = this.axis;
        const step = (to - from) / 100,
            date = hasDays(this.axis, from, to) ? 'full' : 'none';
        this.range.textContent =
            this.axis.label(from, step, date) +
            ' to ' +
            this.axis.label(to, step, date) +
            ' · buckets of ' +
            (width < 60 * SECOND ? formatNs(width) : formatSpan(width, width / 100));
        const [first, last] = this.extent();
        this.closer.replaceChildren(...(from > first || to < last ? this.windowCommand(from, to) : []));
    }

    // Tables have no times; a report of the window has those of the window. Since when a trace began is known
    // with detail only, because the report may itself be of a window.
    windowCommand(from, to) {
        const levels = this.detail ? this.detail.levels : [];
        const first = levels.length === 1 ? levels[0].begin_ns : 0;
        const time = at =>
            this.axis.isWall
                ? wallLabel(this.axis.origin, at, 1, 'full').replace(' ', 'T') + 'Z'
                : (Math.max(0, at + first) / SECOND).toFixed(9) + 's';
        const isKnown =
            this.axis.isWall ||
            levels.length === 1 ||
            (levels.length > 1 && levels.every(l => Math.abs(l.begin_ns) < this.axis.width));
        const inputs = inputWords((this.data.traces || []).map(t => t.trace));
        if (inputs === null || !isKnown) return [];
        return [
            'Tables of this time, but for options of this report: ',
            commandNode(
                `tracepipe --from ${time(from)} --to ${time(to)} --sink report:detail=yes -o window.html ${inputs}`
            ),
        ];
    }

    pointLabel(at) {
        const date = hasDays(this.axis, ...this.window) ? 'full' : 'none';
        return this.axis.label(at, Math.min(this.axis.width / 10, SECOND), date);
    }

    noteText(isWall, traces) {
        const words = [];
        if (isWall) words.push('Time is wall-clock time in UTC.');
        else if (this.data.trace_count === 1) words.push('Time counts from the begin of the trace.');
        else words.push('Time counts from the begin of each trace: all lie on top of each other.');
        if (this.data.trace_count > 1) {
            words.push(`The charts add up ${plural(traces, 'trace')}: they show`);
            words.push(this.isSum ? 'the sum of all at a time.' : 'the mean of a trace at a time.');
        }
        if (this.meanBlocked !== null)
            words.push(`Blocked goroutines are off at first: ${formatNumber(this.meanBlocked)} on average.`);
        words.push('Drag zooms, double-click shows all.');
        return words.join(' ');
    }

    build() {
        const {timeline} = this.data;
        this.clear();
        timeViews.add(this);
        this.axis = timeAxis(timeline, this.layout);
        this.marks.place(this.axis, this.data.trace_count, timeline.wall_buckets.length > 0);
        const {isWall} = this.axis;
        const many = this.data.trace_count > 1;
        const traces = isWall ? timeline.wall_trace_count : this.data.trace_count;
        this.note.textContent = this.noteText(isWall, traces);
        this.box.replaceChildren();
        this.window = this.extent();
        for (const chart of TIME_CHARTS) {
            if (chart.isOfFleet && !many) continue;
            if (chart.add) chart.add(this, chart);
            else this.addChart(chart);
        }
        this.showRange();
    }

    addChart(chart) {
        const rows = this.axis.rows.map(row => [
            row.at,
            ...chart.series.map(s => valueOf(s, row.bucket, this.axis.width, this.isSum)),
        ]);
        if (!rows.some(row => row.slice(1).some(v => v !== null))) {
            this.addNone(chart, 'the traces do not report it');
            return;
        }
        const values = new Map();
        const keys = chart.series.map((s, i) => {
            const value = el('span', {class: 'figure'});
            values.set(s.label, value);
            const swatch = el('span', {class: 'swatch'});
            swatch.style.background = `var(--${s.color})`;
            if (!chart.stacked) return el('span', {class: 'key'}, swatch, s.label, ' ', value);
            return el(
                'label',
                {class: 'key'},
                el('input', {
                    type: 'checkbox',
                    checked: !this.off.has(s.label),
                    onchange: e => this.showSeries(graph, s.label, i, e.target.checked),
                }),
                swatch,
                s.label,
                ' ',
                value
            );
        });
        const plot = this.addFrame(chart, keys);
        // A stack has no gaps: where no trace is, its parts are 0, lest slopes lead across.
        const drawn = chart.stacked ? rows.map(row => row.map(v => (v === null ? 0 : v))) : rows;
        const tell = row =>
            chart.series.forEach((s, i) => {
                const value = row < 0 ? '' : rows[row][i + 1];
                values.get(s.label).textContent =
                    value === '' ? '' : value === null ? NONE : chart.format(value);
            });
        const graph = this.addGraph(plot, drawn, [0, null], tell, () => this.options(chart));
    }

    // tell(row, x): shows the values at a row, or none at -1. look(): the options, with the colours of the theme.
    addGraph(plot, rows, range, tell, look) {
        const graph = new Dygraph(plot, rows, {...look(), valueRange: range});
        this.graphs.push(Object.assign(graph, {range, tell, look}));
        return graph;
    }

    addNone(chart, text) {
        this.box.append(
            el('div', {class: 'chart'}, el('h3', {}, chart.title), el('p', {class: 'none'}, text))
        );
    }

    // Returns the place in which a chart is drawn, in its frame.
    addFrame(chart, keys) {
        const plot = el('div', {class: 'plot', role: 'img', 'aria-label': chart.title});
        plot.style.height = chart.height + 'px';
        this.box.append(
            el(
                'div',
                {class: 'chart'},
                el(
                    'div',
                    {class: 'chart-head'},
                    el('h3', {title: chart.tip}, chart.title),
                    el('span', {class: 'legend'}, keys)
                ),
                plot
            )
        );
        return plot;
    }

    showSeries(graph, label, i, isOn) {
        if (isOn) this.off.delete(label);
        else this.off.add(label);
        graph.setVisibility(i, isOn);
    }

    options(chart) {
        const axis = this.axis,
            series = {};
        for (const s of chart.series)
            series[s.label] = {color: colour(s.color), fillGraph: !!(s.fill || chart.stacked)};
        const model = {...Dygraph.defaultInteractionModel};
        if (matchMedia('(pointer: coarse)').matches)
            ['touchstart', 'touchmove', 'touchend'].forEach(key => delete model[key]);
        return {
            labels: ['time', ...chart.series.map(s => s.label)],
            series,
            stackedGraph: !!chart.stacked,
            visibility: chart.series.map(s => !this.off.has(s.label) || !chart.stacked),
            stepPlot: true,
            strokeWidth: 1.2,
            fillAlpha: chart.stacked ? 0.75 : 0.22,
            legend: 'never',
            animatedZooms: false,
            valueRange: [0, null],
            dateWindow: this.window,
            interactionModel: model,
            highlightCircleSize: 3,
            connectSeparatedPoints: false,
            xRangePad: 0,
            rightGap: 8,
            axisLineColor: colour('line-strong'),
            gridLineColor: colour('line'),
            gridLineWidth: 1,
            axes: {
                x: {
                    ticker: (from, to, pixels) => timeTicks(axis, from, to, pixels),
                    axisLabelFontSize: 11,
                    axisLabelWidth: 110,
                    valueFormatter: at => this.pointLabel(at),
                },
                y: {
                    axisLabelFormatter: (value, step, get, graph) =>
                        chart.format === formatNumber
                            ? countLabel(value, graph.yAxisRange(0)[1])
                            : chart.format(value).replace(/\.0+(?=\D|$)/, ''),
                    axisLabelWidth: 58,
                    axisLabelFontSize: 11,
                    pixelsPerLabel: 36,
                },
            },
            underlayCallback: (context, area, graph) => this.marks.draw(context, area, graph),
            highlightCallback: (event, x, points, row) => this.highlight(row, x),
            unhighlightCallback: () => this.highlight(-1, 0),
            zoomCallback: (from, to) => this.zoomTo([from, to]),
            drawCallback: (graph, isFirst) => {
                if (isFirst || this.isMoving) return;
                const [from, to] = graph.xAxisRange();
                if (from !== this.window[0] || to !== this.window[1]) this.zoomTo([from, to]);
            },
        };
    }

    highlight(row, x) {
        for (const graph of this.graphs) {
            if (row < 0) graph.clearSelection();
            else graph.setSelection(row);
            graph.tell(row, x);
        }
        this.marks.tell(row, x, this.axis.width);
        if (row < 0) this.showRange();
        else this.range.textContent = 'at ' + this.pointLabel(x);
    }

    // Keeps the canvases: new ones would be empty on paper.
    recolour() {
        this.isMoving = true;
        for (const graph of this.graphs) {
            graph.updateOptions({...graph.look(), valueRange: graph.range});
        }
        this.isMoving = false;
    }
}

// Round times of the clock, which the origin need not be.
function timeTicks(axis, from, to, pixels) {
    const isDated = hasDays(axis, from, to),
        ticks = [];
    const step = niceStep(to - from, pixels / (isDated ? 115 : axis.isWall ? 95 : 90)),
        phase = axis.origin % step;
    for (let at = Math.ceil((from + phase) / step) * step - phase; at <= to; at += step)
        ticks.push({v: at, label: axis.label(Math.round(at), step, isDated ? 'day' : 'none')});
    return ticks;
}

// Goroutines, Ps and traces are whole: fractions stand only on an axis that has nothing else.
function countLabel(value, most) {
    if (most >= 2) return Number.isInteger(value) ? formatCount(value) : '';
    return String(Number(value.toPrecision(3)));
}

// Those with charts in the page.
const timeViews = new Set();
let timeView = null;

// Charts measure their place, so it must stand in the page.
function drawTime() {
    if (timeView !== null) timeView.build();
}

function buildTime(data) {
    const {timeline} = data;
    if (timeline.buckets.length === 0 && timeline.wall_buckets.length === 0)
        return [el('p', {class: 'none'}, 'No trace has events over time.')];
    timeView = new TimeView(data);
    const names = {gomaxprocs: 'GOMAXPROCS', heap_bytes: 'heap', goal_bytes: 'heap goal'};
    const gauges = timeline.gauges
        .filter(g => g.report_count > 0)
        .map(g => {
            const format = g.gauge === 'gomaxprocs' ? formatCount : formatBytes;
            return (
                names[g.gauge] +
                ': ' +
                format(g.min) +
                (g.max > g.min ? ' to ' + format(g.max) : '') +
                ', ' +
                plural(g.report_count, 'report')
            );
        });
    return [
        timeView.node,
        el(
            'p',
            {class: 'note', title: 'least and greatest value that the runtime reported'},
            gauges.join(' · ')
        ),
        data.detail ? null : detailHint(),
    ];
}
