import os
import tempfile

from store import Store


def test_everything():
    folder = tempfile.mkdtemp()
    path = os.path.join(folder, "book")
    s = Store(path)
    s.put("ink", b"black")
    s.put("pen", b"goose")
    print("should be black:", s.get("ink"))
    s.put("ink", b"red")
    print("should be red:", s.get("ink"))
    print("should be True:", s.delete("pen"))
    print("should be False:", s.delete("pen"))
    print("keys:", s.keys())
    print("items:", s.items())
    print("len:", len(s))
    s.compact()
    print("size:", os.path.getsize(path))
    s.close()
    s = Store(path)
    print("should still be red:", s.get("ink"))
    s.close()


def test_closed():
    folder = tempfile.mkdtemp()
    s = Store(os.path.join(folder, "book"))
    s.close()
    try:
        s.get("ink")
        print("WRONG")
    except ValueError:
        print("ok")
