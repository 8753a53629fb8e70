import math


class ExpressionError(ValueError):
    def __init__(self, m, position):
        ValueError.__init__(self, m)
        self.position = position


class ParseError(ExpressionError):
    pass


class EvaluationError(ExpressionError):
    pass


def work(t, v, f, run):
    L = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
    D = "0123456789"
    i = 0
    n = len(t)
    want = True
    vs = []
    os = []
    names = []
    while True:
        while i < n and t[i] in " \t\r\n":
            i += 1
        p = i
        c = t[i] if i < n else ""
        if want and c != "" and c in D:
            while i < n and t[i] in D:
                i += 1
            if i + 1 < n and t[i] == "." and t[i + 1] in D:
                i += 1
                while i < n and t[i] in D:
                    i += 1
            if i < n and t[i] in "eE":
                j = i + 1
                if j < n and t[j] in "+-":
                    j += 1
                if j < n and t[j] in D:
                    i = j
                    while i < n and t[i] in D:
                        i += 1
            x = float(t[p:i])
            if run and x == math.inf:
                raise EvaluationError("too large", p)
            vs.append(x if run else 1.0)
            want = False
        elif want and c != "" and c in L:
            while i < n and (t[i] in L or t[i] in D):
                i += 1
            w = t[p:i]
            j = i
            while j < n and t[j] in " \t\r\n":
                j += 1
            if j < n and t[j] == "(":
                os.append(["f", w, p, len(vs)])
                i = j + 1
                k = i
                while k < n and t[k] in " \t\r\n":
                    k += 1
                if k < n and t[k] == ")":
                    want = False
            else:
                names.append(w)
                if run:
                    if w not in v:
                        raise EvaluationError("no variable " + w, p)
                    vs.append(float(v[w]))
                else:
                    vs.append(1.0)
                want = False
        elif want and c == "(":
            os.append(["(", "(", p, 0])
            i += 1
        elif want and c != "" and c in "+-":
            os.append(["u", c, p, 0])
            i += 1
        elif want:
            raise ParseError("something is missing", p)
        elif c != "" and c not in "+-*/%^),":
            raise ParseError("can't stand here: " + c, p)
        else:
            # everything on the stack that binds tighter comes first
            if c == "^":
                b = 5
            elif c != "" and c in "*/%":
                b = 2
            elif c != "" and c in "+-":
                b = 1
            else:
                b = 0
            while os and os[-1][0] in "uo":
                o = os[-1]
                if o[0] == "u":
                    q = 3
                elif o[1] == "^":
                    q = 4
                elif o[1] in "*/%":
                    q = 2
                else:
                    q = 1
                if q < b:
                    break
                os.pop()
                if o[0] == "u":
                    if o[1] == "-":
                        vs[-1] = -vs[-1]
                else:
                    y = vs.pop()
                    x = vs.pop()
                    z = 1.0
                    if run:
                        try:
                            if o[1] == "+":
                                z = x + y
                            if o[1] == "-":
                                z = x - y
                            if o[1] == "*":
                                z = x * y
                            if o[1] == "/":
                                z = x / y
                            if o[1] == "%":
                                z = x % y
                            if o[1] == "^":
                                z = x**y
                        except (ZeroDivisionError, OverflowError):
                            raise EvaluationError("can't compute", o[2])
                        if type(z) == complex or z != z or z in (math.inf, -math.inf):
                            raise EvaluationError("no number", o[2])
                    vs.append(z)
            if c == "":
                if os:
                    raise ParseError("parenthesis is open", p)
                return vs[0], names
            i += 1
            if c == ")":
                if not os:
                    raise ParseError("no parenthesis is open", p)
                o = os.pop()
                if o[0] == "f":
                    a = vs[o[3] :]
                    del vs[o[3] :]
                    z = 1.0
                    if run:
                        if o[1] in f:
                            z = f[o[1]](*a)
                        elif o[1] in ("abs", "sqrt", "floor") and len(a) == 1:
                            if o[1] == "abs":
                                z = abs(a[0])
                            elif o[1] == "floor":
                                z = float(math.floor(a[0]))
                            elif a[0] < 0:
                                raise EvaluationError("root of a negative number", o[2])
                            else:
                                z = math.sqrt(a[0])
                        elif o[1] in ("min", "max") and len(a) > 0:
                            z = min(a) if o[1] == "min" else max(a)
                        else:
                            raise EvaluationError("can't call " + o[1], o[2])
                    vs.append(z)
            elif c == ",":
                if not os or os[-1][0] != "f":
                    raise ParseError("comma", p)
                want = True
            else:
                os.append(["o", c, p, 0])
                want = True


class E:
    def __init__(self, t):
        self.t = t
        self.n = work(t, {}, {}, False)[1]

    def variables(self):
        return sorted(set(self.n))

    def evaluate(self, variables=None, functions=None):
        return work(self.t, variables or {}, functions or {}, True)[0]


def parse(text):
    return E(text)


def evaluate(text, variables=None, functions=None):
    return E(text).evaluate(variables, functions)
