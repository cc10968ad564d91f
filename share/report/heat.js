const HEAT_STEPS = 64;

// Colours from none to most, of the theme that is on.
function heatPalette() {
    const stops = [0, 1, 2, 3, 4].map(i =>
        [1, 3, 5].map(at => parseInt(colour('heat-' + i).slice(at, at + 2), 16))
    );
    return Array.from({length: HEAT_STEPS + 1}, (_, step) => {
        const at = (step / HEAT_STEPS) * 4,
            i = Math.min(3, Math.floor(at));
        const mixed = stops[i].map((low, c) => Math.round(low + (stops[i + 1][c] - low) * (at - i)));
        return `rgb(${mixed.join(' ')})`;
    });
}

// part: 0 to 1
function heatOf(palette, part) {
    return palette[Math.round(HEAT_STEPS * Math.min(1, Math.max(0, part)))];
}

function heatScale(low, middle, high) {
    const label = text => el('span', {class: 'figure'}, text);
    return el(
        'span',
        {class: 'key heat-scale'},
        label(low),
        el('span', {class: 'ramp'}),
        label(middle),
        el('span', {class: 'ramp upper'}),
        label(high)
    );
}

// The columns of one layout, by number; `first` and `last` border the rows that have counts.
function latencyGrid(latency, axis) {
    const buckets = axis.isWall ? latency.wall_buckets : latency.buckets;
    const width = axis.isWall ? latency.clock_bucket_ns : latency.bucket_ns;
    const begin = b => (axis.isWall ? b.wall_start_ns - axis.origin : b.begin_ns);
    if (buckets.length === 0 || !(width > 0)) return null;
    const start = begin(buckets[0]),
        columns = new Map();
    let most = 0,
        first = latency.rows_from_ns.length,
        last = 0;
    for (const bucket of buckets) {
        columns.set(Math.round((begin(bucket) - start) / width), bucket.counts);
        bucket.counts.forEach((count, row) => {
            if (count === 0) return;
            most = Math.max(most, count);
            first = Math.min(first, row);
            last = Math.max(last, row + 1);
        });
    }
    // A few rows only would be as high as a chart.
    while (last - first < 8 && (first > 0 || last < latency.rows_from_ns.length)) {
        if (first > 0) first--;
        if (last < latency.rows_from_ns.length) last++;
    }
    const at = x => columns.get(Math.floor((x - start) / width));
    return most === 0 ? null : {columns, start, width, most, first, last, at};
}

function latencyRow(latency, row) {
    const {rows_from_ns: from} = latency;
    return row + 1 < from.length
        ? formatNs(from[row]) + ' to ' + formatNs(from[row + 1])
        : formatNs(from[row]) + ' or more';
}

// A chart of TimeView, so that its axis, zoom and point are those of the others; its cells are drawn here.
function addLatency(view, chart) {
    if (view.detail === null || !view.detail.latency) return;
    const {latency} = view.detail,
        grid = latencyGrid(latency, view.axis);
    if (grid === null) {
        const part = partNote(view.data);
        view.addNone(chart, 'no wait for a P ended in the traces' + (part ? ', ' + part : ''));
        return;
    }
    const figure = el('span', {class: 'note figure'}),
        root = Math.round(Math.sqrt(grid.most));
    const plot = view.addFrame(chart, [
        heatScale('1', root > 1 ? formatCount(root) : '', plural(grid.most, 'wait')),
        el('span', {class: 'note'}, partNote(view.data)),
        figure,
    ]);
    let palette = null;
    const draw = (context, area, graph) => {
        view.marks.draw(context, area, graph);
        context.save();
        context.beginPath();
        context.rect(area.x, area.y, area.w, area.h);
        context.clip();
        for (const [i, counts] of grid.columns) {
            const from = graph.toDomXCoord(grid.start + i * grid.width),
                to = graph.toDomXCoord(grid.start + (i + 1) * grid.width);
            if (to < area.x || from > area.x + area.w) continue;
            counts.forEach((count, row) => {
                if (count === 0) return;
                const top = graph.toDomYCoord(row + 1);
                context.fillStyle = heatOf(
                    palette,
                    grid.most > 1 ? Math.log(count) / Math.log(grid.most) : 1
                );
                context.fillRect(from, top, Math.max(1, to - from), graph.toDomYCoord(row) - top);
            });
        }
        context.restore();
    };
    // Rows are octaves: a row of an axis in octaves of ns is this much lower.
    const base = Math.log2(latency.rows_from_ns[1]) - 1;
    const ticker = (from, to, pixels) =>
        logTicks(from + base, to + base, (26 * (to - from)) / pixels).map(t => ({
            v: t.at - base,
            label: t.label,
        }));
    const look = () => {
        const options = view.options(chart);
        palette = heatPalette();
        return {
            ...options,
            strokeWidth: 0,
            highlightCircleSize: 0,
            underlayCallback: draw,
            axes: {x: {...options.axes.x, drawGrid: false}, y: {...options.axes.y, ticker, drawGrid: false}},
        };
    };
    const total = counts =>
        plural(
            counts.reduce((sum, count) => sum + count, 0),
            'wait'
        );
    const tell = (row, x) => {
        const counts = row < 0 ? undefined : grid.at(x);
        figure.textContent = row < 0 ? '' : counts === undefined ? 'no waits' : total(counts);
    };
    const rows = view.axis.rows.map(row => [row.at, grid.first]);
    const graph = view.addGraph(plot, rows, [grid.first, grid.last], tell, look);
    plot.addEventListener('mousemove', event => {
        const [x, y] = graph.eventToDomCoords(event);
        const counts = grid.at(graph.toDataXCoord(x)),
            row = Math.floor(graph.toDataYCoord(y));
        if (counts === undefined || row < 0 || row >= counts.length) return;
        figure.textContent = `${formatCount(counts[row])} of ${total(counts)}: ` + latencyRow(latency, row);
    });
}
