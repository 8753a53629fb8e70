"""Scenes shown to others: a lesson step by step, the speaker's notes, the tour."""

import os
from collections.abc import Callable

from evalforge.app.home.welcome import WelcomeScreen
from evalforge.app.teaching.lesson_plan import StepKind, make_lesson
from evalforge.app.teaching.speaker_notes import NotesScreen, TeachingState, speaker_notes, state_file, write_state
from evalforge.app.teaching.tour import STOPS, TourScreen
from evalforge.packs.pack import load_pack
from tests.app import start_request
from tests.app.harness import shown, until
from tests.app.snapshot_scenarios.camera import Camera
from tests.app.snapshot_scenarios.walks import walk
from tests.app.snapshot_scenarios.world import FURNACE, NOW, World
from tests.app.test_lesson import go, opened
from tests.app.test_screens import on

_STEPS = (
    ("contract", StepKind.CONTRACT, -1), ("criterion", StepKind.CRITERION, 2), ("hand-in", StepKind.HAND_IN, -1),
    ("guess", StepKind.GUESS, 2), ("reveal", StepKind.REVEAL, 2), ("verdict", StepKind.VERDICT, -1),
    ("ghosts", StepKind.GHOSTS, 1),
)  # fmt: skip
_STOPS = (1, 2, 4, 6, 7)
"""The others look like the ones before them."""


@walk("lesson-mission", *(f"lesson-{name}" for name, *_ in _STEPS))
async def lesson(world: World, camera: Camera) -> None:
    app = world.game(start_request.stage(FURNACE))
    async with app.run_test(size=camera.size) as pilot:
        await opened(pilot)
        await camera.take(pilot, "lesson-mission")
        for name, kind, criterion in _STEPS:
            await go(pilot, kind, criterion)
            if kind is StepKind.GUESS:
                await pilot.press("0", "1", "1", "1", "2")
            await camera.take(pilot, f"lesson-{name}")


@walk("notes-waiting", "notes")
async def notes(world: World, camera: Camera) -> None:
    made = make_lesson(load_pack(world.home / "bosses" / FURNACE))
    step = [step.kind for step in made.steps].index(StepKind.GUESS)
    app = world.game(start_request.speaker_notes(FURNACE))
    async with app.run_test(size=camera.size) as pilot:
        await until(pilot, lambda: on(pilot, NotesScreen) and "No stage is open" in shown(app), "no stage yet")
        await camera.take(pilot, "notes-waiting")
        state = TeachingState(
            boss_id=FURNACE, pid=os.getpid(), since=NOW, step=step, step_count=len(made.steps),
            notes=tuple(speaker_notes(made, step, {}, {0: 1, 1: 3})),
        )  # fmt: skip
        assert write_state(state_file(world.state / "attempts.sqlite3", FURNACE), state)
        await until(pilot, lambda: "step" in shown(app) and "No stage" not in shown(app), "the notes")
        await camera.take(pilot, "notes")


@walk(*(f"tour-{at}" for at in _STOPS), past="none")
async def tour(world: World, camera: Camera) -> None:
    app = world.game()
    async with app.run_test(size=camera.size) as pilot:
        await until(pilot, lambda: on(pilot, WelcomeScreen), "the welcome")
        await pilot.press("f2")
        await until(pilot, lambda: on(pilot, TourScreen), "the tour")
        for at in range(1, len(STOPS) + 1):
            await until(pilot, shows(app.screen, f"{at} of {len(STOPS)}"), f"stop {at}")
            if at in _STOPS:
                await camera.take(pilot, f"tour-{at}")
            await pilot.press("space")


def shows(screen: object, place: str) -> Callable[[], bool]:
    """Whether a stop of the tour is there in full."""
    assert isinstance(screen, TourScreen)
    return lambda: screen.is_stop_shown and place in shown(screen.app)
