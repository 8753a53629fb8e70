"""Reading a reply while it is written: each criterion's object is found the moment its last brace arrives."""

import re
from dataclasses import dataclass, field

from evalforge.judges.reply import Choice, ReplyError, choice, load
from evalforge.model.rubric import BossRubric

_TOKEN = re.compile(r'[{}\[\]"\\]')
_ROOT, _CRITERIA, _CRITERION = 1, 2, 3


@dataclass
class PartialReply:
    """Takes text as it comes; every character is looked at once, whatever the text is.

    What it finds is provisional: the whole reply is read again, strictly, when it is complete.
    """

    rubric: BossRubric
    text: str = ""
    _position: int = 0
    _depth: int = 0
    _in_string: bool = False
    _string_begin: int = 0
    _last_string: str = ""
    _object_key: str = ""
    _object_begin: int = 0
    _section: str = ""
    _seen: set[str] = field(default_factory=set[str])

    def feed(self, piece: str) -> list[Choice]:
        """Take a piece of the reply.

        Returns:
            The criteria that became complete with it, each at most once, in the order they were written.
        """
        self.text += piece
        found: list[Choice] = []
        while match := _TOKEN.search(self.text, self._position):
            self._position = match.end()
            if match.group() == "\\" and self._in_string:
                if self._position == len(self.text):
                    # What it escapes is still to come.
                    self._position = match.start()
                    return found
                self._position += 1
            elif match.group() == '"':
                self._string(match.start())
            elif not self._in_string:
                self._bracket(match.group(), match.start(), found)
        self._position = len(self.text)
        return found

    def _string(self, at: int) -> None:
        if self._in_string:
            self._last_string = self.text[self._string_begin : at]
        else:
            self._string_begin = at + 1
        self._in_string = not self._in_string

    def _bracket(self, sign: str, at: int, found: list[Choice]) -> None:
        if sign in "{[":
            self._depth += 1
            if self._depth == _CRITERIA:
                self._section = self._last_string
            elif self._depth == _CRITERION:
                self._object_key, self._object_begin = self._last_string, at
        elif self._depth:
            self._depth -= 1
            if sign == "}" and self._depth == _CRITERIA and self._section == "criteria":
                self._complete(at + 1, found)

    def _complete(self, end: int, found: list[Choice]) -> None:
        name = self._object_key
        if name in self._seen:
            return
        try:
            criterion = self.rubric.criterion(name)
            found.append(choice(criterion, load(self.text[self._object_begin : end])))
        except (KeyError, ReplyError):
            return
        self._seen.add(name)
