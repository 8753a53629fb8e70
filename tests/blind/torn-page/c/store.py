import os

# the first line of the file
FIRST = "MYSTORE1\n"


class Store:
    def __init__(self, path):
        self.path = str(path)
        self.d = {}
        self.open = True
        self.do("load")

    def do(self, what, key=None, value=None):
        if not self.open:
            raise ValueError("closed")
        if what == "load":
            if not os.path.exists(self.path):
                f = open(self.path, "w")
                f.write(FIRST)
                f.close()
            else:
                f = open(self.path, "r", encoding="utf-8", newline="\n")
                text = f.read()
                f.close()
                if text == "":
                    f = open(self.path, "w")
                    f.write(FIRST)
                    f.close()
                elif not text.startswith(FIRST):
                    if FIRST.startswith(text):
                        f = open(self.path, "w")
                        f.write(FIRST)
                        f.close()
                    else:
                        raise ValueError("this is not a store")
                else:
                    lines = text.split("\n")
                    for line in lines[1:]:
                        if line == "":
                            continue
                        parts = line.split("\t")
                        if parts[0] == "+" and len(parts) == 3:
                            try:
                                self.d[parts[1]] = bytes.fromhex(parts[2])
                            except ValueError:
                                # broken line
                                break
                        elif parts[0] == "-" and len(parts) == 2:
                            if parts[1] in self.d:
                                del self.d[parts[1]]
                        else:
                            break
        elif what == "put":
            if type(key) != str:
                raise ValueError("key must be a string")
            if type(value) != bytes:
                raise ValueError("value must be bytes")
            f = open(self.path, "a", encoding="utf-8", newline="\n")
            f.write("+\t" + key + "\t" + value.hex() + "\n")
            f.close()
            self.d[key] = value
        elif what == "get":
            if key in self.d:
                return self.d[key]
            return value
        elif what == "delete":
            if key in self.d:
                f = open(self.path, "a", encoding="utf-8", newline="\n")
                f.write("-\t" + key + "\n")
                f.close()
                del self.d[key]
                return True
            return False
        elif what == "keys":
            k = list(self.d.keys())
            k.sort()
            return k
        elif what == "items":
            result = []
            k = list(self.d.keys())
            k.sort()
            for x in k:
                result.append((x, self.d[x]))
            return result
        elif what == "len":
            return len(self.d)
        elif what == "in":
            return key in self.d
        elif what == "compact":
            f = open(self.path, "w", encoding="utf-8", newline="\n")
            f.write(FIRST)
            for x in self.d:
                f.write("+\t" + x + "\t" + self.d[x].hex() + "\n")
            f.close()

    def put(self, key, value):
        self.do("put", key, value)

    def get(self, key, default=None):
        return self.do("get", key, default)

    def delete(self, key):
        return self.do("delete", key)

    def __contains__(self, key):
        return self.do("in", key)

    def __len__(self):
        return self.do("len")

    def keys(self):
        return self.do("keys")

    def items(self):
        return self.do("items")

    def compact(self):
        self.do("compact")

    def close(self):
        self.open = False

    def __enter__(self):
        return self

    def __exit__(self, a, b, c):
        self.close()
