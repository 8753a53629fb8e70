"""Takes the pictures of a screen in every theme, and holds each against the one that is stored."""

import difflib
import html
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.cells import cell_len
from syrupy.data import SnapshotCollections
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode
from textual.app import App
from textual.pilot import Pilot
from textual.widgets import Input, TextArea

from tests.app.harness import lines
from tests.app.picture import BASE, CELL, picture

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion
    from syrupy.location import PyTestLocation
    from syrupy.types import SnapshotIndex

PICTURES = Path(__file__).resolve().parents[1] / "pictures"
THEMES = ("ember", "vellum")
_WORDS = re.compile(r'<text x="(\d+)" y="(\d+)"(?: textLength="\d+")?>([^<]*)</text>')
_LINES_TOLD = 24


class StoredPictures(SingleFileSnapshotExtension):
    """One SVG for each picture, by its name; a difference is told in the words on the screen."""

    file_extension = "svg"
    _write_mode = WriteMode.TEXT

    @classmethod
    def dirname(cls, *, test_location: "PyTestLocation") -> str:
        """All lie in one folder."""
        return str(PICTURES)

    @classmethod
    def get_file_basename(cls, *, test_location: "PyTestLocation", index: "SnapshotIndex") -> str:
        """The picture's own name."""
        return str(index)

    @classmethod
    def matches_test_location(cls, *, test_location: "PyTestLocation", snapshot_location: str) -> bool:
        """Names are of scenes, not of tests."""
        return True

    def discover_snapshots(self, **_: Any) -> SnapshotCollections:
        """None is told to be unused: whoever runs a part of the tests would hear of all the others."""
        return SnapshotCollections()

    def diff_lines(self, serialized_data: Any, snapshot_data: Any) -> Iterator[str]:
        """What became of the words; where they are the same, of the drawing."""
        before, after = str(snapshot_data), str(serialized_data)
        found = _difference(written(before), written(after))
        if not found:
            yield "  The words are the same; colours, weights or shapes are not:"
            found = _difference(before.splitlines(), after.splitlines())
        yield from (f"  {line[:200]}" for line in found[:_LINES_TOLD])
        if len(found) > _LINES_TOLD:
            yield f"  and {len(found) - _LINES_TOLD} lines more"


def _difference(before: list[str], after: list[str]) -> list[str]:
    return list(islice(difflib.unified_diff(before, after, "stored", "now", n=0, lineterm=""), 2, None))


def written(svg: str) -> list[str]:
    """The words of a picture, line by line, where they stood on the screen."""
    rows: dict[int, str] = {}
    for x, y, text in sorted(_WORDS.findall(svg), key=lambda found: (int(found[1]), int(found[0]))):
        row, column = (int(y) - BASE) // CELL[1], int(x) // CELL[0]
        line = rows.get(row, "")
        rows[row] = line + " " * (column - cell_len(line)) + html.unescape(text)
    return [rows.get(row, "") for row in range(max(rows, default=-1) + 1)]


class Camera:
    """Takes pictures at one size.

    Args:
        snapshot: What compares them.
        size: Columns and lines of the terminal.
        themes: What is worn, one after the other.
        folder: Where a picture that is not as it was is put, to be looked at.
    """

    def __init__(
        self, snapshot: "SnapshotAssertion", size: tuple[int, int], themes: tuple[str, ...], folder: Path
    ) -> None:
        self._snapshot = snapshot.use_extension(StoredPictures)
        self._themes, self._folder = themes, folder
        self.size = size
        self.taken: list[str] = []
        self.changed: list[str] = []
        """What is to be told of each picture that changed."""

    async def take(self, pilot: Pilot[Any], scene: str) -> None:
        """The screen in every theme, once nothing moves any more."""
        self.taken.append(scene)
        # The theme that is worn already comes first: changing it takes longer than taking a picture.
        for theme in sorted(self._themes, key=lambda theme: theme != pilot.app.theme):
            pilot.app.theme = theme
            await settled(pilot)
            name = picture_name(scene, self.size, theme)
            svg = picture(pilot.app, f"{scene}  {type(pilot.app.screen).__name__}")
            if not self._snapshot(name=name) == svg:  # noqa: SIM201 - syrupy overloads == alone
                now = self._folder / f"{name}.svg"
                now.write_text(svg, "utf-8")
                told = "\n".join(self._snapshot.get_assert_diff())
                self.changed.append(f"{name} is not as it was; now it is {now}\n{told}")


def picture_name(scene: str, size: tuple[int, int], theme: str) -> str:
    """How the file of a picture is called, without its ending."""
    return f"{scene}-{size[0]}x{size[1]}-{theme}"


async def settled(pilot: Pilot[Any]) -> None:
    """Let the game run until it has nothing more to do and stays as it looks."""
    app: App[Any] = pilot.app
    for _ in range(50):
        for typed in (*app.screen.query(Input), *app.screen.query(TextArea)):
            typed.cursor_blink = False
        await pilot.pause()
        before = lines(app)
        await pilot.pause(0)
        if lines(app) == before:
            return
    raise AssertionError("it never comes to rest")
