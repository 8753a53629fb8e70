"""
store
=====

This module provides the class :class:`Store`, a persistent mapping from text keys to binary values.

Overview
--------

The store is kept in a single file. The file begins with a header line and is followed by any number of record lines.
Each record line consists of four fields that are separated by a single space:

1. the operation, which is ``P`` for put or ``D`` for delete,
2. the CRC32 checksum of the value, as eight hexadecimal digits,
3. the key, in base64,
4. the value, in base64.

Because base64 has neither spaces nor line ends, any key and any value can be stored.

Robustness
----------

Reading a damaged file is safe: lines that can not be understood are left out.
"""

import base64
import os
import zlib

#: The first line of every store.
HEADER = b"#torn-page-store v1\n"


class Store:
    """
    A persistent mapping from text keys to binary values.

    Parameters
    ----------
    path : str or pathlib.Path
        The file in which the store lives. It is created if it does not exist.

    Examples
    --------
    >>> store = Store("/tmp/example-book")
    >>> store.put("ink", b"black")
    >>> store.get("ink")
    b'black'
    >>> store.close()
    """

    def __init__(self, path):
        """
        Open the store.

        Parameters
        ----------
        path : str or pathlib.Path
            The file in which the store lives.

        Raises
        ------
        OSError
            If the file can not be opened.
        ValueError
            If the file is not a store.
        """
        self.path = str(path)
        self.entries = {}
        self.closed = False
        if os.path.exists(self.path):
            self._load()
        self.file = open(self.path, "ab")
        if self.file.tell() < len(HEADER):
            self.file.truncate(0)
            self.file.write(HEADER)
            self.file.flush()

    def _load(self):
        """
        Read all records of the file into memory.

        Lines that can not be understood are left out, so that a damaged file can be opened.
        """
        with open(self.path, "rb") as file:
            data = file.read()
        if not HEADER.startswith(data[:len(HEADER)]):
            raise ValueError("not a store: " + self.path)
        for line in data[len(HEADER):].split(b"\n"):
            try:
                operation, checksum, key, value = line.split(b" ")
                key = base64.b64decode(key).decode("utf-8")
                value = base64.b64decode(value)
                if zlib.crc32(value) != int(checksum, 16):
                    break
                if operation == b"P":
                    self.entries[key] = value
                elif operation == b"D":
                    self.entries.pop(key, None)
            except Exception:
                break

    def _check(self, key):
        """
        Check that the store is open and that a key can be used.

        Parameters
        ----------
        key : str
            The key.

        Raises
        ------
        ValueError
            If the store is closed, or if the key can not be encoded.
        TypeError
            If the key is not a string.
        """
        if self.closed:
            raise ValueError("the store is closed")
        if not isinstance(key, str):
            raise TypeError("the key must be a str")
        try:
            key.encode("utf-8")
        except Exception:
            raise ValueError("the key can not be encoded") from None

    def put(self, key, value):
        """
        Store a value under a key.

        Parameters
        ----------
        key : str
            The key.
        value : bytes
            The value. It replaces an earlier one.

        Raises
        ------
        TypeError
            If the key is not a string or the value is not bytes.
        ValueError
            If the store is closed, or if the key can not be encoded.
        """
        self._check(key)
        if not isinstance(value, bytes):
            raise TypeError("the value must be bytes")
        line = b"P %08x %s %s\n" % (zlib.crc32(value), base64.b64encode(key.encode("utf-8")), base64.b64encode(value))
        self.file.write(line)
        self.file.flush()
        self.entries[key] = value

    def get(self, key, default=None):
        """
        Look up the value of a key.

        Parameters
        ----------
        key : str
            The key.
        default : object, optional
            What is returned if there is no such key.

        Returns
        -------
        bytes or object
            The value, or the default.
        """
        self._check(key)
        try:
            return self.entries[key]
        except Exception:
            return default

    def delete(self, key):
        """
        Remove a key.

        Parameters
        ----------
        key : str
            The key.

        Returns
        -------
        bool
            True if the key was there, False if not.
        """
        self._check(key)
        if key not in self.entries:
            return False
        line = b"D %08x %s %s\n" % (zlib.crc32(b""), base64.b64encode(key.encode("utf-8")), b"")
        self.file.write(line)
        self.file.flush()
        del self.entries[key]
        return True

    def __contains__(self, key):
        """
        Tell whether a key is there.

        Returns
        -------
        bool
        """
        self._check(key)
        return key in self.entries

    def __len__(self):
        """
        Count the keys.

        Returns
        -------
        int
        """
        return len(self.entries)

    def keys(self):
        """
        List the keys.

        Returns
        -------
        list of str
            All keys, sorted.
        """
        if self.closed:
            raise ValueError("the store is closed")
        return sorted(self.entries)

    def items(self):
        """
        List the entries.

        Returns
        -------
        list of tuple
            Pairs of key and value, sorted by key.
        """
        if self.closed:
            raise ValueError("the store is closed")
        return [(key, self.entries[key]) for key in sorted(self.entries)]

    def compact(self):
        """
        Write the present content to a new file and put it in the place of the old one.

        If that is not possible the old file stays as it is, and the store can be used as before.
        """
        if self.closed:
            raise ValueError("the store is closed")
        try:
            temp = self.path + ".tmp"
            with open(temp, "xb") as file:
                file.write(HEADER)
                for key, value in self.entries.items():
                    file.write(b"P %08x %s %s\n" % (
                        zlib.crc32(value), base64.b64encode(key.encode("utf-8")), base64.b64encode(value)))
            os.replace(temp, self.path)
            self.file = open(self.path, "ab")
        except Exception:
            # The old file is still there, so nothing is lost.
            pass

    def close(self):
        """
        Close the store. Closing it again does nothing.
        """
        try:
            self.file.close()
        except Exception:
            pass
        self.closed = True

    def __enter__(self):
        """
        Enter a with block.

        Returns
        -------
        Store
        """
        return self

    def __exit__(self, exc_type, exc, traceback):
        """
        Leave a with block, and close the store.
        """
        self.close()
