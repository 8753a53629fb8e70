"""Stage mode: every key does what it says, nothing is seen before it is revealed, nothing is kept."""

import heapq
from pathlib import Path

import pytest

from evalforge.app.app import EvalForge
from evalforge.app.core.navigation import ROSTER, StartRequest
from evalforge.app.fight.stage.hp_bar import HpBar
from evalforge.app.home.boss_page import BossScreen
from evalforge.app.home.roster import RosterScreen
from evalforge.app.teaching.lesson import LessonScreen
from evalforge.app.teaching.lesson_page import LevelBoard, Levels
from evalforge.app.teaching.lesson_plan import StepKind
from evalforge.app.teaching.speaker_notes import NotesScreen, read_state
from evalforge.model import events as ev
from evalforge.model.errors import SubmissionError
from evalforge.model.rubric import Criterion
from evalforge.packs.pack import load_pack
from tests.app import start_request
from tests.app.harness import Teller, services, shown, story, until, write_pack, write_solution
from tests.app.test_lesson_plan import TOTALS, add_exemplars
from tests.app.test_untrusted import HOSTILE, harmless

SIZE = (120, 40)
BOSSES = Path(__file__).parents[2] / "bosses"


@pytest.fixture
def yard(tmp_path: Path) -> Path:
    """One boss with three exemplars."""
    add_exemplars(write_pack(tmp_path / "bosses", "golem", "Stone Golem"))
    return tmp_path


def judge(levels=TOTALS, words="because", **more) -> Teller:
    """A forge that gives each exemplar its levels."""

    def tell(pack):
        name = teller.handed_in[-1][0].name
        return story(pack, levels.get(name, (1, 1, 1)), words)

    teller = Teller(tell, **more)
    return teller


def game(yard: Path, teller: Teller | None = None, showing: StartRequest | None = None, **more) -> EvalForge:
    return EvalForge(services(yard, teller or judge(), showing or start_request.stage("golem"), **more))


async def opened(pilot, *, heard: bool = True) -> LessonScreen:
    """The stage, once everything is judged."""
    await until(pilot, lambda: isinstance(pilot.app.screen, LessonScreen), "the stage")
    screen = pilot.app.screen
    if heard:
        fights = [screen.fight_of(submission) for submission in screen.lesson.all_submissions]
        await until(pilot, lambda: all(fight.is_over for fight in fights), "all judged")
    await until(pilot, lambda: "THE MISSION" in shown(pilot.app), "the mission")
    return screen


async def go(pilot, kind: StepKind, criterion: int = -1, hand_in: int = -1) -> str:
    """Step on to a step, and read the screen."""
    screen = pilot.app.screen

    def there() -> bool:
        step = screen.step
        return step.kind is kind and criterion in (-1, step.criterion) and hand_in in (-1, step.hand_in)

    while not there():
        await pilot.press("space")
    await pilot.pause()
    return shown(pilot.app)


# The way through


async def test_one_key_walks_through_the_whole_lesson(yard):
    async with game(yard).run_test(size=SIZE) as pilot:
        screen = await opened(pilot)
        assert "long plain words" in shown(pilot.app)
        assert "contract plain words" in await go(pilot, StepKind.CONTRACT)
        text = await go(pilot, StepKind.CRITERION, 1)
        for word in ("CRITERION 2 OF 3", "level 2 plain words", "level 0 plain words"):
            assert word in text
        text = await go(pilot, StepKind.HAND_IN)
        assert "SUBMISSION A" in text
        assert "x = 1" in text
        text = await go(pilot, StepKind.REVEAL, 1)
        for word in ("1 of 2", "comment because", "mainbecause.py", "✗ t1", "judged", "HP 25 %"):
            assert word in text
        text = await go(pilot, StepKind.VERDICT)
        for word in ("3 of 6", "1 short of passing", "was called borderline", "next because"):
            assert word in text
        await go(pilot, StepKind.GHOSTS, 2)
        assert screen.step is screen.lesson.steps[-1]
        await pilot.press("space")
        assert screen.step is screen.lesson.steps[-1]


