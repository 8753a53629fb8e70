"""Claims: faults that a model says it found by reading, written so that they can be checked by running the code."""

from pydantic import Field

from evalforge.model.base import Frozen


class Claim(Frozen):
    """A fault and the steps that show it.

    Attributes:
        criterion_id: The criterion that loses points for the fault.
        fault: What is wrong, in one sentence.
        contract: The words of the contract that the code breaks.
        files: Text of files in the working directory before the first step, by name.
        steps: Calls or command lines, in the language of ``evidence.claims``; the result of the last one is compared.
        expected: What the contract asks for: a value, ``raises NAME``, ``exit status N``.
        got: What the code will do instead, or ``hangs`` or ``crashes``.
    """

    criterion_id: str
    fault: str
    contract: str = ""
    files: dict[str, str] = Field(default_factory=dict[str, str])
    steps: tuple[str, ...]
    expected: str
    got: str
