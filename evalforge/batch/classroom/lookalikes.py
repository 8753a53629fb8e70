"""Pairs of hand-ins with code that looks alike: for a person to look at, never a verdict."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import NamedTuple

from evalforge.batch.classroom.tokens import Token, normalised
from evalforge.batch.classroom.winnow import GRAM, grams, winnow
from evalforge.library.pack import BossPack
from evalforge.model.base import Frozen
from evalforge.model.submission import Submission

ALIKE = 0.5
"""From which similarity on a pair is shown."""
_SHARED_LEAST = 4
_PAIRS_MOST = 100
_COMMON_SHARE, _COMMON_LEAST = 0.5, 10
_PLACES_MOST = 8
_TOKENS_MOST = 60_000
_STRETCHES_SHOWN = 12
_FENCED = re.compile(r"^```(?:python|py)?[ \t]*\n(.*?)^```", re.DOTALL | re.MULTILINE)


class Stretch(Frozen):
    """Lines of one hand-in that look like lines of another; ``tokens`` is how long the stretch is."""

    path: str
    first: int
    last: int
    other_path: str
    other_first: int
    other_last: int
    tokens: int


class Pair(Frozen):
    """Two hand-ins that look alike. ``similarity`` is the share of the shorter one's fingerprints that both have."""

    row_id: str
    other_id: str
    similarity: float
    stretches: tuple[Stretch, ...]


@dataclass(frozen=True)
class Sheet:
    """One hand-in as fingerprints.

    Attributes:
        row_id: Whose.
        paths: Of its Python files.
        files: The tokens of each.
        prints: Where each fingerprint was taken: file and place.
    """

    row_id: str
    paths: tuple[str, ...]
    files: tuple[tuple[Token, ...], ...]
    prints: dict[int, list[tuple[int, int]]] = field(repr=False)


def given_code(pack: BossPack) -> frozenset[int]:
    """The hashes of all code a boss gives away: its starter, and what its contract and codex show."""
    sources = [path.read_text("utf-8", "replace") for path in sorted(pack.starter.rglob("*.py")) if path.is_file()]
    codex = (
        pack.codex.lore,
        pack.codex.attacks,
        pack.codex.strategy,
        *(w for h in pack.codex.hints.values() for w in h),
    )
    for words in (*codex, pack.definition.metadata.contract, pack.definition.long_description):
        sources += _FENCED.findall(words)
    return frozenset(value for source in sources for file in normalised([source]) for value in grams(_texts(file)))


def sheet(row_id: str, submission: Submission, given: frozenset[int] = frozenset()) -> Sheet:
    """Take a hand-in's fingerprints.

    Args:
        row_id: Whose it is.
        submission: What was handed in.
        given: Hashes of code that everybody was given; no fingerprint is taken of it.
    """
    sources = [file for file in submission.files if file.path.endswith(".py")]
    files: list[tuple[Token, ...]] = []
    room = _TOKENS_MOST
    for tokens in normalised(file.content for file in sources):
        files.append(tuple(tokens[:room]))
        room -= len(files[-1])
    prints: dict[int, list[tuple[int, int]]] = {}
    for number, tokens in enumerate(files):
        hashes = grams(_texts(tokens))
        for place in _fingerprints(hashes, given):
            places = prints.setdefault(hashes[place], [])
            if len(places) < _PLACES_MOST:
                places.append((number, place))
    return Sheet(row_id, tuple(file.path for file in sources), tuple(files), prints)


def _texts(tokens: Iterable[Token]) -> list[str]:
    return [token.text for token in tokens]


def _fingerprints(hashes: list[int], given: frozenset[int]) -> Iterable[int]:
    """Where fingerprints are taken: winnowed apart in each run of code that was not given."""
    start = 0
    for end in range(len(hashes) + 1):
        if end == len(hashes) or hashes[end] in given:
            for place in winnow(hashes[start:end]):
                yield start + place
            start = end + 1


class Alike(NamedTuple):
    """Pairs that look alike, the most similar first, and how many there are in all; not all of very many are kept."""

    pairs: tuple[Pair, ...]
    in_all: int


