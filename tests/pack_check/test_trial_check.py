"""Trials are proven on exemplars and on seeded faults: what can't tell right from wrong is told."""

import shutil
from functools import partial
from pathlib import Path

import pytest

from evalforge.calibration.impostor_runs import ProgramCache, ProgramRuns
from evalforge.engine_pool import open_engines
from evalforge.measurements import Measurements
from evalforge.pack_check.exemplar_check import measure_exemplars
from evalforge.pack_check.trial_check import check_trials
from evalforge.packs.issue import Issue
from evalforge.packs.new_folders import create_pack
from evalforge.packs.pack import load_pack

pytestmark = pytest.mark.usefixtures("warm_engine")

IDLE = '''
"""A trial that says nothing."""

import pytest


@pytest.mark.group("edges")
def test_idle(cli):
    """The program ends with some status."""
    assert cli(stdin="1").exit_code in range(256), "There must be a status."


@pytest.mark.group("edges")
@pytest.mark.parametrize("stdin", ["5", ""], ids=["busy", "idle"])
def test_busy(cli, stdin):
    """What was counted is reported."""
    assert len(cli(stdin=stdin).stdout) >= len(stdin) * 5, "Say something."
'''

FAR_FETCHED = '''
"""A trial of what no small change to the program brings about."""

import pytest


@pytest.mark.group("edges")
def test_no_greeting(cli):
    """Nothing is said to those who pass."""
    assert "good day" not in cli(stdin="1").stdout, "expected two lines; got a greeting."
'''
GREETER = """
right: [{name: flawless, exemplar: flawless, design: Two functions.}]
impostors:
  - id: greeter
    of: flawless
    owner: edges
    level: 0
    clause: ""
    says: Prints two lines to standard output and nothing else
    fault: It greets.
    riddle: It is glad to see you.
    change: [{file: toll_gate.py, old: "    print(report(numbers))", new: "    print('good day', report(numbers))"}]
"""


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """A small boss with few exemplars and few trials."""
    made = create_pack("toll-gate", tmp_path)
    for name in ("solid", "weak", "borderline", "right-but-badly-built", "beautiful-but-wrong", "cheat-exec"):
        shutil.rmtree(made / "exemplars" / name)
    return made


async def remarks(pack: Path, state: Path | None = None) -> tuple[list[Issue], list[Issue]]:
    """Problems and notes; nothing was measured before, unless it is kept in a state folder."""
    boss, state = load_pack(pack), state or pack.parent / f"state-{len(list(pack.parent.iterdir()))}"
    async with open_engines() as engines:
        runs = ProgramRuns(boss, engines, ProgramCache(boss, state), lambda _: None)
        measure = partial(measure_exemplars, boss, engines, Measurements(boss, state=state), lambda _: None)
        found = await check_trials(boss, runs, measure)
    return [r for r in found if r.is_problem], [r for r in found if not r.is_problem]


async def test_a_trial_that_catches_nothing_is_a_problem(pack: Path) -> None:
    (pack / "trials" / "test_counting.py").write_text(IDLE, "utf-8")
    problems, notes = await remarks(pack)
    assert [(r.path.name, r.line) for r in problems] == [("test_counting.py", 8)]
    assert "The program ends with some status. has failed on no exemplar" in problems[0].message
    assert any("What was counted is reported: idle." in r.message for r in notes)
    survivors = [r for r in notes if "no trial catches" in r.message]
    assert all(r.path == pack / "exemplars/flawless/toll_gate.py" and r.line for r in survivors)
    # Nobody asks for the total any more.
    assert any("sum(numbers)" in r.message or "report(" in r.message for r in survivors)


async def test_an_impostor_proves_a_trial(pack: Path) -> None:
    (pack / "trials" / "test_greeting.py").write_text(FAR_FETCHED, "utf-8")
    unproven, _ = await remarks(pack)
    assert [r.path.name for r in unproven] == ["test_greeting.py"]
    (pack / "impostors").mkdir(exist_ok=True)
    (pack / "impostors" / "impostors.yaml").write_text(GREETER, "utf-8")
    assert (await remarks(pack))[0] == []


async def test_a_trial_that_flawless_code_fails_is_located(pack: Path) -> None:
    path = pack / "trials" / "test_counting.py"
    path.write_text(path.read_text("utf-8").replace('["count 2", "total 11"]', '["count 2", "total 12"]'), "utf-8")
    problems, notes = await remarks(pack)
    line = path.read_text("utf-8").splitlines().index("def test_blank_lines_do_not_count(cli):") + 1
    assert [(r.path, r.line) for r in problems] == [(path, line)]
    assert "failed on flawless" in problems[0].message
    assert notes == []


async def test_a_trial_that_passes_by_chance_is_told(pack: Path) -> None:
    (pack / "trials" / "test_chance.py").write_text(
        IDLE.partition("@pytest")[0]
        + "from pathlib import Path\n\n\n"
        + '@pytest.mark.group("edges")\ndef test_chance(cli):\n    """It holds now and then."""\n'
        + f"    flag = Path({str(pack / 'flag')!r})\n    seen = flag.exists()\n    flag.touch()\n"
        + '    assert not seen, "Once is enough."\n',
        "utf-8",
    )
    state = pack.parent / "state"
    problems, _ = await remarks(pack, state)
    assert any(
        "passes in one run and fails in the next" in r.message or "failed on flawless" in r.message for r in problems
    )
    assert (await remarks(pack, state))[0] == problems, "nothing changed, so it is still told"


@pytest.mark.parametrize(
    ("starter", "words"),
    [("raise RuntimeError('no')\n", "the starter does not load"), (None, "nothing is left to do")],
)
async def test_a_starter_loads_and_leaves_something_to_do(pack: Path, starter: str | None, words: str) -> None:
    (pack / "trials" / "test_counting.py").unlink()
    flawless = (pack / "exemplars/flawless/toll_gate.py").read_text("utf-8")
    (pack / "starter/toll_gate.py").write_text(starter or flawless, "utf-8")
    problems, _ = await remarks(pack)
    (problem,) = [r for r in problems if r.path == pack / "starter"]
    assert words in problem.message
