"""The wire of the screen: hand-made packs, and a forge that tells a given story."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import yaml
from textual._context import visible_screen_stack
from textual.app import App, ComposeResult
from textual.events import Paste
from textual.pilot import Pilot
from textual.widget import Widget

from evalforge.app.core.navigation import ROSTER, StartRequest
from evalforge.app.core.services import Services
from evalforge.app.fight.screen import FightScreen
from evalforge.app.ui.theme.look import Look
from evalforge.model import events as ev
from evalforge.model.evidence import Finding, TrialOutcome, TrialResult, TrialStep
from evalforge.model.result import JudgeInfo, Judgement, Opinion
from evalforge.model.scoring import score

FORGE = JudgeInfo(name="forge", version="1")


class WidgetApp(App[None]):
    """An app that shows one widget, and has the look that ours ask for."""

    def __init__(self, kind: type[Widget]) -> None:
        super().__init__()
        self.look = Look()
        self._kind = kind

    def compose(self) -> ComposeResult:
        yield self._kind()


def write_pack(folder: Path, slug: str, title: str = "", words: str = "plain words", threshold: int = 4) -> Path:
    """A small sound boss pack: three criteria of 0 to 2. ``words`` goes wherever a pack has text."""
    pack = folder / slug
    (pack / "trials").mkdir(parents=True)
    (pack / "codex").mkdir()
    (pack / "starter").mkdir()
    boss = {
        "boss_id": slug,
        "title": title or slug.title(),
        "short_description": f"short {words}",
        "long_description": f"long {words}",
        "metadata": {
            "tier": 1, "realm": f"realm {words}", "entry_files": ["main.py"], "contract": f"contract {words}",
            "skills": [f"skill {words}"],
        },
    }  # fmt: skip
    criteria = [
        {
            "id": f"c{index}",
            "label": f"Criterion {index} {words}" if words != "plain words" else f"Criterion {index}",
            "levels": [{"score": s, "label": f"level {s}", "description": f"level {s} {words}"} for s in (0, 1, 2)],
            "signals": {"strong_positive": [f"good {words}"], "strong_negative": [f"bad {words}"]},
        }
        for index in range(3)
    ]
    rubric = {"rubric_id": "r", "overall": {"pass_threshold": threshold}, "criteria": criteria}
    rules = {
        c["id"]: [
            {"level": s, "requires": [{"fact": "trials.all", "check": ">= 0.5", "otherwise": words}]} for s in (1, 2)
        ]
        for c in criteria
    }
    for name, data in (("boss", boss), ("rubric", rubric), ("evidence", rules)):
        (pack / f"{name}.yaml").write_text(yaml.safe_dump(data), "utf-8")
    for tier in ("lore", "attacks", "strategy"):
        (pack / "codex" / f"{tier}.md").write_text(f"# {tier}\n\n{tier} {words}\n", "utf-8")
    (pack / "trials" / "test_it.py").write_text(
        f'import pytest\n\npytestmark = pytest.mark.group("basics")\n\ndef test_one(cli):\n    {f"Title {words}"!r}\n'
        '    assert cli().exit_code == 0, "It ends with exit status 0."\n',
        "utf-8",
    )
    (pack / "starter" / "main.py").write_text("print('hello')\n", "utf-8")
    return pack


def write_solution(folder: Path, *names: str) -> Path:
    """A folder that can be handed in."""
    for name in names or ("main.py", "tests/test_main.py"):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x = 1\n", "utf-8")
    return folder


def story(pack: Any, levels: Sequence[int], words: str = "because", save_as: str = "") -> list[ev.Event]:
    """The events of a fight that gives these levels."""
    rubric = pack.rubric
    trials = [
        TrialResult(
            id=f"t{i}", title=f"Trial {i} {words}", group=f"group {words}", outcome=outcome, message=f"message {words}",
            steps=(TrialStep(call=f"call {words}", result=f"result {words}"),),
        )
        for i, outcome in enumerate((TrialOutcome.PASSED, TrialOutcome.FAILED))
    ]  # fmt: skip
    judgements = [
        Judgement(
            criterion_id=criterion.id, score=level, comment=f"comment {words}", next_level=f"next {words}",
            findings=(Finding(message=f"finding {words}", path=f"main{words}.py", line=3, trial="t1"),),
        )
        for criterion, level in zip(rubric.criteria, levels, strict=True)
    ]  # fmt: skip
    told = Opinion(judgements=tuple(judgements), summary=f"summary {words}", improvements=(f"improve {words}", "again"))
    return [
        ev.Started(boss_id=pack.boss_id, title=pack.definition.title, judge=FORGE, isolation="full"),
        ev.Collected(directory=f"/x/{words}", content_hash="h", files=("main.py",), total_bytes=9),
        ev.Progress(message=f"progress {words}"),
        ev.TrialsPlanned(groups={f"group {words}": 2}),
        *(ev.TrialFinished(trial=trial) for trial in trials),
        *(
            ev.CriterionJudged(
                judgement=j,
                label=rubric.criterion(j.criterion_id).label,
                level_label=rubric.criterion(j.criterion_id).level(j.score).label,
                max_score=2,
            )
            for j in judgements
        ),
        ev.Judged(at=0.5, result=score(pack.boss_id, rubric, told), judgements=tuple(judgements)),
        *([ev.Saved(attempt_id=save_as)] if save_as else []),
    ]


class Teller:
    """A forge that tells stories. ``stop_after`` events it waits for ever; ``closed`` says that it was let go."""

    def __init__(self, tell: Callable[[Any], Sequence[ev.Event | Exception]], stop_after: int | None = None) -> None:
        self.tell, self.stop_after = tell, stop_after
        self.closed = self.fights = 0
        self.handed_in: list[tuple[Path, str]] = []
        self.saved: list[bool] = []
        self.prepared: list[str] = []

    async def warm(self) -> None:
        pass

    async def prepare(self, pack: Any, models: Any) -> None:
        self.prepared.append(pack.boss_id)

    async def isolation(self) -> str:
        return "Your code runs in the full sandbox."

    async def fight(
        self, pack: Any, directory: Path, options: Any = None, submission: Any = None
    ) -> AsyncGenerator[ev.Event]:
        self.fights += 1
        self.handed_in.append((directory, options.notes))
        self.saved.append(options.save)
        try:
            for count, event in enumerate(self.tell(pack)):
                if self.stop_after is not None and count >= self.stop_after:
                    await asyncio.Event().wait()
                if isinstance(event, Exception):
                    raise event
                yield event
        finally:
            self.closed += 1

    async def meet_impostors(self, pack: Any, directory: Path, options: Any = None) -> AsyncGenerator[ev.Event]:
        """What the story tells of impostors."""
        assert not options.save
        self.handed_in.append((directory, options.notes))
        for event in self.tell(pack):
            if isinstance(event, Exception):
                raise event
            if isinstance(event, ev.ImpostorMet | ev.FactMeasured | ev.Ungraded):
                yield event

    @asynccontextmanager
    async def opened(self, _history: Path) -> AsyncIterator["Teller"]:
        yield self


def services(tmp_path: Path, teller: Teller, opening: StartRequest | None = None, **more: Any) -> Services:
    """Services over folders of this test alone, without motion; welcomed already."""
    (tmp_path / "welcomed").touch()
    return Services(
        **{
            "bosses": (tmp_path / "bosses",),
            "history": tmp_path / "attempts.sqlite3",
            "open_engine": teller.opened,
            "motion": "none",
            "start": opening or ROSTER,
            "starter_folder": tmp_path / "workshop",
            **more,
        }
    )


async def until(pilot: Pilot[Any], holds: Callable[[], bool], what: str = "") -> None:
    """Let the game run until something holds."""
    for _ in range(2000):
        if holds():
            return
        await pilot.pause(0.01)
    raise AssertionError(f"it never came to this: {what}\n{shown(pilot.app)}")


async def paste(pilot: Pilot[Any], text: str) -> None:
    """Give text to what has the focus, at once."""
    pilot.app.post_message(Paste(text))
    await pilot.pause()


def shown(app: App[Any]) -> str:
    """The screen as text, line by line."""
    return "\n".join("".join(segment.text for segment in line) for line in lines(app))


def lines(app: App[Any]) -> list[Any]:
    """The screen as lines of segments, after every filter, as a terminal would get them."""
    width, height = app.size
    # What a dialog lies over is told to it by whoever has it drawn; not told, it would remember nothing but its ground.
    visible_screen_stack.set(app._background_screens)
    strips = app.screen._compositor.render_strips()
    background = app.screen.styles.background
    found = []
    for strip in strips:
        for line_filter in app.get_line_filters():
            strip = strip.apply_filter(line_filter, background)
        found.append(strip.crop(0, width))
    return found[:height]


def phase(app: App[Any]) -> str:
    """Where a fight stands."""
    return app.screen.fight.phase.name if isinstance(app.screen, FightScreen) else ""
