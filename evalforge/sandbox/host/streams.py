"""A pipe from a child that may write without end."""

from __future__ import annotations

import os


class Stream:
    """One pipe from the child: a bounded head is kept, the rest only counted."""

    def __init__(self, descriptor, keep):
        os.set_blocking(descriptor, False)
        self.descriptor = descriptor
        self.keep = keep
        self.kept = bytearray()
        self.total = 0
        self.open = True

    def read(self):
        """Take what is there; closes at the end of the stream."""
        while self.open:
            try:
                data = os.read(self.descriptor, 1 << 16)
            except BlockingIOError:
                return
            except OSError:
                data = b""
            if not data:
                self.close()
                return
            self.total += len(data)
            if len(self.kept) < self.keep:
                self.kept += data[: self.keep - len(self.kept)]
            if self.total > self.keep * 64:
                return

    def close(self):
        """Stop reading."""
        if self.open:
            self.open = False
            os.close(self.descriptor)
