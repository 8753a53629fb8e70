"""Lint holds a contract's sections against trials and impostors."""

import shutil
from pathlib import Path

import pytest

from evalforge.packs.lint.lint import lint
from evalforge.packs.lint.trial_checks import contract_coverage
from evalforge.packs.lint.unchecked_pack import read_unchecked_pack
from evalforge.packs.new_folders import create_pack
from tests.command_line import run
from tests.conftest import REPOSITORY

BOSSES = sorted(path.name for path in (REPOSITORY / "bosses").iterdir() if path.is_dir())
SECTIONS = """\
    COUNTING
      python toll_gate.py prints `count N` and `total T`.

      - Without any number both are 0.

    REFUSALS
      A line that is no number is refused with exit status 2.
"""


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """A sound pack without impostors, whose contract has two sections."""
    made = create_pack("toll-gate", tmp_path)
    shutil.rmtree(made / "impostors")
    boss = made / "boss.yaml"
    before, _, after = boss.read_text("utf-8").partition("  contract: |\n")
    boss.write_text(f"{before}  contract: |\n{SECTIONS}{after[after.index('  sprite:') :]}", "utf-8")
    return made


def mark(pack: Path, name: str, heading: str) -> None:
    """Let each trial of a file name a section of the contract."""
    path = pack / "trials" / name
    text = path.read_text("utf-8").replace('pytestmark = pytest.mark.group("refusals")\n', "")
    marks = f'pytestmark = [pytest.mark.group("{name[5:-3]}"), pytest.mark.clause("{heading}")]'
    path.write_text(text.replace("import pytest\n", f"import pytest\n\n{marks}\n", 1), "utf-8")


def messages(pack: Path) -> list[str]:
    return [issue.message for issue in lint(pack)]


def test_a_section_without_a_trial_is_reported(pack: Path) -> None:
    mark(pack, "test_counting.py", "COUNTING")
    assert [each for each in messages(pack) if "section" in each] == [
        "no trial checks the section REFUSALS; in impostors.yaml, list it as unjudged if none can"
    ]


def test_sections_with_trials_are_not_reported(pack: Path) -> None:
    mark(pack, "test_counting.py", "COUNTING")
    mark(pack, "test_refusals.py", "REFUSALS")
    assert [each for each in messages(pack) if "section" in each] == []


def test_a_pack_whose_trials_name_no_section_is_told_once(pack: Path) -> None:
    assert [each for each in messages(pack) if "section" in each] == [
        'no trial names the section of the contract that it checks: @pytest.mark.clause("HEADING")'
    ]


def test_a_section_that_does_not_exist_is_a_problem(pack: Path) -> None:
    mark(pack, "test_counting.py", "COUNTNG")
    problems = {issue.message for issue in lint(pack) if issue.is_problem}
    assert "test_signs: the contract has no section 'COUNTNG': did you mean COUNTING?" in problems


def test_a_trial_s_own_sections_replace_those_of_its_file(pack: Path) -> None:
    mark(pack, "test_counting.py", "COUNTING")
    path = pack / "trials" / "test_counting.py"
    own = '@pytest.mark.clause("REFUSALS", "COUNTING")\ndef test_signs'
    path.write_text(path.read_text("utf-8").replace("def test_signs", own), "utf-8")
    counting, refusals = contract_coverage(read_unchecked_pack(pack))
    assert (counting.trials, refusals.trials, refusals.groups) == (9, 1, ("edges",))


def test_lint_prints_a_table_of_sections(pack: Path, tmp_path: Path) -> None:
    mark(pack, "test_counting.py", "COUNTING")
    lines = run("lint", "--clauses", pack).stdout.splitlines()
    rows = [line.split() for line in lines if line.startswith(("  COUNTING", "  REFUSALS"))]
    assert rows == [["COUNTING", "2", "9", "·", "plain,", "edges"], ["REFUSALS", "1", "none", "·"]]
    assert "    COUNTING: - Without any number both are 0." in lines


def test_lint_says_that_a_contract_has_no_sections(tmp_path: Path) -> None:
    made = create_pack("toll-gate", tmp_path)
    assert "toll-gate: the contract has no sections" in run("lint", "--clauses", made).stdout


@pytest.mark.parametrize("boss", BOSSES)
def test_each_section_of_a_shipped_boss_has_trials(boss: str) -> None:
    sections = contract_coverage(read_unchecked_pack(REPOSITORY / "bosses" / boss))
    assert [section.heading for section in sections if section.is_judged and not section.trials] == []
    assert any(section.trials for section in sections)
