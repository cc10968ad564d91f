function headline(f) {
    const figure = formatValue(f.kind, f.value);
    switch (f.kind) {
        case 'lock':
        case 'syscall':
        case 'channel':
        case 'pool':
            return figure + ' goroutines waiting on average';
        case 'gc':
            return (
                figure +
                ' of the CPU time' +
                (f.heap_growth === null ? '' : ', the heap may grow by ' + formatShare(f.heap_growth, 1))
            );
        case 'few_ps':
            return figure + ' goroutines queued per P';
        case 'leak':
            return '+' + figure + ' goroutines per second';
        case 'p_hog':
            return 'one run of ' + figure;
        case 'sched_latency':
            return figure + ' until a goroutine runs';
        // The value is of each second, or of one pause; only the latter is not greater than the longest.
        case 'stop_the_world':
            return f.max_ns !== null && f.value * 1e6 <= f.max_ns
                ? 'up to ' + formatNs(f.max_ns)
                : figure + ' of each second';
        case 'slow_task':
            return '1% take ' + formatNs(f.p99_ns) + ' or more, median ' + formatNs(f.median_ns);
        default:
            return figure + ' ' + f.unit;
    }
}

// Names of tasks have no package.
function formOfVictims(f) {
    return f.kind === 'slow_task' ? 'plain' : null;
}

// The finding as a sentence: texts and nodes of functions.
function sentence(f) {
    const figure = formatValue(f.kind, f.value);
    const at = (place, form) =>
        place ? el('span', {class: 'code'}, nameNode(place.function, form)) : 'a function that is not known';
    const culprit = at(f.culprit),
        victim = f.victims.length > 0 ? at(f.victims[0], formOfVictims(f)) : null;
    const waiting = [`On average ${figure} goroutines wait`, victim ? [' in ', victim] : ''];
    switch (f.kind) {
        case 'lock':
            return [waiting, ' for a mutex that ', culprit, ' holds.'];
        case 'channel':
            return [waiting, ' for ', culprit, ', the slow side of a channel.'];
        case 'pool':
            return [
                `On average ${figure} goroutines wait in `,
                culprit,
                ' for a free slot',
                f.related ? [' of ', at(f.related)] : '',
                '.',
            ];
        case 'syscall':
            return [`On average ${figure} goroutines are in slow system calls of `, culprit, '.'];
        case 'gc':
            return [
                `Garbage collection takes ${figure} of the CPU time; `,
                f.is_forced ? 'it is forced by ' : 'the function that allocates is ',
                culprit,
                f.heap_growth === null ? '' : `; the heap may grow only by ${formatShare(f.heap_growth, 1)}`,
                '.',
            ];
        case 'few_ps':
            return [`${figure} goroutines queue for each P on average while `, culprit, ' runs.'];
        case 'leak':
            return [`${figure} goroutines are created each second and stay blocked in `, culprit, '.'];
        case 'p_hog':
            return [culprit, ` runs for ${figure} without a break.`];
        case 'sched_latency':
            return ['Goroutines that ', culprit, ` wakes or creates wait up to ${figure} for a P.`];
        case 'stop_the_world':
            return [
                'The world is stopped: ',
                headline(f),
                ', ',
                f.related ? 'delayed by ' : 'as requested by ',
                culprit,
                '.',
            ];
        case 'slow_task':
            return [
                '1% of the tasks ',
                victim,
                ` take ${formatNs(f.p99_ns)} or more, the median takes ` +
                    formatNs(f.median_ns) +
                    '; the slow ones spend most of it in ',
                culprit,
                '.',
            ];
        default:
            return [headline(f), ': ', culprit, '.'];
    }
}

function figuresOf(f, kind) {
    const words = [];
    const count = word => plural(f.count, word.replace(/s$/, ''), word);
    if (f.kind === 'leak') words.push(formatCount(f.leaked_goroutines) + ' still blocked');
    else if (kind.count) words.push(count(kind.count));
    if (f.cost_ns !== null) words.push(formatNs(f.cost_ns) + ' in all');
    if (f.gomaxprocs !== null) words.push('GOMAXPROCS=' + Math.round(100 * f.gomaxprocs) / 100);
    if (f.busy_share !== null) words.push(formatShare(f.busy_share, 1) + ' busy');
    if (f.kind === 'syscall' && f.count > 0) words.push('mean ' + formatNs(f.cost_ns / f.count));
    if (f.max_ns !== null) words.push('longest ' + formatNs(f.max_ns));
    if (f.p99_ns !== null && f.kind !== 'slow_task') words.push('p99 ' + formatNs(f.p99_ns));
    return words.join(', ');
}

