// All texts of traces become text nodes or attributes; nothing is parsed as HTML.
function fill(node, attributes, children) {
    for (const [key, value] of Object.entries(attributes || {})) {
        if (value === null || value === undefined || value === false) continue;
        if (key.startsWith('on')) node.addEventListener(key.slice(2), value);
        else node.setAttribute(key, value === true ? '' : value);
    }
    for (const child of children.flat(Infinity)) {
        if (child !== null && child !== undefined && child !== '') node.append(child);
    }
    return node;
}

function el(tag, attributes, ...children) {
    return fill(document.createElement(tag), attributes, children);
}

function svg(tag, attributes, ...children) {
    return fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

function button(label, action, attributes) {
    return el('button', {type: 'button', onclick: action, ...attributes}, label);
}

const LONGEST_TITLE = 2000;

function titleOf(text) {
    return text.length > LONGEST_TITLE ? text.slice(0, LONGEST_TITLE) + '…' : text;
}

// A name that CSS cuts: of a function first its package, of a path first its folders. form: 'path',
// 'plain' (neither has parts that may go first) or nothing for a function.
function nameNode(name, form, empty) {
    if (name === '') return el('span', {class: 'name none'}, empty || '(unknown)');
    const text = visible(name);
    const head = form === 'plain' ? '' : form === 'path' ? text : packageOf(text);
    const cut = head.lastIndexOf('/') + 1;
    // The head runs from right to left, so that its ellipsis stands first; bdi keeps its text in order.
    return el(
        'span',
        {class: 'name', title: titleOf(text)},
        cut > 0 ? el('span', {class: 'head'}, el('bdi', {dir: 'ltr'}, text.slice(0, cut))) : null,
        el('span', {class: 'tail'}, text.slice(cut))
    );
}

function copyText(text) {
    const area = el('textarea', {class: 'hidden', 'aria-hidden': 'true'});
    const copyOld = () => {
        area.value = text;
        document.body.append(area);
        area.select();
        const done = document.execCommand('copy');
        area.remove();
        showHint(done ? 'copied' : 'cannot copy here: select the text');
    };
    if (!navigator.clipboard) return copyOld();
    navigator.clipboard.writeText(text).then(() => showHint('copied'), copyOld);
}

function shellWord(text) {
    if (/^[\w@%+=:,./][\w@%+=:,./-]*$/.test(text)) return text;
    return "'" + (text.startsWith('-') ? './' : '') + text.replaceAll("'", "'\\''") + "'";
}

// Returns the inputs as words of a command; null if they are too many, or no command can name them.
function inputWords(paths) {
    const hasNames = paths.every(path => path !== '-' && !path.includes('\ufffd'));
    return paths.length > 0 && paths.length <= 20 && hasNames ? paths.map(shellWord).join(' ') : null;
}

function commandNode(command) {
    if (!command) return null;
    const shown = visible(command),
        label = 'Copy the command: ' + shown;
    return button(
        [el('span', {class: 'prompt', 'aria-hidden': 'true'}, '$ '), shown],
        () => copyText(command),
        {class: 'command', title: titleOf('Click copies it:\n' + shown), 'aria-label': titleOf(label)}
    );
}

let hintTimer = 0;

function showHint(text) {
    const hint = document.getElementById('hint');
    hint.textContent = text;
    hint.classList.add('shown');
    clearTimeout(hintTimer);
    hintTimer = setTimeout(() => hint.classList.remove('shown'), 1500);
}

// parts: [{class, label, value}]
function stackBar(parts, total, format, attributes) {
    const words = parts
        .filter(p => p.value > 0)
        .map(p => p.label + ' ' + format(p.value) + ' (' + formatShare(p.value, total) + ')');
    const bar = el('span', {
        class: 'stack',
        role: 'img',
        'aria-label': words.join(', '),
        title: words.join('\n'),
        ...attributes,
    });
    for (const part of parts) {
        if (!(part.value > 0 && total > 0)) continue;
        const piece = el('span', {class: part.class});
        piece.style.width = (100 * part.value) / total + '%';
        bar.append(piece);
    }
    return bar;
}

function legend(parts) {
    return el(
        'span',
        {class: 'legend'},
        parts.map(p =>
            el(
                'span',
                {class: 'key'},
                el('span', {class: 'swatch ' + p.class}),
                p.label,
                p.text ? el('span', {class: 'figure'}, ' ' + p.text) : null
            )
        )
    );
}

// Draws again when the box gets another width; draw(width) returns an SVG picture of this width.
function fitted(draw) {
    const box = el('div', {class: 'fitted'});
    let width = 0;
    new ResizeObserver(() => {
        const now = Math.floor(box.clientWidth);
        if (now === width || now === 0) return;
        width = now;
        const picture = draw(width);
        // Where there is less room later, on paper, it becomes smaller.
        picture.setAttribute('viewBox', `0 0 ${width} ${picture.getAttribute('height')}`);
        box.replaceChildren(picture);
    }).observe(box);
    return box;
}

function colour(name) {
    return getComputedStyle(document.documentElement)
        .getPropertyValue('--' + name)
        .trim();
}
