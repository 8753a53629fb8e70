"""What the host says of itself and of a run, read with care."""

import base64
import binascii
from typing import Any

from evalforge.model.base import Frozen
from evalforge.model.text import clean_line
from evalforge.sandbox.report import Ending, Escaped, RunLimits, RunReport

OUR_FAULTS = frozenset({"uncaged", "disturbed"})
"""Endings of which the player's code is innocent."""


class Hello(Frozen):
    """What a host says when it is ready: its Python, what holds here (see ``cage.probe``), what its runs may read."""

    ready: bool
    version: tuple[int, int, int]
    probe: dict[str, Any]
    readable: tuple[str, ...]


def read_report(reply: dict[str, Any], limits: RunLimits) -> RunReport:
    """Read the host's reply; what it says of itself is data of unknown worth, so every field is checked.

    Raises:
        ValueError, TypeError, KeyError: It is not a reply.
    """
    escaped: dict[str, Any] = reply["report"] or {}
    stuck: dict[str, Any] = reply["stuck"] or {}
    return RunReport(
        ending=Ending(reply["ended"]),
        exit_code=None if reply["exit"] is None else int(reply["exit"]),
        signal=None if reply["signal"] is None else int(reply["signal"]),
        stdout=text_of(reply["stdout"]),
        stderr=text_of(reply["stderr"]),
        files={str(name): _bytes(content) for name, content in reply["files"].items()},
        escaped=Escaped(
            str(escaped["type"]),
            str(escaped.get("message", "")),
            str(escaped.get("path", "")),
            int(escaped.get("line") or 0) or None,
            str(escaped.get("refused", "")),
        )
        if escaped.get("type")
        else None,
        stuck_path=str(stuck.get("path", "")),
        stuck_line=int(stuck["line"]) if stuck else None,
        seconds=float(reply["seconds"]),
        limits=limits,
    )


def why_unfit(reply: dict[str, Any], limits: RunLimits) -> str:
    """Why a run can't be judged by, in a sentence.

    Raises:
        ValueError, TypeError, KeyError: It is not a reply.
    """
    if reply["ended"] == "disturbed":
        return "Something else filled the disk while the player's code ran."
    said = clean_line(text_of(reply["stderr"]).strip().rpartition("\n")[2])
    late = float(reply["seconds"]) >= limits.seconds
    why = said.rstrip(". ") or ("it took too long" if late else "its process ended without a word")
    return f"The player's code could not be caged: {why}."


def _bytes(encoded: str) -> bytes:
    try:
        return base64.b64decode(encoded, validate=True)
    except binascii.Error as error:
        raise ValueError(str(error)) from None


def text_of(encoded: str) -> str:
    """What a program wrote, as far as it is text.

    Raises:
        ValueError: It is not in the form in which it is sent.
    """
    return _bytes(encoded).decode("utf-8", "replace")
