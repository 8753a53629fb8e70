"""What becomes of a report where the status is refused."""

import pytest

BATCH = '[{"id": "melt"}, {"id": "cast", "after": ["melt"]}]'
COMMAND = "status journal --now 7 --report report.json"


@pytest.mark.group("report")
@pytest.mark.clause("REPORT", "ERRORS")
@pytest.mark.advice("Open the book and compute the status before anything is written for the report.")
def test_a_refused_report(cli):
    """If status is refused, an old report stays as it was, and no new one is made."""
    journal = cli("add", "journal", "batch.json", files={"batch.json": BATCH}).files.get("journal", b"")
    journal = cli("take", "journal", "--now", "1", files={"journal": journal}).files.get("journal", b"")
    files = {"journal": journal[:3] + b"\x7f" + journal[4:], "report.json": b'{"now": 1}'}
    run = cli(*COMMAND.split(), files=files)
    if run.exit_code == 0:
        return  # Whether damage is noticed is asked where durability is.
    words = f"`{COMMAND}` was refused, the journal being damaged"
    got = run.files.get("report.json", files["report.json"])
    assert got == files["report.json"], f"expected the old report as it was after {words}; got {got!r}"
    made = cli(*COMMAND.split(), files={"journal": files["journal"]}).files.get("report.json")
    assert made is None, f"expected no report after {words}, where there was none before; got {made!r}"