def find_alike(sheets: Sequence[Sheet], alike: float = ALIKE) -> Alike:
    """Find pairs that look alike.

    What more than half of a class has is everybody's way to write it, and counts for nobody.

    Args:
        sheets: Everybody's.
        alike: From which similarity on a pair is told.
    """
    holders: dict[int, list[int]] = {}
    for index, one in enumerate(sheets):
        for value in one.prints:
            holders.setdefault(value, []).append(index)
    most = max(_COMMON_LEAST, int(len(sheets) * _COMMON_SHARE))
    telling = {value: held for value, held in holders.items() if len(held) <= most}
    shared = Counter(pair for held in telling.values() for pair in combinations(held, 2))
    sizes = [sum(value in telling for value in one.prints) for one in sheets]
    found: list[tuple[float, int, int]] = []
    for (a, b), count in shared.items():
        similarity = count / min(sizes[a], sizes[b])
        if count >= _SHARED_LEAST and similarity >= alike:
            found.append((similarity, a, b))
    found.sort(key=lambda pair: (-pair[0], sheets[pair[1]].row_id, sheets[pair[2]].row_id))
    shown = tuple(
        Pair(
            row_id=sheets[a].row_id,
            other_id=sheets[b].row_id,
            similarity=round(similarity, 4),
            stretches=stretches(sheets[a], sheets[b])[:_STRETCHES_SHOWN],
        )
        for similarity, a, b in found[:_PAIRS_MOST]
    )
    return Alike(shown, len(found))


def stretches(one: Sheet, other: Sheet) -> tuple[Stretch, ...]:
    """The longest runs of equal tokens around shared fingerprints, the longest first, none within another."""
    runs: set[tuple[int, int, int, int, int]] = set()
    covered: set[tuple[int, int, int, int]] = set()  # by diagonal: a run is found once, whichever seed leads to it
    for value in one.prints.keys() & other.prints.keys():
        for file, place in one.prints[value]:
            for other_file, other_place in other.prints[value]:
                if (file, other_file, place, other_place) in covered:
                    continue
                first, length = _extended(one.files[file], place, other.files[other_file], other_place)
                other_first = other_place - (place - first)
                runs.add((length, file, first, other_file, other_first))
                for step in range(length - GRAM + 1):
                    covered.add((file, other_file, first + step, other_first + step))
    kept: list[tuple[int, int, int, int, int]] = []
    for run in sorted(runs, key=lambda run: (-run[0], *run[1:])):
        if not any(_within(run, longer) for longer in kept):
            kept.append(run)
    return tuple(_stretch(one, other, run) for run in kept)


def _extended(tokens: Sequence[Token], place: int, others: Sequence[Token], other_place: int) -> tuple[int, int]:
    """Where the run of equal tokens around two places begins, and how long it is."""
    before = 0
    limit = min(place, other_place)
    while before < limit and tokens[place - before - 1].text == others[other_place - before - 1].text:
        before += 1
    length = 0
    limit = min(len(tokens) - place, len(others) - other_place)
    while length < limit and tokens[place + length].text == others[other_place + length].text:
        length += 1
    return place - before, before + length


def _within(run: tuple[int, int, int, int, int], longer: tuple[int, int, int, int, int]) -> bool:
    """Whether both ends of a run lie within those of a longer one."""
    length, file, first, other_file, other_first = run
    size, that_file, start, that_other, other_start = longer
    return (
        (file, other_file) == (that_file, that_other)
        and start <= first
        and first + length <= start + size
        and other_start <= other_first
        and other_first + length <= other_start + size
    )


def _stretch(one: Sheet, other: Sheet, run: tuple[int, int, int, int, int]) -> Stretch:
    length, file, first, other_file, other_first = run
    tokens, others = one.files[file], other.files[other_file]
    return Stretch(
        path=one.paths[file],
        first=tokens[first].line,
        last=tokens[first + length - 1].line,
        other_path=other.paths[other_file],
        other_first=others[other_first].line,
        other_last=others[other_first + length - 1].line,
        tokens=length,
    )
