"""The judge's words, put together: a stable part that servers can cache, the facts of this case, and the submission."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

from evalforge.evidence.rules import ceiling
from evalforge.judges.base import Case
from evalforge.judges.rendering import Rendering, render
from evalforge.judges.reply import schema_for
from evalforge.library.pack import BossPack
from evalforge.model.evidence import Evidence
from evalforge.model.rubric import BossRubric

_NAMES = ("rules", "task", "form", "repair", "reask")


@lru_cache(maxsize=len(_NAMES))
def _words(name: str) -> str:
    return files("evalforge.judges").joinpath("prompts", f"{name}.md").read_text("utf-8").strip()


@lru_cache(maxsize=1)
def prompt_hash() -> str:
    """SHA-256 over every prompt file; 8 hex digits. It tells judgings by different prompts apart."""
    return hashlib.sha256("\0".join(map(_words, _NAMES)).encode()).hexdigest()[:8]


@dataclass(frozen=True)
class Prompt:
    """Everything a model is told for one vote.

    Attributes:
        stable: Rules, boss, rubric, codex and the form: the same for every submission.
        case: What was measured, and this vote's border mark.
        user: The submission between its borders, and the task once more.
        schema: The form of the reply.
        rendering: What was shown of the submission.
    """

    stable: str
    case: str
    user: str
    schema: dict[str, Any]
    rendering: Rendering

    @property
    def characters(self) -> int:
        """How long it all is."""
        return len(self.stable) + len(self.case) + len(self.user)


def stable_part(pack: BossPack) -> str:
    """The part of the prompt that depends on the boss alone."""
    codex = {name: text for name in ("lore", "attacks", "strategy") if (text := getattr(pack.codex, name))}
    payload = {
        "boss_definition": pack.definition.model_dump(mode="json"),
        "boss_rubric": pack.rubric.model_dump(mode="json", exclude_none=True),
        **({"boss_codex": codex} if codex else {}),
    }
    schema = json.dumps(schema_for(pack.rubric), ensure_ascii=False)
    form = _words("form").replace("{schema}", schema)
    boss = json.dumps(payload, ensure_ascii=False, indent=1)
    return f"{_words('rules')}\n\n## The boss\n\n{boss}\n\n## The form\n\n{form}"


def build(case: Case, nonce: str) -> Prompt:
    """The prompt of one vote. The nonce is fresh each time, so no text handed in before can hold it."""
    rendering = render(case.submission, nonce, case.pack.definition.metadata.entry_files)
    task = _words("task").replace("{nonce}", nonce).replace("{ids}", _ids(c.id for c in case.pack.rubric.criteria))
    measured = json.dumps(_measured(case), ensure_ascii=False)
    return Prompt(
        stable=stable_part(case.pack),
        case=(
            f"The submission stands in the next message between the borders ===BEGIN SUBMISSION {nonce}=== and "
            f"===END SUBMISSION {nonce}===. Each of its lines is a JSON array of line number and text."
            f"\n\nevidence: {measured}"
        ),
        user=f"{rendering.text}\n\n{task}",
        schema=schema_for(case.pack.rubric),
        rendering=rendering,
    )


def repair(problem: str) -> str:
    """The turn that asks for a reply of the right form."""
    return _words("repair").replace("{problem}", problem)


def reask(problems: Sequence[str], ids: Sequence[str]) -> str:
    """The turn that asks again for criteria whose quotes were not found."""
    told = "\n".join(f"- {problem}" for problem in problems)
    return _words("reask").replace("{problems}", told).replace("{ids}", _ids(ids))


def _ids(ids: Iterable[str]) -> str:
    return ", ".join(ids)


def _measured(case: Case) -> dict[str, object]:
    """Facts in our words alone: names, numbers and trials' titles. What the code printed or raised stays out."""
    return {
        "facts": {
            fact.name: round(fact.value, 3) if isinstance(fact.value, float) else fact.value
            for fact in case.evidence.facts
            if not isinstance(fact.value, str)
        },
        "trials": _trials(case.evidence),
        "level_limits": _limits(case.pack.rubric, case),
    }


def _trials(evidence: Evidence) -> dict[str, dict[str, str]]:
    told: dict[str, dict[str, str]] = {}
    for trial in evidence.trials:
        told.setdefault(trial.group, {})[trial.title] = trial.outcome.value
    return told


def _limits(rubric: BossRubric, case: Case) -> dict[str, float]:
    found = {c.id: ceiling(c, case.pack.rules, case.evidence)[0].score for c in rubric.criteria}
    return {name: score for name, score in found.items() if score != rubric.criterion(name).max_score}
