"""What the trials say about each impostor of a pack: by that, the same mistake is known again in a submission.

``known_mistakes.json`` beside ``boss.yaml`` is written by ``evalforge check``. Engineers of circuits call such a table
a *fault dictionary*. It belongs to the trials, the right programs and the changes that it was measured with, so it has
their hash.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from evalforge.model.base import Frozen
from evalforge.model.errors import PackError
from evalforge.model.evidence import TrialResult
from evalforge.packs.document import read_document
from evalforge.packs.fingerprint import framed_files, short_hash
from evalforge.packs.impostors import FOLDER as IMPOSTORS_FOLDER
from evalforge.packs.impostors import Impostor, read_impostors
from evalforge.packs.path_checks import is_file

FILE = "known_mistakes.json"


Signature = Mapping[str, str]
"""The symptoms of one mistake, as ``symptom_of`` gives them, by the ids of the trials that fail with it."""


_OF_ONE_PROGRAM = re.compile(r"[\w./-]+\.py(?::\d+|, line \d+)|(?<=; got one: ).*(?=It ended in )", re.DOTALL)
"""Matches a program's own lines and its traceback in what a trial says."""


def symptom_of(trial: TrialResult, *, says: bool = True) -> str:
    """How a trial ended and, if ``says``, a digest of what it said, such as ``failed: 9b74c9897bac770f``.

    Places in the program aren't part of it, because another program has the same mistake elsewhere.
    """
    if not says:
        return trial.outcome.value
    message = _OF_ONE_PROGRAM.sub("", trial.message)
    return f"{trial.outcome.value}: {short_hash(message.encode(errors='surrogatepass'))}"


class KnownMistake(NamedTuple):
    """An impostor, and what the trials say about it."""

    impostor: Impostor
    signature: Signature


class KnownMistakes(Frozen):
    """The content of ``known_mistakes.json``.

    Attributes:
        measured_with: The hash of what was measured, as ``signature_key`` gives it.
        signatures: The signature of each impostor, by its id.
    """

    measured_with: str
    signatures: Mapping[str, Signature]


def programs_met(pack: Path) -> list[bytes]:
    """The files of all programs that tests meet: the impostors, and the exemplars that are right programs.

    Raises:
        PackError: The list of impostors is invalid.
    """
    impostors = read_impostors(pack)
    right = [program.path(pack) for program in impostors.right if program.exemplar] if impostors else []
    return [data for folder in (pack / IMPOSTORS_FOLDER, *right) for data in framed_files(folder)]


def signature_key(pack: Path) -> str:
    """The hash of all that decides signatures: trials, right programs and impostors; 16 hex digits.

    Raises:
        PackError: The list of impostors is invalid.
    """
    return short_hash(*framed_files(pack / "trials"), *programs_met(pack))


def read_known_mistakes(pack: Path) -> KnownMistakes | None:
    """Read the known mistakes of a pack; None if it has none, or if they were measured with other programs.

    Raises:
        PackError: The file is invalid; names file, line and reason.
    """
    path = pack / FILE
    mistakes = read_document(path).parse(KnownMistakes) if is_file(path) else None
    return mistakes if mistakes is not None and mistakes.measured_with == signature_key(pack) else None


def known_mistakes_of(pack: Path) -> tuple[KnownMistake, ...]:
    """The mistakes that can be named in a submission to a boss; none unless they still hold, which ``lint`` checks."""
    try:
        impostors = read_impostors(pack)
        mistakes = read_known_mistakes(pack)
    except (PackError, OSError):
        return ()
    if impostors is None or mistakes is None:
        return ()
    return tuple(
        KnownMistake(impostor, mistakes.signatures[impostor.id])
        for impostor in impostors.impostors
        if impostor.id in mistakes.signatures
    )
