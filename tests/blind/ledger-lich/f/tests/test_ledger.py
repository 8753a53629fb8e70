from decimal import Context, Decimal as D, localcontext

import pytest

import ledger as m


@pytest.fixture
def book():
    result = m.Ledger()
    for name, minimum in [("shop", D("-5")), ("bank", None), ("tax", None)]:
        result.open(name, minimum)
    return result


def sale(amount, account="shop"):
    return [(account, D(amount)), ("bank", D(amount).copy_negate())]


def everything(book):
    return book.history(), book.balances(), [book.statement(name) for name in book.balances()]


def test_three_sides(book):
    assert book.post("1", [("bank", D("11.9")), ("shop", D("-10")), ("shop", D(10)), ("tax", D("-11.9"))])
    assert book.balances() == {"shop": 0, "bank": D("11.9"), "tax": D("-11.9")}


def test_statement(book):
    book.post("1", sale(3), "one")
    book.post("2", sale(4))
    assert book.statement("shop") == [("1", "one", D(3), D(3)), ("2", "", D(4), D(7))]
    assert book.statement("tax") == []


def test_statement_adds_up_the_postings_of_a_transaction(book):
    book.post("1", [("shop", D(3)), ("bank", D(-5)), ("shop", D(2))])
    assert book.statement("shop") == [("1", "", D(5), D(5))]


def test_statement_leaves_out_what_moved_nothing(book):
    book.post("1", [("shop", D(3)), ("shop", D(-3))])
    assert book.statement("shop") == []
    assert len(book.history()) == 1


@pytest.mark.parametrize("amount", [1, 1.0, "1", True, None, D("nan"), D("snan"), D("inf"), D("0")])
def test_bad_amounts(book, amount):
    before = everything(book)
    with pytest.raises(m.InvalidAmountError):
        book.post("1", [("shop", amount), ("bank", D(-1))])
    assert everything(book) == before


@pytest.mark.parametrize("postings, error", [
    ([], m.UnbalancedError),
    ([("shop", D(1)), ("bank", D(-2))], m.UnbalancedError),
    (sale(1, "nowhere"), m.UnknownAccountError),
    (sale("-5.000000000001"), m.OverdraftError),
])
def test_refusals(book, postings, error):
    before = everything(book)
    with pytest.raises(error):
        book.post("1", postings)
    assert everything(book) == before
    assert book.post("1", sale("-5"))


def test_accounts(book):
    with pytest.raises(m.DuplicateAccountError):
        book.open("shop")
    for method in (book.balance, book.statement):
        with pytest.raises(m.UnknownAccountError):
            method("nowhere")


def test_a_dip_in_between(book):
    assert book.post("1", [("shop", D(-9)), ("bank", D(4)), ("shop", D(5))])
    assert book.balance("shop") == -4


def test_once(book):
    book.post("1", sale(-5))
    assert book.post("1", iter(sale("-5.0")[::-1])) is False
    assert book.balance("shop") == -5
    for postings, memo in [(sale(-4), ""), (sale(-5), "memo"), (sale(-5) + sale(-5), "")]:
        with pytest.raises(m.ConflictError):
            book.post("1", postings, memo)
    assert len(book.history()) == 1


def test_reversal(book):
    book.post("1", sale(5))
    assert book.reverse("1", "2", "memo") is True
    assert book.reverse("1", "2", "memo") is False
    assert book.history()[1] == ("2", "memo", (("shop", D(-5)), ("bank", D(5))))
    for args in [("1", "3"), ("1", "2", "other"), ("2", "1", "other")]:
        with pytest.raises(m.ConflictError):
            book.reverse(*args)
    with pytest.raises(m.UnknownTransactionError):
        book.reverse("9", "10")
    assert book.reverse("2", "3") is True


def test_reversal_that_is_refused_may_be_sent_again(book):
    book.post("1", sale(5))
    book.post("2", sale(-6))
    with pytest.raises(m.OverdraftError):
        book.reverse("1", "3")
    book.post("4", sale(6))
    assert book.reverse("1", "5") is True


def test_exact(book):
    with localcontext(Context(prec=1)):
        book.post("1", sale("123456789012345678901234.000000000001"))
        book.post("2", sale("0.1"))
        book.reverse("1", "3")
        assert book.balance("shop") == D("0.1")
        assert book.statement("shop")[1][3] == D("123456789012345678901234.100000000001")


def test_written_in_stone(book):
    mine = [list(pair) for pair in sale(5)]
    book.post("1", mine)
    before = everything(book)
    mine[0][1] = D(9)
    for handed_out in (book.history(), book.balances(), book.statement("shop")):
        handed_out.clear()
    assert everything(book) == before