@pytest.mark.parametrize("key", ["space", "right", "enter"])
async def test_each_key_that_goes_on_goes_on_one_step(yard, key):
    async with game(yard).run_test(size=SIZE) as pilot:
        screen = await opened(pilot)
        await pilot.press(key)
        assert screen.step is screen.lesson.steps[1]
        await pilot.press("left")
        assert screen.step is screen.lesson.steps[0]
        await pilot.press("left")
        assert screen.step is screen.lesson.steps[0]


@pytest.mark.parametrize("size", [(60, 18), (80, 24), (100, 30), (120, 40), (200, 60)])
async def test_guess_and_reveal_are_whole_at_every_size(yard, size):
    async with game(yard).run_test(size=size) as pilot:
        await opened(pilot)
        text = await go(pilot, StepKind.GUESS, 1)
        for word in ("Criterion 1", "level 2", "level 1", "level 0", "HP 50 %", "space on", "main.py"):
            assert word in text
        text = await go(pilot, StepKind.REVEAL, 1)
        for word in (
            "Criterion 1",
            "1 of 2",
            "comment because",
            "mainbecause.py",
            "✗ t1",
            "HP 25 %",
            "x = 1",
        ):
            assert word in text


def told(criterion: Criterion) -> int:
    """How much there is to read about a criterion, in characters."""
    return len(criterion.label) + sum(len(level.label) + len(level.description) for level in criterion.levels)


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (160, 45)])
async def test_every_level_is_visible_when_guessed_and_when_revealed(tmp_path, size):
    teller = Teller(lambda pack: story(pack, [c.levels[-1].score for c in pack.rubric.criteria], "long reasons " * 40))
    app = EvalForge(services(tmp_path, teller, start_request.stage("schedule-hydra"), bosses=(BOSSES,)))
    async with app.run_test(size=size) as pilot:
        screen = await opened(pilot)
        for kind in (StepKind.GUESS, StepKind.REVEAL):
            await go(pilot, kind)
            rubrics = [load_pack(path.parent).rubric for path in sorted(BOSSES.glob("*/boss.yaml"))]
            board = screen.query_one(LevelBoard)
            for criterion in heapq.nlargest(6, (c for rubric in rubrics for c in rubric.criteria), key=told):
                judged = criterion.levels[-1].score if kind is StepKind.REVEAL else None
                board.show(Levels(criterion, {}, {}, None, judged))
                await pilot.pause(0)
                text = shown(app)
                assert not [level.label for level in criterion.levels if level.label not in text], criterion.id


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_the_level_under_the_cursor_is_told_in_full(tmp_path, size):
    app = EvalForge(services(tmp_path, judge(), start_request.stage("furnace-controller"), bosses=(BOSSES,)))
    async with app.run_test(size=size) as pilot:
        screen = await opened(pilot)
        text = await go(pilot, StepKind.GUESS, 2)
        assert all(level.description.split(".")[0][:40] in text for level in screen.criterion.levels)
        for level in screen.criterion.levels:
            await pilot.press("up")
            await until(pilot, lambda level=level: level.description.split()[-1] in shown(app), level.label)
            text = " ".join(shown(app).split())
            assert all(word in text for word in level.description.split())


# Hidden until revealed


async def test_nothing_shown_depends_on_what_is_not_revealed_yet(yard):
    async def seen(levels) -> list[str]:
        texts = []
        async with game(yard, judge({"borderline": levels})).run_test(size=SIZE) as pilot:
            screen = await opened(pilot)
            texts.append(shown(pilot.app))
            while screen.step.kind is not StepKind.REVEAL or screen.step.criterion < 1:
                await pilot.press("space")
                await pilot.pause()
                texts.append(shown(pilot.app))
        return texts

    one, other = await seen((2, 0, 1)), await seen((2, 2, 0))
    assert one[:-1] == other[:-1]
    assert one[-1] != other[-1]


async def test_no_level_no_reason_and_no_name_is_told_before_its_step(yard):
    async with game(yard).run_test(size=SIZE) as pilot:
        screen = await opened(pilot)
        while screen.step.kind is not StepKind.VERDICT:
            text = shown(pilot.app)
            assert "borderline" not in text.lower()
            if screen.step.kind is not StepKind.REVEAL:
                assert "because" not in text
                assert "judged" not in text
            await pilot.press("space")
            await pilot.pause()


