const NONE = '–';

function withUnit(value, unit) {
    const digits = value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
    return value.toFixed(digits) + '\u00a0' + unit;
}

// Three digits, as in the text report.
function formatNs(ns) {
    if (ns === null || ns === undefined) return NONE;
    if (ns < 999.5) return Math.round(ns) + '\u00a0ns';
    if (ns < 999.5e3) return withUnit(ns / 1e3, 'µs');
    if (ns < 999.5e6) return withUnit(ns / 1e6, 'ms');
    if (ns < 999.5e9) return withUnit(ns / 1e9, 's');
    if (ns < 1e15) return formatCount(Math.round(ns / 1e9)) + '\u00a0s';
    const days = ns / 8.64e13;
    return days >= 1000 ? formatCount(Math.round(days)) + '\u00a0d' : withUnit(days, 'd');
}

const SPANS = [
    {ns: 8.64e13, unit: 'd'},
    {ns: 3.6e12, unit: 'h'},
    {ns: 6e10, unit: 'min'},
    {ns: 1e9, unit: 's'},
];

// A point or length of time to the precision of `step`, so that neighbours on an axis differ.
function formatSpan(ns, step) {
    if (ns === 0) return '0';
    if (Math.abs(ns) < 6e10) {
        const units = [[1e9, 's'], [1e6, 'ms'], [1e3, 'µs'], [1, 'ns']];
        const [size, unit] = units.find(u => Math.abs(ns) >= u[0]) || units[3];
        const digits = Math.min(9, Math.max(0, Math.ceil(Math.log10(size / Math.max(1, step)) - 1e-9)));
        return Number((ns / size).toFixed(digits)) + '\u00a0' + unit;
    }
    const least = SPANS.find(s => s.ns <= step) || SPANS[3];
    const digits = step >= 1e9 ? 0 : Math.min(9, Math.ceil(Math.log10(1e9 / Math.max(1, step)) - 1e-9));
    let left = step >= 1e9 ? Math.round(ns / least.ns) * least.ns : ns;
    const words = [];
    for (const span of SPANS) {
        const isLast = span === least;
        const count = isLast ? Number((left / span.ns).toFixed(digits)) : Math.floor(left / span.ns);
        left -= count * span.ns;
        if (count > 0) words.push(formatCount(count) + '\u00a0' + span.unit);
        if (isLast) break;
    }
    return words.length > 0 ? words.join(' ') : '0';
}

function formatCount(count) {
    if (count === null || count === undefined) return NONE;
    return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

function formatBytes(bytes) {
    const units = ['kB', 'MB', 'GB', 'TB', 'PB'];
    if (bytes === null || bytes === undefined) return NONE;
    if (bytes < 1000) return Math.round(bytes) + '\u00a0B';
    let at = -1;
    for (; bytes >= 999.5 && at < units.length - 1; at++) bytes /= 1000;
    return withUnit(bytes, units[at]);
}

function formatShare(part, whole) {
    if (!(whole > 0)) return NONE;
    const percent = (100 * part) / whole;
    return percent > 0 && percent < 0.05 ? '<0.1%' : percent.toFixed(1) + '%';
}

function formatNumber(value) {
    if (value === null || value === undefined) return NONE;
    if (value === 0) return '0';
    if (value >= 1000) return formatCount(Math.round(value));
    return value.toFixed(value >= 10 ? 1 : value >= 1 ? 2 : 3);
}

function plural(count, word, words) {
    return formatCount(count) + ' ' + (count === 1 ? word : words || word + 's');
}

// "2026-11-25 18:46:09.403" of RFC 3339 with nanoseconds.
function formatWall(text) {
    return text === null ? NONE : text.slice(0, 10) + ' ' + text.slice(11, 23);
}

function formatValue(kind, value) {
    switch (kind) {
        case 'p_hog':
        case 'sched_latency':
        case 'stop_the_world':
            return formatNs(value * 1e6);
        case 'gc':
            return formatShare(value, 1);
        default:
            return formatNumber(value);
    }
}

// Characters that are not seen, or turn the text around, as escapes: a name must not look like another.
function visible(text) {
    return text.replace(
        /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]/g,
        c => '\\u' + c.charCodeAt(0).toString(16).padStart(4, '0')
    );
}

function baseName(path) {
    return path.slice(path.lastIndexOf('/') + 1);
}

function formatPlace(place) {
    if (!place || !place.file) return '';
    return visible(place.file) + (place.line ? ':' + place.line : '');
}

function shortPlace(place) {
    if (!place || !place.file) return '';
    return visible(baseName(place.file)) + (place.line ? ':' + place.line : '');
}

// The part of a function's name up to its package: "net/http." of "net/http.(*conn).serve".
function packageOf(name) {
    const slash = name.lastIndexOf('/', name.indexOf('[') < 0 ? name.length : name.indexOf('['));
    const dot = name.indexOf('.', slash + 1);
    return dot < 0 ? '' : name.slice(0, dot);
}

// Returns null if the text is no regular expression.
function toExpression(text) {
    try {
        return new RegExp(text, 'i');
    } catch {
        return null;
    }
}
