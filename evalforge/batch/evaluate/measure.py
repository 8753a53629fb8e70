"""Running the command that prints what is to be judged."""

import asyncio
import contextlib
import json
import os
import signal
import tempfile
from collections.abc import Mapping
from pathlib import Path

from evalforge.batch.evaluate.items import JSON
from evalforge.batch.evaluate.spec import Measurement
from evalforge.library.looking import is_folder
from evalforge.model.errors import EvalForgeError, UsageError
from evalforge.model.text import clean

_OUTPUT_CAP = 1_000_000_000
_TOLD = 600
_GRACE = 5.0


class MeasurementError(EvalForgeError):
    """The command gave nothing that can be judged: it crashed, took too long, or printed something else than JSON."""


async def measure(measurement: Measurement, folder: Path) -> JSON:
    """Run the command to its end or its time-out, and read the JSON it prints.

    Args:
        measurement: The command. Its working directory is taken from where we are, else from ``folder``.
        folder: Where the spec lies.

    Raises:
        MeasurementError: It gave nothing to judge.
        UsageError: Its working directory doesn't exist.
    """
    place = _place(measurement.working_directory, folder)
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        status = await _run(measurement, place, out.fileno(), err.fileno())
        said = _tail(err.fileno())
        if status is None:
            raise MeasurementError(
                f"The measurement took longer than {measurement.timeout_seconds:g} s and was stopped.{said}",
                "Give it more with measurement.timeout_seconds.",
            )
        if status != 0:
            raise MeasurementError(
                f"The measurement ended with status {status}.{said}", f"Run it: {measurement.command}"
            )
        return await asyncio.to_thread(_json, out.fileno(), said)


def _place(given: str, folder: Path) -> Path:
    """The skill means the root of the repository, which is where one runs it; a spec beside its script works too."""
    for place in (Path(given).expanduser(), folder / given):
        if is_folder(place):
            return place
    raise UsageError(f"measurement.working_directory: there is no folder {given}.")


async def _run(measurement: Measurement, place: Path, out: int, err: int) -> int | None:
    """The exit status; None if it took too long. It and all it started are gone afterwards, also if we are stopped."""
    shell = ("/bin/sh", "-c", measurement.command)
    process = await asyncio.create_subprocess_exec(
        *shell, cwd=place, stdin=asyncio.subprocess.DEVNULL, stdout=out, stderr=err, start_new_session=True
    )
    try:
        return await asyncio.wait_for(process.wait(), measurement.timeout_seconds)
    except TimeoutError:
        _signal(process.pid, signal.SIGTERM)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), _GRACE)
        return None
    finally:
        _signal(process.pid, signal.SIGKILL)
        await process.wait()


def _signal(group: int, number: signal.Signals) -> None:
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):
        return


def _tail(err: int) -> str:
    """The last words on standard error."""
    size = os.fstat(err).st_size
    words = os.pread(err, _TOLD, max(0, size - _TOLD)).decode("utf-8", "replace").strip()
    return f" It said: {clean(words)}" if words else ""


def _json(out: int, said: str) -> JSON:
    size = os.fstat(out).st_size
    if size > _OUTPUT_CAP:
        raise MeasurementError(f"The measurement printed more than {_OUTPUT_CAP:,} bytes.")
    try:
        data = json.loads(os.pread(out, size, 0).decode("utf-8-sig"))
    except (ValueError, RecursionError):
        raise MeasurementError(f"The measurement printed something else than JSON.{said}") from None
    if not isinstance(data, Mapping | list):
        raise MeasurementError("The measurement printed JSON that is neither an object nor a list.")
    return data  # pyright: ignore[reportUnknownVariableType]
