"""Zips that hold nothing but their files: the same content gives the same bytes, whenever and wherever it is packed."""

import io
import zipfile
from collections.abc import Collection, Mapping

_EPOCH = (1980, 1, 1, 0, 0, 0)
"""The earliest time that a zip can store."""
_FILE_MODE, _PROGRAM_MODE = 0o644, 0o755


def zip_files(files: Mapping[str, bytes], programs: Collection[str] = ()) -> bytes:
    """Pack files into a zip, in their order.

    Args:
        files: The content of each, by its path in the zip.
        programs: The paths of those that may be executed.
    """
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for path, content in files.items():
            info = zipfile.ZipInfo(path, _EPOCH)
            info.external_attr = (_PROGRAM_MODE if path in programs else _FILE_MODE) << 16
            archive.writestr(info, content, zipfile.ZIP_DEFLATED)
    return packed.getvalue()
