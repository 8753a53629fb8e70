"""Meaning instead of spelling: other names for what does the same, and work that stands where readers don't look."""

import pytest

MIXED = "def f(p):\n    if p > 3:\n        total = p * 2 + 1\n        {call}\n    return p / 7\n"


@pytest.mark.parametrize(
    ("before", "call"),
    [
        ("opened, show = open, print\n", "show(total)"),
        ("import sys\nleave = sys.exit\n", "leave(total)"),
        ("import functools\nshow = functools.partial(print, end='')\n", "show(total)"),
        ("import builtins\nget = getattr(builtins, 'open')\n", "get(p)"),
        ("def show(*words):\n    print(*words)\n", "show(total)"),
        ("first = print\nshow = first\n", "show(total)"),
        ("import sys\nstream = sys\n", "stream.stdout.write(total)"),
    ],
)
def test_input_and_output_by_another_name_is_seen(facts, before, call):
    assert facts(MIXED.format(call="pass"))["code.io_mixed"].value == 0
    assert facts(before + MIXED.format(call=call))["code.io_mixed"].value == 1


@pytest.mark.parametrize("source", ["a = b\nb = a\n", "a = a\n", "def a(x):\n    a(x)\n", "a, b = b, a\n"])
def test_names_that_stand_for_each_other_end_somewhere(facts, source):
    assert facts(source + "def f(p):\n    return a(p)\n")["code.io_mixed"].value == 0


def test_a_catch_all_by_another_name_is_one(facts):
    found = facts("Oops = Exception\ndef f():\n    try:\n        g()\n    except Oops:\n        return 1\n")
    assert (found["code.broad_excepts"].value, found["code.specific_excepts"].value) == (1, 0)


@pytest.mark.parametrize(
    "nothing", ["_ = 0", "...", "'words'", "unused = None", "str(error)", "pass\n        continue"]
)
def test_a_handler_without_effect_is_silent(facts, nothing):
    code = "for x in y:\n    try:\n        g()\n    except ValueError as error:\n        "
    assert facts(code + nothing + "\n")["code.silent_excepts"].value == 1


def test_a_raise_behind_the_end_of_its_block_raises_nothing(facts):
    code = "import sys\ndef f():\n    try:\n        g()\n    except Exception:\n        {}        raise\n"
    assert facts(code.format("sys.exit(1)\n"))["code.broad_excepts"].value == 1
    assert facts(code.format("print(1)\n"))["code.broad_excepts"].value == 0


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
