function reasonOf(data) {
    return new Map(data.not_analysed.map(n => [n.trace, n.reason]));
}

function damageOf(trace) {
    if (trace.status === 'refused' || !trace.has_damage) return '';
    const words = [];
    if (trace.lost_bytes > 0) words.push(formatBytes(trace.lost_bytes) + ' lost');
    if (trace.unordered_bytes > 0) words.push(formatBytes(trace.unordered_bytes) + ' not ordered');
    return words.length > 0 ? words.join(', ') : 'names, stacks or the end are missing';
}

function statusNode(trace) {
    if (trace.status === 'refused') return el('span', {class: 'chip bad'}, 'refused');
    return trace.has_damage
        ? el('span', {class: 'chip warn'}, 'damaged')
        : el('span', {class: 'chip'}, 'read');
}

function remarkOf(trace, reasons) {
    if (trace.status === 'refused') return trace.error.text;
    const reason = reasons.get(trace.trace);
    return [damageOf(trace), reason ? 'not analysed for findings: ' + reason : '']
        .filter(t => t !== '')
        .join('; ');
}

function foundOf(trace) {
    return (trace.finding_values || []).filter(v => v.found);
}

function filePane(trace, reasons) {
    if (trace.status === 'refused')
        return el('p', {}, visible(trace.error.text) + ' (error ' + trace.error.code + ')');
    const pairs = [
        ['lock waits', plural(trace.lock_wait_count, 'wait')],
        ['waits for a P', formatCount(trace.runnable_count)],
        ['system calls', formatCount(trace.syscall_count)],
        ['GC cycles', formatCount(trace.gc_cycle_count)],
        ['GC assists', formatNs(trace.assist_ns)],
        ['idle mark workers', formatNs(trace.idle_mark_worker_ns)],
        ['stop-the-world', formatNs(trace.stopped_ns) + ' in ' + plural(trace.stop_count, 'pause')],
        ['idle waits', formatNs(trace.idle_wait_ns)],
        ['tasks', formatNs(trace.task_ns)],
        [
            'GOMAXPROCS',
            trace.gomaxprocs_known_ns > 0
                ? formatNumber(trace.gomaxprocs_ns / trace.gomaxprocs_known_ns) + ' on average'
                : 'not known',
        ],
        [
            'wall clock',
            trace.wall_start === null
                ? 'not recorded'
                : formatWall(trace.wall_start) + ' to ' + formatWall(trace.wall_end) + ' UTC',
        ],
    ];
    const remark = remarkOf(trace, reasons);
    return el(
        'div',
        {},
        el('p', {class: 'path'}, visible(trace.trace)),
        remark !== '' ? el('p', {}, remark) : null,
        el(
            'dl',
            {class: 'pairs'},
            pairs.map(([key, value]) => el('div', {}, el('dt', {}, key), el('dd', {}, value)))
        ),
        trace.finding_values.length > 0
            ? el(
                  'div',
                  {},
                  el('h4', {}, 'Values of each kind of finding'),
                  el(
                      'dl',
                      {class: 'pairs'},
                      trace.finding_values.map(v =>
                          el(
                              'div',
                              {class: v.found ? 'found' : null},
                              el('dt', {}, KINDS[v.kind] ? KINDS[v.kind].title : v.kind),
                              el('dd', {}, formatValue(v.kind, v.value), v.found ? ' found' : '')
                          )
                      )
                  )
              )
            : null
    );
}

