"""The evidence: why a level was given, the code it points at, the next level, hints that cost nothing."""

import asyncio
import sys
from pathlib import Path

import pytest
import yaml
from pygments.lexers import PythonLexer
from textual.drivers.headless_driver import HeadlessDriver

from evalforge.app.app import EvalForge
from evalforge.app.core.boss_view import boss_view
from evalforge.app.core.judged_submission import JudgedSubmission
from evalforge.app.fight.evidence_screen import EvidenceScreen
from evalforge.app.fight.evidence_text import levels_text
from evalforge.app.fight.judgement_text import criterion_text
from evalforge.app.ui.text import external_editor
from evalforge.app.ui.text.syntax import SyntaxHighlighter
from evalforge.app.ui.theme.glyphs import UNICODE
from evalforge.app.ui.widgets.code_view import CodeView
from evalforge.app.ui.widgets.finding_list import FindingList
from evalforge.history.store import History
from evalforge.model import events as ev
from evalforge.model.evidence import Evidence, Finding
from evalforge.model.reason import Example, Mistake, Reason
from evalforge.model.result import Judgement
from evalforge.model.rubric import Criterion, Level
from evalforge.packs.pack import load_pack
from tests import factories
from tests.app import start_request
from tests.app.harness import Teller, phase, services, shown, story, until, write_pack
from tests.app.test_screens import remember

SOURCE = '"""Doc\nmore."""\n\n\ndef average(values):\n    return sum(values) / len(values)\n'


@pytest.fixture
def yard(tmp_path: Path) -> Path:
    pack = write_pack(tmp_path / "bosses", "golem", "Stone Golem")
    hints = {f"c{i}": ["think `small`", "look there", "do this:\n\n    x = 1"] for i in range(3)}
    (pack / "codex" / "hints.yaml").write_text(yaml.safe_dump(hints), "utf-8")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "main.py").write_text(SOURCE, "utf-8")
    return tmp_path


def points_at(pack, path="main.py", line=6):
    """A story whose every judgement points at one line."""
    found = Finding(message="division by an empty list", path=path, line=line, trial="Trial 1 because")
    other = Finding(message="the function is named here", path=path, line=5)

    def moved(judgement):
        return judgement.model_copy(update={"findings": (found, other)})

    return [
        event.model_copy(update={"judgement": moved(event.judgement)})
        if isinstance(event, ev.CriterionJudged)
        else event.model_copy(update={"judgements": tuple(moved(j) for j in event.judgements)})
        if isinstance(event, ev.Judged)
        else event
        for event in story(pack, (2, 1, 0))
    ]


def game(yard: Path, tell=points_at) -> EvalForge:
    return EvalForge(services(yard, Teller(tell), start_request.fight("golem", str(yard / "mine"))))


async def opened(pilot) -> None:
    await until(pilot, lambda: phase(pilot.app) == "DONE", "the fight is over")
    await pilot.press("down", "down", "enter")
    await until(pilot, lambda: isinstance(pilot.app.screen, EvidenceScreen), "the evidence")
    await pilot.pause()


@pytest.mark.parametrize("size", [(60, 18), (80, 24), (120, 40), (160, 50)])
async def test_the_line_is_shown_with_its_mark_and_what_was_found(yard, size):
    async with game(yard).run_test(size=size) as pilot:
        await opened(pilot)
        await until(pilot, lambda: "return sum(values)" in shown(pilot.app), "the code")
        text = shown(pilot.app)
        marked = next(line for line in text.splitlines() if "return sum(values)" in line)
        assert "▸" in marked
        assert " 6" in marked
        assert "CRITERION 1" in text
        assert "division by an empty list" in text


