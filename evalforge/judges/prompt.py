"""The prompt of a model judge: a stable part that servers can cache, the facts of this case, and the submission."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

from evalforge.evidence.conditions import is_met
from evalforge.evidence.earned_levels import highest_allowed_level
from evalforge.judges.base import Case
from evalforge.judges.reply_schema import form_of_reply, schema_for
from evalforge.llm.submission_rendering import Rendering, render_submission
from evalforge.model.evidence import Evidence, Fact, TrialResult
from evalforge.model.exact_numbers import to_fraction
from evalforge.model.level_rules import LevelRules, trial_groups
from evalforge.model.rubric import Criterion
from evalforge.packs.fact_catalogue import CATALOGUE
from evalforge.packs.pack import BossPack

# The measurements that a model reads: numbers in the system prompt, messages of failures with the submission.

_MAX_TRIALS_PER_LIMIT = 3
_MAX_MESSAGE_CHARS = 400


@dataclass(frozen=True)
class DataNote:
    """A title in our words, and text that the submission may have influenced: data, never instructions."""

    title: str
    text: str


def measured_numbers(case: Case) -> dict[str, object]:
    """The values of facts that affect a level, the outcomes of trials, and the limits of levels."""
    names = case.pack.rules.facts_asked_for
    return {
        "facts": {
            fact.name: round(fact.value, 3) if isinstance(fact.value, float) else fact.value
            for fact in case.charged_evidence.facts
            if fact.name in names and not isinstance(fact.value, str)
        },
        "trials": _outcomes_by_group(case.charged_evidence),
        "level_limits": {
            criterion.id: limit.score
            for criterion in case.pack.rubric.criteria
            if (limit := highest_allowed_level(criterion, case.pack.rules, case.charged_evidence)[0])
            != criterion.levels[-1]
        },
        "known_mistakes": [f"{mistake.owner}: {mistake.words}" for mistake in case.mistakes if mistake.fault],
    }


def fact_definitions(pack: BossPack) -> dict[str, str]:
    """Descriptions of the facts that the boss's rules use; groups of trials have titles of their own."""
    names = pack.rules.facts_asked_for
    return {name: fact.description for name, fact in CATALOGUE.items() if name in names}


def failure_notes(case: Case) -> Iterator[DataNote]:
    """Yield why levels are limited, the failed trials behind that, and why facts could not be measured."""
    trial_ids: set[str] = set()
    for criterion in case.pack.rubric.criteria:
        limit, reason = highest_allowed_level(criterion, case.pack.rules, case.charged_evidence)
        if to_fraction(limit.score) == to_fraction(criterion.max_score):
            continue
        yield DataNote(f"why {criterion.id} is limited to {limit.score:g}", reason[:_MAX_MESSAGE_CHARS])
        failed = [
            trial
            for trial in _failed_trials(criterion, case.pack.rules, case.charged_evidence)
            if trial.id not in trial_ids
        ]
        for trial in failed[:_MAX_TRIALS_PER_LIMIT]:
            trial_ids.add(trial.id)
            yield DataNote(f"failed trial: {trial.title}", _trial_text(trial))
    names = case.pack.rules.facts_asked_for
    for fact in case.charged_evidence.facts:
        if fact.value is None and fact.name in names and fact.findings:
            yield DataNote(f"why {fact.name} was not measured", _finding_text(fact))


def _failed_trials(criterion: Criterion, rules: LevelRules, evidence: Evidence) -> list[TrialResult]:
    """The failed trials in the groups of conditions that a criterion doesn't meet."""
    conditions = (condition for rule in rules.of(criterion.id) for condition in rule.requires)
    checks = (check for condition in conditions if not is_met(condition, evidence) for check in condition.checks)
    groups = trial_groups(checks)
    return [trial for trial in evidence.trials if trial.group in groups and not trial.passed]


def _trial_text(trial: TrialResult) -> str:
    """A failed trial's last call and its message; if it has neither, its outcome."""
    call = trial.steps[-1].call[:_MAX_MESSAGE_CHARS] if trial.steps else ""
    message = trial.message[:_MAX_MESSAGE_CHARS]
    return "\n".join(filter(None, (call, message))) or trial.outcome.value


def _finding_text(fact: Fact) -> str:
    finding = fact.findings[0]
    return f"{finding.place} {finding.message}".strip()[:_MAX_MESSAGE_CHARS]


