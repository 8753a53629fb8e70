"""The prompts of an evaluation: rules and rubric, identical for every batch, then the batch between border marks."""

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources import files
from typing import cast

from evalforge.evaluate.fields import AMBIGUOUS, Field, FieldType
from evalforge.evaluate.items import JSON, Item, ItemCluster
from evalforge.evaluate.steps import Job
from evalforge.llm.request import Request
from evalforge.llm.submission_rendering import neutralize

# Shortens a very large item to a representative excerpt: beginning, middle and end, and a note on the cuts.

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


_PROMPT_FILES = ("items", "singletons", "task", "again", "repair")
_ORIGINAL_FILES = ("original-items", "original-singletons", "again", "repair")
"""The templates of the ce-optimize skill (``references/judge-prompt-template.md``), verbatim."""
_TOKENS_PER_ITEM, _TOKENS_PER_REPLY, _MAX_REPLY_TOKENS = 300, 2_000, 16_000
_MAX_BATCH_CHARS = 240_000
_MAX_CLUSTERS = 2_000
_MAX_PROBLEM_CHARS = 300
_MAX_NEUTRALIZED_CHARS = len("<U+10FFFF>")
"""The most characters that one character can become when neutralized."""


@lru_cache(maxsize=16)
def _template(name: str) -> str:
    return files("evalforge.evaluate").joinpath("prompts", f"{name}.md").read_text("utf-8").strip()


@lru_cache(maxsize=2)
def prompt_hash(prompt: str = "evalforge") -> str:
    """SHA-256 over every file of a prompt; 8 hex digits."""
    names = _ORIGINAL_FILES if prompt == "original" else _PROMPT_FILES
    return hashlib.sha256("\0".join(map(_template, names)).encode()).hexdigest()[:8]


def rubric_hash(rubric: str, singleton_rubric: str, fields: Sequence[Field]) -> str:
    """SHA-256 over the rubrics, and the fields and ranges read from them; 16 hex digits."""
    parts = [rubric.strip(), singleton_rubric.strip(), *(f"{f.name} {f.requirement}" for f in sorted(fields, key=str))]
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


@dataclass(frozen=True)
class ItemPrompt:
    """The prompt that asks about a batch of items.

    Args:
        fields: The fields each element of the reply must have.
        secret: Makes border marks unguessable for the author of an item.
    """

    rubric: str
    fields: tuple[Field, ...]
    model: str
    secret: str

    @cached_property
    def rules(self) -> str:
        """The system prompt, the same for every batch."""
        field_lines = "\n".join(f"- `{field.name}`: {_requirement(field)}" for field in self.fields)
        example = json.dumps([{"item_id": "a-1", **{f.name: _example_value(f) for f in self.fields}, AMBIGUOUS: False}])
        return _fill_template("items", rubric=self.rubric.strip(), fields=field_lines, example=example)

    def data(self, items: Sequence[Item]) -> str:
        """The text between the border marks."""
        return _items_json(items)


@dataclass(frozen=True)
class SingletonPrompt(ItemPrompt):
    """The prompt about singletons: like that about items, but showing clusters only by their titles."""

    clusters: tuple[ItemCluster, ...]

    @cached_property
    def rules(self) -> str:
        """The system prompt, the same for every batch."""
        field_lines = "".join(f"- `{field.name}`: {_requirement(field)}\n" for field in self.fields)
        example_fields = {"should_cluster": True, "best_cluster_id": "c-4", "confidence": 4}
        example = json.dumps([{"item_id": "a-1", **example_fields, **{f.name: _example_value(f) for f in self.fields}}])
        return _fill_template("singletons", rubric=self.rubric.strip(), fields=field_lines, example=example)

    def data(self, items: Sequence[Item]) -> str:
        """The text between the border marks."""
        clusters = [{"cluster_id": c.cluster_id, "title": neutralize(c.title)} for c in self.clusters[:_MAX_CLUSTERS]]
        titles = ",\n".join(json.dumps(cluster, ensure_ascii=False) for cluster in clusters)
        return f'{{"singletons": {_items_json(items)},\n"clusters": [\n{titles}\n]}}'


