"""The judge's end of the channel: send the requests of tests in this process to the student's process.

The judge's kernel calls `start_judge`. No student code runs in this process: received values are decoded as
data (`codec.py`) or as handles (`handles.py`).

The judge sends {"id": 7, "do": "call", "with": [...]} and receives {"to": 7, "changed": [...]} with a "value"
or an "error". Meanwhile the student's process may send {"call": 3, "with": [args, kwargs]} to call a function
of the test. The judge then sends "changed" and a "value" or an "error". {"done": 2} ends the second test.
"changed" contains the arrays that were mutated (`writeback.py`). "context" contains the settings that the
test has made (`library_settings.py`).
"""

from __future__ import annotations

import builtins
import json
import os
import socket
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from gradebox.judge import callbacks, handles, submission_server, torch_modules, writeback
from gradebox.judge.code_run_in_kernels import (
    BROKEN,
    NOT_A_VALUE,
    NOT_JUDGEABLE,
    RUN_BY_BOTH_COMMENT,
    SUBMISSION_ERROR_NOTE,
    TAMPERED,
    USES_HANDLES_PREFIX,
    is_submission_error,
)
from gradebox.judge.codec import MAIN, Decoder, Encoder, Node
from gradebox.judge.exec_guard import ExecGuard
from gradebox.judge.handle_permission import HandlePermission, hash_test_source
from gradebox.judge.handles import (
    NotJudgeable,
    decode_handle_class,
    find_known_class,
    get_reference,
    is_handle,
    is_iterator,
)
from gradebox.judge.instructor_notebook_facts import NotebookFacts
from gradebox.judge.library_settings import CallContext
from gradebox.judge.remote_exceptions import (
    MAX_ERROR_TEXT_LENGTH,
    ErrorDecoder,
    encode_error,
    make_class_finder,
)
from gradebox.judge.test_namespace import NAMESPACE_REQUESTS, CellNamespace
from gradebox.kernel.frames import (
    MAX_BUFFER_COUNT,
    MAX_HEADER_SIZE,
    ConnectionClosedError,
    FrameSocket,
    MalformedMessageError,
)
from gradebox.static_analysis.free_names import expand_star_names

# Libraries whose classes `isinstance` and `except` can find, besides those that the notebook imports.
# Python 3.9 has no list of the standard library's modules; the folder lacks only modules in C.
STANDARD_LIBRARY = getattr(
    sys,
    "stdlib_module_names",
    frozenset(path.stem for path in Path(os.__file__).parent.iterdir()).union(sys.builtin_module_names),
)
KNOWN_LIBRARIES = STANDARD_LIBRARY | {"torch", "numpy", "matplotlib", "pandas", "scipy", "sympy"}
RESULT_TOO_LARGE_MESSAGE = (
    "the submission returned a value that is nested too deeply, or too large, to be sent"
)
JUDGE_ERROR_NAMES = {BROKEN, TAMPERED, NOT_JUDGEABLE, NOT_A_VALUE}
# IPython's names for the sources and results of earlier cells. `_dh` stays, because %cd needs it.
HISTORY_NAMES = "In", "Out", "_", "__", "___", "_i", "_ii", "_iii", "_ih", "_oh"


class Broken(BaseException):
    """Error for a request that the student's process does not answer.

    Not an Exception, so that `except Exception` in a test does not catch the error.
    """


class Tampered(Broken):
    """Error for a message that the unmodified server in the student's process never sends."""


class NotAValue(BaseException):
    """Error for an object that the submission returned where the reference returns plain values.

    Not an Exception, so that `except Exception` in a test does not catch the error.
    """


