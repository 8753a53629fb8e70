"""Code on a Dask cluster: only where there is a cage, and lost workers lose nobody."""

import os
import shutil
import signal
from collections.abc import AsyncGenerator
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest

from evalforge.classroom import dask_engines
from evalforge.classroom.class_events import RowSettled, WorkerReady
from evalforge.classroom.class_row import ClassRow
from evalforge.classroom.class_run import ClassOptions, ClassRun
from evalforge.classroom.dask_engines import ClusterEngines
from evalforge.history.store import History
from evalforge.model.errors import UsageError
from evalforge.packs.pack import BossPack, load_pack
from evalforge.sandbox.isolation import CAGED_LAYERS

distributed = pytest.importorskip("distributed")


@pytest.fixture
async def workers() -> AsyncGenerator[Any]:
    """Two workers, each a process of its own."""
    async with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, asynchronous=True, dashboard_address=None
    ) as local:
        yield local


@pytest.fixture
def pack(bosses: Path) -> BossPack:
    return load_pack(bosses / "training-dummy")


@pytest.fixture
def place(tmp_path: Path, pack: BossPack) -> Path:
    for number in range(6):
        target = tmp_path / f"class/s{number}"
        shutil.copytree(pack.path / "exemplars/weak", target, ignore=shutil.ignore_patterns("__pycache__", "test_*"))
        (target / "dummy.py").write_text((target / "dummy.py").read_text() + f"\n# {number}\n")
    return tmp_path / "class"


async def test_a_class_is_judged_there_as_it_is_here(workers: Any, pack: BossPack, place: Path, tmp_path: Path) -> None:
    there: dict[str, ClassRow] = {}
    places: set[str] = set()
    with History(tmp_path / "a.sqlite3") as history:
        run = ClassRun(pack, place, history, ClassOptions(engines=ClusterEngines(workers.scheduler_address)))
        async with aclosing(run.events()) as events:
            async for event in events:
                if isinstance(event, WorkerReady):
                    places.add(event.place)
                    assert event.isolation in CAGED_LAYERS
                if isinstance(event, RowSettled):
                    there[event.row.row_id] = event.row
                    if len(there) == 1:
                        # One worker dies at its work: the other one does it again.
                        victim = next(iter(workers.workers.values()))
                        os.kill(victim.pid, signal.SIGKILL)
    with History(tmp_path / "b.sqlite3") as history:
        here = ClassRun(pack, place, history, ClassOptions(workers=2))
        async with aclosing(here.events()) as events:
            async for _ in events:
                pass
    assert len(places) == 2
    assert {name: row.judged for name, row in there.items()} == {name: row.judged for name, row in here.rows.items()}
    assert all(row.judged for row in there.values())


async def test_workers_without_a_cage_are_refused(workers: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_engines, "CAGED_LAYERS", frozenset({"no such cage"}))
    with pytest.raises(UsageError, match=r"No worker of .* can run this code. Not used: .*no sandbox: isolation"):
        await ClusterEngines(workers.scheduler_address).open(0)


async def test_workers_of_another_version_are_refused(workers: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_engines, "__version__", "999")
    with pytest.raises(UsageError, match=r"EvalForge .* there, 999 here"):
        await ClusterEngines(workers.scheduler_address).open(0)


async def test_a_scheduler_that_is_not_there_is_said_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_engines, "CONNECT_SECONDS", 0.5)
    with pytest.raises(UsageError, match=r"no Dask scheduler at tcp://127\.0\.0\.1:9"):
        await ClusterEngines("tcp://127.0.0.1:9").open(0)
