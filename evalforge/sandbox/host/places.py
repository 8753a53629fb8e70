"""Places in the code that a program names: it may name any, so only those in what was handed in are believed."""

from __future__ import annotations

import os


def handed_in(folder: str, path: str) -> bool:
    """Whether a path, as seen from the submission's folder, is that of a file in it."""
    # Joined to a folder, an absolute path replaces it, and one that begins with ".." leaves it.
    inside = path and os.path.normpath(path) == path and path[0] != "/" and path.partition("/")[0] != ".."
    return bool(inside) and os.path.isfile(os.path.join(folder, path))
