const SECTIONS = [
    {
        id: 'findings',
        title: 'Findings',
        build: (data, folder) => buildFindings(data, folder),
        count: data => data.findings.length,
    },
    {id: 'time', title: 'Over time', build: data => buildTime(data), placed: () => drawTime()},
    {
        id: 'hosts',
        title: 'Traces over time',
        build: (data, folder) => buildHosts(data, folder),
        count: data => data.detail.levels.length,
        isOff: data => !data.detail || data.detail.levels.length < 2,
    },
    {
        id: 'functions',
        title: 'Start functions',
        build: (data, folder) => buildFunctions(data, folder),
        count: data => data.functions.length,
    },
    {id: 'flame', title: 'Flame graphs', build: data => buildFlame(data)},
    {id: 'gc', title: 'Garbage collection', build: (data, folder) => buildGc(data, folder)},
    {
        id: 'tasks',
        title: 'Tasks and regions',
        build: (data, folder) => buildTasks(data, folder),
        count: data => data.tasks.length + data.regions.length,
    },
    {
        id: 'files',
        title: 'Files',
        build: (data, folder) => buildFiles(data, folder),
        count: data => data.traces.length,
    },
];

const page = {data: null, folder: '', built: new Set(), aimed: null};

function buildSection(id) {
    if (page.built.has(id)) return;
    page.built.add(id);
    const body = document.querySelector('#' + id + ' > .body');
    const section = SECTIONS.find(s => s.id === id);
    let nodes = [];
    try {
        nodes = section.build(page.data, page.folder);
    } catch (error) {
        console.error(error);
        nodes = [el('p', {class: 'none'}, 'This section cannot be shown: ' + error.message)];
    }
    body.classList.remove('empty');
    body.replaceChildren(...nodes.filter(node => node !== null && node !== undefined));
    if (section.placed) section.placed();
    showMatches();
}

// The sections above are built first, because their heights move the section that is shown.
function goTo(id) {
    for (const section of SECTIONS) {
        buildSection(section.id);
        if (section.id === id) break;
    }
    const node = document.getElementById(id);
    if (id === SECTIONS[0].id) scrollTo(0, 0);
    else node.scrollIntoView({block: 'start'});
    history.replaceState(null, '', '#' + id);
    page.aimed = {id, y: scrollY};
    dispatchEvent(new Event('scroll'));
    node.querySelector('h2').focus({preventScroll: true});
}

function showTrace(trace) {
    const input = document.getElementById('search');
    const text = trace.slice(page.folder.length);
    input.value = text;
    buildSection('files');
    setQuery(text);
    goTo('files');
}

function decodeAddress(text) {
    try {
        return decodeURIComponent(text);
    } catch {
        return null;
    }
}

// Names the page after its only input, or after the folder that all inputs share.
function buildTitle(data) {
    const isOne = data.traces.length === 1;
    if (data.traces.length === 0) return;
    const name = visible(isOne ? baseName(data.traces[0].trace) : page.folder.replace(/\/$/, ''));
    const count = isOne ? '' : plural(data.traces.length, 'input');
    const words = name === '' ? count : count === '' ? name : count + ' in ' + name;
    document.title = words + ' - tracepipe report';
    const path = isOne ? data.traces[0].trace : page.folder;
    document
        .querySelector('h1')
        .append(': ', el('span', {class: 'of', title: titleOf(visible(path))}, words));
}

function buildSummary(data) {
    const parts = [
        [plural(data.trace_count, 'trace'), 'inputs that were read'],
        [formatNs(data.duration_ns) + ' of trace', 'sum of the durations of all traces'],
        [plural(data.events, 'event'), 'events that were read'],
        [formatBytes(data.stream_bytes), 'bytes of the traces; as stored: ' + formatBytes(data.stored_bytes)],
    ];
    if (data.wall_start !== null) {
        const end =
            data.wall_end.slice(0, 10) === data.wall_start.slice(0, 10)
                ? data.wall_end.slice(11, 23)
                : formatWall(data.wall_end);
        parts.push([
            formatWall(data.wall_start) +
                ' to ' +
                end +
                ' UTC' +
                (data.wall_trace_count < data.trace_count
                    ? ` (${formatCount(data.wall_trace_count)} of the traces have a wall clock)`
                    : ''),
            'first begin to last end',
        ]);
    }
    if (data.doubt_count > 0)
        parts.push([
            plural(data.doubt_count, 'event') + ' in doubt',
            'events that contradict earlier ones: a fault of the tracer of Go; the later ones are used',
        ]);
    const summary = document.getElementById('summary');
    summary.append(...parts.map(([text, title]) => el('span', {title}, text)));
    const bad = [];
    if (data.damaged_count > 0) bad.push(formatCount(data.damaged_count) + ' damaged');
    if (data.refused_count > 0) bad.push(formatCount(data.refused_count) + ' refused');
    if (data.inconsistent_clocks.length > 0)
        bad.push(plural(data.inconsistent_clocks.length, 'inconsistent clock'));
    const lost = data.lost_bytes + data.unordered_bytes;
    if (bad.length > 0) {
        summary.append(
            button(
                bad.join(', ') + (lost > 0 ? ', ' + formatBytes(lost) + ' lost' : ''),
                () => goTo('files'),
                {class: 'chip bad', title: 'Show the files'}
            )
        );
    }
}

