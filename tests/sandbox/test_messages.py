"""Messages become typed values or a clear error, whoever sent them."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalforge.sandbox.host.protocol import player_test_messages, run_messages
from evalforge.sandbox.host.protocol.fields import Fields
from evalforge.sandbox.host.protocol.run_messages import FailureReport, StopRequest
from evalforge.sandbox.host.protocol.wire import WireError

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
NAMES = ["mode", "op", "jobs", "grace", "late", "type", "line", "message", "path", "refused", "number", "edits"]
messages = json_values | st.dictionaries(st.sampled_from(NAMES), json_values, max_size=6)


@given(messages)
def test_any_message_is_parsed_or_refused(message: object) -> None:
    for parse in (
        run_messages.parse_client_message,
        run_messages.parse_operation,
        player_test_messages.parse_mutant_jobs,
        player_test_messages.parse_worker_request,
        player_test_messages.parse_worker_answer,
    ):
        try:
            parse(message)
        except WireError:
            continue


def test_a_number_too_large_for_a_float_is_refused() -> None:
    with pytest.raises(WireError, match="too large a number for grace"):
        Fields({"grace": 10**400}).number("grace")


@given(st.binary() | messages.map(lambda message: json.dumps(message).encode()))
def test_a_report_is_parsed_or_left_out(body: bytes) -> None:
    report = run_messages.parse_failure_report(body)
    assert report is None or isinstance(report.message, str)


@pytest.mark.parametrize(
    ("body", "report"),
    [
        (b"", FailureReport()),
        (b'{"type": "E", "line": 3, "path": "a.py"}', FailureReport("E", 3, "", "a.py")),
        (b'{"type": "E", "line": true, "message": null}', FailureReport("E")),
        (b'{"type": "E", "line": -1}', FailureReport("E")),
        (b'{"type": "E", "line": 1e3}', FailureReport("E")),
        (b"[]", None),
        (b"{", None),
        (b"[" * 100_000, None),
    ],
)
def test_what_a_report_says_is_kept_as_far_as_it_makes_sense(body: bytes, report: FailureReport | None) -> None:
    assert run_messages.parse_failure_report(body) == report


def test_a_request_to_stop_has_no_mode() -> None:
    assert run_messages.parse_client_message({"op": "stop", "grace": 0.5, "late": True}) == StopRequest(0.5, True)


@pytest.mark.parametrize(
    "path", ["", "/etc/passwd", "../tally.py", "./tally.py", "a/../tally.py", "gone.py", "a", "\0"]
)
def test_a_path_that_is_no_submitted_file_is_not_believed(path: str, tmp_path: Path) -> None:
    (tmp_path / "tally.py").touch()
    (tmp_path / "a").mkdir()
    assert run_messages.is_submitted_file(str(tmp_path), "tally.py")
    assert not run_messages.is_submitted_file(str(tmp_path), path)
