"""The judge's end of the channel: tests run in this process, and their requests go to the student's.

Nothing that the student wrote runs here: what is received is decoded as data (`codec.py`) or is a handle
(`handles.py`).

The judge sends {"id": 7, "do": "call", "with": [...]} and receives {"to": 7, "changed": [...]} with a "value"
or an "error". Meanwhile the student's process may send {"call": 3, "with": [args, kwargs]} to call a function
of the test's, and receives "changed" and a "value" or an "error". {"done": 2} ends the second test. "changed"
are the arguments that are not as they were (`writeback.py`), "context" what the test has set up
(`call_context.py`).
"""

import json
import socket
import sys
from dataclasses import replace
from functools import partial
from typing import Any

from gradebox.judge import callbacks, handles, judge_server, remote_figures, torch_modules, writeback
from gradebox.judge.call_context import Context
from gradebox.judge.codec import MAIN, Decoder, Encoder, Node
from gradebox.judge.exec_guard import Guard
from gradebox.judge.handles import NotJudgeable, class_in, is_handle, is_iterator, owned, read_class
from gradebox.judge.kernel_commands import (
    BROKEN,
    NEEDED,
    NO_VALUE,
    RUN_BY_BOTH,
    SUBMISSIONS,
    TAMPERED,
    UNABLE,
    is_submissions,
)
from gradebox.judge.mutation_tracking import Tracker
from gradebox.judge.notebook_facts import Facts
from gradebox.judge.remote_exceptions import LONGEST_TEXT, Errors, find_in_libraries, to_node
from gradebox.judge.required_operations import CONTAINERS, HANDLES, TRACKING, Needs, Use, digest
from gradebox.judge.test_namespace import ABOUT_NAMES, Names
from gradebox.kernel.frames import LARGEST_HEADER, MOST_BUFFERS, Closed, Frames, Malformed
from gradebox.static_analysis.free_names import with_modules

# Libraries whose classes `isinstance` and `except` can find, besides those that the notebook imports.
WELL_KNOWN = sys.stdlib_module_names | {"torch", "numpy", "matplotlib", "pandas", "scipy", "sympy"}
TOO_LARGE = "the submission returned a value that is nested too deeply, or too large, to be sent"
OURS = {BROKEN, TAMPERED, UNABLE, NO_VALUE}


class Broken(BaseException):
    """The student's process can't be asked any more. Passes any `except Exception` of a test."""


class Tampered(Broken):
    """The student's process has sent what it never sends by itself."""


class NotAValue(BaseException):
    """The submission returned an object where the reference returns plain values. Passes any `except`."""


