"""Scenes of an evaluation: the list of them, and one with two judges that don't agree on everything."""

from pathlib import Path

from evalforge.app.evaluations.screen import EvaluationScreen, EvaluationsScreen
from evalforge.evaluate.evaluation import (
    Evaluation,
    EvaluationOutcome,
    ItemResult,
    ItemState,
    JudgeFingerprint,
    Spending,
)
from evalforge.evaluate.evaluation_store import EvaluationStore
from evalforge.evaluate.items import population_of
from tests.app.harness import shown, until
from tests.app.snapshot_scenarios.camera import Camera
from tests.app.snapshot_scenarios.walks import walk
from tests.app.snapshot_scenarios.world import World
from tests.app.test_class_screen import on, says

TEXTS = {
    "crash-on-start": ("The app crashes before its window opens.", 4, 4, "one cause, well named"),
    "slow-search": ("Search takes a minute with more than a thousand notes.", 5, 5, "one cause"),
    "sync-conflicts": ("Two devices, one note, and a lost paragraph.", 2, 4, "two causes under one title"),
    "typos": ("Some buttons are misspelt.", 3, 3, "small, but one thing"),
    "misc": ("Everything else.", 1, 2, "nothing in common"),
}


def evaluation(number: int, gain: int = 0) -> Evaluation:
    """An evaluation of five clusters by two judges."""
    items = tuple(
        ItemResult(
            item_id=name,
            bucket="bugs",
            state=ItemState.SCORED,
            fields={"score": (low + high) / 2 + gain, "note": note},
            ambiguous=high - low > 1,
            by_judge={"haiku": {"score": low, "note": note}, "sonnet": {"score": high, "note": note}},
        )
        for name, (_, low, high, note) in TEXTS.items()
    )
    missing = ItemResult(item_id="torn-reply", bucket="bugs", state=ItemState.MISSING, reason="missing")
    mean = sum(float(item.fields["score"] or 0) for item in items) / len(items)
    return Evaluation(
        id=f"cluster-quality-{number}",
        spec="cluster-quality",
        rubric_hash="0123456789abcdef",
        outcome=EvaluationOutcome.JUDGED,
        primary="mean_score",
        minimum_improvement=0.3,
        sample_seed=42,
        metrics={"mean_score": mean, "ambiguous_rate": 0.2, "judge_agreement_alpha": 0.81},
        coverage=5 / 6,
        items=(*items, missing),
        instrument=JudgeFingerprint(rubric_hash="0123456789abcdef", prompt_hash="00000000", model="haiku + sonnet"),
        cost=Spending(usd=0.04, total_usd=0.08, cap_usd=5.0),
        started_at=f"2026-01-0{number}T10:00:00+00:00",
        finished_at=f"2026-01-0{number}T10:01:00+00:00",
    )


def keep_evaluations(state: Path) -> None:
    """Keep two evaluations of one spec."""
    population = population_of({"items": [{"item_id": name, "text": text} for name, (text, *_) in TEXTS.items()]})
    with EvaluationStore("cluster-quality", state / "evaluations") as store:
        for number in (1, 2):
            store.begin("s", "i", "r", population).save(evaluation(number, gain=number - 1))


@walk("evaluations-none", "evaluations", "evaluation", "evaluation-filter", "evaluation-compare")
async def evaluations(world: World, camera: Camera) -> None:
    app = world.game()
    async with app.run_test(size=camera.size) as pilot:
        await until(pilot, lambda: "continues with" in shown(app), "the roster")
        app.navigator.open_evaluations()
        await until(pilot, lambda: on(pilot, EvaluationsScreen) and says(pilot, "No evaluations yet"), "nothing")
        await camera.take(pilot, "evaluations-none")
        await pilot.press("escape")
        keep_evaluations(world.state)
        app.navigator.open_evaluations()
        await until(pilot, lambda: on(pilot, EvaluationsScreen) and says(pilot, "cluster-quality-1"), "two of them")
        await camera.take(pilot, "evaluations")
        await pilot.press("enter")
        await until(pilot, lambda: on(pilot, EvaluationScreen) and says(pilot, "judges 2 apart"), "the newest")
        await camera.take(pilot, "evaluation")
        await pilot.press("f")
        await until(pilot, lambda: says(pilot, "2 of 6 items"), "those that need a person")
        await camera.take(pilot, "evaluation-filter")
        await pilot.press("d")
        await until(pilot, lambda: says(pilot, "improved"), "compared")
        await camera.take(pilot, "evaluation-compare")
