"""Runs the measurement: the command that prints the items to judge as JSON."""

import asyncio
import contextlib
import json
import os
import signal
import tempfile
from collections.abc import Mapping
from pathlib import Path

from evalforge.evaluate.items import JSON
from evalforge.evaluate.measurement_spec import Measurement
from evalforge.model.errors import EvalForgeError, UsageError
from evalforge.model.text import clean
from evalforge.packs.path_checks import expand_home, is_folder

_MAX_OUTPUT_BYTES = 1_000_000_000
_QUOTED_ERROR_BYTES = 600
_TERMINATION_SECONDS = 5.0


class MeasurementError(EvalForgeError):
    """The command printed nothing that can be judged: it crashed, took too long, or its output isn't JSON."""


async def measure(measurement: Measurement, folder: Path) -> JSON:
    """Run the command to its end or its time-out, and read the JSON it prints.

    Raises:
        MeasurementError: The command printed nothing that can be judged.
        UsageError: Its working directory doesn't exist.
    """
    directory = _working_directory(measurement.working_directory, folder)
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        status = await _run(measurement, directory, out.fileno(), err.fileno())
        quote = _quote_errors(err.fileno())
        if status is None:
            raise MeasurementError(
                f"The measurement took longer than {measurement.timeout_seconds:g} s and was stopped.{quote}",
                "Give it more with measurement.timeout_seconds.",
            )
        if status != 0:
            raise MeasurementError(
                f"The measurement ended with status {status}.{quote}", f"Run it: {measurement.command}"
            )
        return await asyncio.to_thread(_read_json, out.fileno(), quote)


def _working_directory(name: str, folder: Path) -> Path:
    """Resolve a working directory: relative to the repository root a spec is run from, or next to its script."""
    for directory in (expand_home(name), folder / name):
        if is_folder(directory):
            return directory
    raise UsageError(f"measurement.working_directory: there is no folder {name}.")


async def _run(measurement: Measurement, directory: Path, out: int, err: int) -> int | None:
    """Return the exit status; None if it took too long. Its process group is killed then, and on cancellation."""
    shell = ("/bin/sh", "-c", measurement.command)
    process = await asyncio.create_subprocess_exec(
        *shell, cwd=directory, stdin=asyncio.subprocess.DEVNULL, stdout=out, stderr=err, start_new_session=True
    )
    try:
        async with asyncio.timeout(measurement.timeout_seconds):
            return await process.wait()
    except TimeoutError:
        _signal_group(process.pid, signal.SIGTERM)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_TERMINATION_SECONDS):
                await process.wait()
        return None
    finally:
        _signal_group(process.pid, signal.SIGKILL)
        await process.wait()


def _signal_group(group: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


def _quote_errors(err: int) -> str:
    """Quote the end of standard error, as a sentence."""
    size = os.fstat(err).st_size
    text = os.pread(err, _QUOTED_ERROR_BYTES, max(0, size - _QUOTED_ERROR_BYTES)).decode("utf-8", "replace").strip()
    return f" It said: {clean(text)}" if text else ""


def _read_json(out: int, quote: str) -> JSON:
    size = os.fstat(out).st_size
    if size > _MAX_OUTPUT_BYTES:
        raise MeasurementError(f"The measurement printed more than {_MAX_OUTPUT_BYTES:,} bytes.")
    try:
        data = json.loads(os.pread(out, size, 0).decode("utf-8-sig"))
    except (ValueError, RecursionError):
        raise MeasurementError(f"The measurement printed something that isn't JSON.{quote}") from None
    if not isinstance(data, Mapping | list):
        raise MeasurementError("The measurement printed JSON that is neither an object nor a list.")
    return data  # pyright: ignore[reportUnknownVariableType]
