"""Finds pairs of submissions whose code looks alike: a hint for a person, never a verdict.

Code is normalized to tokens, the tokens to fingerprints; pairs are ranked by the fingerprints they share.
"""

import builtins
import hashlib
import io
import keyword
import re
import tokenize
import unicodedata
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from itertools import combinations
from typing import NamedTuple

from evalforge.model.base import Frozen
from evalforge.model.submission import Submission
from evalforge.packs.pack import BossPack

# Normalizes Python code to tokens that don't change with names, comments, layout or constants.

_BUILTINS = frozenset(dir(builtins))
# From Python 3.12 on, an f-string is several tokens.
_STRINGS = frozenset({tokenize.STRING, getattr(tokenize, "FSTRING_START", tokenize.STRING)})
_STRING_PARTS = frozenset({getattr(tokenize, "FSTRING_MIDDLE", -1), getattr(tokenize, "FSTRING_END", -1)})
_IGNORED = frozenset({tokenize.COMMENT, tokenize.NL, tokenize.ENCODING, tokenize.ENDMARKER})
_STATEMENT_ENDS = frozenset({tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT})
_LOOSE_TOKEN = re.compile(
    r"#[^\n]*|(?P<name>[^\W\d]\w*)|(?P<number>\d[\w.]*)|(?P<string>\"[^\"\n]*\"|'[^'\n]*')|(?P<other>\S)"
)
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")
# The placeholders for names, numbers and strings.
NAME, NUMBER, STRING = "v", "0", "''"


class _TokenType(Enum):
    NAME = auto()
    NUMBER = auto()
    STRING = auto()
    OTHER = auto()
    END = auto()


class _RawToken(NamedTuple):
    type: _TokenType
    text: str
    line: int


class Token(NamedTuple):
    """A normalized token, and the line it is on."""

    text: str
    line: int


def normalized_tokens(sources: Iterable[str]) -> list[list[Token]]:
    """Return the normalized tokens of each file of one submission.

    Names that its author defines become placeholders; other names (keywords, builtins, the standard library, its
    arguments) remain. Comments, docstrings and layout are dropped.

    Args:
        sources: All its Python files; a name defined in one of them becomes a placeholder in all.
    """
    files = [_raw_tokens(source) for source in sources]
    statements = (statement for file in files for statement in _statements(file))
    own_names = frozenset(name for statement in statements for name in _defined_names(statement)) - _BUILTINS
    return [list(_normalize(file, own_names)) for file in files]


def _raw_tokens(source: str) -> list[_RawToken]:
    # As Python reads names; the tokenizer stops at an accent that is a character of its own.
    source = unicodedata.normalize("NFC", source)
    try:
        return list(_tokenize_strictly(source))
    except (tokenize.TokenError, SyntaxError, ValueError):
        return list(_tokenize_loosely(source))


def _tokenize_strictly(source: str) -> Iterator[_RawToken]:
    for kind, text, (line, _), _, _ in tokenize.generate_tokens(io.StringIO(source).readline):
        if kind == tokenize.ERRORTOKEN:
            # Up to Python 3.11 the tokenizer skips one character and retries the rest of the line: a long line of
            # quotes would take hours.
            raise SyntaxError(text)
        if kind in _STATEMENT_ENDS:
            yield _RawToken(_TokenType.END, "", line)
        elif kind in _STRINGS:
            yield _RawToken(_TokenType.STRING, text, line)
        elif kind == tokenize.NAME:
            yield _RawToken(_TokenType.NAME, text, line)
        elif kind == tokenize.NUMBER:
            yield _RawToken(_TokenType.NUMBER, text, line)
        elif kind not in _IGNORED and kind not in _STRING_PARTS:
            yield _RawToken(_TokenType.OTHER, text, line)


def _tokenize_loosely(source: str) -> Iterator[_RawToken]:
    """Yield tokens of code with syntax errors, by regular expression: each line is a statement."""
    types = {
        "name": _TokenType.NAME,
        "number": _TokenType.NUMBER,
        "string": _TokenType.STRING,
        "other": _TokenType.OTHER,
    }
    for number, line in enumerate(source.split("\n"), start=1):
        for match in _LOOSE_TOKEN.finditer(line):
            if match.lastgroup:
                yield _RawToken(types[match.lastgroup], match.group(), number)
        yield _RawToken(_TokenType.END, "", number)


