"""The player fixture: objects worked across the border as if they were here."""

import asyncio
from collections.abc import Iterator
from decimal import Decimal

import pytest

from evalforge.evidence.trials.player_errors import RunStoppedError
from evalforge.evidence.trials.proxies import Player, PlayerError
from evalforge.model.evidence import TrialStep
from evalforge.sandbox.client import Host
from evalforge.sandbox.report import RunLimits
from evalforge.sandbox.staging import StagedSubmission
from tests import factories

CODE = """
import asyncio, contextlib, os, sys, time
from collections import namedtuple
from dataclasses import dataclass
from pathlib import Path

Point = namedtuple("Point", "x y")
VERSION = (1, 2)

class ShopError(Exception):
    pass

class OutOfStock(ShopError, LookupError):
    def __init__(self, name):
        super().__init__(f"no {name} left")
        self.name = name

@dataclass
class Item:
    name: str
    price: int = 3

class Shop:
    def __init__(self, clock=None):
        self.items = {}
        self.clock = clock
        self.log = []
    def add(self, item, *, count=1):
        self.items[item.name] = count
        return self
    def take(self, name):
        if not self.items.get(name):
            raise OutOfStock(name)
        self.items[name] -= 1
        return Item(name)
    def now(self):
        return self.clock()
    def each(self):
        for name in sorted(self.items):
            yield Item(name)
    def __len__(self):
        return len(self.items)
    def __contains__(self, name):
        return name in self.items
    def __getitem__(self, name):
        return self.items[name]
    def __enter__(self):
        self.log.append("in")
        return self
    def __exit__(self, kind, error, trace):
        self.log.append(kind.__name__ if kind else "out")
        return kind is ValueError

class Always:
    def __eq__(self, other): return True
    def __hash__(self): return 1

class Yes(str):
    def __eq__(self, other): return True
    __hash__ = str.__hash__

class Pause(float):
    def __eq__(self, other): return True
    __hash__ = float.__hash__

async def double(x):
    await asyncio.sleep(0)
    return x * 2

def apply(function, *values): return [function(value) for value in values]
def hang():
    while True: pass
def leave(): os._exit(0)
def quit(): sys.exit(3)
def interrupt(): raise KeyboardInterrupt
def save(text): Path("saved.txt").write_text(text)
"""


@pytest.fixture(scope="module")
def host() -> Iterator[Host]:
    started = Host()
    yield started
    started.shut_down()


@pytest.fixture
def player(host: Host) -> Iterator[Player]:
    with StagedSubmission(factories.submission(shop=CODE)) as staged:
        made = Player(host, staged, RunLimits(seconds=1.0), lambda step, report: None)
        yield made
        made.close()


def test_calls_attributes_and_objects(player: Player) -> None:
    module = player.module("shop")
    shop = module.Shop()
    assert shop.add(module.Item("nut"), count=2) is not None
    taken = shop.take("nut")
    assert (taken.name, taken.price) == ("nut", 3)
    assert shop.items == {"nut": 1}
    shop.items = {"bolt": 5}
    assert (len(shop), "bolt" in shop, shop["bolt"]) == (1, True, 5)
    assert module.VERSION == (1, 2)


def test_iterating_and_with_blocks(player: Player) -> None:
    shop = player.module("shop").Shop()
    shop.items = {"b": 1, "a": 1}
    assert [item.name for item in shop.each()] == ["a", "b"]
    with shop as inside:
        assert inside == shop
    with shop:
        raise ValueError("swallowed over there")
    assert shop.log == ["in", "out", "in", "ValueError"]


def test_exceptions_arrive_as_the_builtin_they_derive_from(player: Player) -> None:
    shop = player.module("shop").Shop()
    with pytest.raises(LookupError) as caught:
        shop.take("nut")
    error = caught.value
    assert isinstance(error, PlayerError)
    assert (error.type_name, str(error), error.path) == ("OutOfStock", "no nut left", "shop.py")
    assert error.line == CODE.splitlines().index("            raise OutOfStock(name)") + 1
    assert error.original.name == "nut"
    with pytest.raises(ModuleNotFoundError):
        player.module("nothing_here")


@pytest.mark.parametrize(("name", "kind"), [("quit", SystemExit), ("interrupt", PlayerError)])
def test_leaving_over_there_does_not_leave_here(player: Player, name: str, kind: type[BaseException]) -> None:
    with pytest.raises(kind) as caught:
        getattr(player.module("shop"), name)()
    assert isinstance(caught.value, PlayerError)
    assert not isinstance(caught.value, KeyboardInterrupt)


