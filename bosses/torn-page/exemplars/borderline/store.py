import base64
import json
import os

HEADER = b"#kv-store\n"


class Store:
    def __init__(self, path):
        self.path = os.fspath(path)
        self.data = {}
        if not os.path.exists(self.path):
            open(self.path, "wb").close()
        self.file = open(self.path, "r+b")
        self.load()

    def load(self):
        raw = self.file.read()
        if not raw.startswith(HEADER):
            if not HEADER.startswith(raw):
                raise ValueError("this is not a store")
            self.file.seek(0)
            self.file.write(HEADER)
            self.file.flush()
            return
        pos = len(HEADER)
        for line in raw[len(HEADER):].split(b"\n")[:-1]:
            try:
                row = json.loads(line)
                if row["op"] == "put":
                    self.data[row["key"]] = base64.b64decode(row["value"])
                else:
                    del self.data[row["key"]]
            except Exception:
                break
            pos += len(line) + 1
        self.file.truncate(pos)
        self.file.seek(pos)

    def write(self, row):
        self.file.write(json.dumps(row).encode() + b"\n")
        self.file.flush()

    def put(self, key, value):
        if not isinstance(key, str) or not isinstance(value, bytes):
            raise TypeError("store takes str keys and bytes values")
        key.encode()  # no surrogates please
        self.write({"op": "put", "key": key, "value": base64.b64encode(value).decode()})
        self.data[key] = value

    def get(self, key, default=None):
        if not isinstance(key, str):
            raise TypeError("key must be str")
        return self.data.get(key, default)

    def delete(self, key):
        if not isinstance(key, str):
            raise TypeError("key must be str")
        if key not in self.data:
            return False
        self.write({"op": "del", "key": key})
        del self.data[key]
        return True

    def __contains__(self, key):
        if not isinstance(key, str):
            raise TypeError("key must be str")
        return key in self.data

    def __len__(self):
        return len(self.data)

    def keys(self):
        return sorted(self.data)

    def items(self):
        return sorted(self.data.items())

    def compact(self):
        tmp = self.path + ".tmp"
        with open(tmp, "wb") as out:
            out.write(HEADER)
            for key, value in self.data.items():
                row = {"op": "put", "key": key, "value": base64.b64encode(value).decode()}
                out.write(json.dumps(row).encode() + b"\n")
        os.replace(tmp, self.path)

    def close(self):
        self.file.close()

    def __enter__(self):
        return self

    def __exit__(self, *args):
        self.close()
