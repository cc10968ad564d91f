function gcRows(data) {
    const kinds = [
        ['stop-the-world pause', 'pauses', 'c-sync'],
        ['mark phase', 'mark_phases', 'c-running'],
        ['mark assist, with waiting', 'assists', 'c-runnable'],
        ['sweep', 'sweeps', 'c-select'],
    ];
    return kinds.flatMap(([kind, key, color]) => data[key].map(d => ({...d, kind, color})));
}

function collectorCard(u) {
    const gc = [
        {class: 'c-runnable', label: 'mark workers', value: u.mark_worker_running_ns},
        {class: 'c-sync', label: 'assists, running', value: u.assist_running_ns},
        {class: 'c-select', label: 'sweeper', value: u.sweeper_running_ns},
        {class: 'c-syscall', label: 'scavenger', value: u.scavenger_running_ns},
    ];
    const used = gc.reduce((sum, p) => sum + p.value, 0);
    const parts = [{class: 'c-running', label: 'program', value: Math.max(0, u.running_ns - used)}, ...gc];
    return el(
        'div',
        {class: 'card'},
        el(
            'h3',
            {
                title:
                    'running time of mark workers (idle ones too), sweeper, scavenger and assists; ' +
                    'program: the rest of running_ns',
            },
            'Running time of program and collector'
        ),
        stackBar(parts, u.running_ns, formatNs, {class: 'stack wide'}),
        legend(parts.map(p => ({...p, text: formatNs(p.value) + ', ' + formatShare(p.value, u.running_ns)})))
    );
}

function drawUtilisation(width, windows, average) {
    const left = 44,
        right = 16,
        top = 10,
        plot = 150,
        bottom = 24;
    const first = Math.log10(windows[0].window_ns),
        last = Math.log10(windows[windows.length - 1].window_ns);
    const x = ns =>
        left +
        14 +
        (width - left - right - 28) * (last > first ? (Math.log10(ns) - first) / (last - first) : 0.5);
    const y = share => top + plot * (1 - share);
    const picture = svg('svg', {
        class: 'distribution',
        width,
        height: top + plot + bottom,
        role: 'img',
        'aria-label': windows.map(w => formatNs(w.window_ns) + ': ' + formatShare(w.mmu_ppm, 1e6)).join(', '),
    });
    for (const share of [0, 0.25, 0.5, 0.75, 1]) {
        picture.append(
            svg('path', {class: 'grid', d: `M${left} ${y(share)}H${width - right}`}),
            svg(
                'text',
                {class: 'label', x: left - 6, y: y(share) + 4, 'text-anchor': 'end'},
                100 * share + '%'
            )
        );
    }
    for (const w of windows) {
        picture.append(
            svg(
                'text',
                {class: 'label', x: x(w.window_ns), y: top + plot + 17, 'text-anchor': 'middle'},
                formatNs(w.window_ns).replace(/\.0+(?=\D)/, '')
            )
        );
    }
    const line = (key, kind) => {
        const points = windows.filter(w => w[key] !== undefined);
        picture.append(
            svg('polyline', {
                class: 'line ' + kind,
                points: points.map(w => x(w.window_ns) + ',' + y(w[key] / 1e6)).join(' '),
            })
        );
        for (const w of points) {
            picture.append(
                svg(
                    'circle',
                    {class: 'dot ' + kind, cx: x(w.window_ns), cy: y(w[key] / 1e6), r: 4},
                    svg('title', {}, formatNs(w.window_ns) + ' window: ' + formatShare(w[key], 1e6))
                )
            );
        }
    };
    if (average !== null)
        picture.append(svg('path', {class: 'mark', d: `M${left} ${y(average)}H${width - right}`}));
    line('p999_ppm', 'c-select');
    line('mmu_ppm', 'c-running');
    return picture;
}

function utilisationCard(u) {
    const average = u.curve_ns > 0 ? u.mutator_ns / u.curve_ns : null;
    if (u.windows.length === 0) {
        return el(
            'div',
            {class: 'card'},
            el('h3', {}, 'Mutator utilisation'),
            el('p', {class: 'none'}, 'no trace has a curve: GOMAXPROCS is not known')
        );
    }
    const cell = (w, key) => el('td', {class: 'num'}, w[key] === undefined ? NONE : formatShare(w[key], 1e6));
    return el(
        'div',
        {class: 'card'},
        el('h3', {title: 'the share of the Ps that GC leaves to the program'}, 'Minimum mutator utilisation'),
        el(
            'p',
            {class: 'note'},
            'Share of the Ps left to the program in the worst window of each length, of ' +
                plural(u.trace_count, 'trace') +
                (u.trace_count > 1 ? ' (the smallest of all)' : '') +
                (u.excluded_trace_count > 0
                    ? '; without ' +
                      plural(u.excluded_trace_count, 'trace') +
                      ' whose curve has too many points'
                    : '') +
                '.'
        ),
        el(
            'div',
            {class: 'split'},
            fitted(width => drawUtilisation(width, u.windows, average)),
            el(
                'table',
                {class: 'plain'},
                el(
                    'thead',
                    {},
                    el(
                        'tr',
                        {},
                        ['window', 'minimum', 'p99.9'].map((t, i) =>
                            el(
                                'th',
                                {
                                    scope: 'col',
                                    class: 'num',
                                    title: i === 2 ? 'one of a thousand windows has a lower mean' : null,
                                },
                                t
                            )
                        )
                    )
                ),
                el(
                    'tbody',
                    {},
                    u.windows.map(w =>
                        el(
                            'tr',
                            {},
                            el('td', {class: 'num'}, formatNs(w.window_ns).replace(/\.0+(?=\D)/, '')),
                            cell(w, 'mmu_ppm'),
                            cell(w, 'p999_ppm')
                        )
                    )
                )
            )
        ),
        legend([
            {class: 'c-running', label: 'minimum'},
            {class: 'c-select', label: 'p99.9'},
            {class: 'c-mark', label: 'average', text: average === null ? NONE : formatShare(average, 1)},
        ])
    );
}

function buildGc(data, folder) {
    const rows = gcRows(data);
    if (rows.length === 0 && data.utilisation.running_ns === 0)
        return [el('p', {class: 'none'}, 'The traces have no garbage collection and no pause.')];
    return [
        el('div', {class: 'cards'}, collectorCard(data.utilisation), utilisationCard(data.utilisation)),
        tableNode({
            caption: 'Pauses, mark phases, assists and sweeps',
            rows,
            empty: 'the traces have no garbage collection and no pause',
            columns: [
                {head: 'kind', get: r => r.kind, tip: 'what lasts'},
                {head: 'reason', get: r => r.name, tip: 'of a pause: why the world is stopped'},
                {
                    head: 'durations',
                    tip: 'small histogram: counts by octave from 64 ns to 64 s',
                    show: r => smallHistogram([{class: r.color, label: r.kind, dist: r}]),
                },
                ...durationColumns(r => r),
            ],
            detail: r => {
                const label = r.kind + (r.name ? ': ' + visible(r.name) : '');
                return distributionPane([{class: r.color, label, dist: r}]);
            },
        }),
        ...(data.detail ? longestTables(data.detail, folder) : []),
    ];
}
