"""Winnowing (Schleimer, Wilkerson, Aiken 2003): few fingerprints of a text, and no long shared stretch without one."""

import hashlib
from collections import deque
from collections.abc import Sequence

GRAM = 18
"""How many tokens one fingerprint covers; shorter stretches are never seen."""
STRETCH = 28
"""From how many shared tokens on at least one fingerprint is certain to be shared."""
WINDOW = STRETCH - GRAM + 1


def grams(tokens: Sequence[str], length: int = GRAM) -> list[int]:
    """The hash of each run of so many tokens, by where it begins."""
    return [_hash("\0".join(tokens[start : start + length])) for start in range(len(tokens) - length + 1)]


def _hash(words: str) -> int:
    digest = hashlib.blake2b(words.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big")


def winnow(hashes: Sequence[int], window: int = WINDOW) -> list[int]:
    """Where the fingerprints are: of every window the place of its smallest hash, the rightmost of equals.

    Fewer hashes than a window make one window.
    """
    chosen: list[int] = []
    waiting: deque[int] = deque()  # places of hashes that may still be the smallest, in rising order of hash
    for place, value in enumerate(hashes):
        while waiting and hashes[waiting[-1]] >= value:
            waiting.pop()
        waiting.append(place)
        if waiting[0] <= place - window:
            waiting.popleft()
        if place >= min(window, len(hashes)) - 1 and (not chosen or chosen[-1] != waiting[0]):
            chosen.append(waiting[0])
    return chosen
