"""The check of a pack: quick stages first, and each runs only if the earlier ones found nothing to fix."""

import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from evalforge.calibration.impostor_matrix import ImpostorMatrix
from evalforge.calibration.impostor_runs import measure_impostors
from evalforge.calibration.mistake_signatures import keep_signatures
from evalforge.decoys.decoy_check import check_decoys
from evalforge.engine_pool import EnginePool, open_engines
from evalforge.evidence.trials.load_errors import read_load_error
from evalforge.measurements import Measurements
from evalforge.model.errors import SandboxError
from evalforge.model.number_format import format_count
from evalforge.pack_check.exemplar_runs import MeasuredExemplar, gold_issues, judged_line, measure_exemplars
from evalforge.pack_check.kept_issues import kept_trial_issues
from evalforge.pack_check.report import CheckIssue, CheckReport, CheckStage, ExemplarLine, check_issues
from evalforge.packs.impostors import impostors_file
from evalforge.packs.issue import Issue
from evalforge.packs.lint.lint import lint
from evalforge.packs.lint.unchecked_pack import UncheckedPack, read_unchecked_pack
from evalforge.packs.pack import BossPack, load_pack
from evalforge.packs.path_checks import is_file
from evalforge.verdict_check import verdict_issue

# Lines on exemplars before they are run: exemplars with the same problem share one.


def exemplar_lines(draft: UncheckedPack, problems: tuple[CheckIssue, ...]) -> Iterator[ExemplarLine]:
    """One line per exemplar with problems in its text; all exemplars made for another rubric share a line.

    Args:
        draft: The pack.
        problems: The problems in its text.
    """
    strangers = _strangers(draft)
    if strangers:
        yield ExemplarLine(names=strangers, summary=strangers_message(draft), is_fine=False)
    for exemplar in draft.exemplars:
        own = [problem for problem in problems if _is_in(problem, exemplar)]
        if own and exemplar.name not in strangers:
            more = f", and {format_count(len(own) - 1, 'more problem')}" if len(own) > 1 else ""
            summary = f"{Path(own[0].place).name}: {own[0].message}{more}"
            yield ExemplarLine(names=(exemplar.name,), summary=summary, is_fine=False)


def gather_strangers(draft: UncheckedPack, problems: tuple[CheckIssue, ...]) -> tuple[CheckIssue, ...]:
    """Replace the problems of all exemplars made for another rubric with a single one."""
    strangers = _strangers(draft)
    folders = [exemplar for exemplar in draft.exemplars if exemplar.name in strangers]
    if not folders:
        return problems
    kept_problems = [problem for problem in problems if not any(_is_in(problem, folder) for folder in folders)]
    first = next((i for i, issue in enumerate(kept_problems) if issue.file.startswith("exemplars")), len(kept_problems))
    names = ", ".join(strangers)
    issue = CheckIssue(file="exemplars", message=f"{strangers_message(draft)} ({names})")
    return (*kept_problems[:first], issue, *kept_problems[first:])


def strangers_message(draft: UncheckedPack) -> str:
    """The message on exemplars whose gold names no criterion of the rubric."""
    strangers = _strangers(draft)
    verb = "speaks" if len(strangers) == 1 else "speak"
    them = "it" if len(strangers) == 1 else "them"
    return f"{format_count(len(strangers), 'exemplar')} still {verb} of other criteria than the rubric's: delete {them}"


def _strangers(draft: UncheckedPack) -> tuple[str, ...]:
    """The names of exemplars whose gold has no criterion of the rubric."""
    if draft.rubric is None:
        return ()
    ids = {criterion.id for criterion in draft.rubric.value.criteria}
    return tuple(name for name, gold in draft.golds.items() if gold.value.levels and ids.isdisjoint(gold.value.levels))


def _is_in(issue: CheckIssue, exemplar: Path) -> bool:
    return f"{issue.file}/".startswith(f"exemplars/{exemplar.name}/")


STAGES = ("text", "trials", "gold", "verdicts", "impostors", "cheats")
"""The names of the stages, in running order."""
Report = Callable[[str], None]


async def check_pack(path: Path, state: Path, report: Report) -> CheckReport:
    """Check a pack up to the first stage that finds something to fix.

    Args:
        path: The pack's folder.
        state: EvalForge's state folder; evidence is stored there.
        report: Called with a line on what is being run.

    Raises:
        SandboxError: Code can't be run here.
    """
    text_report = _check_text(path)
    if text_report.next_to_mend:
        return text_report
    return await _Check(load_pack(path), state, report, text_report).run()


def _check_text(path: Path) -> CheckReport:
    """Run the first stage: all lint checks, which run no code."""
    started_at = time.monotonic()
    issues, draft = lint(path), read_unchecked_pack(path)
    problems = check_issues(path, issues, is_problem=True)
    stage = _stage("text", path, issues).model_copy(
        update={"problems": gather_strangers(draft, problems), "seconds": round(time.monotonic() - started_at, 1)}
    )
    return CheckReport(
        boss_id=path.resolve().name,
        folder=str(path),
        stages=(stage,),
        skipped=STAGES[1:],
        exemplars=tuple(exemplar_lines(draft, problems)),
    )


def _stage(name: str, path: Path, issues: tuple[Issue, ...], fine: str = "fine") -> CheckStage:
    problems, notes = (check_issues(path, issues, is_problem=wanted) for wanted in (True, False))
    counts = [format_count(len(problems), "problem")] if problems else [fine]
    counts += [format_count(len(notes), "note")] if notes else []
    return CheckStage(name=name, summary=", ".join(counts), seconds=0, problems=problems, notes=notes)


