#!/usr/bin/env python3
"""Runs a command on a pseudo terminal, and prints what it writes there.

  on-terminal.py COLUMNSxROWS [--key TEXT=BYTES]... COMMAND...

--key: as soon as the terminal has shown TEXT, BYTES are typed; '^C' is Ctrl-C, '^M' the key
for the end of a line. Each is used once, in their order. The exit status is that of the command; 128 + N if signal N ended it.
"""
import fcntl
import os
import pty
import struct
import sys
import termios


def main(words):
    columns, rows = map(int, words.pop(0).split("x"))
    keys = []
    while words[0] == "--key":
        text, _, typed = words[1].partition("=")
        keys.append((text.encode(), typed.replace("^C", "\x03").replace("^M", "\r").encode()))
        words = words[2:]
    pid, terminal = pty.fork()
    if pid == 0:
        fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        # A terminal drops at Ctrl-C what it has not shown yet, also what is printed because of it.
        modes = termios.tcgetattr(1)
        modes[3] |= termios.NOFLSH
        termios.tcsetattr(1, termios.TCSANOW, modes)
        os.execvp(words[0], words)
    seen, searched = b"", 0
    while True:
        try:
            part = os.read(terminal, 65536)
        except OSError:
            break
        if not part:
            break
        seen += part
        while keys and (at := seen.find(keys[0][0], searched)) >= 0:
            searched = at + len(keys[0][0])
            os.write(terminal, keys.pop(0)[1])
    _, status = os.waitpid(pid, 0)
    sys.stdout.buffer.write(seen.replace(b"\r\n", b"\n"))
    sys.stdout.flush()
    return os.waitstatus_to_exitcode(status) % 256 if os.WIFEXITED(status) else 128 + os.WTERMSIG(status)


sys.exit(main(sys.argv[1:]))
