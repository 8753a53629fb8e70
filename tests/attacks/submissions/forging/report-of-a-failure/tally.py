"""Reports, where failures are reported, a failure on an infinite line; and ends."""

import os

for number in range(3, 16):
    try:
        os.write(number, b'{"type": "Victory", "message": "\\ud800 all passed", "path": "../../../etc/passwd", "line": 1e999}')
    except OSError:
        continue
os._exit(0)
