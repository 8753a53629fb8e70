"""Another program in place of the player's, for the player's tests to run on.

Tests import what they test. If they import more than the contract names, such as the player's own helpers, submodules
or constants, they get a *placeholder*. It can be imported and passed around, but a test that uses it is set aside as an
inner test. As an expected error, a placeholder is simply an error that the other program doesn't raise.

Tests that look at code instead of behaviour are detected by Python's audit events, and their results don't count.
"""

from __future__ import annotations

import os
import sys
import types
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from typing import Any

from protocol.player_test_messages import PlayerTestPlan

from .program_files import ProgramFiles
from .suite_notes import HOST_FILES, NOTED_EVENTS, TestNotes
from .suite_session import CONFTEST

_CODE_ATTRIBUTES = frozenset({"__code__", "f_code", "gi_code", "cr_code", "ag_code"})
_WATCHED_EVENTS = frozenset(
    {"object.__getattr__", "open", "sys.settrace", "sys.setprofile", "sys.monitoring.register_callback"}
    | {"gc.get_objects", "gc.get_referrers", "gc.get_referents"}
)
_READ_CODE_IN_PASSING = frozenset(
    {("inspect.py", "_has_code_flag"), ("inspect.py", "_signature_from_function"), ("mock.py", "_mock_add_spec")}
    | {("mock.py", "_is_async_func"), ("mock.py", "_is_async_obj")}
    | {("traceback.py", "_extract_from_extended_frame_gen"), ("traceback.py", "_walk_tb_with_full_positions")}
    | {("coroutines.py", "_format_coroutine"), ("coroutines.py", "get_name")}
    | {("format_helpers.py", "_get_function_source"), ("base_tasks.py", "_task_print_stack")}
)
"""Functions, by file and name, that look at code without revealing it to their callers."""
_OPEN_IN_PASSING = frozenset({"pkgutil.py", "runpy.py", "zipimport.py", "shutil.py"})
_KEEP_TRACER = frozenset({"threading.py", "doctest.py"})
"""Files of the library that pass a tracer on to new threads, or put it back."""
_FIND_EXAMPLES = "doctest.py", "_find_lineno"
"""The function of ``doctest`` that looks at code, for the line of an example."""
_READ_FOR_OTHERS = ("linecache.py", "tokenize.py", "inspect.py")
"""Files of the library that read code on behalf of others: for a traceback, or for a test that wants to see it."""
_LIBRARY = os.path.dirname(os.__file__) + os.sep
_OPERATORS = """
    __call__ __iter__ __next__ __len__ __bool__ __contains__ __getitem__ __setitem__ __delitem__ __enter__ __exit__
    __aenter__ __aexit__ __await__ __aiter__ __anext__ __int__ __float__ __index__ __abs__ __neg__ __pos__ __invert__
    __add__ __radd__ __sub__ __rsub__ __mul__ __rmul__ __truediv__ __rtruediv__ __floordiv__ __mod__ __rmod__ __pow__
    __lt__ __le__ __gt__ __ge__ __and__ __or__ __xor__ __lshift__ __rshift__ __instancecheck__ __subclasscheck__
    __fspath__
""".split()


class Placeholder:
    """Replaces a name of the player's program that isn't in the contract."""

    def __init__(self, name: str, notes: TestNotes) -> None:
        self.__name__ = self.__qualname__ = name
        self._notes = notes

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return self._use()

    def __mro_entries__(self, bases: tuple[object, ...]) -> tuple[type, ...]:
        self._use()
        return ()

    def _use(self, *_arguments: object, **_options: object) -> Any:
        self._notes.note_inner_name(self.__name__)
        return self

    vars().update(dict.fromkeys(_OPERATORS, _use))


class _PlaceholderErrorType(type):
    """The type of placeholders for exceptions, which tests may only expect."""

    notes: TestNotes

    def __call__(cls, *_arguments: object, **_options: object) -> Any:
        cls.notes.note_inner_name(cls.__name__)
        return super().__call__()


class _LaidOutModule(types.ModuleType):
    """A module of the laid-out program, as other modules see it."""

    def __getattr__(self, name: str) -> Any:
        return _program.placeholder(name)

    def __setattr__(self, name: str, value: object) -> None:
        if not name.startswith("__") and not isinstance(value, types.ModuleType):
            _program.notes.note_inner_name(name)
        super().__setattr__(name, value)


class _PlaceholderLoader(Loader):
    """Makes modules in which every name is a placeholder."""

    def create_module(self, spec: ModuleSpec) -> types.ModuleType:
        module = _LaidOutModule(spec.name)
        vars(module)["__path__"] = []
        return module

    def exec_module(self, module: types.ModuleType) -> None:
        """Do nothing: every name of the module is a placeholder already."""

    def get_code(self, name: str) -> types.CodeType:
        """Note an inner name and refuse, when ``python -m`` asks for the module's code.

        Raises:
            ImportError: Always, because there is no code.
        """
        _program.notes.note_inner_name(name)
        raise ImportError(name)


