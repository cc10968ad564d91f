const FRAME_PX = 18,
    LEAST_PX = 0.6,
    LABEL_PX = 28,
    VIEW_ROWS_LEAST = 6;

// Draws the tree of a flame on a canvas, the root on top. The owner says the figures of a frame.
class FlameView {
    constructor(owner) {
        this.owner = owner;
        this.root = null;
        this.zoomed = null;
        this.selected = null;
        this.boxes = [];
        this.matches = [];
        this.canvas = el('canvas', {
            tabindex: '0',
            role: 'application',
            'aria-label': 'Flame graph. Arrow keys move, Enter zooms, Backspace goes back.',
            onclick: e => this.click(e),
            onmousemove: e => this.hover(e),
            onmouseleave: () => this.tell(this.selected),
            onkeydown: e => this.key(e),
        });
        this.scroll = el('div', {class: 'flame-scroll'}, this.canvas);
        this.crumbs = el('div', {class: 'crumbs', 'aria-label': 'callers of the zoomed frame'});
        this.info = el('div', {class: 'flame-info', 'aria-live': 'polite'});
        this.node = el('div', {}, this.crumbs, this.scroll, this.info);
        this.width = 0;
        new ResizeObserver(() => {
            if (this.scroll.clientWidth !== this.width) this.draw();
        }).observe(this.scroll);
    }

    setRoot(root, measure) {
        this.root = root;
        this.measure = measure;
        this.zoomed = root;
        this.selected = null;
        this.draw();
        this.tell(null);
    }

    setSearch(text) {
        const plain = text.toLowerCase();
        const expression = toExpression(text);
        this.test =
            text === ''
                ? null
                : name =>
                      name.toLowerCase().includes(plain) || (expression !== null && expression.test(name));
        this.matches = [];
        this.at = -1;
        if (this.test && this.root) this.collect(this.root);
        this.matches.sort((a, b) => b[this.measure] - a[this.measure]);
        const sum = this.matches.reduce((total, node) => total + node[this.measure], 0);
        this.owner.found.textContent = !this.test
            ? ''
            : this.matches.length === 0
              ? 'not found' + (expression === null ? ' (not an expression: searched as text)' : '')
              : plural(this.matches.length, 'match', 'matches') +
                ', ' +
                formatShare(sum, this.root[this.measure]);
        this.draw();
    }

    // Only the outermost match of a stack, so that nothing counts twice.
    collect(node) {
        if (node.parent !== null && node[this.measure] > 0 && this.test(node.name)) {
            this.matches.push(node);
            return;
        }
        for (const child of node.children.values()) this.collect(child);
    }

    nextMatch(step) {
        if (this.matches.length === 0) return;
        this.at =
            this.at < 0 && step < 0
                ? this.matches.length - 1
                : (this.at + step + this.matches.length) % this.matches.length;
        const node = this.matches[this.at];
        let zoomed = node;
        // The view zooms out as far as the frame stays wide enough for its label.
        while (
            zoomed.parent !== null &&
            (node[this.measure] * this.width) / zoomed.parent[this.measure] >= 60
        )
            zoomed = zoomed.parent;
        this.selected = node;
        this.zoomed = zoomed;
        this.draw();
        this.showSelected();
        this.tell(node);
        this.owner.found.textContent = `${this.at + 1} of ` + plural(this.matches.length, 'match', 'matches');
    }

    path() {
        const nodes = [];
        for (let node = this.zoomed; node !== null; node = node.parent) nodes.unshift(node);
        return nodes;
    }

    layOut() {
        const path = this.path();
        this.boxes = [];
        path.slice(0, -1).forEach((node, row) =>
            this.boxes.push({node, x: 0, width: this.width, row, isCaller: true})
        );
        const put = (node, x, width, row) => {
            this.boxes.push({node, x, width, row, isCaller: false});
            let left = x;
            for (const child of sortedChildren(node, this.measure)) {
                const childWidth = (width * child[this.measure]) / node[this.measure];
                if (childWidth < LEAST_PX) break;
                put(child, left, childWidth, row + 1);
                left += childWidth;
            }
        };
        if (this.zoomed[this.measure] > 0) put(this.zoomed, 0, this.width, path.length - 1);
        this.rows = this.boxes.reduce((most, box) => Math.max(most, box.row + 1), VIEW_ROWS_LEAST);
    }

