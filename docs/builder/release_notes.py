"""What changed in a version, for the page of its tag: ``python -m docs.builder.release_notes 0.2.0``."""

import re
import sys
from pathlib import Path

_CHANGELOG = Path(__file__).resolve().parents[2] / "CHANGELOG.md"


def release_notes(version: str) -> str:
    """The section of the changelog about a version, without its heading.

    Raises:
        ValueError: The changelog has none.
    """
    text = _CHANGELOG.read_text("utf-8")
    section = re.search(rf"^## {re.escape(version)}(?= |$)[^\n]*\n(.*?)(?=^## |\Z)", text, re.DOTALL | re.MULTILINE)
    if section is None:
        raise ValueError(f"CHANGELOG.md says nothing about {version}")
    return section[1].strip() + "\n"


if __name__ == "__main__":
    print(release_notes(sys.argv[1]), end="")