async def test_going_back_hides_again_what_was_revealed(yard):
    async with game(yard).run_test(size=SIZE) as pilot:
        await opened(pilot)
        await go(pilot, StepKind.REVEAL, 0)
        assert "HP 50 %" in shown(pilot.app)
        await pilot.press("left")
        await pilot.pause()
        assert "HP 100 %" in shown(pilot.app)
        assert "because" not in shown(pilot.app)


async def test_the_bar_runs_to_the_revealed_level(yard):
    async with game(yard, motion="reduced").run_test(size=SIZE) as pilot:
        await opened(pilot)
        await go(pilot, StepKind.REVEAL, 0)
        bar = pilot.app.screen.query_one(HpBar)
        await until(pilot, lambda: bar.total == pytest.approx(2), "the bite")


# The room


async def test_digits_count_guesses_and_minus_takes_one_back(yard):
    async with game(yard).run_test(size=SIZE) as pilot:
        screen = await opened(pilot)
        await go(pilot, StepKind.GUESS, 0)
        await pilot.press("1", "1", "2", "7")
        assert screen.guesses.tally(0, "c0") == {1: 2, 2: 1}
        line = next(text for text in shown(pilot.app).splitlines() if "●○" in text)
        assert "▆▆ 2" in line
        await pilot.press("minus")
        assert screen.guesses.tally(0, "c0") == {1: 2}
        await pilot.press("2", "2", "2")
        text = await go(pilot, StepKind.REVEAL, 0)
        assert "3 of 5 in the room said so." in text
        assert "the room said 2" in await go(pilot, StepKind.VERDICT)


async def test_arrows_choose_and_plus_counts(yard):
    async with game(yard).run_test(size=SIZE) as pilot:
        screen = await opened(pilot)
        await go(pilot, StepKind.GUESS, 0)
        await pilot.press("up", "up", "plus", "plus", "down", "plus")
        assert screen.guesses.tally(0, "c0") == {1: 2, 0: 1}


async def test_whoever_only_points_has_guessed(yard):
    async with game(yard).run_test(size=SIZE) as pilot:
        screen = await opened(pilot)
        await go(pilot, StepKind.GUESS, 0)
        await pilot.press("down", "space")
        assert screen.guesses.tally(0, "c0") == {2: 1}
        await until(pilot, lambda: "The room guessed it." in shown(pilot.app), "the answer")


async def test_a_click_on_a_level_guesses_it(yard):
    async with game(yard).run_test(size=SIZE) as pilot:
        screen = await opened(pilot)
        await go(pilot, StepKind.GUESS, 0)
        await pilot.click(LevelBoard, offset=(12, 0))
        await until(pilot, lambda: screen.guesses.tally(0, "c0") == {2: 1}, "the guess")


async def test_digits_do_nothing_where_nothing_is_guessed(yard):
    async with game(yard).run_test(size=SIZE) as pilot:
        screen = await opened(pilot)
        await go(pilot, StepKind.REVEAL, 0)
        await pilot.press("1", "plus", "minus")
        assert not screen.guesses.tally(0, "c0")
        assert screen.step.kind is StepKind.REVEAL


async def test_f_opens_the_next_file(yard):
    (yard / "bosses" / "golem" / "exemplars" / "borderline" / "tests" / "test_main.py").write_text("y = 2\n", "utf-8")
    async with game(yard).run_test(size=SIZE) as pilot:
        await opened(pilot)
        assert "x = 1" in await go(pilot, StepKind.HAND_IN)
        await pilot.press("f")
        await until(pilot, lambda: "y = 2" in shown(pilot.app), "the test file")
        await pilot.press("f")
        await until(pilot, lambda: "x = 1" in shown(pilot.app), "the first one again")


async def test_arrows_walk_through_the_evidence_and_its_lines(yard):
    main = yard / "bosses" / "golem" / "exemplars" / "borderline" / "main.py"
    main.write_text("a = 1\nb = 2\nc = 3\nd = 4\n", "utf-8")

    def tell(pack):
        finding = {"path": "main.py", "line": 2, "message": "first thing"}
        events = story(pack, (2, 1, 0))
        judged = events[-1]
        first = judged.judgements[0].model_copy(
            update={"findings": tuple(_findings([finding, {**finding, "line": 4, "message": "second thing"}]))}
        )
        return [*events[:-1], judged.model_copy(update={"judgements": (first, *judged.judgements[1:])})]

    async with game(yard, Teller(tell)).run_test(size=SIZE) as pilot:
        await opened(pilot)
        await go(pilot, StepKind.REVEAL, 0)
        assert shown(pilot.app).count("first thing") == 2
        await pilot.press("down")
        await until(pilot, lambda: shown(pilot.app).count("second thing") == 2, "the second finding")


