"""New folders, never over anything: a boss's starter for a player, and a small, whole pack for an author."""

import keyword
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from evalforge.model.errors import UsageError
from evalforge.packs.atomic_files import fill_folder, is_missing_or_empty
from evalforge.packs.fingerprint import files_below
from evalforge.packs.pack import BossPack
from evalforge.packs.path_checks import is_folder

_TEMPLATES = Path(__file__).resolve().parent / "templates" / "boss"
_SUFFIX = ".template"
_SLUG = re.compile(r"[a-z0-9][a-z0-9_-]{0,79}")


def create_starter(pack: BossPack, directory: Path) -> Path:
    """Copy a boss's starter to a new folder (an existing one must be empty).

    Raises:
        UsageError: The folder holds something already, can't be written, or the boss has no starter.
    """
    if not is_folder(pack.starter):
        raise UsageError(f"{pack.definition.title} has no starter folder.", "Begin with an empty folder of your own.")
    files = files_below(pack.starter)
    return _create(directory, ((path.relative_to(pack.starter).as_posix(), path.read_bytes()) for path in files))


def _create(folder: Path, files: Iterable[tuple[str, bytes]]) -> Path:
    try:
        if not is_missing_or_empty(folder):
            raise UsageError(f"{folder} already holds something.", "Nothing was changed: name a new or empty folder.")
        fill_folder(folder, files)
    except OSError as error:
        raise UsageError(f"{folder} can't be written ({error.strerror}).") from None
    return folder


def create_pack(slug: str, directory: Path) -> Path:
    """Write a new pack; never overwrites anything.

    Args:
        slug: The boss's id, and the name of its folder.
        directory: The folder the pack is put in, or the pack's own folder if that is what it is called.

    Returns:
        The pack's folder.

    Raises:
        UsageError: The slug is no slug, the folder holds something already, or it can't be written.
    """
    if not _SLUG.fullmatch(slug):
        raise UsageError(
            f"A boss can't be called {slug!r}.", "Take small letters, digits and hyphens, such as toll-gate."
        )
    pack = directory if directory.resolve().name == slug else directory / slug
    words = {"slug": slug, "title": _title(slug), "module": module_name(slug)}
    return _create(pack, ((relative, text.encode()) for relative, text in _files(words)))


def module_name(slug: str) -> str:
    """The program's name without .py: one that Python can import, and that hides no module of its own."""
    name = slug.replace("-", "_")
    is_taken = keyword.iskeyword(name) or name in sys.stdlib_module_names or name in ("pytest", "conftest", "setup")
    # A name like test_x would make the program look like one of its tests.
    is_test = re.match(r"tests?(_|$)", name) or name.endswith("_test")
    return f"boss_{name}" if is_taken or is_test or not name.isidentifier() else name


def _title(slug: str) -> str:
    return " ".join(word.capitalize() for word in re.split(r"[-_]+", slug) if word)


def _files(words: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Every file of the pack, by its path: ``{{word}}`` in texts and ``__word__`` in paths are filled in."""
    for template in sorted(_TEMPLATES.rglob(f"*{_SUFFIX}")):
        path = template.relative_to(_TEMPLATES).as_posix().removesuffix(_SUFFIX)
        text = template.read_text("utf-8")
        for word, value in words.items():
            path = path.replace(f"__{word}__", value)
            text = text.replace(f"{{{{{word}}}}}", value)
        yield path, text
