from oracle import Caller

n = 0


def service():
    global n
    n += 1
    if n < 3:
        raise ConnectionError("not in")
    return n


print(Caller(service).call())
