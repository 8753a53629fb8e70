"""Stored replies: the same submission gets the same judgement, and is paid for only once."""

import hashlib
import json
from pathlib import Path
from typing import Any, cast

from evalforge.judges.base import Case
from evalforge.judges.prompt import prompt_hash
from evalforge.judges.reply import Reply, ReplyError, read_reply
from evalforge.llm.model_options import ModelOptions
from evalforge.model.rubric import BossRubric
from evalforge.packs.atomic_files import write_atomically
from evalforge.packs.locations import reply_cache_folder, state_folder

_MAX_REPLIES = 2_000


def cache_key(case: Case, model: str, options: ModelOptions) -> str:
    """The SHA-256 hash, in hex, of submission, boss, rubric, codex, prompt, server, model, and the repeat number."""
    pack = case.pack
    parts = [
        *(case.submission.content_hash, pack.rubric_hash, pack.rubric.model_dump_json()),
        *(pack.definition.model_dump_json(), pack.codex.model_dump_json()),
        *(prompt_hash(), options.server, model),
        *([str(options.repeat)] if options.repeat else ()),
    ]
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


class ReplyCache:
    """Stores replies in files, one for each vote. A stored reply is parsed as strictly as a new one.

    Args:
        folder: The folder of the files; ``replies`` in the state folder if None.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or reply_cache_folder(state_folder())

    def load(self, key: str, vote_index: int, rubric: BossRubric) -> Reply | None:
        """Load the reply of one vote; None if it isn't stored, or can't be read."""
        try:
            return read_reply((self._folder / f"{key}-{vote_index}.json").read_text("utf-8"), rubric)
        except (OSError, UnicodeDecodeError, ReplyError):
            return None

    def store(self, key: str, vote_index: int, reply: Reply) -> None:
        """Store a reply. If it can't be written, the model is simply called again next time."""
        try:
            write_atomically(
                self._folder / f"{key}-{vote_index}.json", json.dumps(_reply_data(reply), ensure_ascii=True).encode()
            )
            self._prune()
        except OSError:
            return

    def _prune(self) -> None:
        """Delete the oldest replies beyond the limit."""
        paths = list(self._folder.glob("*.json"))
        if len(paths) > _MAX_REPLIES:
            for path in sorted(paths, key=lambda path: path.stat().st_mtime)[: len(paths) - _MAX_REPLIES]:
                path.unlink(missing_ok=True)


def _reply_data(reply: Reply) -> dict[str, Any]:
    return cast(
        "dict[str, Any]",
        {
            "criteria": {
                name: {
                    "evidence": [{"path": q.path, "line": q.line, "quote": q.text} for q in choice.quotes],
                    "comment": choice.comment,
                    "score": choice.score,
                    "uncertain": choice.uncertain,
                    "contradicts_limit": choice.contradiction,
                    "claims": [claim.model_dump(include={"fault", "contract", "test"}) for claim in choice.claims],
                }
                for name, choice in reply.choices.items()
            },
            "summary": reply.summary,
            "improvements": [
                {"criterion": improvement.criterion_id, "text": improvement.text} for improvement in reply.improvements
            ],
            "raw_notes": reply.notes,
        },
    )
