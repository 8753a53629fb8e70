import random, time


class OracleError(Exception):
    def __init__(self, m, e=()):
        Exception.__init__(self, m)
        self.errors = tuple(e)
        self.attempts = len(self.errors)


class RetriesExhaustedError(OracleError): pass
class DeadlineError(OracleError): pass
class CircuitOpenError(OracleError):
    def __init__(self, m, e=(), r=0):
        OracleError.__init__(self, m, e)
        self.retry_after = r


class Breaker:
    def __init__(self, threshold=5, cooldown=30.0, *, counts=Exception, on_change=None, clock=time.monotonic):
        if threshold < 1 or not cooldown > 0:
            raise ValueError()
        self.d = {"t": threshold, "c": cooldown, "x": counts, "cb": on_change, "clk": clock, "s": 0, "f": 0, "o": 0, "p": 0, "g": 0}

    @property
    def state(self):
        d = self.d
        if d["s"] == 1:
            if d["clk"]() - d["o"] >= d["c"]:
                d["s"] = 2
                d["g"] += 1
                if d["cb"]:
                    d["cb"]("open", "half-open")
        return ["closed", "open", "half-open"][d["s"]]

    def call(self, function, *args, **kwargs):
        d = self.d
        s = self.state
        if s == "open":
            raise CircuitOpenError("open", (), d["o"] + d["c"] - d["clk"]())
        if s == "half-open":
            if d["p"] == 1:
                raise CircuitOpenError("probing", (), 0)
            d["p"] = 1
        g = d["g"]
        try:
            r = function(*args, **kwargs)
        except BaseException as e:
            if g == d["g"]:
                if isinstance(e, d["x"]):
                    d["f"] += 1
                    if d["s"] == 2 or d["f"] >= d["t"]:
                        old = d["s"]
                        d["s"] = 1
                        d["g"] += 1
                        d["f"] = 0
                        d["p"] = 0
                        d["o"] = d["clk"]()
                        if d["cb"]:
                            d["cb"]("half-open" if old == 2 else "closed", "open")
                elif isinstance(e, Exception):
                    d["f"] = 0
                    if d["s"] == 2:
                        d["s"] = 0
                        d["g"] += 1
                        d["p"] = 0
                        if d["cb"]:
                            d["cb"]("half-open", "closed")
                else:
                    d["p"] = 0
            raise
        if g == d["g"]:
            d["f"] = 0
            if d["s"] == 2:
                d["s"] = 0
                d["g"] += 1
                d["p"] = 0
                if d["cb"]:
                    d["cb"]("half-open", "closed")
        return r


class Caller:
    def __init__(self, service, *, attempts=4, base=0.1, cap=10.0, jitter=0.5, retryable=(ConnectionError, TimeoutError), deadline=None, breaker=None, clock=time.monotonic, sleep=time.sleep, random=random.random):
        if not callable(service):
            raise TypeError()
        if attempts < 1 or not base > 0 or not cap > 0 or not 0 <= jitter <= 1 or (deadline is not None and not deadline > 0):
            raise ValueError()
        self.a = (service, attempts, base, cap, jitter, retryable, deadline, breaker, clock, sleep, random)

    def call(self, *args, **kwargs):
        s, n, b, c, j, ret, dl, br, clk, slp, rnd = self.a
        t0 = clk()
        es = []
        i = 0
        while 1:
            try:
                if br is not None:
                    return br.call(s, *args, **kwargs)
                else:
                    return s(*args, **kwargs)
            except CircuitOpenError as e:
                if len(es) > 0:
                    raise CircuitOpenError("open", es, e.retry_after) from es[-1]
                else:
                    raise CircuitOpenError("open", es, e.retry_after) from None
            except ret as e:
                es.append(e)
                i = i + 1
                if i >= n:
                    raise RetriesExhaustedError("exhausted", es) from e
                else:
                    if br is not None:
                        if br.state == "open":
                            raise CircuitOpenError("open", es, br.d["o"] + br.d["c"] - clk()) from e
                    if i < 900:
                        l = b * 2 ** (i - 1)
                        if l > c:
                            l = c
                    else:
                        l = c
                    p = l * (1 - j * rnd())
                    if hasattr(e, "retry_after"):
                        if e.retry_after is not None:
                            if e.retry_after > p:
                                p = e.retry_after
                    if dl is not None:
                        if clk() - t0 + p >= dl:
                            raise DeadlineError("deadline", es) from e
                    slp(p)
                    if dl is not None:
                        if clk() - t0 >= dl:
                            raise DeadlineError("deadline", es) from e
