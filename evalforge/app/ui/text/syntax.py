"""Source code as coloured lines, lexed only as far as it has been viewed."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from evalforge.app.ui.text.styled_text import Run
from evalforge.model.text import clean

if TYPE_CHECKING:
    from pygments.token import _TokenType  # pyright: ignore[reportPrivateUsage] - it has no public name

"""Text and the role it is drawn in."""
TAB = 4
_MOST = 200_000
_ROLES = {
    "Token.Comment": "faint",
    "Token.Literal.String.Doc": "dim",
    "Token.Literal.String": "verdigris",
    "Token.Literal.Number": "molten",
    "Token.Keyword": "ember",
    "Token.Operator.Word": "ember",
    "Token.Name.Function": "steel",
    "Token.Name.Class": "steel",
    "Token.Name.Decorator": "steel",
    "Token.Name.Builtin": "steel",
}


class SyntaxHighlighter:
    """Colours the lines of one file.

    Args:
        path: Its name, which determines the language.
        text: Its content; unsafe characters are replaced here.
    """

    def __init__(self, path: str, text: str) -> None:
        self._text = clean(text).expandtabs(TAB)
        self._plain_lines = self._text.split("\n")
        self._done: list[list[Run]] = []
        self._tokens = self._lex(path)

    @property
    def count(self) -> int:
        """The number of lines."""
        return len(self._plain_lines)

    @property
    def plain_lines(self) -> list[str]:
        """The lines of the text, without colour."""
        return self._plain_lines

    def line(self, index: int) -> list[Run]:
        """Return one line, lexing up to it if necessary."""
        while len(self._done) <= index + 1 and self._tokens is not None:
            self._read_token()
        if index < len(self._done):
            return self._done[index]
        return [(self._plain_lines[index], "ash")] if index < len(self._plain_lines) else []

    def _read_token(self) -> None:
        assert self._tokens is not None
        token = next(self._tokens, None)
        if token is None:
            self._tokens = None
            return
        role, text = token
        if not self._done:
            self._done.append([])
        first, *more_lines = text.split("\n")
        self._done[-1].append((first, role))
        self._done += [[(line, role)] for line in more_lines]

    def _lex(self, path: str) -> Iterator[Run] | None:
        from pygments.lexers import get_lexer_for_filename  # pyright: ignore[reportUnknownVariableType]
        from pygments.util import ClassNotFound

        if len(self._text) > _MOST:
            return None
        try:
            lexer = get_lexer_for_filename(path.rsplit("/", 1)[-1], stripnl=False, ensurenl=False)
        except ClassNotFound:
            return None
        return ((_role(kind), text) for _, kind, text in lexer.get_tokens_unprocessed(self._text))


def _role(kind: "_TokenType") -> str:
    name = str(kind)
    while name:
        if name in _ROLES:
            return _ROLES[name]
        name = name.rpartition(".")[0]
    return "ash"
