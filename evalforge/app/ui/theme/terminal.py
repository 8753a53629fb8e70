"""Whether this terminal can be trusted with more than ASCII."""

from collections.abc import Mapping

_NO = frozenset({"", "0", "no", "false", "off"})


def is_ascii_only(environment: Mapping[str, str]) -> bool:
    """``EVALFORGE_ASCII`` decides if it is set; else a locale that names another encoding than UTF-8.

    A locale that isn't set says nothing about the terminal: nearly all of them speak UTF-8.
    """
    asked = environment.get("EVALFORGE_ASCII")
    if asked is not None:
        return asked.strip().lower() not in _NO
    named = next((v for name in ("LC_ALL", "LC_CTYPE", "LANG") if (v := environment.get(name))), "")
    return bool(named) and not named.lower().replace("-", "").split("@")[0].endswith("utf8")
