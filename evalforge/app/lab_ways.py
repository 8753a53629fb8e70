"""How the lab's screens are made: what they work on, from what the game is given."""

from typing import TYPE_CHECKING

from evalforge.app.paths import problem
from evalforge.app.screens.duel import DuelScreen
from evalforge.app.screens.lab import LabScreen
from evalforge.lab.bench import LabBench
from evalforge.lab.exhibits import Source, exemplars, lineage, of_attempt
from evalforge.lab.instrument import trials_hash
from evalforge.library.pack import BossPack
from evalforge.model.errors import EvalForgeError

if TYPE_CHECKING:
    from evalforge.app.ways import Ways

_LATEST = 12


def lab(game: "Ways", pack: BossPack) -> LabScreen | None:
    """The lab on a boss; None, and said, if its draft can't be had."""
    try:
        return LabScreen(LabBench(game.services.history.parent, pack))
    except EvalForgeError as error:
        game.notify(problem(error), title="No lab", severity="warning", markup=False)
        return None


def duel(game: "Ways", pack: BossPack) -> DuelScreen:
    """Two judges on the last tries on a boss, and on its exemplars."""
    sources = [*_attempts(game, pack), *exemplars(pack)]
    chosen = sources[0].id if sources else ""
    return DuelScreen((pack, pack), sources, chosen, game.services.history.parent)


def _attempts(game: "Ways", pack: BossPack) -> list[Source]:
    history = game.chronicle()
    if history is None:
        return []
    known, trials = lineage(pack), trials_hash(pack)
    found: list[Source] = []
    for row in history.page(game.services.filter(boss_id=pack.boss_id), limit=_LATEST):
        try:
            attempt = history.get(row.id)
        except EvalForgeError:
            continue
        if attempt.submission.files:
            found.append(of_attempt(attempt, row.number, known, trials))
    return found
