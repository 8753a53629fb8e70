"""Impostors in the game: masks that shatter or laugh in a fight, and what the tests made of each."""

from pathlib import Path

import pytest

from evalforge.app import start_request
from evalforge.app.app import EvalForge
from evalforge.app.attempts.detail import AttemptScreen
from evalforge.app.attempts.replay import ReplayScreen
from evalforge.app.fight.stage.impostor_row import ImpostorRow
from evalforge.collect import collect
from evalforge.history.store import History
from evalforge.model import events as ev
from evalforge.model.evidence import Fact, Finding, ImpostorFate, ImpostorResult
from evalforge.model.fight_record import FightRecord
from evalforge.packs.pack import load_pack
from tests.app.seam import FORGE, Teller, phase, services, shown, story, until, write_pack, write_solution

UNMASKED, THROUGH, UNTRIED = ImpostorFate.UNMASKED, ImpostorFate.LET_THROUGH, ImpostorFate.NOT_TRIED
FATES = (UNMASKED, THROUGH, UNMASKED, UNTRIED)
WRONG = Finding(message="`test_wrong` fails on a program that keeps the contract.", path="tests/test_main.py", line=9)
REASON = "Most tests need more of the program than the contract names."


@pytest.fixture
def yard(tmp_path: Path) -> Path:
    write_pack(tmp_path / "bosses", "golem", "Stone Golem")
    write_solution(tmp_path / "mine")
    (tmp_path / "mine" / "tests" / "test_main.py").write_text("x = 1\n" * 7 + "def test_wrong(): ...\n", "utf-8")
    return tmp_path


def met(fates=FATES, wrong=(), inner=(), wavering=(), reason="") -> list[ev.Event]:
    """What the tests made of impostors: of those at even places by a test in ``tests/test_main.py``."""
    results = [
        ImpostorResult(
            id=f"i{i}", owner="c1", clause=f"CLAUSE {i}", riddle=f"Riddle {i}.", fate=fate,
            **({"test": f"test_{i}", "path": "tests/test_main.py", "line": 8} if fate is UNMASKED else {}),
        )
        for i, fate in enumerate(fates)
    ]  # fmt: skip
    tried = [fate for fate in fates if fate is not UNTRIED]
    share = None if reason else tried.count(UNMASKED) / max(1, len(tried))
    named = {"wrong_expectations": wrong, "inner": inner, "wavering": wavering}
    facts = [Fact(name=f"tests.{name}", value=len(found), findings=tuple(found)) for name, found in named.items()]
    why = (Finding(message=reason),) if reason else ()
    facts += [Fact(name="tests.unmasked", value=share, findings=why), Fact(name="tests.contract", value=5)]
    return [*(ev.ImpostorMet(impostor=one) for one in results), *(ev.FactMeasured(fact=fact) for fact in facts)]


def with_impostors(pack, **more) -> list[ev.Event]:
    """A fight in which impostors come after the trials."""
    events = story(pack, (2, 1, 0))
    first = next(i for i, event in enumerate(events) if isinstance(event, ev.CriterionJudged))
    return [*events[:first], *met(**more), *events[first:]]


def game(yard: Path, tell=with_impostors, opening=None, **more) -> EvalForge:
    opening = opening or start_request.fight("golem", str(yard / "mine"))
    return EvalForge(services(yard, Teller(tell), opening, **more))


async def trials_shown(pilot) -> None:
    await until(pilot, lambda: phase(pilot.app) == "DONE", "the fight is over")
    await pilot.press("l")
    await pilot.pause()


def masks(pilot) -> str:
    """The impostors' row as text."""
    at = pilot.app.screen.query_one(ImpostorRow).region
    return "\n".join(line[at.x : at.right] for line in shown(pilot.app).splitlines()[at.y : at.bottom])


# In the fight


@pytest.mark.parametrize("motion", ["none", "reduced", "full"])
async def test_masks_end_shattered_or_laughing_whatever_moves(yard, motion):
    app = game(yard, motion=motion)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "IMPOSTORS" in shown(app) or phase(app) == "DONE", "the impostors")
        await pilot.press("space")
        await trials_shown(pilot)
        text = masks(pilot)
        assert "2 of 3 unmasked" in text
        assert "1 let through" in text
        assert text.count("▁▂✓▂▁") == 2
        assert text.count("▀█▄█▀") == 1
        assert text.count("· · ·") == 1


