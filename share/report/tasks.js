function breakdownPane(breakdown) {
    const rows = [
        ['all', 'all', 'all that began and ended in the trace'],
        ['median', 'median', 'those in the histogram bucket of the median'],
        ['slowest', 'slowest 1%', 'from the bucket of p99 on'],
    ];
    const known = rows
        .map(([key, label, tip]) => ({label, tip, times: breakdown[key]}))
        .filter(r => r.times.count > 0);
    if (known.length === 0) return el('p', {class: 'none'}, 'none began and ended in the trace');
    const used = PARTS.filter(p => known.some(r => r.times[p.key + '_ns'] > 0));
    return el(
        'div',
        {class: 'breakdown'},
        el('h4', {}, 'Where the time went'),
        known.map(r =>
            el(
                'div',
                {class: 'line'},
                el('span', {class: 'what', title: r.tip}, r.label),
                stackBar(partsOf(r.times), r.times.total_ns, formatNs, {class: 'stack wide'}),
                el(
                    'span',
                    {class: 'figure', title: 'mean of these ' + r.times.count + ' (total_ns / count)'},
                    formatNs(r.times.total_ns / r.times.count) + ' in ' + formatCount(r.times.count)
                ),
                r.times.assist_ns > 0
                    ? el(
                          'span',
                          {class: 'note'},
                          'GC assists ' + formatShare(r.times.assist_ns, r.times.total_ns)
                      )
                    : null
            )
        ),
        legend(used.map(p => ({class: 'c-' + p.key, label: p.label})))
    );
}

function brokenDownTable(caption, rows, what, empty) {
    return tableNode({
        caption,
        rows,
        sort: 5,
        empty,
        legend: barLegend(rows.map(t => t.breakdown.all)),
        columns: [
            nameColumn('name', t => t.name, 'the name of the ' + what, 'plain', '(no name)'),
            {
                head: 'where the time went',
                tip: 'states of the goroutine that began it, of all that began and ended',
                show: t => stackBar(partsOf(t.breakdown.all), t.breakdown.all.total_ns, formatNs),
            },
            {
                head: 'durations',
                tip: 'small histogram: counts by octave from 64 ns to 64 s',
                show: t => smallHistogram([{class: 'c-running', label: what, dist: t}]),
            },
            {
                head: 'cut',
                num: true,
                get: t => t.cut_count,
                tip: 'began before the trace or had not ended at its end',
            },
            ...durationColumns(t => t),
        ],
        detail: t =>
            el(
                'div',
                {},
                breakdownPane(t.breakdown),
                distributionPane([{class: 'c-running', label: what + ' ' + visible(t.name), dist: t}])
            ),
    });
}

function logLine(log) {
    const more = bytes => (bytes > 0 ? ` … (${formatCount(bytes)} more bytes)` : '');
    return el(
        'li',
        {},
        el('span', {class: 'figure'}, '+' + formatNs(log.after_ns) + ' '),
        log.category !== ''
            ? el('b', {}, visible(log.category) + more(log.category_omitted_bytes) + ': ')
            : null,
        visible(log.message) + more(log.message_omitted_bytes)
    );
}

function slowPane(row, folder) {
    const parts = partsOf(row).filter(p => p.value > 0);
    return el(
        'div',
        {},
        stackBar(partsOf(row), row.duration_ns, formatNs, {class: 'stack wide'}),
        legend(
            parts.map(p => ({...p, text: formatNs(p.value) + ', ' + formatShare(p.value, row.duration_ns)}))
        ),
        row.assist_ns > 0
            ? el('p', {class: 'figures'}, 'of these GC assists ' + formatNs(row.assist_ns))
            : null,
        row.id === undefined ? null : ganttPane(page.data.detail, row),
        row.logs && row.logs.length > 0
            ? el(
                  'div',
                  {},
                  el('h4', {}, 'First log messages'),
                  el('ol', {class: 'logs'}, row.logs.map(logLine))
              )
            : null,
        row.command ? el('div', {}, el('h4', {}, 'Its events'), commandNode(row.command)) : null
    );
}

