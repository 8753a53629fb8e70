"""Text that isn't ours is shown, never obeyed: no sink of the game parses it, no byte of it steers the terminal."""

import ast
from pathlib import Path

import pytest

import evalforge.app
from evalforge.app.app import EvalForge
from evalforge.app.attempts.attempt_export import ExportScreen
from evalforge.app.attempts.attempt_list import AttemptsScreen
from evalforge.app.attempts.comparison_screen import ComparisonScreen
from evalforge.app.attempts.replay_screen import ReplayScreen
from evalforge.app.fight.arena import ArenaScreen
from evalforge.app.fight.screen import FightScreen
from evalforge.app.home.boss_page import BossScreen
from evalforge.app.home.progress_screen import ProgressScreen
from evalforge.app.screens.confirm import ConfirmScreen
from evalforge.app.screens.directory_dialog import DirectoryPickerScreen
from evalforge.app.ui.text.line_filters import AsciiFilter, ControlFilter
from evalforge.model.errors import SubmissionError
from evalforge.model.events import Ungraded
from evalforge.model.text import UNSAFE
from tests.app import start_request
from tests.app.harness import Teller, lines, phase, services, shown, story, until, write_pack, write_solution
from tests.app.test_screens import remember

HOSTILE = [
    "[@click=app.quit]press[/] [bold]loud[/bold] ${x} {0}",
    "[/nope] $ember %s a\x1b]0;PWNED\x07b a\x1b[2Jb\x1b[31m",
    "a\x9b31mb\x9d0;x\x9c a\u202eb\u2066c\u200bd\ufeff nul\x00 del\x7f bell\x07",
]
APP = Path(evalforge.app.__file__).parent
PARSING_SINKS = {"Static", "Label", "Button", "Collapsible", "Markdown", "OptionList", "Select", "Checkbox", "RichLog"}


def harmless(app) -> None:
    """Nothing on the screen steers the terminal or is a live link."""
    for line in lines(app):
        for segment in line:
            assert not segment.control
            assert not UNSAFE.search(segment.text), repr(segment.text)
            assert not any(c in segment.text for c in "\n\t\r"), repr(segment.text)
            if segment.style is not None:
                assert not segment.style.link
                assert not any(str(key).startswith("@click") for key in segment.style.meta)


@pytest.fixture(params=HOSTILE, ids=["markup", "escapes", "unseen"])
def words(request) -> str:
    return request.param


def hostile_game(tmp_path: Path, words: str, tell=None) -> EvalForge:
    write_pack(tmp_path / "bosses", "golem", f"Golem {words}", words)
    broken = tmp_path / "bosses" / "wreck"
    broken.mkdir()
    (broken / "boss.yaml").write_text("boss_id: wreck\ntitle: '[/nope] [@click=app.quit]x[/]'\n", "utf-8")
    teller = Teller(tell or (lambda pack: story(pack, (2, 1, 0), words)))
    opening = start_request.fight("golem", str(write_solution(tmp_path / "mine")))
    return EvalForge(services(tmp_path, teller, opening))


async def test_a_fight_shows_hostile_words_and_survives_them(tmp_path, words):
    app = hostile_game(tmp_path, words)
    async with app.run_test(size=(120, 40), notifications=True, tooltips=True) as pilot:
        await until(pilot, lambda: isinstance(app.screen, FightScreen) and phase(app) == "DONE", "the end")
        harmless(app)
        await pilot.press("down", "enter")
        await pilot.pause()
        harmless(app)
        await pilot.press("l")
        await pilot.pause()
        harmless(app)
        if words.isprintable() and words.isascii():
            assert words in " ".join(shown(app).split())
        app.notify(words, title=words, markup=False)
        await pilot.pause()
        harmless(app)
        assert app.is_running


@pytest.mark.parametrize("end", ["ungraded", "refused", "crashed"])
async def test_reasons_are_shown_not_obeyed(tmp_path, words, end):
    last = {
        "ungraded": Ungraded(reason=words, advice=words),
        "refused": SubmissionError(words, words),
        "crashed": RuntimeError(words),
    }[end]
    app = hostile_game(tmp_path, words, lambda pack: [*story(pack, (1, 1, 1), words)[:4], last])
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await until(pilot, lambda: phase(app) == "DONE", "the end")
        harmless(app)


async def test_a_bosss_page_and_the_roster_show_hostile_words(tmp_path, words):
    app = hostile_game(tmp_path, words)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await until(pilot, lambda: phase(app) == "DONE", "the fight")
        pack = app.session.load_pack(tmp_path / "bosses" / "golem")
        await app.push_screen(BossScreen(pack))
        for key in "1234":
            await pilot.press(key)
            await pilot.pause()
            harmless(app)
        await pilot.press("question_mark")
        await pilot.pause()
        harmless(app)
        while len(app.screen_stack) > 1:
            app.pop_screen()
        await pilot.pause()
        harmless(app)
        await pilot.press("down")
        await pilot.pause()
        harmless(app)
        await app.push_screen(AttemptsScreen())
        await pilot.pause()
        harmless(app)