function buildFrame(data) {
    const nav = document.getElementById('nav'),
        sections = document.getElementById('sections');
    for (const s of SECTIONS) {
        const count = s.count ? s.count(data) : 0;
        nav.append(
            el(
                'a',
                {
                    href: '#' + s.id,
                    onclick: e => {
                        e.preventDefault();
                        goTo(s.id);
                    },
                },
                s.title,
                count > 0 ? el('span', {class: 'count'}, formatCount(count)) : null
            )
        );
        sections.append(
            el(
                'section',
                {id: s.id, 'aria-labelledby': 'title-' + s.id},
                el('h2', {id: 'title-' + s.id, tabindex: '-1'}, s.title),
                el('div', {class: 'body empty'})
            )
        );
    }
}

function watch() {
    const near = new IntersectionObserver(
        entries => {
            for (const entry of entries) {
                if (entry.isIntersecting) {
                    buildSection(entry.target.id);
                    near.unobserve(entry.target);
                }
            }
        },
        {rootMargin: '600px 0px'}
    );
    const nav = document.getElementById('nav');
    const links = new Map(SECTIONS.map((s, i) => [s.id, nav.children[i]]));
    const seen = () => {
        const id = currentSection();
        for (const [key, link] of links) {
            if (key !== id) {
                link.removeAttribute('aria-current');
            } else if (!link.hasAttribute('aria-current')) {
                link.setAttribute('aria-current', 'true');
                nav.scrollLeft = link.offsetLeft - nav.offsetLeft - 40;
            }
        }
    };
    for (const s of SECTIONS) near.observe(document.getElementById(s.id));
    addEventListener('scroll', seen, {passive: true});
    seen();
}

function currentSection() {
    // The last sections may be too short to reach the top: after a jump the aim counts.
    if (page.aimed !== null && Math.abs(scrollY - page.aimed.y) < 3) return page.aimed.id;
    page.aimed = null;
    const limit = document.getElementById('bar').offsetHeight + 80;
    const isEnd = scrollY > 0 && scrollY + innerHeight >= document.body.scrollHeight - 2;
    let current = SECTIONS[0].id;
    for (const s of SECTIONS) {
        const {top} = document.getElementById(s.id).getBoundingClientRect();
        if (top <= (isEnd ? innerHeight / 2 : limit)) current = s.id;
    }
    return current;
}

const THEMES = ['auto', 'light', 'dark'];

function setTheme(theme) {
    if (theme === 'auto') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    document.getElementById('theme').textContent = theme;
    recolour();
}

function recolour() {
    for (const view of [...timeViews]) view.recolour();
    if (hosts !== null) hosts.recolour();
    if (flame !== null) flame.view.draw();
}

const KEYS = [
    ['/', 'filter all tables'],
    ['j, k', 'next, previous section'],
    ['Esc', 'clear the filter, close this'],
    ['?', 'these keys'],
    ['Tab', 'next button, link or table'],
    ['arrows, Enter, Backspace', 'in a flame graph: move, zoom, go back'],
    ['Enter, Shift-Enter', 'in the search of a flame graph: next, previous'],
];

function buildHelp() {
    const help = document.getElementById('help');
    help.append(
        el('h2', {id: 'help-title'}, 'Keys'),
        el(
            'dl',
            {class: 'keys'},
            KEYS.map(([key, text]) => el('div', {}, el('dt', {}, el('kbd', {}, key)), el('dd', {}, text)))
        ),
        el(
            'p',
            {},
            'A filter is text or a regular expression, in any case. A click on a row shows its details, ' +
                'on a head sorts. The pointer on a head or a bar tells how it is computed.'
        ),
        button('close', () => help.close())
    );
    document.getElementById('help-open').addEventListener('click', () => help.showModal());
    help.addEventListener('click', e => {
        if (e.target === help) help.close();
    });
}

