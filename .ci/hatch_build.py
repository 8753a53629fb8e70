"""What a build adds: the manual page where ``make man`` made it, and the README as package indexes show it.

There, links and pictures lead to the repository, by full addresses: the address comes from ``EVALFORGE_REPOSITORY``
(such as ``https://github.com/OWNER/NAME``), the commit or tag from ``EVALFORGE_REF``.
Without an address, as in a checkout, the README stays as it is.
"""

import os
import re
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

_TARGET = re.compile(r"""(?P<before>\]\(|(?:src|srcset)=")(?P<path>(?!\w+:|#)[^)"\s]+)""")
_PICTURES = (".svg", ".png", ".gif")


def absolute_links(text: str, repository: str, ref: str) -> str:
    """A Markdown text whose relative links lead to files of a repository at a commit or tag."""

    def replace(match: re.Match[str]) -> str:
        path = match["path"]
        place = f"raw/{ref}" if path.endswith(_PICTURES) else f"blob/{ref}"
        return f"{match['before']}{repository.rstrip('/')}/{place}/{path}"

    return _TARGET.sub(replace, text)


class ReadmeHook(MetadataHookInterface):
    """Fills in the README, and the project's addresses where the repository is known."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Add what ``pyproject.toml`` leaves open to the metadata."""
        text = (Path(self.root) / "README.md").read_text("utf-8")
        repository, ref = os.environ.get("EVALFORGE_REPOSITORY", ""), os.environ.get("EVALFORGE_REF") or "main"
        if repository:
            text = absolute_links(text, repository, ref)
            metadata["urls"] = {
                "Source": repository,
                "Changelog": f"{repository}/blob/{ref}/CHANGELOG.md",
                "Issues": f"{repository}/issues",
            }
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


class ManPageHook(BuildHookInterface[Any]):
    """Puts the manual page where pipx, uv and distributions look for it."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the page to the wheel, if it was made."""
        del version
        page = Path(self.root) / "assets" / "man" / "evalforge.1"
        if page.exists():
            build_data["shared_data"][str(page)] = "share/man/man1/evalforge.1"
