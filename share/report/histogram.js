// Buckets of the data are 1/64 of an octave wide; here they are joined, 8 for each octave.
const BINS_PER_OCTAVE = 8;

function binOf(ns, perOctave) {
    if (ns < 1) return -1;
    const octave = Math.floor(Math.log2(ns));
    return octave * perOctave + Math.min(perOctave - 1, Math.floor((ns / 2 ** octave - 1) * perOctave));
}

function binStart(bin, perOctave) {
    const octave = Math.floor(bin / perOctave);
    return bin < 0 ? 0 : 2 ** octave * (1 + (bin - octave * perOctave) / perOctave);
}

function joinBuckets(buckets, perOctave) {
    const bins = new Map();
    for (const b of buckets || []) {
        const bin = binOf(b.from_ns, perOctave);
        bins.set(bin, (bins.get(bin) || 0) + b.count);
    }
    return bins;
}

// The same durations for all small histograms, so that rows can be compared: 64 ns to 64 s.
const SMALL_FIRST = 6,
    SMALL_LAST = 36,
    SMALL_STEP = 3,
    SMALL_HEIGHT = 20;

// series: [{class, label, dist}], stacked. Counts by octave; the highest bar fills the height.
function smallHistogram(series) {
    const width = (SMALL_LAST - SMALL_FIRST + 1) * SMALL_STEP;
    const sums = new Array(SMALL_LAST - SMALL_FIRST + 1).fill(0);
    const layers = series.map(s => {
        const counts = sums.map(() => 0);
        for (const [bin, count] of joinBuckets(s.dist && s.dist.buckets, 1))
            counts[Math.min(SMALL_LAST, Math.max(SMALL_FIRST, bin)) - SMALL_FIRST] += count;
        return counts;
    });
    for (const counts of layers)
        counts.forEach((count, i) => {
            sums[i] += count;
        });
    const most = Math.max(...sums);
    const words = series
        .filter(s => s.dist && s.dist.count > 0)
        .map(
            s =>
                s.label +
                ': ' +
                formatCount(s.dist.count) +
                ', median ' +
                formatNs(s.dist.p50_ns) +
                ', longest ' +
                formatNs(s.dist.max_ns)
        );
    const picture = svg(
        'svg',
        {class: 'small', width, height: SMALL_HEIGHT, role: 'img'},
        svg('title', {}, words.length > 0 ? words.join('\n') + '\ncounts by octave, 64 ns to 64 s' : 'none')
    );
    const base = sums.map(() => 0);
    picture.append(svg('path', {class: 'axis', d: 'M0 ' + (SMALL_HEIGHT - 0.5) + 'H' + width}));
    layers.forEach((counts, layer) => {
        let path = '';
        counts.forEach((count, i) => {
            if (count === 0) return;
            const high = Math.max(1, ((SMALL_HEIGHT - 2) * count) / most);
            const top = Math.max(0, SMALL_HEIGHT - 1 - base[i] - high);
            path += 'M' + i * SMALL_STEP + ' ' + top.toFixed(1) + 'h2v' + high.toFixed(1) + 'h-2z';
            base[i] += high;
        });
        if (path !== '') picture.append(svg('path', {class: 'bar ' + series[layer].class, d: path}));
    });
    return picture;
}

const MARKS = [
    ['p50', 'p50_ns'],
    ['p90', 'p90_ns'],
    ['p99', 'p99_ns'],
    ['p99.9', 'p999_ns'],
    ['max', 'max_ns'],
];

// Round durations for a logarithmic axis, at least `apart` octaves from each other.
function logTicks(from, to, apart) {
    const ticks = [];
    for (let power = 0; power <= 19; power++) {
        for (const digit of apart < 1.2 ? [1, 2, 5] : [1]) {
            const at = Math.log2(digit * 10 ** power);
            if (at >= from && at <= to && (ticks.length === 0 || at - ticks[ticks.length - 1].at >= apart))
                ticks.push({at, label: formatNs(digit * 10 ** power).replace(/\.0+(?=\D)/, '')});
        }
    }
    return ticks;
}

