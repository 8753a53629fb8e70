from store import Store

if __name__ == "__main__":
    s = Store("demo.db")
    s.put("hello", b"world")
    print(s.get("hello"))
    s.compact()
    print(s.items())
