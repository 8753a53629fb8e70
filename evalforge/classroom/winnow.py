"""Winnowing (Schleimer, Wilkerson, Aiken 2003): few fingerprints of a text, yet one in every long shared run."""

import hashlib
from collections import deque
from collections.abc import Sequence

GRAM_LENGTH = 18
"""Tokens one fingerprint covers; a shorter match is never found."""
DETECTED_LENGTH = 28
"""Shared tokens from which on at least one fingerprint is certain to be shared."""
WINDOW_LENGTH = DETECTED_LENGTH - GRAM_LENGTH + 1


def gram_hashes(tokens: Sequence[str], length: int = GRAM_LENGTH) -> list[int]:
    """The hash of each run of ``length`` tokens, by the index it begins at."""
    return [_hash("\0".join(tokens[start : start + length])) for start in range(len(tokens) - length + 1)]


def _hash(text: str) -> int:
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big")


def winnow(hashes: Sequence[int], window: int = WINDOW_LENGTH) -> list[int]:
    """The indices of the fingerprints: in every window that of its smallest hash, the rightmost of equals.

    Fewer hashes than a window make one window.
    """
    chosen: list[int] = []
    candidates: deque[int] = deque()  # indices of hashes that may still be the smallest, in rising order of hash
    for index, value in enumerate(hashes):
        while candidates and hashes[candidates[-1]] >= value:
            candidates.pop()
        candidates.append(index)
        if candidates[0] <= index - window:
            candidates.popleft()
        if index >= min(window, len(hashes)) - 1 and (not chosen or chosen[-1] != candidates[0]):
            chosen.append(candidates[0])
    return chosen
