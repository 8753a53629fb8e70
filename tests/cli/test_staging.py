"""``stage``, ``tour`` and their places in ``serve``: what can't work is said before anything is drawn."""

import pytest

from evalforge.cli.main import main


def refused(capsys, *words: str) -> str:
    assert main(words) == 2
    told = capsys.readouterr()
    assert told.out == ""
    return told.err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("stage", "nobody"), "no boss called 'nobody'"),
        (("stage", "nobody", "--notes"), "no boss called 'nobody'"),
        (("stage", "training-dummy", "--exemplar", "nobody"), "no exemplar called 'nobody'"),
        (("stage", "training-dummy", "--hand-in", "/nowhere/at/all"), "--hand-in /nowhere/at/all does not exist"),
        (("stage", "training-dummy", "--notes", "--exemplar", "weak"), "shows what the stage shows"),
        (("stage", "training-dummy"), "needs a terminal"),
        (("stage", "training-dummy", "--notes"), "needs a terminal"),
        (("tour",), "needs a terminal"),
        (("tour", "--auto"), "needs a terminal"),
        (("serve", "--stage", "nobody"), "no boss called 'nobody'"),
        (("serve", "--notes", "nobody"), "no boss called 'nobody'"),
    ],
)
def test_what_cannot_be_shown_is_refused_in_words(capsys, words, told):
    assert told in refused(capsys, *words)


def test_an_unknown_exemplar_names_those_there_are(capsys):
    assert "first-win" in refused(capsys, "stage", "training-dummy", "--exemplar", "nobody")


def test_stage_and_notes_are_two_pages(capsys):
    assert main(["serve", "--stage", "training-dummy", "--notes", "training-dummy"]) == 2
    assert "not allowed with" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "command"),
    [
        (("--stage", "training-dummy"), "stage training-dummy"),
        (("--notes", "training-dummy"), "stage training-dummy --notes"),
    ],
)
def test_every_page_of_a_server_opens_what_was_asked_for(monkeypatch, words, command):
    from evalforge.cli.commands import web_server

    served = []
    monkeypatch.setattr(web_server.GameServer, "serve", lambda self, debug=False: served.append(self.command))
    assert main(["serve", "--port", "58631", *words]) == 0
    assert served[0].endswith(command)


class AskedNavigator:
    """Opens nothing, and says what it was asked to open."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, tuple[object, ...], dict[str, object]]] = []

    def __getattr__(self, name: str):
        return lambda *about, **options: self.asked.append((name, about, options))


@pytest.fixture
def opened(monkeypatch):
    """What the game is asked to open, of which boss, instead of drawing it."""
    from evalforge.cli.commands import play

    boss, navigator, bosses = object(), AskedNavigator(), []

    def start(arguments, boss_id, opener) -> int:
        bosses.append(boss_id)
        opener(navigator, boss)
        return 0

    monkeypatch.setattr(play, "start", start)

    def asked() -> list[tuple[object, ...]]:
        about = ((name, [one for one in given if one is not boss], more) for name, given, more in navigator.asked)
        return [(slug, *what) for slug, what in zip(bosses, about, strict=True)]

    return asked


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ((), ("open_stage", [(), (), "forge"], {})),
        (("--exemplar", "weak", "flawless"), ("open_stage", [("weak", "flawless"), (), "forge"], {})),
        (("--judge", "panel"), ("open_stage", [(), (), "panel"], {})),
        (("--notes",), ("open_speaker_notes", [], {})),
    ],
)
def test_the_game_is_opened_with_what_was_asked_for(opened, words, expected):
    assert main(["stage", "training-dummy", *words]) == 0
    assert opened() == [("training-dummy", *expected)]


def test_a_key_in_the_environment_makes_no_lesson_cost_money(opened, monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "not-a-key")
    assert main(["stage", "training-dummy"]) == 0
    assert opened() == [("training-dummy", "open_stage", [(), (), "forge"], {})]


def test_a_stand_is_told_to_go_on_by_itself(opened):
    assert main(["tour", "--auto"]) == 0
    assert main(["tour"]) == 0
    assert opened() == [("training-dummy", "open_tour", [], {"auto": auto}) for auto in (True, False)]
