import json

import pytest

from crucible.cli import main


@pytest.fixture
def files(tmp_path):
    """Write input and config, give back a function that runs the command line on them."""

    def run(table, config):
        (tmp_path / "in.csv").write_text(table, encoding="utf-8", newline="")
        (tmp_path / "config.json").write_text(json.dumps(config))
        return main(
            ["--input", str(tmp_path / "in.csv"), "--config", str(tmp_path / "config.json"), "--output", str(tmp_path / "out.json")]
        )

    return run
