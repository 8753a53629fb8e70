"""A YAML loader that reads words as words: of the plain scalars only numbers, true, false and null mean more.

YAML 1.1, which PyYAML speaks, also takes ``no`` for false, ``1:30`` for 90 and a date for a date. YAML 1.2's core schema
(https://yaml.org/spec/1.2.2/#103-core-schema) doesn't, and neither does anyone who writes a rubric.
"""

import re
from typing import Any, cast

import yaml

_RESOLVERS = (
    ("tag:yaml.org,2002:bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
    ("tag:yaml.org,2002:null", r"~|null|Null|NULL|", ["~", "n", "N", ""]),
    ("tag:yaml.org,2002:int", r"[-+]?[0-9]+", "-+0123456789"),
    ("tag:yaml.org,2002:float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.inf|\.nan", "-+.0123456789"),
)


class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """Safe, and by the core schema of YAML 1.2."""

    yaml_implicit_resolvers: dict[str, list[Any]] = {}  # noqa: RUF012 - PyYAML's own way to configure a loader


def _integer(loader: yaml.SafeLoader, node: yaml.ScalarNode) -> int:
    return int(cast("str", loader.construct_scalar(node)))


def _float(loader: yaml.SafeLoader, node: yaml.ScalarNode) -> float:
    return float(cast("str", loader.construct_scalar(node)).lower().replace(".inf", "inf").replace(".nan", "nan"))


for _tag, _pattern, _first in _RESOLVERS:
    Loader.add_implicit_resolver(_tag, re.compile(f"^(?:{_pattern})$"), list(_first))
Loader.add_constructor("tag:yaml.org,2002:int", _integer)
Loader.add_constructor("tag:yaml.org,2002:float", _float)
