"""The judge's end of the channel: tests run in this process, and what they ask goes to the student's.

Nothing that the student wrote runs here (see `proxies.py`).
"""

import io
import secrets
import socket
import sys
import types
import typing
from abc import ABCMeta
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from enum import Enum, Flag
from typing import Any

import cloudpickle

from gradebox.judge import (
    arguments,
    kinds,
    modules,
    pickles,
    proxies,
    server,
    settings,
    texts,
    types_of,
    values,
)
from gradebox.judge.around import Around
from gradebox.judge.data import Packer, Unpacker
from gradebox.judge.errors import Errors
from gradebox.judge.figures import Away
from gradebox.judge.files import Copies
from gradebox.judge.functions import signature, stays
from gradebox.judge.kinds import MAIN, Class, Line
from gradebox.judge.known import Known
from gradebox.judge.lent import Lent
from gradebox.judge.names import with_modules
from gradebox.judge.pickles import Pickles
from gradebox.judge.protocol import (
    LONGEST_TEXT,
    Channel,
    Closed,
    Malformed,
    Node,
    from_words,
    in_words,
)
from gradebox.judge.proxies import MOST_CLASSES, Method, Unable, is_proxy, owned
from gradebox.judge.signs import BROKEN, CALLS, SUBMISSIONS, TAMPERED, UNABLE, is_submissions
from gradebox.judge.texts import Texts

# Questions about the student's names, rather than about what they stand for.
ABOUT_NAMES = {"names", "give", "forget", "files", "read", "write"}
# Those that run the student's code, which may read and write files.
RUNS = {"call", "method", "resume", "enter", "leave"}
# Data, which no proxy is ever said to be.
DATA = (bool, int, float, complex, str, bytes, type(None))
# Python's own classes that no name stands for, such as that of functions.
WITHOUT_NAMES = {kind.__name__: kind for kind in vars(types).values() if isinstance(kind, type)}
# What Python says of any object that can't do something.
PYTHONS = ("unsupported operand", "'")
TOO_LARGE = "what the submission gives back is nested too deeply, or too much, to be sent"
# And where it wants a class of its own making, or awaits.
CLASSES = ("called match pattern must be", "issubclass() arg 1 must be a class")
AWAITS, ASYNC = "can't be used in 'await' expression", "requires an object with __aiter__"
# Libraries whose classes an object may be said to be of, besides those that the notebook imports.
WELL_KNOWN = frozenset(
    "builtins types collections abc numpy torch matplotlib mpl_toolkits pandas scipy sympy sklearn decimal "
    "fractions datetime pathlib enum io re random itertools functools typing dataclasses array queue "
    "contextlib threading asyncio string copy json csv sqlite3 statistics struct zipfile subprocess".split()
)


class Broken(BaseException):
    """The student's process can't be asked any more. It passes any `except Exception` of a test."""


class Tampered(Broken):
    """The student's process has sent what it never sends by itself."""


class Unsendable(Unable):
    """A test passes what can't leave its process."""


