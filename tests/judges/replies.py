"""What a model replies about a submission."""

from typing import Any


def judgement(
    scores: dict[str, float], quote: tuple[str, int, str] = ("main.py", 1, "def decide(x):"), **more: Any
) -> dict[str, Any]:
    """A reply in the right form."""
    path, line, text = quote
    return {
        "criteria": {
            name: {
                "evidence": [{"path": path, "line": line, "quote": text}],
                "comment": f"It does {score}.",
                "score": score,
                "uncertain": False,
                "contradicts_limit": "",
                "claims": [],
            }
            for name, score in scores.items()
        },
        "summary": "It decides. It reads badly.",
        "improvements": [
            {"criterion": next(iter(scores), ""), "text": "Name the limits."},
            {"criterion": list(scores)[-1], "text": "Test the edges."},
        ],
        "raw_notes": "",
        **more,
    }
