"""A person's word survives a re-judging: it is carried over to the new attempt, and flagged."""

from evalforge.history.overrides import Override, Revised
from evalforge.history.revision import revise
from evalforge.history.store import History
from evalforge.model.errors import UsageError
from evalforge.model.rubric import BossRubric


def carried(
    history: History, attempt_id: str, earlier_id: str, rubric: BossRubric
) -> tuple[Revised | None, tuple[str, ...]]:
    """What a person said of an attempt; what was said of the one before counts on where nothing was said of this.

    Args:
        history: Where both are.
        attempt_id: Of the attempt that counts now.
        earlier_id: Of the attempt before; empty if there is none.
        rubric: By which the attempt was judged.

    Returns:
        All that was said, and the criteria whose word could not be carried over.
    """
    said = history.overrides.of(attempt_id)
    before = history.overrides.of(earlier_id) if earlier_id and earlier_id != attempt_id and said is None else None
    if before is None:
        return said, ()
    words = tuple(_on_behalf(override, earlier_id) for override in before.in_force)
    attempt = history.get(attempt_id)
    kept: list[Override] = []
    for override in words:
        try:
            revise(attempt, rubric, [override])
        except UsageError:
            # The rubric has no such criterion or level any more: the old attempt keeps the word, this one can't.
            continue
        kept.append(override)
    if kept:
        history.overrides.add(attempt_id, tuple(kept), revise(attempt, rubric, kept))
    kept_ids = {override.criterion_id for override in kept}
    lost = tuple(override.criterion_id for override in words if override.criterion_id not in kept_ids)
    return history.overrides.of(attempt_id), lost


def _on_behalf(override: Override, earlier_id: str) -> Override:
    return override.model_copy(update={"carried_from": override.carried_from or earlier_id})
