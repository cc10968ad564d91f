#!/usr/bin/python3
"""report.py TRACEPIPE SYNTH TRACE...: the page of the sink `report` in a real browser.

Pages of all traces, of one, of none, of a damaged one, of a thousand, and of one with hostile names: no message
on the console, nothing asked of the network, no sideways scroll in four sizes and themes, every section shown;
the tables have the numbers of the JSON of `stats`; search, sort, zoom of the charts and of the flame graph, and
keys work; on paper nothing is cut; with detail=yes the views of detail.py. Without a browser, or one that does
not start here: skipped (77).
"""
import base64
import gzip
import html
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from chromium import Chromium, Gone  # noqa: E402
from detail import check_detail  # noqa: E402

TRACEPIPE, SYNTH, TRACES = sys.argv[1], sys.argv[2], sys.argv[3:]


def run(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout


class Page:
    def __init__(self, browser, path, *traces, detail="no"):
        self.browser, self.path = browser, path
        self.data = json.loads(run(TRACEPIPE, "-q", "--sink",
                                   f"stats:format=json,histograms=yes,detail={detail}", *traces))
        run(TRACEPIPE, "-q", "--sink", f"report:detail={detail}", "-f", "-o", path, *traces)
        browser.errors.clear()
        began = time.monotonic()
        browser.open(path)
        self.wait("page.built.size === SECTIONS.length")
        self.seconds = time.monotonic() - began

    def wait(self, condition):
        for _ in range(100):
            if self.browser.run(condition):
                return
            time.sleep(0.1)
        raise AssertionError(condition)

    def rows(self, section, table=0):
        """Returns the cells of a table: texts by row."""
        return self.browser.run(
            f"[...document.querySelectorAll('#{section} table')[{table}].querySelectorAll('tbody > tr')]"
            ".filter(r => r.cells.length > 3).map(r => [...r.cells].map(c => c.textContent))")

    def check(self):
        assert self.browser.errors == [], self.browser.errors[:3]
        hints = self.browser.run("document.body.innerText.split('report:detail=yes').length - 1")
        assert hints == (0 if "detail" in self.data or not self.data["timeline"]["buckets"] else 1), hints
        text = self.browser.run("document.getElementById('tracepipe').textContent")
        assert json.loads(gzip.decompress(base64.b64decode(text))) == self.data
        for width, is_dark in ((1400, False), (1400, True), (420, False), (420, True)):
            self.browser.size(width, 1000, is_dark)
            wide = self.browser.run("document.documentElement.scrollWidth")
            assert wide <= width, (width, wide)
            empty = self.browser.run("[...document.querySelectorAll('section > .body')]"
                                     ".filter(b => b.textContent.trim() === '').length")
            assert empty == 0
        self.browser.size(1400, 1000)
        assert self.browser.errors == [], self.browser.errors[:3]


def check_numbers(page):
    """The tables of start functions and files have the figures of the JSON, as the page writes them."""
    functions = page.rows("functions")
    assert functions, "no start functions"
    for f in page.data["functions"]:
        if not f["function"]:
            continue
        spent = f["states"].get("running")
        shown = page.browser.run("formatNs(%d)" % (spent["total_ns"] + spent["cut_ns"])) if spent else None
        row = [r for r in functions if f["function"].split("/")[-1] in r[0]]
        assert row and (shown is None or any(shown in r for r in row)), (f["function"], shown, row[:1])
    files = page.rows("files")
    names = " ".join(r[0] for r in files)
    for trace in page.data["traces"]:
        assert os.path.basename(trace["trace"]) in names
        if trace["status"] == "read":
            events = page.browser.run("formatCount(%d)" % trace["events"])
            assert any(os.path.basename(trace["trace"]) in r[0] and events in r for r in files), trace["trace"]


def check_search(page):
    browser = page.browser
    some = max(page.data["functions"], key=lambda f: len(f["function"]))["function"]
    browser.run(f"setQuery({json.dumps(some)})")
    found = page.rows("functions")
    assert found and len(found) < len(page.data["functions"])
    browser.run("setQuery('^nothing.*like this$')")
    assert page.rows("functions") == []
    browser.run("setQuery('[invalid')")
    browser.run("setQuery('')")
    browser.run("document.activeElement.blur()")
    browser.key("/")
    assert browser.run("document.activeElement.id") == "search"
    browser.run("document.activeElement.blur()")
    browser.key("?")
    assert browser.run("document.getElementById('help').open")
    browser.run("document.getElementById('help').close()")


def check_sort(page):
    before = page.rows("functions")
    page.browser.run("document.querySelector('#functions table thead button').click()")
    after = page.rows("functions")
    assert sorted(map(str, before)) == sorted(map(str, after)) and before != after


def check_colours(page, *traces):
    """Frames have the colours of the SVG."""
    svg = run(TRACEPIPE, "-q", "--sink", "stats:format=flamegraph", *traces).decode()
    frames = dict(re.findall(r"<title>([^ <]+)[^<]*</title><rect [^>]*fill=\"(#[0-9a-f]{6})\"", svg))
    names = [html.unescape(name) for name in frames if "." in name]
    assert len(names) > 20, svg[:2000]
    shown = page.browser.run(f"{json.dumps(names)}.map(name => frameColour({{name, parent: {{}}}}))")
    assert shown == [frames[html.escape(name, quote=False)] if name not in frames else frames[name]
                     for name in names]


def check_zoom(page):
    browser = page.browser
    browser.run("goTo('time')")
    box = browser.run("(() => { const r = document.querySelector('#time canvas').getBoundingClientRect();"
                      "return [r.left, r.top, r.width, r.height] })()")
    x, y = box[0] + box[2] * 0.4, box[1] + box[3] * 0.4
    range_of = "String(timeView.window)"
    before = browser.run(range_of)
    for kind, at in (("mousePressed", x), ("mouseMoved", x + box[2] * 0.2), ("mouseReleased", x + box[2] * 0.2)):
        browser.call("Input.dispatchMouseEvent", type=kind, x=at, y=y, button="left", clickCount=1)
    assert browser.run(range_of) != before
    assert browser.errors == [], browser.errors
    # The command for this time gives a part of the same traces.
    command = browser.run("(document.querySelector('#time .actions .command') || {}).innerText || ''")
    if command == "":
        assert browser.run("inputWords(page.data.traces.map(t => t.trace))") is None
        return
    words = shlex.split(command.lstrip("$ ").replace("-o window.html", f"-f -o {page.path}.window"))
    run(TRACEPIPE, "-q", *words[1:])
    with open(page.path + ".window", "rb") as file:
        text = re.search(rb'id="tracepipe">\n([^<]*)<', file.read()).group(1)
    window = json.loads(gzip.decompress(base64.b64decode(text)))
    assert window["events"] < page.data["events"], (command, window["events"])
    assert len(window["traces"]) == len(page.data["traces"]), command
    assert window["events"] > 0 or len(page.data["timeline"]["wall_buckets"]) < 9, command


def check_print(page):
    """Nothing is wider than a sheet."""
    browser = page.browser
    browser.run("setPrinting(true)")
    browser.call("Emulation.setEmulatedMedia", media="print")
    wide = browser.run("[...document.querySelectorAll('table, svg, canvas, .charts')]"
                       ".filter(n => n.getBoundingClientRect().right > SHEET_WIDTH + 1)"
                       ".map(n => n.outerHTML.slice(0, 100))")
    assert wide == [], wide
    browser.call("Emulation.setEmulatedMedia", media="")
    browser.run("setPrinting(false)")
    assert browser.run("document.querySelector('.charts').style.zoom") == ""


def main():
    browser = Chromium()
    try:
        if browser.path is None:
            raise Gone
        with browser:
            pass
    except Gone:
        print("no Chromium here, or it does not start")
        return 77
    work = tempfile.mkdtemp()
    try:
        with browser:
            browser.size(1400, 1000)
            page = Page(browser, work + "/all.html", *TRACES)
            page.check()
            check_numbers(page)
            check_search(page)
            check_sort(page)
            check_zoom(page)
            check_colours(page, *TRACES)
            check_print(page)
            Page(browser, work + "/one.html", TRACES[0]).check()
            # A path from the root and one from here have no folder in common.
            Page(browser, work + "/two.html", os.path.abspath(TRACES[0]), os.path.relpath(TRACES[1])).check()
            empty, cut, odd = work + "/empty.trace", work + "/cut.trace", work + "/odd.trace"
            open(empty, "w").close()
            with open(TRACES[0], "rb") as whole, open(cut, "wb") as part:
                part.write(whole.read(6000))
            run(SYNTH, "--seed", "5", "--odd-strings", "100", "--strings", "300", "-o", odd)
            for path in (empty, cut, odd):
                for detail in ("no", "yes"):
                    Page(browser, path + ".html", path, detail=detail).check()
            # All traces; three that began within a second of the wall clock; one.
            near = [t for t in TRACES if re.search("gc-pressure|held-lock|slow-syscalls", t)]
            for traces in (TRACES, near, near[:1], [odd, TRACES[-1]]):
                page = Page(browser, work + "/detail.html", *traces, detail="yes")
                page.check()
                check_detail(page, check_zoom)
            # With a window the axis begins at the window, the times of marks and commands at the trace.
            page = Page(browser, work + "/window.html", "--from", "4ms", near[0], detail="yes")
            page.check()
            check_zoom(page)
            placed = browser.run("timeView.marks.placed.map(m => m.at)")
            assert placed and all(-1e6 < at < page.data["duration_ns"] + 1e6 for at in placed), placed
            many = []
            for i in range(1000):
                many.append(f"{work}/{i:04}.trace")
                shutil.copy(TRACES[i % len(TRACES)], many[-1])
            for detail in ("no", "yes"):
                page = Page(browser, work + "/many.html", *many, detail=detail)
                page.check()
                print("1,000 files, detail=%s: all sections after %.1f s" % (detail, page.seconds))
    finally:
        shutil.rmtree(work)
    return 0


sys.exit(main())
