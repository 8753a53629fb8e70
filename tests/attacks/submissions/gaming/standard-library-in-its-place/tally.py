"""Is wrong; modules with the names of Python's own stand in their place."""

import json
import random

if not hasattr(json, "dumps") or not hasattr(random, "Random"):
    raise SystemExit("in its place")
