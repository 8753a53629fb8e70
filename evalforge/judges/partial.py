"""Parsing of a reply while it is written: each criterion's object is parsed as soon as its last brace arrives.

A strict JSON parser can't read half an object, and parsing the whole text again for each piece would take quadratic
time. So strings and brackets are tracked, and only a complete criterion is parsed.
"""

import re
from dataclasses import dataclass, field

from evalforge.judges.reply import LevelChoice, ReplyError, parse_json_object, read_choice
from evalforge.model.rubric import BossRubric

_TOKEN = re.compile(r'[{}\[\]"\\]')
_ROOT, _CRITERIA_DEPTH, _CRITERION_DEPTH = 1, 2, 3


@dataclass
class PartialReply:
    """Parses the text piece by piece, and each character once.

    Its choices are provisional: the whole reply is parsed again, strictly, when it is complete.
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
    _completed_ids: set[str] = field(default_factory=set[str])

    def feed(self, piece: str) -> list[LevelChoice]:
        """Parse the next piece of the reply.

        Returns:
            The criteria that became complete with it, each at most once, in the order in which they were written.
        """
        self.text += piece
        choices: list[LevelChoice] = []
        while match := _TOKEN.search(self.text, self._position):
            self._position = match.end()
            if match.group() == "\\" and self._in_string:
                if self._position == len(self.text):
                    # The escaped character is in the next piece.
                    self._position = match.start()
                    return choices
                self._position += 1
            elif match.group() == '"':
                self._toggle_string(match.start())
            elif not self._in_string:
                self._follow_bracket(match.group(), match.start(), choices)
        self._position = len(self.text)
        return choices

    def _toggle_string(self, position: int) -> None:
        if self._in_string:
            self._last_string = self.text[self._string_begin : position]
        else:
            self._string_begin = position + 1
        self._in_string = not self._in_string

    def _follow_bracket(self, bracket: str, position: int, choices: list[LevelChoice]) -> None:
        if bracket in "{[":
            self._depth += 1
            if self._depth == _CRITERIA_DEPTH:
                self._section = self._last_string
            elif self._depth == _CRITERION_DEPTH:
                self._object_key, self._object_begin = self._last_string, position
        elif self._depth:
            self._depth -= 1
            if bracket == "}" and self._depth == _CRITERIA_DEPTH and self._section == "criteria":
                self._complete_criterion(position + 1, choices)

    def _complete_criterion(self, end: int, choices: list[LevelChoice]) -> None:
        name = self._object_key
        if name in self._completed_ids:
            return
        try:
            criterion = self.rubric.criterion(name)
            choices.append(read_choice(criterion, parse_json_object(self.text[self._object_begin : end])))
        except (KeyError, ReplyError):
            return
        self._completed_ids.add(name)
