"""Texts that are run in the judge: only what the course's own cells and files say.

A test may hand what an answer has given to something that runs text, such as `eval`, SymPy's `simplify` or
`doctest`. In one process that is the student's code in the student's place; here it would be beside tests.
So whatever runs a text while a test does has to find that text in the test: as it stands there, or with no
more than words and numbers put into it.
"""

import __future__

import ast
import builtins
import doctest
import linecache
import os
import re
import sys
import threading
from collections.abc import Callable, Container, Iterable, Iterator
from contextlib import suppress
from functools import lru_cache, wraps
from textwrap import dedent
from types import CodeType, FrameType
from typing import Any

from gradebox.checks_cell import packed_code
from gradebox.code.names import parsed
from gradebox.judge import code, formulas
from gradebox.judge.files import Copies

# Libraries that run texts which they make themselves, not those that they are given.
MAKES_ITS_OWN = frozenset(
    "collections dataclasses enum unittest attr scipy sympy numpy matplotlib torch networkx sklearn "
    "decorator".split()
)
# Those that make another text from the one that they are given: by module and function, what they were given.
GIVEN_AS = {
    ("timeit", "__init__"): ("stmt", "setup"),
    ("sympy.parsing.sympy_parser", "parse_expr"): ("s",),
    ("sympy.utilities.lambdify", "lambdify"): ("args", "expr"),
    ("pandas.core.frame", "query"): ("expr",),
    ("pandas.core.frame", "eval"): ("expr",),
    ("pandas.core.computation.eval", "eval"): ("expr",),
}
# Where modules are imported, which are the instructor's or installed.
IMPORTS = "<frozen importlib"
# Who only reads a text before it runs it.
READS_AHEAD = ("IPython", "pandas")
# What Python says of programs that it starts; where IPython starts those of a line with "!".
FORKS = {"os.fork", "os.forkpty"}
STARTS = {"subprocess.Popen", "os.system", "os.exec", "os.posix_spawn"} | FORKS
SHELL = {sys.executable, "/bin/sh", "sh", "-c"}
# And of code that it runs, or makes something of.
HEARD = STARTS | {"exec", "function.__new__", "code.__new__"}
SHELL_LINE = ("IPython.utils._process_posix", "system")
# A text that is longer than this is no expression that a test puts together.
LONGEST = 10_000
# What a test may put into a text: words and numbers, which call nothing.
HOLE = r"(\w*|-?\d[\d.eE+-]*|'[\w ]*'|\[[-\d.,eE+ ]*\])"
OPTIONS = re.compile(r"(-\S+\s+)+")
WORD = re.compile(r"\w+")
# What looks like a blank to some, and ends a line for others.
UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\x85\u2028\u2029]")
FIELD = re.compile(r"\{[^{}]*\}|%[-+ #0-9.]*[a-zA-Z]")
# The flags of `from __future__ import ...`, which code hands on to what it runs.
FUTURE = sum({getattr(__future__, name).compiler_flag for name in __future__.all_feature_names} - {0x10})