@dataclass(frozen=True)
class OriginalPrompt:
    """The skill's own template, filled in as it says and sent as one message: no system prompt, no border marks.

    Items are enclosed only in plain tags here, so instructions inside an item are less well separated.

    Attributes:
        template: The file of the template, without its ending.
        clusters: The clusters that singletons are compared with; none for items.
    """

    template: str
    rubric: str
    model: str
    secret: str
    clusters: tuple[ItemCluster, ...] = ()

    def text(self, items: Sequence[Item]) -> str:
        """Return the whole message about some items."""
        summaries = [
            {"cluster_id": cluster.cluster_id, "title": cluster.title} for cluster in self.clusters[:_MAX_CLUSTERS]
        ]
        rubric, data = self.rubric.strip(), _items_json(items)
        return _fill_template(
            self.template,
            rubric=rubric,
            singleton_rubric=rubric,
            items_json=data,
            singletons_json=data,
            cluster_summaries=json.dumps(summaries, ensure_ascii=False, indent=1),
        )


Prompt = ItemPrompt | OriginalPrompt


def build_request(prompt: Prompt, job: Job, items: Sequence[Item]) -> Request:
    """Build the request of a job about these items."""
    nonce = hashlib.sha256(f"{prompt.secret} {job.call}".encode()).hexdigest()[:16]
    # All ids are named, because a judge doesn't answer about items that aren't.
    ids = json.dumps([item.item_id for item in items], ensure_ascii=False)
    ids = neutralize(ids, _MAX_NEUTRALIZED_CHARS * len(ids))
    problem = neutralize(job.problem)[:_MAX_PROBLEM_CHARS]
    again = f"\n\n{_fill_template('again', problems=problem)}" if problem and not job.malformed_reply else ""
    if isinstance(prompt, OriginalPrompt):
        turns, system = [("user", f"{prompt.text(items)}{again}")], ()
    else:
        task = _fill_template("task", nonce=nonce, count=str(len(items)), ids=ids)
        data = f"===BEGIN ITEMS {nonce}===\n{prompt.data(items)}\n===END ITEMS {nonce}===\n\n{task}{again}"
        turns, system = [("user", data)], (prompt.rules,)
    if job.malformed_reply:
        turns += [("assistant", job.malformed_reply), ("user", _fill_template("repair", problem=problem, ids=ids))]
    return Request(
        model=prompt.model,
        system=system,
        messages=tuple((role, sendable(text)) for role, text in turns),
        max_tokens=min(_MAX_REPLY_TOKENS, _TOKENS_PER_REPLY + _TOKENS_PER_ITEM * len(items)),
        # Gateways that know this header answer a repeated call from their cache; others ignore it.
        extra_arguments={"extra_headers": {"idempotency-key": f"{prompt.secret[:16]}-{job.call}"}},
    )


def _items_json(items: Sequence[Item]) -> str:
    """Format items as a JSON array with a line for each; long items are replaced by an excerpt."""
    max_chars = min(MAX_ITEM_CHARS, _MAX_BATCH_CHARS // max(1, len(items)))
    lines = (json.dumps(_item_fields(item, max_chars), ensure_ascii=False) for item in items)
    return "[\n" + ",\n".join(lines) + "\n]"


def _item_fields(item: Item, max_chars: int) -> dict[str, object]:
    content = excerpt(item.content, max_chars)
    is_plain = isinstance(content, dict) and "item_id" not in content
    return {"item_id": item.item_id, **content} if is_plain else {"item_id": item.item_id, "content": content}


def _fill_template(name: str, **values: str) -> str:
    """Fill in the ``{name}`` fields of a prompt file in one pass, so that ``{name}`` within a value stays unchanged."""
    filled, remainder = "", _template(name)
    while True:
        positions = [(remainder.find(f"{{{key}}}"), key) for key in values if f"{{{key}}}" in remainder]
        if not positions:
            return filled + remainder
        start, key = min(positions)
        filled += remainder[:start] + values[key]
        remainder = remainder[start + len(key) + 2 :]


def sendable(text: str) -> str:
    """Make text encodable: lone surrogates become question marks, and an empty text becomes ``(nothing)``."""
    return text.encode("utf-8", "replace").decode() or "(nothing)"


def _requirement(field: Field) -> str:
    return "as the rubric says" if field.type is FieldType.ANY else field.requirement


def _example_value(field: Field) -> object:
    if field.type is FieldType.BOOLEAN:
        return False
    if field.type is FieldType.TEXT:
        return "a few words"
    if field.low is not None and field.high is not None:
        return round((field.low + field.high) / 2)
    return 1
