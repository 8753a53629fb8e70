"""How EvalForge was installed, and the command that adds an extra to that environment."""

import contextlib
import shlex
import sys
from pathlib import Path
from typing import Any

DISTRIBUTION = "evalforge-game"
"""Our name among Python packages, where ``evalforge`` is another project. Modules and the command are ``evalforge``."""

INDEX_RELEASE = ""
"""Our newest release on the package index, such as ``0.4.0``; empty while there is none.

Without one, nothing that we print or document may ask anybody to install ``DISTRIBUTION`` by its name: whoever
registers it could run what they like. ``tests/test_installation.py`` reads every such place.
"""


_CHECKOUT = Path(__file__).resolve().parents[2]


def install_command(extra: str, *, prefix: Path | None = None, executable: str = "") -> str:
    """The command that installs an extra, for the tool that made this environment.

    Args:
        extra: One of the extras of ``pyproject.toml``, such as ``serve``.
        prefix: The environment; by default the one that runs us.
        executable: Its interpreter; by default the one that runs us.
    """
    from importlib.util import find_spec

    prefix = prefix or Path(sys.prefix)
    executable = executable or sys.executable
    packages = _requirements(extra)
    if (prefix / "pipx_metadata.json").is_file():
        arguments = ["pipx", "inject", DISTRIBUTION, *packages]
    elif (prefix / "uv-receipt.toml").is_file():
        arguments = [
            "uv",
            "tool",
            "install",
            *(word for package in packages for word in ("--with", package)),
            source(),
        ]
    elif "archive-v0" in prefix.parts or "environments-v2" in prefix.parts:  # where uvx keeps temporary environments
        arguments = ["uvx", "--from", source(extra), "evalforge"]
    elif find_spec("pip") is None:  # as in what `uv venv` makes
        arguments = ["uv", "pip", "install", "--python", executable, *packages]
    else:
        arguments = [executable, "-m", "pip", "install", *packages]
    return shlex.join(arguments)


def _requirements(extra: str) -> list[str]:
    """The packages that an extra needs, by name: pipx adds no extra to a package that is already installed."""
    mark = f"extra == '{extra}'"  # pillow>=11; extra == 'picture'
    lines = (line.replace('"', "'") for line in requirements())
    packages = [line.partition(";")[0].strip() for line in lines if mark in line]
    return packages or [source(extra)]


def requirements() -> list[str]:
    """What our metadata requires, as ``NAME BOUNDS; MARKER``; nothing in a checkout that was never installed."""
    from importlib.metadata import PackageNotFoundError, requires

    try:
        return requires(DISTRIBUTION) or []
    except PackageNotFoundError:
        return []


def source(extra: str = "") -> str:
    """What installs us again from where we came: an address or a folder, or our name if we came from the index.

    Args:
        extra: An extra to install as well.
    """
    import json
    from importlib.metadata import PackageNotFoundError, distribution

    name = f"{DISTRIBUTION}[{extra}]" if extra else DISTRIBUTION
    origin: dict[str, Any] = {}
    with contextlib.suppress(PackageNotFoundError, ValueError):
        origin = json.loads(distribution(DISTRIBUTION).read_text("direct_url.json") or "{}")
    address = str(origin.get("url", ""))
    if not address and INDEX_RELEASE:
        return name
    if "vcs_info" in origin:
        address = f"{origin['vcs_info'].get('vcs', 'git')}+{address}"
    return f"{name} @ {address or _CHECKOUT.as_uri()}"


def name_clash() -> str:
    """The version of an installed distribution ``evalforge`` whose files collide with ours; empty if there is none."""
    from importlib.metadata import PackageNotFoundError, distribution

    try:
        other = distribution("evalforge")
    except PackageNotFoundError:
        return ""
    try:
        distribution(DISTRIBUTION)
    except PackageNotFoundError:
        # An EvalForge from before the rename is also called ``evalforge``; alone it doesn't clash.
        if any(point.value == "evalforge.__main__:main" for point in other.entry_points):
            return ""
    return other.version