function drawDistribution(width, dist, kind, weight) {
    const left = 58,
        right = 8,
        top = 74,
        plot = 150,
        bottom = 22;
    const bins = [...joinBuckets(dist.buckets, BINS_PER_OCTAVE)].sort((a, b) => a[0] - b[0]);
    const edge = bin => (bin < 0 ? 0 : Math.log2(binStart(bin, BINS_PER_OCTAVE)));
    let from = Math.floor(edge(bins[0][0])),
        to = Math.ceil(edge(bins[bins.length - 1][0] + 1));
    if (to - from < 3) {
        from = Math.max(0, from - 1);
        to = from + 4;
    }
    const x = at => left + ((width - left - right) * (at - from)) / (to - from);
    const middle = bin => (binStart(bin, BINS_PER_OCTAVE) + binStart(bin + 1, BINS_PER_OCTAVE)) / 2;
    const high = ([bin, count]) => (weight === 'time' ? count * middle(bin) : count);
    const most = Math.max(...bins.map(high));
    const y = value => top + plot - (plot * value) / most;
    const picture = svg('svg', {
        class: 'distribution',
        width,
        height: top + plot + bottom,
        role: 'img',
        'aria-label': MARKS.map(([label, key]) => label + ' ' + formatNs(dist[key])).join(', '),
    });
    for (const tick of logTicks(from, to, (70 * (to - from)) / (width - left - right))) {
        const at = x(tick.at);
        picture.append(
            svg('path', {class: 'grid', d: `M${at} ${top}V${top + plot}`}),
            svg(
                'text',
                {
                    class: 'label',
                    x: Math.min(Math.max(at, 18), width - 22),
                    y: top + plot + 15,
                    'text-anchor': 'middle',
                },
                tick.label
            )
        );
    }
    for (const part of [0.5, 1]) {
        const value = most * part;
        picture.append(
            svg('path', {class: 'grid', d: `M${left} ${y(value)}H${width - right}`}),
            svg(
                'text',
                {class: 'label', x: left - 6, y: y(value) + 4, 'text-anchor': 'end'},
                weight === 'time' ? formatNs(value) : formatNumber(value).replace(/\.0+$/, '')
            )
        );
    }
    let below = 0;
    for (const bin of bins) {
        const a = x(edge(bin[0])),
            b = x(edge(bin[0] + 1));
        below += bin[1];
        picture.append(
            svg(
                'rect',
                {
                    class: 'bar ' + kind,
                    x: a,
                    y: y(high(bin)),
                    width: Math.max(1, b - a - (b - a > 3 ? 1 : 0)),
                    height: Math.max(0.5, top + plot - y(high(bin))),
                },
                svg(
                    'title',
                    {},
                    formatNs(binStart(bin[0], BINS_PER_OCTAVE)) +
                        ' to ' +
                        formatNs(binStart(bin[0] + 1, BINS_PER_OCTAVE)) +
                        ': ' +
                        formatCount(bin[1]) +
                        ' (' +
                        formatShare(bin[1], dist.count) +
                        '), ' +
                        formatShare(below, dist.count) +
                        ' up to here'
                )
            )
        );
    }
    picture.append(svg('path', {class: 'axis', d: `M${left} ${top + plot}H${width - right}`}));
    MARKS.forEach(([label, key], i) => {
        const at = x(Math.log2(Math.max(1, dist[key]))),
            isRight = at > width - 110;
        picture.append(
            svg('path', {class: 'mark', d: `M${at} ${8 + 14 * i}V${top + plot}`}),
            svg(
                'text',
                {
                    class: 'label strong',
                    x: at + (isRight ? -4 : 4),
                    y: 14 + 14 * i,
                    'text-anchor': isRight ? 'end' : 'start',
                },
                label + ' ' + formatNs(dist[key])
            )
        );
    });
    return picture;
}

// A select of the durations, their histogram, and their figures.
function distributionPane(series) {
    const known = series.filter(s => s.dist && (s.dist.count > 0 || s.dist.cut_count > 0));
    if (known.length === 0) return el('p', {class: 'none'}, 'no durations');
    const first = known.reduce(
        (most, s, i) => (s.dist.count > 0 && known[most].dist.count === 0 ? i : most),
        0
    );
    const box = el('div'),
        figures = el('p', {class: 'figures'});
    const which = el(
        'select',
        {'aria-label': 'durations', onchange: show},
        known.map((s, i) => el('option', {value: i, selected: i === first}, s.label))
    );
    const weight = el(
        'select',
        {'aria-label': 'height of the bars', onchange: show},
        el('option', {value: 'count'}, 'by count'),
        el('option', {value: 'time'}, 'by time')
    );
    weight.title = 'Height of the bars: the number of durations, or number times the middle of the bucket';

    function show() {
        const {dist, class: kind} = known[Number(which.value)];
        figures.textContent =
            plural(dist.count, 'duration') +
            ', total ' +
            formatNs(dist.total_ns) +
            (dist.count > 0 ? ', mean ' + formatNs(dist.total_ns / dist.count) : '') +
            (dist.cut_count > 0
                ? '; ' +
                  formatCount(dist.cut_count) +
                  ' cut by the begin or end of a trace, ' +
                  formatNs(dist.cut_ns) +
                  ' of them inside'
                : '');
        if (dist.buckets && dist.buckets.length > 0)
            box.replaceChildren(fitted(width => drawDistribution(width, dist, kind, weight.value)));
        else
            box.replaceChildren(
                el(
                    'p',
                    {class: 'none'},
                    dist.count > 0
                        ? 'the data have no histogram'
                        : 'none of these began and ended in the trace: no histogram'
                )
            );
    }
    show();
    return el(
        'div',
        {class: 'pane-distribution'},
        el('div', {class: 'controls'}, known.length > 1 ? which : el('b', {}, known[0].label), weight),
        figures,
        box
    );
}
