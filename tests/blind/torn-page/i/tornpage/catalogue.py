"""What holds now, made from records."""

from collections.abc import Iterable, Iterator

from tornpage.records import Kind, Record


class Catalogue:
    """The entries that all records so far leave behind."""

    def __init__(self, records: Iterable[Record] = ()) -> None:
        """Take in some records."""
        self._entries: dict[str, bytes] = {}
        for record in records:
            self.apply(record)

    def apply(self, record: Record) -> None:
        """Take in one more record."""
        if record.kind is Kind.ENTRY:
            self._entries[record.key] = record.value
        else:
            self._entries.pop(record.key, None)

    def find(self, key: str, default: object) -> object:
        """The value of a key, or the default."""
        return self._entries.get(key, default)

    def __contains__(self, key: str) -> bool:
        return key in self._entries

    def __len__(self) -> int:
        return len(self._entries)

    def keys(self) -> list[str]:
        """The keys, sorted."""
        return sorted(self._entries)

    def records(self) -> Iterator[Record]:
        """The fewest records that lead to the same entries."""
        return (Record(Kind.ENTRY, key, value) for key, value in self._entries.items())