function placeNode(place, form) {
    const at = formatPlace(place);
    return el(
        'span',
        {class: 'place'},
        nameNode(place.function, form),
        at !== '' ? el('span', {class: 'at', title: titleOf(at)}, shortPlace(place)) : null
    );
}

function culpritLabel(f, kind) {
    if (f.kind === 'stop_the_world' && f.related !== null) return 'delayed by';
    return f.kind === 'gc' && f.is_forced ? 'forced by' : kind.culprit;
}

// The value of the kind in each trace that was analysed, on one line; those with the finding are marked.
function drawStrip(width, values, f) {
    const right = Math.max(...values.map(v => v.value), f.threshold) * 1.05;
    const x = value => 6 + (width - 12) * Math.sqrt(value / right);
    const picture = svg('svg', {
        class: 'strip',
        width,
        height: 26,
        role: 'img',
        'aria-label':
            'values of ' + plural(values.length, 'trace') + ', threshold ' + formatValue(f.kind, f.threshold),
    });
    const limit = x(f.threshold),
        isRight = limit > width - 120;
    picture.append(
        svg('path', {class: 'axis', d: `M6 18H${width - 6}`}),
        svg('path', {class: 'limit', d: `M${limit} 4V24`}),
        svg(
            'text',
            {class: 'label', x: limit + (isRight ? -4 : 4), y: 10, 'text-anchor': isRight ? 'end' : 'start'},
            'threshold ' + formatValue(f.kind, f.threshold)
        )
    );
    // Points at the same place are one: a fleet may have thousands.
    const places = new Map();
    for (const v of values) {
        const key = Math.round(x(v.value)) + (v.isOwn ? 'found' : '');
        if (places.has(key)) places.get(key).push(v);
        else places.set(key, [v]);
    }
    for (const [v, ...more] of places.values()) {
        picture.append(
            svg(
                'circle',
                {class: v.isOwn ? 'point found' : 'point', cx: x(v.value), cy: 18, r: v.isOwn ? 4.5 : 3},
                svg(
                    'title',
                    {},
                    titleOf(visible(v.trace)) +
                        ': ' +
                        formatValue(f.kind, v.value) +
                        (v.isOwn || v.value < f.threshold
                            ? ''
                            : v.found
                              ? ', another finding of this kind'
                              : ', not reported: further conditions (man tracepipe-stats)') +
                        (more.length > 0 ? ' and ' + plural(more.length, 'other trace') + ' near' : '')
                )
            )
        );
    }
    return picture;
}

function valuesOf(data, kind) {
    const values = [];
    for (const trace of data.traces) {
        for (const v of trace.finding_values || []) {
            if (v.kind === kind) values.push({trace: trace.trace, value: v.value, found: v.found});
        }
    }
    return values;
}

// Marks the traces of this finding; of several of one kind only one that has a single trace tells which.
function markOwn(values, f, isOnly) {
    const isSingle = f.trace_count === 1;
    const marked = values.map(v => ({...v, isOwn: isSingle ? v.trace === f.worst_trace : v.found}));
    return {
        values: marked.sort((a, b) => a.isOwn - b.isOwn),
        text: isSingle
            ? 'the trace of this finding'
            : isOnly
              ? 'traces of this finding'
              : 'traces with a finding of this kind',
    };
}

function showFinding(f) {
    const at = SHOWN_IN[f.kind];
    if (at.flame) openFlame(at.flame, f.culprit ? f.culprit.function : '');
    goTo(at.section);
}

const OTHERS_MOST = 8;

