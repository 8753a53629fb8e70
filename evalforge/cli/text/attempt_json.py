"""A stored attempt as JSON: the format ``attempt`` of ``evalforge schema``."""

from evalforge.cli import output
from evalforge.history.store import History
from evalforge.model.attempt import Attempt


def print_attempt_json(history: History, attempt: Attempt) -> None:
    """Print a whole attempt, including levels that a person has set since."""
    revised = history.overrides.of(attempt.id)
    override_data = {"overrides": revised.model_dump(mode="json")} if revised else {}
    output.print_json({**attempt.model_dump(mode="json"), **override_data})