class JudgeClient:
    """Client that sends the requests of tests to the student's process.

    facts: facts about the instructor's notebook. permission: that of the running test.
    broken: the error of all further requests. ended: the error that ends the running test, even if the test
    catches the error. failed: the last assertion that failed in a function passed by the test, which must
    then fail. handles: by number and `named`. unexpected: those where the reference returns plain values,
    each with the requests that are still allowed. Other requests end the test.
    """

    def __init__(self, link: socket.socket, namespace: dict[str, Any], facts: NotebookFacts):
        self.channel = FrameSocket(link, MAX_HEADER_SIZE, MAX_BUFFER_COUNT)
        self.namespace, self.facts = namespace, facts
        self.handles: dict[tuple[int, bool], handles.Handle] = {}
        self.functions: dict[int, Any] = {}
        self.unexpected: dict[tuple[int, bool], tuple[str, ...]] = {}
        self.broken: BaseException | None = None
        self.ended: BaseException | None = None
        self.failed: AssertionError | None = None
        self.asked = self.tests = 0
        self.permission = HandlePermission()
        self.find = make_class_finder(KNOWN_LIBRARIES | facts.libraries)
        self.errors = ErrorDecoder(self.find, lambda number, name: self.send_request("get_of", number, name))
        self.context, self.names = CallContext(), CellNamespace(self)
        self.guard = ExecGuard(namespace, self.end_with_not_judgeable)

    # -- requests -------------------------------------------------------------------------------------

    def send_request(self, do: str, *what: Any) -> Any:
        """Send a request and return the result.

        Raises the errors of the student's code, NotAValue, NotJudgeable or Broken.
        """
        if self.broken:
            raise self.broken
        if do not in NAMESPACE_REQUESTS:
            self.names.send_name_changes()
        encoder, modules = self.send(do, what)
        try:
            header, buffers = self.reply(self.asked)
            decoder = Decoder(buffers, partial(self.decode_default, do), encoder, self.find_class_by_name)
            value = decoder.decode(header["value"]) if "value" in header else None
            writeback.apply_changed_arguments(header["changed"], decoder)
            for module, modes in modules:
                torch_modules.apply_training_modes(module, modes)
            error = None if "value" in header else self.error(header)
            self.context.repeat(header.get("drawn", []))
        except (NotJudgeable, NotAValue, Broken):
            raise
        except ConnectionClosedError:
            raise self.end(Broken("the submission's process has ended")) from None
        except (MalformedMessageError, LookupError, TypeError, ValueError, AttributeError) as problem:
            # Messages of other errors may contain received data.
            why = (
                str(problem)
                if type(problem) is MalformedMessageError
                else "a field is missing or has a wrong type"
            )
            raise self.end_with_tampered(f"an invalid reply: {why}") from None
        except BaseException:
            self.end(Broken("a request to the submission's process was interrupted"))
            raise
        # Changes of names are sent even after the judge has ended a test.
        stops = error if do in NAMESPACE_REQUESTS else self.ended or error
        if stops is not None:
            raise stops
        return value

    def send(self, do: str, what: tuple[Any, ...]) -> tuple[Encoder, list]:
        """Send a request. Return the encoder of its arguments and the torch modules among these arguments."""
        self.asked += 1
        modules: list[tuple[Any, Any]] = []
        encoder = Encoder(partial(self.encode_default, modules), handles=True)
        try:
            question: dict[str, Node] = {"id": self.asked, "do": do}
            question["with"] = [encoder.encode(one) for one in what]
            if self.permission.allowed is not False:
                question["handles"] = True
            context = self.context.changed()
            if context:
                question["context"] = encoder.buffer(context)
            self.channel.send_with_buffers(question, encoder.buffers)
        except ConnectionClosedError:
            raise self.end(Broken("the submission's process has ended")) from None
        except Exception as problem:
            raise self.end_with_not_judgeable(
                f"the test passes a value that can't be sent: {problem}"
            ) from None
        return encoder, modules

    def end(self, why: BaseException) -> BaseException:
        self.broken = self.broken or why
        return self.broken

    def end_with_tampered(self, what: str) -> BaseException:
        return self.end(Tampered(f"the submission's process has sent {what}"))

    def end_with_not_judgeable(self, what: str) -> BaseException:
        """Record and return the error for a test that the judge can't continue; the test fails."""
        self.ended = self.ended or NotJudgeable(what)
        return self.ended

    def end_with_not_a_value(self, kind: str) -> BaseException:
        """Record and return the error for a test that uses an object returned in place of a value."""
        # A student's class could be named after the inputs of a hidden test.
        what = f"an object of type {kind}" if kind in vars(builtins) else "an object"
        text = f"your code returned {what} where this test expects a value"
        self.ended = self.ended or NotAValue(text)
        return self.ended

    def reply(self, number: int) -> tuple[dict[str, Node], list[bytearray]]:
        """Return the reply to a request, and serve calls of the test's functions in the meantime."""
        while True:
            header, buffers = self.channel.receive()
            if "call" in header:
                self.call(header, buffers)
            elif header["to"] != number or type(header["to"]) is not int:
                raise MalformedMessageError("a reply to an unknown request")
            else:
                return header, buffers

    def call(self, header: dict[str, Node], buffers: list[bytearray]) -> None:
        """Call a function passed by a test, with arguments from the student's process, and reply."""
        number = header["call"]
        if type(number) is not int or number not in self.functions:
            raise MalformedMessageError("a call of a function that the test did not pass")
        decoder = Decoder(buffers, partial(self.decode_default, "call"), classes=self.find_class_by_name)
        before: list[Any] = []
        said: dict[str, Node] = {}
        try:
            args, kwargs = header["with"]
            args = [decoder.decode(one) for one in args]
            kwargs = {name: decoder.decode(one) for name, one in kwargs.items()}
            before = writeback.snapshot_arguments(decoder)
            value = self.functions[number](*args, **kwargs)
        except MalformedMessageError:
            raise
        except (Exception, NotJudgeable, NotAValue) as error:
            said["error"] = encode_error(AssertionError() if self.ended else error, lambda value: 0)
            if not is_submission_error(error):
                # The message could reveal values of the function, or identify a wrong candidate.
                said["error"] |= {"message": "", "args": []}
                self.failed = error if isinstance(error, AssertionError) else self.failed
        asked = writeback.list_current_arguments(before, decoder)
        encoder = Encoder(partial(self.encode_default, []), asked, handles=True)
        try:
            if not said:
                said["value"] = encoder.encode(value)
            said["changed"] = writeback.encode_changed_arguments(before, decoder, encoder)
            self.channel.send_with_buffers(said, encoder.buffers)
        except ConnectionClosedError:
            raise
        except Exception as problem:
            self.end_with_not_judgeable(
                f"a function of the test returned a value that can't be sent: {problem}"
            )
            self.channel.send({"error": encode_error(AssertionError(), lambda value: 0), "changed": []})

    def error(self, header: dict[str, Node]) -> BaseException:
        """Return the student's error, or Broken for an error that no test can expect."""
        if header.get("unable") is True:
            return self.end_with_not_judgeable(RESULT_TOO_LARGE_MESSAGE)
        error = self.errors.decode_error(header["error"])
        if error is None or type(error).__name__ in JUDGE_ERROR_NAMES:
            return Broken("the submission raised an error that no test can expect, such as SystemExit")
        if self.failed and type(error) is AssertionError and not str(error):
            # What the test's own function said was left out on the way.
            return self.failed
        trace, where = (header[note] if type(header[note]) is str else "" for note in ("trace", "where"))
        # Python 3.9 and 3.10 have no `add_note`.
        error.__notes__ = [f"{SUBMISSION_ERROR_NOTE}\n{trace[:MAX_ERROR_TEXT_LENGTH]}"]
        # `explain_errors.py` adds this location to its explanation.
        vars(error)["raised_in"] = where[:MAX_ERROR_TEXT_LENGTH]
        return error

    # -- values that are not data ---------------------------------------------------------------------

    def encode_default(self, modules: list, value: Any, encoder: Encoder) -> Node:
        if is_handle(value):
            return {"is": "object", "number": get_reference(value)[1]}
        number = self.errors.number(value) if isinstance(value, type) else None
        if number is not None:
            return {"is": "object", "number": number}
        if callbacks.is_callback(value):
            return self.callback(value)
        node: dict[str, Node] = {"is": "pickle", "at": encoder.buffer(self.pickle_value(value))}
        if not torch_modules.is_sendable_module(value):
            return node
        modes = torch_modules.read_training_modes(value)
        modules.append((value, modes))
        numbers = [encoder.encode(tensor.data) for tensor in torch_modules.list_module_tensors(value)]
        return {**node, "is": "module", "modes": encoder.encode(modes), "numbers": numbers}

    def callback(self, function: Any) -> Node:
        number = callbacks.generate_random_id()
        self.functions[number] = function
        return {"is": "function", "number": number, "signature": callbacks.describe_signature(function)}

    def pickle_value(self, value: Any) -> bytes:
        return callbacks.pickle_value(value, self.reduce)

    def reduce(self, thing: Any) -> Any:
        """Return the reduction of a handle (by number) or a class of both processes (by name)."""
        if is_handle(thing):
            return submission_server.get_object_by_number, (get_reference(thing)[1],)
        if isinstance(thing, type) and thing.__module__ == MAIN and thing.__name__ in self.facts.given:
            return submission_server.get_shared_class, (thing.__name__,)
        return NotImplemented

    def decode_default(self, do: str, node: Node, decoder: Decoder) -> Any:
        number = node["number"]
        if node["is"] != "object" or type(number) is not int or number < 0:
            raise MalformedMessageError("a value has an unknown type")
        if "error" in node and (kind := self.errors.class_of(node["error"])):
            return kind
        named = do in NAMESPACE_REQUESTS or do == "copy"
        key = number, named or self.permission.allowed is not False
        if key not in self.handles:
            self.handles[key] = decode_handle_class(node["class"], node["can"])(self, *key)
        found: Any = self.handles[key]
        if not named and key not in self.unexpected:
            if do == "get" and "__call__" in found._can:
                # A method: the test calls the method next.
                self.unexpected[key] = ("call",)
            elif not self.permission.request():
                self.unexpected[key] = ("iterate", "resume") if is_iterator(found) else ()
        return found

    def class_of(self, line: handles.MroNames) -> type | None:
        return find_known_class(
            line, lambda module, name: self.find_class_by_name(name) or self.find(module, name)
        )

    def find_class_by_name(self, name: str) -> type | None:
        """Return the class of this name if only locked cells define the name."""
        found = self.namespace.get(name) if name in self.facts.own else None
        return found if isinstance(found, type) else None

    # -- cells ----------------------------------------------------------------------------------------

    def before(self, source: str, cell: str) -> None:
        """Prepare for a cell: fetch the names that the cell needs and only the student's process has.

        source: the cell's code as IPython runs it. cell: the cell's code in the notebook.
        """
        self.tests += 1
        self.ended, self.failed = None, None
        allowed = self.facts.handles
        free = allowed is None or RUN_BY_BOTH_COMMENT in source
        self.permission = HandlePermission(None if free else hash_test_source(cell) in allowed)  # type: ignore[operator]
        if self.channel.waiting() and not self.broken:
            self.end_with_tampered("an unsolicited message")
        self.context.before(source)
        if not self.broken:
            try:
                self.names.before(source)
            except Broken:
                pass
        self.guard.on = True

    def after(self) -> None:
        """Finish a cell, and notify the student's process that no more requests follow."""
        self.guard.on = False
        try:
            if not self.broken:
                self.names.after()
        except (Broken, NotJudgeable, NotAValue):
            pass
        if self.facts.record and not self.names.by_both:
            print(f"\n{USES_HANDLES_PREFIX}{json.dumps(self.permission.used)}", flush=True)
        if not self.names.by_both:
            self.context.after()
        if not self.broken:
            try:
                self.channel.send({"done": self.tests})
            except ConnectionClosedError:
                self.end(Broken("the submission's process has ended"))