@dataclass
class _Check:
    """The stages that run code, and their results so far."""

    pack: BossPack
    state: Path
    report: Report
    results: CheckReport

    async def run(self) -> CheckReport:
        """Run the stages until one finds something to fix."""
        self.kept = Measurements(self.pack, state=self.state)
        self.exemplars: list[MeasuredExemplar] = []
        stages: tuple[Callable[[], Awaitable[CheckStage]], ...] = (
            *(self._check_trials, self._check_gold, self._check_verdicts, self._check_impostors, self._check_cheats),
        )
        for check in stages:
            started_at = time.monotonic()
            try:
                stage = await check()
            except SandboxError as error:
                if (broken_trials := _unloadable(self.pack.path, error)) is None:
                    raise
                stage = _stage("trials", self.pack.path, (broken_trials,))
            stage = stage.model_copy(update={"seconds": round(time.monotonic() - started_at, 1)})
            self._update(stages=(*self.results.stages, stage))
            if stage.problems or self.results.ungraded:
                break
        self._update(skipped=STAGES[len(self.results.stages) :])
        return self.results

    def _update(self, **fields: object) -> None:
        self.results = self.results.model_copy(update=fields)

    async def _check_trials(self) -> CheckStage:
        """Check that trials pass on right programs and fail on wrong ones."""
        async with open_engines() as engines:
            issues = await kept_trial_issues(self.pack, engines, self.state, self.report)
        return _stage("trials", self.pack.path, issues, "each fails on something wrong and on nothing right")

    async def _check_gold(self) -> CheckStage:
        """Check that the forge judge gives every exemplar its gold levels."""
        async with open_engines() as engines:
            self.exemplars = await measure_exemplars(self.pack, engines, self.kept, self.report)
        self._update(ungraded=tuple(exemplar.refusal for exemplar in self.exemplars if exemplar.refusal))
        issues = {exemplar.path: tuple(gold_issues(exemplar)) for exemplar in self.exemplars}
        self._update(exemplars=tuple(judged_line(exemplar, issues[exemplar.path]) for exemplar in self.exemplars))
        cheats = sum(bool(exemplar.gold.cheat) for exemplar in self.exemplars)
        honest = format_count(len(self.exemplars) - cheats, "exemplar")
        fine = f"{honest} and {format_count(cheats, 'cheat')} judged as gold says"
        return _stage("gold", self.pack.path, tuple(issue for own in issues.values() for issue in own), fine)

    async def _check_verdicts(self) -> CheckStage:
        """Check that no exemplar gets a better verdict from a judge that says yes to everything."""
        issues = (verdict_issue(exemplar.case, exemplar.path, exemplar.gold.verdict) for exemplar in self.exemplars)
        return _stage("verdicts", self.pack.path, tuple(issue for issue in issues if issue), "no model can raise one")

    async def _check_impostors(self) -> CheckStage:
        """Check that right programs pass all trials, and that each fault lowers only its own criterion."""
        file = impostors_file(self.pack.path)
        if not is_file(file):
            issue = Issue(file, None, "there are no impostors: what tests are worth isn't measured", False)
            return _stage("impostors", self.pack.path, (issue,), "none")
        async with open_engines() as engines:
            matrix = await measure_impostors(self.pack, engines, self.state, self.report)
            issues = (*_matrix_issues(matrix, file), *await self._keep_signatures(engines))
        fine = f"{format_count(len(matrix.wrong), 'fault')}, each charged once"
        return _stage("impostors", self.pack.path, issues, fine)

    async def _keep_signatures(self, engines: EnginePool) -> tuple[Issue, ...]:
        """Keep what the trials say of each impostor in the pack; a note if the pack can't be written."""
        try:
            await keep_signatures(self.pack, engines, self.state, self.report)
        except OSError as error:
            message = f"known mistakes can't be kept here ({error.strerror}): no mistake will be named"
            return (Issue(self.pack.path, None, message, is_problem=False),)
        return ()

    async def _check_cheats(self) -> CheckStage:
        """Check that no level can be gained by changes that improve no program."""
        async with open_engines() as engines:
            issues = await check_decoys(self.pack, engines, self.report, self.kept)
        bought = tuple(replace(issue, is_problem=True) for issue in issues)
        return _stage("cheats", self.pack.path, bought, "no level can be bought")


def _unloadable(pack: Path, error: SandboxError) -> Issue | None:
    """The issue if the pack's trials can't be imported; None if the sandbox itself failed."""
    fault = read_load_error(error.message)
    return Issue(pack / fault.file, fault.line, f"this can't be imported: {fault.message}") if fault else None


def _matrix_issues(matrix: ImpostorMatrix, file: Path) -> list[Issue]:
    lines = file.read_text("utf-8").splitlines()

    def issue(name: str, message: str) -> Issue:
        line = next((number for number, text in enumerate(lines, 1) if name in text), None)
        return Issue(file, line, f"{name}: {message}")

    issues = [
        issue(
            program.name, f"this right program fails {program.failed[0]!r}: that trial asks for more than the contract"
        )
        for program in matrix.right
        if program.failed
    ]
    for program in matrix.wrong:
        if program.is_missed:
            issues.append(issue(program.id, f"no trial of {program.owner} catches this impostor"))
        elif not program.is_charged:
            issues.append(issue(program.id, f"{program.owner} keeps its level with this fault"))
        elif program.spill:
            issues.append(
                issue(program.id, f"{', '.join(program.spill)} loses a level too: the fault is charged twice")
            )
    return issues
