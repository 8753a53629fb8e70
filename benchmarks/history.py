"""Attempts by the hundred thousand: what a page, a sort, a filter, a search, a count cost beside a thousand of them."""

import random
import tempfile
from collections.abc import Callable
from pathlib import Path

from benchmarks.measure import Contender, Options, race
from evalforge.history.listing import AttemptFilter, Order
from evalforge.history.reader import compress
from evalforge.history.schema import connect
from evalforge.history.store import History
from evalforge.progress.progress import read_tally

_BOSSES = [f"boss-{name}" for name in "ash bell coal dross ember flux grate hearth ingot jig kiln lathe".split()]
_LETTERS = "23456789abcdefghjkmnpqrstvwxyz"
_VERDICTS = ("fail", "fail", "fail", "fail", "borderline", "borderline", "pass", "pass", "strong_pass")


def generate(path: Path, count: int, seed: int = 7) -> None:
    """A history of judged attempts on twelve bosses, out of some hundreds of folders."""
    rng = random.Random(seed)
    body = compress('{"left_out": [], "judgements": [], "result": null}' + " " * 200)
    attempts, records = [], []
    for seq in range(1, count + 1):
        boss, total = rng.choice(_BOSSES), rng.randrange(9)
        levels = f'[["craft",{total % 3},2],["proof",1,2],["form",{rng.randrange(3)},2],["calm",0,2]]'
        began = f"2026-{1 + seq * 11 // count:02}-{1 + seq % 28:02}T12:00:00.000+00:00"
        attempts.append(
            (
                *(seq, "".join(rng.choices(_LETTERS, k=8)), boss, boss.title(), seq, "0" * 16, "judged", began, began),
                *(f"/home/smith/forge/{boss}-{rng.randrange(60)}", "forge", '{"name":"forge"}', "full"),
                *(f"{rng.getrandbits(256):064x}", total, 8, total / 8, _VERDICTS[total], "", "1:2", levels, 0, ""),
            )
        )
        records.append((seq, b"a word on the approach " * 8, body, body, None))
    db = connect(path)
    db.execute("BEGIN")
    db.executemany(f"INSERT INTO attempts VALUES ({', '.join('?' * len(attempts[0]))})", attempts)
    db.executemany("INSERT INTO records VALUES (?, ?, ?, ?, ?)", records)
    db.execute("COMMIT")
    db.close()


def _page(wanted: AttemptFilter, order: Order, share: float) -> Callable[[History], object]:
    def run(history: History) -> object:
        listing = history.listing(wanted, order)
        return listing.page(int(share * max(0, listing.count - 100)), 100)

    return run


def operations(rare: str) -> dict[str, Callable[[History], object]]:
    """What a screen asks. A page is opened as a screen does it: count, go there, read 100 rows."""
    everything, boss = AttemptFilter(), AttemptFilter(boss_id=_BOSSES[3])
    both = AttemptFilter(boss_id=_BOSSES[3], verdict="pass")
    return {
        "count everything": lambda history: history.count(),
        "count one boss": lambda history: history.count(boss),
        **{
            f"by {order}: {place} page": _page(everything, order, share)
            for order in Order
            for place, share in (("first", 0.0), ("middle", 0.5), ("last", 1.0))
        },
        "one boss, by integrity: middle page": _page(boss, Order.INTEGRITY, 0.5),
        "one verdict, newest: middle page": _page(AttemptFilter(verdict="fail"), Order.NEWEST, 0.5),
        "one boss and verdict, newest: middle page": _page(both, Order.NEWEST, 0.5),
        "search a folder": _page(AttemptFilter(text="kiln-17"), Order.NEWEST, 0.0),
        "search an id": _page(AttemptFilter(text=rare), Order.NEWEST, 0.0),
        "search a word every attempt has": _page(AttemptFilter(text="forge"), Order.NEWEST, 0.0),
        "search what is nowhere": _page(AttemptFilter(text="no such thing"), Order.NEWEST, 0.0),
        "standings of all bosses": lambda history: history.progress.by_boss(),
        "200 tries of a boss": lambda history: history.progress.attempts(_BOSSES[3], 200),
        "criteria by 40 tries of a boss": lambda history: history.progress.level_matrix(_BOSSES[3], 40),
        "rank, achievements, best tries": lambda history: read_tally(history.tallies.tally(history.hints_read())),
    }


def main(options: Options) -> None:
    """Time every operation on both histories, in turns."""
    few_attempts, many_attempts = options.size((1_000, 100_000), (100, 600))
    with tempfile.TemporaryDirectory() as folder:
        few, many = Path(folder) / "few.sqlite3", Path(folder) / "many.sqlite3"
        generate(few, few_attempts)
        generate(many, many_attempts)
        print(f"\nhistory: {many_attempts:,} attempts beside {few_attempts:,} (ms; {many.stat().st_size / 1e6:.0f} MB)")
        print(f"  {'':<44} {few_attempts:>9,} {many_attempts:>9,} {'longest':>9}   ratio")
        with History(few) as small, History(many) as large:
            for name, run in operations(large.page(start=500, limit=1)[0].id[:4]).items():
                one, two = race(
                    [
                        Contender("few", lambda run=run: _timed(run, small)),
                        Contender("many", lambda run=run: _timed(run, large)),
                    ],
                    options,
                )
                cells = f"{one.median * 1000:9.2f} {two.median * 1000:9.2f} {max(two.seconds) * 1000:9.2f}"
                print(f"  {name:<44} {cells} {two.median / one.median:7.1f}")


def _timed(run: Callable[[History], object], history: History) -> None:
    run(history)
