import pytest

from yard.app import Application
from yard.domain import Blow, BlowCount, Session, StrikerName
from yard.rendering import ThwackRenderer


class ListSink:
    def __init__(self):
        self.lines = []

    def write_all(self, lines):
        self.lines.extend(lines)


@pytest.fixture
def sink():
    return ListSink()


def test_the_words():
    assert ThwackRenderer().render(Blow(StrikerName("Ann"), 7)) == "Thwack! Ann lands blow 7."


def test_blows_are_counted_from_one():
    session = Session(StrikerName("Ann"), BlowCount(3))
    assert [blow.number for blow in session.blows()] == [1, 2, 3]


@pytest.mark.parametrize("arguments", [["Ann", "--blows", "2"], ["--blows", "2", "Ann"]])
def test_application(sink, arguments):
    assert Application(sink).run(arguments) == 0
    assert sink.lines == ["Thwack! Ann lands blow 1.", "Thwack! Ann lands blow 2."]


@pytest.mark.parametrize("name", ["Zoë", "{0}", "50%", "two words"])
def test_odd_names(sink, name):
    Application(sink).run([name])
    assert sink.lines == [f"Thwack! {name} lands blow 1."]


@pytest.mark.parametrize(
    "arguments, named",
    [([], "NAME"), ([" "], "NAME"), (["Ann", "--blows", "0"], "--blows"), (["Ann", "--blows", "100"], "--blows"), (["Ann", "--blows", "x"], "--blows")],
)
def test_refusals(sink, capsys, arguments, named):
    with pytest.raises(SystemExit) as ended:
        Application(sink).run(arguments)
    assert ended.value.code == 2
    assert named in capsys.readouterr().err
    assert sink.lines == []
