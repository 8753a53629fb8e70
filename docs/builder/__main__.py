"""Build the documentation: ``python -m docs.builder``. A link to nowhere ends it with status 1."""

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build"
CONFIGURATION = "zensical.toml"


def stage(folder: Path) -> None:
    """Put every page into a folder: ``docs/``, the changelog and the pictures, with links that lead to them there."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT / "docs", folder, ignore=shutil.ignore_patterns("builder"))
    shutil.copytree(ROOT / "assets" / "screenshots", folder / "pictures")
    for page in folder.rglob("*.md"):
        up = "../" * (len(page.relative_to(folder).parts) - 1)
        text = page.read_text("utf-8").replace(f"](../{up}assets/screenshots/", f"]({up}pictures/")
        page.write_text(text, "utf-8")
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8").replace("](docs/", "](")
    (folder / "changelog.md").write_text(changelog, "utf-8")


def main() -> int:
    """Stage the pages and build the site from them.

    Returns:
        The exit status: 0 if every link leads somewhere.
    """
    BUILD.mkdir(exist_ok=True)
    stage(BUILD / "docs")
    shutil.copy(ROOT / "docs" / "builder" / CONFIGURATION, BUILD / CONFIGURATION)
    command = [sys.executable, "-m", "zensical", "build", "--clean", "--strict", "-f", str(BUILD / CONFIGURATION)]
    built = subprocess.run(command, check=False, capture_output=True, text=True)
    if built.returncode:
        print(built.stdout + built.stderr.partition("Traceback")[0])
        return 1
    print(f"{len(list((BUILD / 'docs').rglob('*.md')))} pages in {BUILD / 'site'}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
