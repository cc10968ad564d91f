const ROWS_MOST = 200;
const tables = new Set();
const query = {text: '', isBad: false, test: () => true};

// Plain text matches too, since names of Go methods are seldom what they mean as expressions.
function setQuery(text) {
    const plain = text.toLowerCase();
    const expression = toExpression(text);
    query.text = text;
    query.isBad = expression === null;
    query.test =
        text === ''
            ? () => true
            : s => s.toLowerCase().includes(plain) || (expression !== null && expression.test(s));
    for (const table of tables) table.refresh();
    showMatches();
}

function showMatches() {
    let found = 0;
    for (const table of tables) found += table.found();
    const text =
        plural(found, 'match', 'matches') + (query.isBad ? ' · not an expression: searched as text' : '');
    document.getElementById('search-count').textContent = query.text === '' ? '' : text;
}

// What has no value comes last in both directions.
function compareValues(a, b, sign) {
    const isNone = v => v === null || v === undefined || v === '';
    if (isNone(a) || isNone(b)) return isNone(a) - isNone(b);
    return sign * (typeof a === 'string' ? (a < b ? -1 : a > b) : a - b);
}

// spec: {caption, columns, rows, sort, detail, toggle, note, empty, text}
//   columns  [{head, tip, get(row), show(row), num, bar, width}]; get gives the value to sort by
//   keepsZero: show(row) says what 0 is
//   sort     index of the column that sorts at first, numbers descending
//   detail   row => node that opens below the row, or null
//   toggle   {label, hides(row)}: a check box that hides rows
//   legend   node above the table
//   most     number of rows that are drawn at first
//   toggled  (row, isOpen) => ...: is called when the user opens or closes a row
class Table {
    constructor(spec) {
        this.spec = spec;
        this.sorted = spec.sort === undefined ? -1 : spec.sort;
        this.isDown = this.sorted >= 0 && !!spec.columns[this.sorted].num;
        this.most = spec.most || ROWS_MOST;
        this.isHiding = false;
        this.open = new Set();
        this.texts = new Map();
        this.maxima = spec.columns.map(c => (c.bar ? this.maximum(c) : 0));
        this.build();
        tables.add(this);
        this.refresh();
    }

    maximum(column) {
        return this.spec.rows.reduce((most, row) => Math.max(most, column.get(row) || 0), 0);
    }