class LaidOutProgram(MetaPathFinder):
    """The program that replaces the player's, in one process and its forks.

    Args:
        plan: Its files, and the names that only the player's program has.
        root: The folder of the program, with a separator at its end.

    Attributes:
        notes: The notes on the running test.
        contents: The source by path.
        files: The program's files on disk, whichever program it is.
    """

    def __init__(self, plan: PlayerTestPlan, root: str) -> None:
        self.notes = TestNotes()
        self.contents = {root + path: source.encode("utf-8") for path, source in plan.laid_out.items()}
        self._root = root
        # Pytest itself inspects the hooks of a conftest file.
        self._paths = frozenset(self.contents or (root + path for path in plan.code if not path.endswith(CONFTEST)))
        self.files = ProgramFiles(self._paths)
        self._inner_modules = frozenset(plan.inner_modules)
        self._inner_names = frozenset(plan.inner_names)
        self._inner_errors = frozenset(plan.inner_errors)
        self._placeholders: dict[str, Any] = {}

    def install(self) -> None:
        """Make imports of missing names give placeholders."""
        global _program  # noqa: PLW0603 - a process has one audit hook and one import hook
        _program = self
        sys.meta_path.append(self)
        for name in self._inner_modules & sys.modules.keys():
            self._extend(sys.modules[name])
        load = SourceFileLoader.exec_module

        def exec_module(loader: SourceFileLoader, module: types.ModuleType) -> None:
            load(loader, module)
            if os.path.abspath(getattr(module, "__file__", None) or "") in self.files:
                self._adopt(module)
            elif module.__name__ in self._inner_modules:
                self._extend(module)

        SourceFileLoader.exec_module = exec_module  # pyright: ignore[reportAttributeAccessIssue]

    def watch(self) -> None:
        """Note who looks at the code of the program."""
        sys.addaudithook(self._audit)

    def find_spec(self, name: str, path: object, target: object = None) -> ModuleSpec | None:
        """The spec of a module that only the player's program has."""
        if name in self._inner_modules:
            return ModuleSpec(name, _PlaceholderLoader(), is_package=True)
        return None

    def _adopt(self, module: types.ModuleType) -> None:
        if not hasattr(module, "__path__"):
            vars(module)["__path__"] = []  # else there could be no placeholders for its submodules
        module.__class__ = _LaidOutModule

    def _extend(self, module: types.ModuleType) -> None:
        """Give one of Python's own modules placeholders for what the player's module of the same name has."""
        vars(module).setdefault("__path__", [])
        vars(module).setdefault("__getattr__", self.placeholder)

    def placeholder(self, name: str) -> Any:
        """The placeholder for a name that the laid-out program doesn't have.

        Raises:
            AttributeError: The player's program doesn't have it either.
        """
        if name not in self._inner_names:
            raise AttributeError(name)
        if name not in self._placeholders:
            if name in self._inner_errors:
                placeholder: Any = _PlaceholderErrorType(name, (Exception,), {})
                placeholder.notes = self.notes
            else:
                placeholder = Placeholder(name, self.notes)
            self._placeholders[name] = placeholder
        return self._placeholders[name]

    def _audit(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event in NOTED_EVENTS:
            self.notes.note_event(event, arguments)
        if event not in _WATCHED_EVENTS or not self.notes.is_watching:
            return
        self.notes.is_watching = False  # a closer look would cause such events itself
        try:
            if self._is_look(event, arguments, vars(sys)["_getframe"](1)):
                self.notes.note_look()
        except Exception:  # noqa: BLE001, S110 - the player's objects may raise anything when inspected
            pass
        finally:
            self.notes.is_watching = True

    def _is_look(self, event: str, arguments: tuple[Any, ...], reader: types.FrameType) -> bool:
        """Whether an event means that a test looks at code, rather than the interpreter or the program itself."""
        caller = os.path.basename(reader.f_code.co_filename), reader.f_code.co_name
        if caller in _READ_CODE_IN_PASSING or _asking_file(reader) in self._paths or _asking_file(reader) in HOST_FILES:
            return False
        if caller == _FIND_EXAMPLES:  # the examples are the player's own, so another program lacks them
            self.notes.note_missing_part()
            return False
        if event == "open":
            is_in_passing = caller[0] in _OPEN_IN_PASSING or not self._is_for_test(reader)
            return not is_in_passing and self._is_code(os.path.abspath(os.fsdecode(arguments[0])))
        if event != "object.__getattr__":
            return caller[0] not in _KEEP_TRACER
        return arguments[1] in _CODE_ATTRIBUTES and getattr(getattr(*arguments), "co_filename", "") in self._paths

    def _is_code(self, path: str) -> bool:
        """Whether a file is the program's source, or its bytecode."""
        stem = os.path.basename(path).partition(".")[0]
        return path in self.files or (
            path.endswith(".pyc") and any(os.path.basename(source) == f"{stem}.py" for source in self._paths)
        )

    def _is_for_test(self, reader: types.FrameType) -> bool:
        """Whether a file is read for a test, directly or by the library, rather than to import it or quote a line."""
        frame: types.FrameType | None = reader
        while frame is not None and frame.f_code.co_filename.startswith("<frozen"):
            if frame.f_code.co_name == "exec_module" or "importlib" not in frame.f_code.co_filename:
                return False
            frame = frame.f_back
        is_direct = frame is reader
        while frame is not None and os.path.basename(frame.f_code.co_filename) in _READ_FOR_OTHERS:
            is_direct, frame = False, frame.f_back
        return is_direct or (frame is not None and frame.f_code.co_filename.startswith(self._root))


def _asking_file(reader: types.FrameType) -> str:
    """The file of the innermost code that isn't in the interpreter's own library."""
    frame: types.FrameType | None = reader
    while frame is not None:
        path = frame.f_code.co_filename
        if not path.startswith((_LIBRARY, "<frozen")) or "site-packages" in path:
            return path
        frame = frame.f_back
    return ""