function findingCard(data, folder, f, rank) {
    const kind = kindOf(f.kind),
        at = SHOWN_IN[f.kind];
    const line = (label, ...nodes) => el('div', {class: 'pair'}, el('dt', {}, label), el('dd', {}, nodes));
    // The JSON tells the traces of a kind of findings. They are those of this finding if it is the only one of
    // the kind.
    const isOnly = data.findings.filter(g => g.kind === f.kind).length === 1;
    const {values, text} = markOwn(data.analysed_count > 1 ? valuesOf(data, f.kind) : [], f, isOnly);
    const all = isOnly
        ? values.filter(v => v.found && v.trace !== f.worst_trace).sort((a, b) => b.value - a.value)
        : [];
    const others = all.slice(0, OTHERS_MOST),
        left = all.length - others.length;
    const inputs =
        f.analysed_count === 1
            ? ''
            : `in ${formatCount(f.trace_count)} of ` + plural(f.analysed_count, 'trace') + ' analysed';
    const damage =
        f.damaged_trace_count === 0
            ? ''
            : f.analysed_count === 1
              ? ', as far as it could be read'
              : ` (${formatCount(f.damaged_trace_count)} damaged, as far as they could be read)`;
    const bar = el(
        'span',
        {class: 'meter', role: 'img', 'aria-label': formatShare(f.importance, 1)},
        el('span')
    );
    bar.firstChild.style.width = 100 * f.importance + '%';
    return el(
        'article',
        {class: 'finding', tabindex: '-1'},
        el(
            'h3',
            {},
            el('span', {class: 'rank'}, rank + '.'),
            ' ',
            el('span', {class: 'kind'}, kind.title + ': '),
            sentence(f)
        ),
        el('p', {class: 'meaning'}, kind.meaning),
        el(
            'dl',
            {},
            line(
                culpritLabel(f, kind),
                f.culprit
                    ? placeNode(f.culprit)
                    : el('span', {class: 'none'}, 'not known: no stack of it is in the trace')
            ),
            f.related ? line(ROLES[f.related.role] || f.related.role, placeNode(f.related)) : null,
            f.kind !== 'syscall' && f.victims.length > 0
                ? line(
                      kind.victims,
                      f.victims
                          .slice(0, 3)
                          .map(v =>
                              el(
                                  'div',
                                  {},
                                  placeNode(v, formOfVictims(f)),
                                  f.victims.length > 1
                                      ? el('span', {class: 'figure'}, ' ' + formatShare(v.share, 1))
                                      : null
                              )
                          )
                  )
                : null,
            line(
                'figures',
                headline(f) + '; ' + figuresOf(f, kind),
                el(
                    'span',
                    {class: 'note'},
                    '; threshold ' + formatValue(f.kind, f.threshold) + (kind.unit ? ' ' + kind.unit : '')
                )
            ),
            line(
                'costs',
                bar,
                ' ' + formatShare(f.importance, 1) + ' of ' + kind.against,
                data.analysed_count > 1 ? ' in all ' + plural(data.analysed_count, 'trace') + ' analysed' : ''
            ),
            f.also_causes.length > 0
                ? line('also causes', f.also_causes.map(k => kindOf(k).title).join(', '))
                : null,
            inputs + damage !== ''
                ? line(
                      'traces',
                      inputs + damage + (inputs !== '' ? ', most in ' : ''),
                      inputs !== ''
                          ? button(
                                nameNode(f.worst_trace.slice(folder.length), 'path'),
                                () => showTrace(f.worst_trace),
                                {class: 'link'}
                            )
                          : null
                  )
                : null,
            others.length > 0
                ? line(
                      'also in',
                      others.map((v, i) => [
                          i > 0 ? ', ' : '',
                          button(nameNode(v.trace.slice(folder.length), 'path'), () => showTrace(v.trace), {
                              class: 'link',
                          }),
                      ]),
                      left > 0 ? ' and ' + formatCount(left) + ' more' : ''
                  )
                : null,
            values.length > 1
                ? line(
                      'each trace',
                      fitted(width => drawStrip(width, values, f)),
                      legend([
                          {class: 'c-sync', label: text},
                          {class: 'c-other', label: 'others: each point is a trace'},
                      ])
                  )
                : null
        ),
        el(
            'div',
            {class: 'actions'},
            commandNode(f.command),
            at ? button('show in: ' + at.label, () => showFinding(f), {class: 'jump'}) : null
        )
    );
}

function notAnalysed(data) {
    const reasons = new Map();
    for (const n of data.not_analysed) reasons.set(n.reason, (reasons.get(n.reason) || 0) + 1);
    const lines = [...reasons].map(([reason, count]) => plural(count, 'trace') + ' not analysed: ' + reason);
    for (const k of data.kinds_not_analysed) {
        lines.push(
            kindOf(k.kind).title +
                ' not analysed in ' +
                plural(k.trace_count, 'trace') +
                ': ' +
                (k.kind === 'leak' ? 'shorter than 500 ms' : 'GOMAXPROCS is not known')
        );
    }
    return lines;
}

