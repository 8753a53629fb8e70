import asyncio

import pytest

from scheduler import Scheduler


class Recorder:
    """Makes works that write down their starts and wait for their gate."""

    def __init__(self):
        self.started = []
        self.gates = {}
        self.active = 0
        self.peak = 0

    def work(self, name, result=None, error=None):
        async def run(inputs):
            self.started.append(name)
            self.active += 1
            self.peak = max(self.peak, self.active)
            try:
                await self.gates.setdefault(name, asyncio.Event()).wait()
            finally:
                self.active -= 1
            if error is not None:
                raise error
            return result

        return run

    async def open(self, *names):
        for name in names:
            self.gates.setdefault(name, asyncio.Event()).set()
        await self.settle()

    @staticmethod
    async def settle():
        for _ in range(20):
            await asyncio.sleep(0)


@pytest.fixture
def recorder():
    return Recorder()


@pytest.fixture
def scheduler():
    return Scheduler()
