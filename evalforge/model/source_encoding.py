"""Decodes Python files that name another encoding than UTF-8 in their first lines (PEP 263)."""

import codecs
import io
import re
import tokenize

_COOKIE = re.compile(r"^([ \t\f]*#.*?coding[:=][ \t]*)[-\w.]+", re.MULTILINE)
_CONVERTED_CODECS = ("iso8859", "cp", "koi8", "mac-", "gb", "big5", "euc_", "shift_jis", "johab")
"""How the names of encodings begin that read a file alike in one go and line by line."""


def decode_source(raw: bytes) -> str:
    """Decode a Python file as Python does; the line that names its encoding then names UTF-8.

    Raises:
        UnicodeDecodeError: It isn't text in that encoding, or in UTF-8 if it names none that is converted.
    """
    encoding = "" if raw.isascii() else _named_encoding(raw)
    if not encoding.startswith(_CONVERTED_CODECS):
        return raw.decode("utf-8")
    return _COOKIE.sub(r"\1utf-8", raw.decode(encoding), count=1)


def _named_encoding(raw: bytes) -> str:
    try:
        return codecs.lookup(tokenize.detect_encoding(io.BytesIO(raw).readline)[0]).name
    except (SyntaxError, LookupError, ValueError):
        return ""  # Python refuses it too
