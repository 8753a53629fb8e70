"""A judge's round through the exemplars, kept so that two rounds can be held side by side."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from pydantic import Field

from evalforge.calibration.figures import CriterionFigures, OverallFigures, Rated, criterion_figures, overall_figures
from evalforge.calibration.run import rated
from evalforge.judges.choice import make_judge
from evalforge.judges.options import ModelOptions
from evalforge.lab.contenders import Ask, Contender, judge_side
from evalforge.lab.exhibits import Exhibit
from evalforge.lab.files import read_bytes, stamp
from evalforge.lab.rescore import rescore
from evalforge.library.pack import BossPack
from evalforge.library.writing import write_whole
from evalforge.model.base import Frozen
from evalforge.model.numbers import Score, exact
from evalforge.model.result import JudgeInfo, Judgement
from evalforge.model.rubric import BossRubric

_KEPT_MOST = 40


class Round(Frozen):
    """What one judge said of every exemplar; ``failed`` says why it said nothing of some."""

    boss_id: str
    rubric_hash: str
    judge: JudgeInfo
    at: datetime
    judged: dict[str, tuple[Judgement, ...]]
    failed: dict[str, str] = Field(default_factory=dict)

    @property
    def name(self) -> str:
        """The judge, and when."""
        judge = " ".join(part for part in (self.judge.name, self.judge.model) if part)
        return judge if self.judge.name == "forge" else f"{judge}, {self.at.astimezone():%Y-%m-%d %H:%M}"

    def judgement(self, exhibit: str, criterion_id: str) -> Judgement | None:
        """Its word on one criterion of one exemplar."""
        return next((one for one in self.judged.get(exhibit, ()) if one.criterion_id == criterion_id), None)


class Difference(Frozen):
    """Where two rounds, or a round and gold, give different levels. ``gold`` is None where there is none."""

    exhibit: str
    criterion_id: str
    one: Score
    other: Score
    gold: Score | None = None
    why: str = ""


def forge_round(pack: BossPack, exhibits: Sequence[Exhibit], judge: JudgeInfo) -> Round:
    """The forge's round: worked out on the spot, so never stored."""
    judged = {one.id: rescore(pack, one.submission, one.evidence).judgements for one in exhibits}
    return Round(boss_id=pack.boss_id, rubric_hash=pack.rubric_hash, judge=judge, at=datetime.now(UTC), judged=judged)


async def play_round(
    who: Contender,
    pack: BossPack,
    exhibits: Sequence[Exhibit],
    models: ModelOptions,
    ask: Ask,
    tell: Callable[[str], None],
) -> Round:
    """Ask a judge about each exhibit in turn.

    Raises:
        UsageError: There is no such judge, or it can't be had here.
    """
    chosen = replace(models, models=who.models) if who.models else models
    info = make_judge(who.judge, chosen).info
    judged: dict[str, tuple[Judgement, ...]] = {}
    failed: dict[str, str] = {}
    for number, one in enumerate(exhibits, start=1):
        tell(f"{who.name or who.judge}: {one.name}, {number} of {len(exhibits)}")
        side = await judge_side(who, one, (pack, pack), models, ask)
        if side.judged is not None:
            judged[one.id] = side.judged.judgements
        else:
            failed[one.id] = side.why_not
    return Round(
        boss_id=pack.boss_id,
        rubric_hash=pack.rubric_hash,
        judge=info,
        at=datetime.now(UTC),
        judged=judged,
        failed=failed,
    )


def misses(exhibits: Sequence[Exhibit], played: Round) -> tuple[Difference, ...]:
    """Where a round differs from gold: ``one`` is gold's level, ``other`` the judge's."""
    return tuple(
        Difference(
            exhibit=exhibit.id,
            criterion_id=judgement.criterion_id,
            one=exhibit.gold.levels[judgement.criterion_id],
            other=judgement.score,
            gold=exhibit.gold.levels[judgement.criterion_id],
            why=exhibit.gold.why.get(judgement.criterion_id, ""),
        )
        for exhibit in exhibits
        if exhibit.gold is not None
        for judgement in played.judged.get(exhibit.id, ())
        if judgement.criterion_id in exhibit.gold.levels
        and exact(judgement.score) != exact(exhibit.gold.levels[judgement.criterion_id])
    )


def differences(exhibits: Sequence[Exhibit], one: Round, other: Round) -> tuple[Difference, ...]:
    """Where two rounds differ from each other."""
    return tuple(
        Difference(
            exhibit=exhibit.id,
            criterion_id=mine.criterion_id,
            one=mine.score,
            other=theirs.score,
            gold=exhibit.gold.levels.get(mine.criterion_id) if exhibit.gold else None,
            why=exhibit.gold.why.get(mine.criterion_id, "") if exhibit.gold else "",
        )
        for exhibit in exhibits
        for mine in one.judged.get(exhibit.id, ())
        if (theirs := other.judgement(exhibit.id, mine.criterion_id)) is not None
        and exact(mine.score) != exact(theirs.score)
    )


def rate(pack: BossPack, exhibits: Sequence[Exhibit], played: Round, against: Round | None = None) -> list[Rated]:
    """The exemplars a round has judged, beside gold, or beside another round in gold's place."""
    found: list[Rated] = []
    for exhibit in exhibits:
        base = _levels(against.judged.get(exhibit.id, ())) if against else (exhibit.gold.levels if exhibit.gold else {})
        given = _levels(played.judged.get(exhibit.id, ()))
        if _is_whole(pack.rubric, base) and _is_whole(pack.rubric, given):
            found.append(rated(pack, exhibit.id, dict(base), [given]))
    return found


def _levels(judgements: Sequence[Judgement]) -> dict[str, float]:
    return {judgement.criterion_id: judgement.score for judgement in judgements}


def _is_whole(rubric: BossRubric, levels: Mapping[str, float]) -> bool:
    """Whether every criterion has a level that exists."""
    return all(
        any(exact(level.score) == exact(levels[criterion.id]) for level in criterion.levels)
        if criterion.id in levels
        else False
        for criterion in rubric.criteria
    )


def of_criterion(pack: BossPack, units: Sequence[Rated], criterion_id: str) -> CriterionFigures:
    """The figures of one criterion, with intervals."""
    criterion = pack.rubric.criterion(criterion_id)
    levels = tuple(level.score for level in criterion.levels)
    return criterion_figures(units, pack.boss_id, criterion_id, criterion.label, levels)


def of_all(units: Sequence[Rated]) -> OverallFigures:
    """The figures over all criteria, with intervals."""
    return overall_figures(units)


class RoundBook:
    """Stored rounds of one boss, newest first. A broken file is passed over.

    Args:
        state: The folder of our state.
        boss_id: Whose rounds.
    """

    def __init__(self, state: Path, boss_id: str) -> None:
        self._folder = state / "lab" / "rounds" / boss_id

    def add(self, played: Round) -> None:
        """Store a round.

        Raises:
            OSError: It can't be written.
        """
        name = f"{stamp()}-{played.judge.name}.json"
        write_whole(self._folder / name, played.model_dump_json(indent=1).encode("utf-8", "surrogatepass"))
        for old in self._files()[_KEPT_MOST:]:
            old.unlink(missing_ok=True)

    def rounds(self) -> list[Round]:
        """All of them."""
        found: list[Round] = []
        for path in self._files():
            try:
                found.append(Round.model_validate_json(read_bytes(path) or b""))
            except ValueError:
                continue
        return found

    def _files(self) -> list[Path]:
        return sorted(self._folder.glob("*.json"), reverse=True) if self._folder.is_dir() else []
