import os, struct, zlib

H = b"KVS1\n"


class Store:
    def __init__(self, path):
        self.p = os.fspath(path)
        self.d = {}
        self.f = None
        self.do("open")

    def do(self, op, k=None, v=None):
        if op != "open" and op != "close" and self.f is None:
            raise ValueError("closed")
        if op == "put" or op == "get" or op == "del" or op == "has":
            if not isinstance(k, str):
                raise TypeError("bad key")
        if op == "open":
            if os.path.exists(self.p):
                self.f = open(self.p, "r+b")
            else:
                self.f = open(self.p, "w+b")
            x = self.f.read()
            if x[:5] != H:
                if H[: len(x)] != x:
                    self.f.close()
                    self.f = None
                    raise ValueError("bad file")
                else:
                    self.f.seek(0)
                    self.f.truncate()
                    self.f.write(H)
                    self.f.flush()
            else:
                i = 5
                while True:
                    if len(x) - i < 13:
                        break
                    c, a, b, t = struct.unpack(">IIIB", x[i : i + 13])
                    if len(x) - i - 13 < a + b:
                        break
                    if zlib.crc32(x[i + 4 : i + 13 + a + b]) != c:
                        break
                    if t == 1:
                        self.d[x[i + 13 : i + 13 + a].decode("utf-8")] = x[i + 13 + a : i + 13 + a + b]
                    elif t == 2:
                        if x[i + 13 : i + 13 + a].decode("utf-8") in self.d:
                            del self.d[x[i + 13 : i + 13 + a].decode("utf-8")]
                    i = i + 13 + a + b
                if i != len(x):
                    self.f.truncate(i)
                self.f.seek(i)
        elif op == "put":
            if not isinstance(v, bytes):
                raise TypeError("bad value")
            kk = k.encode("utf-8")
            r = struct.pack(">IIB", len(kk), len(v), 1) + kk + v
            self.f.write(struct.pack(">I", zlib.crc32(r)) + r)
            self.f.flush()
            self.d[k] = v
        elif op == "get":
            if k in self.d:
                return self.d[k]
            else:
                return v
        elif op == "has":
            return k in self.d
        elif op == "del":
            if k in self.d:
                kk = k.encode("utf-8")
                r = struct.pack(">IIB", len(kk), 0, 2) + kk
                self.f.write(struct.pack(">I", zlib.crc32(r)) + r)
                self.f.flush()
                del self.d[k]
                return True
            else:
                return False
        elif op == "keys":
            return sorted(self.d)
        elif op == "items":
            return sorted(self.d.items())
        elif op == "len":
            return len(self.d)
        elif op == "compact":
            try:
                g = open(self.p + ".c", "wb")
                g.write(H)
                for k in self.d:
                    kk = k.encode("utf-8")
                    r = struct.pack(">IIB", len(kk), len(self.d[k]), 1) + kk + self.d[k]
                    g.write(struct.pack(">I", zlib.crc32(r)) + r)
                g.flush()
                os.fsync(g.fileno())
                g.close()
                os.replace(self.p + ".c", self.p)
            except OSError:
                if os.path.exists(self.p + ".c"):
                    os.remove(self.p + ".c")
                raise
            self.f.close()
            self.f = open(self.p, "r+b")
            self.f.seek(0, 2)
        elif op == "close":
            if self.f is not None:
                self.f.close()
                self.f = None

    def put(self, key, value):
        self.do("put", key, value)

    def get(self, key, default=None):
        return self.do("get", key, default)

    def delete(self, key):
        return self.do("del", key)

    def __contains__(self, key):
        return self.do("has", key)

    def __len__(self):
        return self.do("len")

    def keys(self):
        return self.do("keys")

    def items(self):
        return self.do("items")

    def compact(self):
        self.do("compact")

    def close(self):
        self.do("close")

    def __enter__(self):
        return self

    def __exit__(self, a, b, c):
        self.do("close")