class Client:
    """Sends the requests of tests.

    facts: what the judge knows of the notebook. use: what the running test may do, and has done. broken: why
    nothing can be asked any more. ended: why the running test has ended, whatever it makes of that.
    suppressed: whether the submission has suppressed a failed assertion in a function of the test's.
    fetched: the numbers of objects that names stand for. unexpected: those of objects where the reference
    has plain values, each with what it can be asked for all the same; anything else ends the test.
    """

    def __init__(self, link: socket.socket, namespace: dict[str, Any], facts: Facts):
        self.channel = Frames(link, LARGEST_HEADER, MOST_BUFFERS)
        self.namespace, self.facts = namespace, facts
        self.handles: dict[int, handles.Handle] = {}
        self.functions: dict[int, Any] = {}
        self.fetched: set[int] = set()
        self.unexpected: dict[int, tuple[str, ...]] = {}
        self.broken: BaseException | None = None
        self.ended: BaseException | None = None
        self.suppressed = False
        self.asked = self.tests = 0
        self.use = Use()
        self.find = find_in_libraries(WELL_KNOWN | facts.libraries)
        self.errors = Errors(self.find, lambda number, name: self.ask("get_of", number, name))
        self.context, self.names, self.figures = (
            Context(self.callback),
            Names(self),
            remote_figures.Lent(self),
        )
        self.tracker = Tracker()
        self.guard = Guard(namespace, self.not_judgeable)

    # -- requests -------------------------------------------------------------------------------------

    def ask(self, do: str, *what: Any) -> Any:
        """Send a request and return the result.

        Raises what the student's code raises, NotAValue, NotJudgeable or Broken.
        """
        if self.broken:
            raise self.broken
        if do not in ABOUT_NAMES:
            self.names.carry_over()
        encoder, modules = self.send(do, what)
        try:
            header, buffers = self.reply(self.asked)
            decoder = Decoder(buffers, partial(self.decode_beyond, do), encoder, self.class_named)
            value = decoder.decode(header["value"]) if "value" in header else None
            if header["changed"] != [] and writeback.write_back(
                header["changed"], decoder, self.may(CONTAINERS)
            ):
                self.use.allows(CONTAINERS)
            for module, modes in modules:
                torch_modules.put_modes(module, modes)
            if "numbers" in header:
                self.tracker.track(header["numbers"], decoder)
            error = None if "value" in header else self.error(header)
            self.context.repeat(header)
        except (NotJudgeable, NotAValue, Broken):
            raise
        except Closed:
            raise self.end(Broken("the submission's process has ended")) from None
        except (Malformed, LookupError, TypeError, ValueError, AttributeError) as problem:
            # Other errors' messages may repeat what was sent.
            why = str(problem) if type(problem) is Malformed else "a part is missing or has another type"
            raise self.tampered(f"an invalid reply: {why}") from None
        except BaseException:
            self.end(Broken("a request to the submission's process was interrupted"))
            raise
        # Names are sent back also after the judge has ended a test.
        stops = error if do in ABOUT_NAMES else self.ended or error
        if stops is not None:
            raise stops
        return value

    def send(self, do: str, what: tuple[Any, ...]) -> tuple[Encoder, list]:
        """Send a request. Returns the encoder of its arguments, and the torch modules among these."""
        self.asked += 1
        modules: list[tuple[Any, Any]] = []
        encoder = Encoder(partial(self.encode_beyond, modules), handles=True)
        try:
            question: dict[str, Node] = {"id": self.asked, "do": do}
            if self.may(TRACKING):
                encoder.shared = self.tracker.shared()
                question["track"] = self.tracker.changes(encoder)
                if question["track"]:
                    self.use.allows(TRACKING)
            question["with"] = [encoder.encode(one) for one in what]
            if self.may(HANDLES):
                question["handles"] = True
            context = self.context.changed()
            if context:
                question["context"] = encoder.buffer(context)
            self.channel.send_with(question, encoder.buffers)
        except Closed:
            raise self.end(Broken("the submission's process has ended")) from None
        except Exception as problem:
            raise self.not_judgeable(f"the test passes a value that can't be sent: {problem}") from None
        return encoder, modules

    def may(self, need: str) -> bool:
        return self.use.needs is None or need in self.use.needs

    def end(self, why: BaseException) -> BaseException:
        self.broken = self.broken or why
        return self.broken

    def tampered(self, what: str) -> BaseException:
        return self.end(Tampered(f"the submission's process has sent {what}"))

    def not_judgeable(self, what: str) -> BaseException:
        """Return what to raise where the judge can't go on with this test, which fails."""
        self.ended = self.ended or NotJudgeable(what)
        return self.ended

    def no_value(self, kind: str) -> BaseException:
        """Return what to raise where a test uses an object that was returned in place of a value."""
        text = f"your code returned an object of type {kind[:60]} where this test expects a value"
        self.ended = self.ended or NotAValue(text)
        return self.ended

    def reply(self, number: int) -> tuple[dict[str, Node], list[bytearray]]:
        """Return the reply to a request; meanwhile the submission may call functions of the test's."""
        while True:
            header, buffers = self.channel.receive()
            if "call" in header:
                self.call(header, buffers)
            elif header["to"] != number or type(header["to"]) is not int:
                raise Malformed("a reply to no request")
            else:
                return header, buffers

    def call(self, header: dict[str, Node], buffers: list[bytearray]) -> None:
        """Call a function that a test has passed, with data of the student's."""
        number = header["call"]
        if type(number) is not int or number not in self.functions:
            raise Malformed("a call of a function that was not passed")
        decoder = Decoder(buffers, partial(self.decode_beyond, "call"), classes=self.class_named)
        before: list[Any] = []
        said: dict[str, Node] = {}
        try:
            args, kwargs = header["with"]
            args = [decoder.decode(one) for one in args]
            kwargs = {name: decoder.decode(one) for name, one in kwargs.items()}
            before = writeback.snapshot(decoder)
            value = self.functions[number](*args, **kwargs)
        except Malformed:
            raise
        except (Exception, NotJudgeable, NotAValue) as error:
            # The student's code is not told what the test has found wrong.
            own = isinstance(error, AssertionError) and not is_submissions(error)
            self.suppressed = self.suppressed or own
            said["error"] = to_node(AssertionError() if own or self.ended else error, lambda value: 0)
        encoder = Encoder(partial(self.encode_beyond, []), decoder, handles=True)
        try:
            if not said:
                said["value"] = encoder.encode(value)
            said["changed"] = writeback.changes(before, decoder, encoder)
            self.channel.send_with(said, encoder.buffers)
        except Closed:
            raise
        except Exception as problem:
            self.not_judgeable(f"a function of the test returned a value that can't be sent: {problem}")
            self.channel.send({"error": to_node(AssertionError(), lambda value: 0), "changed": []})

    def error(self, header: dict[str, Node]) -> BaseException:
        """Return the student's error, or Broken for one that no test can expect."""
        if header.get("unable") is True:
            return self.not_judgeable(TOO_LARGE)
        error = self.errors.from_node(header["error"])
        if error is None or type(error).__name__ in OURS:
            return Broken("the submission raised what no test expects, such as SystemExit")
        trace, where = (header[note] if type(header[note]) is str else "" for note in ("trace", "where"))
        error.add_note(f"{SUBMISSIONS}\n{trace[:LONGEST_TEXT]}")
        # A lesson's `check` puts it into words.
        vars(error)["raised_in"] = where[:LONGEST_TEXT]
        return error

    # -- values that are not data ---------------------------------------------------------------------

    def encode_beyond(self, modules: list, value: Any, encoder: Encoder) -> Node:
        if is_handle(value):
            return {"is": "object", "number": owned(value)[1]}
        number = self.errors.number(value) if isinstance(value, type) else None
        if number is not None:
            return {"is": "object", "number": number}
        if callbacks.stays(value):
            return self.callback(value)
        if self.figures.is_figure(value):
            return self.figures.encode(value, encoder)
        node: dict[str, Node] = {"is": "pickle", "at": encoder.buffer(self.pickled(value))}
        if not torch_modules.is_module(value):
            return node
        modes = torch_modules.modes(value)
        modules.append((value, modes))
        numbers = [encoder.encode(tensor.data) for tensor in torch_modules.tensors(value)]
        return {**node, "is": "module", "modes": encoder.encode(modes), "numbers": numbers}

    def callback(self, function: Any) -> Node:
        number = callbacks.new_number()
        self.functions[number] = function
        return {"is": "function", "number": number, "signature": callbacks.signature(function)}

    def pickled(self, value: Any) -> bytes:
        return callbacks.pickled(value, self.reduce)

    def reduce(self, thing: Any) -> Any:
        """Return how a handle, or a class that both processes have, is pickled: by its number or name."""
        if is_handle(thing):
            return judge_server.own, (owned(thing)[1],)
        if isinstance(thing, type) and thing.__module__ == MAIN and thing.__name__ in self.facts.given:
            return judge_server.known, (thing.__name__,)
        return NotImplemented

    def decode_beyond(self, do: str, node: Node, decoder: Decoder) -> Any:
        if node["is"] == "part":
            return self.figures.get(*node["of"])
        number = node["number"]
        if node["is"] != "object" or type(number) is not int or number < 0:
            raise Malformed("a value has no known type")
        if "error" in node and (kind := self.errors.class_of(node["error"])):
            return kind
        if number not in self.handles:
            self.handles[number] = read_class(node["class"], node["can"])(self, number)
        found: Any = self.handles[number]
        if do in ABOUT_NAMES or do == "copy":
            self.fetched.add(number)
            self.unexpected.pop(number, None)
        elif number not in self.fetched and number not in self.unexpected:
            if do == "get" and "__call__" in found._can:
                # A method, which is called next.
                self.unexpected[number] = ("call",)
            elif not self.use.allows(HANDLES):
                self.unexpected[number] = ("iterate", "resume") if is_iterator(found) else ()
        return found

    def class_of(self, line: handles.Line) -> type | None:
        return class_in(line, lambda module, name: self.class_named(name) or self.find(module, name))

    def class_named(self, name: str) -> type | None:
        """Return the class of this name that a locked cell has defined."""
        found = self.namespace.get(name) if name in self.facts.own else None
        return found if isinstance(found, type) else None

    # -- cells ----------------------------------------------------------------------------------------

    def before(self, source: str, cell: str) -> None:
        """Prepare for a cell: fetch the names that it needs and that only the student's process has.

        source: the cell as IPython runs it; cell: as it is in the notebook.
        """
        self.tests += 1
        self.ended, self.suppressed = None, False
        self.tracker = Tracker()
        free = self.facts.needs is None or RUN_BY_BOTH in source
        self.use = Use(None if free else self.facts.needs.get(digest(cell), Needs()))  # type: ignore[union-attr]
        if self.channel.waiting() and not self.broken:
            self.tampered("what nobody has asked for")
        self.context.before(source)
        if not self.broken:
            try:
                self.names.before(source)
            except Broken:
                pass
        self.guard.on = True

    def after(self) -> None:
        """Finish a cell: the student's process is told that no more requests follow."""
        self.guard.on = False
        try:
            if not self.broken:
                self.names.after()
            if not self.broken and self.tracker.changed():
                # The request itself asks for nothing.
                self.ask("names", [])
        except (Broken, NotJudgeable, NotAValue):
            pass
        if self.facts.record and not self.names.by_both:
            print(f"\n{NEEDED}{json.dumps(sorted(self.use.used))}", flush=True)
        if not self.names.by_both:
            self.context.after()
        if not self.broken:
            try:
                self.channel.send({"done": self.tests})
            except Closed:
                self.end(Broken("the submission's process has ended"))


