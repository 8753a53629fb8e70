"""``--write FORMAT=FILE``: the pipeline files that a judging writes besides its output."""

from collections.abc import Sequence
from pathlib import Path

from evalforge.model.errors import UsageError
from evalforge.packs.atomic_files import write_text
from evalforge.packs.path_checks import folder_fault
from evalforge.reports.pipelines.formats import FILE_FORMATS
from evalforge.reports.pipelines.judged_folder import JudgedFolder


def parse_targets(values: Sequence[str]) -> list[tuple[str, Path]]:
    """Parse each ``FORMAT=FILE`` into the format and the file.

    Raises:
        UsageError: There is no such format, or the folder doesn't exist.
    """
    targets: list[tuple[str, Path]] = []
    for value in values:
        form, _, name = value.partition("=")
        if form not in FILE_FORMATS or not name:
            raise UsageError(f"--write can't be {value!r}.", f"Give FORMAT=FILE; formats: {', '.join(FILE_FORMATS)}.")
        if fault := folder_fault(Path(name).absolute().parent):
            raise UsageError(f"--write {value}: its folder {fault}.")
        targets.append((form, Path(name)))
    return targets


def write_targets(targets: Sequence[tuple[str, Path]], folders: Sequence[JudgedFolder]) -> None:
    """Write each file.

    Raises:
        UsageError: A file can't be written.
    """
    for form, path in targets:
        write_text(path, FILE_FORMATS[form](folders))
