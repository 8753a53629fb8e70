"""Measure the exemplars anew: ``python -m tests.app.snapshot_scenarios.record``, where trials, rules or they changed.

Only what the boss's rules ask for is kept, and nothing that depends on how fast a machine is.
"""

import asyncio
import json
from typing import Any

from evalforge.evidence.engine import Engine
from evalforge.model.events import Event, FactMeasured, TrialFinished, TrialsPlanned
from evalforge.packs.pack import BossPack, load_pack
from evalforge.packs.trial_key import PUBLIC_KEY, trial_seed
from evalforge.submissions.collect import collect
from tests.app.snapshot_scenarios.engine import BOSSES, EXEMPLARS, MEASURED, SENDS_IMPOSTORS, is_about_impostors


def _line(event: Event) -> str:
    about: dict[str, Any] = event.model_dump(mode="json", exclude_defaults=True)
    if isinstance(event, TrialFinished):
        about["trial"].pop("seconds", None)
    return json.dumps([event.kind, about], ensure_ascii=False)


def _asked(pack: BossPack) -> set[str]:
    """The facts a boss's rules ask for."""
    return {
        check.fact
        for criterion in pack.rubric.criteria
        for rule in pack.rules.of(criterion.id)
        for condition in rule.requires
        for check in condition.checks
    }


async def _record(engine: Engine, boss_id: str, exemplar: str) -> None:
    pack = load_pack(BOSSES / boss_id)
    submission, asked = collect(pack.path / "exemplars" / exemplar), _asked(pack)
    seed = trial_seed(boss_id, submission.content_hash, PUBLIC_KEY)
    lines: list[str] = []
    async for event in engine.gather(seed, pack.trials, pack.definition.metadata.entry_files, submission):
        fact = event.fact.name if isinstance(event, FactMeasured) else ""
        met = boss_id in SENDS_IMPOSTORS and is_about_impostors(event)
        if isinstance(event, TrialsPlanned | TrialFinished) or fact in asked or met:
            lines.append(_line(event))
    path = MEASURED / f"{boss_id}-{exemplar}.jsonl"
    path.write_text("\n".join(lines) + "\n", "utf-8")
    print(f"{path.name:<48} {path.stat().st_size:>8}")


async def main() -> None:
    """Measure all of them."""
    MEASURED.mkdir(exist_ok=True)
    engine = Engine()
    try:
        for boss_id, exemplars in EXEMPLARS.items():
            for exemplar in exemplars:
                await _record(engine, boss_id, exemplar)
    finally:
        await engine.close()


if __name__ == "__main__":
    asyncio.run(main())
