"""Ten tests of the inventory."""

import pytest
from inventory import FullError, Inventory


def test_a_new_stock_is_empty():
    assert Inventory().total() == 0


def test_a_limit_below_one_is_refused():
    with pytest.raises(ValueError):
        Inventory(0)


def test_parts_add_up():
    stock = Inventory(5)
    assert stock.add("nut", 2) == 2
    assert stock.add("nut") == 3
    assert stock.room() == 2


def test_what_does_not_fit_changes_nothing():
    stock = Inventory(2)
    stock.add("nut", 2)
    with pytest.raises(FullError):
        stock.add("bolt")
    assert stock.parts == {"nut": 2}


def test_the_last_one_fits():
    stock = Inventory(2)
    stock.add("nut", 2)
    assert stock.room() == 0


def test_nothing_can_not_be_added():
    with pytest.raises(ValueError):
        Inventory().add("nut", 0)


def test_taking_leaves_the_rest():
    stock = Inventory()
    stock.add("nut", 3)
    assert stock.take("nut", 2) == 1
    assert stock.take("nut") == 0
    assert stock.parts == {}


def test_taking_too_much_is_refused():
    stock = Inventory()
    stock.add("nut", 1)
    with pytest.raises(ValueError):
        stock.take("nut", 2)


def test_the_cheapest():
    stock = Inventory()
    for name in ("nut", "bolt", "gear"):
        stock.add(name)
    assert stock.cheapest({"nut": 2.0, "bolt": 1.0}) == "bolt"
    assert stock.cheapest({}) is None


def test_the_value_with_a_discount():
    stock = Inventory()
    stock.add("nut", 10)
    stock.add("bolt", 9)
    assert stock.value({"nut": 1.0, "bolt": 1.0}, 0.5) == 14.0
