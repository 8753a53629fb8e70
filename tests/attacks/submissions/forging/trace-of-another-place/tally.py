"""Hangs, and forges the trace that says where: in a file that was never handed in, on a line that is a command."""

import os

here = os.path.dirname(os.path.abspath(__file__))
for number in (4,):
    try:
        os.write(number, b'File "%s/../../../../etc/passwd", line 1 in root\nFile "%s/\x1b[31mred.py", line 7\n' % (here.encode(), here.encode()))
    except OSError:
        continue
while True:
    pass
