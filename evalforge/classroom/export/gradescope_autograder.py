"""A boss as a Gradescope autograder: a zip of ``setup.sh``, ``run_autograder``, EvalForge, and the boss's pack.

Source of the format: https://gradescope-autograders.readthedocs.io/en/latest/specs/ - the zip is unpacked in
``/autograder/source``, a submission is in ``/autograder/submission``, and ``results/results.json`` is read.
"""

import io
import secrets
import zipfile
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from evalforge import __version__
from evalforge.model.installation import DISTRIBUTION
from evalforge.packs.fingerprint import files_below
from evalforge.packs.pack import BossPack

_TEMPLATES = Path(__file__).resolve().parent / "gradescope"
_LEFT_OUT = ("exemplars",)
"""Parts of a pack that judging doesn't need."""
_EPOCH = (1980, 1, 1, 0, 0, 0)
_PROGRAM_MODE, _FILE_MODE = 0o755, 0o644


def gradescope_autograder(pack: BossPack) -> bytes:
    """Build the zip. Its trials have a key of their own, so that all submissions of a course face the same inputs."""
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701 - programs, not pages; the text is ours
    )
    words = {
        "boss_id": pack.boss_id,
        "requirement": f"{DISTRIBUTION}=={__version__}",
        "trial_key": secrets.token_hex(16),
    }
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for template in sorted(_TEMPLATES.glob("*.j2")):
            text = environment.get_template(template.name).render(words)
            mode = _FILE_MODE if template.stem.endswith(".py") else _PROGRAM_MODE
            _write(archive, template.stem, text.encode(), mode)
        for path in files_below(pack.path):
            relative = path.relative_to(pack.path)
            if relative.parts[0] not in _LEFT_OUT:
                _write(archive, f"bosses/{pack.boss_id}/{relative.as_posix()}", path.read_bytes(), _FILE_MODE)
    return buffer.getvalue()


def _write(archive: zipfile.ZipFile, name: str, content: bytes, mode: int) -> None:
    info = zipfile.ZipInfo(name, _EPOCH)
    info.external_attr = mode << 16
    archive.writestr(info, content, zipfile.ZIP_DEFLATED)
