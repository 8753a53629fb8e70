"""A YAML loader that reads plain scalars as text unless they are numbers, true, false or null.

YAML 1.1, as PyYAML reads it, also takes ``no`` for false, ``1:30`` for 90, and dates for dates. YAML 1.2's core schema
(https://yaml.org/spec/1.2.2/#103-core-schema) doesn't, and authors of rubrics don't expect it.
"""

import re
from typing import Any, ClassVar, cast

import yaml

_RESOLVERS = (
    ("tag:yaml.org,2002:bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
    ("tag:yaml.org,2002:null", r"~|null|Null|NULL|", ["~", "n", "N", ""]),
    ("tag:yaml.org,2002:int", r"[-+]?[0-9]+", "-+0123456789"),
    (
        "tag:yaml.org,2002:float",
        r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.inf|\.nan",
        "-+.0123456789",
    ),
)


class Loader(yaml.CSafeLoader):
    """PyYAML's safe loader with the core schema of YAML 1.2."""

    # PyYAML is configured through this attribute; without a copy the class would change its parent's.
    yaml_implicit_resolvers: ClassVar[dict[str, list[Any]]] = {}  # pyright: ignore[reportIncompatibleVariableOverride]


def _integer(loader: yaml.CSafeLoader, node: yaml.ScalarNode) -> int:
    return int(loader.construct_scalar(node))


def _float(loader: yaml.CSafeLoader, node: yaml.ScalarNode) -> float:
    return float(loader.construct_scalar(node).lower().replace(".inf", "inf").replace(".nan", "nan"))


for _tag, _pattern, _first in _RESOLVERS:
    cast("Any", Loader).add_implicit_resolver(_tag, re.compile(f"^(?:{_pattern})$"), list(_first))
Loader.add_constructor("tag:yaml.org,2002:int", _integer)
Loader.add_constructor("tag:yaml.org,2002:float", _float)
