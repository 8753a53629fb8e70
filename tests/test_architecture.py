"""The page of the architecture: its arrows point downward, and every function that it names exists."""

import ast

import pytest

from docs.builder.architecture import BOXES, SOURCE, STOPS, box_arrows


def test_each_box_uses_only_boxes_below_it():
    names = [box.name for box in BOXES]
    upward = {
        (name, target)
        for name, targets in box_arrows().items()
        for target in targets
        if names.index(target) < names.index(name)
    }
    assert not upward


def test_every_package_is_in_one_box():
    packages = {path.name.removesuffix(".py") for path in SOURCE.iterdir() if path.suffix in ("", ".py")}
    boxed = [package for box in BOXES for package in box.packages]
    assert sorted(boxed) == sorted(packages - {"__init__", "__pycache__", "py.typed"})


@pytest.mark.parametrize(("file", "name"), [(file, name) for file, name, _ in STOPS], ids=lambda text: text)
def test_a_fight_passes_functions_that_exist(file, name):
    body = ast.parse((SOURCE / file).read_text("utf-8")).body
    for part in name.split("."):
        [node] = [each for each in body if getattr(each, "name", "") == part]
        body = node.body
