"""Places in a submission as a terminal shows them: relative to the working directory, linked to the line."""

import os
import socket
from pathlib import Path
from urllib.parse import quote

from evalforge.model.evidence import Finding


def link_place(folder: Path | None, finding: Finding) -> tuple[str, str]:
    """Return a finding's place and a style with an OSC 8 link; terminals without links show only the text.

    Args:
        folder: The submission's folder; if it is None or gone, the place stays as it is, without a link.
        finding: A finding with a path.
    """
    path = Path(os.path.abspath(folder / finding.path)) if folder else None  # noqa: PTH100 - links stay as named
    if path is None or not path.is_file():
        return finding.place, "dim"
    here = Path.cwd()
    shown = path.relative_to(here) if path.is_relative_to(here) else path
    line = f":{finding.line}" if finding.line else ""
    # kitty and others pass the number after the hash to an editor; the host lets a shell over SSH refuse it.
    fragment = f"#{finding.line}" if finding.line else ""
    return f"{shown}{line}", f"dim link file://{socket.gethostname()}{quote(str(path))}{fragment}"