class Texts:
    """What the cells and files of a course say.

    namespace: that of the cells. files: the instructor's, and those that came from the submission. lend:
    makes the names of a text known here; lent: says which are the student's. refuse: makes the error for a
    text that is none of the course's. running: the cell that runs, in this thread; ran: those before. cells:
    what IPython has kept of cells, by its names for them; made: what was put beside that as a test ran.
    """

    def __init__(
        self,
        namespace: dict[str, Any],
        files: Copies,
        lend: Callable[[str], None],
        lent: Callable[[], Container[str]],
        refuse: Callable[[str], BaseException],
    ):
        self.namespace, self.files, self.refuse = namespace, files, refuse
        self.lend, self.lent = lend, lent
        self.cells: set[str] = set()
        self.made: set[str] = set()
        self.running, self.thread = "", threading.get_ident()
        self.ran: dict[str, None] = {}

    def before(self, source: str) -> None:
        """Ahead of a cell."""
        self.running, self.thread = source, threading.get_ident()
        if len(linecache.cache) != len(self.cells) + len(self.made):
            self.cells |= linecache.cache.keys() - self.made

    def after(self) -> None:
        """Behind a cell."""
        self.ran[self.running] = None
        if len(linecache.cache) != len(self.cells) + len(self.made):
            self.made |= linecache.cache.keys() - self.cells

    def look_at(self, source: Any, frame: FrameType) -> None:
        """Raises an error if a text that the code in this frame runs is none of the course's."""
        stack = self.stack(frame)
        given = [one.f_locals[name] for one in stack for name in GIVEN_AS.get(name_of(one), ())]
        module = name_of(frame)[0]
        if not stack or module == code.__name__ or (not given and module.partition(".")[0] in MAKES_ITS_OWN):
            return
        if isinstance(source, ast.AST) and any(name_of(one)[0].startswith(READS_AHEAD) for one in stack[:4]):
            # It was looked at as it was read.
            return
        for text in texts_in(given or [source]):
            if not self.is_ours(text, stack):
                raise self.refuse(
                    "the test runs a text that does not stand in it: one of the submission's could run here"
                )
            self.lend(text)

    def hear(self, event: str, about: tuple) -> None:
        """Python is about to start a program, or run code. Raises an error if it could be a submission's."""
        if event not in HEARD:
            return
        if event not in STARTS:
            if code.is_students(about[0]) and self.stack(sys._getframe(1)):
                raise self.refuse("the test runs the code of one of the submission's functions")
            return
        stack = self.stack(sys._getframe(1))
        given = (
            [one.f_locals["cmd"] for one in stack if name_of(one) == SHELL_LINE] if event in FORKS else about
        )
        if not stack or not given:
            return
        ours = all(one in SHELL or self.is_ours(one, stack) for one in texts_in(given[:2]))
        if not ours or self.files.copies:
            raise self.refuse("the test starts a program, which a submission has named or written files for")

    def stack(self, frame: FrameType | None) -> list[FrameType]:
        """The frames up to the cell that runs; none if there is none, or a module is being imported."""
        found: list[FrameType] = []
        while frame and not frame.f_code.co_filename.startswith(IMPORTS):
            found.append(frame)
            if frame.f_globals is self.namespace:
                return found
            frame = frame.f_back
        # A thread that a test has started has no cell below it.
        return [] if frame or threading.get_ident() == self.thread else found

    def is_ours(self, text: str, stack: list[FrameType]) -> bool:
        """Whether a text is one of the course's, or one of the library's that runs it."""
        if any(text in constants(one.f_code) for one in stack) or self.is_file(text):
            return True
        if any(text == packed_code(self.source_of(one)) for one in stack if one.f_globals is self.namespace):
            return True
        kept: list[Any] = [linecache.cache.get(name) or () for name in self.cells]
        sources = [self.running, *self.ran, *filter(None, map(beside, stack))]
        cells = ["".join(one[2]) for one in kept if len(one) == 4 and one[1] is None]
        # What this process is told itself says names of all kinds.
        sources += [cell for cell in cells if "gradebox.judge" not in cell]
        text = text.strip(" \t\n")
        if len(text) > LONGEST or UNSEEN.search(text):
            return False
        lines = text.split("\n")
        return any(
            stands_in(text, source) or self.is_put_together(text, source, stack) for source in sources
        ) or all(any(line in whole(one) for one in sources) and is_complete(line) for line in lines)

    def source_of(self, frame: FrameType) -> str:
        """The text of the cell that a frame is in; "" for what was put beside cells as a test ran."""
        name = frame.f_code.co_filename
        return "" if name in self.made else "".join(linecache.getlines(name))

    def is_put_together(self, text: str, source: str, stack: list[FrameType]) -> bool:
        """Whether a cell has made a text of its own and of words that are none of its own names."""
        for one in patterns(source):
            match = re.fullmatch(one, text)
            if match:
                return not any(
                    self.is_tests(word, stack) for hole in match.groups() for word in WORD.findall(hole)
                )
        return WORD.fullmatch(text) is not None and not self.is_tests(text, stack)

    def is_tests(self, word: str, stack: list[FrameType]) -> bool:
        """Whether this is a name of the test's, rather than of the student's or of Python's own."""
        if word in self.lent():
            return False
        return word in self.namespace or any(word in one.f_locals for one in stack[:1])

    def is_file(self, text: str) -> bool:
        data = text.encode(errors="replace")
        return any(
            path.stat().st_size == len(data) and path.read_bytes() == data for path in self.files.originals()
        )


def name_of(frame: FrameType) -> tuple[str, str]:
    """The module and the function that a frame is in."""
    return str(frame.f_globals.get("__name__")), frame.f_code.co_name


def texts_in(given: Iterable[Any]) -> Iterator[str]:
    """The texts among values, in lists and in formulas, too."""
    for one in given:
        if isinstance(one, str):
            yield one
        elif isinstance(one, bytes | bytearray):
            yield bytes(one).decode(errors="replace")
        elif isinstance(one, ast.AST):
            yield ast.unparse(one)
        elif isinstance(one, list | tuple | set | frozenset):
            yield from texts_in(one)
        elif isinstance(one, dict):
            yield from texts_in([*one.keys(), *one.values()])
        elif hasattr(one, "atoms"):
            yield from formulas.names_like_code(one)


def stands_in(text: str, source: str) -> bool:
    """Whether a text is one in a cell, or whole lines of one."""
    return any(text in one and f"\n{text}\n" in f"\n{one}\n" for one in dedented(source))


@lru_cache(maxsize=500)
def whole(source: str) -> frozenset[str]:
    """The lines of the texts in a cell."""
    return frozenset(line for one in dedented(source) for line in one.split("\n"))


