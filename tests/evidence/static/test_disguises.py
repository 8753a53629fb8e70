"""Meaning instead of spelling: other ways to do the same, and work that stands where readers don't look."""

import pytest


@pytest.mark.parametrize("nothing", ["_ = 0", "...", "'words'", "unused = None", "pass\n        continue"])
def test_a_handler_without_effect_is_silent(facts, nothing):
    code = "for x in y:\n    try:\n        g()\n    except ValueError as error:\n        "
    assert facts(code + nothing + "\n")["code.silent_excepts"].value == 1


BODY = "".join(f"    if a > {number}:\n        print(a)\n" for number in range(9))


@pytest.mark.parametrize("head", ["class Work:\n    a = 3\n", "if __name__ == '__main__':\n    a = 3\n"])
def test_work_outside_of_functions_is_read_like_a_function(facts, head):
    found = facts(head + BODY)
    assert found["code.longest_function"].value >= 18
    assert found["code.module_level_statements"].value >= 9
    assert found["code.max_complexity"].value >= 9


def test_an_ordinary_class_and_main_guard_do_no_work(facts):
    found = facts("""
        class Point:
            '''A place.'''
            __slots__ = ("x",)
            SIZE = 3 * 4
            names = [name for name in "abc"]

            def move(self):
                return self.x

        if __name__ == "__main__":
            import sys
            sys.exit(main(sys.argv[1:]))
        """)
    assert found["code.module_level_statements"].value == 0
    assert found["code.longest_function"].value == 2


def test_a_docstring_without_a_word_documents_nothing(facts):
    found = facts("def f(a):\n    '''.'''\n    return a\ndef g(a):\n    '''Gives a.'''\n    return a\n")
    assert found["code.docstring_share"].value == 0.5


def test_a_class_body_that_reads_and_decides_is_mixed(facts):
    found = facts("class Work:\n    for row in open('rows'):\n        if row > 3:\n            print(row * 2 + 1)\n")
    assert found["code.io_mixed"].findings[0].message.startswith("`Work` decides or computes")


@pytest.mark.parametrize(
    ("block", "count"),
    [
        ("with suppress(ValueError):\n        size = int(text)\n    return size", 1),
        ("with suppress(ValueError):\n        return int(text)\n    return 0", 0),
        ("with suppress(OSError):\n        text.close()\n    return size", 0),
        ("with suppress(StopIteration):\n        size = next(text)\n    return size", 0),
    ],
)
def test_suppressing_what_a_value_needed_is_silent(facts, block, count):
    found = facts(f"from contextlib import suppress\ndef f(text):\n    size = 1\n    {block}\n")
    assert found["code.silent_excepts"].value == count


@pytest.mark.parametrize("guard", ["__name__ == __name__", "'__main__' == '__main__'"])
def test_a_guard_that_always_holds_is_none(facts, guard):
    found = facts(f"if {guard}:\n    print(1)\n")
    assert (found["code.main_guard"].value, found["code.module_level_statements"].value) == (False, 2)


def test_a_private_class_with_a_public_name_is_public(facts):
    code = "class _Cache:\n    def get(self, key):\n        return key\n"
    assert facts(code)["code.docstring_share"].value is None
    assert facts(code + "Cache = _Cache\n")["code.docstring_share"].value == 0


@pytest.mark.parametrize(("more", "documented"), [("", 1), ("get = _get", 0.5), ("def __getattr__(self, a): ...", 0.5)])
def test_a_private_method_with_a_public_name_is_public(facts, more, documented):
    code = f"class Cache:\n    'Keeps values.'\n    def _get(self, key):\n        return key\n    {more}\n"
    assert facts(code)["code.docstring_share"].value == documented


def test_one_sentence_for_everything_documents_nothing(facts):
    code = "".join(f"def f{number}(a):\n    '''Do it.'''\n    return a\n" for number in range(2))
    assert facts(code)["code.docstring_share"].value == 1
    assert facts(code + code.replace("def f", "def g"))["code.docstring_share"].value == 0
    counted = "".join(f"def f{number}(a):\n    'Do number {number}.'\n    return a\n" for number in range(4))
    assert facts(counted)["code.docstring_share"].value == 0


def test_a_text_that_python_reads_otherwise_is_not_read(facts):
    hidden = "# coding: utf-7\n# +AAo-print(1)+AAo-\ndef f(a): return a\n"
    found = facts(hidden)
    assert (found["code.syntax_errors"].value, found["code.functions"].value) == (1, None)
    for plain in ("# coding: latin-1\nname = 'Zoë'\n", "# -*- coding: utf-8 -*-\nname = 'Zoë'\n", "# coding: ascii\n"):
        assert facts(plain)["code.syntax_errors"].value == 0
    assert facts("# coding: nothing-known\n")["code.syntax_errors"].value == 1


@pytest.mark.parametrize(
    ("line", "lines"),
    [
        *[("a = 1; b = 2; c = 3", 4), ("if a: b = 1; c = 2", 3), ("if a: b = 1", 2)],
    ],
)
def test_a_crowded_line_counts_as_several(facts, line, lines):
    assert facts(f"def f(a, b):\n    {line}\n")["code.longest_function"].value == lines


def test_a_crowded_function_is_told_so(facts):
    finding = facts("def f():\n    a = 1; b = 2; c = 3\n")["code.longest_function"].findings[0]
    assert "would be 4 lines long with one statement on each" in finding.message
