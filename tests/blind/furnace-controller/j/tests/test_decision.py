"""Valid files."""

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from furnace_controller import main

EXIT = {"STABLE": 0, "HEAT": 10, "COOL": 11}
edge = pytest.mark.xfail(strict=True, reason="an edge counts as outside")


@pytest.mark.parametrize(
    ("readings", "target", "options", "word"),
    [
        ("[10]", "20", [], "HEAT"),
        ("[20]", "20", [], "STABLE"),
        ("[30]", "20", [], "COOL"),
        ("[18.875]", "20", [], "HEAT"),
        pytest.param("[19]", "20", [], "STABLE", marks=edge),
        ("[19.125]", "20", [], "STABLE"),
        ("[20.875]", "20", [], "STABLE"),
        pytest.param("[21]", "20", [], "STABLE", marks=edge),
        ("[21.125]", "20", [], "COOL"),
        ("[20]", "20", ["--tolerance", "0"], "STABLE"),
        ("[20.125]", "20", ["--tolerance", "0"], "COOL"),
        ("[19.875]", "20", ["--tolerance", "0"], "HEAT"),
        ("[20.25]", "20", ["--tolerance", "0.5"], "STABLE"),
        pytest.param("[20.5]", "20", ["--tolerance", "0.5"], "STABLE", marks=edge),
        ("[20.75]", "20", ["--tolerance", "0.5"], "COOL"),
        ("[0]", "0", [], "STABLE"),
        ("[-3]", "-1.5", [], "HEAT"),
        ("[0]", "-1.5", [], "COOL"),
        ("[10, 20, 30]", "20", [], "STABLE"),
        ("[0, 0, 60]", "20", [], "STABLE"),
        ("[20, 20, 24]", "20", [], "COOL"),
        ("[24, 20, 20]", "20", [], "COOL"),
    ],
)
def test_decision(run, readings, target, options, word):
    result = run('{"readings": %s, "unit": "C"}' % readings, *options, target=target)
    assert result.status == EXIT[word]
    assert result.words == [word]


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    quarters=st.lists(st.integers(-400, 400), min_size=1, max_size=8),
    target=st.integers(-50, 50),
    tolerance=st.integers(0, 20),
)
@example(quarters=[81], target=20, tolerance=0)
def test_against_whole_numbers(tmp_path, quarters, target, tolerance):
    distance = sum(quarters) - 4 * target * len(quarters)
    margin = 4 * tolerance * len(quarters)
    if margin and abs(distance) == margin:
        return
    expected = 10 if distance < -margin else 11 if distance > margin else 0
    path = tmp_path / "readings.json"
    path.write_text('{"readings": %s}' % [q / 4 for q in quarters])
    with pytest.raises(SystemExit) as left:
        main(["--input", str(path), "--target-temp", str(target), "--tolerance", str(tolerance)])
    assert left.value.code == expected