def _statements(tokens: list[_RawToken]) -> Iterator[list[_RawToken]]:
    statement: list[_RawToken] = []
    for token in tokens:
        if token.type is _TokenType.END:
            yield statement
            statement = []
        else:
            statement.append(token)
    yield statement


def _defined_names(statement: list[_RawToken]) -> Iterator[str]:
    """Yield the names a statement defines: functions, classes, parameters, variables, attributes and loop variables."""
    texts = [token.text for token in statement]
    is_name = [token.type is _TokenType.NAME and not keyword.iskeyword(token.text) for token in statement]
    assignment = _last_assignment(texts)
    is_definition = "def" in texts[:2]
    is_loop_target = False
    for index, text in enumerate(texts):
        is_loop_target = text == "for" or (is_loop_target and text != "in")
        if not is_name[index]:
            continue
        before = texts[index - 1] if index else ""
        after = texts[index + 1] if index + 1 < len(texts) else ""
        is_assigned = index < assignment and after not in ("(", "[", ".")
        is_declared = before in ("def", "class", "as", "lambda", "global", "nonlocal") or after == ":="
        is_parameter = is_definition and before in ("(", ",", "*", "**")
        if is_assigned or is_declared or is_parameter or is_loop_target:
            yield text


def _last_assignment(texts: list[str]) -> int:
    """The index of the last ``=`` outside brackets; 0 if there is none."""
    depth = last = 0
    for index, text in enumerate(texts):
        depth += (text in _OPENING) - (text in _CLOSING)
        if text == "=" and depth <= 0:
            last = index
    return last


def _normalize(tokens: list[_RawToken], own_names: frozenset[str]) -> Iterator[Token]:
    for statement in _statements(tokens):
        if len(statement) == 1 and statement[0].type is _TokenType.STRING:
            continue  # a docstring, or a string without effect
        for token_type, text, line in statement:
            if token_type is _TokenType.STRING:
                yield Token(STRING, line)
            elif token_type is _TokenType.NUMBER:
                yield Token(NUMBER, line)
            else:
                yield Token(NAME if token_type is _TokenType.NAME and text in own_names else text, line)


MIN_SIMILARITY = 0.5
"""Pairs with at least this similarity are shown."""
_MIN_SHARED = 4
_MAX_PAIRS = 100
_COMMON_SHARE, _MIN_COMMON = 0.5, 10
_MAX_POSITIONS = 8
_MAX_TOKENS = 60_000
_MAX_SPANS = 12
# A code block of Markdown.
_FENCED = re.compile(r"^```(?:python|py)?[ \t]*\n(.*?)^```", re.DOTALL | re.MULTILINE)


class MatchedSpan(Frozen):
    """Lines of one submission that look like lines of another: from ``first`` to ``last``, with their token count."""

    path: str
    first: int
    last: int
    other_path: str
    other_first: int
    other_last: int
    tokens: int


class LookalikePair(Frozen):
    """Two submissions that look alike. ``similarity`` is the share of the shorter one's fingerprints that both have."""

    row_id: str
    other_id: str
    similarity: float
    stretches: tuple[MatchedSpan, ...]


@dataclass(frozen=True)
class Fingerprints:
    """The fingerprints of one submission.

    Attributes:
        row_id: The row of the submission.
        paths: The paths of its Python files.
        files: The tokens of each file.
        positions: The positions of each fingerprint: file and index of the token.
    """

    row_id: str
    paths: tuple[str, ...]
    files: tuple[tuple[Token, ...], ...]
    positions: dict[int, list[tuple[int, int]]] = field(repr=False)


