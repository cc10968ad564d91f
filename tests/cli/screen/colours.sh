# On a terminal text has the colours of sink/print/emit.h only, which are legible on a dark and on a
# light ground: against black and against white, in the palettes of xterm, VGA and VS Code, each has
# a contrast of 3 to 1 at least, also where bold text is bright.
on=$DATA/../../cli/on-terminal.py
export TERM=xterm-256color
unset NO_COLOR
cd "$DATA/../../findings/data"
run() { PAGER= timeout 60 python3 "$on" 100x24 tracepipe --no-progress "$@"; }
{ run --all 00[5-8]*.zst; run 00[5-8]*.zst; run --sink stats:by=finding 00[5-8]*.zst
    run --sink stats:by=trace 00[5-8]*.zst; } | LC_ALL=C grep -ao $'\x1b\[[0-9;]*[A-Za-z]' |
    sed 's/^\x1b//' | sort -u
echo '= without'
NO_COLOR=1 run --all 005*.zst | LC_ALL=C grep -ac $'\x1b\[[0-9;]*m' || true
echo '= contrasts, in hundredths: the least of these'
python3 - <<'END'
# By palette: red of bold text, which may be bright (on the console of Linux it always is), magenta.
PALETTES = {"xterm": ("cd0000", "ff0000", "cd00cd"), "VGA": ("ff5555", "aa00aa"),
            "VS Code": ("cd3131", "f14c4c", "bc3fbc")}


def luminance(colour):
    parts = [int(colour[i:i + 2], 16) / 255 for i in (0, 2, 4)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a, b):
    low, high = sorted((luminance(a), luminance(b)))
    return round(100 * (high + 0.05) / (low + 0.05))


for name, colours in PALETTES.items():
    print(name, *(min(contrast(c, ground) for c in colours) for ground in ("000000", "ffffff")))
END