def test_functions_of_the_trial_are_called_back(player: Player) -> None:
    module = player.module("shop")
    ticks = iter([1.5, 2.5])
    shop = module.Shop(lambda: next(ticks))
    assert [shop.now(), shop.now()] == [1.5, 2.5]
    assert module.apply(lambda value: value + Decimal("0.1"), Decimal(1), Decimal(2)) == [
        Decimal("1.1"),
        Decimal("2.1"),
    ]

    def refuse(value: object) -> None:
        raise KeyError(value)

    with pytest.raises(KeyError):
        module.apply(refuse, 1)


def test_awaitables_are_waited_for(player: Player) -> None:
    assert player.wait(player.module("shop").double(21)) == 42


def drive_many(count: int) -> list[int]:
    import asyncio as aio

    from shop import double

    async def all_of_them() -> list[int]:
        return list(await aio.gather(*(double(number) for number in range(count))))

    return aio.run(all_of_them())


async def drive_async(value: int) -> int:
    from shop import double

    return await double(value)


def test_a_driver_runs_over_there(player: Player) -> None:
    assert player.drive(drive_many, 4) == [0, 2, 4, 6]
    assert player.drive(drive_async, 5) == 10
    assert asyncio.iscoroutinefunction(drive_async)


def test_an_object_that_equals_everything_equals_nothing_here(player: Player) -> None:
    module = player.module("shop")
    always = module.Always()
    assert always != 42
    assert (always == always, always == module.Always()) == (True, False)
    assert module.Yes("wrong") != "right"
    assert module.Yes("same") == "same"
    assert player.equal(module.Item("a"), module.Item("a"))


def test_a_subclass_of_float_is_a_float(player: Player) -> None:
    module = player.module("shop")
    handed: list[object] = []
    assert module.apply(handed.append, module.Pause(0.5)) == [None]
    for number in (module.Pause(0.5), *handed):
        assert isinstance(number, float)
        assert number - 0.25 == 0.25
        assert number != 0.75


def test_data_with_a_name_keeps_both(player: Player) -> None:
    point = player.module("shop").Point(1, 2)
    assert point == (1, 2)
    assert (point.x, point[1], list(point), len(point)) == (1, 2, [1, 2], 2)


@pytest.mark.parametrize(("name", "words"), [("hang", "timed out after 1.0 s at shop.py:"), ("leave", "")])
def test_a_call_that_never_comes_back_spoils_the_trial(player: Player, name: str, words: str) -> None:
    module = player.module("shop")
    with pytest.raises(RunStoppedError) as caught:
        getattr(module, name)()
    assert words in str(caught.value)
    with pytest.raises(RunStoppedError):
        module.Shop()


def test_files_go_in_and_are_read_back(host: Host) -> None:
    with StagedSubmission(factories.submission(shop=CODE)) as staged:
        player = Player(host, staged, RunLimits(), lambda step, report: None)
        player.files({"in.txt": "before"})
        player.module("shop").save("after")
        assert player.read("saved.txt") == b"after"
        assert player.read("in.txt") == b"before"
        assert player.read("nothing") is None


def test_the_story_tells_what_was_called(host: Host) -> None:
    steps: list[TrialStep] = []
    with StagedSubmission(factories.submission(shop=CODE)) as staged:
        player = Player(host, staged, RunLimits(), lambda step, report: steps.append(step))
        module = player.module("shop")
        with pytest.raises(LookupError):
            module.Shop().take("secret")
        player.close()
    assert steps[0].call == "import shop"
    assert "OutOfStock" in steps[-1].result


def drive_loop(rounds: int) -> int:
    import time

    time.process_time = time.perf_counter = lambda: 0.0  # as a player's module might
    return len([number * number for number in range(rounds)])


def drive_memory(megabytes: int) -> int:
    return len(bytes(range(256)) * 4096 * megabytes) >> 20


def test_what_a_function_costs_is_measured_from_outside(player: Player) -> None:
    little, much = player.measure(drive_loop, 10), player.measure(drive_loop, 400_000)
    assert (little.answer, much.answer) == (10, 400_000)
    assert much.cpu_seconds > little.cpu_seconds
    little, much = player.measure(drive_memory, 1), player.measure(drive_memory, 64)
    assert (little.answer, much.answer) == (1, 64)
    assert 32 << 20 < much.peak_memory_bytes - little.peak_memory_bytes < 96 << 20


def test_each_measured_function_has_a_process_of_its_own(player: Player) -> None:
    first, second = player.measure(drive_process_number), player.measure(drive_process_number)
    assert first.answer != second.answer
    assert player.drive(drive_process_number) not in (first.answer, second.answer)


def drive_process_number() -> int:
    import os

    return os.getpid()
