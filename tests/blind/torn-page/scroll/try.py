from store import Store

s = Store("/tmp/scroll-test")
s.put("a", b"1")
print(s.get("a"), len(s))
