"""The files of a pack, in YAML or JSON."""

from pathlib import Path

from evalforge.packs.path_checks import is_file


def boss_file(pack: Path) -> Path | None:
    """The file that makes a folder a pack."""
    return next((pack / name for name in ("boss.yaml", "boss.json", "boss.yml") if is_file(pack / name)), None)


def pack_file(pack: Path, stem: str) -> Path:
    """``stem.yaml`` of a pack, or the JSON or YML twin that is there."""
    candidates = [pack / f"{stem}{suffix}" for suffix in (".yaml", ".json", ".yml")]
    return next((path for path in candidates if is_file(path)), candidates[0])
