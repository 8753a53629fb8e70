"""Data that a process learns after it has forked, and hands over to the fork."""

import os
import select
import tempfile


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

    def receive(self, seconds: float) -> bytes | None:
        """Wait for the data; None if it doesn't arrive in time."""
        if not select.select([self._read_end], [], [], seconds)[0]:
            return None
        return os.pread(self._file.fileno(), os.fstat(self._file.fileno()).st_size, 0)

    def close(self) -> None:
        """Close the descriptors on this side."""
        self._file.close()
        for descriptor in (self._read_end, self._write_end):
            os.close(descriptor)
