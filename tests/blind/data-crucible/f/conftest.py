import json

import pytest

from data_crucible import main


@pytest.fixture
def crucible(tmp_path, capsys):
    """Run main in a folder; gives status, standard error and what lies at the output."""

    def run(table, config):
        table_path, config_path, output = tmp_path / "t.csv", tmp_path / "c.json", tmp_path / "o.json"
        if table is not None:
            table_path.write_bytes(table.encode())
        config_path.write_text(config if isinstance(config, str) else json.dumps(config))
        output.write_text('"old"')
        status = main(["--input", str(table_path), "--config", str(config_path), "--output", str(output)])
        return status, capsys.readouterr().err, json.loads(output.read_text())

    return run
