"""Standard output through Rich."""

from typing import Any

from rich.console import Console

from evalforge.cli import streams


class RichOutput(Console):
    """Standard output. If its reader is gone, Rich would exit; here the command decides."""

    def print(self, *objects: Any, **options: Any) -> None:
        """Print, and report in our own words if that fails."""
        with streams.translate_write_errors():
            super().print(*objects, **options)

    def on_broken_pipe(self) -> None:
        """Let the command decide what to do when the reader is gone."""
        raise BrokenPipeError
