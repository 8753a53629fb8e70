"""Which submissions a calibration judges: exemplars, or others with gold levels, and how often."""

from dataclasses import dataclass
from pathlib import Path

from evalforge.fight import FightOptions
from evalforge.model.errors import PackError, UsageError
from evalforge.packs.gold import GOLD_FILE, Gold, read_gold
from evalforge.packs.locations import bosses_option
from evalforge.packs.pack import BossPack
from evalforge.packs.path_checks import folder_fault, folders_in, is_file, is_folder


@dataclass(frozen=True)
class CalibrationPlan:
    """What to judge, and how often.

    Attributes:
        packs: The bosses.
        repeats: How often each submission is judged.
        submissions: Another folder with gold submissions, ``BOSS/NAME`` below it, or ``NAME`` for a single boss; they
            are judged in place of the exemplars.
    """

    packs: tuple[BossPack, ...]
    options: FightOptions
    repeats: int = 1
    submissions: Path | None = None


def submissions_with_gold(plan: CalibrationPlan) -> tuple[tuple[BossPack, Path], ...]:
    """Return every submission with gold, and its boss.

    Raises:
        UsageError: There are no such submissions.
    """
    submissions = tuple((pack, path) for pack in plan.packs for path in _with_gold(pack, plan))
    if not submissions:
        where = f" in {plan.submissions}" if plan.submissions else ""
        raise UsageError(f"There is no submission with gold levels to judge{where}.")
    return submissions


def _with_gold(pack: BossPack, plan: CalibrationPlan) -> tuple[Path, ...]:
    folders = (
        pack.exemplars if plan.submissions is None else _below(plan.submissions, pack.boss_id, len(plan.packs) == 1)
    )
    for folder in folders:
        if fault := folder_fault(folder):
            raise UsageError(f"{folder} {fault}.")
    return tuple(path for path in folders if is_file(path / GOLD_FILE))


def _below(folder: Path, boss_id: str, has_one_pack: bool) -> tuple[Path, ...]:
    """List the submissions for one boss in a folder that may hold those of several."""
    own = folder / boss_id
    if not is_folder(own) and has_one_pack:
        own = folder
    return folders_in(own)


def read_sound_gold(pack: BossPack, path: Path) -> Gold:
    """Read a submission's gold, checked to have a valid level for each criterion in each reading.

    Raises:
        PackError: A level is missing, or is not one of the rubric's.
    """
    gold = read_gold(path)
    for number, levels in enumerate((gold.levels, *gold.readings)):
        for criterion in pack.rubric.criteria:
            try:
                criterion.level(levels[criterion.id])
                for level in gold.also.get(criterion.id, ()):
                    criterion.level(level)
            except KeyError:
                where = f"in reading {number} there is no level" if number else "there is no gold level"
                raise PackError(
                    path / GOLD_FILE,
                    None,
                    f"{where} of {criterion.id}, or none that exists.",
                    f"Run: evalforge lint {pack.boss_id}{bosses_option(pack.path)}",
                ) from None
    return gold