async def test_masks_are_on_until_all_is_known(yard):
    app = EvalForge(services(yard, Teller(with_impostors, 10), start_request.fight("golem", str(yard / "mine"))))
    async with app.run_test(size=(140, 45)) as pilot:
        await until(pilot, lambda: "4 came" in shown(app), "the impostors")
        assert masks(pilot).count("▀▄█▄▀") == 4
        assert "unmasked" not in shown(app)


async def test_ascii_tells_masks_apart(yard):
    app = game(yard, ascii_only=True)
    async with app.run_test(size=(80, 24)) as pilot:
        await trials_shown(pilot)
        assert shown(app).count(".,+,.") == 2
        assert shown(app).count("(^_^)") == 1
        assert shown(app).isascii()


@pytest.mark.parametrize("size", [(60, 18), (80, 24), (140, 45)])
@pytest.mark.parametrize("count", [1, 21, 40, 77])
async def test_any_number_of_masks_fits(yard, size, count):
    fates = [UNMASKED if index % 3 else THROUGH for index in range(count)]
    app = game(yard, lambda pack: with_impostors(pack, fates=fates))
    async with app.run_test(size=size) as pilot:
        await trials_shown(pilot)
        row = pilot.app.screen.query_one(ImpostorRow)
        assert row.region.bottom <= row.parent.region.bottom
        assert row.parent.region.height - row.region.height >= 2
        unmasked = fates.count(UNMASKED)
        assert any(f"{unmasked}{of}{count} unmasked" in shown(app) for of in ("/", " of "))


async def test_a_wrong_test_is_named_with_its_place(yard):
    app = game(yard, lambda pack: with_impostors(pack, wrong=[WRONG]))
    async with app.run_test(size=(140, 45)) as pilot:
        await trials_shown(pilot)
        assert "! 1 wrong test" in shown(app)
        assert "tests/test_main.py:9: test_wrong fails on a program that keeps the contract." in shown(app)


async def test_tests_that_could_not_meet_them_break_no_mask(yard):
    app = game(yard, lambda pack: with_impostors(pack, reason=REASON))
    async with app.run_test(size=(140, 45)) as pilot:
        await trials_shown(pilot)
        assert "4 came, not measured" in shown(app)
        assert masks(pilot).count("▀▄█▄▀") == 4
        assert REASON in shown(app)


async def test_a_fight_without_impostors_shows_no_row(yard):
    app = game(yard, lambda pack: story(pack, (2, 1, 0)))
    async with app.run_test(size=(80, 24)) as pilot:
        await trials_shown(pilot)
        assert not pilot.app.screen.query_one(ImpostorRow).display
        assert "IMPOSTORS" not in shown(app)


# Stored


def stored(yard: Path, events: list[ev.Event]) -> str:
    """The id of an attempt that was fought so."""
    pack = load_pack(yard / "bosses" / "golem")
    record = FightRecord(submission=collect(yard / "mine"))
    for event in events:
        record.add(event)
    with History(yard / "attempts.sqlite3") as history:
        name, directory = pack.definition.title, str(yard / "mine")
        attempt = history.begin("golem", name, pack.rubric_hash, directory, FORGE, record.submission)
        history.finish(attempt, record)
    return attempt


async def opened_attempt(pilot, attempt: str) -> None:
    pilot.app.navigator.open_attempt(attempt)
    await until(pilot, lambda: isinstance(pilot.app.screen, AttemptScreen), "the attempt")
    await pilot.pause()


async def test_a_stored_attempt_and_its_replay_show_the_same_masks(yard):
    attempt = stored(yard, with_impostors(load_pack(yard / "bosses" / "golem"), wrong=[WRONG]))
    async with game(yard, opening=start_request.ROSTER).run_test(size=(140, 45)) as pilot:
        await opened_attempt(pilot, attempt)
        await pilot.press("l")
        await pilot.pause()
        kept = masks(pilot)
        assert "2 of 3 unmasked" in kept
        assert "! 1 wrong test" in kept
        await pilot.press("p")
        await until(pilot, lambda: isinstance(pilot.app.screen, ReplayScreen), "the replay")
        await until(pilot, lambda: "the end" in shown(pilot.app), "its end")
        pilot.app.screen.action_turn("log-view")
        await pilot.pause()
        assert masks(pilot) == kept


async def test_an_attempt_from_before_impostors_shows_no_row(yard):
    attempt = stored(yard, story(load_pack(yard / "bosses" / "golem"), (2, 1, 0)))
    async with game(yard, opening=start_request.ROSTER).run_test(size=(80, 24)) as pilot:
        await opened_attempt(pilot, attempt)
        await pilot.press("l")
        await pilot.pause()
        assert not pilot.app.screen.query_one(ImpostorRow).display