def _outcomes_by_group(evidence: Evidence) -> dict[str, dict[str, str]]:
    outcomes: dict[str, dict[str, str]] = {}
    for trial in evidence.trials:
        outcomes.setdefault(trial.group, {})[trial.title] = trial.outcome.value
    return outcomes


_TEMPLATE_NAMES = ("rules", "task", "form", "repair", "reask", "words")


@lru_cache(maxsize=len(_TEMPLATE_NAMES))
def _template(name: str) -> str:
    return files("evalforge.judges").joinpath("prompts", f"{name}.md").read_text("utf-8").strip()


@lru_cache(maxsize=1)
def prompt_hash() -> str:
    """The first 8 hex digits of the SHA-256 hash of all prompt files, as part of the judge's version."""
    return hashlib.sha256("\0".join(map(_template, _TEMPLATE_NAMES)).encode()).hexdigest()[:8]


@dataclass(frozen=True)
class Prompt:
    """Everything a model reads for one vote.

    Attributes:
        stable_part: Rules, boss, rubric, codex and the reply's form: the same for every submission to a boss.
        case_part: What was measured, and the nonce of this judging's borders.
        user_turn: The submission between its borders, and the task repeated.
        schema: The JSON schema of the reply.
        rendering: The submission as text, and which of its lines the model reads.
    """

    stable_part: str
    case_part: str
    user_turn: str
    schema: dict[str, Any]
    rendering: Rendering

    @property
    def char_count(self) -> int:
        """The length of the whole prompt in characters."""
        return len(self.stable_part) + len(self.case_part) + len(self.user_turn)


def stable_system_text(pack: BossPack) -> str:
    """The first part of the system prompt, which is the same for all submissions to a boss."""
    codex = {name: text for name in ("lore", "attacks", "strategy") if (text := getattr(pack.codex, name))}
    payload = {
        "boss_definition": pack.definition.model_dump(mode="json"),
        "boss_rubric": pack.rubric.model_dump(mode="json", exclude_none=True),
        **({"boss_codex": codex} if codex else {}),
        "measurement_definitions": fact_definitions(pack),
    }
    form = _template("form").replace("{form}", json.dumps(form_of_reply(pack.rubric), ensure_ascii=False))
    boss = json.dumps(payload, ensure_ascii=False)
    return f"{_template('rules')}\n\n## The boss\n\n{boss}\n\n## The form\n\n{form}"


def build_prompt(case: Case, nonce: str) -> Prompt:
    """Build the prompt of one vote.

    Args:
        case: The case to judge.
        nonce: The mark of the borders. It is fresh for each judging, so that no file can contain it, and the same for
            all its votes, so that the server keeps the submission in its cache.
    """
    notes = tuple((note.title, note.text) for note in failure_notes(case))
    rendering = render_submission(case.submission, nonce, case.pack.definition.metadata.entry_files, notes)
    task = (
        _template("task")
        .replace("{nonce}", nonce)
        .replace("{ids}", _joined_ids(c.id for c in case.pack.rubric.criteria))
    )
    measured = json.dumps(measured_numbers(case), ensure_ascii=False)
    return Prompt(
        stable_part=stable_system_text(case.pack),
        case_part=(
            f"The submission is in the next message between the borders ===BEGIN SUBMISSION {nonce}=== and "
            f"===END SUBMISSION {nonce}===. Lines of a file are `NUMBER|TEXT`; other lines are no part of a file."
            f"\n\nmeasurements: {measured}"
        ),
        user_turn=f"{rendering.text}\n\n{task}",
        schema=schema_for(case.pack.rubric),
        rendering=rendering,
    )


def commenting_instructions() -> str:
    """The instructions to a model that only writes comments on the forge's levels."""
    return _template("words")


def repair_turn(problem: str) -> str:
    """The turn that asks a model to fix a malformed reply."""
    return _template("repair").replace("{problem}", problem)


def quotes_turn(problems: Sequence[str], criterion_ids: Sequence[str]) -> str:
    """The turn that asks for new quotes on criteria whose quotes were not found."""
    problem_lines = "\n".join(f"- {problem}" for problem in problems)
    return _template("reask").replace("{problems}", problem_lines).replace("{ids}", _joined_ids(criterion_ids))


def _joined_ids(ids: Iterable[str]) -> str:
    return ", ".join(ids)
