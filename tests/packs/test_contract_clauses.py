"""A contract falls into sections, and these into clauses."""

from evalforge.packs.contract_clauses import contract_sections, statements, states

CONTRACT = """\
MODULE
  store.py holds one class,
  Store.

METHODS
  put(key, value)
      Stores the value.

      It replaces an earlier one.
  get(key)
      The value of that key.

  - A key that is no str:
    TypeError.
  - A SHOUTED value: ValueError.
"""


def test_sections_are_lines_of_capitals_at_the_margin() -> None:
    assert [section.heading for section in contract_sections(CONTRACT)] == ["MODULE", "METHODS"]


def test_clauses_are_paragraphs_entries_and_bullets() -> None:
    module, methods = contract_sections(CONTRACT)
    assert module.clauses == ("store.py holds one class, Store.",)
    assert methods.clauses == (
        "put(key, value) Stores the value.",
        "It replaces an earlier one.",
        "get(key) The value of that key.",
        "- A key that is no str: TypeError.",
        "- A SHOUTED value: ValueError.",
    )


def test_a_contract_without_headings_has_no_sections() -> None:
    assert contract_sections("Prints a line.\n\nExit status 0.\n") == ()


def test_a_quote_may_break_its_lines_elsewhere() -> None:
    assert states("nothing is\n  ever rounded", "is ever  rounded")
    assert not states("nothing is ever rounded", "ever wrong")


CONTRACT_WITHOUT_HEADINGS = """\
dummy.py NAME [--blows N]

NAME       who strikes: any text.
--blows N  how many blows. Without it,
N is 1.

Prints one line for each blow:

    Thwack.

Bad input is refused.
"""


def test_without_headings_each_paragraph_states_something() -> None:
    assert statements(CONTRACT_WITHOUT_HEADINGS) == [
        "NAME       who strikes: any text.",
        "--blows N  how many blows. Without it, N is 1.",
        "Prints one line for each blow:",
        "Bad input is refused.",
    ]
