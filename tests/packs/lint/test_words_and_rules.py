"""A level's sentence and its conditions side by side, and what changed without the other."""

from pathlib import Path

import pytest

from evalforge.packs.level_words import keep_level_texts, level_texts
from evalforge.packs.lint.lint import lint
from evalforge.packs.lint.unchecked_pack import read_unchecked_pack
from evalforge.packs.lint.words_and_rules import words_of_levels
from evalforge.packs.new_folders import create_pack
from tests.command_line import run


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """A pack whose levels are kept as they are."""
    made = create_pack("toll-gate", tmp_path)
    keep_level_texts(made, level_texts(words_of_levels(read_unchecked_pack(made))))
    return made


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


def notes(pack: Path) -> list[tuple[str, int | None, str]]:
    found = [issue for issue in lint(pack) if "a model" in issue.message]
    assert not any(issue.is_problem for issue in found)
    return [(issue.path.name, issue.line, issue.message) for issue in found]


def test_each_level_is_shown_beside_its_conditions(pack: Path) -> None:
    lines = run("lint", "--fast", "--words", pack).stdout.splitlines()
    at = next(index for index, line in enumerate(lines) if line.strip().startswith("counts_right 2"))
    places, first = lines[at + 1].split(), lines[at + 2]
    rubric = (pack / "rubric.yaml").read_text("utf-8").splitlines()
    assert places == [f"rubric.yaml:{rubric.index('      - score: 2') + 1}", "evidence.yaml:14"]
    assert first.split("  ")[2].startswith("Blank lines, signs")
    assert first.endswith("- trials.edges == 1.0")
    assert sum(line.startswith("    rubric.yaml:") for line in lines) == 5


def test_a_new_sentence_without_new_conditions_is_pointed_at(pack: Path) -> None:
    assert notes(pack) == []
    change(pack / "rubric.yaml", "a missing last line end and empty input", "an empty file, hexadecimal numbers")
    ((name, line, message),) = notes(pack)
    assert (name, line is not None) == ("rubric.yaml", True)
    assert "(evidence.yaml:14) didn't: the forge judges by evidence.yaml; only a model reads this sentence" in message


def test_new_conditions_without_a_new_sentence_are_pointed_at(pack: Path) -> None:
    change(
        pack / "evidence.yaml",
        'fact: trials.edges\n        check: "== 1.0"',
        'fact: trials.edges\n        check: ">= 0.5"',
    )
    ((name, line, message),) = notes(pack)
    assert (name, line) == ("evidence.yaml", 14)
    assert "a model still judges by the sentence" in message


def test_both_changed_together_are_fine(pack: Path) -> None:
    change(pack / "rubric.yaml", "a missing last line end and empty input all come", "and empty input nearly all come")
    change(
        pack / "evidence.yaml",
        'fact: trials.edges\n        check: "== 1.0"',
        'fact: trials.edges\n        check: ">= 0.5"',
    )
    assert notes(pack) == []


def test_line_breaks_are_no_change(pack: Path) -> None:
    change(pack / "rubric.yaml", "a missing last line end and", "a missing last\n          line end and")
    assert notes(pack) == []