def is_complete(line: str) -> bool:
    """Whether a line is code by itself, and no part of any."""
    return bool(parsed(line).body) or not line.strip()


@lru_cache(maxsize=500)
def dedented(source: str) -> list[str]:
    """The texts in a cell, as they are, and without what each line begins with."""
    nodes = ast.walk(parsed(source))
    found = [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    examples = [example.source for one in found if ">>>" in one for example in examples_in(one)]
    # What a magic is given may begin with options.
    found += [OPTIONS.sub("", one) for one in found if OPTIONS.match(one)]
    return [text.strip(" \t\n") for one in (*found, *examples) for text in (one, dedent(one))]


def examples_in(text: str) -> list[doctest.Example]:
    with suppress(ValueError):
        return doctest.DocTestParser().get_examples(text)
    return []


@lru_cache(maxsize=500)
def patterns(source: str) -> list[str]:
    """What texts look like that a cell puts together."""
    found: list[str] = []
    for node in ast.walk(parsed(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and FIELD.search(node.value):
            found.append(HOLE.join(map(re.escape, FIELD.split(node.value))))
        elif isinstance(node, ast.JoinedStr | ast.BinOp):
            found.append(pattern(node))
    return [one for one in found if one.replace(HOLE, "").strip() and one.count(HOLE) < 10]


def pattern(node: ast.expr) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return re.escape(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(map(pattern, node.values))
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return pattern(node.left) + pattern(node.right)
    return HOLE


def beside(frame: FrameType) -> str | None:
    """The text of the instructor's module that a frame is in, if it is in one."""
    file = frame.f_code.co_filename
    return "".join(linecache.getlines(file)) if file.startswith(os.getcwd()) else None


@lru_cache(maxsize=2000)
def constants(code: CodeType) -> frozenset[str]:
    """The texts in a piece of code."""
    return frozenset(one for one in code.co_consts if type(one) is str)


def guard(texts: Texts) -> None:
    """Have all that runs texts in this process look at them first."""
    run, read, make = builtins.eval, builtins.exec, builtins.compile

    def coded(source: Any, frame: FrameType, mode: str) -> Any:
        """What `eval` or `exec` is given, as code."""
        if not isinstance(source, str | bytes | bytearray):
            return source
        texts.look_at(source, frame)
        text: Any = source
        if mode == "eval":
            text = text.lstrip(" \t" if isinstance(source, str) else b" \t")
        return make(text, "<string>", mode, frame.f_code.co_flags & FUTURE, True)

    @wraps(run)
    def evaluate(source: Any, within: Any = None, names: Any = None, /) -> Any:
        frame = sys._getframe(1)
        return run(coded(source, frame, "eval"), *scopes(frame, within, names))

    @wraps(read)
    def execute(source: Any, within: Any = None, names: Any = None, /, **kwargs: Any) -> None:
        frame = sys._getframe(1)
        read(coded(source, frame, "exec"), *scopes(frame, within, names), **kwargs)

    @wraps(make)
    def compiled(
        source: Any,
        filename: Any,
        mode: str,
        flags: int = 0,
        dont_inherit: bool = False,
        optimize: int = -1,
        **kwargs: Any,
    ) -> Any:
        frame = sys._getframe(1)
        if not flags & ast.PyCF_ONLY_AST or reads_ahead(frame):
            texts.look_at(source, frame)
        if not dont_inherit:
            flags |= frame.f_code.co_flags & FUTURE
        return make(source, filename, mode, flags, True, optimize, **kwargs)

    builtins.eval, builtins.exec, builtins.compile = evaluate, execute, compiled  # type: ignore[assignment]
    sys.addaudithook(texts.hear)


def guard_yaml(texts: Texts) -> None:
    """Have PyYAML make no objects: its unsafe loaders import and call what a text names."""
    from yaml import constructor

    def refused(self: Any, *args: Any, **kwargs: Any) -> Any:
        raise texts.refuse("the test reads YAML that makes objects: one of the submission's could run here")

    for name in ("find_python_module", "find_python_name"):
        for kind in (constructor.FullConstructor, constructor.UnsafeConstructor):
            setattr(kind, name, refused)


def reads_ahead(frame: FrameType) -> bool:
    """Whether a text that is only to be read now is to be run."""
    asks = frame.f_back if frame.f_back and frame.f_globals.get("__name__") == "ast" else frame
    return name_of(asks)[0].startswith(READS_AHEAD)


def scopes(frame: FrameType, within: Any, names: Any) -> tuple[Any, Any]:
    """The namespaces that code runs in: those of whoever runs it, unless others are given."""
    if within is not None:
        return within, within if names is None else names
    if names is None:
        names = frame.f_locals if isinstance(frame.f_locals, dict) else dict(frame.f_locals)
    return frame.f_globals, names
