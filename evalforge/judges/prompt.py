"""The prompt of a model judge: a stable part that servers can cache, the facts of this case, and the submission."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

from evalforge.judges.base import Case
from evalforge.judges.measurements import fact_definitions, failure_notes, measured_numbers
from evalforge.judges.reply_schema import form_of_reply, schema_for
from evalforge.llm.submission_rendering import Rendering, render_submission
from evalforge.packs.pack import BossPack

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
