import json

import pytest

TABLE = "k,w,v\na,b,1\n"


@pytest.mark.parametrize("value", ["", "   ", "tin", "nan", "inf", "-Infinity", "1,5", "1.2.3", "--1", "0x10"])
def test_no_number_in_the_last_row(hall, value):
    hall.refuses(value.strip(), TABLE + f'c,d,"{value}"\n')


def test_no_table(hall):
    hall.refuses("table.csv")


def test_no_slip(hall):
    hall.slip.unlink()
    hall.refuses("slip.json", TABLE)


@pytest.mark.parametrize("table", ["", "k,w,v\n", "k,w,v"], ids=["empty", "header", "header without end"])
def test_no_rows(hall, table):
    hall.refuses("", table)


def test_nothing_is_created(hall):
    assert hall.pour(TABLE + "c,d,x\n").returncode == 1
    assert not hall.mould.exists()


@pytest.mark.parametrize("row", ["c,d", "c", "c,d\ne,f,2"])
def test_short_row(hall, row):
    hall.refuses("", TABLE + row + "\n")


@pytest.mark.xfail(strict=True, reason="only the columns of the config are looked for")
def test_short_row_that_lacks_only_an_ignored_field(hall):
    hall.refuses("", "k,v,w\na,1,b\nc,2\n")


@pytest.mark.parametrize("columns, missing", [(["v", "x"], "x"), (["u", "k"], "u"), (["V", "k"], "V"), (["v", "k", "K"], "K")])
def test_missing_column(hall, columns, missing):
    hall.order(*columns)
    hall.refuses(missing, TABLE)


@pytest.mark.parametrize(
    "slip, culprit",
    [
        ("{", "slip.json"),
        ("", "slip.json"),
        ("[]", ""),
        ("null", ""),
        ('{"value_field": "v"}', "group_by"),
        ('{"group_by": ["k"]}', "value_field"),
        ('{"group_by": [], "value_field": "v"}', "group_by"),
    ],
)
def test_bad_slip(hall, slip, culprit):
    hall.slip.write_text(slip)
    hall.refuses(culprit, TABLE)


@pytest.mark.xfail(strict=True, reason="a string is walked letter by letter")
def test_group_by_is_a_string(hall):
    hall.slip.write_text(json.dumps({"group_by": "k", "value_field": "v"}))
    hall.refuses("group_by", TABLE)


@pytest.mark.xfail(strict=True, reason="types are not looked at; ends in a traceback")
@pytest.mark.parametrize("group_by, value_field", [(3, "v"), (["k", 3], "v"), (["k"], ["v"]), (["k"], None)])
def test_other_types(hall, group_by, value_field):
    hall.slip.write_text(json.dumps({"group_by": group_by, "value_field": value_field}))
    hall.refuses("", TABLE)
