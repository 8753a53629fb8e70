"""What tests of facts from runs share: the facts of a program under some trials."""

from collections.abc import Mapping
from contextlib import aclosing
from pathlib import Path

from evalforge.evidence.engine import Engine
from evalforge.model.events import FactMeasured
from evalforge.model.evidence import Fact
from evalforge.model.submission import Submission


async def program_facts(engine: Engine, trials: Path, files: Mapping[str, str]) -> dict[str, Fact]:
    """The facts of a program by name; its entry is the first file."""
    stream = engine.gather("straw", trials, (next(iter(files)),), Submission.of(dict(files)))
    async with aclosing(stream) as events:
        return {event.fact.name: event.fact async for event in events if isinstance(event, FactMeasured)}
