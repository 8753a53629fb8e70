"""The beats of a fight: waits that any key can cut short."""

import asyncio
import contextlib

from evalforge.app.motion import Motion


class Beats:
    """Keeps time. Once skipped, nothing waits any more until it is rewound."""

    def __init__(self, motion: Motion = Motion.FULL) -> None:
        self._motion = motion
        self._skipped = asyncio.Event()
        self.rewind()

    @property
    def skipping(self) -> bool:
        """Whether everything is shown at once."""
        return self._skipped.is_set()

    def rewind(self) -> None:
        """Keep time again. Without motion there is nothing to wait for."""
        if self._motion is Motion.NONE:
            self._skipped.set()
        else:
            self._skipped.clear()

    def skip(self) -> None:
        """Cut every wait short from now on."""
        self._skipped.set()

    async def pause(self, seconds: float) -> None:
        """Wait, unless skipped."""
        if not self._skipped.is_set():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._skipped.wait(), seconds)
