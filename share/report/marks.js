// Stops of the world and mark phases on the charts over time: ticks, and bands behind the series.
class Marks {
    // nameOf(item): of its trace, or '' if there is only one
    constructor(detail, nameOf) {
        this.detail = detail;
        this.nameOf = nameOf;
        this.placed = [];
        this.figure = el('span', {class: 'figure', 'aria-live': 'polite'});
        this.node = el('p', {class: 'legend marks', hidden: detail === null});
    }

    // Only a clock that all traces share, or a single trace, says where they belong.
    place(axis, traceCount, hasWall) {
        this.placed = [];
        this.figure.textContent = '';
        if (this.detail === null) return;
        const {longest_pauses: pauses, longest_mark_phases: phases, levels} = this.detail;
        this.node.hidden = pauses.length + phases.length === 0;
        if (!axis.isWall && traceCount > 1) {
            this.node.replaceChildren(
                'Stops of the world and mark phases belong to one trace: ' +
                    (hasWall ? 'choose the wall clock, or open a trace below.' : 'open a trace below.')
            );
            return;
        }
        // The axis counts from the first bucket, which with a time window begins later than the trace.
        const first = levels.length > 0 ? levels[0].begin_ns : 0;
        const add = (rows, kind) => {
            for (const row of rows) {
                const at = axis.isWall ? row.wall_start_ns - axis.origin : row.begin_ns - first;
                if (!axis.isWall || row.wall_start_ns !== null)
                    this.placed.push({at, end: at + row.duration_ns, kind, row});
            }
        };
        add(phases, 'mark phase');
        add(pauses, 'stop');
        const key = (name, kind, label, total) => {
            const count = this.placed.filter(m => m.kind === kind).length;
            return el(
                'span',
                {class: 'key', title: 'the longest whose time is known'},
                el('span', {class: 'swatch ' + name}),
                label,
                count < total
                    ? ` (${formatCount(count)} of ${formatCount(total)})`
                    : ` (${formatCount(count)})`
            );
        };
        this.node.replaceChildren(
            key('c-stop tick', 'stop', 'stops of the world', pauses.length + this.detail.omitted_pause_count),
            key(
                'c-mark band',
                'mark phase',
                'mark phases',
                phases.length + this.detail.omitted_mark_phase_count
            ),
            this.figure
        );
    }

    draw(context, area, graph) {
        const shown = this.placed.map(m => [graph.toDomXCoord(m.at), graph.toDomXCoord(m.end), m.kind]);
        const right = area.x + area.w;
        context.save();
        context.globalAlpha = 0.13;
        context.fillStyle = colour('text');
        for (const [from, to, kind] of shown) {
            if (kind === 'stop' || to < area.x || from > right) continue;
            const left = Math.max(from, area.x);
            context.fillRect(left, area.y, Math.max(1, Math.min(to, right) - left), area.h);
        }
        context.globalAlpha = 1;
        context.fillStyle = colour('stop');
        for (const [from, to, kind] of shown) {
            if (kind !== 'stop' || to < area.x || from > right) continue;
            const left = Math.max(from, area.x);
            context.fillRect(left, area.y, Math.max(1.5, Math.min(to, right) - left), 9);
        }
        context.restore();
    }

    // Tells the longest of those in the bucket that begins at x.
    tell(row, x, width) {
        const near = row < 0 ? [] : this.placed.filter(m => m.at < x + width && m.end >= x);
        near.sort((a, b) => b.row.duration_ns - a.row.duration_ns);
        this.figure.textContent = near
            .slice(0, 3)
            .map(({kind, row: item}) =>
                [kind + ' ' + formatNs(item.duration_ns), visible(item.reason || ''), this.nameOf(item)]
                    .filter(text => text !== '')
                    .join(', ')
            )
            .concat(near.length > 3 ? 'and ' + plural(near.length - 3, 'other') : [])
            .join(' · ');
    }
}

function detailHint() {
    return el(
        'p',
        {class: 'note'},
        'With ',
        el('code', {}, '--sink report:detail=yes'),
        ' the page also has scheduling latency over time, stops and mark phases on these charts, each trace ' +
            'over time, and the spans of the slowest tasks.'
    );
}

// Says which part of the traces the detail covers; null if all.
function partNote(data) {
    return data.detail.trace_count < data.trace_count
        ? `of ${formatCount(data.detail.trace_count)} of ${plural(data.trace_count, 'trace')}: states have no detail`
        : null;
}

const LONGEST_MOST = 20;

function longestTables(detail, folder) {
    const table = (caption, rows, omitted, columns) =>
        tableNode({
            caption,
            rows,
            sort: 1,
            most: LONGEST_MOST,
            note: omitted > 0 ? formatCount(omitted) + ' shorter ones are left out (option keep)' : null,
            columns: [
                nameColumn('trace', r => r.trace.slice(folder.length), 'the input', 'path'),
                durationColumn(),
                ...columns,
                ...beginColumns(),
            ],
        });
    return [
        table('Longest pauses', detail.longest_pauses, detail.omitted_pause_count, [
            {head: 'reason', get: r => r.reason, tip: 'why the world is stopped'},
            goroutineColumn('the goroutine that stopped it'),
        ]),
        table('Longest mark phases', detail.longest_mark_phases, detail.omitted_mark_phase_count, []),
    ];
}