async def test_arrows_walk_the_findings_and_n_the_criteria(yard):
    async with game(yard).run_test(size=(120, 40)) as pilot:
        await opened(pilot)
        await pilot.press("down")
        chosen = pilot.app.screen.query_one(FindingList)
        await until(pilot, lambda: chosen.selection is not None and chosen.selection.line == 5, "the other place")
        await until(pilot, lambda: "│ the function is named here" in shown(pilot.app), "told at its line")
        await pilot.press("n")
        await until(pilot, lambda: "CRITERION 2" in shown(pilot.app), "the next criterion")
        await pilot.press("N", "N")
        await until(pilot, lambda: "CRITERION 0" in shown(pilot.app), "back to the first")


async def test_pages_lead_through_the_reason_to_the_code_and_back(yard):
    reason = " ".join(f"word{count}" for count in range(120))
    (yard / "mine" / "main.py").write_text(SOURCE * 12, "utf-8")

    def tell(pack):
        for event in points_at(pack):
            if isinstance(event, ev.Judged):
                told = tuple(judgement.model_copy(update={"comment": reason}) for judgement in event.judgements)
                yield event.model_copy(update={"judgements": told})
            else:
                yield event

    async with game(yard, tell).run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        code = pilot.app.screen.query_one(CodeView)
        there = code.scroll_y
        assert "word119" not in shown(pilot.app)
        while "word119" not in shown(pilot.app):
            assert code.scroll_y == there
            await pilot.press("pagedown")
        await pilot.press("pagedown")
        assert code.scroll_y > there
        while "word0 " not in shown(pilot.app):
            await pilot.press("pageup")
        assert code.scroll_y == 0


def with_a_command(pack):
    """A story whose first trial failed, and can be done again."""
    told = points_at(pack)
    trial = next(event for event in told if isinstance(event, ev.TrialFinished)).trial
    changes = {"outcome": "failed", "command": "python3 main.py 3", "title": "Trial 1 because", "group": "happy"}
    failed = type(trial).model_validate({**trial.model_dump(), **changes})
    first = next(index for index, event in enumerate(told) if isinstance(event, ev.TrialFinished))
    told[first] = told[first].model_copy(update={"trial": failed})
    return told


async def test_c_copies_a_command_that_does_the_same(yard):
    async with game(yard, with_a_command).run_test(size=(120, 40), notifications=True) as pilot:
        await opened(pilot)
        await pilot.press("2")
        await pilot.pause()
        assert "copies a command" in shown(pilot.app)
        await pilot.press("y")
        assert pilot.app.clipboard == "python3 main.py 3"


async def test_without_a_command_there_is_nothing_to_copy(yard):
    async with game(yard).run_test(size=(120, 40)) as pilot:
        await opened(pilot)
        await pilot.press("y")
        assert pilot.app.clipboard == ""
        assert "copy as command" not in shown(pilot.app)


async def test_the_bar_and_the_help_name_the_keys_between_tabs(yard):
    async with game(yard).run_test(size=(120, 40)) as pilot:
        await opened(pilot)
        keys = shown(pilot.app).splitlines()[-1]
        assert "←→ tab" in keys
        assert "pgdn read on" in keys
        await pilot.press("tab")
        assert isinstance(pilot.app.focused, CodeView)
        assert "←→ tab" in shown(pilot.app).splitlines()[-1]
        await pilot.press("question_mark", "end")
        await until(pilot, lambda: "read back" in shown(pilot.app), "all of it")


def test_a_reason_is_shown_in_rows_and_its_trials_once():
    levels = [Level(score=s, label=f"label {s}", description=f"It does {s}.") for s in (0, 1)]
    example = Example.of_message("edge.py 7: expected exit status 2; got 0.", "Seven is refused.")
    reason = Reason(cause="Edges are let in.", failed=1, total=4, examples=(example,), advice="Refuse `7`.")
    of_trial = Finding(message="edge.py 7: expected exit status 2; got 0.", trial="Seven is refused.")
    of_code = Finding(message="It is long.", path="edge.py", line=9)
    judgement = Judgement(criterion_id="c", score=0, comment="Long.", findings=(of_trial, of_code), reason=reason)
    text = criterion_text(Criterion(id="c", label="C", levels=tuple(levels)), judgement, None, UNICODE).plain
    assert "Edges are let in. 1 of 4 trials fails.\n\n✗ Seven is refused.\n" in text
    assert "  called    edge.py 7\n  expected  exit status 2\n  got       0\n\nNext: Refuse 7.\n" in text
    assert "Long." not in text
    assert text.count("Seven is refused.") == 1
    assert "edge.py:9" in text


