"""What would steer a run, or hide what is run, is not laid out; the player is told."""

import pytest

from evalforge.evidence.control_files import control_file_notices, control_files
from tests import factories


@pytest.mark.parametrize(
    ("text", "is_left_out"),
    [
        ("# -*- coding: utf-7 -*-\nx = 1\n", True),
        ("#!/usr/bin/python3\n# vim: set fileencoding=cp437 :\n", True),
        ("#\r# coding: utf-7\rx = 1", True),
        (" " * 5_000 + "\n# coding: punycode\n", True),
        ("# coding: latin-1\nx = 'é'\n", True),
        ("# coding: latin-1\nx = 1\n", False),
        ("# coding: utf8\nx = 'é'\n", False),
        ("\ufeff# coding: utf-8\nx = 'é'\n", False),
        ("x = 1\n# coding: utf-7\n", False),
        ("\n\n# coding: utf-7\n", False),
        ("# coding: nobody-knows\n", False),
        ("# about coding: in general\n", False),
    ],
)
def test_what_python_would_read_otherwise_is_left_out(text: str, is_left_out: bool) -> None:
    submission = factories.submission(main=text)
    assert bool(control_files(submission)) is is_left_out
    told = "\n".join(control_file_notices(submission))
    assert ("main.py was left out of the run: it says that it is written in" in told) is is_left_out
