"""The parts of a boss that the stage needs, even for an old attempt whose pack has changed or is gone."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from evalforge.model.events import CriterionJudged
from evalforge.model.rubric import BossRubric, Criterion, Level, Overall

if TYPE_CHECKING:
    from evalforge.model.attempt import Attempt
    from evalforge.packs.pack import BossPack


@dataclass(frozen=True)
class BossView:
    """The boss and its rubric; ``groups`` are the trial groups that each criterion depends on."""

    boss_id: str
    title: str
    rubric: BossRubric
    accent: str
    sprite: str
    pack: Path | None
    tier: int = 1
    realm: str = ""
    groups: Mapping[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])


def boss_view(pack: "BossPack") -> BossView:
    """Return the view of a pack's boss."""
    about = pack.definition.metadata
    return BossView(
        boss_id=pack.boss_id,
        title=pack.definition.title,
        rubric=pack.rubric,
        accent=about.accent,
        sprite=about.sprite or pack.boss_id,
        pack=pack.path,
        tier=about.tier,
        realm=about.realm,
        groups={criterion.id: pack.rules.trial_groups(criterion.id) for criterion in pack.rubric.criteria},
    )


def boss_view_of_attempt(attempt: "Attempt", pack: "BossPack | None") -> BossView:
    """Return the view of an attempt's boss, with today's rubric only if the attempt was judged by it."""
    if pack is not None and pack.rubric_hash == attempt.rubric_hash:
        return boss_view(pack)
    today = boss_view(pack) if pack is not None else None
    return BossView(
        boss_id=attempt.boss_id,
        title=attempt.boss_title,
        rubric=_remembered(attempt, today),
        accent=today.accent if today else "#8ea9bd",
        sprite=today.sprite if today else attempt.boss_id,
        pack=today.pack if today else None,
        tier=today.tier if today else 1,
        realm=today.realm if today else "",
    )


def _remembered(attempt: "Attempt", today: BossView | None) -> BossRubric:
    """Rebuild the rubric as far as the attempt stores it: labels and the levels that were given."""
    events = {e.judgement.criterion_id: e for e in attempt.events if isinstance(e, CriterionJudged)}
    if attempt.result is None:
        return (
            today.rubric
            if today
            else BossRubric(
                rubric_id="unknown",
                overall=Overall(pass_threshold=1),
                criteria=(
                    Criterion(id="unknown", label="unknown", levels=(Level(score=1, label="?", description="?"),)),
                ),
            )
        )
    criteria: list[Criterion] = []
    for scored in attempt.result.criteria:
        event = events.get(scored.id)
        label_by_score = {scored.score: event.level_label if event else "reached"}
        scores = sorted({0, scored.score, scored.max_score})
        levels = tuple(
            Level(score=s, label=label_by_score.get(s) or "not reached", description="Not kept.") for s in scores
        )
        criteria.append(Criterion(id=scored.id, label=event.label if event else scored.id, levels=levels))
    threshold = today.rubric.overall.pass_threshold if today else attempt.result.score_max
    maximum = attempt.result.score_max
    return BossRubric(
        rubric_id=attempt.result.rubric_id,
        overall=Overall(pass_threshold=min(threshold, maximum)),
        criteria=tuple(criteria),
    )