@pytest.mark.parametrize("name", ["[bold]x[/bold].py", "[@click=app.quit]x[/].py", "a\x1b]0;P\x07.py", "a\u202eb.py"])
async def test_names_of_files_and_folders_are_only_text(tmp_path, name):
    app = hostile_game(tmp_path, "plain words")
    write_solution(tmp_path / "mine", name, "ok.py", f"{name}-dir/x.py")
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await until(pilot, lambda: phase(app) == "DONE", "the fight")
        pack = app.session.load_pack(tmp_path / "bosses" / "golem")
        await app.push_screen(ArenaScreen(pack, str(tmp_path / "mine")))
        await until(pilot, lambda: "Will be judged" in shown(app), "the files")
        harmless(app)
        await app.push_screen(DirectoryPickerScreen(tmp_path / "mine"))
        await until(pilot, lambda: "   tests" in shown(app), "the tree")
        await pilot.pause()
        harmless(app)
        await app.push_screen(ArenaScreen(pack, str(tmp_path / "mine" / f"{name}-dir" / "nothing")))
        await until(pilot, lambda: "does not exist" in " ".join(shown(app).split()), "the refusal")
        harmless(app)


async def test_the_past_and_its_evidence_show_hostile_words(tmp_path, words):
    app = hostile_game(tmp_path, words)
    source = f"x = 1\n# {words}\n"
    (tmp_path / "mine" / "main.py").write_text(source, "utf-8", errors="replace")
    remember(tmp_path, "golem", (1, 0, 0), (2, 1, 0), words=words)
    (tmp_path / "mine" / "main.py").write_text(source + source, "utf-8", errors="replace")
    remember(tmp_path, "golem", (2, 2, 0), words=words)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await until(pilot, lambda: phase(app) == "DONE", "the fight")
        await pilot.press("down", "enter")
        for key in "1234hn1":
            await pilot.press(key)
            await pilot.pause()
            harmless(app)
        app.pop_screen()
        for screen in (AttemptsScreen(), ProgressScreen()):
            await app.push_screen(screen)
            await pilot.pause()
            harmless(app)
        history = app.session.history()
        newest, older = (history.get(row.id) for row in history.page(None, 0, 2))
        pack = app.session.load_pack(tmp_path / "bosses" / "golem")
        screens = (
            ComparisonScreen(older, newest), ReplayScreen(newest, pack), ReplayScreen(newest, None),
            ConfirmScreen(words, words, words), ExportScreen(newest, words),
        )  # fmt: skip
        for screen in screens:
            await app.push_screen(screen)
            await pilot.pause()
            harmless(app)
        await pilot.press("escape", "ctrl+p", *"golem")
        await pilot.pause(0.3)
        harmless(app)
        assert app.is_running


def test_the_filter_drops_and_never_shifts():
    from rich.segment import Segment
    from textual.color import Color

    told = ControlFilter().apply([Segment("a\x1b]0;x\x07b"), Segment("\u202ec")], Color(0, 0, 0))
    assert [segment.text for segment in told] == ["a]0;xb", "c"]


def test_ascii_twins_keep_the_width():
    from rich.cells import cell_len
    from rich.segment import Segment
    from textual.color import Color

    text = "●○ ▸ █▓▒░ · … é 漢"
    [told] = AsciiFilter().apply([Segment(text)], Color(0, 0, 0))
    assert told.text.isascii()
    assert len(told.text) == cell_len(text)


# The source itself


def modules() -> list[Path]:
    return sorted(APP.rglob("*.py"))


def name_of(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def violations(tree: ast.AST) -> list[str]:
    """Every way text could be parsed as markup: a sink without ``markup=False``, markup built from values, escapes."""
    checks = {ast.Call: of_call, ast.ImportFrom: of_import, ast.Import: of_import, ast.Assign: of_assignment}
    return [
        f"{node.lineno}: {found}" for node in ast.walk(tree) if (found := checks.get(type(node), lambda _: "")(node))
    ]


def of_import(node: ast.ImportFrom | ast.Import) -> str:
    names = [alias.name for alias in node.names]
    bad = "escape" in names or "textual.markup" in (getattr(node, "module", "") or "")
    return "markup escape is wrong too often to be used" if bad else ""


def of_call(node: ast.Call) -> str:
    name = name_of(node)
    plain = any(k.arg == "markup" and isinstance(k.value, ast.Constant) and not k.value.value for k in node.keywords)
    if (name in PARSING_SINKS or name == "notify") and not plain:
        return f"{name} without markup=False"
    if name in {"from_markup", "from_ansi"}:
        return name
    text = name == "update" and bool(node.args) and isinstance(node.args[0], ast.JoinedStr | ast.Constant)
    return "update with a string that would be parsed" if text else ""


def of_assignment(node: ast.Assign) -> str:
    titles = {"border_title", "border_subtitle", "tooltip"}
    titled = any(isinstance(target, ast.Attribute) and target.attr in titles for target in node.targets)
    safe = isinstance(node.value, ast.Call) and name_of(node.value) == "Content"
    return "a title or tooltip that is no Content" if titled and not safe else ""


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(APP)))
def test_no_module_hands_text_to_a_parser(path):
    assert violations(ast.parse(path.read_text("utf-8"))) == []


@pytest.mark.parametrize(
    "source",
    [
        "Static('x')", "Static(f'{x}')", "app.notify(x)", "Static(x, markup=True)", "w.update(f'{x}')",
        "Content.from_markup(x)", "from rich.markup import escape", "w.border_title = x", "w.tooltip = f'{x}'",
    ],
)  # fmt: skip
def test_the_walk_itself_sees_violations(source):
    assert violations(ast.parse(source))
