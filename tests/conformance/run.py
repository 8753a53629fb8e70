"""Judges exemplars with a real model server and checks what must hold whatever the model says.

Run by hand, never by the tests: ``make conformance ARGS="--base-url http://127.0.0.1:8190 --model local"``. How good
the model's judgement is isn't checked here; a small model's is poor.
"""

import argparse
import asyncio
import time
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path

from evalforge.evidence.earned_levels import highest_allowed_level
from evalforge.fight import FightOptions, Forge
from evalforge.judges.quote_check import QuoteFinder
from evalforge.judges.reply import Quote
from evalforge.llm.model_options import ModelOptions
from evalforge.llm.submission_rendering import render_submission
from evalforge.model.cost import Cost
from evalforge.model.events import (
    CriterionJudged,
    Event,
    FactMeasured,
    Judged,
    Progress,
    Spent,
    TrialFinished,
    Ungraded,
)
from evalforge.model.evidence import Evidence
from evalforge.model.result import Opinion
from evalforge.model.scoring import score
from evalforge.model.text import UNSAFE
from evalforge.packs.pack import BossPack, load_pack
from evalforge.submissions.collect import collect

BOSSES = Path(__file__).resolve().parent.parent.parent / "bosses"


@dataclass(frozen=True)
class Report:
    """How one judging went. ``broken`` names the promises that weren't kept; there must be none."""

    end: str
    seconds: float
    first_strike: str
    cost: Cost
    words: tuple[str, ...]
    broken: tuple[str, ...]


async def examine(pack: BossPack, directory: Path, options: FightOptions) -> Report:
    """Fight once, as a player would, and look at everything that came of it."""
    began = time.monotonic()
    async with Forge() as forge, aclosing(forge.fight(pack, directory, options)) as stream:
        events = [event async for event in stream]
    end = events[-1]
    assert isinstance(end, Judged | Ungraded)
    strikes = [event.at for event in events if isinstance(event, CriterionJudged)]
    costs = [event.cost for event in events if isinstance(event, Spent)]
    return Report(
        end=f"{end.result.verdict.value} {end.result.score_total:g}" if isinstance(end, Judged) else end.reason,
        seconds=time.monotonic() - began,
        first_strike=f"{strikes[0]:.1f} s" if strikes else "none",
        cost=costs[-1] if costs else Cost(),
        words=tuple(event.message for event in events if isinstance(event, Progress)),
        broken=tuple(_broken(pack, directory, events, end)),
    )


def _broken(pack: BossPack, directory: Path, events: list[Event], end: Judged | Ungraded) -> list[str]:
    evidence = Evidence(
        facts=tuple(event.fact for event in events if isinstance(event, FactMeasured)),
        trials=tuple(event.trial for event in events if isinstance(event, TrialFinished)),
    )
    limits = {c.id: highest_allowed_level(c, pack.rules, evidence)[0].score for c in pack.rubric.criteria}
    told = [event.judgement for event in events if isinstance(event, CriterionJudged)]
    found = [f"{j.criterion_id} above its ceiling" for j in told if j.score > limits[j.criterion_id]]
    if any(UNSAFE.search(judgement.comment) for judgement in told):
        found.append("a comment that steers a terminal")
    return [*found, *(_spoiled(pack, directory, end) if isinstance(end, Judged) else _mute(end))]


def _mute(end: Ungraded) -> list[str]:
    return [] if end.reason and end.advice else ["ungraded without a reason or advice"]


def _spoiled(pack: BossPack, directory: Path, end: Judged) -> list[str]:
    found: list[str] = []
    again = score(pack.boss_id, pack.rubric, Opinion(judgements=end.judgements, summary="", improvements=()))
    if (again.score_total, again.verdict) != (end.result.score_total, end.result.verdict):
        found.append("a total that is not the sum")
    if UNSAFE.search(" ".join((end.result.summary, end.result.raw_notes, *end.result.improvements))):
        found.append("a text that steers a terminal")
    book = QuoteFinder(render_submission(collect(directory), "0").shown_lines)
    quotes = [Quote(f.path, f.line, f.message) for judgement in end.judgements for f in judgement.findings]
    found += [f"a quote that isn't there: {quote.path}:{quote.line}" for quote in quotes if not book.find(quote)]
    return found


async def main() -> int:
    """Judge each exemplar of the chosen bosses; 1 if a promise was broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base-url", required=True)
    parser.add_argument("--model", required=True)
    parser.add_argument("--judge", default="claude", choices=["claude", "panel"])
    parser.add_argument("--boss", action="append", default=[])
    parser.add_argument("--exemplar", default="", help="only the one of this name")
    given = parser.parse_args()
    models = ModelOptions(tuple(given.model.split(",")), given.base_url)
    broken = False
    for slug in given.boss or ["training-dummy"]:
        pack = load_pack(BOSSES / slug)
        for directory in (path for path in pack.exemplars if given.exemplar in ("", path.name)):
            report = await examine(pack, directory, FightOptions(judge=given.judge, models=models))
            print(f"{slug}/{directory.name}: {report.end}")
            print(f"  {report.seconds:.1f} s, first strike {report.first_strike}, {report.cost}", flush=True)
            for words in report.words:
                print(f"  - {words}")
            for words in report.broken:
                print(f"  BROKEN: {words}")
            broken = broken or bool(report.broken)
    print("a promise was broken" if broken else "every promise was kept")
    return int(broken)


if __name__ == "__main__":
    raise SystemExit(asyncio.run(main()))
