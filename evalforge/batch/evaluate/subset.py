"""A very large item as a representative part of it: beginning, middle and end, and what was left out."""

import json
from collections.abc import Callable
from typing import cast

from evalforge.batch.evaluate.items import JSON
from evalforge.judges.rendering import neutral

CHARACTERS = 24_000
"""The longest an item may be in a prompt."""
_DEPTH = 12
_LONGEST = 2_000_000
_FEWEST = 3
_BETWEEN = 2
"""What JSON puts between two entries, and between a name and its value."""
_BESIDES = 80
"""What brackets and a word on what was left out take."""
_LEAST = 60
"""What has less room than this tells nothing."""


def shown(content: JSON, room: int = CHARACTERS) -> JSON:
    """The content as a judge is shown it: nothing invisible in it, no marks of turns or borders.

    As JSON it is at most ``room`` long. The same content is always cut in the same way.
    """
    return _cut(_neutral(content, 0), room)


def _cut(safe: JSON, room: int) -> JSON:
    if _size(safe) <= room:
        return safe
    if isinstance(safe, list):
        part = _elements(cast("list[JSON]", safe), room)
    elif isinstance(safe, dict):
        part = _fields(cast("dict[str, JSON]", safe), room)
    else:
        return _text(str(safe), room)
    # Where there is no room for the form, some of the words are still worth more than none.
    return part if part and _size(part) <= room else _text(json.dumps(safe, ensure_ascii=False), room)


def _size(content: JSON) -> int:
    return len(json.dumps(content, ensure_ascii=False))


def _neutral(content: JSON, depth: int) -> JSON:
    if depth > _DEPTH:
        return neutral(json.dumps(content)[:200])
    if isinstance(content, str):
        return "\n".join(neutral(line, _LONGEST) for line in content.split("\n"))
    if isinstance(content, list):
        return [_neutral(entry, depth + 1) for entry in cast("list[JSON]", content)]
    if isinstance(content, dict):
        entries = cast("dict[str, JSON]", content).items()
        return {neutral(name): _neutral(entry, depth + 1) for name, entry in entries}
    return content


def _spread(total: int, count: int) -> list[int]:
    """``count`` places evenly over ``total``, the first and the last among them."""
    if count <= 1:
        return [0][:count]
    return sorted({round(step * (total - 1) / (count - 1)) for step in range(count)})


def _most(highest: int, fits: Callable[[int], bool]) -> int:
    """The most that fits, by halving; 0 if nothing does."""
    low, high = 0, highest
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if fits(middle) else (low, middle - 1)
    return low


def _elements(entries: list[JSON], room: int) -> JSON:
    """Elements evenly over the list; none if there is no room for even a few."""
    sizes = [_size(entry) + _BETWEEN for entry in entries]
    left = room - _BESIDES
    count = _most(len(entries), lambda count: sum(sizes[index] for index in _spread(len(entries), count)) <= left)
    if count < min(_FEWEST, len(entries)):
        # Even three don't fit: they are long themselves.
        places = _spread(len(entries), min(_FEWEST, len(entries)))
        share = left // len(places) - _BETWEEN
        if share < _LEAST:
            return []
        kept = [_cut(entries[index], share) for index in places]
    else:
        places = _spread(len(entries), count)
        kept = [entries[index] for index in places]
    missing = len(entries) - len(kept)
    told = f"{missing} of {len(entries)} elements, evenly left out"
    return {"elements": kept, "not_shown": told} if missing else kept


def _fields(fields: dict[str, JSON], room: int) -> JSON:
    """The largest fields give way, small ones stay whole; none if there is no room for any."""
    names = {name: _size(name) + 2 * _BETWEEN for name in fields}
    sizes = {name: names[name] + _size(entry) for name, entry in fields.items()}
    cut: dict[str, JSON] = {}
    left, order = room - _BESIDES, sorted(fields, key=lambda name: sizes[name])
    for index, name in enumerate(order):
        share = left // (len(order) - index)
        if share < names[name] + _LEAST:
            break
        cut[name] = fields[name] if sizes[name] <= share else _cut(fields[name], share - names[name])
        left -= min(sizes[name], share)
    kept = {name: cut[name] for name in fields if name in cut}
    missing = len(fields) - len(kept)
    return {**kept, "not_shown": f"{missing} more fields"} if missing and kept else kept


def _text(text: str, room: int) -> str:
    part = _most(min(len(text) // 3, room), lambda part: _size(_parts(text, part)) <= room)
    if part:
        return _parts(text, part)
    return text[: _most(room, lambda end: _size(text[:end]) <= room)]


def _parts(text: str, part: int) -> str:
    """Beginning, middle and end, so long each."""
    middle = (len(text) - part) // 2
    left = len(text) - 3 * part
    return (
        f"{text[:part]} […] {text[middle : middle + part]} […] {text[-part:]} (not_shown: {left:,} characters between)"
    )
