import pytest

from furnace.domain import Command, Readings
from furnace.ports import InputError
from furnace.service import ControlCycle
from furnace_controller import main


class Fake:
    """Source, policy and reporter in one."""

    def __init__(self, error=None):
        self.error = error
        self.told = []

    def load(self):
        if self.error:
            raise self.error
        return Readings.of([1])

    def decide(self, readings):
        return Command.COOL

    def report(self, command):
        self.told.append(command)

    def refuse(self, error):
        self.told.append(error)


def test_cycle_reports():
    fake = Fake()
    assert ControlCycle(fake, fake, fake).run() == 11
    assert fake.told == [Command.COOL]


def test_cycle_refuses():
    fake = Fake(InputError("no"))
    assert ControlCycle(fake, fake, fake).run() == 1
    assert fake.told == [fake.error]


@pytest.mark.parametrize("value, status, word", [(10, 10, "HEAT"), (20, 0, "STABLE"), (30, 11, "COOL")])
def test_main(tmp_path, capsys, value, status, word):
    path = tmp_path / "readings.json"
    path.write_text('{"readings": [%s]}' % value)
    assert main(["--input", str(path), "--target-temp", "20"]) == status
    assert capsys.readouterr().out == word + "\n"


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", "{}", '{"readings": []}', '{"readings": 5}', '{"readings": [1, "2"]}', '{"readings": [true]}',
     '{"readings": [null]}', '{"readings": [NaN]}', '{"readings": [[1]]}'],
)
def test_bad_files(tmp_path, capsys, text):
    path = tmp_path / "readings.json"
    path.write_text(text)
    assert main(["--input", str(path), "--target-temp", "20"]) == 1
    assert capsys.readouterr().out == ""
