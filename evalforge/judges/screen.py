"""Text in a submission that speaks to a judge: found, reported, and never held against anybody."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from evalforge.model.submission import Submission
from evalforge.model.text import UNSAFE, clean_line

_LISTED = 12
_LINES_READ = 20_000
_LONG_LINE = 4_000
_EXCERPT = 80

_SET_ASIDE = (
    r"\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:previous|prior|above|earlier|all|your|these)\b.{0,40}"
    r"\b(?:instructions?|rules?|prompts?|rubrics?|guidelines?|everything)\b"
)
_ASKS_SCORE = (
    r"\b(?:give|grant|award|assign|set|return|output|choose|score)\b.{0,40}"
    r"\b(?:full|maximum|max|highest|top|perfect|level)\b.{0,30}"
    r"\b(?:score|scores|marks|points|levels?|grade|credit|criteri)"
    r"|\bscore\b.{0,20}\b(?:of )?\d+\b.{0,20}\b(?:for|on|in) (?:every|each|all)\b"
)
_FINISHED = (
    r"[\"'](?:score_total|verdict|integrity|raw_notes)[\"']\s*:|[\"']uncertain[\"']\s*:\s*(?:false|true)"
    r"|\b(?:evaluation|grading|judging|review) (?:is )?(?:finished|complete|completed|done|over)\b"
)
_SPEAKS = (
    r"\b(?:judge|grader|evaluator|reviewer|assessor|language model|llm|claude)\b.{0,60}"
    r"\b(?:must|should|please|will|shall|note|attention|passed|approved)\b"
    r"|\b(?:dear|attention|note to|hello|hey)[ ,:]+(?:the )?(?:judge|grader|evaluator|reviewer|ai|assistant|model)\b"
)
_POSES = (
    r"<\|[a-z_ ]+\|>|</?system(?:-reminder)?>|\[/?INST\]|={3,} ?(?:BEGIN|END) SUBMISSION|<</?SYS>>"
    r"|^\s*(?:#+\s*)?(?:human|assistant|system) *:"
    r"|\b(?:new|updated|revised|corrected) (?:rubric|instructions?|scoring|system prompt)\b|\brubric v\d"
)
_VOUCHES = (
    r"\b(?:all (?:\d+ )?hidden tests (?:pass|passed|are green)|verified by|reviewed and approved"
    r"|certified (?:by|correct)|100 ?% correct)\b"
)
_SIGNS = (
    (_SET_ASIDE, "asks to set rules aside"),
    (_ASKS_SCORE, "asks for a score"),
    (_FINISHED, "has the form of a finished judgement"),
    (_POSES, "poses as a border, a turn or a rubric"),
    (_SPEAKS, "speaks to a judge"),
    (r"ANTHROPIC_MAGIC_STRING", "is known to make a model refuse"),
    (_VOUCHES, "vouches for itself"),
)
_PATTERNS = tuple((re.compile(pattern, re.IGNORECASE), words) for pattern, words in _SIGNS)
_ENCODED = re.compile(r"[A-Za-z0-9+/]{80,}={0,2}")


@dataclass(frozen=True)
class Suspicion:
    """A place that speaks to a judge, and how."""

    path: str
    line: int
    words: str
    excerpt: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line} {self.words}: {self.excerpt}"


def suspicions(submission: Submission) -> tuple[Suspicion, ...]:
    """Every line with a sign, a dozen at most, in the order of files. Notes and file names are read too."""
    found: list[Suspicion] = []
    for path, number, line in _lines(submission):
        words = _sign(line)
        if words:
            found.append(Suspicion(clean_line(path), number, words, clean_line(line.strip(), cap=_EXCERPT)))
            if len(found) == _LISTED:
                break
    return tuple(found)


def report(found: tuple[Suspicion, ...]) -> str:
    """What was found, in words for the player and the instructor; empty if nothing was."""
    if not found:
        return ""
    listed = "; ".join(map(str, found))
    return f"Text that speaks to a judge was found, reported and not obeyed ({listed}). It changes no level."


def _lines(submission: Submission) -> Iterator[tuple[str, int, str]]:
    left = _LINES_READ
    for file in submission.files:
        yield file.path, 0, file.path.replace("_", " ").replace("-", " ")
        for number, line in enumerate(file.content.split("\n"), start=1):
            left -= 1
            if left < 0:
                return
            yield file.path, number, line[:_LONG_LINE]
    for number, line in enumerate(submission.notes.split("\n"), start=1):
        yield "notes", number, line[:_LONG_LINE]


def _sign(line: str) -> str:
    if not line.isascii():
        if UNSAFE.search(line.rstrip("\r").removeprefix("\ufeff")):
            return "holds invisible or control characters"
        if _mixes_scripts(line):
            return "mixes look-alike letters into words"
    elif UNSAFE.search(line.rstrip("\r\f")):
        return "holds invisible or control characters"
    # Names join their words with underscores; a sentence may hide in one.
    plain = unicodedata.normalize("NFKC", line)
    spoken = plain.replace("_", " ")
    for pattern, words in _PATTERNS:
        if pattern.search(plain) or pattern.search(spoken):
            return words
    return "holds a long encoded text" if _ENCODED.search(line) else ""


def _mixes_scripts(line: str) -> bool:
    """Whether a word mixes Latin letters with Cyrillic or Greek ones that look like them."""
    for word in re.findall(r"\w+", line):
        if word.isascii():
            continue
        scripts = {unicodedata.name(letter, "").split(" ")[0] for letter in word if letter.isalpha()}
        if "LATIN" in scripts and scripts & {"CYRILLIC", "GREEK"}:
            return True
    return False
