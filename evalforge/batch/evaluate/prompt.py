"""The words a judge is given: rules and rubric, the same for every batch, and the batch between its borders."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources import files

from evalforge.batch.evaluate.fields import AMBIGUOUS, Field, Kind
from evalforge.batch.evaluate.items import Cluster, Item
from evalforge.batch.evaluate.subset import CHARACTERS, shown
from evalforge.judges.rendering import neutral
from evalforge.judges.sdk import Request

_NAMES = ("items", "singletons", "task", "again", "repair")
_TOKENS_EACH, _TOKENS_BESIDES, _MOST_TOKENS = 300, 2_000, 16_000
_BATCH_CHARACTERS = 240_000
_CLUSTERS_SHOWN = 2_000
_PROBLEM_CAP = 300
_WIDEST = len("<U+10FFFF>")
"""What one character may become when it is made safe to show."""


@lru_cache(maxsize=len(_NAMES))
def _words(name: str) -> str:
    return files("evalforge.batch.evaluate").joinpath("prompts", f"{name}.md").read_text("utf-8").strip()


@lru_cache(maxsize=1)
def prompt_hash() -> str:
    """SHA-256 over every prompt file; 8 hex digits."""
    return hashlib.sha256("\0".join(map(_words, _NAMES)).encode()).hexdigest()[:8]


def rubric_hash(rubric: str, singleton_rubric: str, fields: Sequence[Field]) -> str:
    """What the instrument is: the rubrics' words, and the fields and ranges read from them; 16 hex digits."""
    parts = [rubric.strip(), singleton_rubric.strip(), *(f"{f.name} {f.words}" for f in sorted(fields, key=str))]
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


@dataclass(frozen=True)
class ItemBrief:
    """How items are asked about.

    Args:
        rubric: The rubric's words.
        fields: What each element must report.
        model: Who is asked.
        secret: Makes border marks nobody who wrote an item can guess.
    """

    rubric: str
    fields: tuple[Field, ...]
    model: str
    secret: str

    @cached_property
    def rules(self) -> str:
        """The part that is the same for every batch."""
        told = "\n".join(f"- `{field.name}`: {_asked(field)}" for field in self.fields)
        example = json.dumps([{"item_id": "a-1", **{f.name: _made_up(f) for f in self.fields}, AMBIGUOUS: False}])
        return _filled("items", rubric=self.rubric.strip(), fields=told, example=example)

    def data(self, items: Sequence[Item]) -> str:
        """What stands between the borders."""
        return _items_json(items)


@dataclass(frozen=True)
class SingletonBrief:
    """How singletons are asked about: the same, and the clusters by their titles alone."""

    rubric: str
    fields: tuple[Field, ...]
    model: str
    secret: str
    clusters: tuple[Cluster, ...]

    @cached_property
    def rules(self) -> str:
        """The part that is the same for every batch."""
        told = "".join(f"- `{field.name}`: {_asked(field)}\n" for field in self.fields)
        made_up = {"should_cluster": True, "best_cluster_id": "c-4", "confidence": 4}
        example = json.dumps([{"item_id": "a-1", **made_up, **{f.name: _made_up(f) for f in self.fields}}])
        return _filled("singletons", rubric=self.rubric.strip(), fields=told, example=example)

    def data(self, items: Sequence[Item]) -> str:
        """What stands between the borders."""
        known = [{"cluster_id": c.cluster_id, "title": neutral(c.title)} for c in self.clusters[:_CLUSTERS_SHOWN]]
        titles = ",\n".join(json.dumps(cluster, ensure_ascii=False) for cluster in known)
        return f'{{"singletons": {_items_json(items)},\n"clusters": [\n{titles}\n]}}'


Brief = ItemBrief | SingletonBrief


@dataclass(frozen=True)
class Question:
    """One call: which items, why they are asked about again, and the reply that is to be mended."""

    call: str
    items: tuple[Item, ...]
    problem: str = ""
    mends: str = ""


def _ids(items: tuple[Item, ...]) -> str:
    """All of them: what is not named is not answered."""
    ids = json.dumps([item.item_id for item in items], ensure_ascii=False)
    return neutral(ids, _WIDEST * len(ids))


def request(brief: Brief, question: Question) -> Request:
    """The request for one question."""
    nonce = hashlib.sha256(f"{brief.secret} {question.call}".encode()).hexdigest()[:16]
    ids = _ids(question.items)
    problem = neutral(question.problem)[:_PROBLEM_CAP]
    task = _filled("task", nonce=nonce, count=str(len(question.items)), ids=ids)
    if problem and not question.mends:
        task = f"{task}\n\n{_filled('again', problems=problem)}"
    data = f"===BEGIN ITEMS {nonce}===\n{brief.data(question.items)}\n===END ITEMS {nonce}===\n\n{task}"
    turns = [("user", data)]
    if question.mends:
        turns += [("assistant", question.mends), ("user", _filled("repair", problem=problem, ids=ids))]
    return Request(
        model=brief.model,
        system=(brief.rules,),
        messages=tuple((role, sendable(text)) for role, text in turns),
        max_tokens=min(_MOST_TOKENS, _TOKENS_BESIDES + _TOKENS_EACH * len(question.items)),
        # Gateways that know this header answer a repeated call from what they have; others pass it over.
        more={"extra_headers": {"idempotency-key": f"{brief.secret[:16]}-{question.call}"}},
    )


def _items_json(items: Sequence[Item]) -> str:
    """An array with a line for each item; long ones as a representative part."""
    room = min(CHARACTERS, _BATCH_CHARACTERS // max(1, len(items)))
    lines = (json.dumps(_shown(item, room), ensure_ascii=False) for item in items)
    return "[\n" + ",\n".join(lines) + "\n]"


def _shown(item: Item, room: int) -> dict[str, object]:
    content = shown(item.content, room)
    is_plain = isinstance(content, dict) and "item_id" not in content
    return {"item_id": item.item_id, **content} if is_plain else {"item_id": item.item_id, "content": content}


def _filled(name: str, **values: str) -> str:
    """A prompt with its places filled in one go: what is filled in is never searched for places."""
    out, rest = "", _words(name)
    while True:
        found = [(rest.find(f"{{{key}}}"), key) for key in values if f"{{{key}}}" in rest]
        if not found:
            return out + rest
        at, key = min(found)
        out, rest = out + rest[:at] + values[key], rest[at + len(key) + 2 :]


def sendable(text: str) -> str:
    """What was read leniently must be sent strictly: half a surrogate pair can't go over the wire."""
    return text.encode("utf-8", "replace").decode() or "(nothing)"


def _asked(field: Field) -> str:
    return "as the rubric says" if field.kind is Kind.ANY else field.words


def _made_up(field: Field) -> object:
    if field.kind is Kind.BOOLEAN:
        return False
    if field.kind is Kind.TEXT:
        return "a few words"
    if field.low is not None and field.high is not None:
        return round((field.low + field.high) / 2)
    return 1
