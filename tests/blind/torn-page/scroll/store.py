import os


class Store:
    def __init__(self, path):
        self.path = path
        self.d = {}
        self.closed = False
        if not os.path.exists(path):
            f = open(path, "w")
            f.write("scroll\n")
            f.close()
        f = open(path, encoding="utf-8")
        for line in f:
            if "\t" in line:
                key, value = line.rstrip("\n").split("\t")
                self.d[key] = bytes.fromhex(value)
        f.close()

    def put(self, key, value):
        if type(value) == str:
            value = value.encode()
        key = str(key)
        f = open(self.path, "a", encoding="utf-8")
        f.write(key + "\t" + value.hex() + "\n")
        f.close()
        self.d[key] = value

    def get(self, key, default=None):
        if key in self.d:
            return self.d[key]
        return default

    def delete(self, key):
        if key not in self.d:
            return False
        del self.d[key]
        self.compact()
        return True

    def __contains__(self, key):
        return key in self.d

    def __len__(self):
        return len(self.d)

    def keys(self):
        return sorted(self.d.keys())

    def items(self):
        return [(k, self.d[k]) for k in sorted(self.d)]

    def compact(self):
        # write everything again
        f = open(self.path, "w", encoding="utf-8")
        f.write("scroll\n")
        for k in self.d:
            f.write(k + "\t" + self.d[k].hex() + "\n")
        f.close()

    def close(self):
        self.closed = True

    def __enter__(self):
        return self

    def __exit__(self, a, b, c):
        self.close()
