"""Claims: faults that a model says it found by reading, named so that they can be run."""

from pydantic import Field

from evalforge.model.base import Frozen


class Claim(Frozen):
    """A fault, and how to see it.

    Attributes:
        criterion_id: The criterion that the fault is charged to.
        fault: What is wrong, in one sentence.
        contract: The contract's words that are broken.
        files: Text of files in the working directory before the first step, by name.
        steps: Calls or command lines, in the language of ``evidence.claims``; the last one gives what is compared.
        expected: What the contract asks for: a value, ``raises NAME``, ``exit status N``.
        got: What will come instead, or ``hangs`` or ``crashes``.
    """

    criterion_id: str
    fault: str
    contract: str = ""
    files: dict[str, str] = Field(default_factory=dict[str, str])
    steps: tuple[str, ...]
    expected: str
    got: str
