"""Pairs that look alike are found under any disguise; what everybody was given is nobody's."""

import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalforge.classroom.lookalikes import (
    DETECTED_LENGTH,
    GRAM_LENGTH,
    Fingerprints,
    Token,
    find_lookalikes,
    given_code_hashes,
    gram_hashes,
    matched_spans,
    normalized_tokens,
    take_fingerprints,
    winnow,
)
from evalforge.model.submission import Submission, SubmissionFile
from evalforge.packs.pack import load_pack
from evalforge.submissions.collect import collect
from tests import factories
from tests.conftest import REPOSITORY

ORIGINAL = '''
"""Adds up."""
import json

def total(path, limit=10):
    """The sum."""
    seen = set()
    result = 0
    for entry in json.loads(path.read_text()):
        if entry["id"] in seen or entry["value"] > limit:
            continue
        seen.add(entry["id"])
        result += entry["value"] * 2
    return result
'''
DISGUISED = """
# all mine
import json
def summe(datei, grenze = 99):
        gesehen = set( )   # known ones
        ergebnis = 1
        for eintrag in json.loads(
                datei.read_text()):
                if eintrag["nr"] in gesehen or eintrag["wert"] > grenze: continue
                gesehen.add(eintrag["nr"])
                ergebnis += eintrag["wert"] * 3
        return ergebnis
"""
OTHER = """
import csv
class Ledger:
    def __init__(self):
        self.rows = []
    def load(self, name):
        with open(name) as handle:
            self.rows = [row for row in csv.reader(handle) if row]
        return sorted(self.rows, key=lambda row: row[0])
"""


def texts(source: str) -> list[str]:
    return [token.text for token in normalized_tokens([source])[0]]


def test_names_comments_layout_and_constants_are_no_disguise() -> None:
    assert texts(ORIGINAL) == texts(DISGUISED)
    assert texts(ORIGINAL) != texts(OTHER)


def test_a_name_is_read_in_either_unicode_form() -> None:
    code = "from café import thé\nprint(thé(1))\n"
    composed, apart = (normalized_tokens([unicodedata.normalize(form, code)]) for form in ("NFC", "NFD"))
    assert composed == apart


def test_what_others_named_keeps_its_name() -> None:
    words = texts("import os\nbase = os.path.join(str(root), 'x')\nfor item in base:\n    self.kept = len(item)\n")
    assert " ".join(words) == "import os v = os . path . join ( str ( root ) , '' ) for v in v : self . v = len ( v )"


@pytest.mark.parametrize(
    "source", ["def f(:\n  x = 'open\n", "\x00\x01", "(" * 5_000, "if x:\n\ty\n  z\n", "é = 1 § 2"]
)
def test_code_that_python_can_not_read_has_tokens_too(source: str) -> None:
    assert normalized_tokens([source])[0] or not source.strip("\x00\x01")


@pytest.mark.parametrize("source", ['"' + r"\"" * 127_000, "x" + " " * 254_000 + "?"], ids=["quotes", "blanks"])
def test_a_long_unparsable_line_is_taken_as_it_is(source: str) -> None:
    """In a process of its own: nothing else would end it if it took hours."""
    words = "import sys; from evalforge.classroom.lookalikes import normalized_tokens; "
    command = [sys.executable, "-c", words + "print(len(normalized_tokens([sys.stdin.read()])[0]))"]
    done = subprocess.run(command, cwd=REPOSITORY, input=source, capture_output=True, text=True, timeout=90, check=True)
    assert int(done.stdout) > 1


def test_a_disguised_copy_is_a_pair_and_other_work_is_none() -> None:
    sheets = [
        take_fingerprints(name, factories.submission(work=text))
        for name, text in [("a", ORIGINAL), ("b", DISGUISED), ("c", OTHER)]
    ]
    (pair,) = find_lookalikes(sheets).pairs
    assert (pair.row_id, pair.other_id, pair.similarity) == ("a", "b", 1.0)
    (stretch,) = pair.stretches
    assert (stretch.path, stretch.first, stretch.last) == ("work.py", 3, 14)
    assert (stretch.other_path, stretch.other_first, stretch.other_last) == ("work.py", 3, 12)


def test_code_everybody_was_given_is_nobodys(bosses: Path) -> None:
    pack = load_pack(bosses / "training-dummy")
    starter = collect(pack.starter)
    given = given_code_hashes(pack)
    assert take_fingerprints("a", starter, given).positions == {}
    assert find_lookalikes([take_fingerprints(name, starter, given) for name in "ab"]) == ((), 0)
    assert find_lookalikes([take_fingerprints(name, starter) for name in "ab"]).total == 1


def test_code_common_to_most_of_a_class_counts_for_nobody() -> None:
    everybody = [take_fingerprints(f"s{number:02}", factories.submission(work=ORIGINAL)) for number in range(12)]
    assert find_lookalikes(everybody).total == 0
    assert find_lookalikes(everybody[:3]).total == 3


def test_of_many_pairs_the_first_are_kept_and_all_counted() -> None:
    teams = [ORIGINAL.replace("json", f"module{team}").replace("set", f"kind{team}") for team in range(8)]
    sheets = [take_fingerprints(f"s{n:03}", factories.submission(work=teams[n % 8])) for n in range(64)]
    found = find_lookalikes(sheets)
    assert found.total > len(found.pairs) == 100


def flat(row_id: str, words: str) -> Fingerprints:
    """A hand-in whose tokens are letters, one to a line."""
    tokens = tuple(Token(letter, line) for line, letter in enumerate(words, start=1))
    hashes = gram_hashes(list(words))
    prints: dict[int, list[tuple[int, int]]] = {}
    for place in winnow(hashes):
        prints.setdefault(hashes[place], []).append((0, place))
    return Fingerprints(row_id, ("a.py",), (tokens,), prints)


def by_hand(one: str, other: str) -> set[tuple[int, int, int]]:
    """Every run of equal letters that can't be made longer, by comparing everything with everything."""
    found: set[tuple[int, int, int]] = set()
    for i in range(len(one)):
        for j in range(len(other)):
            if one[i] == other[j] and not (i and j and one[i - 1] == other[j - 1]):
                length = 0
                while i + length < len(one) and j + length < len(other) and one[i + length] == other[j + length]:
                    length += 1
                found.add((i, j, length))
    return found


WORDS = st.text("abcdefgh", max_size=40)


@given(WORDS, WORDS, WORDS, WORDS, st.text("abcdefgh", min_size=GRAM_LENGTH, max_size=60))
def test_stretches_are_those_found_by_comparing_everything(
    before: str, after: str, other_before: str, other_after: str, shared: str
) -> None:
    one, other = before + shared + after, other_before + shared + other_after
    told = {(s.first - 1, s.other_first - 1, s.tokens) for s in matched_spans(flat("a", one), flat("b", other))}
    exact = by_hand(one, other)
    assert told <= {run for run in exact if run[2] >= GRAM_LENGTH}
    for i, j, length in exact:
        if length >= DETECTED_LENGTH:
            assert any(a <= i and i + length <= a + n and b <= j and j + length <= b + n for a, b, n in told)


def test_a_very_large_hand_in_is_read_in_part() -> None:
    huge = Submission(files=(SubmissionFile(path="a.py", content="x = 1\n" * 100_000),))
    assert sum(len(file) for file in take_fingerprints("a", huge).files) == 60_000
