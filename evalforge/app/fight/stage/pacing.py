"""The beats of a fight: waits that any key can cut short."""

import asyncio
import contextlib

from evalforge.app.ui.theme.motion import Motion


class Pacer:
    """Times the beats. Once skipped, nothing waits any more until it is rewound.

    Args:
        motion: How much is animated; without animation there is nothing to wait for.
    """

    def __init__(self, motion: Motion = Motion.FULL) -> None:
        self._motion = motion
        self._skipped = asyncio.Event()
        self._going = asyncio.Event()
        self._going.set()
        self.rate = 1.0
        """The speed factor."""
        self.rewind()

    @property
    def skipping(self) -> bool:
        """Whether everything is shown at once."""
        return self._skipped.is_set()

    @property
    def is_held(self) -> bool:
        """Whether the fight is paused."""
        return not self._going.is_set()

    def rewind(self) -> None:
        """Start timing again. Without animation there is nothing to wait for."""
        if self._motion is Motion.NONE:
            self._skipped.set()
        else:
            self._skipped.clear()

    def skip(self) -> None:
        """Cut every wait short from now on."""
        self._skipped.set()
        self._going.set()

    def pause_fight(self) -> None:
        """Pause the fight, or resume it."""
        if self.is_held:
            self._going.set()
        elif not self.skipping:
            self._going.clear()

    async def pause(self, seconds: float) -> None:
        """Wait for some seconds, unless the fight is being skipped."""
        if not self._skipped.is_set():
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(seconds / self.rate):
                    await self._skipped.wait()
            await self._going.wait()
