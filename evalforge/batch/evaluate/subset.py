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


def shown(content: JSON, room: int = CHARACTERS) -> JSON:
    """The content as a judge is shown it: nothing invisible in it, no marks of turns or borders, at most ``room`` long.

    The same content is always cut in the same way.
    """
    safe = _neutral(content, 0)
    if _size(safe) <= room:
        return safe
    if isinstance(safe, list):
        return _elements(cast("list[JSON]", safe), room)
    if isinstance(safe, dict):
        return _fields(cast("dict[str, JSON]", safe), room)
    return _text(str(safe), room)


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
    sizes = [_size(entry) + 2 for entry in entries]
    count = _most(len(entries), lambda count: sum(sizes[index] for index in _spread(len(entries), count)) + 80 <= room)
    if count < min(_FEWEST, len(entries)):
        # Even three don't fit: they are long themselves.
        places = _spread(len(entries), min(_FEWEST, len(entries)))
        kept = [shown(entries[index], max(200, room // len(places) - 100)) for index in places]
    else:
        places = _spread(len(entries), count)
        kept = [entries[index] for index in places]
    left = len(entries) - len(kept)
    return {"elements": kept, "not_shown": f"{left} of {len(entries)} elements, evenly left out"} if left else kept


def _fields(fields: dict[str, JSON], room: int) -> JSON:
    """The largest fields give way, small ones stay whole."""
    sizes = {name: _size(entry) + _size(name) + 4 for name, entry in fields.items()}
    cut: dict[str, JSON] = {}
    left, names = room, sorted(fields, key=lambda name: sizes[name])
    for index, name in enumerate(names):
        share = left // (len(names) - index)
        if share < 60 + len(name):
            break
        cut[name] = fields[name] if sizes[name] <= share else shown(fields[name], share - len(name) - 8)
        left -= min(sizes[name], share)
    kept = {name: cut[name] for name in fields if name in cut}
    missing = len(fields) - len(kept)
    return {**kept, "not_shown": f"{missing} more fields"} if missing else kept


def _text(text: str, room: int) -> str:
    part = max(20, (room - 160) // 3)
    middle = (len(text) - part) // 2
    left = len(text) - 3 * part
    if left <= 0:
        return text[:room]
    return (
        f"{text[:part]} […] {text[middle : middle + part]} […] {text[-part:]} (not_shown: {left:,} characters between)"
    )
