"""What the page shows of `detail`: each figure is one of the JSON, and the pointer, clicks and keys find it."""
import json
import os
import urllib.parse


def levels_of(detail):
    """The levels of each trace by their keys."""
    return [{**levels, **dict(zip(detail["level_keys"], levels["values"]))} for levels in detail["levels"]]


def texts(browser, selector):
    return browser.run(f"[...document.querySelectorAll({json.dumps(selector)})].map(n => n.textContent)")


def point(browser, x, y):
    browser.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)


def click(browser, selector):
    browser.run(f"document.querySelector({json.dumps(selector)}).scrollIntoView({{block: 'center'}})")
    x, y = browser.run(f"(() => {{ const r = document.querySelector({json.dumps(selector)}).getBoundingClientRect();"
                       "return [r.left + r.width / 2, r.top + r.height / 2] })()")
    for kind in ("mousePressed", "mouseReleased"):
        browser.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)


def shown(browser, function, value):
    return browser.run(f"{function}({'null' if value is None else repr(value)})")


def shown_name(browser, trace):
    return browser.run(f"visible({json.dumps(trace)}.slice(page.folder.length))")


LATENCY = "timeView.graphs.find(g => g.getLabels()[1] === 'latency')"


def cells(page):
    """The cells of the latency in the layout that is shown: (begin on the axis, row, count, sum of the column,
    whether the cell above has none)."""
    latency = page.data["detail"]["latency"]
    is_wall, origin = page.browser.run("[timeView.axis.isWall, timeView.axis.origin]")
    for bucket in latency["wall_buckets" if is_wall else "buckets"]:
        at = bucket["wall_start_ns"] - origin if is_wall else bucket["begin_ns"]
        for row, count in enumerate(bucket["counts"]):
            if count:
                yield at, row, count, sum(bucket["counts"]), sum(bucket["counts"][row + 1:row + 2]) == 0


