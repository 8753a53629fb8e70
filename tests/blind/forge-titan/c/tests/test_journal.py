import pytest

from titan import JournalError


@pytest.fixture
def story(book, open_book, journal):
    """The bytes of a journal, and the status after each line."""
    calls = [
        lambda: book.add([{"id": "a", "backoff": 2}, {"id": "b", "after": ["a"]}], "k"),
        lambda: book.take(10, 20),
        lambda: book.fail("a", 1, 12),
        lambda: book.take(14, 20),
        lambda: book.done("a", 2, 16),
    ]
    told = [book.status(17)]
    for call in calls:
        call()
        told.append(book.status(17))
    return journal.read_bytes(), told


def test_opened_again(story, open_book):
    assert open_book().status(17) == story[1][-1]


def test_only_changes_are_written(story, book, journal):
    book.status(17)
    book.done("a", 2, 18)
    book.add([{"id": "a", "backoff": 2}, {"id": "b", "after": ["a"]}], "k")
    assert journal.read_bytes() == story[0]
    assert story[0].count(b"\n") == 5


def test_cut_anywhere(story, open_book, journal):
    data, told = story
    for length in range(len(data) + 1):
        journal.write_bytes(data[:length])
        book = open_book()
        lines = data[:length].count(b"\n")
        assert book.status(17) == told[lines]
        book.add([{"id": "new"}])
        assert journal.read_bytes().startswith(data[:length][: data[:length].rfind(b"\n") + 1])
        assert journal.read_bytes().count(b"\n") == lines + 1
        assert open_book().status(17) == book.status(17)


def test_a_line_that_is_no_json(story, open_book, journal):
    lines = story[0].splitlines(keepends=True)
    journal.write_bytes(lines[0] + b"x" + b"".join(lines[1:]))
    with pytest.raises(JournalError) as caught:
        open_book()
    assert caught.value.line == 2


@pytest.mark.xfail(strict=True, reason="there is no checksum yet")
def test_changed_bytes(story, open_book, journal):
    data, told = story
    last = data.rstrip(b"\n").rfind(b"\n") + 1
    for index in range(last):
        if data[index] == 10:
            continue
        journal.write_bytes(data[:index] + bytes([data[index] ^ 128]) + data[index + 1 :])
        with pytest.raises(JournalError) as caught:
            open_book()
        assert caught.value.line == data[:index].count(b"\n") + 1
    digit = data.rindex(b"16")
    journal.write_bytes(data[:digit] + b"17" + data[digit + 2 :])
    assert open_book().status(17) == told[-2]
