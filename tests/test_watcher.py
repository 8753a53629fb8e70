"""Watching: every save is noticed once, and nothing that doesn't count is."""

import asyncio
import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager
from pathlib import Path

import pytest

from evalforge.watcher import changes

PATIENCE = 60.0


@pytest.fixture
def solution(tmp_path: Path) -> Path:
    folder = tmp_path / "solution"
    (folder / "pkg").mkdir(parents=True)
    (folder / "main.py").write_text("x = 1\n")
    (folder / "pkg/part.py").write_text("y = 1\n")
    return folder


@asynccontextmanager
async def watching(
    solution: Path, debounce: float = 0.05
) -> AsyncIterator[Callable[[], "asyncio.Task[tuple[str, ...]]"]]:
    """Gives a function that waits for the next change in the background."""
    async with aclosing(changes(solution, debounce)) as saves, asyncio.timeout(PATIENCE):
        assert await anext(saves) == ()

        async def following() -> tuple[str, ...]:
            async with asyncio.timeout(PATIENCE):
                return await anext(saves)

        yield lambda: asyncio.create_task(following())


def save_at_once(path: Path, text: str) -> None:
    """As many editors do: a new file in the old one's place."""
    draft = path.with_name(f".{path.name}.swp")
    draft.write_text(text)
    draft.replace(path)


def save_anew(folder: Path) -> None:
    """The folder is there again."""
    folder.mkdir()
    (folder / "main.py").write_text("back")


SAVES: dict[str, tuple[Callable[[Path], object], tuple[str, ...]]] = {
    "written": (lambda folder: (folder / "main.py").write_text("x = 22\n"), ("main.py",)),
    "replaced": (lambda folder: save_at_once(folder / "main.py", "x = 3\n"), ("main.py",)),
    "deeper": (lambda folder: (folder / "pkg/part.py").write_text("y = 22\n"), ("pkg/part.py",)),
    "new": (lambda folder: (folder / "README.md").write_text("hello"), ("README.md",)),
    "gone": (lambda folder: (folder / "pkg/part.py").unlink(), ("pkg/part.py",)),
    "two at once": (
        lambda folder: [(folder / name).write_text("z = 333\n") for name in ("main.py", "pkg/part.py")],
        ("main.py", "pkg/part.py"),
    ),
    "folder gone": (shutil.rmtree, ("main.py", "pkg/part.py")),
}


@pytest.mark.parametrize("name", SAVES)
async def test_a_save_is_noticed(solution: Path, name: str) -> None:
    save, paths = SAVES[name]
    async with watching(solution) as following:
        change = following()
        save(solution)
        assert await change == paths


async def test_saves_are_noticed_in_new_and_returned_folders(solution: Path) -> None:
    async with watching(solution) as following:
        change = following()
        (solution / "fresh").mkdir()
        (solution / "fresh/new.py").write_text("1")
        assert await change == ("fresh/new.py",)
        change = following()
        (solution / "fresh/new.py").write_text("22")
        assert await change == ("fresh/new.py",)
        change = following()
        shutil.rmtree(solution)
        assert await change == ("fresh/new.py", "main.py", "pkg/part.py")
        change = following()
        save_anew(solution)
        assert await change == ("main.py",)


async def test_what_is_never_handed_in_does_not_count(solution: Path) -> None:
    async with watching(solution) as following:
        change = following()
        for name in ("__pycache__/main.cpython-311.py", ".git/config.txt", "node_modules/a.json", ".venv/lib/b.py"):
            (solution / name).parent.mkdir(parents=True)
            (solution / name).write_text("noise")
        (solution / "main.py~").write_text("noise")
        (solution / "image.png").write_bytes(b"noise")
        (solution / "link.txt").symlink_to("/etc/hostname")
        (solution / "main.py").write_text("x = 22\n")
        assert await change == ("main.py",)


async def test_a_burst_of_saves_is_one_change(solution: Path) -> None:
    async with watching(solution, debounce=1.0) as following:
        change = following()
        for number in range(10):
            (solution / "main.py").write_text(f"x = {'1' * number}\n")
            await asyncio.sleep(0)
        assert await change == ("main.py",)
        # What came of the burst beside it would be seen before this.
        more = following()
        (solution / "pkg/part.py").write_text("y = 22\n")
        assert await more == ("pkg/part.py",)


async def test_closing_ends_all_it_started(solution: Path) -> None:
    before = asyncio.all_tasks()
    async with watching(solution) as following:
        change = following()
        change.cancel()
        await asyncio.wait({change})
    assert asyncio.all_tasks() == before