function mostOf(row) {
    const [most] = partsOf(row).sort((a, b) => b.value - a.value);
    return most.value > 0 ? most.label + ' ' + formatShare(most.value, row.duration_ns) : '';
}

// The colours of the bars in the rows.
function barLegend(all) {
    const used = PARTS.filter(p => all.some(times => times[p.key + '_ns'] > 0));
    return used.length > 0 ? legend(used.map(p => ({class: 'c-' + p.key, label: p.label}))) : null;
}

function slowTable(caption, rows, folder, hasIds) {
    const time = (head, key) => ({
        head,
        num: true,
        get: r => r[key + '_ns'],
        show: r => formatNs(r[key + '_ns']),
    });
    const columns = [
        nameColumn('name', r => r.name, 'name of the task or region', 'plain', '(no name)'),
        durationColumn(),
        {
            head: 'where the time went',
            tip: 'states of the goroutine that began it; they add up to the duration',
            show: r => stackBar(partsOf(r), r.duration_ns, formatNs),
        },
        {
            head: 'mostly',
            tip: 'the longest of the parts, and its share of the duration',
            get: r => mostOf(r),
            show: r => mostOf(r) || NONE,
        },
        time('running', 'running'),
        time('runnable', 'runnable'),
        time('syscall', 'syscall'),
        time('sync', 'sync'),
        ...beginColumns(),
        goroutineColumn('the goroutine that began it'),
        hasIds
            ? {
                  head: 'id',
                  num: true,
                  get: r => r.id,
                  show: r => String(r.id),
                  tip: 'of the task in its trace',
              }
            : null,
        nameColumn('trace', r => r.trace.slice(folder.length), 'the input', 'path'),
    ];
    return tableNode({
        caption,
        rows,
        sort: 1,
        legend: barLegend(rows),
        columns: columns.filter(c => c !== null),
        text: r => (r.logs || []).map(l => l.category + ' ' + l.message).join('\n'),
        detail: r => slowPane(r, folder),
    });
}

function buildTasks(data, folder) {
    const nodes = [];
    if (data.tasks.length + data.regions.length + data.logs.length + data.slowest_tasks.length === 0) {
        return [
            el(
                'p',
                {class: 'none'},
                'The traces have no tasks and no regions. A program marks them with ' +
                    'runtime/trace.NewTask and trace.WithRegion.'
            ),
        ];
    }
    if (data.tasks.length > 0) nodes.push(brokenDownTable('Tasks', data.tasks, 'task'));
    if (data.slowest_tasks.length > 0)
        nodes.push(slowTable('Slowest tasks', data.slowest_tasks, folder, true));
    if (data.regions.length > 0) nodes.push(brokenDownTable('Regions', data.regions, 'region'));
    if (data.slowest_regions.length > 0)
        nodes.push(slowTable('Slowest regions', data.slowest_regions, folder, false));
    if (data.tasks_by_trace.length > 0) {
        nodes.push(
            tableNode({
                caption: 'Tasks by trace',
                rows: data.tasks_by_trace,
                sort: 7,
                columns: [
                    nameColumn('name', t => t.name, 'the name of the task', 'plain', '(no name)'),
                    nameColumn(
                        'trace',
                        t => (t.trace === null ? '(all others)' : t.trace.slice(folder.length)),
                        'the input',
                        'path'
                    ),
                    {
                        head: 'durations',
                        tip: 'small histogram: counts by octave from 64 ns to 64 s',
                        show: t => smallHistogram([{class: 'c-running', label: 'task', dist: t}]),
                    },
                    ...durationColumns(t => t),
                ],
                detail: t =>
                    distributionPane([{class: 'c-running', label: 'task ' + visible(t.name), dist: t}]),
            })
        );
    }
    if (data.logs.length > 0) {
        nodes.push(
            tableNode({
                caption: 'Log messages',
                rows: data.logs,
                sort: 1,
                columns: [
                    nameColumn(
                        'category',
                        l => l.name,
                        'the category of the messages',
                        'plain',
                        '(no category)'
                    ),
                    {head: 'messages', num: true, get: l => l.count, bar: true, tip: 'number of messages'},
                ],
            })
        );
    }
    return nodes;
}
