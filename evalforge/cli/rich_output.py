"""Standard output through Rich."""

from typing import Any

from rich.console import Console

from evalforge.cli import streams


class RichOutput(Console):
    """Standard output. Rich would end the process once its reader has left; what that means the command knows."""

    def print(self, *objects: Any, **options: Any) -> None:
        """Print, and say in our own words why that can't be done."""
        with streams.translate_write_errors():
            super().print(*objects, **options)

    def on_broken_pipe(self) -> None:
        """Leave it to the command what a reader that has gone means."""
        raise BrokenPipeError
