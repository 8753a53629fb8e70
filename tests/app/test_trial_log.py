"""The log of a fight: what stays in it, and what takes the place of what was said before."""

from evalforge.app.fight.stage.trial_log import TrialLog
from tests.app.harness import WidgetApp, lines


async def drawn(*messages: str) -> list[str]:
    """The lines of a log with these messages."""
    app = WidgetApp(TrialLog)
    async with app.run_test(size=(40, 8)) as pilot:
        for message in messages:
            app.query_one(TrialLog).show_message(message)
        await pilot.pause()
        texts = ["".join(segment.text for segment in line).strip() for line in lines(app)]
        return [text for text in texts if text]


async def test_how_far_something_has_got_is_one_line() -> None:
    assert await drawn(
        "Reading the code", "Sending impostors", "Sending impostors: 3 sent", "Sending impostors: 7 sent"
    ) == [
        "Reading the code",
        "Sending impostors: 7 sent",
    ]


async def test_another_message_stays_below_it() -> None:
    assert await drawn("Sending: 3 sent", "The boss falls.", "Sending: 7 sent") == [
        "Sending: 3 sent",
        "The boss falls.",
        "Sending: 7 sent",
    ]
