"""From bytes to entries."""

import re
from datetime import datetime

from leviathan.model import Entry, Level, Request

TIME = r"(?P<time>[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z)"
LEVEL = rf"(?P<level>{'|'.join(Level.__members__)})"
COMPONENT = r"(?P<component>[a-zA-Z0-9._-]+)"
MESSAGE = r"(?P<message>[^ ].*)"
LINE_PATTERN = re.compile(" ".join([TIME, LEVEL, COMPONENT, MESSAGE]), re.DOTALL)
REQUEST_PATTERN = re.compile(r"(?P<request>[A-Z]+ /[^ ]*) (?P<status>[0-9]{3}) (?P<ms>[0-9]+)ms")


class RegexParser:
    """Understands lines with one pattern, and moments with the calendar."""

    def parse(self, line: bytes) -> Entry | None:
        try:
            text = line.decode("utf-8")
        except UnicodeDecodeError:
            return None
        match = LINE_PATTERN.fullmatch(text)
        if match is None or not self._exists(match["time"]):
            return None
        return Entry(
            time=match["time"],
            level=Level[match["level"]],
            component=match["component"],
            message=match["message"],
            request=self._request(match["message"]),
        )

    @staticmethod
    def _exists(time: str) -> bool:
        try:
            datetime.fromisoformat(time)
        except ValueError:
            return False
        return True

    @staticmethod
    def _request(message: str) -> Request | None:
        match = REQUEST_PATTERN.fullmatch(message)
        return match and Request(match["request"], int(match["status"]), int(match["ms"]))
