"""Tasks that a test opens by hand, so that nothing here waits for a clock."""

import asyncio

import pytest


class Stage:
    """Works under control of the test, and a note of what they did."""

    def __init__(self):
        self.notes = []
        self.under_way = self.most = 0
        self._gates = {}

    def gate(self, name):
        return self._gates.setdefault(name, asyncio.Event())

    def work(self, name, result=None, error=None, cleanup=0):
        async def act(inputs):
            self.notes.append(("start", name))
            self.under_way += 1
            self.most = max(self.most, self.under_way)
            try:
                await self.gate(name).wait()
                if error is not None:
                    raise error
                return result
            finally:
                for _ in range(cleanup):
                    await asyncio.sleep(0)
                self.under_way -= 1
                self.notes.append(("end", name))
        return act

    def started(self):
        return [name for what, name in self.notes if what == "start"]

    async def open(self, *names):
        for name in names:
            self.gate(name).set()
        await self.calm()

    async def calm(self):
        for _ in range(30):
            await asyncio.sleep(0)


@pytest.fixture
def stage():
    return Stage()
