import os


class Store:
    def __init__(self, path):
        self.path = path
        self.d = {}
        if os.path.exists(path):
            with open(path, encoding="latin-1", newline="") as f:
                lines = f.read().split("\n")
            for line in lines[1:]:
                if line == "":
                    continue
                parts = line.split("\t")
                if len(parts) > 1:
                    # tab means there is a value
                    self.d[parts[0]] = parts[1].encode("latin-1")
                elif parts[0] in self.d:
                    self.d.pop(parts[0])
        else:
            with open(path, "w") as f:
                f.write("STORE\n")

    def put(self, key, value):
        with open(self.path, "a", encoding="latin-1", newline="") as f:
            f.write(key + "\t" + value.decode("latin-1") + "\n")
        self.d[key] = value

    def get(self, key, default=None):
        return self.d.get(key, default)

    def delete(self, key):
        if key not in self.d:
            return False
        with open(self.path, "a", encoding="latin-1", newline="") as f:
            f.write(key + "\n")
        del self.d[key]
        return True

    def __contains__(self, key):
        return key in self.d

    def __len__(self):
        return len(self.d)

    def keys(self):
        return sorted(self.d)

    def items(self):
        return sorted(self.d.items())

    def compact(self):
        with open(self.path, "w", encoding="latin-1", newline="") as f:
            f.write("STORE\n")
            for key in self.d:
                f.write(key + "\t" + self.d[key].decode("latin-1") + "\n")

    def close(self):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *args):
        self.close()
