"""Why a model could not judge: reasons and advice for the person who fights, never a score."""

from dataclasses import dataclass

FORGE_ADVICE = "Your attempt is kept and nothing was scored. To be judged without a model: --judge forge"


@dataclass(frozen=True)
class Failure:
    """One way a call failed.

    Attributes:
        reason: What happened, in a sentence.
        advice: What to do about it.
        retry: Whether the same call may do better in a moment.
        wait: Seconds the server asked to wait; None if it didn't say.
        format_refused: Whether the server may have refused the way the form of the reply was asked for.
        status: The HTTP status the server answered with, or the one its error stands for; None if it gave none.
        unreached: Whether no server of the right kind was reached, so that nothing can have been charged.
        by_model: Whether the model itself ended it so: it declined, or had no room to finish.
    """

    reason: str
    advice: str = FORGE_ADVICE
    retry: bool = False
    wait: float | None = None
    format_refused: bool = False
    status: int | None = None
    unreached: bool = False
    by_model: bool = False

    @property
    def brief(self) -> str:
        """The first sentence of the reason, without its full stop; an address has full stops of its own."""
        return self.reason.partition(". ")[0].removesuffix(".")


class CallFailedError(Exception):
    """A call gave nothing that can be used. Never leaves the judges: it becomes *ungraded*.

    Args:
        failure: What happened.
    """

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.reason)
        self.failure = failure
