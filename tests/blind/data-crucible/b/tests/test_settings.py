import pytest

from crucible.errors import ConfigError
from crucible.settings import Settings, SettingsLoader


def test_good():
    raw = {"group_by": ["a", "b"], "value_field": "v", "more": True}
    assert SettingsLoader().check(raw) == Settings(("a", "b"), "v")


@pytest.mark.parametrize(
    "raw, culprit",
    [
        ([], "object"),
        ({"value_field": "v"}, "group_by"),
        ({"group_by": ["a"]}, "value_field"),
        ({"group_by": "a", "value_field": "v"}, "group_by"),
        ({"group_by": [], "value_field": "v"}, "group_by"),
        ({"group_by": ["a", 3], "value_field": "v"}, "group_by"),
        ({"group_by": ["a"], "value_field": ["v"]}, "value_field"),
    ],
)
def test_bad(raw, culprit):
    with pytest.raises(ConfigError, match=culprit):
        SettingsLoader().check(raw)


def test_missing_columns_are_named():
    with pytest.raises(ConfigError, match="'b'.*'v'"):
        Settings(("a", "b"), "v").require_columns(["a", "c"])


def test_broken_json(tmp_path):
    path = tmp_path / "c.json"
    path.write_text("{")
    with pytest.raises(ConfigError, match="c.json"):
        SettingsLoader().load(path)
