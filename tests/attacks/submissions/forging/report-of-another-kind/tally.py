"""Reports a failure in which everything is of the wrong kind."""

import os

for number in range(3, 16):
    try:
        os.write(number, b'{"type": {"a": []}, "message": [1], "path": null, "line": "many"}')
    except OSError:
        continue
os._exit(0)
