"""Claims: faults that a model says it found by reading, each with a test that shows it."""

from pydantic import ConfigDict

from evalforge.model.base import Frozen


class Claim(Frozen):
    """A fault, and a test that passes on every program that keeps the contract and fails on this one.

    Attempts from before claims were tests have other fields, which are ignored.

    Attributes:
        criterion_id: The criterion that loses points for the fault.
        fault: What is wrong, in one sentence.
        contract: The words of the contract that the code breaks.
        test: The source of one pytest function; empty in old attempts.
    """

    model_config = ConfigDict(extra="ignore")

    criterion_id: str
    fault: str
    contract: str = ""
    test: str = ""
