"""Says everything with control characters, colours, links, bells, reversed and invisible letters."""

import sys

WORDS = "\x1b[2J\x1b]0;owned\x07\x1b]8;;http://attack.invalid\x1b\\PASSED\x9b31m\u202epassed\u200b\ud800\r\x08\x7f\U000e0041"
Painted = type("\x1b[31mPainted", (Exception,), {})
sys.stderr.reconfigure(errors="surrogatepass")


class Tally:
    def __init__(self, limit=None):
        raise Painted(WORDS)


if __name__ == "__main__":
    sys.stderr.write(WORDS)
    raise Painted(WORDS)