async def test_each_failed_trial_and_the_next_level_stand_once(yard):
    titles = ("Seven is refused.", "Eight is refused.")
    examples = tuple(Example.of_message("edge.py: expected exit status 2; got 0.", title) for title in titles)
    findings = tuple(Finding(message="edge.py: expected exit status 2; got 0.", trial=title) for title in titles)

    def tell(pack):
        told = story(pack, (2, 1, 0))
        reason = Reason(cause="Edges are let in.", failed=2, total=4, examples=examples, advice="Refuse them.")
        judged = tuple(
            judgement.model_copy(update={"findings": findings, "reason": reason, "next_level": "All edges hold."})
            for judgement in told[-1].judgements
        )
        return [*told[:-1], told[-1].model_copy(update={"judgements": judged})]

    async with game(yard, tell).run_test(size=(140, 45)) as pilot:
        await opened(pilot)
        for key in ("1", "2", "3"):
            await pilot.press(key)
            await pilot.pause()
            assert [shown(pilot.app).count(title) for title in titles] == [1, 1], key
            assert shown(pilot.app).count("All edges hold.") == (key == "3")


def test_the_next_level_comes_first():
    levels = [Level(score=s, label=f"label {s}", description=f"It does {s}.") for s in (0, 1, 2)]
    criterion = Criterion(id="c", label="C", levels=tuple(levels))
    judgement = Judgement(criterion_id="c", score=1, comment="", next_level="label 2: It does 2.")
    text = levels_text(criterion, judgement).plain
    assert text.startswith("The next level: label 2 (2)\nIt does 2.\n\nThe other levels\n")
    assert text.count("It does 2.") == 1
    assert criterion_text(criterion, judgement, None, UNICODE).plain.endswith(
        "The next level: label 2 (2)\nIt does 2.\n"
    )
    told = judgement.model_copy(update={"next_level": "One trial more."})
    assert "One trial more." in levels_text(criterion, told).plain


def test_what_the_next_level_lacks_is_said_of_it_alone():
    levels = [Level(score=s, label=f"label {s}", description=f"It does {s}.", lacks="But no more.") for s in (0, 1, 2)]
    criterion = Criterion(id="c", label="C", levels=tuple(levels))
    judgement = Judgement(criterion_id="c", score=0, comment="", next_level=levels[1].asked)
    text = levels_text(criterion, judgement).plain
    assert text.startswith("The next level: label 1 (1)\nIt does 1.\n\n")
    assert text.count("label 1") == 1
    assert "label 2  It does 2. But no more." in text


async def test_the_next_level_is_told_with_every_level(yard):
    async with game(yard).run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("3")
        await until(pilot, lambda: "The next level: level 2" in shown(pilot.app), "what it needs")
        assert "The other levels" in shown(pilot.app)


async def test_hints_wait_for_two_tries_and_come_in_steps(yard):
    async with game(yard).run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("h")
        await until(pilot, lambda: "Hints come after two attempts" in shown(pilot.app), "the offer")
        assert "think" not in shown(pilot.app)
    remember(yard, "golem", (1, 0, 0), (1, 1, 0))
    async with game(yard).run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        for step in ("think small", "look there", "x = 1"):
            await pilot.press("h")
            await until(pilot, lambda step=step: step in shown(pilot.app), step)
        await pilot.press("h")
        assert "All 3 used" in shown(pilot.app)
    with History(yard / "attempts.sqlite3") as history:
        assert [(hint.criterion_id, hint.step) for hint in history.hints_read()] == [("c1", 1), ("c1", 2), ("c1", 3)]
        assert history.progress.by_boss()["golem"].best_total == 2