class Link:
    """The judge's end of the channel.

    broken: why nothing can be asked any more. unable: why this test can't be judged. passed_over: whether a
    function of the test has found something wrong as the submission called it. met: the classes of objects
    that it has met. namespace: the names that tests know. methods: what is about to be called. began:
    what was set when this cell began (see `settings.py`). libraries: those whose classes objects may be of;
    values: those whose values come as data.
    """

    def __init__(self, link: socket.socket, namespace: dict[str, Any], known: Known):
        self.channel, self.namespace, self.notebook = Channel(link), namespace, known
        self.libraries, self.values = WELL_KNOWN | known.libraries, known.values
        self.proxies: dict[int, Any] = {}
        self.classes: dict[kinds.Kind, type[proxies.Proxy]] = {}
        self.functions: dict[int, Callable] = {}
        self.methods: dict[Method, None] = {}
        self.broken: Broken | None = None
        self.unable: Unable | None = None
        self.passed_over = False
        self.met: set[str] = set()
        self.asked = self.tests = 0
        self.above: dict[Line, type | None] = {}
        self.said_data: dict[Line, bool] = {}
        self.below: dict[Class, type] = {}
        self.errors, self.lent, self.around = Errors(self), Lent(self), Around(self)
        self.figures, self.files = Away(self), Copies(self, known.files, known.mentioned)
        self.pickles = Pickles(self.files.originals, self.note_unable)
        self.texts = Texts(namespace, self.files, self.lent.lend, self.lent.of_students, self.note_unable)
        self.began = settings.current()

    # -- to ask, and be asked -----------------------------------------------------------------------

    def ask(self, do: str, *what: Any) -> Any:
        """Have the student's process do something.

        Raises what the student's code raises, as the built-in class that it is one of, or Broken.
        """
        if self.broken:
            raise self.broken
        self.look_up()
        if do not in ABOUT_NAMES:
            self.lent.carry_over()
        if do in CALLS:
            self.lent.pass_on([*what[-2], *what[-1].values()])
        if do in RUNS:
            self.files.go(*what)
        number, packer = self.send(do, what)
        try:
            header, buffers = self.reply(number)
            unpacker = Unpacker(buffers, self.unpack_beyond, packer, self.named, self.values)
            value = unpacker.unpack(header["value"]) if "value" in header else None
            changed = arguments.unpacked(header["changed"], unpacker)
            arguments.take_over(changed, packer.kept, not changed or self.may_change(do, *what))
            for module, found in packer.modules:
                modules.put_modes(module, found)
            printed, warned = self.around.said_in(header)
            error = self.error(header) if "value" not in header else None
            if header.get("unable") is True:
                error = self.note_unable(TOO_LARGE)
        except Unable:
            # What has come was read, and is not what the test may look at.
            raise
        except Closed:
            self.broken = Broken("the submission's process has ended")
            raise self.broken from None
        except (Malformed, LookupError, TypeError, ValueError, AttributeError) as problem:
            # Words of ours only: those of other errors may repeat what was sent.
            clause = (
                str(problem) if type(problem) is Malformed else "a part of it is missing, or of another kind"
            )
            raise self.tampered(f"the submission's process has sent what can't be read: {clause}") from None
        except BaseException:
            # Interrupted, perhaps in the middle of a frame.
            self.broken = self.broken or Broken("a question to the submission's process was interrupted")
            raise
        self.around.repeat(printed, warned)
        if do in RUNS:
            self.files.come()
        if error is not None:
            raise error
        return value

    def send(self, do: str, what: Sequence[Any]) -> tuple[int, Packer]:
        """Send a question. Raises Unsendable if something of it can't leave this process, or Broken."""
        packer = Packer(self.pack_beyond)
        number = self.asked = self.asked + 1
        try:
            # In their order: of what is there once more, the place of the first is told.
            nodes = [*map(packer.pack, what[:-2] if do in CALLS else what)]
            nodes += packer.call(*what[-2:]) if do in CALLS else []
            question = {"id": number, "do": do, "with": nodes, "set": settings.changed(self.began)}
            self.channel.send(question | self.around.question(), packer.buffers)
        except Closed:
            self.broken = Broken("the submission's process has ended")
            raise self.broken from None
        except Exception as problem:
            raise self.unsendable(f"the test passes what can't be sent: {problem}") from None
        return number, packer

    def give(self, name: str, value: Any) -> None:
        """Let a name of the student's stand for something; unless that can't leave this process."""
        before = self.unable
        try:
            self.ask("give", name, value)
        except Unsendable:
            self.unable = before

    def may_change(self, do: str, thing: Any, *what: Any) -> bool:
        """Whether the course's own solutions change lists and the like that they are given so.

        Of what nobody is to change, a test may well compute what it expects.
        """
        changing = self.notebook.changing
        if do in ("method", "operate"):
            return what[0] in changing
        names = {name for name, value in self.lent.names.items() if value is thing} if do == "call" else None
        return "__init__" in changing or not changing.isdisjoint(names or changing)

    def unsendable(self, what: str) -> Unable:
        self.unable = self.unable or Unable(what)
        return Unsendable(what)

    def look_up(self) -> None:
        """Look up what the code that runs is about to call, ahead of what happens now."""
        waiting, self.methods = self.methods, {}
        for method in waiting:
            method.look_up()

    def reply(self, number: int) -> tuple[dict[str, Node], list[bytearray]]:
        """The answer to this question; meanwhile functions that the test has passed may be called."""
        while True:
            header, buffers = self.channel.receive()
            if "call" in header:
                self.call(header, buffers)
            elif header["to"] != number or type(header["to"]) is not int:
                raise Malformed("an answer that nobody has asked for")
            else:
                return header, buffers

    def call(self, header: dict[str, Node], buffers: list[bytearray]) -> None:
        """Call a function that a test has passed, with data of the student's."""
        number, set_there = header["call"], header["set"]
        if type(number) is not int or number not in self.functions:
            raise Malformed("a call of a function that was not passed")
        unpacker = Unpacker(buffers, self.unpack_beyond, None, self.named, self.values)
        args, kwargs = unpacker.call(*header["with"])
        before = arguments.noted(unpacker)
        said: dict[str, Node]
        try:
            with settings.taken_over(set_there):
                value = self.functions[number](*args, **kwargs)
        except Malformed:
            raise
        except AssertionError as error:
            # What is wrong is for the test to say, and for nobody else to hear of.
            own = not is_submissions(error)
            self.passed_over = self.passed_over or own
            said = {"error": in_words(AssertionError() if own else error)}
        except (Exception, Unable) as error:
            # Of what it can't do, the test hears when it goes on.
            said = {"error": in_words(error)}
        else:
            said = {}
        packer = Packer(self.pack_beyond, unpacker)
        try:
            if not said:
                said["value"] = packer.pack(value)
            said["changed"] = arguments.changed_since(before, unpacker, packer)
            self.channel.send(said, packer.buffers)
        except Closed:
            raise
        except Exception as problem:
            cannot = self.note_unable(f"a function of the test gives back what can't be sent: {problem}")
            self.channel.send({"error": in_words(cannot), "changed": []}, [])

    def error(self, header: dict[str, Node]) -> BaseException:
        """The student's error, or Broken for one that no test can expect."""
        said = header["error"]
        error = from_words(said)
        if not isinstance(error, Exception):
            # Its name is the submission's, and could be anything.
            return Broken("the submission raised what no test expects, such as SystemExit")
        if type(error).__name__ in (BROKEN, TAMPERED, UNABLE):
            return Broken("the submission raised an error of the judge's")
        if "itself" in header:
            error = self.errors.of(error, header["itself"])
        elif "library" in header:
            error = self.errors.of_library(error, header["library"])
        trace, where = (header[note] if type(header[note]) is str else "" for note in ("trace", "where"))
        error.add_note(f"{SUBMISSIONS}\n{trace[:LONGEST_TEXT]}")
        # A lesson's `check` puts it into words.
        vars(error)["raised_in"] = where[:LONGEST_TEXT]
        return error

    def tampered(self, what: str) -> Tampered:
        """What to raise where the student's process has sent what it never sends by itself."""
        self.broken = Tampered(what)
        return self.broken

    def note_unable(self, what: str) -> Unable:
        """What to raise where this test can't be judged; it fails whatever it makes of that."""
        self.unable = self.unable or Unable(what)
        return self.unable

    # -- what is no data ----------------------------------------------------------------------------

    def pack_beyond(self, value: Any, packer: Packer) -> Node:
        if is_proxy(value) and owned(value)[0] is self:
            return {"is": "object", "number": owned(value)[1]}
        if isinstance(value, type) and self.errors.number(value) is not None:
            return {"is": "object", "number": self.errors.number(value)}
        if stays(value):
            return self.function(value)
        if self.figures.is_figure(value):
            return self.figures.pack(value, packer, self.dump)
        file = io.BytesIO()
        self.dump(value, file)
        node: dict[str, Node] = {"is": "pickle", "at": packer.buffer(file.getvalue())}
        if not modules.is_module(value):
            return node
        packer.modules.append((value, found := modules.modes(value)))
        numbers = [packer.pack(tensor.data) for tensor in modules.tensors(value)]
        return {**node, "is": "module", "modes": packer.pack(found), "numbers": numbers}

    def function(self, value: Callable) -> Node:
        """A function stays here: what a test passes is part of the test."""
        # A number that tells nothing: not which of a test's functions it is.
        number = secrets.randbits(62)
        self.functions[number] = value
        return {"is": "function", "number": number, "signature": signature(value)}

    def dump(self, value: Any, file: io.BytesIO) -> None:
        Pickler(self, file).dump(value)

    def unpack_beyond(self, node: Node, unpacker: Unpacker | None) -> Any:
        if node["is"] == "part":
            return self.figures.get(*node["of"])
        if node["is"] == "both" and unpacker:
            # A list with methods of its own is more than that if the course's solutions define such a class.
            found, node = unpacker.unpack(node["plain"]), node["object"]
            line = kinds.read(node["kind"]).line
            if not any(one.module == MAIN and one.name in self.notebook.defined for one in line):
                return found
        number = node["number"]
        if node["is"] != "object" or type(number) is not int or number < 0:
            raise Malformed("a part of it is of no known kind")
        if number not in self.proxies:
            self.proxies[number] = self.made(node, number)
        found = self.proxies[number]
        if is_proxy(found):
            self.met.add(type(found).__name__)
        return found

    def made(self, node: Node, number: int) -> Any:
        """What stands here for an object of the student's process from now on."""
        kind = kinds.read(node["kind"])
        if "member" in node:
            found = self.known(kind.line[0])
            if found and issubclass(found, Enum) and node["member"] in found.__members__:
                return found[node["member"]]
            if found and issubclass(found, Flag) and type(node.get("flags")) is int:
                return found(node["flags"])
        itself = kinds.read_line(node["itself"]) if "itself" in node else None
        if itself and self.errors.is_one(itself):
            return self.errors.class_of(itself)
        if kind not in self.classes:
            if len(self.classes) >= MOST_CLASSES:
                raise Malformed("it has more classes than anybody needs")
            self.classes[kind] = proxies.made(kind)
        return self.classes[kind](self, number, itself)

    def known(self, one: Class) -> type | None:
        """The class of this name, if there is one here that an object of the submission's may be of."""
        found = self.found(one)
        return None if found is None or found in DATA or values.travels(found) else found

    def found(self, one: Class) -> type | None:
        """The class of this name, if there is one here."""
        if one.module == MAIN:
            found = self.namespace.get(one.name) if one.name in self.notebook.own else None
        elif one.module.partition(".")[0] in self.libraries:
            found = sys.modules.get(one.module)
            for name in one.name.split("."):
                found = getattr(found, name, None)
            if found is None and one.module == "builtins":
                found = WITHOUT_NAMES.get(one.name)
        else:
            found = None
        return found if isinstance(found, type) else None

    def is_courses(self, kind: type) -> bool:
        """Whether a class is one that a locked cell defines besides tests."""
        name = kind.__name__
        return kind.__module__ == MAIN and name in self.notebook.given and self.namespace.get(name) is kind

    def travels(self, line: Line) -> bool:
        """Whether an object would have come as data, were it what it says it is."""
        if line not in self.said_data:
            self.said_data[line] = any(values.travels(one) for one in map(self.found, line) if one)
        return self.said_data[line]

    def named(self, module: str, name: str) -> type | None:
        return self.known(Class(module, name))

    def class_of(self, line: Line) -> type | None:
        """The class that `isinstance` finds for an object: one that is known here, or one below that."""
        if line not in self.above:
            known = next(filter(None, map(self.known, line)), object)
            # Some classes of classes take note of each one that is made, for everybody.
            if known is not object and type(known) in (type, ABCMeta) and self.known(line[0]) is not known:
                with suppress(Exception):
                    known = type(known)(line[0].name, (known,), {"__module__": line[0].module})
                    self.below[line[0]] = known
            self.above[line] = None if known is object else known
        return self.above[line]

    def look_at(self, error: BaseException | None) -> None:
        """Take note if a test has ended with an error that may well be no fault of the answer.

        A function of a library has not taken what stands for an object of another library's class.
        """
        if type(error) is not TypeError or hasattr(error, "__notes__"):
            return
        said = str(error)
        if said.startswith(CLASSES) or said.endswith(AWAITS) or ASYNC in said:
            what = f"the test does with an object of the submission's what no proxy can: {said}"
            self.note_unable(what).with_traceback(error.__traceback__)
            return
        theirs = {kind.name for kind in self.classes if kind.line[0].module not in (MAIN, "builtins")}
        name = next((name for name in self.met & theirs if name in said), None)
        if name and not said.startswith(PYTHONS):
            what = f"the test hands on an object of the class {name}, which is no data here: {said}"
            self.note_unable(what).with_traceback(error.__traceback__)

    def close(self) -> None:
        """Let the student's process go."""
        self.channel.link.close()

    # -- by the cell --------------------------------------------------------------------------------

    def before(self, source: str) -> None:
        """Ahead of a cell: lend it the names that it needs and that only the student's side has."""
        self.tests += 1
        self.unable, self.met, self.passed_over = None, set(), False
        self.began = settings.current()
        if self.channel.waiting() and not self.broken:
            self.tampered("the submission's process has sent what nobody has asked for")
        self.texts.before(source)
        self.around.before(source)
        self.figures.before(source)
        with suppress(Broken):
            self.files.come()
            self.lent.before(source)

    def after(self) -> None:
        """Behind a cell: the student's process need not wait for more."""
        self.texts.after()
        self.figures.after()
        with suppress(Broken):
            if not self.broken:
                self.look_up()
                self.lent.carry_over()
                self.lent.put_away()
        self.lent.take_back()
        if not self.lent.by_both:
            # What a test sets ends with it, here as there.
            self.began.put()
        if self.broken:
            return
        try:
            self.channel.send({"done": self.tests}, [])
        except Closed:
            self.broken = self.broken or Broken("the submission's process has ended")


