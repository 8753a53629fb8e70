"""Starts threads with tiny stacks until something gives."""

import threading
import time
import sys

if "--json" in sys.argv:
    threading.stack_size(64 * 1024)
    while True:
        threading.Thread(target=time.sleep, args=(60,)).start()
