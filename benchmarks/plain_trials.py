"""The same trials the ordinary way: pytest, and a new interpreter for each run of the script. No isolation.

A pytest plugin with the ``cli`` and ``rng`` fixtures; ``EVALFORGE_BENCH_SCRIPT`` names the script.
"""

import os
import random
import subprocess
import sys
import types
from pathlib import Path

import pytest


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> random.Random:
    """Reproducible random numbers."""
    return random.Random(request.node.name)


@pytest.fixture
def cli(tmp_path: Path):
    """Run the script in a fresh interpreter, in a fresh directory."""

    def run(*args, files=None, stdin=b"", env=None):
        for name, content in (files or {}).items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)
        ended = subprocess.run(
            [sys.executable, os.environ["EVALFORGE_BENCH_SCRIPT"], *map(str, args)],
            input=stdin if isinstance(stdin, bytes) else stdin.encode(),
            capture_output=True,
            check=False,
            cwd=tmp_path,
            env={**os.environ, **(env or {})},
        )
        stdout, stderr = ended.stdout.decode(), ended.stderr.decode()
        return types.SimpleNamespace(
            exit_code=ended.returncode,
            stdout=stdout,
            stderr=stderr,
            output=stdout + stderr,
            traceback="Traceback (most recent call last)" in stdout + stderr,
            files={p.name: p.read_bytes() for p in tmp_path.iterdir() if p.is_file()},
        )

    return run


def pytest_configure(config: pytest.Config) -> None:
    """Our markers."""
    config.addinivalue_line("markers", "group(name): the group a trial belongs to")
    config.addinivalue_line("markers", "limits(seconds, memory_mb): bounds of one trial")
