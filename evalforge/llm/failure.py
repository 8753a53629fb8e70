"""Why a call to a model failed: a reason and advice for the player, never a score."""

from dataclasses import dataclass

FORGE_ADVICE = "Nothing was scored. To be judged without a model: --judge forge"
"""Mentions no attempt: a judge doesn't know whether one is saved. If so, a ``Saved`` event follows."""
RETRY_ADVICE = "Try again in a few minutes. " + FORGE_ADVICE


@dataclass(frozen=True)
class CallFailure:
    """Why one call failed.

    Attributes:
        is_retryable: Whether the same call may succeed in a moment.
        retry_after_seconds: Time the server asked to wait; None if it named none.
        format_refused: Whether the server may have refused the way the reply's format was requested.
        status: The HTTP status the server answered with, or the one its error corresponds to; None if it gave none.
        server_unreached: Whether no server of the right kind was reached, so that nothing can have been charged.
        caused_by_model: Whether the model itself ended the reply early: it declined, or ran out of tokens.
    """

    reason: str
    advice: str = FORGE_ADVICE
    is_retryable: bool = False
    retry_after_seconds: float | None = None
    format_refused: bool = False
    status: int | None = None
    server_unreached: bool = False
    caused_by_model: bool = False

    @property
    def whole_advice(self) -> str:
        """The advice, always followed by how to be judged without a model."""
        if self.advice.endswith(FORGE_ADVICE):
            return self.advice
        return f"{self.advice}{'' if self.advice[-1:] in '.?!' else '.'} {FORGE_ADVICE}".strip()

    @property
    def headline(self) -> str:
        """The first sentence of the reason, without its full stop; full stops within addresses don't end it."""
        return self.reason.partition(". ")[0].removesuffix(".")


class CallFailedError(Exception):
    """A call returned nothing usable. Never leaves the judges: it becomes *ungraded*."""

    def __init__(self, failure: CallFailure) -> None:
        super().__init__(failure.reason)
        self.failure = failure
