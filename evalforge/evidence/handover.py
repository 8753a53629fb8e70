"""Data that a process learns after it has forked, and hands over to the fork."""

import os
import select
import tempfile

_CLOSED = -1


class Handover:
    """One piece of data, sent once. Create it before the fork; each side uses its own half."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - a pipe would block a writer of more than it can hold
        self._read_end, self._write_end = os.pipe()
        self.was_sent = False

    def send(self, data: bytes) -> None:
        """Hand the data over; further calls do nothing."""
        if not self.was_sent:
            self.was_sent = True
            self._file.write(data)
            self._file.flush()
            os.write(self._write_end, b"!")

    def only_receive(self) -> None:
        """Leave sending to the fork, so that its end is noticed."""
        self._write_end = _close(self._write_end)

    def receive(self, seconds: float) -> bytes | None:
        """Wait for the data; None if it doesn't arrive in time, and empty if the only sender ended without sending."""
        if not select.select([self._read_end], [], [], seconds)[0]:
            return None
        return os.pread(self._file.fileno(), os.fstat(self._file.fileno()).st_size, 0)

    def close(self) -> None:
        """Close the descriptors on this side."""
        self._file.close()
        for descriptor in (self._read_end, self._write_end):
            _close(descriptor)


def _close(descriptor: int) -> int:
    """Close a descriptor if it is open; returns the number that stands for a closed one."""
    if descriptor != _CLOSED:
        os.close(descriptor)
    return _CLOSED
