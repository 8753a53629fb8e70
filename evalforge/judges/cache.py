"""Replies kept by what they answer: the same hand-in gets the same judgement, and nobody pays for it twice."""

import hashlib
import json
from pathlib import Path
from typing import Any, cast

from evalforge.judges.base import Case
from evalforge.judges.options import ModelOptions
from evalforge.judges.prompt import prompt_hash
from evalforge.judges.reply import Reply, ReplyError, read
from evalforge.library.places import home
from evalforge.library.writing import write_whole
from evalforge.model.rubric import BossRubric

_KEPT = 2_000


def cache_key(case: Case, model: str, options: ModelOptions) -> str:
    """Hash of submission, boss, rubric, codex, prompt, server, model, and which repeat it is."""
    pack = case.pack
    parts = [
        *(case.submission.content_hash, pack.rubric_hash, pack.rubric.model_dump_json()),
        *(pack.definition.model_dump_json(), pack.codex.model_dump_json()),
        *(prompt_hash(), options.server, model),
        *([str(options.repeat)] if options.repeat else ()),
    ]
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


class ReplyCache:
    """Replies in files, one for each key. What it gives back is read as strictly as a fresh reply.

    Args:
        folder: Where they are kept; in our home if None.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or home() / "replies"

    def load(self, key: str, vote: int, rubric: BossRubric) -> Reply | None:
        """The reply of one vote, or None if there is none that can be used."""
        try:
            return read((self._folder / f"{key}-{vote}.json").read_text("utf-8"), rubric)
        except (OSError, UnicodeDecodeError, ReplyError):
            return None

    def store(self, key: str, vote: int, reply: Reply) -> None:
        """Keep a reply. A disk that doesn't take it costs a call later, and no more."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            write_whole(self._folder / f"{key}-{vote}.json", json.dumps(_data(reply), ensure_ascii=True).encode())
            self._prune()
        except OSError:
            return

    def _prune(self) -> None:
        """Only the newest are kept."""
        paths = list(self._folder.glob("*.json"))
        if len(paths) > _KEPT:
            for path in sorted(paths, key=lambda path: path.stat().st_mtime)[: len(paths) - _KEPT]:
                path.unlink(missing_ok=True)


def _data(reply: Reply) -> dict[str, Any]:
    return cast(
        "dict[str, Any]",
        {
            "criteria": {
                name: {
                    "evidence": [{"path": q.path, "line": q.line, "quote": q.text} for q in choice.quotes],
                    "comment": choice.comment,
                    "score": choice.score,
                    "uncertain": choice.uncertain,
                }
                for name, choice in reply.choices.items()
            },
            "summary": reply.summary,
            "improvements": list(reply.improvements),
            "raw_notes": reply.notes,
        },
    )