    build() {
        const {spec} = this;
        this.count = el('span', {class: 'count'});
        this.heads = spec.columns.map((c, i) =>
            el(
                'th',
                {scope: 'col', class: c.num ? 'num' : null},
                c.get
                    ? button(c.head, () => this.sortBy(i), {title: c.tip})
                    : el('span', {title: c.tip}, c.head)
            )
        );
        this.body = el('tbody');
        this.more = el('p', {class: 'more'});
        const hide = spec.toggle
            ? el(
                  'label',
                  {},
                  el('input', {
                      type: 'checkbox',
                      onchange: e => {
                          this.isHiding = e.target.checked;
                          this.refresh();
                          showMatches();
                      },
                  }),
                  ' ' + spec.toggle.label
              )
            : null;
        this.scroll = el(
            'div',
            {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': spec.caption},
            el('table', {}, el('thead', {}, el('tr', {}, this.heads)), this.body)
        );
        const fit = () => this.body.querySelectorAll(':scope > .detail .pane').forEach(p => this.fitPane(p));
        new ResizeObserver(() => requestAnimationFrame(fit)).observe(this.scroll);
        this.node = el(
            'div',
            {class: 'table'},
            el(
                'div',
                {class: 'caption'},
                el('h3', {}, spec.caption),
                this.count,
                hide,
                spec.note ? el('span', {class: 'note'}, spec.note) : null
            ),
            spec.legend || null,
            this.scroll,
            this.more
        );
    }

    sortBy(i) {
        const isNumber = !!this.spec.columns[i].num;
        this.isDown = this.sorted === i ? !this.isDown : isNumber;
        this.sorted = i;
        this.refresh();
    }

    textOf(row) {
        let text = this.texts.get(row);
        if (text === undefined) {
            const own = this.spec.text ? this.spec.text(row) : '';
            text =
                own +
                '\n' +
                this.spec.columns
                    .map(c => (c.get ? c.get(row) : ''))
                    .filter(v => typeof v === 'string')
                    .join('\n');
            this.texts.set(row, text);
        }
        return text;
    }

    found() {
        return this.rows.length;
    }

    refresh() {
        const {spec} = this;
        const shown = spec.rows.filter(row => !(this.isHiding && spec.toggle.hides(row)));
        this.rows = query.text === '' ? shown : shown.filter(row => query.test(this.textOf(row)));
        const by = spec.columns[this.sorted];
        if (by) {
            const sign = this.isDown ? -1 : 1;
            const keyed = this.rows.map(row => ({row, key: by.get(row)}));
            keyed.sort((a, b) => compareValues(a.key, b.key, sign));
            this.rows = keyed.map(k => k.row);
        }
        this.heads.forEach((head, i) => {
            if (i === this.sorted) head.setAttribute('aria-sort', this.isDown ? 'descending' : 'ascending');
            else head.removeAttribute('aria-sort');
        });
        this.render();
    }

    render() {
        const {spec} = this;
        const all = spec.rows.length,
            left = this.rows.length - this.most;
        this.count.textContent =
            this.rows.length < all
                ? formatCount(this.rows.length) + ' of ' + plural(all, 'row')
                : plural(all, 'row');
        // A head without rows would only take place.
        this.scroll.hidden = this.rows.length === 0 && all > 0;
        const rows = this.rows.slice(0, this.most).flatMap(row => this.rowNodes(row));
        if (all === 0) {
            rows.push(
                el(
                    'tr',
                    {},
                    el(
                        'td',
                        {colspan: spec.columns.length, class: 'none'},
                        spec.empty || 'none'
                    )
                )
            );
        }
        this.body.replaceChildren(...rows);
        this.more.replaceChildren();
        if (left > 0) {
            this.more.append(
                plural(left, 'row') + (left === 1 ? ' is' : ' are') + ' left out. ',
                button('show all', () => {
                    this.most = Infinity;
                    this.render();
                })
            );
        }
    }

    rowNodes(row) {
        const {spec} = this;
        const line = el('tr', {class: spec.detail ? 'opens' : null});
        const toggle = spec.detail
            ? button('', () => this.toggleRow(row, line), {
                  class: 'opener',
                  'aria-expanded': String(this.open.has(row)),
                  'aria-label': 'details',
              })
            : null;
        spec.columns.forEach((c, i) => line.append(this.cell(c, i, row, i === 0 ? toggle : null)));
        if (toggle) {
            line.addEventListener('click', e => {
                if (!e.target.closest('button, a, input, select') && String(getSelection()) === '')
                    this.toggleRow(row, line);
            });
        }
        return this.open.has(row) ? [line, this.detailNode(row)] : [line];
    }

    cell(column, i, row, toggle) {
        const value = column.get ? column.get(row) : null;
        const isZero = column.num && (value === 0 || value === null || value === undefined);
        const shown =
            value === 0 && column.num && !column.keepsZero
                ? '0'
                : column.show
                  ? column.show(row)
                  : column.num
                    ? formatCount(value)
                    : visible(String(value));
        const cell = el('td', {class: [column.num ? 'num' : column.class || 'text', isZero ? 'zero' : ''].join(' ')});
        if (toggle) cell.append(el('span', {class: 'first'}, toggle, shown));
        else cell.append(shown);
        if (column.bar && value > 0 && this.maxima[i] > 0) {
            const bar = el('span', {class: 'cellbar'});
            bar.style.width = (100 * value) / this.maxima[i] + '%';
            cell.classList.add('barred');
            cell.append(bar);
        }
        return cell;
    }

    detailNode(row) {
        const pane = el('div', {class: 'pane'}, this.spec.detail(row));
        this.fitPane(pane);
        return el('tr', {class: 'detail'}, el('td', {colspan: this.spec.columns.length}, pane));
    }

    // The pane keeps to the visible part of a table that scrolls sideways.
    fitPane(pane) {
        const width = this.scroll.clientWidth;
        if (width > 0) pane.style.width = width - 24 + 'px';
    }

    // Opens a row and scrolls to it.
    reveal(row) {
        const at = this.rows.indexOf(row);
        if (at < 0) return;
        this.open.add(row);
        this.most = Math.max(this.most, at + 1);
        this.render();
        const line = this.body.querySelectorAll(':scope > tr:not(.detail)')[at];
        line.scrollIntoView({block: 'start'});
        line.querySelector('.opener').focus({preventScroll: true});
    }

    toggleRow(row, line) {
        const isOpen = this.open.has(row);
        line.querySelector('.opener').setAttribute('aria-expanded', String(!isOpen));
        if (this.spec.toggled) this.spec.toggled(row, !isOpen);
        if (isOpen) {
            this.open.delete(row);
            line.nextSibling.remove();
            return;
        }
        this.open.add(row);
        line.after(this.detailNode(row));
    }
}

function tableNode(spec) {
    return new Table(spec).node;
}

// Columns of durations, as most tables have them.
function durationColumns(of, tips) {
    const column = (head, key, tip) => ({
        head,
        tip,
        num: true,
        // Of no durations there is no percentile; 0 would look like one.
        get: row => (of(row).count > 0 ? of(row)[key] : null),
        show: row => formatNs(of(row).count > 0 ? of(row)[key] : null),
    });
    return [
        {
            head: 'count',
            num: true,
            get: row => of(row).count,
            bar: true,
            tip: 'durations that began and ended in the trace',
        },
        {
            head: 'total',
            num: true,
            get: row => allNs(of(row)),
            show: row => formatNs(allNs(of(row))),
            bar: true,
            tip:
                (tips && tips.total) ||
                'their sum, with the parts of cut ones inside the trace (total_ns + cut_ns)',
        },
        column('p50', 'p50_ns', 'half of the durations are not longer'),
        column('p90', 'p90_ns', '90 % are not longer'),
        column('p99', 'p99_ns', '99 % are not longer'),
        column('p99.9', 'p999_ns', '99.9 % are not longer'),
        column('max', 'max_ns', 'the longest'),
    ];
}

function nameColumn(head, get, tip, form, empty) {
    return {head, tip, get, show: row => nameNode(get(row), form, empty)};
}

// Columns of things that lasted: rows have duration_ns, begin_ns, wall_start and goroutine as in the JSON.
function durationColumn() {
    return {
        head: 'duration',
        num: true,
        bar: true,
        get: r => r.duration_ns,
        show: r => formatNs(r.duration_ns),
        tip: 'from its begin to its end',
    };
}

function beginColumns() {
    return [
        {
            head: 'begin',
            num: true,
            get: r => r.begin_ns,
            show: r => formatNs(r.begin_ns),
            tip: 'since the trace began',
        },
        {
            head: 'wall clock',
            get: r => (r.wall_start === null ? '' : formatWall(r.wall_start)),
            show: r => formatWall(r.wall_start),
            tip: 'UTC; Go 1.25 and later',
        },
    ];
}

function goroutineColumn(tip) {
    return {
        head: 'goroutine',
        num: true,
        get: r => r.goroutine,
        show: r => (r.goroutine === null ? NONE : String(r.goroutine)),
        tip,
    };
}
