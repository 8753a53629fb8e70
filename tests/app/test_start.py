"""A start reads no pack it has read before, and believes no memory of one that has changed."""

import json

import pytest

from evalforge.packs import roster_cache, summary
from tests.app.harness import write_pack


@pytest.fixture
def yard(tmp_path):
    write_pack(tmp_path / "bosses", "golem", "Stone Golem")
    write_pack(tmp_path / "bosses", "wisp", "Pale Wisp")
    return tmp_path


def look(yard):
    return roster_cache.find_bosses_cached((yard / "bosses",), yard / "bosses.json")


def test_the_second_look_is_the_first_without_reading_yaml(yard, monkeypatch):
    first = look(yard)
    monkeypatch.setattr(roster_cache, "read_summary", lambda pack: pytest.fail(f"{pack} was read again"))
    assert look(yard) == first == summary.find_bosses((yard / "bosses",))


def test_a_changed_pack_is_read_again(yard):
    look(yard)
    file = yard / "bosses" / "golem" / "boss.yaml"
    file.write_text(file.read_text("utf-8").replace("Stone Golem", "Clay Golem!"), "utf-8")
    assert {boss.title for boss in look(yard)} == {"Clay Golem!", "Pale Wisp"}


def test_a_new_pack_and_one_that_is_gone_are_noticed(yard):
    look(yard)
    write_pack(yard / "bosses", "owl", "Night Owl")
    (yard / "bosses" / "wisp" / "boss.yaml").unlink()
    assert {boss.title for boss in look(yard)} == {"Stone Golem", "Night Owl"}


def test_a_broken_pack_is_never_remembered(yard):
    file = yard / "bosses" / "golem" / "boss.yaml"
    file.write_text("boss_id: [", "utf-8")
    assert [bool(boss.error) for boss in look(yard)] == [False, True]
    assert "golem" not in (yard / "bosses.json").read_text("utf-8")


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"version": 1, "packs": []}', '{"version": 99, "packs": {}}'])
def test_a_broken_cache_costs_nothing_but_time(yard, text):
    expected = look(yard)
    (yard / "bosses.json").write_text(text, "utf-8")
    assert look(yard) == expected
    assert json.loads((yard / "bosses.json").read_text("utf-8"))["packs"]


def test_a_cache_with_strange_entries_is_read_again(yard):
    expected = look(yard)
    cache = json.loads((yard / "bosses.json").read_text("utf-8"))
    golem, wisp = sorted(cache["packs"])
    cache["packs"][golem][1]["title"] = 7
    cache["packs"][wisp] = "nonsense"
    (yard / "bosses.json").write_text(json.dumps(cache), "utf-8")
    assert look(yard) == expected


def test_the_game_starts_without_a_writable_home(yard):
    (yard / "file").write_text("", "utf-8")
    assert len(roster_cache.find_bosses_cached((yard / "bosses",), yard / "file" / "bosses.json")) == 2
    assert not [path for path in yard.iterdir() if path.name.startswith(".")]
