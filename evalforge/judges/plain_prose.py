"""Cleaning of a model's text for the result: no markup, self-talk, verdicts or totals.

``I think `run()` is **clear**. Total: 7 of 8.`` becomes ``run() is clear.``
"""

import re

_FENCE = re.compile(r"```[A-Za-z]*[ \t]*\n?")
_BOLD = re.compile(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1(?!\w)")  # as in **clear**, and not in __init__.py
_LINE_MARK = re.compile(r"^[ \t]*(?:#{1,6}[ \t]+|[-*•][ \t]+|\d{1,2}[.)][ \t]+|>[ \t]+)", re.MULTILINE)
_LINK = re.compile(r"\[([^\]\n]+)\]\(https?://[^)\s]*\)")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9\"'(`_])")
_NAME = re.compile(r"\S*[(._/]\w*\S*\s")  # as in run(), main.py
# As in: "As an AI language model, ", "In my opinion, ", "I believe that "
_SELF_TALK_START = re.compile(
    r"^(?:as an? (?:ai|llm|language model|assistant|judge|reviewer)\b[^,.]*,\s*)?"
    r"(?:in my (?:opinion|view|judge?ment|assessment),?\s+|(?:i|we) (?:would |do )?"
    r"(?:think|believe|feel|find|see|note|notice|consider|guess|assume|say|judge)\s+(?:that\s+)?)?",
    re.IGNORECASE,
)
# As in: "I'd give it full marks.", "My rules forbid it."
_SELF_TALK = re.compile(r"\b(?:I|I'm|I'd|I've|I'll|[Mm]y|[Ww]e|(?i:as an? (?:ai|llm|language model)|language model))\b")
# As in: "Overall verdict: pass.", "Total score 7 out of 8.", "The submission passes."
_VERDICT = re.compile(
    r"\bverdict\b|\bstrong[ _-]pass\b|\b(?:total|overall|final)\s+(?:score|grade|marks?|points?|result)\b"
    r"|\bscor(?:e|es|ed|ing)\b[^.]{0,25}\b\d+(?:\.\d+)?\s*(?:/|out of)\s*\d+|\bscore (?:of|is|:)\s*\d"
    r"|\b\d+(?:\.\d+)?\s*(?:/|of|out of)\s*\d+\s+(?:points?|marks?)\b|^\s*total\s*[:=]"
    r"|\b(?:submission|solution|attempt|hand-in|candidate)\s+(?:clearly |barely |easily |should )?"
    r"(?:pass(?:es)?|fails?)\s*(?:[.!]|$|overall\b|the (?:boss|threshold|rubric)\b)",
    re.IGNORECASE,
)


def plain_prose(text: str) -> str:
    """A model's text in plain words; empty if nothing of it is about the code."""
    sentences = (_about_code(sentence) for sentence in _SENTENCE_END.split(" ".join(_without_markup(text).split())))
    return " ".join(sentence for sentence in sentences if sentence)


def _without_markup(text: str) -> str:
    text = _LINK.sub(r"\1", _LINE_MARK.sub("", _FENCE.sub("", text)))
    return _BOLD.sub(r"\2", text).replace("`", "")


def _about_code(sentence: str) -> str:
    """Strip a sentence of self-talk; empty if it is about the judge itself, or states a verdict."""
    self_talk = _SELF_TALK_START.match(sentence)
    claim = sentence[self_talk.end() :] if self_talk else sentence
    if _VERDICT.search(claim) or _SELF_TALK.search(claim):
        return ""
    is_name = bool(_NAME.match(claim))
    return claim if claim == sentence or is_name else claim[:1].upper() + claim[1:]