_client: JudgeClient | None = None


def get_client() -> JudgeClient:
    assert _client
    return _client


def give_back(names: list[str]) -> None:
    """Take these names from the student's process from now on, even if locked cells define the names."""
    get_client().names.returned = frozenset(names)


def share(names: list[str]) -> None:
    """Define these names of tests in the student's process, too."""
    get_client().names.share(names)


def start_judge(shell: Any, facts: dict, descriptor: int) -> JudgeClient:
    """Open the channel in an IPython shell, and register hooks that run before and after each cell.

    From now on, the shell keeps no history: no name of its namespace holds the source of a test. facts: the
    result of `NotebookFacts.as_json`. descriptor: the file descriptor of the socket.
    """
    global _client
    known = NotebookFacts.from_json(facts)
    known = replace(known, own=frozenset(expand_star_names(known.own)))
    client = _client = JudgeClient(socket.socket(fileno=descriptor), shell.user_ns, known)
    # `store_history=False` would stop the count of cells, too, which tracebacks refer to.
    shell.history_manager.store_inputs = lambda *arguments: None
    shell.displayhook.cache_size = 0
    for name in HISTORY_NAMES:
        shell.user_ns.pop(name, None)
    running: list[Any] = []

    def before(info: Any) -> None:
        running.append(info)
        if info is running[0]:
            try:
                source = shell.transform_cell(info.raw_cell)
            except SyntaxError:
                # The cell is not Python; IPython reports the error when it runs the cell.
                source = info.raw_cell
            client.before(source, info.raw_cell)

    def after(result: Any) -> None:
        if len(running) > 1 and getattr(result, "info", None) is not running[0]:
            running.pop()
            return
        running.clear()
        client.after()
        if result is None:
            return
        if result.error_in_exec is None and client.failed:
            client.end_with_not_judgeable(
                "the submission suppressed an error raised by a function passed by the test"
            )
        ended = client.broken or client.ended
        if ended and result.error_before_exec is None and result.error_in_exec is not ended:
            # The test may have caught the error.
            result.error_in_exec = ended

    shell.events.register("pre_run_cell", before)
    shell.events.register("post_run_cell", after)
    return client
