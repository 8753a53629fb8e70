from cache import Cache

if __name__ == "__main__":
    c = Cache(3)
    for n in range(5):
        c.put(n, n * n)
    print(c.keys())
    print(c.get(4))
