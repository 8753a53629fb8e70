"""Claims in a reply: faults that the model says can be seen by running the program, read leniently.

Malformed claims are ignored. Whether a claim is true is checked in ``evidence.claims``.
"""

from collections.abc import Mapping
from typing import Any, cast

from evalforge.model.claim import Claim
from evalforge.model.text import clean, clean_line

MAX_CLAIMS = 3
"""How many claims are run for one criterion at most."""
_MAX_STEPS = 40
_MAX_STEP_CHARS = 2_000
_MAX_WORDS_CHARS = 400
_MAX_FILES = 10
_MAX_FILE_CHARS = 20_000


def read_claims(criterion_id: str, value: object) -> tuple[Claim, ...]:
    """Read the claims about a criterion, ignoring malformed ones."""
    if not isinstance(value, list):
        return ()
    entries = (cast("Mapping[str, Any]", entry) for entry in cast("list[object]", value) if isinstance(entry, Mapping))
    claims = (_read_claim(criterion_id, entry) for entry in entries)
    return tuple(claim for claim in claims if claim is not None)[:MAX_CLAIMS]


def _read_claim(criterion_id: str, fields: Mapping[str, Any]) -> Claim | None:
    steps = _texts(fields.get("steps"))
    texts = {name: _line(fields.get(name)) for name in ("fault", "contract", "expected", "got")}
    if not steps or not texts["fault"] or not texts["expected"] or not texts["got"]:
        return None
    return Claim(criterion_id=criterion_id, files=_files(fields.get("files")), steps=steps, **texts)


def _texts(value: object) -> tuple[str, ...]:
    entries = cast("list[object]", value) if isinstance(value, list) else []
    return tuple(
        _line(entry, _MAX_STEP_CHARS) for entry in entries[:_MAX_STEPS] if isinstance(entry, str) and entry.strip()
    )


def _line(value: object, cap: int = _MAX_WORDS_CHARS) -> str:
    return clean_line(value.strip(), cap=cap) if isinstance(value, str) else ""


def _files(value: object) -> dict[str, str]:
    files: dict[str, str] = {}
    for entry in cast("list[object]", value)[:_MAX_FILES] if isinstance(value, list) else []:
        if not isinstance(entry, Mapping):
            continue
        fields = cast("Mapping[str, Any]", entry)
        name, content = fields.get("name"), fields.get("content")
        if isinstance(name, str) and isinstance(content, str) and name.strip() and len(content) <= _MAX_FILE_CHARS:
            files[clean_line(name.strip())] = clean(content)
    return files


def claim_data(claim: Claim) -> dict[str, Any]:
    """A claim as data, in the form of a reply."""
    return {
        "fault": claim.fault,
        "contract": claim.contract,
        "files": [{"name": name, "content": content} for name, content in claim.files.items()],
        "steps": list(claim.steps),
        "expected": claim.expected,
        "got": claim.got,
    }