function step(by) {
    const at = SECTIONS.findIndex(s => s.id === currentSection());
    const next = SECTIONS[at + by];
    if (next) goTo(next.id);
    else scrollTo(0, by < 0 ? 0 : document.body.scrollHeight);
}

function onKey(event) {
    const search = document.getElementById('search');
    if (event.ctrlKey || event.altKey || event.metaKey || document.getElementById('help').open) return;
    if (event.key === 'Escape') {
        search.value = '';
        setQuery('');
        document.activeElement.blur();
        return;
    }
    if (event.target.closest('input, select, textarea')) return;
    const actions = {
        '/': () => search.focus(),
        j: () => step(1),
        k: () => step(-1),
        '?': () => document.getElementById('help').showModal(),
    };
    if (actions[event.key]) {
        event.preventDefault();
        actions[event.key]();
    }
}

function buildAll() {
    for (const s of SECTIONS) buildSection(s.id);
}

// The width between the margins of A4 and of letter, in px; page.css has the same number.
const SHEET_WIDTH = 960;

// Makes what is wider than a sheet smaller. Charts keep the width they were drawn for: they would be drawn
// again too late.
function fitSheet(isOn) {
    const root = document.documentElement,
        charts = [...document.querySelectorAll('.charts')],
        tables = [...document.querySelectorAll('.scroll > table')];
    charts.forEach((node, i) => (node.style.width = isOn ? charts[i].offsetWidth + 'px' : ''));
    if (isOn) root.dataset.printing = '';
    else delete root.dataset.printing;
    const fit = node => {
        const room = node.closest('.pane') ? SHEET_WIDTH - 40 : SHEET_WIDTH;
        const wide = node.offsetWidth;
        return isOn && wide > room ? room / wide : '';
    };
    for (const nodes of [charts, tables]) {
        const zooms = nodes.map(fit);
        nodes.forEach((node, i) => (node.style.zoom = zooms[i]));
    }
}

// Canvases keep the colours they were drawn with: on paper light ones.
function setPrinting(isOn) {
    if (isOn) buildAll();
    fitSheet(isOn);
    recolour();
}

// The rest is built when nothing else is to do, so that the search of the browser finds it.
function buildRest() {
    const left = SECTIONS.find(s => !page.built.has(s.id));
    if (!left) return;
    const later = window.requestIdleCallback || (run => setTimeout(run, 200));
    later(() => {
        buildSection(left.id);
        buildRest();
    });
}

async function start() {
    const search = document.getElementById('search'),
        report = document.getElementById('text-report');
    report.open = false;
    try {
        page.data = await readData();
    } catch (error) {
        console.error(error);
        document
            .getElementById('sections')
            .append(
                el(
                    'p',
                    {class: 'card'},
                    'The data of this page cannot be read: ' + error.message + '. The text report is below.'
                )
            );
        report.open = true;
        return;
    }
    SECTIONS.splice(0, SECTIONS.length, ...SECTIONS.filter(s => !s.isOff || !s.isOff(page.data)));
    page.folder = commonFolder(page.data.traces.map(t => t.trace));
    buildTitle(page.data);
    buildSummary(page.data);
    buildFrame(page.data);
    document.getElementById('foot').append(...buildFoot(page.data));
    buildHelp();
    let timer = 0;
    search.addEventListener('input', () => {
        clearTimeout(timer);
        timer = setTimeout(() => {
            setQuery(search.value);
            dispatchEvent(new Event('scroll'));
        }, 120);
    });
    document
        .getElementById('theme')
        .addEventListener('click', e =>
            setTheme(THEMES[(THEMES.indexOf(e.target.textContent) + 1) % THEMES.length])
        );
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', recolour);
    addEventListener('keydown', onKey);
    addEventListener('beforeprint', () => setPrinting(true));
    addEventListener('afterprint', () => setPrinting(false));
    watch();
    const [wanted, trace] = location.hash.slice(1).split('/');
    if (SECTIONS.some(s => s.id === wanted)) goTo(wanted);
    if (hosts !== null && trace !== undefined) hosts.openTrace(decodeAddress(trace));
    setTimeout(buildRest, 300);
}

document.addEventListener('DOMContentLoaded', start);
