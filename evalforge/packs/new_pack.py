"""A new boss pack: small, whole, and ready to be fought and rewritten."""

import keyword
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from evalforge.model.errors import UsageError
from evalforge.packs.atomic_files import fill_folder, is_missing_or_empty

_TEMPLATES = Path(__file__).resolve().parent / "templates" / "boss"
_SUFFIX = ".template"
_SLUG = re.compile(r"[a-z0-9][a-z0-9_-]{0,79}")


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
    try:
        if not is_missing_or_empty(pack):
            raise UsageError(f"{pack} already holds something.", "Nothing was changed: take another name or folder.")
        fill_folder(pack, ((relative, text.encode()) for relative, text in _files(words)))
    except OSError as error:
        raise UsageError(f"{pack} can't be written ({error.strerror}).") from None
    return pack


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
