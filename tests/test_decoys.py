"""Generic decoys: they leave a program's behaviour alone, and the check says which levels they buy."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from evalforge.decoys.code_decoys import ADDITIONS, HIDING_PLACES
from evalforge.decoys.decoy import Decoy, combine
from evalforge.decoys.decoy_check import check_decoys
from evalforge.decoys.decoy_program import DecoyProgram, find_program
from evalforge.decoys.suite_decoys import TEST_DECOYS
from evalforge.engine_pool import open_engines
from evalforge.measurements import Measurements, without_tests
from evalforge.model.submission import Submission
from evalforge.packs.issue import Issue
from evalforge.packs.new_folders import create_pack
from evalforge.packs.pack import load_pack
from evalforge.submissions.collect import collect

INPUTS = ("5\n\n6\n", "", "one\n", "1\n-2\n+3\n")
ALL_TOGETHER = combine(ADDITIONS)
NAMES_ALONE = """
proof:
  - level: 1
    requires:
      - {fact: tests.failure_cases, check: ">= 3", otherwise: "Too few refusals are tested."}
"""
NOTICED_FAULTS = """
proof:
  - level: 1
    requires:
      - {fact: tests.failure_cases, check: ">= 1", otherwise: "No refusal is tested."}
      - any:
          - {fact: tests.unmasked, check: ">= 0.4"}
          - {fact: tests.noticed, check: ">= 0.3"}
        otherwise: "The tests notice too little."
"""
ENOUGH_FUNCTIONS = """
parts:
  - level: 1
    requires:
      - {fact: code.functions, check: ">= 3", otherwise: "There are too few functions."}
"""
SHORT_FUNCTIONS = """
parts:
  - level: 1
    requires:
      - {fact: code.functions, check: ">= 3", otherwise: "There are too few functions."}
      - {fact: code.module_level_statements, check: "== 0", otherwise: "Importing it does something."}
"""


@pytest.fixture(scope="module")
def toll_gate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return create_pack("toll-gate", tmp_path_factory.mktemp("mine"))


@pytest.fixture
def small_pack(tmp_path: Path, toll_gate: Path) -> Path:
    """A boss with four exemplars."""
    pack = Path(shutil.copytree(toll_gate, tmp_path / "toll-gate"))
    for name in ("solid", "borderline", "beautiful-but-wrong", "cheat-table", "cheat-exec"):
        shutil.rmtree(pack / "exemplars" / name)
    return pack


def program_of(exemplar: Path) -> DecoyProgram:
    program = find_program(without_tests(collect(exemplar)), ("toll_gate.py",))
    assert program is not None
    return program


def answers(submission: Submission, folder: Path) -> Iterator[tuple[int, str, bool]]:
    """What a program makes of some inputs: exit status, output, and whether it complains."""
    for file in submission.files:
        (folder / file.path).parent.mkdir(parents=True, exist_ok=True)
        (folder / file.path).write_text(file.content, "utf-8")
    for text in INPUTS:
        command = [sys.executable, "toll_gate.py"]
        ended = subprocess.run(command, cwd=folder, input=text, capture_output=True, text=True, check=False)
        yield ended.returncode, ended.stdout, bool(ended.stderr)


def replace_rules(pack: Path, criterion: str, rules: str) -> int:
    """Write other rules for one criterion; returns the line of its first condition."""
    path = pack / "evidence.yaml"
    text = path.read_text("utf-8")
    start = text.index(f"\n{criterion}:")
    end = text.find("\n\n", start + 1)
    changed = text[:start] + rules.rstrip() + "\n" + (text[end:] if end >= 0 else "")
    path.write_text(changed, "utf-8")
    return changed[: changed.index("fact:", start)].count("\n") + 1


async def purchases(pack: Path, criterion: str, state: Path) -> list[Issue]:
    """What can be bought of a criterion's levels."""
    boss = load_pack(pack)
    async with open_engines() as engines:
        issues = await check_decoys(boss, engines, lambda words: None, Measurements(boss, state=state))
    return [issue for issue in issues if f" of {criterion} can be bought by" in issue.message]


@pytest.mark.parametrize("decoy", [*ADDITIONS, ALL_TOGETHER, *HIDING_PLACES], ids=lambda decoy: decoy.trick[:40])
@pytest.mark.parametrize("name", ["flawless", "right-but-badly-built", "weak"])
def test_a_decoy_leaves_behaviour_alone(toll_gate: Path, tmp_path: Path, decoy: Decoy, name: str) -> None:
    program = program_of(toll_gate / "exemplars" / name)
    changed = decoy.apply(program)
    if changed is None:
        assert decoy not in HIDING_PLACES
        return
    assert changed.submission != program.submission
    before = list(answers(program.submission, tmp_path / "before"))
    assert list(answers(changed.submission, tmp_path / "after")) == before


@pytest.mark.parametrize("decoy", TEST_DECOYS, ids=lambda decoy: decoy.trick[:40])
def test_a_decoy_among_the_tests_passes(toll_gate: Path, tmp_path: Path, decoy: Decoy) -> None:
    changed = decoy.apply(program_of(toll_gate / "exemplars" / "flawless"))
    assert changed is not None
    list(answers(changed.submission, tmp_path))
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "."]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout


@pytest.mark.usefixtures("warm_engine")
async def test_a_purchase_names_level_decoys_conditions_advice(small_pack: Path, tmp_path: Path) -> None:
    line = replace_rules(small_pack, "proof", NAMES_ALONE)
    (issue,) = await purchases(small_pack, "proof", tmp_path)
    assert issue.place(small_pack) == f"evidence.yaml:{line}"
    assert issue.message.startswith("level 1 of proof can be bought by")
    assert "tests named after bad input that never touch the program" in issue.message
    assert "(right-but-badly-built earns 0)" in issue.message
    assert "What then holds: tests.failure_cases >= 3. Ask for tests.unmasked or tests.noticed" in issue.message


@pytest.mark.usefixtures("warm_engine")
async def test_tests_that_must_notice_faults_are_not_for_sale(small_pack: Path, tmp_path: Path) -> None:
    replace_rules(small_pack, "proof", NOTICED_FAULTS)
    assert await purchases(small_pack, "proof", tmp_path) == []


@pytest.mark.usefixtures("warm_engine")
async def test_functions_are_for_sale_unless_the_rest_is_limited(small_pack: Path, tmp_path: Path) -> None:
    replace_rules(small_pack, "parts", ENOUGH_FUNCTIONS)
    (issue,) = await purchases(small_pack, "parts", tmp_path)
    assert "functions that return the value they are given" in issue.message
    replace_rules(small_pack, "parts", SHORT_FUNCTIONS)
    assert await purchases(small_pack, "parts", tmp_path) == []
