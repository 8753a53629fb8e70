"""Checks of what a player reads first: the mission, the contract, the codex, the hints, the starter."""

from collections.abc import Iterator
from pathlib import Path

from evalforge.model.boss import BossDefinition
from evalforge.packs.issue import Issue
from evalforge.packs.lint.trial_files import syntax_error
from evalforge.packs.lint.unchecked_pack import PackFile, UncheckedPack
from evalforge.packs.locations import shipped_sprites
from evalforge.packs.path_checks import folder_fault, is_file, is_folder
from evalforge.packs.sprites import MAX_SPRITE_BYTES, sprite_faults

_SHORT = 90
_HINTS = 3
_TIERS = ("lore", "attacks", "strategy")


def check_boss(pack: UncheckedPack) -> Iterator[Issue]:
    """Check that the definition is complete and named like its folder, with a contract and a sprite."""
    boss = pack.boss
    if boss is None:
        return
    definition, metadata = boss.value, boss.value.metadata
    if definition.boss_id != pack.path.resolve().name:
        yield boss.issue(("boss_id",), f"boss_id is {definition.boss_id!r}: the folder must have the same name")
    short = definition.short_description.strip()
    if not short or "\n" in short or len(short) > _SHORT:
        yield boss.issue(
            ("short_description",),
            f"short_description must be one line of at most {_SHORT} characters, not {len(short)}",
        )
    for name, value in (
        ("long_description", definition.long_description),
        ("metadata.realm", metadata.realm),
        ("metadata.contract", metadata.contract),
        ("metadata.skills", " ".join(metadata.skills)),
    ):
        if not value.strip():
            yield boss.issue(tuple(name.split(".")), f"{name} is missing")
    yield from _entries(boss)
    yield from _sprite(pack, boss)


def _entries(boss: PackFile[BossDefinition]) -> Iterator[Issue]:
    location = ("metadata", "entry_files")
    metadata = boss.value.metadata
    if not metadata.entry_files:
        yield boss.issue(location, "entry_files is missing: name the file that trials run or import")
    for name in metadata.entry_files:
        if not name.endswith(".py") or "/" in name or "\\" in name:
            yield boss.issue(location, f"entry_files: {name!r} isn't the name of a Python file such as main.py")
        elif metadata.contract.strip() and name not in metadata.contract and Path(name).stem not in metadata.contract:
            yield boss.issue(("metadata", "contract"), f"the contract never says that the program is called {name}")


def _sprite(pack: UncheckedPack, boss: PackFile[BossDefinition]) -> Iterator[Issue]:
    name = boss.value.metadata.sprite
    location = ("metadata", "sprite")
    if not name:
        yield boss.issue(location, "metadata.sprite is missing: name a .sprite file")
        return
    candidates = [folder / f"{name}.sprite" for folder in (pack.path, shipped_sprites())]
    path = next((candidate for candidate in candidates if is_file(candidate)), None)
    if path is None or Path(name).name != name:
        yield boss.issue(location, f"there is no {name}.sprite in this folder, nor among those of the game")
        return
    try:
        if path.stat().st_size > MAX_SPRITE_BYTES:
            yield Issue(path, None, f"this sprite is larger than {MAX_SPRITE_BYTES:,} bytes")
            return
        text = path.read_text("utf-8")
    except (OSError, ValueError):
        yield Issue(path, None, "this sprite can't be read as UTF-8 text")
        return
    for line, reason in sprite_faults(text):
        yield Issue(path, line, reason)


def check_codex(pack: UncheckedPack) -> Iterator[Issue]:
    """Check that the codex has three tiers, and exactly three hints for each criterion."""
    for tier in _TIERS:
        path = pack.path / "codex" / f"{tier}.md"
        try:
            path.read_text("utf-8")
        except FileNotFoundError:
            yield Issue(path, None, "this tier of the codex is missing")
        except (OSError, ValueError) as error:
            reason = "it is not UTF-8 text" if isinstance(error, ValueError) else error.strerror
            yield Issue(path, None, f"this tier of the codex can't be read: {reason}")
    yield from _hints(pack)


def _hints(pack: UncheckedPack) -> Iterator[Issue]:
    if pack.hints is None or pack.rubric is None:
        return
    hints = pack.hints.value.root
    criteria = [criterion.id for criterion in pack.rubric.value.criteria]
    for name in criteria:
        own_hints = hints.get(name, ())
        if name not in hints:
            yield pack.hints.issue((), f"criterion {name} has no hints")
        elif len(own_hints) != _HINTS or not all(hint.strip() for hint in own_hints):
            yield pack.hints.issue(
                (name,), f"{name} has {len(own_hints)} hints: give three (a nudge, a pointer and a worked pattern)"
            )
        elif len({" ".join(hint.split()) for hint in own_hints}) < _HINTS:
            yield pack.hints.issue((name,), f"two hints of {name} are the same")
    for name in hints:
        if name not in criteria:
            yield pack.hints.issue((name,), f"the rubric has no criterion {name!r}")


def check_starter(pack: UncheckedPack) -> Iterator[Issue]:
    """Check that there is a starter, with instructions and the program's file, and that Python can read it."""
    folder = pack.path / "starter"
    if not is_folder(folder):
        yield Issue(folder, None, "there is no starter: add a small skeleton that runs and fails most trials")
        return
    if fault := folder_fault(folder):
        yield Issue(folder, None, f"the starter {fault}")
        return
    if not is_file(folder / "README.md"):
        yield Issue(folder / "README.md", None, "the starter has no README.md that says what to do")
    files = sorted(path for path in folder.rglob("*.py") if "__pycache__" not in path.parts)
    names = pack.boss.value.metadata.entry_files if pack.boss else ()
    if names and not any(_is_entry(path, names) for path in files):
        yield Issue(folder, None, f"the starter has no {' or '.join(names)}")
    for path in files:
        why, line = syntax_error(path)
        if why:
            yield Issue(path, line, why)


def _is_entry(path: Path, names: tuple[str, ...]) -> bool:
    return path.name in names or (path.name == "__main__.py" and f"{path.parent.name}.py" in names)
