"""Tricks that buy levels from shipped bosses: what each changes in an exemplar, and what that is worth.

A text that a trick writes may hold files of the exemplar: ``@source PATH@``, ``@indented PATH@`` (each line by four
blanks), ``@text PATH@`` (as a Python literal), ``@base64 PATH@`` (compressed before), ``@marshal PATH@`` (compiled, as
a literal of bytes) and ``@utf7 PATH@`` (on one line that UTF-7 makes many).
"""

from __future__ import annotations

import base64
import marshal
import re
import shutil
import string
import textwrap
import zlib
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from tests.conftest import REPOSITORY

TRICKS_FOLDER = Path(__file__).resolve().parent / "tricks"
_BOSSES = REPOSITORY / "bosses"
_NOT_HANDED_IN = shutil.ignore_patterns("gold.yaml", "__pycache__")
_LITERAL_IN_UTF7 = frozenset(string.ascii_letters + string.digits + " '(),-./:?")


def _utf7(letter: str) -> str:
    if letter in _LITERAL_IN_UTF7:
        return letter
    return f"+{base64.b64encode(letter.encode('utf-16-be')).decode().rstrip('=')}-"


_FORMS = {
    "source": lambda source: source,
    "indented": lambda source: textwrap.indent(source, "    "),
    "text": repr,
    "base64": lambda source: base64.b64encode(zlib.compress(source.encode(), 9)).decode(),
    "utf7": lambda source: "".join(_utf7(letter) for letter in f"\n{source}\n"),
    "marshal": lambda source: repr(marshal.dumps(compile(source, "program", "exec", dont_inherit=True))),
}
_TOKEN = re.compile(rf"@({'|'.join(_FORMS)}) ([\w./-]+)@")


@dataclass(frozen=True)
class Trick:
    """One way to get a level for nothing.

    Attributes:
        folder: Where its manifest lies.
        trick: What it does, in a sentence.
        base: The exemplar that it changes: ``BOSS/NAME``.
        lines: How many lines it costs who hands in the exemplar.
        levels: The levels a careful reader gives, where they aren't those of the exemplar.
        still_works: The levels that the judge gives today where they are higher, by criterion.
        write: Texts of files, by path; tokens in them are replaced by files of the exemplar.
        replace: What is replaced in files of the exemplar, by path and words.
        remove: Files of the exemplar that aren't handed in.
    """

    folder: Path
    trick: str
    base: str
    lines: int
    levels: dict[str, int] = field(default_factory=dict)
    still_works: dict[str, int] = field(default_factory=dict)
    write: dict[str, str] = field(default_factory=dict)
    replace: dict[str, dict[str, str]] = field(default_factory=dict)
    remove: tuple[str, ...] = ()

    @property
    def family(self) -> str:
        return self.folder.parent.name

    @property
    def name(self) -> str:
        return f"{self.family}/{self.folder.name}"

    @property
    def boss(self) -> Path:
        return _BOSSES / self.base.split("/")[0]

    @property
    def exemplar(self) -> Path:
        return self.boss / "exemplars" / self.base.split("/")[1]

    @property
    def honest_levels(self) -> dict[str, int]:
        gold = yaml.safe_load((self.exemplar / "gold.yaml").read_text("utf-8"))["levels"]
        assert gold.keys() >= self.levels.keys(), f"{self.name} names a criterion that its boss doesn't have"
        return {**gold, **self.levels}

    def lay_out(self, target: Path) -> Path:
        """Copy the exemplar and play the trick on it."""
        shutil.copytree(self.exemplar, target, ignore=_NOT_HANDED_IN)
        for path in self.remove:
            (target / path).unlink()
        for path, words in self.replace.items():
            _replace_words(target / path, words)
        for path, text in self.write.items():
            (target / path).parent.mkdir(parents=True, exist_ok=True)
            (target / path).write_text(_TOKEN.sub(self._file_in_form, text), "utf-8")
        return target

    def _file_in_form(self, token: re.Match[str]) -> str:
        return _FORMS[token[1]]((self.exemplar / token[2]).read_text("utf-8").removesuffix("\n"))


def _replace_words(path: Path, words: dict[str, str]) -> None:
    text = path.read_text("utf-8")
    for old, new in words.items():
        assert old in text, f"{path.name} doesn't hold {old!r}"
        text = text.replace(old, new)
    path.write_text(text, "utf-8")


def read_trick(folder: Path) -> Trick:
    """Read one manifest."""
    given = yaml.safe_load((folder / "attack.yaml").read_text("utf-8"))
    given["remove"] = tuple(given.get("remove", ()))
    return Trick(folder=folder, **given)


TRICKS = tuple(read_trick(path.parent) for path in sorted(TRICKS_FOLDER.glob("*/*/attack.yaml")))
