"""How well a class's clusters agree with groups made by hand: the adjusted Rand index over sixty programs.

Each program is a right one with one fault of a boss's impostors. The groups say which faults are one misunderstanding;
they were made from the sentences in ``impostors.yaml``, before any program was run.
"""

import asyncio
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from math import comb
from pathlib import Path

from benchmarks.measure import Options
from evalforge.classroom.failure_clusters import MIN_SIMILARITY, FailureSignature, cluster_failures, failure_signature
from evalforge.evidence.suite.planting import read_program
from evalforge.fight import FightOptions, Forge
from evalforge.model.fight_record import record_fight
from evalforge.packs.impostors import plant, read_impostors
from evalforge.packs.pack import BossPack, load_pack

ROOT = Path(__file__).resolve().parent.parent
GROUPS: dict[str, dict[str, str]] = {
    "ledger-lich": {
        "what is an amount": "ints-are-amounts text-is-an-amount floats-by-way-of-text zero-is-an-amount",
        "sums are rounded": "total-in-their-context minus-in-their-context statement-in-their-context"
        " thirty-six-digits",
        "a refusal leaves a mark": "books-while-it-checks remembers-the-refused refused-reversal-marked",
        "what a repeat is": "two-alike-are-one order-matters memo-left-out amounts-as-text any-content-will-do",
        "callers can change it": "the-caller-keeps-the-pairs balances-by-the-hand the-journal-itself the-page-itself",
    },
    "turnstile-tyrant": {
        "not locked": "look-then-take onlookers-unlocked time-read-at-the-door sleeper-looks-then-takes",
        "locked for too long": "sleeps-in-the-gate one-bench the-bench-blocks-the-door",
        "keeps what is free": "empty-accounts-stay asked-and-remembered common-limit-as-its-own forgotten-when-counted"
        " a-list-of-the-turned-away a-bench-for-everybody",
        "accepts bad arguments": "true-seconds nan-is-a-period no-time-at-all locked-out",
        "when a timeout ends": "patience-renewed last-instant-too-late waits-out-the-deadline",
    },
    "torn-page": {
        "empty is missing": "empty-value-is-missing empty-value-is-deleted compact-drops-empty-values",
        "weak checksums": "kind-is-not-vouched-for sum-for-a-checksum checksum-of-the-value steps-over-damage",
        "writes too late": "held-in-a-buffer header-comes-later",
        "unsafe swaps": "writes-in-place old-file-goes-first litter-after-a-failed-swap failed-swap-is-the-end"
        " failed-swap-is-kept-quiet",
        "closed stores": "closed-but-talking closing-twice with-leaves-it-open",
        "accepts wrong types": "asks-no-key-for-its-kind any-buffer-will-do surrogates-pass",
    },
}
"""For each boss its groups, with the ids of impostors."""
_SMALLEST = {
    "ledger-lich": {
        "what is an amount": "ints-are-amounts text-is-an-amount",
        "sums are rounded": "total-in-their-context",
    }
}


def adjusted_rand_index(labels: Sequence[object], others: Sequence[object]) -> float:
    """The agreement of two partitions, 0 for chance and 1 for the same (L. Hubert and P. Arabie, 1985)."""
    together = sum(comb(count, 2) for count in Counter(zip(labels, others, strict=True)).values())
    one, other = (sum(comb(count, 2) for count in Counter(side).values()) for side in (labels, others))
    by_chance = one * other / comb(len(labels), 2)
    return (together - by_chance) / ((one + other) / 2 - by_chance)


def write_program(pack: BossPack, impostor_id: str, folder: Path) -> None:
    """Write the program of one impostor."""
    impostors = read_impostors(pack.path)
    assert impostors is not None
    impostor = next(one for one in impostors.impostors if one.id == impostor_id)
    program = next(one for one in impostors.right if one.name == impostor.of)
    for path, source in plant(read_program(pack.path, program), impostor).items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(source, encoding="utf-8")


async def signatures(forge: Forge, pack: BossPack, ids: Iterable[str], folder: Path) -> list[FailureSignature]:
    """Run the programs of these impostors, and return what each fails."""
    found: list[FailureSignature] = []
    for impostor_id in ids:
        path = folder / impostor_id
        write_program(pack, impostor_id, path)
        record = await record_fight(forge.fight(pack, path, FightOptions(save=False, again=True, trusted=True)))
        found.append(failure_signature(impostor_id, pack, record.evidence))
    return found


async def measure(options: Options) -> None:
    """Print the index for each boss and for all, beside that of programs that fail exactly alike."""
    everything: list[tuple[str, str, str]] = []
    async with Forge() as forge:
        for boss, groups in options.size(GROUPS, _SMALLEST).items():
            pack = load_pack(ROOT / "bosses" / boss)
            group_of = {one: group for group, ids in groups.items() for one in ids.split()}
            with tempfile.TemporaryDirectory() as folder:
                failing = await signatures(forge, pack, group_of, Path(folder))
            clusters, singletons = cluster_failures(failing)
            cluster_of = {row: one.cluster_id for one in (*clusters, *singletons) for row in one.members}
            rows = [(group_of[one.row_id], cluster_of.get(one.row_id, one.row_id), str(one.pattern)) for one in failing]
            _print_row(boss, rows)
            everything += [(f"{boss} {group}", f"{boss} {cluster}", f"{boss} {own}") for group, cluster, own in rows]
    _print_row("all", everything)


def _print_row(name: str, rows: Sequence[tuple[str, str, str]]) -> None:
    groups, clusters, patterns = zip(*rows, strict=True)
    index, exact = adjusted_rand_index(groups, clusters), adjusted_rand_index(groups, patterns)
    print(f"{name:18} {len(rows):8} {len(set(groups)):7} {len(set(clusters)):9} {index:11.2f} {exact:15.2f}")


def main(options: Options) -> None:
    """Print the figures; one round, however many are asked for."""
    print(f"\nClusters of programs with one fault each, joined from a similarity of {MIN_SIMILARITY} on")
    print(f"{'boss':18} {'programs':>8} {'groups':>7} {'clusters':>9} {'Rand index':>11} {'exactly alike':>15}")
    asyncio.run(measure(options))
