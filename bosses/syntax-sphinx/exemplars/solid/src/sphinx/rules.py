"""The grammar, one method for each row."""

from sphinx.cutter import cut
from sphinx.errors import ParseError
from sphinx.tree import Call, Name, Number, Operation, Sign

DEEPEST = 100


class Rules:
    """Reads one text from left to right."""

    def __init__(self, text):
        self.text = text
        self.token = cut(text, 0)
        self.depth = 0

    def next(self):
        """The current token, which is thereby used up."""
        used = self.token
        self.token = cut(self.text, used.position + len(used.text))
        return used

    def fail(self):
        """Refuse the current token."""
        raise ParseError(self.token.position, f"{self.token.text or 'the end'} can't stand here")

    def need(self, text):
        """Use up a token that has to be there."""
        if self.token.text != text:
            self.fail()
        return self.next()

    def read(self):
        """The whole text."""
        node = self.total()
        if self.token.kind != "end":
            self.fail()
        return node

    def from_the_left(self, signs, operand):
        """A row of operators that go from left to right."""
        node = operand()
        while self.token.text and self.token.text in signs:
            sign = self.next()
            node = Operation(sign.text, sign.position, node, operand())
        return node

    def total(self):
        """a + b - c"""
        return self.from_the_left("+-", self.product)

    def product(self):
        """a * b / c % d"""
        return self.from_the_left("*/%", self.signed)

    def signed(self):
        """-a"""
        self.depth += 1
        if self.depth > DEEPEST:
            raise ParseError(self.token.position, "nested too deeply")
        if self.token.text in ("+", "-"):
            node = Sign(self.next().text, self.signed())
        else:
            node = self.power()
        self.depth -= 1
        return node

    def power(self):
        """a ^ b"""
        node = self.atom()
        if self.token.text == "^":
            sign = self.next()
            node = Operation("^", sign.position, node, self.signed())
        return node

    def atom(self):
        """A number, a name, a call, or parentheses."""
        if self.token.kind == "number":
            number = self.next()
            return Number(number.text, number.position)
        if self.token.kind == "name":
            name = self.next()
            if self.token.text == "(":
                return Call(name.text, name.position, self.arguments())
            return Name(name.text, name.position)
        self.need("(")
        node = self.total()
        self.need(")")
        return node

    def arguments(self):
        """(a, b, c)"""
        self.need("(")
        found = []
        if self.token.text != ")":
            found.append(self.total())
            while self.token.text == ",":
                self.next()
                found.append(self.total())
        self.need(")")
        return found
