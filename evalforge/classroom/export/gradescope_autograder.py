"""A boss as a Gradescope autograder: a zip of ``setup.sh``, ``run_autograder``, EvalForge, and the boss's pack.

Source of the format: https://gradescope-autograders.readthedocs.io/en/latest/specs/ - the zip is unpacked in
``/autograder/source``, a submission is in ``/autograder/submission``, and ``results/results.json`` is read.
"""

import secrets
import shlex
from collections.abc import Iterator
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from evalforge.model.errors import UsageError
from evalforge.model.installation import requirements
from evalforge.packs.fingerprint import files_below
from evalforge.packs.pack import BossPack
from evalforge.packs.zip_files import zip_files

_TEMPLATES = Path(__file__).resolve().parent / "gradescope"
_PACKAGE = Path(__file__).resolve().parents[2]


def gradescope_autograder(pack: BossPack) -> bytes:
    """Build the zip. Its trials have a key of their own, so that all submissions of a course face the same inputs.

    It holds the program that exports it, so that the one tried here is the one that grades.

    Raises:
        UsageError: We are not installed, so nobody knows what we require.
    """
    required = [line for line in requirements() if "extra ==" not in line]
    if not required:
        raise UsageError("An autograder can be exported only by an installed EvalForge.", "Install it with: make play")
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701 - programs, not pages; the text is ours
    )
    texts = {
        "boss_id": pack.boss_id,
        "requirements": shlex.join(required),
        "trial_key": secrets.token_hex(16),
    }
    files = {
        template.stem: environment.get_template(template.name).render(texts).encode()
        for template in sorted(_TEMPLATES.glob("*.j2"))
    }
    programs = [name for name in files if not name.endswith(".py")]
    # Judging needs neither a pack's exemplars nor the bosses that a wheel installs with us.
    files.update(_files(pack.path, f"bosses/{pack.boss_id}", left_out="exemplars"))
    files.update(_files(_PACKAGE, "program/evalforge", left_out="bosses"))
    return zip_files(files, programs)


def _files(folder: Path, place: str, *, left_out: str) -> Iterator[tuple[str, bytes]]:
    """Yield the files of a folder with their paths in the zip."""
    for path in files_below(folder):
        relative = path.relative_to(folder)
        if relative.parts[0] != left_out:
            yield f"{place}/{relative.as_posix()}", path.read_bytes()