class Pickler(cloudpickle.Pickler):
    """Sends classes that both processes have by their name, and not as copies."""

    def __init__(self, link: Link, file: io.BytesIO):
        super().__init__(file)
        self.link = link

    def reducer_override(self, thing: Any) -> Any:
        if isinstance(thing, type) and thing.__module__ == MAIN:
            name, link = thing.__name__, self.link
            if name in link.notebook.given and link.namespace.get(name) is thing:
                return server.known, (name,)
        return super().reducer_override(thing)


_link: Link | None = None


def _running() -> Link:
    if _link is None:
        raise RuntimeError("the channel to the student's process has not been taken up")
    return _link


def give_back(names: list[str]) -> None:
    """Take these names from the student's process from now on, whatever locked cells have given them."""
    _running().lent.returned = frozenset(names)


def watch(names: list[str]) -> None:
    """Let the student's process have what tests give these names, as they run."""
    _running().lent.used = frozenset(names)


def pass_on(names: list[str]) -> None:
    """Let the student's process have what these names stand for, where a test passes the very same."""
    _running().lent.passed = frozenset(names)


def share(names: list[str]) -> None:
    """Let the student's process have what these names of tests stand for."""
    _running().lent.give(names)


def begin(shell: Any, said: dict, descriptor: int) -> Link:
    """Take up the channel in an IPython shell, and stand by each of its cells. said: see `Known.words`."""
    global _link
    end, known = socket.socket(fileno=descriptor), Known.from_words(said)
    link = _link = Link(end, shell.user_ns, replace(known, own=frozenset(with_modules(known.own))))
    # Where tests look names up, and where nobody looks for one.
    kind = types_of.made(proxies.type_of)
    shell.user_ns_hidden[types_of.NAME] = shell.user_ns[types_of.NAME] = kind
    types_of.import_with(kind)
    typing.get_type_hints = proxies.hints_of(typing.get_type_hints)
    texts.guard(link.texts)
    pickles.watch(link.pickles)
    if "yaml" in known.libraries:
        texts.guard_yaml(link.texts)

    # A test may run cells itself.
    running: list[Any] = []

    def before(info: Any) -> None:
        running.append(info)
        if info is running[0]:
            link.before(shell.transform_cell(info.raw_cell))

    def after(result: Any) -> None:
        if len(running) > 1 and getattr(result, "info", None) is not running[0]:
            running.pop()
            return
        running.clear()
        link.after()
        if result is None:
            return
        link.look_at(result.error_in_exec)
        if result.error_in_exec is None and link.passed_over:
            link.note_unable("the submission has passed over what a function of the test has found wrong")
        ended = link.broken or link.unable
        if ended and result.error_before_exec is None and result.error_in_exec is not ended:
            # Whatever the test made of it, nobody has answered.
            result.error_in_exec = ended

    shell.events.register("pre_run_cell", before)
    shell.events.register("post_run_cell", after)
    return link
