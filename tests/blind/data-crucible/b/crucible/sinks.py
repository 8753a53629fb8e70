"""Results to JSON files."""

import json
from pathlib import Path
from typing import Any

from crucible.protocols import Total
from crucible.settings import Settings


class JsonSink:
    def __init__(self, path: Path, settings: Settings) -> None:
        self._path = path
        self._settings = settings

    def write(self, totals: list[Total]) -> None:
        text = json.dumps([self._record(total) for total in totals], ensure_ascii=False, indent=2)
        self._path.write_text(text + "\n", encoding="utf-8")

    def _record(self, total: Total) -> dict[str, Any]:
        record: dict[str, Any] = dict(zip(self._settings.group_by, total.group))
        record.update(sum=float(total.sum), count=total.count, avg=float(total.avg))
        return record