async def test_the_editor_is_given_file_and_line_and_the_game_goes_on(yard, monkeypatch):
    told = yard / "told"
    script = yard / "vim"
    script.write_text(f"#!{sys.executable}\nimport sys\nopen({str(told)!r}, 'w').write(' '.join(sys.argv[1:]))\n")
    script.chmod(0o755)
    monkeypatch.setenv("VISUAL", str(script))
    async with game(yard).run_test(size=(80, 24), notifications=True) as pilot:
        monkeypatch.setattr(HeadlessDriver, "can_suspend", True)
        await opened(pilot)
        await pilot.press("e")
        for _ in range(3000):
            if told.exists() and told.read_text():
                break
            await asyncio.sleep(0.02)
        assert told.read_text() == f"+6 {yard / 'mine' / 'main.py'}"
        await pilot.press("escape")
        await until(pilot, lambda: phase(pilot.app) == "DONE", "back on the stage")


@pytest.mark.parametrize(
    ("words", "line", "told"),
    [
        (["vim"], 7, ["+7", "/x/a.py"]),
        (["nano", "-w"], 7, ["-w", "+7", "/x/a.py"]),
        (["/usr/bin/emacsclient", "-t"], 2, ["-t", "+2", "/x/a.py"]),
        (["hx"], 7, ["/x/a.py:7"]),
        (["code", "--wait"], 7, ["--wait", "--goto", "/x/a.py:7"]),
        (["something-else"], 7, ["/x/a.py"]),
        (["vim"], None, ["/x/a.py"]),
    ],
)
def test_common_editors_are_told_the_line_their_way(words, line, told):
    assert external_editor.command(words, Path("/x/a.py"), line)[1:] == told


@pytest.mark.parametrize("path", ["../secret", "/etc/passwd", "gone.py", "mine\0.py"])
def test_only_files_of_the_folder_are_opened(yard, path):
    (yard / "secret").write_text("x", "utf-8")
    assert external_editor.find(str(yard / "mine"), path) is None


def test_a_link_out_of_the_folder_is_not_followed(yard):
    (yard / "secret").write_text("x", "utf-8")
    (yard / "mine" / "link.py").symlink_to(yard / "secret")
    assert external_editor.find(str(yard / "mine"), "link.py") is None


# Source in colour


def test_code_is_lexed_only_as_far_as_it_is_seen(monkeypatch):
    lex, texts = PythonLexer.get_tokens_unprocessed, []

    def lex_and_count(*arguments):
        for place, kind, text in lex(*arguments):
            texts.append(text)
            yield place, kind, text

    monkeypatch.setattr(PythonLexer, "get_tokens_unprocessed", lex_and_count)
    ink = SyntaxHighlighter("long.py", "x = 1\n" * 5000)
    assert ink.line(3)
    assert 3 < "".join(texts).count("\n") < 50


def test_coloured_lines_hold_exactly_the_text():
    ink = SyntaxHighlighter("a.py", SOURCE)
    assert ["".join(text for text, _ in ink.line(i)) for i in range(ink.count)] == SOURCE.split("\n")
    assert ("def", "ember") in ink.line(4)
    assert ink.line(1)[0][1] == "dim"


@pytest.mark.parametrize("path", ["unknown.zzz", "", "a.py"])
def test_any_file_can_be_shown_and_steers_nothing(path):
    ink = SyntaxHighlighter(path, "a\x1b]0;x\x07b\u202e\n\tc\r\nd")
    for index in range(ink.count):
        for text, _ in ink.line(index):
            assert "\x1b" not in text
            assert "\u202e" not in text
            assert "\t" not in text


async def test_a_huge_file_opens_at_its_line(yard):
    (yard / "mine" / "main.py").write_text("value = 1\n" * 10_000 + "the_line = 2\n", "utf-8")
    async with game(yard, lambda pack: points_at(pack, line=10_001)).run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await until(pilot, lambda: "the_line = 2" in shown(pilot.app), "the line")
        assert pilot.app.screen.query_one(CodeView).scroll_offset.y > 9_000


