"""The player's tests on their own program: which pass, and what is wrong with the others."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from evalforge.evidence.suite.conversation import BrokenFile, LoadedSuite, PlayerTestRun, SuiteReport
from evalforge.evidence.suite.jobs import Baseline, PassingTest
from evalforge.evidence.suite.run import Suite
from evalforge.model.evidence import Fact, Finding
from evalforge.model.text import clean_line

_MAX_FINDINGS = 20


@dataclass(frozen=True)
class OwnTests:
    """The results of the tests on the player's own program, without mutants.

    Attributes:
        passed_count: Number of tests that pass.
        total_count: Number of tests that ran, and of files that couldn't be loaded.
        skipped_count: Number of tests that were skipped, are expected to fail, or may fail.
        unrun_count: Number of tests that were not run for lack of time.
        looked_count: Number of tests that pass and look at code instead of behaviour.
        findings: A finding for each test or file that doesn't pass.
        refusals: A finding for each test that needs what the sandbox refuses; it neither passes nor fails.
        baseline: The tests that pass in every run and check behaviour, and the lines they run, for planning mutants.
        passing_names: The names of all tests that pass, whatever they check.
    """

    passed_count: int
    total_count: int
    skipped_count: int
    unrun_count: int
    looked_count: int
    findings: tuple[Finding, ...]
    baseline: Baseline
    passing_names: frozenset[str] = frozenset()
    refusals: tuple[Finding, ...] = ()

    @property
    def only_look(self) -> bool:
        """Whether tests pass, but all of those look at code instead of behaviour."""
        return self.looked_count > 0 and not self.baseline.tests

    def baseline_with(self, other: Baseline) -> Baseline:
        """The baseline of another run, as in another order, with only the tests that also pass in this one."""
        names = {test.name for test in self.baseline.tests}
        return replace(other, tests=tuple(test for test in other.tests if test.name in names))

    def passed_fact(self) -> Fact:
        """The fact ``tests.passed``."""
        findings = [*self.findings[:_MAX_FINDINGS], *self.refusals[:_MAX_FINDINGS]]
        if self.unrun_count:
            findings.append(Finding(message=f"{self.unrun_count} tests were not run: out of time."))
        if not self.total_count and self.refusals:
            return Fact(name="tests.passed", value=None, findings=tuple(findings))
        if not self.total_count:
            text = "Every test is skipped or expected to fail." if self.skipped_count else "No test was found."
            return Fact(name="tests.passed", value=None, findings=(*findings, Finding(message=text)))
        return Fact(name="tests.passed", value=self.passed_count / self.total_count, findings=tuple(findings))


def own_tests(report: SuiteReport, suite: Suite) -> OwnTests:
    """Combine the results of all runs on the player's own program.

    The first run also measures, which slows tests down. So wherever there are others, only they decide what passes.
    """
    code = frozenset(suite.code)
    loaded = report.loaded or LoadedSuite(seconds=0.0)
    measured, *rounds = report.results_by_run or [{}]
    passing: list[PassingTest] = []
    passing_names: set[str] = set()
    findings = [_broken_file_finding(broken) for broken in loaded.broken if not broken.refused]
    refusals = [_broken_file_finding(broken) for broken in loaded.broken if broken.refused]
    passed = skipped = looked = 0
    for name, measured_run in measured.items():
        runs = [round_[name] for round_ in rounds if name in round_] or [measured_run]
        outcomes = {run.outcome for run in runs}
        refused_run = next((run for run in runs if run.outcome == "refused"), None)
        if refused_run is not None:
            refusals.append(_refused_test_finding(refused_run))
            continue
        if "failed" in outcomes and not _is_expected_now_and_then(runs):
            findings.append(_failed_test_finding(runs))
            continue
        if outcomes == {"passed"}:
            passing_names.add(name)
        if runs[0].outcome == "passed" and not measured_run.may_fail:
            passed += 1
            if loaded.looked or any(run.looked for run in (measured_run, *runs)):  # it wouldn't notice behaviour
                looked += 1
            elif measured_run.outcome == "passed":
                lines = {path: frozenset(numbers) for path, numbers in measured_run.reach.items() if path in code}
                seconds = min(run.seconds for run in (measured_run, *runs))
                passing.append(PassingTest(name, seconds, lines))
        else:
            skipped += 1
    findings += [_dropped_test_finding(run) for run in _failing_dropped_runs(report, code)]
    imported = {path: frozenset(lines) for path, lines in loaded.imported.items() if path in code}
    return OwnTests(
        passed_count=passed,
        total_count=passed + len(findings),
        skipped_count=skipped,
        unrun_count=report.unrun_count,
        looked_count=looked,
        findings=tuple(findings),
        baseline=Baseline(tuple(passing), imported, loaded.seconds, unseen=frozenset(suite.tests)),
        passing_names=frozenset(passing_names),
        refusals=tuple(refusals),
    )


def _failing_dropped_runs(report: SuiteReport, code: frozenset[str]) -> list[PlayerTestRun]:
    """The tests that a hook leaves out and that would report a fault of the program.

    A test that is slow, crashes or checks nothing of the program may have been left out honestly.
    """
    dropped_runs = report.runs[0].dropped if report.runs else []
    return [run for run in dropped_runs if run.outcome == "failed" and run.checked and not code.isdisjoint(run.reach)]


def _test_finding(run: PlayerTestRun, description: str) -> Finding:
    """A finding about a test, at the place that its run names."""
    file, _, test = run.name.partition("::")
    message = f"`{clean_line(test, 100)}` {description}"
    return Finding(message=message, path=clean_line(run.path or file), line=max(0, run.line) or None)


def _dropped_test_finding(run: PlayerTestRun) -> Finding:
    return _test_finding(run, f"fails, and a hook takes it out of the run: {clean_line(run.message)}")


def _refused_test_finding(run: PlayerTestRun) -> Finding:
    return _test_finding(run, f"was not run here: {clean_line(run.message)}.")


def _is_expected_now_and_then(runs: Sequence[PlayerTestRun]) -> bool:
    """Whether a test marked to fail did so in only some runs: a quick machine may keep a promise of speed."""
    return runs[0].xfail and {run.outcome for run in runs} == {"failed", "expected"}


def _broken_file_finding(broken: BrokenFile) -> Finding:
    file = clean_line(broken.file) or "The tests"
    message = f"{file} can't be loaded: {clean_line(broken.message)}"
    if broken.refused:
        message = f"{file} can't be loaded here: {clean_line(broken.refused)}."
    return Finding(message=message, path=clean_line(broken.path or broken.file), line=max(0, broken.line) or None)


def _failed_test_finding(runs: Sequence[PlayerTestRun]) -> Finding:
    failed_run = next(run for run in runs if run.outcome == "failed")
    why = clean_line(failed_run.message)
    if any(run.outcome != "failed" for run in runs):
        why = f"passes in one run and fails in another ({why}): it depends on chance, or on tests before it"
    return _test_finding(failed_run, why if why.startswith(("took", "passes", "ended")) else f"fails: {why}")
