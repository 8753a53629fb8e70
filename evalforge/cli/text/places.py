"""Places in a submission as a terminal shows them: seen from the working directory, and a link to the line."""

import os
import socket
from pathlib import Path
from urllib.parse import quote

from evalforge.model.evidence import Finding


def link_place(folder: Path | None, finding: Finding) -> tuple[str, str]:
    """A finding's place and its style, which holds an OSC 8 link: terminals that know none show the words alone.

    Args:
        folder: Where the submission lies; None, or one that has gone, leaves the place as it is, without a link.
        finding: One that has a path.
    """
    path = Path(os.path.abspath(folder / finding.path)) if folder else None  # noqa: PTH100 - links stay as named
    if path is None or not path.is_file():
        return finding.place, "dim"
    here = Path.cwd()
    shown = path.relative_to(here) if path.is_relative_to(here) else path
    line = f":{finding.line}" if finding.line else ""
    # The number after the hash is what kitty and others hand to an editor; the host lets a shell by SSH refuse it.
    fragment = f"#{finding.line}" if finding.line else ""
    return f"{shown}{line}", f"dim link file://{socket.gethostname()}{quote(str(path))}{fragment}"
