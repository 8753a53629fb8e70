"""The output that a child writes to its pipes: a limited part is kept, the rest only counted."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import NamedTuple

MAX_OUTPUT_BYTES_KEPT = 256 * 1024
MAX_REPORT_BYTES_KEPT = 64 * 1024
_MAX_REPORT_BYTES = 1024 * 1024
_READ_BYTES = 64 * 1024
_MAX_READ_FACTOR = 64


class PipeReader:
    """Reads one pipe from a child that may write without end."""

    def __init__(self, descriptor: int, max_kept: int) -> None:
        os.set_blocking(descriptor, False)
        self.descriptor = descriptor
        self.data = bytearray()
        self.total_bytes = 0
        self.is_open = True
        self._max_kept = max_kept

    def read_available(self) -> None:
        """Read the available data; close the pipe at the end of the stream."""
        while self.is_open:
            try:
                data = os.read(self.descriptor, _READ_BYTES)
            except BlockingIOError:
                return
            except OSError:
                data = b""
            if not data:
                self.close()
                return
            self.total_bytes += len(data)
            if len(self.data) < self._max_kept:
                self.data += data[: self._max_kept - len(self.data)]
            if self.total_bytes > self._max_kept * _MAX_READ_FACTOR:
                return

    def close(self) -> None:
        """Close the pipe without reading the rest."""
        if self.is_open:
            self.is_open = False
            os.close(self.descriptor)


class WriteEnds(NamedTuple):
    """The child's ends of its pipes: two for the program's output, and two of ours for its report and a traceback."""

    stdout: int
    stderr: int
    report: int
    trace: int


class OutputPipes:
    """The pipes from one child: output, errors, report and traceback."""

    def __init__(self) -> None:
        pipes = [os.pipe() for _ in WriteEnds._fields]
        self.write_ends = WriteEnds(*(write_end for _, write_end in pipes))
        read_ends = WriteEnds(*(read_end for read_end, _ in pipes))
        self.stdout = PipeReader(read_ends.stdout, MAX_OUTPUT_BYTES_KEPT)
        self.stderr = PipeReader(read_ends.stderr, MAX_OUTPUT_BYTES_KEPT)
        self.report = PipeReader(read_ends.report, MAX_REPORT_BYTES_KEPT)
        self.trace = PipeReader(read_ends.trace, MAX_REPORT_BYTES_KEPT)
        self._readers = (self.stdout, self.stderr, self.report, self.trace)

    def close_write_ends(self) -> None:
        """Close the write ends, so that only the child has them."""
        for descriptor in self.write_ends:
            os.close(descriptor)

    def open_descriptors(self) -> list[int]:
        """The read ends that are still open."""
        return [reader.descriptor for reader in self._readers if reader.is_open]

    def read_available(self, readable: Iterable[object]) -> None:
        """Read the descriptors that are ready."""
        descriptors = set(readable)
        for reader in self._readers:
            if reader.descriptor in descriptors:
                reader.read_available()

    def drain(self) -> None:
        """Read the rest of the data, and close all pipes."""
        for reader in self._readers:
            reader.read_available()
            reader.close()

    @property
    def written_bytes(self) -> int:
        """The number of bytes that the program wrote to its standard streams."""
        return self.stdout.total_bytes + self.stderr.total_bytes

    def is_flooded(self, max_output_bytes: int) -> bool:
        """Whether the program wrote more than it may, or wrote to one of our descriptors."""
        # Only a program that writes to our descriptors exceeds what is kept of the report and the traceback.
        is_noisy = self.report.total_bytes > _MAX_REPORT_BYTES or self.trace.total_bytes > _MAX_REPORT_BYTES
        return self.written_bytes > max_output_bytes or is_noisy
