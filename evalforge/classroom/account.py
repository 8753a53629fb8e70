"""Accounts for every entry in a class's folder: whose submission it belongs to, or why it isn't used."""

from collections import Counter
from collections.abc import Iterable, Sequence

from evalforge.model.base import Frozen
from evalforge.model.number_format import format_count

_MAX_NAMES = 6


class UnusedEntry(Frozen):
    """An entry of the folder that is nobody's submission, or not the version that counts."""

    name: str
    reason: str


class FormCount(Frozen):
    """The number of submissions of one form, and the number of entries they consist of.

    Attributes:
        form: ``folder``, ``zip``, ``file`` or, if there are several entries, ``several files``.
    """

    form: str
    hand_ins: int
    entries: int


class ClassAccount(Frozen):
    """All entries of a class's folder, each counted once.

    Attributes:
        entries: The number of entries.
        inside: The folder within the class's folder that holds them; empty if it is that folder itself.
        forms: The forms of submissions, the most frequent first.
        platforms: The number of submissions named by each platform; ``plain`` for other names.
        unused: Entries that are not judged.
        off_roster: The submissions that the roster doesn't name.
        absent: The people of the roster without a submission.
        roster_size: The number of people on the roster; None without one.
    """

    entries: int = 0
    inside: str = ""
    forms: tuple[FormCount, ...] = ()
    platforms: tuple[tuple[str, int], ...] = ()
    unused: tuple[UnusedEntry, ...] = ()
    off_roster: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    roster_size: int | None = None

    @property
    def hand_ins(self) -> int:
        """The number of submissions."""
        return sum(form.hand_ins for form in self.forms)

    @property
    def sentences(self) -> tuple[str, ...]:
        """The account in sentences: the folder first, then the roster."""
        return (self._folder_sentence, *self._roster_sentences())

    @property
    def _folder_sentence(self) -> str:
        forms = ", ".join(_form_words(form) for form in self.forms)
        made_of = f" ({forms})" if forms else ""
        where = f" in the folder {self.inside}" if self.inside else ""
        text = f"{_entries(self.entries)}{where}: {format_count(self.hand_ins, 'submission')}{made_of}"
        if not self.unused:
            return f"{text}, nothing left over."
        unused = name_list([f"{entry.name} ({entry.reason})" for entry in self.unused])
        return f"{text}, {len(self.unused)} not used: {unused}."

    @property
    def has_more(self) -> bool:
        """Whether the sentences leave out some of the entries' or people's names."""
        return any(len(names) > _MAX_NAMES for names in (self.unused, self.off_roster, self.absent))

    def _roster_sentences(self) -> Iterable[str]:
        if self.roster_size is None:
            return
        present = self.hand_ins - len(self.off_roster)
        if not present:
            people = format_count(self.roster_size, "person", "people")
            yield f"The roster ({people}) matches none of the submissions: is it the roster of this class?"
        elif self.off_roster:
            yield f"{format_count(len(self.off_roster), 'submission')} not on the roster: {name_list(self.off_roster)}."
        if self.absent and present:
            people = format_count(self.roster_size, "person", "people")
            yield f"{len(self.absent)} of {people} on the roster submitted nothing: {name_list(self.absent)}."


def count_forms(forms: Iterable[tuple[str, int]]) -> tuple[FormCount, ...]:
    """Count submissions by their form and the number of their entries."""
    hand_ins, entries = Counter[str](), Counter[str]()
    for form, entry_count in forms:
        hand_ins[form] += 1
        entries[form] += entry_count
    return tuple(
        FormCount(form=form, hand_ins=count, entries=entries[form])
        for form, count in sorted(hand_ins.items(), key=lambda item: (-item[1], item[0]))
    )


def name_list(names: Sequence[str]) -> str:
    """The first few names, and how many more there are."""
    more = f" and {len(names) - _MAX_NAMES} more" if len(names) > _MAX_NAMES else ""
    return f"{', '.join(names[:_MAX_NAMES])}{more}"


def _form_words(form: FormCount) -> str:
    if form.form == "several files":
        return f"{form.hand_ins} of several files ({_entries(form.entries)})"
    return format_count(form.hand_ins, form.form)


def _entries(count: int) -> str:
    return format_count(count, "entry", "entries")
