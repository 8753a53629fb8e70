"""Data that a process learns after it has forked, and hands over to the fork."""

import os
import select
import tempfile


class Handover:
    """One piece of data, sent once. Create it before the fork; each side uses its own half."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - a pipe would block a writer of more than it can hold
        read_end, write_end = os.pipe()
        self._reader, self._writer = os.fdopen(read_end, "rb", buffering=0), os.fdopen(write_end, "wb", buffering=0)
        self.was_sent = False

    def send(self, data: bytes) -> None:
        """Hand the data over; further calls do nothing."""
        if not self.was_sent:
            self.was_sent = True
            self._file.write(data)
            self._file.flush()
            self._writer.write(b"!")

    def only_receive(self) -> None:
        """Leave sending to the fork, so that its end is noticed."""
        self._writer.close()

    def receive(self, seconds: float) -> bytes | None:
        """Wait for the data; None if it doesn't arrive in time, and empty if the only sender ended without sending."""
        if not select.select([self._reader], [], [], seconds)[0]:
            return None
        return os.pread(self._file.fileno(), os.fstat(self._file.fileno()).st_size, 0)

    def close(self) -> None:
        """Close the files on this side."""
        for file in (self._file, self._reader, self._writer):
            file.close()
