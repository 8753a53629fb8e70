"""The links of Markdown files: where they lead, and the anchors that GitHub gives to headings."""

import os
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

_LINK = re.compile(r"""(?:\]\(|^\[[^\]]+\]: +|(?:src|srcset|href)=")([^)"\s]+)""", re.MULTILINE)
_FENCED = re.compile(r"^( *)(```+|~~~+).*?^ *\2 *$", re.DOTALL | re.MULTILINE)
_HEADING = re.compile(r"^#{1,6} +(.*?)[ #]*$", re.MULTILINE)
_NOT_OURS = {"build", "dist", "node_modules", "__pycache__"}


def markdown_files(repository: Path) -> Iterator[Path]:
    """Every Markdown file of a checkout, those of ``.github`` included."""
    for folder, names, files in os.walk(repository):
        names[:] = [name for name in names if name not in _NOT_OURS and (name == ".github" or name[0] != ".")]
        yield from (Path(folder) / file for file in files if file.endswith(".md"))


def relative_links(text: str) -> list[str]:
    """The links of a page that lead to a file or to an anchor, without those in code."""
    prose = re.sub(r"(`+)(?!`).+?(?<!`)\1(?!`)", "", _FENCED.sub("", text))
    return [link for link in _LINK.findall(prose) if not re.match(r"[\w+.-]+:|//", link)]


def anchors(text: str) -> set[str]:
    """The anchors of a page: those of its headings, numbered where two are alike, and its own."""
    prose = _FENCED.sub("", text)
    found = set(re.findall(r"""<a (?:id|name)="([^"]+)""", prose))
    seen: Counter[str] = Counter()
    for heading in _HEADING.findall(prose):
        words = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        slug = re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-")
        found.add(f"{slug}-{seen[slug]}" if seen[slug] else slug)
        seen[slug] += 1
    return found


def dead_links(page: Path) -> list[str]:
    """The links of a page to a file that is missing, or to an anchor that its page doesn't have."""
    text = page.read_text("utf-8")
    dead: list[str] = []
    for link in relative_links(text):
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        has_anchor = (
            not anchor or target.suffix != ".md" or (target.exists() and anchor in anchors(target.read_text("utf-8")))
        )
        if not target.exists() or not has_anchor:
            dead.append(link)
    return dead
