"""Scenes of the rubric lab: its texts, what moved, what is wrong, the judges side by side, calibration."""

import shutil
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from textual.pilot import Pilot

from evalforge.app.home.boss_page import BossScreen
from evalforge.app.lab.attempt_picker import AttemptPickerScreen
from evalforge.app.lab.calibration_screen import TABS, CalibrationScreen
from evalforge.app.lab.editors import PAUSE
from evalforge.app.lab.fault_matrix import FaultMatrixScreen
from evalforge.app.lab.judge_comparison import JudgeComparisonScreen
from evalforge.app.lab.screen import LabScreen
from evalforge.app.screens.confirm import ConfirmScreen
from evalforge.calibration.impostor_runs import ProgramCache
from evalforge.lab.draft import DraftPart
from evalforge.measurements import without_tests
from evalforge.model.events import FactMeasured
from evalforge.model.evidence import Evidence
from evalforge.model.submission import Submission
from evalforge.packs.impostors import plant, read_impostors
from evalforge.packs.pack import BossPack, load_pack
from evalforge.submissions.collect import collect
from tests.app import start_request
from tests.app.harness import shown, until
from tests.app.snapshot_scenarios.camera import Camera
from tests.app.snapshot_scenarios.engine import BOSSES, measured
from tests.app.snapshot_scenarios.walks import walk
from tests.app.snapshot_scenarios.world import FURNACE, World
from tests.app.test_lab import on, rewrite, scored

_RULE = ('- fact: trials.bad_input\n        check: ">= 0.6"', '- fact: trials.bad_input\n        check: ">= 0.9"')
_LINE = ("pass_threshold: 6", "pass_threshold: 4")
_OTHER = "robustness_logging_errors"
_WRONG = (_RULE[1], _RULE[1].replace(">=", "=>"))


async def looked_at(pilot: Pilot[None], changes: int) -> None:
    """A text is looked at when that is asked for, and once more a moment after the last key."""
    screen = pilot.app.screen
    assert isinstance(screen, LabScreen)
    await until(
        pilot,
        lambda: bool(screen.score_changes and len(screen.score_changes.revision.changes) == changes),
        "what moved",
    )
    await pilot.pause(PAUSE)
    await until(pilot, lambda: not [w for w in pilot.app.workers if w.group == "check" and w.is_running], "at rest")


@walk("lab", "lab-words", "lab-moved", "lab-save", "lab-tries", "lab-judges", "lab-wrong")
async def lab(world: World, camera: Camera) -> None:
    app = world.game(start_request.lab(FURNACE))
    async with app.run_test(size=camera.size) as pilot:
        await scored(pilot)
        await camera.take(pilot, "lab")
        await pilot.press("escape", "4")
        await camera.take(pilot, "lab-words")
        await pilot.press("1")
        await rewrite(pilot, DraftPart.EVIDENCE, *_RULE)
        await rewrite(pilot, DraftPart.RUBRIC, *_LINE)
        await looked_at(pilot, changes=2)
        await pilot.press("escape")
        await camera.take(pilot, "lab-moved")
        for key, scene, screen in (
            ("s", "lab-save", ConfirmScreen),
            ("a", "lab-tries", AttemptPickerScreen),
            ("J", "lab-judges", JudgeComparisonScreen),
        ):
            await pilot.press(key)
            await until(pilot, lambda screen=screen: on(pilot, screen), scene)
            await until(pilot, lambda: "Scoring" not in shown(app), "everything is there")
            await camera.take(pilot, scene)
            await pilot.press("escape")
        await pilot.press("2")
        await rewrite(pilot, DraftPart.EVIDENCE, *_WRONG)
        await until(pilot, lambda: "is one of" in shown(app), "what is wrong")
        await looked_at(pilot, changes=2)
        await camera.take(pilot, "lab-wrong")


@walk("calibration", sizes=((120, 40),))
async def calibration(world: World, camera: Camera) -> None:
    async with calibrated(world, camera) as pilot:
        await camera.take(pilot, "calibration")