    draw() {
        this.width = this.scroll.clientWidth;
        if (this.root === null || this.width === 0) return;
        this.layOut();
        const scale = Math.min(2, devicePixelRatio || 1),
            height = this.rows * FRAME_PX + 1;
        this.canvas.width = this.width * scale;
        this.canvas.height = height * scale;
        this.canvas.style.height = height + 'px';
        const c = this.canvas.getContext('2d');
        c.scale(scale, scale);
        c.font = '12px ui-monospace, monospace';
        c.textBaseline = 'middle';
        for (const box of this.boxes) this.drawBox(c, box);
        if (this.root[this.measure] === 0) {
            c.fillStyle = colour('muted');
            c.fillText('no stack with a figure: choose another measure', 8, 20);
        }
        this.drawCrumbs();
    }

    drawBox(c, {node, x, width, row, isCaller}) {
        const y = row * FRAME_PX,
            isMatch = this.test && node.parent !== null && this.test(node.name);
        c.globalAlpha = isCaller || (this.test && !isMatch) ? 0.5 : 1;
        c.fillStyle = isMatch ? '#c77dff' : frameColour(node);
        c.fillRect(x, y, Math.max(LEAST_PX, width - (width > 3 ? 1 : 0)), FRAME_PX - 1);
        c.globalAlpha = 1;
        if (node === this.selected) {
            c.strokeStyle = colour('text');
            c.lineWidth = 2;
            c.strokeRect(x + 1, y + 1, Math.max(1, width - 3), FRAME_PX - 3);
        }
        if (width >= LABEL_PX) {
            const isFaded = isCaller || (this.test && !isMatch);
            c.fillStyle = isFaded ? colour('text') : '#000';
            const text = this.label(visible(node.name), Math.floor((width - 7) / 7.23));
            c.fillText(text, x + 3, y + FRAME_PX / 2);
        }
    }

    // The package is cut first: the function tells more.
    label(name, most) {
        if (name.length <= most) return name;
        const short = name.slice(packageOf(name).lastIndexOf('/') + 1);
        return short.length <= most ? short : most < 3 ? '' : short.slice(0, most - 1) + '…';
    }

    drawCrumbs() {
        const path = this.path();
        const shown = path.length > 6 ? [path[0], null, ...path.slice(-4)] : path;
        this.crumbs.replaceChildren(
            ...shown.map((node, i) =>
                node === null
                    ? el('span', {}, '…')
                    : button(nameNode(node.name), () => this.zoomTo(node), {
                          class: 'crumb',
                          'aria-current': i === shown.length - 1 ? 'true' : null,
                      })
            )
        );
        if (path.length > 1)
            this.crumbs.append(
                button('reset', () => this.zoomTo(this.root), {class: 'reset', title: 'Show all (Esc)'})
            );
    }

    zoomTo(node) {
        this.zoomed = node;
        this.selected = node;
        this.draw();
        this.tell(node);
    }

    boxAt(event) {
        const row = Math.floor(event.offsetY / FRAME_PX),
            x = event.offsetX;
        return this.boxes.find(b => b.row === row && x >= b.x && x < b.x + b.width) || null;
    }

    click(event) {
        const box = this.boxAt(event);
        if (box) this.zoomTo(box.node);
    }

    hover(event) {
        const box = this.boxAt(event);
        this.canvas.style.cursor = box ? 'pointer' : 'default';
        this.tell(box ? box.node : this.selected);
    }

    tell(node) {
        const shown = node || this.root;
        if (!shown) return;
        this.canvas.title = '';
        const at = placesText(shown);
        this.info.replaceChildren(
            el('span', {class: 'figure'}, this.owner.amount(shown, this.root)),
            ' ',
            nameNode(shown.name),
            at !== '' ? el('span', {class: 'at'}, at) : ''
        );
    }

    showSelected() {
        const box = this.boxes.find(b => b.node === this.selected);
        if (box) this.scroll.scrollTop = Math.max(0, (box.row - 4) * FRAME_PX);
    }

    key(event) {
        const node = this.selected || this.zoomed,
            siblings = node && node.parent ? sortedChildren(node.parent, this.measure) : [node];
        const moves = {
            ArrowUp: () => node.parent,
            ArrowDown: () => sortedChildren(node, this.measure)[0],
            ArrowLeft: () => siblings[siblings.indexOf(node) - 1],
            ArrowRight: () => siblings[siblings.indexOf(node) + 1],
        };
        if (event.key === 'Enter') {
            this.zoomTo(node);
        } else if (event.key === 'Backspace' || (event.key === 'Escape' && this.zoomed !== this.root)) {
            this.zoomTo(event.key === 'Escape' ? this.root : this.zoomed.parent || this.root);
            event.stopPropagation();
        } else if (moves[event.key]) {
            this.selected = moves[event.key]() || node;
            if (!this.boxes.some(b => b.node === this.selected))
                this.zoomed = this.selected.parent || this.selected;
            this.draw();
            this.showSelected();
            this.tell(this.selected);
        } else {
            return;
        }
        event.preventDefault();
    }
}
