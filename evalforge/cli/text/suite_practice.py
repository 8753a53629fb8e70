"""The output of `evalforge watch --tests`: the impostors after each save, in a few lines or one line of JSON."""

from evalforge.cli.text.impostor_suite import impostor_data, print_count, print_riddles, print_wrong_expectations
from evalforge.cli.text.practice import PracticeJsonPrinter, PracticeTextPrinter
from evalforge.model.fight_record import FightRecord
from evalforge.model.impostor_tally import tally_impostors, unmeasured_reason
from evalforge.model.number_format import format_signed

_RIDDLES_SHOWN = 3


class SuiteTextPrinter(PracticeTextPrinter):
    """Prints for people: wrong expectations, the count and its change, and the riddles of a few missed impostors."""

    _invitation = "Save to run your tests against impostors."
    _work = "running the tests …"
    _unmasked_before: int | None = None

    def finish(self, record: FightRecord) -> None:
        """Print the impostors, or why the tests met none."""
        tally = tally_impostors(record.evidence)
        if record.ungraded is not None:
            self._ungraded(record)
            return
        if tally is None:
            self._line(("Not measured  ", "bold yellow"), unmeasured_reason(record.evidence), indent="  ")
            return
        print_wrong_expectations(self._out, tally, indent="  ")
        print_count(self._out, tally, indent="  ")
        if tally.unmeasured_reason:
            return
        change = len(tally.unmasked) - (self._unmasked_before or 0)
        if self._unmasked_before is not None and change:
            self._line((f"{format_signed(change)} since the last save", "green" if change > 0 else "red"), indent="  ")
        self._unmasked_before = len(tally.unmasked)
        print_riddles(self._out, tally.let_through[:_RIDDLES_SHOWN], indent="    ")

    def close(self, last: FightRecord | None) -> None:
        """Print the last count again."""
        tally = tally_impostors(last.evidence) if last else None
        text = ", ".join(part for part in (tally.words, tally.wrong_words) if part) if tally else ""
        self._out.print()
        self._line(f"Stopped at {text}" if text else "Stopped; nothing was measured")


class SuiteJsonPrinter(PracticeJsonPrinter):
    """Prints for programs: the output of `evalforge impostors --json` with the saved files, as one line."""

    def finish(self, record: FightRecord) -> None:
        """Print each impostor and the facts."""
        self._print(impostor_data(record))
