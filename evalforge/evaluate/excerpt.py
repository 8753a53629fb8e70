"""Shortens a very large item to a representative excerpt: beginning, middle and end, and a note on the cuts."""

import json
from collections.abc import Callable
from typing import cast

from evalforge.evaluate.items import JSON
from evalforge.llm.submission_rendering import neutralize

MAX_ITEM_CHARS = 24_000
"""The most characters of an item in a prompt."""
_MAX_DEPTH = 12
_MAX_LINE_CHARS = 2_000_000
_MIN_ELEMENTS = 3
_SEPARATOR_CHARS = 2
"""Characters that JSON puts between two entries, or between a name and its value."""
_FRAME_CHARS = 80
"""Characters of the brackets and the note on what was left out."""
_MIN_USEFUL_CHARS = 60
"""A shorter excerpt is useless."""


def excerpt(content: JSON, max_chars: int = MAX_ITEM_CHARS) -> JSON:
    """Return the content as a judge sees it: without invisible characters and markers of turns or borders.

    As JSON it has at most ``max_chars`` characters. The same content is always cut in the same way.
    """
    return _cut(_neutralized(content, 0), max_chars)


def _cut(content: JSON, max_chars: int) -> JSON:
    if _size(content) <= max_chars:
        return content
    if isinstance(content, list):
        part = _cut_list(cast("list[JSON]", content), max_chars)
    elif isinstance(content, dict):
        part = _cut_fields(cast("dict[str, JSON]", content), max_chars)
    else:
        return _cut_text(str(content), max_chars)
    # If the structure doesn't fit, part of its text is still better than nothing.
    return part if part and _size(part) <= max_chars else _cut_text(json.dumps(content, ensure_ascii=False), max_chars)


def _size(content: JSON) -> int:
    return len(json.dumps(content, ensure_ascii=False))


def _neutralized(content: JSON, depth: int) -> JSON:
    if depth > _MAX_DEPTH:
        return neutralize(json.dumps(content)[:200])
    if isinstance(content, str):
        return "\n".join(neutralize(line, _MAX_LINE_CHARS) for line in content.split("\n"))
    if isinstance(content, list):
        return [_neutralized(entry, depth + 1) for entry in cast("list[JSON]", content)]
    if isinstance(content, dict):
        entries = cast("dict[str, JSON]", content).items()
        return {neutralize(name): _neutralized(entry, depth + 1) for name, entry in entries}
    return content


def _even_positions(total: int, count: int) -> list[int]:
    """Return ``count`` positions spread evenly over ``total``, including the first and the last."""
    if count <= 1:
        return [0][:count]
    return sorted({round(step * (total - 1) / (count - 1)) for step in range(count)})


def _largest_fitting(highest: int, fits: Callable[[int], bool]) -> int:
    """Find the largest number that fits, by bisection; 0 if none does."""
    low, high = 0, highest
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if fits(middle) else (low, middle - 1)
    return low


def _cut_list(entries: list[JSON], max_chars: int) -> JSON:
    """Pick elements evenly from the list; none if not even three fit."""
    sizes = [_size(entry) + _SEPARATOR_CHARS for entry in entries]
    budget = max_chars - _FRAME_CHARS
    count = _largest_fitting(
        len(entries), lambda count: sum(sizes[index] for index in _even_positions(len(entries), count)) <= budget
    )
    if count < min(_MIN_ELEMENTS, len(entries)):
        # Not even three fit: the elements themselves are long.
        positions = _even_positions(len(entries), min(_MIN_ELEMENTS, len(entries)))
        share = budget // len(positions) - _SEPARATOR_CHARS
        if share < _MIN_USEFUL_CHARS:
            return []
        excerpt = [_cut(entries[index], share) for index in positions]
    else:
        positions = _even_positions(len(entries), count)
        excerpt = [entries[index] for index in positions]
    missing = len(entries) - len(excerpt)
    remark = f"{missing} of {len(entries)} elements, evenly left out"
    return {"elements": excerpt, "not_shown": remark} if missing else excerpt


def _cut_fields(fields: dict[str, JSON], max_chars: int) -> JSON:
    """Keep all fields, the largest ones cut; none if not even one fits."""
    name_sizes = {name: _size(name) + 2 * _SEPARATOR_CHARS for name in fields}
    sizes = {name: name_sizes[name] + _size(entry) for name, entry in fields.items()}
    cut: dict[str, JSON] = {}
    budget = max_chars - _FRAME_CHARS
    smallest_first = sorted(fields, key=lambda name: sizes[name])
    for index, name in enumerate(smallest_first):
        share = budget // (len(smallest_first) - index)
        if share < name_sizes[name] + _MIN_USEFUL_CHARS:
            break
        cut[name] = fields[name] if sizes[name] <= share else _cut(fields[name], share - name_sizes[name])
        budget -= min(sizes[name], share)
    shortened = {name: cut[name] for name in fields if name in cut}
    missing = len(fields) - len(shortened)
    return {**shortened, "not_shown": f"{missing} more fields"} if missing and shortened else shortened


def _cut_text(text: str, max_chars: int) -> str:
    longest_part = min(len(text) // 3, max_chars)
    part = _largest_fitting(longest_part, lambda part: _size(_three_parts(text, part)) <= max_chars)
    if part:
        return _three_parts(text, part)
    return text[: _largest_fitting(max_chars, lambda end: _size(text[:end]) <= max_chars)]


def _three_parts(text: str, part: int) -> str:
    """Return beginning, middle and end, of ``part`` characters each."""
    middle = (len(text) - part) // 2
    missing = len(text) - 3 * part
    parts = f"{text[:part]} […] {text[middle : middle + part]} […] {text[-part:]}"
    return f"{parts} (not_shown: {missing:,} characters between)"
