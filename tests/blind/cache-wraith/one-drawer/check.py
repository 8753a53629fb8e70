from cache import Cache

c = Cache(2)
c.put("a", 1)
c.put("b", 2)
c.put("c", 3)
print(c.get("a"), c.get("b"), c.get("c"))
print(c.stats())
