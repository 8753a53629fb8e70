"""The key that makes trials unpredictable, and the seed that it gives a submission's trials.

The same submission gets the same trials every time. Its code can read this file and its own folder, so the seed mixes
in a key from outside the sandbox: the machine's own, or one shared by ``EVALFORGE_TRIAL_KEY``.
"""

import hmac
import os
import secrets
from contextlib import suppress
from pathlib import Path

from evalforge.packs.locations import state_folder
from evalforge.packs.private_files import FILE_MODE, make_private_folder

PUBLIC_KEY = ""
"""The key of authors' tools, whose numbers have to be the same on every machine."""
_FILE_NAME = "trial.key"


def trial_key() -> str:
    """This machine's key, made at its first use; the public one if none can be stored."""
    key_from_environment = os.environ.get("EVALFORGE_TRIAL_KEY")
    if key_from_environment:
        return key_from_environment
    path = state_folder() / _FILE_NAME
    with suppress(OSError):
        return _read_key(path) or _make_key(path)
    return PUBLIC_KEY


def trial_seed(boss_id: str, content_hash: str, key: str = PUBLIC_KEY) -> str:
    """The random seed of a boss's trials for one submission."""
    return hmac.new(key.encode("utf-8", "surrogateescape"), f"{boss_id}:{content_hash}".encode(), "sha256").hexdigest()


def _read_key(path: Path) -> str:
    try:
        return path.read_text("ascii").strip()
    except (FileNotFoundError, UnicodeDecodeError):
        return ""


def _make_key(path: Path) -> str:
    """Store a new key; processes that do so at the same time all get the first one's."""
    make_private_folder(path.parent)
    own_path = path.with_name(f".{path.name}.{os.getpid()}")
    with os.fdopen(os.open(own_path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, FILE_MODE), "w") as file:
        file.write(secrets.token_hex(32) + "\n")
    try:
        with suppress(FileExistsError):
            os.link(own_path, path)
    finally:
        own_path.unlink(missing_ok=True)
    return _read_key(path)
