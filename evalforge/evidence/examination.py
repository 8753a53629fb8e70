"""What the host tells about the player's tests, checked, and how both of their runs together went."""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from evalforge.evidence.mutation.plan import Baseline, Reached
from evalforge.model.evidence import Finding
from evalforge.model.text import clean_line

_TESTS_MOST = 5000
_Seconds = Annotated[float, Field(ge=0, allow_inf_nan=False)]
_Lines = dict[str, list[int]]


class _Heard(BaseModel):
    """From the host: of unknown worth. What is not asked for is passed over."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class BrokenFile(_Heard):
    """A test file that can't be loaded, and the innermost of the player's lines in the reason."""

    file: str
    message: str
    path: str = ""
    line: int = 0


class Ran(_Heard):
    """One test, run once."""

    name: str
    outcome: Literal["passed", "failed", "skipped", "expected"]
    seconds: _Seconds
    reach: _Lines = {}
    message: str = ""
    path: str = ""
    line: int = 0


class Loaded(_Heard):
    """How loading the tests went."""

    seconds: _Seconds
    imported: _Lines = {}
    broken: list[BrokenFile] = []


class Round(_Heard):
    """All tests, run once; ``left`` were not for lack of time."""

    tests: list[Ran] = []
    left: list[str] = []


class Place(_Heard):
    """A place in the player's code."""

    path: str
    line: int


class Report(_Heard):
    """The first message: why there is nothing to tell, or where loading got stuck, or how it all went."""

    impossible: str = ""
    stuck: Place | None = None
    loaded: Loaded | None = None
    runs: list[Round] = []


class Verdict(_Heard):
    """How the tests took one change; ``done`` comes last, without a number."""

    number: int = -1
    outcome: Literal["killed", "survived", "timeout", "broken", "lost", ""] = ""
    done: bool = False


@dataclass(frozen=True)
class Standing:
    """How the tests stand before any fault.

    Attributes:
        passed: Tests that pass in both runs.
        total: Tests that ran, and files that couldn't be loaded.
        skipped: Tests that did not want to run, or are expected to fail.
        left: Tests that didn't run for lack of time.
        findings: One for each that isn't passed.
        baseline: What faults are planned on.
    """

    passed: int
    total: int
    skipped: int
    left: int
    findings: tuple[Finding, ...]
    baseline: Baseline


def standing(report: Report, tests: frozenset[str], code: frozenset[str]) -> Standing:
    """Put both runs together.

    Args:
        report: The host's message.
        tests: Files that tests may come from.
        code: Files whose lines count.
    """
    loaded = report.loaded or Loaded(seconds=0.0)
    first, second = (_by_name(round_, tests) for round_ in [*report.runs, Round(), Round()][:2])
    passing: list[Reached] = []
    findings = [_broken(broken) for broken in loaded.broken[:_TESTS_MOST]]
    skipped = 0
    for name, ran in first.items():
        again = second.get(name, ran)
        if "failed" in (ran.outcome, again.outcome):
            findings.append(_failed(name, ran, again))
        elif ran.outcome == "passed":
            lines = {path: frozenset(run) for path, run in ran.reach.items() if path in code}
            passing.append(Reached(name, min(ran.seconds, again.seconds), lines))
        else:
            skipped += 1
    imported = {path: frozenset(lines) for path, lines in loaded.imported.items() if path in code}
    return Standing(
        passed=len(passing),
        total=len(passing) + len(findings),
        skipped=skipped,
        left=len(report.runs[0].left) if report.runs else 0,
        findings=tuple(findings),
        baseline=Baseline(tuple(passing), imported, loaded.seconds),
    )


def _by_name(round_: Round, tests: frozenset[str]) -> dict[str, Ran]:
    return {ran.name: ran for ran in round_.tests[:_TESTS_MOST] if ran.name.partition("::")[0] in tests}


def _broken(broken: BrokenFile) -> Finding:
    message = f"{clean_line(broken.file) or 'The tests'} can't be loaded: {clean_line(broken.message)}"
    return Finding(message=message, path=clean_line(broken.path or broken.file), line=max(0, broken.line) or None)


def _failed(name: str, ran: Ran, again: Ran) -> Finding:
    shown = ran if ran.outcome == "failed" else again
    file, _, test = name.partition("::")
    why = clean_line(shown.message)
    if ran.outcome != again.outcome:
        why = f"passes in one run and fails in another ({why}): it depends on chance, or on tests before it"
    message = f"`{clean_line(test, 100)}` {why if why.startswith(('took', 'passes', 'ended')) else f'fails: {why}'}"
    return Finding(message=message, path=clean_line(shown.path or file), line=max(0, shown.line) or None)