@walk(*(f"calibration-{tab}" for tab in TABS), sizes=((80, 24),))
async def calibration_sides(world: World, camera: Camera) -> None:
    async with calibrated(world, camera) as pilot:
        for key, tab in enumerate(TABS, start=1):
            await pilot.press(str(key))
            await camera.take(pilot, f"calibration-{tab}")


@asynccontextmanager
async def calibrated(world: World, camera: Camera) -> AsyncGenerator[Pilot[None]]:
    """The forge by a changed rule against gold, all intervals drawn."""
    app = world.game(start_request.lab(FURNACE))
    async with app.run_test(size=camera.size) as pilot:
        await scored(pilot)
        await rewrite(pilot, DraftPart.EVIDENCE, *_RULE)
        await looked_at(pilot, changes=1)
        await pilot.press("escape", "c")
        await until(pilot, lambda: on(pilot, CalibrationScreen), "the pictures")
        await until(pilot, lambda: not [w for w in app.workers if w.group == "figures" and w.is_running], "drawn")
        yield pilot


@walk("faults", "faults-unmeasured")
async def faults(world: World, camera: Camera) -> None:
    measure_faults(load_pack(BOSSES / FURNACE), world.state)
    app = world.game(start_request.lab(FURNACE))
    async with app.run_test(size=camera.size) as pilot:
        await scored(pilot)
        await pilot.press("escape", "m")
        await until(
            pilot, lambda: on(pilot, FaultMatrixScreen) and "NOT CHARGED EXACTLY ONCE" in shown(app), "the matrix"
        )
        await camera.take(pilot, "faults")
        await pilot.press("escape")
        shutil.rmtree(world.state / "lab" / "evidence")
        await pilot.press("m")
        await until(pilot, lambda: "not measured yet" in shown(app), "what to run")
        await camera.take(pilot, "faults-unmeasured")


def measure_faults(pack: BossPack, state: Path) -> None:
    """Keep evidence of all of a boss's programs: each fault fails the trials of its owner, one those of another, too.

    Faults in structure and build, which no trial notices, cost nothing here.
    """
    listed = read_impostors(pack.path)
    assert listed
    sources = {each.name: without_tests(collect(each.path(pack.path))).contents for each in listed.right}
    kept = ProgramCache(pack, state)
    for name, files in sources.items():
        kept.programs.store(Submission.of(files).content_hash, _evidence(pack))
        exemplar = next(each.exemplar for each in listed.right if each.name == name)
        if exemplar:
            kept.tests.store(collect(pack.path / "exemplars" / exemplar).content_hash, Evidence())
    others = {wrong.id: _OTHER for wrong in listed.wrong[:1]}
    for wrong in listed.wrong:
        fallen = _evidence(pack, wrong.owner, others.get(wrong.id, wrong.owner))
        kept.programs.store(Submission.of(plant(sources[wrong.of], wrong)).content_hash, fallen)


def _evidence(pack: BossPack, *fallen: str) -> Evidence:
    """What was measured of the flawless exemplar, but that the trials of some criteria fail."""
    facts = [event.fact for event in measured(pack.boss_id, "flawless") if isinstance(event, FactMeasured)]
    groups = {f"trials.{group}" for criterion in fallen for group in pack.rules.trial_groups(criterion)}
    lowered = (fact.model_copy(update={"value": 0.4}) if fact.name in groups else fact for fact in facts)
    return Evidence(facts=tuple(lowered))


@walk("duel")
async def duel(world: World, camera: Camera) -> None:
    app = world.game(start_request.boss_page(FURNACE))
    async with app.run_test(size=camera.size) as pilot:
        await until(pilot, lambda: on(pilot, BossScreen), "the page")
        await pilot.press("J")
        await until(
            pilot, lambda: on(pilot, JudgeComparisonScreen) and "could not judge" in shown(app), "one judge is missing"
        )
        await camera.take(pilot, "duel")
