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


def test_a_user_who_does_not_exist_has_no_home():
    assert folder_of("~nobody-at-all/mine") == Path("~nobody-at-all/mine")


def test_where_home_is_everything_nothing_is_shortened(monkeypatch):
    monkeypatch.setenv("HOME", "/")
    assert shorten_home("/etc/hosts can't be read.") == "/etc/hosts can't be read."
    assert short("/etc/hosts") == "/etc/hosts"
