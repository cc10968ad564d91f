const GANTT_ROW = 14;

function ganttClass(span) {
    return 'c-' + (STATES.includes(span.state) ? span.state : classOfReason(span.reason || ''));
}

// Rows by goroutine, in the order of their first span or region; regions that overlap get rows of their own.
function ganttLanes(task) {
    const lanes = new Map();
    const lane = item => {
        if (!lanes.has(item.goroutine))
            lanes.set(item.goroutine, {goroutine: item.goroutine, function: '', spans: [], levels: []});
        return lanes.get(item.goroutine);
    };
    const byBegin = (a, b) => a.begin_ns - b.begin_ns || b.duration_ns - a.duration_ns;
    for (const span of [...task.spans].sort(byBegin)) {
        const own = lane(span);
        own.spans.push(span);
        own.function = own.function || span.function;
    }
    for (const region of [...task.regions].sort(byBegin)) {
        const {levels} = lane(region);
        const free = levels.find(
            l => l[l.length - 1].begin_ns + l[l.length - 1].duration_ns <= region.begin_ns
        );
        if (free) free.push(region);
        else levels.push([region]);
    }
    return [...lanes.values()];
}

function drawGantt(width, lanes, duration) {
    const side = width < 600 ? 0 : 190,
        right = 8,
        head = side === 0 ? 15 : 0;
    const room = width - side - right;
    // The picture cuts a span that lasts longer than the task at the borders of the task; its title has all of it.
    const x = ns => side + room * Math.min(1, Math.max(0, duration > 0 ? ns / duration : 0));
    const picture = svg('svg', {
        class: 'gantt',
        width,
        role: 'img',
        'aria-label': 'what goroutines did in the task',
    });
    const rows = svg('g');
    let y = 4;
    for (const lane of lanes) {
        const name = ganttName(lane),
            of = lane.function === '' ? '' : visible(lane.function);
        const letters = Math.floor((side === 0 ? width : side) / 6.4);
        const text = name + (of === '' ? '' : ' ' + of.slice(of.lastIndexOf('/') + 1));
        const top = y;
        y += head;
        for (const level of lane.levels) {
            for (const region of level) {
                const from = x(region.begin_ns),
                    wide = Math.max(2, x(region.begin_ns + region.duration_ns) - from);
                const words = visible(region.name) || '(no name)',
                    most = Math.floor((wide - 6) / 6.4);
                rows.append(
                    svg(
                        'g',
                        {class: 'region'},
                        svg('rect', {x: from + 0.5, y: y + 0.5, width: wide - 1, height: GANTT_ROW - 3}),
                        most >= 3
                            ? svg(
                                  'text',
                                  {class: 'label', x: from + 4, y: y + 10},
                                  words.length > most ? words.slice(0, most - 1) + '…' : words
                              )
                            : null,
                        svg('title', {}, titleOf(`region ${words}: ${ganttTime(region)}`))
                    )
                );
            }
            y += GANTT_ROW;
        }
        for (const span of lane.spans) {
            const from = x(span.begin_ns);
            rows.append(
                svg(
                    'rect',
                    {
                        class: 'bar ' + ganttClass(span),
                        x: from,
                        y,
                        width: Math.max(1, x(span.begin_ns + span.duration_ns) - from),
                        height: GANTT_ROW,
                    },
                    svg('title', {}, titleOf(ganttTitle(span)))
                )
            );
        }
        picture.append(
            svg(
                'text',
                {class: 'label', x: 0, y: side === 0 ? top + 11 : y + 11},
                text.length > letters ? text.slice(0, letters - 1) + '…' : text,
                svg('title', {}, titleOf(name + ' ' + of))
            )
        );
        y += GANTT_ROW + 7;
    }
    const step = niceStep(duration, room / 90);
    for (let at = 0; at <= duration; at += step) {
        picture.append(
            svg('path', {class: 'grid', d: `M${x(at)} 0V${y}`}),
            svg(
                'text',
                {
                    class: 'label',
                    x: x(at),
                    y: y + 13,
                    'text-anchor': at === 0 ? 'start' : x(at) > width - 30 ? 'end' : 'middle',
                },
                formatSpan(at, step)
            )
        );
    }
    picture.append(rows);
    picture.setAttribute('height', y + 18);
    return picture;
}

function ganttName({goroutine}) {
    return goroutine === null ? 'no goroutine' : 'goroutine ' + goroutine;
}

function ganttTime(item) {
    const begin = (item.begin_ns < 0 ? '−' : '+') + formatNs(Math.abs(item.begin_ns));
    return formatNs(item.duration_ns) + ' from ' + begin;
}

function ganttTitle(span) {
    return [
        span.state + (span.reason ? ', ' + visible(span.reason) : '') + ': ' + ganttTime(span),
        ganttName(span),
        visible(span.function),
    ]
        .filter(line => line !== '')
        .join('\n');
}

// Null if the data have no spans of the task.
function ganttPane(detail, row) {
    const task =
        detail &&
        detail.slowest_tasks.find(
            t => t.trace === row.trace && t.id === row.id && t.begin_ns === row.begin_ns
        );
    if (!task) return null;
    const lanes = ganttLanes(task);
    const used = new Set(task.spans.map(ganttClass));
    const omitted = [
        [task.omitted_span_count, 'shorter span'],
        [task.omitted_region_count, 'shorter region'],
    ].filter(([count]) => count > 0);
    return el(
        'div',
        {},
        el('h4', {}, 'What its goroutines did'),
        lanes.length === 0
            ? el('p', {class: 'none'}, 'no spans are known')
            : fitted(width => drawGantt(width, lanes, row.duration_ns)),
        legend(PARTS.map(p => ({class: 'c-' + p.key, label: p.label})).filter(p => used.has(p.class))),
        omitted.length > 0
            ? el(
                  'p',
                  {class: 'note'},
                  'Not drawn: ' + omitted.map(([count, word]) => plural(count, word)).join(', ')
              )
            : null
    );
}
