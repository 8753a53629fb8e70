"""What the crucible promises, piece by piece and then as a whole."""

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from data_crucible import Config, CrucibleError, aggregate, main, parse_config, parse_number, select_values

CONFIG = Config(("region",), "amount")


def test_a_good_config_is_taken_over():
    config = parse_config('{"group_by": ["region", "product"], "value_field": "amount", "note": 1}')
    assert config == Config(("region", "product"), "amount")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "not valid JSON"),
        ('["region"]', "JSON object"),
        ('{"value_field": "amount"}', "no 'group_by'"),
        ('{"group_by": ["region"]}', "no 'value_field'"),
        ('{"group_by": [], "value_field": "amount"}', "one or more"),
        ('{"group_by": "region", "value_field": "amount"}', "must be a list"),
        ('{"group_by": ["region", 1], "value_field": "amount"}', "must be strings"),
        ('{"group_by": ["region"], "value_field": null}', "must be strings"),
    ],
)
def test_a_bad_config_is_refused(text, told):
    with pytest.raises(CrucibleError, match=told):
        parse_config(text)


@pytest.mark.parametrize(("text", "number"), [("3", 3.0), ("-0.25", -0.25), (" +7 ", 7.0)])
def test_numbers(text, number):
    assert parse_number(text) == number


@pytest.mark.parametrize("text", ["", "  ", "heavy", "12kg", "nan", "inf", "-inf"])
def test_what_is_no_number(text):
    with pytest.raises(CrucibleError, match="number"):
        parse_number(text)


def test_selecting_finds_columns_by_name():
    table = [["note", "amount", "region"], ["x", "4", "north"], ["", "-1.5", "south"]]
    assert select_values(table, CONFIG) == [(("north",), 4.0), (("south",), -1.5)]


def test_selecting_keeps_the_order_of_group_by():
    table = [["a", "b", "n"], ["1", "2", "3"]]
    assert select_values(table, Config(("b", "a"), "n")) == [(("2", "1"), 3.0)]


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ([], "no rows"),
        ([["region", "amount"]], "no rows"),
        ([["area", "amount"], ["north", "4"]], "no column region"),
        ([["region", "price"], ["north", "4"]], "no column amount"),
        ([["region", "amount"], ["north", "4"], ["south"]], "row 2 has 1 fields"),
        ([["region", "amount"], ["north", "4"], ["south", "lead"]], "row 2, column amount: 'lead'"),
    ],
)
def test_a_bad_table_is_refused(table, told):
    with pytest.raises(CrucibleError, match=told):
        select_values(table, CONFIG)


def test_sum_count_and_average():
    rows = [(("north",), 1.0), (("south",), 5.0), (("north",), 1.0), (("north",), 2.5)]
    assert aggregate(rows, CONFIG) == [
        {"region": "north", "sum": 4.5, "count": 3, "avg": 1.5},
        {"region": "south", "sum": 5.0, "count": 1, "avg": 5.0},
    ]


def test_groups_are_sorted_as_text_by_the_first_column_then_the_second():
    rows = [(("9", "b"), 1.0), (("9", "a"), 1.0), (("10", "z"), 1.0)]
    results = aggregate(rows, Config(("bin", "mark"), "n"))
    assert [(row["bin"], row["mark"]) for row in results] == [("10", "z"), ("9", "a"), ("9", "b")]


def test_a_long_sum_does_not_drift():
    assert aggregate([(("a",), 0.1)] * 10, CONFIG)[0]["sum"] == 1.0


@pytest.fixture
def pour(tmp_path):
    """Run main() on given texts; gives back the exit status and the path of the output."""

    def run(table, config, before=None):
        (tmp_path / "in.csv").write_text(table, encoding="utf-8")
        (tmp_path / "config.json").write_text(config, encoding="utf-8")
        output = tmp_path / "out.json"
        if before is not None:
            output.write_text(before, encoding="utf-8")
        names = {"--input": "in.csv", "--config": "config.json", "--output": "out.json"}
        return main([part for option, name in names.items() for part in (option, str(tmp_path / name))]), output

    return run


GOOD = '{"group_by": ["stadt"], "value_field": "kg"}'


def test_from_file_to_file(pour):
    status, output = pour('stadt,kg\n"Köln, Süd",2\nBonn,1\n"Köln, Süd",3\n', GOOD)
    assert status == 0
    assert json.loads(output.read_text(encoding="utf-8")) == [
        {"stadt": "Bonn", "sum": 1.0, "count": 1, "avg": 1.0},
        {"stadt": "Köln, Süd", "sum": 5.0, "count": 2, "avg": 2.5},
    ]


def test_bad_input_ends_with_status_one_and_a_message(pour, capsys):
    status, output = pour("stadt,kg\nBonn,viel\n", GOOD)
    assert status == 1
    assert "viel" in capsys.readouterr().err
    assert not output.exists()


def test_an_earlier_output_survives_bad_input(pour):
    status, output = pour("stadt,kg\n", GOOD, before="old")
    assert status == 1
    assert output.read_text(encoding="utf-8") == "old"


@pytest.mark.parametrize("missing", ["--input", "--config"])
def test_a_missing_file_is_named(tmp_path, capsys, missing):
    paths = {"--input": tmp_path / "in.csv", "--config": tmp_path / "config.json", "--output": tmp_path / "out.json"}
    paths["--input"].write_text("stadt,kg\nBonn,1\n", encoding="utf-8")
    paths["--config"].write_text(GOOD, encoding="utf-8")
    paths[missing].unlink()
    assert main([str(part) for pair in paths.items() for part in pair]) == 1
    assert paths[missing].name in capsys.readouterr().err
