"""How EvalForge was installed, and the command that adds an extra to that environment."""

import shlex
import sys
from pathlib import Path

DISTRIBUTION = "evalforge-game"
"""Our name on the package index, where ``evalforge`` is another project. Modules and the command are ``evalforge``."""


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
            _source(),
        ]
    elif "archive-v0" in prefix.parts or "environments-v2" in prefix.parts:  # where uvx keeps temporary environments
        arguments = ["uvx", "--from", f"{DISTRIBUTION}[{extra}]", "evalforge"]
    elif find_spec("pip") is None:  # as in what `uv venv` makes
        arguments = ["uv", "pip", "install", "--python", executable, *packages]
    else:
        arguments = [executable, "-m", "pip", "install", *packages]
    return shlex.join(arguments)


def _requirements(extra: str) -> list[str]:
    """The packages that an extra needs, by name: pipx adds no extra to a package that is already installed."""
    from importlib.metadata import PackageNotFoundError, requires

    try:
        requirements = requires(DISTRIBUTION) or []
    except PackageNotFoundError:  # runs from a checkout that was never installed
        requirements = []
    mark = f"extra == '{extra}'"  # pillow>=11; extra == 'picture'
    packages = [line.partition(";")[0].strip() for line in requirements if mark in line.replace('"', "'")]
    return packages or [f"{DISTRIBUTION}[{extra}]"]


def _source() -> str:
    """The source of the installation: a folder or an address if it was installed from one, else the package's name."""
    import json
    from importlib.metadata import PackageNotFoundError, distribution

    try:
        origin = json.loads(distribution(DISTRIBUTION).read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, ValueError):
        return DISTRIBUTION
    address = str(origin.get("url", "")) or DISTRIBUTION
    if "vcs_info" in origin:
        return f"{origin['vcs_info'].get('vcs', 'git')}+{address}"
    return address


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
