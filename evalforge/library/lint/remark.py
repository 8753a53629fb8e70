"""What a lint has to say: one thing, and where."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from evalforge.model.errors import PackError


@dataclass(frozen=True)
class Remark:
    """One thing about a pack.

    Attributes:
        path: The file or folder it is about.
        line: Its line, counted from 1; None where no line is to blame.
        message: What is wrong there, and what to do about it.
        is_problem: Whether it must be mended. What need not be is only worth knowing.
    """

    path: Path
    line: int | None
    message: str
    is_problem: bool = True


def from_error(error: PackError) -> Remark:
    """An error as a remark."""
    return Remark(error.path, error.line, f"{error.message} {error.hint}".strip())


def in_order(remarks: Iterable[Remark]) -> tuple[Remark, ...]:
    """Each remark once, by file and line."""
    return tuple(sorted(dict.fromkeys(remarks), key=lambda remark: (str(remark.path), remark.line or 0)))