_client: Client | None = None


def running() -> Client:
    assert _client
    return _client


def give_back(names: list[str]) -> None:
    """From now on take these names from the student's process, although locked cells have defined them."""
    running().names.returned = frozenset(names)


def share(names: list[str]) -> None:
    """Define these names of tests in the student's process, too."""
    running().names.share(names)


def begin(shell: Any, facts: dict, descriptor: int) -> Client:
    """Open the channel in an IPython shell, and prepare for each of its cells. facts: as JSON."""
    global _client
    known = Facts.from_json(facts)
    known = replace(known, own=frozenset(with_modules(known.own)))
    client = _client = Client(socket.socket(fileno=descriptor), shell.user_ns, known)
    running: list[Any] = []

    def before(info: Any) -> None:
        running.append(info)
        if info is running[0]:
            client.before(shell.transform_cell(info.raw_cell), info.raw_cell)

    def after(result: Any) -> None:
        if len(running) > 1 and getattr(result, "info", None) is not running[0]:
            running.pop()
            return
        running.clear()
        client.after()
        if result is None:
            return
        if result.error_in_exec is None and client.suppressed:
            client.not_judgeable("the submission suppressed an error of a function that the test passed")
        ended = client.broken or client.ended
        if ended and result.error_before_exec is None and result.error_in_exec is not ended:
            # Whatever the test made of it.
            result.error_in_exec = ended

    shell.events.register("pre_run_cell", before)
    shell.events.register("post_run_cell", after)
    return client
