"""The order slip."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from crucible.errors import ConfigError


@dataclass(frozen=True, slots=True)
class Settings:
    group_by: tuple[str, ...]
    value_field: str

    @property
    def columns(self) -> tuple[str, ...]:
        return (*self.group_by, self.value_field)

    def require_columns(self, header: Sequence[str]) -> None:
        missing = [name for name in self.columns if name not in header]
        if missing:
            raise ConfigError(f"columns that the CSV lacks: {', '.join(map(repr, missing))}")


class SettingsLoader:
    """Turns a JSON file into Settings, or complains."""

    def load(self, path: Path) -> Settings:
        try:
            raw = json.loads(path.read_text(encoding="utf-8"))
        except OSError as error:
            raise ConfigError(f"{path}: {error.strerror}") from error
        except ValueError as error:
            raise ConfigError(f"{path} is not valid JSON: {error}") from error
        return self.check(raw)

    def check(self, raw: Any) -> Settings:
        if not isinstance(raw, dict):
            raise ConfigError("the config must be a JSON object")
        return Settings(tuple(self._group_by(raw)), self._value_field(raw))

    def _group_by(self, raw: dict[str, Any]) -> list[str]:
        value = self._get(raw, "group_by")
        if not (isinstance(value, list) and value and all(isinstance(name, str) for name in value)):
            raise ConfigError("group_by must be a list of one or more strings")
        return value

    def _value_field(self, raw: dict[str, Any]) -> str:
        value = self._get(raw, "value_field")
        if not isinstance(value, str):
            raise ConfigError("value_field must be a string")
        return value

    @staticmethod
    def _get(raw: dict[str, Any], key: str) -> Any:
        try:
            return raw[key]
        except KeyError:
            raise ConfigError(f"the config has no {key}") from None
