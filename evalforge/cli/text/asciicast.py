"""A stored fight as an asciicast: a terminal recording that ``asciinema play`` and its web player show."""

import io
import json
from typing import TYPE_CHECKING

from rich.console import Console

from evalforge.cli.text.fight import FightText
from evalforge.model.events import CriterionJudged, Event, ImpostorMet, Judged, TrialFinished
from evalforge.reports.replay import due_times

if TYPE_CHECKING:
    from evalforge.reports.export import AttemptExport

_WIDTH, _HEIGHT = 100, 30
_PAUSES = ((TrialFinished, 0.06), (ImpostorMet, 0.02), (CriterionJudged, 1.2), (Judged, 1.2))
"""The minimum seconds before an event of each kind, so that a quick fight can be read along."""


def draw_asciicast(exported: "AttemptExport") -> bytes:
    """Write the lines of a fight, each at its original time or later.

    The format is asciicast, version 2 (docs.asciinema.org/manual/asciicast/v2).
    """
    attempt, pack = exported.attempt, exported.pack
    screen = io.StringIO()
    console = Console(
        file=screen, force_terminal=True, color_system="256", width=_WIDTH, markup=False, highlight=False, emoji=False
    )
    text = FightText(pack.rubric if pack else None, full=True, out=console)
    header = {"version": 2, "width": _WIDTH, "height": _HEIGHT, "title": f"{attempt.boss_title}, EvalForge"}
    lines: list[object] = [header]
    shown_at = 0.0
    for due_at, event in due_times(attempt.events):
        text.show(event)
        written = screen.getvalue()
        if written:
            shown_at = max(due_at, shown_at + _pause_before(event))
            lines.append([round(shown_at, 3), "o", written.replace("\n", "\r\n")])
            screen.seek(0)
            screen.truncate()
    return "".join(f"{json.dumps(line)}\n" for line in lines).encode()


def _pause_before(event: Event) -> float:
    return next((seconds for kind, seconds in _PAUSES if isinstance(event, kind)), 0.0)