def given_code_hashes(pack: BossPack) -> frozenset[int]:
    """Return hashes of all code that a boss gives to everybody: its starter, and code blocks of contract and codex."""
    sources = [path.read_text("utf-8", "replace") for path in sorted(pack.starter.rglob("*.py")) if path.is_file()]
    hints = (hint for hints in pack.codex.hints.values() for hint in hints)
    codex = (pack.codex.lore, pack.codex.attacks, pack.codex.strategy, *hints)
    for text in (*codex, pack.definition.metadata.contract, pack.definition.long_description):
        sources += _FENCED.findall(text)
    return frozenset(
        value for source in sources for file in normalized_tokens([source]) for value in gram_hashes(_texts(file))
    )


def take_fingerprints(row_id: str, submission: Submission, given_hashes: frozenset[int] = frozenset()) -> Fingerprints:
    """Compute the fingerprints of a submission's code.

    Args:
        row_id: The row of the submission.
        submission: Its files.
        given_hashes: Hashes of code that everybody was given; it gets no fingerprints.
    """
    sources = [file for file in submission.files if file.path.endswith(".py")]
    files: list[tuple[Token, ...]] = []
    token_budget = _MAX_TOKENS
    for tokens in normalized_tokens(file.content for file in sources):
        files.append(tuple(tokens[:token_budget]))
        token_budget -= len(files[-1])
    positions: dict[int, list[tuple[int, int]]] = {}
    for number, tokens in enumerate(files):
        hashes = gram_hashes(_texts(tokens))
        for index in _fingerprint_indices(hashes, given_hashes):
            own_positions = positions.setdefault(hashes[index], [])
            if len(own_positions) < _MAX_POSITIONS:
                own_positions.append((number, index))
    return Fingerprints(row_id, tuple(file.path for file in sources), tuple(files), positions)


def _texts(tokens: Iterable[Token]) -> list[str]:
    return [token.text for token in tokens]


def _fingerprint_indices(hashes: list[int], given_hashes: frozenset[int]) -> Iterable[int]:
    """Return the positions of fingerprints: each run of code between given code is winnowed separately."""
    start = 0
    for end in range(len(hashes) + 1):
        if end == len(hashes) or hashes[end] in given_hashes:
            for index in winnow(hashes[start:end]):
                yield start + index
            start = end + 1


class Lookalikes(NamedTuple):
    """Pairs that look alike, the most similar first, and how many there are; only the first of very many are kept."""

    pairs: tuple[LookalikePair, ...]
    total: int


def find_lookalikes(hand_ins: Sequence[Fingerprints], min_similarity: float = MIN_SIMILARITY) -> Lookalikes:
    """Find pairs that look alike.

    A fingerprint shared by more than half of a class is just a common way to write something, and doesn't count.

    Args:
        hand_ins: The fingerprints of everybody.
        min_similarity: Pairs with at least this similarity are reported.
    """
    holders: dict[int, list[int]] = {}
    for index, hand_in in enumerate(hand_ins):
        for value in hand_in.positions:
            holders.setdefault(value, []).append(index)
    max_holders = max(_MIN_COMMON, int(len(hand_ins) * _COMMON_SHARE))
    uncommon = {value: indices for value, indices in holders.items() if len(indices) <= max_holders}
    shared = Counter(pair for indices in uncommon.values() for pair in combinations(indices, 2))
    sizes = [sum(value in uncommon for value in hand_in.positions) for hand_in in hand_ins]
    similar: list[tuple[float, int, int]] = []
    for (a, b), count in shared.items():
        similarity = count / min(sizes[a], sizes[b])
        if count >= _MIN_SHARED and similarity >= min_similarity:
            similar.append((similarity, a, b))
    similar.sort(key=lambda pair: (-pair[0], hand_ins[pair[1]].row_id, hand_ins[pair[2]].row_id))
    pairs = tuple(
        LookalikePair(
            row_id=hand_ins[a].row_id,
            other_id=hand_ins[b].row_id,
            similarity=round(similarity, 4),
            stretches=matched_spans(hand_ins[a], hand_ins[b])[:_MAX_SPANS],
        )
        for similarity, a, b in similar[:_MAX_PAIRS]
    )
    return Lookalikes(pairs, len(similar))