function verdict(data) {
    if (data.trace_count === 0) return 'No trace could be read: there is nothing to analyse.';
    if (data.analysed_count === 0) return 'No findings: no trace was analysed.';
    return (
        `No findings in ${plural(data.analysed_count, 'trace')} analysed` +
        (data.damaged_count > 0 ? ', as far as they could be read.' : '.')
    );
}

// The page names the input closest to a finding only if its value reaches this share of the threshold.
const CLOSEST_LEAST = 0.1;

// Why inputs were refused, the most frequent reason first.
function refusals(data) {
    const reasons = new Map();
    for (const trace of data.traces) {
        if (trace.status !== 'refused') continue;
        const text = visible(trace.error.text);
        reasons.set(text, (reasons.get(text) || 0) + 1);
    }
    const sorted = [...reasons].sort((a, b) => b[1] - a[1]);
    return el(
        'ul',
        {},
        sorted.map(([text, count]) => el('li', {}, plural(count, 'input') + ': ' + text))
    );
}

// One line for each finding, since a card of each takes a screen.
function findingIndex(data, cards) {
    const row = (f, i) =>
        el(
            'li',
            {},
            button(
                el('span', {class: 'kind'}, kindOf(f.kind).title),
                () => {
                    cards[i].scrollIntoView({block: 'start'});
                    cards[i].focus({preventScroll: true});
                },
                {class: 'link'}
            ),
            ' ',
            f.culprit ? nameNode(f.culprit.function) : el('span', {class: 'none'}, 'not known'),
            el(
                'span',
                {class: 'figures', title: 'share of ' + kindOf(f.kind).against},
                ' ' + formatShare(f.importance, 1)
            )
        );
    return el('ol', {class: 'card index', 'aria-label': 'All findings'}, data.findings.map(row));
}

// Fewer findings are seen at a glance.
const INDEX_LEAST = 7;

function buildFindings(data, folder) {
    const nodes = [],
        gone = notAnalysed(data);
    if (data.findings.length === 0) {
        const c = data.closest;
        nodes.push(
            el(
                'div',
                {class: 'card'},
                el('p', {class: 'verdict'}, verdict(data)),
                data.trace_count === 0 && data.refused_count > 0 ? refusals(data) : null,
                data.analysed_count > 0
                    ? el(
                          'p',
                          {},
                          'Looked for: ' +
                              Object.values(KINDS)
                                  .map(k => k.title)
                                  .join(', ') +
                              '.'
                      )
                    : null,
                c && c.share_of_threshold >= CLOSEST_LEAST
                    ? el(
                          'p',
                          {},
                          `Closest to a finding: ${kindOf(c.kind).title}, ` +
                              formatShare(c.share_of_threshold, 1) +
                              ' of the way',
                          data.analysed_count > 1
                              ? [', in ', nameNode(c.trace.slice(folder.length), 'path')]
                              : ''
                      )
                    : null
            )
        );
    }
    const cards = data.findings.map((f, i) => findingCard(data, folder, f, i + 1));
    const missing = el('p', {class: 'none', hidden: true}, 'no finding matches the filter');
    const index = cards.length >= INDEX_LEAST ? findingIndex(data, cards) : null;
    if (index !== null) nodes.push(index);
    nodes.push(...cards, missing);
    if (gone.length > 0) {
        nodes.push(
            el(
                'details',
                {class: 'card', open: data.findings.length === 0},
                el(
                    'summary',
                    {},
                    'What was not analysed (' + plural(data.analysed_count, 'trace') + ' analysed)'
                ),
                el(
                    'ul',
                    {},
                    gone.map(text => el('li', {}, text))
                )
            )
        );
    }
    tables.add({
        refresh: () => {
            cards.forEach(card => {
                card.hidden = !query.test(card.textContent);
            });
            missing.hidden = cards.length === 0 || cards.some(card => !card.hidden);
            if (index === null) return;
            index.hidden = !missing.hidden;
            [...index.children].forEach((li, i) => (li.hidden = cards[i].hidden));
        },
        found: () => cards.filter(card => !card.hidden).length,
    });
    return nodes;
}
