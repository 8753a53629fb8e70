"""Archives for tests, good and hostile."""

import io
import stat
import struct
import zipfile
import zlib
from pathlib import Path

DUMMY = "def main():\n    print('Thwack!')\n\n\nif __name__ == '__main__':\n    main()\n"


def zipped(path: Path, **files: str | bytes) -> Path:
    """A zip of files; ``a__b`` in a name stands for ``a/b``, and ``.py`` is added where no ending is."""
    return zip_of(
        path, {name.replace("__", "/") + ("" if "." in name else ".py"): body for name, body in files.items()}
    )


def zip_of(path: Path, files: dict[str, str | bytes]) -> Path:
    """A zip of files under exactly these names."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in files.items():
            archive.writestr(name, body)
    return path


def nested(path: Path, depth: int, inner: dict[str, str | bytes]) -> Path:
    """A zip in a zip in a zip."""
    zip_of(path, inner)
    for _ in range(depth):
        zip_of(path, {"inner.zip": path.read_bytes()})
    return path


def link(path: Path, target: str) -> Path:
    """A zip with a Python file and a symbolic link."""
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("dummy.py", DUMMY)
        info = zipfile.ZipInfo("secret.py")
        info.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(info, target)
    return path


def bomb(path: Path, megabytes: int = 300) -> Path:
    """Much of nothing, in little."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for number in range(megabytes // 3):
            archive.writestr(f"data{number}.txt", b"\0" * 3_000_000)
        archive.writestr("dummy.py", DUMMY)
    return path


def lying(path: Path) -> Path:
    """One member that says it is small, and is not."""
    body = b"x = 1\n" * 2_000_000
    packed = zlib.compressobj(9, zlib.DEFLATED, -15)
    data = packed.compress(body) + packed.flush()
    name, crc, claimed = b"dummy.py", zlib.crc32(body), 10
    local = struct.pack("<4s5H3L2H", b"PK\3\4", 20, 0, 8, 0, 0, crc, len(data), claimed, len(name), 0) + name
    central = struct.pack(
        "<4s6H3L5H2L", b"PK\1\2", 20, 20, 0, 8, 0, 0, crc, len(data), claimed, len(name), 0, 0, 0, 0, 0, 0
    )
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 1, 1, len(central) + len(name), len(local) + len(data), 0)
    path.write_bytes(local + data + central + name + end)
    return path


def crowded(path: Path, members: int) -> Path:
    """Very many members."""
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(members):
            archive.writestr(f"f{number}.py", "")
    return path


def encrypted(path: Path) -> Path:
    """A member that says it is encrypted."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("dummy.py", DUMMY)
    raw = bytearray(out.getvalue())
    for signature, place in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        raw[raw.find(signature) + place] |= 1
    path.write_bytes(raw)
    return path