def check_latency(page, is_zoomed=False):
    browser, latency = page.browser, page.data["detail"]["latency"]
    browser.run("goTo('time')")
    browser.run(f"{LATENCY}.graphDiv.scrollIntoView({{block: 'center'}})")
    is_wall = browser.run("timeView.axis.isWall")
    width = latency["clock_bucket_ns" if is_wall else "bucket_ns"]
    most = max(cell[2] for cell in cells(page))
    first, last = browser.run("timeView.window")
    wanted = [c for c in cells(page) if first <= c[0] and c[0] + width <= last]
    assert wanted or is_zoomed, "no cell in the window"
    for at, row, count, total, is_bordered in wanted[::max(1, len(wanted) // 30)]:
        # The middle of the cell, in px of the page; whether it, and the cell above, have the colour of the count.
        x, y, is_coloured, is_above = browser.run(
            f"(() => {{ const g = {LATENCY}, r = g.graphDiv.getBoundingClientRect();"
            f"const x = g.toDomXCoord({at + width / 2});"
            f"const part = {most} > 1 ? Math.log({count}) / Math.log({most}) : 1;"
            "const has = row => { const y = g.toDomYCoord(row), scale = devicePixelRatio;"
            "  const own = new OffscreenCanvas(1, 1).getContext('2d', {willReadFrequently: true});"
            "  own.drawImage(g.hidden_, x * scale, y * scale, 1, 1, 0, 0, 1, 1);"
            "  const [red, green, blue] = own.getImageData(0, 0, 1, 1).data;"
            "  return `rgb(${red} ${green} ${blue})` === heatOf(heatPalette(), part) };"
            f"return [r.left + x, r.top + g.toDomYCoord({row + 0.5}), has({row + 0.5}), has({row + 1.5})] }})()")
        point(browser, x, y)
        words = texts(browser, "#time .chart-head .note.figure")[0]
        figures = [shown(browser, "formatCount", n) for n in (count, total)]
        assert words.startswith("%s of %s wait" % tuple(figures)), (words, at, row, count, total)
        assert shown(browser, "formatNs", latency["rows_from_ns"][row]) in words, words
        assert is_coloured and not (is_bordered and is_above), (at, row, count)
    point(browser, 5, 5)
    assert texts(browser, "#time .chart-head .note.figure") == [""]


def check_axes(page):
    """All charts over time show one window."""
    ranges = page.browser.run("timeView.graphs.map(g => g.xAxisRange())")
    assert len(ranges) >= 4 and all(r == ranges[0] for r in ranges), ranges


def check_marks(page, layout):
    """Stops and mark phases stand where the layout can place them, and the pointer tells them."""
    browser, detail = page.browser, page.data["detail"]
    items = [(m, kind) for key, kind in (("longest_mark_phases", "mark phase"), ("longest_pauses", "stop"))
             for m in detail[key]]
    placed = browser.run("timeView.marks.placed"
                         ".map(m => [m.at + timeView.axis.origin, m.row.duration_ns, m.kind])")
    key = "wall_start_ns" if layout == "wall_clock" else "begin_ns"
    has_place = layout == "wall_clock" or page.data["trace_count"] == 1
    first = 0 if layout == "wall_clock" or not has_place else detail["levels"][0]["begin_ns"]
    wanted = [[m[key] - first, m["duration_ns"], kind] for m, kind in items if has_place and m[key] is not None]
    # A time of day in ns has more digits than a number of the page.
    assert len(placed) == len(wanted)
    for a, b in zip(placed, wanted):
        assert abs(a[0] - b[0]) < 1024 and a[1:] == b[1:], (a, b)
    for at, duration, kind in wanted[:3]:
        browser.run("{ const rows = timeView.axis.rows, at = %d - timeView.axis.origin;"
                    "let i = rows.findIndex(r => r.at > at) - 1; if (i < 0) i = rows.length - 1;"
                    "timeView.highlight(i, rows[i].at) }" % at)
        words = texts(browser, "#time .marks .figure")[0]
        assert kind in words or "other" in words, words
    browser.run("timeView.highlight(-1, 0)")
    return len(wanted)


def check_longest(page):
    detail, browser = page.data["detail"], page.browser
    captions = texts(browser, "#gc .caption h3")
    for key, omitted, caption in (("longest_pauses", "omitted_pause_count", "Longest pauses"),
                                  ("longest_mark_phases", "omitted_mark_phase_count", "Longest mark phases")):
        at = captions.index(caption)
        browser.run(f"document.querySelectorAll('#gc .table')[{at}].querySelector('.more button')?.click()")
        rows = browser.run(
            f"[...document.querySelectorAll('#gc .table')[{at}].querySelectorAll('tbody > tr')]"
            ".map(r => [...r.cells].map(c => c.textContent)).filter(r => r.length > 3)")
        assert len(rows) == len(detail[key])
        for row, item in zip(rows, sorted(detail[key], key=lambda i: -i["duration_ns"])):
            assert os.path.basename(item["trace"]) in row[0]
            assert row[1] == shown(browser, "formatNs", item["duration_ns"])
            assert "reason" not in item or browser.run(f"visible({json.dumps(item['reason'])})") in row
            assert row[-2] in (shown(browser, "formatNs", item["begin_ns"]), "0")
        note = texts(browser, "#gc .caption")[at]
        assert (shown(browser, "formatCount", detail[omitted]) + " shorter" in note) == (detail[omitted] > 0), note


def share(levels, i, key):
    """The mean of a bucket, for each P if `key` is of Ps or of goroutines that wait for one."""
    if not levels["covered_ns"][i] or not levels["gomaxprocs_ns"][i]:
        return None
    ps = levels["gomaxprocs_ns"][i] / levels["gomaxprocs_known_ns"][i]
    return levels[key][i] / levels["covered_ns"][i] / ps


MEASURES = {
    "procs": (lambda l, i: share(l, i, "procs_ns"), lambda b, v: b.run(f"formatShare({v}, 1)")),
    "runnable": (lambda l, i: share(l, i, "runnable_ns"), lambda b, v: b.run(f"formatNumber({v})")),
    "blocked": (lambda l, i: l["blocked_ns"][i] / l["covered_ns"][i] if l["covered_ns"][i] else None,
                lambda b, v: b.run(f"formatNumber({v})")),
    "heap": (lambda l, i: l["heap_bytes"][i] if l["heap_known_ns"][i] else None,
             lambda b, v: b.run(f"formatBytes({v})")),
}


def check_hosts(page):
    browser, levels = page.browser, levels_of(page.data["detail"])
    browser.run("goTo('hosts')")
    for measure, (get, show) in MEASURES.items():
        browser.run(f"{{ const s = document.querySelector('#hosts select'); s.value = '{measure}';"
                    "s.dispatchEvent(new Event('change')); hosts.table.most = Infinity; hosts.table.render() }")
        rows = page.rows("hosts")
        assert len(rows) == len(levels)
        means = {}
        for level in levels:
            known = [(get(level, i), level["covered_ns"][i]) for i in range(len(level["covered_ns"]))]
            known = [(v, c) for v, c in known if v is not None]
            mean = sum(v * c for v, c in known) / sum(c for _, c in known) if known else None
            row, = [r for r in rows if r[0] == shown_name(browser, level["trace"])]
            means[level["trace"]] = mean
            if known:
                assert row[2:4] == [show(browser, mean), show(browser, max(v for v, _ in known))], (row, measure)
            else:
                assert row[2] == "–", row
        # Sorted by the mean, descending; what is not known last.
        order = browser.run("hosts.table.rows.map(r => r.levels.trace)")
        values = [means[t] for t in order if means[t] is not None]
        assert all(a >= b - 1e-12 for a, b in zip(values, values[1:])) and None not in [
            means[t] for t in order[:len(values)]]
        some = max(levels, key=lambda l: len(l["covered_ns"]))
        check_strip(page, some, get, lambda v: show(browser, v))
    browser.run("hosts.table.sortBy(0)")
    assert browser.run("hosts.table.rows.map(r => r.levels.trace)") == sorted(l["trace"] for l in levels)


def check_strip(page, level, get, show):
    """The pointer on the row of a trace tells the value of its bucket."""
    browser, count = page.browser, len(level["covered_ns"])
    browser.run("{ const s = document.querySelectorAll('#hosts select')[1]; s.value = 'own';"
                "s.dispatchEvent(new Event('change')) }")
    at = browser.run(f"hosts.table.rows.findIndex(r => r.levels.trace === {json.dumps(level['trace'])})")
    for i in (0, count // 2, count - 1):
        browser.run("{ const n = [...document.querySelectorAll('#hosts .heat-strip')][%d],"
                    "r = n.getBoundingClientRect();"
                    "n.dispatchEvent(new MouseEvent('mousemove', {clientX: r.left + r.width * %r, bubbles: true})) }"
                    % (at, (i + 0.5) / count))
        words = texts(browser, "#hosts .heat-info")[0]
        value = get(level, i)
        assert os.path.basename(level["trace"]) in words
        assert words.endswith("not known" if value is None else show(value)), (words, i, value)


def check_trace(page):
    """A click on a row opens its trace: charts of its own levels, its figures; the address says which."""
    browser, levels = page.browser, levels_of(page.data["detail"])
    first = browser.run("hosts.table.rows[0].levels.trace")
    before = browser.run("timeViews.size")
    click(browser, "#hosts tbody tr .num")
    page.wait(f"timeViews.size > {before}")
    assert urllib.parse.unquote(browser.run("location.hash")) == "#hosts/" + first
    level = [l for l in levels if l["trace"] == first][0]
    blocks = browser.run("[...timeViews].at(-1).data.timeline.buckets")
    assert [b["running_ns"] for b in blocks] == level["running_ns"]
    assert [b["goal_bytes"] for b in blocks] == level["goal_bytes"]
    pane = texts(browser, "#hosts .pane")[0]
    trace = [t for t in page.data["traces"] if t["trace"] == first][0]
    for figure in (shown(browser, "formatNs", trace["assist_ns"]), "tracepipe --sink stats:by=finding"):
        assert figure in pane, figure
    titles = texts(browser, "#hosts .pane .chart h3")
    assert titles[0] == "Goroutines by state" and "Scheduling latency" not in titles, titles
    browser.run("document.querySelector('#hosts tbody tr .opener').click()")
    assert browser.run("location.hash") == "#hosts"
    browser.open(page.path + "?again#hosts/" + urllib.parse.quote(first, safe=""))
    page.wait("document.querySelectorAll('#hosts .pane .plot canvas').length > 0")
    page.wait("page.built.size === SECTIONS.length")


def check_sparks(page):
    browser = page.browser
    browser.run("goTo('files')")
    for level in levels_of(page.data["detail"])[:20]:
        get, show = MEASURES["heap"]
        known = [get(level, i) for i in range(len(level["covered_ns"])) if get(level, i) is not None]
        titles = browser.run(
            "[...[...document.querySelectorAll('#files tbody > tr')].find("
            f"r => r.cells[0].textContent === {json.dumps(shown_name(browser, level['trace']))})"
            ".querySelectorAll('.sparks title')].map(t => t.textContent)")
        assert len(titles) == 3
        assert titles[2].endswith("most " + (show(browser, max(known)) if known else "–")), titles


def check_gantt(page):
    """Each span and region of the slowest tasks is drawn, with its figures."""
    browser, detail = page.browser, page.data["detail"]
    browser.run("goTo('tasks')")
    for i, task in enumerate(detail["slowest_tasks"][:6]):
        browser.run("{ const box = document.createElement('div'); box.id = 'gantt'; document.body.prepend(box);"
                    f"box.append(ganttPane(page.data.detail, page.data.slowest_tasks[{i}])) }}")
        spans, regions = task["spans"], task["regions"]
        if spans or regions:
            page.wait("document.querySelector('#gantt svg') !== null")
        titles = texts(browser, "#gantt .bar title")
        assert len(titles) == len(spans)
        for span in spans:
            wanted = [span["state"], shown(browser, "formatNs", span["duration_ns"]),
                      "no goroutine" if span["goroutine"] is None else f"goroutine {span['goroutine']}",
                      browser.run(f"visible({json.dumps(span['function'])})"), span["reason"]]
            assert any(all(w in t for w in wanted) for t in titles), (wanted, titles[:3])
        for state in ("running", "runnable", "syscall"):
            bars = browser.run(f"document.querySelectorAll('#gantt .bar.c-{state}').length")
            assert bars == sum(span["state"] == state for span in spans), (state, bars)
        named = texts(browser, "#gantt .region title")
        assert len(named) == len(regions)
        for region in regions:
            assert any(shown(browser, "formatNs", region["duration_ns"]) in t for t in named), region
        note = "".join(texts(browser, "#gantt .note"))
        for key in ("omitted_span_count", "omitted_region_count"):
            assert not task[key] or shown(browser, "formatCount", task[key]) + " shorter" in note, note
        browser.run("document.getElementById('gantt').remove()")
    if detail["slowest_tasks"]:
        click(browser, "#tasks .table:nth-child(2) tbody .opener")
        page.wait("document.querySelector('#tasks .gantt .bar, #tasks .pane .none') !== null")


def check_detail(page, zoom):
    """All of the views; `zoom` narrows the window of the charts with the pointer."""
    browser = page.browser
    layouts = ["since_begin"] + ["wall_clock"] * (page.data["timeline"]["wall_buckets"] != [])
    for layout in layouts:
        browser.run("{ const s = document.querySelector('#time select[aria-label=\"time axis\"]');"
                    f"if (s) {{ s.value = '{layout}'; s.dispatchEvent(new Event('change')) }} }}")
        check_latency(page)
        check_marks(page, layout)
        zoom(page)
        check_axes(page)
        check_latency(page, is_zoomed=True)
        browser.run("timeView.zoomTo(timeView.extent())")
    check_longest(page)
    check_gantt(page)
    check_sparks(page)
    if len(page.data["detail"]["levels"]) > 1:
        check_hosts(page)
        check_trace(page)
    assert browser.errors == [], browser.errors[:3]
