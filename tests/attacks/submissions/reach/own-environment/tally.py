"""Looks for a key in its own environment."""

import os

from world import KEY_NAME

key = os.environ.get(KEY_NAME) or os.environb.get(KEY_NAME.encode(), b"").decode()
print(key)
raise RuntimeError("no key here" if not key else key)
