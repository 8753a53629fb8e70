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
    from evalforge.cli import web

    served = []
    monkeypatch.setattr(web.GameServer, "serve", lambda self, debug=False: served.append(self.command))
    assert main(["serve", "--port", "58631", *words]) == 0
    assert served[0].endswith(command)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ((), ("stage", (), "forge")),
        (("--exemplar", "weak", "flawless"), ("stage", ("weak", "flawless"), "forge")),
        (("--judge", "panel"), ("stage", (), "panel")),
        (("--notes",), ("notes", (), "forge")),
    ],
)
def test_the_game_is_opened_with_what_was_asked_for(monkeypatch, words, expected):
    from evalforge.cli import staging

    opened = []
    monkeypatch.setattr(staging, "start", lambda arguments, opening: opened.append(opening) or 0)
    assert main(["stage", "training-dummy", *words]) == 0
    assert (opened[0].kind, opened[0].exemplars, opened[0].judge) == expected


def test_a_key_in_the_environment_makes_no_lesson_cost_money(monkeypatch):
    from evalforge.cli import staging

    monkeypatch.setenv("ANTHROPIC_API_KEY", "not-a-key")
    opened = []
    monkeypatch.setattr(staging, "start", lambda arguments, opening: opened.append(opening) or 0)
    assert main(["stage", "training-dummy"]) == 0
    assert opened[0].judge == "forge"


def test_a_stand_is_told_to_go_on_by_itself(monkeypatch):
    from evalforge.cli import touring

    opened = []
    monkeypatch.setattr(touring, "start", lambda arguments, opening: opened.append(opening) or 0)
    assert main(["tour", "--auto"]) == 0
    assert main(["tour"]) == 0
    assert [(one.boss, one.kind, one.auto) for one in opened] == [
        ("training-dummy", "tour", True),
        ("training-dummy", "tour", False),
    ]
