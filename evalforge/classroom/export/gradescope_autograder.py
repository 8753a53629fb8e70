"""A boss as a Gradescope autograder: a zip of ``setup.sh``, ``run_autograder``, EvalForge, and the boss's pack.

Source of the format: https://gradescope-autograders.readthedocs.io/en/latest/specs/ - the zip is unpacked in
``/autograder/source``, a submission is in ``/autograder/submission``, and ``results/results.json`` is read.
"""

import secrets
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from evalforge import __version__
from evalforge.model.installation import DISTRIBUTION
from evalforge.packs.fingerprint import files_below
from evalforge.packs.pack import BossPack
from evalforge.packs.zip_files import zip_files

_TEMPLATES = Path(__file__).resolve().parent / "gradescope"
_LEFT_OUT = ("exemplars",)
"""Parts of a pack that judging doesn't need."""


def gradescope_autograder(pack: BossPack) -> bytes:
    """Build the zip. Its trials have a key of their own, so that all submissions of a course face the same inputs."""
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701 - programs, not pages; the text is ours
    )
    texts = {
        "boss_id": pack.boss_id,
        "requirement": f"{DISTRIBUTION}=={__version__}",
        "trial_key": secrets.token_hex(16),
    }
    files = {
        template.stem: environment.get_template(template.name).render(texts).encode()
        for template in sorted(_TEMPLATES.glob("*.j2"))
    }
    programs = [name for name in files if not name.endswith(".py")]
    for path in files_below(pack.path):
        relative = path.relative_to(pack.path)
        if relative.parts[0] not in _LEFT_OUT:
            files[f"bosses/{pack.boss_id}/{relative.as_posix()}"] = path.read_bytes()
    return zip_files(files, programs)
