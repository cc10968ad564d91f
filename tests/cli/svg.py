#!/usr/bin/python3
"""svg.py FILE...: says which flame graphs are not well-formed, or have frames that do not nest."""
import sys
from xml.etree import ElementTree

SVG = "{http://www.w3.org/2000/svg}"


def frames(block):
    """(x, end, y) of all frames; widths in thousandths of a pixel."""
    for group in block.findall(SVG + "g"):
        name = group.find(SVG + "title").text
        assert name.endswith(" of %s)" % block.get("data-type")), name
        rect = group.find(SVG + "rect")
        x, width = (round(1000 * float(rect.get(key))) for key in ("x", "width"))
        assert width >= 100, width
        yield x, x + width, int(rect.get("y"))


def check_block(block, height):
    rows = {}
    for frame in frames(block):
        rows.setdefault(frame[2], []).append(frame)
    lowest = max(rows)
    assert rows[lowest] == [(10000, 1190000, lowest)] and lowest + 16 <= height
    for y, row in rows.items():
        row.sort()
        assert all(left[1] <= right[0] for left, right in zip(row, row[1:])), "overlap"
        below = rows.get(y + 17, [])
        stands = (any(b[0] <= f[0] and f[1] <= b[1] for b in below) for f in row)
        assert y == lowest or all(stands), "a frame that stands on none"


def check(path):
    root = ElementTree.parse(path).getroot()
    assert root.tag == SVG + "svg" and root.get("width") == "1200"
    for block in root.findall(SVG + "g"):
        check_block(block, int(root.get("height")))


failed = False
for path in sys.argv[1:]:
    try:
        check(path)
    except (AssertionError, ElementTree.ParseError) as error:
        print(path, repr(error))
        failed = True
sys.exit(failed)
