"""key value store v0.1"""

import pickle

DATA = {}
FILES = []


class Store:
    """A store."""

    def __init__(self, path):
        global DATA
        self.path = path
        try:
            DATA = pickle.load(open(path, "rb"))
        except:
            DATA = {}
        FILES.append(path)

    def put(self, key, value):
        DATA[key] = value
        self.save()

    def get(self, key, default=None):
        try:
            return DATA[key]
        except:
            return default

    def delete(self, key):
        DATA[key] = None

    def save(self):
        with open(self.path, "wb") as f:
            pickle.dump(DATA, f)

    def keys(self):
        return list(DATA)

    def compact(self):
        self.saev()