def _findings(found):
    from evalforge.model.evidence import Finding

    return [Finding(**one) for one in found]


async def test_pages_scroll_a_long_contract(yard):
    boss = yard / "bosses" / "golem" / "boss.yaml"
    long = "\\n".join(f"line {i}" for i in range(80))
    boss.write_text(boss.read_text("utf-8").replace("contract plain words", f'"{long}"'), "utf-8")
    async with game(yard).run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        assert "line 60" not in await go(pilot, StepKind.CONTRACT)
        await pilot.press(*["pagedown"] * 4)
        await until(pilot, lambda: "line 79" in shown(pilot.app), "its end")
        await pilot.press("up")
        await until(pilot, lambda: "line 79" not in shown(pilot.app), "a line back")


# Ghosts


@pytest.mark.parametrize("size", [(80, 24), (140, 45)])
async def test_ghosts_fight_side_by_side_one_criterion_at_a_step(yard, size):
    async with game(yard).run_test(size=size) as pilot:
        await opened(pilot)
        await pilot.press("g")
        await pilot.pause()
        text = shown(pilot.app)
        for word in ("WEAK", "MIDDLING", "STRONG"):
            assert word in text
        assert text.count("HP 100 %") == 3
        await pilot.press("space")
        await pilot.pause()
        assert shown(pilot.app).count("HP 50 %") == 2
        assert shown(pilot.app).count("HP 100 %") == 1
        assert shown(pilot.app).count("Criterion 0") == 4
        assert shown(pilot.app).count("level 2") == 2
        await pilot.press("space", "space")
        await pilot.pause()
        text = shown(pilot.app)
        for word in ("HP 75 %", "HP 25 %", "6 of 6", "fail", "borderline", "flawless"):
            assert text.count(word) == 1


# Judged ahead of time, by the one path


async def test_nothing_of_it_is_kept(yard):
    teller = judge()
    app = game(yard, teller)
    async with app.run_test(size=SIZE) as pilot:
        await opened(pilot)
        await go(pilot, StepKind.GUESS, 0)
        await pilot.press("1")
        await go(pilot, StepKind.GHOSTS, 2)
        assert teller.saved == [False, False, False]
        assert app.session.history().count(None) == 0
        assert app.session.history().hints_read() == []
    assert not (yard / "config.toml").exists()
    assert not (yard / "stage-golem.json").exists()


async def test_a_reveal_that_comes_before_the_judge_waits_for_it(yard):
    teller = judge(stop_after=4)
    async with game(yard, teller).run_test(size=SIZE) as pilot:
        await opened(pilot, heard=False)
        assert "still at work" in await go(pilot, StepKind.REVEAL, 0)
        assert "still at work" in await go(pilot, StepKind.VERDICT)
        await pilot.press("g", "space")
        await until(pilot, lambda: shown(pilot.app).count("the forge is at work") == 3, "the ghosts wait too")
        await pilot.press("escape")
        await until(pilot, lambda: teller.closed == 1, "leaving lets the forge go")


@pytest.mark.parametrize(
    ("end", "words"),
    [
        (ev.Ungraded(reason="The cage broke."), "The cage broke."),
        (SubmissionError("Nothing in it."), "Nothing in it."),
        (RuntimeError("[/nope] broke"), "EvalForge failed: RuntimeError: [/nope]"),
    ],
)
async def test_what_cannot_be_judged_is_said_and_the_lesson_goes_on(yard, end, words):
    async with game(yard, Teller(lambda pack: [*story(pack, (1, 1, 1))[:3], end])).run_test(size=SIZE) as pilot:
        await opened(pilot)
        text = await go(pilot, StepKind.REVEAL, 0)
        assert words in text
        assert "No score." in text
        assert words in await go(pilot, StepKind.VERDICT)
        ghosts = await go(pilot, StepKind.GHOSTS, 2)
        for without_score in (text, ghosts):
            assert "not judged" in without_score
            assert "not judged" in without_score


