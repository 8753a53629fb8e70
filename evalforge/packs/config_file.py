"""Changes one setting in ``config.toml``, and leaves the player's comments and order as they are."""

from pathlib import Path

from evalforge.model.errors import UsageError
from evalforge.packs.atomic_files import write_text


def write_setting(path: Path, name: str, value: str | bool) -> None:
    """Set a top-level key of a TOML file, which is created if it doesn't exist; an empty text removes the key.

    Raises:
        UsageError: The file can't be read as TOML, or can't be written; it stays as it is.
    """
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    try:
        document = tomlkit.parse(path.read_bytes()) if path.exists() else tomlkit.document()
    except (OSError, ValueError, TOMLKitError) as error:
        raise UsageError(f"{path} can't be read: {error}.", "Fix it or move it away.") from None
    if value == "" and name in document:
        document.remove(name)
    elif value != "":
        document[name] = value
    write_text(path, tomlkit.dumps(document))
