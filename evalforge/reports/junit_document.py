"""JUnit XML according to ``junit-10.xsd``: suites of cases. See https://github.com/jenkinsci/xunit-plugin."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from xml.etree import ElementTree as ET


@dataclass(frozen=True)
class JUnitCase:
    """One test case of a suite.

    Attributes:
        ending: How it ended: empty if it passed, else ``failure`` or ``error``.
        message: A short message about a failure or error.
        kind: The type of the failure or error.
        text: The full text.
    """

    name: str
    ending: str = ""
    message: str = ""
    kind: str = ""
    text: str = ""


@dataclass(frozen=True)
class JUnitSuite:
    """The cases of one folder or submission.

    Attributes:
        class_name: The class name of all its cases.
        seconds: Its duration, formatted.
        output: Text about the whole suite; empty for none.
    """

    name: str
    class_name: str
    cases: Sequence[JUnitCase]
    seconds: str = "0"
    output: str = ""


def junit_document(name: str, suites: Iterable[JUnitSuite]) -> str:
    """Render all suites as one document."""
    root = ET.Element("testsuites", name=_xml_text(name))
    for suite in suites:
        _add_suite(root, suite)
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _add_suite(root: ET.Element, suite: JUnitSuite) -> None:
    endings = [case.ending for case in suite.cases]
    attributes = {
        "name": _xml_text(suite.name),
        "tests": str(len(suite.cases)),
        "failures": str(endings.count("failure")),
        "errors": str(endings.count("error")),
        "skipped": "0",
        "time": suite.seconds,
    }
    element = ET.SubElement(root, "testsuite", attributes)
    for case in suite.cases:
        entry = ET.SubElement(
            element, "testcase", name=_xml_text(case.name), classname=_xml_text(suite.class_name), time="0"
        )
        if case.ending:
            ET.SubElement(entry, case.ending, message=case.message, type=case.kind).text = _xml_text(case.text)
    if suite.output:
        ET.SubElement(element, "system-out").text = _xml_text(suite.output)


def _xml_text(text: str) -> str:
    """Replace the characters that XML 1.0 doesn't allow (https://www.w3.org/TR/xml/#charsets)."""
    return "".join(character if _is_xml(ord(character)) else "\ufffd" for character in text)


def _is_xml(code: int) -> bool:
    return code in (0x9, 0xA, 0xD) or 0x20 <= code <= 0xD7FF or 0xE000 <= code <= 0xFFFD or code >= 0x10000