async def test_findings_of_one_file_name_it_once(yard):
    long = "words that no line of code can show, " * 8 + "to the end"

    def tell(pack):
        told = points_at(pack)
        placeless = Finding(message=f"`x` is meant; {long}")
        judged = next(event for event in told if isinstance(event, ev.Judged))
        several = tuple(
            judgement.model_copy(update={"findings": (judgement.findings[0], placeless, judgement.findings[1])})
            for judgement in judged.judgements
        )
        return [event.model_copy(update={"judgements": several}) if event is judged else event for event in told]

    async with game(yard, tell).run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        findings = pilot.app.screen.query_one(FindingList)
        lines = [findings.render_line(y).text.rstrip() for y in range(4)]
        assert lines[0].strip() == "main.py"
        assert [line.split()[:2] for line in lines[1:3]] == [["▸", "6"], ["5", "the"]]
        assert "`" not in lines[3]
        await pilot.press("down", "down")
        await until(pilot, lambda: "to the end" in shown(pilot.app), "all of it")
        assert "No line of code shows this." in shown(pilot.app)


def test_what_was_earned_shows_the_trials_that_earned_it(bosses):
    pack = load_pack(bosses / "training-dummy")
    group = min(pack.rules.trial_groups("strikes_true"))
    trials = tuple(factories.trial(name, title=f"{name} {n}") for name in (group, "another") for n in range(2))
    judgement = Judgement(criterion_id="strikes_true", score=3, comment="It holds.")
    judged = JudgedSubmission(
        boss_view(pack), {"strikes_true": judgement}, Evidence(trials=trials), factories.submission(main="x"), "/mine"
    )
    assert [trial.title for trial in judged.trials("strikes_true", None)] == [f"{group} 0", f"{group} 1"]


FAULT = Mistake(
    ids=("slow",), owner="c1", clause="PACE", fault="It answers late.", says="at once", riddle="It sleeps on its feet.",
    trials=("t",),
)  # fmt: skip


def knows_the_fault(pack):
    """A story whose every judgement has the same known mistake."""
    reason = Reason(cause=FAULT.words, mistakes=(FAULT,), failed=1, total=2, advice="Sleep less.")

    def moved(judgement):
        return judgement.model_copy(update={"comment": FAULT.words, "reason": reason})

    return [
        event.model_copy(update={"judgement": moved(event.judgement)})
        if isinstance(event, ev.CriterionJudged)
        else event.model_copy(
            update={
                "judgements": tuple(moved(j) for j in event.judgements),
                "result": event.result.model_copy(
                    update={"improvements": ("Fix this: it answers late. The contract (PACE): “at once” (+1 C).",)}
                ),
            }
        )
        if isinstance(event, ev.Judged)
        else event
        for event in story(pack, (2, 1, 0))
    ]


async def test_the_boss_speaks_a_riddle_and_h_takes_it_apart(yard):
    async with game(yard, knows_the_fault).run_test(size=(140, 45)) as pilot:
        await until(pilot, lambda: phase(pilot.app) == "DONE", "the fight is over")
        await pilot.pause()
        assert "It sleeps on its feet" in shown(pilot.app)
        assert "answers late" not in shown(pilot.app)
        await opened(pilot)
        seen = []
        for _ in range(4):
            text = " ".join(shown(pilot.app).split())
            seen.append([words in text for words in ("It sleeps", "(PACE)", "It answers late", "Sleep less")])
            await pilot.press("h")
            await pilot.pause()
        assert seen == [
            [True, False, False, False],
            [True, True, False, False],
            [False, True, True, False],
            [False, True, True, True],
        ]
    with History(yard / "attempts.sqlite3") as history:
        taken = [(hint.criterion_id, hint.step) for hint in history.hints_read()]
        assert taken == [(FAULT.hint_key, rung) for rung in (1, 2, 3)]