function fileColumns(folder, reasons, hasFaults, detail) {
    const time = (head, key, tip) => ({
        head,
        tip,
        num: true,
        bar: true,
        get: t => t[key],
        show: t => formatNs(t[key]),
    });
    const count = (head, key, tip) => ({head, tip, num: true, bar: true, get: t => t[key]});
    const columns = [
        nameColumn('trace', t => t.trace.slice(folder.length), 'path of the input', 'path'),
        {
            head: 'status',
            get: t => (t.status === 'refused' ? 'refused' : t.has_damage ? 'damaged' : 'read'),
            show: statusNode,
            tip: 'refused inputs are in no figure; of damaged ones the intact part is',
        },
        {
            head: 'findings',
            num: true,
            keepsZero: true,
            get: t => foundOf(t).length,
            show: t =>
                foundOf(t)
                    .map(v => (KINDS[v.kind] ? KINDS[v.kind].short : v.kind))
                    .join(', ') || NONE,
            tip: 'kinds of findings in this trace',
        },
        count('events', 'events', 'events that were read'),
        time('duration', 'duration_ns', 'from the first to the last event'),
        {
            head: 'states',
            tip: 'running, runnable, system calls, blocked, as shares of their sum',
            show: t =>
                t.status === 'refused'
                    ? NONE
                    : stackBar(
                          [
                              {class: 'c-running', label: 'running', value: t.running_ns},
                              {class: 'c-runnable', label: 'runnable', value: t.runnable_ns},
                              {class: 'c-syscall', label: 'system calls', value: t.syscall_ns},
                              {class: 'c-other', label: 'blocked', value: t.blocked_ns},
                          ],
                          t.running_ns + t.runnable_ns + t.syscall_ns + t.blocked_ns,
                          formatNs
                      ),
        },
        ...(detail ? [sparkColumn(detail.levels)] : []),
        time('running', 'running_ns', 'goroutines on a P'),
        time('runnable', 'runnable_ns', 'waiting for a P'),
        time('syscall', 'syscall_ns', 'in system calls'),
        time('blocked', 'blocked_ns', 'blocked for any reason'),
        time('lock waits', 'lock_wait_ns', 'blocked in sync.Mutex and sync.RWMutex'),
        time('GC', 'gc_ns', 'running time of the garbage collector, idle mark workers and assists too'),
        time('stopped', 'stopped_ns', 'stop-the-world pauses'),
        count('goroutines', 'goroutine_count', 'goroutines that the trace shows'),
        {
            head: 'GOMAXPROCS',
            num: true,
            tip: 'gomaxprocs_ns / gomaxprocs_known_ns',
            get: t => (t.gomaxprocs_known_ns > 0 ? t.gomaxprocs_ns / t.gomaxprocs_known_ns : null),
            show: t =>
                t.gomaxprocs_known_ns > 0
                    ? String(Math.round((100 * t.gomaxprocs_ns) / t.gomaxprocs_known_ns) / 100)
                    : NONE,
        },
        {
            head: 'lost',
            num: true,
            get: t => (t.status === 'refused' ? null : t.lost_bytes + t.unordered_bytes),
            show: t => (t.status === 'refused' ? NONE : formatBytes(t.lost_bytes + t.unordered_bytes)),
            tip: 'bytes lost, and bytes of events that could not be ordered',
        },
        {
            head: 'wall clock',
            get: t => (t.wall_start ? formatWall(t.wall_start) : ''),
            tip: 'begin, UTC',
            show: t => (t.wall_start ? formatWall(t.wall_start) : NONE),
        },
    ];
    const remark = nameColumn(
        'remark',
        t => remarkOf(t, reasons),
        'why it is refused, what is damaged, why it was not analysed',
        'plain',
        NONE
    );
    // The column of remarks follows the status if an input is damaged or refused; else it comes last.
    columns.splice(hasFaults ? 2 : columns.length, 0, remark);
    return columns;
}

function clockTable(data, folder) {
    if (data.inconsistent_clocks.length === 0) return null;
    return tableNode({
        caption: 'Traces with an inconsistent clock',
        rows: data.inconsistent_clocks,
        columns: [
            nameColumn('trace', t => t.trace.slice(folder.length), 'path of the input', 'path'),
            {
                head: 'in the figures',
                get: t => (t.included ? 'yes' : 'no'),
                tip: 'whether the other figures include it',
            },
            {head: 'events', num: true, get: t => t.events, tip: 'events that were read'},
            {
                head: 'duration',
                num: true,
                get: t => t.duration_ns,
                show: t => formatNs(t.duration_ns),
                tip: 'as its clock says',
            },
        ],
    });
}

function buildFiles(data, folder) {
    const reasons = reasonOf(data);
    const isRead = data.traces.some(t => t.status === 'read');
    const hasFaults = data.damaged_count + data.refused_count > 0;
    const columns = fileColumns(folder, reasons, hasFaults, data.detail);
    return [
        folder !== ''
            ? el('p', {class: 'note'}, 'Paths are relative to ', el('code', {}, visible(folder)))
            : null,
        tableNode({
            caption: 'Inputs',
            rows: data.traces,
            sort: isRead && data.traces.length > 1 ? columns.findIndex(c => c.head === 'running') : undefined,
            columns,
            detail: t => filePane(t, reasons),
            toggle:
                hasFaults
                    ? {label: 'only damaged and refused', hides: t => t.status === 'read' && !t.has_damage}
                    : null,
        }),
        clockTable(data, folder),
    ];
}