async def test_folders_of_anybody_are_shown_too(yard):
    mine = write_solution(yard / "mine")
    showing = start_request.stage("golem", exemplars=("weak",), hand_ins=(mine,))
    async with game(yard, showing=showing).run_test(size=SIZE) as pilot:
        await opened(pilot)
        assert "was called weak" in await go(pilot, StepKind.VERDICT, hand_in=0)
        assert "was called mine" in await go(pilot, StepKind.VERDICT, hand_in=1)


# Where it is opened


async def test_l_opens_it_on_the_roster_and_on_the_bosss_page(yard):
    async with game(yard, showing=ROSTER).run_test(size=SIZE) as pilot:
        await until(pilot, lambda: "Stone Golem" in shown(pilot.app), "the roster")
        await pilot.press("L")
        await opened(pilot)
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, RosterScreen), "the roster again")
        await pilot.press("b")
        await until(pilot, lambda: isinstance(pilot.app.screen, BossScreen), "the page")
        await pilot.press("L")
        await opened(pilot)


async def test_a_boss_without_exemplars_says_so(tmp_path):
    write_pack(tmp_path / "bosses", "golem", "Stone Golem")
    request = start_request.boss_page("golem")
    async with game(tmp_path, showing=request).run_test(size=SIZE, notifications=True) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, BossScreen), "the page")
        await pilot.press("L")
        await until(pilot, lambda: "no exemplars to show" in shown(pilot.app), "the reason")


@pytest.mark.parametrize("words", HOSTILE, ids=["markup", "escapes", "unseen"])
async def test_hostile_words_are_shown_not_obeyed(tmp_path, words):
    pack = add_exemplars(write_pack(tmp_path / "bosses", "golem", f"Golem {words}", words))
    source = pack / "exemplars" / "borderline" / "main.py"
    source.write_text(f"x = 1\n# {words}\n", "utf-8", errors="replace")
    async with game(tmp_path, judge(words=words)).run_test(size=SIZE, notifications=True) as pilot:
        screen = await opened(pilot)
        for at in range(len(screen.lesson.steps)):
            # A long title leaves no room for "of" how many.
            await until(pilot, lambda at=at: f"   {at + 1}" in shown(pilot.app), f"step {at + 1}")
            harmless(pilot.app)
            await pilot.press("space")


# The speaker's notes


async def test_the_stage_says_where_it_stands(yard):
    file = yard / "stage-golem.json"
    async with game(yard).run_test(size=SIZE) as pilot:
        screen = await opened(pilot)
        await go(pilot, StepKind.GUESS, 0)
        await pilot.press("2")
        state = read_state(file)
        assert state is not None
        assert screen.lesson.steps[state.step] is screen.step
        notes = "".join(text for text, _ in state.notes)
        for line in ("judge  2 ", "room   1 x level 2\n", "gold reason 0 of borderline"):
            assert line in notes
        await pilot.press("escape")
        await until(pilot, lambda: not file.exists(), "the stage is dark")


async def test_the_notes_follow_the_stage_and_wait_without_one(yard):
    async with game(yard).run_test(size=SIZE) as pilot:
        await opened(pilot)
        await go(pilot, StepKind.GUESS, 0)
        state = read_state(yard / "stage-golem.json")
        await go(pilot, StepKind.GUESS, 1)
        later_state = read_state(yard / "stage-golem.json")
    assert state is not None
    assert later_state is not None
    app = game(yard, showing=start_request.speaker_notes("golem"))
    file = yard / "stage-golem.json"
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: "No stage is open" in shown(app), "no stage yet")
        assert isinstance(app.screen, NotesScreen)
        file.write_text(state.model_dump_json(), "utf-8")
        await until(pilot, lambda: "gold reason 0 of borderline" in shown(app), "the notes")
        for words in (f"step {state.step + 1} of", "the room guesses: Criterion 0", "no guesses yet"):
            assert words in shown(app)
        file.write_text(later_state.model_dump_json(), "utf-8")
        await until(pilot, lambda: "gold reason 1 of borderline" in shown(app), "the next page")
        file.unlink()
        await until(pilot, lambda: "No stage is open" in shown(app), "the end")
        await pilot.press("escape")
    assert app.return_code == 0
