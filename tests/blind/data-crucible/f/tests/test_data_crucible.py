import pytest

ORDER = {"group_by": ["metal"], "value_field": "kg"}


def test_groups(crucible):
    table = 'kg,note,metal\r\n2.5,"x, y",tin\r\n-1,,iron\r\n 4 ,,tin\r\n+1,,"t""n"\r\n'
    assert crucible(table, ORDER) == (
        0,
        "",
        [
            {"metal": "iron", "sum": -1, "count": 1, "avg": -1},
            {"metal": 't"n', "sum": 1, "count": 1, "avg": 1},
            {"metal": "tin", "sum": 6.5, "count": 2, "avg": 3.25},
        ],
    )


def test_several_columns(crucible):
    status, _, rows = crucible("a,b,v\n2,x,1\n10,x,1\n10,X,1\n", {"group_by": ["b", "a"], "value_field": "v"})
    assert [(row["b"], row["a"]) for row in rows] == [("X", "10"), ("x", "10"), ("x", "2")]


def test_text_is_left_alone(crucible):
    _, _, rows = crucible("metal,kg\n007,1\n7,1\n tin,1\n,1\nä,1\n", ORDER)
    assert [row["metal"] for row in rows] == ["", " tin", "007", "7", "ä"]


def test_avg_is_not_rounded(crucible):
    _, _, [row] = crucible("metal,kg\ntin,1\ntin,1\ntin,0\n", ORDER)
    assert row["avg"] == pytest.approx(2 / 3, rel=1e-12)


@pytest.mark.parametrize("blank", ["", " ", "   "])
def test_rows_with_a_blank_value_do_not_count(crucible, blank):
    status, _, rows = crucible(f"metal,kg\ntin,2\ntin,{blank}\ntin,4\niron,{blank}\n", ORDER)
    assert status == 0
    assert rows == [{"metal": "tin", "sum": 6, "count": 2, "avg": 3}]


@pytest.mark.parametrize(
    "table, culprit",
    [
        (None, "t.csv"),
        ("", ""),
        ("metal,kg\n", ""),
        ("metal,kg\ntin, \n", ""),
        ("metal,weight\ntin,1\n", "kg"),
        ("kg\n1\n", "metal"),
        ("metal,kg\ntin,1\ntin,heavy\n", "heavy"),
        ("metal,kg\ntin,nan\n", "nan"),
        ("metal,kg\ntin,inf\n", "inf"),
        ("metal,kg,note\ntin,1\n", "2"),
    ],
)
def test_bad_table(crucible, table, culprit):
    status, message, output = crucible(table, ORDER)
    assert (status, output) == (1, "old")
    assert culprit in message and message


@pytest.mark.parametrize(
    "config, culprit",
    [
        ("nothing", "JSON"),
        ("[]", "object"),
        ({"group_by": ["metal"]}, "value_field"),
        ({"value_field": "kg"}, "group_by"),
        ({**ORDER, "group_by": "metal"}, "group_by"),
        ({**ORDER, "group_by": []}, "group_by"),
        ({**ORDER, "group_by": [None]}, "group_by"),
        ({**ORDER, "value_field": 5}, "value_field"),
    ],
)
def test_bad_config(crucible, config, culprit):
    status, message, output = crucible("metal,kg\ntin,1\n", config)
    assert (status, output) == (1, "old")
    assert culprit in message
