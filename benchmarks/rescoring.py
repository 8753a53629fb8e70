"""A changed rubric over 300 stored attempts: scored again from their evidence, with what moved and why."""

import asyncio
import shutil
import tempfile
from pathlib import Path

from benchmarks.measure import Contender, Options, race, table
from evalforge.fight import FightOptions, Forge
from evalforge.history.store import History
from evalforge.judges.forge import rescore
from evalforge.lab.score_changes import PackRevision
from evalforge.model.attempt import Attempt
from evalforge.model.evidence import Evidence
from evalforge.model.fight_record import FightRecord, record_fight
from evalforge.model.result import JudgeInfo
from evalforge.model.submission import Submission
from evalforge.packs.pack import BossPack, load_pack
from evalforge.submissions.collect import collect

ROOT = Path(__file__).resolve().parent.parent
BOSS = ROOT / "bosses" / "furnace-controller"
_CHANGES = (("rubric.yaml", "pass_threshold: 6", "pass_threshold: 5"), ("evidence.yaml", '"<= 40"', '"<= 12"'))


def main(options: Options) -> None:
    """Print how long it takes to score them all, and to read them from the history first."""
    count = options.size(300, 3)
    with tempfile.TemporaryDirectory() as folder:
        before, after = load_pack(BOSS), _changed(Path(folder))
        store = Path(folder) / "attempts.sqlite3"
        _fill(store, before, count, asyncio.run(_measure(before, options)))
        with History(store) as history:
            ids = [row.id for row in history.page(limit=count)]
            attempts = [history.get(one) for one in ids]
            moved = sum(not move for move in _score(before, after, attempts))
            timings = race(
                [
                    Contender("scored before and after, with causes", lambda: _timed(before, after, attempts)),
                    Contender("scored once", lambda: _once(after, attempts)),
                    Contender("read from the history", lambda: _read(history, ids)),
                ],
                options.at_most(10),
            )
    table(f"{count} stored attempts, {moved} of them moved by two changes", timings)


async def _measure(pack: BossPack, options: Options) -> list[tuple[Submission, Evidence]]:
    """The real evidence of every exemplar, or of the last."""
    found: list[tuple[Submission, Evidence]] = []
    async with Forge() as forge:
        for path in pack.exemplars[options.size(0, -1) :]:
            submission = collect(path)
            record = await record_fight(forge.fight(pack, path, FightOptions(save=False, again=True, trusted=True)))
            found.append((submission, record.evidence))
    return found


def _changed(folder: Path) -> BossPack:
    pack = folder / BOSS.name
    shutil.copytree(BOSS, pack)
    for name, old, new in _CHANGES:
        text = (pack / name).read_text("utf-8")
        assert old in text, name
        (pack / name).write_text(text.replace(old, new), "utf-8")
    return load_pack(pack)


def _fill(path: Path, pack: BossPack, count: int, known: list[tuple[Submission, Evidence]]) -> None:
    judge = JudgeInfo(name="forge", version="1")
    with History(path) as history:
        for number in range(count):
            submission, evidence = known[number % len(known)]
            end = rescore(pack, submission, evidence)
            one = history.begin(pack.boss_id, "Furnace", pack.rubric_hash, f"/x/{number}", judge, submission)
            record = FightRecord(trials=[*evidence.trials], facts=[*evidence.facts], notices=evidence.notices)
            record.isolation = "full"
            record.add(end)
            history.finish(one, record)


def _score(before: BossPack, after: BossPack, attempts: list[Attempt]) -> list[bool]:
    revision = PackRevision(before, after)
    return [
        revision.score_change(
            rescore(before, one.submission, one.evidence).result,
            rescore(after, one.submission, one.evidence).result,
            one.evidence,
        ).is_unchanged
        for one in attempts
    ]


def _timed(before: BossPack, after: BossPack, attempts: list[Attempt]) -> None:
    _score(before, after, attempts)


def _once(pack: BossPack, attempts: list[Attempt]) -> None:
    for one in attempts:
        rescore(pack, one.submission, one.evidence)


def _read(history: History, ids: list[str]) -> None:
    for one in ids:
        history.get(one)