class _Run(NamedTuple):
    """A run of equal tokens: its length, and its start in each of two submissions (file and index of the token)."""

    length: int
    file: int
    start: int
    other_file: int
    other_start: int

    def lies_within(self, other: "_Run") -> bool:
        """Whether this run is within another one in both submissions."""
        return (
            (self.file, self.other_file) == (other.file, other.other_file)
            and other.start <= self.start
            and self.start + self.length <= other.start + other.length
            and other.other_start <= self.other_start
            and self.other_start + self.length <= other.other_start + other.length
        )


def matched_spans(one: Fingerprints, other: Fingerprints) -> tuple[MatchedSpan, ...]:
    """Return the longest runs of equal tokens around shared fingerprints, the longest first, none within another."""
    runs: set[_Run] = set()
    covered: set[tuple[int, int, int, int]] = set()  # each run is extended once, whichever fingerprint is in it
    for value in one.positions.keys() & other.positions.keys():
        for file, index in one.positions[value]:
            for other_file, other_index in other.positions[value]:
                if (file, other_file, index, other_index) in covered:
                    continue
                start, length = _extend_match(one.files[file], index, other.files[other_file], other_index)
                other_start = other_index - (index - start)
                runs.add(_Run(length, file, start, other_file, other_start))
                for step in range(length - GRAM_LENGTH + 1):
                    covered.add((file, other_file, start + step, other_start + step))
    long_runs: list[_Run] = []
    for run in sorted(runs, key=lambda run: (-run.length, *run[1:])):
        if not any(run.lies_within(longer) for longer in long_runs):
            long_runs.append(run)
    return tuple(_matched_span(one, other, run) for run in long_runs)


def _extend_match(
    tokens: Sequence[Token], index: int, other_tokens: Sequence[Token], other_index: int
) -> tuple[int, int]:
    """Return the start and length of the run of equal tokens around two indices."""
    before = 0
    limit = min(index, other_index)
    while before < limit and tokens[index - before - 1].text == other_tokens[other_index - before - 1].text:
        before += 1
    length = 0
    limit = min(len(tokens) - index, len(other_tokens) - other_index)
    while length < limit and tokens[index + length].text == other_tokens[other_index + length].text:
        length += 1
    return index - before, before + length


def _matched_span(one: Fingerprints, other: Fingerprints, run: _Run) -> MatchedSpan:
    tokens, other_tokens = one.files[run.file], other.files[run.other_file]
    return MatchedSpan(
        path=one.paths[run.file],
        first=tokens[run.start].line,
        last=tokens[run.start + run.length - 1].line,
        other_path=other.paths[run.other_file],
        other_first=other_tokens[run.other_start].line,
        other_last=other_tokens[run.other_start + run.length - 1].line,
        tokens=run.length,
    )


GRAM_LENGTH = 18
"""Number of tokens that one fingerprint covers; a shorter match is never found."""
DETECTED_LENGTH = 28
"""With at least this many shared tokens, at least one fingerprint is certain to be shared."""
WINDOW_LENGTH = DETECTED_LENGTH - GRAM_LENGTH + 1


def gram_hashes(tokens: Sequence[str], length: int = GRAM_LENGTH) -> list[int]:
    """Return the hash of each run of ``length`` tokens, by the index of its start."""
    return [_hash("\0".join(tokens[start : start + length])) for start in range(len(tokens) - length + 1)]


def _hash(text: str) -> int:
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big")


def winnow(hashes: Sequence[int], window: int = WINDOW_LENGTH) -> list[int]:
    """Return the indices of fingerprints: the smallest hash in every window, the rightmost of equals.

    If there are fewer hashes than a window, they form one window.
    """
    fingerprints: list[int] = []
    candidates: deque[int] = deque()  # indices of hashes that may still become the smallest, in ascending order of hash
    for index, value in enumerate(hashes):
        while candidates and hashes[candidates[-1]] >= value:
            candidates.pop()
        candidates.append(index)
        if candidates[0] <= index - window:
            candidates.popleft()
        if index >= min(window, len(hashes)) - 1 and (not fingerprints or fingerprints[-1] != candidates[0]):
            fingerprints.append(candidates[0])
    return fingerprints
