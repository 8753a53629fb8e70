"""Docstrings that are about something else than the code document nothing; honest ones in any language do."""

import pytest

ABOUT_ELSE = ("An old song.", "Bread and salt.", "Wind from the north.", "Low tide.", "The long road.", "Two crows.")
ABOUT_THE_CODE = (
    *("Store a value under the key.", "The value of a key.", "Whether the key is there.", "Remove a key."),
    *("Forget everything.", "How many there are."),
)
IN_ANOTHER_LANGUAGE = (
    *("Legt etwas ab.", "Was abgelegt wurde.", "Ob da etwas ist.", "Nimmt etwas weg."),
    *("Vergisst alles.", "Wie viele es sind."),
)
NAMES = ("put", "get", "has", "remove", "clear", "size")


def program(docstrings: tuple[str, ...]) -> str:
    return "".join(
        f"def {name}(key):\n    '''{text}'''\n    return key\n" for name, text in zip(NAMES, docstrings, strict=False)
    )


@pytest.mark.parametrize(
    ("docstrings", "share"), [(ABOUT_ELSE, 0.0), (ABOUT_THE_CODE, 1.0), (IN_ANOTHER_LANGUAGE, 1.0)]
)
def test_docstrings_count_if_they_are_about_the_code(facts, docstrings, share):
    assert facts(program(docstrings))["code.docstring_share"].value == share


def test_a_few_odd_docstrings_cost_nothing(facts):
    assert facts(program(ABOUT_ELSE[:5]))["code.docstring_share"].value == 1.0
    assert facts(program((*ABOUT_ELSE[:3], *ABOUT_THE_CODE[:3])))["code.docstring_share"].value == 1.0


def test_it_is_said_what_such_docstrings_lack(facts):
    findings = facts(program(ABOUT_ELSE))["code.docstring_share"].findings
    assert {finding.message.partition(" is a ")[2] for finding in findings} == {
        "public function with a docstring that is not about the code, like most here"
    }
