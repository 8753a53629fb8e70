"""Paths as people write them."""

from pathlib import Path

import pytest

from evalforge.app.ui.text.paths import folder_of, short, shorten_home


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{home}/mine holds nothing.", "~/mine holds nothing."),
        ("Nothing is in {home}.", "Nothing is in ~."),
        ("Make room in '{home}/a b', please.", "Make room in '~/a b', please."),
        ("{home}s/mine is another's.", "{home}s/mine is another's."),
        ("{home}-old and {home}.bak are others.", "{home}-old and {home}.bak are others."),
        ("/mnt{home}/mine lies elsewhere.", "/mnt{home}/mine lies elsewhere."),
    ],
)
def test_the_home_folder_is_a_tilde_wherever_it_is_named(tmp_path, monkeypatch, text, told):
    monkeypatch.setenv("HOME", str(tmp_path))
    assert shorten_home(text.format(home=tmp_path)) == told.format(home=tmp_path)


@pytest.mark.parametrize(
    "pasted",
    [
        "'{home}/my code'",
        '"{home}/my code"',
        "{home}/my\\ code",
        "file://{home}/my%20code",
        "file://localhost{home}/my%20code/",
        "'file://{home}/my%20code'",
        " '~/my code'\n",
        "~/my\\ code",
        "~/my code",
    ],
)
def test_a_pasted_path_is_read_without_its_quoting(tmp_path, monkeypatch, pasted):
    monkeypatch.setenv("HOME", str(tmp_path))
    for state in ("new", "existing"):
        assert folder_of(pasted.format(home=tmp_path)) == tmp_path / "my code", state
        (tmp_path / "my code").mkdir(exist_ok=True)


@pytest.mark.parametrize(
    "name", ["'quoted'", "back\\slash", "it's mine", "file:", "50%20off", "two  words", "[x", "file://elsewhere/x"]
)
def test_a_folder_may_be_called_anything(tmp_path, name):
    (tmp_path / name).mkdir(parents=True)
    assert folder_of(f"{tmp_path}/{name}") == tmp_path / name


@pytest.mark.parametrize("text", ["it's not there", "'open", "file://[", "file://elsewhere/x", "two words"])
def test_what_is_no_quoting_stays_as_it_is(text):
    assert folder_of(text) == Path(text)


def test_a_user_who_does_not_exist_has_no_home():
    assert folder_of("~nobody-at-all/mine") == Path("~nobody-at-all/mine")


def test_where_home_is_everything_nothing_is_shortened(monkeypatch):
    monkeypatch.setenv("HOME", "/")
    assert shorten_home("/etc/hosts can't be read.") == "/etc/hosts can't be read."
    assert short("/etc/hosts") == "/etc/hosts"
